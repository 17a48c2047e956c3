"""Holes of every kind, alone, crossed, interrupted, and what only looks like one."""

from __future__ import annotations

import math
from typing import Any

import pytest
from build123d import (
    Axis,
    Box,
    BuildPart,
    Cone,
    CounterBoreHole,
    CounterSinkHole,
    Cylinder,
    GeomType,
    Locations,
    Pos,
    Rot,
    SlotOverall,
    Sphere,
    chamfer,
    extrude,
    fillet,
)
from feature_shapes import codes, kinds, of, only, turned

EXACT = pytest.approx


def plate(*tools: Any) -> Any:
    part = Box(60, 40, 20)
    for tool in tools:
        part -= tool
    return part


def rim(part: Any, radius: float, z: float) -> Any:
    """The circular edges of a radius at a height."""
    return (
        part.edges()
        .filter_by(GeomType.CIRCLE)
        .filter_by(lambda e: abs(e.radius - radius) < 1e-6 and abs(e.center().Z - z) < 1e-6)
    )


def test_through_hole() -> None:
    hole = only(plate(Pos(5, 3, 0) * Cylinder(4, 20)), "hole")
    assert hole.through and hole.bottom == "open" and hole.tip_angle is None
    assert hole.diameter == EXACT(8) and hole.depth == EXACT(20)
    assert hole.position[:2] == EXACT((5, 3)) and abs(hole.position[2]) == EXACT(10)
    assert hole.axis[2] == EXACT(-math.copysign(1, hole.position[2]))
    assert hole.steps == [EXACT((8, 20))]
    assert not hole.findings
    assert len(hole.entry_faces) == len(hole.exit_faces) == 1


def test_blind_hole_with_flat_bottom() -> None:
    hole = only(plate(Pos(0, 0, 5) * Cylinder(3, 10)), "hole")
    assert not hole.through and hole.bottom == "flat"
    assert hole.depth == EXACT(10)
    assert hole.position == EXACT((0, 0, 10)) and hole.axis == EXACT((0, 0, -1))
    assert hole.exit_faces == []


@pytest.mark.parametrize("tip", [90.0, 118.0, 135.0])
def test_drilled_hole_is_as_deep_as_its_full_diameter(tip: float) -> None:
    point = 3 / math.tan(math.radians(tip / 2))
    drill = Pos(0, 0, 4) * Cylinder(3, 12) + Pos(0, 0, -2 - point / 2) * Cone(0, 3, point)
    hole = only(plate(drill), "hole")
    assert hole.bottom == "conical" and hole.tip_angle == EXACT(tip)
    assert hole.depth == EXACT(12)


def test_ball_nosed_hole() -> None:
    hole = only(plate(Pos(0, 0, 5) * Cylinder(4, 10) + Sphere(4)), "hole")
    assert hole.bottom == "spherical" and hole.depth == EXACT(10)


def test_counterbores_and_countersinks() -> None:
    with BuildPart() as part:
        Box(80, 40, 12)
        with Locations((-30, 0, 6)):
            CounterBoreHole(2.5, 5, 3)
        with Locations((-10, 0, 6)):
            CounterBoreHole(2.5, 5, 3, depth=9)
        with Locations((10, 0, 6)):
            CounterSinkHole(2.5, 5.5, counter_sink_angle=90)
        with Locations((30, 0, 6)):
            CounterSinkHole(2, 4, depth=8, counter_sink_angle=82)
    a, b, c, d = of(part.part, "hole")
    assert a.through and a.counterbore.diameter == EXACT(10) and a.counterbore.depth == EXACT(3)
    assert a.steps == [EXACT((10, 3)), EXACT((5, 9))] and a.depth == EXACT(12)
    assert a.axis == EXACT((0, 0, -1)) and a.position == EXACT((-30, 0, 6))
    assert not b.through and b.bottom == "flat" and b.depth == EXACT(9)
    assert b.counterbore.depth == EXACT(3) and b.steps == [EXACT((10, 3)), EXACT((5, 6))]
    assert c.through and c.counterbore is None and c.diameter == EXACT(5)
    assert c.countersink.diameter == EXACT(11) and c.countersink.angle == EXACT(90)
    assert c.countersink.depth == EXACT(3) and c.depth == EXACT(12)
    assert d.countersink.diameter == EXACT(8) and d.countersink.angle == EXACT(82)
    assert d.countersink.depth == EXACT(2 / math.tan(math.radians(41)))
    assert d.far_countersink is None and not d.through


