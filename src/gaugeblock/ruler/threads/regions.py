"""Connected threads: one axis may carry several, and each has faces of its own and around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib

from gaugeblock.ruler.facts.mesh import Floats
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.facts.surfaces import Surface
from gaugeblock.ruler.threads.candidates import FREE, Candidate
from gaugeblock.ruler.threads.helix import Bools, Screw
from gaugeblock.ruler.threads.rays import Wall

APART = 0.25
"""Gap along the axis, in leads, from which on two stretches of one helix are two threads. Faces
made turn by turn, or half a turn by half a turn, overlap."""

SQUARE = 1e-6
"""Sine or cosine below which directions count as square or parallel: no ray meets such a plane."""

SHELL = 0.05
"""Part of the depth by which a face may stand out of the thread's shell and still be its own."""


INMOST = 0.9
"""Part of the minor radius within which no side of a triangle may pass: those of a root, 0.3 rad
long, pass at 0.99."""


@dataclass
class Region:
    """One connected group of helical faces with all that is around it."""

    outline: Outline
    screw: Screw
    fitted_lead: float
    """mm, from the surfaces alone; positive for right-hand."""
    members: list[int]
    lands: set[int]
    """Free-form faces without a slope along the axis."""
    wall: Wall
    radii: tuple[float, float]
    """Least and greatest radius of the members, mm."""
    heights: tuple[float, float]
    """Least and greatest height of the members, mm."""

    def faces(self, minor: float, major: float) -> list[int]:
        """Return all faces that are the thread's own: flanks, lands, run-outs.

        Those that share an edge with one that already is, and lie wholly between the minor and
        the major radius and not beyond the ends; free-form ones (run-outs) may lie beyond.

        Args:
            minor: mm.
            major: mm.
        """
        near = [number for number in self.wall.numbers if number not in self.members]
        slack = SHELL * (major - minor)
        low, high = self.wall.extent(near)
        inmost = self.wall.inmost(near)
        reach = abs(self.fitted_lead)
        own = set(self.members)
        waiting = set()
        for i, number in enumerate(near):
            free = self.outline.surfaces[number].kind in FREE
            beyond = reach if free else reach / 2
            if low[i, 0] < minor - slack or high[i, 0] > major + slack:
                continue
            if inmost[i] < INMOST * minor:
                continue
            if low[i, 1] < self.heights[0] - beyond or high[i, 1] > self.heights[1] + beyond:
                continue
            waiting.add(number)
        neighbours = _neighbours(self.outline)
        ring = list(own)
        while ring:
            ring = sorted({n for face in ring for n in neighbours[face] & waiting} - own)
            own.update(ring)
        return sorted(own)

    def span(self, faces: list[int]) -> tuple[float, float]:
        """Return least and greatest height of those of `faces` that are flanks or run-outs, mm."""
        slanted = [
            number
            for number in faces
            if self.outline.surfaces[number].kind in FREE and number not in self.lands
        ]
        low, high = self.wall.extent(slanted)
        return float(low[:, 1].min()), float(high[:, 1].max())


@dataclass(frozen=True)
class Boxes:
    """Boxes of a solid's faces, taken once for all of its threads."""

    low: Floats
    """(n, 3) mm."""
    high: Floats
    """(n, 3) mm."""

    def touching(self, numbers: list[int]) -> Bools:
        """Return which boxes touch the common box of some faces."""
        low, high = self.low[numbers].min(axis=0), self.high[numbers].max(axis=0)
        return np.asarray(((self.low <= high) & (self.high >= low)).all(axis=1))

    def beside(self, screw: Screw, radius: float) -> Bools:
        """Return which boxes may come nearer to an axis than `radius` mm."""
        away = 0.5 * (self.low + self.high) - screw.origin
        off = np.linalg.norm(away - np.outer(away @ screw.axis, screw.axis), axis=1)
        return np.asarray(off <= radius + 0.5 * np.linalg.norm(self.high - self.low, axis=1))


def boxes_of(outline: Outline) -> Boxes:
    """Return the boxes of all faces; they may be too wide."""
    low, high = np.full((len(outline.faces), 3), np.inf), np.full((len(outline.faces), 3), -np.inf)
    for i, face in enumerate(outline.faces):
        box = Bnd_Box()
        BRepBndLib.Add_s(face, box, False)
        if not box.IsVoid():
            low[i], high[i] = box.CornerMin().Coord(), box.CornerMax().Coord()
    return Boxes(low, high)


def regions(outline: Outline, boxes: Boxes, candidate: Candidate) -> list[Region]:
    """Return the connected threads of one screw motion, from the lowest upwards."""
    screw = candidate.screw
    numbers = _around(outline, boxes, candidate)
    wall = Wall(outline, numbers, screw, candidate.radius)
    low, high = wall.extent(candidate.members)
    groups: list[list[int]] = []
    gap = np.array([0.0, APART * abs(screw.lead)])
    for i in range(len(candidate.members)):
        touches = ((low[i] <= high + gap) & (low <= high[i] + gap)).all(axis=1)
        touching = [group for group in groups if touches[group].any()]
        groups = [group for group in groups if group not in touching]
        groups.append([i, *(j for group in touching for j in group)])
    out = [
        Region(
            outline=outline,
            screw=screw,
            fitted_lead=candidate.fitted_lead,
            members=sorted(candidate.members[i] for i in group),
            lands=candidate.lands,
            wall=wall,
            radii=(float(low[group, 0].min()), float(high[group, 0].max())),
            heights=(float(low[group, 1].min()), float(high[group, 1].max())),
        )
        for group in groups
    ]
    return sorted(out, key=lambda region: (region.heights, region.radii))


def _around(outline: Outline, boxes: Boxes, candidate: Candidate) -> list[int]:
    """Return members and all faces that rays might meet near them."""
    members = set(candidate.members)
    near = boxes.touching(candidate.members)
    return [
        i
        for i, surface in enumerate(outline.surfaces)
        if i in members or (near[i] and not _square(surface, candidate.screw))
    ]


def _square(surface: Surface, screw: Screw) -> bool:
    """Whether the surface is a plane across the axis."""
    if surface.kind != "Plane":
        return False
    return bool(np.linalg.norm(np.cross(surface.frame[3], screw.axis)) < SQUARE)


def _neighbours(outline: Outline) -> list[set[int]]:
    """Return for each face those that share an edge with it."""
    of_edge: dict[int, set[int]] = {}
    for face, edge in zip(outline.use_face, outline.use_edge, strict=True):
        of_edge.setdefault(edge, set()).add(face)
    out: list[set[int]] = [set() for _ in outline.faces]
    for faces in of_edge.values():
        for face in faces:
            out[face] |= faces - {face}
    return out
