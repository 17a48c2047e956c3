"""Breakthroughs, through slots and open-ended round notches: recesses without a floor.

Read from the openings: a closed line of outer edges inside a face leads to walls along one axis
that end in outer edges again. Round ones are holes; two straight walls and two half circles make a
slot; all else is a breakthrough.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from gaugeblock.records.features import Recess
from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.blends import links
from gaugeblock.ruler.features.floors import RISING, level_at
from gaugeblock.ruler.features.forms import cross
from gaugeblock.ruler.features.graph import Loop, Region
from gaugeblock.ruler.features.loops import inner_loops, winding
from gaugeblock.ruler.features.plans import (
    ROUND_END,
    Box2,
    Plan,
    common_axis,
    faces_each_other,
    is_upright,
    plan_of,
)
from gaugeblock.ruler.features.sheet import Sheet, triple


def find_openings(sheet: Sheet) -> None:
    """Add the recesses without a floor to a solid's sheet."""
    seen: set[frozenset[int]] = set()
    for region in sheet.graph.regions:
        if region.taken or region.number in sheet.blends:
            continue
        for loop in inside_loops(sheet, region):
            walls = _ring(sheet, region, loop)
            if walls is not None and frozenset(walls) not in seen:
                seen.add(frozenset(walls))
                _through(sheet, region, sorted(walls))
    for region in sheet.graph.regions:
        if region.kind == "cylinder" and region.outward < 0:
            _round_notch(sheet, region)


def inside_loops(sheet: Sheet, region: Region) -> list[Loop]:
    """Return the loops of a region that lie inside its outline, or in a wall all around."""
    graph = sheet.graph
    if region.kind == "plane":
        return inner_loops(graph, region)
    if region.kind == "other" or len(region.loops) < 2:
        return []
    form = region.form
    wound = [winding(graph.loop_points(loop), form.origin, form.axis) for loop in region.loops]
    if any(turns for turns, _ in wound):
        return [loop for loop, (turns, _) in zip(region.loops, wound, strict=True) if not turns]
    widest = max(range(len(wound)), key=lambda i: wound[i][1])
    return [loop for i, loop in enumerate(region.loops) if i != widest]


def _ring(sheet: Sheet, region: Region, loop: Loop) -> set[int] | None:
    """Return the walls below an opening with all that runs on from them, or None.

    None where an edge of the opening is no outer edge, or where the walls belong to something.
    """
    graph, mine = sheet.graph, set(zip(loop.edges, loop.sides, strict=True))
    walls: set[int] = set()
    for link in links(graph, sheet.blends, region):
        if (link.edge, link.side) in mine:
            if link.bend != "convex":
                return None
            walls.add(link.other)
    grown = sorted(walls)
    while grown:
        number = grown.pop()
        if sheet.claimed([number]):
            return None
        for link in links(graph, sheet.blends, graph.regions[number]):
            if link.bend in ("concave", "smooth") and link.other not in walls:
                walls.add(link.other)
                grown.append(link.other)
    return walls


def _through(sheet: Sheet, entry: Region, walls: list[int]) -> None:
    graph = sheet.graph
    regions = [graph.regions[number] for number in walls]
    axis = common_axis(graph, regions)
    if axis is None:
        if not all(region.kind in ("cone", "sphere") for region in regions):
            _refuse_odd(sheet, walls)
        return
    if _facing(graph.boundary(regions[0]), entry, axis) < 0:
        axis = -axis
    far = _far_faces(sheet, regions, axis)
    if not far:
        return
    corners = [
        n
        for n in sorted({link for wall in regions for link in graph.neighbours(wall, "smooth")})
        if n in sheet.blends
        and sheet.blends[n].side == "concave"
        and is_upright(sheet.blends[n].region, axis)
    ]
    plan = _plan(sheet, regions, axis)
    box = plan.box(graph.tolerance)
    top = level_at(graph, entry.number, axis, box.middle, regions[0])
    bottoms = [level_at(graph, number, axis, box.middle, regions[0]) for number in far]
    known = [level for level in bottoms if level is not None]
    if top is None or not known:
        return
    depth = abs(top - max(known))
    slot = _obround(regions, plan, axis)
    findings = ["the far end lies in several faces"] if len(far) > 1 else []
    radii = {round(sheet.blends[n].radius / graph.tolerance) for n in corners}
    radius = sheet.blends[corners[0]].radius if len(radii) == 1 else None
    if len(radii) > 1:
        findings.append("upright corners of several radii")
    _add(
        sheet,
        "slot" if slot else "breakthrough",
        [*walls, *corners],
        box.middle + (top - float(box.middle @ axis)) * axis,
        -axis,
        box,
        depth,
        "round" if slot else None,
        radius,
        findings,
    )


def _facing(points: Floats, entry: Region, axis: Floats) -> float:
    """Return on which side of the walls their entry lies along an axis."""
    if entry.kind == "plane":
        return float(entry.form.axis @ axis)
    away = points.mean(axis=0) - entry.form.origin
    return float(away @ axis) * entry.outward