def test_steps_at_both_ends_and_in_the_middle() -> None:
    bored = Cylinder(4, 20) + Pos(0, 0, 7.5) * Cylinder(8, 5) + Pos(0, 0, -8.5) * Cylinder(6, 3)
    hole = only(plate(bored), "hole")
    assert hole.diameter == EXACT(8)
    assert hole.position == EXACT((0, 0, 10)), "the wider mouth is the entry"
    assert hole.counterbore.model_dump() == EXACT({"diameter": 16, "depth": 5})
    assert hole.far_counterbore.model_dump() == EXACT({"diameter": 12, "depth": 3})
    assert hole.steps == [EXACT((16, 5)), EXACT((8, 12)), EXACT((12, 3))]
    three = Cylinder(3, 20) + Pos(0, 0, 5) * Cylinder(5, 10) + Pos(0, 0, 8) * Cylinder(8, 4)
    hole = only(plate(three), "hole")
    assert hole.counterbore.diameter == EXACT(16) and hole.counterbore.depth == EXACT(4)
    assert hole.steps == [EXACT((16, 4)), EXACT((10, 6)), EXACT((6, 10))]


def test_countersunk_at_both_ends() -> None:
    sink = Pos(0, 0, 8.5) * Cone(3, 6, 3) + Pos(0, 0, -8.5) * Cone(6, 3, 3)
    hole = only(plate(Cylinder(3, 20) + sink), "hole")
    for end in (hole.countersink, hole.far_countersink):
        assert end.model_dump() == EXACT({"diameter": 12, "angle": 90, "depth": 3})


def test_counterbore_with_rounded_floor() -> None:
    part = plate(Cylinder(4, 20), Pos(0, 0, 7) * Cylinder(8, 6))
    part = fillet(rim(part, 8, 4), 1)
    hole = only(part, "hole")
    assert hole.counterbore.model_dump() == EXACT({"diameter": 16, "depth": 6})
    ring = only(part, "fillet")
    assert (ring.side, ring.form) == ("concave", "round") and ring.radius == EXACT(1)


def test_blind_hole_with_rounded_floor_is_as_deep_as_its_floor() -> None:
    part = fillet(rim(plate(Pos(0, 0, 5) * Cylinder(5, 10)), 5, 0), 1)
    hole = only(part, "hole")
    assert hole.bottom == "flat" and hole.depth == EXACT(10)


@pytest.mark.parametrize(("leg", "sunk"), [(0.5, False), (1.4, False), (1.5, True), (3.0, True)])
def test_conical_mouth_is_a_countersink_from_one_and_a_half_diameters(
    leg: float, sunk: bool
) -> None:
    part = plate(Cylinder(3, 20))
    part = chamfer(rim(part, 3, 10), leg)
    hole = only(part, "hole")
    assert (hole.countersink is not None) is sunk
    assert hole.depth == EXACT(20) and hole.position[2] == EXACT(10 if sunk else hole.position[2])
    assert len(of(part, "chamfer")) == (0 if sunk else 1)


def test_rounded_mouth_belongs_to_a_fillet() -> None:
    part = fillet(rim(plate(Cylinder(3, 20)), 3, 10), 1)
    assert only(part, "hole").depth == EXACT(20)
    mouth = only(part, "fillet")
    assert (mouth.side, mouth.form) == ("convex", "round")


