"""General tolerances of ISO 2768-1, class m (medium), as deviations to both sides.

Table 1 (linear dimensions), table 2 (broken edges: external radii and chamfer heights) and table 3
(angles, by the length of the shorter leg) of ISO 2768-1:1989.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.spectrum.alike import SAME_ANGLE, SAME_LENGTH

Steps = tuple[tuple[float, float], ...]
"""Up to and including (mm), deviation (mm, or degrees for angles)."""

LINEAR: Steps = (
    (3.0, 0.1),
    (6.0, 0.1),
    (30.0, 0.2),
    (120.0, 0.3),
    (400.0, 0.5),
    (1000.0, 0.8),
    (2000.0, 1.2),
    (4000.0, 2.0),
)
"""Table 1: by the nominal size."""

BROKEN_EDGE: Steps = ((3.0, 0.2), (6.0, 0.5), (math.inf, 1.0))
"""Table 2: by the nominal size."""

ANGULAR: Steps = (
    (10.0, 1.0),
    (50.0, 30 / 60),
    (120.0, 20 / 60),
    (400.0, 10 / 60),
    (math.inf, 5 / 60),
)
"""Table 3: by the length of the shorter leg."""

LEAST, MOST = 0.5, 4000.0
"""Nominal sizes, in mm, that table 1 covers; others need deviations of their own."""


ON_LIMIT = {
    "length": SAME_LENGTH,
    "diameter": SAME_LENGTH,
    "radius": SAME_LENGTH,
    "angle": SAME_ANGLE,
}
"""A measured value this far beyond a limit lies on it, by the sheet value's type: mm or degrees."""


def step_of(steps: Steps, size: float) -> float:
    """Return the deviation for a size; beyond the last step, that of the last."""
    return next((deviation for limit, deviation in steps if size <= limit), steps[-1][1])


def linear_steps(external: bool | None) -> Steps:
    """Return the table for a measured length, diameter or radius; `external`: it breaks an edge.

    Where that is not known, the narrower table 1 holds.
    """
    return BROKEN_EDGE if external else LINEAR


def angular_deviation(leg: float | None) -> float:
    """Return the deviation in degrees for a shorter leg in mm; None: the narrowest."""
    return ANGULAR[-1][1] if leg is None else step_of(ANGULAR, leg)


def deviations(
    dimension: SheetDimension, external: bool | None, leg: float | None
) -> tuple[float, float]:
    """Return the lower and upper deviation of a sheet value against one measured dimension.

    Args:
        dimension: The sheet's.
        external: Whether the measured radius rounds off an outer edge.
        leg: The measured angle's shorter leg in mm; the sheet's own goes first.
    """
    if dimension.lower is not None and dimension.upper is not None:
        return dimension.lower, dimension.upper
    if dimension.type == "angle":
        deviation = angular_deviation(dimension.leg if dimension.leg is not None else leg)
    else:
        broken = external if dimension.type == "radius" else False
        deviation = step_of(linear_steps(broken), dimension.value)
    return -deviation, deviation


def check_sheet(sheet: Iterable[SheetDimension]) -> None:
    """Refuse sheet values that have no tolerance at all.

    Raises:
        WrongUse: a linear value outside the table without deviations of its own.
    """
    for dimension in sheet:
        bare = dimension.lower is None and dimension.type != "angle"
        if bare and not LEAST <= dimension.value <= MOST:
            raise WrongUse(
                f"{dimension.label}: ISO 2768-m covers {LEAST:g} to {MOST:g} mm; "
                f"give {dimension.value:g} mm an upper and a lower deviation"
            )
