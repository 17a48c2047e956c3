"""Lengths of straight edges, and which of them a sheet value can stand on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gaugeblock.ruler.spectrum.directions import join, linked
from gaugeblock.ruler.spectrum.layout import Layout
from gaugeblock.ruler.spectrum.quantities import Quantity


@dataclass
class _Straight:
    """One straight edge, its pieces taken together."""

    direction: int
    low: float
    high: float
    """Where it begins and ends along its direction, mm."""
    edge: int
    """Lowest number of its pieces, from 0."""
    faces: list[int]
    wires: set[int]


def edge_lengths(layout: Layout) -> list[Quantity]:
    """Return the lengths of the straight edges between different faces.

    Edges of equal extent on one outline of one face (the four edges along a box, two sides of a
    slot) are one length: the first serves a sheet value, the others repeat it. All repeat where
    two planes across the direction begin and end with them: there the distance of these serves.
    """
    edges = _straight_edges(layout)
    group = linked(len(edges), _alike(layout, edges))
    served: set[int] = set()
    found = []
    for number, edge in enumerate(edges):
        between = layout.has_planes(edge.direction, (edge.low, edge.high))
        repeats = between or int(group[number]) in served
        served.add(int(group[number]))
        value = edge.high - edge.low
        found.append(Quantity("edge-length", value, edge.faces, edge=edge.edge, repeats=repeats))
    return found


def _straight_edges(layout: Layout) -> list[_Straight]:
    """Return straight edges in the order of their numbers; pieces in one line are one edge."""
    outline = layout.outline
    wire_of = {
        use: number
        for number, (_, first, last) in enumerate(outline.wires)
        for use in range(first, last)
    }
    found: list[_Straight] = []
    corners: list[tuple[int, int]] = []
    bins: dict[tuple[int, int, int, int], list[int]] = defaultdict(list)
    for edge in layout.edges:
        if edge is None or edge.kind != "line":
            continue
        sides = sorted(set(layout.whole[edge.faces].tolist()))
        if len(edge.faces) > 1 and len(sides) == 1:
            continue  # a seam, or a line that only splits a face
        direction = layout.edge_direction[edge.number]
        low, high = sorted(layout.frame(direction).place(np.array(edge.ends))[:, 2].tolist())
        faces = sorted(set(edge.faces))
        wires = {wire_of[use] for use in edge.uses}
        for corner in set(outline.ends[edge.number]):
            bins[direction, sides[0], sides[-1], corner].append(len(found))
        found.append(_Straight(direction, low, high, edge.number - 1, faces, wires))
    for members in bins.values():
        corners += combinations(members, 2)
    group = linked(len(found), corners)
    whole: dict[int, _Straight] = {}
    for piece, number in zip(found, group.tolist(), strict=True):
        known = whole.setdefault(number, piece)
        if known is not piece:
            known.low, known.high = min(known.low, piece.low), max(known.high, piece.high)
            known.faces = sorted({*known.faces, *piece.faces})
            known.wires |= piece.wires
    return [edge for edge in whole.values() if edge.high - edge.low > layout.reach]


def _alike(layout: Layout, edges: list[_Straight]) -> list[tuple[int, int]]:
    """Return pairs of edges with the same extent on one outline."""
    by_wire: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        for wire in edge.wires:
            by_wire[wire, edge.direction].append(number)
    pairs = []
    for members in by_wire.values():
        extents = np.array([(edges[i].low, edges[i].high) for i in members])
        first: dict[int, int] = {}
        for number, group in zip(members, join(extents, layout.reach).tolist(), strict=True):
            pairs.append((first.setdefault(group, number), number))
    return pairs
