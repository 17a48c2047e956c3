"""Tolerances behind printed sizes, and what stands on a sheet as a list."""

from __future__ import annotations

import pytest
from drawing_parts import drawn, hole
from ruler_shapes import box, cut, cylinder

from gaugeblock.records.drawing import Toleranced
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.collisions import collisions
from gaugeblock.ruler.drawing.listing import listed
from gaugeblock.ruler.drawing.printed import said
from gaugeblock.ruler.drawing.reading_back import match
from gaugeblock.ruler.drawing.sheet import Sheet
from gaugeblock.ruler.drawing.tolerancing import with_tolerances
from gaugeblock.ruler.drawing.wishes import Linear, Note, Spot, Wishes

FIT = Toleranced(type="diameter", value=8, suffix="H7", upper=0.015, lower=0)
EVEN = Toleranced(type="length", value=60, suffix="±0.05", upper=0.05, lower=-0.05)


def two_holes(**options: object) -> Sheet:
    """A plate 100 × 60 × 20 with two holes ⌀8, through, 60 apart."""
    spots = ((20.0, 30.0, 20.0), (80.0, 30.0, 20.0))
    part = box(100, 60, 20)
    for x, y, _ in spots:
        part = cut(part, cylinder(4, 20, at=(x, y, 0)))
    features = [hole(part, n, spot, 4, 20) for n, spot in enumerate(spots, 1)]
    return drawn(part, features, **options)


def entry(label: str, **fields: object) -> SheetDimension:
    return SheetDimension.model_validate({"label": label, **fields})


def test_every_size_of_a_value_has_its_tolerance_printed():
    sheet = two_holes(toleranced=(FIT, EVEN))
    # The plate is 60 wide and the holes are 60 apart: both print the tolerance.
    assert sorted(dim.text for dim in sheet.dims) == sorted(
        ["100", "60 ±0.05", "20", "2× ⌀8 H7", "60 ±0.05", "20", "30"]
    )
    assert not sheet.notes and not collisions(sheet)


def test_the_list_is_what_stands_printed():
    found = listed(two_holes(toleranced=(FIT, EVEN)), (FIT, EVEN))
    by_label = {dim.label: dim for dim in found}
    assert len(found) == 7
    assert by_label["2× ⌀8 H7"] == entry(
        "2× ⌀8 H7", type="diameter", value=8, count=2, upper=0.015, lower=0
    )
    assert by_label["60 ±0.05"].upper == 0.05 and by_label["60 ±0.05"].lower == -0.05
    assert by_label["100"].upper is None and by_label["100"].lower is None


def test_a_list_is_drawn_and_found_again_whole():
    dimensions = listed(two_holes(toleranced=(FIT, EVEN)), (FIT, EVEN))
    again = match(two_holes(dimensions=dimensions), dimensions)
    assert (again.found, again.asked) == (7, 7)
    # A negative control: one diameter that the part has not.
    wrong = [*dimensions, entry("⌀9", type="diameter", value=9)]
    assert match(two_holes(dimensions=wrong), wrong).found == 7


def test_what_fits_nothing_is_told():
    lost = Toleranced(type="radius", value=8, suffix="±0.1", upper=0.1, lower=-0.1)
    sheet = two_holes(toleranced=(lost,))
    assert sheet.notes == ("no radius 8 for its tolerance ±0.1",)
    assert sorted(dim.text for dim in sheet.dims) == sorted(d.text for d in two_holes().dims)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("⌀8", "⌀8 H7"),
        ("4× ⌀8 ↧ 16", "4× ⌀8 H7 ↧ 16"),
        ("⌀5 ⌴ ⌀8 ↧ 4", "⌀5 ⌴ ⌀8 H7 ↧ 4"),
        ("⌀8.01", "⌀8.01"),
        ("8", "8"),
        ("R8", "R8"),
        ("M8x1.25 – 6H", "M8x1.25 – 6H"),
    ],
)
def test_a_tolerance_stands_behind_its_own_size(text: str, shown: str):
    wishes = Wishes(notes=[Note(text, (Spot(centre=(0, 0, 0)),))])  # type: ignore[arg-type]
    (note,) = with_tolerances(wishes, (FIT,)).notes
    assert note.text == shown
    # What is printed behind a size never reads as one.
    assert said(shown) == said(text)


def test_chains_of_equal_steps_keep_their_text():
    chain = Linear(0, (0.0, 60.0), "3× 20 (= 60)")
    found = with_tolerances(Wishes(linear=[chain]), (EVEN,))
    assert found.linear[0].text == chain.text
    assert found.told == ["no length 60 for its tolerance ±0.05"]


@pytest.mark.parametrize(
    ("suffix", "upper", "lower"),
    [
        ("±0.05", 0.05, -0.04),  # says another
        ("+0.1/0", 0.1, 0.01),  # the nominal size lies outside
        ("P9", -0.015, -0.051),
        ("-0.05", 0, -0.05),  # would read as a size
        ("in 8", 0.1, -0.1),
    ],
)
def test_a_suffix_says_its_deviations(suffix: str, upper: float, lower: float):
    with pytest.raises(WrongUse):
        Toleranced.build(
            {"type": "length", "value": 8, "suffix": suffix, "upper": upper, "lower": lower}, "here"
        )


def test_entries_of_one_label_share_one_note():
    """`⌀8 ↧ 12` is two entries and stands once on the drawing; the same again is another hole."""
    spots = ((20.0, 30.0, 20.0), (80.0, 30.0, 20.0))
    part = box(100, 60, 20)
    for x, y, _ in spots:
        part = cut(part, cylinder(4, 12, at=(x, y, 8)))
    features = [hole(part, n, spot, 4, 12, through=False) for n, spot in enumerate(spots, 1)]
    pair = [
        entry("2× ⌀8 ↧ 12", type="diameter", value=8, count=2),
        entry("2× ⌀8 ↧ 12", type="length", value=12, count=2),
    ]
    sheet = drawn(part, features, dimensions=tuple(pair))
    assert [dim.text for dim in sheet.dims] == ["2× ⌀8 ↧ 12"]
    assert match(sheet, pair).found == 2


def test_a_size_within_its_tolerance_is_drawn_as_it_is():
    """The plate is 100 × 60 × 20 with ⌀8: the list asks for nearly that."""
    near = (
        entry("100.2", type="length", value=100.2),  # ISO 2768-m: ± 0.3
        entry("60 ±0.05", type="length", value=60.04, upper=0.05, lower=-0.05),
        entry("2× ⌀7.9", type="diameter", value=7.9, count=2),  # ± 0.2
    )
    sheet = two_holes(dimensions=near)
    assert sorted(dim.text for dim in sheet.dims) == ["100", "2× ⌀8", "60 ±0.05"]
    assert match(sheet, near).found == 3
    far = (
        entry("100.4", type="length", value=100.4),
        entry("60.1 ±0.05", type="length", value=60.1, upper=0.05, lower=-0.05),
        entry("2× ⌀7.7", type="diameter", value=7.7, count=2),
    )
    beyond = two_holes(dimensions=far)
    assert match(beyond, far).found == 0 and not beyond.dims


def test_an_exact_size_is_not_taken_by_a_near_one():
    wanted = (
        entry("20.1", type="length", value=20.1),
        entry("20", type="length", value=20),
        entry("20", type="length", value=20),
    )
    # 20 thick, and 20 to the first hole's axis and from the last: three sizes, two of them asked.
    assert match(two_holes(dimensions=wanted), wanted).found == 3
    assert match(two_holes(dimensions=wanted[1:]), wanted[1:]).found == 2
