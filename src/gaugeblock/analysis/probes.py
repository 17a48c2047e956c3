"""Re-edit probes: whether parts that passed follow their parameters; never part of success."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gaugeblock.analysis.cells import Cell
from gaugeblock.analysis.columns import AnyRow, field, only
from gaugeblock.analysis.formats import share
from gaugeblock.analysis.markdown import DASH, escape, table
from gaugeblock.analysis.rates import Rate, wilson
from gaugeblock.records.plan import Plan

HEAD = ["Profile", "Case", "Held / probed", "Missed by", "Could not grade"]


@dataclass(frozen=True)
class ProbeRate:
    """The probes of one round of a cell.

    Attributes:
        held: held over probed, where probed are those that could be graded; only rounds that
            passed are probed at all.
        could_not_grade: probes of which nobody can say; in no rate.
        missed_by: failed checks, or the reason where the host built nothing → count.
    """

    held: Rate
    could_not_grade: int
    missed_by: dict[str, int]


def probe_rate(cell: Cell, round_id: str) -> ProbeRate:
    """Return the probes of one round."""
    rows = cell.at(round_id)
    found = field(rows, "probe")
    verdicts = Counter(found)
    probed = verdicts["held"] + verdicts["missed"]
    causes = Counter(map(missed_by, only(rows, [verdict == "missed" for verdict in found])))
    return ProbeRate(
        held=wilson(verdicts["held"], probed),
        could_not_grade=verdicts["could-not-grade"],
        missed_by=dict(sorted(causes.items())),
    )


def missed_by(row: AnyRow) -> str:
    """Return by what a probe was missed: checks, or the code of the host that took no value."""
    return ", ".join(row.probe_failed_checks) or f"rejected ({row.probe_reason.split(':')[0]})"


def probe_lines(results: Sequence[Cell]) -> list[str]:
    """Return the section of the probes of agents that are no scripts; nothing without a probe.

    Args:
        results: their cells.
    """
    rows = [line for cell in results for line in _lines(cell)]
    if not rows:
        return []
    lines = [
        "## Re-edit probe",
        "",
        "After a round had passed, one parameter of the delivered document was set anew, a fresh "
        "host rebuilt it, and the ruler judged the part by the same formulas with the new value. "
        "Apart from success: of rounds that passed only, and no outcome rests on it. Held over "
        "probed with the Wilson 95 % interval.",
        "",
    ]
    return [*lines, *table(HEAD, rows, "lllll")]


def scripted_probe_lines(plan: Plan, scripted: Sequence[Cell]) -> list[str]:
    """Return the probes of scripted agents beside what the suite demands of them.

    Args:
        plan: the frozen plan.
        scripted: the cells of scripted profiles.
    """
    due = {trial.id: trial.misses_probe for trial in plan.trials}
    rows = []
    for cell in scripted:
        for line, (round_id, _) in zip(_lines(cell, every=True), cell.rounds(), strict=True):
            if line:
                demanded = due[cell.at(round_id)[0].trial].get(round_id)
                told = "hold" if demanded is None else f"miss by {_checks(demanded)}"
                rows.append([*line[:2], told, *line[2:]])
    if not rows:
        return []
    head = [*HEAD[:2], "Must", *HEAD[2:]]
    return ["### Re-edit probes", "", *table(head, rows, "llllll")]


def _checks(names: Sequence[str]) -> str:
    return escape(", ".join(names)) or "rejection"


def _lines(cell: Cell, *, every: bool = False) -> list[list[str]]:
    """Return a line for each round that was probed; with ``every``, an empty one for the others."""
    lines: list[list[str]] = []
    for round_id, _ in cell.rounds():
        rate = probe_rate(cell, round_id)
        if not rate.held.n + rate.could_not_grade:
            lines += [[]] if every else []
            continue
        causes = [f"{escape(cause)} ({n})" for cause, n in rate.missed_by.items()]
        lines.append(
            [
                escape(cell.key.profile),
                escape(cell.step(round_id)),
                share(rate.held),
                "; ".join(causes) or DASH,
                str(rate.could_not_grade),
            ]
        )
    return lines
