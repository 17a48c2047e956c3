"""Notes with an arrow, diameters, radii and angles: tried all around, the cheapest place wins.

The candidates come in a fixed order and ties go to the first, so that the same part gives the same
sheet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from gaugeblock.ruler.drawing.ink import LIFT, Box, text_box
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
"""Cost of a text inside the view."""

TURNED = 1.2
"""Cost of an arrow that comes along the curve it points at, not square to it."""

HATCHED = 2.0
"""Cost of a leader through a cut face."""

RANK = 0.4
"""Cost of pointing at the next of several alike features."""

PER_MM = 0.12
"""Cost of a leader's length."""

Rect = tuple[Point, Point]


def best_leader(
    paper: Paper,
    spots: list[tuple[str, Point, float, float | None]],
    text: str,
    height: float,
    outlines: dict[str, Rect],
    features: tuple[str, ...],
) -> Leader | None:
    """Return the cheapest place for a note, or None where there is none.

    Args:
        paper: What stands already.
        spots: View, middle and radius of what the arrow may touch, and the direction in rad that
            it best comes from (None: any), the best first.
        text: What it says.
        height: Of the text, mm.
        outlines: Boxes of the views on the paper.
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
    outlines: dict[str, Rect],
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
        outlines: Boxes of the views.
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
    outlines: dict[str, Rect],
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
            if any(_within(box.at, outline) for outline in outlines.values()):
                cost += INSIDE
            if cost >= bound[0] or not paper.free(box):
                continue
            if not paper.clear_of_text(tip, elbow) or not paper.clear_of_text(elbow, end):
                continue
            if paper.hatched((0.5 * (tip[0] + elbow[0]), 0.5 * (tip[1] + elbow[1]))):
                cost += HATCHED
            cost += paper.crossed(tip, elbow) + 2.0 * paper.crossed(elbow, end)
            yield cost, tip, elbow, end, box


def _within(at: Point, outline: Rect) -> bool:
    (a, b), (c, d) = outline
    return a < at[0] < c and b < at[1] < d


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
    best: tuple[float, LinearDim] | None = None
    for share in (0.5, 0.65, 0.35, 0.8, 0.2):
        x = column[0] + share * (column[1] - column[0])
        for gap in (4.0, 9.0, 15.0, 22.0):
            for end, sign in ((high, 1.0), (low, -1.0)):
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
    return None if best is None else best[1]


def best_angle(
    paper: Paper,
    view: str,
    apex: Point,
    ends: tuple[Point, Point],
    text: str,
    height: float,
    features: tuple[str, ...],
) -> AngularDim | None:
    """Return the cheapest radius and text place of an angle, or None.

    Args:
        paper: What stands already.
        view: Which view.
        apex: mm of paper.
        ends: A point on each leg, counter-clockwise.
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
        for share, beyond in ((0.5, 0.0), (0.5, 1.0), (1.3, 0.0), (-0.3, 0.0), (0.25, 1.0)):
            at = start + share * sweep
            c, s = math.cos(at), math.sin(at)
            off = LIFT + 0.5 * (abs(c) * wide + abs(s) * tall)
            far = radius + (off if beyond or share in (1.3, -0.3) else -off)
            if far < 0:
                continue
            box = Box((apex[0] + far * c, apex[1] + far * s), wide, tall)
            if not paper.free(box):
                continue
            chord = [start + sweep * i / 8 for i in range(9)]
            arc = [(apex[0] + radius * math.cos(t), apex[1] + radius * math.sin(t)) for t in chord]
            if not all(paper.clear_of_text(a, b) for a, b in pairwise(arc)):
                continue
            cost = 0.05 * radius + (0.0 if 0 < share < 1 else 0.5) + (0.3 if beyond else 0.0)
            cost += sum(paper.crossed(a, b) for a, b in pairwise(arc))
            if best is None or cost < best[0] - 1e-9:
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
                best = (cost, dim)
    return None if best is None else best[1]
