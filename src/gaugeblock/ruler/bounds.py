"""Exact axis-aligned boxes."""

from __future__ import annotations

import math
from typing import Any

from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib

from gaugeblock.records.measurement import Bounds


def bounds_of(shape: Any) -> Bounds | None:
    """Return the box of `shape` in mm, from the geometry, without tolerance or triangulation.

    Returns:
        The box, or None when it is void or not finite.
    """
    box = Bnd_Box()
    box.SetGap(0.0)
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
