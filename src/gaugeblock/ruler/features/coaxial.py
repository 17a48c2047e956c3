"""Surfaces of revolution sorted by axis: turned pieces, their two ends, and what lies across them.

A piece is one step of a turned profile (a cylinder, cone, torus, sphere, or a plane ring), whole or
interrupted, possibly of several regions. Holes, bosses, grooves and round edge treatments are all
read from how pieces follow each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.forms import about, across, cross, turned, unit
from gaugeblock.ruler.features.graph import Region, SolidGraph
from gaugeblock.ruler.features.loops import winding

PARALLEL = math.radians(0.05)
"""Angle in rad within which two axes count as parallel: 0.1 mm over 115 mm, a tenth of the 0.5°
that a drawing's axis may be off."""

END_SLOPE = 0.3
"""A piece's edge belongs to an end, not to an interruption, where the surface leaves over it by at
least this sine along the profile: a bore cut at up to 72° still has ends."""

SHARE = 0.5
"""Part of an end's turn over which one neighbour must lie to count as what follows."""

WHOLE = 2 * math.pi * 0.999
"""Turn in rad from which a wall counts as uninterrupted."""

End = Literal[-1, 1]


@dataclass(eq=False)
class Piece:
    """One step of a turned profile."""

    kind: str
    regions: list[int]
    side: int
    """Round pieces: `Region.outward`. Planes: +1 facing along the axis, −1 against it."""
    radius: float
    """Of a cylinder, sphere or torus's tube; else 0."""
    coverage: float
    """Turn of the wall in rad, 2π for an uninterrupted one."""
    z: tuple[float, float]
    """Lowest and highest place along the axis, mm."""
    rho: tuple[float, float]
    """Smallest and largest distance from the axis, mm."""
    ends: dict[End, list[tuple[int, int]]] = field(default_factory=dict)
    """Edges (edge, side) at both ends. −1: lower end of a cylinder, sphere or torus; inner edge of
    a plane, narrow end of a cone. A plane's ends hold coaxial circles only."""
    sides: list[int] = field(default_factory=list)
    """Edges that bound an interrupted wall around the axis."""
    openings: int = 0
    """Closed openings in the wall, such as a crossing hole."""
    threaded: bool = False
    """Whether it stands for a thread (`threaded`), whose ends are no circles."""


@dataclass
class AxisGroup:
    """All pieces about one axis."""

    graph: SolidGraph
    origin: Floats
    axis: Floats
    pieces: list[Piece] = field(default_factory=list)
    piece_of: dict[int, Piece] = field(default_factory=dict)
    """By region."""

    def z(self, points: Floats) -> Floats:
        """Return heights along the axis of (n, 3) points."""
        return about(self.origin, self.axis, points)[1]

    def place(self, z: float) -> Floats:
        """Return the point of the axis at a height."""
        return np.asarray(self.origin + z * self.axis)

    def ring(self, edge: int) -> tuple[float, float] | None:
        """Return radius and height of an edge that is a circle about the axis."""
        rho, z = about(self.origin, self.axis, self.graph.points[edge])
        off = self.graph.off(edge)
        if np.ptp(rho) > 2 * off or np.ptp(z) > 2 * off or rho.mean() <= off:
            return None
        return float(rho.mean()), float(z.mean())

    def turn(self, edge: int) -> float:
        """Return the turn of an edge about the axis in rad, without sign."""
        return abs(self._sweep(self.graph.points[edge]))

    def _sweep(self, points: Floats) -> float:
        angle = turned(self.origin, self.axis, across(self.axis), points)
        steps = np.diff(angle)
        return float((steps - 2 * np.pi * np.round(steps / (2 * np.pi))).sum())

    def broken(self, piece: Piece, *bends: str) -> bool:
        """Whether a wall is whole, or what interrupts it breaks into it.

        Its sides are then sharp edges of the given `bends` (outer edges, if none is given), or
        rounded ones. A wall that runs on smoothly, or into a corner, is part of another outline,
        such as the round end of a slot.
        """
        if piece.coverage >= WHOLE:
            return True
        return all(
            self.graph.bends[edge] in (bends or ("convex",)) or self._rounded(piece, edge)
            for edge in piece.sides
        )

    def _rounded(self, piece: Piece, edge: int) -> bool:
        """Whether a wall runs into a rounding of its side: a tighter curve the other way."""
        if self.graph.bends[edge] != "smooth":
            return False
        ends = self.graph.ends[edge].tolist()
        other = self.graph.regions[ends[1] if ends[0] in piece.regions else ends[0]]
        tighter = other.form.radius < piece.radius
        return bool(other.kind == "cylinder" and other.outward == -piece.side and tighter)

    def across_end(self, piece: Piece, end: End) -> list[tuple[int, str, float]]:
        """Return (region, bend, turn in rad) of all that lies across an end, largest turn first."""
        found: dict[tuple[int, str], float] = {}
        for edge, side in piece.ends.get(end, []):
            key = (int(self.graph.ends[edge, 1 - side]), self.graph.bends[edge])
            found[key] = found.get(key, 0.0) + self.turn(edge)
        return sorted(
            ((region, bend, turn) for (region, bend), turn in found.items()),
            key=lambda item: (-item[2], item[0]),
        )

    def follower(self, piece: Piece, end: End) -> tuple[Piece, End, str] | None:
        """Return the piece that follows at an end, its end there, and the bend between."""
        total: dict[int, float] = {}
        bends: dict[int, dict[str, float]] = {}
        by_id: dict[int, tuple[Piece, dict[End, float]]] = {}
        for edge, side in piece.ends.get(end, []):
            other = self.piece_of.get(int(self.graph.ends[edge, 1 - side]))
            if other is None or other is piece:
                continue
            if self.ring(edge) is None and not (piece.threaded or other.threaded):
                continue
            turn = self.turn(edge)
            key = id(other)
            total[key] = total.get(key, 0.0) + turn
            bend = self.graph.bends[edge]
            bends.setdefault(key, {})[bend] = bends.get(key, {}).get(bend, 0.0) + turn
            at = by_id.setdefault(key, (other, {-1: 0.0, 1: 0.0}))[1]
            for there in (-1, 1):
                if (edge, 1 - side) in other.ends.get(there, []):
                    at[there] += turn
        if not total:
            return None
        key = max(total, key=lambda k: total[k])
        if total[key] < SHARE * piece.coverage - 1e-6:
            return None
        other, at = by_id[key]
        arrived: End = 1 if at[1] > at[-1] else -1
        return other, arrived, max(bends[key], key=lambda word: bends[key][word])


