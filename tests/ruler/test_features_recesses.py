"""Pockets, slots, keyways and breakthroughs, nested, interrupted, and look-alikes."""

from __future__ import annotations

import math
from typing import Any

import pytest
from build123d import (
    Axis,
    Box,
    Cylinder,
    Plane,
    Polyline,
    Pos,
    RegularPolygon,
    Rot,
    SlotOverall,
    chamfer,
    extrude,
    fillet,
    make_face,
)
from feature_shapes import codes, kinds, of, only, prism, sheet_of

EXACT = pytest.approx


def block(*tools: Any) -> Any:
    part = Box(60, 40, 20)
    for tool in tools:
        part -= tool
    return part


def upright(box: Any, radius: float) -> Any:
    return fillet(box.edges().filter_by(Axis.Z), radius)


def size(recess: Any) -> tuple[float, float, float]:
    return recess.length, recess.width, recess.depth


# Pockets


@pytest.mark.parametrize("radius", [0.0, 4.0])
def test_pocket(radius: float) -> None:
    tool = Box(30, 20, 16)
    pocket = only(block(Pos(3, 2, 10) * (upright(tool, radius) if radius else tool)), "pocket")
    assert size(pocket) == EXACT((30, 20, 8))
    assert pocket.position == EXACT((3, 2, 10)) and pocket.axis == EXACT((0, 0, -1))
    assert abs(pocket.direction[0]) == EXACT(1) and pocket.ends is None
    assert pocket.corner_radius == (EXACT(radius) if radius else None)


def test_corner_radii_belong_to_the_pocket_and_floor_radii_are_fillets() -> None:
    part = block(Pos(3, 2, 10) * upright(Box(30, 20, 16), 4))
    floor = part.faces().filter_by(Axis.Z).sort_by(lambda f: f.center().Z)[1]
    part = fillet(floor.edges(), 1.5)
    pocket = only(part, "pocket")
    assert size(pocket) == EXACT((30, 20, 8)) and pocket.corner_radius == EXACT(4)
    found = of(part, "fillet")
    assert len(found) == 8 and {f.side for f in found} == {"concave"}
    assert [f.radius for f in found] == [EXACT(1.5)] * 8


def test_pocket_with_ball_corners() -> None:
    part = block(Pos(3, 2, 12) * fillet(Box(30, 20, 16).edges(), 3))
    pocket = only(part, "pocket")
    assert size(pocket) == EXACT((30, 20, 6)) and pocket.corner_radius == EXACT(3)
    forms = [f.form for f in of(part, "fillet")]
    assert (forms.count("straight"), forms.count("corner")) == (4, 4)


def test_pocket_with_bevelled_rim_is_as_deep_as_its_face() -> None:
    part = block(Pos(0, 0, 10) * Box(30, 20, 16))
    top = part.faces().sort_by(lambda f: f.center().Z)[-1]
    part = chamfer(top.inner_wires()[0].edges(), 1)
    assert size(only(part, "pocket")) == EXACT((30, 20, 8))
    assert len(of(part, "chamfer")) == 4


def test_nested_pockets() -> None:
    part = block(Pos(0, 0, 10) * Box(40, 30, 8), Pos(0, 0, 10) * Box(20, 10, 20))
    inner, outer = of(part, "pocket")
    assert size(inner) == EXACT((20, 10, 6)) and inner.position == EXACT((0, 0, 6))
    assert size(outer) == EXACT((40, 30, 4)) and outer.position == EXACT((0, 0, 10))


def test_pocket_with_island_and_hole_in_its_floor() -> None:
    island = Pos(8, 0, 0) * Box(8, 8, 40)
    part = block(Pos(0, 0, 10) * Box(40, 30, 16) - island, Pos(-8, 0, 0) * Cylinder(3, 20))
    assert kinds(part) == {"pocket": 1, "boss": 1, "hole": 1}
    assert only(part, "pocket").findings == ["an island stands on the floor"]
    assert only(part, "hole").depth == EXACT(12)


def test_six_sided_socket() -> None:
    socket = only(block(Pos(0, 0, 4) * extrude(RegularPolygon(6, 6), 6)), "pocket")
    assert size(socket) == EXACT((12, 12 * math.cos(math.pi / 6), 6))
    assert socket.direction is None, "three boxes are as small"


