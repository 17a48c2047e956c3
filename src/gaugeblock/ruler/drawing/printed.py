"""What a printed dimension says: sizes and their count, read from ``4× ⌀8 H7 ↧ 16``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

SizeType = Literal["length", "diameter", "radius", "angle"]

COUNT = re.compile(r"^\s*(\d{1,4})× ")
"""``4× ⌀8``; ``1×45°``, a chamfer, has no space."""

CHAIN = re.compile(r"^\s*(\d{1,4})× (\d+(?:\.\d+)?) \(= (\d+(?:\.\d+)?)\)\s*$")
"""``3× 20 (= 60)``: equal steps, and their sum."""

SIZE = re.compile(
    r"(?<![\w.+±−])(?:(?P<sign>[⌀RM↧])\s*(?P<signed>\d+(?:\.\d+)?)"
    r"|(?P<bare>\d+(?:\.\d+)?)(?P<degree>°)?(?![\w.°]| starts))"
)
"""A number with its sign. Fits (`H7`, `6g`), deviations (`±0.1`), pitches (`x1.25`) are none."""

LEAST = 0.01
"""Least length that is printed, mm. Sheets print three places: below this, rounding alone takes
more than a twentieth of the size, and 0.0004 would stand as 0."""


@dataclass(frozen=True)
class Said:
    """One size of a text."""

    type: SizeType
    value: float
    count: int
    """The number before ×."""
    depth: bool = False
    """Whether it is printed after ↧."""
    step: bool = False
    """Whether it is one of the equal steps of a chain; its sum follows."""


def said(text: str) -> list[Said]:
    """Return the sizes that a dimension's text says, in their order."""
    chain = CHAIN.match(text)
    if chain and float(chain[2]) > 0:
        return [
            Said("length", float(chain[2]), max(1, int(chain[1])), step=True),
            Said("length", float(chain[3]), 1),
        ]
    return [size for size, _ in located(text)]


def located(text: str) -> list[tuple[Said, int]]:
    """Return the sizes of a text, each with where it ends; chains of equal steps are not known."""
    head = COUNT.match(text)
    count = max(1, int(head.group(1))) if head else 1
    found = []
    for part in SIZE.finditer(text, head.end() if head else 0):
        value = float(part["signed"] or part["bare"])
        kind: SizeType = "length"
        if part["degree"]:
            kind = "angle"
        elif part["sign"] in ("⌀", "M"):
            kind = "diameter"
        elif part["sign"] == "R":
            kind = "radius"
        if value > 0:
            found.append((Said(kind, value, count, part["sign"] == "↧"), part.end()))
    return found


def too_small(text: str) -> bool:
    """Whether a text prints a length below `LEAST`."""
    return any(
        float(part["signed"] or part["bare"]) < LEAST
        for part in SIZE.finditer(text)
        if not part["degree"]
    )
