"""Laying one body's skin on the other's: rigid fits that minimise the area-weighted distance.

For small motions the volume that two bodies do not share is the integral of the distance between
their boundaries. So the fit takes absolute distances (iteratively reweighted), not squares: faces
that an edit has moved do not pull the rest along, and equal parts lock in to rounding.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.overlap.body import Body, Motion
from gaugeblock.ruler.overlap.cues import Cues, Skin

ROUGH_STEPS = 12
"""Fits on tangent planes of samples."""

EXACT_STEPS = 6
"""Fits on true surfaces; two to three reach rounding where parts are equal."""

NEIGHBOURS = 3
"""Samples whose faces are tried as the nearest: near an edge the nearest sample is often on the
neighbouring face."""

MORE, FEW = 24, 0.1
"""Samples tried for points that lie off, where at most this part of all do: in an assembly of 400
faces the three nearest samples are now and then all of other faces."""

ON_SURFACE = 1e-8
"""Distance, as a part of the size, up to which a point lies on the other's skin."""

PROJECTIONS, FARTHER = 3, 10
"""Gauss–Newton steps to the nearest point of a true surface, from a sample nearby and from one of
the farther ones that are tried as well."""

SOFT = 1e-3
"""Distance, as a part of the largest seen, below which all samples weigh the same."""

REWEIGHTED = 4
"""Reweightings within one fit; the fits themselves are repeated."""

STILL = 1e-12
"""Motion, as a part of the body's size, below which a fit has converged."""


def rough_fit(a: Cues, b: Cues, motion: Motion, size: float, steps: int = ROUGH_STEPS) -> Motion:
    """Fit on the tangent planes of `b`'s samples."""
    skin = a.skin
    reach = np.inf
    for _ in range(steps):
        moved = motion(skin.points)
        ours = skin.normals @ motion.rotation.T
        near, index = b.find(moved, ours)
        normal = b.dense.normals[index]
        residual = ((moved - b.dense.points[index]) * normal).sum(axis=1)
        weight = skin.weight * ((ours * normal).sum(axis=1) > 0.3)
        reach = min(reach, max(float(np.median(near)) * 4, 1e-9 * size))
        step = _step(moved, normal, residual, weight, reach)
        if step is None:
            break
        motion, moving = _apply(step, motion, moved, size)
        if moving < 1e-7:
            break
    return motion


def exact_fit(a: Cues, b: Cues, body: Body, motion: Motion, size: float) -> Motion:
    """Fit on the true surfaces of `b`."""
    skin = a.skin
    for _ in range(EXACT_STEPS):
        moved = motion(skin.points)
        foot, normal, _ = nearest(b, body, moved, skin.normals @ motion.rotation.T)
        residual = ((moved - foot) * normal).sum(axis=1)
        step = _step(moved, normal, residual, skin.weight, float(np.abs(residual).max()))
        if step is None:
            break
        motion, moving = _apply(step, motion, moved, size)
        if moving < STILL:
            break
    return motion


def distance(a: Cues, b: Cues, body_a: Body, body_b: Body, motion: Motion) -> float:
    """Return the mean distance of each skin from the other, weighted by area, mm."""
    total = weight = 0.0
    back = motion.inverse()
    for ours, theirs, body, move in ((a, b, body_b, motion), (b, a, body_a, back)):
        normals, points = ours.skin.normals @ move.rotation.T, move(ours.skin.points)
        apart = nearest(theirs, body, points, normals)[2]
        off = np.flatnonzero(apart > ON_SURFACE * np.linalg.norm(theirs.high - theirs.low))
        if 0 < len(off) <= FEW * len(apart):
            again = nearest(theirs, body, points[off], normals[off], MORE)[2]
            apart[off] = np.minimum(apart[off], again)
        total += float((apart * ours.skin.weight).sum())
        weight += float(ours.skin.weight.sum())
    return total / max(weight, 1e-300)


