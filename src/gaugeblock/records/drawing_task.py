"""What a case of drawings asks: which sheet is shown, what stands on it, how far a part can get.

Lengths are mm, angles degrees.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.spectrum import SheetDimension

Track = Literal["vector", "raster"]
"""vector: the sheet as SVG, DXF and PDF, whose text can be read; raster: the PNG alone. The two are
never pooled."""

Group = Literal["anchoring", "independent", "own"]
"""anchoring: the rulebook was written from it, so its figures are told apart; independent: authored
after the rulebook was frozen; own: a user's case."""

FIGURES = ("dimensionRecall", "semanticMatch", "shapeIoU", "threadMatch", "drawingMatch")
"""The five dimensions, in the order in which they are told."""


class ThreadAsked(Record):
    """Threads of one call-out."""

    designation: str = Field(description="As a sheet writes it, such as `M8x1.25`.")
    internal: bool
    hand: Literal["right", "left"] = "right"
    starts: int = Field(default=1, ge=1)
    count: int = Field(default=1, ge=1, description="The number before ×.")


class ChanceRates(Record):
    """How often a uniformly random sheet value would be found in the reference: `randomHitRate`."""

    length: float = Field(ge=0, le=1)
    diameter: float = Field(ge=0, le=1)
    radius: float = Field(ge=0, le=1)
    angle: float = Field(ge=0, le=1)


class Ceilings(Record):
    """What the reference itself reaches, calibrated before any agent runs."""

    asked: int = Field(ge=1, description="Dimensions on the sheet.")
    measurable: int = Field(ge=0, description="Of them, found on the reference: 14 of 17, say.")
    measurable_extended: int = Field(ge=0, description="The same with distances of axes.")
    drawn: int = Field(ge=0, description="Of them, found on the reference's own drawing.")
    semantic_match: float = Field(ge=0, le=1, description="Of the reference with itself.")
    chance: ChanceRates

    @model_validator(mode="after")
    def _none_beyond_asked(self) -> Ceilings:
        most = max(self.measurable, self.measurable_extended, self.drawn)
        if most > self.asked:
            raise ValueError(f"{most} of {self.asked} dimensions found")
        return self

    @property
    def reference_coverage(self) -> float:
        """`referenceCoverage`: the most that `dimensionRecall` can be."""
        return self.measurable / self.asked

    @property
    def drawing_self_test(self) -> float:
        """`drawingSelfTest`: the most that `drawingMatch` can be."""
        return self.drawn / self.asked


class DrawingTask(Record):
    """One sheet to build a part from, and what the part is held against.

    The agent sees the files in `shown` and the rulebook, and nothing else of this.
    """

    track: Track
    group: Group
    part_class: str = Field(description="Such as `turned part`, `housing`.")
    difficulty: int = Field(ge=1, le=5)
    shown: dict[str, str] = Field(
        description="File in the agent's folder /drawing → SHA-256 of its bytes."
    )
    rulebook_sha256: str | None = Field(description="Of the edition that is shown; None: none is.")
    reference_sha256: str = Field(description="Of the frozen reference STEP.")
    dimensions: tuple[SheetDimension, ...] = Field(min_length=1)
    threads: tuple[ThreadAsked, ...] = ()
    ceilings: Ceilings
    canary: str = Field(description="Stands in every file of the truth and nowhere else.")
