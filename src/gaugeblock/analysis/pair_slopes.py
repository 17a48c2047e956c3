"""Order statistics of all pairwise slopes, without holding them all.

Of n trials there are some n²/2 slopes: 30 million of 8,000 trials. Their middle is found in a
window around it: a sample says where it lies, an exact count of the slopes below says whether it
does, and only the slopes inside are written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

Pair = tuple[Sequence[float], Sequence[float], float]
"""Figures at two growth values, each in rising order, and the distance of the growth values."""

MOST_HELD = 1 << 18
"""Slopes that are held at once, 2 MB."""

FEW = 32
"""Up to so many slopes of two growth values are quicker reckoned one by one."""

SAMPLED = 32
"""Figures of each growth value that the sample takes, evenly over its rising order."""

MARGIN = 0.02
"""Share of all slopes by which the first window reaches beyond what the sample says."""


def ordered_slopes(pairs: Sequence[Pair], ranks: Sequence[int]) -> list[float]:
    """Return the slopes of some ranks among all slopes (later − earlier) / distance.

    Args:
        pairs: figures at each two growth values.
        ranks: rising, from 0.
    """
    import numpy as np

    if sum(len(one) * len(other) for one, other, _ in pairs) <= MOST_HELD:
        slopes = _all(pairs)
        slopes.partition(ranks)
        return [float(slopes[rank]) for rank in ranks]
    held = [(np.asarray(one), np.asarray(other), step) for one, other, step in pairs]
    count = sum(len(one) * len(other) for one, other, _ in held)
    low, high = -np.inf, np.inf
    margin = MARGIN
    while count > MOST_HELD and margin < 1:
        window = _window(held, ranks[0] / count - margin, ranks[-1] / count + margin)
        if _count(held, window[0], "left") <= ranks[0] and ranks[-1] < _count(
            held, window[1], "right"
        ):
            low, high = window
            break
        margin *= 2
    # Ties at the ends of the window, such as all slopes of equal figures, need not be held.
    begin, end = _count(held, low, "right"), _count(held, high, "left")
    slopes = np.concatenate([_between(*pair, low, high) for pair in held])
    inside = [rank - begin for rank in ranks if begin <= rank < end]
    if inside:
        slopes.partition(inside)
    return [
        low if rank < begin else high if rank >= end else float(slopes[rank - begin])
        for rank in ranks
    ]


def _all(pairs: Sequence[Pair]) -> Floats:
    """Return all slopes."""
    import numpy as np

    few = [
        (y - x) / step
        for one, other, step in pairs
        if len(one) * len(other) <= FEW
        for x in one
        for y in other
    ]
    many = [
        ((np.asarray(other) - np.asarray(one)[:, None]) / step).ravel()
        for one, other, step in pairs
        if len(one) * len(other) > FEW
    ]
    return np.concatenate([np.array(few), *many])


def _count(held: Sequence[tuple[Floats, Floats, float]], bound: float, side: str) -> int:
    """Return how many slopes lie below a bound (right: up to it)."""
    return sum(int(_below(*pair, bound, side).sum()) for pair in held)


def _window(
    held: Sequence[tuple[Floats, Floats, float]], low: float, high: float
) -> tuple[float, float]:
    """Return slopes that stand at about these shares of all, by a sample of each growth value."""
    import numpy as np

    drawn, weights = [], []
    for one, other, step in held:
        thin = [y[:: max(1, len(y) // SAMPLED)] for y in (one, other)]
        drawn.append(((thin[1][None, :] - thin[0][:, None]) / step).ravel())
        weights.append(np.full(drawn[-1].size, len(one) * len(other) / drawn[-1].size))
    slopes, weight = np.concatenate(drawn), np.concatenate(weights)
    order = np.argsort(slopes)
    shares = np.cumsum(weight[order]) / weight.sum()
    ends = np.searchsorted(shares, (low, high))
    return (
        float(slopes[order[ends[0]]]) if low > 0 else -np.inf,
        float(slopes[order[min(ends[1], len(order) - 1)]]) if high < 1 else np.inf,
    )


def _below(one: Floats, other: Floats, step: float, bound: float, side: str) -> Places:
    """Return for each earlier figure how many slopes lie below a bound (right: up to it).

    A slope rises with the later figure, in floating point as well, so it is found by halving.
    """
    import numpy as np

    left = np.zeros(len(one), dtype=np.int64)
    right = np.full(len(one), len(other), dtype=np.int64)
    if bound in (-np.inf, np.inf):
        return right if bound > 0 else left
    while (left < right).any():
        middle = (left + right) // 2
        slope = (other[np.minimum(middle, len(other) - 1)] - one) / step
        under = ((slope < bound) if side == "left" else (slope <= bound)) & (left < right)
        left = np.where(under, middle + 1, left)
        right = np.where(under, right, np.where(left < right, middle, right))
    return left


def _between(one: Floats, other: Floats, step: float, low: float, high: float) -> Floats:
    """Return the slopes between low and high, both ends left out."""
    import numpy as np

    begin = _below(one, other, step, low, "right")
    lengths = np.maximum(_below(one, other, step, high, "left") - begin, 0)
    earlier = np.repeat(one, lengths)
    starts = np.repeat(begin - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
    slopes: Floats = (other[np.arange(len(earlier)) + starts] - earlier) / step
    return slopes
