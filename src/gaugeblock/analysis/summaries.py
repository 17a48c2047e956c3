"""Cost, tokens, time and memory of a cell: median and maximum, failures included.

One unknown among the attempted rows makes the whole aggregate unavailable: a median over the
rows that happen to be known would flatter whoever loses its usage when it fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Literal, cast

from gaugeblock.analysis.cells import Cell, begun
from gaugeblock.analysis.columns import AnyRow, field
from gaugeblock.analysis.rates import CONFIDENCE, why_unknown
from gaugeblock.records.row import Row

LEAST_FOR_INTERVAL = 3
"""Fewest values for an interval of the median; with two it is just the two values."""

MICRO_USD = Decimal("0.000001")
"""Cost a solved trial is rounded to this: it is a quotient, and no finer figure is real."""

Number = int | float | Decimal
Unit = Literal["USD", "tokens", "s", "bytes", "count"]


@dataclass(frozen=True)
class Unknown:
    """A value that is not known, and why."""

    reason: str


@dataclass(frozen=True)
class Metric:
    """One figure of a row.

    Attributes:
        name: its key in ``summary.json``.
        label: its name for people.
        unit: what it is counted in.
        parts: the row's fields that it is the sum of; of money the first that is known counts.
        settled: whether it is a sum over settled requests: with one unsettled it is no total.
        one_machine: whether it compares only within one machine (times).
    """

    name: str
    label: str
    unit: Unit
    parts: tuple[str, ...]
    settled: bool = False
    one_machine: bool = False


@dataclass(frozen=True)
class Aggregate:
    """Median and maximum of one metric over the attempted rows.

    Attributes:
        metric: name of the metric.
        unit: unit of all figures here.
        n: attempted rows.
        unknown: how many of them do not know this metric.
        median: None where unavailable.
        maximum: None where unavailable.
        low: lower end of the 95 % bootstrap interval of the median, None where there is none.
        high: upper end.
        reason: why the aggregate, or else its interval, is unavailable; empty if all is there.
    """

    metric: str
    unit: Unit
    n: int
    unknown: int
    median: Number | None
    maximum: Number | None
    low: Number | None
    high: Number | None
    reason: str = ""


@dataclass(frozen=True)
class CostPerSolved:
    """Money spent on all attempted rows over the number of trials solved.

    Attributes:
        usd: USD a solved trial, None where unavailable.
        total_usd: USD spent in all, None where any part is unknown.
        solved: trials solved.
        reason: why ``usd`` is unavailable, empty if it is there.
    """

    usd: Decimal | None
    total_usd: Decimal | None
    solved: int
    reason: str = ""


INPUT_BUCKETS = ("input_uncached", "cache_read", "cache_write_5min", "cache_write_1h")
"""The disjoint buckets whose sum is the total input of a conversation, tokens."""

CAD_TIMES = ("cad_preview_s", "cad_validate_s", "cad_commit_s", "cad_readback_s")
"""The parts of CAD time, s."""

MONEY = tuple(name for name in ("reported_cost_usd", "cost_usd") if name in Row.model_fields)
"""Where the money of a round stands; what the provider itself says comes first."""

METRICS: tuple[Metric, ...] = (
    Metric("cost_usd", "cost", "USD", MONEY, settled=True),
    Metric("input_tokens", "input tokens", "tokens", INPUT_BUCKETS, settled=True),
    Metric("output_tokens", "output tokens", "tokens", ("output",), settled=True),
    Metric("total_s", "total time", "s", ("total_s",), one_machine=True),
    Metric("first_commit_s", "first commit", "s", ("first_commit_s",), one_machine=True),
    Metric("provider_s", "provider time", "s", ("provider_s",), one_machine=True),
    Metric("cad_s", "CAD time with read-back", "s", CAD_TIMES, one_machine=True),
    *(Metric(name, f"CAD {name[4:-2]}", "s", (name,), one_machine=True) for name in CAD_TIMES),
    Metric("host_peak_bytes", "host peak memory", "bytes", ("host_peak_bytes",)),
    Metric("provider_calls", "provider calls", "count", ("provider_calls",)),
    Metric("tool_calls", "tool calls", "count", ("tool_calls",)),
    Metric("plans", "plans", "count", ("plans",)),
    Metric("repairs", "repairs", "count", ("repairs",)),
    Metric("program_chars", "program length in characters", "count", ("program_chars",)),
    Metric("look_ups", "look-ups", "count", ("look_ups",)),
)
METRIC = {metric.name: metric for metric in METRICS}
"""Each metric by its name."""


def figures(metric: Metric, rows: Sequence[AnyRow]) -> list[Number | Unknown]:
    """Return a metric's figure of each row, in the order of the rows."""
    columns = [field(rows, name) for name in metric.parts]
    values: list[Number | None]
    if metric.unit == "USD":
        texts = columns[0]
        for others in columns[1:]:
            texts = [b if a is None else a for a, b in zip(texts, others, strict=True)]
        values = [None if text is None else Decimal(text) for text in texts]
    elif len(columns) == 1:
        values = columns[0]
    elif any(None in column for column in columns):
        values = [None if None in parts else sum(parts) for parts in zip(*columns, strict=True)]
    else:
        values = list(map(sum, zip(*columns, strict=True)))
    unsettled = field(rows, "unsettled_calls") if metric.settled else [0] * len(rows)
    if None not in values and unsettled.count(0) == len(rows):
        return cast("list[Number | Unknown]", values)
    return [
        _why(metric, row) if value is None or count != 0 else value
        for row, value, count in zip(rows, values, unsettled, strict=True)
    ]


