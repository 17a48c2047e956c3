"""A part set exactly square to the drawing, where it lies square but for what its pose is off.

A pose found by fitting turns a right part by some 1e-10 rad, and one whose sizes are off within
their tolerances by up to 1e-3 rad, as the overlap is best there. Its walls would be seen as slivers
(the kernel's hidden-line removal takes what lies behind for seen) or as planes at an angle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from gaugeblock.ruler.drawing.anatomy import Face, Floats, faces_of, parallel
from gaugeblock.ruler.drawing.subject import ALIGNED
from gaugeblock.ruler.overlap.body import Motion
from gaugeblock.ruler.reading import ReadSolid

EXACT = 1e-12
"""Turn in rad below which a part lies square: rounding of coordinates with 16 digits. It is then
drawn from its own coordinates, to the last one."""

POSED = math.radians(0.3)
"""Angle in rad that the pose of a part laid on another one may be off: 0.05° was seen of parts
within their tolerances, and 0.3 mm over 60 mm, what ISO 2768-m allows there, is 0.29°."""


def squared(solids: Sequence[ReadSolid], within: float = ALIGNED) -> list[ReadSolid]:
    """Return solids turned together, so that their main directions lie exactly along the axes.

    Args:
        solids: In the drawing's coordinates, mm. Where no plane or cylinder lies near an axis, or
            the main ones do exactly, they come back as they are.
        within: Angle in rad up to which a direction is taken for one of the axes.
    """
    turn = _turn(faces_of([solid.shape for solid in solids]), within)
    if turn.magnitude() <= EXACT:
        return list(solids)
    motion = Motion(turn.as_matrix(), np.zeros(3))
    return [replace(solid, shape=motion.move_shape(solid.shape)) for solid in solids]


def _turn(faces: Iterable[Face], within: float) -> Rotation:
    """Return the turn that lays the main direction on its axis, and the next one square to it."""
    near = [way for way in _directions(faces) if float(np.abs(way).max()) >= math.cos(within)]
    if not near:
        return Rotation.identity()
    first = near[0]
    second = next((way for way in near if abs(float(way @ first)) <= ALIGNED), None)
    if second is None:
        normal = np.cross(first, _axis(first))
        sine = float(np.linalg.norm(normal))
        return Rotation.from_rotvec(normal * (math.asin(sine) / sine if sine else 0.0))
    own, axes = _frame(first, second), _frame(_axis(first), _axis(second))
    return Rotation.from_matrix(axes.T @ own)


def _directions(faces: Iterable[Face]) -> list[Floats]:
    """Return the directions of planes and cylinders, that of the largest area first."""
    found: list[tuple[Floats, float]] = []
    for face in faces:
        if face.kind not in ("Plane", "Cylinder"):
            continue
        for n, (way, area) in enumerate(found):
            if parallel(way, face.axis):
                found[n] = (way, area + face.area)
                break
        else:
            found.append((face.axis, face.area))
    return [way for way, _ in sorted(found, key=lambda item: -item[1])]


def _axis(way: Floats) -> Floats:
    """Return the axis, either way along it, that a direction is nearest to."""
    k = int(np.argmax(np.abs(way)))
    axis = np.zeros(3)
    axis[k] = np.sign(way[k])
    return axis


def _frame(first: Floats, second: Floats) -> Floats:
    """Return (3, 3) rows: a direction, one square to it nearest to the second, and their cross."""
    across = second - first * (second @ first)
    across = across / np.linalg.norm(across)
    return np.array([first, across, np.cross(first, across)])
