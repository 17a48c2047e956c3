"""A delivery judged in five dimensions. Pure: what the ruler said goes in, a grade comes out.

The checks, in this order: `delivered`, then the five. Each dimension has its threshold, and the
ceiling that the reference itself reaches was calibrated before any agent ran. Three verdicts:

- *reachable*, the grade's own: every dimension at its threshold or at its ceiling;
- *raw*: every dimension at its threshold;
- *exact*: every figure at its ceiling, and nothing found.

Where a figure is a share of a count, counts are compared: 19 of 20 is 0.95, whatever a division
says. One failed check fails the delivery; otherwise one that could not be measured makes the grade
``could-not-grade``. Where nothing was delivered, `delivered` is the only check: the other five have
no subject.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from gaugeblock.records.case import Round
from gaugeblock.records.drawing_task import FIGURES, DrawingTask
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.grade import Check, Figure, Grade, Verdict
from gaugeblock.records.scoring import Scoring
from gaugeblock.suites.drawings.dimensions import Dimension, dimensions_of
from gaugeblock.suites.drawings.thresholds import THRESHOLDS
from gaugeblock.suites.suite import Delivered

CHECKS = ("delivered", *FIGURES)
"""Names of all checks, in order."""

CRITERIA = {name: float(threshold) for name, threshold in THRESHOLDS.items()}
"""Named thresholds, for the plan. They are never lowered: another standard is another suite."""

APART = ("raw", "exact")
"""Verdicts beside the grade's own."""


def grade(asked: Round, delivered: Delivered, *, ruler_fingerprint: str) -> Grade:
    """Judge one delivery.

    Args:
        asked: the round.
        delivered: what was delivered, what the ruler said of it, and what the sheet asks.
        ruler_fingerprint: fingerprint of the ruler that read it back.

    Raises:
        WrongUse: the case has no sheet, or a record is of another file than it must be.
    """
    task, scoring = delivered.task, delivered.scoring
    if task is None:
        raise WrongUse(f"round {asked.id}: nothing says what its sheet asks")
    _require_same_files(delivered, task)
    there = _delivered(delivered)
    found: list[Dimension] = []
    if delivered.artifact_sha256 is not None:
        found = dimensions_of(task, scoring)
    checks = (there, *(_check(item) for item in found))
    figures = {item.name: item.value for item in found if item.value is not None}
    extended = None if scoring is None else scoring.dimensions.extended_recall
    if extended is not None:
        figures["extendedRecall"] = extended
    measurement = delivered.measurement
    return Grade(
        round=asked.id,
        verdict=_OVERALL[_worst(check.verdict for check in checks)],
        checks=checks,
        apart={
            "raw": _worst([there.verdict, *(item.raw for item in found)]),
            "exact": _worst([there.verdict, *(item.exact for item in found)]),
        },
        figures=figures,
        notes=tuple(_notes(delivered)),
        artifact_sha256=delivered.artifact_sha256,
        measurement_sha256=None if measurement is None else measurement.content_sha256(),
        scoring_sha256=None if scoring is None else scoring.content_sha256(),
        ruler_fingerprint=ruler_fingerprint,
    )


def _require_same_files(delivered: Delivered, task: DrawingTask) -> None:
    artifact, scoring = delivered.artifact_sha256, delivered.scoring
    looked_at = []
    if delivered.measurement is not None:
        looked_at.append(("measurement", delivered.measurement.file.sha256))
    if scoring is not None:
        looked_at.append(("scoring", scoring.candidate.sha256))
    for kind, sha256 in looked_at:
        if artifact is None:
            raise WrongUse(f"a {kind} without an artifact: pass the artifact's SHA-256 too")
        if sha256 not in (None, artifact):
            raise WrongUse(f"the {kind} is of file {sha256}, the artifact is {artifact}")
    if scoring is None:
        return
    if scoring.reference.sha256 != task.reference_sha256:
        raise WrongUse(
            f"scored against file {scoring.reference.sha256}, the case's reference is "
            f"{task.reference_sha256}"
        )
    listed = tuple(value.dimension for value in scoring.dimensions.values)
    if listed and listed != task.dimensions:
        raise WrongUse("scored against another list of dimensions than the sheet's")


def _delivered(delivered: Delivered) -> Check:
    """Judge whether there is a STEP of exactly one sound solid."""
    formula = "a STEP file of one valid solid was delivered"

    def said(verdict: Verdict, measured: Figure, finding: str = "") -> Check:
        return Check(
            name="delivered",
            formula=formula,
            expected=1,
            measured=measured,
            verdict=verdict,
            finding=finding,
        )

    if delivered.artifact_sha256 is None:
        return said("fail", 0, "nothing was delivered")
    measurement = delivered.measurement
    if measurement is None:
        return said("could-not-measure", None, "it was not read back")
    totals = measurement.totals
    if measurement.verdict != "measured" or totals is None:
        return said("could-not-measure", None, measurement.reason or "it was not measured")
    if totals.solids != 1:
        return said("fail", totals.solids, f"{totals.solids} solids where one is asked for")
    loose = measurement.stray.faces if measurement.stray else 0
    if loose:  # no other check sees them: all five are of the solid
        return said("fail", 1, f"{loose} faces beside it belong to no solid")
    if totals.valid is None:
        return said("could-not-measure", 1, "whether the solid is valid could not be told")
    return said("pass", 1) if totals.valid else said("fail", 1, "the solid is not valid")


def _check(item: Dimension) -> Check:
    return Check(
        name=item.name,
        formula=item.formula,
        expected=item.threshold,
        measured=item.value,
        verdict=item.reachable,
        finding="" if item.reachable == "pass" else item.finding,
    )


def _worst(verdicts: Iterable[Verdict]) -> Literal["pass", "fail", "could-not-measure"]:
    found = set(verdicts)
    if "fail" in found:
        return "fail"
    return "could-not-measure" if "could-not-measure" in found else "pass"


_OVERALL: dict[str, Literal["passed", "failed", "could-not-grade"]] = {
    "pass": "passed",
    "fail": "failed",
    "could-not-measure": "could-not-grade",
}


def _notes(delivered: Delivered) -> list[str]:
    if delivered.artifact_sha256 is None:
        return ["nothing was delivered, so no other criterion was judged"]
    own = [] if delivered.scoring is None else _own_drawing(delivered.scoring)
    stray = None if delivered.measurement is None else delivered.measurement.stray
    if stray is not None and stray.edges:
        own.append(f"{stray.edges} edges that belong to no face; not judged")
    return own


def _own_drawing(scoring: Scoring) -> list[str]:
    """Tell what a delivered drawing shows; it counts for nothing."""
    own = scoring.own_drawing
    if own is None:
        return []
    if own.match is None:
        return [f"its own drawing, apart: {own.reason}"]
    found, asked = own.match.found, own.match.asked
    share = Fraction(found, asked) if asked else Fraction(0)
    return [f"its own drawing, apart: {found} of {asked} dimensions ({float(share):.2f})"]
