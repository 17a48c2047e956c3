"""Chains the edges around a region into closed loops, and tells outer from inner ones."""

from __future__ import annotations

import math

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.features.forms import across, turned
from gaugeblock.ruler.features.graph import Loop, Region, SolidGraph, signed_area


def loops_of(items: list[tuple[int, int]], vertices: Ints) -> list[Loop]:
    """Return the loops of (edge, side) items around one region.

    Edges inside the region (between two of its faces) are not among them, so that a loop is the
    boundary of the whole. What does not close is left as an open chain of its own.
    """
    leaving: dict[int, list[tuple[int, int]]] = {}
    for edge, side in items:
        leaving.setdefault(int(vertices[edge, side]), []).append((edge, side))
    left = set(items)
    loops = []
    for start in items:
        if start not in left:
            continue
        chain = [start]
        left.discard(start)
        begin = int(vertices[start[0], start[1]])
        at = int(vertices[start[0], 1 - start[1]])
        while at != begin:
            onward = [item for item in leaving.get(at, []) if item in left]
            if not onward:
                break
            chain.append(onward[0])
            left.discard(onward[0])
            at = int(vertices[onward[0][0], 1 - onward[0][1]])
        loops.append(Loop(tuple(e for e, _ in chain), tuple(s for _, s in chain)))
    return loops


def outer_loop(graph: SolidGraph, region: Region) -> Loop | None:
    """Return the loop around the outside of a plane region: the one with the largest area."""
    if not region.loops:
        return None
    areas = [signed_area(graph.loop_points(loop), region.form.axis) for loop in region.loops]
    best = int(np.argmax(areas))
    return region.loops[best] if areas[best] > 0 else None


def inner_loops(graph: SolidGraph, region: Region) -> list[Loop]:
    """Return the loops of a plane region that are not its outer one."""
    outer = outer_loop(graph, region)
    return [loop for loop in region.loops if loop is not outer]


def winding(points: Floats, origin: Floats, axis: Floats) -> tuple[int, float]:
    """Return how often a closed polygon runs around an axis, and the extent of its angle in rad.

    The extent is that of the angle followed along the polygon, at most a full turn.
    """
    angle = turned(origin, axis, across(axis), points)
    steps = np.diff(np.append(angle, angle[0]))
    steps -= 2 * np.pi * np.round(steps / (2 * np.pi))
    followed = np.concatenate([[0.0], np.cumsum(steps)])
    turns = round(float(followed[-1]) / (2 * np.pi))
    extent = float(np.ptp(followed))
    return turns, 2 * math.pi if turns else min(extent, 2 * math.pi)


def angular_range(graph: SolidGraph, region: Region) -> tuple[float, float]:
    """Return start and extent in rad of a round region about its axis, from `across(axis)` on."""
    form = region.form
    best = (0.0, 0.0)
    for loop in region.loops:
        points = graph.loop_points(loop)
        turns, extent = winding(points, form.origin, form.axis)
        if turns:
            return 0.0, 2 * math.pi
        if extent > best[1]:
            angle = turned(form.origin, form.axis, across(form.axis), points)
            best = (float(np.unwrap(angle).min()), extent)
    return best
