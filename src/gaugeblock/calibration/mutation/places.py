"""Where a thread is and what is wound there instead: plain data. Lengths in mm."""

from __future__ import annotations

from dataclasses import dataclass

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Place:
    """A thread where the reference has it."""

    start: Vector
    """On the axis where the thread begins: at a screw's free end, a tapped hole's mouth; mm."""
    axis: Vector
    """From there along the thread, unit vector."""
    length: float
    major: float
    minor: float
    internal: bool
    through: bool
    """Whether a tapped hole opens at its other end as well."""


@dataclass(frozen=True)
class Winding:
    """What is wound there instead."""

    major: float
    pitch: float
    starts: int
    left: bool
    plain: float | None = None
    """Diameter of a plain cylinder in place of any thread, mm; None: a thread."""
    aside: float = 0.0
    """How far it lies off the axis, mm."""
