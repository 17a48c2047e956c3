"""Sizes of the standards, and which of them a measured thread is.

Tables: `iso_261.csv` (ISO 261; ISO 262 is a selection of it), `asme_b1_1.csv` (UNC, UNF, UNEF),
`iso_2904.csv` (trapezoidal), each up to 100 mm or 4 in. Profiles: ISO 68-1 (H = √3/2·P, flats of
P/8 and P/4, minor = d − 5/4·H, pitch diameter = d − 3/4·H), which ASME B1.1 shares, and ISO 2904
(30°, d2 = d − P/2, D1 = d − P). A size is given only where everything measured lies in its zones;
the nearest size is never forced on a thread.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gaugeblock.ruler.threads.form import Form

PITCH = 0.01
"""Greatest difference of the pitch in mm: what thread fidelity allows. The ruler itself is below
0.001."""

FLANK = 2.0
"""Greatest difference of the included flank angle in degrees. No standard states one; flanks swept
square to the helix instead of along the axis are 0.1° off, 55° and 29° threads 5° and 1° (those
are told by their sizes)."""

MODELLED = 0.02
"""Part of the pitch by which a diameter may lie outside its zone: truncation and rounding of
models. Half of the way from a basic to a maximum-material root is 0.07."""

SHARP = 1.75 * math.sqrt(3) / 2
"""Deepest groove of an external 60° thread: a sharp V below a crest of P/8 is 7/8·H deep, so that
the minor diameter is d − 7/4·H."""


@dataclass(frozen=True)
class Size:
    """One size of a standard; mm and degrees."""

    designation: str
    standard: str
    major: float
    pitch: float
    flank: float

    @property
    def trapezoidal(self) -> bool:
        """Whether it is of ISO 2904."""
        return self.flank == 30.0

    @property
    def pitch_diameter(self) -> float:
        """Basic pitch diameter d2 = D2."""
        depth = 0.5 if self.trapezoidal else 0.75 * math.sqrt(3) / 2
        return self.major - depth * self.pitch

    @property
    def minor(self) -> float:
        """Basic minor diameter D1."""
        depth = 1.0 if self.trapezoidal else 1.25 * math.sqrt(3) / 2
        return self.major - depth * self.pitch

    def area(self, internal: bool) -> float:
        """Return the material between basic minor and major cylinder, mm³ a mm of length.

        At radius r the ridge is w = P/2 − 2 (r − d2/2) tan(α/2) wide of every pitch P, so that
        ∫ 2πr w/P dr holds for every number of starts; a hole has what a shaft has not.
        """
        low, high, middle = self.minor / 2, self.major / 2, self.pitch_diameter / 2
        fall = 2 * math.tan(math.radians(self.flank / 2)) / self.pitch
        flat = 0.5 + fall * middle
        ridge = math.pi * (flat * (high**2 - low**2) - fall * 2 / 3 * (high**3 - low**3))
        return math.pi * (high**2 - low**2) - ridge if internal else ridge


@dataclass(frozen=True)
class _Zone:
    name: str
    low: float
    high: float
    value: float

    @property
    def off(self) -> float:
        """By how much the value lies outside, mm."""
        return max(self.low - self.value, self.value - self.high, 0.0)


@cache
def sizes() -> tuple[Size, ...]:
    """Return all sizes of the tables."""
    return (*_metric(), *_unified(), *_trapezoidal())


def nearest(form: Form, internal: bool) -> tuple[Size | None, str | None]:
    """Return the size that the thread is; else None and what the nearest one lacks.

    Args:
        form: The measured thread.
        internal: Whether it is in a bore.
    """
    near = sorted(sizes(), key=lambda size: _distance(size, form, internal))
    for size in near:
        if abs(size.pitch - form.pitch) <= PITCH and _lacks(size, form, internal) is None:
            return size, None
    size = near[0]
    if _distance(size, form, internal) > 1.0:
        return None, None
    return None, f"nearest size {size.designation}: {_lacks(size, form, internal)}"


def _distance(size: Size, form: Form, internal: bool) -> float:
    """How far a thread is from a size, in pitches: what is told only where it is below one."""
    diameter = form.minor - size.minor if internal else form.major - size.major
    if form.pitch_diameter is not None:
        diameter = form.pitch_diameter - size.pitch_diameter
    flank = 0.0 if form.flank_angle is None else abs(form.flank_angle - size.flank) / 30
    return (20 * abs(form.pitch - size.pitch) + abs(diameter)) / size.pitch + flank


def _lacks(size: Size, form: Form, internal: bool) -> str | None:
    """Return the first thing in which a thread is not of a size; None: it is."""
    if abs(form.pitch - size.pitch) > PITCH:
        return f"pitch {form.pitch:.4f} mm, not {size.pitch:.6g}"
    if form.flank_angle is None or form.pitch_diameter is None:
        return "flanks are not straight"
    if abs(form.flank_angle - size.flank) > FLANK:
        return f"flank angle {form.flank_angle:.2f}°, not {size.flank:g}°"
    for zone in _zones(size, form, form.pitch_diameter, internal):
        if zone.off > 0:
            return f"{zone.name} diameter {zone.value:.4f} mm, not {zone.low:.4f} … {zone.high:.4f}"
    return None


def _zones(size: Size, form: Form, pitch_diameter: float, internal: bool) -> list[_Zone]:
    """Return where each diameter has to lie.

    For 60°: 6g and 6H of ISO 965-1 by its formulas (in µm, P and d in mm): es = −(15 + 11 P);
    Td = 180 P^⅔ − 3.15/√P; Td2 = 90 P^0.4 d^0.1; TD2 = 1.32 Td2; TD1 = 230 P^0.7, and
    433 P − 190 P^1.22 below 1 mm. Roots may be deeper than the basic profile, down to a sharp V.
    ASME B1.1 class 2 differs by a few hundredths of a pitch only. For trapezoidal threads 7e of
    ISO 2903: es = −(50 + 11 P) on d2, grade 7 = 1.25 grade 6, grade 4 = 0.63 grade 6, and the
    clearance of ISO 2904 at the roots.
    """
    p, d, slack = size.pitch, size.major, MODELLED * size.pitch
    play = (15 + 11 * p) / 1000
    crest = (180 * p ** (2 / 3) - 3.15 / math.sqrt(p)) / 1000
    flank = 90 * p**0.4 * d**0.1 / 1000
    bore = (230 * p**0.7 if p >= 1 else 433 * p - 190 * p**1.22) / 1000
    root_out, root_in = 0.25 * math.sqrt(3) / 2 * p, d - SHARP * p
    if size.trapezoidal:
        play, flank, crest = (50 + 11 * p) / 1000, 1.25 * flank, 0.63 * crest
        clearance = 0.15 if p < 2 else 0.25 if p <= 5 else 0.5 if p <= 12 else 1.0
        bore, root_out, root_in = 0.63 * bore, 2 * clearance, size.minor - 2 * clearance - flank
    d2, d1 = size.pitch_diameter, size.minor
    if internal:
        limits = [
            ("pitch", d2, d2 + 1.32 * flank, pitch_diameter),
            ("minor", d1, d1 + bore, form.minor),
            ("major", d, d + root_out, form.major),
        ]
    else:
        top = d if size.trapezoidal else d - play
        limits = [
            ("pitch", d2 - play - flank, d2, pitch_diameter),
            ("major", top - crest, d, form.major),
            ("minor", root_in, d1, form.minor),
        ]
    return [_Zone(name, low - slack, high + slack, value) for name, low, high, value in limits]


def _rows(name: str) -> Iterator[dict[str, str]]:
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _metric() -> Iterator[Size]:
    for row in _rows("iso_261.csv"):
        for pitch in f"{row['coarse']} {row['fine']}".split():
            name = f"M{row['diameter']}x{pitch}"
            yield Size(name, "ISO 261", float(row["diameter"]), float(pitch), 60.0)


def _unified() -> Iterator[Size]:
    for row in _rows("asme_b1_1.csv"):
        for series in ("unc", "unf", "unef"):
            if row[series]:
                name = f"{row['size']}-{row[series]} {series.upper()}"
                major, pitch = float(row["inches"]) * 25.4, 25.4 / float(row[series])
                yield Size(name, "ASME B1.1", major, pitch, 60.0)


def _trapezoidal() -> Iterator[Size]:
    for row in _rows("iso_2904.csv"):
        for pitch in row["pitches"].split():
            name = f"Tr{row['diameter']}x{pitch}"
            yield Size(name, "ISO 2904", float(row["diameter"]), float(pitch), 30.0)
