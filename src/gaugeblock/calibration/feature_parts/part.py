"""One part with the features it was given. Lengths in mm, angles in degrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from build123d import (
    Align,
    Box,
    Cone,
    Cylinder,
    Plane,
    Pos,
    Rot,
    SlotOverall,
    Sphere,
    extrude,
)

from gaugeblock.records.features import Feature

Point = tuple[float, float, float]

LOW = (Align.MIN, Align.MIN, Align.MIN)
FOOT = (Align.CENTER, Align.CENTER, Align.MIN)

OVER = 1.0
"""How far a tool sticks out of the face it enters by, mm."""

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
DOWN = (0.0, 0.0, -1.0)


@dataclass(frozen=True)
class FeaturePart:
    """A body and all of its features."""

    name: str
    body: Any
    """A build123d shape."""
    features: tuple[Feature, ...]
    """Known from how the body was made; nothing here was measured."""
    unclear: int = 0
    """Places of which the right answer is that there is none."""


def block(length: float, width: float, height: float) -> Any:
    """Return a box with one corner in the origin."""
    return Box(length, width, height, align=LOW)


def rod(diameter: float, length: float) -> Any:
    """Return a round bar along X from the origin."""
    return Plane(origin=(0, 0, 0), z_dir=X) * Cylinder(diameter / 2, length, align=FOOT)


def drill(at: Point, along: Point, diameter: float, depth: float, over: float = OVER) -> Any:
    """Return a round tool from `over` before `at` to `depth` behind it."""
    return _placed(at, along, -over) * Cylinder(diameter / 2, depth + over, align=FOOT)


def pin(at: Point, along: Point, diameter: float, height: float) -> Any:
    """Return a round piece that stands on `at`."""
    return _placed(at, along) * Cylinder(diameter / 2, height, align=FOOT)


def cone(at: Point, along: Point, first: float, last: float, length: float) -> Any:
    """Return a conical tool: diameter `first` at `at`, `last` after `length`."""
    return _placed(at, along) * Cone(first / 2, last / 2, length, align=FOOT)


def ball(at: Point, diameter: float) -> Any:
    """Return a ball about `at`."""
    return Plane(origin=at) * Sphere(diameter / 2)


def brick(low: Point, high: Point) -> Any:
    """Return a box between two corners."""
    size = [b - a for a, b in zip(low, high, strict=True)]
    return Plane(origin=low) * Box(*size, align=LOW)


def obround(at: Point, along: Point, lengthwise: Point, length: float, width: float,
            depth: float) -> Any:  # fmt: skip
    """Return a tool with round ends from `OVER` before `at` to `depth` behind it."""
    plane = Plane(origin=at, x_dir=lengthwise, z_dir=along).offset(-OVER)
    return extrude(plane * SlotOverall(length, width), depth + OVER, dir=along)


def askew(part: FeaturePart) -> FeaturePart:
    """Return the same part turned about all three axes and shifted."""
    return moved_to(part, Pos(70, -140, 35) * Rot(20, 35, 50))


def moved_to(part: FeaturePart, place: Any) -> FeaturePart:
    """Return the same part moved by a build123d location."""
    matrix = place.wrapped.Transformation()
    turn = np.array([[matrix.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)])
    shift = np.array([matrix.Value(i, 4) for i in (1, 2, 3)])

    def moved(feature: Feature) -> Feature:
        changed = {"position": tuple((turn @ np.array(feature.position) + shift).tolist())}
        for name in ("axis", "direction"):
            vector = getattr(feature, name, None)
            if vector is not None:
                changed[name] = tuple((turn @ np.array(vector)).tolist())
        return feature.model_copy(update=changed)

    return FeaturePart(part.name, place * part.body, tuple(map(moved, part.features)))


def _placed(at: Point, along: Point, offset: float = 0.0) -> Plane:
    return Plane(origin=at, z_dir=along).offset(offset)
