"""Exact booleans of two bodies, with the sums that must come out and a retry with fuzzy tolerance.

One pave filler intersects all solids of both bodies; common, both cuts and the fuse are built from
it, and each result's volume is the ruler's own integral. A boolean of the kernel can fail without a
word, so nothing here is a measurement until an independent method agrees with it.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from OCP.BOPAlgo import BOPAlgo_BOP, BOPAlgo_Operation, BOPAlgo_PaveFiller
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.collections import List_TopoDS_Shape
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_SOLID
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.bounds import bounds_of
from gaugeblock.ruler.facts.integral import integrate
from gaugeblock.ruler.facts.pcurves import PCurves
from gaugeblock.ruler.facts.surfaces import SurfaceTable, surface_of

FUZZY = (0.0, 1e-5, 1e-4)
"""Fuzzy tolerances in mm tried in turn: none, then a hundred and a thousand times the kernel's
confusion distance of 1e-7. Larger ones would merge features that agents do make."""

CLOSES = 1e-6
"""Largest residual of inclusion–exclusion, as a part of the larger volume: the accuracy claimed for
volumes. Sound booleans stay below 1e-9 on elementary parts."""

OPERATIONS = {
    "common": BOPAlgo_Operation.BOPAlgo_COMMON,
    "only_a": BOPAlgo_Operation.BOPAlgo_CUT,
    "only_b": BOPAlgo_Operation.BOPAlgo_CUT21,
    "fuse": BOPAlgo_Operation.BOPAlgo_FUSE,
}


@dataclass(frozen=True)
class Booleans:
    """Volumes of the four results in mm³ (None: the kernel failed), and whether they add up."""

    fuzzy: float
    common: float | None
    only_a: float | None
    only_b: float | None
    fuse: float | None
    error: float
    """Sum of the integrals' error estimates, mm³."""
    residuals: dict[str, float | None]
    """`fuse`, `cut_a`, `cut_b`, as parts of the larger volume."""
    failure: str | None

    @property
    def residual(self) -> float | None:
        """The largest residual; None where one could not be made."""
        values = [value for value in self.residuals.values() if value is not None]
        return max(values) if len(values) == 3 else None

    @property
    def closes(self) -> bool:
        """Whether every sum comes out."""
        return self.residual is not None and self.residual <= CLOSES

    def plain(self) -> dict[str, Any]:
        """Return it as plain data, for another process."""
        return asdict(self)


def combine(
    a: list[Any], b: list[Any], volume_a: float, volume_b: float, fuzzy: float = 0.0
) -> Booleans:
    """Run all four booleans.

    Args:
        a: The solids of the first body, in place.
        b: The solids of the second body, in place.
        volume_a: Occupied volume of the first, mm³.
        volume_b: Occupied volume of the second, mm³.
        fuzzy: Fuzzy tolerance in mm.

    Starts the kernel's thread pool: call it only in a process that will not fork again.
    """
    volumes: dict[str, float | None] = dict.fromkeys(OPERATIONS)
    error, failure = 0.0, None
    try:
        filler = paved([*a, *b], fuzzy)
        if filler.HasErrors():
            failure = "the kernel could not intersect the boundaries"
        else:
            for name, operation in OPERATIONS.items():
                result = _result(filler, operation, a, b, fuzzy)
                if result is None:
                    failure = f"the kernel's {name} failed"
                    continue
                volumes[name], part = volume_of(result)
                error += part
    except Exception as problem:
        failure = f"the kernel raised {type(problem).__name__}"
    return Booleans(
        fuzzy=fuzzy,
        common=volumes["common"],
        only_a=volumes["only_a"],
        only_b=volumes["only_b"],
        fuse=volumes["fuse"],
        error=error,
        residuals=_residuals(volumes, volume_a, volume_b),
        failure=failure,
    )


