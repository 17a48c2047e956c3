"""Which lines say nothing for sure: those that pass a rim of the triangles too near.

Triangles lie within their sag of the true surface. Where a line meets a face squarely that is
mended by moving the hit; where it grazes the face, the triangles may be missed and the surface met,
or the other way round, and beside a curved edge the triangle of the wrong face may be met. Both
happen only near the outline of curved faces, as seen along the line, and near their curved edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.facts.facets import Facets
from gaugeblock.ruler.facts.lines import Lines, Mask
from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.facts.surfaces import SurfaceTable

WIDTH = 4.0
"""How many times the sag a line must stay away. A chord over the angle d of a circle of radius R
sags by R·d²/8; a line meets a chord that has the outline on it down to R·(1 − cos d) ≈ 4 sags from
the circle's own outline."""


@dataclass(frozen=True)
class Rims:
    """The edges between triangles of one mesh, at least one of the two on a curved face."""

    nodes: Ints
    """(n, 2) the edge's ends, by node."""
    triangles: Ints
    """(n, 2) the two triangles; where not just two meet, one of them twice."""
    border: Mask
    """(n,) between two faces, or where not just two triangles meet."""
    edge: Floats
    """(n,) mm that the edge sags."""
    around: Floats
    """(n,) mm that the edges of both triangles sag at most."""


def rims_of(mesh: Facets, table: SurfaceTable) -> Rims:
    """Return the edges of a mesh that may be rims.

    Args:
        mesh: The solid's triangles.
        table: Its surfaces, one a face.
    """
    tails = mesh.triangles.ravel()
    heads = np.roll(mesh.triangles, -1, axis=1).ravel()
    owner = np.repeat(np.arange(len(mesh.triangles)), 3)
    sag = _sags(mesh, table, tails, heads, mesh.face[owner])
    around = sag.reshape(-1, 3).max(axis=1)
    ends = np.sort(np.stack([mesh.welded[tails], mesh.welded[heads]], axis=1), axis=1)
    key = ends[:, 0] * (int(mesh.welded.max()) + 1) + ends[:, 1]
    order = np.argsort(key, kind="stable")
    _, first, count = np.unique(key[order], return_index=True, return_counts=True)
    # Of an edge with two triangles both, of any other edge one.
    one, two = order[first], order[first + (count == 2)]
    pair = np.stack([owner[one], owner[two]], axis=1)
    curved = ~table.plane[mesh.face[pair]].all(axis=1)
    lone = count != 2
    return Rims(
        nodes=np.stack([tails[one], heads[one]], axis=1)[curved],
        triangles=pair[curved],
        border=((mesh.face[pair[:, 0]] != mesh.face[pair[:, 1]]) | lone)[curved],
        edge=np.maximum(sag[one], sag[two])[curved],
        around=around[pair].max(axis=1)[curved],
    )


def near(rims: Rims, mesh: Facets, frame: Floats, lines: Lines) -> Mask:
    """Return which lines pass a rim too near to tell anything.

    Args:
        rims: Of the mesh.
        mesh: The solid's triangles.
        frame: (3, 3) rows: two directions across, and the lines' own.
        lines: Where they pass.
    """
    flat = mesh.points @ frame[:2].T
    a, b, c = flat[mesh.triangles].transpose(1, 0, 2)
    facing = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])
    outline = facing[rims.triangles].prod(axis=1) <= 0
    width = WIDTH * np.where(outline, rims.around, np.where(rims.border, rims.edge, 0.0))
    some = np.flatnonzero(width > 0)
    start, end = flat[rims.nodes[some]].transpose(1, 0, 2)
    width = width[some]
    first = np.searchsorted(lines.x, np.minimum(start[:, 0], end[:, 0]) - width)
    last = np.searchsorted(lines.x, np.maximum(start[:, 0], end[:, 0]) + width, side="right")
    count = last - first
    rim = np.repeat(np.arange(len(some)), count)
    place = np.arange(len(rim)) + np.repeat(first - np.cumsum(count) + count, count)
    off = np.stack([lines.x[place], lines.y[place]], axis=1) - start[rim]
    way = (end - start)[rim]
    length = np.maximum((way**2).sum(axis=1), np.finfo(float).tiny)
    along = np.clip((off * way).sum(axis=1) / length, 0.0, 1.0)
    close = ((off - along[:, None] * way) ** 2).sum(axis=1) < width[rim] ** 2
    found = np.zeros(len(lines.at), dtype=bool)
    found[lines.order[place[close]]] = True
    return found


def _sags(mesh: Facets, table: SurfaceTable, tails: Ints, heads: Ints, face: Ints) -> Floats:
    """Return how far from its true surface the middle of each triangle's edge lies, mm."""
    sag = np.zeros(len(tails))
    curved = np.flatnonzero(~table.plane[face])
    if not len(curved):
        return sag
    low, high = np.minimum(tails, heads)[curved], np.maximum(tails, heads)[curved]
    _, chosen, back = np.unique(
        low * len(mesh.points) + high, return_index=True, return_inverse=True
    )
    low, high = low[chosen], high[chosen]
    there = table.points(face[curved[chosen]], (mesh.uv[low] + mesh.uv[high]) / 2)
    off = np.linalg.norm(there - (mesh.points[low] + mesh.points[high]) / 2, axis=1)
    sag[curved] = off[back]
    return sag
