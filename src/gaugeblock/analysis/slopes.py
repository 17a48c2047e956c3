"""The slope of a metric along an axis, with its interval and what it says in words.

Theil and Sen's median of pairwise slopes over the single trials. Only what was measured is told:
nothing is extrapolated, and "no growth was seen" is all that an interval around 0 says. A depth
sequence is one sample: slopes are taken within sequences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gaugeblock.analysis.cells import begun
from gaugeblock.analysis.columns import AnyRow, field
from gaugeblock.analysis.formats import growth_value, slope, unit_name
from gaugeblock.analysis.rates import why_unknown
from gaugeblock.analysis.summaries import METRIC, Metric, Number, Unit, known_values
from gaugeblock.analysis.theil_sen import Line, Sequences, theil_sen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.intp]

LEAST_FOR_CLAIM = 3
"""Repetitions below which no claim is made (protocol, "A suite run")."""

LEAST_GROWTH_VALUES = 3
"""Fewest distinct growth values for a slope: two points fit any line and show no bend."""


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


def slope_of(name: str, rows: Sequence[AnyRow], symbol: str = "N", step: str = "hole") -> Slope:
    """Return the Theil-Sen slope of a metric over the attempted rows (Theil 1950, Sen 1968).

    Args:
        name: a name out of ``METRICS``.
        rows: rows of one profile along one axis; failures count, one unknown ends it.
        symbol: the growth value's symbol, for the conclusion.
        step: what one more of it is, for the conclusion.
    """
    return slope_along(METRIC[name], Axis([begun(rows)], symbol, step))


class Axis:
    """Rows that all began, along an axis; what holds of every metric is reckoned once.

    Attributes:
        parts: the rows of one profile, in one part or several.
        symbol: what the values of the axis are called.
        step: what one more of it is.
        name: the row's field that a metric may grow with.
        places: its value in each row.
        counts: how many rows stand at each value.
    """

    def __init__(
        self, parts: Sequence[Sequence[AnyRow]], symbol: str, step: str, name: str = "growth"
    ) -> None:
        """Look up the places."""
        self.parts, self.symbol, self.step, self.name = parts, symbol, step, name
        self.places = [place for part in parts for place in field(part, name)]
        self.counts = Counter(self.places)

    @cached_property
    def _sequences(self) -> dict[tuple[float, ...], Rows]:
        """Places → which rows each block has there: sequences apart, single rounds together."""
        import numpy as np

        names = [
            name
            for part in self.parts
            for name in zip(field(part, "run"), field(part, "trial"), strict=True)
        ]
        if len(set(names)) == len(names):
            return {tuple(self.places): np.arange(len(names))[None, :]}
        rows: dict[tuple[str, str], list[int]] = defaultdict(list)
        for row, name in enumerate(names):
            rows[name].append(row)
        alike: dict[tuple[float, ...], list[list[int]]] = defaultdict(list)
        for block in rows.values():
            alike[tuple([self.places[row] for row in block])].append(block)
        return {places: np.array(blocks) for places, blocks in alike.items()}

    def sequences(self, values: Sequence[Number]) -> Sequences:
        """Return the figures of all rows as blocks of samples that may be compared."""
        import numpy as np

        figures = np.array(list(map(float, values)))
        return {places: figures[blocks] for places, blocks in self._sequences.items()}


def slope_along(metric: Metric, axis: Axis) -> Slope:
    """Return the slope of a metric along an axis."""
    values, reasons = known_values(metric, *axis.parts)
    places, symbol = axis.counts, axis.symbol
    if None in places:
        reasons = [f"{axis.name} is not known"] * places[None]
    n, name = places.total(), metric.name
    missing, line = "", None
    if reasons:
        missing = why_unknown(reasons, n)
    elif len(places) < LEAST_GROWTH_VALUES:
        what = "distinct growth values" if axis.name == "growth" else f"different {symbol}"
        missing = f"{len(places)} {what}; a slope needs {LEAST_GROWTH_VALUES}"
    else:
        line = theil_sen(axis.sequences(values))
    if line is None:
        missing = missing or "no sequence reached two growth values"
        told = f"{metric.label}: no slope ({missing})."
        return Slope(name, metric.unit, n, None, None, None, missing, "", told)
    span = f"between {symbol}={growth_value(min(places))} and {symbol}={growth_value(max(places))}"
    unit = f"{unit_name(metric.unit)} per {axis.step}".removeprefix("count ")
    told = f"{metric.label}: slope {slope(line.slope, metric.unit)} {unit}"
    few, interval = "", "no 95 % interval"
    if line.low is None or line.high is None:
        few = f"{n} rows at {len(places)} growth values are too few for a 95 % interval"
    else:
        interval = (
            f"95 % interval {slope(line.low, metric.unit)} to {slope(line.high, metric.unit)}"
        )
    seen = _verdict(line)
    thin = axis.name == "growth" and min(places.values()) < LEAST_FOR_CLAIM
    caveat = f"; fewer than {LEAST_FOR_CLAIM} repetitions support no claim" if thin else ""
    told = f"{told}, {interval}; {seen} {span}{caveat}."
    return Slope(name, metric.unit, n, line.slope, line.low, line.high, few, seen + caveat, told)


def _verdict(line: Line) -> str:
    if line.low is None or line.high is None:
        return "too few rows to say whether it grew"
    if line.low <= 0 <= line.high:
        return "interval includes 0: no growth was seen"
    return f"interval excludes 0: it {'grew' if line.low > 0 else 'fell'}"
