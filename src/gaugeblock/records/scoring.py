"""A delivery held against a reference part and its sheet, in five dimensions.

Each dimension is measured by itself; one that could not be measured has a reason and no number.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.drawing import DrawingMatch
from gaugeblock.records.feature_match import FeatureMatch
from gaugeblock.records.measurement import FileFacts
from gaugeblock.records.overlap import Overlap
from gaugeblock.records.spectrum import SheetMatch


class ThreadOutcome(Record):
    """One thread of the reference, and the one that answers it."""

    reference: str | None = Field(
        description="`Feature.id`; None: the candidate's is one too many."
    )
    candidate: str | None = Field(description="`Feature.id`; None: nothing answers it.")
    right: bool | None = Field(description="None: something about it could not be measured.")
    finding: str = Field(description="What is wrong or unknown, in one line; empty: right.")


class ThreadMatch(Record):
    """`threadMatch`: all threads right, or not. Only of a reference that has some."""

    state: Literal["scored", "no-threads", "could-not-measure"]
    reason: str | None = Field(default=None, description="Why it is not scored.")
    match: float | None = Field(description="1 or 0; None: see state.")
    outcomes: tuple[ThreadOutcome, ...] = ()


class DrawingCheck(Record):
    """`drawingMatch`: a drawing of the candidate against the sheet's dimensions."""

    state: Literal["scored", "could-not-measure"]
    reason: str | None = Field(default=None, description="Why it is not scored.")
    match: DrawingMatch | None = None


class Scoring(Record):
    """All five, of one candidate."""

    record: Literal["gaugeblock-scoring/1"] = "gaugeblock-scoring/1"
    reference: FileFacts
    candidate: FileFacts
    dimensions: SheetMatch
    features: FeatureMatch
    overlap: Overlap
    threads: ThreadMatch
    drawing: DrawingCheck
    own_drawing: DrawingCheck | None = Field(
        default=None, description="The drawing that the agent delivered; None: it delivered none."
    )
    timings: dict[str, float] = Field(default_factory=dict, description="Seconds by step.")
