from __future__ import annotations
import math
from dataclasses import dataclass
from typing import Any
import numpy as np
from OCP.GProp import GProp_GProps
from OCP.BRepGProp import BRepGProp
from OCP.gp import gp_Pnt
from gaugeblock.records.measurement import CrossCheck, Volume

@dataclass(frozen=True)
class Measured:
    volume: Volume
    signed: float | None
    area: float | None
    centroid: tuple[float, float, float] | None

def measure_volume(solid: Any, mesh: Any, boundary: Any, bounds: Any, clock: Any) -> Measured:
    g = GProp_GProps(); BRepGProp.VolumeProperties_s(solid, g)
    a = GProp_GProps(); BRepGProp.SurfaceProperties_s(solid, a)
    v = g.Mass()
    clock.lap("volume")
    return Measured(Volume(value=abs(v), method="gauss", error_estimate=abs(v)*1e-6, cross_check=CrossCheck(method="mesh", value=None, error_estimate=None, agrees=None, reason="provisional"), verdict="measured"), v, a.Mass(), g.CentreOfMass().Coord())
