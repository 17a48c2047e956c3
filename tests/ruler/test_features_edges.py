"""Fillets and chamfers: side, radius, legs; bends, rounded ends and bevels that are neither."""

from __future__ import annotations

import math
from typing import Any

import pytest
from build123d import (
    Axis,
    Box,
    Cylinder,
    GeomType,
    Plane,
    Pos,
    RegularPolygon,
    Rot,
    SlotOverall,
    Sphere,
    Torus,
    chamfer,
    extrude,
    fillet,
)
from feature_shapes import codes, kinds, of, only, prism, turned
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet

EXACT = pytest.approx
L_PROFILE = ((0, 0), (50, 0), (50, 8), (8, 8), (8, 40), (0, 40))


def bracket() -> Any:
    return prism(Plane.XZ, 30, *L_PROFILE)


def edge_at(part: Any, x: float, z: float) -> Any:
    """The edges along Y at a place of the profile."""
    return (
        part.edges()
        .filter_by(Axis.Y)
        .filter_by(lambda e: abs(e.center().X - x) < 1e-6 and abs(e.center().Z - z) < 1e-6)
    )


def circles(part: Any, radius: float, z: float) -> Any:
    return (
        part.edges()
        .filter_by(GeomType.CIRCLE)
        .filter_by(lambda e: abs(e.radius - radius) < 1e-6 and abs(e.center().Z - z) < 1e-6)
    )


# Fillets


def test_inner_and_outer_edge_of_a_bracket() -> None:
    inner = only(fillet(edge_at(bracket(), 8, 8), 4), "fillet")
    assert (inner.side, inner.form) == ("concave", "straight")
    assert inner.radius == EXACT(4) and inner.length == EXACT(30)
    off = 12 - 4 / math.sqrt(2)
    assert inner.position == EXACT((off, -15, off)) and abs(inner.axis[1]) == EXACT(1)
    outer = only(fillet(edge_at(bracket(), 50, 8), 3), "fillet")
    assert outer.side == "convex" and outer.radius == EXACT(3)


@pytest.mark.parametrize(
    ("radius", "z", "side", "ring"),
    [(10, 30, "concave", 23.0), (15, 30, "convex", 27.0), (15, 60, "convex", 27.0)],
)
def test_side_of_fillets_on_a_shaft(radius: float, z: float, side: str, ring: float) -> None:
    shaft = turned((0, 0), (10, 0), (10, 30), (15, 30), (15, 60), (0, 60))
    found = only(fillet(circles(shaft, radius, z), 1.5), "fillet")
    assert (found.side, found.form) == (side, "round")
    assert found.radius == EXACT(1.5) and found.diameter == EXACT(ring)
    assert found.position[:2] == EXACT((0, 0), abs=1e-6)


@pytest.mark.parametrize(
    ("radius", "z", "side"), [(6, 10, "concave"), (6, 20, "convex"), (4, 10, "convex")]
)
def test_side_of_fillets_in_a_stepped_bore(radius: float, z: float, side: str) -> None:
    bored = turned((4, 0), (20, 0), (20, 20), (6, 20), (6, 10), (4, 10))
    assert only(fillet(circles(bored, radius, z), 0.5), "fillet").side == side


def test_rounded_box_has_edges_and_corners() -> None:
    found = of(fillet(Box(60, 40, 20).edges(), 2), "fillet")
    assert [f.form for f in found].count("straight") == 12
    assert [f.form for f in found].count("corner") == 8
    assert {f.side for f in found} == {"convex"}
    assert sorted(f.length for f in found if f.form == "straight")[::4] == [
        EXACT(16),
        EXACT(36),
        EXACT(56),
    ]


def test_rim_over_rounded_upright_edges() -> None:
    box = fillet(Box(60, 40, 20).edges().filter_by(Axis.Z), 5)
    found = of(fillet(box.faces().sort_by(Axis.Z)[-1].edges(), 2), "fillet")
    quarter = [f for f in found if f.form == "round"]
    assert len(quarter) == 4 and len(found) == 12
    assert all(f.radius == EXACT(2) and f.diameter == EXACT(6) for f in quarter)


