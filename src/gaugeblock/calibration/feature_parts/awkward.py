"""Parts on which recognisers go wrong: features that meet, interrupt and resemble each other."""

from __future__ import annotations

import math
from typing import Any

from build123d import (
    Axis,
    Compound,
    Plane,
    Polyline,
    RegularPolygon,
    chamfer,
    extrude,
    fillet,
    make_face,
)
from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert

from gaugeblock.calibration.feature_parts.combined import cover
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
    rod,
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
ALONG_Y = (0.0, 1.0, 0.0)


def beside_a_fillet() -> FeaturePart:
    """A hole whose mouth lies half in a rounded edge."""
    body = fillet(edge_at(block(60, 40, 20), (30, 0, 20)), 10)
    body -= drill((30, 11, 20), DOWN, 8, 30)
    truths = (
        hole((30, 11, 20), 8, 20),
        filleted((30, 0, 20), (ALONG_Y, DOWN), 10, 60, along=AXIS),
    )
    return FeaturePart("hole beside a fillet", body, truths)


def two_in_one() -> FeaturePart:
    """Two holes that overlap like an eight."""
    places: list[Point] = [(26.0, 20.0, 10.0), (34.0, 20.0, 10.0)]
    body = block(60, 40, 10) - [drill(at, DOWN, 10, 20) for at in places]
    return FeaturePart("overlapping holes", body, tuple(hole(at, 10, 10) for at in places))


def side_slot() -> FeaturePart:
    """A slot from the side of a plate with a round end."""
    body = block(60, 40, 10) - brick((26, -1, -1), (34, 16, 11)) - drill((30, 16, 10), DOWN, 8, 20)
    truth = recess("slot", (30, 10, 10), 20, 8, 10, lengthwise=ALONG_Y, ends="mixed", through=True)
    return FeaturePart("slot from the side", body, (truth,))


def slanted_slot() -> FeaturePart:
    """A slot at 30° to the sides of its plate."""
    lengthwise = (math.sqrt(0.75), 0.5, 0.0)
    body = block(60, 40, 15) - obround((30, 20, 15), DOWN, lengthwise, 30, 8, 5)
    truth = recess("slot", (30, 20, 15), 30, 8, 5, lengthwise=lengthwise, ends="round")
    return FeaturePart("slot at an angle", body, (truth,))


def crossing_slots() -> FeaturePart:
    """Two slots of one depth that cross."""
    body = block(60, 40, 15) - brick((26, -1, 9), (34, 41, 16)) - brick((-1, 17, 9), (61, 23, 16))
    truths = (
        recess("slot", (30, 20, 15), 40, 8, 6, lengthwise=ALONG_Y, ends="open"),
        recess("slot", (30, 20, 15), 60, 6, 6, lengthwise=AXIS, ends="open"),
    )
    return FeaturePart("crossing slots", body, truths)


def worked_boss() -> FeaturePart:
    """A boss with a bevelled rim and a rounded foot."""
    body = block(60, 40, 10) + pin((30, 20, 10), UP, 20, 12)
    rings = body.edges().filter_by(lambda e: e.geom_type.name == "CIRCLE").sort_by(Axis.Z)
    body = fillet(rings[0], 2)
    rings = body.edges().filter_by(lambda e: e.geom_type.name == "CIRCLE").sort_by(Axis.Z)
    body = chamfer(rings[-1], 1)
    truths = (
        boss((30, 20, 10), 12, diameter=20),
        round_fillet((30, 20, 10), UP, 24, 2, side="concave"),
        round_chamfer((30, 20, 22), 20, 1, axis=DOWN),
    )
    return FeaturePart("boss, rim and foot worked", body, truths)


def boss_on_boss() -> FeaturePart:
    """A boss that stands on another."""
    body = block(60, 40, 10) + pin((30, 20, 10), UP, 34, 5) + pin((30, 20, 15), UP, 16, 10)
    truths = (boss((30, 20, 10), 5, diameter=34), boss((30, 20, 15), 10, diameter=16))
    return FeaturePart("boss on a boss", body, truths)


def boss_on_a_slope() -> FeaturePart:
    """A boss square to a slanted face."""
    profile = Polyline((0, 0), (60, 0), (60, 30), (0, 50), close=True)
    body = extrude(Plane.XZ * make_face(profile), -40)
    size = math.hypot(20, 60)
    normal = (20 / size, 0.0, 60 / size)
    body += pin((30, 20, 40), normal, 16, 10)
    return FeaturePart("boss on a slope", body, (boss((30, 20, 40), 10, diameter=16, axis=normal),))