def nearest(
    cues: Cues, body: Body, points: Floats, normals: Floats, neighbours: int = NEIGHBOURS
) -> tuple[Floats, Floats, Floats]:
    """Return the nearest points on the true faces, the normals there and the distances.

    Faces that look the other way are passed over where another is near. `neighbours` is the number
    of samples whose faces are tried.
    """
    near, index = cues.find(points, normals, neighbours)
    dense = cues.dense
    facing = (dense.normals[index] * normals[:, None, :]).sum(axis=2) > 0.0
    best = np.full(len(points), np.inf)
    foot, normal = points.copy(), normals.copy()
    for k in range(neighbours):
        chosen = index[:, k]
        repeated = np.zeros(len(points), dtype=bool)
        for j in range(k):
            repeated |= (dense.face[index[:, j]] == dense.face[chosen]) & (
                dense.part[index[:, j]] == dense.part[chosen]
            )
        rows = np.flatnonzero(~repeated)
        steps = PROJECTIONS if neighbours == NEIGHBOURS else FARTHER
        at, across = _project(dense, body, chosen[rows], points[rows], steps)
        gap = np.linalg.norm(points[rows] - at, axis=1)
        # Off the face: the foot is farther from the sample than the sample is from the point.
        off = np.linalg.norm(at - dense.points[chosen[rows]], axis=1) > 1.5 * near[rows, k] + 1e-9
        gap = np.where(off, near[rows, k], gap)
        rank = np.where(facing[rows, k], gap, gap + near[rows, 0] + 1e-6)
        better = rank < best[rows]
        take = rows[better]
        best[take], foot[take], normal[take] = rank[better], at[better], across[better]
    return foot, normal, np.minimum(np.linalg.norm(points - foot, axis=1), best)


def _project(
    skin: Skin, body: Body, chosen: Ints, points: Floats, most: int
) -> tuple[Floats, Floats]:
    """Return the feet of `points` on the surfaces of the samples `chosen`, and the normals."""
    at, across = np.empty_like(points), np.empty_like(points)
    for number, part in enumerate(body.parts):
        rows = np.flatnonzero(skin.part[chosen] == number)
        if not len(rows):
            continue
        face, uv, target = skin.face[chosen[rows]], skin.uv[chosen[rows]].copy(), points[rows]
        there = skin.points[chosen[rows]]
        steps = 1 if part.table.plane[face].all() else most
        with np.errstate(all="ignore"):
            for _ in range(steps):
                h = 1e-6 * np.maximum(1.0, np.abs(uv))
                up, along = uv.copy(), uv.copy()
                up[:, 0] += h[:, 0]
                along[:, 1] += h[:, 1]
                du = (part.table.points(face, up) - there) / h[:, :1]
                dv = (part.table.points(face, along) - there) / h[:, 1:]
                gap = target - there
                e, f, g = (du * du).sum(1), (du * dv).sum(1), (dv * dv).sum(1)
                p, q = (gap * du).sum(1), (gap * dv).sum(1)
                det = e * g - f * f
                change = np.stack([(g * p - f * q) / det, (e * q - f * p) / det], axis=1)
                uv = uv + np.where(np.isfinite(change), change, 0.0)
                there = part.table.points(face, uv)
            normal = np.cross(du, dv)
            normal /= np.linalg.norm(normal, axis=1)[:, None]
        sense = np.sign((normal * skin.normals[chosen[rows]]).sum(axis=1))
        normal = normal * np.where(sense == 0, 1.0, sense)[:, None]
        broken = ~(np.isfinite(there).all(axis=1) & np.isfinite(normal).all(axis=1))
        there[broken] = skin.points[chosen[rows]][broken]
        normal[broken] = skin.normals[chosen[rows]][broken]
        at[rows], across[rows] = there, normal
    return at, across


def _step(
    points: Floats, normal: Floats, residual: Floats, weight: Floats, reach: float
) -> Floats | None:
    """Return the six-vector (turn about the middle, shift) of the least absolute residual."""
    if not (weight > 0).any() or not np.isfinite(residual).all():
        return None
    middle = points.mean(axis=0)
    size = float(np.abs(points - middle).max()) or 1.0
    rows = np.hstack([np.cross((points - middle) / size, normal), normal])
    motion = np.zeros(6)
    left = residual
    soft = max(SOFT * reach, 1e-14 * size)
    for _ in range(REWEIGHTED):
        w = weight / np.maximum(np.abs(left), soft)
        matrix = (rows * w[:, None]).T @ rows
        # A direction that no face resists (a cylinder about its axis) stays still.
        motion = (
            np.linalg.pinv(matrix, rcond=1e-10, hermitian=True)
            @ -(rows * w[:, None]).T
            @ (residual)
        )
        left = residual + rows @ motion
        soft = max(SOFT * float(np.median(np.abs(left))), 1e-14 * size, soft * 0.1)
    motion[:3] /= size
    return motion


def _apply(step: Floats, motion: Motion, points: Floats, size: float) -> tuple[Motion, float]:
    middle = points.mean(axis=0)
    turn = Rotation.from_rotvec(step[:3]).as_matrix()
    shift = middle - turn @ middle + step[3:]
    moved = Motion(turn, shift).after(motion)
    u, _, v = np.linalg.svd(moved.rotation)
    clean = Motion(u @ v, moved.translation)
    return clean, float(np.linalg.norm(step[:3]) + np.linalg.norm(step[3:]) / size)
