"""Counts, steps and depths that a drawing bears out: what is drawn as often as printed, no more."""

from __future__ import annotations

import math

import pytest
from drawing_sheets import angle, circle, line, rectangle, sheet, view, width

from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.printed import said
from gaugeblock.ruler.drawing.reading_back import match, own_dimensions, read_back
from gaugeblock.ruler.drawing.sheet import Dim, Leader, Sheet, Stroke
from gaugeblock.ruler.views.cameras import CAMERAS
from gaugeblock.ruler.views.shapes import Arc, EllipseArc


def places(drawn: Sheet) -> list[int]:
    return [reading.places for reading in read_back(drawn)[0]]


def own(drawn: Sheet) -> float | None:
    return match(drawn, own_dimensions(drawn)).match


def slot(x: float, wide: float = 10.0, y: float = 120.0) -> list[Stroke]:
    """A slot's two walls, upright."""
    return [line((x, y), (x, y + 20)), line((x + wide, y), (x + wide, y + 20))]


WIDE = width(text="2× 20", points=((60.0, 120.0), (70.0, 120.0)), line_at=(65.0, 100.0))


def test_a_length_is_found_again_elsewhere_in_its_view():
    assert places(sheet([*slot(60.0), *slot(90.0)], [WIDE])) == [2]
    assert own(sheet([*slot(60.0), *slot(90.0)], [WIDE])) == 1.0
    # Drawn in pieces, as lines are where others hide them.
    broken = [
        line((x, a), (x, b)) for x in (90.0, 100.0) for a, b in ((120.0, 131.0), (131.0, 140.0))
    ]
    assert places(sheet([*slot(60.0), *broken], [WIDE])) == [2]


@pytest.mark.parametrize(
    "second",
    [
        [],
        slot(90.0, 10.1),
        slot(90.0, 10.0)[:1],
        [line((90, 120), (90, 140)), line((100, 120), (100, 138))],
        [line((90, 120), (90, 140)), line((100, 123), (100, 143))],
        slot(60.0),
    ],
)
def test_what_is_not_the_same_does_not_count(second):
    drawn = sheet([*slot(60.0), *second], [WIDE])
    assert places(drawn) == [1]
    assert own(drawn) == 0.0


def test_distances_of_circles_are_found_again():
    holes = [circle((60.0 + 40.0 * n + d, 125.0), 2.0) for n in (0, 1) for d in (0.0, 10.0)]
    dim = width(text="2× 20", points=((60.0, 125.0), (70.0, 125.0)), line_at=(65.0, 100.0))
    assert places(sheet(holes, [dim])) == [2]
    odd = [*holes[:3], circle((110.0, 125.0), 3.0)]
    assert places(sheet(odd, [dim])) == [1]


CHAIN = width(text="3× 20 (= 60)", points=((60.0, 125.0), (90.0, 125.0)), line_at=(65.0, 100.0))


def test_a_chain_tells_its_steps_and_their_sum():
    assert [(s.value, s.count) for s in said(CHAIN.text)] == [(20.0, 3), (60.0, 1)]
    holes = [circle((60.0 + 10.0 * n, 125.0), 2.0) for n in range(4)]
    drawn = sheet(holes, [CHAIN])
    assert own(drawn) == 1.0
    assert sorted((round(r.value, 9), r.places) for r in read_back(drawn)[0]) == [(20, 3), (60, 1)]
    uneven = [*holes[:2], circle((81.0, 125.0), 2.0), holes[3]]
    assert own(sheet(uneven, [CHAIN])) == 0.5
    wrong = CHAIN.model_copy(update={"text": "3× 21 (= 60)"})
    reasons = [u.reason for u in read_back(sheet(holes, [wrong]))[1]]
    assert reasons == ["prints 21, measures 20"]


def test_an_angle_is_counted_by_lines_of_its_slope():
    legs = [line((180.0 + d, 110.0), (205.0 + d, 135.0)) for d in (0.0, -60.0)]
    twice = angle(text="2× 45°")
    assert own(sheet(legs, [twice])) == 1.0
    # The other way round is the same slope, a longer line along the first one is the first one.
    assert own(sheet([legs[0], line((100, 140), (120, 120))], [twice])) == 1.0
    assert own(sheet([legs[0], line((205.0, 135.0), (210.0, 140.0))], [twice])) == 0.0
    assert own(sheet([legs[0], line((100, 140), (120, 121))], [twice])) == 0.0


FRONT = {"id": "front", "scale": 1.0, "origin": (50.0, 110.0), "box": ((50, 110), (130, 150))}
TOP = {
    "id": "top",
    "camera": CAMERAS["top"],
    "scale": 1.0,
    "origin": (50.0, 60.0),
    "box": ((50, 60), (130, 80)),
}
HOLES = [(60.0, 120.0), (110.0, 120.0), (60.0, 140.0), (110.0, 140.0)]


def drilled(*bores: float, depth: float = 6.0, text: str = "4× ⌀8 ↧ 6") -> Sheet:
    """Four holes seen from the front, and bores at some x in the view from above."""
    strokes = [circle(at, 4.0) for at in HOLES]
    for x in bores:
        strokes += [line((x + s, 60.0), (x + s, 60.0 + depth), "hidden") for s in (-4.0, 4.0)]
    note = Leader(
        view="front", text=text, points=((114.0, 140.0), (125, 160), (145, 160)), text_at=(135, 163)
    )
    return sheet(strokes, [note], views=(view(**FRONT), view(**TOP)))


