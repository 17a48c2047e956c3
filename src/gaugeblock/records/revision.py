"""What is said of a closed run afterwards: graded again by an evaluator, or withdrawn.

An *evaluator* is what turns a delivery into a verdict: the ruler, and the suite whose grader judges
what the ruler measured. A corrected one is a new revision: the grades that it replaces stay, in the
run itself and in the amendment, beside the reason and both fingerprints.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.grade import Grade
from gaugeblock.records.outcome import Outcome
from gaugeblock.records.plan import Plan
from gaugeblock.records.probe import Probe

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]

REGRADABLE = ("passed", "failed", "could-not-grade", "error:grader")
"""Outcomes of a run that rest on its evaluator alone; any other stands, whoever grades."""


class Evaluator(Record):
    """What gave a verdict."""

    ruler: Sha256 = Field(description="Fingerprint of the ruler.")
    suite: Sha256 = Field(description="Digest of the suite: its grader, rubric and cases.")


class EvaluatorChange(Record):
    """The evaluator of a suite's verdicts before and after a regrade; the same is no correction."""

    before: Evaluator
    after: Evaluator


class Judged(Record):
    """How a round stands: its outcome and what that rests on."""

    outcome: Outcome
    grade: Grade | None = Field(description="None: the grader itself had failed.")
    probe: Probe | None = Field(default=None, description="None: none was made.")


class Regraded(Record):
    """One round graded again, and how it stood before."""

    trial: str
    round: str
    before: Judged
    outcome: Outcome
    grade: Grade
    measurement_sha256: str | None = Field(description="The new read-back; None: no STEP.")
    probe: Probe | None = Field(description="The probe graded again; None: the one before stands.")

    @model_validator(mode="after")
    def _its_outcome_is_its_grade(self) -> Self:
        if self.outcome not in (self.grade.verdict, "no-delivery"):
            raise ValueError(f"`{self.outcome}` is not what its grade says: {self.grade.verdict}")
        return self

    @property
    def after(self) -> Judged:
        """How the round stands now."""
        probe = self.probe or self.before.probe
        return Judged(outcome=self.outcome, grade=self.grade, probe=probe)

    @property
    def changed(self) -> bool:
        """Whether a verdict is another one than before: of the round, a check, points, a probe."""
        return verdicts(self.before) != verdicts(self.after)


class Regrade(Record):
    """Content of an amendment of kind `regrade`."""

    evaluators: dict[str, EvaluatorChange] = Field(min_length=1, description="Suite → both.")
    grades: tuple[Regraded, ...] = Field(min_length=1)

    @property
    def corrected(self) -> bool:
        """Whether the evaluator of any suite is another one than before."""
        return any(change.before != change.after for change in self.evaluators.values())


class Withdrawal(Record):
    """Content of an amendment of kind `invalidation`."""

    suite: str | None = Field(default=None, description="None: the whole run.")


def evaluators_of(plan: Plan) -> dict[str, Evaluator]:
    """Return suite → the evaluator that a run was planned with."""
    ruler = plan.fingerprints["ruler"].sha256
    return {suite.name: Evaluator(ruler=ruler, suite=suite.digest) for suite in plan.suites}


def verdicts(judged: Judged) -> tuple[object, ...]:
    """Return all that is a verdict, without figures, findings and hashes."""
    probe = judged.probe and probe_verdicts(judged.probe)
    return judged.outcome, judged.grade and grade_verdicts(judged.grade), probe


def probe_verdicts(probe: Probe) -> tuple[object, ...]:
    """Return the verdicts of a probe: the whole, and those of its grade."""
    return probe.verdict, probe.grade and grade_verdicts(probe.grade)


def grade_verdicts(grade: Grade) -> tuple[object, ...]:
    """Return the verdicts of a grade: the whole, each check, the points."""
    checks = tuple((check.name, check.verdict) for check in grade.checks)
    return grade.verdict, checks, grade.score
