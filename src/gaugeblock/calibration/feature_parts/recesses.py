"""Parts with bosses and with what is milled: slots, keyways, pockets, breakthroughs."""

from __future__ import annotations

from build123d import Axis, Plane, RectangleRounded, extrude, fillet

from gaugeblock.calibration.feature_parts.part import (
    DOWN,
    OVER,
    FeaturePart,
    Point,
    askew,
    block,
    brick,
    drill,
    obround,
    pin,
    rod,
)
from gaugeblock.calibration.feature_parts.truth import boss, hole, recess, round_fillet
from gaugeblock.calibration.feature_parts.truth import fillet as filleted
from gaugeblock.records.features import Feature

LENGTHWISE = (1.0, 0.0, 0.0)
UP = (0.0, 0.0, 1.0)


def rounded_tool(at: Point, length: float, width: float, corner: float, depth: float) -> object:
    """Return a tool with rounded upright corners from above `at` to `depth` below it."""
    plane = Plane(origin=at).offset(OVER)
    return extrude(plane * RectangleRounded(length, width, corner), -(depth + OVER))


def round_boss() -> FeaturePart:
    """A round boss on a plate."""
    body = block(60, 40, 10) + pin((30, 20, 10), UP, 20, 12)
    return FeaturePart("round boss", body, (boss((30, 20, 10), 12, diameter=20),))


def square_boss() -> FeaturePart:
    """A boss of straight sides."""
    body = block(60, 40, 10) + brick((18, 12, 10), (42, 28, 18))
    return FeaturePart("prismatic boss", body, (boss((30, 20, 10), 8, size=(24, 16)),))


def bored_boss() -> FeaturePart:
    """A boss with a hole through it and the plate."""
    body = block(60, 40, 10) + pin((30, 20, 10), UP, 20, 12) - drill((30, 20, 22), DOWN, 8, 30)
    truths: tuple[Feature, ...] = (boss((30, 20, 10), 12, diameter=20), hole((30, 20, 22), 8, 22))
    return FeaturePart("boss with a hole", body, truths)


def boss_with_fillet() -> FeaturePart:
    """A boss whose foot is rounded out."""
    body = block(60, 40, 10) + pin((30, 20, 10), UP, 20, 12)
    foot = [e for e in body.edges().filter_by(lambda e: e.geom_type.name == "CIRCLE")
            if abs(e.center().Z - 10) < 1e-6]  # fmt: skip
    body = fillet(foot, 2)
    truths: tuple[Feature, ...] = (
        boss((30, 20, 10), 12, diameter=20),
        round_fillet((30, 20, 10), UP, 24, 2, side="concave"),
    )
    return FeaturePart("boss with a rounded foot", body, truths)


def boss_below() -> FeaturePart:
    """Bosses on both sides of a plate, askew in space."""
    body = block(60, 40, 10) + pin((15, 20, 10), UP, 12, 8) + pin((45, 20, 0), DOWN, 16, 5)
    truths: tuple[Feature, ...] = (
        boss((15, 20, 10), 8, diameter=12),
        boss((45, 20, 0), 5, diameter=16, axis=DOWN),
    )
    return askew(FeaturePart("bosses on both sides", body, truths))


def slot() -> FeaturePart:
    """A slot with round ends and a floor."""
    body = block(60, 40, 15) - obround((30, 20, 15), DOWN, LENGTHWISE, 30, 8, 5)
    truth = recess("slot", (30, 20, 15), 30, 8, 5, lengthwise=LENGTHWISE, ends="round")
    return FeaturePart("slot, round ends", body, (truth,))


def slot_through() -> FeaturePart:
    """A slot with round ends that goes through."""
    body = block(60, 40, 15) - obround((30, 20, 15), DOWN, LENGTHWISE, 30, 8, 20)
    truth = recess(
        "slot", (30, 20, 15), 30, 8, 15, lengthwise=LENGTHWISE, ends="round", through=True
    )
    return FeaturePart("slot through", body, (truth,))


def slot_open() -> FeaturePart:
    """A slot from side to side."""
    body = block(60, 40, 15) - brick((26, -1, 9), (34, 41, 16))
    truth = recess("slot", (30, 20, 15), 40, 8, 6, lengthwise=(0, 1, 0), ends="open")
    return FeaturePart("slot, open ends", body, (truth,))


