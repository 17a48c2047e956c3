"""Sheet values found in spectra: tolerances, one place each, and what must not be found."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
import ruler_shapes as shapes
import spectrum_shapes as made
from pydantic import ValidationError
from spectrum_shapes import asked, take

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.spectrum import SheetDimension, SheetMatch, Spectrum
from gaugeblock.ruler.spectrum.matching import match_sheet
from gaugeblock.ruler.spectrum.tolerances import BROKEN_EDGE, LINEAR, angular_deviation, step_of

BOX = [asked("length", size) for size in (10, 20, 30)]


def flags(match: SheetMatch) -> list[bool]:
    return [value.found for value in match.values]


def spectrum_with(**dimensions: list[tuple[float, int]]) -> Spectrum:
    """A spectrum of given (value, places) by kind, `plane_distance` and so on."""
    like = take(shapes.box(10, 20, 30))
    made_up = [
        like.dimensions[3].model_copy(
            update={
                "kind": kind.replace("_", "-"),
                "value": value,
                "count": places,
                "serves": places,
                "instances": [like.dimensions[3].instances[0]] * places,
            }
        )
        for kind, values in dimensions.items()
        for value, places in values
    ]
    return like.model_copy(update={"dimensions": made_up})


def test_a_box_has_its_three_lengths() -> None:
    match = match_sheet(take(shapes.box(10, 20, 30)), BOX)
    assert (match.found, match.asked, match.recall, match.extended_recall) == (3, 3, 1.0, 1.0)
    assert all(value.tolerance == "ISO 2768-m" for value in match.values)
    assert [hit.kind for value in match.values for hit in value.hits] == ["plane-distance"] * 3


def test_a_wrong_part_loses_recall_and_the_nearest_miss_is_told() -> None:
    match = match_sheet(take(shapes.box(10, 20, 31)), BOX)
    assert flags(match) == [True, True, False]
    assert match.recall == pytest.approx(2 / 3)
    nearest = match.values[2].nearest
    assert nearest is not None
    assert (nearest.kind, nearest.value) == ("plane-distance", pytest.approx(31))
    assert nearest.deviation == pytest.approx(1)


def test_edges_do_not_give_a_length_a_second_time() -> None:
    """Four edges and one distance of 20 are one length: a second 20 is not there."""
    twice = [*BOX, asked("length", 20)]
    assert match_sheet(take(shapes.box(10, 20, 30)), twice).found == 3
    assert match_sheet(take(shapes.box(20, 20, 30)), twice).found == 3
    assert match_sheet(take(shapes.box(20, 20, 30)), twice[1:]).found == 3


def test_more_than_there_are_is_not_found() -> None:
    plate = take(made.drilled_plate(hole=3.3))
    assert match_sheet(plate, [asked("diameter", 6.6, 4)]).recall == 1.0
    five = match_sheet(plate, [asked("diameter", 6.6, 5)])
    assert five.recall == 0.0
    assert five.values[0].reason == "4 of 5 found"
    assert five.values[0].hits[0].count == 4
    split = match_sheet(plate, [asked("diameter", 6.6, 4), asked("diameter", 6.6)])
    assert split.found == 1


def test_one_shallow_counterbore_is_missed() -> None:
    sheet = [asked("length", 4, 4), asked("diameter", 11, 4)]
    assert match_sheet(take(made.counterbored()), sheet).recall == 1.0
    shallow = match_sheet(take(made.counterbored((4, 4, 4, 3))), sheet)
    assert flags(shallow) == [False, True]


def test_types_do_not_serve_each_other() -> None:
    """⌀25 × 80: no length of 25, no diameter of 80, and no full circle is a radius."""
    shaft = take(shapes.cylinder(12.5, 80))
    sheet = [asked("length", 25), asked("diameter", 80), asked("radius", 12.5), asked("angle", 25)]
    match = match_sheet(shaft, sheet)
    assert flags(match) == [False] * 4
    assert match.values[2].reason == "the body has no radius to measure"
    assert match_sheet(shaft, [asked("diameter", 25), asked("length", 80)]).recall == 1.0


def test_a_half_round_end_may_be_given_as_diameter_or_radius_once_each() -> None:
    slot = take(made.slotted(apart=30, width=8))
    assert match_sheet(slot, [asked("radius", 4, 2)]).recall == 1.0
    assert match_sheet(slot, [asked("diameter", 8), asked("radius", 4)]).recall == 1.0
    assert match_sheet(slot, [asked("diameter", 8, 2), asked("radius", 4)]).found == 1
    half = match_sheet(slot, [asked("radius", 4)]).values[0].hits[0]
    assert (half.kind, half.reading, half.value) == ("diameter", "half", pytest.approx(8))


def test_slot_length_between_centres_is_its_straight_side_once() -> None:
    slot = take(made.slotted(apart=30, width=8))
    assert match_sheet(slot, [asked("length", 30)]).recall == 1.0
    assert match_sheet(slot, [asked("length", 30), asked("length", 30)]).found == 1


def test_angles_may_be_written_as_supplement_double_and_complement() -> None:
    wedge = take(made.extruded([(0, 0), (40, 0), (0, 30)], 12))
    small = made.degrees(30, 40)
    for value, reading in ((small, "as measured"), (180 - small, "supplement")):
        match = match_sheet(wedge, [asked("angle", value)])
        assert [hit.reading for hit in match.values[0].hits] == [reading]
    cone = take(made.frustum(20, 10, 15))
    half = made.degrees(10, 15)
    for value, reading in ((half, "as measured"), (2 * half, "double"), (90 - half, "complement")):
        match = match_sheet(cone, [asked("angle", value)])
        assert [hit.reading for hit in match.values[0].hits] == [reading]
    assert match_sheet(cone, [asked("angle", half + 3)]).recall == 0.0


def test_bearing_block_reaches_14_of_17() -> None:
    """Three refer to axes and to a point; with axes, the distance of the holes joins."""
    match = match_sheet(take(made.bearing_block()), made.BEARING_BLOCK)
    assert (match.found, match.asked) == (14, 17)
    assert match.recall == 14 / 17
    assert flags(match) == [True] * 14 + [False] * 3
    assert match.found_extended == 15
    assert match.values[14].reason == "only a distance of axes gives it"
    assert match.values[14].hits[0].kind == "axis-distance"


@pytest.mark.parametrize(
    ("change", "lost"), [({"bore": 40.1}, 8), ({"groove": 45.0}, 11), ({"bore": 39.99}, 8)]
)
def test_a_wrong_bearing_block_loses_what_is_wrong(change: dict[str, float], lost: int) -> None:
    match = match_sheet(take(made.bearing_block(**change)), made.BEARING_BLOCK)
    assert match.found == 13
    assert not match.values[lost].found


@pytest.mark.parametrize(
    ("nominal", "deviation"),
    [
        (0.5, 0.1),
        (3, 0.1),
        (6, 0.1),
        (6.01, 0.2),
        (30, 0.2),
        (30.01, 0.3),
        (120, 0.3),
        (120.01, 0.5),
        (400, 0.5),
        (400.01, 0.8),
        (1000.5, 1.2),
        (2000.5, 2.0),
        (4000, 2.0),
    ],
)
def test_general_tolerance_by_nominal(nominal: float, deviation: float) -> None:
    """On the limit is found, 1e-3 mm beyond is not."""
    for sign in (-1, 1):
        at = spectrum_with(plane_distance=[(nominal + sign * deviation, 1)])
        assert match_sheet(at, [asked("length", nominal)]).recall == 1.0
        beyond = spectrum_with(plane_distance=[(nominal + sign * (deviation + 1e-3), 1)])
        assert match_sheet(beyond, [asked("length", nominal)]).recall == 0.0


def test_external_radii_are_tolerated_more_widely_than_internal_ones() -> None:
    """ISO 2768-1: R5 of an outer edge ±0.5 (table 2), of an inner corner ±0.1 (table 1)."""
    outside = take(made.rounded(shapes.box(40, 30, 20), 5.3, upright=True))
    assert match_sheet(outside, [asked("radius", 5, 4)]).recall == 1.0
    assert match_sheet(outside, [asked("radius", 4.7, 4)]).recall == 0.0
    pocket = made.rounded(shapes.box(40, 30, 20, (10, 10, 5)), 5.3, upright=True)
    inside = take(shapes.cut(shapes.box(60, 50, 20), pocket))
    assert match_sheet(inside, [asked("radius", 5, 4)]).recall == 0.0
    assert match_sheet(inside, [asked("radius", 5.3, 4)]).recall == 1.0


@pytest.mark.parametrize(
    ("leg", "deviation"),
    [(10, 1.0), (10.1, 0.5), (50, 0.5), (120, 1 / 3), (400, 1 / 6), (401, 1 / 12)],
)
def test_angles_by_their_shorter_leg(leg: float, deviation: float) -> None:
    assert angular_deviation(leg) == pytest.approx(deviation)
    wedge = take(made.extruded([(0, 0), (40, 0), (0, 30)], 12))  # the legs of its 36.87°: 40, 50
    own = made.degrees(30, 40)
    near = asked("angle", own + deviation - 1e-2, leg=leg)
    far = asked("angle", own + deviation + 1e-2, leg=leg)
    assert match_sheet(wedge, [near]).recall == 1.0
    assert match_sheet(wedge, [far]).recall == 0.0
    if deviation == 0.5:
        assert match_sheet(wedge, [asked("angle", own + 0.49)]).recall == 1.0
        assert match_sheet(wedge, [asked("angle", own + 0.51)]).recall == 0.0


def test_own_deviations_go_first_and_may_leave_the_nominal_outside() -> None:
    box = take(shapes.box(10, 20, 30))
    fits = [({"upper": 0.01, "lower": 0.0}, True), ({"upper": -0.02, "lower": -0.05}, False)]
    for own, found in fits:
        match = match_sheet(box, [asked("length", 20, **own)])
        assert flags(match) == [found]
        assert match.values[0].tolerance == "sheet"
    assert match_sheet(box, [asked("length", 20.03, upper=-0.02, lower=-0.05)]).recall == 1.0


def test_sheet_values_without_any_tolerance_are_wrong_use() -> None:
    box = take(shapes.box(10, 20, 30))
    for value in (0.3, 5000):
        with pytest.raises(WrongUse, match="deviation"):
            match_sheet(box, [asked("length", value)])
    assert match_sheet(box, [asked("length", 0.3, upper=0.05, lower=-0.05)]).recall == 0.0
    for wrong in ({"upper": 0.1}, {"upper": -0.1, "lower": 0.1}):
        with pytest.raises(ValidationError):
            asked("length", 5, **wrong)


def test_unmeasured_spectra_and_empty_sheets_have_no_recall() -> None:
    box = take(shapes.box(10, 20, 30))
    lost = box.model_copy(
        update={
            "verdict": "could-not-measure",
            "code": "timeout",
            "reason": "slow",
            "dimensions": [],
        }
    )
    match = match_sheet(lost, BOX)
    assert (match.verdict, match.code, match.recall, match.asked) == (
        "could-not-measure",
        "timeout",
        None,
        3,
    )
    assert match_sheet(box, []).recall is None
    assert match_sheet(box, []).reason


def test_the_most_values_are_served_not_the_first() -> None:
    """10 could take either place, 10.3 only the second: both are found whatever their order."""
    both = spectrum_with(plane_distance=[(9.9, 1), (10.15, 1)])
    sheet = [asked("length", 10), asked("length", 10.3)]
    for order in itertools.permutations(sheet):
        assert match_sheet(both, list(order)).found == 2


def test_counts_take_all_or_none() -> None:
    """Three places: 2× and 1× are both served; two places serve the single one, not half of 2×."""
    pair, single = asked("length", 10, 2), asked("length", 10)
    assert match_sheet(spectrum_with(plane_distance=[(10, 3)]), [pair, single]).found == 2
    two = match_sheet(spectrum_with(plane_distance=[(10, 2)]), [pair, pair, single, single])
    assert two.found == 2
    assert flags(two) == [False, False, True, True]


def brute_force(spectrum: Spectrum, sheet: list[SheetDimension]) -> int:
    """The most sheet values that can be served, by trying every set of them and every way."""
    places = [d.value for d in spectrum.dimensions for _ in range(d.serves)]

    def serve(wanted: list[SheetDimension], left: list[float]) -> bool:
        if not wanted:
            return True
        first, *rest = wanted
        near = [p for p in left if abs(p - first.value) <= step_of(LINEAR, first.value) + 1e-4]
        for choice in itertools.combinations(near, first.count):
            remaining = list(left)
            for place in choice:
                remaining.remove(place)
            if serve(rest, remaining):
                return True
        return False

    best = 0
    for number in range(len(sheet), 0, -1):
        if any(serve(list(some), places) for some in itertools.combinations(sheet, number)):
            best = number
            break
    return best


@pytest.mark.parametrize("seed", range(25))
def test_as_good_as_trying_everything(seed: int) -> None:
    dice = random.Random(seed)
    spectrum = spectrum_with(
        plane_distance=[(round(dice.uniform(9.5, 10.5), 2), dice.randint(1, 2)) for _ in range(4)]
    )
    sheet = [
        asked("length", round(dice.uniform(9.5, 10.5), 2), dice.choice((1, 1, 2))) for _ in range(5)
    ]
    match = match_sheet(spectrum, sheet)
    assert match.found == brute_force(spectrum, sheet)
    shuffled: list[Any] = sheet[:]
    dice.shuffle(shuffled)
    again = match_sheet(spectrum, shuffled)
    assert sorted(map(repr, again.values)) == sorted(map(repr, match.values))


def test_tables_rise() -> None:
    for steps in (LINEAR, BROKEN_EDGE):
        assert list(steps) == sorted(steps)
