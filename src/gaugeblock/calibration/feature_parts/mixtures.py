"""More parts of several features: eccentric, oblique, from both sides, in thin walls."""

from __future__ import annotations

import math

from build123d import Axis, Plane, SlotOverall, chamfer, extrude, fillet

from gaugeblock.calibration.feature_parts.part import (
    DOWN,
    FeaturePart,
    Point,
    askew,
    block,
    brick,
    drill,
    pin,
)
from gaugeblock.calibration.feature_parts.recesses import rounded_tool
from gaugeblock.calibration.feature_parts.truth import boss, hole, recess, round_chamfer
from gaugeblock.calibration.feature_parts.truth import fillet as filleted
from gaugeblock.records.features import Feature

UP = (0.0, 0.0, 1.0)
AXIS = (1.0, 0.0, 0.0)


def eccentric() -> FeaturePart:
    """A wide flat hole, and a narrow one off its middle."""
    body = block(60, 40, 20) - drill((30, 20, 20), DOWN, 24, 6) - drill((34, 20, 14), DOWN, 6, 20)
    truths = (hole((30, 20, 20), 24, 6, through=False), hole((34, 20, 14), 6, 14))
    return FeaturePart("hole off the middle of a wide one", body, truths)


def broken_edges() -> FeaturePart:
    """A hole whose edges are broken on both sides."""
    body = block(60, 40, 20) - drill((30, 20, 20), DOWN, 10, 30)
    rims = body.edges().filter_by(lambda e: e.geom_type.name == "CIRCLE")
    body = chamfer(rims, 1)
    truths = (
        hole((30, 20, 20), 10, 20),
        round_chamfer((30, 20, 20), 10, 1, axis=DOWN, inner=True),
        round_chamfer((30, 20, 0), 10, 1, axis=UP, inner=True),
    )
    return FeaturePart("hole with broken edges", body, truths)


def tray() -> FeaturePart:
    """A thin box open at the top, with holes in its floor."""
    body = block(120, 80, 40) - brick((2, 2, 2), (118, 78, 41))
    places: list[Point] = [(x, y, 2.0) for x in (15.0, 60.0, 105.0) for y in (25.0, 55.0)]
    body -= [drill(at, DOWN, 6, 5) for at in places]
    truths: tuple[Feature, ...] = (
        recess("pocket", (60, 40, 40), 116, 76, 38, lengthwise=AXIS),
        *(hole(at, 6, 2) for at in places),
    )
    return FeaturePart("tray", body, truths)


def ribbed() -> FeaturePart:
    """A tray that a rib of full height divides."""
    body = block(100, 60, 30) - brick((4, 4, 4), (56, 56, 31)) - brick((60, 4, 4), (96, 56, 31))
    truths = (
        recess("pocket", (30, 30, 30), 52, 52, 26, lengthwise=AXIS),
        recess("pocket", (78, 30, 30), 52, 36, 26, lengthwise=(0, 1, 0)),
    )
    return FeaturePart("divided tray", body, truths)


def cup() -> FeaturePart:
    """A boss with a blind hole nearly as wide as itself."""
    body = block(60, 40, 10) + pin((30, 20, 10), UP, 30, 20) - drill((30, 20, 30), DOWN, 24, 18)
    truths = (boss((30, 20, 10), 20, diameter=30), hole((30, 20, 30), 24, 18, through=False))
    return FeaturePart("cup on a plate", body, truths)


def from_both_sides() -> FeaturePart:
    """Two blind holes on one axis with a wall between them."""
    body = block(60, 40, 30) - drill((30, 20, 30), DOWN, 12, 12) - drill((30, 20, 0), UP, 12, 12)
    truths = (
        hole((30, 20, 30), 12, 12, through=False),
        hole((30, 20, 0), 12, 12, axis=UP, through=False),
    )
    return FeaturePart("blind holes from both sides", body, truths)


def oblique_seat() -> FeaturePart:
    """A hole at 20° to its plate with a seat for a screw's head, square to the hole."""
    tilt = math.radians(20)
    axis = (math.sin(tilt), 0.0, -math.cos(tilt))
    body = block(80, 40, 20) - drill((30, 20, 20), axis, 6, 40, over=10)
    body -= drill((30, 20, 20), axis, 14, 6, over=10)
    truth = hole((30, 20, 20), 6, 20 / math.cos(tilt), axis=axis, bore=(14, 6))
    return FeaturePart("oblique counterbored hole", body, (truth,))


def oblong_boss() -> FeaturePart:
    """A boss with round ends."""
    outline = Plane(origin=(30, 20, 10)) * SlotOverall(30, 12)
    body = block(60, 40, 10) + extrude(outline, 8)
    return FeaturePart("oblong boss", body, (boss((30, 20, 10), 8, size=(30, 12)),))


def rounded_boss() -> FeaturePart:
    """A boss of straight sides with rounded upright edges and two holes, askew in space."""
    upper = fillet(brick((20, 15, 10), (60, 35, 22)).edges().filter_by(Axis.Z), 4)
    body = block(80, 50, 10) + upper
    places: list[Point] = [(30.0, 25.0, 22.0), (50.0, 25.0, 22.0)]
    body -= [drill(at, DOWN, 5, 8) for at in places]
    corners = tuple(
        filleted((x, y, 16), (towards_x, towards_y), 4, 12, along=UP)
        for x, towards_x in ((20.0, AXIS), (60.0, (-1.0, 0.0, 0.0)))
        for y, towards_y in ((15.0, (0.0, 1.0, 0.0)), (35.0, (0.0, -1.0, 0.0)))
    )
    truths: tuple[Feature, ...] = (
        boss((40, 25, 10), 12, size=(40, 20)),
        *corners,
        *(hole(at, 5, 8, through=False) for at in places),
    )
    return askew(FeaturePart("rounded boss with holes", body, truths))


def stairs() -> FeaturePart:
    """A block in three steps with a hole through each."""
    body = block(90, 40, 10) + brick((30, 0, 10), (90, 40, 20)) + brick((60, 0, 20), (90, 40, 30))
    places: list[Point] = [(15.0, 20.0, 10.0), (45.0, 20.0, 20.0), (75.0, 20.0, 30.0)]
    body -= [drill(at, DOWN, 8, 40) for at in places]
    return FeaturePart("stairs", body, tuple(hole(at, 8, at[2]) for at in places))


def on_an_edge() -> FeaturePart:
    """A hole over the edge between two levels: its mouth lies in both."""
    body = block(80, 40, 20) - brick((-1, -1, 12), (40, 41, 21)) - drill((42, 20, 20), DOWN, 10, 30)
    return FeaturePart("hole over a step", body, (hole((42, 20, 20), 10, 20),))


def crowded() -> FeaturePart:
    """Holes that nearly touch each other, a pocket and the side."""
    places: list[Point] = [(10.2 + 10.2 * k, 5.2, 12.0) for k in range(5)]
    body = block(70, 40, 12) - [drill(at, DOWN, 10, 20) for at in places]
    body -= rounded_tool((35, 25, 12), 50, 28, 5, 6)
    truths: tuple[Feature, ...] = (
        *(hole(at, 10, 12) for at in places),
        recess("pocket", (35, 25, 12), 50, 28, 6, lengthwise=AXIS, corner=5),
    )
    return FeaturePart("crowded plate", body, truths)
