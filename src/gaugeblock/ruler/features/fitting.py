"""Free surfaces that are a plane, cylinder, cone, sphere or torus: fitted, then checked.

Files made elsewhere often write elementary surfaces as B-splines, extrusions or revolutions. Each
fit is linear in points p and unit normals n (Pottmann & Wallner, Computational Line Geometry, ch.
5): a cone's or cylinder's normals lie in a plane, a sphere's p − r·n meet in a point, and the
normals of any surface of revolution meet its axis.
"""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.forms import NO_FORM, Form, across, cross

LEAST_TURN = 0.02
"""Turn of the normals in rad (1.1°) over a face below which nothing round is fitted: the radius of
a flatter piece is not certain to a percent."""

NORMAL = 0.02
"""Largest angle in rad between a sample's own normal and the fitted surface's. Distances alone
would take a wavy surface for the smooth one it winds about."""


def fit(points: Floats, normals: Floats, tolerance: float) -> Form:
    """Return the elementary form within `tolerance` mm of all samples, or `NO_FORM`.

    Args:
        points: (n, 3) samples of one face.
        normals: (n, 3) unit normals there.
        tolerance: Largest distance of a sample in mm.
    """
    sound = np.isfinite(normals).all(axis=1) & (np.linalg.norm(normals, axis=1) > 0.5)
    points, normals = points[sound], normals[sound]
    if len(points) < 6:
        return NO_FORM
    for candidate in (_plane, _cylinder, _sphere, _cone, _torus):
        form = candidate(points, normals)
        if form is not None and _agrees(form, points, normals, tolerance):
            return form
    return NO_FORM


def _agrees(form: Form, points: Floats, normals: Floats, tolerance: float) -> bool:
    if not np.abs(form.distance(points)).max() <= tolerance:
        return False
    across_angle = np.linalg.norm(cross(form.gradient(points), normals), axis=1)
    return bool(across_angle.max() <= np.sin(NORMAL))


def _plane(points: Floats, normals: Floats) -> Form | None:
    centre = points.mean(axis=0)
    axis = np.linalg.svd(points - centre, full_matrices=False)[2][2]
    return Form("plane", centre, axis)


def _cylinder(points: Floats, normals: Floats) -> Form | None:
    _, spread, vectors = np.linalg.svd(normals, full_matrices=False)
    if spread[1] < LEAST_TURN * np.sqrt(len(points)) * 0.1:
        return None
    axis: Floats = np.asarray(vectors[2], dtype=np.float64)
    x, y = across(axis), cross(axis, across(axis))
    flat = np.stack([points @ x, points @ y], axis=1)
    circle = _circle(flat)
    if circle is None:
        return None
    u, v, radius = circle
    origin: Floats = u * x + v * y
    return Form("cylinder", origin, axis, radius=radius)


def _sphere(points: Floats, normals: Floats) -> Form | None:
    # p = c + r n: 3n equations for c and r.
    ones = np.tile(np.eye(3), (len(points), 1))
    matrix = np.hstack([ones, normals.reshape(-1, 1)])
    solution, _, rank, _ = np.linalg.lstsq(matrix, points.ravel(), rcond=1e-9)
    if rank < 4:
        return None
    centre = np.asarray(solution[:3], dtype=np.float64)
    return Form("sphere", centre, np.array([0.0, 0.0, 1.0]), radius=abs(float(solution[3])))


def _cone(points: Floats, normals: Floats) -> Form | None:
    # All tangent planes go through the apex, and n · axis is constant.
    apex, _, rank, _ = np.linalg.lstsq(normals, (points * normals).sum(axis=1), rcond=1e-9)
    if rank < 3:
        return None
    axis = np.linalg.svd(normals - normals.mean(axis=0), full_matrices=False)[2][2]
    arm = points - apex
    if (arm @ axis).mean() < 0:
        axis = -axis
    z = arm @ axis
    rho = np.linalg.norm(arm - z[:, None] * axis, axis=1)
    half = float(np.arctan2(rho.sum(), z.sum()))
    return Form("cone", apex, axis, half_angle=half) if 0 < half < np.pi / 2 else None


def _torus(points: Floats, normals: Floats) -> Form | None:
    centre = points.mean(axis=0)
    size = float(np.abs(points - centre).max()) or 1.0
    arm = (points - centre) / size
    # Lines (p, n) meet the axis (a, b): n · b + (p × n) · a = 0.
    lines = np.hstack([cross(arm, normals), normals])
    solution = np.linalg.svd(lines, full_matrices=False)[2][5]
    axis, moment = solution[:3], solution[3:]
    length = float(np.linalg.norm(axis))
    if length < 1e-6:
        return None
    axis, moment = axis / length, moment / length
    origin = centre + size * cross(axis, moment)
    z = (points - origin) @ axis
    rho = np.linalg.norm(points - origin - z[:, None] * axis, axis=1)
    circle = _circle(np.stack([rho, z], axis=1))
    if circle is None:
        return None
    major, height, radius = circle
    return Form("torus", origin + height * axis, axis, radius=radius, major=major)


def _circle(flat: Floats) -> tuple[float, float, float] | None:
    """Return centre and radius of the circle through (n, 2) points (Kåsa's linear fit)."""
    middle = flat.mean(axis=0)
    shifted = flat - middle
    size = float(np.abs(shifted).max())
    if size == 0.0:
        return None
    shifted = shifted / size
    matrix = np.hstack([2 * shifted, np.ones((len(flat), 1))])
    solution, _, rank, _ = np.linalg.lstsq(matrix, (shifted**2).sum(axis=1), rcond=1e-12)
    square = solution[2] + solution[0] ** 2 + solution[1] ** 2
    if rank < 3 or square <= 0:
        return None
    u, v = solution[:2] * size + middle
    return float(u), float(v), float(np.sqrt(square) * size)
