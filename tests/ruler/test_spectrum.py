"""Spectra of parts whose every dimension follows from a formula."""

from __future__ import annotations

import math

import overlap_shapes
import pytest
import ruler_shapes as shapes
import spectrum_shapes as made
from spectrum_shapes import table, take

LENGTHS = ("edge-length", "plane-distance")
ROUND = ("diameter", "radius", "torus-radius", "cone-angle")


def test_box() -> None:
    assert table(shapes.box(10, 20, 30)) == {
        **{("edge-length", size): (4, 0) for size in (10, 20, 30)},
        **{("plane-distance", size): (1, 1) for size in (10, 20, 30)},
        ("plane-angle", 90): (6, 6),
    }


def test_cube_has_twelve_edges_of_one_length_and_three_distances() -> None:
    assert table(shapes.box(10, 10, 10), *LENGTHS) == {
        ("edge-length", 10): (12, 0),
        ("plane-distance", 10): (3, 3),
    }


def test_plate_with_four_holes() -> None:
    found = table(made.drilled_plate(80, 50, 10, 3.3))
    assert found["diameter", 6.6] == (4, 4)
    assert {key for key in found if key[0] == "plane-distance"} == {
        ("plane-distance", size) for size in (80, 50, 10)
    }
    diagonal = round(math.hypot(56, 32), 6)
    assert {key: found[key] for key in found if key[0] == "axis-distance"} == {
        ("axis-distance", size): (2, 2) for size in (32, 56, diagonal)
    }


def test_cylinder() -> None:
    """Its length is the distance of its ends; the round face only repeats it."""
    assert table(shapes.cylinder(5, 20)) == {
        ("axial-length", 20): (1, 0),
        ("plane-distance", 20): (1, 1),
        ("diameter", 10): (1, 1),
    }


def test_tube_has_two_diameters_and_no_axis_distance() -> None:
    assert table(overlap_shapes.tube()) == {
        ("axial-length", 40): (2, 0),
        ("plane-distance", 40): (1, 1),
        ("diameter", 20): (1, 1),
        ("diameter", 16): (1, 1),
    }


def test_frustum() -> None:
    """The half-angle is atan((R − r) / h); both end circles are sharp, so they have diameters."""
    half = round(made.degrees(20 - 10, 15), 6)
    assert table(made.frustum(20, 10, 15)) == {
        ("axial-length", 15): (1, 0),
        ("plane-distance", 15): (1, 1),
        ("diameter", 40): (1, 1),
        ("diameter", 20): (1, 1),
        ("cone-angle", half): (1, 1),
    }


def test_countersink_has_a_diameter_and_a_chamfered_hole_no_second_one() -> None:
    hole = shapes.cylinder(3, 40, (20, 20, -10))
    sink = shapes.moved(made.frustum(3, 6, 3), (0, 0, 1), 0.0, 0.0)
    plate = shapes.cut(shapes.box(40, 40, 10), hole, overlap_shapes.shifted(sink, 20, 20, 7))
    found = table(plate, *ROUND)
    assert found == {("diameter", 6): (1, 1), ("diameter", 12): (1, 1), ("cone-angle", 45): (1, 1)}


def test_torus() -> None:
    """Tube and centre line as radii, the outermost and innermost circle as diameters."""
    assert table(made.torus(20, 5)) == {
        ("torus-radius", 5): (1, 1),
        ("torus-radius", 20): (1, 1),
        ("diameter", 2 * (20 + 5)): (1, 1),
        ("diameter", 2 * (20 - 5)): (1, 1),
    }


def test_hexagonal_prism() -> None:
    """Three pairs of sides r√3 apart; their directions meet at 60°, each with two sides."""
    found = table(overlap_shapes.prism(6, 10, 5))
    assert found == {
        ("edge-length", 5): (6, 0),
        ("edge-length", 10): (12, 3),
        ("plane-distance", 5): (1, 1),
        ("plane-distance", round(10 * math.sqrt(3), 6)): (3, 3),
        ("plane-angle", 60): (6, 6),
        ("plane-angle", 90): (6, 6),
    }


def test_angle_bracket() -> None:
    """An L of legs 60 and 40, 8 thick, 30 wide: three planes each along x and y, two along z."""
    sharp = made.extruded([(0, 0), (60, 0), (60, 8), (8, 8), (8, 40), (0, 40)], 30)
    assert table(sharp, "plane-distance") == {
        ("plane-distance", size): (count, count)
        for size, count in {60: 1, 40: 1, 8: 2, 52: 1, 32: 1, 30: 1}.items()
    }
    assert table(sharp, "plane-angle") == {("plane-angle", 90): (3 + 2 + 2, 3 + 2 + 2)}


def test_wedge() -> None:
    """A right triangle of legs 40 and 30: atan(3/4) and its complement, the hypotenuse an edge."""
    found = table(made.extruded([(0, 0), (40, 0), (0, 30)], 12))
    small = round(made.degrees(30, 40), 6)
    assert found["plane-angle", small] == (1, 1)
    assert found["plane-angle", round(90 - small, 6)] == (1, 1)
    assert found["edge-length", 50] == (2, 1)


