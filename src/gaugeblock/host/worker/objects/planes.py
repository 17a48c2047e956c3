"""Axes and sketch planes by name, as the kernel's own points and directions."""

from __future__ import annotations

from collections.abc import Sequence

from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Vec

VECTORS = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
PLANES = {"XY": (0, 1, 2), "XZ": (0, 2, 1), "YZ": (1, 2, 0)}
"""Which coordinates u, v and the height above the plane are."""


def direction(name: str) -> gp_Dir:
    """Return the direction of ``X`` or ``-X``."""
    x, y, z = VECTORS[name[-1]]
    return gp_Dir(-x, -y, -z) if name.startswith("-") else gp_Dir(x, y, z)


def frame(at: Sequence[float], axis: str) -> gp_Ax2:
    """Return a coordinate system at a point whose main direction is an axis."""
    return gp_Ax2(gp_Pnt(*at), direction(axis))


def line(about: Sequence[float], axis: str) -> gp_Ax1:
    """Return an axis through a point."""
    return gp_Ax1(gp_Pnt(*about), direction(axis))


def point(plane: str, at: float, u: float, v: float) -> gp_Pnt:
    """Return the point (u, v) of a plane that stands at ``at`` on its third axis, mm."""
    place = [0.0, 0.0, 0.0]
    for index, value in zip(PLANES[plane], (u, v, at), strict=True):
        place[index] = value
    return gp_Pnt(*place)


def upward(plane: str, length: float) -> gp_Vec:
    """Return the vector of a length along a plane's third axis."""
    vector = [0.0, 0.0, 0.0]
    vector[PLANES[plane][2]] = length
    return gp_Vec(*vector)


def axis_of(plane: str, name: str) -> str:
    """Return the axis that u or v of a plane runs along."""
    return "XYZ"[PLANES[plane]["uv".index(name)]]
