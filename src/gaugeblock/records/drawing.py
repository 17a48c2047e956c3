"""A generated drawing measured against a sheet's dimensions: `drawingMatch`."""

from __future__ import annotations

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.spectrum import SheetDimension


class DrawnValue(Record):
    """One dimension of the sheet, looked for on the drawing."""

    dimension: SheetDimension = Field(description="As the sheet gives it.")
    found: bool = Field(description="All of its count are found, within its limits.")
    measured: list[float] = Field(
        default_factory=list,
        description="What it stands on, as measured between lines of the drawing, mm or degrees of"
        " the part; where not found, the nearest of its type.",
    )
    views: list[str] = Field(default_factory=list, description="Where that was measured.")
    reason: str | None = Field(default=None, description="One line why it is not found.")


class Uncounted(Record):
    """What is printed on the drawing and does not count as a measurement."""

    text: str = Field(description="As printed.")
    view: str = Field(description="Id of its view.")
    reason: str = Field(description="One line why not.")


class DrawingMatch(Record):
    """How many of a sheet's dimensions the drawing shows, measured on its lines.

    Self-consistency, no proof of shape: a wrong part can be drawn and dimensioned rightly.
    """

    values: list[DrawnValue] = Field(description="In the sheet's order.")
    found: int = Field(description="How many are found.")
    asked: int = Field(description="How many the sheet has.")
    match: float | None = Field(description="found / asked; None: none is asked.")
    unread_rows: int = Field(
        default=0,
        ge=0,
        description="Rows of tables of holes on the drawing. They are not read back: neither found,"
        " asked nor match says anything of them.",
    )
    uncounted: list[Uncounted] = Field(
        default_factory=list, description="Printed dimensions that their lines do not bear out."
    )