def test_chamfers_on_different_sides_make_no_angle_unless_they_meet() -> None:
    """(0, −1, 1) and (1, 0, ±1) stand at 60°, which is seen only along the edge where they meet."""
    block = shapes.box(40, 30, 20)
    apart = made.chamfered(block, 3, (20, 0, 20), (40, 15, 0))
    assert table(apart, "plane-angle") == {("plane-angle", 45): (4, 4), ("plane-angle", 90): (8, 8)}
    meeting = made.chamfered(block, 3, (20, 0, 20), (40, 15, 20))
    assert table(meeting, "plane-angle")["plane-angle", 60] == (1, 1)


def test_stepped_shaft() -> None:
    """Seats apart by a collar are two diameters; a groove leaves one."""
    found = table(made.shaft(), *ROUND)
    assert found == {("diameter", 25): (2, 2), ("diameter", 40): (1, 1), ("diameter", 22): (1, 1)}
    ends = (0, 30, 40, 60, 62, 80)
    apart = {b - a for a in ends for b in ends if b > a}
    assert {value for _, value in table(made.shaft(), "plane-distance")} == apart


def test_a_recess_between_seats_leaves_one_diameter() -> None:
    assert table(made.shaft(groove=False, collar=8.0), "diameter")["diameter", 25] == (1, 1)


def test_bore_of_a_fork_is_one() -> None:
    fork = shapes.cut(
        shapes.box(40, 20, 30),
        shapes.box(20, 20, 25, (10, 0, 5)),
        made.bar(5, 60, (-10, 10, 20)),
    )
    assert table(fork, "diameter") == {("diameter", 10): (1, 1)}


def test_planes_that_face_opposite_ways_are_two() -> None:
    """A Z: at height 0 lie the underside of its left arm and the top of its right one."""
    profile = [(0, 0), (20, 0), (20, -9), (50, -9), (50, 0), (30, 0), (30, 9), (0, 9)]
    found = table(made.extruded(profile, 7), "plane-distance")
    assert found["plane-distance", 9] == (4, 4)
    assert found["plane-distance", 18] == (1, 1)


def test_circles_where_fillets_run_out_are_no_diameters() -> None:
    """A pin ⌀20 with both edges rounded R2: its flat ends are ⌀16, where nothing can be felt."""
    assert table(made.rounded_pin(10, 20, 2), *ROUND) == {
        ("diameter", 20): (1, 1),
        ("torus-radius", 2): (2, 2),
    }


def test_counterbores_count_each() -> None:
    found = table(made.counterbored())
    assert found["diameter", 6.6] == (4, 4)
    assert found["diameter", 11] == (4, 4)
    assert found["plane-distance", 4] == (4, 4)
    assert found["plane-distance", 6] == (1, 1)
    assert found["plane-distance", 10] == (1, 1)


def test_two_keyways_in_line_are_two_places() -> None:
    key = [shapes.box(20, 8, 10, (x, -4, 12)) for x in (10, 70)]
    found = table(shapes.cut(made.bar(20, 100, (0, 0, 0)), *key))
    assert found["plane-distance", 8] == (2, 2)
    assert found["plane-distance", 20] == (2, 2)
    assert found["diameter", 40] == (1, 1)


def test_drilled_holes_are_as_deep_as_their_round_part() -> None:
    """Four ⌀8, 20 deep, with tips of 118°: no floor is parallel to the top."""
    tip = 4 / math.tan(math.radians(59))
    tool = made.turned([(0, -tip), (4, 0), (4, 30), (0, 30)])
    places = [(12, 12), (48, 12), (12, 28), (48, 28)]
    tools = [overlap_shapes.shifted(tool, x, y, 15) for x, y in places]
    found = table(shapes.cut(shapes.box(60, 40, 35), *tools))
    assert found["axial-length", 20] == (4, 4)
    assert found["diameter", 8] == (4, 4)
    assert found["cone-angle", 59] == (4, 4)


def test_chamfers_of_a_pin_have_their_height() -> None:
    """⌀20 × 30 with 1 × 45° at both ends."""
    pin = made.turned([(0, 0), (9, 0), (10, 1), (10, 29), (9, 30), (0, 30)])
    assert table(pin, "axial-length", "plane-distance", *ROUND) == {
        ("plane-distance", 30): (1, 1),
        ("axial-length", 1): (2, 2),
        ("axial-length", 28): (1, 1),
        ("diameter", 18): (2, 2),
        ("diameter", 20): (1, 1),
        ("cone-angle", 45): (2, 2),
    }


