"""The report of a run folder in any state, with errata and amendments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from gaugeblock.analysis.follow_up import OtherRun
from gaugeblock.analysis.points import REVIEWED_SUITES
from gaugeblock.analysis.report import render_report
from gaugeblock.analysis.review_text import Reviewed
from gaugeblock.analysis.run_summary import summary
from gaugeblock.records.grade import Grade
from gaugeblock.records.run_folder import RunFolder


def grades_of(folder: RunFolder) -> dict[tuple[str, str], Grade]:
    """Return (trial, round) → grade, the newest revision of each."""
    grades = {
        (trial.planned.id, state.result.round): state.grade
        for trial in folder.trials
        for state in trial.rounds
        if state.grade is not None
    }
    for key, (again, _) in folder.standing.newest.items():
        grades[key] = again.grade
    return grades


def report_of(
    folder: RunFolder,
    *,
    closed: bool | None = None,
    faults: Sequence[str] = (),
    beside: Iterable[tuple[RunFolder, Sequence[str]]] = (),
) -> str:
    """Return the Markdown report.

    Args:
        folder: the run.
        faults: why the folder is not sound (see `soundness`); they stand above every figure.
        closed: overrides what the folder shows, for the report that is written just before
            the closing manifest.
        beside: other runs that are reported with it, each with its faults; void cells are shown
            beside their rerun, and a rerun or refill beside what it follows.
    """
    rows = folder.rows()
    return render_report(
        folder.plan,
        rows,
        grades_of(folder),
        closed=folder.closed if closed is None else closed,
        amendments=folder.amendments,
        errata=errata_of(folder),
        faults=faults,
        beside=[OtherRun(run.plan, tuple(run.rows()), _state(run, wrong)) for run, wrong in beside],
        reviewed=Reviewed(rows, folder.review_imports(), REVIEWED_SUITES),
        revisions=folder.standing.revisions,
        withdrawn=folder.standing.suites_withdrawn,
    )


def _state(folder: RunFolder, faults: Sequence[str]) -> str:
    """Return what speaks against the figures of a run, or nothing."""
    if faults:
        return "not sound"
    if folder.invalidated is not None:
        return "invalidated"
    if folder.standing.suites_withdrawn:
        return f"invalidated in part ({', '.join(folder.standing.suites_withdrawn)})"
    if any(revision.content.corrected for revision in folder.standing.revisions):
        return "graded again by a corrected evaluator"
    return "" if folder.closed else "not closed"


def summary_of(folder: RunFolder) -> dict[str, Any]:
    """Return the figures of a run folder as data, amendments applied."""
    standing = folder.standing
    return summary(
        folder.plan,
        folder.rows(),
        folder.reviews(),
        standing.revisions,
        standing.suites_withdrawn,
    )


def errata_of(folder: RunFolder) -> list[dict[str, str]]:
    """Return the errata of the run's suites, as data."""
    found: list[dict[str, str]] = []
    for suite in folder.plan.suites:
        path = Path(__file__).parent.parent / "suites" / suite.name / "errata.json"
        if path.is_file():
            found += json.loads(path.read_text(encoding="utf-8"))
    return found
