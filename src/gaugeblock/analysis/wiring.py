"""The wiring proof of a report, and each figure beside the formula that judged it.

Scripted agents go through the same server as a model. That the reference passes and that the
null and every mutant fail proves the way and the ruler; it is never a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from gaugeblock.analysis.cells import Cell, began
from gaugeblock.analysis.columns import AnyRow
from gaugeblock.analysis.formats import deviation, exact, growth_value, position, volume
from gaugeblock.analysis.growth import AXIS_WORDS
from gaugeblock.analysis.markdown import DASH, Footnotes, clean, code, escape, table
from gaugeblock.analysis.points import points_lines
from gaugeblock.analysis.probes import scripted_probe_lines
from gaugeblock.analysis.voided import void_names
from gaugeblock.records.grade import Check, Figure, Grade
from gaugeblock.records.plan import Plan

Grades = Mapping[tuple[str, str], Grade]
"""(trial id, round id) → grade."""

VERDICT_RANK = {"fail": 0, "could-not-measure": 1, "pass": 2, "not-applicable": 3}
"""Order in which the repetition to show is chosen: the worst one stands for its cell."""

MUST_PASS = "reference"
"""The one scripted agent that has to pass; all the others have to fail."""


def wiring_lines(
    plan: Plan, scripted: Sequence[Cell], grades: Grades, void: Sequence[Cell] = ()
) -> list[str]:
    """Return the section of the scripted agents.

    Args:
        plan: the frozen plan.
        scripted: the cells of scripted profiles.
        grades: the judgements.
        void: void cells of scripted profiles; they prove nothing and are only named.
    """
    lines = ["## Wiring proof", ""]
    if void:
        named = ", ".join(map(escape, void_names(void)))
        lines += [f"Left out as void: {named}; see *Void cells*.", ""]
    if not scripted and void:
        return [*lines, "No other scripted agent was in this run.", ""]
    if not scripted:
        return [*lines, "No scripted agent was in this run.", ""]
    lines += ["Scripted agents through the same server and ruler. Never a result.", ""]
    lines += _tally(plan, scripted)
    for title, kind in (("Reference", MUST_PASS), ("Null", "null"), ("Mutants", "mutant")):
        group = [cell for cell in scripted if _kind(plan, cell) == kind]
        rows = _wiring_rows(plan, group, grades)
        if rows:
            lines += [f"### {title}", "", *_with_content(rows)]
            if kind == MUST_PASS:
                notes = Footnotes()
                lines += [*points_lines(group, notes), *notes.lines()]
    return [*lines, *scripted_probe_lines(plan, scripted)]


HEAD = {
    "Agent": "l",
    "Case": "l",
    "Outcome": "l",
    "n": "r",
    "Points": "r",
    "Volume, mm³": "r",
    "Must fail": "l",
    "Failed": "l",
    "Finding": "l",
}
"""Columns of a table of scripted agents, and how each is aligned."""


def _with_content(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the table without the columns that are empty in every row."""
    kept = [place for place in range(len(HEAD)) if any(row[place] for row in rows)]
    names, marks = list(HEAD), "".join(HEAD.values())
    cells = [[row[place] for place in kept] for row in rows]
    return table([names[place] for place in kept], cells, "".join(marks[place] for place in kept))


def _kind(plan: Plan, cell: Cell) -> str:
    return plan.profile(cell.key.profile).agent.split(":")[0]


def _tally(plan: Plan, scripted: Sequence[Cell]) -> list[str]:
    """Say in one line a kind how many planned rounds ended as the suite says they must."""
    demanded = {trial.id: trial for trial in plan.trials}
    lines = []
    for kind, name in ((MUST_PASS, "reference"), ("null", "null"), ("mutant", "mutants")):
        rows = [row for cell in scripted if _kind(plan, cell) == kind for row in cell.rows()]
        ends = [
            demanded[row.trial].as_it_must(
                row.round,
                row.outcome,
                row.failed_checks,
                row.matched_reading,
                row.probe,
                row.probe_failed_checks,
            )
            for row in rows
        ]
        judged = [end for end in ends if end is not None]
        if not judged:
            continue
        off = judged.count(False)
        told = "" if off == 0 else f": **{off} did not, so the wiring is not proven**"
        lines.append(f"- {name}: {len(judged) - off} of {len(judged)} rounds as they must{told}")
    return [*lines, ""]


def _wiring_rows(plan: Plan, group: Sequence[Cell], grades: Grades) -> list[list[str]]:
    """One line for equal ends of a cell's repetitions; a mutant's later rounds stay out."""
    demanded = {trial.id: trial.must_fail or {} for trial in plan.trials}
    rows = []
    for cell in group:
        for round_id, _ in cell.rounds():
            ends: dict[tuple[str, tuple[str, ...], str, str], list[AnyRow]] = {}
            for row in cell.at(round_id):
                if began(row):
                    finding = _finding(row, grades.get((row.trial, row.round)))
                    end = (row.outcome, row.failed_checks, finding, _points(row))
                    ends.setdefault(end, []).append(row)
            for (outcome, failed, finding, points), same in ends.items():
                first = same[0].volume_mm3
                unknown = "" if points else DASH  # a suite of points judges no volume
                rows.append(
                    [
                        escape(cell.key.profile),
                        escape(cell.step(round_id)),
                        escape(outcome),
                        str(len(same)),
                        points,
                        unknown if first is None else volume(first),
                        ", ".join(map(escape, demanded[same[0].trial].get(round_id, ()))),
                        ", ".join(map(escape, failed)),
                        escape(finding),
                    ]
                )
    return rows


