"""Bosses and grooves, and the shafts, tubes and necks that are neither."""

from __future__ import annotations

import math
from typing import Any

import pytest
from build123d import (
    Axis,
    Box,
    Cone,
    Cylinder,
    GeomType,
    Pos,
    RegularPolygon,
    Rot,
    Sphere,
    Torus,
    chamfer,
    extrude,
    fillet,
)
from feature_shapes import codes, kinds, of, only, turned

EXACT = pytest.approx


def circles(part: Any, radius: float, z: float) -> Any:
    return (
        part.edges()
        .filter_by(GeomType.CIRCLE)
        .filter_by(lambda e: abs(e.radius - radius) < 1e-6 and abs(e.center().Z - z) < 1e-6)
    )


# Bosses


def test_round_boss_on_a_plate() -> None:
    boss = only(Box(60, 60, 10) + Pos(5, 5, 10) * Cylinder(8, 10), "boss")
    assert boss.shape == "round" and boss.diameter == EXACT(16) and boss.height == EXACT(10)
    assert boss.position == EXACT((5, 5, 5)) and boss.axis == EXACT((0, 0, 1))
    assert len(boss.base_faces) == len(boss.faces) == 1


def test_boss_with_rounded_foot_and_bevelled_top_is_as_high_as_its_faces() -> None:
    part = Box(60, 60, 10) + Pos(0, 0, 10) * Cylinder(8, 10)
    part = chamfer(circles(part, 8, 15), 1)
    part = fillet(circles(part, 8, 5), 2)
    assert kinds(part) == {"boss": 1, "chamfer": 1, "fillet": 1}
    assert only(part, "boss").height == EXACT(10)
    foot = only(part, "fillet")
    assert (foot.side, foot.form) == ("concave", "round")


def test_screw_boss_with_a_hole() -> None:
    part = Box(60, 60, 10) + Pos(0, 0, 10) * Cylinder(8, 10) - Pos(0, 0, 10) * Cylinder(3, 12)
    assert kinds(part) == {"boss": 1, "hole": 1}


def test_boss_on_a_pipe_is_measured_from_the_pipe() -> None:
    pipe = Cylinder(20, 80) + Rot(0, 90, 0) * Pos(0, 0, 15) * Cylinder(6, 30)
    boss = only(pipe, "boss")
    assert boss.position == EXACT((20, 0, 0)) and boss.height == EXACT(10)
    assert boss.axis == EXACT((1, 0, 0))


def test_domed_boss_ends_at_its_top() -> None:
    part = Box(60, 60, 10) + Pos(0, 0, 10) * Cylinder(8, 10) + Pos(0, 0, 15) * Sphere(8)
    assert only(part, "boss").height == EXACT(18)


def test_hub_on_a_flange_is_a_boss_and_a_shaft_end_is_not() -> None:
    flange = turned((0, 0), (40, 0), (40, 10), (15, 10), (15, 30), (0, 30))
    hub = only(flange, "boss")
    assert hub.diameter == EXACT(30) and hub.height == EXACT(20)
    shaft = turned((0, 0), (10, 0), (10, 30), (15, 30), (15, 80), (9, 80), (9, 110), (0, 110))
    assert kinds(shaft) == {}
    collar = turned((0, 0), (10, 0), (10, 60), (15, 60), (15, 66), (10, 66), (10, 120), (0, 120))
    assert kinds(collar) == {}


def test_two_bosses_upon_each_other() -> None:
    part = Box(60, 60, 10) + Pos(0, 0, 8) * Cylinder(20, 6) + Pos(0, 0, 15) * Cylinder(8, 10)
    low, high = of(part, "boss")
    assert (low.height, high.height) == (EXACT(6), EXACT(9))


@pytest.mark.parametrize("sides", [4, 6])
def test_prismatic_boss(sides: int) -> None:
    pad = Box(20, 12, 10) if sides == 4 else extrude(RegularPolygon(8, 6), 5, both=True)
    boss = only(Box(60, 60, 10) + Pos(4, 3, 10) * Rot(0, 0, 25) * pad, "boss")
    assert boss.shape == "prismatic" and boss.height == EXACT(10)
    assert boss.position == EXACT((4, 3, 5))
    size = (20, 12) if sides == 4 else (16, 16 * math.cos(math.pi / 6))
    assert (boss.length, boss.width) == EXACT(size)


def test_prismatic_boss_with_rounded_foot_and_corners() -> None:
    pad = fillet(Box(20, 12, 10).edges().filter_by(Axis.Z), 3)
    part = Box(60, 60, 10) + Pos(0, 0, 10) * pad
    foot = part.faces().filter_by(Axis.Z).sort_by(lambda f: f.center().Z)[1].inner_wires()[0]
    part = fillet(foot.edges(), 1)
    boss = only(part, "boss")
    assert (boss.length, boss.width, boss.height) == EXACT((20, 12, 10))
    sides = [f.side for f in of(part, "fillet")]
    assert sides.count("convex") == 4 and sides.count("concave") == 8


def test_pad_on_a_round_face() -> None:
    part = Rot(0, 90, 0) * Cylinder(20, 80) + Pos(0, 0, 20) * Box(20, 12, 10)
    boss = only(part, "boss")
    assert boss.height == EXACT(5) and boss.position == EXACT((0, 0, 20))


def test_core_in_a_pocket_is_a_boss_on_its_floor() -> None:
    part = Box(60, 40, 20) - (Pos(0, 0, 10) * Box(40, 30, 16) - Pos(5, 0, 0) * Cylinder(4, 40))
    assert kinds(part) == {"boss": 1, "pocket": 1}
    assert only(part, "boss").height == EXACT(8)


