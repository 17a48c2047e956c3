"""The pieces of a sheet: collisions with negative controls, stacking, levels, lettering, frame."""

from __future__ import annotations

import math

import pytest
from drawing_parts import drawn
from hypothesis import given
from hypothesis import strategies as st
from ruler_shapes import box

from gaugeblock.records.features import Counterbore, Hole, Thread
from gaugeblock.ruler.drawing.callouts import hole_text, thread_text
from gaugeblock.ruler.drawing.collisions import collisions, thinned
from gaugeblock.ruler.drawing.frame import drawing_area, frame, scales
from gaugeblock.ruler.drawing.ink import TIGHT, ink
from gaugeblock.ruler.drawing.lettering import fitted, number, width
from gaugeblock.ruler.drawing.levels import Levels
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.sheet import (
    AngularDim,
    Hatch,
    Label,
    LinearDim,
    RoundDim,
    Sheet,
    Stroke,
    Title,
)
from gaugeblock.ruler.drawing.stacking import Bar, stacked
from gaugeblock.ruler.views.shapes import Line


@pytest.fixture(scope="module")
def clean() -> Sheet:
    sheet = drawn(box(100, 60, 20))
    assert not collisions(sheet)
    return sheet


def kinds(sheet: Sheet) -> set[str]:
    return {found.kind for found in collisions(sheet)}


def linear(text: str, a: float, b: float, y: float, line: float) -> LinearDim:
    return LinearDim(
        view="front",
        text=text,
        text_at=(0.5 * (a + b), line + 3.1),
        points=((a, y), (b, y)),
        line_at=(a, line),
        angle=0.0,
    )


def with_dims(sheet: Sheet, *dims: LinearDim) -> Sheet:
    return sheet.model_copy(update={"dims": (*sheet.dims, *dims)})


def with_label(sheet: Sheet, *labels: Label) -> Sheet:
    return sheet.model_copy(update={"labels": (*sheet.labels, *labels)})


def test_a_text_over_a_text_is_found(clean):
    at = clean.dims[0].text_at
    spoilt = with_label(clean, Label(at=at, text="8", height=3.5, anchor="middle"))
    assert "text-text" in kinds(spoilt)


def test_a_text_over_a_line_of_the_part_is_found(clean):
    line = next(s.shape for s in clean.strokes if s.layer == "visible" and s.shape.kind == "line")
    middle = tuple(0.5 * (a + b) for a, b in zip(line.start, line.end, strict=True))
    spoilt = with_label(
        clean, Label(at=middle, text="8", height=3.5, anchor="middle", baseline="middle")
    )
    assert "text-line" in kinds(spoilt)


def test_a_foreign_line_through_a_text_is_found_and_its_own_is_not(clean):
    dim = clean.dims[0]
    (x, y) = dim.text_at
    stroke = Stroke(layer="centre", shape=Line(start=(x - 40, y), end=(x + 40, y)))
    spoilt = clean.model_copy(update={"strokes": (*clean.strokes, stroke)})
    assert "text-line" in kinds(spoilt)
    # Its own dimension line runs under every text of the clean sheet.
    assert any(piece.role == "line" for piece in ink(dim).pieces)


def test_a_text_outside_the_frame_or_in_the_title_block_is_found(clean):
    for at in ((2.0, 100.0), (clean.size[0] - 60.0, 25.0)):
        spoilt = with_label(clean, Label(at=at, text="88", height=3.5))
        assert "outside" in kinds(spoilt)


def test_a_line_outside_the_frame_is_found(clean):
    stroke = Stroke(layer="visible", shape=Line(start=(1, 100), end=(5, 120)))
    spoilt = clean.model_copy(update={"strokes": (*clean.strokes, stroke)})
    assert "outside" in kinds(spoilt)


