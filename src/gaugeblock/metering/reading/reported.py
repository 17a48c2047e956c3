"""What a provider itself says a request cost."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

TICKS = Decimal(10**10)
"""Ticks of a US dollar (https://docs.x.ai/developers/cost-tracking)."""

MOST_USD = 10_000
"""No request costs more; a larger figure is a fault."""

TELLING = "xai-responses"
"""The dialect whose answers tell a cost; no other provider of ours documents one."""

TELLER = "x-ai"
"""The provider, in the price source's word, that tells it in other dialects too."""


def reported_cost(
    dialect: str | None, raw: Mapping[str, Any] | None, provider: str | None = None
) -> Decimal | None:
    """Return what the provider says it billed, USD, exactly; None where it says nothing usable.

    From anybody but xAI the same field means nothing: nobody documents it.

    Args:
        dialect: of the wire.
        raw: usage as received.
        provider: who is asked, by the profile.
    """
    if dialect != TELLING and provider != TELLER:
        return None
    if not isinstance(raw, Mapping):
        return None
    ticks = raw.get("cost_in_usd_ticks")
    if type(ticks) is not int or not 0 <= ticks <= MOST_USD * TICKS:
        return None
    return ticks / TICKS
