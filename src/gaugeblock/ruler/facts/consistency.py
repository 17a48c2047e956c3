"""Whether one solid's numbers can be true together: what any body in space obeys.

Two methods that agree may both be misled by a damaged file (a boundary that winds twice round the
same space, a coordinate of 1e200). These inequalities hold for every body, cost nothing, and need
no geometry.
"""

from __future__ import annotations

import math

from gaugeblock.records.measurement import Bounds

SLACK = 1e-6
"""Relative slack of every inequality, the accuracy claimed; a box and a sphere are equalities."""

MARGIN = 1e-6
"""Slack of lengths in mm: the accuracy of boxes."""

LARGEST = 1e8
"""Largest coordinate in mm, 100 km: beyond it neighbouring doubles are 1.5e-8 mm apart and a tenth
of the kernel's own confusion distance (1e-7) is gone, so that nothing closes reliably."""

CONTRADICTION = "the numbers contradict each other: "
"""How the reason begins where they do."""


def contradiction(
    volume: float,
    area: float | None,
    centroid: tuple[float, float, float] | None,
    bounds: Bounds | None,
) -> str | None:
    """Return why the numbers cannot be those of one body; None: nothing speaks against them.

    Args:
        volume: mm³.
        area: mm².
        centroid: mm.
        bounds: mm.
    """
    if bounds is None:
        return f"{CONTRADICTION}a volume without a finite box"
    if area is None or not math.isfinite(volume) or not area > 0.0:
        return f"{CONTRADICTION}the area is not a positive number"
    if centroid is None or not all(math.isfinite(c) for c in centroid):
        return f"{CONTRADICTION}the centroid is not finite"
    if max(abs(c) for c in (*bounds.min, *bounds.max)) > LARGEST:
        return f"coordinates beyond {LARGEST:g} mm cannot be told apart well enough to measure"
    sides = [high - low for low, high in zip(bounds.min, bounds.max, strict=True)]
    if min(sides) < 0.0:
        return f"{CONTRADICTION}the box is turned inside out"
    margin = MARGIN + SLACK * math.hypot(*sides)
    if volume > math.prod(side + margin for side in sides):
        return f"{CONTRADICTION}the volume is larger than its box"
    inside = zip(bounds.min, centroid, bounds.max, strict=True)
    if not all(low - margin <= c <= high + margin for low, c, high in inside):
        return f"{CONTRADICTION}the centroid lies outside the box"
    # Isoperimetric inequality: no body has less area for its volume than the sphere.
    if area**1.5 < math.sqrt(36.0 * math.pi) * volume * (1.0 - SLACK):
        return f"{CONTRADICTION}the area is too small to enclose the volume"
    return None
