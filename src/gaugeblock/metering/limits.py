"""What ends an agent's work from outside."""

from __future__ import annotations


class LimitReached(Exception):
    """The agent met one of its ceilings and works no further.

    Attributes:
        limit: the limit's name, as in the outcome ``stopped:<limit>``.
    """

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit


class BillingUnknown(Exception):
    """Nothing more is sent: what an earlier request of this invocation costs is not known."""
