"""Sheet values looked for in a spectrum: as many as possible, each place serving one of them.

A value with a count needs that many places or it is not found, so that this is no plain bipartite
matching; it is solved exactly as an integer programme (scipy's HiGHS), a few variables a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.spectrum import (
    Hit,
    Reading,
    SheetDimension,
    SheetMatch,
    SheetValue,
    Spectrum,
)
from gaugeblock.ruler.spectrum.readings import Supply, answers, readings_of, supplies_of
from gaugeblock.ruler.spectrum.tolerances import ON_LIMIT, check_sheet, deviations

PLEASANT = 0.25
"""Weight, against one sheet value, of all wishes together that only choose among equally good
answers: small deviations, and what is found without axes staying found with them."""


class _Fit(NamedTuple):
    """A reading of a measured dimension against a sheet value."""

    supply: int
    reading: Reading
    deviation: float
    beyond: float
    """How far beyond the limits; 0 within them."""


def match_sheet(spectrum: Spectrum, sheet: Sequence[SheetDimension]) -> SheetMatch:
    """Look for the values of a sheet in a spectrum.

    Args:
        spectrum: Of the finished body.
        sheet: The sheet's dimensions, in any order.

    Returns:
        A SheetMatch with the values in the sheet's order; could-not-measure where the spectrum is.

    Raises:
        WrongUse: a sheet value has no tolerance (see `check_sheet`).
        CouldNotMeasure: the solver gave up.
    """
    check_sheet(sheet)
    if spectrum.verdict != "measured":
        return SheetMatch(
            verdict=spectrum.verdict,
            code=spectrum.code,
            reason=spectrum.reason,
            asked=len(sheet),
        )
    supplies = supplies_of(spectrum.dimensions)
    # In a fixed order, so that equally good answers do not depend on the sheet's.
    order = sorted(range(len(sheet)), key=lambda i: _key(sheet[i]))
    ordered = [sheet[i] for i in order]
    plain = _assign(ordered, supplies, extended=False, kept=[False] * len(ordered))
    wide = _assign(ordered, supplies, extended=True, kept=[taken.whole for taken in plain])
    values = {
        place: _judge(dimension, supplies, one, other)
        for place, dimension, one, other in zip(order, ordered, plain, wide, strict=True)
    }
    found = sum(taken.whole for taken in plain)
    found_extended = sum(taken.whole for taken in wide)
    asked = len(sheet)
    return SheetMatch(
        verdict="measured",
        reason=None if asked else "the sheet has no dimensions",
        values=[values[i] for i in range(asked)],
        found=found,
        found_extended=found_extended,
        asked=asked,
        recall=found / asked if asked else None,
        extended_recall=found_extended / asked if asked else None,
    )


class _Taken(NamedTuple):
    """What one sheet value stands on."""

    whole: bool
    fits: list[tuple[_Fit, int]]
    """Each with the number of places taken."""


def _key(dimension: SheetDimension) -> tuple[str, float, int, float, float, float, str]:
    own = (dimension.lower or 0.0, dimension.upper or 0.0, dimension.leg or 0.0)
    return (dimension.type, dimension.value, dimension.count, *own, dimension.label)


def _fits(dimension: SheetDimension, supplies: list[Supply], extended: bool) -> list[_Fit]:
    """Return the best reading of each measured dimension of the value's type, nearest first."""
    found = []
    slack = ON_LIMIT[dimension.type]
    for number, supply in enumerate(supplies):
        fits = []
        for reading, value in readings_of(supply, dimension.type, extended):
            lower, upper = deviations(dimension, supply.external, supply.leg)
            off = value - dimension.value
            outside = max(lower - off, off - upper)
            fits.append(_Fit(number, reading, off, outside if outside > slack else 0.0))
        if fits:
            found.append(min(fits, key=lambda fit: (fit.beyond, abs(fit.deviation))))
    return sorted(found, key=lambda fit: (fit.beyond, abs(fit.deviation), fit.supply))