def axis_groups(graph: SolidGraph) -> list[AxisGroup]:
    """Return the groups of all axes of revolution that the solid has, in the order of regions."""
    groups: list[AxisGroup] = []
    members: list[list[Region]] = []
    for mine in _by_axis(graph):
        first = mine[0]
        groups.append(AxisGroup(graph, _anchor(graph, first), first.form.axis))
        members.append(mine)
    for group, mine in zip(groups, members, strict=True):
        near = _attached(group, mine)
        for region in [*mine, *(graph.regions[number] for number in near)]:
            if not region.taken:
                _add(group, region, near.get(region.number, []))
        group.pieces = _merged(group)
        group.piece_of = {number: piece for piece in group.pieces for number in piece.regions}
    return groups


def _by_axis(graph: SolidGraph) -> list[list[Region]]:
    """Return the cylinders, cones and tori by axis."""
    left = [region for region in graph.regions if region.kind in ("cylinder", "cone", "torus")]
    axes = np.array([region.form.axis for region in left]).reshape(-1, 3)
    anchors = np.array([_anchor(graph, region) for region in left]).reshape(-1, 3)
    free = np.ones(len(left), dtype=bool)
    out = []
    for i, region in enumerate(left):
        if not free[i]:
            continue
        parallel = np.linalg.norm(cross(region.form.axis, axes), axis=1) <= PARALLEL
        beside = about(anchors[i], region.form.axis, anchors)[0] <= 2 * graph.tolerance
        mine = np.flatnonzero(free & parallel & beside)
        free[mine] = False
        out.append([left[j] for j in mine])
    return out


def _anchor(graph: SolidGraph, region: Region) -> Floats:
    """Return the point of a region's axis beside the region, where its place is best known."""
    points = graph.boundary(region)
    if not len(points):
        return region.form.origin
    z = about(region.form.origin, region.form.axis, points)[1]
    return np.asarray(region.form.origin + 0.5 * (z.min() + z.max()) * region.form.axis)


def _attached(group: AxisGroup, mine: list[Region]) -> dict[int, list[tuple[int, int]]]:
    """Return planes and spheres that meet the group's round regions in circles about the axis.

    Each with the edges (edge, its side) of those circles.
    """
    graph = group.graph
    found: dict[int, list[tuple[int, int]]] = {}
    for region in mine:
        for edge, side in region.edges:
            other = graph.other(edge, side)
            if other.kind == "plane":
                fits = float(np.linalg.norm(cross(other.form.axis, group.axis))) <= PARALLEL
            elif other.kind == "sphere":
                rho = about(group.origin, group.axis, other.form.origin[None])[0][0]
                fits = bool(rho <= 2 * graph.tolerance)
            else:
                continue
            if fits and group.ring(edge) is not None:
                found.setdefault(other.number, []).append((edge, 1 - side))
    return found


