"""Exact axis-aligned boxes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepBndLib import BRepBndLib
from OCP.GeomAbs import GeomAbs_SurfaceType
from OCP.TopAbs import TopAbs_FACE
from OCP.TopoDS import TopoDS

from gaugeblock.records.measurement import Bounds
from gaugeblock.ruler.explore import explore

MANY, DEAR = 24, 8
"""Faces in all, and others than planes and cylinders among them, from which on rough boxes are made
first (15 µs a face), so that the exact one (up to 1 ms a face: 0.2 s of ctc_04) is asked only of
those that can reach an end of the body."""

CHEAP = {int(GeomAbs_SurfaceType.GeomAbs_Plane), int(GeomAbs_SurfaceType.GeomAbs_Cylinder)}
"""Surfaces whose exact box the kernel has from formulas."""


def bounds_of(shape: Any) -> Bounds | None:
    """Return the box of `shape` in mm, from the geometry, without tolerance or triangulation.

    Returns:
        The box, or None when it is void or not finite.
    """
    faces = explore(shape, TopAbs_FACE)
    if len(faces) < MANY or sum(map(_dear, faces)) < DEAR:
        return _exact([shape])
    rough = np.array([rough_box(face) for face in faces])
    if not np.isfinite(rough).all():
        return _exact([shape])
    # Lowest and highest corners are compared alike: the low ones with their signs turned.
    first = set(rough.argmax(axis=0).tolist())
    known = _exact([faces[i] for i in sorted(first)])
    if known is None:
        return _exact([shape])
    reach = np.array([*(-c for c in known.min), *known.max])
    rest = [i for i in np.flatnonzero((rough > reach).any(axis=1)).tolist() if i not in first]
    return joined([known, _exact([faces[i] for i in rest])]) if rest else known


def _dear(face: Any) -> bool:
    """Whether the kernel searches for the exact box of `face` by minimising."""
    return int(BRepAdaptor_Surface(TopoDS.Face(face), False).GetType()) not in CHEAP


def rough_box(face: Any) -> list[float]:
    """Return −x, −y, −z of the lowest and x, y, z of the highest corner of a box that holds `face`.

    Not the smallest such box: the kernel bounds surfaces and curves by their poles or formulas.
    """
    box = Bnd_Box()
    BRepBndLib.Add_s(face, box, False)
    if box.IsVoid() or box.IsOpen():
        return [math.nan] * 6
    return [*(-c for c in box.CornerMin().Coord()), *box.CornerMax().Coord()]


def _exact(shapes: list[Any]) -> Bounds | None:
    box = Bnd_Box()
    box.SetGap(0.0)
    for shape in shapes:
        BRepBndLib.AddOptimal_s(shape, box, False, False)
    if box.IsVoid() or box.IsOpen():
        return None
    # Get() widens by the gap, which AddOptimal leaves at its own numeric tolerance (1e-7).
    gap = box.GetGap()
    low, high = box.CornerMin().Coord(), box.CornerMax().Coord()
    numbers = [c + gap for c in low] + [c - gap for c in high]
    if not all(math.isfinite(number) for number in numbers):
        return None
    return Bounds(
        min=(numbers[0], numbers[1], numbers[2]), max=(numbers[3], numbers[4], numbers[5])
    )


def joined(boxes: list[Bounds | None]) -> Bounds | None:
    """Return the box around `boxes`; None when there is none or one is unknown."""
    known = [box for box in boxes if box is not None]
    if not known or len(known) != len(boxes):
        return None
    low = [min(box.min[axis] for box in known) for axis in range(3)]
    high = [max(box.max[axis] for box in known) for axis in range(3)]
    return Bounds(min=(low[0], low[1], low[2]), max=(high[0], high[1], high[2]))


def overlap(a: Bounds, b: Bounds, margin: float) -> bool:
    """Whether two boxes share space deeper than `margin` mm in every axis."""
    return all(
        min(a.max[axis], b.max[axis]) - max(a.min[axis], b.min[axis]) > margin for axis in range(3)
    )
