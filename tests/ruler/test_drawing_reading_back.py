"""`drawingMatch`: what is borne out by lines counts, and nothing else."""

import math
import random
from itertools import pairwise

import pytest
from drawing_sheets import (
    HOLES,
    RADIUS,
    angle,
    circle,
    fillet,
    height,
    holes,
    line,
    lines,
    pitch,
    plate,
    sheet,
    view,
    width,
)

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.printed import said
from gaugeblock.ruler.drawing.reading_back import match, own_dimensions, read_back
from gaugeblock.ruler.drawing.sheet import Leader, LinearDim, Sheet, Table
from gaugeblock.ruler.spectrum.tolerances import check_sheet
from gaugeblock.ruler.views.shapes import TURN, Arc


def asked(type_="length", value=160.0, **more):
    return SheetDimension(label=more.pop("label", "x"), type=type_, value=value, **more)


def share(drawn, *dimensions):
    return match(drawn, list(dimensions)).match


def test_a_sheet_bears_out_its_own_dimensions():
    found = match(plate(), own_dimensions(plate()))
    assert found.match == 1.0 and found.asked == 6 and found.uncounted == []
    by_label = {value.dimension.label: value for value in found.values}
    assert by_label["160"].measured == pytest.approx([160.0], abs=1e-9)
    assert by_label["4× ⌀12 H7"].measured == pytest.approx([12.0], abs=1e-9)
    assert by_label["45°"].measured == pytest.approx([45.0], abs=1e-9)
    assert by_label["R20"].views == ["front"]


def test_values_are_measured_and_not_read():
    readings, _ = read_back(plate())
    told = sorted((r.type, round(r.value, 9), r.places) for r in readings)
    assert told == [
        ("angle", 45.0, 1),
        ("diameter", 12.0, 4),
        ("length", 80.0, 1),
        ("length", 120.0, 1),
        ("length", 160.0, 1),
        ("radius", 20.0, 1),
    ]


@pytest.mark.parametrize(
    ("dim", "word"),
    [
        (width(points=((50.0, 110.1), (130.0, 108.0))), "end point"),
        (width(points=((50.0, 110.0), (130.05, 110.0))), "end point"),
        (width(points=((50.05, 110.0), (130.05, 110.0))), "end point"),
        (width(text="161"), "prints 161, measures 160"),
        (width(text="⌀160"), "prints a diameter"),
        (width(text="see note"), "no size"),
        (width(view="rear"), "no such view"),
        (pitch(points=((61.0, 120.0), (121.0, 120.0))), "end point"),
        (holes(points=((90.0, 130.0), (135, 160), (155, 160))), "no circle"),
        (holes(text="4× ⌀11"), "prints 11, measures 12"),
        (holes(text="4× R12"), "prints 12, measures 6"),
        (fillet(centre=(190.5, 135.0)), "no such circle"),
        (fillet(on=(200.0, 135.0)), "no such circle"),
        (fillet(text="⌀20"), "prints a diameter"),
        (angle(points=((215.0, 111.0), (205.0, 135.0))), "leg"),
        (angle(apex=(180.0, 115.0), points=((215.0, 115.0), (205.0, 140.0))), "leg"),
        (angle(text="44°"), "prints 44, measures 45"),
    ],
)
def test_what_is_not_borne_out_does_not_count(dim, word):
    drawn = sheet(lines(), [dim])
    readings, uncounted = read_back(drawn)
    assert readings == [] and len(uncounted) == 1
    assert word in uncounted[0].reason and uncounted[0].text == dim.text
    own = own_dimensions(drawn)
    assert not any(value.found for value in match(drawn, own).values)


def test_dimensions_without_lines_all_float():
    found = match(sheet([], list(plate().dims)), own_dimensions(plate()))
    assert found.match == 0.0 and len(found.uncounted) == 6


def test_a_wrong_scale_spoils_lengths_and_leaves_angles():
    wrong = plate().model_copy(update={"views": (view(scale=1.0),)})
    found = match(wrong, own_dimensions(plate()))
    assert {v.dimension.type for v in found.values if v.found} == {"angle"}


def test_lines_of_another_view_bear_nothing_out():
    far = plate().model_copy(update={"views": (view(box=((0.0, 0.0), (20.0, 20.0))),)})
    assert match(far, own_dimensions(plate())).match == 0.0


def test_a_count_needs_as_many_circles():
    fewer = [s for s in lines() if not (isinstance(s.shape, Arc) and s.shape.centre == HOLES[0])]
    value = match(sheet(fewer, [holes()]), own_dimensions(plate())[2:3]).values[0]
    assert not value.found and value.reason == "3 of 4 seen"
    assert share(sheet(fewer, [holes()]), asked("diameter", 12.0, count=3)) == 1.0
    # Two circles around one middle are one place.
    twice = [*fewer, circle(HOLES[1], RADIUS)]
    assert share(sheet(twice, [holes()]), asked("diameter", 12.0, count=4)) == 0.0


