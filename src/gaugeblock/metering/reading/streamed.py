"""The usage of a streamed answer, from the usage objects that its events carry.

Every dialect reports running totals and repeats them once a content block or chunk: they are never
added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def last_usage(reports: Iterable[Mapping[str, Any] | None]) -> dict[str, Any] | None:
    """Return the last usage of a stream as it stands, None where no event had one.

    What only an earlier report told is not taken over: nobody says that it still holds.

    Args:
        reports: in the order they came.
    """
    found: dict[str, Any] | None = None
    for report in reports:
        if isinstance(report, Mapping):
            found = dict(report)
    return found


def streamed_usage(reports: Iterable[Mapping[str, Any] | None]) -> dict[str, Any] | None:
    """Return the usage that a stream of Anthropic's ended with, None where no event had one.

    Its last event may leave out what its first one told, so a later report replaces an earlier one
    field by field (https://platform.claude.com/docs/en/build-with-claude/streaming: "The token
    counts shown in the usage field of the message_delta event are cumulative"). No other provider
    says so of its streams: `last_usage`.

    Args:
        reports: in the order they came.
    """
    found: dict[str, Any] | None = None
    for report in reports:
        if isinstance(report, Mapping):
            told = {name: value for name, value in report.items() if value is not None}
            found = {**(found or {}), **told}
    return found