@pytest.mark.parametrize(
    "part",
    [
        Box(60, 40, 10) + Pos(0, 14, 10) * Box(60, 12, 10),
        Box(60, 40, 10) + Pos(0, 0, 10) * Box(60, 6, 10),
        Box(60, 40, 10) + Pos(20, 0, 10) * Box(20, 20, 10),
        Cylinder(20, 50) - Cylinder(12, 50),
        Torus(20, 4),
    ],
    ids=["step", "rib", "flush block", "tube", "ring"],
)
def test_what_does_not_stand_within_a_face_is_no_boss(part: Any) -> None:
    assert of(part, "boss") == []


def test_tapered_boss_is_refused() -> None:
    part = Box(60, 60, 10) + Pos(0, 0, 10) * Cone(10, 8, 10)
    assert codes(part)[0] == ["tapered-boss"]


# Grooves


def test_groove_around_a_shaft() -> None:
    shaft = turned(
        (0, 0), (10, 0), (10, 20), (8, 20), (8, 23), (10, 23), (10, 40), (12, 40), (12, 60), (0, 60)
    )
    groove = only(shaft, "groove")
    assert groove.where == "external" and groove.findings == []
    assert (groove.diameter, groove.width, groove.depth) == EXACT((16, 3, 2))
    assert groove.position == EXACT((0, 0, 21.5)) and abs(groove.axis[2]) == EXACT(1)


def test_depth_is_taken_from_the_lower_shoulder() -> None:
    shaft = turned((0, 0), (10, 0), (10, 20), (8, 20), (8, 23), (14, 23), (14, 60), (0, 60))
    assert only(shaft, "groove").depth == EXACT(2)


def test_groove_in_a_bore_and_at_its_bottom() -> None:
    bore = turned((6, 0), (20, 0), (20, 40), (6, 40), (6, 25), (7.5, 25), (7.5, 22), (6, 22))
    groove = only(bore, "groove")
    assert (groove.where, groove.diameter) == ("internal", EXACT(15))
    assert (groove.width, groove.depth) == EXACT((3, 1.5))
    blind = turned((0, 0), (20, 0), (20, 40), (6, 40), (6, 13), (7, 13), (7, 10), (0, 10))
    groove = only(blind, "groove")
    assert (groove.width, groove.depth) == EXACT((3, 1))
    assert only(blind, "hole").depth == EXACT(30)


def test_groove_with_rounded_floor_and_bevelled_edges() -> None:
    shaft = turned((0, 0), (10, 0), (10, 20), (8, 20), (8, 26), (10, 26), (10, 50), (0, 50))
    shaft = fillet(circles(shaft, 8, 20) + circles(shaft, 8, 26), 0.8)
    shaft = chamfer(circles(shaft, 10, 20) + circles(shaft, 10, 26), 0.5)
    groove = only(shaft, "groove")
    assert (groove.diameter, groove.width, groove.depth) == EXACT((16, 6, 2))


def test_groove_in_a_face() -> None:
    disc = turned((0, 0), (30, 0), (30, 10), (20, 10), (20, 7), (16, 7), (16, 10), (0, 10))
    groove = only(disc, "groove")
    assert groove.where == "face" and kinds(disc) == {"groove": 1}
    assert (groove.diameter, groove.width, groove.depth) == EXACT((36, 4, 3))


def test_half_round_grooves() -> None:
    shaft = only(Cylinder(15, 50) - Torus(15, 2), "groove")
    assert shaft.where == "external"
    assert (shaft.diameter, shaft.width, shaft.depth) == EXACT((26, 4, 2))
    face = only(Cylinder(30, 10) - Pos(0, 0, 5) * Torus(18, 1.5), "groove")
    assert face.where == "face"
    assert (face.diameter, face.width, face.depth) == EXACT((36, 3, 1.5))


def test_pointed_groove() -> None:
    pulley = turned((0, 0), (20, 0), (20, 10), (14, 15), (20, 20), (20, 30), (0, 30))
    groove = only(pulley, "groove")
    assert (groove.diameter, groove.width, groove.depth) == EXACT((28, 10, 6))


def test_relief_beside_a_shoulder() -> None:
    shaft = turned((0, 0), (10, 0), (10, 17), (9.7, 18), (9.7, 20), (15, 20), (15, 50), (0, 50))
    groove = only(shaft, "groove")
    assert groove.diameter == EXACT(19.4) and groove.depth == EXACT(0.3)


def test_groove_cut_through_by_a_keyway_stays_one() -> None:
    shaft = turned((0, 0), (10, 0), (10, 20), (8, 20), (8, 23), (10, 23), (10, 60), (0, 60))
    part = shaft - Pos(10, 0, 30) * Box(8, 4, 60)
    groove = only(part, "groove")
    assert groove.width == EXACT(3) and "covers" in groove.findings[0]


def test_neck_and_chamber_are_told_apart_from_grooves() -> None:
    spool = turned((0, 0), (20, 0), (20, 5), (8, 5), (8, 45), (20, 45), (20, 50), (0, 50))
    assert of(spool, "groove") == [] and codes(spool)[1] == ["neck"]


@pytest.mark.parametrize(
    "part",
    [
        turned((0, 0), (10, 0), (10, 30), (15, 30), (15, 60), (0, 60)),
        turned((0, 0), (10, 0), (10, 30), (15, 30), (15, 40), (10, 40), (10, 60), (0, 60)),
        Box(60, 60, 10) + Pos(0, 0, 10) * Cylinder(8, 10),
        Cylinder(15, 50) + Torus(15, 2),
    ],
    ids=["shoulder", "collar", "boss", "bead"],
)
def test_what_is_no_groove(part: Any) -> None:
    assert of(part, "groove") == []
