"""How often a size is drawn: what bears out the number before ×, and sizes along a hole's axis.

A count is never believed because it is printed. Lengths are found again as the same pair of lines
or circles somewhere else in the view, angles as other lines of that slope, radii also in views
from other sides, depths at every hole in line with a bore of that depth. mm of paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from gaugeblock.ruler.drawing.drawn_geometry import MOST_ALIKE, TANGENT, DrawnView
from gaugeblock.ruler.drawing.sheet import AngularDim
from gaugeblock.ruler.drawing.straight import ON
from gaugeblock.ruler.views.shapes import Floats, Point

Views = Mapping[str, DrawnView]

SQUARE = 1e-6
"""Views whose lines of sight enclose a right angle up to this cosine show each other's depths."""

LEAST = 0.5
"""Shorter lines have no slope that could be told, mm."""


def lengths(view: DrawnView, views: Views, points: tuple[Point, Point], angle: float) -> int:
    """Return how often a length stands in a view between things like those at its ends.

    In a detail the view that it is taken from is looked at as well.

    Args:
        view: The view.
        views: All views.
        points: Ends of the length.
        angle: Its direction, rad.
    """
    found = _lengths(view, points, angle)
    for other in views.values():
        if other is not view and _same_sight(view, other):
            moved = tuple(_taken_over(view, other, point) for point in points)
            found = max(found, _lengths(other, (moved[0], moved[1]), angle))
    return found


def _same_sight(view: DrawnView, other: DrawnView) -> bool:
    return bool(np.allclose(view.placed.camera.basis(), other.placed.camera.basis(), atol=1e-9))


def _taken_over(view: DrawnView, other: DrawnView, point: Point) -> Point:
    """Return where a point of one view stands in another one along the same line of sight."""
    a, b = view.placed, other.placed
    x, y = (
        (p - o) / a.scale * b.scale + q for p, o, q in zip(point, a.origin, b.origin, strict=True)
    )
    return (x, y)


def _lengths(view: DrawnView, points: tuple[Point, Point], angle: float) -> int:
    u = np.array([math.cos(angle), math.sin(angle)])
    v = np.array([-u[1], u[0]])
    things = _things(view, u, v)
    ends = [_at(things, np.array(point), u, v)[:4] for point in points]
    long = abs(float(np.subtract(points[1], points[0]) @ u))
    best = 1
    for one in ends[0]:
        for two in ends[1]:
            first, second = (things[_like(things, thing)] for thing in (one, two))
            if max(len(first), len(second)) > MOST_ALIKE:
                continue
            du = second[None, :, 0] - first[:, None, 0]
            dv = second[None, :, 1] - first[:, None, 1]
            hit = np.abs(np.abs(du) - long) <= ON
            hit &= np.abs(np.abs(dv) - abs(two[1] - one[1])) <= ON
            i, j = np.nonzero(hit)
            middles = 0.5 * (first[i, :2] + second[j, :2])
            best = max(best, _distinct(middles))
    return best


def _things(view: DrawnView, u: Floats, v: Floats) -> Floats:
    """Return rows of what a length may stand on: place along and across it, size, and kind.

    The size is half a straight line's length (kind 0) or a circle's radius (kind 1).
    """
    rows = view.stretches
    way = rows[:, 2:] - rows[:, :2]
    long = np.linalg.norm(way, axis=1)
    rows, long = rows[keep := np.abs(way @ u) <= TANGENT * long], long[keep]
    middle = 0.5 * (rows[:, :2] + rows[:, 2:])
    lines = np.column_stack([middle @ u, middle @ v, 0.5 * long, np.zeros(len(rows))])
    rings = [[*(np.array(r.centre) @ np.column_stack([u, v])), r.radius, 1.0] for r in view.rings]
    return np.concatenate([lines, np.array(rings).reshape(-1, 4)])


def _at(things: Floats, point: Floats, u: Floats, v: Floats) -> Floats:
    """Return the things that a point lies on: across a line, in the middle of a circle."""
    along = np.abs(things[:, 0] - point @ u) <= ON
    aside = np.abs(things[:, 1] - point @ v)
    return things[along & (aside <= np.where(things[:, 3] == 0.0, things[:, 2], 0.0) + ON)]


def _like(things: Floats, thing: Floats) -> Floats:
    return np.asarray((things[:, 3] == thing[3]) & (np.abs(things[:, 2] - thing[2]) <= ON))


def _distinct(points: Floats) -> int:
    kept: list[Floats] = []
    for point in points:
        if all(np.abs(point - other).max() > ON for other in kept):
            kept.append(point)
    return len(kept)


def steps(view: DrawnView, points: tuple[Point, Point], angle: float, count: int) -> int:
    """Return into how many equal steps a length is divided: by circles' middles or lines across.

    Args:
        view: The view.
        points: Ends of the length.
        angle: Its direction, rad.
        count: Steps that are printed.

    Returns:
        `count`, or 1 where one of the places between is not drawn.
    """
    u = np.array([math.cos(angle), math.sin(angle)])
    things = _things(view, u, np.array([-u[1], u[0]]))
    low, high = sorted(float(np.array(point) @ u) for point in points)
    inner = [low + (high - low) * n / count for n in range(1, count)]
    return count if all((np.abs(things[:, 0] - at) <= ON).any() for at in inner) else 1


