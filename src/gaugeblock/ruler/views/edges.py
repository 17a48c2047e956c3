"""How the faces at an edge meet: what of the part's own edges there is to see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from OCP.BRep import BRep_Tool
from OCP.BRepLib import BRepLib
from OCP.GeomAbs import GeomAbs_Shape

TANGENT = 0.01
"""Faces that meet at less than this angle in rad (0.6°) go on smoothly: the kernel's own default
for files (read.encoderegularity.angle)."""


def mark(shapes: Iterable[Any]) -> None:
    """Let the kernel note at every edge of `shapes` how its faces meet.

    Files are marked when they are read; this is for shapes made in memory. Marks that exist stay.
    """
    for shape in shapes:
        BRepLib.EncodeRegularity_s(shape, TANGENT)


def meeting(edge: Any, seam: bool) -> Literal["sharp", "smooth"] | None:
    """Return how the faces at a marked edge meet.

    Args:
        edge: TopoDS_Edge.
        seam: Whether one face lies on both sides.

    Returns:
        ``sharp`` at an angle or at a border, ``smooth`` where two faces go on tangentially; None
        where one surface goes on: a seam, or a split, which cannot be seen.
    """
    continuity = BRep_Tool.MaxContinuity_s(edge)
    if continuity == GeomAbs_Shape.GeomAbs_C0:
        return "sharp"
    if not seam and continuity in (GeomAbs_Shape.GeomAbs_G1, GeomAbs_Shape.GeomAbs_C1):
        return "smooth"
    return None