def _points(row: AnyRow) -> str:
    return "" if row.points is None else f"{row.points}/{row.points_of}"


def _finding(row: AnyRow, grade: Grade | None) -> str:
    if grade is None:
        return row.reason
    found = "; ".join(
        f"{c.name}: {c.finding}" for c in grade.checks if c.verdict != "pass" and c.finding
    )
    reading = f"matches the reading “{grade.matched_reading}”" if grade.matched_reading else ""
    return "; ".join(part for part in (reading, found or row.reason) if part)


def figure_lines(plan: Plan, together: Sequence[Cell], grades: Grades) -> list[str]:
    """Return the section that sets each measured figure beside its formula.

    The reference and each model stand here, one table a round. With repetitions the worst one is
    shown (a failed check before a passed one, then the largest deviation) beside the count.
    """
    lines = ["## Figures beside their formulas", ""]
    shown = [cell for cell in together if not cell.scripted or _kind(plan, cell) == MUST_PASS]
    shown = sorted(shown, key=lambda cell: not cell.scripted)
    tables: list[str] = []
    for cell in shown:
        for round_id, growth in cell.rounds():
            trials = cell.at(round_id).field("trial") if grades else []
            judged = [grades[trial, round_id] for trial in trials if (trial, round_id) in grades]
            if judged:
                name = f"{escape(cell.key.profile)} · {escape(cell.step(round_id))}"
                title = escape(plan.case(cell.key.case).title)
                place = f"{AXIS_WORDS.get(cell.key.axis, ('', ''))[0]} = {growth_value(growth)}"
                about = f" ({place})" if cell.key.axis in AXIS_WORDS else ""
                tables += [f"### {name}: {title}{about}", ""]
                tables += [*_values(plan, cell, round_id), *_checks(judged)]
    if not tables:
        return [*lines, "Nothing was judged.", ""]
    text = (
        "Relative deviation for volumes, mm for bounds. Of several repetitions the worst is shown."
    )
    return [*lines, text, "", *tables]


def _values(plan: Plan, cell: Cell, round_id: str) -> list[str]:
    """Return the values and symbols that the formulas use, so that a reader can reckon again."""
    asked = next(item for item in plan.case(cell.key.case).rounds if item.id == round_id)
    told = [f"{name} = {value:g}" for name, value in asked.parameters.items()]
    told += [f"{name} = {formula}" for name, formula in asked.truth.symbols.items()]
    return [f"With {', '.join(code(text) for text in told)}.", ""] if told else []


def _checks(judged: Sequence[Grade]) -> list[str]:
    names = dict.fromkeys(check.name for grade in judged for check in grade.checks)
    head = ["Check", "Formula", "Expected", "Measured", "Deviation", "Tolerance", "Verdict"]
    rows = []
    for name in names:
        same = [check for grade in judged for check in grade.checks if check.name == name]
        worst = min(same, key=_badness)
        passed = sum(check.verdict == "pass" for check in same)
        count = "" if len(same) == 1 else f" ({passed}/{len(same)} pass)"
        rows.append(
            [
                escape(name) + ("" if worst.points is None else f" ({worst.points} points)"),
                code(worst.formula.split("; with ")[0]),  # the symbols stand above
                _figure(worst.expected),
                _figure(worst.measured),
                DASH if worst.deviation is None else deviation(worst.deviation),
                DASH if worst.tolerance is None else deviation(worst.tolerance),
                escape(worst.verdict) + count,
            ]
        )
    return table(head, rows, "llrrrrl")


def _badness(check: Check) -> tuple[int, float]:
    return VERDICT_RANK[check.verdict], -abs(check.deviation or 0.0)


def _figure(value: Figure) -> str:
    if value is None:
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return exact(value)
    if isinstance(value, tuple):
        return ", ".join(
            position(item) if isinstance(item, float) else _figure(item) for item in value
        )
    return escape(value)


def weak_criteria_lines(plan: Plan, together: Sequence[Cell], grades: Grades) -> list[str]:
    """Return the sources' weaker criteria, apart from every verdict; nothing if there are none."""
    apart = {place: grade.apart for place, grade in grades.items() if grade.apart}
    counts: Counter[tuple[str, str, str, str, str]] = Counter()
    for cell in together if apart else ():
        ends = zip(*map(cell.rows().field, ("trial", "round", "outcome")), strict=True)
        for trial, round_id, outcome in ends:
            step = cell.step(round_id)
            for name, verdict in apart.get((trial, round_id), {}).items():
                counts[cell.key.profile, step, clean(name), verdict, outcome] += 1
    if not counts:
        return []
    rows = [
        [escape(profile), escape(step), escape(name), escape(verdict), escape(outcome), str(n)]
        for (profile, step, name, verdict, outcome), n in counts.items()
    ]
    head = ["Profile", "Case", "Weaker criterion", "By it", "Verdict", "n"]
    lines = ["## Weaker criteria of the source, apart", ""]
    lines += ["Reported beside the verdict; they never are the verdict.", ""]
    return [*lines, *table(head, rows, "lllllr")]
