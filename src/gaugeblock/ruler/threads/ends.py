"""Which end of a thread comes first, and whether a tapped hole goes through.

Lines beside the axis are cut with the solid's other faces (the kernel's exact line intersection).
A screw starts where its core soon ends; a tapped hole starts where it opens. Whether the axis is
in the material is so seen a second time: the faces of an inside-out solid make a screw of a tapped
hole, but then its core has no end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from OCP.BRep import BRep_Builder
from OCP.gp import gp_Dir, gp_Lin, gp_Pnt
from OCP.IntCurvesFace import IntCurvesFace_ShapeIntersector
from OCP.TopoDS import TopoDS_Compound

from gaugeblock.ruler.facts.mesh import Floats
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.threads.helix import Screw
from gaugeblock.ruler.threads.regions import Boxes

BESIDE = 0.5
"""Where the lines run in a tapped hole, as a part of the minor radius."""

UNDER = (0.999, 0.15)
"""Where they run in a screw: from so far under the root, as a part of the minor radius, at most so
deep. In a thin tube they run in the middle of the wall."""

AZIMUTHS = (0.5, 2.6, 4.7)
"""Angles of the lines in rad; of three, one may meet a cross hole or a slot."""

NEAR = 1.5
"""A wall within this many major radii closes a hole round about; the opposite wall of a housing,
seen through the open end, is farther."""

BEFORE = 0.05
"""How far before a line's end its surroundings are looked at, in major radii."""

SAME = 1e-3
"""Part of the major radius within which both ends of a screw's core are equally near."""

TOLERANCE = 1e-7
"""The kernel's confusion distance, mm."""


@dataclass(frozen=True)
class Ends:
    """A thread seen from its first end."""

    axis: Floats
    """(3,) unit direction into the thread."""
    through: bool | None
    """Whether a tapped hole opens at both ends; None for screws."""
    absurd: str | None
    """Why no sound solid can have such a thread."""


def ends_of(
    outline: Outline, boxes: Boxes, claimed: set[int], screw: Screw, span: tuple[float, float],
    radii: tuple[float, float], internal: bool,
) -> Ends:  # fmt: skip
    """Return a thread's ends.

    Args:
        outline: The solid.
        boxes: Of its faces.
        claimed: The thread's own faces, which no line beside the axis meets.
        screw: Its axis.
        span: Heights of both ends on it, mm.
        radii: Minor and major radius, mm.
        internal: Whether it is in a bore.
    """
    near = np.flatnonzero(boxes.beside(screw, NEAR * radii[1]))
    lines = _Lines([outline.faces[i] for i in near if i not in claimed])
    if internal:
        shut = [_shut(lines, screw, span, radii, sign) for sign in (-1, 1)]
        upward = _canonical(screw.axis) if shut[0] == shut[1] else shut[1]
        through: bool | None = not any(shut)
        absurd = "in a closed cavity" if all(shut) else None
    else:
        down, up = (_core(lines, screw, span, radii[0], sign) for sign in (-1, 1))
        even = abs(up - down) <= SAME * radii[1] or up == down
        upward, through = _canonical(screw.axis) if even else down < up, None
        absurd = None if math.isfinite(down + up) else "on a core without end"
    axis = screw.axis if upward else -screw.axis
    return Ends(axis, through, absurd)


def _canonical(axis: Floats) -> bool:
    """Whether an axis without a preferred sense points along its longest component."""
    return bool(axis[np.argmax(np.abs(np.round(axis, 9)))] > 0)


class _Lines:
    """Cuts lines with some faces."""

    def __init__(self, faces: list[Any]) -> None:
        builder, some = BRep_Builder(), TopoDS_Compound()
        builder.MakeCompound(some)
        for face in faces:
            builder.Add(some, face)
        self.cutter = IntCurvesFace_ShapeIntersector()
        self.cutter.Load(some, TOLERANCE)

    def first(self, start: Floats, direction: Floats) -> float:
        """Return the distance in mm to the first face from a point; infinity: none."""
        line = gp_Lin(gp_Pnt(*start.tolist()), gp_Dir(*direction.tolist()))
        self.cutter.Perform(line, 0.0, 1e10)
        if not self.cutter.IsDone():
            return math.inf
        number = range(1, self.cutter.NbPnt() + 1)
        return min((float(self.cutter.WParameter(i)) for i in number), default=math.inf)


def _beside(screw: Screw, radius: float, azimuth: float, height: float) -> Floats:
    x, y = screw.across()
    away = radius * (math.cos(azimuth) * x + math.sin(azimuth) * y)
    return np.asarray(screw.origin + height * screw.axis + away)


def _core(lines: _Lines, screw: Screw, span: tuple[float, float], minor: float, sign: int) -> float:
    """Return how far a screw's core goes on beyond one end, mm."""
    middle, top = 0.5 * (span[0] + span[1]), UNDER[0] * minor
    reach = []
    for at in AZIMUTHS:
        root = _beside(screw, top, at, middle)
        inward = _beside(screw, 0.0, at, middle) - root
        wall = lines.first(root, inward / top)
        start = root + inward / top * min(UNDER[1] * minor, 0.5 * wall)
        reach.append(lines.first(start, sign * screw.axis))
    return float(np.median(reach)) - 0.5 * (span[1] - span[0])


def _shut(
    lines: _Lines, screw: Screw, span: tuple[float, float], radii: tuple[float, float], sign: int
) -> bool:
    """Whether a tapped hole ends in the material beyond one end."""
    middle = 0.5 * (span[0] + span[1])
    votes = []
    for at in AZIMUTHS:
        start = _beside(screw, BESIDE * radii[0], at, middle)
        depth = lines.first(start, sign * screw.axis)
        if not math.isfinite(depth):
            votes.append(False)
            continue
        height = middle + sign * (depth - BEFORE * radii[1])
        if span[0] <= height <= span[1]:
            votes.append(True)  # the thread itself goes to the floor
            continue
        x, y = screw.across()
        centre = screw.origin + height * screw.axis
        walls = [
            lines.first(centre, math.cos(turn) * x + math.sin(turn) * y) <= NEAR * radii[1]
            for turn in AZIMUTHS
        ]
        votes.append(sum(walls) >= 2)
    return sum(votes) >= 2
