"""A solid as the recognisers read it: regions, the edges between them, and loops of edges.

A region is what a machinist takes for one face: all kernel faces that lie on one surface and meet
smoothly (a cylinder in two halves, a plane split by an imprint). The shape itself is never healed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.facts.surfaces import Surface
from gaugeblock.ruler.features.forms import Form, about, cross

Bend = Literal["convex", "concave", "smooth", "mixed"]
"""How two regions meet at an edge: material on less than 180°, on more, tangent, or changing."""


@dataclass(frozen=True)
class Loop:
    """A closed chain of edges around a region, the region to its left seen from outside."""

    edges: tuple[int, ...]
    sides: tuple[int, ...]
    """Which side of each edge (0 or 1) the region is."""


@dataclass
class Region:
    """One surface region of a solid."""

    number: int
    faces: list[int]
    """Kernel faces in the solid's order."""
    form: Form
    """A plane's axis is its outward normal."""
    outward: int
    """+1: material on the inner side of a round form (as on a shaft); −1: outside (as in a bore);
    0: not round."""
    loops: list[Loop] = field(default_factory=list)
    taken: bool = False
    """Claimed by somebody else, such as a thread: no recogniser touches it."""

    @property
    def kind(self) -> str:
        """Kind of its form."""
        return self.form.kind

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """All (edge, side) around it."""
        return [item for loop in self.loops for item in zip(loop.edges, loop.sides, strict=True)]


@dataclass
class SolidGraph:
    """Regions and edges of one solid, all numbers in mm and degrees.

    Arrays run over edges; N samples an edge, at equal steps of its parameter, ends included.
    """

    solid: Any
    """TopoDS_Solid."""
    index: int
    """The solid's index in its file."""
    regions: list[Region]
    ends: Ints
    """(E, 2) regions on both sides."""
    points: Floats
    """(E, N, 3)"""
    tangents: Floats
    """(E, N, 3) unit, along side 0's direction."""
    normals: Floats
    """(E, 2, N, 3) outward."""
    angles: Floats
    """(E, N) from −180 to 180: 0 tangent, positive convex; material spans 180 − angle."""
    bends: list[Bend]
    lengths: Floats
    """(E,)"""
    vertices: Ints
    """(E, 2) first and last vertex along side 0's direction."""
    slack: Floats
    """(E,) distance in mm by which an edge may lie off its faces."""
    tolerance: float
    """Distance in mm that counts as none, see `building.LENGTH`."""
    size: float
    """Diagonal of the box of all edges, mm."""
    region_of: list[int]
    """Region of each kernel face."""
    surfaces: list[Surface]
    """Surface of each kernel face."""
    turned: list[bool]
    """Whether the solid uses the face against its surface's normal."""
    ranges: list[tuple[float, float, float, float]]
    """Lowest and highest u, lowest and highest v, of each kernel face's edges."""
    oddities: list[str] = field(default_factory=list)
    """What is wrong with the boundary itself."""

    def other(self, edge: int, side: int) -> Region:
        """Return the region across an edge."""
        return self.regions[int(self.ends[edge, 1 - side])]

    def along(self, edge: int, side: int) -> Floats:
        """Return an edge's (N, 3) points with the region of `side` to the left."""
        return self.points[edge] if side == 0 else self.points[edge, ::-1]

    def loop_points(self, loop: Loop) -> Floats:
        """Return the closed polygon of a loop, (n, 3), the first point not repeated."""
        pieces = [
            self.along(edge, side)[:-1] for edge, side in zip(loop.edges, loop.sides, strict=True)
        ]
        return np.concatenate(pieces)

    def boundary(self, region: Region) -> Floats:
        """Return the (n, 3) samples of all of a region's edges."""
        if not region.edges:
            return np.empty((0, 3))
        return self.points[[edge for edge, _ in region.edges]].reshape(-1, 3)

    def neighbours(self, region: Region, *bends: str) -> set[int]:
        """Return the regions across edges of the given bends (any, if none is given)."""
        return {
            int(self.ends[edge, 1 - side])
            for edge, side in region.edges
            if not bends or self.bends[edge] in bends
        }

    def shared(self, a: Region, b: Region) -> list[tuple[int, int]]:
        """Return the (edge, side of `a`) between two regions."""
        return [(e, s) for e, s in a.edges if self.ends[e, 1 - s] == b.number]

    def away(self, edge: int, side: int) -> Floats:
        """Return (N, 3) unit vectors in a region's surface, across its edge, out of the region."""
        along = self.tangents[edge] if side == 0 else -self.tangents[edge]
        return cross(along, self.normals[edge, side])

    def faces_of(self, regions: Iterable[int]) -> list[int]:
        """Return the kernel faces of regions, sorted."""
        return sorted({face for number in regions for face in self.regions[number].faces})

    def heights(self, region: Region, origin: Floats, axis: Floats) -> tuple[float, float]:
        """Return the lowest and highest boundary point of a region along an axis."""
        z = about(origin, axis, self.boundary(region))[1]
        return float(z.min()), float(z.max())

    def straight(self, edge: int) -> bool:
        """Whether an edge is a straight line."""
        points = self.points[edge]
        chord = points[-1] - points[0]
        length = float(np.linalg.norm(chord))
        if length <= self.tolerance:
            return False
        off = np.linalg.norm(cross(points - points[0], chord / length), axis=1)
        return bool(off.max() <= self.off(edge))

    def off(self, edge: int) -> float:
        """Return the distance in mm within which an edge's points count as on a form."""
        return self.tolerance + 2.0 * float(self.slack[edge])


def signed_area(points: Floats, normal: Floats) -> float:
    """Return the area in mm² of a closed polygon seen against `normal`; positive anticlockwise."""
    arm = points - points[0]
    return float(0.5 * cross(arm, np.roll(arm, -1, axis=0)).sum(axis=0) @ normal)
