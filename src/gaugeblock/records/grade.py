"""A grade: each check beside its formula, its measured figure and its tolerance."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record

Verdict = Literal["pass", "fail", "could-not-measure", "not-applicable"]
"""Not applicable: the world cannot give what the check is about, such as a document; the check then
counts neither way."""

Figure = float | int | str | bool | tuple[float, ...] | tuple[str, ...] | None


class Check(Record):
    """One criterion, judged."""

    name: str = Field(description="delivered, and the suite's own: volume, names, labels, …")
    formula: str = Field(description="The closed formula or rule that gives the expected figure.")
    expected: Figure
    measured: Figure
    deviation: float | None = Field(
        default=None, description="Relative for volumes, mm for bounds; None where it has no sense."
    )
    tolerance: float | None = Field(default=None, description="In the deviation's own unit.")
    points: int | None = Field(
        default=None, ge=0, description="What passing it is worth; None: the suite has no points."
    )
    verdict: Verdict
    finding: str = Field(default="", description="What was found, in one line; empty on a pass.")


class Score(Record):
    """Points of a suite that has them: all-or-nothing, check by check."""

    points: int = Field(ge=0)
    out_of: int = Field(ge=0, description="Points of all checks, without those not applicable.")


class Grade(Record):
    """The judgement of one delivery against one round's truth."""

    round: str
    verdict: Literal["passed", "failed", "could-not-grade"]
    checks: tuple[Check, ...]
    score: Score | None = Field(
        default=None,
        description="None: the suite has no points, or some check that has could not be measured.",
    )
    apart: dict[str, Verdict] = Field(
        default_factory=dict,
        description="Other criteria of the source, reported and never the verdict.",
    )
    figures: dict[str, float] = Field(
        default_factory=dict,
        description="Of a suite that tells how near a delivery came: what was measured, by name.",
    )
    matched_reading: str | None = Field(
        default=None, description="Name of the known misreading that a failed delivery matches."
    )
    notes: tuple[str, ...] = ()
    artifact_sha256: str | None = Field(description="The STEP that was judged; None: no delivery.")
    measurement_sha256: str | None = Field(description="The read-back it was judged from.")
    conservation_sha256: str | None = Field(
        default=None, description="The comparison with the start; None: none was made."
    )
    scoring_sha256: str | None = Field(
        default=None, description="The five dimensions it was judged from; None: none were."
    )
    ruler_fingerprint: str

    def failed(self) -> tuple[str, ...]:
        """Return the names of the checks that failed."""
        return tuple(check.name for check in self.checks if check.verdict == "fail")
