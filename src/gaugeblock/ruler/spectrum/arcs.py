"""How far around round faces and circles reach: arcs in degrees, taken together."""

from __future__ import annotations

from dataclasses import dataclass

FULL = 360.0

SLACK = 0.5
"""Degrees by which an arc may miss a half or a full turn: what trimmed boundaries of imported faces
lose, and far below what anyone would draw."""

Arc = tuple[float, float]
"""Start and sweep (≥ 0) in degrees."""


@dataclass(frozen=True)
class Turn:
    """Several arcs about one axis, overlaps counted once."""

    degrees: float
    """In all, at most 360."""
    across: bool
    """Whether two of its points lie opposite each other, so that a diameter can be taken."""

    @property
    def full(self) -> bool:
        """Whether nothing is missing."""
        return self.degrees >= FULL


def turn_of(arcs: list[Arc]) -> Turn:
    """Take arcs together; within `SLACK` of a full turn they are one."""
    parts: list[list[float]] = []
    pieces = [piece for start, sweep in arcs for piece in _cut(start, sweep)]
    for low, high in sorted(pieces):
        if parts and low <= parts[-1][1]:
            parts[-1][1] = max(parts[-1][1], high)
        else:
            parts.append([low, high])
    degrees = sum(high - low for low, high in parts)
    if degrees >= FULL - SLACK:
        return Turn(FULL, True)
    return Turn(degrees, _opposite(parts))


def _cut(start: float, sweep: float) -> list[Arc]:
    """Return an arc as low and high ends between 0 and 360."""
    if sweep >= FULL:
        return [(0.0, FULL)]
    low = start % FULL
    high = low + sweep
    return [(low, high)] if high <= FULL else [(low, FULL), (0.0, high - FULL)]


def _opposite(parts: list[list[float]]) -> bool:
    for low, high in parts:
        for first, last in parts:
            for shift in (-FULL / 2, FULL / 2):
                if low + shift <= last + SLACK and first <= high + shift + SLACK:
                    return True
    return False
