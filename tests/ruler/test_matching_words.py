"""Features and their fates in plain words."""

from __future__ import annotations

import pytest
from made_features import boss, chamfer, fillet, groove, hole, one_of_each, slot, thread

from gaugeblock.records.feature_match import ParameterChange
from gaugeblock.ruler.matching.wording import at, changed, described, number, shifted


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        (hole(), "hole ⌀8 through"),
        (hole(through=False, depth=12.5), "hole ⌀8 × 12.5 deep"),
        (hole(counterbore=(11, 2)), "hole ⌀8 through, counterbore ⌀11 × 2"),
        (hole(countersink=(12, 90)), "hole ⌀8 through, countersink ⌀12 × 90°"),
        (boss(), "boss ⌀20 × 6 high"),
        (slot(), "slot 20 × 6 × 4 deep"),
        (slot(kind="breakthrough", through=True), "breakthrough 20 × 6 through"),
        (slot(kind="pocket", length=None, width=None), "pocket 4 deep"),
        (groove(), "outer groove ⌀18, 2 wide, 1 deep"),
        (groove(where="internal"), "inner groove ⌀18, 2 wide, 1 deep"),
        (chamfer(), "chamfer 2 × 45°, convex"),
        (fillet(), "fillet R3, convex"),
        (thread(), "external thread M8x1.25 × 20 long"),
        (
            thread(designation=None, hand="left", starts=2),
            "external thread ⌀8 pitch 1.25 left-hand 2 starts × 20 long",
        ),
    ],
)
def test_a_feature_in_words(feature, words):
    assert described(feature) == words


def test_every_kind_has_a_plural():
    for feature in one_of_each():
        words = described(feature, 3)
        assert words.startswith("3 ")
        assert words.split()[1 if feature.kind not in ("groove", "thread") else 2].endswith("s")
    assert described(boss(), 2).startswith("2 bosses ⌀20")


@pytest.mark.parametrize(
    ("value", "text"),
    [(8.0, "8"), (8.5, "8.5"), (-0.0, "0"), (0.0004, "0.0004"), (12.34567, "12.346"), (120, "120")],
)
def test_numbers_are_short_and_never_hide_a_difference(value, text):
    assert number(value) == text


def test_a_small_change_is_not_told_as_none():
    change = ParameterChange(parameter="diameter", reference=12.0, candidate=12.0001, unit="mm")
    assert changed([change]) == "diameter 12 → 12.0001 mm"


def test_a_place_without_noise():
    assert at((1e-7, -2.69e-5, 20.0)) == "at (0, 0, 20)"


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        ((0.5, 0, 0), "moved 0.5 mm along +x"),
        ((0, 0, -2), "moved 2 mm along −z"),
        ((1e-4, 0.2, 0), "moved 0.2 mm along +y"),
        ((3, 4, 0), "moved 5 mm by (3, 4, 0)"),
    ],
)
def test_a_shift_in_words(shift, words):
    assert shifted(shift) == words
