"""Growth along an axis: the figures of each step, and the slopes of what may grow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from gaugeblock.analysis.cells import (
    Cell,
    Cells,
    axis_place,
    begun,
    cells,
    visibility_place,
)
from gaugeblock.analysis.hypotheses import Hypothesis, hypotheses
from gaugeblock.analysis.rates import RoundRates, round_rates
from gaugeblock.analysis.slopes import Axis, Slope, slope_along
from gaugeblock.analysis.summaries import METRIC, Aggregate, cell_aggregate
from gaugeblock.records.row import Row

GROWTH_METRICS = (
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "total_s",
    "first_commit_s",
    "provider_s",
    "cad_s",
    "host_peak_bytes",
    "program_chars",
)
"""Metrics whose slope is given; success has no slope, its rates stand in the table."""

AXIS_WORDS = {"scale": ("N", "hole"), "fresh-scale": ("N", "hole"), "depth": ("k", "round")}
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
        hypotheses: what the suite supposed, beside what was measured.
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
    hypotheses: tuple[Hypothesis, ...] = ()


def growth_tables(rows: Iterable[Row] | Cells) -> list[Growth]:
    """Return a growth table for each axis along which the rows have two or more growth values."""
    together = cells(rows)
    kept: list[Growth] | None = together.reckoned.get(growth_tables)
    if kept is not None:
        return kept
    axes: dict[tuple[str, ...], list[Cell]] = defaultdict(list)
    for cell in together:
        key = cell.key
        if key.group:  # a drawing's difficulty is a rank, and no measure of growth
            continue
        axes[key.suite, key.profile, key.visibility, key.language, key.cohort, key.axis].append(
            cell
        )
    tables = []
    for (suite, profile, visibility, _, _, axis), group in sorted(axes.items(), key=_axis_place):
        lines = sorted((line for cell in group for line in _lines(cell)), key=_place)
        if len({line.growth for line in lines}) < 2:
            continue
        symbol, step = AXIS_WORDS.get(axis, ("growth", "unit"))
        parts = [begun(cell.rows()) for cell in group]
        along = Axis(parts, symbol, step)
        slopes = tuple(slope_along(METRIC[name], along) for name in GROWTH_METRICS)
        tables.append(
            Growth(
                suite=suite,
                profile=profile,
                scripted=group[0].scripted,
                visibility=visibility,
                axis=axis,
                symbol=symbol,
                step=step,
                lines=tuple(lines),
                slopes=slopes,
                hypotheses=tuple(hypotheses(suite, axis, parts, slopes)),
            )
        )
    together.reckoned[growth_tables] = tables
    return tables


def _axis_place(item: tuple[tuple[str, ...], list[Cell]]) -> tuple[object, ...]:
    suite, profile, visibility, language, cohort, axis = item[0]
    return suite, profile, visibility_place(visibility), language, cohort, axis_place(axis)


def _lines(cell: Cell) -> list[GrowthLine]:
    return [
        GrowthLine(
            growth=rates.growth,
            case=cell.key.case,
            round=rates.round,
            label=cell.step(rates.round),
            rates=rates,
            aggregates={
                name: cell_aggregate(cell, rates.round, METRIC[name]) for name in GROWTH_METRICS
            },
        )
        for rates in round_rates(cell)
    ]


def _place(line: GrowthLine) -> tuple[float, str, str]:
    return line.growth, line.case, line.round
