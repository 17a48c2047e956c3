"""Theil and Sen's slope with Kendall's interval: robust, ties allowed, sequences kept apart.

Own code and not ``scipy.stats.theilslopes``, for two reasons. A growth axis has many trials at
each growth value, so there are ties there; where figures tie as well (a local model that always
costs the same), scipy's variance lacks the two terms for ties on both sides, comes out too small
or negative, and the interval too narrow or not a number. And rounds of one sequence are not
independent samples: their slopes are taken within each sequence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, factorial, floor, prod, sqrt

from gaugeblock.analysis.pair_slopes import Pair, ordered_slopes
from gaugeblock.analysis.rates import Z

LEAST_ARRANGEMENTS = 40
"""Fewest orderings of the values for a two-sided 95 % interval: with fewer, even a perfect order
has a chance of more than 5 % (2 / orderings), and no interval of that level exists."""

Points = Sequence[tuple[float, float]]
"""(growth value, figure) of samples that may be compared with each other."""


@dataclass(frozen=True)
class Line:
    """A slope.

    Attributes:
        slope: median of the pairwise slopes.
        low: lower end of the 95 % interval, None where so few points allow none.
        high: upper end.
    """

    slope: float
    low: float | None
    high: float | None


def theil_sen(blocks: Sequence[Points]) -> Line | None:
    """Return the median of the pairwise slopes within blocks, and its interval.

    Slope: Theil 1950. Interval: Sen 1968, from the variance of Kendall's S with ties (Kendall
    1970, formula 4.4), summed over independent blocks as Hirsch, Slack and Smith 1982 do; its
    ranks are rounded outwards, so that the interval is never narrower than it should be.

    Args:
        blocks: all trials as one block, or each sequence as a block of its own.

    Returns:
        The line, or None where no block has two growth values.
    """
    slopes: Sequence[float] | None = None
    if len(blocks) == 1:
        pairs = list(_pairs(blocks[0]))
        count = sum(len(earlier) * len(later) for earlier, later, _ in pairs)
    else:
        slopes = _within(blocks)
        count = len(slopes)
    if count == 0:
        return None
    ranks = [(count - 1) // 2, count // 2]
    known = _enough_arrangements(blocks)
    if known:
        reach = Z * sqrt(sum(_variance(points) for points in blocks))
        first = max(floor((count - reach) / 2) - 1, 0)
        last = min(ceil((count + reach) / 2), count - 1)
        ranks = [first, *ranks, last]
    if slopes is None:
        found = ordered_slopes(pairs, ranks)
    else:
        found = [slopes[rank] for rank in ranks]
    if not known:
        return Line((found[0] + found[1]) / 2, None, None)
    return Line((found[1] + found[2]) / 2, found[0], found[3])


def _within(blocks: Sequence[Points]) -> list[float]:
    """Return all slopes within short sequences, in order; sequences of equal places go together."""
    import numpy as np

    alike: dict[tuple[float, ...], list[list[float]]] = defaultdict(list)
    for points in blocks:
        alike[tuple([place for place, _ in points])].append([figure for _, figure in points])
    slopes: list[float] = []
    for places, figures in alike.items():
        columns = np.array(figures).T
        for (x, earlier), (y, later) in combinations(zip(places, columns, strict=True), 2):
            if x != y:
                slopes += ((later - earlier) / (y - x)).tolist()
    slopes.sort()
    return slopes


def _pairs(points: Points) -> Iterator[Pair]:
    """Yield the figures of each two growth values of a block, and how far these are apart."""
    groups: dict[float, list[float]] = defaultdict(list)
    for place, figure in points:
        groups[place].append(figure)
    for earlier, later in combinations(sorted(groups), 2):
        yield sorted(groups[earlier]), sorted(groups[later]), later - earlier


def _variance(points: Points) -> float:
    """Return the variance of Kendall's S under no trend, with ties in either or both."""
    n = len(points)
    if n < 2:
        return 0.0
    full = n * (n - 1) * (2 * n + 5)
    if len({place for place, _ in points}) == len({figure for _, figure in points}) == n:
        return full / 18
    ties = [list(Counter(point[side] for point in points).values()) for side in (0, 1)]
    single = [sum(t * (t - 1) * (2 * t + 5) for t in group) for group in ties]
    pairs = [sum(t * (t - 1) for t in group) for group in ties]
    triples = [sum(t * (t - 1) * (t - 2) for t in group) for group in ties]
    variance = (full - single[0] - single[1]) / 18
    variance += pairs[0] * pairs[1] / (2 * n * (n - 1))
    if n > 2:
        variance += triples[0] * triples[1] / (9 * n * (n - 1) * (n - 2))
    return max(variance, 0.0)


def _enough_arrangements(blocks: Sequence[Points]) -> bool:
    """Whether the figures can be dealt to the growth values in enough ways: n! / Π ties! each."""
    ways = 1
    for points in blocks:
        ties = Counter(point[0] for point in points).values()
        if len(points) > LEAST_ARRANGEMENTS and len(ties) > 1:  # n ways at the least
            return True
        ways *= factorial(len(points)) // prod(factorial(tie) for tie in ties)
        if ways >= LEAST_ARRANGEMENTS:
            return True
    return False
