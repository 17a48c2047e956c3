"""What an edit left alone: the edit region, and the ruler's word on what changed outside it.

Lengths are mm, volumes mm³, times s. An unknown is ``None`` beside a reason.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.measurement import FileFacts, Finding, Triple, Verdict, Versions
from gaugeblock.records.overlap import Quantity

Axis = Literal["x", "y", "z"]

ConservationMethod = Literal["same-file", "cells", "matching", "lines", "none"]
"""`same-file`: the bytes are the same; `cells`: exact booleans of both, which lines confirm;
`matching`: what lies outside the region has the same volume, and no face's lines see a gap;
`lines`: lines alone, where they see a change that no boolean could measure; `none`."""


class Block(Record):
    """A box along the axes."""

    low: Triple = Field(description="Least coordinates, mm.")
    high: Triple = Field(description="Greatest coordinates, mm.")

    @model_validator(mode="after")
    def _has_volume(self) -> Block:
        if not all(low < high for low, high in zip(self.low, self.high, strict=True)):
            raise ValueError(f"no box from {self.low} to {self.high}")
        return self


class Rod(Record):
    """A cylinder along an axis."""

    axis: Axis
    base: Triple = Field(description="Middle of its lower end, mm.")
    radius: float = Field(gt=0, description="mm.")
    length: float = Field(gt=0, description="mm, towards greater coordinates.")


class Region(Record):
    """Where a part may change: all that lies in a block or rod and in none of those kept."""

    blocks: tuple[Block, ...] = ()
    rods: tuple[Rod, ...] = ()
    kept_blocks: tuple[Block, ...] = ()
    kept_rods: tuple[Rod, ...] = ()


class CellSums(Record):
    """Whether the exact booleans add up, and what they give, whether accepted or not."""

    outside: float | None = Field(description="mm³; None: no boolean gave it.")
    residual: float | None = Field(
        description="Largest |sum of a solid's pieces − its volume| over the larger part's volume."
    )
    closes: bool | None = Field(description="Residual within 1e-6; None: no booleans ran.")
    left_start: float | None = Field(
        default=None,
        description="Of the start outside the region, mm³: by itself, without the delivery.",
    )
    left_delivery: float | None = Field(default=None, description="The same of the delivery, mm³.")
    left_residual: float | None = Field(default=None, description="As `residual`, of those two.")
    reason: str | None = Field(default=None, description="Why not, or why none ran.")


class LineWord(Record):
    """What lines through both boundaries say, without any boolean."""

    outside: float | None = Field(description="Changed volume outside the region, mm³.")
    error: float | None = Field(description="Estimated absolute error, mm³.")
    skin: float | None = Field(
        description="Area times the gap seen by seven in ten of a face's own lines, summed over "
        "all faces, mm³: of a part left alone 0, and far sharper there than `outside`."
    )
    zoomed: float | None = Field(
        default=None,
        description="Changed volume near faces that moved, by lines cast there, mm³: at least "
        "this much changed. None: not asked.",
    )
    zoomed_error: float | None = Field(default=None, description="Of `zoomed`, mm³.")
    lines: int = Field(description="Lines cast.")
    reason: str | None = Field(default=None, description="Why there is no figure.")


class Conservation(Record):
    """Start and delivery of one edit, compared in the same frame outside the edit region."""

    verdict: Verdict = Field(description="Whether it could be measured.")
    code: str | None = Field(default=None, description="Why not; None when measured.")
    reason: str | None = Field(default=None, description="One line that says why not.")
    start: FileFacts = Field(description="The part before the edit.")
    delivery: FileFacts = Field(description="The part after it.")
    region: Region = Field(description="Where it may change.")
    by_name: bool | None = Field(
        default=None,
        description="Both files hold the same set of names, so that what passed from one named "
        "solid to another counts as changed; None: not looked at.",
    )
    outside: Quantity = Field(
        default=Quantity(value=None, error_estimate=None),
        description="Volume of the symmetric difference outside the region.",
    )
    lost: float | None = Field(default=None, description="Of it: only in the start, mm³.")
    gained: float | None = Field(default=None, description="Of it: only in the delivery, mm³.")
    volume: Quantity = Field(
        default=Quantity(value=None, error_estimate=None), description="Of the start's solids."
    )
    method: ConservationMethod = Field(default="none", description="Where the value comes from.")
    cells: CellSums | None = Field(default=None, description="The exact booleans.")
    lines: LineWord | None = Field(default=None, description="The lines.")
    findings: list[Finding] = Field(default_factory=list, description="Remarks.")
    versions: Versions = Field(description="Ruler versions.")
    timings: dict[str, float] = Field(default_factory=dict, description="Seconds by step.")
