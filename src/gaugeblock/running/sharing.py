"""How many solids of a delivery share space: told beside the points, never in them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gaugeblock.records.overlap import Interference

SHARED_MM3 = 0.01
"""Least space that two solids share, mm³. The kernel takes points within 1e-7 mm for the same, so
two solids that only touch may share that much over the whole of a face: 0.009 mm³ over
280 × 320 mm, the largest face of the assembly's brief."""


@dataclass(frozen=True)
class Sharing:
    """What an interference comes to.

    Attributes:
        pairs: pairs of solids that share more than `SHARED_MM3`; None: some pair is unknown.
        volume: space that those pairs share, mm³.
        reason: why both are None; empty where they are known.
    """

    pairs: int | None
    volume: float | None
    reason: str = ""


def sharing(found: Interference) -> Sharing:
    """Count the pairs that share space, surely and more than touching parts do."""
    if found.verdict != "measured":
        why = found.reason or found.code or "no reason given"
        return Sharing(None, None, f"the ruler could not measure the interference: {why}")
    shared = []
    for pair in found.pairs:
        volume, error = pair.volume, pair.error_estimate or 0.0
        names = f"{pair.name_a or pair.a} and {pair.name_b or pair.b}"
        if volume is None:
            return Sharing(None, None, f"{names}: {pair.reason or 'not measured'}")
        if volume - error > SHARED_MM3:
            shared.append(volume)
        elif volume + error > SHARED_MM3:
            rough = f"{names} share {volume:.3g} ± {error:.3g} mm³, which may be nothing"
            return Sharing(None, None, rough)
    return Sharing(len(shared), math.fsum(shared))
