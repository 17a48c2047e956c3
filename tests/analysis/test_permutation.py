"""The paired test, its interval and Holm's correction, against hand and enumeration."""

import random
from itertools import combinations, product
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaugeblock.analysis.permutation import LEAST_PAIRS, holm, paired_test


def enumerated(differences):
    """p by going through all signs, in the standard library."""
    seen = sum(differences)
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    upper = sum(value >= seen - 1e-9 for value in sums)
    lower = sum(value <= seen + 1e-9 for value in sums)
    return min(1.0, 2 * min(upper, lower) / len(sums))


def test_by_hand():
    # All six differences are positive: 1 of 2⁶ arrangements is as high, so p = 2/64.
    test = paired_test([0.6, 0.8, 1.0, 0.6, 0.8, 0.4], [0.2] * 6)
    assert test.difference == pytest.approx(0.5)
    assert test.p == pytest.approx(2 / 64)
    # The only shifts refused lie outside all subset means: from the least to the largest.
    assert (test.low, test.high) == (pytest.approx(0.2), pytest.approx(0.8))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9))
def test_p_is_the_share_of_all_arrangements(tenths):
    differences = [value / 5 for value in tenths]
    assert paired_test(differences, [0.0] * len(differences)).p == pytest.approx(
        enumerated(differences)
    )


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-40, 40), min_size=6, max_size=9, unique=True))
def test_the_interval_holds_just_the_shifts_that_the_test_does_not_refuse(values):
    test = paired_test(values, [0.0] * len(values))
    n = 2 ** len(values)
    step = 1e-6

    def refused(shift):
        shifted = [value - shift for value in values]
        sums = [
            sum(s * d for s, d in zip(signs, shifted, strict=True))
            for signs in product((1, -1), repeat=len(values))
        ]
        seen = sum(shifted)
        upper, lower = sum(s >= seen for s in sums), sum(s <= seen for s in sums)
        return 2 * min(upper, lower) / n <= 0.05

    assert refused(test.low - step) and refused(test.high + step)
    assert not refused(test.low + step) and not refused(test.high - step)


def test_differences_that_cancel_out_but_for_rounding_are_none():
    # Their sum is 0 and in floating point 5.6e-17; scipy's own p is 0.875 here.
    test = paired_test([0.2, 0.6, -0.4, -0.4, 0, 0, 0, 0, 0], [0.0] * 9)
    assert test.p == 1


def test_exchanging_the_two_turns_the_sign():
    chance = random.Random(2)
    first, second = [[chance.random() for _ in range(11)] for _ in range(2)]
    one, other = paired_test(first, second), paired_test(second, first)
    assert one.p == pytest.approx(other.p)
    assert one.difference == pytest.approx(-other.difference)
    assert (one.low, one.high) == (pytest.approx(-other.high), pytest.approx(-other.low))


def test_many_cases_are_drawn_and_agree_with_the_middle():
    chance = random.Random(3)
    first = [chance.gauss(0.4, 1) for _ in range(40)]
    test = paired_test(first, [0.0] * 40)
    assert test.low < test.difference < test.high
    assert test.difference == pytest.approx(fmean(first))
    # Normal theory is near for 40 draws of a normal distribution.
    spread = (sum((v - fmean(first)) ** 2 for v in first) / 39 / 40) ** 0.5
    assert test.high - test.low == pytest.approx(2 * 2.02 * spread, rel=0.06)
    assert paired_test(first, [0.0] * 40) == test


def test_no_difference_between_like_agents_as_often_as_it_says():
    chance = random.Random(7)
    refused = 0
    for _ in range(300):
        pair = [[chance.choice((0, 0.2, 0.4, 0.6, 0.8, 1)) for _ in range(8)] for _ in range(2)]
        refused += paired_test(*pair).p <= 0.05
    assert refused / 300 <= 0.08  # 0.05 and three standard errors


@pytest.mark.parametrize("cases", range(1, LEAST_PAIRS))
def test_few_cases_never_reach_the_level_and_have_no_interval(cases):
    test = paired_test([1.0] * cases, [0.0] * cases)
    assert test.p == pytest.approx(2 / 2**cases)
    assert test.p > 0.05
    assert (test.low, test.high) == (None, None)


def test_equal_figures_are_no_difference():
    test = paired_test([0.4] * 7, [0.4] * 7)
    assert (test.difference, test.p, test.low, test.high) == (0, 1, 0, 0)


def test_no_pairs_are_refused():
    with pytest.raises(ValueError, match="no pairs"):
        paired_test([], [])
    with pytest.raises(ValueError, match="no pairs"):
        paired_test([1.0], [1.0, 2.0])


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_the_closed_test_with_bonferroni(values):
    # A hypothesis falls at level a if every set of hypotheses that holds it falls by Bonferroni.
    places = range(len(values))
    for place, corrected in enumerate(holm(values)):
        sets = [s for n in range(1, len(values) + 1) for s in combinations(places, n) if place in s]
        closed = max(min(1.0, len(s) * min(values[i] for i in s)) for s in sets)
        assert corrected == pytest.approx(closed)
