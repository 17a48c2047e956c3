"""Deviations of ISO 286 tolerance classes, such as H7 at 20 mm: +0.021 and 0.

`pressfit` holds the tables of ISO 286-1 for shafts and for the grades 5 to 11; holes follow from
shafts by the rules of the standard. What it lacks stands here.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from pressfit import fit

LIMITS = (3.0, 6.0, 10.0, 18.0, 30.0, 50.0, 80.0, 120.0, 180.0, 250.0, 315.0, 400.0, 500.0)
"""Upper ends of the ranges of nominal sizes, mm (ISO 286-1, table 1)."""

COARSE = {
    12: (100, 120, 150, 180, 210, 250, 300, 350, 400, 460, 520, 570, 630),
    13: (140, 180, 220, 270, 330, 390, 460, 540, 630, 720, 810, 890, 970),
}
"""Standard tolerances of the grades IT12 and IT13 by range, µm (ISO 286-1, table 1)."""

J_LOWER = (2, 2, 2, 3, 4, 5, 7, 9, 11, 13, 16, 18, 20)
"""Lower deviations of shafts j5 and j6 by range, µm below nominal (ISO 286-1, table 4)."""

CLEARANCE = frozenset("CDEFG")
"""Holes whose lower deviation is that of the shaft of the same letter with its sign turned."""

CLOSE = {"K": 8, "M": 8, "N": 8, "P": 7, "S": 7, "U": 7}
"""Holes whose upper deviation is that of the shaft one grade finer, turned, plus the difference
of both grades (ISO 286-1, special rule), and up to which grade."""

PER_MM = 1000.0
"""µm in a mm."""

Zone = tuple[float, float]
"""Lower and upper deviation, mm."""

_CODE = re.compile(r"(?P<letter>[A-Z]{1,2}|[a-z]{1,2})(?P<grade>\d{1,2})")


def fit_deviations(code: str, size: float) -> Zone | None:
    """Return the lower and upper deviation of a tolerance class in mm.

    Args:
        code: Such as ``H7`` or ``g6``.
        size: Nominal, mm, up to 500.

    Returns:
        None where the class or the size is not known here.
    """
    found = _CODE.fullmatch(code)
    if found is None:
        return None
    letter, grade = found["letter"], int(found["grade"])
    zone = _shaft(letter, grade, size) if letter.islower() else _hole(letter, grade, size)
    return None if zone is None else (round(zone[0], 6), round(zone[1], 6))


def _hole(letter: str, grade: int, size: float) -> Zone | None:
    wide = _tolerance(grade, size)
    if wide is None:
        return None
    if letter == "H":
        return 0.0, wide
    if letter == "JS":
        return -0.5 * wide, 0.5 * wide
    if letter in CLEARANCE:
        shaft = _shaft(letter.lower(), grade, size)
        return None if shaft is None else (-shaft[1], wide - shaft[1])
    if letter not in CLOSE or size <= LIMITS[0]:
        return None
    if letter == "N" and grade > CLOSE["N"]:
        return -wide, 0.0
    if (letter, grade) == ("M", 6) and LIMITS[9] < size <= LIMITS[10]:
        return None  # ISO 286-1 has an exception there
    finer, step = grade, 0.0
    if grade <= CLOSE[letter]:
        finer = grade - 1
        step = wide - (_tolerance(finer, size) or wide)
    elif letter in "KM":
        return None
    shaft = _shaft(letter.lower(), finer, size)
    return None if shaft is None else (step - shaft[0] - wide, step - shaft[0])


def _shaft(letter: str, grade: int, size: float) -> Zone | None:
    if letter == "j" and grade in (5, 6) and 0 < size <= LIMITS[-1]:
        low = -J_LOWER[bisect_left(LIMITS, size)] / PER_MM
        wide = _tolerance(grade, size)
        return None if wide is None else (low, low + wide)
    if grade in COARSE and letter in ("h", "js"):
        wide = _tolerance(grade, size)
        if wide is None:
            return None
        return (-wide, 0.0) if letter == "h" else (-0.5 * wide, 0.5 * wide)
    try:
        found = fit(f"H7/{letter}{grade}", size)
    except (NotImplementedError, ValueError):
        return None
    return found.shaft_ei_um / PER_MM, found.shaft_es_um / PER_MM


def _tolerance(grade: int, size: float) -> float | None:
    """Return the width of a standard tolerance grade, mm."""
    if grade in COARSE and 0 < size <= LIMITS[-1]:
        return COARSE[grade][bisect_left(LIMITS, size)] / PER_MM
    try:
        return float(fit(f"H{grade}/h6", size).hole_es_um) / PER_MM
    except (NotImplementedError, ValueError):
        return None
