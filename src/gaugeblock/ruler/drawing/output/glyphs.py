"""Letters as single strokes: the font that every output draws with, whatever the machine has.

Relief SingleLine CAD (SIL Open Font License, `fonts/OFL.txt`) holds one line a stroke, as a pen
draws. Drawing signs that it lacks (⌀ ↧ ⌴ ⌵ ∠) are drawn here; any other missing sign is a box.
Lengths are in heights of capitals, the origin on the base line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from gaugeblock.ruler.drawing.lettering import width as promised_width
from gaugeblock.ruler.views.shapes import Floats, Point

FONT = Path(__file__).parent / "fonts" / "ReliefSingleLineCAD-Regular.ttf"

FAMILY = "Relief SingleLine CAD"

CAPITAL = 680.0
"""Height of the font's capitals in its own units of 1/1000 em."""


class Step(NamedTuple):
    """A straight step, or a cubic Bézier one with both its inner control points first."""

    kind: Literal["line", "curve"]
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Contour:
    """One stroke of the pen."""

    start: Point
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Glyph:
    """One sign."""

    advance: float
    contours: tuple[Contour, ...]


@dataclass(frozen=True)
class Line:
    """One line of text, set."""

    signs: tuple[tuple[str, float], ...]
    """Each sign and where its origin stands along the line, in heights of capitals."""
    squeeze: float
    """Factor on all lengths along the line, at most 1."""
    width: float
    """After squeezing, in heights of capitals."""


def set_line(text: str) -> Line:
    """Set a line of text, condensed to the width that `lettering.width` promises."""
    x, signs = 0.0, []
    for sign in text:
        signs.append((sign, x))
        x += glyph(sign).advance
    promised = promised_width(text, 1.0)
    squeeze = 1.0 if x <= promised else promised / x
    return Line(tuple(signs), squeeze, x * squeeze)


@cache
def glyph(sign: str) -> Glyph:
    """Return how a sign is drawn."""
    if sign in OWN:
        return OWN[sign]
    font = _font()
    name = font.getBestCmap().get(ord(sign))
    if name is None:
        return Glyph(0.9, (_chain([(0.1, 0.0), (0.8, 0.0), (0.8, 1.0), (0.1, 1.0), (0.1, 0.0)]),))
    return _from_font(font, name)


def flat(contour: Contour, steps: int = 8) -> Floats:
    """Return (n, 2) points along a stroke.

    Args:
        contour: The stroke.
        steps: Straight pieces of a curve.
    """
    points = [contour.start]
    t = np.linspace(0.0, 1.0, steps + 1)[1:, None]
    for step in contour.steps:
        if step.kind == "line":
            points.append(step.points[0])
            continue
        a, b, c, d = (np.array(p) for p in (points[-1], *step.points))
        u = 1.0 - t
        curve = u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * d
        points += [(x, y) for x, y in curve.tolist()]
    return np.array(points)


@cache
def _font() -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(FONT, lazy=False)


def _from_font(font: Any, name: str) -> Glyph:
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    shapes = font.getGlyphSet()
    pen = DecomposingRecordingPen(shapes)
    shapes[name].draw(pen)
    return Glyph(shapes[name].width / CAPITAL, tuple(_contours(pen.value)))


def _contours(recorded: Iterable[tuple[str, tuple[Any, ...]]]) -> Iterable[Contour]:
    """Yield the strokes of a recording; contours are left open, as a single-line font means it."""
    from fontTools.pens.basePen import decomposeQuadraticSegment

    start: Point | None = None
    steps: list[Step] = []
    last = (0.0, 0.0)
    for verb, points in recorded:
        if verb == "moveTo":
            start = last = _scaled(points[0])
            steps = []
        elif verb == "lineTo":
            last = _scaled(points[0])
            steps.append(Step("line", (last,)))
        elif verb == "qCurveTo":
            for control, end in decomposeQuadraticSegment(points):
                q, e = _scaled(control), _scaled(end)
                inner = (_between(last, q), _between(e, q))
                steps.append(Step("curve", (*inner, e)))
                last = e
        elif start is not None and steps:
            yield Contour(start, tuple(steps))


def _scaled(point: Any) -> Point:
    return (float(point[0]) / CAPITAL, float(point[1]) / CAPITAL)


def _between(a: Point, b: Point) -> Point:
    """Return the point two thirds of the way: a quadratic's control point as a cubic's."""
    return (a[0] + 2.0 / 3.0 * (b[0] - a[0]), a[1] + 2.0 / 3.0 * (b[1] - a[1]))


def _chain(points: list[Point]) -> Contour:
    return Contour(points[0], tuple(Step("line", (p,)) for p in points[1:]))


def _circle(centre: Point, radius: float) -> Contour:
    reach = 4.0 / 3.0 * math.tan(math.pi / 8.0) * radius
    (x, y), r = centre, radius
    corners = [(x + r, y), (x, y + r), (x - r, y), (x, y - r), (x + r, y)]
    ways = [(0.0, reach), (-reach, 0.0), (0.0, -reach), (reach, 0.0), (0.0, reach)]
    steps = [
        Step("curve", ((a[0] + u[0], a[1] + u[1]), (b[0] - v[0], b[1] - v[1]), b))
        for a, b, u, v in zip(corners[:-1], corners[1:], ways[:-1], ways[1:], strict=True)
    ]
    return Contour(corners[0], tuple(steps))


OWN: dict[str, Glyph] = {
    "⌀": Glyph(0.88, (_circle((0.44, 0.5), 0.34), _chain([(0.16, 0.0), (0.72, 1.0)]))),
    "↧": Glyph(
        0.9,
        (
            _chain([(0.15, 1.0), (0.75, 1.0)]),
            _chain([(0.45, 1.0), (0.45, 0.05)]),
            _chain([(0.2, 0.38), (0.45, 0.05), (0.7, 0.38)]),
        ),
    ),
    "⌴": Glyph(1.1, (_chain([(0.1, 0.75), (0.1, 0.1), (1.0, 0.1), (1.0, 0.75)]),)),
    "⌵": Glyph(1.1, (_chain([(0.1, 0.8), (0.55, 0.05), (1.0, 0.8)]),)),
    "∠": Glyph(1.0, (_chain([(0.8, 0.9), (0.12, 0.0), (0.9, 0.0)]),)),
}
"""Signs of ISO 129-1 that the font lacks."""
