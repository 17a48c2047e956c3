"""All that points at something: call-outs, diameters and radii of circles, angles.

Each is tried in every view that shows what it is about.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaugeblock.ruler.drawing.leaders import best_angle, best_leader, best_round
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.wishes import Angle, Note, Round, Spot, Wishes
from gaugeblock.ruler.views.shapes import Arc, Point

SPOTS = 6
"""Places that one note is tried at: it may point at any of its alike features."""

Rect = tuple[Point, Point]


@dataclass(frozen=True)
class Desk:
    """The paper and the views that stand on it."""

    paper: Paper
    views: list[View]
    origins: dict[str, Point]
    scale: float
    height: float
    outlines: dict[str, Rect]

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


def _angle(desk: Desk, wish: Angle) -> Any:
    for view in desk.views:
        if view.depth != wish.axis:
            continue
        apex, first, last = (desk.at(view, view.at(p)) for p in (wish.apex, *wish.ends))
        turn = (first[0] - apex[0]) * (last[1] - apex[1]) - (first[1] - apex[1]) * (
            last[0] - apex[0]
        )
        ends = (first, last) if (turn > 0) == (wish.degrees < 180) else (last, first)
        found = best_angle(desk.paper, view.id, apex, ends, wish.text, desk.height, wish.features)
        if found is not None:
            return found
    return None


def _round(desk: Desk, wish: Round) -> Any:
    shown = [view for view in desk.views if view.depth == wish.axis]
    if not wish.pitch:
        shown.sort(key=lambda view: not view.circle_visible(view.at(wish.centre), wish.radius))
    for view in shown:
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
    for spot in wish.spots:
        for view in desk.views:
            for worth, at, radius, way in _ratings(view, spot):
                rated.append((worth, view.id, desk.at(view, at), desk.scale * radius, way))
    if not rated:
        return None
    rated.sort(key=lambda item: item[0])
    best = rated[0][0]
    spots = [item[1:] for item in rated if item[0] < best + 0.5]
    found = best_leader(
        desk.paper, spots[:SPOTS], wish.text, desk.height, desk.outlines, wish.features
    )
    if found is None and len(spots) < len(rated):
        rest = [item[1:] for item in rated if item[0] >= best + 0.5]
        found = best_leader(
            desk.paper, rest[:SPOTS], wish.text, desk.height, desk.outlines, wish.features
        )
    return found


def _ratings(view: View, spot: Spot) -> list[tuple[float, Point, float, float | None]]:
    """Return how well a view shows a spot (0 best), middle and radius of what is touched, way."""
    at = view.at(spot.centre)
    if spot.axis is None:
        return [(1.0 if view.id == "front" else 2.0, at, 0.0, None)]
    if spot.axis != view.depth:
        return []
    if view.cut is not None and spot.radius > 0 and not view.circles(at, spot.radius):
        return []
    if spot.radius == 0.0:
        return [(0.0 if _on_line(view, at) else 2.0, at, 0.0, None)]
    sign = view.axes[2][1]
    if spot.entry and spot.entry != sign:
        return [(3.0, at, spot.radius, None)]
    arcs = view.circles(at, spot.radius)
    visible = view.circle_visible(at, spot.radius)
    if arcs and sum(abs(arc.sweep) for arc in arcs) < 0.95 * math.tau:
        longest = max(arcs, key=_sweep)
        worth = 0.0 if visible else 2.0
        out = 0.0 if spot.convex else math.pi
        return [
            (worth + 0.01 * i, p, 0.0, math.atan2(p[1] - at[1], p[0] - at[0]) + out)
            for i, p in enumerate(_along(longest))
        ]
    return [(0.0 if visible else 2.0, at, spot.radius, None)]


def _sweep(arc: Arc) -> float:
    return abs(arc.sweep)


def _along(arc: Arc) -> list[Point]:
    """Return places on an arc, its middle first."""
    points = arc.at(np.array([0.5, 0.3, 0.7])).tolist()
    return [(x, y) for x, y in points]


def _on_line(view: View, at: Point) -> bool:
    """Whether a visible line of the view runs through a point, by its box."""
    from gaugeblock.ruler.views.shapes import Line

    close = 1e-4 * view.size
    for curve in view.curves:
        if curve.visible and isinstance(curve.shape, Line):
            a, b = np.array(curve.shape.start), np.array(curve.shape.end)
            way = b - a
            long = float(np.linalg.norm(way))
            off = np.array(at) - a
            along = float(off @ way) / max(long, 1e-300)
            aside = abs(float(off[0] * way[1] - off[1] * way[0])) / max(long, 1e-300)
            if aside < close and -close <= along <= long + close:
                return True
    return False
