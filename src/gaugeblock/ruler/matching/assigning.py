"""One-to-one: which feature of the candidate answers which of the reference.

Within a family, the assignment of least cost (`likeness`): as many right pairs as can be had, then
as many moved and changed ones, of these the nearest, by the square of the distance: a pattern that
moved as a whole is then paired hole by hole, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree

from gaugeblock.records.feature_match import MatchTolerances
from gaugeblock.ruler.matching.likeness import (
    ALONE,
    Bools,
    Floats,
    Ints,
    Likeness,
    likeness,
    vectors,
)
from gaugeblock.ruler.matching.tolerances import MOST, PAIRS, RESIDUE
from gaugeblock.ruler.matching.traits import Traits, Vector, turned_over

STEP = 1e-6
"""Costs are rounded to this before they are compared: what rounding of coordinates does to them is
1e-9, and must not decide between pairs that are equally near."""

ORDER_DECIMALS = 6
"""Decimals of the numbers that features are put in order by, mm: a nanometre."""


class TooMany(Exception):
    """There are more features of a kind than can be compared."""


@dataclass(frozen=True)
class Pair:
    """Two features that are spoken of as one."""

    reference: Traits
    candidate: Traits
    """Seen from the other end where that fits better."""
    right: bool
    shift: Vector
    """(3,) mm, from the reference's to the candidate's."""
    turn: float | None
    """Degrees; None: one has no axis."""


def assign(
    a: Sequence[Traits], b: Sequence[Traits], tolerances: MatchTolerances, diagonal: float
) -> tuple[list[Pair], list[Traits], list[Traits]]:
    """Pair the features of one family.

    Args:
        a: Of the reference.
        b: Of the candidate, laid on the reference.
        tolerances: What is right.
        diagonal: Of the reference's box, mm.

    Returns:
        Pairs, those of `a` alone, those of `b` alone, each in an order that depends on the
        features and not on the lists'. Where two assignments cost the same, that order decides.

    Raises:
        TooMany: the ceilings `MOST`, `PAIRS` or `RESIDUE` are exceeded.
    """
    if max(len(a), len(b)) > MOST:
        raise TooMany(f"more than {MOST} features of a kind")
    one, two = sorted(a, key=_order), sorted(b, key=_order)
    if not one or not two:
        return [], one, two
    over = [turned_over(item) for item in two]
    longest = [max((item.half or 0.0 for item in items), default=0.0) for items in (one, two)]
    index = _near(one, two, tolerances.position + sum(longest))
    found = _compared(one, two, over, index, tolerances, diagonal)
    pairs = _settled(one, index, found)
    left, rest = (
        [item for k, item in enumerate(items) if k not in used]
        for items, used in ((one, {i for i, _ in pairs}), (two, {j for _, j in pairs}))
    )
    over = [other for j, other in enumerate(over) if j not in {j for _, j in pairs}]
    others, alone, extra = _rest(left, rest, over, tolerances, diagonal)
    return [*pairs.values(), *others], alone, extra


@dataclass(frozen=True)
class _Compared:
    """Pairs by number, the candidate's seen from the end that fits better."""

    likeness: Likeness
    seen: list[Traits]
    """The candidate's features as they are."""
    over: list[Traits | None]
    flipped: Bools

    def pair(self, one: list[Traits], i: int, j: int, k: int) -> Pair:
        """Return pair number k, of features i and j."""
        other = self.over[j] if self.flipped[k] else None
        turn = float(self.likeness.turn[k])
        return Pair(
            one[i],
            other or self.seen[j],
            bool(self.likeness.right[k]),
            self.likeness.shift[k],
            None if np.isnan(turn) else turn,
        )


def _near(one: list[Traits], two: list[Traits], reach: float) -> tuple[Ints, Ints]:
    """Return the numbers of all pairs whose places are within `reach` mm, in order."""
    trees = [cKDTree(_places(items)) for items in (one, two)]
    if trees[0].count_neighbors(trees[1], reach) > PAIRS:
        raise TooMany(f"more than {PAIRS} pairs of features near each other")
    near = trees[0].query_ball_tree(trees[1], reach)
    i = np.repeat(np.arange(len(one)), [len(found) for found in near])
    j = np.array([j for found in near for j in sorted(found)], dtype=np.int64)
    return i, j


