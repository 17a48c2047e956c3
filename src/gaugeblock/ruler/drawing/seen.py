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
from gaugeblock.ruler.views.shapes import TURN, Arc, Line, Point, Shape, extent

NEAR = 1e-5
"""Coordinates closer than this part of the view's size are one: ten times what lines of one face
differ by after reading."""


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
        return tuple(np.array(r) if r else empty for r in rows)  # type: ignore[return-value]

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
        close = NEAR * self.size
        found = [
            (not curve.visible, curve.shape)
            for curve in self.curves
            if isinstance(curve.shape, Arc)
            and math.dist(curve.shape.centre, centre) < close
            and abs(curve.shape.radius - radius) < close
        ]
        return [shape for _, shape in sorted(found, key=lambda item: item[0])]

    def circle_visible(self, centre: Point, radius: float) -> bool:
        """Whether some arc of a circle is a visible line."""
        close = NEAR * self.size
        return any(
            curve.visible
            and isinstance(curve.shape, Arc)
            and math.dist(curve.shape.centre, centre) < close
            and abs(curve.shape.radius - radius) < close
            for curve in self.curves
        )


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
