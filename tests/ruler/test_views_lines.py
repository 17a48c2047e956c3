"""Hidden-line views against what they must be by formula."""

import math

import numpy as np
import pytest
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepAlgoAPI import BRepAlgoAPI_Fuse
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS
from ruler_shapes import box, cut, cylinder, mirrored, ring, scaled
from views_shapes import (
    CLOSE,
    frame,
    lines,
    projection,
    segments,
    sight,
    signature,
    turned,
    turned_camera,
)

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.views.cameras import CAMERAS

VIEWS = ("front", "right", "top", "iso", "left", "bottom", "rear")


def plate():
    """60 × 40 × 8: a through hole, a blind one from below, a slot at an angle, a step."""
    slot = turned(box(20, 6, 20, (5, 8, -2)), (0, 0, 1), 0.5)
    return cut(box(60, 40, 8), cylinder(4, 10, (12, 10, -1)), cylinder(3, 5, (45, 28, -1)), slot)


def test_a_box_is_its_rectangle():
    part = box(30, 20, 10, (5, 6, 7))
    for name, low, high in (
        ("front", (5, 7), (35, 17)),
        ("right", (6, 7), (26, 17)),
        ("top", (5, 6), (35, 26)),
        ("left", (-26, 7), (-6, 17)),
        ("bottom", (5, -26), (35, -6)),
        ("rear", (-35, 7), (-5, 17)),
    ):
        curves = lines(part, of=name)
        assert segments(curves, visible=True) == frame(low, high), name
        assert len(curves) == 4
        assert {c.kind for c in curves} == {"sharp"}


def test_a_box_in_isometric_has_nine_visible_and_three_hidden_edges():
    curves = lines(box(10, 20, 30), of="iso")
    assert [sum(c.visible == seen for c in curves) for seen in (True, False)] == [9, 3]
    lengths = {round(math.dist(c.shape.start, c.shape.end), 6) for c in curves}
    assert lengths == {round(side * math.sqrt(2 / 3), 6) for side in (10, 20, 30)}


def test_a_cylinder_from_above_is_one_true_circle():
    (circle,) = lines(cylinder(5, 12, (3, 4, 0)), of="top")
    assert circle.visible
    assert circle.shape.kind == "arc" and circle.shape.whole
    assert np.allclose(circle.shape.centre, (3, 4), atol=CLOSE)
    assert math.isclose(circle.shape.radius, 5, abs_tol=CLOSE)


def test_a_cylinder_from_the_front_is_a_rectangle_without_seams():
    curves = lines(cylinder(5, 12), of="front")
    assert segments(curves, visible=True) == frame((-5, 0), (5, 12))
    assert len(curves) == 4
    assert sorted(c.kind for c in curves) == ["outline", "outline", "sharp", "sharp"]


def test_a_circle_seen_at_an_angle_is_a_true_ellipse():
    curves = [c.shape for c in lines(cylinder(5, 12), of="iso") if c.shape.kind == "ellipse"]
    top = max(curves, key=lambda shape: shape.centre[1])
    assert top.whole
    assert math.isclose(math.hypot(*top.major), 5, abs_tol=CLOSE)
    # A plane at arcsin(1/√3) to the line of sight.
    assert math.isclose(top.ratio, 1 / math.sqrt(3), abs_tol=CLOSE)
    assert math.isclose(top.centre[1], 12 * math.sqrt(2 / 3), abs_tol=CLOSE)


@pytest.mark.parametrize("name", VIEWS)
def test_a_sphere_is_a_circle_from_everywhere(name):
    curves = [c for c in lines(BRepPrimAPI_MakeSphere(7.0).Shape(), of=name) if c.visible]
    assert {c.shape.kind for c in curves} == {"arc"}
    assert all(math.isclose(c.shape.radius, 7, abs_tol=CLOSE) for c in curves)
    assert math.isclose(sum(abs(c.shape.sweep) for c in curves), 2 * math.pi, abs_tol=CLOSE)


def test_a_torus_from_above_is_two_circles():
    curves = lines(BRepPrimAPI_MakeTorus(10.0, 3.0).Shape(), of="top")
    assert [c.visible and c.shape.kind == "arc" and c.shape.whole for c in curves] == [True] * 2
    assert np.allclose(sorted(c.shape.radius for c in curves), (7, 13), atol=1e-5)


