"""Where output goes: answers to stdout, progress to stderr, colour only on a terminal."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

NOT_ASCII = re.compile(r"[^\n -~]")
"""What is looked at more closely before it goes to a terminal."""

LONE = re.compile("[\ud800-\udfff]")
"""Lone surrogates: how Python holds the bytes of a path that are no UTF-8."""

PLAIN_WIDTH = 120
"""Columns of a table that is written to a file or a pipe."""


def version_line() -> str:
    """Return the name and version of the program."""
    from importlib.metadata import version

    return f"gaugeblock {version('gaugeblock')}"


def answers() -> Console:
    """Return the console of answers (stdout)."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(width=width, highlight=False, soft_wrap=False)


def progress() -> Progress:
    """Return a progress bar on stderr that leaves nothing behind; silent where no terminal is."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def print_json(value: object) -> None:
    """Print a JSON answer to stdout; in ASCII where the stream knows no other signs.

    What is not printable is escaped, so that a name from a file sends a terminal no codes.
    """
    import json

    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(value, indent=2, ensure_ascii=not unicode, allow_nan=False)
    print(escaped(whole(text)))  # what a stream would spell as \xff is no JSON


def escaped(text: str) -> str:
    r"""Return JSON text of the same meaning with ``\u202e`` for such a sign: none is unprintable.

    JSON itself asks that only of the signs below U+0020; controls above U+007E and signs that turn
    the direction of writing reach a terminal as they are.
    """

    def escape(found: re.Match[str]) -> str:
        if found[0].isprintable():
            return found[0]
        units = found[0].encode("utf-16-be").hex()
        return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))

    return NOT_ASCII.sub(escape, text)


def whole(text: str) -> str:
    """Return text that can be written anywhere: U+FFFD for lone surrogates."""
    return LONE.sub("\ufffd", text)


def plain(text: str) -> str:
    """Return text as one line that sends a terminal no codes: U+FFFD for what is not printable.

    Bytes of a path that are no UTF-8 (lone surrogates in Python) stay; see `spelled`.
    """
    return "".join(
        sign if sign.isprintable() or LONE.match(sign) else "\ufffd"
        for sign in " ".join(text.split())
    )


def short(text: str, most: int = PLAIN_WIDTH) -> str:
    """Return text as `plain` does, cut to `most` characters; a cut is shown by an ellipsis."""
    line = plain(text)
    return line if len(line) <= most else line[: most - 1] + "…"


def spelled(error: UnicodeError) -> tuple[str, int]:
    r"""Spell what a stream cannot encode: a path's byte 0xFF as ``\xff``, ``\u2260`` for ≠.

    A handler for `codecs.register_error`.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = "".join(
        f"\\x{ord(sign) - 0xDC00:02x}" if "\udc80" <= sign <= "\udcff" else sign
        for sign in error.object[error.start : error.end]
    )
    return text.encode("ascii", "backslashreplace").decode(), error.end
