"""Floors that are open at a side: slots between walls that face each other, and broken pockets.

Two walls with a wall across both ends are a pocket that something opens at a side; they are taken
first. What is left of facing walls are slots.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.coaxial import PARALLEL
from gaugeblock.ruler.features.floors import Floor, Side, opening_over
from gaugeblock.ruler.features.forms import cross, unit
from gaugeblock.ruler.features.graph import Region
from gaugeblock.ruler.features.plans import (
    ROUND_END,
    UPRIGHT,
    Box2,
    arc_of,
    faces_each_other,
    is_upright,
    lean,
    stands_at,
)
from gaugeblock.ruler.features.recording import (
    Ends,
    Kind,
    add_recess,
    corner_radius,
    corners_of,
    notes,
    runs_along_round_face,
)
from gaugeblock.ruler.features.sheet import Sheet

MOST_SLOTS = 2
"""Slots read on one floor, as they cross or join. More facing walls allow more than one reading."""

LOOKS_UP = 0.9
"""Cosine of the angle that faces beside a slot of sloping walls may be turned from its floor. The
slope of a gusset is no floor: the legs that it lies between end in faces at 45° to it."""

Closing = tuple[Literal["round", "square"], int]
"""How an end is closed, and the first wall there."""


@dataclass
class _Pair:
    """Two walls that face each other, each as the pieces that lie in one plane."""

    one: list[int]
    two: list[int]
    along: Floats
    across: Floats
    reach: list[float]
    """Start and end along `along`, mm."""
    closed: list[Closing | None]
    """How both ends are closed; None: open."""


def add_open_recess(sheet: Sheet, floor: Floor) -> None:
    """Add the slots and broken pockets on a floor that is open at a side."""
    straight: dict[int, list[Side]] = {}
    for side in floor.sides:
        if side.wall is not None and sheet.graph.regions[side.wall].kind == "plane":
            straight.setdefault(side.wall, []).append(side)
    pairs = _pairs(sheet, floor, straight)
    used: set[int] = set()
    for pair in pairs:
        ends = [closing[1] for closing in pair.closed if closing and closing[0] == "square"]
        if len(ends) == 2 and not used & {pair.one[0], pair.two[0]}:
            used |= {pair.one[0], pair.two[0], *ends}
            _add(sheet, floor, pair, alone=len(pairs) <= 2)
    left = [pair for pair in pairs if not used & {pair.one[0], pair.two[0]}]
    if len(left) > MOST_SLOTS:
        sheet.refuse(
            "open-recess",
            [floor.region.number, *floor.walls],
            "an open recess whose walls allow more than one reading",
        )
        for number in (floor.region.number, *floor.walls):
            sheet.owner.setdefault(number, "refused")
        return
    for pair in left:
        _add(sheet, floor, pair, alone=len(pairs) == 1)


def _pairs(sheet: Sheet, floor: Floor, straight: dict[int, list[Side]]) -> list[_Pair]:
    graph, axis = sheet.graph, floor.axis
    lines = _lines(sheet, straight)
    ground = float(floor.region.form.origin @ axis)
    facing = [
        (one, two)
        for i, one in enumerate(lines)
        for two in lines[i + 1 :]
        if faces_each_other(graph.regions[one[0]], graph.regions[two[0]], axis, ground)
        and _beside(sheet, floor, straight, one, two)
    ]
    pairs = []
    for one, two in facing:
        normal = graph.regions[one[0]].form.axis
        across = np.asarray(unit(normal - (normal @ axis) * axis))
        along = cross(axis, across)
        feet = np.concatenate([_points(straight, one), _points(straight, two)])
        reach = [float((feet @ along).min()), float((feet @ along).max())]
        pair = _Pair(one, two, along, across, reach, [None, None])
        _close_ends(sheet, floor, pair, alone=len(facing) == 1)
        pairs.append(pair)
    return pairs


def _lines(sheet: Sheet, straight: dict[int, list[Side]]) -> list[list[int]]:
    """Return plane walls grouped by plane: pieces of one wall that something interrupts."""
    graph = sheet.graph
    lines: list[list[int]] = []
    for number in straight:
        form = graph.regions[number].form
        for line in lines:
            other = graph.regions[line[0]].form
            same = float(form.axis @ other.axis) > math.cos(PARALLEL)
            if same and abs(other.distance(form.origin[None])[0]) <= 4 * graph.tolerance:
                line.append(number)
                break
        else:
            lines.append([number])
    return lines


def _points(straight: dict[int, list[Side]], line: list[int]) -> Floats:
    return np.concatenate([side.points for number in line for side in straight[number]])


def _beside(
    sheet: Sheet, floor: Floor, straight: dict[int, list[Side]], one: list[int], two: list[int]
) -> bool:
    """Whether two walls lie beside each other along their length."""
    along = unit(cross(floor.axis, sheet.graph.regions[one[0]].form.axis))
    spans = [_points(straight, line) @ along for line in (one, two)]
    shared = min(span.max() for span in spans) - max(span.min() for span in spans)
    return bool(shared > 0.5 * min(float(np.ptp(span)) for span in spans))


def _close_ends(sheet: Sheet, floor: Floor, pair: _Pair, alone: bool) -> None:
    """Find how a pair's ends are closed, and extend its reach to what closes them.

    A lone pair is closed by any wall across it, and open ends reach as far as the floor; one of
    several only by walls where its own end.
    """
    graph, axis, along, reach = sheet.graph, floor.axis, pair.along, pair.reach
    corner = max((sheet.blends[n].radius for n in corners_of(sheet, floor)), default=0.0)
    near = corner + 4 * graph.tolerance
    bounds = list(reach)
    for side in floor.sides:
        if side.wall is None:
            if alone and side.open and not side.bore:
                spread = side.points @ along
                reach[0] = min(reach[0], float(spread.min()))
                reach[1] = max(reach[1], float(spread.max()))
            continue
        wall = graph.regions[side.wall]
        place = float((side.points @ along).mean())
        if wall.kind == "plane":
            facing = float(wall.form.axis @ along)
            at = 0 if facing > 0 else 1
            if abs(facing) > math.cos(UPRIGHT) and (alone or abs(place - bounds[at]) <= near):
                pair.closed[at] = ("square", side.wall)
                reach[at] = place
        elif wall.kind == "cylinder" and is_upright(wall, axis) and side.wall not in sheet.blends:
            foot = [other.points for other in floor.sides if other.wall == side.wall]
            arc = arc_of(wall, axis, np.concatenate(foot))
            if arc.extent < ROUND_END or wall.outward > 0:
                continue
            centre = float(arc.centre @ along)
            at = 0 if centre < 0.5 * sum(bounds) else 1
            pair.closed[at] = ("round", side.wall)
            reach[at] = centre + (1 if at else -1) * arc.radius


def _add(sheet: Sheet, floor: Floor, pair: _Pair, alone: bool) -> None:
    graph, axis, across, reach = sheet.graph, floor.axis, pair.across, pair.reach
    a, b = graph.regions[pair.one[0]], graph.regions[pair.two[0]]
    ground = float(floor.region.form.origin @ axis)
    places = [stands_at(wall, across, axis, ground) for wall in (a, b)]
    middle = 0.5 * sum(reach) * pair.along + 0.5 * sum(places) * across
    opened = [opening_over(sheet, wall, axis, middle) for wall in (a, b)]
    openings = [opening for opening in opened if opening is not None]
    if len(openings) < 2:
        return
    opening = min(openings, key=lambda o: o.level)
    depth = opening.level - ground
    if depth <= graph.tolerance:
        return
    findings = notes(floor, [], openings, graph.tolerance)
    width = _gap(a, b, across, axis, opening.level)
    leans = [lean(wall, axis) or 0.0 for wall in (a, b)]
    if max(leans) > UPRIGHT and not all(_looks_up(sheet, o.region, axis) for o in openings):
        return
    if any(abs(angle) > UPRIGHT for angle in leans):
        angle = 90 + math.degrees(min(leans))
        word = "dovetail" if max(leans) < 0 else "sloping walls"
        bottom = _gap(a, b, across, axis, ground)
        findings.append(f"{word}: {angle:.4g}° to the floor, {bottom:.6g} mm wide there")
    throat = [number for each in openings for number in each.throat]
    if len(throat) == 2:
        one, two = (graph.regions[number] for number in throat)
        findings.append(f"T-slot: its foot is {width:.6g} mm wide")
        width = _gap(one, two, across, axis, opening.level)
    shut = [closing[0] for closing in pair.closed if closing is not None]
    kind, ends = _named(shut)
    if kind == "pocket":
        findings.append("open at a side")
    elif runs_along_round_face(sheet, opening.region, pair.along, axis):
        kind = "keyway"
    box = Box2(reach[1] - reach[0], width, pair.along, middle)
    if kind == "pocket" and box.width > box.length:
        box = Box2(box.width, box.length, across, middle)
    radius = corner_radius(sheet, floor, findings)
    across_ends = [closing[1] for closing in pair.closed if closing is not None]
    own = throat if alone else [*pair.one, *pair.two, *across_ends, *throat]
    add_recess(sheet, floor, kind, box, opening, depth, ends, radius, findings, own, alone)


def _looks_up(sheet: Sheet, region: int, axis: Floats) -> bool:
    """Whether a face beside an opening is no plane or looks the way the floor does."""
    face = sheet.graph.regions[region]
    return face.kind != "plane" or float(face.form.axis @ axis) > LOOKS_UP


def _named(shut: list[Literal["round", "square"]]) -> tuple[Kind, Ends | None]:
    """Return kind and ends of a pair of walls from how its closed ends are closed."""
    if len(shut) < 2:
        return "slot", "mixed" if shut else "open"
    if shut[0] != shut[1]:
        return "slot", "mixed"
    return ("pocket", None) if shut[0] == "square" else ("slot", "round")


def _gap(a: Region, b: Region, across: Floats, axis: Floats, level: float) -> float:
    """Return the distance of two plane walls at a level along the axis."""
    return abs(stands_at(a, across, axis, level) - stands_at(b, across, axis, level))
