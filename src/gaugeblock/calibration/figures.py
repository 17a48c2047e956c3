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
from gaugeblock.records.measurement import Measurement
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


@dataclass(frozen=True)
class Figure:
    """One figure and its tolerance."""

    take: Callable[[Reading], Value]
    kind: Literal["equal", "relative", "mm", "iou"]
    tolerance: float | None = None


def _volume(reading: Reading) -> Value:
    totals = reading.facts.totals
    return None if totals is None else totals.volume


def _occupied(reading: Reading) -> Value:
    totals = reading.facts.totals
    return None if totals is None else totals.occupied_volume


def _area(reading: Reading) -> Value:
    areas = [solid.area for solid in reading.facts.solids]
    known = [area for area in areas if area is not None]
    return math.fsum(known) if known and len(known) == len(areas) else None


def _bounds(reading: Reading) -> Value:
    totals = reading.facts.totals
    if totals is None or totals.bounds is None:
        return None
    return (*totals.bounds.min, *totals.bounds.max)


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


def _names(reading: Reading) -> Value:
    totals = reading.facts.totals
    return None if totals is None else tuple(sorted(name or "(unnamed)" for name in totals.names))


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


def _iou(reading: Reading) -> Value:
    overlap = reading.overlap
    return None if overlap is None or overlap.posed is None else overlap.posed.iou


def _iou_aligned(reading: Reading) -> Value:
    overlap = reading.overlap
    return None if overlap is None or overlap.aligned is None else overlap.aligned.iou


def _mirrored(reading: Reading) -> Value:
    overlap = reading.overlap
    return None if overlap is None or overlap.mirrored is None else overlap.mirrored.better


def _scale(reading: Reading) -> Value:
    overlap = reading.overlap
    return None if overlap is None or overlap.scale is None else overlap.scale.factor


FIGURES: dict[str, Figure] = {
    "valid": Figure(_valid, "equal"),
    "volume": Figure(_volume, "relative", VOLUME),
    "occupied": Figure(_occupied, "relative", VOLUME),
    "area": Figure(_area, "relative", VOLUME),
    "solids": Figure(_solids, "equal"),
    "faces": Figure(_faces, "equal"),
    "genus": Figure(_genus, "equal"),
    "bounds": Figure(_bounds, "mm", BOUND),
    "centroid": Figure(_centroid, "mm", BOUND),
    "names": Figure(_names, "equal"),
    "units": Figure(_units, "equal"),
    "findings": Figure(_findings, "equal"),
    "iou": Figure(_iou, "iou", IOU),
    "iou-aligned": Figure(_iou_aligned, "iou", IOU),
    "mirrored": Figure(_mirrored, "equal"),
    "scale": Figure(_scale, "relative", SCALE),
}

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
    if isinstance(before, tuple) and isinstance(after, tuple):
        pairs = zip(numbers(before), numbers(after), strict=True)
        return max(abs(a - b) for a, b in pairs)
    one, other = float(before), float(after)  # type: ignore[arg-type]
    if figure.kind == "relative":
        return abs(other - one) / abs(one) if one else abs(other)
    return abs(other - one)


def told(move: Moved) -> str:
    """Return a move in words: figure, from, to."""
    return f"{move.figure} {_short(move.mutant)} instead of {_short(move.reference)}"


def _short(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, tuple):
        return "(" + ", ".join(_short(item) for item in value) + ")"
    return str(value)
