"""Curves as cubic Béziers and as points, for formats that know nothing better."""

from __future__ import annotations

import math

import numpy as np

from gaugeblock.ruler.views.shapes import (
    Arc,
    Bezier,
    EllipseArc,
    Floats,
    Line,
    Point,
    Polyline,
    Shape,
    sampled,
)

PIECE = 0.25 * math.pi
"""Longest piece of an arc that becomes one Bézier: it strays by 4·10⁻⁶ of the radius."""

CHORD = 0.05
"""Deviation of chords from a curve on paper, mm: a fifth of a narrow line."""

FINEST = 0.02
"""Shortest chord, mm."""


def beziers(shape: Shape) -> tuple[Point, ...] | None:
    """Return 3 n + 1 control points of a curve, or None for lines and chains of lines."""
    if isinstance(shape, Line | Polyline):
        return None
    if isinstance(shape, Bezier):
        return shape.points
    count = max(1, math.ceil(abs(shape.sweep) / PIECE - 1e-9))
    step = shape.sweep / count
    reach = 4.0 / 3.0 * math.tan(0.25 * step)
    if isinstance(shape, Arc):
        u, v = np.array([shape.radius, 0.0]), np.array([0.0, shape.radius])
    else:
        u, v = np.array(shape.major), np.array(shape.minor)
    centre = np.array(shape.centre)
    points: list[Point] = []
    for n in range(count):
        a, b = shape.start + n * step, shape.start + (n + 1) * step
        first = centre + math.cos(a) * u + math.sin(a) * v
        last = centre + math.cos(b) * u + math.sin(b) * v
        inner = first + reach * (-math.sin(a) * u + math.cos(a) * v)
        outer = last - reach * (-math.sin(b) * u + math.cos(b) * v)
        new = (first, inner, outer, last) if n == 0 else (inner, outer, last)
        points += [(float(p[0]), float(p[1])) for p in new]
    return tuple(points)


def flat(shape: Shape, chord: float = CHORD) -> Floats:
    """Return (n, 2) points along a curve, straight between them.

    Args:
        shape: The curve.
        chord: How far chords may stray, mm.
    """
    if isinstance(shape, Line):
        return np.array([shape.start, shape.end])
    if isinstance(shape, Polyline):
        return np.array(shape.points)
    if isinstance(shape, Arc | EllipseArc):
        radius = shape.radius if isinstance(shape, Arc) else math.hypot(*shape.major)
        # A chord over the angle a strays by r (1 − cos(a / 2)).
        angle = 2.0 * math.acos(max(1.0 - chord / radius, 0.0)) if radius > chord else PIECE
        count = max(2, math.ceil(abs(shape.sweep) / min(angle, PIECE)))
        return shape.at(np.linspace(0.0, 1.0, count + 1))
    return sampled(shape, max(4.0 * chord, FINEST))


def length(shape: Shape) -> float:
    """Return the length of a curve, mm."""
    if isinstance(shape, Arc):
        return shape.radius * abs(shape.sweep)
    points = flat(shape)
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def closed(shape: Shape) -> bool:
    """Whether a curve ends where it starts."""
    ends = shape.at(np.array([0.0, 1.0]))
    return bool(np.linalg.norm(ends[1] - ends[0]) < 1e-6)
