"""Growth tables as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from gaugeblock.analysis.formats import column, growth_value, quantity, share, slope, unit_name
from gaugeblock.analysis.growth import Growth
from gaugeblock.analysis.markdown import DASH, Footnotes, escape, table
from gaugeblock.analysis.rates import Rate
from gaugeblock.analysis.summaries import METRIC, Aggregate

COLUMNS = ("input_tokens", "output_tokens", "cost_usd", "total_s", "cad_s", "host_peak_bytes")
"""Metrics with a column of medians; the slopes below are those of all growth metrics."""


def growth_lines(tables: Sequence[Growth], title: str, note: str = "") -> list[str]:
    """Return a section of growth tables, or nothing where there is no table.

    Args:
        tables: the tables, in order.
        title: its heading, with the marks of its level.
        note: a sentence below the heading.
    """
    if not tables:
        return []
    lines = [title, ""]
    if note:
        lines += [note, ""]
    for item in tables:
        if len(tables) > 1:
            name = f"{escape(item.profile)} · {escape(item.axis)} axis, {escape(item.visibility)}"
            lines += [f"**{name}**", ""]
        lines += [render_growth_table(item), ""]
    return lines


def render_growth_table(item: Growth) -> str:
    """Return one growth table, its slopes and what they say, as Markdown.

    The figures are medians. A metric that is unknown at every step has no column; its reason
    stands once below.
    """
    notes = Footnotes()
    names = [slope.metric for slope in item.slopes]
    shown = [
        name
        for name in names
        if name in COLUMNS and any(line.aggregates[name].median is not None for line in item.lines)
    ]
    passes = _bare if item.scripted else share
    rows = []
    for line in item.lines:
        head = [
            growth_value(line.growth),
            escape(line.label),
            passes(line.rates.headline.attempted),
            passes(line.rates.headline.valid),
        ]
        if item.axis == "depth":
            head.append(passes(line.rates.reached.attempted))
            head.append(passes(line.rates.reached.valid))
        rows.append([*head, *(_middle(line.aggregates[name], notes) for name in shown)])
    titles = [escape(item.symbol), "Step", "Passed / n", "Passed / valid"]
    if item.axis == "depth":
        titles += ["Passed / reached", "Passed / reached, valid"]
    left = len(titles) - 1
    titles += [column(METRIC[name]) for name in shown]
    lines = table(titles, rows, "r" + "l" * left + "r" * len(shown))
    supposed = [] if item.scripted else _hypotheses(item)
    return "\n".join([*lines, *_slopes(item), *supposed, *notes.lines()]).rstrip() + "\n"


def _hypotheses(item: Growth) -> list[str]:
    lines = []
    for one in item.hypotheses:
        lines += [f"- Supposed: *{escape(one.text)}.*"]
        lines += [f"- {escape(told)}" for told in one.measured]
        lines += [f"- So {escape(one.answer)}.", ""]
    return lines


def _middle(figure: Aggregate, notes: Footnotes) -> str:
    if figure.median is None:
        return notes.missing(figure.reason)
    return quantity(figure.median, figure.unit)


def _bare(rate: Rate) -> str:
    """A script draws nothing at random, so its passes have no interval."""
    return f"{rate.passed}/{rate.n}"


def _slopes(item: Growth) -> list[str]:
    """Return a line a slope; metrics without one share a line where the reason is the same."""
    rows = []
    missing: dict[str, list[str]] = {}
    for one in item.slopes:
        label = METRIC[one.metric].label
        if one.value is None:
            missing.setdefault(one.reason, []).append(label)
            continue
        interval = DASH
        if one.low is not None and one.high is not None:
            interval = f"{slope(one.low, one.unit)} to {slope(one.high, one.unit)}"
        unit = f"{unit_name(one.unit)} per {item.step}".removeprefix("count ")
        rows.append(
            [label, f"{slope(one.value, one.unit)} {escape(unit)}", interval, escape(one.seen)]
        )
    lines = []
    if rows:
        first, last = (growth_value(item.lines[place].growth) for place in (0, -1))
        symbol = escape(item.symbol)
        titles = ["", "Slope", "95 % interval", f"Seen between {symbol} = {first} and {last}"]
        lines += ["Slopes over the single rounds:", "", *table(titles, rows, "lrrl")]
    told = [f"- No slope for {', '.join(names)}: {escape(why)}." for why, names in missing.items()]
    return [*lines, *told, ""]
