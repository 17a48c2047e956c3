"""Loops of a sketch as faces and wires."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from build123d import Edge, Face, Wire
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.gp import gp_Ax2, gp_Circ, gp_Dir, gp_Pnt, gp_Vec

from gaugeblock.host.worker.objects.faults import Fault, of_the_kernel

Place = Callable[[float, float], gp_Pnt]
"""Where (u, v) lies in space."""
Corner = tuple[float, float, float]
"""u, v and the bulge of the side to the next corner."""

QUARTER = math.tan(math.pi / 8)
"""The bulge of a quarter circle."""
HALF = 1.0
"""The bulge of a half circle."""
AREA_RELATIVE = 1e-9
"""Outline less holes is the face's area to rounding, unless a hole reaches out or overlaps."""
SPLINE_AREA_RELATIVE = 1e-4
"""The same with a spline among the loops, where the kernel's area is off by up to 3e-5."""
LOOP = "Correct the loop: corners in order around it, and sides that meet at corners only."
HOLE = "Keep every hole inside the outline and clear of the others."


def face(outline: dict[str, Any], holes: list[dict[str, Any]], place: Place) -> Face:
    """Return the flat face of an outline with holes.

    Raises:
        Fault: a loop cuts itself, or a hole is not wholly inside.
    """
    around = wire(outline, place)
    made = Face(around)
    left = _area(made, "the outline")
    splines = any(loop["kind"] == "spline" for loop in (outline, *holes))
    coarse = SPLINE_AREA_RELATIVE if splines else AREA_RELATIVE
    inner = []
    for number, hole in enumerate(holes, 1):
        inner.append(wire(hole, place))
        left -= _area(Face(inner[-1]), f"hole {number}")
        try:
            made = Face(around, inner)
            area = _area(made, "the outline with its holes")
        except Exception as error:
            if not isinstance(error, Fault) and not of_the_kernel(error):
                raise
            area = 0.0
        if not math.isclose(area, left, rel_tol=coarse):
            said = f"hole {number} is not wholly inside the outline, or meets another hole"
            raise Fault("not-built", said, HOLE)
    return made


def wire(loop: dict[str, Any], place: Place) -> Wire:
    """Return a loop as a closed wire."""
    kind = loop["kind"]
    if kind == "circle":
        return Wire([_circle(loop.get("centre", [0.0, 0.0]), loop["radius"], place)])
    if kind == "spline":
        points = [_vector(place(u, v)) for u, v in loop["points"]]
        return Wire([Edge.make_spline(points, periodic=True)])
    corners = list(_corners(loop))
    sides = zip(corners, corners[1:] + corners[:1], strict=True)
    return Wire([_side(first, second, place) for first, second in sides])


def _area(flat: Face, what: str) -> float:
    area = flat.area
    if not BRepCheck_Analyzer(flat.wrapped).IsValid() or area <= 0:
        raise Fault("not-built", f"{what} cuts or touches itself", LOOP)
    return area


def _circle(centre: list[float], radius: float, place: Place) -> Edge:
    middle, along, across = (
        place(*centre),
        place(centre[0] + 1, centre[1]),
        place(centre[0], centre[1] + 1),
    )
    u, v = gp_Vec(middle, along), gp_Vec(middle, across)
    axes = gp_Ax2(middle, gp_Dir(u.Crossed(v)), gp_Dir(u))
    return Edge(BRepBuilderAPI_MakeEdge(gp_Circ(axes, radius)).Edge())


def _side(first: Corner, second: Corner, place: Place) -> Edge:
    start, end = place(*first[:2]), place(*second[:2])
    bulge = first[2]
    if not bulge:
        return Edge.make_line(_vector(start), _vector(end))
    du, dv = second[0] - first[0], second[1] - first[1]
    # The arc's highest point: from the chord's middle to its right, by bulge times half of it.
    middle = place((first[0] + second[0] + bulge * dv) / 2, (first[1] + second[1] - bulge * du) / 2)
    return Edge.make_three_point_arc(_vector(start), _vector(middle), _vector(end))


def _corners(loop: dict[str, Any]) -> Iterator[Corner]:
    """Yield the corners of a polygon, or of what is one with arcs: rectangle and slot."""
    if loop["kind"] == "polygon":
        for given in loop["points"]:
            yield given[0], given[1], given[2] if len(given) > 2 else 0.0
        return
    centre = loop.get("centre", [0.0, 0.0])
    angle = math.radians(loop.get("angle", 0.0))
    cos, sin = math.cos(angle), math.sin(angle)
    half_u, half_v = loop["size"][0] / 2, loop["size"][1] / 2
    radius = half_v if loop["kind"] == "slot" else loop.get("corner_radius", 0.0)
    for u, v, bulge in _rounded(half_u, half_v, radius):
        yield centre[0] + u * cos - v * sin, centre[1] + u * sin + v * cos, bulge


def _rounded(a: float, b: float, radius: float) -> list[Corner]:
    """Return the corners of a rectangle ±a, ±b, from its lower side's left end, anticlockwise."""
    if not radius:
        return [(-a, -b, 0.0), (a, -b, 0.0), (a, b, 0.0), (-a, b, 0.0)]
    inner = a - radius
    if radius == b:  # a slot: its ends are half circles
        return [(-inner, -b, 0.0), (inner, -b, HALF), (inner, b, 0.0), (-inner, b, HALF)]
    deep = b - radius
    return [
        *((-inner, -b, 0.0), (inner, -b, QUARTER), (a, -deep, 0.0), (a, deep, QUARTER)),
        *((inner, b, 0.0), (-inner, b, QUARTER), (-a, deep, 0.0), (-a, -deep, QUARTER)),
    ]


def _vector(point: gp_Pnt) -> tuple[float, float, float]:
    return point.X(), point.Y(), point.Z()
