"""A view as dimensions and centre lines are placed on it: its lines, and where sizes can be taken.

Coordinates of a view are mm of the part, x to the right and y upwards; those of the drawing are
the front view's right, up and towards the viewer, as numbers 0, 1 and 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.projection import Curve, Method, Projection
from gaugeblock.ruler.views.shapes import TURN, Arc, EllipseArc, Line, Point, Shape, extent

NEAR = 1e-5
"""Coordinates closer than this part of the view's size are one: ten times what lines of one face
differ by after reading."""


ON_LINE = 1e-4
"""A point this near, as a part of the view's size, lies on a line: places on faces are samples."""


@dataclass(frozen=True)
class Span:
    """Where a coordinate can be taken in a view: a piece of a line that lies on it."""

    low: float
    high: float
    visible: bool


@dataclass(frozen=True)
class Cut:
    """A cutting plane."""

    letter: str
    normal: Floats
    """(3,) unit, towards the viewer, in the file's axes."""
    distance: float
    """n · p = distance, mm."""


@dataclass
class View:
    """One view of the part."""

    id: str
    place: str
    """Which of the six views it stands for on the sheet."""
    camera: Camera
    basis: Floats
    """Rows of the drawing's directions, in the file's axes."""
    curves: list[Curve]
    method: Method = "exact"
    cut: Cut | None = None
    loops: list[list[Shape]] = field(default_factory=list)
    """Of the cut faces, in mm of the view."""
    title: str | None = None

    @cached_property
    def box(self) -> tuple[Point, Point]:
        """Lowest and highest corner, mm."""
        corners = [extent(curve.shape) for curve in self.curves]
        return (
            (min(c[0][0] for c in corners), min(c[0][1] for c in corners)),
            (max(c[1][0] for c in corners), max(c[1][1] for c in corners)),
        )

    @cached_property
    def size(self) -> float:
        """Diagonal in mm."""
        return math.dist(*self.box)

    @cached_property
    def axes(self) -> tuple[tuple[int, float], tuple[int, float], tuple[int, float]]:
        """Number and sign of the drawing's direction along right, up, and towards the viewer."""
        found = []
        for own in (self.camera.right, self.camera.up, self.camera.direction):
            along = self.basis @ np.array(own)
            k = int(np.argmax(np.abs(along)))
            found.append((k, 1.0 if along[k] > 0 else -1.0))
        return found[0], found[1], found[2]

    @property
    def depth(self) -> int:
        """Number of the drawing's direction that is not seen."""
        return self.axes[2][0]

    def at(self, point: Floats) -> Point:
        """Return where a point of the drawing (3,) is seen."""
        (i, s), (j, t), _ = self.axes
        return float(s * point[i]), float(t * point[j])

    def across(self, direction: int) -> int | None:
        """Return 0 where a direction of the drawing runs to the right, 1 upwards, else None."""
        return next((n for n in (0, 1) if self.axes[n][0] == direction), None)

    def value(self, direction: int, level: float) -> float:
        """Return a coordinate of the drawing as one of the view."""
        n = self.across(direction)
        assert n is not None
        return self.axes[n][1] * level

    @cached_property
    def _rows(self) -> tuple[Floats, Floats]:
        """Return rows (coordinate, low, high, visible) of upright and of level lines."""
        rows: tuple[list[list[float]], list[list[float]]] = ([], [])
        close = NEAR * self.size
        for curve in self.curves:
            if curve.kind == "smooth":
                continue
            shape, seen = curve.shape, float(curve.visible)
            if isinstance(shape, Line):
                for n in (0, 1):
                    if abs(shape.start[n] - shape.end[n]) < close:
                        ends = sorted((shape.start[1 - n], shape.end[1 - n]))
                        middle = 0.5 * (shape.start[n] + shape.end[n])
                        rows[n].append([middle, *ends, seen])
            elif isinstance(shape, Arc):
                for n in (0, 1):
                    for sign in (-1.0, 1.0):
                        angle = math.atan2(sign * n, sign * (1 - n))
                        way = (angle - shape.start) * math.copysign(1.0, shape.sweep) % TURN
                        if way <= abs(shape.sweep) + 1e-9:
                            other = shape.centre[1 - n]
                            rows[n].append(
                                [shape.centre[n] + sign * shape.radius, other, other, seen]
                            )
        empty = np.empty((0, 4))
        upright, level = (np.array(found) if found else empty for found in rows)
        return upright, level

    @cached_property
    def _corners(self) -> Floats:
        """Return rows x, y, visible of the ends of all sharp lines."""
        rows = []
        for curve in self.curves:
            if curve.kind != "smooth":
                for x, y in curve.shape.at(np.array([0.0, 1.0])).tolist():
                    rows.append([x, y, float(curve.visible)])
        return np.array(rows).reshape(-1, 3)

    def spans(self, direction: int, level: float) -> list[Span]:
        """Return where a coordinate of the drawing can be taken, the visible places first.

        Args:
            direction: 0, 1 or 2.
            level: Coordinate along it, mm.
        """
        n = self.across(direction)
        if n is None:
            return []
        rows = self._rows[n]
        value = self.value(direction, level)
        hit = rows[np.abs(rows[:, 0] - value) < NEAR * self.size]
        if not len(hit):
            # No line lies on it, but a corner of the outline may.
            corners = self._corners
            near = corners[np.abs(corners[:, n] - value) < NEAR * self.size]
            hit = np.column_stack([near[:, n], near[:, 1 - n], near[:, 1 - n], near[:, 2]])
        found = [Span(float(r[1]), float(r[2]), bool(r[3])) for r in hit]
        return sorted(found, key=lambda s: (not s.visible, s.low, s.high))

    def circles(self, centre: Point, radius: float) -> list[Arc]:
        """Return the arcs of a circle that are seen, visible ones first."""
        return [shape for _, shape in self._on_circle(centre, radius)]

    def _on_circle(self, centre: Point, radius: float) -> list[tuple[bool, Arc]]:
        """Return the arcs of a circle, each with whether it is hidden, visible ones first."""
        arcs, rows = self._arcs
        off = np.abs(rows - np.array([*centre, radius])) < NEAR * self.size
        found = [arcs[n] for n in np.flatnonzero(off.all(axis=1))]
        return sorted(found, key=lambda item: item[0])

    @cached_property
    def _arcs(self) -> tuple[list[tuple[bool, Arc]], Floats]:
        """Return all arcs, each with whether it is hidden, and rows x, y, radius of them."""
        found = [(not c.visible, c.shape) for c in self.curves if isinstance(c.shape, Arc)]
        return found, np.array([[*a.centre, a.radius] for _, a in found]).reshape(-1, 3)

    def ellipses(self, centre: Floats, way: Floats, radius: float) -> list[tuple[bool, EllipseArc]]:
        """Return the ellipses that circles about an oblique axis are seen as, visible ones first.

        Args:
            centre: (3,) on the axis, in the drawing's directions.
            way: (3,) unit, along the axis.
            radius: mm; the ellipse's longer half axis where a circle is seen aslant, the shorter
                one where a hole is drilled aslant into a face that is seen squarely.
        """
        close = NEAR * self.size
        at, along = np.array(self.at(centre)), np.array(self.at(way))
        long = float(np.linalg.norm(along))
        found = []
        for curve in self.curves:
            shape = curve.shape
            if not isinstance(shape, EllipseArc):
                continue
            axes = math.hypot(*shape.major) * np.array([1.0, shape.ratio])
            if np.abs(axes - radius).min() > close:
                continue
            arm = np.array(shape.centre) - at
            off = abs(float(arm[0] * along[1] - arm[1] * along[0])) / max(long, 1e-300)
            if long > 0 and off < close and abs(float(arm @ along)) / long < 4.0 * radius:
                found.append((curve.visible, shape))
        return sorted(found, key=lambda item: not item[0])

    def corners_on(self, centre: Point, radius: float) -> list[Point]:
        """Return up to three corners of lines on a circle, in a view drawn from triangles."""
        corners = self._corners[:, :2]
        off = np.abs(np.hypot(*(corners - centre).T) - radius)
        on = corners[off < ON_LINE * self.size]
        return [(float(x), float(y)) for x, y in on[:: max(1, len(on) // 3)][:3]]

    def removed(self, point: Floats) -> bool:
        """Whether a point of the drawing (3,) lies before the cutting plane."""
        return self.cut is not None and self._before(point) > NEAR * self.size

    def in_plane(self, point: Floats) -> bool:
        """Whether a point of the drawing (3,) lies in the cutting plane."""
        return self.cut is not None and abs(self._before(point)) <= NEAR * self.size

    def _before(self, point: Floats) -> float:
        """Return how far a point lies before the cutting plane, mm."""
        assert self.cut is not None
        return float(self.cut.normal @ (self.basis.T @ point)) - self.cut.distance

    def centred(self, at: Point) -> bool:
        """Whether an arc is drawn around a point."""
        rows = self._arcs[1][:, :2]
        return bool((np.abs(rows - np.array(at)) < NEAR * self.size).all(axis=1).any())

    def drawn(self, at: Point) -> bool | None:
        """Return whether a visible (True) or a hidden line runs through a point, or None."""
        close = ON_LINE * self.size
        seen: bool | None = None
        for curve in self.curves:
            if curve.kind != "smooth" and _passes(curve.shape, at, close):
                seen = bool(seen) or curve.visible
        return seen

    def drawn_along(self, start: Point, towards: Point) -> float:
        """Return how far straight lines run without a gap from a point in a direction, mm."""
        close = ON_LINE * self.size
        way = np.subtract(towards, start) / math.dist(start, towards)
        pieces = []
        for curve in self.curves:
            if curve.kind != "smooth" and isinstance(curve.shape, Line):
                ends = np.array([curve.shape.start, curve.shape.end]) - start
                if np.abs(ends @ np.array([-way[1], way[0]])).max() < close:
                    pieces.append(sorted((ends @ way).tolist()))
        reach = 0.0
        for low, high in sorted(pieces):
            if low <= reach + close:
                reach = max(reach, high)
        return reach

    def circle_visible(self, centre: Point, radius: float) -> bool:
        """Whether some arc of a circle is a visible line."""
        return any(not hidden for hidden, _ in self._on_circle(centre, radius))


def _passes(shape: Shape, at: Point, close: float) -> bool:
    """Whether a straight line or an arc runs through a point."""
    if isinstance(shape, Line):
        a, way = np.array(shape.start), np.subtract(shape.end, shape.start)
        long = max(float(np.linalg.norm(way)), 1e-300)
        arm = np.subtract(at, a)
        along = float(arm @ way) / long
        aside = abs(float(arm[0] * way[1] - arm[1] * way[0])) / long
        return aside < close and -close <= along <= long + close
    if isinstance(shape, Arc):
        if abs(math.dist(shape.centre, at) - shape.radius) > close:
            return False
        angle = math.atan2(at[1] - shape.centre[1], at[0] - shape.centre[0])
        turn = (angle - shape.start) * math.copysign(1.0, shape.sweep) % TURN
        return turn <= abs(shape.sweep) + 1e-6
    return False


def view_of(
    id_: str,
    place: str,
    projection: Projection,
    basis: Floats,
    *,
    cut: Cut | None = None,
    loops: Sequence[Sequence[Shape]] = (),
) -> View:
    """Return the view of a projection.

    Args:
        id_: What it is called on the sheet.
        place: Which of the six views it stands for, or ``iso``.
        projection: What is seen.
        basis: The drawing's directions.
        cut: The cutting plane of a section; hidden lines are left out then.
        loops: Of its cut faces.

    Raises:
        ValueError: nothing is seen.
    """
    curves = [
        curve for curve in projection.drawn() if curve.visible or (cut is None and place != "iso")
    ]
    if not curves:
        raise ValueError(f"{id_}: nothing is seen")
    title = None if cut is None else f"{cut.letter}–{cut.letter}"
    return View(
        id_,
        place,
        projection.camera,
        basis,
        curves,
        projection.method,
        cut,
        [list(loop) for loop in loops],
        title,
    )
