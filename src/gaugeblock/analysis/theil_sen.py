"""Theil and Sen's slope with Kendall's interval: robust, ties allowed, sequences kept apart.

Own code and not ``scipy.stats.theilslopes``, for two reasons. A growth axis has many trials at
each growth value, so there are ties there; where figures tie as well (a local model that always
costs the same), scipy's variance lacks the two terms for ties on both sides, comes out too small
or negative, and the interval too narrow or not a number. And rounds of one sequence are not
independent samples: their slopes are taken within each sequence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, factorial, floor, prod, sqrt
from statistics import median

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
    slopes = sorted(slope for points in blocks for slope in _pairwise(points))
    if not slopes:
        return None
    middle = median(slopes)
    if prod(_arrangements(points) for points in blocks) < LEAST_ARRANGEMENTS:
        return Line(middle, None, None)
    reach = Z * sqrt(sum(_variance(points) for points in blocks))
    count = len(slopes)
    first = max(floor((count - reach) / 2) - 1, 0)
    last = min(ceil((count + reach) / 2), count - 1)
    return Line(middle, slopes[first], slopes[last])


def _pairwise(points: Points) -> list[float]:
    return [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for place, earlier in enumerate(points)
        for later in points[place + 1 :]
        if later[0] != earlier[0]
    ]


def _variance(points: Points) -> float:
    """Return the variance of Kendall's S under no trend, with ties in either or both."""
    n = len(points)
    if n < 2:
        return 0.0
    ties = [list(Counter(point[side] for point in points).values()) for side in (0, 1)]
    full = n * (n - 1) * (2 * n + 5)
    single = [sum(t * (t - 1) * (2 * t + 5) for t in group) for group in ties]
    pairs = [sum(t * (t - 1) for t in group) for group in ties]
    triples = [sum(t * (t - 1) * (t - 2) for t in group) for group in ties]
    variance = (full - single[0] - single[1]) / 18
    variance += pairs[0] * pairs[1] / (2 * n * (n - 1))
    if n > 2:
        variance += triples[0] * triples[1] / (9 * n * (n - 1) * (n - 2))
    return max(variance, 0.0)


def _arrangements(points: Points) -> int:
    """Return in how many ways the figures can be dealt to the growth values: n! / Π ties!."""
    ties = Counter(point[0] for point in points).values()
    return factorial(len(points)) // prod(factorial(tie) for tie in ties)
