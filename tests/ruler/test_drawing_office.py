"""Sheets as a drawing office reads them: lines that arrows end on, nothing taken away unseen."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from build123d import (
    Axis,
    Box,
    Circle,
    Cylinder,
    Plane,
    Polyline,
    Pos,
    Rot,
    chamfer,
    extrude,
    make_face,
    revolve,
)
from drawing_leaning import draft_boss, turned_pocket
from drawing_parts import drawn, read
from drawing_proving import UP, sheet_of, slanted
from drawing_sheets import angle as an_angle
from drawing_sheets import lines
from drawing_sheets import sheet as by_hand

from gaugeblock.ruler.drawing.collisions import box_meets, collisions
from gaugeblock.ruler.drawing.drawn_geometry import DrawnView
from gaugeblock.ruler.drawing.ink import TAIL, TIGHT, ink
from gaugeblock.ruler.drawing.leaders import Outline
from gaugeblock.ruler.drawing.reading_back import match, own_dimensions
from gaugeblock.ruler.drawing.recognised import features_of
from gaugeblock.ruler.drawing.sheet import AngularDim, LinearDim, Sheet
from gaugeblock.ruler.drawing.straight import ON

Make = Callable[[], Any]


def gusset() -> Any:
    """An angle with a web at 45°, whose level leg no line shows."""
    body = Box(60, 40, 6, align=UP) + Pos(-27, 0, 0) * Box(6, 40, 50, align=UP)
    web = make_face(Polyline((-24, 6), (1, 6), (-24, 31), close=True))
    return body + extrude(Plane((0, 3, 0), x_dir=(1, 0, 0), z_dir=(0, -1, 0)) * web, 6)


def manifold() -> Any:
    """Counterbored holes in a row into a bore, and two blind ones in the half that is cut off."""
    body = Box(90, 50, 40, align=UP) - Pos(0, 0, 20) * Rot(0, 90, 0) * Cylinder(6, 100)
    for x, radius in ((-30, 4), (-10, 5), (12, 6), (33, 3)):
        body -= Pos(x, 0, 20) * Cylinder(radius, 20, align=UP)
        body -= Pos(x, 0, 36) * Cylinder(radius + 2.5, 4, align=UP)
    for x in (-20, 20):
        body -= Pos(x, -25, 10) * Rot(-90, 0, 0) * Cylinder(2.5, 12, align=UP)
    corners = body.edges().filter_by(Axis.Z).filter_by(lambda e: abs(abs(e.center().X) - 45) < 1e-6)
    return chamfer(corners, 4)


def pulley() -> Any:
    """A grooved pulley with a keyway through its bore: 14.5 over bore and keyway."""
    corners = [(0, 6), (0, 14), (8, 14), (8, 40), (10, 40), (13, 32), (17, 32), (20, 40)]
    corners += [(22, 40), (22, 14), (30, 14), (30, 6)]
    body = revolve(make_face(Polyline(*corners, close=True)), Axis.X)
    return body - Pos(15, 0, 6) * Box(40, 4, 5)


def ribbed() -> Any:
    body = Box(140, 20, 6, align=UP)
    for x in (-55, -35, -10, 20, 50):
        body += Pos(x, 0, 6) * Box(4, 20, 14, align=UP)
    return body


def rows() -> Any:
    """Three holes in a row, the outer two level with two others."""
    body = Box(100, 100, 20, align=UP)
    for y in (-30, 30):
        body -= Pos(-30, y, 0) * Cylinder(3, 20, align=UP)
    for y in (-30, 0, 30):
        body -= Pos(30, y, 0) * Cylinder(2, 20, align=UP)
    return body


def channel() -> Any:
    """One hole through two walls."""
    body = Box(60, 40, 40, align=UP) - Pos(0, 0, 3) * Box(54, 40, 40, align=UP)
    return body - Pos(0, 6, 28) * Rot(0, 90, 0) * Cylinder(4, 130)


def elbow() -> Any:
    """A rod that is bent by a quarter turn about y."""
    bend = revolve(Pos(40, 0, 0) * Circle(8), Axis.Y, 90)
    return bend + Pos(40, 0, 0) * Cylinder(8, 30, align=UP)


@cache
def office(make: Make) -> Sheet:
    return sheet_of(make())


def texts(sheet: Sheet) -> list[str]:
    return [dim.text for dim in sheet.dims]


def angles(sheet: Sheet) -> list[AngularDim]:
    return [dim for dim in sheet.dims if isinstance(dim, AngularDim)]


def homeless(sheet: Sheet, dim: AngularDim) -> int:
    """Return how many arrows of an angle end neither on a drawn line nor on its own thin one."""
    view = DrawnView(sheet, next(v for v in sheet.views if v.id == dim.view))
    drawn_ = ink(dim)
    count = 0
    for head in drawn_.heads:
        tip = np.array(head.tip)
        own = False
        for piece in drawn_.pieces:
            if piece.role == "extension":
                a, way = np.array(piece.a), np.subtract(piece.b, piece.a)
                share = float((tip - a) @ way / (way @ way))
                own |= 0 <= share <= 1 and math.dist(tip, a + share * way) < ON
        count += not (own or view.touches(head.tip))
    return count


@pytest.mark.parametrize("make", [slanted, draft_boss, turned_pocket, gusset])
def test_both_arrows_of_an_angle_end_on_a_line_and_its_text_stands_clear(make: Make):
    sheet = office(make)
    assert angles(sheet)
    for dim in angles(sheet):
        assert homeless(sheet, dim) == 0
        drawn_ = ink(dim)
        rows_ = np.array([[*piece.a, *piece.b] for piece in drawn_.pieces])
        assert not box_meets(drawn_.text, rows_).any()
    assert not collisions(sheet)
    assert match(sheet, own_dimensions(sheet)).match == 1.0


def test_an_angle_whose_leg_is_said_to_be_drawn_and_is_not_has_a_homeless_arrow():
    sheet = office(gusset)
    (dim,) = angles(sheet)
    far = tuple(
        (dim.apex[0] + 900 * (p[0] - dim.apex[0]), dim.apex[1] + 900 * (p[1] - dim.apex[1]))
        for p in dim.points
    )
    assert homeless(sheet, dim.model_copy(update={"points": far})) == 1


def test_arrows_of_a_small_angle_come_from_outside_on_tails():
    wide, small = an_angle(radius=25.0), an_angle(radius=6.0)
    assert math.radians(small.measured) * 6.0 < TIGHT < math.radians(wide.measured) * 25.0
    _, _, start, sweep = ink(small).arc
    assert sweep == pytest.approx(math.radians(small.measured) + 2 * TAIL / 6.0)
    assert ink(small).heads[0].tip == pytest.approx((186.0, 110.0))
    assert not collisions(by_hand(lines(), [wide]))
    assert start == pytest.approx(-TAIL / 6.0)


def test_what_a_section_takes_away_keeps_its_view():
    sheet = office(manifold)
    cut = {view.id: view.cut is not None for view in sheet.views}
    assert sum(cut.values()) == 1
    assert "2× ⌀5 ↧ 12" in texts(sheet)
    assert not sheet.undimensioned
    # Nothing of these holes is told where they are not seen.
    (note,) = [dim for dim in sheet.dims if dim.text == "2× ⌀5 ↧ 12"]
    placed = [dim for dim in sheet.dims if set(dim.features) == set(note.features)]
    assert len(placed) >= 3 and not any(cut[dim.view] for dim in placed)
    assert match(sheet, own_dimensions(sheet)).match == 1.0
    assert not collisions(sheet)


def test_a_section_has_no_centre_mark_where_nothing_round_is_drawn():
    sheet = office(manifold)
    (placed,) = [view for view in sheet.views if view.cut is not None]
    low, high = placed.box
    rings = [s.shape.centre for s in sheet.strokes if s.shape.kind == "arc"]
    level = [
        s.shape
        for s in sheet.strokes
        if s.layer == "centre"
        and all(low[0] < p[0] < high[0] and low[1] < p[1] < high[1] for p in ends(s.shape))
    ]
    for line in level:
        middle = np.mean(ends(line), axis=0)
        assert any(math.dist(middle, ring) < 1e-6 for ring in rings)


def ends(shape: Any) -> list[Any]:
    return shape.at(np.array([0.0, 1.0])).tolist()


def test_a_pulley_is_cut_along_its_axis_and_its_keyway_told_in_the_end_view():
    sheet = office(pulley)
    (cut,) = [view for view in sheet.views if view.cut is not None]
    widths = [dim for dim in sheet.dims if isinstance(dim, LinearDim) and dim.text == "14.5"]
    assert [dim.view == cut.id for dim in widths] == [False]
    assert {"⌀12", "2× ⌀80"} <= {dim.text for dim in sheet.dims if dim.view == cut.id}
    assert not sheet.undimensioned
    assert match(sheet, own_dimensions(sheet)).match == 1.0


def test_ribs_of_one_thickness_share_a_dimension():
    found = texts(office(ribbed))
    assert "5× 4" in found and "4" not in found
    assert match(office(ribbed), own_dimensions(office(ribbed))).match == 1.0


def test_walls_that_follow_from_others_are_not_counted():
    body = Box(100, 60, 30, align=UP) - Pos(0, 0, 6) * Box(88, 48, 30, align=UP)
    assert not [text for text in texts(sheet_of(body)) if text.endswith("× 6")]


def test_a_hole_between_two_that_others_place_has_its_own_place():
    sheet = office(rows)
    assert not sheet.undimensioned
    assert "50" in texts(sheet)


def test_holes_one_behind_the_other_are_counted_once():
    sheet = office(channel)
    assert "⌀8" in texts(sheet) and "2× ⌀8" not in texts(sheet)
    assert match(sheet, own_dimensions(sheet)).match == 1.0


def test_the_front_view_of_a_bent_rod_shows_its_bend():
    shape = elbow().solids()[0].wrapped
    front = drawn(shape, features_of([read(shape)])[0]).views[0]
    assert front.id == "front"
    assert abs(front.camera.direction[1]) == pytest.approx(1.0)


def test_a_notch_lies_beside_an_outline_and_not_in_it():
    corners = [(0, 0), (40, 0), (40, 10), (10, 10), (10, 30), (0, 30)]
    edges = np.array([[*a, *b] for a, b in zip(corners, corners[1:] + corners[:1], strict=True)])
    outline = Outline((0, 0), (40, 30), edges.astype(float))
    assert outline.holds((5, 20)) and outline.holds((30, 5))
    assert not outline.holds((25, 20)) and not outline.holds((60, 5))
