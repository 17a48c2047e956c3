"""Edge treatments: regions that stand in for an edge between two others, by rounding or bevel.

Found before anything prismatic is read, so that a pocket's floor and wall count as neighbours
whether the corner between them is sharp, rounded or bevelled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.forms import cross, unit
from gaugeblock.ruler.features.graph import Region, SolidGraph

Banks = tuple[list[tuple[int, int]], list[tuple[int, int]]]

STEEP = 0.7
"""A blend's edge belongs to one of its banks where the surface leaves over it by at least this
sine across the blend; the others are its ends."""


@dataclass(eq=False)
class Blend:
    """One region in place of an edge."""

    region: Region
    treatment: Literal["fillet", "chamfer"]
    side: Literal["convex", "concave"]
    form: Literal["straight", "round", "corner", "other"]
    banks: Banks
    """Edges (edge, side of the blend) towards the two faces it joins; a corner has them all in the
    first."""
    radius: float = 0.0
    """Of a fillet, mm."""
    legs: tuple[float, float] = (0.0, 0.0)
    """Of a chamfer: from the edge it replaces to its first and second bank, mm."""
    angle: float = 0.0
    """Of a chamfer: between the bevel and the face of the longer leg, rad."""
    edge_length: float = 0.0
    """Of the edge that a chamfer replaces, mm."""
    place: Floats | None = None
    """Reference point of a chamfer."""

    def supports(self, graph: SolidGraph, bank: int) -> list[int]:
        """Return the regions along a bank (0 or 1)."""
        found = {int(graph.ends[edge, 1 - side]) for edge, side in self.banks[bank]}
        return sorted(found)


@dataclass(frozen=True)
class Link:
    """How a region meets another: directly, or over a blend that stands for the edge."""

    other: int
    bend: str
    edge: int
    side: int


def banks_of(graph: SolidGraph, region: Region) -> Banks:
    """Return the edges of a cylinder, cone or torus region across its rounding or bevel.

    The two banks are where the cross-section starts and ends: straight edges of a cylinder,
    circles of latitude of a torus, both circles of a cone.
    """
    low: list[tuple[int, int]] = []
    high: list[tuple[int, int]] = []
    for edge, side in region.edges:
        slope = across_slope(graph, region, edge, side)
        if abs(slope) >= STEEP:
            (high if slope > 0 else low).append((edge, side))
    return low, high


def across_slope(graph: SolidGraph, region: Region, edge: int, side: int) -> float:
    """Return how far the way out over an edge runs across a blend, −1 to 1."""
    form, points = region.form, graph.points[edge]
    way = graph.away(edge, side)
    arm = points - form.origin
    z = arm @ form.axis
    radial = unit(arm - z[:, None] * form.axis)
    if region.kind == "cylinder":
        across: Floats = cross(form.axis, radial)
    elif region.kind == "cone":
        across = np.cos(form.half_angle) * form.axis + np.sin(form.half_angle) * radial
    else:
        rho = np.linalg.norm(arm - z[:, None] * form.axis, axis=1)
        angle = np.arctan2(z, rho - form.major)[:, None]
        across = np.cos(angle) * form.axis - np.sin(angle) * radial
    return float(np.nanmean((way * across).sum(axis=1)[1:-1]))


def bank_bend(graph: SolidGraph, bank: list[tuple[int, int]], share: float = 0.9) -> str:
    """Return the bend along a bank if at least `share` of it have it, else `mixed`."""
    total: dict[str, float] = {}
    for edge, _ in bank:
        bend = graph.bends[edge]
        total[bend] = total.get(bend, 0.0) + float(graph.lengths[edge])
    if not total:
        return "mixed"
    best = max(total, key=lambda bend: total[bend])
    return best if total[best] >= share * sum(total.values()) else "mixed"


def bank_length(graph: SolidGraph, bank: list[tuple[int, int]]) -> float:
    """Return the length of a bank in mm."""
    return float(sum(graph.lengths[edge] for edge, _ in bank))


def links(graph: SolidGraph, blends: dict[int, Blend], region: Region) -> list[Link]:
    """Return how a region meets its neighbours when blends are taken for the edges they replace.

    A corner between blends links nothing. A blend that meets the region at one of its own ends,
    as a rounded upright edge does with a pocket's floor, stays a neighbour like any other.
    """
    found = []
    for edge, side in region.edges:
        number = int(graph.ends[edge, 1 - side])
        blend = blends.get(number)
        if blend is None:
            found.append(Link(number, graph.bends[edge], edge, side))
            continue
        bank = next((i for i in (0, 1) if (edge, 1 - side) in blend.banks[i]), None)
        if bank is None:
            found.append(Link(number, graph.bends[edge], edge, side))
        elif blend.form != "corner":
            for other in blend.supports(graph, 1 - bank):
                found.append(Link(other, blend.side, edge, side))
    return found
