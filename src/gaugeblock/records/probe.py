"""A re-edit probe: whether a part that passed still follows its parameters when one is set anew."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.grade import Grade
from gaugeblock.records.usage import require_reasons

ProbeVerdict = Literal["held", "missed", "could-not-grade"]
"""`held`: the part became what the new values demand; `missed`: it became another one, or none;
`could-not-grade`: nobody can say, because of the host, the ruler or the grader."""


class Probe(Record):
    """One delivered document with parameters set anew, rebuilt by a fresh host and judged.

    It is told apart from the round's outcome and never changes it. Fields that are None have a
    reason in ``unknown``.
    """

    round: str
    parameters: dict[str, float] = Field(description="What was set anew: name → value.")
    document_sha256: str | None = Field(description="The delivered document it was made on.")
    verdict: ProbeVerdict
    reason: str = Field(description="One line; empty when it held.")
    rejected: str = Field(
        default="", description="Code by which the host rejected the values; empty: it took them."
    )
    grade: Grade | None = Field(description="Against the round's truth with the new values.")
    artifact_sha256: str | None = Field(description="The STEP that the host then exported.")
    measurement_sha256: str | None = Field(description="The ruler's read-back of it.")
    unknown: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _its_verdict_rests_on_something(self) -> Self:
        require_reasons(self, self.unknown, ignore=("unknown",))
        if self.verdict != verdict_of(self.grade, self.rejected):
            raise ValueError(f"`{self.verdict}` is not what its grade and rejection give")
        if (self.verdict == "held") == bool(self.reason):
            raise ValueError("a reason stands beside every verdict but `held`")
        return self

    def failed(self) -> tuple[str, ...]:
        """Return the names of the checks that failed; none where nothing was built."""
        return self.grade.failed() if self.grade else ()


def verdict_of(grade: Grade | None, rejected: str) -> ProbeVerdict:
    """Return a probe's verdict.

    Args:
        grade: of what was built; None: nothing was judged.
        rejected: code by which the host rejected the values, or nothing.
    """
    if rejected:
        return "missed"
    if grade is None or grade.verdict == "could-not-grade":
        return "could-not-grade"
    return "held" if grade.verdict == "passed" else "missed"
