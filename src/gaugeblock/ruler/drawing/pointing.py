"""All that points at something: call-outs, diameters and radii of circles, angles.

Each is tried in every view that shows what it is about.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaugeblock.ruler.drawing.leaders import Outline, best_angle, best_leader, best_round
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import AngularDim
from gaugeblock.ruler.drawing.wishes import Angle, Note, Round, Spot, Wishes
from gaugeblock.ruler.views.shapes import Arc, Point

SPOTS = 6
"""Places that one note is tried at: it may point at any of its alike features."""

BEHIND = 3.0
"""Worth of a hole seen from the side that it does not open to; the best is 0."""

LEG = 0.2
"""Where nothing is drawn of a leg, the point that gives its direction is so far off, mm of paper:
the thin line begins beyond it."""


@dataclass(frozen=True)
class Desk:
    """The paper and the views that stand on it."""

    paper: Paper
    views: list[View]
    origins: dict[str, Point]
    scale: float
    height: float
    outlines: Sequence[Outline]

    def at(self, view: View, point: Point) -> Point:
        """Return a point of a view on the paper."""
        x, y = self.origins[view.id]
        return (x + self.scale * point[0], y + self.scale * point[1])


def ordered(wishes: Wishes) -> list[Angle | Round | Note]:
    """Return all that points, the most hemmed in first: angles, circles, notes."""
    notes = sorted(wishes.notes, key=lambda note: len(note.spots))
    return [*wishes.angles, *wishes.round, *notes]


def count(wishes: Wishes, view: View) -> int:
    """Return how many notes may point into a view."""
    axes = [r.axis for r in wishes.round] + [n.spots[0].axis for n in wishes.notes if n.spots]
    return sum(1 for axis in axes if axis == view.depth)


def pointed(desk: Desk, wish: Angle | Round | Note) -> Any:
    """Return the dimension of a wish, placed, or None where there is no room or view."""
    match wish:
        case Angle():
            return _angle(desk, wish)
        case Round():
            return _round(desk, wish)
        case Note():
            return _note(desk, wish)


def shown(views: list[View], wish: Angle | Round | Note) -> bool:
    """Whether any view shows what a wish would point at: if not, more room does not help."""
    match wish:
        case Note():
            return any(_ratings(view, spot) for view in views for spot in wish.spots)
        case Round():
            return any(_has_circle(view, wish) for view in views)
        case Angle():
            return any(view.depth == wish.axis for view in views)


def _has_circle(view: View, wish: Round) -> bool:
    if view.depth != wish.axis:
        return False
    return wish.pitch or bool(view.circles(view.at(wish.centre), wish.radius))


def _angle(desk: Desk, wish: Angle) -> Any:
    """Return an angle at that of its places where it is read most easily."""
    found = []
    for one in (wish, *wish.alike):
        for view in desk.views:
            if view.depth == one.axis:
                place = _angle_at(desk, view, one, wish.text)
                found += [] if place is None else [place]
    return min(found, key=lambda place: place[0], default=(0.0, None))[1]


def _angle_at(desk: Desk, view: View, wish: Angle, text: str) -> tuple[float, AngularDim] | None:
    """Return cost and dimension of an angle in a view, its legs as long as they are drawn."""
    corner = view.at(wish.apex)
    apex = desk.at(view, corner)
    first, last = (_leg(desk, view, corner, view.at(end)) for end in wish.ends)
    turn = (first[0] - apex[0]) * (last[1] - apex[1]) - (first[1] - apex[1]) * (last[0] - apex[0])
    ends = (first, last) if (turn > 0) == (wish.degrees < 180) else (last, first)
    return best_angle(desk.paper, view.id, apex, ends, text, desk.height, wish.features)


def _leg(desk: Desk, view: View, corner: Point, end: Point) -> Point:
    """Return up to where a leg of an angle is drawn, on the paper; near its corner if nowhere."""
    long = math.dist(corner, end)
    drawn = max(view.drawn_along(corner, end), LEG / desk.scale)
    way = ((end[0] - corner[0]) / long, (end[1] - corner[1]) / long)
    return desk.at(view, (corner[0] + drawn * way[0], corner[1] + drawn * way[1]))


def _round(desk: Desk, wish: Round) -> Any:
    found_in = [view for view in desk.views if _has_circle(view, wish)]
    if not wish.pitch:
        found_in.sort(key=lambda view: not view.circle_visible(view.at(wish.centre), wish.radius))
    for view in found_in:
        found = best_round(
            desk.paper,
            view.id,
            wish.kind,
            desk.at(view, view.at(wish.centre)),
            desk.scale * wish.radius,
            wish.text,
            desk.height,
            desk.outlines,
            wish.features,
        )
        if found is not None:
            return found
    return None


def _note(desk: Desk, wish: Note) -> Any:
    rated: list[tuple[float, str, Point, float, float | None]] = []
    for edge in (False, True):
        for spot in wish.spots if not rated else ():
            for view in desk.views if spot.edge == edge else ():
                for worth, at, radius, way in _ratings(view, spot):
                    rated.append((worth, view.id, desk.at(view, at), desk.scale * radius, way))
    if not rated:
        return None
    rated.sort(key=lambda item: item[0])
    best = rated[0][0]
    groups = [
        [item for item in rated if item[0] < best + 0.5],
        [item for item in rated if item[0] >= best + 0.5],
    ]
    for group in groups:
        far = bool(group) and BEHIND <= group[0][0] < BEHIND + 0.5
        text = f"{wish.text} far side" if far and wish.sided else wish.text
        alike = [item[1:] for item in group if (BEHIND <= item[0] < BEHIND + 0.5) == far]
        found = (
            best_leader(desk.paper, alike[:SPOTS], text, desk.height, desk.outlines, wish.features)
            if alike
            else None
        )
        if found is not None:
            return found
    return None


def _ratings(view: View, spot: Spot) -> list[tuple[float, Point, float, float | None]]:
    """Return how well a view shows a spot (0 best), middle and radius of what is touched, way.

    Nothing but drawn curves is touched, save of threads: their lines are added later.
    """
    at = view.at(spot.centre)
    if spot.axis is None:
        return _oblique(view, spot)
    if spot.axis != view.depth:
        return []
    if spot.radius == 0.0:
        if view.cut is not None and (spot.edge or view.removed(spot.centre)):
            return []
        where = view.drawn(at)
        return [] if where is None else [(0.0 if where else 2.0, at, 0.0, None)]
    arcs = view.circles(at, spot.radius)
    if not arcs and view.method == "polygonal":
        return [(1.0, corner, 0.0, None) for corner in view.corners_on(at, spot.radius)]
    if not arcs:
        return [(4.0, at, spot.radius, None)] if spot.loose and view.cut is None else []
    visible = view.circle_visible(at, spot.radius)
    worth = 0.0 if visible else 2.0
    if spot.entry and spot.entry != view.axes[2][1]:
        worth = BEHIND
    if sum(abs(arc.sweep) for arc in arcs) < 0.95 * math.tau:
        out = 0.0 if spot.convex else math.pi
        return [
            (worth + 0.01 * i, p, 0.0, math.atan2(p[1] - at[1], p[0] - at[0]) + out)
            for i, p in enumerate(_along(max(arcs, key=_sweep)))
        ]
    return [(worth, at, spot.radius, None)]


def _oblique(view: View, spot: Spot) -> list[tuple[float, Point, float, float | None]]:
    """Return the same of a circle that is seen as an ellipse, or of a point in any view."""
    if spot.way is None:
        at = view.at(spot.centre)
        worth = 1.0 if view.id == "front" else 2.0
        return [(worth + (0.0 if view.drawn(at) else 3.0), at, 0.0, None)]
    return [
        ((0.0 if visible else 2.0) + 0.01 * i, (x, y), 0.0, None)
        for visible, ellipse in view.ellipses(spot.centre, spot.way, spot.radius)
        for i, (x, y) in enumerate(ellipse.at(np.array([0.5, 0.25, 0.75])).tolist())
    ]


def _sweep(arc: Arc) -> float:
    return abs(arc.sweep)


def _along(arc: Arc) -> list[Point]:
    """Return places on an arc, its middle first."""
    points = arc.at(np.array([0.5, 0.3, 0.7])).tolist()
    return [(x, y) for x, y in points]
