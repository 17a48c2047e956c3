"""The parts of a delivery, and which of them plays which role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaugeblock.records.measurement import Bounds, SolidFacts
from gaugeblock.records.rubric import Role
from gaugeblock.suites.assembly.labels import ALSO, readings


@dataclass(frozen=True)
class Part:
    """What bears one label: a solid, or all solids of one object.

    Attributes:
        name: the label; None: the solid has none and stands alone.
        solids: what the ruler says of them.
    """

    name: str | None
    solids: tuple[SolidFacts, ...]

    @property
    def bounds(self) -> Bounds | None:
        """The box around all of it, mm; None: that of some solid is unknown."""
        return around([solid.bounds for solid in self.solids])

    def _order(self) -> tuple[tuple[float, ...], str]:
        """Return what parts are ordered by: largest first, then place, then name."""
        volume = sum(solid.volume.value or 0.0 for solid in self.solids)
        box = self.bounds
        corners = () if box is None else (*box.min, *box.max)
        return (-volume, *corners), self.name or ""


def parts_of(solids: Sequence[SolidFacts]) -> tuple[Part, ...]:
    """Return the parts, in an order that does not depend on the file's.

    In STEP an object of one solid gives the solid its name. One of several solids gives it to the
    assembly item that holds them, and its solids have none of their own.
    """
    named: dict[str, list[SolidFacts]] = {}
    unnamed: list[Part] = []
    for solid in solids:
        label = solid.name if solid.name is not None else solid.instance
        if label is None:
            unnamed.append(Part(None, (solid,)))
        else:
            named.setdefault(label, []).append(solid)
    found = [*unnamed, *(Part(name, tuple(members)) for name, members in named.items())]
    return tuple(sorted(found, key=Part._order))


def around(boxes: Sequence[Bounds | None]) -> Bounds | None:
    """Return the box around boxes, mm; None where one is unknown or there is none."""
    known = [box for box in boxes if box is not None]
    if not known or len(known) < len(boxes):
        return None
    low = tuple(min(box.min[axis] for box in known) for axis in range(3))
    high = tuple(max(box.max[axis] for box in known) for axis in range(3))
    return Bounds(min=(low[0], low[1], low[2]), max=(high[0], high[1], high[2]))


def cast(parts: Sequence[Part], roles: Sequence[Role]) -> dict[str, tuple[Part, ...]]:
    """Give each role its parts, so that no part plays two.

    As many roles as possible are filled; among the ways to do so the labels that name their role
    best decide, then the larger parts. This is the assignment problem: roles against parts.

    Args:
        parts: as `parts_of` orders them.
        roles: all roles there are; one that needs five parts counts five times.

    Returns:
        The parts of each role by its label, best first; fewer than it needs where there are none.
    """
    import numpy as np  # late: suites are listed without it
    from scipy.optimize import linear_sum_assignment

    read = [{found.role: found.rank for found in readings(part.name, roles)} for part in parts]
    able = [place for place, found in enumerate(read) if found]
    places = [role.label for role in roles for _ in range(role.count)]
    # One worse rank outweighs all places in the order, one empty role all ranks: whole numbers
    # below 2**53, so exact. A role may stay empty: a column of its own for each.
    step = len(places) * (len(able) + 1)
    empty = len(places) * (ALSO + 1) * step
    cost = np.full((len(places), len(able) + len(places)), float(empty))
    for row, label in enumerate(places):
        for column, place in enumerate(able):
            rank = read[place].get(label)
            if rank is not None:
                cost[row, column] = rank * step + column
    chosen: dict[str, list[int]] = {role.label: [] for role in roles}
    for row, column in zip(*map(list, linear_sum_assignment(cost)), strict=True):
        if column < len(able) and cost[row, column] < empty:
            chosen[places[row]].append(able[column])
    return {
        label: tuple(parts[i] for i in sorted(found, key=lambda i: (read[i][label], i)))
        for label, found in chosen.items()
    }
