"""Whole sheets of very unlike parts: all dimensions there, nothing in the way, all borne out."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from drawing_parts import drawn, hole, read
from drawing_proving import PROVING, boxed, housing, inclined, sheet_of, slanted, slotted
from ruler_shapes import REAL, box, cut, cylinder, write_step

from gaugeblock.ruler import Ruler
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.collisions import collisions
from gaugeblock.ruler.drawing.drawn_geometry import DrawnView
from gaugeblock.ruler.drawing.printed import said
from gaugeblock.ruler.drawing.reading_back import match, own_dimensions
from gaugeblock.ruler.drawing.recognised import features_of
from gaugeblock.ruler.drawing.sheet import Leader, Sheet, Title
from gaugeblock.ruler.drawing.straight import ON

Make = Callable[[], Any]


@cache
def proven(make: Make) -> Sheet:
    return sheet_of(make())


def texts(sheet: Sheet) -> list[str]:
    return sorted(dim.text for dim in sheet.dims)


def loose_arrows(sheet: Sheet) -> list[str]:
    """Return the notes whose arrow ends on no drawn curve, or on none of the size printed first."""
    views = {view.id: DrawnView(sheet, view) for view in sheet.views}
    found = []
    for dim in sheet.dims:
        if not isinstance(dim, Leader):
            continue
        view, tip = views[dim.view], dim.points[0]
        sizes = said(dim.text)
        round_ = [s for s in sizes if s.type in ("diameter", "radius")]
        if round_:
            about = [ring for at in view.rings_at(tip) for ring in view.about(at)]
            radii = [s.value * (0.5 if s.type == "diameter" else 1.0) * view.scale for s in round_]
            good = any(abs(ring.radius - r) <= ON for ring in about for r in radii)
        else:
            good = view.touches(tip)
        found += [] if good else [dim.text]
    return found


@pytest.mark.parametrize("make", PROVING, ids=lambda make: make.__name__)
def test_a_sheet_is_complete_clear_and_bears_itself_out(make: Make):
    sheet = proven(make)
    assert not collisions(sheet)
    assert not [note for note in sheet.notes if note.startswith("no ")]
    found = match(sheet, own_dimensions(sheet))
    assert found.match == 1.0, [(v.dimension.label, v.reason) for v in found.values if not v.found]
    assert found.uncounted == []


@pytest.mark.parametrize("make", PROVING, ids=lambda make: make.__name__)
def test_every_arrow_ends_on_a_curve_of_what_it_tells(make: Make):
    assert loose_arrows(proven(make)) == []


def test_an_arrow_that_misses_its_curve_is_found():
    sheet = proven(slotted)
    spoilt = []
    for dim in sheet.dims:
        if isinstance(dim, Leader):
            (x, y), *rest = dim.points
            dim = dim.model_copy(update={"points": ((x + 0.3, y + 0.11), *rest)})
        spoilt.append(dim)
    leaders = [dim.text for dim in sheet.dims if isinstance(dim, Leader)]
    assert len(leaders) == 3
    assert loose_arrows(sheet.model_copy(update={"dims": tuple(spoilt)})) == leaders


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("nist_ctc_01_ap242.stp", 0),
        # A slot that is hidden in part, and chamfers that look like others.
        ("nist_ctc_03_ap242.stp", 2),
        # A depth and a fillet that no view shows from the side.
        ("nist_ctc_05_ap242.stp", 2),
    ],
)
def test_sheets_of_real_files(name: str, reasons: int):
    path = REAL / name
    if not path.exists():
        pytest.skip("the real files are not here")
    with Ruler() as ruler:
        sheet = ruler.draw(path, wall_s=300.0)
    assert not collisions(sheet)
    assert not [note for note in sheet.notes if note.startswith(("no room", "no view"))]
    found = match(sheet, own_dimensions(sheet))
    assert found.asked - found.found <= reasons
    assert len(loose_arrows(sheet)) <= reasons


def test_bays_of_unlike_width_are_not_counted_as_alike():
    found = texts(proven(housing))
    assert "2× 32" in found and "36" in found


def test_a_depth_that_the_section_misses_gets_a_view_of_its_own():
    sheet = proven(housing)
    places = [view.id for view in sheet.views]
    assert places == ["front", "section-A", "top", "iso"]
    assert "4× ⌀3 ↧ 12" in texts(sheet)


def test_a_chamfer_around_a_rim_is_told_once():
    assert "1×45° all around" in texts(proven(slotted))


def test_a_plane_between_slanted_neighbours_is_told_by_lengths_and_not_as_a_chamfer():
    found = texts(proven(slanted))
    assert not [text for text in found if "×" in text]
    assert found.count("12") == 2 and "5" in found  # the prism's height, and the edge's two legs


def test_sizes_that_would_be_rounded_away_are_told_and_not_printed():
    def bored(scale: float) -> Sheet:
        body = cut(
            box(2 * scale, 3 * scale, scale), cylinder(0.4 * scale, scale, (scale, scale, 0))
        )
        return drawn(body, features_of([read(body)])[0])

    small = bored(0.001)
    assert small.dims == ()
    assert [note for note in small.notes if note.startswith("too small to print: ")]
    mixed = bored(0.02)  # only the bore of 0.016 is near, and still printed
    assert "⌀0.016" in texts(mixed) and not [n for n in mixed.notes if "too small" in n]
    thin = drawn(box(20, 10, 0.004))
    assert texts(thin) == ["10", "20"]
    assert "too small to print: 1 size below 0.01 mm" in thin.notes


def test_a_fillet_around_a_foot_is_told_once_and_where_its_profile_is_seen():
    sheet = proven(boxed)
    (note,) = [dim for dim in sheet.dims if isinstance(dim, Leader)]
    assert note.text == "R5 all around"
    (ring,) = DrawnView(sheet, sheet.views[0]).rings_at(note.points[0])
    assert ring.radius == pytest.approx(5.0 * sheet.views[0].scale)
    # The foot of the boss' wall is drawn, though its edges there are smooth.
    front = DrawnView(sheet, sheet.views[0])
    assert {dim.text for dim in sheet.dims} >= {"20", "45", "100"}
    assert len(front.centres(ring.radius)) == 2


def test_oblique_holes_of_one_size_share_a_call_out():
    assert "2× ⌀10" in texts(proven(inclined))


def test_the_same_holes_from_both_sides_are_told_once():
    body = box(100, 60, 40)
    at = [(20, 30), (50, 30), (80, 30)]
    for x, y in at:
        body = cut(body, cylinder(4, 12, (x, y, -2)), cylinder(4, 12, (x, y, 30)))
    above = [hole(body, n, (x, y, 40), 4, 10, through=False) for n, (x, y) in enumerate(at, 1)]
    below = [
        hole(body, n, (x, y, 0), 4, 10, into=(0, 0, 1), through=False)
        for n, (x, y) in enumerate(at, 4)
    ]
    # Each takes the faces of its own half only.
    for holes, low in ((above, 20.0), (below, 0.0)):
        for one in holes:
            one.faces[:] = [n for n in one.faces if low <= face_z(body, n) < low + 20.0]
    sheet = drawn(body, [*above, *below])
    told = [dim.text for dim in sheet.dims if isinstance(dim, Leader)]
    assert told == ["3× ⌀8 ↧ 10 from both sides"]


def face_z(body: Any, number: int) -> float:
    from gaugeblock.ruler.drawing.anatomy import faces_of

    (face,) = [f for f in faces_of([read(body).shape]) if f.number == number]
    return min(float(face.centre[2]), 39.9)


def test_an_engraving_is_told_and_not_dimensioned():
    def comb(scale: float) -> Sheet:
        """A plate with a letter of five strokes in it."""
        teeth = [box(scale, 8 * scale, 2, (50 + 3 * scale * n, 30, 19)) for n in range(4)]
        body = cut(box(300, 200, 20), box(10 * scale, scale, 2, (50, 30, 19)), *teeth)
        return drawn(body, features_of([read(body)])[0])

    small = comb(1.0)
    assert [note for note in small.notes if "engraving" in note]
    assert texts(small) == ["20", "200", "300"]
    # As large as a pocket it is one.
    large = comb(8.0)
    assert not [note for note in large.notes if "engraving" in note]
    assert len(large.dims) > 3


def test_the_file_s_name_stands_in_the_title_of_a_part_without_one(tmp_path):
    path = write_step(box(100, 60, 20), tmp_path / "left bracket.step")
    text = path.read_text()
    path.write_text(re.sub(r"(=\s*PRODUCT)\('[^']*',\s*'[^']*'", r"\1('',''", text))
    with Ruler() as ruler:
        assert ruler.draw(path).title.name == "left bracket"
        given = DrawOptions(title=Title(name="Bracket"))
        assert ruler.draw(path, given).title.name == "Bracket"
