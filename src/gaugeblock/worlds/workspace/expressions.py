"""Searching lines for a text or for a regular expression, which a clock stops."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gaugeblock.worlds.workspace.paths import Refused

LONGEST_PATTERN = 200
"""Signs of what is searched for."""

SEARCH_S = 3.0
"""Of one search. A line can hold a whole drawing, and some expressions never come to an end."""

Finder = Callable[[str], tuple[int, int] | None]
"""Says where in a line the first hit lies, in signs."""


class _TooLong(Exception):
    """The clock ran out."""


def finder(pattern: str, *, expression: bool) -> Finder:
    """Return what looks for a pattern in a line.

    Raises:
        Refused: it is too long, empty, or no expression of Python's `re`.
    """
    if not pattern or len(pattern) > LONGEST_PATTERN:
        raise Refused("arguments", f"a pattern has 1 to {LONGEST_PATTERN} signs")
    if not expression:
        return lambda line: (at, at + len(pattern)) if (at := line.find(pattern)) >= 0 else None
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise Refused("expression", f"no regular expression: {error}") from None

    def find(line: str) -> tuple[int, int] | None:
        found = compiled.search(line)
        return found.span() if found else None

    return find


@contextmanager
def clock() -> Iterator[None]:
    """Stop what runs inside after `SEARCH_S`.

    Python looks for signals also inside its engine of expressions, and only in the main thread:
    the server searches there, and has nothing else to do meanwhile.

    Raises:
        Refused: timeout.
    """
    assert threading.current_thread() is threading.main_thread(), "signals come to no other thread"

    def ring(*_: Any) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, SEARCH_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TooLong:
        raise Refused(
            "timeout", f"the search took longer than {SEARCH_S:g} s; nothing is known of its hits"
        ) from None
    finally:
        signal.signal(signal.SIGALRM, before)
