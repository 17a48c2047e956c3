"""Parts with modelled threads: a ridge of the basic profile swept along a helix, not by our ruler.

The axial section is a trapezoid of 60° with a crest of P/8 on the major diameter and a root of P/4
on the minor one, d − 1.0825 P (ISO 68-1). A helix moves its section by a screw, so the section is
the same all along. What a thread is cut into is a feature of its own: the hole before tapping, the
stud.
"""

from __future__ import annotations

import math
from typing import Any

from build123d import Helix, Plane, Polyline, Pos, make_face, sweep

from gaugeblock.calibration.feature_parts.part import DOWN, FeaturePart, askew, block, drill, pin
from gaugeblock.calibration.feature_parts.truth import boss, hole, thread
from gaugeblock.records.features import Feature

UP = (0.0, 0.0, 1.0)

SUNK = 0.05
"""How far a ridge reaches into its core, mm: bodies that only touch do not fuse."""

TOOTH = 5 / 8 * math.sqrt(3)
"""Difference of major and minor diameter over the pitch: 2 · 5/8 · H, H = √3/2 P (ISO 68-1)."""


def ridge(
    major: float, pitch: float, height: float, *, left: bool = False, lead: float | None = None
) -> Any:
    """Return the ridge of an external thread about Z from the origin up; `lead`: of many starts."""
    outer = major / 2
    inner = outer - TOOTH * pitch / 2
    wide = SUNK * math.tan(math.radians(30))
    half, crest = 0.375 * pitch + wide, pitch / 16
    section = Polyline(
        (inner - SUNK, -half), (outer, -crest), (outer, crest), (inner - SUNK, half), close=True
    )
    path = Helix(pitch=lead or pitch, height=height, radius=inner, lefthand=left)
    return sweep(Plane.XZ * make_face(section), path=path, is_frenet=True)


def bolt(major: float, pitch: float, length: float, *, left: bool = False) -> Any:
    """Return a threaded rod about Z, cut flat at both ends."""
    core = pin((0, 0, -3 * pitch), UP, major - TOOTH * pitch, length + 6 * pitch)
    wound = core + Pos(0, 0, -2 * pitch) * ridge(major, pitch, length + 4 * pitch, left=left)
    return (wound & pin((0, 0, 0), UP, 2 * major, length)).solids()[0]


def rod() -> FeaturePart:
    """A threaded rod M10, askew in space."""
    truth = thread((0, 0, 5), "M10x1.5", 10, 1.5, 10, axis=UP)
    return askew(FeaturePart("threaded rod", bolt(10, 1.5, 10), (truth,)))


def left_handed() -> FeaturePart:
    """A left-hand fine thread on a shouldered pin."""
    body = bolt(12, 1.25, 8, left=True) + pin((0, 0, -10), UP, 20, 10)
    truths = (
        thread((0, 0, 4), "M12x1.25", 12, 1.25, 8, axis=UP, left=True),
        boss((0, 0, 0), 8, diameter=12),
    )
    return FeaturePart("left-hand thread", body, truths)


def tapped() -> FeaturePart:
    """A tapped hole through a plate: the block less a threaded rod."""
    body = block(30, 30, 7) - Pos(15, 15, -1) * bolt(8, 1.25, 9)
    truths: tuple[Feature, ...] = (
        thread((15, 15, 3.5), "M8x1.25", 8, 1.25, 7, axis=DOWN, internal=True),
        hole((15, 15, 7), 8 - TOOTH * 1.25, 7),
    )
    return FeaturePart("tapped hole", body, truths)


def beside_others() -> FeaturePart:
    """A threaded stud that stands on a plate with plain holes."""
    body = block(40, 30, 8) - drill((8, 8, 8), DOWN, 5, 12)
    body += Pos(25, 15, 8) * bolt(8, 1.25, 8)
    truths: tuple[Feature, ...] = (
        thread((25, 15, 12), "M8x1.25", 8, 1.25, 8, axis=UP),
        boss((25, 15, 8), 8, diameter=8),
        hole((8, 8, 8), 5, 8),
    )
    return FeaturePart("stud on a plate", body, truths)
