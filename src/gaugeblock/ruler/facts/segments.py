"""Cuts boundary curves where the flux integrand is not smooth, before Gauss nodes are laid.

Cuts come from the curve itself (its knots), from the surface (where the curve crosses one of its
knot lines) and from length (an angle longer than ARC is halved and halved again).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.facts.pcurves import CONIC, LINE, PCurves
from gaugeblock.ruler.facts.surfaces import ROUND, Surface, breaks

ARC = 0.8
"""Longest piece of an angle in rad, an eighth of a turn: the coarser rule's four nodes integrate
sin and cos over it to 1e-10."""

QUARTER = 0.5 * np.pi
"""The same for lines and conics of elementary surfaces, in rad: seven nodes are laid on them."""

MOST_PIECES = 10_000
"""Pieces of one curve: 1,000 turns of a helix. A damaged file may name 1e200 of them; what then
does not converge shows in the error estimate."""

SAMPLES = 9
"""Points per piece in which knot crossings are looked for. A curve that crosses a knot line and
back between two of them is integrated a little less exactly; the two orders show it."""

BISECTIONS = 30
"""Halvings of a crossing's bracket: to 1e-10 of the piece."""

Mask = npt.NDArray[np.bool_]

ANGULAR_U = (*ROUND, "SurfaceOfRevolution")
ANGULAR_V = ("Sphere", "Torus")


Pieces = tuple[Ints, Floats, Floats]
"""Uses, starts and ends of pieces of boundary curves."""


def lay_segments(surfaces: list[Surface], curves: PCurves) -> tuple[Pieces, Pieces]:
    """Return the pieces of all boundary curves that contribute to the flux, in two heaps.

    Lines and conics of elementary surfaces, which one rule integrates to rounding; and the others.
    """
    face = np.array(curves.face, dtype=np.int64)
    kind = np.array(curves.kind)
    elementary = np.array([s.elementary for s in surfaces], dtype=bool)[face]
    plain = elementary & ((kind == LINE) | (kind == CONIC))
    first, last = np.array(curves.first), np.array(curves.last)
    uses = np.flatnonzero(plain & ~_idle(curves, elementary))
    smooth = _by_length(surfaces, curves, (uses, first[uses], last[uses]), QUARTER)
    uses = np.flatnonzero(~plain)
    if not len(uses):
        return smooth, (uses, first[uses], last[uses])
    rough = _at_own_knots(curves, uses)
    free = ~elementary[rough[0]]
    if free.any():
        cut = _at_surface_knots(surfaces, curves, *(each[free] for each in rough))
        joined = [np.concatenate([old[~free], new]) for old, new in zip(rough, cut, strict=True)]
        rough = (joined[0], joined[1], joined[2])
    return smooth, _by_length(surfaces, curves, rough, ARC)


def split(use: Ints, start: Floats, end: Floats, parts: Ints) -> Pieces:
    """Cut each piece into equal `parts`."""
    owner = np.repeat(np.arange(len(use)), parts)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)
    step = (end - start)[owner] / parts[owner]
    low = start[owner] + place * step
    return use[owner], low, low + step


def _idle(curves: PCurves, elementary: Mask) -> Mask:
    """Return which uses contribute exactly nothing: lines of constant v on elementary surfaces.

    There the flux is integrated over dv. Loose edges are kept: the strips along them count.
    """
    rise = np.array([simple[3] for simple in curves.simple])
    idle = elementary & (np.array(curves.kind) == LINE) & (rise == 0.0)
    idle[list(curves.loose)] = False
    return np.asarray(idle)


def _at_own_knots(curves: PCurves, uses: Ints) -> Pieces:
    use, start, end = [], [], []
    for i in uses.tolist():
        inner = curves.breaks(i).tolist()
        first, last = curves.first[i], curves.last[i]
        cuts = [first, *(cut for cut in inner if first < cut < last), last]
        use += [i] * (len(cuts) - 1)
        start += cuts[:-1]
        end += cuts[1:]
    return np.array(use, dtype=np.int64), np.array(start), np.array(end)


def _at_surface_knots(
    surfaces: list[Surface], curves: PCurves, use: Ints, start: Floats, end: Floats
) -> Pieces:
    face = np.array(curves.face, dtype=np.int64)[use]
    steps = np.linspace(0.0, 1.0, SAMPLES)
    t = start[:, None] + steps * (end - start)[:, None]
    points = curves.evaluate(use, t)[0]
    piece, low, high, level, direction = [], [], [], [], []
    for number in np.unique(face):
        mine = np.flatnonzero(face == number)
        for axis in (0, 1):
            value = points[mine, :, axis]
            for knot in breaks(surfaces[number], axis, float(value.min()), float(value.max())):
                above = value >= knot
                row, column = np.nonzero(above[:, :-1] != above[:, 1:])
                piece.append(mine[row])
                low.append(t[mine[row], column])
                high.append(t[mine[row], column + 1])
                level.append(np.full(len(row), knot))
                direction.append(np.full(len(row), axis))
    if not piece:
        return use, start, end
    pieces = np.concatenate(piece)
    cuts = _bisect(
        curves,
        use[pieces],
        np.concatenate(low),
        np.concatenate(high),
        np.concatenate(level),
        np.concatenate(direction),
    )
    owner = np.concatenate([np.arange(len(use)), pieces])
    begin = np.concatenate([start, cuts])
    order = np.lexsort((begin, owner))
    owner, begin = owner[order], begin[order]
    follows = np.append(owner[1:] == owner[:-1], False)
    finish = np.where(follows, np.append(begin[1:], 0.0), end[owner])
    long = finish - begin > 1e-12 * np.maximum(1.0, np.abs(begin))
    return use[owner][long], begin[long], finish[long]


def _bisect(
    curves: PCurves, use: Ints, low: Floats, high: Floats, level: Floats, direction: Ints
) -> Floats:
    rows = np.arange(len(use))
    rising = curves.evaluate(use, low)[0][rows, direction] < level
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        below = curves.evaluate(use, middle)[0][rows, direction] < level
        left = below == rising
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return np.asarray(0.5 * (low + high))


def _by_length(surfaces: list[Surface], curves: PCurves, pieces: Pieces, most: float) -> Pieces:
    """Cut pieces along which an angle changes by more than `most` rad."""
    use, start, end = pieces
    face = np.array(curves.face, dtype=np.int64)[use]
    points = np.stack([start, 0.5 * (start + end), end], axis=1)
    a, b, c = curves.evaluate(use, points)[0].transpose(1, 0, 2)
    run = np.abs(b - a) + np.abs(c - b)
    around = np.array([s.kind in ANGULAR_U for s in surfaces])[face]
    along = np.array([s.kind in ANGULAR_V for s in surfaces])[face]
    conic = np.array(curves.kind)[use] == CONIC
    turns = np.where(around, run[:, 0], 0.0)
    turns = np.maximum(turns, np.where(along, run[:, 1], 0.0))
    turns = np.maximum(turns, np.where(conic, np.abs(end - start), 0.0))
    parts = np.ceil(np.clip(np.nan_to_num(turns) / most - 1e-9, 1.0, MOST_PIECES)).astype(np.int64)
    return split(use, start, end, parts)