def slot_and_hole() -> FeaturePart:
    """A slot whose floor a hole interrupts."""
    body = (
        block(60, 40, 15)
        - obround((30, 20, 15), DOWN, LENGTHWISE, 30, 8, 5)
        - drill((30, 20, 10), DOWN, 4, 15)
    )
    truths: tuple[Feature, ...] = (
        recess("slot", (30, 20, 15), 30, 8, 5, lengthwise=LENGTHWISE, ends="round"),
        hole((30, 20, 10), 4, 10),
    )
    return FeaturePart("slot with a hole", body, truths)


def keyway() -> FeaturePart:
    """A keyway with round ends in a shaft (DIN 6885, form A)."""
    body = rod(30, 80) - obround((30, 0, 15), DOWN, LENGTHWISE, 32, 8, 4)
    truth = recess("keyway", (30, 0, 15), 32, 8, 4, lengthwise=LENGTHWISE, ends="round")
    return FeaturePart("keyway, round ends", body, (truth,))


def keyway_open() -> FeaturePart:
    """A keyway that runs out of a shaft's end."""
    body = rod(30, 80) - brick((-1, -4, 11), (25, 4, 16))
    truth = recess("keyway", (12.5, 0, 15), 25, 8, 4, lengthwise=LENGTHWISE, ends="mixed")
    return FeaturePart("keyway, open end", body, (truth,))


def pocket() -> FeaturePart:
    """A milled pocket with rounded corners."""
    body = block(60, 40, 20) - rounded_tool((30, 20, 20), 30, 20, 4, 6)
    truth = recess("pocket", (30, 20, 20), 30, 20, 6, lengthwise=LENGTHWISE, corner=4)
    return FeaturePart("pocket", body, (truth,))


def pocket_sharp() -> FeaturePart:
    """A pocket with sharp corners."""
    body = block(60, 40, 20) - brick((15, 10, 14), (45, 30, 21))
    truth = recess("pocket", (30, 20, 20), 30, 20, 6, lengthwise=LENGTHWISE)
    return FeaturePart("pocket, sharp corners", body, (truth,))


def pocket_askew() -> FeaturePart:
    """A pocket and a slot on a part that lies askew in space."""
    body = (
        block(80, 40, 20)
        - rounded_tool((25, 20, 20), 30, 20, 4, 6)
        - obround((62, 20, 20), DOWN, (0, 1, 0), 24, 6, 3)
    )
    truths: tuple[Feature, ...] = (
        recess("pocket", (25, 20, 20), 30, 20, 6, lengthwise=LENGTHWISE, corner=4),
        recess("slot", (62, 20, 20), 24, 6, 3, lengthwise=(0, 1, 0), ends="round"),
    )
    return askew(FeaturePart("pocket and slot askew in space", body, truths))


def pocket_interrupted() -> FeaturePart:
    """A pocket whose wall a hole from the side breaks through."""
    body = (
        block(60, 40, 20)
        - rounded_tool((30, 20, 20), 30, 20, 4, 10)
        - drill((0, 20, 15), LENGTHWISE, 5, 20)
    )
    truths: tuple[Feature, ...] = (
        recess("pocket", (30, 20, 20), 30, 20, 10, lengthwise=LENGTHWISE, corner=4),
        hole((0, 20, 15), 5, 15, axis=LENGTHWISE),
    )
    return FeaturePart("pocket with a side hole", body, truths)


def breakthrough() -> FeaturePart:
    """A window through a plate."""
    body = block(60, 40, 10) - rounded_tool((30, 20, 10), 24, 16, 3, 20)
    truth = recess(
        "breakthrough", (30, 20, 10), 24, 16, 10, lengthwise=LENGTHWISE, corner=3, through=True
    )
    return FeaturePart("breakthrough", body, (truth,))


def housing() -> FeaturePart:
    """A box open at the top: one large pocket, with rounded upright edges outside."""
    body = fillet(block(80, 60, 40).edges().filter_by(Axis.Z), 8)
    body -= rounded_tool((40, 30, 40), 70, 50, 5, 35)
    into = {-1: (-1.0, 0.0, 0.0), 1: (1.0, 0.0, 0.0)}
    across = {-1: (0.0, -1.0, 0.0), 1: (0.0, 1.0, 0.0)}
    edges = [
        filleted((x, y, 20), (into[i], across[j]), 8, 40, along=UP)
        for x, i in ((0.0, 1), (80.0, -1))
        for y, j in ((0.0, 1), (60.0, -1))
    ]
    truths: tuple[Feature, ...] = (
        recess("pocket", (40, 30, 40), 70, 50, 35, lengthwise=LENGTHWISE, corner=5),
        *edges,
    )
    return FeaturePart("housing", body, truths)
