"""What an independent construction found of a part."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Constructed:
    """Volume and solids of a part built from its instruction."""

    volume: float | None
    """mm³; None: this geometry is beyond the construction, `why` says how."""
    solids: int | None
    """None: not told."""
    why: str
    """What is special about the geometry, such as holes that touch; empty: nothing."""
