"""Outlines seen along an axis: upright walls in plan, their extents, and the box around them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.coaxial import PARALLEL
from gaugeblock.ruler.features.forms import across, cross, turned, unit
from gaugeblock.ruler.features.graph import Region, SolidGraph

UPRIGHT = math.radians(0.5)
"""Lean in rad up to which a wall counts as upright: the 0.5° that an axis may be off on a sheet."""

DRAFT = math.radians(15.0)
"""Largest lean in rad of a drafted wall; castings have 1° to 10°."""

ROUND_END = math.radians(150.0)
"""Least turn in rad of an arc that closes the end of a slot; less is a corner (`MOST_TURN`)."""


CLOSED = 0.5
"""Gap in rad between samples around a wall below which it goes all round: samples of one edge lie
at most 22.5° (0.39) apart."""


@dataclass(frozen=True)
class Arc:
    """A round wall in plan."""

    region: int
    centre: Floats
    """(3,)"""
    radius: float
    start: float
    """Angle in rad from `across(axis)` on."""
    extent: float


@dataclass
class Box2:
    """The smallest box around an outline."""

    length: float
    width: float
    direction: Floats | None
    """Of the length; None for a square box, and where boxes of several directions are as small."""
    middle: Floats
    """(3,) A point of the line along the axis through the box's middle."""


@dataclass
class Plan:
    """Points and arcs of an outline, seen along `axis`."""

    axis: Floats
    points: Floats
    """(n, 3)"""
    arcs: list[Arc] = field(default_factory=list)
    lines: list[Floats] = field(default_factory=list)
    """Directions of straight walls."""

    def reach(self, direction: Floats) -> float:
        """Return the farthest place of the outline along a direction across the axis, mm."""
        far = [float((self.points @ direction).max())]
        x = across(self.axis)
        y = cross(self.axis, x)
        angle = math.atan2(float(direction @ y), float(direction @ x))
        for arc in self.arcs:
            if (angle - arc.start) % (2 * math.pi) <= arc.extent:
                far.append(float(arc.centre @ direction) + arc.radius)
        return max(far)

    def range(self, direction: Floats) -> tuple[float, float]:
        """Return the lowest and highest place of the outline along a direction."""
        return -self.reach(-direction), self.reach(direction)

    def box(self, tolerance: float) -> Box2:
        """Return the box of least area whose sides follow a straight wall.

        Without straight walls it follows the outline's longest axis of inertia.
        """
        best: Box2 | None = None
        for direction in self.lines or [_principal(self.points, self.axis)]:
            other = cross(self.axis, direction)
            along, aside = self.range(direction), self.range(other)
            middle = 0.5 * sum(along) * direction + 0.5 * sum(aside) * other
            sides = (along[1] - along[0], aside[1] - aside[0])
            if sides[1] > sides[0]:
                direction, sides = other, (sides[1], sides[0])
            square = sides[0] - sides[1] <= 2 * tolerance
            box = Box2(*sides, None if square else direction, middle)
            if best is None or sides[0] * sides[1] < best.length * best.width * (1 - 1e-6):
                best = box
            elif sides[0] * sides[1] <= best.length * best.width * (1 + 1e-6):
                best.direction = _agreed(best.direction, box.direction)
        assert best is not None
        return best


def _agreed(one: Floats | None, two: Floats | None) -> Floats | None:
    """Return a direction that two boxes of one area share; None where they do not."""
    if one is None or two is None or abs(float(one @ two)) < math.cos(UPRIGHT):
        return None
    return one


def _principal(points: Floats, axis: Floats) -> Floats:
    flat = points - (points @ axis)[:, None] * axis
    return np.asarray(np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)[2][0])


def lean(region: Region, axis: Floats) -> float | None:
    """Return how far a wall leans from an axis in rad: positive where it opens along the axis.

    None for walls that are neither planes nor round about the axis.
    """
    if region.kind == "plane":
        return math.asin(max(-1.0, min(1.0, float(region.form.axis @ axis))))
    if region.kind == "cylinder":
        return 0.0 if np.linalg.norm(cross(region.form.axis, axis)) <= UPRIGHT else None
    if region.kind == "cone":
        slope = float(region.form.axis @ axis)
        if abs(slope) < math.cos(UPRIGHT):
            return None
        opening = -region.outward * math.copysign(region.form.half_angle, slope)
        return opening
    return None


def is_upright(region: Region, axis: Floats) -> bool:
    """Whether a wall stands along an axis."""
    found = lean(region, axis)
    return found is not None and abs(found) <= UPRIGHT


def arc_of(region: Region, axis: Floats, points: Floats) -> Arc:
    """Return a cylindrical wall in plan, over the angles of its (n, 3) points."""
    form = region.form
    angle = np.sort(turned(form.origin, axis, across(axis), points) % (2 * math.pi))
    gaps = np.diff(np.append(angle, angle[0] + 2 * math.pi))
    widest = int(np.argmax(gaps))
    start = float(angle[(widest + 1) % len(angle)])
    whole = float(gaps[widest]) < CLOSED
    extent = 2 * math.pi if whole else 2 * math.pi - float(gaps[widest])
    return Arc(region.number, form.origin, form.radius, start, extent)


def plan_of(graph: SolidGraph, axis: Floats, walls: list[tuple[Region, Floats]]) -> Plan:
    """Return the plan of upright walls, each with the (n, 3) points of its own part.

    A wall may be given in several parts.
    """
    plan = Plan(axis, np.concatenate([points for _, points in walls]))
    parts: dict[int, list[Floats]] = {}
    for region, points in walls:
        parts.setdefault(region.number, []).append(points)
    for number, mine in parts.items():
        region = graph.regions[number]
        if region.kind == "plane":
            plan.lines.append(np.asarray(unit(cross(axis, region.form.axis))))
        elif region.kind == "cylinder" and is_upright(region, axis):
            plan.arcs.append(arc_of(region, axis, np.concatenate(mine)))
    return plan


def common_axis(graph: SolidGraph, regions: list[Region]) -> Floats | None:
    """Return the direction that all walls are along, or None."""
    rows = [graph.normals[edge, side, 1:-1] for region in regions for edge, side in region.edges]
    if not rows:
        return None
    normals = np.concatenate(rows)
    normals = normals[np.isfinite(normals).all(axis=1)]
    _, spread, vectors = np.linalg.svd(normals, full_matrices=False)
    if len(spread) < 3 or spread[1] < 1e-3 * spread[0]:
        return None
    axis = vectors[2]
    return axis if np.abs(normals @ axis).max() <= math.sin(UPRIGHT) else None


def faces_each_other(a: Region, b: Region, axis: Floats, level: float | None = None) -> bool:
    """Whether two plane walls are parallel in plan with air between them.

    Args:
        a: A wall.
        b: Another.
        axis: Up.
        level: Where along it that is asked, mm, which matters to walls that lean; None: anywhere.
    """
    one, two = (unit(r.form.axis - (r.form.axis @ axis) * axis) for r in (a, b))
    if float(one @ two) > -math.cos(PARALLEL):
        return False
    if level is None:
        level = float(a.form.origin @ axis)
    return stands_at(b, one, axis, level) > stands_at(a, one, axis, level)


def stands_at(wall: Region, across: Floats, axis: Floats, level: float) -> float:
    """Return where a plane wall stands along `across` at a level along the axis, mm."""
    normal, origin = wall.form.axis, wall.form.origin
    rise = level - float(origin @ axis)
    return float(origin @ across) - rise * float(normal @ axis) / float(normal @ across)
