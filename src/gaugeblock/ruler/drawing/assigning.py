"""Which view shows a length best, on which side of it, and from which points it is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.drawing.seen import NEAR, Span, View
from gaugeblock.ruler.drawing.wishes import Linear
from gaugeblock.ruler.views.shapes import Point

Side = Literal["below", "above", "left", "right", "column"]

HIDDEN, AXIS = 0.3, 0.35
"""Worth of an end on a hidden line, and of a hole's axis seen from its side; visible lines and
middles of circles count 1."""

TELLING = 0.5
"""What a view gains where it shows the feature as it is best seen."""

INNER = 0.5
"""A side that faces another view counts as this part of the view farther away."""

CHAIN = 0.3
"""A side counts as this part of the view nearer where a dimension goes on that ends there."""

CROWDED = 0.04
"""A side counts as this part of the view farther away for each dimension that it has already."""

CROWD = 0.015
"""What a view loses for each dimension that it has already."""

COLUMN_LEAST = 1.0
"""Width of a shaft's step on the paper from which on its diameter stands inside it, mm."""


@dataclass(frozen=True)
class Assigned:
    """A length in its view."""

    wish: Linear
    view: View
    side: Side
    points: tuple[Point, Point]
    """mm of the view."""

    @property
    def across(self) -> int:
        """0 for a level dimension line, 1 for an upright one."""
        return 1 if self.side in ("left", "right", "column") else 0


def assigned(
    wishes: Sequence[Linear], views: Sequence[View], scale: float, inner: dict[str, set[str]]
) -> tuple[list[Assigned], list[Linear]]:
    """Return lengths in their views, and those that no view shows.

    Args:
        wishes: What is to be dimensioned.
        views: All views but the isometric one.
        scale: mm of paper for one of the part.
        inner: By view: the sides that face other views.
    """
    found: list[Assigned] = []
    lost: list[Linear] = []
    crowd = {view.id: 0 for view in views}
    for wish in wishes:
        best: tuple[float, View, list[list[Span]]] | None = None
        for view in views:
            rated = _rated(wish, view)
            if rated is None:
                continue
            worth = rated[0] - CROWD * crowd[view.id]
            if best is None or worth > best[0] + 1e-9:
                best = (worth, view, rated[1])
        if best is None:
            lost.append(wish)
            continue
        _, view, spans = best
        crowd[view.id] += 1
        found.append(_sided(wish, view, spans, scale, inner[view.id], found))
    return found, lost


def _rated(wish: Linear, view: View) -> tuple[float, list[list[Span]]] | None:
    """Return how well a view shows a length and where its ends can be taken, or None."""
    n = view.across(wish.direction)
    if n is None or (wish.diameter and view.depth == 0):
        return None
    worth, spans = 1.0, []
    for level, at in zip(wish.ends, wish.at, strict=True):
        if at:
            shown = [view.at(p) for p in at if _shown(view, wish, p)]
            if not shown:
                return None
            spans.append([Span(p[1 - n], p[1 - n], True) for p in shown])
            worth *= 1.0 if wish.best in (None, view.depth) else AXIS
            continue
        own = view.spans(wish.direction, level)
        if not own:
            return None
        spans.append(own)
        worth *= 1.0 if own[0].visible else HIDDEN
    if wish.best == view.depth:
        worth += TELLING
    return worth, spans


def _shown(view: View, wish: Linear, place: Floats) -> bool:
    """Whether a section, which has no hidden lines, shows what stands at a place.

    A hole that is seen from its side must be cut along its axis.
    """
    if view.cut is None:
        return True
    if wish.best in (None, view.depth):
        return view.centred(view.at(place)) or view.drawn(view.at(place)) is not None
    return view.in_plane(place)


def _sided(
    wish: Linear,
    view: View,
    spans: list[list[Span]],
    scale: float,
    inner: set[str],
    others: Sequence[Assigned],
) -> Assigned:
    n = view.across(wish.direction)
    assert n is not None
    low, high = view.box
    sides: tuple[tuple[Side, float, float], ...] = (
        (("below", -1.0, low[1]), ("above", 1.0, high[1]))
        if n == 0
        else (("left", -1.0, low[0]), ("right", 1.0, high[0]))
    )
    if wish.diameter and wish.column is not None:
        column = _column(wish, view, scale)
        if column is not None:
            return column
    best: tuple[float, Side, list[float]] | None = None
    for side, sign, edge in sides:
        ends = [_nearest(own, sign) for own in spans]
        away = sum(abs(edge - end) for end in ends)
        if side in inner:
            away += INNER * view.size
        away += CROWDED * view.size * sum(o.view is view and o.side == side for o in others)
        if any(_chained(wish, other, view, side) for other in others):
            away -= CHAIN * view.size
        if best is None or away < best[0] - NEAR * view.size:
            best = (away, side, ends)
    assert best is not None
    _, side, ends = best
    at = [view.value(wish.direction, level) for level in wish.ends]
    points = [(a, e) if n == 0 else (e, a) for a, e in zip(at, ends, strict=True)]
    return Assigned(wish, view, side, (points[0], points[1]))


def _chained(wish: Linear, other: Assigned, view: View, side: Side) -> bool:
    """Whether a length goes on where another one on a side ends."""
    if other.view is not view or other.side != side or other.wish.direction != wish.direction:
        return False
    (a, b), (c, d) = wish.ends, other.wish.ends
    return min(abs(b - c), abs(a - d)) < NEAR * view.size


def _nearest(spans: Sequence[Span], sign: float) -> float:
    """Return the end nearest to a side, of the visible lines if there are any."""
    seen = [s for s in spans if s.visible] or list(spans)
    return max(s.high for s in seen) if sign > 0 else min(s.low for s in seen)


def _column(wish: Linear, view: View, scale: float) -> Assigned | None:
    """Return a diameter inside its own step, where that lies between others and is wide enough."""
    assert wish.column is not None
    i = view.across(0)
    if i != 0 or view.cut is not None:
        return None
    a, b = sorted(view.value(0, x) for x in wish.column)
    close = NEAR * view.size
    at_end = a - view.box[0][0] < close or view.box[1][0] - b < close
    if at_end or scale * (b - a) < COLUMN_LEAST:
        return None
    x = 0.5 * (a + b)
    y = sorted(view.value(wish.direction, level) for level in wish.ends)
    return Assigned(wish, view, "column", ((x, y[0]), (x, y[1])))
