"""What of the texts of a drawing is a dimension, gathered with what is left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gaugeblock.records.sheet_reading import LeftOut, ReadDimension, Source
from gaugeblock.ruler.sheet_reading.call_outs import CallOut
from gaugeblock.ruler.text import REASON_LIMIT, clean_text

MOST = 2_000
"""Dimensions that are read of one drawing; more are told as a remark. A crowded A0 has 500."""

MOST_TOLD = 300
"""Texts left out, and remarks, that are kept each; a number tells of the rest."""

Point = tuple[float, float]


@dataclass
class Gathered:
    """The answer, as it grows."""

    dimensions: list[ReadDimension] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    more: int = 0
    """Dimensions beyond `MOST`."""

    def take(
        self,
        said: CallOut,
        source: Source,
        where: str,
        at: Point | None,
        measured: Mapping[int, float] | None = None,
    ) -> None:
        """Take all sizes of a text.

        Args:
            said: What it says.
            source: What it was read from.
            where: Of it.
            at: Of it.
            measured: What the drawing's geometry measures, by the size's number.
        """
        for remark in said.remarks:
            self.remark(f"`{said.text}` ({where}): {remark}; ISO 2768-m holds")
        for number, dimension in enumerate(said.dimensions()):
            if len(self.dimensions) >= MOST:
                self.more += 1
                continue
            value = (measured or {}).get(number)
            self.dimensions.append(
                ReadDimension(
                    dimension=dimension,
                    source=source,
                    measured=None if value is None else round(value, 9),
                    where=clean_text(where),
                    at=at,
                )
            )

    def leave(self, text: str, where: str, at: Point | None, reason: str) -> None:
        """Leave a text out."""
        self.left_out.append(
            LeftOut(
                text=clean_text(text),
                where=clean_text(where),
                at=at,
                reason=clean_text(reason, REASON_LIMIT),
            )
        )

    def remark(self, text: str) -> None:
        """Tell something."""
        self.remarks.append(clean_text(text, REASON_LIMIT))

    def answer(self) -> dict[str, Any]:
        """Return it as the worker's answer."""
        remarks = self.remarks[:MOST_TOLD]
        if len(self.remarks) > MOST_TOLD:
            remarks.append(f"{len(self.remarks) - MOST_TOLD} further remarks")
        if len(self.left_out) > MOST_TOLD:
            remarks.append(f"{len(self.left_out) - MOST_TOLD} further texts are left out")
        if self.more:
            remarks.append(f"{self.more} dimensions beyond {MOST} are not read")
        return {
            "dimensions": [found.model_dump(mode="json") for found in self.dimensions],
            "left_out": [left.model_dump(mode="json") for left in self.left_out[:MOST_TOLD]],
            "remarks": remarks,
        }


def of_bare_text(
    said: CallOut,
    source: Source,
    where: str,
    at: Point | None,
    in_cell: bool,
    out: Gathered,
    measured: Mapping[int, float] | None = None,
) -> None:
    """Take a text that no dimension entity holds, if it can be nothing but a dimension.

    Args:
        said: What it says.
        source: What it was read from.
        where: Of it.
        at: Of it.
        in_cell: Whether it stands in a cell of ruled lines.
        out: Takes it.
        measured: As of `Gathered.take`.
    """
    if not any(sign.isdigit() for sign in said.text):
        return
    if not said.sizes:
        out.leave(said.text, where, at, said.rest or "no size")
    elif said.rest:
        out.leave(said.text, where, at, f"more than a size: {said.rest}")
    elif in_cell:
        out.leave(said.text, where, at, "in a cell of a table or of the title block")
    elif not any(size.signed for size in said.sizes):
        out.leave(said.text, where, at, "a bare number: nothing says what it measures")
    else:
        out.take(said, source, where, at, measured)
