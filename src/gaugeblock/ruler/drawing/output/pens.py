"""Widths and dash patterns of the kinds of line (ISO 128-2), the same in every format.

mm of paper. The pair of widths is that of line group 0.5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gaugeblock.ruler.drawing.sheet import Layer

WIDE, NARROW = 0.5, 0.25
"""Line group 0.5 of ISO 128-2, mm."""

BORDER = 0.7
"""Of the border around the drawing (ISO 5457), mm."""

STROKE = 0.1
"""Width of a letter's strokes in heights of its capitals (ISO 3098, type B)."""

DASHED = (12.0, 3.0)
"""Line 02 of ISO 128-2: dash and gap, in line widths."""

CHAIN = (24.0, 3.0, 0.5, 3.0)
"""Line 04 of ISO 128-2: long dash, gap, dot, gap, in line widths."""

SHORTEST = 0.25
"""A pattern is squeezed to no less than this part of itself; shorter lines are drawn full."""


@dataclass(frozen=True)
class Pen:
    """How one kind of line is drawn."""

    width: float
    """mm"""
    pattern: tuple[float, ...] = ()
    """Lengths of dashes and gaps in turn, mm; empty: full."""


def _pen(width: float, pattern: tuple[float, ...] = ()) -> Pen:
    return Pen(width, tuple(width * part for part in pattern))


PENS: dict[Layer, Pen] = {
    "hatch": _pen(NARROW),
    "hidden": _pen(NARROW, DASHED),
    "centre": _pen(NARROW, CHAIN),
    "tangent": _pen(NARROW),
    "thread": _pen(NARROW),
    "visible": _pen(WIDE),
    "section": _pen(WIDE),
    "dimension": _pen(NARROW),
    "title": _pen(NARROW),
    "frame": _pen(BORDER),
    "text": _pen(NARROW),
}
"""From the bottom to the top: the order in which layers are drawn. The ends of a cutting plane
(`section`) are wide and full; what runs between them is a centre line."""


def fitted_pattern(pen: Pen, length: float, closed: bool) -> tuple[float, ...]:
    """Return a pen's pattern for one line, stretched so that it starts and ends with a dash.

    A hidden line keeps at least two dashes, or it would look like a visible edge.

    Args:
        pen: The pen.
        length: Of the line, mm.
        closed: Whether it ends where it starts.

    Returns:
        Dashes and gaps in mm; empty: full.
    """
    if not pen.pattern or length <= 0:
        return ()
    first, period = pen.pattern[0], sum(pen.pattern)
    if closed:
        return _scaled(pen.pattern, length / (max(round(length / period), 2) * period))
    if len(pen.pattern) == 2:
        whole = max(round((length + pen.pattern[1]) / period), 2) * period - pen.pattern[1]
    else:
        whole = max(round((length - first) / period), 1) * period + first
    return _scaled(pen.pattern, length / whole)


def _scaled(pattern: tuple[float, ...], factor: float) -> tuple[float, ...]:
    if factor < SHORTEST or not math.isfinite(factor):
        return ()
    return tuple(factor * part for part in pattern)