def _residuals(
    volumes: dict[str, float | None], volume_a: float, volume_b: float
) -> dict[str, float | None]:
    scale = max(volume_a, volume_b)
    common, fuse = volumes["common"], volumes["fuse"]
    out: dict[str, float | None] = {"fuse": None, "cut_a": None, "cut_b": None}
    if common is None or scale <= 0:
        return out
    if fuse is not None:
        out["fuse"] = abs(fuse + common - volume_a - volume_b) / scale
    for name, rest, whole in (
        ("cut_a", volumes["only_a"], volume_a),
        ("cut_b", volumes["only_b"], volume_b),
    ):
        if rest is not None:
            out[name] = abs(rest + common - whole) / scale
    return out


def paved(shapes: list[Any], fuzzy: float) -> Any:
    """Return the pave filler that has intersected all `shapes`, mm of fuzzy tolerance."""
    filler = BOPAlgo_PaveFiller()
    arguments = List_TopoDS_Shape()
    for shape in shapes:
        arguments.Append(shape)
    filler.SetArguments(arguments)
    filler.SetRunParallel(False)
    filler.SetNonDestructive(True)
    filler.SetFuzzyValue(fuzzy)
    filler.Perform()
    return filler


def _result(filler: Any, operation: Any, a: list[Any], b: list[Any], fuzzy: float) -> Any:
    builder = BOPAlgo_BOP()
    for shape in a:
        builder.AddArgument(shape)
    for shape in b:
        builder.AddTool(shape)
    builder.SetOperation(operation)
    builder.SetRunParallel(False)
    builder.SetNonDestructive(True)
    builder.SetFuzzyValue(fuzzy)
    builder.PerformWithFiller(filler)
    return None if builder.HasErrors() else builder.Shape()


def volume_of(shape: Any) -> tuple[float, float]:
    """Return the volume of all solids of `shape` and its error estimate in mm³.

    The ruler's own integral, solid by solid, without cross-check. Not finite where a solid's
    boundary cannot be integrated.
    """
    total = error = 0.0
    for solid in explore(shape, TopAbs_SOLID):
        volume, part = solid_volume(solid)
        total += volume
        error += part
    return total, error


def solid_volume(solid: Any) -> tuple[float, float]:
    """Return the signed volume of one solid and its error estimate in mm³."""
    bounds = bounds_of(solid)
    if bounds is None:
        return math.nan, math.nan
    edges = ShapeMap()
    TopExp.MapShapes_s(solid, TopAbs_EDGE, edges)
    curves, surfaces, turned = PCurves(), [], []
    for number, shape in enumerate(explore(solid, TopAbs_FACE)):
        face = TopoDS.Face(shape.Oriented(TopAbs_FORWARD))
        turned.append(bool(shape.Orientation() == TopAbs_REVERSED))
        surfaces.append(surface_of(face))
        for edge in explore(face, TopAbs_EDGE):
            forward = bool(edge.Orientation() == TopAbs_FORWARD)
            if forward or edge.Orientation() == TopAbs_REVERSED:
                curves.take(number, TopoDS.Edge(edge), face, int(edges.FindIndex(edge)), forward)
    centre = 0.5 * (np.array(bounds.min) + np.array(bounds.max))
    half = math.dist(bounds.min, bounds.max) / 2
    with np.errstate(all="ignore"):
        found = integrate(SurfaceTable(surfaces), turned, curves, centre, half)
    return found.volume, found.error


def union_volume(shapes: list[Any]) -> tuple[float, float]:
    """Return the volume that solids fill together and its error estimate, mm³; NaN: it failed.

    Starts the kernel's thread pool: call it only in a process that will not fork again.
    """
    filler = paved(shapes, 0.0)
    if filler.HasErrors():
        return math.nan, math.nan
    result = _result(filler, OPERATIONS["fuse"], shapes[:1], shapes[1:], 0.0)
    return (math.nan, math.nan) if result is None else volume_of(result)