def _why(metric: Metric, row: AnyRow) -> Unknown:
    """Return why a row does not know a metric."""
    if metric.settled and row.unsettled_calls is None:
        return Unknown(row.unknown.get("unsettled_calls", "no reason given"))
    if metric.settled and row.unsettled_calls != 0:
        return Unknown("requests of unknown billing: the known part is no total")
    missing = [name for name in metric.parts if getattr(row, name) is None]
    # Of money the last field is the one that is reckoned here, so its reason tells more.
    name = missing[-1] if metric.unit == "USD" else missing[0]
    return Unknown(row.unknown.get(name, "no reason given"))


def known_values(metric: Metric, *parts: Sequence[AnyRow]) -> tuple[list[Number], list[str]]:
    """Return the known values of a metric over the attempted rows and the reasons of the others.

    Rows of several machines make every value of a ``one_machine`` metric unknown.

    Args:
        metric: the metric.
        parts: rows, in one part or several.
    """
    counted = [begun(part) for part in parts]
    if metric.one_machine:
        machines = set[str]().union(*(field(part, "machine") for part in counted))
        if len(machines) > 1:
            why = f"rows of {len(machines)} machines; times compare only within one"
            return [], [why] * sum(map(len, counted))
    found = list(chain.from_iterable(figures(metric, part) for part in counted))
    if Unknown not in set(map(type, found)):
        return cast("list[Number]", found), []
    reasons = [value.reason for value in found if isinstance(value, Unknown)]
    return [value for value in found if not isinstance(value, Unknown)], reasons


def aggregate(metric: Metric, rows: Sequence[AnyRow]) -> Aggregate:
    """Return median, maximum and interval of one metric over the attempted rows.

    Args:
        metric: one of ``METRICS``.
        rows: rows of one cell's round; those that never began are left out.
    """
    values, reasons = known_values(metric, rows)
    n = len(values) + len(reasons)
    if reasons or not values:
        reason = why_unknown(reasons, n)
        return Aggregate(metric.name, metric.unit, n, len(reasons), None, None, None, None, reason)
    ordered = sorted(values, key=float if metric.unit == "USD" else None)
    low, high, reason = _interval(ordered)
    return Aggregate(
        metric.name, metric.unit, n, 0, _median(ordered), ordered[-1], low, high, reason
    )


