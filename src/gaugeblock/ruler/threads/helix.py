"""Screw motions that leave a surface where it is: the axis, lead and hand of a helical face.

A surface that a screw motion moves along itself has normals n at points p with n · v(p) = 0, where
v(p) = k a + a × (p − o) is the motion's velocity for one radian about the axis (o, a), advancing
by k. That is linear in (a, k a − a × o), so the motion follows from an eigenvalue problem; see
H. Pottmann, J. Wallner, *Computational Line Geometry* (2001), ch. 4.1, and H. Pottmann,
T. Randrup, *Rotational and helical surface approximation* (Computing 60, 1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.BRepTools import BRepTools

from gaugeblock.ruler.facts.mesh import Floats
from gaugeblock.ruler.facts.surfaces import Surface, derivatives

Bools = npt.NDArray[np.bool_]

SAMPLES = 256
"""Points a face: enough for a least-squares fit of five unknowns, and half a millisecond."""

SPREAD = (0.7548776662466927, 0.5698402909980532)
"""Steps of the points' parameters (the additive recurrence R2 of M. Roberts, 2018). A regular grid
could see a face of many turns on one side only."""

KEPT = 0.75
"""Part of the points that a motion has to fit: the rest may be a run-out on the same face."""

TRIMS = 8
"""Times that points which fit badly are left out and the motion fitted anew."""

BADLY = 5.0
"""Times the median angle from which on a point fits badly. The waves of a poor spline stay below:
leaving out their crests alone would falsify the lead (by 2 % on one real file)."""

FLAT = 1e-4
"""Least eigenvalue of the normals' second moments (they sum to 1). Below it the normals lie in one
plane, as those of a cylinder or prism do: any shift along it leaves the face where it is, and no
lead can be had. A flank of 30° to the radius that winds by an eighth of a turn has 1e-3."""

FITS = 0.02
"""Greatest angle in rad between a motion and the `KEPT` part of a face that it shall leave where it
is. Flanks swept by the kernel stay below 0.003 (their approximation); free-form faces start at
about 0.1."""


@dataclass(frozen=True)
class Samples:
    """Points of faces with unit normals that point out of the material."""

    points: Floats
    """(…, 3) mm; of several faces: (faces, SAMPLES, 3)."""
    normals: Floats
    """(…, 3)."""

    def only(self, chosen: Any) -> Samples:
        """Return chosen points, or faces."""
        return Samples(self.points[chosen], self.normals[chosen])

    @property
    def flat(self) -> Samples:
        """All points, whatever face they are of: (n, 3)."""
        return Samples(self.points.reshape(-1, 3), self.normals.reshape(-1, 3))


@dataclass(frozen=True)
class Screw:
    """A screw motion."""

    origin: Floats
    """(3,) point on the axis, mm."""
    axis: Floats
    """(3,) unit direction."""
    lead: float
    """Advance of one turn in mm; positive for a right-hand helix, whichever way the axis points."""

    def velocity(self, points: Floats) -> Floats:
        """Return (…, 3) velocities in mm for one radian."""
        turning = np.cross(self.axis, points - self.origin)
        return np.asarray(turning + self.lead / (2 * math.pi) * self.axis)

    def angles(self, faces: Samples) -> Floats:
        """Return (…,) sines of the angles between the motion and the faces."""
        speed = self.velocity(faces.points)
        across = np.abs(np.einsum("...i,...i", speed, faces.normals))
        return np.asarray(across / np.maximum(np.linalg.norm(speed, axis=-1), 1e-12))

    def angle(self, faces: Samples) -> Floats:
        """Return for each face the angle in rad that the `KEPT` part of it stays below."""
        return np.asarray(np.quantile(self.angles(faces), KEPT, axis=-1))

    def local(self, points: Floats) -> Floats:
        """Return (n, 3) points as radius (mm), angle (rad, −π … π) and height (mm)."""
        x, y = self.across()
        away = points - self.origin
        u, v = away @ x, away @ y
        return np.stack([np.hypot(u, v), np.arctan2(v, u), away @ self.axis], axis=1)

    def across(self) -> tuple[Floats, Floats]:
        """Return two unit directions that make a right-handed frame with the axis."""
        least = np.eye(3)[int(np.argmin(np.abs(self.axis)))]
        x = np.cross(least, self.axis)
        x /= np.linalg.norm(x)
        return x, np.cross(self.axis, x)


def sample(face: Any, surface: Surface, turned: bool) -> Samples | None:
    """Return (SAMPLES, 3) points and normals of a face over the whole box of its parameters.

    A point of that box outside the face's boundary still lies on its surface, which is what
    matters; where the surface has no normal (at a tip) another point stands twice. None where the
    box is unbounded or the surface has hardly any normals.

    Args:
        face: TopoDS_Face, oriented forward.
        surface: Its surface.
        turned: Whether the solid uses the face reversed.
    """
    u0, u1, v0, v1 = BRepTools.UVBounds_s(face)
    if not all(map(math.isfinite, (u0, u1, v0, v1))) or max(map(abs, (u0, u1, v0, v1))) > 1e50:
        return None
    s, t = (np.mod(0.5 + step * np.arange(SAMPLES), 1.0) for step in SPREAD)
    points, du, dv = derivatives(surface.adaptor, u0 + s * (u1 - u0), v0 + t * (v1 - v0))
    normals = np.cross(du, dv)
    length = np.linalg.norm(normals, axis=1)
    good = np.isfinite(length) & (length > 0)
    if good.sum() < SAMPLES / 2:
        return None
    number = np.resize(np.flatnonzero(good), SAMPLES)
    normals = normals[number] / length[number, None]
    return Samples(points[number], -normals if turned else normals)


def fit(faces: Samples) -> Screw | None:
    """Return the screw motion that fits best to most points of some faces.

    None where no single motion is singled out: planes, cylinders, prisms, spheres.
    """
    every = faces.flat
    screw = _solve(every)
    for _ in range(TRIMS):
        if screw is None:
            return None
        off = screw.angles(every)
        screw = _solve(every.only(off <= BADLY * np.median(off)))
    return screw


def _solve(samples: Samples) -> Screw | None:
    """Return the screw motion of least squares; None where several fit."""
    centre = samples.points.mean(axis=0)
    size = float(np.sqrt(((samples.points - centre) ** 2).sum(axis=1).mean()))
    if not size > 0:
        return None
    arm = (samples.points - centre) / size
    rows = np.hstack([np.cross(arm, samples.normals), samples.normals])
    moments = rows.T @ rows / len(rows)
    turning, mixed, shifting = moments[:3, :3], moments[:3, 3:], moments[3:, 3:]
    if np.linalg.eigvalsh(shifting)[0] < FLAT:
        return None
    # The best shift for each axis direction put in, only the direction is left.
    back = -np.linalg.solve(shifting, mixed.T)
    values, vectors = np.linalg.eigh(turning + mixed @ back)
    if values[1] < FITS**2:
        return None
    axis = vectors[:, 0]
    shift = back @ axis
    lead = 2 * math.pi * float(axis @ shift) * size
    return Screw(centre + size * np.cross(axis, shift), axis, lead)