def test_a_text_in_a_hatch_is_found(clean):
    corners = [(30.0, 150.0), (60.0, 150.0), (60.0, 180.0), (30.0, 180.0)]
    loop = tuple(
        Line(start=a, end=b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    )
    hatched = clean.model_copy(update={"hatches": (Hatch(loops=(loop,)),)})
    assert not collisions(hatched)
    spoilt = with_label(hatched, Label(at=(45, 165), text="8", height=3.5, anchor="middle"))
    assert kinds(spoilt) == {"text-hatch"}


def test_dimension_lines_on_top_of_each_other_are_found(clean):
    good = linear("40", 40, 80, 60, 45)
    assert "line-line" not in kinds(with_dims(clean, good))
    spoilt = with_dims(clean, good, linear("60", 50, 110, 60, 45.3))
    assert "line-line" in kinds(spoilt)
    # In a chain they meet at their ends and that is right.
    assert "line-line" not in kinds(with_dims(clean, good, linear("30", 80, 110, 60, 45)))


def test_views_on_top_of_each_other_are_found(clean):
    front, *rest = clean.views
    twin = front.model_copy(update={"id": "twin"})
    assert "view-view" in kinds(clean.model_copy(update={"views": (front, twin, *rest)}))


def test_thinning_leaves_off_what_collides_and_names_it(clean):
    spoilt = with_dims(clean, linear("40", 40, 80, 60, 45), linear("60", 50, 110, 60, 45.3))
    kept, left_off = thinned(spoilt)
    assert not collisions(kept)
    assert left_off
    assert len(kept.dims) + len(left_off) == len(spoilt.dims)


bars = st.lists(
    st.builds(
        lambda low, long, digits: Bar(float(low), float(low + long), "8" * digits),
        st.integers(0, 60),
        st.integers(1, 60),
        st.integers(1, 6),
    ),
    min_size=1,
    max_size=9,
    unique_by=lambda bar: (bar.low, bar.high),
)


@given(bars)
def test_stacked_texts_keep_clear_of_each_other(items):
    found = stacked(items, 3.5)
    for i, (bar, place) in enumerate(zip(items, found, strict=True)):
        for other, beside in list(zip(items, found, strict=True))[i + 1 :]:
            if place.lane == beside.lane:
                gap = abs(place.middle - beside.middle)
                assert gap >= 0.5 * (width(bar.text, 3.5) + width(other.text, 3.5)) - 1e-6


@given(bars)
def test_no_extension_line_runs_through_a_text_farther_in(items):
    found = stacked(items, 3.5)
    for i, (bar, place) in enumerate(zip(items, found, strict=True)):
        half = 0.5 * width(bar.text, 3.5)
        for j, (other, outer) in enumerate(zip(items, found, strict=True)):
            if i != j and outer.lane > place.lane:
                for x in (other.low, other.high):
                    assert abs(x - place.middle) >= half - 1e-6


@given(st.lists(st.integers(0, 30), min_size=2, max_size=12, unique=True), st.data())
def test_levels_are_tied_by_one_dimension_less_than_there_are(values, data):
    levels = Levels(1e-6)
    for value in values:
        levels.add(0, float(value))
    ties = 0
    for _ in range(60):
        a, b = data.draw(st.sampled_from(values)), data.draw(st.sampled_from(values))
        ties += levels.tie(0, float(a), float(b))
    loose = list(levels.loose(0, float(values[0])))
    for value in loose:
        ties += levels.tie(0, float(values[0]), value)
    assert ties == len(values) - 1
    assert not list(levels.loose(0, float(values[0])))


def test_threads_and_holes_read_as_the_standards_say():
    common = {"id": "x", "solid": 0, "faces": [], "position": (0, 0, 0), "axis": (0, 0, -1)}
    thread = Thread(
        **common,
        internal=True,
        designation="M8x1.25",
        pitch=1.25,
        lead=1.25,
        starts=1,
        hand="right",
        major=8,
        minor=6.647,
        flank_angle=60,
        length=16,
        through=False,
    )
    assert thread_text(thread) == "M8x1.25 – 6H ↧ 16"
    outer = thread.model_copy(update={"internal": False, "hand": "left"})
    assert thread_text(outer) == "M8x1.25 LH – 6g"
    unknown = thread.model_copy(update={"designation": None, "through": True})
    assert thread_text(unknown) == "⌀8 × P1.25"
    blind = Hole(
        **common,
        through=False,
        diameter=6.6,
        depth=20,
        bottom="conical",
        entry_faces=[],
        counterbore=Counterbore(diameter=11, depth=6.5),
    )
    assert hole_text(blind) == "⌀6.6 ↧ 20 ⌴ ⌀11 ↧ 6.5"


def test_numbers_have_no_idle_zeros():
    assert [number(v) for v in (10.0, 6.6, 0.165, 33.33333, -0.0)] == [
        "10",
        "6.6",
        "0.165",
        "33.333",
        "0",
    ]


@given(st.text(max_size=300), st.floats(3, 80))
def test_hostile_text_fits_its_room(text, room):
    shown = fitted(text, 2.5, room)
    assert width(shown, 2.5) <= room
    assert "\n" not in shown and "\x1b" not in shown


def test_what_a_dimension_measures_follows_from_its_points():
    dim = linear("40", 40, 80, 60, 45)
    assert dim.measured == pytest.approx(40)
    ring = RoundDim(
        kind="diameter", view="front", text="", text_at=(0, 0), centre=(0, 0), on=(3, 4)
    )
    assert ring.measured == pytest.approx(10)
    angle = AngularDim(
        view="front", text="", text_at=(0, 0), apex=(0, 0), points=((1, 0), (1, 1)), radius=5
    )
    assert angle.measured == pytest.approx(45)


def test_arrows_of_short_dimensions_come_from_outside():
    short, long = (ink(linear("5", 40, 40 + d, 60, 45)) for d in (TIGHT - 1, TIGHT + 1))
    for drawn_, way in ((short, 1), (long, -1)):
        left = min(drawn_.heads, key=lambda head: head.tip[0])
        assert math.cos(left.angle) == pytest.approx(way)


def test_paper_knows_what_is_free():
    paper = Paper((0, 0), (100, 100), [])
    from gaugeblock.ruler.drawing.ink import Box

    assert paper.free(Box((50, 50), 20, 5))
    assert not paper.free(Box((5, 50), 20, 5))
    paper.add_strokes([Stroke(layer="visible", shape=Line(start=(0, 0), end=(100, 100)))], 1.0)
    assert not paper.free(Box((50, 50), 20, 5))
    assert paper.free(Box((50, 80), 20, 5))
    assert paper.crossed((50, 80), (80, 50)) == 1.0
    assert paper.crossed((50, 80), (50, 60)) == 0.0
    # Along the line is worse than across it.
    assert paper.crossed((30, 30.2), (60, 60.2)) > 1.0


@pytest.mark.parametrize("format_", ["A4", "A3"])
@pytest.mark.parametrize("landscape", [True, False])
def test_the_frame_stays_on_its_sheet(format_, landscape):
    _, labels = frame(format_, landscape, Title(name="Part"), "1:1", "first-angle")
    wide, tall = {"A4": (297, 210), "A3": (420, 297)}[format_]
    wide, tall = (wide, tall) if landscape else (tall, wide)
    low, high = drawing_area(format_, landscape)
    assert 0 < low[0] < high[0] < wide and 0 < low[1] < high[1] < tall
    for label in labels:
        assert 0 < label.at[0] < wide and 0 < label.at[1] < tall
    assert "Part" in [label.text for label in labels]


def test_scales_are_those_of_the_standard():
    found = scales()
    assert found == sorted(found, key=lambda s: -s[0] / s[1])
    assert {(1, 1), (2, 1), (1, 2), (1, 50), (50, 1)} <= set(found)
    assert (4, 1) not in found and (1, 3) not in found
