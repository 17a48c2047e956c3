"""Cost, tokens, time and memory of a cell: median and maximum, failures included.

One unknown among the attempted rows makes the whole aggregate unavailable: a median over the
rows that happen to be known would flatter whoever loses its usage when it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from gaugeblock.analysis.cells import began
from gaugeblock.analysis.rates import CONFIDENCE, why_unknown
from gaugeblock.records.row import Row

BOOTSTRAP_SEED = 20_260_101
"""Seed of every bootstrap, so that a report can be rebuilt to the last digit; its value means
nothing."""

BOOTSTRAP_RESAMPLES = 9_999
"""Resamples: scipy's default; the Monte Carlo error of a 2.5 % tail is then about 0.16 %."""

LEAST_FOR_INTERVAL = 3
"""Fewest values for an interval of the median; with two it is just the two values."""

MICRO_USD = Decimal("0.000001")
"""An interval end in USD is rounded to this: it comes from resampling, no finer figure is real."""

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
        read: gets it out of a row.
        one_machine: whether it compares only within one machine (times).
    """

    name: str
    label: str
    unit: Unit
    read: Callable[[Row], Number | Unknown]
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


def _plain(field: str) -> Callable[[Row], Number | Unknown]:
    def read(row: Row) -> Number | Unknown:
        value: Number | None = getattr(row, field)
        return Unknown(row.unknown.get(field, "no reason given")) if value is None else value

    return read


def _settled(read: Callable[[Row], Number | Unknown]) -> Callable[[Row], Number | Unknown]:
    """Guard a figure over settled requests: with one unsettled it is a partial sum, no total."""

    def guarded(row: Row) -> Number | Unknown:
        if row.unsettled_calls is None:
            return Unknown(row.unknown.get("unsettled_calls", "no reason given"))
        if row.unsettled_calls > 0:
            return Unknown("requests of unknown billing: the known part is no total")
        return read(row)

    return guarded


def _sum_of(*fields: str) -> Callable[[Row], Number | Unknown]:
    reads = [_plain(field) for field in fields]

    def read(row: Row) -> Number | Unknown:
        total: int | float = 0
        for part in (one(row) for one in reads):
            if isinstance(part, Unknown):
                return part
            assert not isinstance(part, Decimal)  # money is never summed with other units
            total += part
        return total

    return read


def _cost(row: Row) -> Number | Unknown:
    if row.reported_cost_usd is not None:  # what the provider itself says comes first
        return Decimal(row.reported_cost_usd)
    if row.cost_usd is None:
        return Unknown(row.unknown.get("cost_usd", "no reason given"))
    return Decimal(row.cost_usd)


INPUT_BUCKETS = ("input_uncached", "cache_read", "cache_write_5min", "cache_write_1h")
"""The disjoint buckets whose sum is the total input of a conversation, tokens."""

CAD_TIMES = ("cad_preview_s", "cad_validate_s", "cad_commit_s", "cad_readback_s")
"""The parts of CAD time, s."""

METRICS: tuple[Metric, ...] = (
    Metric("cost_usd", "cost", "USD", _settled(_cost)),
    Metric("input_tokens", "input tokens", "tokens", _settled(_sum_of(*INPUT_BUCKETS))),
    Metric("output_tokens", "output tokens", "tokens", _settled(_plain("output"))),
    Metric("total_s", "total time", "s", _plain("total_s"), one_machine=True),
    Metric("first_commit_s", "first commit", "s", _plain("first_commit_s"), one_machine=True),
    Metric("provider_s", "provider time", "s", _plain("provider_s"), one_machine=True),
    Metric("cad_s", "CAD time with read-back", "s", _sum_of(*CAD_TIMES), one_machine=True),
    *(Metric(name, f"CAD {name[4:-2]}", "s", _plain(name), one_machine=True) for name in CAD_TIMES),
    Metric("host_peak_bytes", "host peak memory", "bytes", _plain("host_peak_bytes")),
    Metric("provider_calls", "provider calls", "count", _plain("provider_calls")),
    Metric("tool_calls", "tool calls", "count", _plain("tool_calls")),
    Metric("plans", "plans", "count", _plain("plans")),
    Metric("repairs", "repairs", "count", _plain("repairs")),
    Metric("look_ups", "look-ups", "count", _plain("look_ups")),
)
METRIC = {metric.name: metric for metric in METRICS}
"""Each metric by its name."""


def known_values(metric: Metric, rows: Iterable[Row]) -> tuple[list[Number], list[str]]:
    """Return the known values of a metric over the attempted rows and the reasons of the others.

    Rows of several machines make every value of a ``one_machine`` metric unknown.
    """
    counted = [row for row in rows if began(row)]
    machines = {row.machine for row in counted}
    if metric.one_machine and len(machines) > 1:
        why = f"rows of {len(machines)} machines; times compare only within one"
        return [], [why] * len(counted)
    values: list[Number] = []
    reasons: list[str] = []
    for value in (metric.read(row) for row in counted):
        if isinstance(value, Unknown):
            reasons.append(value.reason)
        else:
            values.append(value)
    return values, reasons


def aggregate(metric: Metric, rows: Iterable[Row]) -> Aggregate:
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
    ordered = sorted(values, key=float)
    low, high, reason = _interval(ordered)
    return Aggregate(
        metric.name, metric.unit, n, 0, _median(ordered), ordered[-1], low, high, reason
    )


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
    low, high = _bootstrap(tuple(float(value) for value in ordered))
    if isinstance(ordered[0], Decimal):
        # Out of floating point again; rounding must not push an end past the median.
        middle = Decimal(_median(ordered))
        return min(_money(low), middle), max(_money(high), middle), ""
    return low, high, ""


def _money(value: float) -> Decimal:
    return Decimal(repr(value)).quantize(MICRO_USD)


@lru_cache(maxsize=4096)
def _bootstrap(ordered: tuple[float, ...]) -> tuple[float, float]:
    """Return the percentile interval of the median (Efron 1979); values must be sorted.

    Percentile and not BCa: the jackknife of a median takes at most two values, so BCa's
    acceleration is not defined for it, and with equal values BCa gives no number at all.
    """
    if ordered[0] == ordered[-1]:
        return ordered[0], ordered[-1]
    import numpy as np
    from scipy.stats import bootstrap

    result = bootstrap(
        (np.array(ordered),),
        np.median,
        n_resamples=BOOTSTRAP_RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        vectorized=True,
        rng=np.random.default_rng(BOOTSTRAP_SEED),
    )
    interval = result.confidence_interval
    # A percentile is interpolated, which can overshoot the largest value by the last bit.
    return max(float(interval.low), ordered[0]), min(float(interval.high), ordered[-1])


def cost_per_solved(rows: Iterable[Row], solved: int) -> CostPerSolved:
    """Return the money spent on all attempted rows, failures included, a solved trial.

    Args:
        rows: the rows whose money counts.
        solved: trials solved by it.
    """
    values, reasons = known_values(METRIC["cost_usd"], rows)
    n = len(values) + len(reasons)
    if reasons or not values:
        return CostPerSolved(None, None, solved, why_unknown(reasons, n))
    total = sum((Decimal(value) for value in values), Decimal(0))
    if solved == 0:
        return CostPerSolved(None, total, 0, "nothing was solved")
    return CostPerSolved((total / solved).quantize(MICRO_USD), total, solved)
