"""Two agents on the same cases: a paired permutation test, its interval, and Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaugeblock.analysis.rates import CONFIDENCE

ARRANGEMENTS = 9_999
"""Signs are exchanged in all 2^m ways where these are not more (13 cases); else in so many ways
drawn at random: scipy's default, whose p is then off by about 0.002 at 0.05."""

ALPHA = 1 - CONFIDENCE
"""Level of every verdict."""

LEAST_PAIRS = 6
"""Fewest cases for a verdict: with m cases the least p there is is 2/2^m, 0.0625 for five."""

ROUNDING = 1e-9
"""Two means count as equal within this share of the mean size of a difference: far above what sums
of floating-point numbers are off by (1e-15), far below one pass in a thousand trials."""

SEED = 20_260_102
"""Seed of the random arrangements, so that an answer can be rebuilt; its value means nothing."""


@dataclass(frozen=True)
class PairedTest:
    """What the differences of paired cases say.

    Attributes:
        difference: mean of the differences.
        p: two-sided p of no difference; twice the smaller side.
        low: lower end of the 95 % interval of the difference, None where there is none.
        high: upper end.
    """

    difference: float
    p: float
    low: float | None
    high: float | None


def paired_test(first: Sequence[float], second: Sequence[float]) -> PairedTest:
    """Return the permutation test of the mean difference between paired cases, and its interval.

    Were the two agents alike, each case's two figures could as well stand the other way round
    (Fisher 1935, section 21). The interval holds every shift that the same test would not refuse:
    its ends are order statistics of the means over subsets of the differences (Hartigan 1969).

    Args:
        first: one figure a case, of the first agent.
        second: the same cases of the second agent.

    Raises:
        ValueError: there is no case, or the two are of unlike length.
    """
    import numpy as np
    from scipy.stats import permutation_test

    if not first or len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} figures are no pairs")
    differences = np.subtract(first, second)
    middle = float(differences.mean())
    if not differences.any():
        return PairedTest(0.0, 1.0, *((0.0, 0.0) if len(first) >= LEAST_PAIRS else (None, None)))
    if len(first) == 1:  # two arrangements, as far from 0: scipy takes none of these
        return PairedTest(middle, 1.0, None, None)
    test = permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=ARRANGEMENTS,
        rng=np.random.default_rng(SEED),
    )
    # Not its own p: where the differences cancel out but for rounding, it misses the ties.
    noise = ROUNDING * float(np.abs(differences).mean())
    drawn = 0 if 2 ** len(first) <= ARRANGEMENTS else 1
    sides = (
        int((test.null_distribution >= middle - noise).sum()),
        int((test.null_distribution <= middle + noise).sum()),
    )
    p = min(1.0, 2 * (min(sides) + drawn) / (len(test.null_distribution) + drawn))
    return PairedTest(middle, p, *_shifts(differences.tolist()))


def _shifts(differences: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the ends of the shifts that the test does not refuse."""
    import numpy as np

    m = len(differences)
    if 2**m <= ARRANGEMENTS:
        chosen = (np.arange(1, 2**m)[:, None] >> np.arange(m)) & 1
    else:
        chosen = np.random.default_rng(SEED).integers(0, 2, (ARRANGEMENTS, m))
        chosen = chosen[chosen.any(axis=1)]
    means = np.sort(chosen @ np.asarray(differences) / chosen.sum(axis=1))
    cut = int(ALPHA / 2 * (len(means) + 1))
    if cut < 1:
        return None, None
    return float(means[cut - 1]), float(means[-cut])


def holm(values: Sequence[float]) -> list[float]:
    """Return p values corrected for being several (Holm 1979), in the order given."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected
