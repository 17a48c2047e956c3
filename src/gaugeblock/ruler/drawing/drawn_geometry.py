"""The lines of one view of a finished sheet, asked where dimensions may stand. mm of paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gaugeblock.ruler.drawing.output.curves import flat
from gaugeblock.ruler.drawing.sheet import PlacedView, Sheet
from gaugeblock.ruler.drawing.straight import ON, merged, separate
from gaugeblock.ruler.views.shapes import (
    Arc,
    EllipseArc,
    Floats,
    Line,
    Point,
    Polyline,
    Shape,
    extent,
)

CHORD = 0.001
"""How far chords of a curve may stray, mm: a twentieth of `ON`."""

ASIDE = 1.0
"""A line belongs to a view if its middle lies in the view's box or this far beside it, mm."""

LAYERS = frozenset(("visible", "tangent", "thread", "hidden", "centre"))
"""Where the part is drawn."""

MOST_LINES = 4000
"""Straight lines of a view among which corners are counted, 1 s; a thread drawn from triangles may
have more. Beyond, no more than the dimension's own corner is seen."""

DEEP = 10.0
"""Circles of an oblique hole follow each other within this many of its radii."""

MOST_ALIKE = 200
"""Lines of one length that are compared pair by pair; beyond, no count is seen."""

TANGENT = math.radians(0.05)
"""Directions that differ by less are the same, rad: `ON` over some 20 mm."""


@dataclass(frozen=True)
class Ring:
    """A circle, or an arc of it."""

    centre: Point
    radius: float
    """Of an ellipse: half its longer axis, which is the radius of a circle seen aslant; and half
    its shorter one, which is that of a hole drilled aslant into a face that is seen squarely."""
    way: Point | None = None
    """Unit vector along an ellipse's other axis: the hole's own one."""


class DrawnView:
    """One view's lines.

    Args:
        sheet: The sheet.
        view: One of its views.
    """

    def __init__(self, sheet: Sheet, view: PlacedView) -> None:
        self.placed = view
        self.scale = view.scale
        self.shapes: list[Shape] = []
        for stroke in sheet.strokes:
            if stroke.layer in LAYERS and _inside(stroke.shape, view):
                self.shapes.append(stroke.shape)

    @cached_property
    def straight(self) -> Floats:
        """(n, 4) lines that are straight."""
        rows = [[*s.start, *s.end] for s in self.shapes if isinstance(s, Line)]
        for shape in self.shapes:
            if isinstance(shape, Polyline):
                rows += [[*a, *b] for a, b in zip(shape.points, shape.points[1:], strict=False)]
        return np.array(rows).reshape(-1, 4)

    @cached_property
    def merged(self) -> Floats:
        """(m, 4) straight lines, each with all that goes on along it made one."""
        return merged(self.straight)

    @cached_property
    def stretches(self) -> Floats:
        """(k, 4) straight lines as they are drawn, and joined ones."""
        return np.unique(np.concatenate([self.straight, self.merged]).round(9), axis=0)

    @cached_property
    def rings(self) -> list[Ring]:
        """Circles and arcs, also those that are seen as an ellipse."""
        return [ring for s in self.shapes if isinstance(s, Arc | EllipseArc) for ring in _rings(s)]

    @cached_property
    def _ends(self) -> Floats:
        """(n, 2) ends of lines and middles of circles and ellipses."""
        points = [p for s in self.shapes for p in s.at(np.array([0.0, 1.0])).tolist()]
        points += [list(s.centre) for s in self.shapes if isinstance(s, Arc | EllipseArc)]
        return np.array(points).reshape(-1, 2)

    def ends_at(self, point: Point) -> bool:
        """Whether a line ends, or a circle has its middle, at a point."""
        return bool(len(self._ends) and np.hypot(*(self._ends - point).T).min() <= ON)

    def holds(self, point: Point, angle: float) -> bool:
        """Whether a length along a direction may start at a point.

        It may at the end of a line, at the middle of a circle, where a curve turns back in that
        direction, and on a straight line across it.

        Args:
            point: The point.
            angle: The length's direction, rad.
        """
        if self.ends_at(point):
            return True
        u = np.array([math.cos(angle), math.sin(angle)])
        way = self.straight[:, 2:] - self.straight[:, :2]
        long = np.linalg.norm(way, axis=1)
        across = (long > 0) & (np.abs(way @ u) <= TANGENT * long)
        if across.any() and _distance(self.straight[across], point) <= ON:
            return True
        return any(_turns(curve, point, u) for curve in self._curves_near(point))

    @cached_property
    def _curves(self) -> list[Shape]:
        return [s for s in self.shapes if not isinstance(s, Line | Polyline)]

    @cached_property
    def _curve_boxes(self) -> Floats:
        """(n, 4) lowest and highest x and y of each curve."""
        rows = [[*low, *high] for low, high in map(extent, self._curves)]
        return np.array(rows).reshape(-1, 4)

    def _curves_near(self, point: Point) -> list[Shape]:
        """Return the curves whose box holds a point."""
        low, high = self._curve_boxes[:, :2] - ON, self._curve_boxes[:, 2:] + ON
        near = ((low <= point) & (high >= point)).all(axis=1)
        return [self._curves[n] for n in np.flatnonzero(near)]

    def rings_at(self, point: Point) -> list[Ring]:
        """Return the circles and arcs that a point lies on."""
        return [
            ring
            for s in self._curves_near(point)
            if isinstance(s, Arc | EllipseArc) and _distance(_pieces(s), point) <= ON
            for ring in _rings(s)
        ]

    def alike(self, radius: float) -> int:
        """Return how many circles or arcs of one radius there are, those of one centre once."""
        return len(self.centres(radius))

    def centres(self, radius: float) -> list[Point]:
        """Return the middles of circles or arcs of one radius, each once.

        Both rims of an oblique hole are ellipses, one behind the other along their shorter axis.
        """
        kept: list[Ring] = []
        for ring in self.rings:
            if abs(ring.radius - radius) > ON:
                continue
            if all(not _one_hole(ring, other) for other in kept):
                kept.append(ring)
        return [ring.centre for ring in kept]

    def about(self, ring: Ring) -> list[Ring]:
        """Return the circles around the middle of one, or around its axis if it is oblique."""
        found = []
        for other in self.rings:
            off = np.subtract(other.centre, ring.centre)
            if float(np.hypot(*off)) <= ON:
                found.append(other)
            elif ring.way is not None and other.way is not None:
                aside = abs(float(off[0] * ring.way[1] - off[1] * ring.way[0]))
                turned = abs(ring.way[0] * other.way[1] - ring.way[1] * other.way[0])
                if aside <= ON and turned <= TANGENT and np.hypot(*off) <= DEEP * ring.radius:
                    found.append(other)
        return found

    def touches(self, point: Point) -> bool:
        """Whether any drawn curve runs through a point."""
        if len(self.straight) and _distance(self.straight, point) <= ON:
            return True
        return any(_distance(_pieces(s), point) <= ON for s in self._curves_near(point))

    def leg(self, apex: Point, point: Point) -> bool:
        """Whether a straight line is drawn on the ray from an apex through a point."""
        ray = np.subtract(point, apex)
        long = float(np.linalg.norm(ray))
        if long == 0:
            return False
        n = np.array([-ray[1], ray[0]]) / long
        a, b = self.straight[:, :2] - apex, self.straight[:, 2:] - apex
        on = (np.abs(a @ n) <= ON) & (np.abs(b @ n) <= ON)
        ahead = np.maximum(a @ ray, b @ ray) > 0
        return bool((on & ahead & (np.linalg.norm(b - a, axis=1) > ON)).any())

    def corners(self, degrees: float) -> int:
        """Return in how many corners two lines that end there enclose an angle."""
        rows = self.straight
        found: list[Point] = []
        if len(rows) > MOST_LINES:
            return 0
        for i, one in enumerate(rows):
            for p, q in ((one[:2], one[2:]), (one[2:], one[:2])):
                rest = rows[i + 1 :]
                for r, s in ((rest[:, :2], rest[:, 2:]), (rest[:, 2:], rest[:, :2])):
                    meet = np.hypot(*(r - p).T) <= ON
                    u, v = q - p, s[meet] - r[meet]
                    cross, dot = u[0] * v[:, 1] - u[1] * v[:, 0], v @ u
                    angles = np.degrees(np.arctan2(np.abs(cross), dot))
                    for angle in angles.tolist():
                        if abs(angle - degrees) <= math.degrees(TANGENT) and not any(
                            math.dist(p, other) <= ON for other in found
                        ):
                            found.append((float(p[0]), float(p[1])))
        return len(found)

    def chamfer_at(self, point: Point) -> Point | None:
        """Return the extent, across and up, of the oblique line that a point lies on."""
        for row, (across, up) in zip(self.straight, self._extents, strict=True):
            if min(across, up) > ON and _distance(row[None, :], point) <= ON:
                return (float(across), float(up))
        return None

    def chamfers(self, extent: Point) -> int:
        """Return how many chamfers of one extent are seen.

        A chamfer around a turned part shows as two lines whose ends are joined by the edges of the
        cone, seen from the side: they count once.

        Args:
            extent: Across and up, mm of paper; the order tells nothing.
        """
        wanted = np.sort(extent)
        alike = (np.abs(np.sort(self._extents, axis=1) - wanted) <= ON).all(axis=1)
        left = list(self.straight[alike])
        count = 0
        if len(left) > MOST_ALIKE:
            return 1
        while left:
            one = left.pop()
            count += 1
            left = [other for other in left if not self._joined(one, other)]
        return count

    @cached_property
    def _extents(self) -> Floats:
        return np.abs(self.straight[:, 2:] - self.straight[:, :2])

    def _joined(self, one: Floats, other: Floats) -> bool:
        """Whether both ends of a line are joined to those of another, or the lines are the same."""
        for p, q in ((other[:2], other[2:]), (other[2:], other[:2])):
            if self._edge(one[:2], p) and self._edge(one[2:], q):
                return True
        return False

    def _edge(self, a: Floats, b: Floats) -> bool:
        if np.linalg.norm(b - a) <= ON:
            return True
        rows = self.straight
        ends = np.stack([rows, rows[:, [2, 3, 0, 1]]])
        return bool((np.abs(ends - np.concatenate([a, b])).max(axis=2) <= ON).any())

    def steps(self, points: tuple[Point, Point], angle: float) -> int:
        """Return how many separate lines run across a direction at both of two points: the steps
        of a turned part that have one diameter.

        Args:
            points: Ends of the diameter.
            angle: Its direction, rad.
        """
        u = np.array([math.cos(angle), math.sin(angle)])
        v = np.array([-u[1], u[0]])
        return min(separate(self.straight, float(u @ point), u, v) for point in points)

    def bores(self, diameter: float, depth: float) -> int:
        """Return how many pairs of equal parallel lines there are a diameter apart."""
        return len(self.bore_middles(diameter, depth))

    def bore_middles(
        self, diameter: float, depth: float, along: Floats | None = None
    ) -> list[Point]:
        """Return the middles of pairs of equal parallel lines a diameter apart.

        Args:
            diameter: mm of paper.
            depth: Their length, mm of paper.
            along: Their direction; None: any.
        """
        rows = self.stretches
        way = rows[:, 2:] - rows[:, :2]
        long = np.linalg.norm(way, axis=1)
        keep = np.abs(long - depth) <= ON
        if along is not None:
            keep &= np.abs(way[:, 0] * along[1] - way[:, 1] * along[0]) <= TANGENT * long
        rows = rows[keep]
        middles: list[Point] = []
        if len(rows) > MOST_ALIKE:
            return []
        for i, one in enumerate(rows):
            u = (one[2:] - one[:2]) / depth
            n = np.array([-u[1], u[0]])
            for other in rows[i + 1 :]:
                shifts = [other[:2] - one[:2], other[2:] - one[:2]]
                near = min(shifts, key=lambda d: abs(float(d @ u)))
                parallel = all(abs(abs(float(d @ n)) - diameter) <= ON for d in shifts)
                if parallel and abs(float(near @ u)) <= ON:
                    x, y = 0.25 * (one[:2] + one[2:] + other[:2] + other[2:])
                    middles.append((float(x), float(y)))
        return middles


