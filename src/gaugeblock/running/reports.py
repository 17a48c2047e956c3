"""The report of a run folder in any state, with errata and amendments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from gaugeblock.analysis.follow_up import OtherRun
from gaugeblock.analysis.points import REVIEWED_SUITES
from gaugeblock.analysis.report import render_report
from gaugeblock.analysis.review_text import Reviewed
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
    for amendment in folder.amendments:
        if amendment.kind == "regrade":
            for item in amendment.content["grades"]:
                grade = Grade.build(item["grade"], f"amendment {amendment.number}")
                grades[item["trial"], item["round"]] = grade
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
    )


def _state(folder: RunFolder, faults: Sequence[str]) -> str:
    """Return what speaks against the figures of a run, or nothing."""
    if faults:
        return "not sound"
    if folder.invalidated is not None:
        return "invalidated"
    return "" if folder.closed else "not closed"


def errata_of(folder: RunFolder) -> list[dict[str, str]]:
    """Return the errata of the run's suites, as data."""
    found: list[dict[str, str]] = []
    for suite in folder.plan.suites:
        path = Path(__file__).parent.parent / "suites" / suite.name / "errata.json"
        if path.is_file():
            found += json.loads(path.read_text(encoding="utf-8"))
    return found
