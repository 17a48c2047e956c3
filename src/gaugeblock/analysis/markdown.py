"""Markdown that hostile text cannot break: escaping, tables, and the footnotes of unknowns.

Names out of STEP files, reasons of errors and agents' words all end up in a report. Whatever
they hold, they stay text in their own cell: no HTML, no link, no mention, no new line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

LONGEST_TEXT = 240
"""Characters of one text that are shown: enough for a sentence, too few to bury a report."""

ROOM_FOR_COUNT = 40
"""Of these, what is kept for telling how much was cut: a cut text is not cut again."""

DASH = "—"
"""Stands for a figure that is not known; its reason is a footnote."""

_PATH = re.compile(
    r"(?:file://)?(?:"
    r"~(?=/)|(?<![\w.:/<)\]])/(?:home|root|tmp|Users)\b|(?<![\w.:/<)\]])/[A-Za-z_.][\w.+@-]*(?=/)"
    r")(?:/[^\s'\"<>|:;,)\]}]*)*"
    r"|\b[A-Za-z]:\\[^\s'\"<>|;,]*"
)
"""An absolute path: two parts or more from the root, or one of the roots that hold a user's."""

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "|": "&#124;",
    "@": "&#64;",
    "$": "&#36;",
    "`": "&#96;",
    "~": "&#126;",
}
_BACKSLASHED = frozenset("\\*_[]{}")
_AT_START = re.compile(r"^(?:[#+=-]|\d+[.)](?=\s|$))")
_PLAIN_CODE = re.compile(r"[\w ()*+\-/.,;:=^\[\]²³π×−–…≤≥±°√∫Σ'′\"]+")


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """Return the text on one line, without machine paths and without invisible characters.

    Control characters (ANSI escapes begin with one), surrogates, direction marks and other
    format characters each become a visible replacement sign; white space becomes one space.
    """
    spaced = "".join(" " if char in "\t\n\r\v\f\x85\u2028\u2029" else char for char in text)
    seen = "".join(
        "\ufffd" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn") else char
        for char in spaced
    )
    line = re.sub(r" +", " ", hide_paths(seen)).strip()
    if len(line) <= LONGEST_TEXT:
        return line
    kept = line[: LONGEST_TEXT - ROOM_FOR_COUNT]
    return f"{kept}… ({len(line) - len(kept)} more characters)"


def hide_paths(text: str) -> str:
    """Replace absolute paths, which tell whose machine it was, by ``[path]``."""
    return _PATH.sub("[path]", text)


def escape(text: str) -> str:
    """Return text that renders as itself in a paragraph, a list or a table cell."""
    line = clean(text)
    marked = "".join(
        f"\\{char}" if char in _BACKSLASHED else _ENTITIES.get(char, char) for char in line
    )
    marked = re.sub(r"!(?=\\\[)", "&#33;", marked)
    marked = marked.replace("://", "&#58;//")
    marked = re.sub(r"(?i)www\.", lambda found: f"{found[0][:-1]}&#46;", marked)
    return _AT_START.sub(lambda found: f"{found[0][:-1]}&#{ord(found[0][-1])};", marked)


def code(text: str) -> str:
    """Return a formula or name as a code span if its characters allow, else escaped."""
    line = clean(text)
    if line and _PLAIN_CODE.fullmatch(line):
        return f"`{line}`"
    return escape(text)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> list[str]:
    """Return the lines of a table.

    Args:
        head: column titles.
        rows: cells, already escaped.
        right: one character a column, ``r`` for right-aligned; shorter means left.
    """
    marks = ["---:" if right[i : i + 1] == "r" else "---" for i in range(len(head))]
    lines = [head, marks, *rows]
    return ["| " + " | ".join(cell or " " for cell in line) + " |" for line in lines] + [""]


class Footnotes:
    """Numbers the reasons of missing figures; the same reason keeps one number."""

    def __init__(self) -> None:
        """Begin with none."""
        self._numbers: dict[str, int] = {}

    def missing(self, reason: str) -> str:
        """Return the dash that stands for a missing figure, with its note's number."""
        return DASH + self.mark(reason)

    def mark(self, reason: str) -> str:
        """Return the mark of a note; an empty reason has none."""
        if not reason:
            return ""
        return _raised(self._numbers.setdefault(reason, len(self._numbers) + 1))

    def lines(self) -> list[str]:
        """Return the notes collected since the last call, as lines, and begin anew."""
        notes = [
            f"- {_raised(number)} {escape(reason)}" for reason, number in self._numbers.items()
        ]
        self._numbers = {}
        return ["Notes:", "", *notes, ""] if notes else []


def _raised(number: int) -> str:
    return f"⁽{str(number).translate(_SUPERSCRIPTS)}⁾"
