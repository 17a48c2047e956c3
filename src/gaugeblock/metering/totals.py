"""The sums of a conversation: a part that one request did not tell makes the sum unknown."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from gaugeblock.metering.costs import Tariff
from gaugeblock.records.usage import BUCKETS, Request, Usage


def totals(
    requests: Sequence[Request], sent: int, tariff: Tariff, not_billed: str | None = None
) -> Usage:
    """Add up the requests of a conversation.

    Args:
        requests: those that ended, settled or not.
        sent: how many were on the wire; one more than ended was cut off in flight.
        tariff: their prices.
        not_billed: why they cost nothing by the token, where they do not.
    """
    unknown: dict[str, str] = {}
    values: dict[str, Any] = {}
    flight = "" if sent == len(requests) else f"request {sent} was in flight when it was stopped"
    for name in (*BUCKETS, "reasoning"):
        parts = [getattr(request.buckets, name) for request in requests]
        holes = [
            f"request {request.number}: {request.buckets.unknown[name]}"
            for request in requests
            if name in request.buckets.unknown
        ]
        if holes or flight or not sent:
            unknown[name] = (holes or [flight or "no request was sent"])[0]
        else:
            values[name] = sum(parts)
    costs = [request.cost_usd for request in requests]
    dear = [f"request {r.number}: {r.unknown['cost_usd']}" for r in requests if r.cost_usd is None]
    if not_billed or dear or flight or not sent:
        unknown["cost_usd"] = not_billed or (dear or [flight or "no request was sent"])[0]
    else:
        values["cost_usd"] = f"{sum(map(Decimal, filter(None, costs)), Decimal(0)):f}"
    told = [request.reported_cost_usd for request in requests]
    if flight or not sent or None in told:
        unknown["reported_cost_usd"] = flight or "not reported for every request"
    else:
        values["reported_cost_usd"] = f"{sum(map(Decimal, filter(None, told)), Decimal(0)):f}"
    if tariff.date is None:
        unknown["price_date"] = not_billed or tariff.why_not
    else:
        values["price_date"] = tariff.date
    times = [request.provider_s for request in requests]
    if flight or not sent:
        unknown["provider_s"] = flight or "no request was sent"
    else:
        values["provider_s"] = sum(time for time in times if time is not None)
    unsettled = sum(not request.settled for request in requests) + (sent - len(requests))
    return Usage(provider_calls=sent, unsettled_calls=unsettled, unknown=unknown, **values)
