"""The middle of all slopes, found without writing all of them out."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaugeblock.analysis import pair_slopes
from gaugeblock.analysis.pair_slopes import ordered_slopes


def pairs_of(groups):
    return [
        (sorted(groups[a]), sorted(groups[b]), b - a) for a, b in combinations(sorted(groups), 2)
    ]


def all_slopes(groups):
    return sorted(
        (y - x) / (b - a)
        for a, b in combinations(sorted(groups), 2)
        for x in groups[a]
        for y in groups[b]
    )


FIGURES = st.lists(st.integers(-5, 5) | st.floats(-1e6, 1e6), min_size=1, max_size=12)


@settings(deadline=None)
@given(st.dictionaries(st.integers(1, 800), FIGURES, min_size=2, max_size=4), st.data())
@pytest.mark.parametrize("held", [0, 1 << 18])
def test_each_rank_is_that_of_all_slopes(held, groups, data):
    whole = all_slopes(groups)
    ranks = sorted(data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=4)))
    before = pair_slopes.MOST_HELD
    pair_slopes.MOST_HELD = held  # 0: always by a window
    try:
        assert ordered_slopes(pairs_of(groups), ranks) == [whole[rank] for rank in ranks]
    finally:
        pair_slopes.MOST_HELD = before


@pytest.mark.parametrize("kind", ["spread", "tied", "equal"])
def test_many_trials(kind):
    chance = random.Random(3)
    draw = {
        "spread": lambda: chance.lognormvariate(0, 1),
        "tied": lambda: float(chance.randint(0, 4)),
        "equal": lambda: 7.0,
    }[kind]
    groups = {n: [draw() for _ in range(300)] for n in (12.0, 48.0, 105.0, 768.0)}
    whole = all_slopes(groups)
    count = len(whole)
    assert count > pair_slopes.MOST_HELD
    ranks = [int(count * 0.48), (count - 1) // 2, count // 2, int(count * 0.52)]
    assert ordered_slopes(pairs_of(groups), ranks) == [whole[rank] for rank in ranks]
