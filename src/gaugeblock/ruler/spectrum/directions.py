"""Joining what is the same, and the directions of a body.

Everything here joins by single linkage (two things are one when a chain of near ones leads from one
to the other), so that no result depends on the order of faces or edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import DisjointSet
from scipy.spatial import cKDTree

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.spectrum.alike import PARALLEL

FINE = 64
"""Points are first rounded to this part of the reach, so that hundreds of equal ones (the normals
of a grid of pockets) are compared once and not with each other."""


def join(points: Floats, reach: float) -> Ints:
    """Return the group number of each of (n, d) points; a chain of gaps ≤ `reach` joins them."""
    if len(points) < 2:
        return np.zeros(len(points), dtype=np.int64)
    cells, cell = np.unique(np.round(points * (FINE / reach)), axis=0, return_inverse=True)
    pairs = cKDTree(cells).query_pairs(FINE, output_type="ndarray")
    return np.asarray(linked(len(cells), pairs)[cell.reshape(-1)])


def linked(number: int, pairs: Iterable[Sequence[int]]) -> Ints:
    """Return the group number of each of `number` items that pairs of them link."""
    sets = DisjointSet(range(number))
    for one, other in pairs:
        sets.merge(int(one), int(other))
    groups: dict[int, int] = {}
    return np.array([groups.setdefault(sets[i], len(groups)) for i in range(number)])


@dataclass(frozen=True)
class Frame:
    """A right-handed frame whose third axis is one direction of the body."""

    centre: Floats
    """(3,) mm, the same for all frames of a body."""
    axes: Floats
    """(3, 3) rows: two across, one along."""

    def place(self, points: Floats) -> Floats:
        """Return (…, 3) points in this frame, mm."""
        return np.asarray((points - self.centre) @ self.axes.T)

    def turn(self, vectors: Floats) -> Floats:
        """Return (…, 3) vectors in this frame."""
        return np.asarray(vectors @ self.axes.T)


class Directions:
    """The directions of a body, parallel ones taken together whatever their sense.

    Args:
        vectors: (n, 3) unit vectors.
        centre: (3,) mm, a point near the middle of the body; distances are taken from there, so
            that round-off stays that of the body's size.
    """

    def __init__(self, vectors: Floats, centre: Floats) -> None:
        vectors = np.asarray(vectors, dtype=np.float64).reshape(-1, 3)
        both = join(np.concatenate([vectors, -vectors]), PARALLEL)
        plus, minus = both[: len(vectors)], both[len(vectors) :]
        self.sense = np.where(plus <= minus, 1.0, -1.0)
        """(n,) +1 or −1: against the group's own direction."""
        label: Ints = np.unique(np.minimum(plus, minus), return_inverse=True)[1]
        self.label = label.reshape(-1)
        """(n,) group of each vector."""
        self.frames: list[Frame] = []
        for number in range(int(self.label.max(initial=-1)) + 1):
            inside = self.label == number
            along = (vectors[inside] * self.sense[inside, None]).sum(axis=0)
            along /= np.linalg.norm(along)
            first = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
            first /= np.linalg.norm(first)
            axes = np.array([first, np.cross(along, first), along])
            self.frames.append(Frame(centre, axes))
