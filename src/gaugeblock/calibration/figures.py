"""The ruler's figures of one file beside the reference's, and how far each may be off.

`FIGURES` is the whole list; each entry takes a figure out of a `Reading`. A figure that is None is
unknown: it neither kills a mutant nor saves it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gaugeblock.calibration.records import Moved, Value, numbers
from gaugeblock.records.measurement import Measurement, Totals
from gaugeblock.records.overlap import Overlap

VOLUME = 1e-6
"""Largest relative difference of a right volume or area: suite growth's criterion."""

BOUND = 1e-6
"""Largest difference of a right bound or centroid, mm: suite growth's criterion."""

IOU = 1e-6
"""Least part of the space that may differ. The booleans' own inclusion–exclusion closes to 1e-6."""

SCALE = 1e-4
"""Relative size difference that is a scale error: 0.01 mm on 100 mm."""

NOISE = 1e-10
"""Relative difference that is no move: equal parts read again repeat to 1e-13."""

NOISE_MM = 1e-9
"""The same for lengths, mm: STEP's 15 digits leave 1e-12 mm; the control `rewritten` watches."""

IOU_NOISE = 1e-9
"""The same for the IoU, which is exactly 1 where the boundaries match."""


@dataclass(frozen=True)
class Reading:
    """What the ruler says of one file."""

    facts: Measurement
    overlap: Overlap | None = None
    """Of the reference with this file; None: not taken, or of the reference itself."""


Take = Callable[[Reading], Value]
"""Takes one figure out of a reading; None: unknown."""


@dataclass(frozen=True)
class Figure:
    """One figure and its tolerance."""

    take: Take
    kind: Literal["equal", "relative", "mm", "iou"]
    tolerance: float | None = None
    unit: str = ""
    """As it is told after a value."""


def _of_totals(take: Callable[[Totals], Value]) -> Take:
    """Return what takes a figure out of a file's totals, unknown where there are none."""
    return lambda reading: None if reading.facts.totals is None else take(reading.facts.totals)


def _of_overlap(take: Callable[[Overlap], Value]) -> Take:
    """Return what takes a figure out of the overlap, unknown where none was taken."""
    return lambda reading: None if reading.overlap is None else take(reading.overlap)


def _area(reading: Reading) -> Value:
    areas = [solid.area for solid in reading.facts.solids]
    known = [area for area in areas if area is not None]
    return math.fsum(known) if known and len(known) == len(areas) else None


def _corners(totals: Totals) -> Value:
    """The six numbers of the box, mm."""
    return None if totals.bounds is None else (*totals.bounds.min, *totals.bounds.max)


def _sorted_names(totals: Totals) -> Value:
    return tuple(sorted(name or "(unnamed)" for name in totals.names))


def _centroid(reading: Reading) -> Value:
    """Centre of all solids by volume, mm."""
    parts = [
        (solid.volume.value, solid.centroid)
        for solid in reading.facts.solids
        if solid.volume.value is not None and solid.centroid is not None
    ]
    if not parts or len(parts) != len(reading.facts.solids):
        return None
    whole = math.fsum(volume for volume, _ in parts)
    return tuple(math.fsum(v * c[axis] for v, c in parts) / whole for axis in range(3))


def _units(reading: Reading) -> Value:
    return tuple(reading.facts.file.length_units)


def _findings(reading: Reading) -> Value:
    return tuple(sorted({finding.code for finding in reading.facts.findings}))


def _genus(reading: Reading) -> Value:
    found = [solid.topology.genus for solid in reading.facts.solids]
    known = [genus for genus in found if genus is not None]
    return sum(known) if known and len(known) == len(found) else None


def _faces(reading: Reading) -> Value:
    totals, stray = reading.facts.totals, reading.facts.stray
    return None if totals is None else totals.faces + (stray.faces if stray else 0)


def _valid(reading: Reading) -> Value:
    """A file the kernel reads and finds empty (`no-shape`) holds no valid solid."""
    if reading.facts.code == "no-shape":
        return False
    return None if reading.facts.totals is None else reading.facts.totals.valid


def _solids(reading: Reading) -> Value:
    if reading.facts.code == "no-shape":
        return 0
    return None if reading.facts.totals is None else reading.facts.totals.solids


