"""Pockets, slots and keyways: recesses with a plane floor.

Closed outlines come first: two straight walls and two round ends make a slot, all else is a pocket.
Of the floors that are open at a side, those between two walls that face each other are slots; the
widest floor is taken first, so that a notch in an edge lies on its largest face. A slot along the
axis of the round face it opens into is a keyway. A floor with one wall is a step, no feature.
"""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.features.floors import Floor, Opening, opening_over, read_floor
from gaugeblock.ruler.features.plans import (
    DRAFT,
    ROUND_END,
    Plan,
    faces_each_other,
    lean,
    plan_of,
)
from gaugeblock.ruler.features.recording import (
    Ends,
    Kind,
    add_recess,
    corner_radius,
    notes,
    runs_along_round_face,
)
from gaugeblock.ruler.features.sheet import Sheet
from gaugeblock.ruler.features.slots import add_open_recess


def find_recesses(sheet: Sheet) -> None:
    """Add the recesses with a plane floor to a solid's sheet."""
    floors = []
    for region in sheet.graph.regions:
        if region.kind == "plane" and not region.taken and region.number not in sheet.blends:
            floor = read_floor(sheet, region)
            if floor is not None:
                floors.append(floor)
    floors.sort(key=lambda floor: -round(floor.area / sheet.graph.size**2, 9))
    for floor in floors:
        if floor.closed and not _in_use(sheet, floor):
            _closed(sheet, floor)
    for floor in floors:
        if not floor.closed and not _in_use(sheet, floor):
            add_open_recess(sheet, floor)


def _in_use(sheet: Sheet, floor: Floor) -> bool:
    """Whether a floor or one of its walls already is part of something else."""
    owner = sheet.owner.get(floor.region.number)
    if owner is None:
        return False
    return owner != "hole" or all(sheet.owner.get(wall) == "hole" for wall in floor.walls)


def _closed(sheet: Sheet, floor: Floor) -> None:
    """Add the pocket, slot or keyway with walls all around a floor."""
    graph, axis = sheet.graph, floor.axis
    walls = [graph.regions[number] for number in floor.walls]
    leans = [lean(wall, axis) for wall in walls]
    if any(angle is None or abs(angle) > DRAFT for angle in leans):
        # A floor whose walls neither stand nor have draft, such as the ground of a valley.
        return
    plan = _plan(sheet, floor)
    box = plan.box(graph.tolerance)
    opened = [opening_over(sheet, wall, axis, box.middle) for wall in walls]
    openings = [opening for opening in opened if opening is not None]
    if not openings:
        sheet.remark("closed-cavity", [floor.region.number, *floor.walls], "no way in from outside")
        return
    opening = _main(sheet, openings)
    depth = opening.level - float(floor.region.form.origin @ axis)
    if depth <= graph.tolerance:
        return
    findings = notes(floor, leans, openings, graph.tolerance)
    slot = _is_obround(sheet, plan, floor)
    kind: Kind = "slot" if slot else "pocket"
    ends: Ends | None = "round" if slot else None
    if box.direction is not None and runs_along_round_face(
        sheet, opening.region, box.direction, axis
    ):
        kind, ends = "keyway", "round" if slot else "square"
    radius = None if slot else corner_radius(sheet, floor, findings)
    add_recess(sheet, floor, kind, box, opening, depth, ends, radius, findings)


def _plan(sheet: Sheet, floor: Floor) -> Plan:
    graph = sheet.graph
    walls = [
        (graph.regions[side.wall], side.points) for side in floor.sides if side.wall is not None
    ]
    plan = plan_of(graph, floor.axis, walls)
    loose = [side.points for side in floor.sides if side.wall is None]
    if loose:
        plan.points = np.concatenate([plan.points, *loose])
    return plan


def _main(sheet: Sheet, openings: list[Opening]) -> Opening:
    """Return the opening that most walls end in; of several the lowest."""
    count: dict[int, int] = {}
    for opening in openings:
        count[opening.region] = count.get(opening.region, 0) + 1
    return max(openings, key=lambda o: (count[o.region], -round(o.level / sheet.graph.size, 9)))


def _is_obround(sheet: Sheet, plan: Plan, floor: Floor) -> bool:
    """Whether the outline is two parallel straight walls joined by two half circles."""
    regions = sheet.graph.regions
    straight = [regions[n] for n in floor.walls if regions[n].kind == "plane"]
    ground = float(floor.region.form.origin @ floor.axis)
    facing = len(straight) == 2 and faces_each_other(straight[0], straight[1], floor.axis, ground)
    if not facing:
        return False
    ends = [arc for arc in plan.arcs if arc.extent >= ROUND_END]
    hollow = all(regions[arc.region].outward < 0 for arc in ends)
    return len(ends) == 2 and len(floor.walls) == 4 and hollow
