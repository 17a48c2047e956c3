"""The sheet while it is filled: what stands where, and whether something more fits.

Text on a sheet stands level or upright, so that here its boxes are plain ones along the axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.drawing.collisions import chords, enclosed, hatch_edges
from gaugeblock.ruler.drawing.ink import Box, ink
from gaugeblock.ruler.drawing.sheet import Dim, Hatch, Stroke
from gaugeblock.ruler.views.shapes import Point

KEEP = 1.0
"""New text keeps this distance from everything, mm."""

OUTWARDS = np.array([-1.0, -1.0, 1.0, 1.0])
"""How the sides of a box move when it grows."""

BESIDE, RUN = 0.6, 2.0
"""A leader that runs within the first of a line for longer than the second (mm) cannot be told
from it."""

ALONG = 8.0
"""What that costs."""


class Paper:
    """What is on a sheet so far.

    Args:
        low: Lower left corner of where drawing is allowed, mm.
        high: Upper right corner.
        taken: Where nothing may stand, such as the title block.
    """

    def __init__(self, low: Point, high: Point, taken: Sequence[Box]) -> None:
        self.low, self.high = low, high
        self._hatches: list[Floats] = []
        self._boxes = np.empty((0, 4))
        self._segments = np.empty((0, 4))
        self._reach = np.empty((0, 4))
        self._weights = np.empty(0)
        shape = (int(high[1]) + 2, int(high[0]) + 2)
        self._touched = np.zeros(shape, dtype=np.int64)
        self._sums: npt.NDArray[np.int64] | None = None
        for box in taken:
            self.add_box(box)

    def add_box(self, box: Box) -> None:
        """Take note of a text, or of a place where nothing may stand."""
        self._boxes = np.vstack([self._boxes, _sides(box)])

    def add_strokes(self, strokes: Iterable[Stroke], weight: float) -> None:
        """Take note of lines.

        Args:
            strokes: The lines.
            weight: What it costs a leader to cross one.
        """
        parts = [chords(stroke.shape) for stroke in strokes]
        if parts:
            self._add(np.concatenate(parts), weight)

    def add_hatch(self, hatch: Hatch) -> None:
        """Take note of a cut face."""
        self._hatches.append(hatch_edges(hatch))

    def add_dim(self, dim: Dim) -> None:
        """Take note of a dimension."""
        drawn = ink(dim)
        self._add(np.array([[*p.a, *p.b] for p in drawn.pieces]).reshape(-1, 4), 2.0)
        self.add_box(drawn.text)

    def _add(self, segments: Floats, weight: float) -> None:
        self._segments = np.vstack([self._segments, segments])
        self._reach = np.vstack([self._reach, _reach(segments)])
        self._weights = np.concatenate([self._weights, np.full(len(segments), weight)])
        # Places along every segment, half a millimetre apart at most.
        start, way = segments[:, :2], segments[:, 2:] - segments[:, :2]
        counts = (2.0 * np.abs(way).sum(axis=1)).astype(np.int64) + 2
        number = np.repeat(np.arange(len(segments)), counts)
        along = np.arange(len(number)) - np.repeat(counts.cumsum() - counts, counts)
        share = along / (counts[number] - 1)
        x, y = (start[number] + share[:, None] * way[number]).astype(np.int64).T
        inside = (x >= 0) & (y >= 0) & (y < self._touched.shape[0])
        inside &= x < self._touched.shape[1]
        self._touched[y[inside], x[inside]] = 1
        self._sums = None

    def _surely_crossed(self, low_x: float, low_y: float, high_x: float, high_y: float) -> bool:
        """Whether a line runs through one of the square millimetres that lie wholly in a box.

        Quick, and never wrong where it says so; where it does not, nothing is known.
        """
        if self._sums is None:
            self._sums = np.pad(self._touched.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        a, b, c, d = math.ceil(low_x), math.ceil(low_y), math.floor(high_x), math.floor(high_y)
        if c <= a or d <= b:
            return False
        sums = self._sums
        return bool(sums[d, c] - sums[b, c] - sums[d, a] + sums[b, a] > 0)

    def free(self, box: Box, keep: float = KEEP) -> bool:
        """Whether something can stand somewhere: inside, over no line, text or hatch.

        Args:
            box: Its place.
            keep: Distance that it keeps, mm.
        """
        a, b, c, d = _sides(box, keep)
        if a < self.low[0] or b < self.low[1] or c > self.high[0] or d > self.high[1]:
            return False
        if self._surely_crossed(a, b, c, d):
            return False
        if _near(self._boxes, a, b, c, d).any():
            return False
        near = _near(self._reach, a, b, c, d)
        if near.any() and _runs_through(self._segments[near], np.array([[a, b, c, d]])).any():
            return False
        if not self._hatches:
            return True
        places = np.array([[a, b], [c, b], [c, d], [a, d], [*box.at]])
        return not any(enclosed(edges, places).any() for edges in self._hatches)

    def hatched(self, at: Point) -> bool:
        """Whether a place lies in a cut face."""
        return any(bool(enclosed(edges, np.array([at]))[0]) for edges in self._hatches)

    def clear_of_text(self, a: Point, b: Point) -> bool:
        """Whether a line runs over no text."""
        (low_x, high_x), (low_y, high_y) = (sorted(ends) for ends in zip(a, b, strict=True))
        near = _near(self._boxes, low_x - KEEP, low_y - KEEP, high_x + KEEP, high_y + KEEP)
        if not near.any():
            return True
        row = np.array([[*a, *b]])
        return not _runs_through(row, self._boxes[near] + KEEP * OUTWARDS).any()

    def crossed(self, a: Point, b: Point) -> float:
        """Return the sum of the weights of the lines that a new one would cross or run along."""
        (low_x, high_x), (low_y, high_y) = (sorted(ends) for ends in zip(a, b, strict=True))
        near = _near(self._reach, low_x - BESIDE, low_y - BESIDE, high_x + BESIDE, high_y + BESIDE)
        length = float(np.hypot(*np.subtract(b, a)))
        if length == 0 or not near.any():
            return 0.0
        segments, weights = self._segments[near], self._weights[near]
        u = np.subtract(b, a) / length
        d = segments[:, :2] - a
        s = segments[:, 2:] - segments[:, :2]
        # In coordinates along and across the new line.
        along = np.stack([d @ u, (d + s) @ u], axis=1)
        n = np.array([-u[1], u[0]])
        across = np.stack([d @ n, (d + s) @ n], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = across[:, 0] / (across[:, 0] - across[:, 1])
            at = along[:, 0] + share * (along[:, 1] - along[:, 0])
        # What meets the arrow's tip is what it points at.
        hit = (across[:, 0] * across[:, 1] <= 0) & (at > 0.02 * length) & (at <= length)
        beside = (np.abs(across) < BESIDE).all(axis=1)
        both = np.minimum(along.max(axis=1), length) - np.maximum(along.min(axis=1), 0.0)
        runs = beside & (both > RUN)
        return float(weights[hit & ~runs].sum() + ALONG * runs.sum())


def _sides(box: Box, keep: float = 0.0) -> tuple[float, float, float, float]:
    """Return lowest and highest x and y of a box that grows by `keep`."""
    c, s = abs(math.cos(box.angle)), abs(math.sin(box.angle))
    wide = 0.5 * (c * box.width + s * box.height) + keep
    tall = 0.5 * (s * box.width + c * box.height) + keep
    x, y = box.at
    return x - wide, y - tall, x + wide, y + tall


def _reach(segments: Floats) -> Floats:
    """Return lowest and highest x and y of (n, 4) segments."""
    a, b = segments[:, :2], segments[:, 2:]
    return np.hstack([np.minimum(a, b), np.maximum(a, b)])


def _near(rows: Floats, a: float, b: float, c: float, d: float) -> npt.NDArray[np.bool_]:
    """Return which of (n, 4) rows of lowest and highest x and y overlap such a box."""
    near = (rows[:, 0] < c) & (rows[:, 2] > a) & (rows[:, 1] < d) & (rows[:, 3] > b)
    return np.asarray(near, dtype=bool)


def _runs_through(segments: Floats, boxes: Floats) -> npt.NDArray[np.bool_]:
    """Return which of (n, 4) segments run through which of (m, 4) boxes; n or m is 1."""
    a, b = segments[:, :2], segments[:, 2:]
    low, high = np.minimum(a, b), np.maximum(a, b)
    near = np.asarray(((low < boxes[:, 2:]) & (high > boxes[:, :2])).all(axis=1), dtype=bool)
    if not near.any():
        return near
    # Both ends of the segment see the box's corners on both sides of it, or it passes beside.
    way = b - a
    corners = np.stack(
        [boxes[:, [0, 1]], boxes[:, [2, 1]], boxes[:, [2, 3]], boxes[:, [0, 3]]], axis=1
    )
    arm = corners - a[:, None, :]
    side = way[:, None, 0] * arm[..., 1] - way[:, None, 1] * arm[..., 0]
    return np.asarray(near & (side.min(axis=1) < 0) & (side.max(axis=1) > 0))
