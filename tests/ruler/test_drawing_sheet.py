"""Whole sheets of parts whose dimensions are known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from drawing_parts import bored, drawn, grooved, hole, plate, shaft, turned
from ruler_shapes import box, cut, cylinder, write_step

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.collisions import collisions, hatch_edges
from gaugeblock.ruler.drawing.sheet import Sheet, Title


def texts(sheet: Sheet, kind: str | None = None) -> list[str]:
    return sorted(dim.text for dim in sheet.dims if kind in (None, dim.kind))


def sizes(sheet: Sheet) -> list[float]:
    """Return what the linear dimensions measure, in mm of the part."""
    scale = {view.id: view.scale for view in sheet.views}
    return sorted(dim.measured / scale[dim.view] for dim in sheet.dims if dim.kind == "linear")


@pytest.fixture(scope="module")
def plate_sheet() -> Sheet:
    return drawn(*plate())


def test_a_box_has_its_three_sizes_once_each():
    sheet = drawn(box(100, 60, 20))
    assert texts(sheet) == ["100", "20", "60"]
    assert sizes(sheet) == pytest.approx([20, 60, 100], abs=1e-9)
    assert not collisions(sheet)
    assert not sheet.notes
    assert [view.id for view in sheet.views] == ["front", "top", "iso"]


@pytest.mark.parametrize(
    ("axis", "angle"),
    [((0, 0, 1), 90), ((1, 0, 0), 90), ((0, 1, 0), -90), ((1, 1, 0), 180), ((1, 2, 3), 37)],
)
def test_a_turned_part_gives_the_same_dimensions(axis, angle):
    shape = turned(box(100, 60, 20), axis, angle)
    sheet = drawn(shape)
    assert texts(sheet) == ["100", "20", "60"]
    assert sizes(sheet) == pytest.approx([20, 60, 100], abs=1e-9)


def test_a_stepped_block_turned_by_a_right_angle_keeps_its_dimensions():
    step = cut(box(80, 50, 30), box(40, 60, 20, (55, -5, 14)))
    upright = drawn(step)
    for axis in ((0, 0, 1), (1, 0, 0), (0, 1, 0)):
        assert texts(drawn(turned(step, axis, 90))) == texts(upright)
    assert texts(upright) == ["14", "30", "50", "55", "80"]


def test_a_plate_with_four_holes_is_dimensioned_completely_and_once(plate_sheet):
    assert texts(plate_sheet, "leader") == ["4× ⌀8"]
    # Length, width, thickness; first hole from both edges; both pitches.
    assert sizes(plate_sheet) == pytest.approx([10, 10, 12, 40, 60, 80, 100], abs=1e-9)
    assert not collisions(plate_sheet)


def test_an_arrow_of_a_call_out_touches_its_hole(plate_sheet):
    (leader,) = [dim for dim in plate_sheet.dims if dim.kind == "leader"]
    (front,) = [view for view in plate_sheet.views if view.id == leader.view]
    tip = leader.points[0]
    arcs = [s.shape for s in plate_sheet.strokes if s.shape.kind == "arc" and s.layer == "visible"]
    off = [abs(math.dist(arc.centre, tip) - arc.radius) for arc in arcs]
    assert min(off) < 1e-9
    assert arcs[int(np.argmin(off))].radius == pytest.approx(4 * front.scale)


def test_holes_have_centre_marks_in_both_views(plate_sheet):
    centre = [s.shape for s in plate_sheet.strokes if s.layer == "centre"]
    # A cross each in front, one line each from the side: two holes stand behind two others.
    assert len(centre) == 2 * 4 + 2


def test_the_same_part_gives_the_same_sheet(plate_sheet):
    assert drawn(*plate()).model_dump_json() == plate_sheet.model_dump_json()


def test_first_and_third_angle_put_the_top_view_on_opposite_sides():
    for convention, sign in (("first-angle", -1), ("third-angle", 1)):
        sheet = drawn(box(100, 60, 20), convention=convention)
        at = {view.id: view.origin for view in sheet.views}
        assert math.copysign(1, at["top"][1] - at["front"][1]) == sign
        assert sheet.convention == convention


def test_a_blind_hole_is_cut_and_the_hatch_has_the_right_area():
    sheet = drawn(*bored())
    (view,) = [v for v in sheet.views if v.id == "section-A"]
    (hatch,) = sheet.hatches
    edges = hatch_edges(hatch)
    twice = (edges[:, 0] * edges[:, 3] - edges[:, 2] * edges[:, 1]).sum()
    area = abs(twice) / 2 / view.scale**2
    whole = {60 * 20, 40 * 20}
    assert min(abs(area - (w - 10 * 12)) for w in whole) < 1e-6
    assert texts(sheet, "leader") == ["⌀10 ↧ 12"]
    assert [label.text for label in sheet.labels].count("A") >= 2
    assert view.title == "A–A"
    assert not collisions(sheet)


def test_a_shaft_lies_and_has_all_lengths_and_diameters():
    sheet = drawn(shaft())
    assert [view.id for view in sheet.views] == ["front", "iso"]
    across = sorted(d.text for d in sheet.dims if d.kind == "linear" and d.diameter)
    assert across == ["⌀16", "⌀20", "⌀32"]
    lengths = [d for d in sheet.dims if d.kind == "linear" and not d.diameter]
    scale = sheet.views[0].scale
    found = sorted(d.measured / scale for d in lengths)
    # The whole and two of three steps, from either end.
    assert found[-1] == pytest.approx(100)
    assert len(found) == 3
    for dim in sheet.dims:
        if dim.kind == "linear" and dim.diameter:
            assert f"⌀{dim.measured / scale:.6g}" == dim.text


def test_a_narrow_groove_is_drawn_enlarged():
    sheet = drawn(*grooved())
    (detail,) = [v for v in sheet.views if v.id.startswith("detail")]
    (dim,) = [d for d in sheet.dims if d.view == detail.id]
    assert dim.text == "1.3"
    assert dim.measured / detail.scale == pytest.approx(1.3, abs=1e-9)
    assert dim.measured >= 8
    assert detail.scale > sheet.views[0].scale
    assert not collisions(sheet)


def test_a_list_of_dimensions_is_placed_or_told():
    given = (
        SheetDimension(label="100", type="length", value=100, upper=0.1, lower=-0.2),
        SheetDimension(label="4× ⌀8 H7", type="diameter", value=8, count=4),
        SheetDimension(label="30", type="length", value=80),
        SheetDimension(label="77", type="length", value=77),
        SheetDimension(label="R3", type="radius", value=3),
    )
    sheet = drawn(*plate(), dimensions=given)
    assert texts(sheet) == ["100 +0.1/−0.2", "30", "4× ⌀8 H7"]
    told = [note for note in sheet.notes if note.startswith("not placed")]
    assert len(told) == 2
    assert "77" in told[0] and "R3" in told[1]


def test_format_and_scale_can_be_asked_for():
    sheet = drawn(box(100, 60, 20), format="A3", scale=(1, 2))
    assert (sheet.format, sheet.scale) == ("A3", (1, 2))
    assert all(view.scale == 0.5 for view in sheet.views if view.id != "iso")
    assert sizes(sheet) == pytest.approx([20, 60, 100], abs=1e-9)


@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_tiny_and_huge_parts_get_a_sheet(factor):
    sheet = drawn(box(100 * factor, 60 * factor, 20 * factor))
    assert sizes(sheet) == pytest.approx([20 * factor, 60 * factor, 100 * factor], rel=1e-9)
    assert not collisions(sheet)


def test_a_hostile_title_stays_in_its_field():
    name = "\x1b[31m" + "W" * 500 + "\u202e</svg>"
    sheet = drawn(box(100, 60, 20), title=Title(name=name, number="9" * 300))
    assert not collisions(sheet)
    assert not any("\x1b" in label.text or "\u202e" in label.text for label in sheet.labels)


def test_many_holes_stand_in_a_table():
    places = [(7 + 11 * i, 9 + 7 * (i * 5 % 12)) for i in range(12)]
    shape = cut(box(140, 100, 10), *(cylinder(2, 20, (x, y, -4)) for x, y in places))
    holes = [hole(shape, i, (x, y, 10), 2, 10) for i, (x, y) in enumerate(places, 1)]
    sheet = drawn(shape, holes)
    (table,) = sheet.tables
    assert table.rows[0] == ("Hole", "X", "Y", "Size")
    found = {(float(x), float(y)) for _, x, y, _ in table.rows[1:]}
    # The part may lie turned by half a turn: its lower left corner is then the other one.
    assert found in ({*places}, {(140 - x, 100 - y) for x, y in places})
    labels = {label.text for label in sheet.labels}
    assert {f"A{i}" for i in range(1, 13)} <= labels
    assert texts(sheet) == ["10", "100", "140"]
    assert not collisions(sheet)


def test_holes_on_a_circle_are_told_by_the_circle():
    round_ = cylinder(40, 12)
    at = [(30 * math.cos(a), 30 * math.sin(a)) for a in np.radians(range(0, 360, 60)).tolist()]
    shape = cut(round_, *(cylinder(3, 20, (x, y, -4)) for x, y in at))
    holes = [hole(shape, i, (x, y, 12), 3, 12) for i, (x, y) in enumerate(at, 1)]
    sheet = drawn(shape, holes)
    assert texts(sheet) == ["12", "6× ⌀6", "⌀60", "⌀80"]
    (ring,) = [d for d in sheet.dims if d.kind == "diameter"]
    assert ring.measured / sheet.views[0].scale == pytest.approx(60)
    assert not collisions(sheet)


def test_printed_sizes_are_measured_sizes(plate_sheet):
    for sheet in (plate_sheet, drawn(shaft()), drawn(*bored())):
        scale = {view.id: view.scale for view in sheet.views}
        for dim in sheet.dims:
            if dim.kind == "linear":
                printed = float(dim.text.lstrip("⌀"))
                assert dim.measured / scale[dim.view] == pytest.approx(printed, abs=6e-4)


def test_the_worker_draws_a_file(tmp_path):
    path = write_step(box(100, 60, 20), tmp_path / "box.step")
    with Ruler() as ruler:
        sheet = ruler.draw(path, DrawOptions(title=Title(name="Box")))
        assert texts(sheet) == ["100", "20", "60"]
        bad = tmp_path / "bad.step"
        bad.write_text("no step")
        with pytest.raises(CouldNotMeasure):
            ruler.draw(bad)


def test_the_worker_cuts_what_a_section_shows(tmp_path):
    """Two blind bores of unlike depth: only a section shows them, cut inside the sandbox."""
    body = cut(box(100, 60, 20), cylinder(5, 12, (30, 30, 8)), cylinder(8, 6, (70, 30, 14)))
    path = write_step(body, tmp_path / "bored.step")
    with Ruler() as ruler:
        sheet = ruler.draw(path, DrawOptions(title=Title(name="Bored")))
    assert "section-A" in {view.id for view in sheet.views}
    assert sheet.hatches
