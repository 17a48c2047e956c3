"""How wide text is on a sheet, and what of other people's text may stand on it.

The widths are those of DejaVu Sans Condensed, in heights of its capitals. They are a promise that
every output keeps: a font that runs wider is condensed to fit.
"""

from __future__ import annotations

from gaugeblock.ruler.text import clean_text

_WIDTHS = {
    "0123456789": 0.78,
    "ijl'|": 0.36,
    "I.,:; ": 0.42,
    "ft()[]/-": 0.48,
    'r–"': 0.62,
    "°": 0.62,
    "sz": 0.68,
    "abcdeghknopquvxy": 0.78,
    "⌀µLFJ": 0.78,
    "ABEKPSTVXYZR": 0.87,
    "CDGHNOQU": 0.98,
    "mwM": 1.2,
    "W": 1.25,
    "+±×↧=□−": 1.04,
    "⌴⌵": 1.04,
    "…": 1.24,
}

WIDTH = {sign: width for signs, width in _WIDTHS.items() for sign in signs}
"""Advance of each sign in heights of capitals."""

WIDEST = 1.3
"""Advance of a sign that is not in the table: wider than all letters of European scripts."""

DESCENT = 0.25
"""How far letters reach below the base line, in heights of capitals."""


def width(text: str, height: float) -> float:
    """Return the width of one line in mm.

    Args:
        text: The line.
        height: Of its capitals, mm.
    """
    return height * sum(WIDTH.get(sign, WIDEST) for sign in text)


def fitted(text: str, height: float, room: float, limit: int = 120) -> str:
    """Return hostile text on one line, cleaned and cut so that it is no wider than `room` mm.

    Args:
        text: Anything.
        height: Of its capitals, mm.
        room: mm
        limit: Most characters.
    """
    line = clean_text(text, limit)
    if width(line, height) <= room:
        return line
    while line and width(line + "…", height) > room:
        line = line[:-1]
    return line.rstrip() + "…" if line else ""


def number(value: float, digits: int = 3) -> str:
    """Return a size as it stands on a drawing: no zeros that say nothing.

    Args:
        value: mm or degrees.
        digits: Places after the point; a µm is finer than any general tolerance.
    """
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