def test_hole_in_a_slanted_face_is_measured_along_its_axis() -> None:
    part = Rot(20, 0, 0) * Box(60, 60, 20) - Cylinder(4, 100)
    hole = only(part, "hole")
    assert hole.through and hole.depth == EXACT(20 / math.cos(math.radians(20)))
    assert abs(hole.position[2]) == EXACT(10 / math.cos(math.radians(20)))


def test_hole_in_a_round_face() -> None:
    shaft = Cylinder(20, 60) - Rot(0, 90, 0) * Pos(0, 0, 15) * Cylinder(3, 20)
    hole = only(shaft, "hole")
    assert not hole.through and hole.bottom == "flat"
    assert hole.position == EXACT((20, 0, 0)) and hole.depth == EXACT(15)
    assert hole.axis == EXACT((-1, 0, 0))


def test_radial_hole_into_a_bore_goes_through_its_wall() -> None:
    tube = Cylinder(20, 60) - Cylinder(12, 60) - Pos(15, 0, 0) * Rot(0, 90, 0) * Cylinder(3, 12)
    bore, cross = sorted(of(tube, "hole"), key=lambda h: -h.diameter)
    assert bore.diameter == EXACT(24) and bore.through
    assert cross.through and cross.depth == EXACT(8) and cross.position == EXACT((20, 0, 0))
    assert "boss" not in kinds(tube), "a tube's outside is no boss"


@pytest.mark.parametrize(("a", "b"), [(4, 5), (5, 4), (4, 4)])
def test_crossing_holes_are_one_hole_each(a: float, b: float) -> None:
    part = plate(Cylinder(a, 20), Rot(90, 0, 0) * Cylinder(b, 40))
    found = sorted(of(part, "hole"), key=lambda h: h.depth)
    assert [h.depth for h in found] == [EXACT(20), EXACT(40)]
    assert [h.diameter for h in found] == [EXACT(2 * a), EXACT(2 * b)]
    assert all(h.through and h.findings for h in found)


def test_one_hole_through_both_arms_of_a_fork_and_two_far_apart() -> None:
    def fork(gap: float) -> Any:
        body = Box(30, gap + 16, 30) - Pos(5, 0, 0) * Box(30, gap, 30)
        return body - Pos(8, 0, 0) * Rot(90, 0, 0) * Cylinder(4, gap + 16)

    hole = only(fork(12), "hole")
    assert hole.through and hole.depth == EXACT(28) and len(hole.faces) == 2
    assert hole.findings == ["interrupted for 12 mm"]
    assert len(of(fork(40), "hole")) == 1, "five diameters are within"
    assert [h.depth for h in of(fork(41), "hole")] == [EXACT(8), EXACT(8)]


def test_broken_edges_inside_a_fork_do_not_part_its_hole() -> None:
    fork = Box(30, 28, 30) - Pos(5, 0, 0) * Box(30, 12, 30)
    fork -= Pos(8, 0, 0) * Rot(90, 0, 0) * Cylinder(4, 28)
    mouths = (
        fork.edges()
        .filter_by(GeomType.CIRCLE)
        .filter_by(lambda e: abs(abs(e.center().Y) - 6) < 1e-6)
    )
    hole = only(chamfer(mouths, 0.5), "hole")
    assert hole.depth == EXACT(28) and hole.findings == ["interrupted for 12 mm"]


def test_holes_of_one_axis_with_a_wall_between_stay_two() -> None:
    part = plate(Pos(0, 0, 6) * Cylinder(4, 8), Pos(0, 0, -6) * Cylinder(4, 8))
    assert [h.through for h in of(part, "hole")] == [False, False]


def test_coaxial_holes_of_unlike_diameter_in_a_fork_stay_two() -> None:
    fork = Box(30, 30, 30) - Pos(5, 0, 0) * Box(30, 12, 30)
    fork -= Pos(8, -10, 0) * Rot(90, 0, 0) * Cylinder(4, 20)
    fork -= Pos(8, 10, 0) * Rot(90, 0, 0) * Cylinder(3, 20)
    assert sorted(h.diameter for h in of(fork, "hole")) == [EXACT(6), EXACT(8)]


