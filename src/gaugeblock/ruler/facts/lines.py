"""Lines cut with one solid's boundary.

Lines are cut with the triangles; each hit is then moved along its line onto the true surface.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.facts.facets import Facets
from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.facts.surfaces import SurfaceTable

Mask = npt.NDArray[np.bool_]

SETTLED = 1e-13
"""How near to its line a hit must come, as a part of the largest coordinate: 450 roundings.
Along the line it is off by that times the tangent of the angle between line and normal."""

STEPS = 16
"""Most steps towards the true surface: on the ruler's meshes 4 to 7 settle; what takes more grazes
the face and would not settle at all."""

NEAR = 1e-2
"""Part of its triangle's longest edge within which a hit that does not settle is still better than
the triangle itself."""


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
    settled: Mask
    """Whether `at` is on the true surface; what is not may be off by as much as the triangle is."""


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
    at, settled = _snap(mesh, table, frame, offset, lines.at, line, triangle, weights, chord)
    # A face turned against the line's direction is where the line enters.
    step = np.where(area[triangle] * np.linalg.det(frame) < 0, 1, -1)
    return Hits(line, at, chord, step, triangle, settled)


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
    place = np.arange(len(triangle)) + np.repeat(first[some] - np.cumsum(count) + count, count)
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
) -> tuple[Floats, Mask]:  # fmt: skip
    """Return where hits moved along their lines onto the true surfaces, and which settled there.

    Broyden's method (Math. Comp. 19 (1965) 577) in the plane across, from the triangle's own map to
    parameters as the first slope: each step costs one point of the surface and no derivative, and
    the error falls faster than by any fixed factor.
    """
    face = mesh.face[triangle]
    settled = np.ones(len(face), dtype=bool)
    curved = np.flatnonzero(~table.plane[face])
    if not len(curved):
        return depth, settled
    nodes = mesh.triangles[triangle[curved]]
    corner = mesh.points[nodes] @ local.T + offset
    uv3 = mesh.uv[nodes]
    uv = (uv3 * weights[curved][:, :, None]).sum(axis=1)
    target, face = at[line[curved]], face[curved]
    across = np.stack([corner[:, 1, :2] - corner[:, 0, :2], corner[:, 2, :2] - corner[:, 0, :2]], 2)
    along = np.stack([uv3[:, 1] - uv3[:, 0], uv3[:, 2] - uv3[:, 0]], 2)
    close = SETTLED * np.abs(corner).max()
    with np.errstate(all="ignore"):
        det = across[:, 0, 0] * across[:, 1, 1] - across[:, 0, 1] * across[:, 1, 0]
        inverse = np.empty_like(across)
        inverse[:, 0, 0], inverse[:, 1, 1] = across[:, 1, 1] / det, across[:, 0, 0] / det
        inverse[:, 0, 1], inverse[:, 1, 0] = -across[:, 0, 1] / det, -across[:, 1, 0] / det
        slope = along @ inverse
        there = table.points(face, uv) @ local.T + offset
        miss = target - there[:, :2]
        off = np.hypot(*miss.T)
        # `turn` makes of what is missed the next step; both in mm across, so that no unlike units
        # of u and v disturb it.
        turn = np.broadcast_to(np.eye(2), across.shape).copy()
        for _ in range(STEPS):
            far = np.flatnonzero(off > close)
            if not len(far):
                break
            old_turn = turn[far]
            step = _times(old_turn, miss[far])
            uv[far] += _times(slope[far], step)
            new = table.points(face[far], uv[far]) @ local.T + offset
            there[far], left = new, target[far] - new[:, :2]
            miss[far], off[far] = left, np.hypot(*left.T)
            rest = _times(old_turn, left)
            x, y = step.T
            share = x * (x - rest[:, 0]) + y * (y - rest[:, 1])
            row = (x / share)[:, None] * old_turn[:, 0] + (y / share)[:, None] * old_turn[:, 1]
            turn[far] = old_turn + rest[:, :, None] * row[:, None]
        size = np.linalg.norm(corner - corner[:, [1, 2, 0]], axis=2).max(axis=1)
        old = depth[curved]
        here = np.abs(there[:, 2] - old) < size
        better = here & (off < NEAR * size)
    depth = depth.copy()
    depth[curved] = np.where(better, there[:, 2], old)
    settled[curved] = here & (off <= close)
    return depth, settled


def _times(matrices: Floats, vectors: Floats) -> Floats:
    """Return the products of (n, 2, 2) matrices and (n, 2) vectors."""
    return np.asarray(matrices[:, :, 0] * vectors[:, :1] + matrices[:, :, 1] * vectors[:, 1:])