def _assign(
    sheet: list[SheetDimension], supplies: list[Supply], extended: bool, kept: list[bool]
) -> list[_Taken]:
    """Serve as many sheet values as possible wholly; what is left goes to the others."""
    within = [[f for f in _fits(d, supplies, extended) if f.beyond == 0] for d in sheet]
    pairs = [(value, fit) for value, fits in enumerate(within) for fit in fits]
    places = _solve(sheet, supplies, pairs, kept) if pairs else np.zeros(len(sheet))
    left = [supply.places for supply in supplies]
    taken: list[list[tuple[_Fit, int]]] = [[] for _ in sheet]
    for (value, fit), number in zip(pairs, places[len(sheet) :].tolist(), strict=True):
        if number:
            taken[value].append((fit, number))
            left[fit.supply] -= number
    whole = [bool(served) for served in places[: len(sheet)]]
    for value, dimension in enumerate(sheet):
        wanted = 0 if whole[value] else dimension.count
        for fit in within[value]:
            number = min(wanted, left[fit.supply])
            if number:
                taken[value].append((fit, number))
                left[fit.supply] -= number
                wanted -= number
    return [_Taken(*item) for item in zip(whole, taken, strict=True)]


def _solve(
    sheet: list[SheetDimension],
    supplies: list[Supply],
    pairs: list[tuple[int, _Fit]],
    kept: list[bool],
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return whether each value is served (0 or 1), then the places each pair takes.

    Maximises the number of values served; each takes its count of places or none, and no measured
    dimension gives more than it has.
    """
    values = len(sheet)
    columns = values + len(pairs)
    served = np.zeros((values, columns))
    given = np.zeros((len(supplies), columns))
    wish = np.zeros(columns)
    wish[:values] = -1.0 - PLEASANT * np.array(kept) / (2 * values)
    places = sum(dimension.count for dimension in sheet)
    top = np.ones(columns)
    for column, (value, fit) in enumerate(pairs, start=values):
        served[value, column] = 1.0
        given[fit.supply, column] = 1.0
        top[column] = min(sheet[value].count, supplies[fit.supply].places)
        wish[column] = PLEASANT * min(1.0, abs(fit.deviation)) / (2 * places)
    for value, dimension in enumerate(sheet):
        served[value, value] = -dimension.count
    answer = milp(
        wish,
        integrality=np.ones(columns, dtype=np.int64),
        bounds=Bounds(np.zeros(columns), top),
        constraints=[
            LinearConstraint(served, 0.0, 0.0),
            LinearConstraint(given, -np.inf, [float(supply.places) for supply in supplies]),
        ],
        options={"mip_rel_gap": 0.0},
    )
    if not answer.success:
        raise CouldNotMeasure(f"sheet values could not be assigned: {answer.message}")
    return np.rint(answer.x).astype(np.int64)


def _judge(
    dimension: SheetDimension, supplies: list[Supply], plain: _Taken, wide: _Taken
) -> SheetValue:
    taken = plain if plain.whole or not wide.whole else wide
    fits = [fit for fit in _fits(dimension, supplies, extended=False) if fit.beyond > 0]
    nearest = _hit(fits[0], supplies, supplies[fits[0].supply].places) if fits else None
    return SheetValue(
        dimension=dimension,
        tolerance="ISO 2768-m" if dimension.lower is None else "sheet",
        found=plain.whole,
        found_extended=wide.whole,
        hits=[_hit(fit, supplies, number) for fit, number in taken.fits],
        nearest=None if plain.whole else nearest,
        reason=None if plain.whole else _reason(dimension, supplies, plain, wide),
    )


def _hit(fit: _Fit, supplies: list[Supply], count: int) -> Hit:
    supply = supplies[fit.supply]
    return Hit(
        kind=supply.kind,
        value=supply.value,
        reading=fit.reading,
        deviation=fit.deviation,
        count=count,
    )


def _reason(dimension: SheetDimension, supplies: list[Supply], plain: _Taken, wide: _Taken) -> str:
    """Say in one line why a value is not found."""
    if wide.whole:
        return "only a distance of axes gives it"
    number = sum(count for _, count in plain.fits)
    if number:
        return f"{number} of {dimension.count} found"
    if not any(answers(supply, dimension, extended=False) for supply in supplies):
        return f"the body has no {dimension.type} to measure"
    if any(fit.beyond == 0 for fit in _fits(dimension, supplies, extended=False)):
        return "what measures so serves other values of the sheet"
    return "nothing measures so"
