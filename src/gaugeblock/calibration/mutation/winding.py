"""Threads made wrong: a modelled thread taken off a body, and another wound in its place.

The ridge of the basic profile is swept along a helix, as in `feature_parts/threads`. Lengths in mm.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from build123d import Align, Cylinder, Location, Plane, Pos, Rot, Solid

from gaugeblock.calibration.feature_parts.threads import SUNK, TOOTH, ridge
from gaugeblock.calibration.mutation.bodies import NotApplicable, Part, Vector, solids_in, sound
from gaugeblock.calibration.mutation.places import Place, Winding

OVER = 1.0
"""How far what is taken off or put in reaches beyond a thread's free end, mm."""


def rewound(part: Part, body: int, place: Place, winding: Winding) -> Part:
    """Return the part with another thread in the place of one.

    Raises:
        NotApplicable: the kernel makes no sound solid of it.
    """
    solid = Solid(part.items[body].shape)
    spot = Location(Plane(origin=place.start, z_dir=place.axis)) * Pos(winding.aside, 0, 0)
    made = _tapped(solid, place, winding, spot) if place.internal else \
        _turned(solid, place, winding, spot)  # fmt: skip
    found = solids_in(made.wrapped)
    if len(found) != 1 or not sound(found[0]):
        raise NotApplicable("the kernel makes no sound solid with another thread there")
    return part.with_shape(body, found[0])


def _tapped(solid: Any, place: Place, winding: Winding, spot: Location) -> Any:
    """Return the body with its tapped hole plugged and cut again."""
    axis = Location(Plane(origin=place.start, z_dir=place.axis))
    full = solid + axis * _pin(place.major / 2 + SUNK, place.length)
    long = place.length + OVER + (OVER if place.through else 0.0)
    return full - spot * Pos(0, 0, -OVER) * _wound(winding, long)


def _turned(solid: Any, place: Place, winding: Winding, spot: Location) -> Any:
    """Return the body with its thread cut off and another put on."""
    axis = Location(Plane(origin=place.start, z_dir=place.axis))
    bare = solid - axis * Pos(0, 0, -OVER) * _pin(place.major / 2 + SUNK, place.length + OVER)
    new = winding.plain or winding.major - TOOTH * winding.pitch
    foot = spot * Pos(0, 0, place.length - OVER) * _pin(new / 2 - SUNK, 2 * OVER)
    return bare + (spot * _wound(winding, place.length) + foot)


def _wound(winding: Winding, length: float) -> Any:
    """Return a threaded rod, or a plain one, about Z from the origin up."""
    if winding.plain is not None:
        return _pin(winding.plain / 2, length)
    lead = winding.pitch * winding.starts
    minor = winding.major - TOOTH * winding.pitch
    rod = Pos(0, 0, -3 * lead) * _pin(minor / 2, length + 6 * lead)
    for start in range(winding.starts):
        turn = Rot(0, 0, 360 * start / winding.starts)
        rod += (
            turn
            * Pos(0, 0, -2 * lead)
            * ridge(winding.major, winding.pitch, length + 4 * lead, left=winding.left, lead=lead)
        )
    found = (rod & _pin(winding.major, length)).solids()
    if len(found) != 1:
        raise NotApplicable("the kernel winds no such thread")
    return found[0]


def _pin(radius: float, length: float) -> Any:
    return Cylinder(radius, length, align=(Align.CENTER, Align.CENTER, Align.MIN))


def turned(part: Part, axis: Vector, degrees: float, shift: Vector) -> Part:
    """Return the whole part turned about an axis through the origin and moved; nothing else."""
    unit = np.array(axis) / np.linalg.norm(axis)
    where = Location(tuple(shift)) * Location((0, 0, 0), tuple(unit.tolist()), degrees)
    return part.each(lambda shape: solids_in((where * Solid(shape)).wrapped)[0])
