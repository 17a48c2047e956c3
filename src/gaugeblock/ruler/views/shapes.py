"""Plane curves of a projection, in mm of the part: x to the right, y upwards.

Five kinds, each exactly what it says: a circle stays a circle. Angles are rad, positive
counter-clockwise. Plain records: no kernel here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from gaugeblock.records.base import Record

Point = tuple[float, float]
Floats = npt.NDArray[np.float64]

TURN = 2.0 * math.pi

MOST_POINTS = 20_000
"""Points of one curve; a thread's helix has some 1000."""


ROUGH = 8
"""Steps by which the length of a piece of a curve, or of a quarter of an arc, is told."""


class Line(Record):
    """A straight piece."""

    kind: Literal["line"] = "line"
    start: Point
    end: Point

    def at(self, t: Floats) -> Floats:
        """Return (n, 2) points at the fractions `t` of the way, 0 to 1."""
        a, b = np.array(self.start), np.array(self.end)
        return np.asarray(a + t[:, None] * (b - a))

    def turning_points(self) -> Floats:
        """Return the fractions of the way where x or y may be extreme, the ends left out."""
        return np.empty(0)


class Arc(Record):
    """A piece of a circle, or all of it."""

    kind: Literal["arc"] = "arc"
    centre: Point
    radius: float = Field(gt=0)
    start: float
    """Angle of the first point."""
    sweep: float = Field(ge=-TURN, le=TURN)
    """Angle run through; ±2π is the whole circle."""

    @property
    def whole(self) -> bool:
        """Whether it is a full circle."""
        return math.isclose(abs(self.sweep), TURN)

    def at(self, t: Floats) -> Floats:
        """Return (n, 2) points at the fractions `t` of the way, 0 to 1."""
        angle = self.start + self.sweep * t
        turned = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.asarray(np.array(self.centre) + self.radius * turned)

    def turning_points(self) -> Floats:
        """Return the fractions of the way where x or y may be extreme, the ends left out."""
        return _fractions(self.start, self.sweep, (0.0, 0.5 * math.pi))


class EllipseArc(Record):
    """A piece of an ellipse, or all of it: centre + cos(a) major + sin(a) minor.

    `minor` is `major` turned by +90° and shortened by `ratio`, as in DXF.
    """

    kind: Literal["ellipse"] = "ellipse"
    centre: Point
    major: Point
    """Half of the major axis, as a vector."""
    ratio: float = Field(gt=0, le=1)
    """Minor over major."""
    start: float
    """Parameter a of the first point."""
    sweep: float = Field(ge=-TURN, le=TURN)
    """Parameter run through; ±2π is the whole ellipse."""

    @property
    def minor(self) -> Point:
        """Half of the minor axis, as a vector."""
        return (-self.major[1] * self.ratio, self.major[0] * self.ratio)

    @property
    def whole(self) -> bool:
        """Whether it is a full ellipse."""
        return math.isclose(abs(self.sweep), TURN)

    def at(self, t: Floats) -> Floats:
        """Return (n, 2) points at the fractions `t` of the way, 0 to 1."""
        a = (self.start + self.sweep * t)[:, None]
        major, minor = np.array(self.major), np.array(self.minor)
        return np.asarray(np.array(self.centre) + np.cos(a) * major + np.sin(a) * minor)

    def turning_points(self) -> Floats:
        """Return the fractions of the way where x or y may be extreme, the ends left out."""
        peaks = [math.atan2(self.minor[i], self.major[i]) for i in (0, 1)]
        return _fractions(self.start, self.sweep, peaks)


class Bezier(Record):
    """A chain of cubic Bézier pieces."""

    kind: Literal["bezier"] = "bezier"
    points: tuple[Point, ...] = Field(min_length=4, max_length=MOST_POINTS)
    """3 n + 1 control points; every third lies on the curve."""

    @property
    def pieces(self) -> int:
        """How many cubic pieces there are."""
        return (len(self.points) - 1) // 3

    def at(self, t: Floats) -> Floats:
        """Return (n, 2) points at the fractions `t` of the way, 0 to 1; each piece counts alike."""
        control = np.array(self.points)
        pieces = self.pieces
        piece = np.minimum((t * pieces).astype(np.int64), pieces - 1)
        s = (t * pieces - piece)[:, None]
        p, q, r, e = (control[3 * piece + i] for i in range(4))
        u = 1.0 - s
        return np.asarray(u**3 * p + 3 * u * u * s * q + 3 * u * s * s * r + s**3 * e)

    def turning_points(self) -> Floats:
        """Return the fractions of the way where x or y may be extreme, the ends left out."""
        control = np.array(self.points)
        pieces = self.pieces
        found = [np.arange(1, pieces) / pieces]
        for axis in (0, 1):
            p, q, r, e = (control[i : i + 3 * pieces : 3, axis] for i in range(4))
            # The derivative over 3: a s² + 2 b s + c.
            a, b, c = e - 3 * r + 3 * q - p, p - 2 * q + r, q - p
            root = np.sqrt(np.maximum(b * b - a * c, 0.0))
            # Both roots in the form that keeps its digits where a is nearly 0.
            lead = -(b + np.where(b < 0, -root, root))
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                for s in (lead / a, c / lead):
                    inside = np.isfinite(s) & (s > 0) & (s < 1)
                    found.append((np.arange(pieces) + s)[inside] / pieces)
        return np.concatenate(found)


