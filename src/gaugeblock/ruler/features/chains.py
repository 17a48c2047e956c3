"""Follows the wall of a hole along its axis: from one opening over all steps to the other end."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gaugeblock.ruler.features.coaxial import PARALLEL, AxisGroup, End, Piece

Closing = Literal["open", "flat", "conical", "spherical", "other", "island"]
"""How a chain ends; `island`: in a floor on which a round core stands."""

FACING = 0.3
"""Least share of a free surface's normals along the axis by which it counts as turning outward (a
rounded mouth) or as facing the opening (a floor)."""


@dataclass
class Stop:
    """One end of a chain."""

    closing: Closing
    z: float
    """Where the axis pierces the entry or floor, along the axis, mm."""
    regions: list[int] = field(default_factory=list)
    """Entry faces of an open end, faces of the floor else."""
    tip: float | None = None
    """Full angle of a conical end, degrees."""
    sure: bool = True
    """Whether `z` is where the axis meets a surface; otherwise the middle of the rim."""


@dataclass
class Chain:
    """The pieces of one hole from its lower to its upper stop along the group's axis."""

    group: AxisGroup
    low: Stop
    pieces: list[Piece]
    high: Stop

    @property
    def cylinders(self) -> list[Piece]:
        """The cylindrical steps."""
        return [piece for piece in self.pieces if piece.kind == "cylinder"]


def chain_from(group: AxisGroup, start: Piece) -> Chain:
    """Return the chain that an inner cylinder belongs to."""
    below, low = _walk(group, start, -1)
    above, high = _walk(group, start, 1)
    return Chain(group, low, [*reversed(below), start, *above], high)


def _walk(group: AxisGroup, piece: Piece, direction: End) -> tuple[list[Piece], Stop]:
    passed: list[Piece] = []
    seen = {id(piece)}
    end = direction
    while True:
        if not piece.ends.get(end):
            return passed, _closed(group, piece, direction)
        following = group.follower(piece, end)
        if following is None:
            return passed, _at_rim(group, piece, end, direction)
        after, arrived, bend = following
        if id(after) in seen:
            return passed, Stop("other", _rim(group, piece, end), [], sure=False)
        if after.kind == "plane":
            stop = _at_plane(group, after, bend, direction)
        elif after.side > 0 and after.kind != "torus":
            # The wall turns into an outer surface: over a rim into the open, else around a core.
            closing: Closing = "open" if bend == "convex" else "island"
            stop = Stop(closing, _rim(group, piece, end), after.regions)
        else:
            stop = None
        if stop is not None:
            return passed, stop
        passed.append(after)
        seen.add(id(after))
        piece, end = after, (-1 if arrived == 1 else 1)


def _at_plane(group: AxisGroup, plane: Piece, bend: str, direction: End) -> Stop | None:
    """Return the stop that a plane across the axis makes, or None where the hole goes on."""
    z = 0.5 * (plane.z[0] + plane.z[1])
    faces_out = plane.side == direction
    if bend == "convex" or (bend == "smooth" and faces_out):
        beyond = group.follower(plane, 1)
        widens = (
            faces_out
            and beyond is not None
            and beyond[2] != "convex"
            and (beyond[0].side < 0 or beyond[0].kind == "torus")
            and group.broken(beyond[0])
        )
        return None if widens else Stop("open", z, plane.regions)
    if not plane.ends[-1]:
        return Stop("flat", z, plane.regions)
    inner = group.follower(plane, -1)
    if inner is None:
        return Stop("flat", z, plane.regions)
    core = inner[2] != "convex" and inner[0].kind != "plane"
    return Stop("island", z, plane.regions) if core else None


def _closed(group: AxisGroup, piece: Piece, direction: End) -> Stop:
    """Return the stop at a piece that has no far end: it closes on the axis."""
    z = piece.z[1] if direction == 1 else piece.z[0]
    if piece.kind == "cone":
        form = group.graph.regions[piece.regions[0]].form
        return Stop("conical", z, piece.regions, tip=float(np.degrees(2 * form.half_angle)))
    return Stop("spherical" if piece.kind == "sphere" else "other", z, piece.regions)


def _rim(group: AxisGroup, piece: Piece, end: End) -> float:
    points = group.graph.points[[edge for edge, _ in piece.ends[end]]].reshape(-1, 3)
    z = group.z(points)
    return float(0.5 * (z.min() + z.max()))


def _at_rim(group: AxisGroup, piece: Piece, end: End, direction: End) -> Stop:
    """Return the stop at a rim behind which no surface about the axis follows."""
    graph, beyond = group.graph, group.across_end(piece, end)
    share = {"open": 0.0, "shut": 0.0}
    entry: list[int] = []
    for region, bend, turn in beyond:
        word = "open" if _opens(group, piece, region, bend, direction) else "shut"
        share[word] += turn
        if word == "open":
            entry.append(region)
    rim = _rim(group, piece, end)
    if share["open"] < share["shut"]:
        floor = [region for region, *_ in beyond if region not in entry]
        z = graph.regions[floor[0]].form.pierced(group.origin, group.axis, rim)
        across = abs(float(graph.regions[floor[0]].form.axis @ group.axis)) >= math.cos(PARALLEL)
        flat = graph.regions[floor[0]].kind == "plane" and across
        closing: Closing = "flat" if flat else "other"
        return Stop(closing, rim if z is None else z, floor, sure=z is not None)
    faces = list(dict.fromkeys(entry))
    for region in faces:
        z = graph.regions[region].form.pierced(group.origin, group.axis, rim)
        if z is not None:
            return Stop("open", z, faces)
    return Stop("open", rim, faces, sure=False)


def _opens(group: AxisGroup, piece: Piece, region: int, bend: str, direction: End) -> bool:
    """Whether the hole opens over a rim into the face across it."""
    if bend in ("convex", "concave"):
        return bend == "convex"
    graph = group.graph
    far = [
        float((graph.normals[edge, side, 1:-1] @ group.axis).mean()) * direction
        for edge, side in graph.regions[region].edges
        if int(graph.ends[edge, 1 - side]) not in piece.regions
    ]
    return bool(far) and float(np.nanmean(far)) > FACING
