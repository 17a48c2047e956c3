"""Deliveries from drawings in five dimensions: means, ranges over repeats, three pass rates.

One table a profile, track and group: vector and raster, anchoring, independent and own cases are
never mixed. A mean is taken over what was delivered and measured; a missing delivery lowers the
delivery rate and no mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from gaugeblock.analysis.cells import Cell, begun
from gaugeblock.analysis.columns import AnyRow
from gaugeblock.analysis.rates import Rate, SuccessRates, wilson
from gaugeblock.records.drawing_row import FIGURE, NOT_ASKED, TOLD_FIGURES
from gaugeblock.records.outcome import NOT_VALID

RAW, EXACT = "raw", "exact"
"""Verdicts of a grade beside its own; its own is *reachable*."""


@dataclass(frozen=True)
class CaseFigure:
    """One figure of one case over its repeats.

    Attributes:
        case: the case.
        n: deliveries that it is known of.
        mean: over them.
        least: lowest of them.
        most: highest of them.
    """

    case: str
    n: int
    mean: float
    least: float
    most: float


@dataclass(frozen=True)
class Figure:
    """One figure over the cases of a table.

    Attributes:
        name: of the dimension, or `extendedRecall`.
        cases: of each case that it is known of.
        mean: of the cases' means, None where it is known of none.
        least: lowest single delivery.
        most: highest single delivery.
        spread: widest range of one case's repeats; None: no case has two deliveries.
        missing: deliveries that it is not known of, though the case asks for it.
    """

    name: str
    cases: tuple[CaseFigure, ...]
    mean: float | None
    least: float | None
    most: float | None
    spread: float | None
    missing: int


@dataclass(frozen=True)
class DimensionTable:
    """What one profile delivered on one track and group.

    Attributes:
        suite: the suite.
        profile: who worked.
        visibility: open or sealed cases.
        language: of the instructions.
        cohort: of the controls; others stand apart.
        track: vector or raster.
        group: anchoring, independent or own.
        sealed: whether the truth was kept out of reach in every trial.
        cases: cases with a trial that began.
        deliveries: trials that delivered a STEP, over attempted and over valid ones.
        reachable: the headline: every dimension at its threshold or at its case's ceiling.
        raw: every dimension at its threshold.
        exact: every figure at its ceiling, and nothing found.
        could_not_grade: trials whose delivery could not be judged.
        figures: the five dimensions, then extendedRecall.
    """

    suite: str
    profile: str
    visibility: str
    language: str
    cohort: str
    track: str
    group: str
    sealed: bool
    cases: int
    deliveries: SuccessRates
    reachable: SuccessRates
    raw: SuccessRates
    exact: SuccessRates
    could_not_grade: int
    figures: tuple[Figure, ...]


def dimension_tables(cells: Iterable[Cell]) -> list[DimensionTable]:
    """Return a table for each profile, track and group of cells that show a drawing."""
    groups: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells:
        key = cell.key
        if key.group and begun(cell.rows()):
            controls = (key.suite, key.profile, key.visibility, key.language, key.cohort)
            groups.setdefault((*controls, key.axis, key.group), []).append(cell)
    return [_table(controls, group) for controls, group in sorted(groups.items())]


def _table(controls: tuple[str, ...], group: Sequence[Cell]) -> DimensionTable:
    suite, profile, visibility, language, cohort, track, kind = controls
    rows = [row for cell in group for row in begun(cell.rows())]
    return DimensionTable(
        suite=suite,
        profile=profile,
        visibility=visibility,
        language=language,
        cohort=cohort,
        track=track,
        group=kind,
        sealed=all(row.sealed is True for row in rows),
        cases=len(group),
        deliveries=_delivered(rows),
        reachable=_passed(rows, None),
        raw=_passed(rows, RAW),
        exact=_passed(rows, EXACT),
        could_not_grade=sum(row.outcome == "could-not-grade" for row in rows),
        figures=tuple(_figure(name, group) for name in TOLD_FIGURES),
    )


def delivered(row: AnyRow) -> bool:
    """Whether a trial delivered a STEP."""
    return "artifact_sha256" not in row.unknown


def _delivered(rows: Sequence[AnyRow]) -> SuccessRates:
    valid = [row for row in rows if row.outcome not in NOT_VALID]
    return SuccessRates(_rate(map(delivered, rows)), _rate(map(delivered, valid)))


def _passed(rows: Sequence[AnyRow], apart: str | None) -> SuccessRates:
    """Return a pass rate: who passes raw or exact has passed as well.

    A verdict that could not be told counts as no pass among the attempted, and not at all among
    the valid.
    """
    told = [
        (row.outcome == "passed" and _says(row, apart) == "pass", _valid(row, apart))
        for row in rows
    ]
    return SuccessRates(
        _rate(passed for passed, _ in told), _rate(passed for passed, valid in told if valid)
    )


def _says(row: AnyRow, apart: str | None) -> str:
    return "pass" if apart is None else row.apart.get(apart, "fail")


def _valid(row: AnyRow, apart: str | None) -> bool:
    unsure = row.outcome == "passed" and _says(row, apart) == "could-not-measure"
    return row.outcome not in NOT_VALID and not unsure


def _rate(marks: Iterable[bool]) -> Rate:
    every = list(marks)
    return wilson(sum(every), len(every))


def _figure(name: str, group: Sequence[Cell]) -> Figure:
    cases = []
    missing = 0
    for cell in group:
        rows = [row for row in begun(cell.rows()) if delivered(row)]
        known = [row.figures[name] for row in rows if name in row.figures]
        if known:
            mean = fmean(known)
            cases.append(CaseFigure(cell.key.case, len(known), mean, min(known), max(known)))
        missing += sum(_lost(row, name) for row in rows)
    spreads = [case.most - case.least for case in cases if case.n > 1]
    return Figure(
        name=name,
        cases=tuple(cases),
        mean=fmean(case.mean for case in cases) if cases else None,
        least=min((case.least for case in cases), default=None),
        most=max((case.most for case in cases), default=None),
        spread=max(spreads, default=None),
        missing=missing,
    )


def _lost(row: AnyRow, name: str) -> bool:
    """Whether a figure is missing that the sheet asks for."""
    reason = row.unknown.get(f"{FIGURE}{name}")
    return reason is not None and not reason.startswith(NOT_ASKED)
