"""What counts as the same: what differs by less than is measurable."""

from __future__ import annotations

SAME_LENGTH = 1e-4
"""Lengths and places that differ by less, in mm, are the same. A five-hundredth of the narrowest
deviation that ISO 2768-f grants (±0.05 mm); on eight public files faces of one plane differ by up
to 1e-10 mm, and no two meant to be apart by less than 0.1 mm."""

SAME_RATIO = 1e-6
"""The same relative to the value, or to the size of the body for places: files carry 7 digits and
more, so that a length of 1 m is known to 1e-3 mm. Above 100 mm it is the wider of the two."""

PARALLEL = 1e-5
"""Directions within this many rad are parallel: files carry their components to 7 digits and more.
Faces 100 mm apart sideways then have a distance within 1 µm. On eight public files meant ones
differ by up to 1e-8, all others by more than 1e-3."""

SAME_ANGLE = 1e-3
"""Angles that differ by less, in degrees, are the same: what two directions may lose to `PARALLEL`,
and an eightieth of the narrowest angle that ISO 2768-m grants (5′)."""


def same_length(value: float) -> float:
    """Return by how much another length may differ from `value` and still be the same, mm."""
    return max(SAME_LENGTH, SAME_RATIO * abs(value))
