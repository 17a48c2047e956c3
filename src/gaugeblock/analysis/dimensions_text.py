"""The report's section on deliveries from drawings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gaugeblock.analysis.cells import Cell
from gaugeblock.analysis.dimensions import DimensionTable, Figure, dimension_tables
from gaugeblock.analysis.formats import share
from gaugeblock.analysis.markdown import DASH, Footnotes, escape, table

THRESHOLDS = {
    "dimensionRecall": "≥ 0.95",
    "semanticMatch": "≥ 0.90",
    "shapeIoU": "≥ 0.90",
    "threadMatch": "= 1",
    "drawingMatch": "≥ 0.90",
    "extendedRecall": "none",
}
"""As the grader has them; extendedRecall, with distances of axes, is told without one."""

READ = (
    "Reachable is the headline: each dimension at its threshold, or at the ceiling that the case's "
    "own reference reaches. Raw: at the thresholds alone. Exact: every figure at its ceiling. "
    "Passes over trials with the Wilson 95 % interval; figures cut off after three decimals. What "
    "was never delivered lowers the delivery rate and no mean. Vector and raster, anchoring, "
    "independent and own cases are never mixed."
)
SELF_CONSISTENCY = (
    "`drawingMatch` is self-consistency and no proof of shape: the part's own drawing is held "
    "against the sheet's dimensions, and a shape of IoU 0.42 can reach 1.0 there."
)
UNSEALED = (
    "**Unsealed, not for headline tables:** nothing shows that these agents could not read the "
    "truth."
)


def dimension_lines(results: Sequence[Cell]) -> list[str]:
    """Return the section; nothing where no case shows a drawing.

    Args:
        results: the cells of agents that are no scripts.
    """
    tables = dimension_tables(results)
    if not tables:
        return []
    lines = ["## From drawing to part: five dimensions", "", READ, "", SELF_CONSISTENCY, ""]
    sealed = [one for one in tables if one.sealed]
    unsealed = [one for one in tables if not one.sealed]
    if sealed:
        lines += ["### Pass rates", "", *_rates(sealed)]
    if unsealed:
        lines += ["### Pass rates of unsealed trials", "", UNSEALED, "", *_rates(unsealed)]
    for one in tables:
        lines += _figures(one)
    return lines


def _name(one: DimensionTable) -> str:
    return f"{escape(one.profile)} · {escape(one.track)}, {escape(one.group)}"


def _rates(tables: Sequence[DimensionTable]) -> list[str]:
    rows = []
    for one in tables:
        rates = (one.deliveries, one.reachable, one.raw, one.exact)
        shown = [text for rate in rates for text in (share(rate.attempted), share(rate.valid))]
        where = f"{escape(one.suite)}, {escape(one.language)}"
        rows.append([_name(one), where, str(one.cases), *shown, str(one.could_not_grade)])
    head = ["Profile · track, group", "Suite", "Cases"]
    for what in ("Delivered", "Reachable", "Raw", "Exact"):
        head += [f"{what} / attempted", f"{what} / valid"]
    return table([*head, "Could not grade"], rows, "llrllllllllr")


def _figures(one: DimensionTable) -> list[str]:
    notes = Footnotes()
    apart = "" if one.sealed else ", **unsealed**"
    rows = [_row(figure, notes) for figure in one.figures]
    head = ["Dimension", "Threshold", "Mean of case means", "Lowest", "Highest"]
    head += ["Widest range over repeats of a case", "Deliveries"]
    lines = [f"### {_name(one)}{apart}", "", *table(head, rows, "llrrrrr"), *notes.lines()]
    names = [figure.name for figure in one.figures if figure.cases]
    cases = sorted({case.case for figure in one.figures for case in figure.cases})
    if not cases:
        return lines
    by_case = [
        [escape(case), *(_of_case(figure, case) for figure in one.figures if figure.cases)]
        for case in cases
    ]
    told = "Case by case: mean over its deliveries, and their range where there are several."
    return [*lines, told, "", *table(["Case", *names], by_case, "l" + "r" * len(names))]


def _row(figure: Figure, notes: Footnotes) -> list[str]:
    known = sum(case.n for case in figure.cases)
    lost = f"{figure.missing} more could not be measured" if figure.missing else ""
    shown = [figure.name, THRESHOLDS[figure.name]]
    if figure.mean is None or figure.least is None or figure.most is None:
        why = lost or "nothing that was delivered is asked for it"
        return [*shown, notes.missing(why), DASH, DASH, DASH, "0"]
    spread = notes.missing("no case has two deliveries")
    if figure.spread is not None:
        spread = f"{figure.spread:.3f}"
    means = [_cut(value) for value in (figure.mean, figure.least, figure.most)]
    return [*shown, *means, spread, f"{known}{notes.mark(lost)}"]


def _cut(value: float) -> str:
    """Return a share with three decimals, never rounded up: only 1 reads as 1.000."""
    return f"{math.floor(value * 1000 + 1e-9) / 1000:.3f}"


def _of_case(figure: Figure, case: str) -> str:
    found = next((item for item in figure.cases if item.case == case), None)
    if found is None:
        return DASH
    if found.n == 1:
        return _cut(found.mean)
    return f"{_cut(found.mean)} [{_cut(found.least)}–{_cut(found.most)}]"
