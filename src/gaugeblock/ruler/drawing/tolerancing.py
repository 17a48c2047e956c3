"""Tolerances behind the sizes that a sheet prints: ``⌀20`` becomes ``⌀20 H7``.

They are part of the text before anything is placed, so that all room is reckoned with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from gaugeblock.records.drawing import Toleranced
from gaugeblock.ruler.drawing.printed import located, said
from gaugeblock.ruler.drawing.wishes import Angle, Linear, Note, Round, Wishes

SAME = 1e-3
"""A printed size is the toleranced one if it differs by less, mm or degrees: three places are
printed."""

_Text = TypeVar("_Text", Linear, Round, Note, Angle)


def with_tolerances(wishes: Wishes, toleranced: Sequence[Toleranced]) -> Wishes:
    """Return wishes whose texts have a tolerance behind each size that one is asked for.

    What fits no size is told. Rows of tables and general notes have none.
    """
    if not toleranced:
        return wishes
    used: set[int] = set()

    def each(asked: Iterable[_Text]) -> list[_Text]:
        return [replace(wish, text=_extended(wish.text, toleranced, used)) for wish in asked]

    linear = [
        replace(wish, otherwise=each([wish.otherwise])[0]) if wish.otherwise else wish
        for wish in each(wishes.linear)
    ]
    found = replace(
        wishes,
        linear=linear,
        round=each(wishes.round),
        notes=each(wishes.notes),
        angles=each(wishes.angles),
    )
    lost = [item for n, item in enumerate(toleranced) if n not in used]
    found.told = [
        *found.told,
        *(f"no {item.type} {item.value:g} for its tolerance {item.suffix}" for item in lost),
    ]
    return found


def tolerance_of(
    kind: str, value: float, toleranced: Iterable[Toleranced]
) -> tuple[int, Toleranced] | None:
    """Return the tolerance of a printed size with its place in the list; None: it has none."""
    for number, item in enumerate(toleranced):
        if item.type == kind and abs(item.value - value) < SAME:
            return number, item
    return None


def _extended(text: str, toleranced: Sequence[Toleranced], used: set[int]) -> str:
    """Return a text with its tolerances; notes in `used` which ones it has."""
    if any(size.step for size in said(text)):
        return text
    done, parts = 0, list[str]()
    for size, end in located(text):
        if text[end : end + 1] not in ("", " "):
            continue  # M12x1.75 has its own class
        fit = tolerance_of(size.type, size.value, toleranced)
        if fit is not None:
            used.add(fit[0])
            parts.append(f"{text[done:end]} {fit[1].suffix}")
            done = end
    return "".join([*parts, text[done:]])
