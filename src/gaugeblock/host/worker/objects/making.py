"""New shapes: primitives, and sketches drawn out, turned, led along a path or skinned over."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from build123d import Face, Solid
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.TopoDS import TopoDS_Shape

from gaugeblock.host.worker.checking import bounds
from gaugeblock.host.worker.objects import planes, profiles
from gaugeblock.host.worker.objects.faults import Fault
from gaugeblock.host.worker.objects.paths import swept
from gaugeblock.host.worker.objects.soundness import require_uncrossed

CROSSING_MM = 1e-6
"""An outline may touch the axis it is turned about to the kernel's own exactness."""


def box(given: dict[str, Any]) -> TopoDS_Shape:
    """Return a block from its lowest corner."""
    return BRepPrimAPI_MakeBox(gp_Pnt(*given["at"]), *given["size"]).Solid()


def cylinder(given: dict[str, Any]) -> TopoDS_Shape:
    """Return a round bar."""
    axes = planes.frame(given["at"], given["axis"])
    return BRepPrimAPI_MakeCylinder(axes, given["radius"], given["height"]).Solid()


def cone(given: dict[str, Any]) -> TopoDS_Shape:
    """Return a cone or a frustum."""
    axes = planes.frame(given["at"], given["axis"])
    radii = given["radius"], given["top_radius"]
    return BRepPrimAPI_MakeCone(axes, *radii, given["height"]).Solid()


def sphere(given: dict[str, Any]) -> TopoDS_Shape:
    """Return a ball."""
    return BRepPrimAPI_MakeSphere(
        gp_Ax2(gp_Pnt(*given["at"]), gp_Dir(0, 0, 1)), given["radius"]
    ).Solid()


def torus(given: dict[str, Any]) -> TopoDS_Shape:
    """Return a ring."""
    axes = planes.frame(given["at"], given["axis"])
    return BRepPrimAPI_MakeTorus(axes, given["radius"], given["tube_radius"]).Solid()


def extrude(given: dict[str, Any]) -> TopoDS_Shape:
    """Return a sketch drawn out along its plane's third axis."""
    sketch, distance = given["sketch"], given["distance"]
    base = sketch["at"] - (distance / 2 if given["symmetric"] else 0.0)
    return BRepPrimAPI_MakePrism(
        _sketched(sketch, base).wrapped, planes.upward(sketch["plane"], distance)
    ).Shape()


def revolve(given: dict[str, Any]) -> TopoDS_Shape:
    """Return a sketch turned about an axis in its plane."""
    sketch = given["sketch"]
    plane = sketch["plane"]
    flat = _sketched(sketch, sketch["at"])
    # The distance from the axis is measured along the other of u and v.
    other = "v" if given["axis"] == "u" else "u"
    across = "XYZ".index(planes.axis_of(plane, other))
    low, high = (corner[across] for corner in bounds(flat.wrapped))
    stands = given["through"]["uv".index(other)]
    if low < stands - CROSSING_MM and high > stands + CROSSING_MM:
        raise Fault(
            "not-built",
            f"the outline reaches from {other} = {low:g} to {high:g} mm and crosses the axis at "
            f"{other} = {stands:g} mm",
            "Draw only the half on one side of the axis; it may touch the axis.",
        )
    through = planes.point(plane, sketch["at"], *given["through"])
    line = planes.line(
        (through.X(), through.Y(), through.Z()), planes.axis_of(plane, given["axis"])
    )
    if given["angle"] == 360:
        return BRepPrimAPI_MakeRevol(flat.wrapped, line).Shape()
    return BRepPrimAPI_MakeRevol(flat.wrapped, line, math.radians(given["angle"])).Shape()


def loft(given: dict[str, Any]) -> TopoDS_Shape:
    """Return the skin over outlines on parallel planes, closed at both ends."""
    plane = given["plane"]
    wires = []
    for section in given["sections"]:
        flat = _flat(section["outline"], [], plane, section["at"])
        wires.append(flat.outer_wire())
    made = Solid.make_loft(wires, given["ruled"]).wrapped
    require_uncrossed(made, "the loft")
    return made


def sweep(given: dict[str, Any]) -> TopoDS_Shape:
    """Return a profile led along a path."""
    profile = given["profile"]
    flat = _flat(profile["outline"], profile["holes"], "XY", 0.0)
    return swept(flat, given["path"], given["bend_radius"], given["smooth"])


def _sketched(sketch: dict[str, Any], at: float) -> Face:
    return _flat(sketch["outline"], sketch["holes"], sketch["plane"], at)


def _flat(outline: dict[str, Any], holes: list[dict[str, Any]], plane: str, at: float) -> Face:
    return profiles.face(outline, holes, lambda u, v: planes.point(plane, at, u, v))


MAKING: dict[str, Callable[[dict[str, Any]], TopoDS_Shape]] = {
    "box": box,
    "cylinder": cylinder,
    "cone": cone,
    "sphere": sphere,
    "torus": torus,
    "extrude": extrude,
    "revolve": revolve,
    "loft": loft,
    "sweep": sweep,
}
