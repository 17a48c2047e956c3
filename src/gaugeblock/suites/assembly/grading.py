"""Sixty points for one delivery, row by row. Pure: what was measured goes in, a grade comes out.

Each row of `rubric.toml` gives all its points or none. A row is failed only where that is sure. One
that could not be measured makes the grade ``could-not-grade`` and leaves it without a score: the
points are then not known, and must not read as lost. A row about something that the world cannot
give is not applicable and leaves the points out of which the score is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Literal

from gaugeblock.records.case import Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.grade import Check, Grade, Score
from gaugeblock.records.rubric import Rubric
from gaugeblock.suites.assembly.rows import OF_THE_DOCUMENT, OF_THE_GEOMETRY, facts_of, unknown
from gaugeblock.suites.suite import Delivered


def grade(asked: Round, delivered: Delivered, rubric: Rubric, *, ruler_fingerprint: str) -> Grade:
    """Judge one delivery.

    Args:
        asked: the round.
        delivered: what was delivered, and what ruler and host made of it.
        rubric: rows and roles.
        ruler_fingerprint: fingerprint of the ruler that read it back.

    Raises:
        WrongUse: measurement or reopening are of other files than those delivered.
    """
    _require_same_files(delivered)
    measurement = delivered.measurement
    checks = [_delivered(delivered)]
    score: Score | None = Score(points=0, out_of=rubric.points)
    notes: list[str] = []
    if delivered.artifact_sha256 is None:
        notes.append("nothing was delivered, so no row was judged")
    else:
        rows = _rows(asked, delivered, rubric)
        checks += rows
        score = _score(rows)
        notes += _notes(rows)
    return Grade(
        round=asked.id,
        verdict=_overall(checks),
        checks=tuple(checks),
        score=score,
        notes=tuple(notes),
        artifact_sha256=delivered.artifact_sha256,
        measurement_sha256=None if measurement is None else measurement.content_sha256(),
        ruler_fingerprint=ruler_fingerprint,
    )


def _require_same_files(delivered: Delivered) -> None:
    artifact, measurement, again = (
        delivered.artifact_sha256,
        delivered.measurement,
        delivered.reopening,
    )
    if measurement is not None and measurement.file.sha256 not in (None, artifact):
        raise WrongUse(f"the measurement is of file {measurement.file.sha256}, not of {artifact}")
    if again is not None:
        document = hashlib.sha256(delivered.document or b"").hexdigest()
        if (again.artifact_sha256, again.document_sha256) != (artifact, document):
            raise WrongUse("the reopening is of other files than those delivered")


def _delivered(delivered: Delivered) -> Check:
    there = delivered.artifact_sha256 is not None
    return Check(
        name="delivered",
        formula="a STEP file was delivered",
        expected=True,
        measured=there,
        verdict="pass" if there else "fail",
        finding="" if there else "nothing was delivered",
    )


def _rows(asked: Round, delivered: Delivered, rubric: Rubric) -> list[Check]:
    facts, why = facts_of(delivered, asked, rubric)
    found = []
    for row in rubric.rows:
        if row.name in OF_THE_DOCUMENT:
            judged = OF_THE_DOCUMENT[row.name](delivered)
        elif facts is None:
            judged = unknown(why)
        else:
            judged = OF_THE_GEOMETRY[row.name](facts)
        found.append(
            Check(
                name=row.name,
                formula=row.rule,
                expected=judged.expected,
                measured=judged.measured,
                deviation=judged.deviation,
                tolerance=judged.tolerance,
                points=row.points,
                verdict=judged.verdict,
                finding=judged.finding,
            )
        )
    return found


def _overall(checks: Iterable[Check]) -> Literal["passed", "failed", "could-not-grade"]:
    found = {check.verdict for check in checks}
    if "could-not-measure" in found:
        return "could-not-grade"
    return "failed" if "fail" in found else "passed"


def _score(rows: list[Check]) -> Score | None:
    """Return the points; None where some row could not be measured."""
    if any(row.verdict == "could-not-measure" for row in rows):
        return None
    judged = [row for row in rows if row.verdict != "not-applicable"]
    gained = sum(row.points or 0 for row in judged if row.verdict == "pass")
    return Score(points=gained, out_of=sum(row.points or 0 for row in judged))


def _notes(rows: list[Check]) -> list[str]:
    unknown = [row for row in rows if row.verdict == "could-not-measure"]
    if not unknown:
        return []
    known = sum(row.points or 0 for row in rows if row.verdict == "pass")
    open_ = sum(row.points or 0 for row in unknown)
    return [f"no score: {known} points are sure, {open_} could not be judged"]
