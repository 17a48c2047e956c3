"""What a draughtsman draws of a projection: no line twice, no hidden line under a visible one.

ISO 128-2: where lines coincide, the visible one is drawn. Lines, circles and ellipses that lie on
one carrier are cut where a line of higher rank runs; Béziers and polylines are left out where the
whole of them runs along another. Hidden tangential edges are never drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from gaugeblock.ruler.views.projection import Curve
from gaugeblock.ruler.views.shapes import (
    TURN,
    Arc,
    Bezier,
    EllipseArc,
    Line,
    Point,
    Polyline,
    Shape,
    extent,
    spaced,
)

Floats = npt.NDArray[np.float64]
Span = tuple[float, float]

SAME = 1e-6
"""Curves this close, as a part of the view's diagonal, are one: what projections of the same edge
differ by after reading, and a thousandth of a line's width on paper."""

PLACES = 9
"""Places along free curves that are compared."""

CRUMB = 1e-5
"""What is left of a cut curve is drawn only if it is longer than this part of the diagonal."""


def drawn(curves: Sequence[Curve], tolerance: float) -> tuple[Curve, ...]:
    """Return the curves that are drawn, those of higher rank first.

    Args:
        curves: A projection's curves.
        tolerance: Its tolerance, mm: Béziers and polylines of one edge may differ by twice that.
    """
    ranked = sorted(
        (curve for curve in curves if curve.visible or curve.kind != "smooth"),
        key=lambda curve: (_rank(curve), -_length(curve.shape)),
    )
    if not ranked:
        return ()
    corners = np.array([extent(curve.shape) for curve in ranked])
    low, high = corners[:, 0].min(axis=0), corners[:, 1].max(axis=0)
    size = max(float(np.linalg.norm(high - low)), 1e-12)
    middle = 0.5 * (low + high)
    kept: list[tuple[int, Curve]] = []
    for kind in (Line, Arc, EllipseArc):
        chosen = [i for i, curve in enumerate(ranked) if isinstance(curve.shape, kind)]
        kept += _cut(ranked, chosen, middle, size)
    free = [i for i, curve in enumerate(ranked) if isinstance(curve.shape, Bezier | Polyline)]
    kept += _single(ranked, free, middle, max(2.0 * tolerance, SAME * size))
    return tuple(curve for _, curve in sorted(kept, key=lambda item: item[0]))


def _rank(curve: Curve) -> int:
    """Return 0 for what is drawn over all else."""
    return 2 * (not curve.visible) + (curve.kind in ("smooth", "thread"))


def _cut(
    curves: Sequence[Curve], chosen: list[int], middle: Floats, size: float
) -> list[tuple[int, Curve]]:
    """Cut curves of one kind where such of higher rank, or earlier ones, run on their carrier."""
    if not chosen:
        return []
    marks = np.array([_carrier(curves[i].shape, middle, size) for i in chosen]) / size
    groups = _neighbours(marks, 10 * SAME)
    kept: list[tuple[int, Curve]] = []
    for place, i in enumerate(chosen):
        own = curves[i]
        covered = [
            span
            for other in groups[place]
            if other < place
            for span in _covered(own.shape, curves[chosen[other]].shape, SAME * size)
        ]
        for start, end in _left(covered):
            shape = part(own.shape, start, end)
            if _length(shape) > CRUMB * size or not covered:
                kept.append((i, own.model_copy(update={"shape": shape}) if covered else own))
    return kept


def _carrier(shape: Shape, middle: Floats, size: float) -> list[float]:
    """Return numbers in mm that are alike for curves on one carrier, whichever way they run."""
    if isinstance(shape, Line):
        a, b = np.array(shape.start) - middle, np.array(shape.end) - middle
        way = (b - a) / np.linalg.norm(b - a)
        foot = a - (a @ way) * way
        # The direction and its opposite are one: the doubled angle, a part of the view's size.
        double = [way[0] ** 2 - way[1] ** 2, 2 * way[0] * way[1]]
        return [*foot.tolist(), 0.0, *(size * d for d in double)]
    if isinstance(shape, Arc):
        return [*(np.array(shape.centre) - middle).tolist(), shape.radius, 0.0, 0.0]
    if isinstance(shape, EllipseArc):
        x, y = shape.major
        long = math.hypot(x, y)
        double = [(x * x - y * y) / long, 2 * x * y / long]
        return [*(np.array(shape.centre) - middle).tolist(), long * shape.ratio, *double]
    raise TypeError(shape.kind)


