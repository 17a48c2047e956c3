"""A round's edit region in numbers: every formula of it evaluated, every spread laid out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from pydantic import ValidationError

from gaugeblock.records.case import Across, EditBox, EditCylinder, EditShapes, Round
from gaugeblock.records.conservation import Block, Region, Rod
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.formulas import evaluate
from gaugeblock.suites.truth import figures

MOST = 1000
"""Cylinders of one grid: beyond it no boolean of the region would end in time."""

AXES = ("x", "y", "z")


def edit_region(asked: Round, where: str | None = None) -> Region | None:
    """Return where the part may change in a round; None: the round conserves nothing.

    Args:
        asked: the round.
        where: case and round for the message; by default the round's id.

    Raises:
        WrongUse: a formula cannot be evaluated, a count is none, or a shape has no volume.
    """
    if asked.edit is None:
        return None
    place = f"{where or f'round {asked.id}'}, edit"
    known = figures(asked, where).symbols
    try:
        blocks, rods = _shapes(asked.edit, known, place)
        kept_blocks, kept_rods = _shapes(asked.edit.kept, known, f"{place}.kept")
    except ValidationError as error:
        raise WrongUse(f"{place}: {error.errors()[0]['msg']}") from error
    if not blocks and not rods:
        raise WrongUse(f"{place}: no box and no cylinder, so nothing could be edited")
    return Region(blocks=blocks, rods=rods, kept_blocks=kept_blocks, kept_rods=kept_rods)


def _shapes(
    shapes: EditShapes, known: Mapping[str, float], where: str
) -> tuple[tuple[Block, ...], tuple[Rod, ...]]:
    blocks = [_block(box, known, f"{where}.boxes {i}") for i, box in enumerate(shapes.boxes)]
    rods = [
        rod
        for i, cylinder in enumerate(shapes.cylinders)
        for rod in _rods(cylinder, known, f"{where}.cylinders {i}")
    ]
    # Two grids may share cylinders; each is built once.
    return tuple(blocks), tuple(dict.fromkeys(rods))


def _block(box: EditBox, known: Mapping[str, float], where: str) -> Block:
    x, y, z = ([evaluate(end, known, where) for end in getattr(box, axis)] for axis in AXES)
    return Block(low=(x[0], y[0], z[0]), high=(x[1], y[1], z[1]))


def _rods(cylinder: EditCylinder, known: Mapping[str, float], where: str) -> Iterator[Rod]:
    radius = evaluate(cylinder.diameter, known, where) / 2
    places: list[list[float]] = []
    length = 0.0
    for axis in AXES:
        across: Across = getattr(cylinder, axis)
        if isinstance(across, tuple):
            low, high = (evaluate(end, known, where) for end in across)
            places.append([low])
            length = high - low
        else:
            places.append(list(_places(across, known, where)))
    for x, y, z in product(*places):
        yield Rod(axis=cylinder.along, base=(x, y, z), radius=radius, length=length)


def _places(across: Across, known: Mapping[str, float], where: str) -> Iterator[float]:
    if isinstance(across, str):
        yield evaluate(across, known, where)
        return
    assert not isinstance(across, tuple)
    first, last = (evaluate(end, known, where) for end in (across.first, across.last))
    count = evaluate(across.count, known, where)
    if not count.is_integer() or not 2 <= count <= MOST:
        raise WrongUse(f"{where}: {count:g} is no count of places from 2 to {MOST}")
    for i in range(int(count)):
        yield first + (last - first) * i / (int(count) - 1)
