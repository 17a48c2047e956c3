r"""Texts of DXF without their commands: ``%%c8``, ``\A1;20{\H0.7x;\S+0.2^-0.1;}``, ``\U+2300``."""

from __future__ import annotations

import re

from ezdxf.tools.text import MTextParser, TokenType, plain_text

MOST_CHARACTERS = 2_000
"""Characters of one text that are looked at: a call-out has tens, a page of notes is none."""

BLANKS = (
    TokenType.SPACE,
    TokenType.NBSP,
    TokenType.TABULATOR,
    TokenType.NEW_PARAGRAPH,
    TokenType.NEW_COLUMN,
)
"""Kinds of token that part words."""

_CODE = re.compile(r"\\U\+([0-9A-Fa-f]{4})|\\M\+[0-9A-Fa-f]{5}")
_SIGNS = re.compile("%%([cdpCDP])")
_STACK = re.compile(r"\\S([^;]*);?")
_ABOVE_BELOW = re.compile(r"\\X")
_MEANT = {"c": "⌀", "d": "°", "p": "±"}


def of_line(text: str) -> str:
    """Return the content of a TEXT or an ATTRIB."""
    return plain_text(_coded(text[:MOST_CHARACTERS]))


def of_paragraph(text: str) -> str:
    """Return the content of an MTEXT, a dimension or a leader; stacks stand as ``+0.2/-0.1``."""
    # A caret before a sign would be read as a control character, in stacks it parts two lines.
    line = _STACK.sub(lambda m: r"\S" + re.sub(r"\^\s*", "^ ", m[1]) + ";", text[:MOST_CHARACTERS])
    line = _ABOVE_BELOW.sub(" ", _coded(line))
    out: list[str] = []
    for token in MTextParser(line):
        if token.type == TokenType.WORD:
            out.append(str(token.data))
        elif token.type == TokenType.STACK:
            upper, lower, _ = token.data
            out.append(f" {upper.strip()}/{lower.strip()} ")
        elif token.type in BLANKS:
            out.append(" ")
    return "".join(out).strip()


def _coded(text: str) -> str:
    found = _CODE.sub(lambda m: chr(int(m[1], 16)) if m[1] else "?", text)
    return _SIGNS.sub(lambda m: _MEANT[m[1].lower()], found)