def _covered(own: Shape, other: Shape, close: float) -> list[Span]:
    """Return the fractions of `own` that `other`, on the same carrier, covers."""
    if isinstance(own, Line) and isinstance(other, Line):
        return _covered_line(own, other, close)
    if isinstance(own, Arc | EllipseArc) and isinstance(other, Arc | EllipseArc):
        start = other.start
        if isinstance(own, EllipseArc) and isinstance(other, EllipseArc):
            # Each may count from either end of the major axis.
            turned = np.array(own.major) @ np.array(other.major) < 0
            start += math.pi if turned else 0.0
        return _covered_angles((own.start, own.sweep), (start, other.sweep))
    return []


def _covered_line(own: Line, other: Line, close: float) -> list[Span]:
    """Return the part of a line that another one covers, in plain numbers: there are many pairs."""
    (x, y), (end_x, end_y) = own.start, own.end
    length = math.hypot(end_x - x, end_y - y)
    u, v = (end_x - x) / length, (end_y - y) / length
    # Along and aside of the own line, from its start.
    places = [((p - x) * u + (q - y) * v, (q - y) * u - (p - x) * v) for p, q in _ends(other)]
    (low, low_aside), (high, high_aside) = sorted(places)
    first, last = max(low, 0.0), min(high, length)
    if first >= last:
        return []
    # The other may be far longer: its distance matters where both run.
    slope = (high_aside - low_aside) / (high - low)
    if max(abs(low_aside + slope * (at - low)) for at in (first, last)) > close:
        return []
    return [(low / length, high / length)]


def _ends(line: Line) -> tuple[Point, Point]:
    return line.start, line.end


def _covered_angles(own: Span, other: Span) -> list[Span]:
    start, sweep = own
    low, high = min(other[0], sum(other)), max(other[0], sum(other))
    spans = []
    for turn in range(-3, 4):
        ends = sorted(((low + turn * TURN - start) / sweep, (high + turn * TURN - start) / sweep))
        if ends[1] > 0.0 and ends[0] < 1.0:
            spans.append((ends[0], ends[1]))
    return spans


def _left(covered: list[Span]) -> list[Span]:
    """Return what of [0, 1] is not covered."""
    spans, at = [], 0.0
    for start, end in sorted(covered):
        if start > at:
            spans.append((at, min(start, 1.0)))
        at = max(at, end)
        if at >= 1.0:
            return spans
    return [*spans, (at, 1.0)]


def part(shape: Shape, start: float, end: float) -> Shape:
    """Return a line, circle or ellipse between two fractions of its way."""
    if isinstance(shape, Line):
        a, b = shape.at(np.array([start, end]))
        return Line(start=(float(a[0]), float(a[1])), end=(float(b[0]), float(b[1])))
    if isinstance(shape, Arc | EllipseArc):
        return shape.model_copy(
            update={
                "start": shape.start + start * shape.sweep,
                "sweep": (end - start) * shape.sweep,
            }
        )
    raise TypeError(shape.kind)


def _length(shape: Shape) -> float:
    points = shape.at(np.linspace(0.0, 1.0, 9))
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _single(
    curves: Sequence[Curve], chosen: list[int], middle: Floats, close: float
) -> list[tuple[int, Curve]]:
    """Leave out free curves that run wholly along an earlier one."""
    if not chosen:
        return []
    marks = []
    for i in chosen:
        along = spaced(curves[i].shape, PLACES) - middle
        # Whichever way it runs.
        marks.append(along if tuple(along[0]) <= tuple(along[-1]) else along[::-1])
    flat = np.array(marks).reshape(len(chosen), -1)
    groups = _neighbours(flat, close * math.sqrt(PLACES))
    first = [place for place in range(len(chosen)) if min(groups[place]) == place]
    return [(chosen[place], curves[chosen[place]]) for place in first]


def _neighbours(marks: Floats, distance: float) -> list[list[int]]:
    """Return the rows within a distance of each row, itself among them."""
    return [list(group) for group in cKDTree(marks).query_ball_tree(cKDTree(marks), distance)]
