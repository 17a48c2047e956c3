"""Why a drawing file is not read."""

from __future__ import annotations


class Unreadable(Exception):
    """The file is not read at all.

    Args:
        code: One word.
        reason: One line.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
