"""Text that comes from a measured file: cleaned, bounded, and never trusted.

A STEP file is written by whoever is being measured. Its names and headers end up in records,
terminals and web pages, so control characters go and lengths are bounded before anything else.
"""

from __future__ import annotations

import re
import unicodedata

NAME_LIMIT = 200
"""Characters of a name that are kept: real part names stay under 80, a page is an attack."""

REASON_LIMIT = 300
"""Characters of a one-line reason that are kept: about three terminal lines."""

AUTO_NAMES = frozenset(
    "SOLID COMPOUND COMPSOLID SHELL FACE WIRE EDGE VERTEX SHAPE ASSEMBLY".split()
)
"""What XCAF's automatic naming writes on an unnamed label (XCAFDoc_ShapeTool: the shape's type in
capitals, or ASSEMBLY). A file written from unnamed shapes carries them as product names."""

_AUTO_PATTERNS = re.compile(
    r"Open CASCADE STEP translator [\d. ]+"  # STEPControl_Writer's product name
    r"|Open CASCADE Shape Model"  # its FILE_NAME default
    r"|NAUO\d+"  # invented occurrence identifiers
    r"|=>\[[\d:]+\]"  # XCAF's name of a reference label
    r"|\[?\d+(:\d+)+\]?"  # a bare label entry
    r"|NONE",  # what several writers put where a name is compulsory
)


def clean_text(text: str, limit: int = NAME_LIMIT) -> str:
    """Return `text` on one line, without control or direction-override characters, bounded.

    Args:
        text: Anything read from a file.
        limit: Longest result in characters; a cut is shown by an ellipsis.
    """
    head = text[: 4 * limit]
    if head.isascii() and head.isprintable():  # nearly every text, and a tenth of the time
        kept = head
    else:
        kept = "".join(
            " " if char in "\t\r\n" else char
            for char in head
            if char in "\t\r\n" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
        )
    line = " ".join(kept.split())
    return line if len(line) <= limit and len(head) == len(text) else line[: limit - 1] + "…"


def repair_mojibake(text: str) -> str:
    r"""Return `text` with UTF-8 that was stored byte by byte as Latin-1 put right.

    Many writers escape each UTF-8 byte as its own STEP character (``\X\C3\X\BC`` for ü). A
    string whose Latin-1 bytes happen to be valid multi-byte UTF-8 is, in practice, always that.
    """
    if text.isascii():
        return text
    for encoding in ("latin-1", "cp1252"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return text


def is_auto_name(name: str) -> bool:
    """Whether `name` is one that the kernel or a writer invents for something unnamed.

    An author who really calls a part ``SOLID`` cannot be told from the kernel: such a name counts
    as unnamed and the reader reports the finding `auto-name`.
    """
    stripped = name.strip()
    return not stripped or stripped in AUTO_NAMES or bool(_AUTO_PATTERNS.fullmatch(stripped))
