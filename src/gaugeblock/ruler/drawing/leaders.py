"""Notes with an arrow, diameters, radii and angles: tried all around, the cheapest place wins.

The candidates come in a fixed order and ties go to the first, so that the same part gives the same
sheet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.drawing.collisions import box_meets
from gaugeblock.ruler.drawing.ink import LIFT, TAIL, TIGHT, Box, ink, text_box
from gaugeblock.ruler.drawing.lettering import DESCENT, width
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.sheet import AngularDim, Leader, LinearDim, RoundDim
from gaugeblock.ruler.views.shapes import Point

ANGLES = (45, 135, 60, 120, 30, 150, 315, 225, 300, 240, 330, 210, 75, 105, 285, 255, 15, 165)
"""Directions of leaders in degrees, the usual ones first; none is level or upright."""

REACHES = (7.0, 11.0, 16.0, 22.0, 29.0, 37.0, 46.0, 56.0, 68.0, 82.0)
"""Lengths of leaders, mm."""

ANGLE_RADII = (12.0, 16.0, 21.0, 27.0, 34.0, 42.0, 52.0, 64.0, 78.0)
"""Radii of an angle's arc, mm."""

INSIDE = 4.0
"""Cost of a text inside a view's outline."""

TURNED = 1.2
"""Cost of an arrow that comes along the curve it points at, not square to it."""

HATCHED = 2.0
"""Cost of a leader through a cut face."""

RANK = 0.4
"""Cost of pointing at the next of several alike features."""

PER_MM = 0.12
"""Cost of a leader's length, and of the thin line that prolongs a leg of an angle."""

COLUMN_GAPS = ((4.0, 9.0, 15.0, 22.0), (32.0, 42.0, 54.0))
"""From a shaft's outline to the text of its diameter, mm; the far ones, beyond the lengths that are
stacked there, where no near one is free."""

PER_RADIUS = 0.05
"""Cost of the radius of an angle's arc, per mm."""


@dataclass(frozen=True)
class Outline:
    """Where a view stands, to tell places in the part's picture from those beside it."""

    low: Point
    """Lowest corner, mm of paper."""
    high: Point
    """Highest corner."""
    edges: Floats
    """(n, 4) straight pieces x, y, x, y of its visible lines."""

    def holds(self, at: Point) -> bool:
        """Whether a place is shut in by lines of the view: to the left, right, above and below."""
        if not (self.low[0] < at[0] < self.high[0] and self.low[1] < at[1] < self.high[1]):
            return False
        return all(self._shut_in(at, n) for n in (0, 1))

    def _shut_in(self, at: Point, n: int) -> bool:
        """Whether lines are met both ways along x (0) or y (1)."""
        along, across = self.edges[:, [n, n + 2]], self.edges[:, [1 - n, 3 - n]]
        met = (across.min(axis=1) <= at[1 - n]) & (at[1 - n] < across.max(axis=1))
        a, b = along[met], across[met]
        x = a[:, 0] + (a[:, 1] - a[:, 0]) * (at[1 - n] - b[:, 0]) / (b[:, 1] - b[:, 0])
        return bool((x < at[n]).any() and (x > at[n]).any())


def best_leader(
    paper: Paper,
    spots: list[tuple[str, Point, float, float | None]],
    text: str,
    height: float,
    outlines: Sequence[Outline],
    features: tuple[str, ...],
) -> Leader | None:
    """Return the cheapest place for a note, or None where there is none.

    Args:
        paper: What stands already.
        spots: View, middle and radius of what the arrow may touch, and the direction in rad that
            it best comes from (None: any), the best first.
        text: What it says.
        height: Of the text, mm.
        outlines: Where the views stand.
        features: What it is about.
    """
    best: tuple[float, Leader] | None = None
    bound = [math.inf]
    for rank, (view, centre, radius, way) in enumerate(spots):
        start = RANK * rank
        for cost, tip, elbow, end, box in _places(
            paper, centre, radius, text, height, outlines, bound, start, way
        ):
            total = cost
            if best is None or total < best[0] - 1e-9:
                bound[0] = total
                leader = Leader(
                    view=view,
                    text=text,
                    text_at=box.at,
                    height=height,
                    features=features,
                    points=(tip, elbow, end),
                )
                best = (total, leader)
    return None if best is None else best[1]