def test_a_pin_cut_aslant_has_no_axial_length() -> None:
    wedge = shapes.moved(shapes.box(60, 60, 60, (-30, -30, 0)), (0, 1, 0), 0.3, 0.0)
    pin = shapes.cut(shapes.cylinder(5, 40), overlap_shapes.shifted(wedge, z=25))
    assert table(pin, "diameter") == {("diameter", 10): (1, 1)}
    assert not table(pin, "axial-length")


def test_slot() -> None:
    """The straight side gives the distance of the ends' centres once; the ends are half round."""
    spectrum = take(made.slotted(apart=30, width=8))
    found = {(d.kind, round(d.value, 6)): d for d in spectrum.dimensions}
    straight = found["edge-length", 30]
    assert (straight.count, straight.serves) == (4, 1)
    ends = found["diameter", 8]
    assert ends.count == 2
    assert [item.turn for item in ends.instances] == [pytest.approx(180)] * 2


def test_rounded_box() -> None:
    """Twelve edges and eight corners, all external; flat parts 2r shorter."""
    spectrum = take(made.rounded(shapes.box(30, 20, 10), 2))
    (radius,) = [d for d in spectrum.dimensions if d.kind == "radius"]
    assert (round(radius.value, 6), radius.count) == (2, 20)
    assert all(item.external for item in radius.instances)
    found = table(made.rounded(shapes.box(30, 20, 10), 2), *LENGTHS)
    assert found == {
        **{("plane-distance", size): (1, 1) for size in (10, 20, 30)},
        **{("edge-length", size - 4): (8, 1) for size in (10, 20, 30)},
    }


def test_dome_is_a_half_turn() -> None:
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere

    ball = BRepPrimAPI_MakeSphere(10.0).Shape()
    dome = shapes.cut(ball, shapes.box(40, 40, 20, (-20, -20, -20)))
    (found,) = [d for d in take(dome).dimensions if d.kind == "diameter"]
    assert found.value == pytest.approx(20)
    assert found.instances[0].turn == pytest.approx(180)


def test_two_arcs_across_are_a_diameter_and_one_arc_is_a_radius() -> None:
    disc = shapes.cylinder(20, 5)
    both = shapes.cut(
        disc, shapes.box(60, 30, 9, (-30, 8, -1)), shapes.box(60, 30, 9, (-30, -38, -1))
    )
    assert table(both, "diameter", "radius") == {("diameter", 40): (1, 1)}
    one = shapes.cut(both, shapes.box(60, 60, 9, (0, -30, -1)))
    assert table(one, "diameter", "radius") == {("radius", 20): (1, 1)}


def test_two_solids_are_measured_apart() -> None:
    pair = shapes.compound(shapes.box(10, 10, 10), shapes.box(10, 10, 10, (35, 0, 0)))
    found = table(pair, *LENGTHS)
    assert found == {("edge-length", 10): (24, 0), ("plane-distance", 10): (6, 6)}
    (distance,) = [d for d in take(pair).dimensions if d.kind == "plane-distance"]
    assert sorted({item.solid for item in distance.instances}) == [0, 1]


def test_free_form_faces_are_told_and_measured_no_further() -> None:
    """The top of the hill; its sides are plane although they are written as swept splines."""
    hill, _ = shapes.hill()
    spectrum = take(hill)
    told = {finding.code: finding.message for finding in spectrum.findings}
    assert told["free-form"].endswith(": 1")
    assert told["recognised"].endswith(": 4")
    assert table(hill, "plane-distance") == {("plane-distance", 10): (2, 2)}
    assert not [d for d in spectrum.dimensions if d.kind in ROUND]


def test_nearly_parallel_planes_are_told() -> None:
    """A top tilted by 1e-4 rad (0.006°) has no distance from the bottom, and that is said."""
    tilted = made.extruded([(0, 0), (40, 0), (40, 20 + 40 * 1e-4), (0, 20)], 10)
    spectrum = take(tilted)
    assert "nearly-parallel" in [f.code for f in spectrum.findings]
    lengths = {round(d.value, 3) for d in spectrum.dimensions if d.kind == "plane-distance"}
    assert lengths == {40, 10}


def test_an_open_body_is_told() -> None:
    from OCP.BRep import BRep_Builder
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeSolid
    from OCP.TopAbs import TopAbs_FACE
    from OCP.TopoDS import TopoDS_Shell

    from gaugeblock.ruler.explore import explore

    builder, shell = BRep_Builder(), TopoDS_Shell()
    builder.MakeShell(shell)
    for face in explore(shapes.box(10, 20, 30), TopAbs_FACE)[:-1]:
        builder.Add(shell, face)
    spectrum = take(BRepBuilderAPI_MakeSolid(shell).Solid())
    assert [(f.code, f.message[-3:]) for f in spectrum.findings] == [("open-edges", ": 4")]


def test_faceted_bodies_are_refused() -> None:
    from gaugeblock.ruler.spectrum.quantities import MOST, TooMany, check_number

    check_number(MOST)
    with pytest.raises(TooMany, match="facets"):
        check_number(MOST + 1)
