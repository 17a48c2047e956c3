"""The program in an agent's final answer, for cases that show no tool."""

from __future__ import annotations

import re

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
"""The line that opens or closes a fenced block, as CommonMark (0.31, section 4.5) has it."""


class NoProgram(Exception):
    """The answer does not hold exactly one program; its text says why."""


def only_program(answer: str) -> str:
    """Return the text of the one fenced block in an answer, whatever word stands beside its fence.

    Raises:
        NoProgram: there is no block, more than one, or one that is never closed.
    """
    blocks: list[str] = []
    inside: list[str] = []
    opened = ""
    for line in re.split(r"\r\n|\n|\r", answer):
        fence = FENCE.fullmatch(line)
        if not opened:
            if fence and not (fence[1][0] == "`" and "`" in fence[2]):
                opened, inside = fence[1], []
        elif fence and fence[1].startswith(opened) and not fence[2].strip():
            blocks.append("\n".join(inside))
            opened = ""
        else:
            inside.append(line)
    if opened:
        raise NoProgram("a fenced block of the answer is never closed")
    if len(blocks) != 1:
        found = f"{len(blocks)} fenced blocks" if blocks else "no fenced block"
        raise NoProgram(f"the answer holds {found}; one program in one fenced block is asked for")
    return blocks[0]
