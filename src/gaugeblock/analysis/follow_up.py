"""A run that follows an earlier one: what it took again, and the verdicts of then and now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gaugeblock.analysis.cells import Cell, Cells
from gaugeblock.analysis.formats import share
from gaugeblock.analysis.markdown import DASH, code, escape, table
from gaugeblock.analysis.rates import SuccessRates, wilson
from gaugeblock.records.follows import FirstVerdict, Follows
from gaugeblock.records.outcome import NOT_VALID
from gaugeblock.records.plan import Plan
from gaugeblock.records.row import Row

SHOWN = 16
"""Characters of a hash that a report shows."""


@dataclass(frozen=True)
class OtherRun:
    """A run that a report is given beside the one it is about.

    Attributes:
        plan: its frozen plan.
        rows: its rows, amendments applied.
        state: what speaks against its figures, such as ``not closed``; empty: nothing.
    """

    plan: Plan
    rows: tuple[Row, ...]
    state: str = ""


@dataclass(frozen=True)
class RefillRates:
    """Success of a cell as it was planned, and with the replacements of provider errors.

    Attributes:
        case: the case.
        profile: who worked.
        as_planned: whole trials as the earlier run's rows have them.
        replaced: the same, each replaced trial that began anew counted by its replacement.
    """

    case: str
    profile: str
    as_planned: SuccessRates
    replaced: SuccessRates


@dataclass(frozen=True)
class _End:
    """How a whole trial ended: in the rates or not."""

    attempted: bool
    passed: bool
    valid: bool


def refill_rates(follows: Follows, together: Cells) -> list[RefillRates]:
    """Return both rates of each cell that a refill touches, its own void cells left out.

    Args:
        follows: of the refill's plan.
        together: the refill's cells.
    """
    anew = {
        (cell.key.case, cell.key.profile, number): end
        for cell in together
        for number, end in _ends(cell).items()
    }
    void = {(cell.key.case, cell.key.profile) for cell in together.void}
    rates = []
    for name in follows.cells:
        if (name.case, name.profile) in void:
            continue
        first = _of(follows, name.case, name.profile)
        planned = [_End(item.attempted, item.passed, item.valid) for item in first]
        now = [
            anew.get((item.case, item.profile, item.repetition), end)
            if item.trial in follows.trials
            else end
            for item, end in zip(first, planned, strict=True)
        ]
        rates.append(RefillRates(name.case, name.profile, _rates(planned), _rates(now)))
    return rates


def _of(follows: Follows, case: str, profile: str) -> list[FirstVerdict]:
    return [item for item in follows.first if (item.case, item.profile) == (case, profile)]


def _ends(cell: Cell) -> dict[int, _End]:
    """Return repetition → end of the trials that began: what never began replaces nothing."""
    columns = (cell.by_trial(name) for name in ("repetition", "attempted", "outcome"))
    found = {}
    for numbers, tried, ends in zip(*columns, strict=True):
        if any(a and o != "not-run" for a, o in zip(tried, ends, strict=True)):
            found[numbers[0]] = _End(True, set(ends) == {"passed"}, not set(ends) & NOT_VALID)
    return found


def _rates(ends: Iterable[_End]) -> SuccessRates:
    attempted = [end for end in ends if end.attempted]
    passed = sum(end.passed for end in attempted)
    valid = sum(end.valid for end in attempted)
    return SuccessRates(wilson(passed, len(attempted)), wilson(passed, valid))


def told(outcomes: Mapping[str, int]) -> str:
    """Return counted outcomes as text, as in ``2 passed, 1 failed``; empty: no such round."""
    return ", ".join(f"{n} {outcome}" for outcome, n in sorted(outcomes.items())) or DASH


def follow_up_data(plan: Plan, together: Cells) -> dict[str, Any] | None:
    """Return what `summary.json` says of the earlier run; None where there is none."""
    follows = plan.follows
    if follows is None:
        return None
    data = follows.model_dump(mode="json")
    data["other"] = follows.other
    data["rates"] = refill_rates(follows, together) if follows.kind == "refill" else []
    return data


def follow_up_lines(plan: Plan, together: Cells, beside: Sequence[OtherRun]) -> list[str]:
    """Return the section on the run that this one follows; nothing where it follows none.

    Args:
        plan: the frozen plan.
        together: the run's cells.
        beside: other runs that the report is given; the earlier run may be among them.
    """
    follows = plan.follows
    if follows is None:
        return []
    earlier = [run for run in beside if run.plan.commitment() == follows.run]
    lines = ["## What this run follows", ""]
    if follows.kind == "rerun":
        lines += [
            f"A **rerun**: {len(follows.trials)} trials of void cells of run "
            f"{code(follows.run[:SHOWN])}, taken again as they were planned. The first verdicts "
            "stay in that run; they are in no figure here.",
            "",
        ]
        if follows.changes:
            rows = [
                [escape(item.part), code(item.then[:SHOWN]), code(item.now[:SHOWN])]
                for item in follows.changes
            ]
            lines += [f"**Rerun under other {escape(follows.other)}.**", ""]
            lines += table(["Part", "Then", "Now"], rows)
        lines += _verdicts(plan, follows, together)
    else:
        lines += _refill(follows, together)
    lines += [f"- {line}" for run in earlier for line in _disagreements(follows, run)]
    if not earlier:
        lines.append("- The earlier run was not given with this report: what is said of it here is")
        lines[-1] += " what the plan froze (`gaugeblock report` takes both)."
    return [*lines, ""]


def _verdicts(plan: Plan, follows: Follows, together: Cells) -> list[str]:
    """Return the first verdicts of each round beside those of the rerun."""
    rows = []
    for name in follows.cells:
        first = _of(follows, name.case, name.profile)
        old = (round_id for item in first for round_id in item.rounds)
        # A mended suite may have other rounds than then.
        for asked in dict.fromkeys([*old, *(item.id for item in plan.case(name.case).rounds)]):
            then = Counter(item.rounds[asked] for item in first if asked in item.rounds)
            now = outcomes_at([*together, *together.void], name.case, name.profile, asked)
            step = [escape(name.profile), escape(name.case), escape(asked)]
            rows.append([*step, told(then), told(now), escape(name.reason)])
    head = ["Profile", "Case", "Round", "First verdicts", "Rerun", "Why it was voided"]
    return table(head, rows)


def outcomes_at(among: Iterable[Cell], case: str, profile: str, round_id: str) -> Counter[str]:
    """Return how often a round of a profile on a case ended how."""
    return Counter(
        outcome
        for cell in among
        if (cell.key.case, cell.key.profile) == (case, profile) and round_id in dict(cell.rounds())
        for outcome in cell.at(round_id).field("outcome")
    )


def _refill(follows: Follows, together: Cells) -> list[str]:
    lines = [
        f"A **refill**: {len(follows.trials)} trials of run {code(follows.run[:SHOWN])} that ended "
        "because the provider failed, taken again. Replacements alone are no sample; whole trials "
        "of each cell, as planned and with the replacements:",
        "",
    ]
    rows = [
        [
            escape(item.profile),
            escape(item.case),
            *(share(rate) for rate in (item.as_planned.attempted, item.as_planned.valid)),
            *(share(rate) for rate in (item.replaced.attempted, item.replaced.valid)),
        ]
        for item in refill_rates(follows, together)
    ]
    head = ["Profile", "Case", "As planned: passed / attempted", "Passed / valid"]
    lines += table([*head, "With replacements: passed / attempted", "Passed / valid"], rows)
    ended = {
        (cell.key.case, cell.key.profile, numbers[0]): ends
        for cell in [*together, *together.void]
        for numbers, ends in zip(cell.by_trial("repetition"), cell.by_trial("outcome"), strict=True)
    }
    replaced = [item for item in follows.first if item.trial in follows.trials]
    rows = []
    for item in replaced:
        ends = ended.get((item.case, item.profile, item.repetition), ["not-run"])
        now = next((end for end in ends if end != "passed"), "passed")
        rows.append([code(item.trial), escape(item.outcome), escape(now)])
    return [*lines, *table(["Replaced trial", "Then", "Replacement"], rows)]


def _disagreements(follows: Follows, earlier: OtherRun) -> list[str]:
    """Return where the earlier run, as it is now, is not what the plan froze of it."""
    lines = [f"The earlier run is {escape(earlier.state)}."] if earlier.state else []
    now: dict[str, dict[str, str]] = {}
    void = set()
    for row in earlier.rows:
        now.setdefault(row.trial, {})[row.round] = row.outcome
        if row.voided:
            void.add((row.case, row.profile))
    for item in follows.first:
        if now.get(item.trial) != item.rounds:
            lines.append(
                f"**{code(item.trial)} has other verdicts in the earlier run now than when this "
                "plan was frozen.**"
            )
    if follows.kind == "refill":
        lines += [
            f"**{escape(str(cell))} is void in the earlier run: its rates are not to be used.**"
            for cell in follows.cells
            if (cell.case, cell.profile) in void
        ]
    return lines or ["The earlier run, given with this report, says the same today."]
