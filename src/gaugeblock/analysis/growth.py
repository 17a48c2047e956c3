"""Growth along an axis: the figures of each step, and a slope with its interval.

The slope is Theil and Sen's median of pairwise slopes over the single trials. Only what was
measured is told: nothing is extrapolated, and "no growth was seen" is all that an interval
around 0 says. A depth sequence is one sample: slopes are taken within sequences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gaugeblock.analysis.cells import Cell, axis_place, began, cells
from gaugeblock.analysis.formats import growth_value, slope, unit_name
from gaugeblock.analysis.rates import RoundRates, round_rates, why_unknown
from gaugeblock.analysis.summaries import (
    METRIC,
    Aggregate,
    Unit,
    aggregate,
    known_values,
)
from gaugeblock.analysis.theil_sen import Line, theil_sen
from gaugeblock.records.row import Row

LEAST_FOR_CLAIM = 3
"""Repetitions below which no claim is made (protocol, "A suite run")."""

LEAST_GROWTH_VALUES = 3
"""Fewest distinct growth values for a slope: two points fit any line and show no bend."""

GROWTH_METRICS = (
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "total_s",
    "first_commit_s",
    "provider_s",
    "cad_s",
    "host_peak_bytes",
)
"""Metrics whose slope is given; success has no slope, its rates stand in the table."""

AXIS_WORDS = {"scale": ("N", "hole"), "depth": ("k", "round")}
"""Axis → the symbol of its growth value, and what one more of it is."""


@dataclass(frozen=True)
class GrowthLine:
    """One step along an axis.

    Attributes:
        growth: the growth value, N or k.
        case: the case's id.
        round: the round's id.
        label: how the step is named: the case, with the round where it has several.
        rates: success at this step.
        aggregates: metric → median and maximum over the attempted rows.
    """

    growth: float
    case: str
    round: str
    label: str
    rates: RoundRates
    aggregates: dict[str, Aggregate]


@dataclass(frozen=True)
class Slope:
    """How a metric changes a unit of growth.

    Attributes:
        metric: the metric's name.
        unit: the metric's unit; the slope is in it per unit of growth.
        n: attempted rows.
        value: None where unavailable.
        low: lower end of the 95 % interval, None where there is none.
        high: upper end.
        reason: why the slope, or else its interval, is unavailable; empty if all is there.
        seen: what was seen, in a few words.
        conclusion: one sentence of what was measured, and nothing beyond.
    """

    metric: str
    unit: Unit
    n: int
    value: float | None
    low: float | None
    high: float | None
    reason: str
    seen: str
    conclusion: str


@dataclass(frozen=True)
class Growth:
    """The growth table of one profile along one axis.

    Attributes:
        suite: the suite.
        profile: who worked.
        scripted: whether it is a script and so no result.
        visibility: open or sealed; never pooled.
        axis: the axis.
        symbol: N or k.
        step: what one more of it is, such as hole.
        lines: the steps in order.
        slopes: one for each of ``GROWTH_METRICS``.
    """

    suite: str
    profile: str
    scripted: bool
    visibility: str
    axis: str
    symbol: str
    step: str
    lines: tuple[GrowthLine, ...]
    slopes: tuple[Slope, ...]


def growth_tables(rows: Iterable[Row]) -> list[Growth]:
    """Return a growth table for each axis along which the rows have two or more growth values."""
    axes: dict[tuple[str, ...], list[Cell]] = defaultdict(list)
    for cell in cells(rows):
        key = cell.key
        axes[key.suite, key.profile, key.visibility, key.language, key.cohort, key.axis].append(
            cell
        )
    tables = []
    ordered = sorted(axes.items(), key=lambda item: (*item[0][:-1], axis_place(item[0][-1])))
    for (suite, profile, visibility, _, _, axis), group in ordered:
        lines = sorted((line for cell in group for line in _lines(cell)), key=_place)
        if len({line.growth for line in lines}) < 2:
            continue
        symbol, step = AXIS_WORDS.get(axis, ("growth", "unit"))
        members = [row for cell in group for row in cell.rows()]
        slopes = tuple(slope_of(name, members, symbol, step) for name in GROWTH_METRICS)
        scripted = group[0].scripted
        tables.append(
            Growth(suite, profile, scripted, visibility, axis, symbol, step, tuple(lines), slopes)
        )
    return tables


def _lines(cell: Cell) -> list[GrowthLine]:
    return [
        GrowthLine(
            growth=rates.growth,
            case=cell.key.case,
            round=rates.round,
            label=cell.step(rates.round),
            rates=rates,
            aggregates={
                name: aggregate(METRIC[name], cell.at(rates.round)) for name in GROWTH_METRICS
            },
        )
        for rates in round_rates(cell)
    ]


def _place(line: GrowthLine) -> tuple[float, str, str]:
    return line.growth, line.case, line.round


def slope_of(name: str, rows: Sequence[Row], symbol: str = "N", step: str = "hole") -> Slope:
    """Return the Theil-Sen slope of a metric over the attempted rows (Theil 1950, Sen 1968).

    Args:
        name: a name out of ``METRICS``.
        rows: rows of one profile along one axis; failures count, one unknown ends it.
        symbol: the growth value's symbol, for the conclusion.
        step: what one more of it is, for the conclusion.
    """
    metric = METRIC[name]
    counted = sorted((row for row in rows if began(row)), key=lambda row: row.growth)
    values, reasons = known_values(metric, counted)
    places = [row.growth for row in counted]
    distinct = len(set(places))
    missing, line = "", None
    if reasons:
        missing = why_unknown(reasons, len(counted))
    elif distinct < LEAST_GROWTH_VALUES:
        missing = f"{distinct} distinct growth values; a slope needs {LEAST_GROWTH_VALUES}"
    else:
        line = theil_sen(_blocks(counted, [float(value) for value in values]))
    if line is None:
        missing = missing or "no sequence reached two growth values"
        told = f"{metric.label}: no slope ({missing})."
        return Slope(name, metric.unit, len(counted), None, None, None, missing, "", told)
    span = f"between {symbol}={growth_value(places[0])} and {symbol}={growth_value(places[-1])}"
    unit = f"{unit_name(metric.unit)} per {step}".removeprefix("count ")
    told = f"{metric.label}: slope {slope(line.slope, metric.unit)} {unit}"
    few, interval = "", "no 95 % interval"
    if line.low is None or line.high is None:
        few = f"{len(places)} rows at {distinct} growth values are too few for a 95 % interval"
    else:
        interval = (
            f"95 % interval {slope(line.low, metric.unit)} to {slope(line.high, metric.unit)}"
        )
    seen = _verdict(line)
    thin = min(places.count(place) for place in set(places)) < LEAST_FOR_CLAIM
    caveat = f"; fewer than {LEAST_FOR_CLAIM} repetitions support no claim" if thin else ""
    told = f"{told}, {interval}; {seen} {span}{caveat}."
    return Slope(
        name, metric.unit, len(counted), line.slope, line.low, line.high, few, seen + caveat, told
    )


def _verdict(line: Line) -> str:
    if line.low is None or line.high is None:
        return "too few rows to say whether it grew"
    if line.low <= 0 <= line.high:
        return "interval includes 0: no growth was seen"
    return f"interval excludes 0: it {'grew' if line.low > 0 else 'fell'}"


def _blocks(rows: Sequence[Row], values: Sequence[float]) -> list[list[tuple[float, float]]]:
    """Return the points as blocks: each sequence by itself, single rounds all together."""
    rounds = Counter((row.run, row.trial) for row in rows)
    single = max(rounds.values(), default=0) < 2
    blocks: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        blocks["" if single else f"{row.run} {row.trial}"].append((row.growth, value))
    return list(blocks.values())
