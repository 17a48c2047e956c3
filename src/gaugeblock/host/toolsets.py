"""Which tools a client is shown: those of programs, those of objects, or all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gaugeblock.host.objects import tools as objects
from gaugeblock.host.tools import INSTRUCTIONS, TOOLS, ToolText

Toolset = Literal["all", "program", "objects"]

SHARED = ("measure", "save", "export_step")
"""Tools that programs and objects have in common."""


@dataclass(frozen=True)
class Shown:
    """What a client is shown of the host."""

    instructions: str
    tools: tuple[ToolText, ...]


def shown(toolset: Toolset) -> Shown:
    """Return the tools of a set and what is said of them as a whole."""
    if toolset == "program":
        return Shown(INSTRUCTIONS, TOOLS)
    if toolset == "objects":
        shared = tuple(tool for tool in TOOLS if tool.name in SHARED)
        return Shown(objects.INSTRUCTIONS, (*objects.OBJECT_TOOLS, *shared))
    both = f"{objects.INSTRUCTIONS}\n\nOr, in the same document: {INSTRUCTIONS}"
    return Shown(both, (*TOOLS, *objects.OBJECT_TOOLS))
