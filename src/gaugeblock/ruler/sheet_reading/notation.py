"""Other people's ways to write a dimension, put into one: ``4X Ø8,5 x 16 DEEP`` → ``4× ⌀8.5 ↧16``.

Nothing is read here, only respelt; what has two meanings stays as it is.
"""

from __future__ import annotations

import re

from gaugeblock.ruler.text import clean_text

TEXT_LIMIT = 200
"""Characters of one text that are read: call-outs are below 60."""

_SIGNS = str.maketrans({**dict.fromkeys("Øø∅φΦ⌽", "⌀"), "✕": "×", "⨯": "×", "*": "×", "º": "°"})
_MINUS = re.compile(r"(?<![\w)])\s*[-−–](?=\s*\d*\.?\d)")
_WORDS = (
    (re.compile(r"(?<=\d)\s*mm\b"), ""),
    (re.compile(r"\bS(?=\s*[⌀R]\s*\d)"), ""),  # a ball: its size is a diameter or a radius
    (re.compile(r"\bDIA(?:METER)?\b\.?\s*(?=\d)", re.I), "⌀"),
    (re.compile(r"(\d+(?:\.\d+)?)\s*DIA(?:METER)?\b\.?", re.I), r"⌀\1"),
    (re.compile(r"\bC'?-?BORE\b\.?", re.I), "⌴"),
    (re.compile(r"\b(?:CSK|C'?-?SINK)\b\.?", re.I), "⌵"),
    (re.compile(r"[x×]?\s*(\d+(?:\.\d+)?)\s*(?:DEEP|DEPTH)\b", re.I), r" ↧\1"),
    (re.compile(r"\b(?:DEEP|DEPTH)\s*(?=\d)", re.I), "↧"),
)
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_BARE_POINT = re.compile(r"(?<![\d.])\.(?=\d)")
_BY = re.compile(r"(?<=[\d°])(\s*)[xX](\s*)(?=[\d⌀RMS⌴⌵↧])")
_DASHED_COUNT = re.compile(r"^\s*(\d{1,4})\s*-\s*(?=[⌀RM]\s*\d)")
_MINUTES = re.compile(r"(\d+)°\s*(\d{1,2})\s*['′](?:\s*(\d{1,2}(?:\.\d+)?)\s*[\"″])?")
AMBIGUOUS = re.compile(r"(?<![\d.,])[1-9]\d{0,2},\d{3}(?![\d,])")
"""``1,250``: thousands in one office, a decimal in the other."""


def respelt(text: str) -> str:
    """Return a text in this project's notation, on one line.

    Args:
        text: What stands on a drawing; hostile.
    """
    line = clean_text(text, TEXT_LIMIT).translate(_SIGNS)
    line = _COMMA.sub(".", line)
    line = _BARE_POINT.sub("0.", line)
    line = re.sub("⌀{2,}", "⌀", re.sub("R{2,}", "R", line))
    line = _DASHED_COUNT.sub(r"\1× ", line)
    for pattern, instead in _WORDS:
        line = pattern.sub(instead, line)
    line = _BY.sub(r"\1×\2", line)
    line = _MINUTES.sub(_degrees, line)
    return _MINUS.sub(" −", line).strip()


def _degrees(found: re.Match[str]) -> str:
    whole = int(found[1]) + int(found[2]) / 60 + float(found[3] or 0) / 3600
    return f"{whole:.6f}".rstrip("0").rstrip(".") + "°"
