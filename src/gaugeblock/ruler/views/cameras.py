"""The fixed cameras: where a view is seen from, what is up, and where it stands on a sheet.

All are orthographic. A point p (mm) is seen at x = p · right, y = p · up, with p · direction
growing towards the viewer, so that all views of a part share the part's own origin: the x of the
front view is the x of the top view.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from gaugeblock.records.base import Record

Vector = tuple[float, float, float]

Convention = Literal["first-angle", "third-angle"]


class Camera(Record):
    """One orthographic camera."""

    name: str
    direction: Vector
    """Unit vector from the part towards the viewer."""
    up: Vector
    """Unit vector that points upwards in the view, square to `direction`."""

    @property
    def right(self) -> Vector:
        """Unit vector that points to the right in the view: up × direction."""
        (a, b, c), (d, e, f) = self.up, self.direction
        return (b * f - c * e + 0.0, c * d - a * f + 0.0, a * e - b * d + 0.0)

    @property
    def axes(self) -> dict[str, str | None]:
        """The part's axes along the view's own: "+X", "−Y", …; None where none is parallel."""
        own = {"right": self.right, "up": self.up, "towards_viewer": self.direction}
        return {name: _axis(vector) for name, vector in own.items()}

    def basis(self) -> npt.NDArray[np.float64]:
        """Return (3, 3) rows right, up, towards the viewer; points @ rows.T are x, y, depth."""
        return np.array([self.right, self.up, self.direction])


def camera(name: str, towards: Vector, up: Vector) -> Camera:
    """Return a camera of any direction.

    Args:
        name: What it is called.
        towards: From the part towards the viewer, of any length > 0.
        up: Roughly upwards, not parallel to `towards`; what is along `towards` is taken off.
    """
    direction = _unit(towards)
    along = math.fsum(u * d for u, d in zip(up, direction, strict=True))
    lifted = _unit(tuple(u - along * d for u, d in zip(up, direction, strict=True)))
    return Camera(name=name, direction=direction, up=lifted)


def _unit(vector: tuple[float, ...]) -> Vector:
    length = math.hypot(*vector)
    x, y, z = (c / length + 0.0 for c in vector)
    return (x, y, z)


def _axis(vector: Vector) -> str | None:
    for letter, part in zip("XYZ", vector, strict=True):
        if math.isclose(abs(part), 1.0, abs_tol=1e-12):
            return ("+" if part > 0 else "−") + letter
    return None


CAMERAS: dict[str, Camera] = {
    "front": camera("front", (0, -1, 0), (0, 0, 1)),
    "right": camera("right", (1, 0, 0), (0, 0, 1)),
    "top": camera("top", (0, 0, 1), (0, 1, 0)),
    "iso": camera("iso", (1, -1, 1), (0, 0, 1)),
    "left": camera("left", (-1, 0, 0), (0, 0, 1)),
    "bottom": camera("bottom", (0, 0, -1), (0, -1, 0)),
    "rear": camera("rear", (0, 1, 0), (0, 0, 1)),
}
"""By name: what is seen *from* the right is the right view. Top and bottom are the front view
tilted, so that on a sheet each stands square above or below it (ISO 5456-2)."""

USUAL = ("front", "right", "top", "iso")
"""The views that are drawn when none are named."""

THIRD_ANGLE: dict[str, tuple[int, int]] = {
    "front": (0, 0),
    "right": (1, 0),
    "left": (-1, 0),
    "top": (0, 1),
    "bottom": (0, -1),
    "rear": (2, 0),
}
"""Column and row of each view on a sheet, the front view at (0, 0), rows growing upwards: what is
seen from the right stands on the right."""

FIRST_ANGLE: dict[str, tuple[int, int]] = {
    name: (column, row) if name == "rear" else (-column, -row)
    for name, (column, row) in THIRD_ANGLE.items()
}
"""The same in first-angle projection: what is seen from the right stands on the left."""

PLACES: dict[Convention, dict[str, tuple[int, int]]] = {
    "first-angle": FIRST_ANGLE,
    "third-angle": THIRD_ANGLE,
}
