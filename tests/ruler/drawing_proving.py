"""Very unlike parts that whole sheets are proven on, made by build123d, features recognised."""

from __future__ import annotations

from typing import Any

from build123d import (
    Align,
    Axis,
    Box,
    Cone,
    Cylinder,
    GeomType,
    Plane,
    Polyline,
    Pos,
    RectangleRounded,
    Rot,
    SlotOverall,
    chamfer,
    extrude,
    fillet,
    make_face,
    revolve,
)
from drawing_parts import drawn, read

from gaugeblock.ruler.drawing.recognised import features_of
from gaugeblock.ruler.drawing.sheet import Sheet

UP = (Align.CENTER, Align.CENTER, Align.MIN)


def bearing_block() -> Any:
    body = Box(100, 40, 16, align=UP) + Pos(0, 0, 16) * Box(60, 40, 24, align=UP)
    body += Pos(0, 0, 40) * Rot(90, 0, 0) * Cylinder(30, 40)
    body -= Pos(0, 0, 40) * Rot(90, 0, 0) * Cylinder(17.5, 40)
    for x in (-40, 40):
        body -= Pos(x, 0, 0) * Cylinder(4.5, 16, align=UP)
    edges = body.edges().filter_by(Axis.Z).sort_by(Axis.X)
    return fillet(edges[:2] + edges[-2:], 8)


def flange() -> Any:
    body = Cylinder(50, 12, align=UP) + Pos(0, 0, 12) * Cylinder(28, 18, align=UP)
    body -= Cylinder(15, 30, align=UP)
    body -= Pos(0, 0, 22) * Cylinder(20, 8, align=UP)
    for i in range(6):
        body -= Rot(0, 0, 60 * i) * Pos(39, 0, 0) * Cylinder(4.5, 12, align=UP)
    circles = body.edges().filter_by(GeomType.CIRCLE)
    return chamfer(circles.filter_by(lambda e: abs(e.radius - 28) < 1e-6).sort_by(Axis.Z)[-1], 1)


def shaft() -> Any:
    corners = [(0, 0), (0, 10), (30, 10), (30, 8.5), (32, 8.5), (32, 12.5), (72, 12.5)]
    corners += [(72, 17.5), (90, 17.5), (90, 12.5), (120, 12.5), (120, 8), (150, 8), (150, 0)]
    body = revolve(make_face(Polyline(*corners, close=True)), Axis.X)
    body -= Pos(52, 0, 8.5) * extrude(SlotOverall(28, 8), 10)
    body = chamfer(body.edges().filter_by(GeomType.CIRCLE).sort_by(Axis.X)[0], 1)
    return chamfer(body.edges().filter_by(GeomType.CIRCLE).sort_by(Axis.X)[-1], 1)


def bracket() -> Any:
    body = Box(80, 50, 8, align=Align.MIN) + Box(8, 50, 60, align=Align.MIN)
    rib = make_face(Polyline((8, 8), (48, 8), (8, 36), close=True))
    body += extrude(Plane((0, 29, 0), x_dir=(1, 0, 0), z_dir=(0, -1, 0)) * rib, 8)
    for y in (12, 38):
        body -= Pos(66, y, 0) * Cylinder(4.5, 8, align=UP)
    body -= Pos(0, 25, 46) * Rot(0, 90, 0) * Cylinder(6, 8, align=UP)
    return fillet(body.edges().filter_by(Axis.Z).sort_by(Axis.X)[-2:], 10)


def housing() -> Any:
    """Three bays, the middle one wider; blind holes that no section through the bays meets."""
    body = Box(120, 80, 40, align=Align.MIN) - Pos(6, 6, 6) * Box(108, 68, 34, align=Align.MIN)
    for x in (40, 80):
        body += Pos(x - 2, 6, 6) * Box(4, 68, 20, align=Align.MIN)
    for x in (3, 117):
        for y in (3, 77):
            body -= Pos(x, y, 28) * Cylinder(1.5, 12, align=UP)
    return body


def cover() -> Any:
    """Four counterbored holes, a stepped bore, a countersunk hole."""
    body = Box(90, 60, 14, align=UP)
    for x in (-35, 35):
        for y in (-20, 20):
            body -= Pos(x, y, 0) * Cylinder(3.3, 14, align=UP)
            body -= Pos(x, y, 7.5) * Cylinder(5.5, 6.5, align=UP)
    body -= Cylinder(8, 14, align=UP)
    body -= Pos(0, 0, 9) * Cylinder(11, 5, align=UP)
    body -= Pos(22, 0, 0) * Cylinder(2.5, 14, align=UP)
    return body - Pos(22, 0, 11.5) * Cone(2.5, 5, 2.5, align=UP)


def slotted() -> Any:
    body = Box(110, 50, 12, align=UP)
    body -= Pos(-25, 0, 0) * extrude(SlotOverall(36, 10), 12)
    body -= Pos(30, 0, 6) * extrude(RectangleRounded(34, 26, 5), 6)
    body -= Pos(30, 0, 0) * Cylinder(4, 6, align=UP)
    return chamfer(body.faces().sort_by(Axis.Z)[-1].outer_wire().edges(), 1)


def boxed() -> Any:
    """A square boss with a fillet all around its foot, which meets itself in mitres."""
    body = Box(100, 70, 20, align=UP) + Pos(0, 0, 20) * Box(40, 40, 25, align=UP)
    foot = body.edges().filter_by(lambda e: abs(e.center().Z - 20) < 1e-6)
    return fillet(foot.filter_by(lambda e: abs(e.center().X) < 21 and abs(e.center().Y) < 21), 5)


def cone_ring() -> Any:
    corners = [(0, 6), (0, 30), (10, 30), (40, 16), (55, 16), (55, 6)]
    body = revolve(make_face(Polyline(*corners, close=True)), Axis.X)
    ends = body.edges().filter_by(GeomType.CIRCLE).filter_by(lambda e: abs(e.radius - 16) < 1e-6)
    return fillet(ends.sort_by(Axis.X)[-1], 4)


def tiny() -> Any:
    body = Box(2.4, 1.2, 0.3, align=UP)
    for x in (-0.8, 0.8):
        body -= Pos(x, 0, 0) * Cylinder(0.2, 0.3, align=UP)
    return body


def huge() -> Any:
    body = Box(3600, 1800, 300, align=UP) - Pos(0, 0, 200) * Box(1800, 600, 100, align=UP)
    for x in (-1500, 1500):
        for y in (-700, 700):
            body -= Pos(x, y, 0) * Cylinder(110, 300, align=UP)
    return body


def inclined() -> Any:
    """Two oblique holes, which every view shows as ellipses."""
    body = Box(80, 60, 30, align=UP)
    for y in (-15, 15):
        body -= Pos(0, y, 15) * Rot(0, 30, 0) * Cylinder(5, 60)
    return body


def slanted() -> Any:
    """A prism on a polygon: its edge of 5 × 12 meets one beside it that is no more level."""
    corners = [(0, 0), (50, 0), (70, 20), (40, 33), (10, 33), (-5, 12)]
    return extrude(make_face(Polyline(*corners, close=True)), 12)


PROVING = (
    bearing_block,
    flange,
    shaft,
    bracket,
    housing,
    cover,
    slotted,
    boxed,
    cone_ring,
    tiny,
    huge,
    inclined,
    slanted,
)


def sheet_of(body: Any) -> Sheet:
    """The sheet of a part of build123d."""
    shape = body.solids()[0].wrapped
    return drawn(shape, features_of([read(shape)])[0])
