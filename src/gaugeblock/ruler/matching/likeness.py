"""How far two features of one family are apart, for many pairs at once.

The pairs are given as two arrays of k numbers, i into the reference's features and j into the
candidate's; all results have k rows. Places and axes are compared where the features lie; the
candidate's were laid on the reference before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gaugeblock.records.feature_match import MatchTolerances
from gaugeblock.ruler.matching.tolerances import LABEL, MOVED_PART, TURNED
from gaugeblock.ruler.matching.traits import PITCHES, SOMETIMES, Traits

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

IN_PLACE = 0.2
"""Share of the cost that a pair in place pays at most: of features that could be paired with one
that changed where it is or with one that went elsewhere, the first comes first."""

NEAR = 1.01
"""Least cost of a pair that is not right. A right pair costs below 0.01, two features left alone
cost `ALONE`: the cheapest assignment has as many right pairs as can be, then as many others."""

ALONE = 2.0
"""Cost of two features that are not paired, one of each side."""


@dataclass(frozen=True)
class Likeness:
    """Pairs of two lists."""

    right: Bools
    """(k,) the same within the tolerances."""
    cost: Floats
    """(k,) 0 to 0.01 for right pairs, from `NEAR` on for others, `ALONE` beyond the gates."""
    shift: Floats
    """(k, 3) mm, from the reference's to the candidate's."""
    turn: Floats
    """(k,) degrees; NaN where one has no axis."""


def likeness(
    a: Sequence[Traits],
    b: Sequence[Traits],
    pairs: tuple[Ints, Ints],
    tolerances: MatchTolerances,
    diagonal: float,
) -> Likeness:
    """Compare features of `a` with features of `b`.

    Args:
        a: Of the reference, all of one family.
        b: Of the candidate, of the same family.
        pairs: Numbers into `a` and into `b`.
        tolerances: What is right.
        diagonal: Of the reference's box, mm; the gate of moved features is a part of it.
    """
    sizes, ratio = _lengths(a, b, pairs, "sizes", tolerances)
    extents, _ = _lengths(a, b, pairs, "extents", tolerances)
    angles, skew = _angles(a, b, pairs, tolerances.angle)
    labels = _labels(a, b, pairs)
    across, along, shared = _place(a, b, pairs)
    covered = shared >= _least_share(a, b, pairs, tolerances)
    extents |= covered
    shift = np.where(covered[:, None], across, across + along)
    turn = _turn(a, b, pairs, "axis")
    cross = _turn(a, b, pairs, "cross")
    off = np.linalg.norm(shift, axis=1)
    placed = (off <= tolerances.position) & ~(turn > tolerances.axis)
    same = sizes & angles & (labels == 0) & ~(cross > tolerances.axis)
    right = placed & same & extents
    deviation = off / tolerances.position + np.nan_to_num(turn) / tolerances.axis
    difference = np.minimum(1.0, ratio + skew + LABEL * labels)
    gate = np.where(same, MOVED_PART * diagonal, _room(a, b, pairs))
    apart = (off / np.maximum(gate, 1e-300)) ** 2
    elsewhere = 0.5 * apart + 0.5 * difference
    weight = np.where(placed, IN_PLACE * difference, IN_PLACE + (1 - IN_PLACE) * elsewhere)
    able = (placed | (apart <= 1.0)) & ~(turn > TURNED)
    near = NEAR + (0.99 * ALONE - NEAR) * np.minimum(1.0, weight)
    cost = np.where(right, 0.004 * np.minimum(deviation, 2.0), np.where(able, near, ALONE))
    return Likeness(right, cost, shift, turn)


def allowed(name: str, value: Any, tolerances: MatchTolerances) -> Any:
    """Return how far the length `name` of `value` mm may be off, mm."""
    if name in PITCHES:
        return tolerances.pitch + 0.0 * value
    return np.minimum(tolerances.size, tolerances.size_part * np.abs(value))


def _tables(
    a: Sequence[Traits], b: Sequence[Traits], pairs: tuple[Ints, Ints], which: str
) -> list[tuple[str, Floats, Floats]]:
    """Return each parameter's name and its values of both sides, (k,); NaN: has no such."""
    names = sorted({name for item in (*a, *b) for name in getattr(item, which)})
    out = []
    for name in names:
        x, y = (
            np.array([getattr(item, which).get(name, np.nan) for item in items], dtype=float)
            for items in (a, b)
        )
        out.append((name, x[pairs[0]], y[pairs[1]]))
    return out


def _lengths(
    a: Sequence[Traits],
    b: Sequence[Traits],
    pairs: tuple[Ints, Ints],
    which: str,
    tolerances: MatchTolerances,
) -> tuple[Bools, Floats]:
    """Return whether all lengths agree, and the largest ratio of two as its logarithm."""
    agree, worst = np.ones(len(pairs[0]), dtype=bool), np.zeros(len(pairs[0]))
    for name, x, y in _tables(a, b, pairs, which):
        lacking = np.isnan(x) != np.isnan(y)
        passed = (np.isnan(x) & np.isnan(y)) | (lacking & (name in SOMETIMES))
        near = np.abs(x - y) <= allowed(name, x, tolerances)
        agree &= near | passed
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.abs(np.log(np.abs(y / x)))
        ratio = np.where(np.isfinite(ratio), ratio, 1.0)
        worst = np.maximum(worst, np.where(near | passed, 0.0, ratio))
    return agree, worst


