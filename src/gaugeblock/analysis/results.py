"""The results of a report: what models achieved and what it cost, one profile after the other."""

from __future__ import annotations

from collections.abc import Sequence

from gaugeblock.analysis.cells import WITH_TOOLS, Cell, begun
from gaugeblock.analysis.formats import (
    column,
    growth_value,
    median_and_interval,
    quantity,
    share,
)
from gaugeblock.analysis.markdown import DASH, Footnotes, escape, table
from gaugeblock.analysis.points import points_lines
from gaugeblock.analysis.rates import (
    Rate,
    RoundRates,
    clustered_rate,
    pass_hat_k,
    round_rates,
    sequence_rates,
)
from gaugeblock.analysis.run_summary import sealed_off
from gaugeblock.analysis.slopes import LEAST_FOR_CLAIM
from gaugeblock.analysis.summaries import METRIC, Aggregate, cell_aggregate, cells_cost_per_solved
from gaugeblock.analysis.voided import void_names
from gaugeblock.records.plan import Plan


def result_lines(plan: Plan, results: Sequence[Cell], void: Sequence[Cell] = ()) -> list[str]:
    """Return the section of results.

    Args:
        plan: the frozen plan.
        results: the cells of agents that are no scripts.
        void: void cells of such agents; they are only named.
    """
    lines = ["## Results", ""]
    measured = [cell for cell in results if begun(cell.rows())]
    if void:
        named = ", ".join(map(escape, void_names(void)))
        lines += [f"Left out as void: {named}; see *Void cells*.", ""]
    if not measured and void:
        return [*lines, "No other cell of a model was measured in this run.", ""]
    if not measured:
        return [*lines, "No model was measured in this run.", ""]
    if plan.follows is not None and plan.follows.kind == "refill":
        lines += [
            "**Replacements alone are no sample: the rates that count stand in *What this run "
            "follows*.**",
            "",
        ]
    if not sealed_off(plan):
        lines += ["**Unsealed run: not for headline tables.**", ""]
    lines += [
        "Passes over samples with the Wilson 95 % interval; never read the share without it.",
        "",
    ]
    groups: dict[tuple[str, ...], list[Cell]] = {}
    for cell in measured:
        groups.setdefault(cell.key.pool, []).append(cell)
    for (profile, suite, visibility, language, _, tools), group in groups.items():
        apart = "" if tools == WITH_TOOLS else f", **{escape(tools)}**"
        title = (
            f"{escape(profile)} · {escape(suite)}, {escape(visibility)} cases, "
            f"{escape(language)}{apart}"
        )
        notes = Footnotes()
        lines += [f"### {title}", "", *_success(group, notes), *points_lines(group, notes)]
        lines += _spending(group, notes)
        lines += [*_across(group), *notes.lines()]
    return lines


def _success(group: Sequence[Cell], notes: Footnotes) -> list[str]:
    """Return a table of the single rounds and one of the sequences, which have two more rates."""
    single = [cell for cell in group if len(cell.rounds()) == 1]
    sequences = [cell for cell in group if len(cell.rounds()) > 1]
    lines: list[str] = []
    head = ["Passed / attempted", "Passed / valid"]
    tail = ["First try", "pass^3"]
    if single:
        rows = [_rates(cell, rates, notes) for cell in single for rates in round_rates(cell)]
        lines += table(["Case", "N", *head, *tail], rows, "lrllll")
    if sequences:
        lines += ["Sequences: n is all that began; one that ended earlier is not passed.", ""]
        rows = [_rates(cell, rates, notes) for cell in sequences for rates in round_rates(cell)]
        titles = ["Round", "k", *head, "Passed / reached", "Passed / reached, valid", *tail]
        lines += table(titles, rows, "lrllllll")
    return lines


def _rates(cell: Cell, rates: RoundRates, notes: Footnotes) -> list[str]:
    few = rates.headline.attempted.n < LEAST_FOR_CLAIM
    mark = f"n < {LEAST_FOR_CLAIM}: too few repetitions for any claim" if few else ""
    shown = [share(rates.headline.attempted) + notes.mark(mark), share(rates.headline.valid)]
    if len(cell.rounds()) > 1:
        shown += [share(rates.reached.attempted), share(rates.reached.valid)]
    shown += [_share_or_note(rates.first_try, notes), _pass_hat(rates.headline.attempted)]
    return [escape(cell.step(rates.round)), growth_value(rates.growth), *shown]


def _pass_hat(rate: Rate) -> str:
    value = pass_hat_k(rate.passed, rate.n, LEAST_FOR_CLAIM)
    return "n < 3" if value is None else f"{value:.2f}"


def _share_or_note(rate: Rate, notes: Footnotes) -> str:
    return share(rate) if rate.low is not None else notes.missing(rate.reason)


SPENDING = (
    ("Money and tokens", ("cost_usd", "input_tokens", "output_tokens")),
    ("Time and memory", ("total_s", "first_commit_s", "cad_s", "host_peak_bytes")),
)
"""Metrics of the two overview tables; ``summary.json`` has all."""


def _spending(group: Sequence[Cell], notes: Footnotes) -> list[str]:
    lines: list[str] = []
    for what, names in SPENDING:
        told = f"{what}: median [95 % interval of the median] and maximum, failures included."
        lines += [told, ""]
        titles = [title for name in names for title in (column(METRIC[name]), "max")]
        rows = []
        for cell in group:
            for round_id, _ in cell.rounds():
                figures = [cell_aggregate(cell, round_id, METRIC[name]) for name in names]
                shown = [text for figure in figures for text in _both(figure, notes)]
                rows.append([escape(cell.step(round_id)), *shown])
        lines += table(["Case", *titles], rows, "l" + "r" * len(titles))
    return lines


def _both(figure: Aggregate, notes: Footnotes) -> tuple[str, str]:
    if figure.median is None or figure.maximum is None:
        return notes.missing(figure.reason), DASH
    middle = median_and_interval(figure) + notes.mark(figure.reason)
    return middle, quantity(figure.maximum, figure.unit)


def _across(group: Sequence[Cell]) -> list[str]:
    rates = [sequence_rates(cell) for cell in group]
    attempted = clustered_rate((rate.attempted.passed, rate.attempted.n) for rate in rates)
    valid = clustered_rate((rate.valid.passed, rate.valid.n) for rate in rates)
    money = cells_cost_per_solved(group, attempted.passed)
    across = f" ({escape(attempted.reason)})" if attempted.reason else ""
    cost = (
        f"USD {quantity(money.usd, 'USD')}"
        if money.usd is not None
        else f"unavailable ({escape(money.reason)})"
    )
    return [
        f"- Whole trials across cases: {share(attempted)} of attempted, {share(valid)} of "
        f"valid{across}.",
        f"- Cost per solved trial, all attempts paid: {cost}.",
        "",
    ]