def _places(items: list[Traits]) -> Floats:
    """Return (n, 3) places: the middle of features along a line, else the reference point."""
    middle = vectors(items, "middle")
    return np.where(np.isnan(middle), vectors(items, "at"), middle)


def _compared(
    one: list[Traits],
    two: list[Traits],
    over: list[Traits | None],
    index: tuple[Ints, Ints],
    tolerances: MatchTolerances,
    diagonal: float,
) -> _Compared:
    found = likeness(one, two, index, tolerances, diagonal)
    flipped = np.zeros(len(index[0]), dtype=bool)
    if any(over):
        turned = [other or item for other, item in zip(over, two, strict=True)]
        other = likeness(one, turned, index, tolerances, diagonal)
        flipped = other.cost < found.cost - STEP
        found = Likeness(
            np.where(flipped, other.right, found.right),
            np.where(flipped, other.cost, found.cost),
            np.where(flipped[:, None], other.shift, found.shift),
            np.where(flipped, other.turn, found.turn),
        )
    return _Compared(found, two, over, flipped)


def _settled(
    one: list[Traits], index: tuple[Ints, Ints], found: _Compared
) -> dict[tuple[int, int], Pair]:
    """Return right pairs that leave no choice, by their numbers.

    Where each of two is the other's only right partner, every cheapest assignment has them: any
    other use of the two costs at least `NEAR` each.
    """
    right = found.likeness.right
    i, j = index[0][right], index[1][right]
    per_i, per_j = np.bincount(i), np.bincount(j)
    sure = (per_i[i] == 1) & (per_j[j] == 1)
    where = np.flatnonzero(right)[sure]
    return {
        (x, y): found.pair(one, x, y, k)
        for x, y, k in zip(i[sure].tolist(), j[sure].tolist(), where.tolist(), strict=True)
    }


def _rest(
    one: list[Traits],
    two: list[Traits],
    over: list[Traits | None],
    tolerances: MatchTolerances,
    diagonal: float,
) -> tuple[list[Pair], list[Traits], list[Traits]]:
    """Assign what leaves a choice; return pairs and those left alone on either side."""
    if not one or not two:
        return [], one, two
    if max(len(one), len(two)) > RESIDUE:
        raise TooMany(f"more than {RESIDUE} features of a kind differ")
    grid = np.indices((len(one), len(two))).reshape(2, -1)
    every = (grid[0], grid[1])
    found = _compared(one, two, over, every, tolerances, diagonal)
    cost = found.likeness.cost.reshape(len(one), len(two))
    rows, columns = linear_sum_assignment(np.round(cost / STEP))
    pairs: dict[tuple[int, int], Pair] = {}
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        if cost[i, j] < ALONE:
            pairs[i, j] = found.pair(one, i, j, i * len(two) + j)
    used_a, used_b = {i for i, _ in pairs}, {j for _, j in pairs}
    return (
        list(pairs.values()),
        [item for i, item in enumerate(one) if i not in used_a],
        [item for j, item in enumerate(two) if j not in used_b],
    )


def _order(item: Traits) -> tuple[object, ...]:
    """Key by which features are put in order: size, place, axis, form; never name or number."""
    place = item.at if item.middle is None else item.middle
    axis = np.zeros(3) if item.axis is None else item.axis
    if not item.signed or item.half is not None:
        axis = np.abs(axis)
    return (
        item.family,
        tuple((name, _whole(value)) for name, value in sorted(item.lengths.items())),
        tuple(map(_whole, place.tolist())),
        tuple(map(_whole, axis.tolist())),
        tuple(sorted(item.labels.items())),
    )


def _whole(value: float) -> float:
    return round(value, ORDER_DECIMALS) + 0.0
