"""Features of round parts that are not turned: slots, flats, cross holes, keyways, pockets."""

from __future__ import annotations

import math

from gaugeblock.calibration.feature_parts.edges import turned
from gaugeblock.calibration.feature_parts.part import (
    DOWN,
    FeaturePart,
    brick,
    cone,
    drill,
    obround,
    rod,
)
from gaugeblock.calibration.feature_parts.truth import groove, hole, recess
from gaugeblock.records.features import Feature

AXIS = (1.0, 0.0, 0.0)
ALONG_Y = (0.0, 1.0, 0.0)


def screw_head() -> FeaturePart:
    """A driver's slot across the end of a bar."""
    body = rod(20, 30) - brick((-1, -15, -1.5), (2.5, 15, 1.5))
    truth = recess("slot", (0, 0, 0), 20, 3, 2.5, lengthwise=ALONG_Y, axis=AXIS, ends="open")
    return FeaturePart("slot across a bar's end", body, (truth,))


def flattened() -> FeaturePart:
    """A bar with a flat at its end: nothing that has a name here."""
    return FeaturePart("bar with a flat", rod(20, 50) - brick((-1, -15, 7), (15, 15, 20)), ())


def off_centre() -> FeaturePart:
    """A cross hole that misses the axis of its bar."""
    body = rod(30, 60) - drill((25, 8, 15), DOWN, 6, 40, over=5)
    height = math.sqrt(15**2 - 8**2)
    return FeaturePart("cross hole off the axis", body, (hole((25, 8, height), 6, 2 * height),))


def centred() -> FeaturePart:
    """A lathe's centre hole: pilot and 60° cone."""
    body = rod(30, 60) - drill((0, 0, 0), AXIS, 3.15, 9)
    deep = (6.7 - 3.15) / 2 / math.tan(math.radians(30))
    body -= cone((0, 0, 0), AXIS, 6.7, 3.15, deep)
    truth = hole((0, 0, 0), 3.15, 9, axis=AXIS, through=False, sink=(6.7, 60))
    return FeaturePart("centre hole", body, (truth,))


def windowed_tube() -> FeaturePart:
    """A tube with a slot through one side of its wall."""
    body = rod(40, 80) - drill((0, 0, 0), AXIS, 30, 100)
    body -= obround((40, 0, 20), DOWN, AXIS, 30, 8, 10)
    truths = (
        hole((0, 0, 0), 30, 80, axis=AXIS),
        recess("slot", (40, 0, 20), 30, 8, 5, lengthwise=AXIS, ends="round", through=True),
    )
    return FeaturePart("tube with a slot", body, truths)


def square_keyway() -> FeaturePart:
    """A keyway with square ends, as a shaper leaves it."""
    body = rod(60, 100) - brick((35, -8, 20), (65, 8, 40))
    truth = recess("keyway", (50, 0, 30), 30, 16, 10, lengthwise=AXIS, ends="square")
    return FeaturePart("keyway, square ends", body, (truth,))


def milled_bar() -> FeaturePart:
    """A pocket in the round side of a bar, wider than any key."""
    body = rod(60, 100) - brick((35, -22, 12), (65, 22, 40))
    truth = recess("pocket", (50, 0, 30), 44, 30, 18, lengthwise=ALONG_Y)
    return FeaturePart("pocket in a bar", body, (truth,))


def broached_hub() -> FeaturePart:
    """A hub whose bore has a keyway from end to end."""
    body = rod(60, 40) - drill((0, 0, 0), AXIS, 30, 60) - brick((-1, -4, 0), (41, 4, 18.3))
    truths: tuple[Feature, ...] = (
        hole((0, 0, 0), 30, 40, axis=AXIS),
        recess(
            "keyway", (20, 0, 15), 40, 8, 3.3, lengthwise=AXIS, axis=(0.0, 0.0, 1.0), ends="open"
        ),
    )
    return FeaturePart("keyway in a bore", body, truths)


def many_rings() -> FeaturePart:
    """A piston: three grooves in a row and a pin hole across."""
    profile = [(0.0, 0.0), (0.0, 30.0)]
    for start in (6.0, 12.0, 18.0):
        profile += [(start, 30.0), (start, 27.0), (start + 2.5, 27.0), (start + 2.5, 30.0)]
    body = turned(*profile, (70, 30), (70, 0)) - drill((45, 0, 30), DOWN, 18, 80, over=5)
    truths: tuple[Feature, ...] = (
        *(groove((start + 1.25, 0, 0), 54, 2.5, 3, axis=AXIS) for start in (6.0, 12.0, 18.0)),
        hole((45, 0, 30), 18, 60),
    )
    return FeaturePart("piston", body, truths)


def castle() -> FeaturePart:
    """A crown of three slots across the end of a tube."""
    body = rod(50, 40) - drill((0, 0, 0), AXIS, 30, 60)
    truths: list[Feature] = [hole((0, 0, 0), 30, 40, axis=AXIS)]
    for k in range(3):
        across = (0.0, math.cos(math.pi * k / 3), math.sin(math.pi * k / 3))
        body -= obround((0, 0, 0), AXIS, across, 80, 6, 8)
        truths.append(
            recess("slot", (0, 0, 0), 50, 6, 8, lengthwise=across, axis=AXIS, ends="open")
        )
    return FeaturePart("castle nut", body, tuple(truths))
