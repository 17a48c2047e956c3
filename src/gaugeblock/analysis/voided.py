"""Void cells: out of every figure, and shown by themselves with what they had said first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gaugeblock.analysis.cells import Cell, Cells, cells
from gaugeblock.analysis.columns import field
from gaugeblock.analysis.follow_up import SHOWN, OtherRun, outcomes_at, told
from gaugeblock.analysis.markdown import DASH, clean, code, escape, table
from gaugeblock.records.evidence import Amendment
from gaugeblock.records.plan import Plan


def void_data(together: Cells) -> list[dict[str, Any]]:
    """Return what `summary.json` says of void cells: how each trial's rounds had ended."""
    return [
        {
            "profile": cell.key.profile,
            "suite": cell.key.suite,
            "case": cell.key.case,
            "scripted": cell.scripted,
            "invalidated": any(field(cell.rows(), "invalidated")),
            "rounds": [
                {"round": name, "outcomes": dict(sorted(_outcomes(cell, name).items()))}
                for name, _ in cell.rounds()
            ],
        }
        for cell in together.void
    ]


def void_names(void: Iterable[Cell]) -> list[str]:
    """Return the names of void cells."""
    return [f"{clean(cell.key.profile)} on {clean(cell.key.case)}" for cell in void]


def void_lines(
    plan: Plan,
    together: Cells,
    amendments: Sequence[Amendment],
    beside: Sequence[OtherRun],
    withdrawn: Mapping[str, str],
) -> list[str]:
    """Return the section of void cells; nothing where there are none.

    Args:
        plan: the frozen plan.
        together: the run's cells.
        amendments: of the run; those of kind void hold the reasons.
        beside: other runs that the report is given; reruns of this one may be among them.
        withdrawn: suite → why it was withdrawn by itself; its cells stand in their own section.
    """
    void = [cell for cell in together.void if cell.key.suite not in withdrawn]
    if not void:
        return []
    reruns = [
        (run, cells(run.rows))
        for run in beside
        if run.plan.follows is not None
        and run.plan.follows.kind == "rerun"
        and run.plan.follows.run == plan.commitment()
    ]
    lines = [
        "## Void cells",
        "",
        "The protocol was at fault here, not the agent. These cells are in no figure of this "
        "report; their rows keep the verdicts that they had.",
        "",
    ]
    rows = []
    for cell in void:
        case, profile = cell.key.case, cell.key.profile
        for name, _ in cell.rounds():
            again = [_rerun(run, made, case, profile, name) for run, made in reruns]
            shown = "; ".join(text for text in again if text) or DASH
            step = [escape(profile), escape(cell.step(name))]
            rows.append([*step, told(_outcomes(cell, name)), shown])
    lines += table(["Profile", "Case", "First verdicts", "Rerun"], rows)
    for item in amendments:
        if item.kind == "void":
            who = f"{item.content.get('profile')} on {item.content.get('case')}"
            lines.append(f"- {escape(who)} (amendment {item.number}): {escape(item.reason)}")
    if not reruns:
        lines.append("- No rerun was given with this report (`gaugeblock report` takes both).")
    return [*lines, ""]


def withdrawn_lines(together: Cells, withdrawn: Mapping[str, str]) -> list[str]:
    """Return the section of withdrawn suites; nothing where there are none.

    Args:
        together: the run's cells.
        withdrawn: suite → why it was withdrawn by itself.
    """
    if not withdrawn:
        return []
    lines = [
        "## Invalidated suites",
        "",
        "Withdrawn after the run was closed. They are in no figure of this report and in no "
        "comparison; their rows keep the verdicts that they had.",
        "",
        *(f"- {escape(suite)}: {escape(why)}" for suite, why in withdrawn.items()),
        "",
    ]
    rows = [
        [escape(cell.key.profile), escape(cell.step(name)), told(_outcomes(cell, name))]
        for cell in together.void
        if cell.key.suite in withdrawn
        for name, _ in cell.rounds()
    ]
    return [*lines, *table(["Profile", "Case", "Verdicts"], rows)]


def _outcomes(cell: Cell, round_id: str) -> Counter[str]:
    return Counter(cell.at(round_id).field("outcome"))


def _rerun(run: OtherRun, made: Cells, case: str, profile: str, round_id: str) -> str:
    """Say how a round of a void cell ended in one rerun; empty: it is not in it."""
    again = outcomes_at(made, case, profile, round_id)
    void = outcomes_at(made.void, case, profile, round_id)
    if not again and not void:
        return ""
    follows = run.plan.follows
    assert follows is not None
    notes = [f"run {code(run.plan.commitment()[:SHOWN])}"]
    if follows.other:
        notes.append(f"under other {escape(follows.other)}")
    if void:
        notes.append("**void again**")
    if run.state:
        notes.append(f"**{escape(run.state)}**")
    return f"{told(again or void)} ({', '.join(notes)})"
