"""A look for shapes that cross themselves, which the kernel's validity check does not see."""

from __future__ import annotations

from OCP.BRepAlgoAPI import BRepAlgoAPI_Check
from OCP.TopoDS import TopoDS_Shape

from gaugeblock.host.worker.objects.faults import Fault


def require_uncrossed(shape: TopoDS_Shape, what: str) -> None:
    """Refuse a shape whose faces cross each other: its volume would count some space twice."""
    if not BRepAlgoAPI_Check(shape, False, True).IsValid():
        raise Fault(
            "not-valid",
            f"{what} crosses itself",
            "Lead it clear of itself, or make two objects and unite them.",
        )