def _rings(shape: Arc | EllipseArc) -> list[Ring]:
    if isinstance(shape, Arc):
        return [Ring(shape.centre, shape.radius)]
    long = math.hypot(*shape.major)
    u = (shape.major[0] / long, shape.major[1] / long)
    return [
        Ring(shape.centre, long, (-u[1], u[0])),
        Ring(shape.centre, shape.ratio * long, u),
    ]


def _one_hole(one: Ring, other: Ring) -> bool:
    """Whether two circles of one size have one middle, or are both rims of an oblique hole."""
    off = np.subtract(one.centre, other.centre)
    if float(np.hypot(*off)) <= ON:
        return True
    if one.way is None or other.way is None:
        return False
    aside = abs(float(off[0] * one.way[1] - off[1] * one.way[0]))
    return aside <= ON and float(np.hypot(*off)) < 2.0 * one.radius


def _turns(shape: Shape, point: Point, u: Floats) -> bool:
    """Whether a curve turns back in a direction at a point of it."""
    pieces = _pieces(shape)
    if _distance(pieces, point) > ON:
        return False
    along = pieces[:, :2] @ u
    # There its own furthest or nearest place is the point's.
    return bool(min(abs(along.max() - u @ point), abs(along.min() - u @ point)) <= ON)


def _inside(shape: Shape, view: PlacedView) -> bool:
    if view.box is None:
        return True
    low, high = extent(shape)
    (a, b), (c, d) = view.box
    x, y = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])
    return a - ASIDE <= x <= c + ASIDE and b - ASIDE <= y <= d + ASIDE


def _pieces(shape: Shape) -> Floats:
    points = flat(shape, CHORD)
    return np.hstack([points[:-1], points[1:]])


def _distance(segments: Floats, point: Point) -> float:
    """Return the distance of a point from (n, 4) segments, mm."""
    if not len(segments):
        return math.inf
    a = segments[:, :2]
    way = segments[:, 2:] - a
    square = np.maximum((way**2).sum(axis=1), 1e-18)
    t = np.clip(((point - a) * way).sum(axis=1) / square, 0.0, 1.0)
    return float(np.linalg.norm(a + t[:, None] * way - point, axis=1).min())
