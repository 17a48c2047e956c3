"""Cuts boundary curves where the flux integrand is not smooth, before Gauss nodes are laid.

Cuts come from the curve itself (its knots), from the surface (where the curve crosses one of its
knot lines) and from length (an angle longer than ARC is halved and halved again).
"""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.facts.pcurves import CONIC, PCurves
from gaugeblock.ruler.facts.surfaces import ROUND, Surface, breaks

ARC = 0.8
"""Longest piece of an angle in rad, an eighth of a turn: the coarser rule's four nodes integrate
sin and cos over it to 1e-10."""

MOST_PIECES = 10_000
"""Pieces of one curve: 1,000 turns of a helix. A damaged file may name 1e200 of them; what then
does not converge shows in the error estimate."""

SAMPLES = 9
"""Points per piece in which knot crossings are looked for. A curve that crosses a knot line and
back between two of them is integrated a little less exactly; the two orders show it."""

BISECTIONS = 30
"""Halvings of a crossing's bracket: to 1e-10 of the piece."""

ANGULAR_U = (*ROUND, "SurfaceOfRevolution")
ANGULAR_V = ("Sphere", "Torus")


def lay_segments(surfaces: list[Surface], curves: PCurves) -> tuple[Ints, Floats, Floats]:
    """Return (use, start, end) of the pieces of all boundary curves."""
    use, start, end = _at_own_knots(curves)
    face = np.array(curves.face, dtype=np.int64)
    rough = np.array([not s.elementary for s in surfaces], dtype=bool)
    concerned = rough[face[use]]
    if concerned.any():
        cut = _at_surface_knots(surfaces, curves, use[concerned], start[concerned], end[concerned])
        plain = ~concerned
        use = np.concatenate([use[plain], cut[0]])
        start = np.concatenate([start[plain], cut[1]])
        end = np.concatenate([end[plain], cut[2]])
    return _by_length(surfaces, curves, use, start, end)


def split(use: Ints, start: Floats, end: Floats, parts: Ints) -> tuple[Ints, Floats, Floats]:
    """Cut each piece into equal `parts`."""
    owner = np.repeat(np.arange(len(use)), parts)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)
    step = (end - start)[owner] / parts[owner]
    low = start[owner] + place * step
    return use[owner], low, low + step


def _at_own_knots(curves: PCurves) -> tuple[Ints, Floats, Floats]:
    use, start, end = [], [], []
    for i, (first, last) in enumerate(zip(curves.first, curves.last, strict=True)):
        inner = curves.breaks(i)
        cuts = [first, *inner[(inner > first) & (inner < last)].tolist(), last]
        use += [i] * (len(cuts) - 1)
        start += cuts[:-1]
        end += cuts[1:]
    return np.array(use, dtype=np.int64), np.array(start), np.array(end)


def _at_surface_knots(
    surfaces: list[Surface], curves: PCurves, use: Ints, start: Floats, end: Floats
) -> tuple[Ints, Floats, Floats]:
    face = np.array(curves.face, dtype=np.int64)[use]
    steps = np.linspace(0.0, 1.0, SAMPLES)
    t = start[:, None] + steps * (end - start)[:, None]
    points = curves.evaluate(np.repeat(use, SAMPLES), t.ravel())[0].reshape(len(use), SAMPLES, 2)
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


def _by_length(
    surfaces: list[Surface], curves: PCurves, use: Ints, start: Floats, end: Floats
) -> tuple[Ints, Floats, Floats]:
    face = np.array(curves.face, dtype=np.int64)[use]
    middle = 0.5 * (start + end)
    ends = curves.evaluate(np.tile(use, 3), np.concatenate([start, middle, end]))[0]
    a, b, c = ends.reshape(3, len(use), 2)
    run = np.abs(b - a) + np.abs(c - b)
    turns = np.zeros(len(use))
    around = np.array([s.kind in ANGULAR_U for s in surfaces])[face]
    along = np.array([s.kind in ANGULAR_V for s in surfaces])[face]
    conic = np.array(curves.kind)[use] == CONIC
    turns = np.maximum(turns, np.where(around, run[:, 0], 0.0))
    turns = np.maximum(turns, np.where(along, run[:, 1], 0.0))
    turns = np.maximum(turns, np.where(conic, np.abs(end - start), 0.0))
    parts = np.ceil(np.clip(np.nan_to_num(turns) / ARC - 1e-9, 1.0, MOST_PIECES)).astype(np.int64)
    return split(use, start, end, parts)