class Polyline(Record):
    """A chain of straight pieces."""

    kind: Literal["polyline"] = "polyline"
    points: tuple[Point, ...] = Field(min_length=2, max_length=MOST_POINTS)

    @property
    def pieces(self) -> int:
        """How many straight pieces there are."""
        return len(self.points) - 1

    def at(self, t: Floats) -> Floats:
        """Return (n, 2) points at the fractions `t` of the way, 0 to 1; each piece counts alike."""
        points = np.array(self.points)
        pieces = self.pieces
        piece = np.minimum((t * pieces).astype(np.int64), pieces - 1)
        s = (t * pieces - piece)[:, None]
        return np.asarray((1.0 - s) * points[piece] + s * points[piece + 1])

    def turning_points(self) -> Floats:
        """Return the fractions of the way where x or y may be extreme, the ends left out."""
        return np.arange(1, self.pieces) / self.pieces


Shape = Annotated[Line | Arc | EllipseArc | Bezier | Polyline, Field(discriminator="kind")]


def _fractions(start: float, sweep: float, peaks: Sequence[float]) -> Floats:
    """Return where on the way from `start` over `sweep` an angle is one of `peaks` modulo π."""
    found = []
    low, high = min(start, start + sweep), max(start, start + sweep)
    for peak in peaks:
        first = math.ceil((low - peak) / math.pi)
        last = math.floor((high - peak) / math.pi)
        found += [(peak + n * math.pi - start) / sweep for n in range(first, last + 1)]
    return np.array([t for t in found if 0 < t < 1])


def radii(shape: Arc | EllipseArc) -> tuple[float, float, float]:
    """Return both radii in mm, and the major axis' angle in degrees."""
    if isinstance(shape, Arc):
        return shape.radius, shape.radius, 0.0
    long = math.hypot(*shape.major)
    turned = math.degrees(math.atan2(shape.major[1], shape.major[0]))
    return long, long * shape.ratio, turned


def extent(shape: Shape) -> tuple[Point, Point]:
    """Return the lowest and the highest corner of the smallest box around a curve, mm."""
    points = shape.at(np.concatenate([[0.0, 1.0], shape.turning_points()]))
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1])), (float(high[0]), float(high[1]))


def sampled(shape: Shape, step: float) -> Floats:
    """Return (n, 2) points along a curve from end to end, `step` mm apart or less.

    Args:
        shape: The curve.
        step: Distance in mm; at least two points are given, at most `MOST_POINTS`: a curve too
            long for them is sampled more widely.
    """
    along, way = _along(shape)
    count = math.ceil(max(min(float(along[-1]) / step, MOST_POINTS - 1), 1)) + 1
    where = np.interp(np.linspace(0.0, along[-1], count), along, way)
    while True:
        # A Bézier that turns back within one of the rough steps is longer than they tell:
        # what is still too wide is halved.
        points = shape.at(where)
        wide = np.flatnonzero(np.linalg.norm(np.diff(points, axis=0), axis=1) > step * (1 + 1e-9))
        if not len(wide) or len(where) + len(wide) > MOST_POINTS:
            return points
        where = np.insert(where, wide + 1, 0.5 * (where[wide] + where[wide + 1]))


def spaced(shape: Shape, count: int) -> Floats:
    """Return (count, 2) points along a curve from end to end, evenly by length."""
    along, way = _along(shape)
    return shape.at(np.interp(np.linspace(0.0, along[-1], count), along, way))


def _along(shape: Shape) -> tuple[Floats, Floats]:
    """Return lengths from the start in mm, and the fractions of the way they are reached at."""
    # Whole steps a piece, so that no step runs across a corner.
    rough = ROUGH * (shape.pieces if isinstance(shape, Bezier | Polyline) else 4)
    way = np.linspace(0.0, 1.0, rough + 1)
    legs = np.linalg.norm(np.diff(shape.at(way), axis=0), axis=1)
    return np.concatenate([[0.0], np.cumsum(legs)]), way
