"""A round's truth in numbers: every closed formula of it evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gaugeblock.records.case import BOUND_NAMES, Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.formulas import evaluate, evaluate_symbols, spelled_out


@dataclass(frozen=True)
class Figures:
    """What a right delivery measures. None, or a bound left out: not judged."""

    symbols: dict[str, float]
    """Parameters and symbols by name, in order of evaluation."""
    volume: float | None
    """mm³, above zero."""
    solids: int | None
    faces: int | None
    bounds: dict[str, float]
    """mm, by name, in the order of `BOUND_NAMES`."""
    names: tuple[str, ...] | None
    readings: dict[str, float]
    """Volume of each known misreading, mm³."""


def figures(asked: Round, where: str | None = None) -> Figures:
    """Evaluate a round's truth and readings.

    Args:
        asked: the round.
        where: case and round for the message; by default the round's id.

    Raises:
        WrongUse: a formula cannot be evaluated, a count is no whole number, or a volume is not
            above zero; the message names case, round and formula.
    """
    place, truth = where or f"round {asked.id}", asked.truth
    known = evaluate_symbols(asked.parameters, truth.symbols, place)

    def volume(formula: str, name: str) -> float:
        value = evaluate(formula, known, f"{place}, {name}")
        if value <= 0:
            raise WrongUse(f"{place}, {name}: {value:g} mm³ is no volume of a solid")
        return value

    def count(formula: str | None, name: str) -> int | None:
        if formula is None:
            return None
        value = evaluate(formula, known, f"{place}, {name}")
        if value < 0 or not value.is_integer():
            raise WrongUse(f"{place}, {name}: {value:g} is no count")
        return int(value)

    return Figures(
        symbols=known,
        volume=None if truth.volume is None else volume(truth.volume, "volume"),
        solids=count(truth.solids, "solids"),
        faces=count(truth.faces, "faces"),
        bounds={
            name: evaluate(truth.bounds[name], known, f"{place}, {name}")
            for name in BOUND_NAMES
            if name in truth.bounds
        },
        names=truth.names,
        readings={
            reading.name: volume(reading.volume, f"reading {reading.name}")
            for reading in asked.readings
        },
    )


def expected_figures(asked: Round) -> dict[str, dict[str, Any]]:
    """Return each judged quantity and each reading with its formula and value, for tables.

    Returns:
        ``volume`` (mm³), ``solids``, ``faces``, each judged bound (mm), ``names``, and
        ``reading NAME`` (mm³), each as ``{"formula": text, "value": figure}``. A formula is
        followed by the symbols it rests on.
    """
    truth, known = asked.truth, figures(asked)
    table: dict[str, dict[str, Any]] = {}

    def row(name: str, formula: str | None, value: Any) -> None:
        if formula is not None:
            table[name] = {"formula": spelled_out(formula, truth.symbols), "value": value}

    row("volume", truth.volume, known.volume)
    row("solids", truth.solids, known.solids)
    row("faces", truth.faces, known.faces)
    for name, value in known.bounds.items():
        row(name, truth.bounds[name], value)
    if truth.names is not None:
        row("names", "the names given", truth.names)
    for reading in asked.readings:
        row(f"reading {reading.name}", reading.volume, known.readings[reading.name])
    return table