def test_part_of_a_ring() -> None:
    """The foot of a boss that a rib interrupts."""
    part = Box(60, 60, 10) + Pos(0, 0, 10) * Cylinder(8, 10) + Pos(15, 0, 10) * Box(30, 4, 10)
    foot = circles(part, 8, 5)
    part = fillet(foot, 2)
    ring = only(part, "fillet")
    assert (ring.side, ring.form) == ("concave", "round") and ring.radius == EXACT(2)
    away = math.hypot(*ring.position[:2])
    assert away == EXACT(10 - 2 / math.sqrt(2)) and ring.position[0] < 0


def test_fillet_around_a_saddle_is_free_of_form() -> None:
    pipe = Cylinder(20, 80) + Rot(0, 90, 0) * Pos(0, 0, 20) * Cylinder(8, 40)
    saddle = [
        e
        for e in pipe.edges()
        if e.geom_type not in (GeomType.CIRCLE, GeomType.LINE) and 10 < e.center().X < 30
    ]
    found = only(fillet(saddle, 2), "fillet")
    assert (found.side, found.form) == ("concave", "other")
    assert found.radius == EXACT(2, rel=2e-3)


def test_varying_radius_is_refused() -> None:
    box = Box(60, 40, 20)
    (edge,) = (
        box.edges().filter_by(Axis.X).filter_by(lambda e: e.center().Y > 0 and e.center().Z > 0)
    )
    maker = BRepFilletAPI_MakeFillet(box.solid().wrapped)
    maker.Add(2.0, 5.0, edge.wrapped)
    shape = maker.Shape()
    assert kinds(shape) == {}
    solid = type(box.solid())(shape)
    assert codes(solid)[0] == ["variable-radius"]


def test_bend_of_a_sheet_is_told_as_a_bend() -> None:
    sheet = fillet(edge_at(bracket(), 8, 8), 3)
    sheet = fillet(edge_at(sheet, 0, 0), 11)
    assert kinds(sheet) == {} and codes(sheet)[1] == ["bend"]
    other = fillet(edge_at(fillet(edge_at(bracket(), 8, 8), 3), 0, 0), 9)
    assert kinds(other) == {"fillet": 2}, "no constant thickness, no bend"


LEVER = extrude(SlotOverall(60, 20), 10)


@pytest.mark.parametrize(
    "part",
    [
        LEVER,
        Box(60, 40, 20) + Pos(30, 0, 0) * Cylinder(20, 20),
        Cylinder(10, 30),
        Torus(20, 4),
        Sphere(10),
        Cylinder(15, 50) - Torus(15, 2),
        Box(40, 40, 20) - Pos(20, 20, 0) * Cylinder(10, 20),
    ],
    ids=["lever", "half round end", "shaft", "ring", "ball", "groove", "scalloped corner"],
)
def test_what_is_round_and_no_fillet(part: Any) -> None:
    assert of(part, "fillet") == []


def test_hole_that_breaks_into_a_fillet_leaves_it_whole() -> None:
    part = fillet(edge_at(bracket(), 50, 8), 6) - Pos(46, -15, 0) * Cylinder(3, 40)
    found = only(part, "fillet")
    assert found.radius == EXACT(6) and found.length == EXACT(30)
    assert only(part, "hole").diameter == EXACT(6)


def test_boss_whose_rib_is_rounded_into_it() -> None:
    part = Box(60, 60, 10) + Pos(0, 0, 10) * Cylinder(8, 10) + Pos(15, 0, 10) * Box(30, 4, 10)
    seam = part.edges().filter_by(Axis.Z).filter_by(lambda e: 7 < e.center().X < 8)
    part = fillet(seam, 1)
    assert only(part, "boss").diameter == EXACT(16)
    assert [f.side for f in of(part, "fillet")] == ["concave", "concave"]


# Chamfers


