"""The usage of a streamed answer, from the usage objects that its events carry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def streamed_usage(reports: Iterable[Mapping[str, Any] | None]) -> dict[str, Any] | None:
    """Return the usage that a stream ended with, None where no event had one.

    Every dialect reports running totals (https://platform.claude.com/docs/en/build-with-claude/
    streaming: "The token counts shown in the usage field of the message_delta event are
    cumulative"), and repeats them once a content block or chunk: they are never added. A later
    report replaces an earlier one field by field, since Anthropic's last one may leave out what its
    first one told.

    Args:
        reports: in the order they came.
    """
    found: dict[str, Any] | None = None
    for report in reports:
        if isinstance(report, Mapping):
            told = {name: value for name, value in report.items() if value is not None}
            found = {**(found or {}), **told}
    return found
