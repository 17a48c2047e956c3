"""The outlines of plane faces as polygons in their plane."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from manifold3d import CrossSection, FillRule

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.spectrum.directions import Frame
from gaugeblock.ruler.spectrum.edges import POINTS, Edge

STEP = 5.0
"""Degrees between the corners of a polygon on a circle. They lie at whole multiples in the plane's
own frame, so that equal circles above each other give equal polygons; else the polygons miss 0.13 %
of a disc's area."""


def outlines_of(
    outline: Outline, edges: list[Edge | None], wires: list[tuple[int, int]], frame: Frame
) -> list[Floats] | None:
    """Return the outlines of one plane face.

    Args:
        outline: The solid.
        edges: Its edges by number.
        wires: First use and use after the last of each of the face's wires.
        frame: A frame whose third axis is the face's normal, up to its sign.

    Returns:
        One (n, 2) polygon in mm a wire, or None where a wire cannot be followed.
    """
    found = []
    for first, last in wires:
        order = _in_order(outline, first, last)
        if order is None:
            return None
        points: list[Floats] = []
        for use in order:
            edge = edges[outline.use_edge[use]]
            if edge is not None:
                points.append(_along(edge, outline.along(use), frame))
        polygon = np.concatenate(points) if points else np.empty((0, 2))
        if len(polygon) > 2:
            found.append(polygon)
    return found


def region(outlines: list[Floats]) -> CrossSection:
    """Return the area that the outlines of one face enclose, whatever their sense."""
    return CrossSection(outlines, FillRule.EvenOdd)


def outer_and_holes(area: CrossSection) -> tuple[CrossSection, list[CrossSection]]:
    """Return an area with its holes filled, and each of its holes."""
    polygons = [np.asarray(polygon, dtype=np.float64) for polygon in area.to_polygons()]
    outer = [polygon for polygon in polygons if _signed(polygon) > 0]
    holes = [polygon[::-1] for polygon in polygons if _signed(polygon) < 0]
    filled = CrossSection(outer, FillRule.NonZero)
    return filled, [CrossSection([hole], FillRule.NonZero) for hole in holes]


def _signed(polygon: Floats) -> float:
    x, y = polygon.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _in_order(outline: Outline, first: int, last: int) -> list[int] | None:
    """Return the uses of one wire in the order in which they join; None where that is not clear."""
    uses = [use for use in range(first, last) if not outline.degenerate[outline.use_edge[use]]]
    if len(uses) < 2:
        return uses
    starting = {outline.start(use): use for use in uses}
    if len(starting) < len(uses):
        return None
    order = [uses[0]]
    while len(order) < len(uses):
        following = starting.get(outline.stop(order[-1]))
        if following is None or following == order[0]:
            return None
        order.append(following)
    return order


def _along(edge: Edge, forward: bool, frame: Frame) -> Floats:
    """Return the corners of a polygon along an edge, its last end left out."""
    start = edge.ends[0 if forward else 1]
    if edge.kind == "line":
        return frame.place(start)[None, :2]
    if edge.kind == "circle":
        assert edge.centre is not None and edge.direction is not None
        centre = frame.place(edge.centre)[:2]
        own = frame.place(start)[:2]
        right_handed = (float(edge.direction @ frame.axes[2]) > 0) == forward
        begin = math.degrees(math.atan2(*(own - centre)[::-1]))
        end = begin + (edge.sweep if right_handed else -edge.sweep)
        low, high = min(begin, end), max(begin, end)
        inner = STEP * np.arange(math.floor(low / STEP) + 1, math.ceil(high / STEP))
        inner = inner if right_handed else inner[::-1]
        angles = np.radians(inner)
        round_ = centre + edge.radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return np.concatenate([own[None], round_])
    stations = np.linspace(edge.first, edge.last, POINTS)
    stations = stations[:-1] if forward else stations[:0:-1]
    points: list[Any] = [edge.curve.Value(t).Coord() for t in stations.tolist()]
    return frame.place(np.array(points))[:, :2]