def test_pocket_turned_in_its_face() -> None:
    pocket = only(block(Pos(0, 0, 10) * Rot(0, 0, 33) * Box(25, 10, 10)), "pocket")
    angle = math.degrees(math.atan2(pocket.direction[1], pocket.direction[0])) % 180
    assert angle == EXACT(33) and size(pocket) == EXACT((25, 10, 5))


def test_compartments_between_ribs() -> None:
    tray = Box(80, 40, 20) - Pos(0, 0, 3) * Box(74, 34, 20) + Box(3, 34, 20)
    assert [size(p) for p in of(tray, "pocket")] == [EXACT((35.5, 34, 17))] * 2


# Slots


@pytest.mark.parametrize("through", [False, True])
def test_slot_with_round_ends(through: bool) -> None:
    tool = Rot(0, 0, 30) * extrude(SlotOverall(30, 8), 20 if through else 6, both=through)
    slot = only(block(tool if through else Pos(0, 0, 4) * tool), "slot")
    assert size(slot) == EXACT((30, 8, 20 if through else 6))
    assert (slot.ends, slot.through) == ("round", through)


def test_slot_from_side_to_side() -> None:
    slot = only(block(Pos(0, 5, 10) * Box(80, 8, 12)), "slot")
    assert size(slot) == EXACT((60, 8, 6)) and slot.ends == "open"
    assert slot.position == EXACT((0, 5, 10)) and slot.findings == []


def test_slot_closed_at_one_end() -> None:
    square = only(block(Pos(30, 0, 10) * Box(50, 8, 12)), "slot")
    assert size(square) == EXACT((25, 8, 6)) and square.ends == "mixed"
    round_end = Pos(30, 0, 10) * Box(50, 8, 12) + Pos(5, 0, 10) * Cylinder(4, 12)
    assert size(only(block(round_end), "slot")) == EXACT((29, 8, 6))


def test_round_ended_notch_goes_through() -> None:
    notch = only(block(Pos(30, 0, 0) * Box(40, 8, 20), Pos(10, 0, 0) * Cylinder(4, 20)), "slot")
    assert size(notch) == EXACT((24, 8, 20)) and notch.through and notch.ends == "mixed"
    assert notch.position[:2] == EXACT((18, 0))


def test_fork_gap_is_a_slot() -> None:
    slot = only(Box(30, 30, 30) - Pos(5, 0, 0) * Box(30, 12, 30), "slot")
    assert slot.width == EXACT(12) and slot.depth == EXACT(25)
    assert slot.axis == EXACT((-1, 0, 0))


def test_crossing_slots_of_one_depth_and_of_two() -> None:
    one, other = Pos(0, 0, 10) * Box(80, 8, 12), Pos(0, 0, 10) * Box(6, 80, 12)
    assert sorted(size(s) for s in of(block(one, other), "slot")) == [
        EXACT((40, 6, 6)),
        EXACT((60, 8, 6)),
    ]
    deeper = Pos(0, 0, 10) * Box(6, 80, 18)
    long, short = sorted(of(block(one, deeper), "slot"), key=lambda s: s.depth)
    assert size(long) == EXACT((60, 8, 6)) and long.findings == ["interrupted for 6 mm"]
    assert size(short) == EXACT((40, 6, 9))


def test_t_slot_and_dovetail() -> None:
    tee = only(block(Pos(0, 0, 5) * Box(80, 8, 14), Box(80, 16, 6)), "slot")
    assert size(tee) == EXACT((60, 8, 13)) and tee.findings == ["T-slot: its foot is 16 mm wide"]
    tail = prism(Plane.YZ.offset(-30), 60, (-6, 10), (6, 10), (9, 4), (-9, 4))
    slot = only(block(tail), "slot")
    assert size(slot) == EXACT((60, 12, 6))
    assert slot.findings == ["dovetail: 63.43° to the floor, 18 mm wide there"]


def test_v_slot() -> None:
    slot = only(block(Pos(0, 0, 10) * Rot(45, 0, 0) * Box(80, 10, 10)), "slot")
    assert size(slot) == EXACT((60, 10 * math.sqrt(2), 5 * math.sqrt(2)))


