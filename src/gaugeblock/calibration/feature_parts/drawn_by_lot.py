"""Parts drawn by lot: sizes, places, forms and pose from a seed, so that nobody can aim at them.

A plate of cells, each with one feature on its upper or lower side; or a shaft of steps with
grooves, worked shoulders and ends. All lengths are multiples of 0.01 mm. The same seed gives the
same part.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any, Literal

from build123d import Axis, Plane, Polyline, Pos, Rot, fillet, make_face, revolve

from gaugeblock.calibration.feature_parts.edges import edge_at_circle
from gaugeblock.calibration.feature_parts.part import (
    OVER,
    FeaturePart,
    Point,
    block,
    cone,
    drill,
    moved_to,
    obround,
    pin,
)
from gaugeblock.calibration.feature_parts.recesses import rounded_tool
from gaugeblock.calibration.feature_parts.truth import (
    boss,
    groove,
    hole,
    recess,
    round_chamfer,
    round_fillet,
)
from gaugeblock.records.features import Feature

CELL = 40.0
"""Side of a plate's cells, mm; a feature and its place fit into one."""

AXIS = (1.0, 0.0, 0.0)

Sign = tuple[list[Any], list[Any], list[Feature]]
"""Tools to add, tools to cut, and the truth."""


def plate(seed: int) -> FeaturePart:
    """Return a plate of 2 × 3 cells."""
    lot = Random(seed)
    thick = length(lot, 12, 30)
    body = block(3 * CELL, 2 * CELL, thick)
    truths: list[Feature] = []
    for i in range(3):
        for j in range(2):
            x = CELL * (i + 0.5) + length(lot, -4, 4)
            y = CELL * (j + 0.5) + length(lot, -4, 4)
            up = lot.random() < 0.7
            at = (x, y, thick if up else 0.0)
            added, cut, found = lot.choice(MAKERS)(lot, at, up, thick)
            for tool in added:
                body += tool
            for tool in cut:
                body -= tool
            truths += found
    return posed(FeaturePart(f"plate {seed}", body, tuple(truths)), lot)


def length(lot: Random, low: float, high: float) -> float:
    """Return a length in mm between two others, to 0.01 mm."""
    return round(lot.uniform(low, high), 2)


def posed(part: FeaturePart, lot: Random) -> FeaturePart:
    """Return the part turned and shifted by lot."""
    angles = [lot.uniform(-180, 180) for _ in range(3)]
    return moved_to(part, Pos(*(length(lot, -200, 200) for _ in range(3))) * Rot(*angles))


def _into(up: bool) -> Point:
    return 0.0, 0.0, -1.0 if up else 1.0


def _away(up: bool) -> Point:
    return 0.0, 0.0, 1.0 if up else -1.0


def _plain(lot: Random, at: Point, up: bool, thick: float) -> Sign:
    diameter, into = length(lot, 3, 14), _into(up)
    if lot.random() < 0.5:
        return [], [drill(at, into, diameter, 2 * thick)], [hole(at, diameter, thick, axis=into)]
    depth = length(lot, 2, thick - 4)
    truth = hole(at, diameter, depth, axis=into, through=False)
    return [], [drill(at, into, diameter, depth)], [truth]


def _drilled(lot: Random, at: Point, up: bool, thick: float) -> Sign:
    diameter, into = length(lot, 3, 8), _into(up)
    tip = diameter / 2 / math.tan(math.radians(59))
    depth = length(lot, 2, thick - 4 - tip)
    end = (at[0], at[1], at[2] + into[2] * depth)
    truth = hole(at, diameter, depth, axis=into, through=False, bottom="conical", tip=118)
    return [], [drill(at, into, diameter, depth), cone(end, into, diameter, 0, tip)], [truth]


def _screwed(lot: Random, at: Point, up: bool, thick: float) -> Sign:
    diameter, into = length(lot, 3, 9), _into(up)
    through = drill(at, into, diameter, 2 * thick)
    if lot.random() < 0.5:
        bore = (length(lot, 1.3 * diameter, 2.4 * diameter), length(lot, 1, thick - 3))
        truth = hole(at, diameter, thick, axis=into, bore=bore)
        return [], [through, drill(at, into, *bore)], [truth]
    wide = round(lot.uniform(1.7, 2.2) * diameter, 2)
    deep = (wide - diameter) / 2
    truth = hole(at, diameter, thick, axis=into, sink=(wide, 90))
    return [], [through, cone(at, into, wide, diameter, deep)], [truth]


