"""T2–T5 built slice by slice from their instructions, without any formula of the cases.

Every solid is cut into slices whose area is plain, and the areas are integrated numerically. Round
things come from the half chord √(r² − t²) alone. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from gaugeblock.calibration.constructed import Constructed
from gaugeblock.calibration.discs import Discs, union_of

Numbers = npt.NDArray[np.float64]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
"""Exact to double precision for the smooth integrands here."""

# What the start parts are, mm: the tube, and the hinge's plate, lugs, pipe and pin.
STRAIGHTS, TUBE_BEND = 60.0 + 40.0, 40.0
PLATE = (120.0, 80.0, 8.0)
HOLES_X, HOLES_Y = (10.0, 110.0), (10.0, 70.0)
LUG_THICKNESS, LUG_WIDTH, PIN_HEIGHT = 10.0, 45.0, 53.0
PIPE_RADIUS, PIPE_BORE, PIPE_STRAIGHTS, PIPE_BEND = 4.0, 2.5, 40.0 + 60.0, 10.0
PIN = (29.0, 91.0)
DRILL_AT = (60.0, 40.0)


def integral(area: Callable[[Numbers], Numbers], low: float, high: float) -> float:
    """Return ∫ area(t) dt from low to high."""
    half = (high - low) / 2
    return float(half * (WEIGHTS * area(low + half * (NODES + 1))).sum())


def across(radius: float, weight: Callable[[Numbers], Numbers]) -> float:
    """Return ∫ 2·√(r² − t²)·weight(t) dt over a disc, smooth in t = r·sin u."""
    return integral(
        lambda u: 2 * (radius * np.cos(u)) ** 2 * weight(radius * np.sin(u)),
        -np.pi / 2,
        np.pi / 2,
    )


def disc(radius: float) -> float:
    """Return the area of a disc, mm²."""
    return across(radius, np.ones_like)


def quarter_bend(bend: float, radius: float) -> float:
    """Return the volume of a round bar bent by 90°: each ring about the axis of the bend, mm³."""
    return across(radius, lambda t: (bend + t) * np.pi / 2)


def pipe(straights: float, bend: float, radius: float, bore: float) -> float:
    """Return the volume of a pipe with one bend of 90°, mm³."""
    straight = straights * (disc(radius) - disc(bore))
    return straight + quarter_bend(bend, radius) - quarter_bend(bend, bore)


def flanged_tube(parameters: Mapping[str, float]) -> Constructed:
    """T2: the bent tube with its flange."""
    outer, bore = parameters["outerDiameter"] / 2, parameters["innerDiameter"] / 2
    flange = parameters["flangeDiameter"] / 2
    volume = pipe(STRAIGHTS, TUBE_BEND, outer, bore)
    volume += parameters["flangeThickness"] * (disc(flange) - disc(bore))
    return Constructed(volume, 1, "")


def square_loft(parameters: Mapping[str, float]) -> Constructed:
    """T3: rectangles from the base to the square, as wide as straight edges between them are."""
    height, side = parameters["height"], parameters["topSide"]
    length, width = parameters["baseLength"], parameters["baseWidth"]

    def area(z: Numbers) -> Numbers:
        part = z / height
        return (length + (side - length) * part) * (width + (side - width) * part)

    return Constructed(integral(area, 0.0, height), 1, "")


def hinge(parameters: Mapping[str, float]) -> Constructed:
    """T4 and T5: plate, lugs, pipe and pin."""
    xs = np.linspace(*HOLES_X, int(parameters["cols"]))
    centres = np.array([(x, y) for x in xs for y in HOLES_Y])
    radius = parameters["holeDiameter"] / 2
    holes = union_of(Discs(centres, radius))
    pin = parameters["pinDiameter"] / 2
    length, width, thickness = PLATE
    area = length * width - holes.area
    why = ""
    if holes.overlapping or holes.touching or radius > min(HOLES_X[0], HOLES_Y[0]):
        why = f"holes of Ø{2 * radius:g} meet each other or the rim of the plate"
    drill = parameters.get("centerHoleDiameter")
    if drill is not None:
        gap = float(np.linalg.norm(centres - np.array(DRILL_AT), axis=1).min())
        if gap < radius + drill / 2:
            return Constructed(None, None, "the new hole meets the others")
        area -= disc(drill / 2)
    lug = LUG_WIDTH * (PIN_HEIGHT - thickness) + disc(LUG_WIDTH / 2) / 2 - disc(pin)
    bend = parameters.get("bendRadius", PIPE_BEND)
    volume = area * thickness + 2 * LUG_THICKNESS * lug + (PIN[1] - PIN[0]) * disc(pin)
    volume += pipe(PIPE_STRAIGHTS, bend, PIPE_RADIUS, PIPE_BORE)
    return Constructed(volume, None if why else 2, why)
