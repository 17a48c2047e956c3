"""Whole machine parts: many features that meet, as they stand on real drawings."""

from __future__ import annotations

import math

from build123d import Axis, chamfer, fillet

from gaugeblock.calibration.feature_parts.edges import edge_at, edge_at_circle, turned
from gaugeblock.calibration.feature_parts.part import (
    DOWN,
    FeaturePart,
    Point,
    askew,
    block,
    brick,
    cone,
    drill,
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
from gaugeblock.calibration.feature_parts.truth import chamfer as chamfered
from gaugeblock.calibration.feature_parts.truth import fillet as filleted
from gaugeblock.records.features import Feature

UP = (0.0, 0.0, 1.0)
AXIS = (1.0, 0.0, 0.0)


def upright_fillets(
    length: float, width: float, height: float, radius: float
) -> tuple[Feature, ...]:
    """Return the truth of the four rounded upright edges of a block."""
    return tuple(
        filleted((x, y, height / 2), (towards_x, towards_y), radius, height, along=UP)
        for x, towards_x in ((0.0, (1.0, 0.0, 0.0)), (length, (-1.0, 0.0, 0.0)))
        for y, towards_y in ((0.0, (0.0, 1.0, 0.0)), (width, (0.0, -1.0, 0.0)))
    )


def cover() -> FeaturePart:
    """A cover: rounded corners, four counterbored holes, a countersunk one, a pocket."""
    body = fillet(block(100, 60, 12).edges().filter_by(Axis.Z), 8)
    places: list[Point] = [(x, y, 12.0) for x in (10.0, 90.0) for y in (10.0, 50.0)]
    for at in places:
        body = body - drill(at, DOWN, 5.5, 20) - drill(at, DOWN, 10, 5.7)
    body -= drill((25, 30, 12), DOWN, 4.5, 20)
    body -= cone((25, 30, 12), DOWN, 9, 4.5, 2.25)
    body -= rounded_tool((65, 30, 12), 36, 30, 6, 7)
    truths: tuple[Feature, ...] = (
        *upright_fillets(100, 60, 12, 8),
        *(hole(at, 5.5, 12, bore=(10, 5.7)) for at in places),
        hole((25, 30, 12), 4.5, 12, sink=(9, 90)),
        recess("pocket", (65, 30, 12), 36, 30, 7, lengthwise=AXIS, corner=6),
    )
    return FeaturePart("cover", body, truths)


def flange() -> FeaturePart:
    """A flange: bore, bolt circle, sealing groove, bevelled rim."""
    body = pin((0, 0, 0), UP, 120, 18) - drill((0, 0, 18), DOWN, 40, 30)
    places: list[Point] = [
        (45 * math.cos(math.pi * k / 3), 45 * math.sin(math.pi * k / 3), 18.0) for k in range(6)
    ]
    body -= [drill(at, DOWN, 9, 30) for at in places]
    body -= pin((0, 0, 15), UP, 64, 5) - pin((0, 0, 15), UP, 56, 5)
    rim = [e for e in body.edges().filter_by(lambda e: e.geom_type.name == "CIRCLE")
           if abs(e.radius - 60) < 1e-6 and e.arc_center.Z > 17]  # fmt: skip
    body = chamfer(rim, 2)
    truths: tuple[Feature, ...] = (
        hole((0, 0, 18), 40, 18),
        *(hole(at, 9, 18) for at in places),
        groove((0, 0, 18), 60, 4, 3, axis=DOWN, where="face"),
        round_chamfer((0, 0, 18), 120, 2, axis=DOWN),
    )
    return FeaturePart("flange", body, truths)


def bearing_block() -> FeaturePart:
    """A bearing block askew in space: bore with groove, foot holes, slots, fillets."""
    body = block(120, 40, 15) + brick((35, 0, 15), (85, 40, 70))
    body = fillet([edge_at(body, (35, 20, 15)), edge_at(body, (85, 20, 15))], 5)
    bore = (60.0, 0.0, 45.0)
    along = (0.0, 1.0, 0.0)
    body -= drill(bore, along, 30, 50)
    body -= pin((60, 10, 45), along, 34, 2)
    for x in (15.0, 105.0):
        body -= drill((x, 10, 15), DOWN, 9, 20)
        body -= obround((x, 28, 15), DOWN, AXIS, 16, 7, 20)
    body -= drill((60, 20, 70), DOWN, 6, 20, over=1)
    left, right = (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    truths: tuple[Feature, ...] = (
        filleted((35, 20, 15), (left, UP), 5, 40, along=along, side="concave"),
        filleted((85, 20, 15), (right, UP), 5, 40, along=along, side="concave"),
        hole(bore, 30, 40, axis=along),
        groove((60, 11, 45), 34, 2, 2, axis=along, where="internal"),
        hole((60, 20, 70), 6, 10),
        *(hole((x, 10, 15), 9, 15) for x in (15.0, 105.0)),
        *(
            recess("slot", (x, 28, 15), 16, 7, 15, lengthwise=AXIS, ends="round", through=True)
            for x in (15.0, 105.0)
        ),
    )
    return askew(FeaturePart("bearing block", body, truths))


def stub_shaft() -> FeaturePart:
    """A stub shaft: centre hole, groove, keyway, filled shoulder, bevelled end."""
    body = turned((0, 0), (0, 11), (1, 12), (40, 12), (40, 20), (70, 20), (70, 0))
    body = fillet(edge_at_circle(body, 40, 24), 2)
    body -= pin((5, 0, 0), AXIS, 30, 2) - pin((5, 0, 0), AXIS, 22, 2)
    body -= drill((0, 0, 0), AXIS, 6, 12)
    body -= obround((24, 0, 12), DOWN, AXIS, 20, 6, 3.5)
    truths: tuple[Feature, ...] = (
        round_chamfer((0, 0, 0), 24, 1, axis=AXIS),
        round_fillet((40, 0, 0), (-1, 0, 0), 28, 2, side="concave"),
        groove((6, 0, 0), 22, 2, 1, axis=AXIS),
        hole((0, 0, 0), 6, 12, axis=AXIS, through=False),
        recess("keyway", (24, 0, 12), 20, 6, 3.5, lengthwise=AXIS, ends="round"),
    )
    return FeaturePart("stub shaft", body, truths)


def tiny_cover() -> FeaturePart:
    """A cover of 6 mm: everything a tenth of the usual size."""
    body = fillet(block(6, 4, 1).edges().filter_by(Axis.Z), 0.5)
    body = body - drill((1, 1, 1), DOWN, 0.5, 2) - drill((5, 3, 1), DOWN, 0.8, 0.5)
    body -= obround((3, 2, 1), DOWN, AXIS, 2, 0.5, 0.4)
    truths: tuple[Feature, ...] = (
        *upright_fillets(6, 4, 1, 0.5),
        hole((1, 1, 1), 0.5, 1),
        hole((5, 3, 1), 0.8, 0.5, through=False),
        recess("slot", (3, 2, 1), 2, 0.5, 0.4, lengthwise=AXIS, ends="round"),
    )
    return FeaturePart("tiny cover", body, truths)


def huge_base() -> FeaturePart:
    """A machine base of 5 m: bosses, pocket, bevel, holes of 20 mm."""
    body = block(5000, 2000, 400)
    body = chamfer(edge_at(body, (2500, 0, 400)), 50)
    body += pin((1000, 1000, 400), UP, 600, 200)
    body -= brick((2500, 500, 200), (4500, 1500, 401))
    body -= drill((1000, 1000, 600), DOWN, 300, 700)
    body -= drill((200, 1800, 400), DOWN, 20, 100)
    truths: tuple[Feature, ...] = (
        chamfered((2500, 0, 400), ((0, 1, 0), DOWN), (50, 50), 5000, along=AXIS),
        boss((1000, 1000, 400), 200, diameter=600),
        recess("pocket", (3500, 1000, 400), 2000, 1000, 200, lengthwise=AXIS),
        hole((1000, 1000, 600), 300, 600),
        hole((200, 1800, 400), 20, 100, through=False),
    )
    return FeaturePart("machine base of 5 m", body, truths)
