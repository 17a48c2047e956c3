"""Parts whose walls lean or lie at an angle, voids, and holes on one axis; made by build123d."""

from __future__ import annotations

import math
from typing import Any

from build123d import (
    Axis,
    Box,
    Cylinder,
    Plane,
    Polyline,
    Pos,
    Rectangle,
    RegularPolygon,
    Rot,
    SlotOverall,
    Sphere,
    chamfer,
    extrude,
    fillet,
    loft,
    make_face,
    revolve,
)
from drawing_proving import UP

DRAFT = 5.0
"""Of walls, degrees."""


def draft_pocket() -> Any:
    """30 × 20 at the top and 8 deep, with plane walls of 5° draft, 15 and 10 from the edges."""
    lean = 16 * math.tan(math.radians(DRAFT))
    top = Plane.XY.offset(20) * Rectangle(30, 20)
    foot = Plane.XY.offset(12) * Rectangle(30 - lean, 20 - lean)
    return Box(60, 40, 20, align=UP) - loft([top, foot], ruled=True)


def draft_boss() -> Any:
    """20 × 12 at the top, 10 high, 10° draft; off the middle."""
    return Box(60, 40, 5, align=UP) + extrude(Pos(5, 3, 5) * Rectangle(20, 12), 10, taper=10)


def dovetailed() -> Any:
    """A dovetail of 60° along a block, 24 wide at its opening and 8 deep, nowhere in the middle."""
    lean = 8 / math.tan(math.radians(60))
    corners = [(-10, 20), (14, 20), (14 + lean, 12), (-10 - lean, 12)]
    groove = Plane.YZ * make_face(Polyline(*corners, close=True))
    return Box(60, 50, 20, align=UP) - extrude(groove, 30, both=True)


def table_slot() -> Any:
    """A T-slot across a block: a neck of 8, 6 deep, on a foot of 14, 11 deep."""
    body = Box(70, 40, 24, align=UP) - Pos(12, 0, 18) * Box(8, 40, 6, align=UP)
    return body - Pos(12, 0, 13) * Box(14, 40, 5, align=UP)


def turned_slot() -> Any:
    """40 × 8, at 30° in the middle of a plate."""
    return Box(80, 40, 10, align=UP) - extrude(SlotOverall(40, 8, rotation=30), 10)


def turned_pocket() -> Any:
    """A rectangle of 24 × 12 with sharp corners, 4 deep, at 25°."""
    return Box(80, 50, 10, align=UP) - extrude(Pos(0, 0, 6) * Rot(0, 0, 25) * Rectangle(24, 12), 4)


def hexagonal() -> Any:
    """A hole on a regular hexagon of side 6, off the middle, and a blind one of side 5."""
    body = Box(80, 40, 10, align=UP) - extrude(Pos(13, 4, 0) * RegularPolygon(6, 6), 10)
    return body - extrude(Pos(-20, -3, 6) * RegularPolygon(5, 6), 4)


def tapered_bush() -> Any:
    """A conical bore, ⌀28 to ⌀24, that ends in a groove."""
    corners = [(10, 0), (20, 0), (20, 30), (25, 30), (25, 40), (14, 40), (12, 25), (16, 25)]
    corners += [(16, 20), (10, 20)]
    return revolve(Plane.XZ * make_face(Polyline(*corners, close=True)), Axis.Z)


def hollow() -> Any:
    """A closed room of 20 × 10 × 8 within a block, nowhere in the middle."""
    return Box(40, 30, 20, align=UP) - Pos(2, 3, 5) * Box(20, 10, 8, align=UP)


def two_sided() -> Any:
    """⌀8 from both sides on one axis, 10 and 12 deep."""
    body = Box(60, 30, 30, align=UP) - Pos(-15, 0, 20) * Cylinder(4, 10, align=UP)
    return body - Pos(-15, 0, 0) * Cylinder(4, 12, align=UP)


def rounded_rim() -> Any:
    """A chamfer of 4 and 2 mm on three edges, around both rounded corners between them."""
    body = Box(50, 40, 20, align=UP)
    upright = body.edges().filter_by(Axis.Z).sort_by(Axis.Y)
    body = fillet(upright[:2], 5)
    return chamfer(
        body.faces().sort_by(Axis.Z)[-1].edges().filter_by(Axis.X).sort_by(Axis.Y)[0:1], 2, 4
    )


def studded() -> Any:
    """A block with half a ball on it, which no dimension tells, and a plain hole."""
    body = Box(60, 40, 10, align=UP) + Pos(10, 5, 10) * Sphere(8)
    return body - Pos(-20, 0, 0) * Cylinder(4, 10, align=UP)


LEANING = (
    draft_pocket,
    draft_boss,
    dovetailed,
    table_slot,
    turned_slot,
    turned_pocket,
    hexagonal,
    tapered_bush,
    hollow,
    two_sided,
    rounded_rim,
)
