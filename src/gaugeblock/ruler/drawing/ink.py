"""What of a dimension stands on the paper: its lines, its arrows and the box of its text.

Every output draws dimensions from here, and the collision check looks at the same lines, so that
what was checked is what is seen. mm of paper throughout.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from gaugeblock.ruler.drawing.lettering import DESCENT, width
from gaugeblock.ruler.drawing.sheet import AngularDim, Dim, Label, Leader, LinearDim, RoundDim
from gaugeblock.ruler.views.shapes import Point

ARROW = 3.0
"""Length of an arrow's head, mm."""

ARROW_ANGLE = math.radians(20.0)
"""Full angle of an arrow's head (ISO 129-1 shows 15° to 30°)."""

GAP = 0.8
"""Between the part's outline and an extension line, mm."""

OVERSHOOT = 2.0
"""Of an extension line beyond its dimension line, mm (ISO 129-1: eight line widths)."""

TAIL = 4.0
"""Length of a dimension line outside its extension lines, mm: it ends short of the first text
around the corner of the view."""

TIGHT = 2.0 * ARROW + 2.0
"""Dimension lines shorter than this get their arrows from outside, mm."""

ORIGIN = 0.8
"""Radius of the circle at the origin of running dimensions, mm."""

CHORDS = 16
"""Straight pieces that an arc is checked by."""

LIFT = 0.9
"""Between a text and the dimension line below it, mm."""

Role = Literal["line", "extension", "leader"]


@dataclass(frozen=True)
class Piece:
    """One straight piece of a dimension."""

    role: Role
    a: Point
    b: Point


@dataclass(frozen=True)
class Head:
    """One arrow's head."""

    tip: Point
    angle: float
    """Direction in which it points, rad."""


@dataclass(frozen=True)
class Box:
    """A turned rectangle."""

    at: Point
    """Its middle."""
    width: float
    height: float
    angle: float = 0.0

    def corners(self) -> list[Point]:
        """Return the four corners, counter-clockwise."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        x, y = 0.5 * self.width, 0.5 * self.height
        return [
            (self.at[0] + c * u - s * v, self.at[1] + s * u + c * v)
            for u, v in ((-x, -y), (x, -y), (x, y), (-x, y))
        ]


@dataclass(frozen=True)
class Ink:
    """All that is drawn of one dimension."""

    pieces: list[Piece]
    heads: list[Head]
    text: Box
    arc: tuple[Point, float, float, float] | None = None
    """Centre, radius, start and sweep of an angle's arc; `pieces` hold its chords too."""


def text_box(text: str, at: Point, height: float, angle: float) -> Box:
    """Return the box of a line of text around its middle, descenders included."""
    return Box(at, width(text, height), height * (1.0 + DESCENT), angle)


def label_box(label: Label) -> Box:
    """Return the box of a label."""
    wide = width(label.text, label.height)
    tall = label.height * (1.0 + DESCENT)
    across = {"left": 0.5 * wide, "middle": 0.0, "right": -0.5 * wide}[label.anchor]
    up = {"bottom": 0.5 * label.height, "middle": 0.0, "top": -0.5 * label.height}[label.baseline]
    c, s = math.cos(label.angle), math.sin(label.angle)
    at = (label.at[0] + c * across - s * up, label.at[1] + s * across + c * up)
    return Box(at, wide, tall, label.angle)


def ink(dim: Dim) -> Ink:
    """Return what is drawn of a dimension."""
    match dim:
        case LinearDim():
            return _linear(dim)
        case RoundDim():
            return _round(dim)
        case AngularDim():
            return _angular(dim)
        case Leader():
            return _leader(dim)


def _text(dim: Dim) -> Box:
    return text_box(dim.text, dim.text_at, dim.height, dim.text_angle)


def feet(dim: LinearDim) -> tuple[Point, Point]:
    """Return where the extension lines of a linear dimension meet its dimension line."""
    c, s = math.cos(dim.angle), math.sin(dim.angle)
    found = []
    for p in dim.points:
        across = -(dim.line_at[0] - p[0]) * s + (dim.line_at[1] - p[1]) * c
        found.append((p[0] - s * across, p[1] + c * across))
    return found[0], found[1]


def _running(dim: LinearDim) -> Ink:
    """Return a running dimension: an arrow at the far end only, the number beyond the line."""
    origin, foot = feet(dim)
    c, s = math.cos(dim.text_angle), math.sin(dim.text_angle)
    half = 0.5 * width(dim.text, dim.height)
    ends = [(dim.text_at[0] + w * half * c, dim.text_at[1] + w * half * s) for w in (-1.0, 1.0)]
    near = min(ends, key=lambda p: math.dist(p, foot))
    pieces = [
        Piece("extension", _on(a, _way(a, b), GAP), b)
        for a, b in ((dim.points[0], origin), (dim.points[1], foot))
        if math.dist(a, b) > GAP
    ]
    pieces.append(Piece("extension", foot, _on(near, _way(near, foot), GAP)))
    ring = [
        (origin[0] + ORIGIN * math.cos(t), origin[1] + ORIGIN * math.sin(t))
        for t in (math.tau * i / CHORDS for i in range(CHORDS + 1))
    ]
    pieces += [Piece("extension", a, b) for a, b in pairwise(ring)]
    pieces.append(Piece("line", origin, foot))
    way = _way(origin, foot)
    return Ink(pieces, [Head(foot, math.atan2(way[1], way[0]))], _text(dim))