def _boss(lot: Random, at: Point, up: bool, thick: float) -> Sign:
    diameter, height, away = length(lot, 8, 28), length(lot, 3, 20), _away(up)
    return [pin(at, away, diameter, height)], [], [boss(at, height, diameter=diameter, axis=away)]


def _slot(lot: Random, at: Point, up: bool, thick: float) -> Sign:
    width, into = length(lot, 3, 9), _into(up)
    long, turn = length(lot, 2 * width, 28), lot.uniform(0, math.pi)
    lengthwise = (math.cos(turn), math.sin(turn), 0.0)
    deep = lot.random() < 0.4
    depth = thick if deep else length(lot, 1, thick - 3)
    tool = obround(at, into, lengthwise, long, width, 2 * thick if deep else depth)
    truth = recess(
        "slot", at, long, width, depth, lengthwise=lengthwise, axis=into, ends="round", through=deep
    )
    return [], [tool], [truth]


def _pocket(lot: Random, at: Point, up: bool, thick: float) -> Sign:
    long, width, corner = length(lot, 20, 28), length(lot, 10, 18), length(lot, 1, 4)
    deep = lot.random() < 0.3
    depth = thick if deep else length(lot, 1, thick - 3)
    into, reach = _into(up), 2 * thick if deep else depth
    # The tool reaches from above its upper end to its depth: turned over, from above the face.
    top = (at[0], at[1], at[2] if up else reach - OVER)
    tool = rounded_tool(top, long, width, corner, reach)
    kind: Literal["breakthrough", "pocket"] = "breakthrough" if deep else "pocket"
    truth = recess(
        kind, at, long, width, depth, lengthwise=AXIS, axis=into, corner=corner, through=deep
    )
    return [], [tool], [truth]


MAKERS = (_plain, _plain, _drilled, _screwed, _screwed, _boss, _slot, _pocket)
"""What a cell may hold; what is common in real parts is drawn more often."""


def shaft(seed: int) -> FeaturePart:
    """Return a shaft of three steps, the middle one widest, with grooves and worked shoulders."""
    lot = Random(seed)
    radii = [length(lot, 8, 14), length(lot, 18, 26), length(lot, 8, 14)]
    ends = [0.0]
    for _ in radii:
        ends.append(round(ends[-1] + length(lot, 30, 50), 2))
    bevel = length(lot, 0.5, 2)
    profile: list[tuple[float, float]] = [(0.0, 0.0), (0.0, radii[0] - bevel), (bevel, radii[0])]
    truths: list[Feature] = [round_chamfer((0, 0, 0), 2 * radii[0], bevel, axis=AXIS)]
    for radius, start, stop in zip(radii, ends, ends[1:], strict=False):
        if start:
            profile.append((start, radius))
        if lot.random() < 0.6:
            width, depth = length(lot, 1, 4), length(lot, 0.5, 3)
            first = round(start + length(lot, 8, stop - start - 14), 2)
            profile += [
                (first, radius),
                (first, radius - depth),
                (first + width, radius - depth),
                (first + width, radius),
            ]
            middle = (first + width / 2, 0.0, 0.0)
            truths.append(groove(middle, 2 * (radius - depth), width, depth, axis=AXIS))
        profile.append((stop, radius))
    profile.append((ends[-1], 0.0))
    body = revolve(Plane.XY * make_face(Polyline(*profile, close=True)), Axis.X)
    for at, radius, into in ((ends[1], radii[0], -1.0), (ends[2], radii[2], 1.0)):
        round_ = length(lot, 0.5, 3)
        body = _filled(body, at, radius, round_)
        ring = 2 * (radius + round_)
        truths.append(round_fillet((at, 0, 0), (into, 0, 0), ring, round_, side="concave"))
    bore = length(lot, 3, 8)
    if lot.random() < 0.5:
        body -= drill((0, 0, 0), AXIS, bore, 200)
        truths.append(hole((0, 0, 0), bore, ends[-1], axis=AXIS))
    else:
        depth = length(lot, 5, 25)
        body -= drill((0, 0, 0), AXIS, bore, depth)
        truths.append(hole((0, 0, 0), bore, depth, axis=AXIS, through=False))
    return posed(FeaturePart(f"shaft {seed}", body, tuple(truths)), lot)


def _filled(body: Any, at: float, radius: float, round_: float) -> Any:
    """Return the body with the foot of a shoulder filled."""
    return fillet(edge_at_circle(body, at, 2 * radius), round_)
