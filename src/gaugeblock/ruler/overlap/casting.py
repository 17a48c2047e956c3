"""Overlap by lines through both boundaries.

Lines through scrambled Sobol points of the plane across a direction are cut with the mesh of every
solid; each hit is then moved along its line onto the true surface. The lengths inside one body,
the other and both give the IoU. Several directions, each with its own scrambling, give its spread.
No boolean of any kind is involved, and a boundary that is not closed shows in the lines' depths.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.facts.lines import Hits, Lines, cut
from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.overlap.body import REST, Body, Motion, Part
from gaugeblock.ruler.overlap.sobol import sobol_points

DIRECTIONS = 8
"""Independent directions; the spread of their means gives the error."""

LINES = 512
"""Lines a direction: the error of an ordinary pair is about 1e-3 with 8 × 512."""

CLOSELY = 4096
"""Lines a direction where the first ones speak against a value: what they may miss then counts."""

SEED = 20_240_229
"""Of directions and scrambling: the same files always give the same lines."""

SIGMAS = 3.0
"""Standard errors of the mean that count as the error: 2 % of sound cases lie outside with eight
directions, and a further floor covers those."""

RARE = 5.8
"""What no line has seen may still be there: a part of 5.8/n of the whole is missed by all of n
lines in 0.3 % of cases (−ln 0.003). A bore shifted in a large thin plate is such a part."""

FLOOR = 3e-4
"""Least error of an IoU by casting: lines that pass a silhouette between two triangles."""

ODD = 0.02
"""Part of the lines that may fail (graze an edge, see an odd number of faces) before the boundary
counts as not closed."""


@dataclass(frozen=True)
class CastIou:
    """What the lines say."""

    iou: float | None
    error: float | None
    lines: int
    reason: str | None = None


def cast_iou(a: Body, b: Body, motion: Motion, lines: int = LINES) -> CastIou:
    """Return the IoU of `a`, moved, and `b` by casting.

    With more lines than usual the error also covers what all of them may have missed.
    """
    random = np.random.default_rng(SEED)
    ious, used, odd = [], 0, 0
    whole = squares = 0.0
    box = _corners(a, b, motion)
    for _ in range(DIRECTIONS):
        frame = np.linalg.qr(random.normal(size=(3, 3)))[0].T
        flat = box @ frame[:2].T
        low, high = flat.min(axis=0), flat.max(axis=0)
        through = Lines(low + sobol_points(lines, random) * (high - low))
        ours = [_hits(part, frame, through, motion) for part in a.parts]
        theirs = [_hits(part, frame, through, REST) for part in b.parts]
        lengths, bad = _lengths(ours, theirs, lines)
        odd += int(bad.sum())
        used += lines
        both, either = lengths[~bad].sum(axis=0)
        if either > 0:
            ious.append(both / either)
        whole += float(either)
        squares += float((lengths[~bad, 1] ** 2).sum())
    if odd > ODD * used:
        return CastIou(None, None, used, f"{odd} of {used} lines see an open boundary")
    if len(ious) < DIRECTIONS:
        return CastIou(None, None, used, "too few lines meet the bodies")
    error = SIGMAS * float(np.std(ious, ddof=1) / np.sqrt(len(ious)))
    if lines > LINES:  # lines of unlike lengths count as fewer of equal ones (Kish)
        error = max(error, RARE * squares / whole**2)
    return CastIou(float(np.mean(ious)), error + FLOOR, used)


def _hits(part: Part, frame: Floats, lines: Lines, motion: Motion) -> Hits:
    """Cut lines with one solid's boundary, moved; `frame` as in `cut`."""
    turned, offset = frame @ motion.rotation, frame @ motion.translation
    return cut(part.fine or part.coarse, part.table, turned, offset, lines)


def _lengths(ours: list[Hits], theirs: list[Hits], lines: int) -> tuple[Floats, Ints]:
    """Return per line the lengths in both and in either (n, 2), and which lines fail."""
    groups = [*ours, *theirs]
    line = np.concatenate([h.line for h in groups])
    at = np.concatenate([h.at for h in groups])
    order = np.lexsort((at, line))
    line, at = line[order], at[order]
    bad = np.zeros(lines, dtype=bool)
    inside_a, inside_b = np.zeros(len(line), dtype=bool), np.zeros(len(line), dtype=bool)
    start = np.searchsorted(line, np.arange(lines + 1))
    number = np.repeat(np.arange(len(groups)), [len(h.line) for h in groups])[order]
    step = np.concatenate([h.step for h in groups])[order]
    for i in range(len(groups)):
        mine = np.where(number == i, step, 0)
        total = np.concatenate([[0], np.cumsum(mine)])
        depth = total[1:] - total[start[line]]
        bad |= total[start[1:]] != total[start[:-1]]
        target = inside_a if i < len(ours) else inside_b
        target |= depth >= 1
    gap = np.append(np.diff(at), 0.0)
    last = np.append(line[1:] != line[:-1], True) if len(line) else np.zeros(0, dtype=bool)
    gap[last] = 0.0
    both = np.bincount(line, gap * (inside_a & inside_b), minlength=lines)
    either = np.bincount(line, gap * (inside_a | inside_b), minlength=lines)
    return np.stack([both, either], axis=1), bad


def _corners(a: Body, b: Body, motion: Motion) -> Floats:
    """Return the corners of both boxes, `a` moved."""
    pick = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    out = []
    for body, move in ((a, motion), (b, REST)):
        low, high = np.array(body.bounds.min), np.array(body.bounds.max)
        out.append(move(low + pick * (high - low)))
    return np.concatenate(out)