FIGURES: dict[str, Figure] = {
    "valid": Figure(_valid, "equal"),
    "volume": Figure(_of_totals(lambda totals: totals.volume), "relative", VOLUME, " mm³"),
    "occupied": Figure(
        _of_totals(lambda totals: totals.occupied_volume), "relative", VOLUME, " mm³"
    ),
    "area": Figure(_area, "relative", VOLUME, " mm²"),
    "solids": Figure(_solids, "equal"),
    "faces": Figure(_faces, "equal"),
    "genus": Figure(_genus, "equal"),
    "bounds": Figure(_of_totals(_corners), "mm", BOUND, " mm"),
    "centroid": Figure(_centroid, "mm", BOUND, " mm"),
    "names": Figure(_of_totals(_sorted_names), "equal"),
    "units": Figure(_units, "equal"),
    "findings": Figure(_findings, "equal"),
    "iou": Figure(_of_overlap(lambda pair: pair.posed.iou if pair.posed else None), "iou", IOU),
    "iou-aligned": Figure(
        _of_overlap(lambda pair: pair.aligned.iou if pair.aligned else None), "iou", IOU
    ),
    "mirrored": Figure(
        _of_overlap(lambda pair: pair.mirrored.better if pair.mirrored else None), "equal"
    ),
    "scale": Figure(
        _of_overlap(lambda pair: pair.scale.factor if pair.scale else None), "relative", SCALE
    ),
}

AXES = {3: ("x", "y", "z"), 6: ("x min", "y min", "z min", "x max", "y max", "z max")}
"""What the numbers of a point and of a box are called."""

OF_THE_PAIR: dict[str, Value] = {"iou": 1.0, "iou-aligned": 1.0, "mirrored": False, "scale": 1.0}
"""Figures of two files: what a part has with itself."""


def taken(reading: Reading) -> dict[str, Value]:
    """Return every figure of a reading."""
    return {name: figure.take(reading) for name, figure in FIGURES.items()}


def of_reference(reading: Reading) -> dict[str, Value]:
    """Return the reference's figures; those of a pair are what it has with itself."""
    return {**taken(reading), **OF_THE_PAIR}


def moves(
    reference: dict[str, Value], mutant: dict[str, Value]
) -> tuple[list[Moved], tuple[str, ...]]:
    """Return the figures that moved, and the names of those that became unknown."""
    found, unknown = [], []
    for name, before in reference.items():
        after = mutant.get(name)
        if before is None:
            continue
        if after is None:
            unknown.append(name)
            continue
        move = _move(name, FIGURES[name], before, after)
        if move is not None:
            found.append(move)
    return found, tuple(unknown)


def _move(name: str, figure: Figure, before: Value, after: Value) -> Moved | None:
    deviation: float | None = None
    if figure.kind == "equal":
        same, outside = before == after, True
    else:
        deviation = _deviation(figure, before, after)
        noise = {"relative": NOISE, "mm": NOISE_MM, "iou": IOU_NOISE}[figure.kind]
        same, outside = deviation <= noise, deviation > (figure.tolerance or 0.0)
    if same:
        return None
    return Moved(
        figure=name,
        reference=before,
        mutant=after,
        deviation=deviation,
        tolerance=figure.tolerance,
        outside=outside,
    )


def _deviation(figure: Figure, before: Value, after: Value) -> float:
    one, other = numbers(before), numbers(after)
    found = max(abs(a - b) for a, b in zip(one, other, strict=True))
    return found / (abs(one[0]) or 1.0) if figure.kind == "relative" else found


def told(move: Moved) -> str:
    """Return a move in words: figure, from, to; of a point or box the number that moved most."""
    unit = FIGURES[move.figure].unit
    before, after = move.reference, move.mutant
    if not (unit and isinstance(before, tuple) and isinstance(after, tuple)):
        return f"{move.figure} {_short(after)} instead of {_short(before)}{unit}"
    steps = [
        (abs(b - a), axis, a, b)
        for axis, a, b in zip(AXES[len(before)], numbers(before), numbers(after), strict=True)
        if abs(b - a) > NOISE_MM
    ]
    _, axis, old, new = max(steps, key=lambda step: step[0])
    more = f" (and {len(steps) - 1} more of it)" if len(steps) > 1 else ""
    return f"{move.figure} {axis} {_place(new)} instead of {_place(old)}{unit}{more}"


def _place(value: float) -> str:
    """Return a coordinate to `NOISE_MM`; what is below it is zero."""
    return f"{round(value, 9) + 0.0:.10g}"


def _short(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, tuple):
        return ", ".join(map(_short, value)) or "none"
    return f'"{value}"' if " " in str(value) else str(value)
