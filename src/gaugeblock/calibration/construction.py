"""Independent constructions: a case's part built from its instruction, without its formulas.

A construction takes a round's parameters and returns the volume and the number of solids of the
part that the instruction describes, by its own geometry. Formulas are then held against it, over
the case's parameters and over others, so that a formula outside its domain shows by itself.

`CONSTRUCTIONS` names one for each suite that has any; a suite without one has its formulas
checked against its reference alone, which is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from gaugeblock.calibration.discs import Discs, Union, union_of
from gaugeblock.calibration.records import FormulaCheck
from gaugeblock.records.case import Formula, Truth
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.formulas import evaluate, evaluate_symbols, spelled_out

AGREES = 1e-9
"""Largest relative difference of formula and construction: both are exact in double precision."""

SWEEP = 16
"""Most columns or rows away from a case's own that are tried for the domain of its formula."""


@dataclass(frozen=True)
class Constructed:
    """What an independent construction found."""

    volume: float
    """mm³"""
    solids: int | None
    """None: not told."""
    why: str
    """What is special about the geometry, such as holes that touch; empty: nothing."""


Construction = Callable[[Mapping[str, float], bool], Constructed]
"""From parameters, and whether the round has the features of the later rounds."""

# What the instructions of T1 say, mm: outside, places of the first and last hole, k2's holes.
LENGTH, WIDTH, HEIGHT = 120.0, 80.0, 40.0
X_RANGE, Y_RANGE = (15.0, 105.0), (20.0, 60.0)
SIDE_DIAMETER = 8.0
CENTRE = (60.0, 40.0)


def perforated_box(parameters: Mapping[str, float], side_holes: bool) -> Constructed:
    """T1: the open box with its grid of floor holes, k2's side holes and k5's centre hole."""
    wall, diameter = parameters["wall"], parameters["holeDiameter"]
    cols, rows = int(parameters["cols"]), int(parameters["rows"])
    xs, ys = np.linspace(*X_RANGE, cols), np.linspace(*Y_RANGE, rows)
    grid = np.array([(x, y) for x in xs for y in ys])
    union = union_of(Discs(grid, diameter / 2))
    # The box as five plates, each a plain product.
    floor = LENGTH * WIDTH * wall
    sides = 2 * LENGTH * wall * (HEIGHT - wall) + 2 * (WIDTH - 2 * wall) * wall * (HEIGHT - wall)
    volume = floor + sides - union.area * wall
    solids: int | None = 1 + union.islands
    notes = _notes(union, grid, diameter, cols, rows)
    if side_holes:
        volume -= 2 * wall * union_of(Discs(np.zeros((1, 2)), SIDE_DIAMETER / 2)).area
    centre_diameter = parameters.get("centerHoleDiameter")
    if centre_diameter is not None:
        gap = float(np.linalg.norm(grid - np.array(CENTRE), axis=1).min())
        volume -= wall * union_of(Discs(np.zeros((1, 2)), centre_diameter / 2)).area
        if gap < (diameter + centre_diameter) / 2:
            notes += "the centre hole meets the grid: not constructed; "
            solids = None
    return Constructed(volume, solids, notes.removesuffix("; "))


def _notes(union: Union, grid: np.ndarray, diameter: float, cols: int, rows: int) -> str:
    """Say how neighbours along X and along Y meet, in measured distances."""
    words = ""
    steps = (("X", cols, grid[rows] - grid[0] if cols > 1 else None),
             ("Y", rows, grid[1] - grid[0] if rows > 1 else None))  # fmt: skip
    for letter, count, step in steps:
        if count < 2 or step is None:
            continue
        pitch = float(np.linalg.norm(step))
        if abs(pitch - diameter) <= 1e-9:
            words += f"holes of Ø{diameter:g} touch along {letter} (pitch {pitch:.2f} mm); "
        elif pitch < diameter:
            words += f"holes of Ø{diameter:g} overlap along {letter} (pitch {pitch:.2f} mm); "
    if union.overlapping:
        twice = len(grid) * np.pi * diameter**2 / 4 - union.area
        words += (
            f"{union.overlapping} pairs overlap, the discs' sum counts {twice:,.2f} mm² more "
            "than they cover; "
        )
    if union.islands:
        words += f"they cut off {union.islands} pieces: {1 + union.islands} solids; "
    return words


CONSTRUCTIONS: Mapping[str, Construction] = MappingProxyType({"growth": perforated_box})


def check_formula(
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
    relative = (found.volume - value) / value
    holds, why = abs(relative) <= AGREES, ""
    if claimed is None and truth.solids is not None and found.solids is not None:
        told = evaluate(truth.solids, known, what)
        if told != found.solids:
            holds, why = False, f"{found.solids} solids instead of {told:g}; "
    if not holds:
        why += found.why or f"the construction gives {found.volume:,.4f} mm³"
    return FormulaCheck(
        what=what,
        parameters=dict(parameters),
        formula=spelled_out(formula, truth.symbols),
        value=value,
        against="construction",
        found=found.volume,
        relative=relative,
        tolerance=AGREES,
        holds=holds,
        expected=expected,
        why=why.removesuffix("; "),
    )


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
                    check = check_formula("", truth, {**parameters, name: count}, construction)
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
