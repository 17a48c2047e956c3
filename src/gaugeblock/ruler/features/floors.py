"""What stands around a plane floor: walls, open sides, and the opening above."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.blends import links
from gaugeblock.ruler.features.graph import Loop, Region, SolidGraph, signed_area
from gaugeblock.ruler.features.loops import outer_loop
from gaugeblock.ruler.features.plans import is_upright
from gaugeblock.ruler.features.sheet import Sheet

RISING = 0.3
"""Least sine along the axis of the way out of a wall over an edge for it to be the wall's top."""


@dataclass
class Side:
    """One stretch of a floor's outline."""

    wall: int | None
    """Region that stands there; None: open, or a corner between blends."""
    open: bool
    points: Floats
    """(n, 3) The outline there: the foot of the wall, the blend between taken off."""
    length: float
    blends: tuple[int, ...] = ()
    bore: bool = False
    """Whether it is open into a hole."""


@dataclass
class Floor:
    """A plane floor with its outline."""

    region: Region
    axis: Floats
    """(3,) Up, out of the material."""
    sides: list[Side]
    area: float
    islands: int = 0
    walls: list[int] = field(default_factory=list)
    """Regions of the walls, in order around."""

    @property
    def closed(self) -> bool:
        """Whether walls stand all around."""
        return not any(side.open for side in self.sides)


def read_floor(sheet: Sheet, region: Region) -> Floor | None:
    """Return a plane region as a floor, or None where no wall stands on it."""
    graph = sheet.graph
    loop = outer_loop(graph, region)
    if loop is None:
        return None
    axis = region.form.axis
    sides = [_side(sheet, region, edge, side) for edge, side in _items(loop)]
    walls = list(dict.fromkeys(side.wall for side in sides if side.wall is not None))
    if not walls:
        return None
    area = signed_area(graph.loop_points(loop), axis)
    floor = Floor(region, axis, sides, area, walls=walls)
    for inner in region.loops:
        if inner is loop:
            continue
        beyond = [_side(sheet, region, edge, side) for edge, side in _items(inner)]
        floor.islands += not any(side.open for side in beyond)
    return floor


def _items(loop: Loop) -> list[tuple[int, int]]:
    return list(zip(loop.edges, loop.sides, strict=True))


def _side(sheet: Sheet, floor: Region, edge: int, side: int) -> Side:
    graph, blends = sheet.graph, sheet.blends
    number = int(graph.ends[edge, 1 - side])
    length = float(graph.lengths[edge])
    points = graph.along(edge, side)
    blend = blends.get(number)
    bank = None
    if blend is not None:
        bank = next((i for i in (0, 1) if (edge, 1 - side) in blend.banks[i]), None)
    if blend is None or bank is None:
        stands = graph.bends[edge] == "concave" and not graph.regions[number].taken
        # A bore's wall is where a floor opens into the bore.
        bore = sheet.owner.get(number) == "hole"
        opens = not stands or bore
        return Side(None if opens else number, opens, points, length, bore=bore)
    if blend.side == "convex":
        return Side(None, True, points, length)
    if blend.form == "corner":
        return Side(None, False, graph.boundary(blend.region), length, (number,))
    behind = blend.supports(graph, 1 - bank)
    if not behind:
        return Side(None, False, points, length, (number,))
    far = np.concatenate([graph.along(*item) for item in blend.banks[1 - bank]])
    return Side(behind[0], False, far, length, (number,))


@dataclass
class Opening:
    """The face that a wall ends in above."""

    region: int
    level: float
    """Along the floor's axis at the recess's middle, mm."""
    throat: list[int] = field(default_factory=list)
    """Walls of a narrower throat above an overhang."""


def opening_over(sheet: Sheet, wall: Region, axis: Floats, middle: Floats) -> Opening | None:
    """Return the face over a wall, through at most one overhang; None: there is no opening.

    Args:
        sheet: The solid's sheet.
        wall: The wall.
        axis: Up.
        middle: Point of the line along `axis` on which the level is taken.
    """
    over = _over(sheet, wall, axis)
    if not over:
        return None
    region, bend = over[0]
    if bend == "convex":
        region = _past_rounding(sheet, region, axis)
        level = level_at(sheet.graph, region, axis, middle, wall)
        return None if level is None else Opening(region, level)
    ceiling = sheet.graph.regions[region]
    if ceiling.kind != "plane" or float(ceiling.form.axis @ axis) > -0.9:
        return None
    for link in links(sheet.graph, sheet.blends, ceiling):
        throat = sheet.graph.regions[link.other]
        alike = throat.kind == wall.kind and (
            throat.kind != "plane" or float(throat.form.axis @ wall.form.axis) > 0.99
        )
        if link.bend == "convex" and alike and is_upright(throat, axis):
            above = _over(sheet, throat, axis)
            if above and above[0][1] == "convex":
                level = level_at(sheet.graph, above[0][0], axis, middle, throat)
                if level is not None:
                    return Opening(above[0][0], level, [throat.number])
    return None


def _past_rounding(sheet: Sheet, region: int, axis: Floats) -> int:
    """Return the face beyond a round bevel that is no blend, such as lobes around a hexagon."""
    graph = sheet.graph
    if graph.regions[region].kind not in ("cone", "torus"):
        return region
    beyond = _over(sheet, graph.regions[region], axis, "convex", "smooth")
    return beyond[0][0] if beyond else region


def _over(sheet: Sheet, wall: Region, axis: Floats, *bends: str) -> list[tuple[int, str]]:
    """Return the regions over a wall's top edges with their bends, the longest first."""
    graph = sheet.graph
    total: dict[tuple[int, str], float] = {}
    for link in links(graph, sheet.blends, wall):
        if link.bend not in (bends or ("convex", "concave")):
            continue
        way = float(np.nanmean(graph.away(link.edge, link.side)[1:-1] @ axis))
        if way >= RISING:
            key = (link.other, link.bend)
            total[key] = total.get(key, 0.0) + float(graph.lengths[link.edge])
    return sorted(total, key=lambda key: (-total[key], key[0]))


def level_at(
    graph: SolidGraph, region: int, axis: Floats, middle: Floats, wall: Region
) -> float | None:
    """Return the level p·axis at which a line along the axis meets the face over a wall.

    Over a free surface it is the top of the wall.
    """
    form, top = graph.regions[region].form, float((graph.boundary(wall) @ axis).max())
    base = float(middle @ axis)
    met = form.pierced(middle, axis, top - base)
    if met is not None:
        return base + met
    return top if form.kind in ("other", "torus") else None
