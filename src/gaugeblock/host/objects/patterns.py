"""Steps that repeat an object in rows, grids and rings."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, model_validator

from gaugeblock.host.objects.changing import Names
from gaugeblock.host.objects.quantities import (
    MAX_COPIES,
    Angle,
    Axis,
    Flag,
    Point,
    Reference,
    nonzero,
)
from gaugeblock.host.objects.steps import Step, miscounted
from gaugeblock.host.objects.table import Draft, Node, Table

ENDING = re.compile(r"(.*?)(\d{1,9})")
"""A name that ends in a number, from which copies count on."""

NEARLY_WHOLE = 1e-3
"""Degrees to a whole turn below which the last copy would lie on the first: at 1 m from the axis it
is 0.02 mm, which nobody means."""

Count = Annotated[int, Field(strict=True, ge=2, le=MAX_COPIES)]


class Pattern(Step):
    """A step that repeats one object."""

    ONE: ClassVar = ("object",)
    object: Reference = Field(description="Name or id of the object.")
    names: Names | None = Field(
        default=None,
        description="Names of the copies without the original, in order; default: its name "
        "counted on ('bar 1' gives 'bar 2', 'bar 3', …).",
    )
    combine: Flag = Field(
        default=False, description="Make original and copies one object, such as one cutter."
    )

    @abstractmethod
    def moves(self, shape: str) -> Iterator[Node]:
        """Return how each copy is moved from the original."""

    def resolved(self, table: Table) -> Self:
        """Return the step with an id for the name; each copy needs a name of its own."""
        copies = len(list(self.moves("")))
        if self.names is not None and len(self.names) != copies:
            raise miscounted("names", copies, len(self.names))
        return super().resolved(table)

    def apply(self, draft: Draft) -> None:
        """Add the copies, or unite them with the original."""
        item = draft.item(self.object)
        shapes = [draft.shape(node) for node in self.moves(item.shape)]
        if self.combine:
            node = Node("unite", {}, (item.shape, *shapes))
            draft.change(item.id, shape=draft.shape(node))
            return
        names = self.names or counted_on(item.name, len(shapes))
        for name, shape in zip(names, shapes, strict=True):
            draft.add(name, shape, like=item)

    @model_validator(mode="after")
    def _names_or_one(self) -> Self:
        if self.combine and self.names is not None:
            raise ValueError("combine makes one object: give no names")
        return self


def counted_on(name: str, copies: int) -> list[str]:
    """Return names for copies: ``bar 1`` goes on with ``bar 2``, ``bar`` with ``bar 2``."""
    ending = ENDING.fullmatch(name)
    if ending is None:
        return [f"{name} {number}" for number in range(2, copies + 2)]
    stem, first = ending[1], ending[2]
    width = len(first) if first.startswith("0") else 0
    return [f"{stem}{int(first) + number:0{width}}" for number in range(1, copies + 1)]


def _moves(vector: list[float]) -> list[float]:
    if not any(vector):
        raise ValueError("is [0, 0, 0]: all copies would lie in one place")
    return vector


class LinearPattern(Pattern):
    """A row, or a grid."""

    count: Count = Field(description="Number in the row, the original included.")
    step: Annotated[Point, AfterValidator(_moves)] = Field(
        description="[x, y, z] from each to the next, mm."
    )
    count2: Count | None = Field(default=None, description="Number of rows, for a grid.")
    step2: Annotated[Point, AfterValidator(_moves)] | None = Field(
        default=None, description="[x, y, z] from each row to the next, mm."
    )

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if (self.count2 is None) != (self.step2 is None):
            raise ValueError("a grid needs both count2 and step2")
        if self.count * (self.count2 or 1) > MAX_COPIES:
            raise ValueError(f"more than {MAX_COPIES} places")
        return self

    def moves(self, shape: str) -> Iterator[Node]:
        """Return the copies' moves, row by row."""
        rows, step2 = self.count2 or 1, self.step2 or [0.0, 0.0, 0.0]
        for row in range(rows):
            for place in range(self.count):
                if row or place:
                    by = [place * a + row * b for a, b in zip(self.step, step2, strict=True)]
                    yield Node("move", {"by": by}, (shape,))


def _no_near_turn(angle: float) -> float:
    if 0 < 360 - abs(angle) < NEARLY_WHOLE:
        raise ValueError("is nearly a whole turn: write 360, which closes the ring evenly")
    return nonzero(angle)


class PolarPattern(Pattern):
    """A ring, or a part of one."""

    count: Count = Field(description="Number in the ring, the original included.")
    axis: Axis = Field(description="Direction of the ring's axis.")
    about: Point = Field(
        default_factory=lambda: [0.0, 0.0, 0.0],
        description="A point [x, y, z] of the axis, mm; default the origin.",
    )
    angle: Annotated[Angle, AfterValidator(_no_near_turn)] = Field(
        default=360.0,
        description="Degrees from the first to the last, right-handed; 360 closes the ring evenly.",
    )

    def moves(self, shape: str) -> Iterator[Node]:
        """Return the copies' turns."""
        whole = abs(self.angle) == 360
        spacing = self.angle / (self.count if whole else self.count - 1)
        for place in range(1, self.count):
            turn = {"axis": self.axis, "angle": spacing * place, "about": self.about}
            yield Node("rotate", turn, (shape,))
