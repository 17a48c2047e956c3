"""Theil and Sen's slope with Kendall's interval: robust, ties allowed, sequences kept apart.

Own code and not ``scipy.stats.theilslopes``, for two reasons. A growth axis has many trials at
each growth value, so there are ties there; where figures tie as well (a local model that always
costs the same), scipy's variance lacks the two terms for ties on both sides, comes out too small
or negative, and the interval too narrow or not a number. And rounds of one sequence are not
independent samples: their slopes are taken within each sequence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import ceil, factorial, floor, fsum, prod, sqrt
from typing import TYPE_CHECKING

from gaugeblock.analysis.pair_slopes import Pair, ordered_slopes
from gaugeblock.analysis.rates import Z

if TYPE_CHECKING:
    from gaugeblock.analysis.pair_slopes import Floats

LEAST_ARRANGEMENTS = 40
"""Fewest orderings of the values for a two-sided 95 % interval: with fewer, even a perfect order
has a chance of more than 5 % (2 / orderings), and no interval of that level exists."""

Sequences = Mapping[tuple[float, ...], "Floats"]
"""Growth values → figures, blocks × growth values: a block holds samples that may be compared with
each other, and all blocks here have just these growth values, in this order."""


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


def theil_sen(sequences: Sequences) -> Line | None:
    """Return the median of the pairwise slopes within blocks, and its interval.

    Slope: Theil 1950. Interval: Sen 1968, from the variance of Kendall's S with ties (Kendall
    1970, formula 4.4), summed over independent blocks as Hirsch, Slack and Smith 1982 do; its
    ranks are rounded outwards, so that the interval is never narrower than it should be.

    Args:
        sequences: all trials as one block, or each sequence as a block of its own.

    Returns:
        The line, or None where no block has two growth values.
    """
    slopes: Floats | None = None
    if sum(map(len, sequences.values())) == 1:
        ((places, figures),) = sequences.items()
        pairs = list(_pairs(places, figures[0].tolist()))
        count = sum(len(earlier) * len(later) for earlier, later, _ in pairs)
    else:
        slopes = _within(sequences)
        count = len(slopes)
    if count == 0:
        return None
    ranks = [(count - 1) // 2, count // 2]
    known = _enough_arrangements(sequences)
    if known:
        reach = Z * sqrt(fsum(_variances(sequences)))
        first = max(floor((count - reach) / 2) - 1, 0)
        last = min(ceil((count + reach) / 2), count - 1)
        ranks = [first, *ranks, last]
    if slopes is None:
        found = ordered_slopes(pairs, ranks)
    else:
        slopes.partition(ranks)
        found = slopes[ranks].tolist()
    if not known:
        return Line((found[0] + found[1]) / 2, None, None)
    return Line((found[1] + found[2]) / 2, found[0], found[3])


def _within(sequences: Sequences) -> Floats:
    """Return all slopes within short sequences; sequences of equal places go together."""
    import numpy as np

    slopes = [np.empty(0)]
    for places, figures in sequences.items():
        for (x, earlier), (y, later) in combinations(zip(places, figures.T, strict=True), 2):
            if x != y:
                slopes.append((later - earlier) / (y - x))
    return np.concatenate(slopes)


def _pairs(places: Sequence[float], figures: Sequence[float]) -> Iterator[Pair]:
    """Yield the figures of each two growth values of a block, and how far these are apart."""
    groups: dict[float, list[float]] = defaultdict(list)
    for place, figure in zip(places, figures, strict=True):
        groups[place].append(figure)
    for same_place in groups.values():
        same_place.sort()
    for earlier, later in combinations(sorted(groups), 2):
        yield groups[earlier], groups[later], later - earlier


def _variances(sequences: Sequences) -> Iterator[float]:
    """Yield the variance of Kendall's S of each block under no trend, with ties in either or both.

    Only the numbers of equal places and of equal figures count, and mostly none are equal.
    """
    import numpy as np

    for places, figures in sequences.items():
        equal = _ties(places)
        rising = np.sort(figures, axis=1)
        tied = (rising[:, 1:] == rising[:, :-1]).any(axis=1)
        yield from [_variance(len(places), equal, ())] * int((~tied).sum())
        for block in rising[tied].tolist():
            yield _variance(len(places), equal, _ties(block))


def _ties(values: Sequence[float]) -> tuple[int, ...]:
    """Return how often each value stands there that stands there more than once."""
    return tuple(count for count in Counter(values).values() if count > 1)


@lru_cache(maxsize=4096)
def _variance(n: int, *ties: tuple[int, ...]) -> float:
    """Return the variance of Kendall's S of n points with the ties of places and of figures."""
    if n < 2:
        return 0.0
    full = n * (n - 1) * (2 * n + 5)
    single = [sum(t * (t - 1) * (2 * t + 5) for t in group) for group in ties]
    pairs = [sum(t * (t - 1) for t in group) for group in ties]
    triples = [sum(t * (t - 1) * (t - 2) for t in group) for group in ties]
    variance = (full - single[0] - single[1]) / 18
    variance += pairs[0] * pairs[1] / (2 * n * (n - 1))
    if n > 2:
        variance += triples[0] * triples[1] / (9 * n * (n - 1) * (n - 2))
    return max(variance, 0.0)


def _enough_arrangements(sequences: Sequences) -> bool:
    """Whether the figures can be dealt to the growth values in enough ways: n! / Π ties! each."""
    ways = 1
    for places, figures in sequences.items():
        ties = Counter(places).values()
        if len(places) > LEAST_ARRANGEMENTS and len(ties) > 1:  # n ways at the least
            return True
        each = factorial(len(places)) // prod(map(factorial, ties))
        for _ in figures:
            ways *= each
            if ways >= LEAST_ARRANGEMENTS:
                return True
    return False