def test_holes_one_behind_the_other_share_the_bore_that_tells_their_depth():
    assert own(drilled(60.0, 110.0)) == 1.0
    value = match(drilled(60.0), own_dimensions(drilled(60.0))).values[1]
    assert not value.found and value.reason == "2 of 4 seen"
    assert own(drilled(60.0, 110.0, depth=5.0)) == 0.5


def test_a_bore_that_no_hole_is_in_line_with_tells_nothing_of_four():
    value = match(drilled(85.0), own_dimensions(drilled())).values[1]
    assert not value.found


def countersunk(half: float, mouth: float = 5.0) -> Sheet:
    """A countersink ⌀10 in the view from above; `half` is half its angle."""
    deep = (mouth - 2.5) / math.tan(math.radians(half))
    sides = [line((85.0 + s * mouth, 60.0), (85.0 + s * 2.5, 60.0 + deep)) for s in (-1, 1)]
    rings = [circle((85.0, 130.0), r) for r in (2.5, 5.0)]
    note = Leader(
        view="front",
        text="⌀5 ⌵ ⌀10 × 90°",
        points=((90.0, 130.0), (125, 160), (145, 160)),
        text_at=(135, 163),
    )
    return sheet([*rings, *sides], [note], views=(view(**FRONT), view(**TOP)))


def test_a_countersink_is_measured_where_a_view_shows_its_sides():
    assert own(countersunk(45.0)) == 1.0
    for other in (countersunk(41.0), countersunk(45.0, mouth=4.8)):
        found = match(other, own_dimensions(other))
        assert [v.dimension.type for v in found.values if not v.found] == ["angle"]
        assert found.uncounted[0].reason == "no view shows a countersink of 90°"


def rounded(centre: tuple[float, float]) -> Stroke:
    arc = Arc(centre=centre, radius=5.0, start=0.0, sweep=0.5 * math.pi)
    return Stroke(layer="visible", shape=arc)


def test_radii_are_counted_in_views_from_other_sides_as_well():
    note = Leader(
        view="front", text="3× R5", points=((65.0, 120.0), (75, 160), (95, 160)), text_at=(85, 163)
    )
    views = (view(**FRONT), view(**TOP))
    strokes = [rounded((60.0, 120.0)), rounded((80.0, 120.0))]
    assert own(sheet([*strokes, rounded((60.0, 70.0))], [note], views=views)) == 1.0
    assert own(sheet(strokes, [note], views=views)) == 0.0
    # The same arc again, seen along the same line of sight, is no third one.
    twin = view(**(TOP | {"id": "rear", "camera": CAMERAS["front"]}))
    again = sheet([*strokes, rounded((60.0, 70.0))], [note], views=(view(**FRONT), twin))
    assert own(again) == 0.0


def test_an_oblique_hole_is_measured_across_its_ellipse():
    def rim(x: float) -> Stroke:
        shape = EllipseArc(
            centre=(x, 130.0), major=(0.0, 5.0), ratio=0.5, start=0.0, sweep=2 * math.pi
        )
        return Stroke(layer="visible", shape=shape)

    def note(text: str) -> list[Dim]:
        return [
            Leader(
                view="front", text=text, points=((60, 135), (75, 160), (95, 160)), text_at=(85, 163)
            )
        ]

    where = {"views": (view(**FRONT),)}
    assert own(sheet([rim(60.0)], note("⌀10"), **where)) == 1.0
    assert own(sheet([rim(60.0)], note("⌀9"), **where)) == 0.0
    # Both rims of one hole are one, and two holes are two.
    twice = SheetDimension(label="2× ⌀10", type="diameter", value=10.0, count=2)
    both = sheet([rim(60.0), rim(64.0)], note("2× ⌀10"), **where)
    assert match(both, [twice]).match == 0.0
    apart = sheet([rim(60.0), rim(90.0)], note("2× ⌀10"), **where)
    assert match(apart, [twice]).match == 1.0


def test_a_count_in_a_detail_is_borne_out_by_its_view():
    detail = {
        "id": "detail-B",
        "scale": 2.0,
        "origin": (70.0, 50.0),
        "box": ((80.0, 60.0), (120.0, 120.0)),
    }
    views = (view(**FRONT), view(**detail))
    dim = width(
        view="detail-B",
        text="2× 10",
        points=((90.0, 70.0), (110.0, 70.0)),
        line_at=(100.0, 65.0),
        text_at=(100.0, 66.0),
    )
    # The slot at 60 … 70 of the front view, enlarged twice.
    enlarged = [line((x, 70.0), (x, 110.0)) for x in (90.0, 110.0)]
    frame = rectangle(50.0, 110.0, 80.0, 40.0)
    assert own(sheet([*frame, *slot(60.0), *slot(100.0), *enlarged], [dim], views=views)) == 1.0
    assert own(sheet([*frame, *slot(60.0), *enlarged], [dim], views=views)) == 0.0