def _add(group: AxisGroup, region: Region, rings: list[tuple[int, int]]) -> None:
    """Add a region's piece to its group; of a plane only its `rings` matter."""
    graph, points = group.graph, group.graph.boundary(region)
    if region.kind == "plane":
        points = graph.points[[edge for edge, _ in rings]].reshape(-1, 3)
    if not len(points):
        return
    rho, z = about(group.origin, group.axis, points)
    side = region.outward
    if region.kind == "plane":
        side = 1 if float(region.form.axis @ group.axis) > 0 else -1
    piece = Piece(
        kind=region.kind,
        regions=[region.number],
        side=side,
        radius=region.form.radius,
        coverage=0.0,
        z=(float(z.min()), float(z.max())),
        rho=(float(rho.min()), float(rho.max())),
        ends={-1: [], 1: []},
    )
    if region.kind == "plane":
        _plane_ends(group, region, piece, rings)
    else:
        wound = [
            winding(graph.loop_points(loop), group.origin, group.axis) for loop in region.loops
        ]
        whole = any(turns for turns, _ in wound)
        outer = max(range(len(wound)), key=lambda i: wound[i][1])
        for i, loop in enumerate(region.loops):
            if not (wound[i][0] or (not whole and i == outer)):
                piece.openings += 1
                continue
            for edge, edge_side in zip(loop.edges, loop.sides, strict=True):
                way = slope(group, region, edge, edge_side)
                if abs(way) >= END_SLOPE:
                    piece.ends[1 if way > 0 else -1].append((edge, edge_side))
                else:
                    piece.sides.append(edge)
        piece.coverage = max(extent for _, extent in wound)
    group.pieces.append(piece)


def _plane_ends(
    group: AxisGroup, region: Region, piece: Piece, rings: list[tuple[int, int]]
) -> None:
    """Give a plane the coaxial circles among its edges; its coverage is that of the fuller one."""
    for edge, side in rings:
        way = slope(group, region, edge, side)
        piece.ends[1 if way > 0 else -1].append((edge, side))
    turns = [sum(group.turn(edge) for edge, _ in edges) for edges in piece.ends.values()]
    piece.coverage = min(max(turns), 2 * math.pi)


def slope(group: AxisGroup, region: Region, edge: int, side: int) -> float:
    """Return how far the way out of a region over an edge runs along its profile, −1 to 1."""
    graph = group.graph
    way, points = graph.away(edge, side), graph.points[edge]
    arm = points - group.origin
    z = arm @ group.axis
    radial = unit(arm - z[:, None] * group.axis)
    match region.kind:
        case "plane":
            along = radial
        case "cylinder":
            along = np.broadcast_to(group.axis, points.shape)
        case "cone":
            form = region.form
            along = np.cos(form.half_angle) * form.axis + np.sin(form.half_angle) * radial
        case _:
            centre = float((region.form.origin - group.origin) @ group.axis)
            rho = np.linalg.norm(arm - z[:, None] * group.axis, axis=1)
            angle = np.arctan2(z - centre, rho - region.form.major)[:, None]
            along = np.cos(angle) * group.axis - np.sin(angle) * radial
    return float(np.nanmean((way * along).sum(axis=1)[1:-1]))


def _merged(group: AxisGroup) -> list[Piece]:
    """Join pieces of one surface that an interruption cuts apart around the axis."""
    out: list[Piece] = []
    for piece in group.pieces:
        for other in out:
            if _one_step(group, other, piece):
                other.regions += piece.regions
                other.coverage = min(other.coverage + piece.coverage, 2 * math.pi)
                other.z = (min(other.z[0], piece.z[0]), max(other.z[1], piece.z[1]))
                other.rho = (min(other.rho[0], piece.rho[0]), max(other.rho[1], piece.rho[1]))
                other.openings += piece.openings
                other.sides += piece.sides
                for end in (-1, 1):
                    other.ends[end] += piece.ends[end]
                break
        else:
            out.append(piece)
    return out


def _one_step(group: AxisGroup, a: Piece, b: Piece) -> bool:
    """Whether two pieces are parts of one interrupted step: on one surface, side by side."""
    if a.kind != b.kind or a.side != b.side:
        return False
    if a.coverage + b.coverage > 2 * math.pi + 0.02:
        return False
    first, second = (group.graph.regions[piece.regions[0]] for piece in (a, b))
    points = group.graph.boundary(second)
    if np.abs(first.form.distance(points)).max() > 3 * group.graph.tolerance:
        return False
    low, high = (a.rho, b.rho) if a.kind == "plane" else (a.z, b.z)
    shared = min(low[1], high[1]) - max(low[0], high[0])
    return shared > 0.5 * min(low[1] - low[0], high[1] - high[0])