def _way(a: Point, b: Point) -> Point:
    """Return the unit vector from one point to another; none where they are one."""
    long = math.dist(a, b)
    return ((b[0] - a[0]) / long, (b[1] - a[1]) / long) if long else (0.0, 0.0)


def _linear(dim: LinearDim) -> Ink:
    if dim.running:
        return _running(dim)
    u = (math.cos(dim.angle), math.sin(dim.angle))
    ends = sorted(feet(dim), key=lambda p: p[0] * u[0] + p[1] * u[1])
    starts = sorted(dim.points, key=lambda p: p[0] * u[0] + p[1] * u[1])
    pieces = []
    for start, foot in zip(starts, ends, strict=True):
        long = math.dist(start, foot)
        if long > GAP:
            w = ((foot[0] - start[0]) / long, (foot[1] - start[1]) / long)
            pieces.append(
                Piece(
                    "extension",
                    (start[0] + GAP * w[0], start[1] + GAP * w[1]),
                    (foot[0] + OVERSHOOT * w[0], foot[1] + OVERSHOOT * w[1]),
                )
            )
    low, high = ends
    length = math.dist(low, high)
    along = (dim.text_at[0] - low[0]) * u[0] + (dim.text_at[1] - low[1]) * u[1]
    half = 0.5 * width(dim.text, dim.height)
    outside = length < TIGHT
    first, last = (-TAIL, length + TAIL) if outside else (0.0, length)
    if along - half < 0.0 and along < 0.0:
        first = min(first, along - half)
    if along + half > length and along > length:
        last = max(last, along + half)
    pieces.append(Piece("line", _on(low, u, first), _on(low, u, last)))
    turn = math.pi if outside else 0.0
    heads = [Head(low, dim.angle + math.pi + turn), Head(high, dim.angle + turn)]
    return Ink(pieces, heads, _text(dim))


def _on(start: Point, way: Point, along: float) -> Point:
    return (start[0] + along * way[0], start[1] + along * way[1])


def _landing(box: Box, towards: Point) -> tuple[Point, Point]:
    """Return the near and the far end of the line under a text."""
    y = box.at[1] - 0.5 * box.height - 0.4 * LIFT
    left = (box.at[0] - 0.5 * box.width, y)
    right = (box.at[0] + 0.5 * box.width, y)
    return (
        (left, right) if abs(towards[0] - left[0]) <= abs(towards[0] - right[0]) else (right, left)
    )


def _round(dim: RoundDim) -> Ink:
    box = _text(dim)
    near, far = _landing(box, dim.on)
    pieces = [Piece("leader", dim.on, near), Piece("leader", near, far)]
    angle = math.atan2(dim.on[1] - near[1], dim.on[0] - near[0])
    heads = [Head(dim.on, angle)]
    radius = math.dist(dim.centre, dim.on)
    if dim.kind == "diameter" and 2.0 * radius >= 2.0 * TIGHT:
        c = ((dim.on[0] - dim.centre[0]) / radius, (dim.on[1] - dim.centre[1]) / radius)
        other = _on(dim.centre, c, -radius)
        pieces.append(Piece("line", dim.on, other))
        # Seen from inside, both arrows point outwards.
        out = math.atan2(c[1], c[0])
        heads = [Head(dim.on, out), Head(other, out + math.pi)]
    return Ink(pieces, heads, box)


def _leader(dim: Leader) -> Ink:
    pieces = [Piece("leader", a, b) for a, b in zip(dim.points[:-1], dim.points[1:], strict=True)]
    tip, after = dim.points[0], dim.points[1]
    angle = math.atan2(tip[1] - after[1], tip[0] - after[0])
    return Ink(pieces, [Head(tip, angle)], _text(dim))


def _angular(dim: AngularDim) -> Ink:
    start = math.atan2(dim.points[0][1] - dim.apex[1], dim.points[0][0] - dim.apex[0])
    sweep = math.radians(dim.measured)
    outside = sweep * dim.radius < TIGHT
    tail = TAIL / dim.radius if outside else 0.0
    first, whole = start - tail, sweep + 2.0 * tail
    arc = [
        _on(dim.apex, (math.cos(angle), math.sin(angle)), dim.radius)
        for angle in (first + whole * i / CHORDS for i in range(CHORDS + 1))
    ]
    pieces = [Piece("line", a, b) for a, b in pairwise(arc)]
    for point, angle in zip(dim.points, (start, start + sweep), strict=True):
        reach = math.dist(point, dim.apex)
        if reach + GAP < dim.radius:
            way = (math.cos(angle), math.sin(angle))
            pieces.append(
                Piece(
                    "extension",
                    _on(dim.apex, way, reach + GAP),
                    _on(dim.apex, way, dim.radius + OVERSHOOT),
                )
            )
    turn = 0.5 * math.pi if outside else -0.5 * math.pi
    heads = [
        Head(_on(dim.apex, (math.cos(angle), math.sin(angle)), dim.radius), angle + sign * turn)
        for angle, sign in ((start, 1.0), (start + sweep, -1.0))
    ]
    return Ink(pieces, heads, _text(dim), (dim.apex, dim.radius, first, whole))
