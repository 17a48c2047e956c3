"""Lines cut with one solid's boundary.

Lines are cut with the triangles; each hit is then moved along its line onto the true surface.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.facts.facets import Facets
from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.facts.surfaces import SurfaceTable

SNAPS = 4
"""Steps towards the true surface; each leaves a twentieth of the gap on these meshes."""


@dataclass(frozen=True)
class Hits:
    """Where lines cross boundaries, unsorted."""

    line: Ints
    at: Floats
    """mm along the line, on the true surface."""
    chord: Floats
    """The same on the triangle."""
    step: Ints
    """+1 into the material, −1 out of it."""
    triangle: Ints
    """Number of the triangle met."""


class Lines:
    """Parallel lines, sorted so that those through a triangle's box are found at once.

    Args:
        at: (n, 2) where the lines pass, mm in the directions across.
    """

    def __init__(self, at: Floats) -> None:
        self.at = at
        self.order = np.argsort(at[:, 0])
        self.x, self.y = at[self.order].T


def cut(mesh: Facets, table: SurfaceTable, frame: Floats, offset: Floats, lines: Lines) -> Hits:
    """Cut lines with one solid's boundary, and move the hits onto the true surfaces.

    Args:
        mesh: The solid's triangles.
        table: Its surfaces, one a face.
        frame: (3, 3) rows: the two directions across, and the lines' own; left-handed for the
            solid's mirror image.
        offset: (3,) what is added to coordinates in them, mm.
        lines: Where the lines pass, in the first two directions.
    """
    corner = mesh.points @ frame.T + offset
    line, triangle, weights, area = met_by(corner, mesh, lines)
    chord = (corner[mesh.triangles[triangle], 2] * weights).sum(axis=1)
    at = _snap(mesh, table, frame, offset, lines.at, line, triangle, weights, chord)
    # A face turned against the line's direction is where the line enters.
    step = np.where(area[triangle] * np.linalg.det(frame) < 0, 1, -1)
    return Hits(line, at, chord, step, triangle)


def met_by(corner: Floats, mesh: Facets, lines: Lines) -> tuple[Ints, Ints, Floats, Floats]:
    """Return which lines meet which triangles, with barycentric weights, and signed areas."""
    order, sorted_x, sorted_y = lines.order, lines.x, lines.y
    # Corner by corner, since reductions over three columns are slow.
    xs, ys = (np.ascontiguousarray(corner[:, i])[mesh.triangles.T] for i in (0, 1))
    area = (xs[1] - xs[0]) * (ys[2] - ys[0]) - (xs[2] - xs[0]) * (ys[1] - ys[0])
    low = np.minimum(np.minimum(ys[0], ys[1]), ys[2])
    high = np.maximum(np.maximum(ys[0], ys[1]), ys[2])
    first = np.searchsorted(sorted_x, np.minimum(np.minimum(xs[0], xs[1]), xs[2]))
    last = np.searchsorted(sorted_x, np.maximum(np.maximum(xs[0], xs[1]), xs[2]), side="right")
    some = np.flatnonzero(last > first)
    count = (last - first)[some]
    triangle = np.repeat(some, count)
    place = np.arange(len(triangle)) - np.repeat(np.cumsum(count) - count, count)
    place += np.repeat(first[some], count)
    py = sorted_y[place]
    keep = (py >= low[triangle]) & (py <= high[triangle])
    triangle, place = triangle[keep], place[keep]
    px, py = sorted_x[place], sorted_y[place]
    x, y, whole = xs[:, triangle].T, ys[:, triangle].T, area[triangle]
    with np.errstate(all="ignore"):
        w1 = ((px - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (py - y[:, 0])) / whole
        w2 = ((x[:, 1] - x[:, 0]) * (py - y[:, 0]) - (px - x[:, 0]) * (y[:, 1] - y[:, 0])) / whole
        w0 = 1.0 - w1 - w2
    good = (w0 >= 0) & (w1 >= 0) & (w2 >= 0)
    weights = np.stack([w0, w1, w2], axis=1)[good]
    return order[place[good]], triangle[good], weights, area


def _snap(
    mesh: Facets, table: SurfaceTable, local: Floats, offset: Floats, at: Floats,
    line: Ints, triangle: Ints, weights: Floats, depth: Floats,
) -> Floats:  # fmt: skip
    """Move hits along their lines onto the true surfaces; those that do not settle stay."""
    face = mesh.face[triangle]
    curved = np.flatnonzero(~table.plane[face])
    if not len(curved):
        return depth
    nodes = mesh.triangles[triangle[curved]]
    corner = mesh.points[nodes] @ local.T + offset
    uv3 = mesh.uv[nodes]
    uv = (uv3 * weights[curved][:, :, None]).sum(axis=1)
    target, face = at[line[curved]], face[curved]
    # The triangle itself maps the plane across to parameters: the slope of a chord Newton step.
    across = np.stack([corner[:, 1, :2] - corner[:, 0, :2], corner[:, 2, :2] - corner[:, 0, :2]], 2)
    along = np.stack([uv3[:, 1] - uv3[:, 0], uv3[:, 2] - uv3[:, 0]], 2)
    with np.errstate(all="ignore"):
        det = across[:, 0, 0] * across[:, 1, 1] - across[:, 0, 1] * across[:, 1, 0]
        inverse = np.empty_like(across)
        inverse[:, 0, 0], inverse[:, 1, 1] = across[:, 1, 1] / det, across[:, 0, 0] / det
        inverse[:, 0, 1], inverse[:, 1, 0] = -across[:, 0, 1] / det, -across[:, 1, 0] / det
        slope = along @ inverse
        size = np.linalg.norm(corner - corner[:, [1, 2, 0]], axis=2).max(axis=1)
        for _ in range(SNAPS):
            there = table.points(face, uv) @ local.T + offset
            uv = uv + (slope @ (target - there[:, :2])[:, :, None])[:, :, 0]
        there = table.points(face, uv) @ local.T + offset
        off = np.linalg.norm(target - there[:, :2], axis=1)
        old = depth[curved]
        settled = (off < 1e-2 * size) & (np.abs(there[:, 2] - old) < size)
    depth = depth.copy()
    depth[curved] = np.where(settled, there[:, 2], old)
    return depth