def test_slot_that_runs_into_a_hole() -> None:
    part = block(Pos(0, 0, 7) * Cylinder(8, 6), Pos(15, 0, 7) * Box(30, 6, 6))
    slot = only(part, "slot")
    assert slot.length == EXACT(30 - math.sqrt(55)) and slot.ends == "open"
    assert only(part, "hole").bottom == "flat"


def test_pocket_with_a_channel_and_with_a_hole_in_its_wall() -> None:
    open_one = block(Pos(0, 0, 7) * Box(30, 20, 6), Pos(25, 0, 7) * Box(30, 6, 6))
    pocket, channel = only(open_one, "pocket"), only(open_one, "slot")
    assert size(pocket) == EXACT((30, 20, 6)) and pocket.findings == ["open at a side"]
    assert size(channel) == EXACT((15, 6, 6)) and channel.ends == "open"
    pierced = block(Pos(0, 0, 7) * Box(30, 20, 6), Pos(15, 0, 0) * Cylinder(4, 20))
    assert kinds(pierced) == {"pocket": 1, "hole": 1}
    assert size(only(pierced, "pocket")) == EXACT((30, 20, 6))


def test_star_of_slots_is_refused() -> None:
    star = [Pos(0, 0, 10) * Rot(0, 0, angle) * Box(80, 6, 8) for angle in (0, 60, 120)]
    part = block(*star)
    assert codes(part)[0] == ["open-recess"] and kinds(part) == {}


def test_notch_in_an_edge_lies_on_its_largest_face() -> None:
    """Open at the top and at a side: read alike, whichever of the two is called the top."""
    flat = only(block(Pos(30, 0, 10) * Box(40, 12, 10)), "slot")
    tall = only(block(Pos(30, 0, 10) * Box(10, 12, 40)), "slot")
    assert flat.axis == EXACT((0, 0, -1)) and size(flat) == EXACT((20, 12, 5))
    assert tall.axis == EXACT((-1, 0, 0)) and tall.depth == EXACT(5)


# Keyways


def shaft(*tools: Any) -> Any:
    part = Rot(0, 90, 0) * Cylinder(15, 80)
    for tool in tools:
        part -= tool
    return part


@pytest.mark.parametrize(
    ("tool", "ends", "length"),
    [
        (Pos(0, 0, 10) * extrude(SlotOverall(30, 8), 10), "round", 30),
        (Pos(0, 0, 15) * Box(30, 8, 10), "square", 30),
        (Pos(40, 0, 15) * Box(60, 8, 10), "mixed", 30),
        (Pos(0, 0, 15) * Box(90, 8, 10), "open", 80),
    ],
)
def test_keyway_in_a_shaft(tool: Any, ends: str, length: float) -> None:
    key = only(shaft(tool), "keyway")
    assert size(key) == EXACT((length, 8, 5)) and key.ends == ends
    assert abs(key.direction[0]) == EXACT(1) and key.axis == EXACT((0, 0, -1))
    assert key.position[2] == EXACT(15), "measured from the crest"


def test_keyway_with_rounded_floor() -> None:
    part = shaft(Pos(0, 0, 15) * Box(30, 8, 10))
    floor = [f for f in part.faces() if abs(f.center().Z - 10) < 1e-6 and f.area < 300]
    part = fillet(floor[0].edges().filter_by(Axis.X), 0.5)
    assert size(only(part, "keyway")) == EXACT((30, 8, 5))
    assert len(of(part, "fillet")) == 2


def test_keyway_in_a_hub() -> None:
    hub = Cylinder(30, 20) - Cylinder(12, 20) - Pos(12, 0, 0) * Box(7, 6, 20)
    assert kinds(hub) == {"hole": 1, "keyway": 1}
    key = only(hub, "keyway")
    assert size(key) == EXACT((20, 6, 3.5)) and key.axis == EXACT((1, 0, 0))


def test_woodruff_keyseat() -> None:
    key = only(shaft(Pos(0, 0, 16) * Rot(90, 0, 0) * Cylinder(8, 5)), "keyway")
    assert size(key) == EXACT((2 * math.sqrt(63), 5, 7))


def test_slot_across_a_shaft_is_no_keyway() -> None:
    assert kinds(shaft(Pos(0, 0, 15) * Box(8, 60, 10))) == {"slot": 1}


# Breakthroughs