def best_round(
    paper: Paper,
    view: str,
    kind: str,
    centre: Point,
    radius: float,
    text: str,
    height: float,
    outlines: Sequence[Outline],
    features: tuple[str, ...],
) -> RoundDim | None:
    """Return the cheapest place for a diameter or radius, or None.

    Args:
        paper: As in `best_leader`, like all that is not named.
        view: Which view.
        kind: ``diameter`` or ``radius``.
        centre: mm of paper.
        radius: mm of paper.
        text: What it says.
        height: Of the text.
        outlines: Where the views stand.
        features: What it is about.
    """
    best: tuple[float, RoundDim] | None = None
    bound = [math.inf]
    for cost, tip, _, _, box in _places(paper, centre, radius, text, height, outlines, bound, 0.0):
        if kind == "diameter":
            across = (2 * centre[0] - tip[0], 2 * centre[1] - tip[1])
            if not paper.clear_of_text(tip, across):
                continue
        if best is None or cost < best[0] - 1e-9:
            bound[0] = cost
            found = RoundDim(
                kind="diameter" if kind == "diameter" else "radius",
                view=view,
                text=text,
                text_at=box.at,
                height=height,
                features=features,
                centre=centre,
                on=tip,
            )
            best = (cost, found)
    return None if best is None else best[1]


def _places(
    paper: Paper,
    centre: Point,
    radius: float,
    text: str,
    height: float,
    outlines: Sequence[Outline],
    bound: list[float],
    start: float,
    best_way: float | None = None,
) -> Iterator[tuple[float, Point, Point, Point, Box]]:
    """Yield cost, arrow's tip, elbow, end of the landing and box of the text.

    What costs more than `bound[0]` is passed over; `start` is what every place costs.
    """
    wide, tall = width(text, height), height * (1.0 + DESCENT)
    for order, degrees in enumerate(ANGLES):
        angle = math.radians(degrees)
        way = (math.cos(angle), math.sin(angle))
        tip = (centre[0] + radius * way[0], centre[1] + radius * way[1])
        side = 1.0 if way[0] > 0 else -1.0
        for length in REACHES:
            elbow = (tip[0] + length * way[0], tip[1] + length * way[1])
            end = (elbow[0] + side * wide, elbow[1])
            cost = start + PER_MM * length + 0.02 * order
            if best_way is not None:
                cost += TURNED * (1.0 - math.cos(angle - best_way))
            if cost >= bound[0]:
                break
            box = Box(
                (elbow[0] + 0.5 * side * wide, elbow[1] + 0.4 * LIFT + 0.5 * tall), wide, tall
            )
            if any(outline.holds(box.at) for outline in outlines):
                cost += INSIDE
            if cost >= bound[0] or not paper.free(box):
                continue
            if not paper.clear_of_text(tip, elbow) or not paper.clear_of_text(elbow, end):
                continue
            if paper.hatched((0.5 * (tip[0] + elbow[0]), 0.5 * (tip[1] + elbow[1]))):
                cost += HATCHED
            cost += paper.crossed(tip, elbow) + 2.0 * paper.crossed(elbow, end)
            yield cost, tip, elbow, end, box


def best_column(
    paper: Paper,
    view: str,
    points: tuple[Point, Point],
    column: tuple[float, float],
    text: str,
    height: float,
    features: tuple[str, ...],
) -> LinearDim | None:
    """Return an upright diameter inside a step of a shaft, its text above or below the outline.

    Args:
        paper: What stands already.
        view: Which view.
        points: Lower and upper outline, mm of paper; their x does not matter.
        column: Lowest and highest x of the step on the paper.
        text: What it says.
        height: Of the text.
        features: What it is about.
    """
    wide = width(text, height)
    aside = LIFT + 0.5 * height * (1.0 + DESCENT)
    (_, low), (_, high) = points
    for gaps in COLUMN_GAPS:
        best: tuple[float, LinearDim] | None = None
        ends = ((high, 1.0), (low, -1.0))
        for share, gap, (end, sign) in product((0.5, 0.65, 0.35, 0.8, 0.2), gaps, ends):
            x = column[0] + share * (column[1] - column[0])
            y = end + sign * (gap + 0.5 * wide)
            box = text_box(text, (x - aside, y), height, 0.5 * math.pi)
            far = (x, end + sign * (gap + wide))
            if not paper.free(box) or not paper.clear_of_text((x, low), (x, high)):
                continue
            if not paper.clear_of_text((x, end), far):
                continue
            cost = PER_MM * gap + abs(share - 0.5) + paper.crossed((x, end), far)
            cost += 0.3 * paper.crossed((x, low), (x, high)) + (0.2 if sign < 0 else 0.0)
            if best is None or cost < best[0] - 1e-9:
                dim = LinearDim(
                    view=view,
                    text=text,
                    text_at=box.at,
                    text_angle=0.5 * math.pi,
                    height=height,
                    features=features,
                    points=((x, low), (x, high)),
                    line_at=(x, low),
                    angle=0.5 * math.pi,
                    diameter=True,
                )
                best = (cost, dim)
        if best is not None:
            return best[1]
    return None