def _angles(
    a: Sequence[Traits], b: Sequence[Traits], pairs: tuple[Ints, Ints], most: float
) -> tuple[Bools, Floats]:
    """Return whether all angles agree, and the largest difference in radians."""
    agree, worst = np.ones(len(pairs[0]), dtype=bool), np.zeros(len(pairs[0]))
    for name, x, y in _tables(a, b, pairs, "angles"):
        lacking = np.isnan(x) != np.isnan(y)
        passed = (np.isnan(x) & np.isnan(y)) | (lacking & (name in SOMETIMES))
        near = np.abs(x - y) <= most
        agree &= near | passed
        gap = np.where(lacking, 1.0, np.radians(np.abs(x - y)))
        worst = np.maximum(worst, np.where(near | passed, 0.0, gap))
    return agree, worst


def _labels(a: Sequence[Traits], b: Sequence[Traits], pairs: tuple[Ints, Ints]) -> Floats:
    """Return how many words of the form differ; a word that one side lacks is not compared."""
    count = np.zeros(len(pairs[0]))
    for name in sorted({name for item in (*a, *b) for name in item.labels}):
        words = sorted({item.labels[name] for item in (*a, *b) if name in item.labels})
        number = {word: float(i) for i, word in enumerate(words)}
        x, y = (
            np.array([number.get(item.labels.get(name, ""), np.nan) for item in items])
            for items in (a, b)
        )
        gap = x[pairs[0]] - y[pairs[1]]
        count += ~np.isnan(gap) & (gap != 0)
    return count


def vectors(items: Sequence[Traits], which: str) -> Floats:
    """Return (n, 3) vectors of all items, NaN where one has no such."""
    nothing = np.full(3, np.nan)
    found = [getattr(item, which) for item in items]
    return np.array([nothing if v is None else v for v in found], dtype=float).reshape(-1, 3)


def _turn(a: Sequence[Traits], b: Sequence[Traits], pairs: tuple[Ints, Ints], which: str) -> Floats:
    """Return the angle between two directions, (k,) degrees; without sense where it has none."""
    one, two = vectors(a, which)[pairs[0]], vectors(b, which)[pairs[1]]
    cosine = (one * two).sum(axis=1)
    has_sense = [
        np.array([item.signed and which == "axis" for item in items], dtype=bool)[index]
        for items, index in zip((a, b), pairs, strict=True)
    ]
    cosine = np.where(has_sense[0] & has_sense[1], cosine, np.abs(cosine))
    # By the sine where angles are small: the arc cosine is blind there.
    sine = np.linalg.norm(np.cross(one, two), axis=1)
    return np.asarray(np.degrees(np.arctan2(sine, cosine)))


def _place(
    a: Sequence[Traits], b: Sequence[Traits], pairs: tuple[Ints, Ints]
) -> tuple[Floats, Floats, Floats]:
    """Return the shift, for features along a line across it; that along it; what both share.

    The last is the common stretch over the whole of both, 0 to 1, NaN for other features.
    Along the line a feature has moved as far as the end that moved less: one end that stays and
    one that does not are a change of length.
    """
    plain = vectors(b, "at")[pairs[1]] - vectors(a, "at")[pairs[0]]
    x, y = (
        np.array([np.nan if item.half is None else item.half for item in items])[index]
        for items, index in zip((a, b), pairs, strict=True)
    )
    line = ~np.isnan(x) & ~np.isnan(y)
    if not line.any():
        return plain, np.zeros_like(plain), np.full(len(line), np.nan)
    one, two = vectors(a, "axis")[pairs[0]], vectors(b, "axis")[pairs[1]]
    axis = one + np.where((one * two).sum(axis=1, keepdims=True) < 0, -two, two)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    gap = vectors(b, "middle")[pairs[1]] - vectors(a, "middle")[pairs[0]]
    along = (gap * axis).sum(axis=1)
    low, high = along - y + x, along + y - x
    step = np.where(low * high <= 0, 0.0, np.where(np.abs(low) < np.abs(high), low, high))
    common = np.minimum(x, along + y) - np.maximum(-x, along - y)
    whole = np.maximum(x, along + y) - np.minimum(-x, along - y)
    shared = np.where(line, np.maximum(common, 0.0) / np.maximum(whole, 1e-300), np.nan)
    across = np.where(line[:, None], gap - along[:, None] * axis, plain)
    moved = np.where(line[:, None], step[:, None] * axis, 0.0)
    return across, moved, shared


def _least_share(
    a: Sequence[Traits], b: Sequence[Traits], pairs: tuple[Ints, Ints], tolerances: MatchTolerances
) -> Floats:
    """Return the least share of each pair, infinite where no share is enough."""
    known = tolerances.shared or {}
    one, two = (
        np.array([known.get(item.feature.kind, np.inf) for item in items])[index]
        for items, index in zip((a, b), pairs, strict=True)
    )
    return np.asarray(np.maximum(one, two))


def _room(a: Sequence[Traits], b: Sequence[Traits], pairs: tuple[Ints, Ints]) -> Floats:
    """Return how far features of different size may be apart and still be one, (k,) mm.

    Once the smaller one's own size, and what the difference in size itself moves the reference
    point by.
    """
    own_a, own_b = (np.array([item.own for item in items], dtype=float) for items in (a, b))
    out = np.minimum(own_a[pairs[0]], own_b[pairs[1]])
    for name in sorted({name for item in (*a, *b) for name in item.give}):
        give = np.array([item.give.get(name, 0.0) for item in a], dtype=float)[pairs[0]]
        x, y = (
            np.array([item.lengths.get(name, np.nan) for item in items], dtype=float)[index]
            for items, index in zip((a, b), pairs, strict=True)
        )
        out = out + give * np.nan_to_num(np.abs(x - y))
    return np.asarray(out)