def cell_aggregate(cell: Cell, round_id: str, metric: Metric) -> Aggregate:
    """Return the aggregate of one round of a cell, reckoned once."""
    key = round_id, metric.name
    if key not in cell.reckoned:
        cell.reckoned[key] = aggregate(metric, cell.at(round_id))
    figure: Aggregate = cell.reckoned[key]
    return figure


def _median(ordered: list[Number]) -> Number:
    middle = len(ordered) // 2
    low, high = ordered[~middle], ordered[middle]
    if isinstance(low, Decimal) and isinstance(high, Decimal):
        return low if low == high else (low + high) / 2
    return low if low == high else (float(low) + float(high)) / 2


def _interval(ordered: list[Number]) -> tuple[Number | None, Number | None, str]:
    if len(ordered) < LEAST_FOR_INTERVAL:
        why = f"{len(ordered)} values; an interval of the median needs {LEAST_FOR_INTERVAL}"
        return None, None, why
    rank = bootstrap_rank(len(ordered))
    return ordered[rank - 1], ordered[-rank], ""


@lru_cache(maxsize=4096)
def bootstrap_rank(n: int) -> int:
    """Return which of n sorted values ends the percentile bootstrap of their median (Efron 1979).

    No values are drawn: the chance that the h-th of n resampled values is at most the k-th value
    is P(B ≥ h), B binomial with n and k/n (Efron 1982, section 10.3; Maritz and Jarrett 1978). So
    the interval that infinitely many resamples would give reaches from the k-th to the k-th from
    the top, with the least k whose chance is 2.5 %. The median of an even number is the mean of
    two; the lower of them decides here, so that the interval is never narrower.

    Args:
        n: number of values.

    Returns:
        k, counted from 1.
    """
    import numpy as np
    from scipy.stats import binom

    ranks = np.arange(1, n + 1)
    chances = binom.sf((n + 1) // 2 - 1, n, ranks / n)
    return int(ranks[chances >= (1 - CONFIDENCE) / 2][0])


Spent = tuple[Decimal, int, list[str]]
"""Money of some rows, USD, how many of them know theirs, and why the others do not."""


def cost_per_solved(rows: Sequence[AnyRow], solved: int) -> CostPerSolved:
    """Return the money spent on all attempted rows, failures included, a solved trial.

    Args:
        rows: the rows whose money counts.
        solved: trials solved by it.
    """
    return _shared_out([_spent(rows)], solved)


def round_cost_per_solved(cell: Cell, round_id: str, solved: int) -> CostPerSolved:
    """Return the same of one round of a cell."""
    return _shared_out([_spent_at(cell, round_id)], solved)


def cells_cost_per_solved(group: Iterable[Cell], solved: int) -> CostPerSolved:
    """Return the same of whole cells: of all their rounds."""
    rounds = [_spent_at(cell, round_id) for cell in group for round_id, _ in cell.rounds()]
    return _shared_out(rounds, solved)


def _spent(rows: Sequence[AnyRow]) -> Spent:
    values, reasons = known_values(METRIC["cost_usd"], rows)
    return sum(cast("list[Decimal]", values), Decimal(0)), len(values), reasons


def _spent_at(cell: Cell, round_id: str) -> Spent:
    """Return the money of one round of a cell, counted once."""
    key = _spent_at, round_id
    if key not in cell.reckoned:
        cell.reckoned[key] = _spent(cell.at(round_id))
    spent: Spent = cell.reckoned[key]
    return spent


def _shared_out(spent: Sequence[Spent], solved: int) -> CostPerSolved:
    """Share out money that lies in parts."""
    reasons = [reason for _, _, unknown in spent for reason in unknown]
    known = sum(count for _, count, _ in spent)
    if reasons or not known:
        return CostPerSolved(None, None, solved, why_unknown(reasons, known + len(reasons)))
    total = sum((part for part, _, _ in spent), Decimal(0))
    if solved == 0:
        return CostPerSolved(None, total, 0, "nothing was solved")
    return CostPerSolved((total / solved).quantize(MICRO_USD), total, solved)
