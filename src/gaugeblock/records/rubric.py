"""A rubric: rows worth points, and the labels by which parts of an assembly are known."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gaugeblock.records.base import Record


class RubricRow(Record):
    """One criterion; all its points or none."""

    name: str = Field(description="Name of the check.")
    points: int = Field(gt=0)
    rule: str = Field(description="What passes, in one sentence.")


class Role(Record):
    """A part that a delivery must have, known by its label."""

    label: str = Field(description="The label asked for, lower case words.")
    row: str = Field(description="The row that asks for it.")
    count: int = Field(default=1, ge=1, description="How many parts, each with a label of its own.")
    may_end: tuple[str, ...] = Field(
        default=(),
        description="Words that may follow the label without naming another thing: a `base plate` "
        "is the base, where a `water tank lid` is no tank.",
    )


class Rubric(Record):
    """All rows with their points, and the roles."""

    record: Literal["gaugeblock-rubric/1"] = "gaugeblock-rubric/1"
    rows: tuple[RubricRow, ...] = Field(min_length=1)
    roles: tuple[Role, ...]

    @model_validator(mode="after")
    def _names_are_distinct(self) -> Rubric:
        names = [row.name for row in self.rows]
        labels = [role.label for role in self.roles]
        for what in (names, labels):
            twice = sorted({name for name in what if what.count(name) > 1})
            if twice:
                raise ValueError(f"`{twice[0]}` is there twice")
        unknown = sorted({role.row for role in self.roles} - set(names))
        if unknown:
            raise ValueError(f"a role belongs to row `{unknown[0]}`, which there is not")
        return self

    @property
    def points(self) -> int:
        """The points of all rows together."""
        return sum(row.points for row in self.rows)

    def row(self, name: str) -> RubricRow:
        """Return a row by its name (KeyError if there is none)."""
        return {row.name: row for row in self.rows}[name]

    def roles_of(self, row: str) -> tuple[Role, ...]:
        """Return the roles that a row asks for."""
        return tuple(role for role in self.roles if role.row == row)
