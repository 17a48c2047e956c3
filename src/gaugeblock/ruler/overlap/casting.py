"""Overlap by lines through both boundaries.

Lines through scrambled Sobol points of the plane across a direction are cut with the mesh of every
solid; each hit is then moved along its line onto the true surface. The lengths inside one body,
the other and both give the IoU. Several directions, each with its own scrambling, give its spread.
No boolean of any kind is involved, and a boundary that is not closed or overlaps itself shows in
the lines' depths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import qmc

from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.overlap.body import REST, Body, Facets, Motion, Part

DIRECTIONS = 8
"""Independent directions; the spread of their means gives the error."""

LINES = 512
"""Lines a direction: the error of an ordinary pair is about 1e-3 with 8 × 512."""

SEED = 20_240_229
"""Of directions and scrambling: the same files always give the same lines."""

SNAPS = 4
"""Steps towards the true surface; each leaves a twentieth of the gap on these meshes."""

SIGMAS = 3.0
"""Standard errors of the mean that count as the error: 2 % of sound cases lie outside with eight
directions, and a further floor covers those."""

FLOOR = 3e-4
"""Least error of an IoU by casting: lines that pass a silhouette between two triangles."""

MOST_TABLED = 1024
"""Lines up to which how many lie in any box is looked up in a table of their ranks."""

ODD = 0.02
"""Part of the lines that may fail (graze an edge, see an odd number of faces) before the boundary
counts as not closed."""


@dataclass(frozen=True)
class CastIou:
    """What the lines say."""

    iou: float | None
    error: float | None
    lines: int
    deep: bool
    """Some line runs through a solid that lies over itself."""
    reason: str | None = None


@dataclass(frozen=True)
class Hits:
    """Where lines cross boundaries, unsorted."""

    line: Ints
    at: Floats
    """mm along the line."""
    step: Ints
    """+1 into the material, −1 out of it."""


def cast_iou(a: Body, b: Body, motion: Motion, lines: int = LINES) -> CastIou:
    """Return the IoU of `a`, moved, and `b` by casting."""
    random = np.random.default_rng(SEED)
    ious, used, odd, deep = [], 0, 0, False
    box = _corners(a, b, motion)
    for _ in range(DIRECTIONS):
        frame = np.linalg.qr(random.normal(size=(3, 3)))[0].T
        flat = box @ frame[:2].T
        low, high = flat.min(axis=0), flat.max(axis=0)
        sobol = qmc.Sobol(2, seed=random)
        at = low + sobol.random(lines) * (high - low)
        ours = [hits(part, frame, at, motion) for part in a.parts]
        theirs = [hits(part, frame, at) for part in b.parts]
        lengths, bad, over = _lengths(ours, theirs, lines)
        deep |= over
        odd += int(bad.sum())
        used += lines
        both, either = lengths[~bad].sum(axis=0)
        if either > 0:
            ious.append(both / either)
    if odd > ODD * used:
        return CastIou(None, None, used, deep, f"{odd} of {used} lines see an open boundary")
    if len(ious) < DIRECTIONS:
        return CastIou(None, None, used, deep, "too few lines meet the bodies")
    spread = float(np.std(ious, ddof=1) / np.sqrt(len(ious)))
    return CastIou(float(np.mean(ious)), SIGMAS * spread + FLOOR, used, deep)


def hits(part: Part, frame: Floats, at: Floats, motion: Motion = REST) -> Hits:
    """Cut lines with one solid's boundary.

    Args:
        part: The solid.
        frame: (3, 3) rows: the two directions across, and the lines' own.
        at: (n, 2) where the lines pass, mm in the first two directions.
        motion: Where the solid is moved to first.
    """
    mesh = part.fine or part.coarse
    local = frame @ motion.rotation
    offset = frame @ motion.translation
    corner = mesh.points @ local.T + offset
    line, triangle, weights, area = _inside(corner, mesh, at)
    depth = (corner[mesh.triangles[triangle], 2] * weights).sum(axis=1)
    depth = _snap(part, mesh, local, offset, at, line, triangle, weights, depth)
    # A face turned against the line's direction is where the line enters.
    step = np.where(area[triangle] < 0, 1, -1)
    return Hits(line, depth, step)


def cells(part: Part, origin: Floats, cell: float, shape: tuple[int, ...]) -> Floats:
    """Return which cells of a grid have their centre inside one solid (1) or not (0).

    By the coarse mesh: its chords are nearer to the surface than a cell is wide.

    Args:
        part: The solid.
        origin: (3,) corner of the first cell, mm.
        cell: Side of a cell, mm.
        shape: Cells along x, y, z.
    """
    mesh = part.coarse
    x = origin[0] + (np.arange(shape[0]) + 0.5) * cell
    y = origin[1] + (np.arange(shape[1]) + 0.5) * cell
    at = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    line, triangle, weights, area = _inside(mesh.points, mesh, at)
    depth = (mesh.points[mesh.triangles[triangle], 2] * weights).sum(axis=1)
    level = np.clip(np.ceil((depth - origin[2]) / cell - 0.5), 0, shape[2] - 1).astype(np.int64)
    step = np.where(area[triangle] < 0, 1.0, -1.0)
    flat = np.bincount(line * shape[2] + level, step, minlength=len(at) * shape[2])
    inside = np.cumsum(flat.reshape(len(at), shape[2]), axis=1) > 0.5
    return np.asarray(inside.reshape(shape).astype(np.float64))


def _inside(corner: Floats, mesh: Facets, at: Floats) -> tuple[Ints, Ints, Floats, Floats]:
    """Return which lines meet which triangles, with barycentric weights, and signed areas."""
    order = np.argsort(at[:, 0])
    sorted_x, sorted_y = at[order, 0], at[order, 1]
    # Corner by corner, since reductions over three columns are slow.
    xs, ys = (np.ascontiguousarray(corner[:, i])[mesh.triangles.T] for i in (0, 1))
    area = (xs[1] - xs[0]) * (ys[2] - ys[0]) - (xs[2] - xs[0]) * (ys[1] - ys[0])
    low = np.minimum(np.minimum(ys[0], ys[1]), ys[2])
    high = np.maximum(np.maximum(ys[0], ys[1]), ys[2])
    first = np.searchsorted(sorted_x, np.minimum(np.minimum(xs[0], xs[1]), xs[2]))
    last = np.searchsorted(sorted_x, np.maximum(np.maximum(xs[0], xs[1]), xs[2]), side="right")
    some = np.flatnonzero(_met(sorted_y, first, last, low, high))
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


def _met(sorted_y: Floats, first: Ints, last: Ints, low: Floats, high: Floats) -> Any:
    """Return which triangles' boxes hold a line: ranks first to last in x, low to high in y."""
    if len(sorted_y) > MOST_TABLED:
        return last > first
    size = len(sorted_y)
    rank = np.argsort(np.argsort(sorted_y))
    table = np.zeros((size + 1, size + 1), dtype=np.int32)
    table[np.arange(size) + 1, rank + 1] = 1
    table = table.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    ordered = np.sort(sorted_y)
    under, over = np.searchsorted(ordered, low), np.searchsorted(ordered, high, side="right")
    held = table[last, over] - table[first, over] - table[last, under] + table[first, under]
    return np.asarray(held > 0)


