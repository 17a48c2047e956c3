"""Parts with edges worked all round: rims and floors of recesses, rounded blocks; and odd walls."""

from __future__ import annotations

import math
from typing import Any

from build123d import (
    Align,
    Axis,
    Cone,
    Plane,
    Polyline,
    Sphere,
    chamfer,
    extrude,
    fillet,
    make_face,
)

from gaugeblock.calibration.feature_parts.combined import upright_fillets
from gaugeblock.calibration.feature_parts.part import (
    DOWN,
    FeaturePart,
    Point,
    block,
    obround,
)
from gaugeblock.calibration.feature_parts.recesses import rounded_tool
from gaugeblock.calibration.feature_parts.truth import chamfer as chamfered
from gaugeblock.calibration.feature_parts.truth import fillet as filleted
from gaugeblock.calibration.feature_parts.truth import recess, ring_fillet
from gaugeblock.records.features import Chamfer, Feature

UP = (0.0, 0.0, 1.0)
AXIS = (1.0, 0.0, 0.0)
ALONG_Y = (0.0, 1.0, 0.0)
LEFT, BACK = (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)


def level_edges(body: Any, height: float, low: Point, high: Point) -> list[Any]:
    """Return the edges at a height whose middles lie between two corners (x, y)."""
    return [
        edge
        for edge in body.edges()
        if edge.bounding_box().size.Z < 1e-6
        and abs(edge.center().Z - height) < 1e-6
        and low[0] < edge.center().X < high[0]
        and low[1] < edge.center().Y < high[1]
    ]


def diagonal(x: int, y: int) -> Point:
    """Return the unit vector halfway between two axes."""
    return x * math.sqrt(0.5), y * math.sqrt(0.5), 0.0


def rounded_floor() -> FeaturePart:
    """A pocket whose floor runs into its walls with a radius."""
    body = block(80, 60, 20) - rounded_tool((40, 30, 20), 40, 30, 6, 10)
    body = fillet(level_edges(body, 10, (15, 10, 0), (65, 50, 0)), 2)
    truths: list[Feature] = [
        recess("pocket", (40, 30, 20), 40, 30, 10, lengthwise=AXIS, corner=6),
        filleted((20, 30, 10), (AXIS, UP), 2, 18, along=ALONG_Y, side="concave"),
        filleted((60, 30, 10), (LEFT, UP), 2, 18, along=ALONG_Y, side="concave"),
        filleted((40, 15, 10), (ALONG_Y, UP), 2, 28, along=AXIS, side="concave"),
        filleted((40, 45, 10), (BACK, UP), 2, 28, along=AXIS, side="concave"),
    ]
    for x, i in ((26.0, -1), (54.0, 1)):
        for y, j in ((21.0, -1), (39.0, 1)):
            truths.append(ring_fillet((x, y, 10), diagonal(i, j), UP, 8, 2, side="concave"))
    return FeaturePart("pocket with a rounded floor", body, tuple(truths))


def bevelled_rim() -> FeaturePart:
    """A slot whose rim is bevelled all round."""
    body = block(80, 60, 20) - obround((40, 30, 20), DOWN, AXIS, 30, 10, 6)
    body = chamfer(level_edges(body, 20, (20, 20, 0), (60, 40, 0)), 1)

    def end(x: float) -> Chamfer:
        return Chamfer(
            id="truth", solid=0, faces=[], position=(x, 30, 19.5), form="round", side="convex",
            legs=(1, 1), angle=45, axis=DOWN, diameter=12, length=math.pi * 5,
        )  # fmt: skip

    truths = (
        recess("slot", (40, 30, 20), 30, 10, 6, lengthwise=AXIS, ends="round"),
        chamfered((40, 25, 20), (BACK, DOWN), (1, 1), 20, along=AXIS),
        chamfered((40, 35, 20), (ALONG_Y, DOWN), (1, 1), 20, along=AXIS),
        end(24.5),
        end(55.5),
    )
    return FeaturePart("slot with a bevelled rim", body, truths)


def rounded_top() -> FeaturePart:
    """A block with rounded upright edges, its upper edge rounded all round as well."""
    body = fillet(block(80, 60, 20).edges().filter_by(Axis.Z), 8)
    body = fillet(body.faces().sort_by(Axis.Z)[-1].edges(), 2)
    truths: list[Feature] = [
        *upright_fillets(80, 60, 18, 8),
        filleted((0, 30, 20), (AXIS, DOWN), 2, 44, along=ALONG_Y),
        filleted((80, 30, 20), (LEFT, DOWN), 2, 44, along=ALONG_Y),
        filleted((40, 0, 20), (ALONG_Y, DOWN), 2, 64, along=AXIS),
        filleted((40, 60, 20), (BACK, DOWN), 2, 64, along=AXIS),
    ]
    for x, i in ((8.0, -1), (72.0, 1)):
        for y, j in ((8.0, -1), (52.0, 1)):
            truths.append(ring_fillet((x, y, 20), diagonal(i, j), DOWN, 12, 2, side="convex"))
    return FeaturePart("rounded block", body, tuple(truths))


def extruded(*profile: tuple[float, float]) -> Any:
    """Return a body of one section (x, z) and 40 mm along Y."""
    return extrude(Plane.XZ * make_face(Polyline(*profile, close=True)), -40)


def dovetail() -> FeaturePart:
    """A dovetail slot: its walls lean inwards."""
    body = extruded(
        (0, 0), (60, 0), (60, 20), (40, 20), (45, 10), (15, 10), (20, 20), (0, 20)
    )  # fmt: skip
    truth = recess("slot", (30, 20, 20), 40, 20, 10, lengthwise=ALONG_Y, ends="open")
    return FeaturePart("dovetail slot", body, (truth,))


def t_slot() -> FeaturePart:
    """A T-slot of a machine table."""
    body = extruded(
        (0, 0), (60, 0), (60, 30), (35, 30), (35, 20), (42, 20), (42, 12), (18, 12), (18, 20),
        (25, 20), (25, 30), (0, 30),
    )  # fmt: skip
    truth = recess("slot", (30, 20, 30), 40, 10, 18, lengthwise=ALONG_Y, ends="open")
    return FeaturePart("T-slot", body, (truth,))


def tapered() -> FeaturePart:
    """A tapered hole has no diameter: no certain answer."""
    tool = Plane(origin=(30, 20, 20)) * Cone(6, 4, 40, align=(Align.CENTER,) * 3)
    return FeaturePart("tapered hole", block(60, 40, 20) - tool, (), unclear=1)


def dimple() -> FeaturePart:
    """A dimple of a ball is no hole with a wall: no certain answer."""
    tool = Plane(origin=(30, 20, 20)) * Sphere(8)
    return FeaturePart("round dimple", block(60, 40, 20) - tool, (), unclear=1)
