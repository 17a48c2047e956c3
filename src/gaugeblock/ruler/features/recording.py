"""What closed and open recesses on a floor share: corners, remarks, and writing them down."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from gaugeblock.records.features import Recess
from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.floors import Floor, Opening
from gaugeblock.ruler.features.forms import cross
from gaugeblock.ruler.features.plans import UPRIGHT, Box2, is_upright
from gaugeblock.ruler.features.sheet import Sheet, triple

Ends = Literal["round", "square", "open", "mixed"]
Kind = Literal["slot", "keyway", "pocket"]


def notes(
    floor: Floor, leans: list[float | None], openings: list[Opening], tolerance: float
) -> list[str]:
    """Return what is odd about a floor, its walls' leans (rad) and the openings over them."""
    findings = []
    steepest = max((abs(angle) for angle in leans if angle is not None), default=0.0)
    if steepest > UPRIGHT:
        findings.append(f"walls lean by up to {math.degrees(steepest):.4g}°: measured at the floor")
    if floor.islands:
        findings.append("an island stands on the floor")
    levels = [opening.level for opening in openings]
    if max(levels) - min(levels) > 4 * tolerance:
        findings.append("its walls are not equally high")
    return findings


def corner_radius(sheet: Sheet, floor: Floor, findings: list[str]) -> float | None:
    """Return the radius of the upright inner corners; None where they are sharp or differ."""
    found = set()
    for number in corners_of(sheet, floor):
        found.add(round(sheet.blends[number].radius / sheet.graph.tolerance))
    if len(found) > 1:
        findings.append("upright corners of several radii")
    if len(found) != 1:
        return None
    return sheet.blends[corners_of(sheet, floor)[0]].radius


def corners_of(sheet: Sheet, floor: Floor) -> list[int]:
    """Return the upright concave fillets between a floor's walls."""
    found = []
    near = [*floor.walls, *(n for side in floor.sides for n in side.blends)]
    for number in near:
        for other in [number, *sheet.graph.neighbours(sheet.graph.regions[number], "smooth")]:
            blend = sheet.blends.get(other)
            if blend is None or blend.treatment != "fillet" or blend.form != "straight":
                continue
            joined = {n for bank in (0, 1) for n in blend.supports(sheet.graph, bank)}
            upright = is_upright(blend.region, floor.axis)
            if blend.side == "concave" and upright and joined & set(floor.walls):
                found.append(other)
    return sorted(set(found))


def runs_along_round_face(sheet: Sheet, opening: int, direction: Floats, axis: Floats) -> bool:
    """Whether a recess opens into a cylinder and runs along its axis."""
    form = sheet.graph.regions[opening].form
    if form.kind != "cylinder":
        return False
    along = float(np.linalg.norm(cross(form.axis, direction))) <= math.sin(UPRIGHT)
    return along and abs(float(form.axis @ axis)) <= math.sin(UPRIGHT)


def add_recess(
    sheet: Sheet,
    floor: Floor,
    kind: Kind,
    box: Box2,
    opening: Opening,
    depth: float,
    ends: Ends | None,
    radius: float | None,
    findings: list[str],
    own: list[int] | None = None,
    whole: bool = True,
) -> None:
    """Write a recess down on the sheet.

    Args:
        sheet: The solid's sheet.
        floor: Its floor.
        kind: What it is.
        box: Its outline.
        opening: Where it opens.
        depth: From there to the floor, mm.
        ends: How a slot or keyway ends.
        radius: Of its upright corners, mm.
        findings: What is odd about it.
        own: Regions of its own beside the floor.
        whole: Whether all walls of the floor are its own too.
    """
    graph, axis = sheet.graph, floor.axis
    corners = corners_of(sheet, floor)
    regions = {floor.region.number, *(own or [])}
    if whole:
        regions |= {*floor.walls, *corners}
    place = box.middle + (opening.level - float(box.middle @ axis)) * axis
    for number in (floor.region.number, *corners):
        sheet.owner.setdefault(number, kind)
    sheet.add(
        Recess(
            id="",
            solid=graph.index,
            faces=graph.faces_of(regions),
            position=triple(place),
            findings=findings,
            kind=kind,
            axis=triple(-axis),
            length=box.length,
            width=box.width,
            depth=depth,
            direction=None if box.direction is None else triple(box.direction),
            ends=ends,
            corner_radius=radius,
        ),
        regions,
    )
