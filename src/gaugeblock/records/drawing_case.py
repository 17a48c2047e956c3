"""`case.toml` of a part with a drawing: what its author writes by hand.

Lengths are mm, angles degrees.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.drawing import Toleranced
from gaugeblock.records.drawing_task import Group, ThreadAsked

CANARY = r"gaugeblock-canary-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
"""Nobody writes such a word by chance: where it is seen, the truth was seen."""

ID = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
"""Lower case words with hyphens: the folder's name."""


class SheetAsked(Record):
    """What the sheet is to look like; the drawing decides the rest."""

    number: str = Field(description="Drawing number, such as `GB-101`.")
    material: str
    format: Literal["A4", "A3"] | None = None
    scale: tuple[int, int] | None = Field(default=None, description="(1, 2) is 1:2.")


class DrawingCaseFile(Record):
    """One case, as its author writes it."""

    id: str = Field(pattern=f"^{ID}$")
    title: str = Field(description="Name of the part, as in the title block.")
    group: Group
    part_class: str = Field(alias="class", description="Such as `turned part`, `housing`.")
    difficulty: int = Field(ge=1, le=5)
    canary: str = Field(
        pattern=f"^{CANARY}$",
        description="Stands in this file, in the head of the program and in the reference's.",
    )
    parameters: dict[str, float] = Field(description="Numbers that the program uses by name.")
    sheet: SheetAsked
    threads: tuple[ThreadAsked, ...] = ()
    toleranced: tuple[Toleranced, ...] = ()
    allowed: tuple[str, ...] = Field(
        default=(),
        description="Remarks on the sheet that may stay, each as `remark: reason`.",
    )