def test_window_with_corner_radii() -> None:
    window = only(block(Pos(3, 2, 0) * upright(Box(30, 12, 20), 4)), "breakthrough")
    assert size(window) == EXACT((30, 12, 20)) and window.through
    assert window.corner_radius == EXACT(4)


def test_other_breakthroughs() -> None:
    hexagon = only(block(extrude(RegularPolygon(6, 6), 20, both=True)), "breakthrough")
    assert size(hexagon) == EXACT((12, 12 * math.cos(math.pi / 6), 20))
    d_shape = only(block(Cylinder(8, 20) - Pos(10, 0, 0) * Box(8, 20, 20)), "breakthrough")
    assert size(d_shape) == EXACT((16, 14, 20))
    tube = only(Box(40, 30, 100) - Box(34, 24, 100), "breakthrough")
    assert size(tube) == EXACT((34, 24, 100))


def test_window_in_a_pipe() -> None:
    pipe = Cylinder(20, 80) - Cylinder(16, 80) - Pos(18, 0, 0) * Box(20, 10, 30)
    window = only(pipe, "breakthrough")
    assert size(window) == EXACT((30, 10, 4)) and window.position == EXACT((20, 0, 0))


def test_window_in_a_pocket_floor() -> None:
    part = block(Pos(0, 0, 10) * Box(40, 30, 10), Box(20, 10, 20))
    assert kinds(part) == {"pocket": 1, "breakthrough": 1}
    assert only(part, "breakthrough").depth == EXACT(15)


# Look-alikes

L_BRACKET = prism(Plane.XZ, 30, (0, 0), (50, 0), (50, 8), (8, 8), (8, 40), (0, 40))


@pytest.mark.parametrize(
    "part",
    [
        block(Pos(0, 20, 10) * Box(80, 16, 12)),
        block(Pos(30, 20, 10) * Box(30, 16, 12)),
        L_BRACKET,
        shaft(Pos(0, 0, 20) * Box(90, 40, 20)),
        shaft(Pos(40, 0, 20) * Box(40, 40, 20)),
    ],
    ids=["step", "corner step", "bracket", "flat on a shaft", "short flat"],
)
def test_steps_and_flats_are_no_recesses(part: Any) -> None:
    assert not {"slot", "pocket", "keyway", "breakthrough"} & set(kinds(part))


def test_closed_box_is_told_as_a_cavity() -> None:
    part = block(Box(20, 10, 10))
    assert kinds(part) == {} and set(codes(part)[1]) == {"closed-cavity"}


def test_recess_with_a_hollow_floor_is_refused() -> None:
    trough = Pos(0, 0, 10) * Rot(90, 0, 0) * Cylinder(6, 20)
    assert codes(block(trough))[0] == ["odd-recess"]


def test_every_refusal_names_faces() -> None:
    trough = Pos(0, 0, 10) * Rot(90, 0, 0) * Cylinder(6, 20)
    (finding,) = sheet_of(block(trough)).refused
    assert finding.where is not None and finding.where.startswith("solid 0, faces ")


@pytest.mark.parametrize("side", [1, -1])
def test_the_slope_of_a_gusset_is_no_floor_of_a_slot(side: int) -> None:
    """An angle of two legs with a rib between them: its legs face each other over the rib's slope.

    The mirror image reads alike: leaning walls are compared at one level, wherever the kernel puts
    the origin of their planes.
    """
    foot, leg = Pos(side * 45, 0, 5) * Box(90, 60, 10), Pos(side * 5, 0, 37.5) * Box(10, 60, 75)
    slope = Polyline((side * 10, 10), (side * 55, 10), (side * 10, 55), close=True)
    rib = extrude(Plane.XZ * make_face(slope), 4, both=True)
    assert kinds(foot + leg + rib) == {}


@pytest.mark.parametrize("turned", [Rot(0, 0, 0), Rot(0, 0, 180), Rot(20, 30, 40)])
def test_a_slot_with_sloping_walls_stays_one(turned: Any) -> None:
    outline = Polyline((-5, 4), (5, 4), (11, 10), (-11, 10), close=True)
    tool = extrude(Plane.XZ * make_face(outline), 30, both=True)
    slot = only(turned * (Box(60, 40, 20) - tool), "slot")
    assert size(slot) == EXACT((40, 22, 6))