def boss_in_a_pocket() -> FeaturePart:
    """A pocket with a boss on its floor."""
    body = block(80, 60, 20) - rounded_tool((40, 30, 20), 60, 40, 5, 12)
    body += pin((30, 30, 8), UP, 14, 9)
    truths = (
        recess("pocket", (40, 30, 20), 60, 40, 12, lengthwise=AXIS, corner=5),
        boss((30, 30, 8), 9, diameter=14),
    )
    return FeaturePart("boss in a pocket", body, truths)


def pocket_in_a_pocket() -> FeaturePart:
    """A pocket in the floor of another."""
    body = (
        block(80, 60, 30)
        - rounded_tool((40, 30, 30), 60, 40, 5, 8)
        - rounded_tool((40, 30, 22), 30, 20, 4, 10)
    )
    truths = (
        recess("pocket", (40, 30, 30), 60, 40, 8, lengthwise=AXIS, corner=5),
        recess("pocket", (40, 30, 22), 30, 20, 10, lengthwise=AXIS, corner=4),
    )
    return FeaturePart("pocket in a pocket", body, truths)


def hexagon() -> FeaturePart:
    """A six-sided opening."""
    tool = extrude(Plane(origin=(30, 20, -1)) * RegularPolygon(10, 6), 20)
    truth = recess(
        "breakthrough", (30, 20, 10), 20, 20 * math.sqrt(0.75), 10, lengthwise=AXIS, through=True
    )
    return FeaturePart("six-sided opening", block(60, 40, 10) - tool, (truth,))


def mitred_bevels() -> FeaturePart:
    """All four upper edges of a block bevelled."""
    body = block(60, 40, 20)
    body = chamfer(body.faces().sort_by(Axis.Z)[-1].edges(), 2)
    back = (0.0, -1.0, 0.0)
    left = (-1.0, 0.0, 0.0)
    truths = (
        chamfered((30, 0, 20), (ALONG_Y, DOWN), (2, 2), 60, along=AXIS),
        chamfered((30, 40, 20), (back, DOWN), (2, 2), 60, along=AXIS),
        chamfered((0, 20, 20), (AXIS, DOWN), (2, 2), 40, along=ALONG_Y),
        chamfered((60, 20, 20), (left, DOWN), (2, 2), 40, along=ALONG_Y),
    )
    return FeaturePart("bevelled upper edges", body, truths)


def fine_bevel() -> FeaturePart:
    """A bevel of 0.2 mm on a block of half a metre."""
    body = chamfer(edge_at(block(500, 300, 100), (250, 0, 100)), 0.2)
    truth = chamfered((250, 0, 100), (ALONG_Y, DOWN), (0.2, 0.2), 500, along=AXIS)
    return FeaturePart("bevel of 0.2 mm", body, (truth,))


def cut_fillet() -> FeaturePart:
    """A rounded edge that a slot cuts in two."""
    body = fillet(edge_at(block(60, 40, 20), (30, 0, 20)), 5)
    body -= brick((25, -1, 10), (35, 41, 21))
    truths: tuple[Feature, ...] = (
        recess("slot", (30, 20, 20), 40, 10, 10, lengthwise=ALONG_Y, ends="open"),
        filleted((12.5, 0, 20), (ALONG_Y, DOWN), 5, 25, along=AXIS),
        filleted((47.5, 0, 20), (ALONG_Y, DOWN), 5, 25, along=AXIS),
    )
    return FeaturePart("fillet cut by a slot", body, truths)


def undercut() -> FeaturePart:
    """A relief groove at the shoulder of a shaft: its two shoulders differ."""
    body = turned(
        (0, 0), (0, 10), (28, 10), (28, 9), (30, 9), (30, 15), (60, 15), (60, 0)
    )  # fmt: skip
    return FeaturePart("relief groove", body, (groove((29, 0, 0), 18, 2, 1, axis=AXIS),))


