"""Evaluator revisions: which verdicts were graded again, from what to what, why, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from gaugeblock.analysis.cells import Cell
from gaugeblock.analysis.columns import AnyRow, field
from gaugeblock.analysis.follow_up import SHOWN, told
from gaugeblock.analysis.markdown import DASH, clean, code, escape, table
from gaugeblock.records.grade import Check
from gaugeblock.records.revision import Evaluator, Judged, Regraded
from gaugeblock.records.standing import Revision

AS_RUN = "the run itself"


def revision_data(revisions: Iterable[Revision]) -> list[dict[str, Any]]:
    """Return revisions as JSON-able data, in order; whole grades stand in the amendments."""
    return [
        {
            "amendment": revision.amendment.number,
            "at": revision.amendment.at,
            "reason": clean(revision.reason),
            "corrected": revision.content.corrected,
            "evaluators": {
                suite: change.model_dump(mode="json")
                for suite, change in revision.content.evaluators.items()
            },
            "rounds": [_round(item) for item in revision.content.grades],
        }
        for revision in revisions
    ]


def _round(item: Regraded) -> dict[str, Any]:
    return {
        "trial": item.trial,
        "round": item.round,
        "before": _told(item.before),
        "after": _told(item.after),
        "changed": item.changed,
        "changed_checks": [
            {"check": name, "before": before, "after": after}
            for name, before, after in _changed_checks(item)
        ],
    }


def _told(judged: Judged) -> dict[str, Any]:
    score = judged.grade.score if judged.grade else None
    return {
        "outcome": judged.outcome,
        "points": score and score.points,
        "points_of": score and score.out_of,
        "probe": judged.probe and judged.probe.verdict,
    }


def _changed_checks(item: Regraded) -> list[tuple[str, str | None, str | None]]:
    """Return name, verdict before and after of each check that is judged otherwise."""
    before = {check.name: check.verdict for check in _checks(item.before)}
    after = {check.name: check.verdict for check in _checks(item.after)}
    return [
        (name, before.get(name), after.get(name))
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]


def _checks(judged: Judged) -> tuple[Check, ...]:
    return judged.grade.checks if judged.grade else ()


def newest_evaluators(revisions: Sequence[Revision]) -> str:
    """Return in one cell of a table what the verdicts of each suite stand on; empty: the run's."""
    newest = {
        suite: (revision.name, change.after)
        for revision in revisions
        for suite, change in revision.content.evaluators.items()
    }
    return "; ".join(
        f"{escape(suite)}: {_evaluator(evaluator)} ({name})"
        for suite, (name, evaluator) in newest.items()
    )


def revision_lines(revisions: Sequence[Revision], together: Iterable[Cell]) -> list[str]:
    """Return the section on revisions; nothing where nothing was graded again.

    Args:
        revisions: of the run, in order.
        together: the run's cells, amendments applied.
    """
    if not revisions:
        return []
    lines = [
        "## Revisions",
        "",
        "The deliveries were graded again after the run was closed; no model was asked again. "
        "Outcomes, rates, points, checks and volumes of this report stand on the newest revision. "
        "Times, tokens, costs, interference and reviews are as the run recorded them. The "
        "amendments hold every grade that was replaced; the first of each lies in its round's "
        "`grade.json`.",
        "",
        *_what(revisions),
        *_which(revisions),
        *_per_cell(revisions, together),
    ]
    return lines


def _what(revisions: Sequence[Revision]) -> list[str]:
    rows = [
        [
            revision.name,
            escape(suite),
            _evaluator(change.before),
            "the same" if change.after == change.before else _evaluator(change.after),
            escape(revision.reason),
        ]
        for revision in revisions
        for suite, change in revision.content.evaluators.items()
    ]
    lines = table(["Revision", "Suite", "Graded before by", "Graded now by", "Why"], rows)
    return [
        *lines,
        *(f"- {item.name}, {item.amendment.at}: {item.told}." for item in revisions),
        "",
    ]


def _evaluator(evaluator: Evaluator) -> str:
    return f"ruler {code(evaluator.ruler[:SHOWN])}, suite {code(evaluator.suite[:SHOWN])}"


def _which(revisions: Sequence[Revision]) -> list[str]:
    rows = [
        [
            revision.name,
            code(item.trial),
            escape(item.round),
            _verdict(item.before),
            _verdict(item.after),
            escape(
                "; ".join(
                    f"{name}: {before or 'not judged'} → {after or 'not judged'}"
                    for name, before, after in _changed_checks(item)
                )
            )
            or DASH,
        ]
        for revision in revisions
        for item in revision.content.grades
        if item.changed
    ]
    if not rows:
        return ["No verdict changed.", ""]
    return table(["Revision", "Trial", "Round", "Was", "Is", "Checks judged otherwise"], rows)


def _verdict(judged: Judged) -> str:
    parts = [judged.outcome]
    score = judged.grade.score if judged.grade else None
    if score is not None:
        parts.append(f"{score.points} of {score.out_of} points")
    if judged.probe is not None:
        parts.append(f"probe {judged.probe.verdict}")
    return escape(", ".join(parts))


def _per_cell(revisions: Sequence[Revision], together: Iterable[Cell]) -> list[str]:
    """Return a table that says of each round of a cell on which revision its figures stand."""
    first: dict[tuple[str, str], str] = {}
    newest: dict[str, str] = {}
    for revision in revisions:
        newest.update(dict.fromkeys(revision.content.evaluators, revision.name))
        for item in revision.content.grades:
            first.setdefault((item.trial, item.round), item.before.outcome)
    rows = []
    for cell in together:
        for name, _ in cell.rounds():
            mine: Sequence[AnyRow] = cell.at(name)
            trials, ends = field(mine, "trial"), field(mine, "outcome")
            then = Counter(
                first.get((trial, name), end) for trial, end in zip(trials, ends, strict=True)
            )
            rows.append(
                [
                    escape(cell.key.profile),
                    escape(cell.step(name)),
                    told(then),
                    told(Counter(ends)),
                    newest.get(cell.key.suite, AS_RUN),
                ]
            )
    head = ["Profile", "Case", "As the run graded", "Now", "Stands on"]
    return table(head, rows) if rows else []