def best_angle(
    paper: Paper,
    view: str,
    apex: Point,
    ends: tuple[Point, Point],
    text: str,
    height: float,
    features: tuple[str, ...],
) -> tuple[float, AngularDim] | None:
    """Return cost and place of the cheapest radius and text place of an angle, or None.

    Args:
        paper: What stands already.
        view: Which view.
        apex: mm of paper.
        ends: How far each leg is drawn, counter-clockwise: beyond, it is prolonged by a thin line.
        text: What it says.
        height: Of the text.
        features: What it is about.
    """
    start = math.atan2(ends[0][1] - apex[1], ends[0][0] - apex[0])
    end = math.atan2(ends[1][1] - apex[1], ends[1][0] - apex[0])
    sweep = (end - start) % math.tau
    best: tuple[float, AngularDim] | None = None
    wide, tall = width(text, height), height * (1.0 + DESCENT)
    for radius in ANGLE_RADII:
        if best is not None and PER_RADIUS * radius >= best[0]:
            break
        for (x, y), cost in _beside_arc(start, sweep, radius, (wide, tall)):
            box = Box((apex[0] + x, apex[1] + y), wide, tall)
            if not paper.free(box):
                continue
            dim = AngularDim(
                view=view,
                text=text,
                text_at=box.at,
                height=height,
                features=features,
                apex=apex,
                points=ends,
                radius=radius,
            )
            pieces = ink(dim).pieces
            if not all(paper.clear_of_text(piece.a, piece.b) for piece in pieces):
                continue
            rows = np.array([[*piece.a, *piece.b] for piece in pieces])
            if box_meets(box, rows, -0.4 * LIFT).any():
                continue
            legs = [piece for piece in pieces if piece.role == "extension"]
            cost += sum(paper.crossed(piece.a, piece.b) for piece in pieces)
            cost += PER_MM * sum(math.dist(piece.a, piece.b) for piece in legs)
            if best is None or cost < best[0] - 1e-9:
                best = (cost, dim)
    return best


def _beside_arc(
    start: float, sweep: float, radius: float, size: tuple[float, float]
) -> Iterator[tuple[Point, float]]:
    """Yield places for the middle of an angle's text, from its apex, and what each costs."""
    base = PER_RADIUS * radius
    for share, outside in ((0.5, False), (0.5, True), (0.25, True)):
        c, s = math.cos(start + share * sweep), math.sin(start + share * sweep)
        off = LIFT + 0.5 * (abs(c) * size[0] + abs(s) * size[1])
        far = radius + (off if outside else -off)
        if far >= 0:
            yield (far * c, far * s), base + (0.3 if outside else 0.0)
    # Beyond a leg: at the end of the arrow that comes from outside, else above it or below.
    tail = TAIL if sweep * radius < TIGHT else 0.0
    for edge, side in ((start + sweep, 1.0), (start, -1.0)):
        c, s = math.cos(edge), math.sin(edge)
        aside = 2.0 * LIFT + 0.5 * (abs(s) * size[0] + abs(c) * size[1])
        along = 2.0 * LIFT + 0.5 * (abs(c) * size[0] + abs(s) * size[1])
        for t, off in ((radius, aside + tail), (radius + along, aside), (radius - along, aside)):
            yield (t * c - side * off * s, t * s + side * off * c), base + 0.5
