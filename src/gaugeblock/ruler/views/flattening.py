"""Curves in space to curves in the plane of a view.

Orthographic projection is linear: a line becomes a line or a point, a circle or an ellipse becomes
an ellipse, a circle or a line, all by formula. Everything else becomes a chain of cubic Béziers
that meets the curve and its tangents at nodes, halved until it is as close as asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.collections import Array1_double
from OCP.GeomAbs import GeomAbs_CurveType, GeomAbs_Shape
from OCP.gp import gp_Pnt, gp_Vec

from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.shapes import TURN, Arc, Bezier, EllipseArc, Line, Point, Shape, extent

Floats = npt.NDArray[np.float64]

LEVELS = 10
"""Times that a piece of a curve may be halved: 1000 Béziers between two knots."""

MOST_PIECES = 4000
"""Béziers of one curve; beyond it the curve is nonsense (a thread's helix has some 200)."""

PROBES = (0.25, 0.5, 0.75)
"""Where a Bézier is compared with its curve."""

ROUND_SAMPLES = 24
"""Points that decide whether an outline is a circle."""

LEAST_TURN = 0.2
"""Angle in rad below which an outline is not called a circle: any short curve fits one."""


@dataclass(frozen=True)
class Frame:
    """A camera made ready: points in space to points of the view."""

    basis: Floats
    """(3, 3) rows right, up, towards the viewer."""
    tolerance: float
    """mm; curves that differ by less are the same."""

    @classmethod
    def of(cls, camera: Camera, tolerance: float) -> Frame:
        """Return the frame of a camera."""
        return cls(camera.basis(), tolerance)

    def place(self, xyz: Any) -> Floats:
        """Return x, y and depth of one gp point, direction or vector."""
        return np.asarray(self.basis @ np.array(xyz.Coord()))


def flattened(curve: Any, first: float, last: float, frame: Frame, outline: bool) -> Shape | None:
    """Return the projection of a curve between two parameters, or None where it is a point.

    Args:
        curve: BRepAdaptor_Curve.
        first: Lower parameter.
        last: Upper parameter.
        frame: The view.
        outline: Whether the curve is a silhouette that the kernel found by search: those are
            splines even where they are circles, and are told apart here.
    """
    match curve.GetType():
        case GeomAbs_CurveType.GeomAbs_Line:
            start, end = (frame.place(curve.Value(t)) for t in (first, last))
            return line(start, end, frame.tolerance)
        case GeomAbs_CurveType.GeomAbs_Circle:
            circle = curve.Circle()
            return _conic(circle, circle.Radius(), circle.Radius(), first, last, frame)
        case GeomAbs_CurveType.GeomAbs_Ellipse:
            ellipse = curve.Ellipse()
            return _conic(ellipse, ellipse.MajorRadius(), ellipse.MinorRadius(), first, last, frame)
    if outline:
        found = _round(curve, first, last, frame)
        if found is not None:
            return found
    return _bezier(curve, first, last, frame)


def line(a: Floats, b: Floats, tolerance: float) -> Line | None:
    """Return the line between two points of the view, or None where they are one."""
    if math.dist(a[:2], b[:2]) <= tolerance:
        return None
    return Line(start=_point(a), end=_point(b))


def _conic(
    conic: Any, across: float, along: float, first: float, last: float, frame: Frame
) -> Shape | None:
    """Project centre + cos(t) a + sin(t) b.

    The principal axes of the image are the singular vectors of (a b); the parameter is turned by
    the right singular vectors' angle.
    """
    axes = conic.Position()
    centre = frame.place(conic.Location())[:2]
    a = across * frame.place(axes.XDirection())[:2]
    b = along * frame.place(axes.YDirection())[:2]
    left, size, right = np.linalg.svd(np.stack([a, b], axis=1))
    major, minor = (float(s) for s in size)
    if major <= frame.tolerance:
        return None
    if minor <= frame.tolerance * 1e-3:
        return _edge_on(centre, a, b, first, last, frame)
    # Turn the singular vectors so that both pairs are right-handed; what is left is the sense.
    sense = float(np.sign(np.linalg.det(left) * np.linalg.det(right)))
    if np.linalg.det(left) < 0:
        left[:, 1] *= -1
    if np.linalg.det(right) < 0:
        right[1] *= -1
    # right @ (cos t, sin t) = (cos, sin)(t - shift); mirrored, the angle runs backwards.
    shift = math.atan2(right[0, 1], right[0, 0])
    start, sweep = sense * (first - shift), sense * min(last - first, TURN)
    if major - minor <= 1e-9 * major:
        turned = math.atan2(left[1, 0], left[0, 0])
        return Arc(centre=_point(centre), radius=major, start=_wrapped(start + turned), sweep=sweep)
    return EllipseArc(
        centre=_point(centre),
        major=_point(major * left[:, 0]),
        ratio=minor / major,
        start=_wrapped(start),
        sweep=sweep,
    )


def _edge_on(
    centre: Floats, a: Floats, b: Floats, first: float, last: float, frame: Frame
) -> Line | None:
    """Return what a circle or ellipse is when it is seen from its side."""
    direction = a if np.linalg.norm(a) > np.linalg.norm(b) else b
    direction = direction / np.linalg.norm(direction)
    p, q = float(a @ direction), float(b @ direction)
    peak = math.atan2(q, p)
    turns = [
        peak + n * math.pi
        for n in range(math.ceil((first - peak) / math.pi), math.floor((last - peak) / math.pi) + 1)
    ]
    reach = [p * math.cos(t) + q * math.sin(t) for t in (first, last, *turns)]
    low, high = (centre + direction * r for r in (min(reach), max(reach)))
    return line(low, high, frame.tolerance)


def _round(curve: Any, first: float, last: float, frame: Frame) -> Arc | None:
    """Return the circle that an outline is, or None."""
    place = np.array(
        [frame.place(curve.Value(float(t))) for t in np.linspace(first, last, ROUND_SAMPLES)]
    )[:, :2]
    middle = place.mean(axis=0)
    away = place - middle
    # An outline's own error is far below the tolerance: what is taken for a circle must fit
    # better than what may differ.
    close = 0.1 * frame.tolerance
    # Least squares for x² + y² = 2 x cx + 2 y cy + c.
    system = np.column_stack([2.0 * away, np.ones(len(away))])
    answer, *_ = np.linalg.lstsq(system, (away**2).sum(axis=1), rcond=None)
    radius = math.sqrt(max(float(answer[2] + answer[:2] @ answer[:2]), 0.0))
    spoke = away - answer[:2]
    if float(np.abs(np.linalg.norm(spoke, axis=1) - radius).max()) > close:
        return None
    angle = np.unwrap(np.arctan2(spoke[:, 1], spoke[:, 0]))
    sweep = float(angle[-1] - angle[0])
    if abs(sweep) < LEAST_TURN or abs(sweep) > TURN * (1 + 1e-9):
        return None
    return Arc(
        centre=_point(middle + answer[:2]),
        radius=radius,
        start=_wrapped(float(angle[0])),
        sweep=math.copysign(min(abs(sweep), TURN), sweep),
    )


def _bezier(curve: Any, first: float, last: float, frame: Frame) -> Shape | None:
    """Return a chain of cubic Béziers, or a line where the curve is seen from its side."""

    def look(t: float) -> tuple[Floats, Floats]:
        point, slope = gp_Pnt(), gp_Vec()
        curve.D1(t, point, slope)
        return frame.place(point)[:2], frame.place(slope)[:2]

    nodes = _breaks(curve, first, last)
    pieces: list[Floats] = []
    for low, high in pairwise(nodes):
        _halve(look, low, high, look(low), look(high), frame.tolerance, LEVELS, pieces)
        if len(pieces) > MOST_PIECES:
            raise ValueError(f"a curve of more than {MOST_PIECES} Béziers")
    control = np.concatenate([pieces[0][:1], *(piece[1:] for piece in pieces)])
    middle = control.mean(axis=0)
    _, _, axes = np.linalg.svd(control - middle, full_matrices=False)
    turned = (control - middle) @ axes.T
    if float(np.abs(turned[:, 1]).max()) <= frame.tolerance:
        # The curve may run to and fro: its ends need not be the line's.
        (low, _), (high, _) = extent(Bezier(points=tuple(map(_point, turned))))
        return line(middle + axes[0] * low, middle + axes[0] * high, frame.tolerance)
    return Bezier(points=tuple(map(_point, control)))


def _halve(
    look: Callable[[float], tuple[Floats, Floats]],
    low: float,
    high: float,
    start: tuple[Floats, Floats],
    end: tuple[Floats, Floats],
    tolerance: float,
    levels: int,
    pieces: list[Floats],
) -> None:
    """Append Béziers that follow the curve from `low` to `high` within `tolerance` mm."""
    third = (high - low) / 3.0
    control = np.stack([start[0], start[0] + third * start[1], end[0] - third * end[1], end[0]])
    gap = 0.0
    for s in PROBES:
        u = 1.0 - s
        weights = np.array([u**3, 3 * u * u * s, 3 * u * s * s, s**3])
        true = look(low + s * (high - low))[0]
        gap = max(gap, math.dist(weights @ control, true))
    if gap <= tolerance or not levels:
        pieces.append(control)
        return
    if len(pieces) > MOST_PIECES:
        return
    middle = 0.5 * (low + high)
    between = look(middle)
    _halve(look, low, middle, start, between, tolerance, levels - 1, pieces)
    _halve(look, middle, high, between, end, tolerance, levels - 1, pieces)


def _breaks(curve: Any, first: float, last: float) -> list[float]:
    """Return the parameters between which the curve is smooth, ends included."""
    count = curve.NbIntervals(GeomAbs_Shape.GeomAbs_C3)
    knots = Array1_double(1, count + 1)
    curve.Intervals(knots, GeomAbs_Shape.GeomAbs_C3)
    least = 1e-9 * (last - first)
    inner = (knots.Value(i) for i in range(1, count + 2))
    return [first, *(t for t in inner if first + least < t < last - least), last]


def _point(p: Floats) -> Point:
    return (float(p[0]), float(p[1]))


def _wrapped(angle: float) -> float:
    """Return an angle in (−π, π]."""
    return math.atan2(math.sin(angle), math.cos(angle))
