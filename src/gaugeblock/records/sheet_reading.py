"""Dimensions read out of a drawing that somebody else made: what was read, and what was not."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.measurement import FileFacts, Verdict
from gaugeblock.records.spectrum import SheetDimension

Source = Literal["dimension", "leader", "text"]
"""What it was read from: a dimension with geometry of its own, the text at an arrow, or bare
text."""


class ReadDimension(Record):
    """One size that a drawing gives."""

    dimension: SheetDimension = Field(description="As it is printed.")
    source: Source = Field(description="What it was read from.")
    measured: float | None = Field(
        default=None,
        description="What the drawing's own geometry measures there, mm or degrees of the part;"
        " None: only text says it.",
    )
    where: str = Field(description="Layout or page, layer and handle.")
    at: tuple[float, float] | None = Field(
        default=None, description="Where it stands, in the file's units; of a PDF in mm."
    )


class LeftOut(Record):
    """A text with a number, or a dimension, that was not read as a size."""

    text: str = Field(description="As it is printed.")
    where: str = Field(description="Layout or page, layer and handle.")
    at: tuple[float, float] | None = Field(default=None, description="As of a `ReadDimension`.")
    reason: str = Field(description="One line why not.")


class SheetReading(Record):
    """What was read out of one drawing file, or why nothing was."""

    verdict: Verdict = Field(description="Whether the file could be read.")
    code: str | None = Field(default=None, description="Why not, in one word.")
    reason: str | None = Field(default=None, description="Why not, in one line.")
    file: FileFacts = Field(description="The file.")
    unit: Literal["mm", "inch"] | None = Field(
        default=None, description="What the file says its lengths are; None: nothing of use."
    )
    dimensions: list[ReadDimension] = Field(
        default_factory=list, description="In the file's order."
    )
    left_out: list[LeftOut] = Field(default_factory=list, description="In the file's order.")
    remarks: list[str] = Field(
        default_factory=list,
        description="What a reader should know: texts that their geometry contradicts, fits whose"
        " deviations are not known, layers that are off.",
    )