def test_each_place_serves_once():
    drawn = sheet(lines(), [width(), holes()])
    found = match(drawn, [asked(), asked(), asked("diameter", 12.0, count=2)] * 2)
    assert [value.found for value in found.values].count(True) == 3
    reasons = {value.reason for value in found.values if not value.found}
    assert reasons == {"what measures so serves other dimensions"}


def test_the_best_assignment_is_found_whatever_the_order():
    # 160 fits both, 160.4 only the wide one: greedy in this order would lose one.
    wide = asked(value=160.2, upper=0.5, lower=-0.5)
    narrow = asked(value=160.4, upper=0.1, lower=-0.1)
    more = line((50.0, 105.0), (130.2, 105.0))
    second = width(points=((50.0, 105.0), (130.2, 105.0)), text="160.4")
    drawn = sheet([*lines(), more], [width(), second], views=(view(box=None),))
    for order in ([wide, narrow], [narrow, wide]):
        assert share(drawn, *order) == 1.0


@pytest.mark.parametrize(
    ("dimension", "hit"),
    [
        # ISO 2768-m: ± 0.5 over 120 up to 400 mm, ± 0.2 over 6 up to 30 mm, ± 5′.
        (asked(value=160.5), True),
        (asked(value=160.51), False),
        (asked("diameter", 12.2), True),
        (asked("diameter", 12.21), False),
        (asked("angle", 45.08), True),
        (asked("angle", 45.09), False),
        (asked(value=160.5, upper=-0.4, lower=-0.6), True),
        (asked(value=160.5, upper=0.0, lower=-0.4), False),
        (asked("radius", 160.0), False),
    ],
)
def test_limits(dimension, hit):
    value = match(plate(), [dimension]).values[0]
    assert value.found is hit and (value.reason is None) is hit


def test_what_no_table_covers_needs_its_own_limits():
    with pytest.raises(WrongUse, match=r"0\.3 mm an upper"):
        check_sheet([asked(value=0.3)])
    check_sheet([asked(value=0.3, upper=0.1, lower=-0.1), asked("angle", 0.3)])


def test_nothing_asked_is_no_share():
    found = match(plate(), [])
    assert found.match is None and found.asked == 0


def moved(drawn: Sheet, dx: float, dy: float) -> Sheet:
    """Shift everything on the paper."""

    def walk(value, key=""):
        if isinstance(value, dict):
            return {k: walk(v, k) for k, v in value.items()}
        pairs = ("points", "box")
        if key in pairs and value is not None:
            return [[p[0] + dx, p[1] + dy] for p in value]
        if key in ("start", "end", "centre", "on", "apex", "at", "text_at", "line_at", "origin"):
            return [value[0] + dx, value[1] + dy] if isinstance(value, list) else value
        return [walk(v) for v in value] if isinstance(value, list) else value

    plain = drawn.model_dump(mode="json")
    keep = {"title", "format", "landscape", "convention", "scale"}
    return Sheet.model_validate({k: v if k in keep else walk(v, k) for k, v in plain.items()})


def test_neither_place_nor_order_matters():
    shifted = moved(plate(), 13.7, -21.3)
    assert shifted.dims[0].points[0] == pytest.approx((63.7, 88.7))
    assert match(shifted, own_dimensions(plate())).match == 1.0
    mixed = random.Random(1)
    strokes, dims, own = list(plate().strokes), list(plate().dims), own_dimensions(plate())
    for pile in (strokes, dims, own):
        mixed.shuffle(pile)
    found = match(sheet(strokes, dims), own)
    assert found.match == 1.0
    assert [value.dimension for value in found.values] == own


def test_a_chamfer_of_a_turned_part_counts_once():
    # A shaft ⌀40 × 60 with 2×45° at its right end, at 1:1.
    outline = [(60, 100), (118, 100), (120, 102), (120, 138), (118, 140), (60, 140), (60, 100)]
    strokes = [line(a, b) for a, b in pairwise(outline)]
    strokes.append(line((118, 100), (118, 140)))
    note = Leader(
        view="front", text="2×45°", points=((119, 139), (130, 160), (140, 160)), text_at=(135, 163)
    )
    drawn = sheet(strokes, [note], views=(view(scale=1.0, box=None),))
    assert share(drawn, asked("length", 2.0), asked("angle", 45.0)) == 1.0
    counted = note.model_copy(update={"text": "2× 2×45°"})
    drawn = sheet(strokes, [counted], views=(view(scale=1.0, box=None),))
    assert share(drawn, asked("length", 2.0, count=2)) == 0.0


