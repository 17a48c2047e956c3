"""A generated drawing: tolerances that it prints, and how it measures: `drawingMatch`."""

from __future__ import annotations

import math
import re
from typing import Literal, Self

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.spectrum import SheetDimension

_NUMBER = r"\d+(?:\.\d+)?"
_FIT = re.compile(r"[A-Za-z]{1,2}\d{1,2}")
_EVEN = re.compile(rf"±({_NUMBER})°?")
_LIMIT = rf"([+−]{_NUMBER}|0)°?"
_UNEVEN = re.compile(f"{_LIMIT}/{_LIMIT}")


class Toleranced(Record):
    """A size that is printed with a tolerance of its own, wherever it stands on the sheet."""

    type: Literal["length", "diameter", "radius", "angle"] = Field(description="Its symbol.")
    value: float = Field(gt=0, description="Nominal value in mm or degrees.")
    suffix: str = Field(
        description="As printed behind it: a fit (`H7`), `±0.05`, `+0.1/0`, `−0.02/−0.05`."
    )
    upper: float = Field(description="Upper deviation in mm or degrees; of a fit by ISO 286-2.")
    lower: float = Field(description="Lower deviation, −0.1 for 0.1 below.")

    @model_validator(mode="after")
    def _prints_what_it_means(self) -> Self:
        if not self.lower <= 0 <= self.upper:
            raise ValueError("the nominal size lies outside: parts are modelled at nominal size")
        even, uneven = _EVEN.fullmatch(self.suffix), _UNEVEN.fullmatch(self.suffix)
        if even:
            said = (float(even[1]), -float(even[1]))
        elif uneven:
            upper, lower = (float(text.replace("−", "-")) for text in uneven.groups())
            said = (upper, lower)
        elif _FIT.fullmatch(self.suffix):
            return self
        else:
            raise ValueError(f"suffix {self.suffix!r}: write H7, ±0.05, +0.1/0 or −0.02/−0.05")
        if not all(
            math.isclose(*pair) for pair in zip(said, (self.upper, self.lower), strict=True)
        ):
            raise ValueError(f"suffix {self.suffix!r} does not say {self.upper:g}/{self.lower:g}")
        return self


class DrawnValue(Record):
    """One dimension of the sheet, looked for on the drawing."""

    dimension: SheetDimension = Field(description="As the sheet gives it.")
    found: bool = Field(description="All of its count are found, within its limits.")
    measured: list[float] = Field(
        default_factory=list,
        description="What it stands on, as measured between lines of the drawing, mm or degrees of"
        " the part; where not found, the nearest of its type.",
    )
    views: list[str] = Field(default_factory=list, description="Where that was measured.")
    reason: str | None = Field(default=None, description="One line why it is not found.")


class Uncounted(Record):
    """What is printed on the drawing and does not count as a measurement."""

    text: str = Field(description="As printed.")
    view: str = Field(description="Id of its view.")
    reason: str = Field(description="One line why not.")


class DrawingMatch(Record):
    """How many of a sheet's dimensions the drawing shows, measured on its lines.

    Self-consistency, no proof of shape: a wrong part can be drawn and dimensioned rightly.
    """

    values: list[DrawnValue] = Field(description="In the sheet's order.")
    found: int = Field(description="How many are found.")
    asked: int = Field(description="How many the sheet has.")
    match: float | None = Field(description="found / asked; None: none is asked.")
    unread_rows: int = Field(
        default=0,
        ge=0,
        description="Rows of tables of holes on the drawing. They are not read back: neither found,"
        " asked nor match says anything of them.",
    )
    uncounted: list[Uncounted] = Field(
        default_factory=list, description="Printed dimensions that their lines do not bear out."
    )