def test_hole_broken_into_by_a_slot() -> None:
    part = plate(Cylinder(6, 20), Pos(15, 0, 0) * Box(30, 5, 20))
    hole = only(part, "hole")
    covered = 360 - 2 * math.degrees(math.asin(2.5 / 6))
    assert hole.through and hole.diameter == EXACT(12)
    assert hole.findings == [f"the wall covers {covered:.4g} of 360°"]


def test_hole_cut_in_two_by_a_slot_right_through() -> None:
    part = plate(Cylinder(6, 20), Box(60, 5, 20))
    assert len(of(part.solids()[0], "hole")) == 0, "half a turn is no hole"
    deep = plate(Cylinder(6, 20), Pos(0, 0, 5) * Box(60, 5, 10))
    hole = only(deep, "hole")
    assert hole.diameter == EXACT(12) and hole.through and hole.depth == EXACT(20)


@pytest.mark.parametrize(("reach", "is_hole"), [(0.0, False), (1.0, True), (-1.0, False)])
def test_bore_at_an_edge_is_a_hole_from_half_a_turn_on(reach: float, is_hole: bool) -> None:
    part = plate(Pos(30 - reach, 0, 0) * Cylinder(6, 20))
    assert len(of(part, "hole")) == int(is_hole)
    assert ("partial-bore" in codes(part)[1]) is not is_hole


def test_stepped_bore_of_a_turned_part() -> None:
    part = turned((5, 0), (20, 0), (20, 50), (10, 50), (10, 20), (5, 20))
    hole = only(part, "hole")
    assert hole.counterbore.model_dump() == EXACT({"diameter": 20, "depth": 30})
    assert hole.depth == EXACT(50) and kinds(part) == {"hole": 1}


def test_bore_with_an_inner_groove_is_one_hole_and_a_groove() -> None:
    part = turned((6, 0), (20, 0), (20, 40), (6, 40), (6, 25), (7.5, 25), (7.5, 22), (6, 22))
    assert kinds(part) == {"hole": 1, "groove": 1}
    hole = only(part, "hole")
    assert hole.steps == [EXACT((12, 40))] and hole.counterbore is None


def test_chamber_between_two_bores_parts_them() -> None:
    part = turned((4, 0), (30, 0), (30, 80), (4, 80), (4, 70), (20, 70), (20, 10), (4, 10))
    assert [h.depth for h in of(part, "hole")] == [EXACT(10), EXACT(10)]
    assert "chamber" in codes(part)[1]


def test_closed_cavity_is_no_hole() -> None:
    part = plate(Cylinder(5, 8))
    assert kinds(part) == {} and codes(part)[1] == ["closed-cavity"]


def test_tapered_bore_and_dimple_are_refused() -> None:
    assert codes(plate(Cone(5, 8, 20)))[0] == ["tapered-bore"]
    assert codes(plate(Pos(0, 0, 12) * Sphere(5)))[0] == ["dome"]


@pytest.mark.parametrize(
    "tool",
    [
        Box(10, 6, 20),
        extrude(SlotOverall(20, 8), 20, both=True),
        Pos(30, 0, 0) * Box(20, 8, 20) + Pos(20, 0, 0) * Cylinder(4, 20),
        fillet(Box(16, 12, 20).edges().filter_by(Axis.Z), 5.9),
        Cylinder(8, 20) - Pos(10, 0, 0) * Box(8, 20, 20),
    ],
    ids=["window", "slotted hole", "round-ended notch", "nearly round window", "D-shape"],
)
def test_what_is_not_round_is_no_hole(tool: Any) -> None:
    assert of(plate(tool), "hole") == []


def test_solids_of_revolution_have_no_holes() -> None:
    for part in (Sphere(5), Cylinder(5, 10), Cone(5, 2, 10)):
        assert kinds(part) == {}
