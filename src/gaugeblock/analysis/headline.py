"""The headline: success on sealed fresh draws, cases that nobody could know before the plan.

Open cases are public and fixed; they stand in the results below and are never pooled with these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from gaugeblock.analysis.cells import Cell, begun
from gaugeblock.analysis.formats import share
from gaugeblock.analysis.markdown import DASH, Footnotes, escape, table
from gaugeblock.analysis.rates import Rate, SuccessRates, clustered_rate, sequence_rates, wilson
from gaugeblock.records.plan import Plan

SEALED = "sealed"


@dataclass(frozen=True)
class Headline:
    """Success of one profile on its sealed draws.

    Attributes:
        suite: the suite.
        profile: who worked.
        language: of the instructions.
        cohort: of the controls; others stand apart.
        cases: drawn cases with a trial that began.
        trials: over all trials, as if no two shared a case.
        clustered: the same with an interval that knows that trials share a case.
    """

    suite: str
    profile: str
    language: str
    cohort: str
    cases: int
    trials: SuccessRates
    clustered: SuccessRates


def headlines(together: Iterable[Cell]) -> list[Headline]:
    """Return a headline for each profile that worked on sealed draws; scripts have none."""
    groups: dict[tuple[str, str, str, str], list[Cell]] = defaultdict(list)
    for cell in together:
        key = cell.key
        if key.visibility == SEALED and not cell.scripted and begun(cell.rows()):
            groups[key.suite, key.profile, key.language, key.cohort].append(cell)
    found = []
    for (suite, profile, language, cohort), cells in sorted(groups.items()):
        rates = [sequence_rates(cell) for cell in cells]
        attempted = [(rate.attempted.passed, rate.attempted.n) for rate in rates]
        valid = [(rate.valid.passed, rate.valid.n) for rate in rates]
        found.append(
            Headline(
                suite=suite,
                profile=profile,
                language=language,
                cohort=cohort,
                cases=len(cells),
                trials=SuccessRates(_pooled(attempted), _pooled(valid)),
                clustered=SuccessRates(clustered_rate(attempted), clustered_rate(valid)),
            )
        )
    return found


def _pooled(counts: list[tuple[int, int]]) -> Rate:
    return wilson(sum(passed for passed, _ in counts), sum(n for _, n in counts))


def no_headline(plan: Plan, sealed_off: bool) -> str:
    """Return why a run has no headline; empty: it may have one.

    Args:
        plan: the frozen plan.
        sealed_off: whether a sandbox kept the agents from what they must not read.
    """
    if plan.draw is None:
        return "the plan draws no fresh cases"
    if not plan.draw.sealed:
        return "the fresh cases replay a seed that was known before: they are open"
    return "" if sealed_off else "the run is unsealed: no sandbox kept the agents in"


def headline_lines(plan: Plan, together: Iterable[Cell], sealed_off: bool) -> list[str]:
    """Return the section of sealed draws; nothing for a plan without fresh draws."""
    if plan.draw is None:
        return []
    lines = ["## Headline: sealed fresh draws", ""]
    why_not = no_headline(plan, sealed_off)
    if why_not:
        return [*lines, f"None: {why_not}.", ""]
    found = headlines(together)
    if not found:
        return [*lines, "None: no model was measured on them.", ""]
    notes = Footnotes()
    rows = [
        [
            escape(one.profile),
            f"{escape(one.suite)}, {escape(one.language)}",
            str(one.cases),
            share(one.trials.attempted),
            share(one.trials.valid),
            _across(one.clustered.attempted, notes),
            _across(one.clustered.valid, notes),
        ]
        for one in found
    ]
    titles = ["Profile", "Suite", "Cases", "Passed / attempted", "Passed / valid"]
    titles += ["Across cases, attempted", "Across cases, valid"]
    lines += [
        "Cases drawn of a seed that follows from the frozen plan and a secret: no training data "
        "holds them. Whole trials with the Wilson 95 % interval, as if each were a case of its "
        "own; across cases with an interval that knows which trials share one.",
        "",
    ]
    return [*lines, *table(titles, rows, "llrllll"), *notes.lines()]


def _across(rate: Rate, notes: Footnotes) -> str:
    return share(rate) if rate.low is not None else DASH + notes.mark(rate.reason)
