"""Prismatic bosses: material with upright walls that stands up from within a face."""

from __future__ import annotations

import numpy as np

from gaugeblock.records.features import Boss
from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.blends import links
from gaugeblock.ruler.features.floors import RISING, level_at
from gaugeblock.ruler.features.graph import Loop, Region
from gaugeblock.ruler.features.openings import inside_loops
from gaugeblock.ruler.features.plans import common_axis, plan_of
from gaugeblock.ruler.features.sheet import Sheet, triple


def find_pads(sheet: Sheet) -> None:
    """Add the prismatic bosses of a solid to its sheet."""
    for region in sheet.graph.regions:
        if region.taken or region.number in sheet.blends:
            continue
        for loop in inside_loops(sheet, region):
            _look(sheet, region, loop)


def _look(sheet: Sheet, base: Region, loop: Loop) -> None:
    """Add the boss within a loop of inner corners around its foot."""
    graph, mine = sheet.graph, set(zip(loop.edges, loop.sides, strict=True))
    walls: set[int] = set()
    for link in links(graph, sheet.blends, base):
        if (link.edge, link.side) in mine:
            if link.bend != "concave":
                return
            walls.add(link.other)
    if not walls or any(sheet.owner.get(n) == "boss" or graph.regions[n].taken for n in walls):
        return
    regions = [graph.regions[number] for number in sorted(walls)]
    if len(regions) == 1 and regions[0].kind != "other":
        # A single round wall that is no round boss: tapered, or part of a turned profile.
        if regions[0].kind == "cone" and not sheet.claimed(walls):
            sheet.refuse("tapered-boss", walls, "a tapered boss has no single diameter")
        return
    axis = common_axis(graph, regions)
    if axis is None:
        return
    top = _top(sheet, regions, axis)
    if top is None:
        return
    axis, ceiling = top
    plan = plan_of(graph, axis, [(wall, graph.boundary(wall)) for wall in regions])
    box = plan.box(graph.tolerance)
    levels = [level_at(graph, n, axis, box.middle, regions[0]) for n in (base.number, ceiling)]
    if levels[0] is None or levels[1] is None or levels[1] - levels[0] <= graph.tolerance:
        return
    # Rounded upright edges are fillets of their own.
    own = walls - set(sheet.blends)
    sheet.add(
        Boss(
            id="",
            solid=graph.index,
            faces=graph.faces_of(own),
            position=triple(box.middle + (levels[0] - float(box.middle @ axis)) * axis),
            shape="prismatic",
            axis=triple(axis),
            height=levels[1] - levels[0],
            length=box.length,
            width=box.width,
            base_faces=sorted(base.faces),
        ),
        own,
    )


def _top(
    sheet: Sheet,
    walls: list[Region],
    axis: Floats,
) -> tuple[Floats, int] | None:
    """Return the axis away from the base, and the face the walls end in above."""
    graph = sheet.graph
    total: dict[tuple[int, int], float] = {}
    for wall in walls:
        for link in links(graph, sheet.blends, wall):
            way = float(np.nanmean(graph.away(link.edge, link.side)[1:-1] @ axis))
            if link.bend == "convex" and abs(way) >= RISING:
                key = (1 if way > 0 else -1, link.other)
                total[key] = total.get(key, 0.0) + float(graph.lengths[link.edge])
    if not total:
        return None
    sign, number = max(total, key=lambda key: (total[key], -key[1]))
    return sign * axis, number
