"""Threads in turned profiles: a thread stands for the bore or shaft that it is cut into.

So that a tapped hole is still a hole and a stud still a boss, the faces that a thread claims become
one cylindrical piece of its axis.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from gaugeblock.records.features import Thread
from gaugeblock.ruler.features.coaxial import PARALLEL, AxisGroup, Piece, slope
from gaugeblock.ruler.features.forms import about, cross
from gaugeblock.ruler.features.graph import SolidGraph

NEAR = 0.05
"""Part by which a plain bore may be narrower than the thread's minor diameter, or a plain shaft
wider than its major one, and still be what the thread is cut into. Tap drills lie up to 4 % above
the minor diameter, blanks up to 3 % below the major one."""


def add_threads(graph: SolidGraph, groups: list[AxisGroup], threads: Iterable[Thread]) -> None:
    """Add a piece for each thread to the group of its axis; groups are added where none is."""
    for thread in threads:
        regions = sorted({graph.region_of[face] for face in thread.faces})
        if not regions:
            continue
        group = _group(graph, groups, thread)
        piece = _piece(group, thread, regions)
        group.pieces.append(piece)
        group.piece_of.update(dict.fromkeys(regions, piece))


def _group(graph: SolidGraph, groups: list[AxisGroup], thread: Thread) -> AxisGroup:
    place, axis = np.array(thread.position), np.array(thread.axis)
    for group in groups:
        parallel = np.linalg.norm(cross(group.axis, axis)) <= 2 * PARALLEL
        # A thread's axis is fitted to its flanks: not as sharp as a cylinder's.
        beside = about(group.origin, group.axis, place[None])[0][0] <= 0.01 * thread.major
        if parallel and beside:
            return group
    groups.append(AxisGroup(graph, place, axis))
    return groups[-1]


def _piece(group: AxisGroup, thread: Thread, regions: list[int]) -> Piece:
    graph, mine = group.graph, set(regions)
    rim = [
        (edge, side)
        for number in regions
        for edge, side in graph.regions[number].edges
        if int(graph.ends[edge, 1 - side]) not in mine
    ]
    heights = [group.z(graph.points[edge]) for edge, _ in rim]
    middle = float(group.z(np.array(thread.position)[None])[0])
    low = min([middle - 0.5 * thread.length, *(float(z.min()) for z in heights)])
    high = max([middle + 0.5 * thread.length, *(float(z.max()) for z in heights)])
    radius = _radius(group, thread)
    piece = Piece(
        kind="cylinder",
        regions=regions,
        side=-1 if thread.internal else 1,
        radius=radius,
        coverage=2 * math.pi,
        z=(low, high),
        rho=(radius, radius),
        ends={-1: [], 1: []},
        threaded=True,
    )
    for item, z in zip(rim, heights, strict=True):
        piece.ends[1 if float(z.mean()) > 0.5 * (low + high) else -1].append(item)
        _tell_plane(group, item)
    return piece


def _tell_plane(group: AxisGroup, item: tuple[int, int]) -> None:
    """Give a shoulder beside a thread the edge between, which is no circle."""
    edge, side = item
    graph = group.graph
    region = graph.other(edge, side)
    plane = group.piece_of.get(region.number)
    if plane is not None and plane.kind == "plane":
        way = slope(group, region, edge, 1 - side)
        plane.ends[1 if way > 0 else -1].append((edge, 1 - side))


def _radius(group: AxisGroup, thread: Thread) -> float:
    """Return the radius of the plain bore or shaft beside a thread, else the thread's own."""
    own = 0.5 * (thread.minor if thread.internal else thread.major)
    low, high = 0.5 * thread.minor, 0.5 * thread.major
    least = low * (1 - NEAR) if thread.internal else low
    most = high if thread.internal else high * (1 + NEAR)
    plain = [
        piece.radius
        for piece in group.pieces
        if piece.kind == "cylinder"
        and piece.side == (-1 if thread.internal else 1)
        and least <= piece.radius <= most
    ]
    return min(plain, key=lambda radius: abs(radius - own), default=own)
