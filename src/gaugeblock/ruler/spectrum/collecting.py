"""Equal quantities taken together: the dimensions of a spectrum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from gaugeblock.records.spectrum import Dimension, DimensionKind, Instance
from gaugeblock.ruler.spectrum.alike import SAME_ANGLE, same_length
from gaugeblock.ruler.spectrum.quantities import Quantity

ANGLES = ("plane-angle", "cone-angle")
"""Kinds whose values are degrees; all others are mm."""

Placed = tuple[int, Quantity]
"""Index of the solid, and a quantity of it."""


def dimensions_of(quantities: Iterable[Placed]) -> list[Dimension]:
    """Return quantities by kind and value; those within the same measure of the least are one.

    The value of a group is its median, so that one odd place does not shift many exact ones.
    """
    by_kind: dict[DimensionKind, list[Placed]] = {kind: [] for kind in get_args(DimensionKind)}
    for solid, quantity in quantities:
        by_kind[quantity.kind].append((solid, quantity))
    found = []
    for kind, members in by_kind.items():
        members.sort(key=lambda item: item[1].value)
        group: list[Placed] = []
        for item in members:
            if group and item[1].value > group[0][1].value + _same(kind, group[0][1].value):
                found.append(_dimension(kind, group))
                group = []
            group.append(item)
        if group:
            found.append(_dimension(kind, group))
    return found


def _same(kind: DimensionKind, value: float) -> float:
    return SAME_ANGLE if kind in ANGLES else same_length(value)


def _dimension(kind: DimensionKind, group: list[Placed]) -> Dimension:
    # Built without checks: thousands of instances, all of our own making.
    instances = [
        Instance.model_construct(
            solid=solid,
            faces=quantity.faces,
            edge=quantity.edge,
            repeats=quantity.repeats,
            turn=quantity.turn,
            external=quantity.external,
            leg=quantity.leg,
        )
        for solid, quantity in group
    ]
    instances.sort(
        key=lambda item: (item.solid, item.faces, -1 if item.edge is None else item.edge)
    )
    return Dimension.model_construct(
        kind=kind,
        value=group[(len(group) - 1) // 2][1].value,
        count=len(instances),
        serves=sum(not item.repeats for item in instances),
        instances=instances,
    )
