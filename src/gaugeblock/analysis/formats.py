"""Figures as people read them; every unit is written out."""

from __future__ import annotations

from decimal import Decimal

from gaugeblock.analysis.rates import Rate
from gaugeblock.analysis.summaries import Aggregate, Metric, Number, Unit

MIB = 1 << 20
"""Bytes in a MiB."""


def share(rate: Rate) -> str:
    """Return passes over samples with the interval, in one piece: ``3/5 (23–88 %)``."""
    if rate.low is None or rate.high is None:
        return f"{rate.passed}/{rate.n}"
    return f"{rate.passed}/{rate.n} ({100 * rate.low:.0f}–{100 * rate.high:.0f}\u00a0%)"


def quantity(value: Number, unit: Unit) -> str:
    """Return a figure without its unit's name: USD 4 decimals, s 2, bytes as MiB, counts whole."""
    if unit == "USD":
        return f"{Decimal(value):.4f}"
    if unit == "s":
        return f"{value:,.2f}"
    if unit == "bytes":
        return f"{float(value) / MIB:,.1f}"
    if unit == "tokens":
        return f"{float(value):,.0f}"
    whole = float(value).is_integer()
    return f"{int(value):,}" if whole else f"{value:,.1f}"


def unit_name(unit: Unit) -> str:
    """Return the unit as it is shown."""
    return "MiB" if unit == "bytes" else unit


def column(metric: Metric) -> str:
    """Return a metric's column title, its unit told once."""
    unit = unit_name(metric.unit)
    return metric.label if unit in ("tokens", "count") else f"{metric.label}, {unit}"


def median_and_interval(figure: Aggregate) -> str:
    """Return ``median [low–high]`` of an available aggregate, the median alone without interval."""
    assert figure.median is not None
    middle = quantity(figure.median, figure.unit)
    if figure.low is None or figure.high is None or figure.low == figure.high:
        return middle
    low, high = quantity(figure.low, figure.unit), quantity(figure.high, figure.unit)
    return f"{middle} [{low}–{high}]"


def volume(value: float) -> str:
    """Return mm³ with thousands separators and two decimals, for an overview."""
    return f"{value:,.2f}"


def exact(value: float) -> str:
    """Return every significant figure the number has, thousands separated; no noise after that.

    Ten significant figures: a volume's tolerance is 1e-6, so four figures stand to spare.
    """
    text = f"{value:,.10g}" if abs(value) < 1e10 else f"{value:.10g}"
    return "0" if text == "-0" else text


def position(value: float) -> str:
    """Return a coordinate, mm, to 1e-9: a thousandth of the tolerance, so rounding noise is 0."""
    return exact(round(value, 9))


def deviation(value: float) -> str:
    """Return a deviation or tolerance in scientific notation, 0 as 0."""
    return "0" if value == 0 else f"{value:.1e}"


def slope(value: float, unit: Unit) -> str:
    """Return a slope with three significant figures and its sign; bytes as MiB."""
    shown = value / MIB if unit == "bytes" else value
    if shown == 0:
        return "0"
    text = f"{shown:+,.0f}" if abs(shown) >= 1000 else f"{shown:+.3g}"
    # A true minus sign, except in the exponent.
    return text.replace("-", "−", 1) if shown < 0 else text


def growth_value(value: float) -> str:
    """Return a place on an axis: whole numbers without a point."""
    return f"{value:g}"
