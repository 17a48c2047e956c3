"""Running dimensions, long tables and the room that views take: the pieces that save paper."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from drawing_sheets import line, rectangle, sheet, width
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.ruler.drawing.collisions import collisions
from gaugeblock.ruler.drawing.hole_table import (
    MOST_ROWS,
    NEARER,
    place_label,
    placed_tables,
    tables_of,
)
from gaugeblock.ruler.drawing.ink import Box, ink, label_box
from gaugeblock.ruler.drawing.layout import BETWEEN, Room, placed
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.reading_back import read_back
from gaugeblock.ruler.drawing.running import pitch, spread, stacked_running
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import LinearDim
from gaugeblock.ruler.drawing.stacking import Bar, stacked
from gaugeblock.ruler.drawing.wishes import HoleTable, Mark
from gaugeblock.ruler.views.cameras import CAMERAS
from gaugeblock.ruler.views.projection import Curve
from gaugeblock.ruler.views.shapes import Line


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20), st.floats(0.5, 8))
def test_spread_places_keep_apart_and_in_order(wanted, apart):
    found = spread(wanted, apart)
    pairs = sorted(zip(wanted, found, strict=True), key=lambda p: (p[0], p[1]))
    for (_, a), (_, b) in itertools.pairwise(pairs):
        assert b - a >= apart - 1e-6


@given(st.lists(st.integers(0, 30), min_size=1, max_size=20, unique=True))
def test_what_is_apart_already_stays_where_it_is(wanted):
    ends = [5.0 * w for w in wanted]
    assert spread(ends, 4.0) == pytest.approx(ends)


def test_many_lengths_from_one_origin_share_one_lane():
    bars = [Bar(0.0, 10.0 * n, f"{10 * n}") for n in range(1, 9)]
    other = Bar(35.0, 55.0, "20")
    plain = stacked([*bars, other], 2.5)
    found = stacked_running([*bars, other], 2.5)
    assert max(p.lane for p in plain) >= 7
    assert max(p.lane for p in found) == 1
    assert {p.origin for p in found[:-1]} == {0.0} and found[-1].origin is None
    middles = sorted(p.middle for p in found[:-1])
    assert min(b - a for a, b in itertools.pairwise(middles)) >= pitch(2.5) - 1e-9
    # The chain inside keeps clear of the extension lines that run past it.
    assert all(abs(bar.high - found[-1].middle) > 2.0 for bar in bars)


def test_few_lengths_keep_their_own_lines():
    bars = [Bar(0.0, 10.0 * n, f"{10 * n}") for n in range(1, 4)]
    assert stacked_running(bars, 3.5) == stacked(bars, 3.5)


def running(far: float, at: float) -> LinearDim:
    return width(
        text=f"{2 * (far - 50):g}",
        points=((50.0, 110.0), (far, 110.0)),
        line_at=(50.0, 98.0),
        text_at=(at, 88.0),
        text_angle=0.5 * math.pi,
        height=2.5,
        running=True,
    )


def test_running_dimensions_do_not_collide_and_are_measured():
    strokes = rectangle(50.0, 110.0, 80.0, 40.0) + [
        line((x, 110.0), (x, 150.0)) for x in (70.0, 71.0)
    ]
    dims = [running(70.0, 68.5), running(71.0, 72.5), running(130.0, 130.0)]
    drawn = sheet(strokes, dims)
    assert not collisions(drawn)
    found, uncounted = read_back(drawn)
    assert [round(r.value, 9) for r in found] == [40.0, 42.0, 160.0] and not uncounted
    # One arrow each, outwards, at the far end; from another origin they are on top of each other.
    for dim in dims:
        (head,) = ink(dim).heads
        assert head.tip == pytest.approx((dim.points[1][0], 98.0))
        assert math.cos(head.angle) == pytest.approx(1.0)
    apart = running(71.0, 72.5).model_copy(update={"points": ((60.0, 110.0), (71.0, 110.0))})
    spoilt = sheet(strokes, [dims[0], apart])
    assert "line-line" in {hit.kind for hit in collisions(spoilt)}


LOW, HIGH, CORNER = (0.0, 0.0), (300.0, 200.0), (180.0, 40.0)


def corners(rooms, found, place):
    room, (x, y) = rooms[place], found[place]
    return x - room.left, y - room.below, x + room.right, y + room.above


@given(
    st.tuples(*[st.floats(5, 70)] * 4),
    st.tuples(*[st.floats(5, 60)] * 4),
    st.tuples(st.floats(0, 90), st.floats(0, 90)),
)
def test_views_stay_clear_of_the_border_the_title_and_each_other(first, second, table):
    rooms = {"front": Room(*first), "top": Room(*second), "left": Room(*second[::-1])}
    found = placed(rooms, "first-angle", LOW, HIGH, CORNER, table)
    if found is None:
        return
    assert found["front"][0] == found["top"][0] and found["front"][1] == found["left"][1]
    boxes = {place: corners(rooms, found, place) for place in rooms}
    for x, y, far, up in boxes.values():
        assert x >= -1e-6 and y >= -1e-6 and far <= 300 + 1e-6 and up <= 200 + 1e-6
        assert far <= CORNER[0] + 1e-5 or y >= CORNER[1] - 1e-5
    assert boxes["left"][0] - boxes["front"][2] >= BETWEEN - 1e-6
    assert boxes["front"][1] - boxes["top"][3] >= BETWEEN - 1e-6


def test_a_view_left_of_the_title_block_may_reach_down_to_the_border():
    rooms = {"front": Room(40, 40, 60, 60), "top": Room(40, 40, 35, 30)}
    found = placed(rooms, "first-angle", LOW, HIGH, CORNER)
    assert found is not None and found["top"][1] - 35 < CORNER[1]
    wide = {place: Room(100, 100, room.below, room.above) for place, room in rooms.items()}
    assert placed(wide, "first-angle", LOW, HIGH, CORNER) is None


def plan(count: int) -> tuple[HoleTable, View]:
    marks = tuple(
        Mark(f"A{n}", np.array([10.0 * n, 5.0, 0.0]), 2.0, "⌀4") for n in range(1, count + 1)
    )
    ends = Line(start=(0, 0), end=(10.0 * count, 10))
    curve = Curve(kind="sharp", visible=True, solid=0, shape=ends)
    seen = View("front", "front", CAMERAS["top"], np.eye(3), [curve])
    return HoleTable(2, marks), seen


@pytest.mark.parametrize("count", [5, MOST_ROWS, MOST_ROWS + 1, 3 * MOST_ROWS])
def test_a_long_table_comes_in_pieces_and_no_row_twice(count):
    tables = tables_of(*plan(count))
    assert all(len(table.rows) - 1 <= MOST_ROWS for table in tables)
    rows = [row[0] for table in tables for row in table.rows[1:]]
    assert rows == [f"A{n}" for n in range(1, count + 1)]
    assert {table.rows[0] for table in tables} == {("Hole", "X", "Y", "Size")}


def test_a_table_is_broken_where_it_fits_nowhere_whole():
    (table,) = tables_of(*plan(20))
    low = Paper((0, 0), (300, 60), [])
    pieces, lost = placed_tables(low, table)
    assert len(pieces) > 1 and not lost
    assert [r[0] for p in pieces for r in p.rows[1:]] == [f"A{n}" for n in range(1, 21)]
    tops = [(p.at, sum(p.columns), p.row_height * len(p.rows)) for p in pieces]
    for i, (at, wide, tall) in enumerate(tops):
        assert at[1] - tall >= -1e-9
        for other, far, deep in tops[i + 1 :]:
            beside = at[0] + wide <= other[0] + 1e-9 or other[0] + far <= at[0] + 1e-9
            assert beside or at[1] - tall >= other[1] - 1e-9 or other[1] - deep >= at[1] - 1e-9
    pieces, lost = placed_tables(Paper((0, 0), (20, 20), []), table)
    assert pieces == [] and lost == [f"A{n}" for n in range(1, 21)]


def test_a_label_is_nearer_to_its_own_hole_than_to_others():
    others = [(57.0, 50.0), (50.0, 57.0), (43.0, 50.0), (50.0, 43.0)]
    found = place_label(Paper((0, 0), (100, 100), []), "A1", (50.0, 50.0), 1.0, others)
    assert found is not None
    label, strokes = found
    own = math.dist(label.at, (50.0, 50.0))
    assert strokes or all(math.dist(label.at, p) >= NEARER * own for p in others)


def test_a_label_without_room_stands_at_the_end_of_a_line():
    paper = Paper((0, 0), (100, 100), [Box((50.0, 50.0), 24.0, 24.0)])
    # The line may not run over a text, so that one side of the hole is open.
    open_side = Paper((0, 0), (100, 100), [Box((38.0, 50.0), 24.0, 60.0)])
    assert place_label(paper, "A1", (50.0, 50.0), 1.0) is None
    crowded = [(50.0 + 6.0 * math.cos(a), 50.0 + 6.0 * math.sin(a)) for a in (0.8, 2.4, 4.0, 5.5)]
    found = place_label(open_side, "A1", (51.0, 50.0), 1.0, crowded)
    assert found is not None
    label, (stroke,) = found
    assert math.dist(stroke.shape.start, (51.0, 50.0)) == pytest.approx(1.0)
    near = math.dist(stroke.shape.end, label_box(label).at)
    assert near < math.dist(stroke.shape.start, label_box(label).at)