@pytest.mark.parametrize("legs", [(2.0, 2.0), (1.0, 3.0)])
def test_straight_chamfer(legs: tuple[float, float]) -> None:
    part = chamfer(edge_at(bracket(), 50, 8), *legs)
    found = only(part, "chamfer")
    assert (found.form, found.side) == ("straight", "convex")
    assert found.legs == EXACT(legs) and found.length == EXACT(30)
    assert found.angle == EXACT(math.degrees(math.atan2(legs[0], legs[1])))


def test_filled_inner_corner_is_a_concave_chamfer() -> None:
    found = only(chamfer(edge_at(bracket(), 8, 8), 4), "chamfer")
    assert found.side == "concave" and found.legs == EXACT((4, 4))
    assert found.position == EXACT((10, -15, 10))


def test_box_with_all_edges_bevelled() -> None:
    found = of(chamfer(Box(60, 40, 20).edges(), 2), "chamfer")
    assert len(found) == 12
    assert all(c.legs == EXACT((2, 2)) and c.angle == EXACT(45) for c in found)


@pytest.mark.parametrize(
    ("legs", "angle"), [((1, 1), 45.0), ((1, 2), math.degrees(math.atan(0.5)))]
)
def test_bevelled_shaft_end(legs: tuple[float, float], angle: float) -> None:
    part = chamfer(circles(Cylinder(15, 60), 15, 30), *legs)
    found = only(part, "chamfer")
    assert (found.form, found.side) == ("round", "convex")
    assert found.legs == EXACT(legs) and found.angle == EXACT(angle)
    assert found.diameter == EXACT(30) and found.length == EXACT(30 * math.pi)


def test_bevelled_mouth_and_filled_shoulder() -> None:
    mouth = chamfer(circles(Box(40, 40, 10) - Cylinder(5, 10), 5, 5), 1)
    found = only(mouth, "chamfer")
    assert (found.side, found.diameter) == ("convex", EXACT(12))
    assert found.length == EXACT(10 * math.pi), "of the edge it replaces"
    shaft = turned((0, 0), (10, 0), (10, 28), (12, 30), (15, 30), (15, 60), (0, 60))
    found = only(shaft, "chamfer")
    assert found.side == "concave" and found.legs == EXACT((2, 2))


def test_corner_cut_of_a_plate() -> None:
    part = chamfer(Box(60, 40, 5).edges().filter_by(Axis.Z).sort_by(lambda e: e.center().X)[-1], 8)
    found = only(part, "chamfer")
    assert found.legs == EXACT((8, 8)) and found.length == EXACT(5)


@pytest.mark.parametrize(
    "part",
    [
        extrude(RegularPolygon(10, 6), 20),
        extrude(RegularPolygon(10, 8), 20),
        extrude(RegularPolygon(10, 12), 20),
        prism(Plane.XZ, 30, (0, 0), (60, 0), (60, 5), (0, 30)),
        prism(Plane.XZ, 30, (0, 0), (60, 0), (50, 20), (10, 20)),
        prism(Plane.XZ, 30, (0, 0), (60, 0), (60, 20), (30, 44), (0, 20)),
        prism(Plane.XZ, 30, (0, 0), (60, 0), (60, 5), (43, 25), (0, 25)),
        turned((0, 0), (10, 0), (10, 30), (3, 50), (0, 50)),
        turned((0, 0), (10, 0), (10, 10), (9, 40), (0, 40)),
        turned((0, 0), (10, 0), (10, 20), (15, 30), (15, 60), (0, 60)),
        Box(60, 40, 5)
        + Pos(-27.5, 0, 17.5) * Box(5, 40, 30)
        + Pos(0, 2.5, 0) * prism(Plane.XZ, 5, (-25, 2.5), (0, 2.5), (-25, 27)),
    ],
    ids=[
        "6",
        "8",
        "12",
        "wedge",
        "trapezium",
        "house",
        "slope",
        "cone end",
        "taper",
        "cone between",
        "gusset",
    ],
)
def test_slanted_faces_that_are_no_chamfers(part: Any) -> None:
    assert of(part, "chamfer") == []