def bored_shaft() -> FeaturePart:
    """A stepped bore with two grooves, from one end of a stepped bar."""
    body = turned(
        (0, 8), (0, 20), (50, 20), (50, 14), (70, 14), (70, 5), (30, 5), (30, 8),
        (20, 8), (20, 9.5), (17, 9.5), (17, 8),
    )  # fmt: skip
    truths = (
        hole((0, 0, 0), 10, 70, axis=AXIS, bore=(16, 30)),
        groove((18.5, 0, 0), 19, 3, 1.5, axis=AXIS, where="internal"),
    )
    return FeaturePart("stepped bore with a groove", body, truths)


def many_meet() -> FeaturePart:
    """Holes from three sides that meet in one chamber."""
    body = block(60, 60, 60) - drill((30, 30, 60), DOWN, 20, 45)
    body -= drill((0, 30, 25), AXIS, 8, 30)
    body -= drill((30, 0, 35), ALONG_Y, 10, 70)
    truths = (
        hole((30, 30, 60), 20, 45, through=False),
        hole((0, 30, 25), 8, 20, axis=AXIS),
        hole((30, 0, 35), 10, 60, axis=ALONG_Y),
    )
    return FeaturePart("holes that meet", body, truths)


def as_splines() -> FeaturePart:
    """The cover with every face a spline, as some systems write them."""
    plain = cover()
    converted = BRepBuilderAPI_NurbsConvert(plain.body.wrapped).Shape()
    return FeaturePart("cover as splines", Compound(converted), plain.features)


def two_bodies() -> FeaturePart:
    """Two bodies in one file, each with a hole, askew in space."""
    one = block(40, 40, 10) - drill((20, 20, 10), DOWN, 8, 20)
    other = brick((60, 0, 0), (100, 40, 15)) - drill((80, 20, 15), DOWN, 6, 7)
    truths = (hole((20, 20, 10), 8, 10), hole((80, 20, 15), 6, 7, through=False))
    return askew(FeaturePart("two bodies", Compound([one, other]), truths))


def plain(name: str, body: Any) -> FeaturePart:
    """Return a part without a feature."""
    return FeaturePart(name, body, ())


def plain_bar() -> FeaturePart:
    """A round bar."""
    return plain("plain bar", rod(30, 60))


def plain_cone() -> FeaturePart:
    """A blunt cone: its side is no chamfer."""
    return plain("plain cone", cone((0, 0, 0), UP, 60, 30, 40))


def plain_steps() -> FeaturePart:
    """A shaft of three diameters: its steps are no bosses."""
    return plain(
        "plain stepped shaft",
        turned((0, 0), (0, 10), (40, 10), (40, 15), (80, 15), (80, 12), (110, 12), (110, 0)),
    )


def plain_angle() -> FeaturePart:
    """An angle: its inner corner is no slot."""
    return plain("plain angle", block(60, 40, 8) + block(8, 40, 50))


def plain_roof() -> FeaturePart:
    """A house: its roof is no pair of chamfers."""
    profile = Polyline((0, 0), (60, 0), (60, 20), (30, 45), (0, 20), close=True)
    return plain("plain roof", extrude(Plane.XZ * make_face(profile), -40))


def plain_tee() -> FeaturePart:
    """A T beam: what is left and right of its web is no slot."""
    return plain("plain tee", block(80, 40, 8) + brick((36, 0, 8), (44, 40, 40)))


def tube() -> FeaturePart:
    """A tube: one hole."""
    body = rod(40, 60) - drill((0, 0, 0), AXIS, 24, 80)
    return FeaturePart("tube", body, (hole((0, 0, 0), 24, 60, axis=AXIS),))


def rounded_shoulders() -> FeaturePart:
    """A shaft with both shoulders of its collar filled and the collar's rims rounded."""
    body = rod(20, 80) + pin((30, 0, 0), AXIS, 40, 12)
    for x in (30, 42):
        body = fillet(edge_at_circle(body, x, 20), 2)
    for x in (30, 42):
        body = fillet(edge_at_circle(body, x, 40), 1)
    left = (-1.0, 0.0, 0.0)
    truths = (
        round_fillet((30, 0, 0), left, 24, 2, side="concave"),
        round_fillet((42, 0, 0), AXIS, 24, 2, side="concave"),
        round_fillet((30, 0, 0), AXIS, 38, 1, side="convex"),
        round_fillet((42, 0, 0), left, 38, 1, side="convex"),
    )
    return FeaturePart("collar with fillets", body, truths)