def slopes(view: DrawnView, dim: AngularDim) -> int:
    """Return how many straight lines enclose a dimension's angle with its level or upright leg."""
    base = None
    for point in dim.points:
        off = np.abs(np.subtract(point, dim.apex))
        if off.min() <= ON:
            base = np.array([1.0, 0.0]) if off[0] > off[1] else np.array([0.0, 1.0])
    if base is None:
        return 0
    way = view.merged[:, 2:] - view.merged[:, :2]
    long = np.linalg.norm(way, axis=1)
    cosine = np.abs(way @ base) / np.maximum(long, 1e-300)
    degrees = np.degrees(np.arccos(np.clip(cosine, 0.0, 1.0)))
    wanted = min(dim.measured, abs(180.0 - dim.measured))
    alike = np.abs(degrees - wanted) <= math.degrees(TANGENT)
    return int((alike & (long > LEAST)).sum())


def radii(view: DrawnView, views: Views, radius: float) -> int:
    """Return how many arcs of one radius are drawn, those of views from other sides as well.

    Args:
        view: The view that tells the radius.
        views: All views.
        radius: In that view, mm.
    """
    return _from_all_sides(view, views, lambda v: v.alike(radius * v.scale / view.scale))


def chamfers(view: DrawnView, views: Views, extent: Point) -> int:
    """Return how many chamfers of one extent are drawn, in views from other sides as well.

    Args:
        view: The view that tells the size.
        views: All views.
        extent: Across and up in that view, mm.
    """

    def count(other: DrawnView) -> int:
        share = other.scale / view.scale
        return other.chamfers((extent[0] * share, extent[1] * share))

    return _from_all_sides(view, views, count)


def _from_all_sides(view: DrawnView, views: Views, count: object) -> int:
    """Return a sum over lines of sight, of views along one the one that shows most."""
    assert callable(count)
    own = np.array(view.placed.camera.direction)
    most: list[tuple[Floats, int]] = [(own, count(view))]
    for other in views.values():
        sight = np.array(other.placed.camera.direction)
        if other is view or (np.abs(sight).max() < 1.0 - SQUARE and abs(sight @ own) > SQUARE):
            # An oblique view, such as the isometric one, shows no circle as one.
            continue
        number = count(other)
        for n, (known, many) in enumerate(most):
            if abs(float(known @ sight)) > 1.0 - SQUARE:
                # The number in the dimension's own view stands: the others show the same again.
                most[n] = (known, max(many, number) if n else many)
                break
        else:
            most.append((sight, number))
    return sum(number for _, number in most)


def depths(view: DrawnView, views: Views, diameter: float, depth: float) -> int:
    """Return how many holes of a view stand in line with a bore as deep as printed.

    A bore is a pair of parallel lines of that length, a diameter apart, in a view from the side;
    holes one behind the other share one.

    Args:
        view: The view along the holes.
        views: All views.
        diameter: Of the bore, mm of the part.
        depth: mm of the part.
    """
    centres = view.centres(0.5 * diameter * view.scale)
    here = view.placed
    sight = np.array(here.camera.direction)
    plane = np.array([here.camera.right, here.camera.up])
    found: set[int] = set()
    for other in views.values():
        there = other.placed
        basis = np.array([there.camera.right, there.camera.up])
        along = basis @ sight
        if abs(float(np.linalg.norm(along)) - 1.0) > SQUARE:
            continue
        aside = np.array([-along[1], along[0]])
        share = plane @ (aside @ basis)
        middles = other.bore_middles(diameter * there.scale, depth * there.scale, along)
        at = [float((np.array(m) - there.origin) @ aside) / there.scale for m in middles]
        for n, centre in enumerate(centres):
            own = float((np.array(centre) - here.origin) @ share) / here.scale
            if any(abs(own - a) <= 2.0 * ON / min(here.scale, there.scale) for a in at):
                found.add(n)
    return len(found)


def cones(views: Iterable[DrawnView], diameter: float, degrees: float) -> int:
    """Return how many countersinks are seen from the side: lines like the sides of a funnel.

    Args:
        views: Where they are looked for.
        diameter: At the wide end, mm of the part.
        degrees: Between its sides.
    """
    return max((_cones(view, diameter * view.scale, degrees) for view in views), default=0)


def _cones(view: DrawnView, diameter: float, degrees: float) -> int:
    rows = view.stretches
    ends = np.concatenate([rows, rows[:, [2, 3, 0, 1]]])
    way = ends[:, 2:] - ends[:, :2]
    long = np.linalg.norm(way, axis=1)
    count = 0
    for axis in (np.array(a) for a in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))):
        slope = np.degrees(np.arccos(np.clip((way @ axis) / np.maximum(long, 1e-300), -1.0, 1.0)))
        side = ends[(np.abs(slope - 0.5 * degrees) <= math.degrees(TANGENT)) & (long > ON)]
        if len(side) > MOST_ALIKE:
            continue
        across = np.array([-axis[1], axis[0]])
        middles = []
        for one in side:
            for two in side:
                off = (two[:2] - one[:2], two[2:] - one[2:])
                level = max(abs(float(d @ axis)) for d in off) <= ON
                wide = abs(float(off[0] @ across) - diameter) <= ON
                if level and wide and abs(float(off[1] @ across)) < diameter - ON:
                    middles.append(0.5 * (one[:2] + two[:2]))
        count += _distinct(np.array(middles).reshape(-1, 2))
    return count
