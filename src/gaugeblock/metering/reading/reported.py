"""What a provider itself says a request cost."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

TICKS = Decimal(10**10)
"""Ticks of a US dollar (https://docs.x.ai/developers/cost-tracking)."""

MOST_USD = 10_000
"""No request costs more; a larger figure is a fault."""

TELLING = ("xai-responses", "openai-chat")
"""Dialects that xAI answers in; no other provider of ours reports a cost."""


def reported_cost(dialect: str | None, raw: Mapping[str, Any] | None) -> Decimal | None:
    """Return what the provider says it billed, USD, exactly; None where it says nothing usable.

    Args:
        dialect: of the wire.
        raw: usage as received.
    """
    if dialect not in TELLING or not isinstance(raw, Mapping):
        return None
    ticks = raw.get("cost_in_usd_ticks")
    if type(ticks) is not int or not 0 <= ticks <= MOST_USD * TICKS:
        return None
    return ticks / TICKS
