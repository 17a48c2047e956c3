"""Raw usage → disjoint buckets, one module a dialect. Unknown is None with its reason, never 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaugeblock.metering.reading.anthropic_messages import ANTHROPIC_MESSAGES
from gaugeblock.metering.reading.counts import Contradiction, Parts, Reader
from gaugeblock.metering.reading.gemini import GEMINI
from gaugeblock.metering.reading.openai_chat import OPENAI_CHAT
from gaugeblock.metering.reading.openai_responses import OPENAI_RESPONSES
from gaugeblock.metering.reading.reported import reported_cost
from gaugeblock.metering.reading.streamed import last_usage, streamed_usage
from gaugeblock.metering.reading.xai_responses import XAI_RESPONSES
from gaugeblock.records.usage import BUCKETS, Buckets

__all__ = ["READERS", "last_usage", "off_list", "read_usage", "reported_cost", "streamed_usage"]

READERS: dict[str, Reader] = {
    "openai-responses": OPENAI_RESPONSES,
    "xai-responses": XAI_RESPONSES,
    "anthropic-messages": ANTHROPIC_MESSAGES,
    "gemini-generate-content": GEMINI,
    "openai-chat": OPENAI_CHAT,
}

STANDARD_TIERS = (None, "auto", "default", "standard")
"""Service tiers of an answer that mean the list price; flex, priority, fast, scale do not."""


def read_usage(dialect: str | None, raw: Mapping[str, Any] | None) -> Buckets:
    """Return the tokens of a request in buckets that never overlap; nothing in `raw` raises.

    Args:
        dialect: of the wire.
        raw: usage as received; None where the answer has none.
    """
    if raw is None:
        return _unknown("no usage that can be read")
    if not isinstance(raw, Mapping):
        return _unknown("usage is no object")
    reader = READERS.get(dialect or "")
    if reader is None:
        return _unknown(f"usage of dialect {dialect} cannot be read")
    try:
        return _buckets(reader.read(raw))
    except Contradiction as error:
        return _unknown(str(error))


def off_list(
    dialect: str | None,
    raw: Mapping[str, Any] | None,
    *,
    writes_priced: bool,
    service_tier: str | None,
) -> str:
    """Return why the price list does not say what a request was billed, or nothing.

    Args:
        dialect: of the wire.
        raw: usage as received.
        writes_priced: whether the list has a price for cache writes.
        service_tier: as the answer itself names it.
    """
    if service_tier not in STANDARD_TIERS:
        return f"served in tier {str(service_tier)[:40]!r}, which is billed by other rates"
    reader = READERS.get(dialect or "")
    if reader is None or not isinstance(raw, Mapping):
        return ""
    return reader.off_list(raw, writes_priced)


def _buckets(parts: Parts) -> Buckets:
    found = {name: getattr(parts, name) for name in (*BUCKETS, "reasoning")}
    return Buckets(
        **{name: item.value for name, item in found.items()},
        unknown={name: item.why for name, item in found.items() if item.value is None},
    )


def _unknown(why: str) -> Buckets:
    return Buckets(unknown=dict.fromkeys((*BUCKETS, "reasoning"), why))
