"""Where the isometric view fits: the largest standard scale, clear of all that stands already."""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.drawing.frame import scales
from gaugeblock.ruler.drawing.ink import Box
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.views.shapes import Point

CLEAR = 5.0
"""Free space around it, mm."""

STEP = 5.0
"""Places are tried this far apart, mm."""

LEAST = 25.0
"""Smaller than this, its longer side says nothing, mm."""

MOST = 110.0
"""Larger it need not be, mm."""


def place_picture(view: View, paper: Paper, scale: float) -> tuple[Point, float] | None:
    """Return where the zero of an isometric view stands, and its scale, or None.

    Args:
        view: The isometric view.
        paper: All that stands already.
        scale: Of the other views: it is never drawn larger.
    """
    low, high = np.array(view.box[0]), np.array(view.box[1])
    for step in scales():
        factor = step[0] / step[1]
        size = factor * (high - low)
        if factor > scale * (1 + 1e-9) or size.max() > MOST:
            continue
        if size.max() < LEAST:
            break
        room = size + 2 * CLEAR
        # From the upper right corner on, where it is expected.
        xs = np.arange(paper.high[0] - 0.5 * room[0], paper.low[0] + 0.5 * room[0], -STEP)
        ys = np.arange(paper.high[1] - 0.5 * room[1], paper.low[1] + 0.5 * room[1], -STEP)
        for x, y in sorted(((x, y) for x in xs for y in ys), key=lambda p: (-p[0] - p[1], -p[0])):
            box = Box((float(x), float(y)), float(room[0]), float(room[1]))
            if not paper.free(box, 0.0):
                continue
            middle = 0.5 * (low + high) * factor
            return (float(x - middle[0]), float(y - middle[1])), factor
    return None
