"""Profiles of cylinders, cones, spheres and tori, and their integrals, for the polygons' sums.

Written apart from the formulas of the flux integral, which these check.
"""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats


def profile_at(kind: str, size: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Return ρ and z of a profile at v, mm."""
    a, b = size
    match kind:
        case "Cylinder":
            return np.broadcast_to(a, v.shape), v
        case "Cone":
            return a + v * np.sin(b), v * np.cos(b)
        case "Sphere":
            return a * np.cos(v), a * np.sin(v)
        case _:
            return a + b * np.cos(v), b * np.sin(v)


def primitives(kind: str, size: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """Return ∫ρz′, ∫(ρ²z′ − ρρ′z) and ∫ρρ′ dv of a profile (mm², mm³, mm²)."""
    a, b = size
    match kind:
        case "Cylinder":
            return a * v, a * a * v, np.zeros_like(v)
        case "Cone":
            length = a * v + np.sin(b) * v * v / 2.0
            rho = a + v * np.sin(b)
            return np.cos(b) * length, np.cos(b) * a * length, rho * rho / 2.0
        case "Sphere":
            rho = a * np.cos(v)
            return a * a * (v / 2.0 + np.sin(2.0 * v) / 4.0), a**3 * np.sin(v), rho * rho / 2.0
        case _:
            s, half = np.sin(v), v / 2.0 + np.sin(2.0 * v) / 4.0
            rho = a + b * np.cos(v)
            own = b * (a * a * s + a * b * v + a * b * half + b * b * s)
            return b * (a * s + b * half), own, rho * rho / 2.0
