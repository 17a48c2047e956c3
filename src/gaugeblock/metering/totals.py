"""The sums of a conversation: a part that one request did not tell makes the sum unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from gaugeblock.metering.costs import Tariff
from gaugeblock.records.usage import BUCKETS, Request, Usage


def totals(
    requests: Sequence[Request], sent: int, tariff: Tariff, not_billed: str | None = None
) -> Usage:
    """Add up the requests of a conversation.

    A sum is None where one request did not tell its part; what the others told stands in
    `Usage.partial`.

    Args:
        requests: those that ended, settled or not.
        sent: how many were on the wire; one more than ended was cut off in flight.
        tariff: their prices.
        not_billed: why they cost nothing by the token, where they do not.
    """
    sums = _Sums(requests, sent)
    for name in (*BUCKETS, "reasoning"):
        sums.add(
            name,
            [getattr(request.buckets, name) for request in requests],
            [request.buckets.unknown.get(name, "") for request in requests],
            sum,
        )
    for name in ("cost_usd", "reported_cost_usd"):
        sums.add(
            name,
            [getattr(request, name) for request in requests],
            [request.unknown.get(name, "") for request in requests],
            _money,
            not_billed if name == "cost_usd" else None,
        )
    sums.add(
        "provider_s",
        [request.provider_s for request in requests],
        [request.unknown.get("provider_s", "") for request in requests],
        sum,
    )
    if tariff.date is None:
        sums.unknown["price_date"] = not_billed or tariff.why_not
    else:
        sums.values["price_date"] = tariff.date
    sums.partial.pop("provider_s", None)  # a time of some requests is no time of anything
    unsettled = sum(not request.settled for request in requests) + (sent - len(requests))
    return Usage(
        provider_calls=sent,
        unsettled_calls=unsettled,
        partial=sums.partial,
        unknown=sums.unknown,
        **sums.values,
    )


class _Sums:
    """Totals, the reasons of those that are unknown, and what is known of them."""

    def __init__(self, requests: Sequence[Request], sent: int) -> None:
        self._numbers = [request.number for request in requests]
        self._gap = "" if sent else "no request was sent"
        if sent > len(requests):
            self._gap = f"{sent - len(requests)} requests were in flight when the run ended"
        self.values: dict[str, Any] = {}
        self.unknown: dict[str, str] = {}
        self.partial: dict[str, Any] = {}

    def add(
        self,
        name: str,
        parts: list[Any],
        reasons: list[str],
        total: Callable[[list[Any]], Any],
        instead: str | None = None,
    ) -> None:
        """Add one total.

        Args:
            name: of the total.
            parts: of each request, None where it is unknown.
            reasons: why, in the same order.
            total: sums known parts.
            instead: a reason that holds whatever the requests tell.
        """
        known = [part for part in parts if part is not None]
        holes = [
            f"request {number}: {why}"
            for number, part, why in zip(self._numbers, parts, reasons, strict=True)
            if part is None
        ]
        why = instead or next(iter(holes), "") or self._gap
        if not why:
            self.values[name] = total(known)
            return
        self.unknown[name] = why
        if known:
            self.partial[name] = total(known)


def _money(amounts: list[str]) -> str:
    return f"{sum(map(Decimal, amounts), Decimal(0)):f}"
