"""Hatch lines, cut to the outlines of a cut face."""

from __future__ import annotations

import math

import numpy as np

from gaugeblock.ruler.drawing.output.curves import flat
from gaugeblock.ruler.drawing.sheet import Hatch
from gaugeblock.ruler.views.shapes import Floats, Line

CHORD = 0.01
"""How far chords of the outlines may stray, mm."""

MOST = 20_000
"""Lines of one hatch; more are not told apart on paper."""


def outlines(hatch: Hatch, chord: float = CHORD) -> list[Floats]:
    """Return the loops as (n, 2) points each, the last joined to the first."""
    loops = []
    for loop in hatch.loops:
        pieces = [flat(shape, chord) for shape in loop]
        if pieces:
            loops.append(np.concatenate(_chained(pieces)))
    return loops


def _chained(pieces: list[Floats]) -> list[Floats]:
    """Turn pieces of a loop so that each starts where the one before ends."""
    if len(pieces) > 1:
        ends = pieces[1][[0, -1]]
        gap = [np.linalg.norm(ends - p, axis=1).min() for p in pieces[0][[0, -1]]]
        if gap[0] < gap[1]:
            pieces = [pieces[0][::-1], *pieces[1:]]
    done = [pieces[0]]
    for piece in pieces[1:]:
        last = done[-1][-1]
        back = np.linalg.norm(piece[-1] - last) < np.linalg.norm(piece[0] - last)
        done.append(piece[::-1] if back else piece)
    return done


def hatch_lines(hatch: Hatch) -> list[Line]:
    """Return the lines of a hatch.

    A multiple of the spacing through the sheet's corner places them, so that neighbouring faces of
    one part are hatched in one go.

    Raises:
        ValueError: there would be more than `MOST`.
    """
    edges = []
    for loop in outlines(hatch):
        edges.append(np.hstack([loop, np.roll(loop, -1, axis=0)]))
    if not edges:
        return []
    along = np.array([math.cos(hatch.angle), math.sin(hatch.angle)])
    across = np.array([-along[1], along[0]])
    every = np.concatenate(edges)
    a, b = every[:, :2], every[:, 2:]
    h, k = a @ across / hatch.spacing, b @ across / hatch.spacing
    first, last = math.ceil(min(h.min(), k.min())), math.floor(max(h.max(), k.max()))
    if last - first > MOST:
        raise ValueError("a hatch with too many lines")
    lines = []
    for row in range(first, last + 1):
        cut = (np.minimum(h, k) <= row) & (row < np.maximum(h, k))
        share = (row - h[cut]) / (k[cut] - h[cut])
        places = np.sort((a[cut] + share[:, None] * (b[cut] - a[cut])) @ along)
        for start, end in places[: len(places) // 2 * 2].reshape(-1, 2).tolist():
            if end - start > 1e-6:
                p = row * hatch.spacing * across + start * along
                q = row * hatch.spacing * across + end * along
                lines.append(Line(start=(p[0], p[1]), end=(q[0], q[1])))
    return lines