def _snap(
    part: Part, mesh: Facets, local: Floats, offset: Floats, at: Floats,
    line: Ints, triangle: Ints, weights: Floats, depth: Floats,
) -> Floats:  # fmt: skip
    """Move hits along their lines onto the true surfaces; those that do not settle stay."""
    face = mesh.face[triangle]
    curved = np.flatnonzero(~part.table.plane[face])
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
            there = part.table.points(face, uv) @ local.T + offset
            uv = uv + (slope @ (target - there[:, :2])[:, :, None])[:, :, 0]
        there = part.table.points(face, uv) @ local.T + offset
        off = np.linalg.norm(target - there[:, :2], axis=1)
        old = depth[curved]
        settled = (off < 1e-2 * size) & (np.abs(there[:, 2] - old) < size)
    depth = depth.copy()
    depth[curved] = np.where(settled, there[:, 2], old)
    return depth


def _lengths(ours: list[Hits], theirs: list[Hits], lines: int) -> tuple[Floats, Ints, bool]:
    """Return per line the lengths in both and in either (n, 2), which lines fail, and depth."""
    groups = [*ours, *theirs]
    line = np.concatenate([h.line for h in groups])
    at = np.concatenate([h.at for h in groups])
    order = np.lexsort((at, line))
    line, at = line[order], at[order]
    bad = np.zeros(lines, dtype=bool)
    deep = False
    inside_a, inside_b = np.zeros(len(line), dtype=bool), np.zeros(len(line), dtype=bool)
    start = np.searchsorted(line, np.arange(lines + 1))
    number = np.repeat(np.arange(len(groups)), [len(h.line) for h in groups])[order]
    step = np.concatenate([h.step for h in groups])[order]
    for i in range(len(groups)):
        mine = np.where(number == i, step, 0)
        total = np.concatenate([[0], np.cumsum(mine)])
        depth = total[1:] - total[start[line]]
        bad |= total[start[1:]] != total[start[:-1]]
        wrong = np.zeros(lines, dtype=bool)
        wrong[line[(depth < 0) | (depth > 1)]] = True
        deep |= bool((wrong & ~bad).sum() > ODD * max(1, len(np.unique(line))))
        target = inside_a if i < len(ours) else inside_b
        target |= depth >= 1
    gap = np.append(np.diff(at), 0.0)
    last = np.append(line[1:] != line[:-1], True) if len(line) else np.zeros(0, dtype=bool)
    gap[last] = 0.0
    both = np.bincount(line, gap * (inside_a & inside_b), minlength=lines)
    either = np.bincount(line, gap * (inside_a | inside_b), minlength=lines)
    return np.stack([both, either], axis=1), bad, deep


def _corners(a: Body, b: Body, motion: Motion) -> Floats:
    """Return the corners of both boxes, `a` moved."""
    pick = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    out = []
    for body, move in ((a, motion), (b, REST)):
        low, high = np.array(body.bounds.min), np.array(body.bounds.max)
        out.append(move(low + pick * (high - low)))
    return np.concatenate(out)