def _refuse_odd(sheet: Sheet, walls: list[int]) -> None:
    sheet.refuse(
        "odd-recess",
        walls,
        "a recess whose walls are not along one axis, or whose floor is no plane",
    )


def _far_faces(sheet: Sheet, walls: list[Region], axis: Floats) -> list[int]:
    """Return the faces that the walls end in below, the longest first; empty: a floor is there."""
    graph = sheet.graph
    total: dict[int, float] = {}
    for wall in walls:
        for link in links(graph, sheet.blends, wall):
            way = float(np.nanmean(graph.away(link.edge, link.side)[1:-1] @ axis))
            if way > -RISING:
                continue
            if link.bend != "convex":
                return []
            total[link.other] = total.get(link.other, 0.0) + float(graph.lengths[link.edge])
    return sorted(total, key=lambda number: (-total[number], number))


def _plan(sheet: Sheet, walls: list[Region], axis: Floats) -> Plan:
    """Return the plan of whole walls."""
    graph, parts = sheet.graph, []
    for wall in walls:
        loop = max(wall.loops, key=lambda loop: len(loop.edges))
        points = graph.loop_points(loop) if wall.kind == "cylinder" else graph.boundary(wall)
        parts.append((wall, points))
    return plan_of(graph, axis, parts)


def _obround(walls: list[Region], plan: Plan, axis: Floats) -> bool:
    straight = [wall for wall in walls if wall.kind == "plane"]
    ends = [arc for arc in plan.arcs if arc.extent >= ROUND_END]
    return (
        len(walls) == 4
        and len(straight) == len(ends) == 2
        and faces_each_other(straight[0], straight[1], axis)
    )


def _round_notch(sheet: Sheet, end: Region) -> None:
    """Add the through slot that a half-round wall closes at one end and that is open at the other.

    A round wall of less than half a turn without straight walls beside it is told apart: it is
    neither a hole nor a slot.
    """
    graph = sheet.graph
    if end.number in sheet.blends or sheet.claimed([end.number]):
        return
    axis, sides, sharp = end.form.axis, [], 0
    for edge, side in end.edges:
        if abs(float(np.nanmean(graph.away(edge, side)[1:-1] @ axis))) < RISING:
            other = graph.other(edge, side)
            if graph.bends[edge] == "smooth" and other.kind == "plane":
                sides.append(other)
            sharp += graph.bends[edge] == "convex"
    turn = winding(graph.loop_points(end.loops[0]), end.form.origin, axis)[1]
    if sharp == 2 and not sides and turn < math.pi * 1.02 and len(end.edges) == 4:
        sheet.remark("partial-bore", [end.number], "a round notch of no more than half a turn")
        return
    if len(sides) != 2 or turn < ROUND_END or not faces_each_other(sides[0], sides[1], axis):
        return
    walls = [end, *sides]
    if sheet.claimed([wall.number for wall in sides]):
        return
    if any(graph.neighbours(wall, "concave") for wall in walls):
        return
    plan = _plan(sheet, walls, axis)
    box = plan.box(graph.tolerance)
    along = _principal_way(sides[0], axis, end, box)
    span, aside = plan.range(along), plan.range(cross(axis, along))
    middle = 0.5 * sum(span) * along + 0.5 * sum(aside) * cross(axis, along)
    tops, bottoms = (_far_faces(sheet, [end], way) for way in (-axis, axis))
    if not tops or not bottoms:
        return
    top = level_at(graph, tops[0], axis, middle, end)
    bottom = level_at(graph, bottoms[0], axis, middle, end)
    if top is None or bottom is None:
        return
    _add(
        sheet,
        "slot",
        [wall.number for wall in walls],
        np.asarray(middle + (top - float(middle @ axis)) * axis),
        -axis,
        Box2(span[1] - span[0], aside[1] - aside[0], along, middle),
        top - bottom,
        "mixed",
        None,
        [],
    )


def _principal_way(wall: Region, axis: Floats, end: Region, box: Box2) -> Floats:
    """Return the direction of a notch from its round end to its opening."""
    along = cross(axis, wall.form.axis)
    return along if float((box.middle - end.form.origin) @ along) > 0 else -along


def _add(
    sheet: Sheet,
    kind: Literal["slot", "breakthrough"],
    regions: list[int],
    place: Floats,
    axis: Floats,
    box: Box2,
    depth: float,
    ends: Literal["round", "mixed"] | None,
    radius: float | None,
    findings: list[str],
) -> None:
    sheet.add(
        Recess(
            id="",
            solid=sheet.graph.index,
            faces=sheet.graph.faces_of(regions),
            position=triple(place),
            findings=findings,
            kind=kind,
            axis=triple(axis),
            length=box.length,
            width=box.width,
            depth=depth,
            direction=None if box.direction is None else triple(box.direction),
            ends=ends,
            corner_radius=radius,
            through=True,
        ),
        regions,
    )
