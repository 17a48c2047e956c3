"""Elementary surfaces as plain numbers, and distances of points from them.

One form for what the kernel calls a plane, cylinder, cone, sphere or torus and for free surfaces
that are one of these within a tolerance (`fitting`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.facts.surfaces import Surface

Kind = Literal["plane", "cylinder", "cone", "sphere", "torus", "other"]


@dataclass(frozen=True)
class Form:
    """One unbounded surface, mm and rad."""

    kind: Kind
    origin: Floats
    """(3,) A point of a plane, on the axis of a cylinder; a cone's apex; a sphere's or torus's
    centre."""
    axis: Floats
    """(3,) Unit vector: a plane's normal, an axis of revolution; a cone's points from the apex into
    the opening. A sphere has one for the sake of form."""
    radius: float = 0.0
    """Of a cylinder or sphere; a torus's minor one."""
    major: float = 0.0
    """A torus's major radius."""
    half_angle: float = 0.0
    """A cone's, in (0, π/2)."""

    def cylindrical(self, points: Floats) -> tuple[Floats, Floats]:
        """Return the distances of (n, 3) points from the axis and their heights along it."""
        return about(self.origin, self.axis, points)

    def distance(self, points: Floats) -> Floats:
        """Return (n,) signed distances in mm: positive outside of the round ones."""
        if self.kind == "plane":
            return np.asarray((points - self.origin) @ self.axis)
        if self.kind == "sphere":
            return np.asarray(np.linalg.norm(points - self.origin, axis=1) - self.radius)
        rho, z = self.cylindrical(points)
        if self.kind == "cylinder":
            return np.asarray(rho - self.radius)
        if self.kind == "cone":
            away = rho * np.cos(self.half_angle) - z * np.sin(self.half_angle)
            behind = z * np.cos(self.half_angle) + rho * np.sin(self.half_angle) < 0
            return np.asarray(np.where(behind, np.hypot(rho, z), away))
        if self.kind == "torus":
            return np.asarray(np.hypot(rho - self.major, z) - self.radius)
        return np.full(len(points), np.inf)

    def gradient(self, points: Floats) -> Floats:
        """Return (n, 3) unit vectors along which `distance` grows."""
        if self.kind == "plane":
            return np.asarray(np.broadcast_to(self.axis, points.shape))
        if self.kind == "sphere":
            return unit(points - self.origin)
        arm = points - self.origin
        radial = unit(arm - (arm @ self.axis)[:, None] * self.axis)
        if self.kind == "cone":
            return np.asarray(
                radial * np.cos(self.half_angle) - self.axis * np.sin(self.half_angle)
            )
        if self.kind == "torus":
            return unit(arm - radial * self.major)
        return np.asarray(radial)

    def pierced(self, origin: Floats, axis: Floats, near: float) -> float | None:
        """Return where a line pierces the form, in mm from `origin` along `axis`.

        Args:
            origin: (3,) A point of the line.
            axis: (3,) Its unit direction.
            near: Of several places the one nearest to this is taken.

        Returns:
            The place; None where there is none, where the line grazes a plane at less than 6°, and
            for a torus.
        """
        arm = origin - self.origin
        if self.kind == "plane":
            slope = float(axis @ self.axis)
            return None if abs(slope) < 0.1 else -float(arm @ self.axis) / slope
        if self.kind in ("cylinder", "sphere"):
            along = self.axis if self.kind == "cylinder" else np.zeros(3)
            way, start = axis - (axis @ along) * along, arm - (arm @ along) * along
            a, b = float(way @ way), float(way @ start)
            return _root(a, b, float(start @ start) - self.radius**2, near)
        if self.kind == "cone":
            square = float(np.cos(self.half_angle)) ** 2
            way_up, up = float(axis @ self.axis), float(arm @ self.axis)
            a = way_up * way_up - square
            b = way_up * up - float(axis @ arm) * square
            return _root(a, b, up * up - float(arm @ arm) * float(square), near)
        return None


def _root(a: float, b: float, c: float, near: float) -> float | None:
    """Return the root of a·t² + 2·b·t + c nearest to `near`."""
    if abs(a) < 1e-9:
        return None if abs(b) < 1e-9 else -0.5 * c / b
    inside = b * b - a * c
    if inside < 0:
        return None
    roots = [(-b + sign * math.sqrt(inside)) / a for sign in (1, -1)]
    return min(roots, key=lambda root: abs(root - near))


NO_FORM = Form("other", np.zeros(3), np.zeros(3))
"""Of a surface that is none of the elementary ones."""


def about(origin: Floats, axis: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Return distances of (n, 3) points from a line and their heights along it."""
    arm = points - origin
    z = arm @ axis
    return np.linalg.norm(arm - z[..., None] * axis, axis=-1), z


def turned(origin: Floats, axis: Floats, x: Floats, points: Floats) -> Floats:
    """Return angles in rad of (n, 3) points about a line, from direction `x` on."""
    arm = points - origin
    return np.arctan2(arm @ cross(axis, x), arm @ x)


def across(axis: Floats) -> Floats:
    """Return some unit vector perpendicular to `axis`."""
    away = np.eye(3)[int(np.argmin(np.abs(axis)))]
    return np.asarray(unit(cross(axis, away)))


def cross(a: Floats, b: Floats) -> Floats:
    """Return the vector products of (…, 3) vectors; numpy's own costs ten times as much for few."""
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=-1)


def unit(vectors: Floats) -> Floats:
    """Return vectors of length 1; those of length 0 stay."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


def form_of(surface: Surface) -> Form:
    """Return the form of a surface that the kernel calls elementary; `NO_FORM` of others."""
    origin, axis = surface.frame[0], surface.frame[3]
    match surface.kind:
        case "Plane":
            return Form("plane", origin, axis)
        case "Cylinder":
            return Form("cylinder", origin, axis, radius=surface.a)
        case "Cone":
            half = surface.b
            apex = origin - axis * (surface.a / np.tan(half))
            return Form("cone", apex, axis if half > 0 else -axis, half_angle=abs(half))
        case "Sphere":
            return Form("sphere", origin, axis, radius=surface.a)
        case "Torus":
            return Form("torus", origin, axis, radius=surface.b, major=surface.a)
    return NO_FORM
