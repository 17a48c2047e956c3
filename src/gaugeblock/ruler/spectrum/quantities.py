"""One measured quantity before equal ones are taken together."""

from __future__ import annotations

from typing import NamedTuple

from gaugeblock.records.spectrum import DimensionKind


class Quantity(NamedTuple):
    """One value at one place of one solid."""

    kind: DimensionKind
    value: float
    """mm or degrees."""
    faces: list[int]
    edge: int | None = None
    repeats: bool = False
    turn: float | None = None
    external: bool | None = None
    leg: float | None = None


class TooMany(Exception):
    """A body with more quantities than a list of them can be of use for."""


MOST = 200_000
"""Most quantities of one file. Real parts of 650 faces have below 20,000; more come from bodies of
thousands of facets, where every length between 0 and the body's size occurs by chance."""


def check_number(number: int) -> None:
    """Refuse a body with too many quantities.

    Raises:
        TooMany: more than `MOST`.
    """
    if number > MOST:
        raise TooMany(f"more than {MOST:,} distances and angles: the body is made of facets")