def test_the_outline_of_a_torus_at_an_angle():
    # Parallel to the ellipse that its middle circle is seen as, at the tube's radius.
    view = projection(BRepPrimAPI_MakeTorus(10.0, 3.0).Shape(), of="iso")
    low, high = view.box()
    reach = (13.0, 10.0 / math.sqrt(3) + 3.0)
    assert np.allclose(high, reach, atol=1e-4) and np.allclose(low, np.negative(reach), atol=1e-4)


def test_a_frustum_has_slanted_outlines():
    curves = lines(BRepPrimAPI_MakeCone(6.0, 2.0, 8.0).Shape())
    assert segments(curves, visible=True) == {
        ((-6, 0), (6, 0)), ((-2, 8), (2, 8)), ((-6, 0), (-2, 8)), ((2, 8), (6, 0)),
    }  # fmt: skip


def test_the_lines_of_a_hole_are_hidden_and_in_place():
    part = cut(box(60, 40, 8), cylinder(4, 10, (12, 10, -1)), cylinder(3, 5, (45, 28, -1)))
    front = lines(part, of="front")
    assert segments(front, visible=True) == frame((0, 0), (60, 8))
    # The blind one ends at 4; its bottom edge lies under the plate's own.
    assert segments(front, visible=False) == {
        ((8, 0), (8, 8)), ((16, 0), (16, 8)), ((42, 0), (42, 4)), ((48, 0), (48, 4)),
        ((42, 4), (48, 4)),
    }  # fmt: skip
    rounds = {
        name: {(c.shape.radius, c.visible) for c in lines(part, of=name) if c.shape.kind == "arc"}
        for name in ("top", "bottom")
    }
    assert rounds["top"] == {(4.0, True), (3.0, False)}
    assert rounds["bottom"] == {(4.0, True), (3.0, True)}


def test_what_stands_behind_is_hidden_as_far_as_it_is_covered():
    near, far = box(10, 5, 10), box(20, 5, 4, (5, 20, 3))
    curves = lines(near, far)
    assert segments([c for c in curves if c.solid == 0], visible=True) == frame((0, 0), (10, 10))
    behind = [c for c in curves if c.solid == 1]
    assert segments(behind, visible=True) == {
        ((10, 3), (25, 3)), ((10, 7), (25, 7)), ((25, 3), (25, 7)),
    }  # fmt: skip
    assert segments(behind, visible=False) == {
        ((5, 3), (10, 3)), ((5, 7), (10, 7)), ((5, 3), (5, 7)),
    }  # fmt: skip


def test_a_fillet_is_an_arc_from_its_end_and_smooth_lines_from_its_side():
    part = box(30, 20, 10)
    fillet = BRepFilletAPI_MakeFillet(part)
    for item in explore(part, TopAbs_EDGE):
        curve = BRepAdaptor_Curve(TopoDS.Edge(item))
        start, end = (curve.Value(t) for t in (curve.FirstParameter(), curve.LastParameter()))
        if start.Z() == end.Z() == 10.0 and start.Y() == end.Y() == 0.0:
            fillet.Add(3.0, TopoDS.Edge(item))
    part = fillet.Shape()
    (arc,) = [c for c in lines(part, of="right") if c.visible and c.shape.kind == "arc"]
    assert math.isclose(arc.shape.radius, 3) and np.allclose(arc.shape.centre, (3, 7))
    assert math.isclose(abs(arc.shape.sweep), math.pi / 2)
    front = lines(part, of="front")
    assert segments(front, visible=True) == {
        ((0, 0), (30, 0)), ((0, 10), (30, 10)), ((0, 7), (30, 7)),
        ((0, 0), (0, 7)), ((0, 7), (0, 10)), ((30, 0), (30, 7)), ((30, 7), (30, 10)),
    }  # fmt: skip
    (smooth,) = [c for c in front if c.kind == "smooth"]
    assert segments([smooth], visible=True) == {((0, 7), (30, 7))}


def test_splits_of_one_surface_are_not_drawn():
    flat = BRepAlgoAPI_Fuse(box(10, 10, 10), box(10, 10, 10, (10, 0, 0))).Shape()
    flats = segments(lines(flat), visible=True)
    assert ((10, 0), (10, 10)) not in flats, "two coplanar faces"
    assert {((0, 0), (0, 10)), ((20, 0), (20, 10))} <= flats and len(flats) == 6
    halves = [
        BRepPrimAPI_MakeCylinder(
            gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1), gp_Dir(*x)), 5, 12, math.pi
        ).Shape()
        for x in ((1, 1, 0), (-1, -1, 0))
    ]
    whole = BRepAlgoAPI_Fuse(*halves).Shape()
    upright = {(a, b) for a, b in segments(lines(whole), visible=True) if a[0] == b[0]}
    assert upright == {((-5, 0), (-5, 12)), ((5, 0), (5, 12))}, "two half cylinders"