def test_steps_of_one_diameter_are_counted_along_the_axis():
    strokes = [line((x, y), (x + 20, y)) for x in (60, 100) for y in (110, 130)]
    dim = LinearDim(
        view="front",
        text="2× ⌀20",
        points=((60, 110), (60, 130)),
        line_at=(50, 120),
        angle=0.5 * math.pi,
        text_at=(47, 120),
        diameter=True,
    )
    where = {"views": (view(scale=1.0, box=None),)}
    assert share(sheet(strokes, [dim], **where), asked("diameter", 20.0, count=2)) == 1.0
    assert share(sheet(strokes[:2], [dim], **where), asked("diameter", 20.0, count=2)) == 0.0
    joined = [*strokes, line((80, 110), (100, 110)), line((80, 130), (100, 130))]
    assert share(sheet(joined, [dim], **where), asked("diameter", 20.0, count=2)) == 0.0


def test_a_depth_is_seen_as_the_length_of_a_bore():
    ring = [circle((90, 130), 4.0)]
    note = Leader(
        view="front", text="⌀8 ↧ 16", points=((94, 130), (130, 160), (140, 160)), text_at=(135, 163)
    )
    side = [line((200, 126), (216, 126), "hidden"), line((200, 134), (216, 134), "hidden")]
    where = {"views": (view(scale=1.0, box=None),)}
    wanted = (asked("diameter", 8.0), asked("length", 16.0))
    assert share(sheet(ring + side, [note], **where), *wanted) == 1.0
    shorter = [side[0], line((200, 134), (215, 134), "hidden")]
    for lines_ in (ring, ring + side[:1], ring + shorter):
        found = match(sheet(lines_, [note], **where), list(wanted))
        assert [value.found for value in found.values] == [True, False]
        assert found.uncounted[0].reason == "no view shows a bore 16 deep"


def test_a_length_may_stand_on_the_side_of_a_circle():
    ring = [circle((90.0, 130.0), 10.0)]
    dim = width(text="40", points=((80.0, 130.0), (100.0, 130.0)))
    assert share(sheet(ring, [dim]), asked(value=40.0)) == 1.0
    aslant = width(
        text="28.284",
        points=tuple(
            (90.0 + s * 10.0 * math.sqrt(0.5), 130.0 + 10.0 * math.sqrt(0.5)) for s in (-1, 1)
        ),
    )
    assert read_back(sheet(ring, [aslant]))[0] == []


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("4× ⌀8 H7 ↧ 16", [("diameter", 8, 4), ("length", 16, 4)]),
        ("⌀6.6 ⌴ ⌀11 ↧ 6.5", [("diameter", 6.6, 1), ("diameter", 11, 1), ("length", 6.5, 1)]),
        ("⌵ ⌀10 × 90°", [("diameter", 10, 1), ("angle", 90, 1)]),
        ("1×45°", [("length", 1, 1), ("angle", 45, 1)]),
        ("8× 30°", [("angle", 30, 8)]),
        ("M8x1.25 – 6g ↧ 12", [("diameter", 8, 1), ("length", 12, 1)]),
        ("Tr20 2 starts", []),
        ("20 +0.1/−0.05", [("length", 20, 1)]),
        ("⌀12h6", [("diameter", 12, 1)]),
        ("R2.5", [("radius", 2.5, 1)]),
        ("", []),
    ],
)
def test_printed_texts(text, sizes):
    assert [(size.type, size.value, size.count) for size in said(text)] == sizes


def test_a_whole_circle_is_as_good_as_its_arcs():
    parts = [
        line((50.0, 110.0), (130.0, 110.0)).model_copy(
            update={"shape": Arc(centre=at, radius=RADIUS, start=a, sweep=0.5 * TURN)}
        )
        for at in HOLES
        for a in (0.0, math.pi)
    ]
    assert share(sheet(parts, [holes()]), asked("diameter", 12.0, count=4)) == 1.0


def test_height_is_taken_upright():
    assert share(sheet(lines(), [height()]), asked(value=80.0, upper=1e-9, lower=-1e-9)) == 1.0


def test_an_angle_may_start_at_a_level_through_the_end_of_its_line():
    leg = line((180.0, 110.0), (205.0, 135.0))
    assert share(sheet([leg], [angle()]), asked("angle", 45.0)) == 1.0
    tilted = angle(points=((215.0, 112.0), (205.0, 135.0)), text="41.73°")
    assert read_back(sheet([leg], [tilted]))[0] == []
    off = angle(apex=(181.0, 111.0), points=((215.0, 111.0), (205.0, 135.0)))
    assert read_back(sheet([leg], [off]))[0] == []


def test_rows_of_a_table_of_holes_are_told_as_not_read_back():
    rows = (("Hole", "X", "Y", "Size"), ("A1", "10", "10", "⌀6"), ("A2", "70", "10", "⌀6"))
    table = Table(at=(200, 190), columns=(12, 10, 10, 10), rows=rows)
    tabled = plate().model_copy(update={"tables": (table,)})
    assert match(tabled, own_dimensions(tabled)).unread_rows == 2
    assert match(plate(), own_dimensions(plate())).unread_rows == 0
