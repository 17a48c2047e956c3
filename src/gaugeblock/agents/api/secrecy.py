"""The key, kept out of all that is written down."""

from __future__ import annotations

import re
from typing import Any

HIDDEN = "[key]"
"""Stands where the key stood."""

SHORTEST_KEY = 8
"""Characters. Shorter ones stand for no key at local servers (`none`, `x`) and are words of any
answer: hiding them would spoil what a model says. Providers' own have thirty and more."""

DEEPEST = 200
"""Levels of a value that are looked through; the desk and the meter keep nothing that is nested
nearly so deep."""

_UNSEEN = (
    "[\\s\\x00-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]"
)
"""White space, control characters and signs without width: a text with these between its letters
reads as if they were not there."""


class Cover:
    """Hides a key in whatever a server says.

    The key is found as it is, also with unseen characters between its letters. Written otherwise
    (base64, percent signs, backwards) it is not.
    """

    def __init__(self, key: str | None, shortest: int = SHORTEST_KEY) -> None:
        """Make a cover.

        Args:
            key: to be hidden; None or shorter than `shortest`: nothing is.
            shortest: characters that a key has at least.
        """
        letters = re.sub(_UNSEEN, "", key or "")
        found = f"{_UNSEEN}*".join(map(re.escape, letters))
        self._key = re.compile(found) if letters and len(letters) >= shortest else None

    def text(self, text: str) -> str:
        """Return a text without the key."""
        return self._key.sub(HIDDEN, text) if self._key else text

    def value(self, value: Any) -> Any:
        """Return JSON data without the key, in names as in values."""
        return self._clean(value, DEEPEST) if self._key else value

    def _clean(self, value: Any, levels: int) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if not isinstance(value, (dict, list)):
            return value
        if not levels:
            return "[nested too deep]"
        if isinstance(value, list):
            return [self._clean(item, levels - 1) for item in value]
        return {self.text(name): self._clean(item, levels - 1) for name, item in value.items()}