def test_an_edge_on_circle_is_a_line_as_long_as_it_reaches():
    quarter = BRepPrimAPI_MakeCylinder(5.0, 2.0, math.pi / 2).Shape()
    assert segments(lines(quarter), visible=True) == frame((0, 0), (5, 2))
    assert segments(lines(quarter, of="rear"), visible=True) == frame((-5, 0), (0, 2))


def test_spline_outlines_stay_within_the_tolerance():
    # A ring whose section is a spline: from above, two circles through its extreme radii.
    part, _ = ring()
    view = projection(part, of="top")
    radii = [c.shape.radius for c in view.drawn() if c.shape.kind == "arc" and c.visible]
    section = projection(part, of="front").box()
    assert len(radii) == 2
    assert math.isclose(max(radii), section[1][0], abs_tol=10 * view.tolerance)


def test_every_line_knows_its_edge():
    part = plate()
    edges = ShapeMap()
    TopExp.MapShapes_s(part, TopAbs_EDGE, edges)
    basis = CAMERAS["iso"].basis()[:2]
    known = [c for c in sight(part, of="iso").curves if c.kind != "outline"]
    assert len({c.edge for c in known}) == edges.Size() - 2, "all but the seams of two holes"
    for curve in known:
        own = BRepAdaptor_Curve(TopoDS.Edge(edges.FindKey(curve.edge + 1)))
        steps = np.linspace(own.FirstParameter(), own.LastParameter(), 2001).tolist()
        track = np.array([own.Value(t).Coord() for t in steps]) @ basis.T
        for point in curve.shape.at(np.array([0.1, 0.5, 0.9])):
            assert np.linalg.norm(track - point, axis=1).min() < 0.05


def test_every_outline_inside_a_face_knows_its_face():
    outlines = [c for c in sight(cylinder(5, 12)).curves if c.edge is None]
    assert {c.kind for c in outlines} == {"outline"}
    assert {c.face for c in outlines} == {0}, "the barrel is the cylinder's first face"


@pytest.mark.parametrize("name", ["front", "top", "iso"])
@pytest.mark.parametrize(("axis", "angle"), [((1, 2, 3), 0.7), ((0, 0, 1), 2.0), ((1, -1, 0), 1.3)])
def test_a_turned_part_looks_the_same_to_the_turned_camera(name, axis, angle):
    part = plate()
    own = signature(lines(part, of=name))
    other = signature(lines(turned(part, axis, angle), of=turned_camera(name, axis, angle)))
    assert [row[:3] for row in own] == [row[:3] for row in other]
    assert np.allclose([row[3:] for row in own], [row[3:] for row in other], atol=2e-4), (
        "rounded to 1e-4"
    )


def test_a_scaled_part_has_a_scaled_view():
    own, large = (signature(lines(part, of="iso")) for part in (plate(), scaled(plate(), 100.0)))
    assert [row[:3] for row in own] == [row[:3] for row in large]
    shrunk = np.array([row[3:] for row in large]) / 100
    assert np.allclose([row[3:] for row in own], shrunk, atol=2e-4), "rounded to 1e-4"


def test_a_mirrored_part_has_the_mirrored_view():
    own = lines(plate(), of="front")
    other = lines(mirrored(plate()), of="front")
    flipped = {
        tuple(sorted(((-x + 0.0, y) for x, y in ends))) for ends in segments(own, visible=False)
    }
    assert segments(other, visible=False) == flipped
    assert segments(own, visible=False) != flipped, "the plate is not symmetric"


def test_the_rear_view_swaps_what_is_hidden():
    part = cut(box(60, 40, 8), box(10, 5, 4, (5, 0, 4)))
    notch = {((5, 4), (15, 4))}
    assert notch <= segments(lines(part, of="front"), visible=True)
    mirrored_notch = {((-15, 4), (-5, 4))}
    assert mirrored_notch <= segments(lines(part, of="rear"), visible=False)


def test_a_tiny_and_a_huge_part_keep_their_lines():
    for size in (0.05, 5000.0):
        part = cut(
            BRepPrimAPI_MakeBox(10 * size, 6 * size, 4 * size).Shape(),
            cylinder(size, 9 * size, (3 * size, 3 * size, -size)),
        )
        front = lines(part)
        assert len([c for c in front if c.visible]) == 4
        assert len([c for c in front if not c.visible]) == 2
