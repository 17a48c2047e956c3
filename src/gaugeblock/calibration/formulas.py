"""A closed formula beside a volume that was had in another way: measured, or constructed."""

from __future__ import annotations

from collections.abc import Mapping

from gaugeblock.calibration.construction import Construction
from gaugeblock.calibration.records import Against, FormulaCheck
from gaugeblock.records.case import Formula, Truth
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.measurement import Measurement
from gaugeblock.suites.formulas import evaluate, evaluate_symbols, spelled_out

VOLUME = 1e-6
"""Largest relative difference of a formula and a measured volume: suite growth's criterion."""

AGREES = 1e-9
"""Largest relative difference of formula and construction: both are exact in double precision."""

SWEEP = 16
"""Most columns or rows away from a case's own that are tried for the domain of its formula."""


def against_measured(
    what: str,
    parameters: Mapping[str, float],
    formula: str,
    value: float,
    facts: Measurement,
    against: Against,
) -> FormulaCheck:
    """Hold a formula's value against a measured volume.

    Args:
        what: part or round, for the record.
        parameters: the parameter set.
        formula: its text, for the record.
        value: what it gives, mm³.
        facts: the measurement.
        against: what was measured: the reference, or the program at other parameters.
    """
    found = facts.totals.volume if facts.totals else None
    check = _check(what, parameters, formula, value, against=against, found=found, tolerance=VOLUME)
    why = "" if check.holds else (facts.reason or "the measured volume is another")
    return check.model_copy(update={"why": why})


def against_construction(
    what: str,
    truth: Truth,
    parameters: Mapping[str, float],
    construction: Construction,
    *,
    claimed: Formula | None = None,
    expected: bool = True,
) -> FormulaCheck:
    """Hold a truth's volume, or a claimed one, against an independent construction.

    Args:
        what: round or cell, for the record.
        truth: gives symbols, and the formulas of volume and solids.
        parameters: the parameter set; it may be another than the case's.
        construction: see `CONSTRUCTIONS`.
        claimed: a formula of the volume to judge instead of the truth's.
        expected: False for a cell that is kept because its formula must not hold.
    """
    formula = claimed or truth.volume or ""
    known = evaluate_symbols(parameters, truth.symbols, what)
    value = evaluate(formula, known, what)
    found = construction(parameters, "sideHoles" in truth.symbols)
    check = _check(
        what,
        parameters,
        spelled_out(formula, truth.symbols),
        value,
        against="construction",
        found=found.volume,
        tolerance=AGREES,
    )
    holds, why = check.holds, ""
    if claimed is None and truth.solids is not None and found.solids is not None:
        told = evaluate(truth.solids, known, what)
        if told != found.solids:
            holds, why = False, f"{found.solids} solids instead of {told:g}; "
    if found.volume is None:
        why = f"it could not be constructed: {found.why}"
    elif not holds:
        why += found.why or f"the construction gives {found.volume:,.4f} mm³"
    why = why.removesuffix("; ")
    return check.model_copy(update={"holds": holds, "expected": expected, "why": why})


def domain(
    truth: Truth, parameters: Mapping[str, float], construction: Construction
) -> dict[str, tuple[int, int, str]]:
    """Find how far a formula holds as one count changes from the case's own, the others kept.

    Returns:
        For each of ``cols`` and ``rows``: the smallest and largest value up to which it holds,
        of those at most `SWEEP` away, and why the next ones do not (empty: they were not met).
    """
    found: dict[str, tuple[int, int, str]] = {}
    for name in ("cols", "rows"):
        if name not in parameters:
            continue
        own, why = int(parameters[name]), ""
        reach = {}
        for step in (-1, 1):
            last = own
            for count in range(own + step, own + step * (SWEEP + 1), step):
                if count < 2:
                    break
                try:
                    check = against_construction(
                        "", truth, {**parameters, name: count}, construction
                    )
                    fault = "" if check.holds else check.why
                except WrongUse:
                    fault = "the formula gives no number"
                if fault:
                    why += f"{name} = {count}: {fault}; "
                    break
                last = count
            reach[step] = last
        found[name] = (reach[-1], reach[1], why.removesuffix("; "))
    return found


def _check(
    what: str,
    parameters: Mapping[str, float],
    formula: str,
    value: float,
    *,
    against: Against,
    found: float | None,
    tolerance: float,
) -> FormulaCheck:
    """Return how far a volume is from a formula's value; unknown stays unjudged."""
    relative = None if found is None else (found - value) / value
    return FormulaCheck(
        what=what,
        parameters=dict(parameters),
        formula=formula,
        value=value,
        against=against,
        found=found,
        relative=relative,
        tolerance=tolerance,
        holds=None if relative is None else abs(relative) <= tolerance,
    )
