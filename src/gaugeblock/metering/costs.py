"""What a request costs, and the most that it can cost before it is sent. USD, exact decimals."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gaugeblock.metering.reading import off_list
from gaugeblock.records.prices import PriceRow, Rate
from gaugeblock.records.usage import BUCKETS, Buckets

MTOK = Decimal(1_000_000)

FRAMING_TOKENS = 4096
"""Tokens a provider may add to what is sent (its own words around tools and messages)."""

RATES = {
    "input_uncached": "input",
    "cache_read": "cache_read",
    "cache_write_5min": "cache_write_5min",
    "cache_write_1h": "cache_write_1h",
    "output": "output",
}
"""Bucket → field of a price row."""


@dataclass(frozen=True)
class Size:
    """How large a request is.

    Attributes:
        request_bytes: the serialised body without the images.
        image_bytes: the images, as they travel.
        images: how many.
        output_tokens: the ceiling asked for.
    """

    request_bytes: int
    output_tokens: int
    image_bytes: int = 0
    images: int = 0


@dataclass(frozen=True)
class Tariff:
    """What a profile's requests cost.

    Attributes:
        row: the frozen prices; None where there are none.
        why_not: the reason then.
        date: of the snapshot.
        until: the first day on which the prices no longer hold; None: not told.
    """

    row: PriceRow | None
    why_not: str
    date: str | None
    until: dt.date | None = None


def bill(
    dialect: str | None,
    raw: Mapping[str, Any] | None,
    buckets: Buckets,
    tariff: Tariff,
    *,
    service_tier: str | None,
    day: dt.date,
) -> tuple[Decimal | None, str]:
    """Return what a request cost by the frozen prices, and why that is unknown where it is None.

    Args:
        dialect: of the wire.
        raw: usage as received.
        buckets: what `read_usage` made of it.
        tariff: the profile's prices.
        service_tier: as the answer names it.
        day: on which it was sent (UTC).
    """
    if tariff.row is None:
        return None, tariff.why_not
    if tariff.until is not None and day >= tariff.until:
        return None, f"the prices hold until {tariff.until}, this was sent on {day}"
    priced = tariff.row.cache_write_5min is not None
    why = off_list(dialect, raw, writes_priced=priced, service_tier=service_tier)
    return (None, why) if why else cost(buckets, tariff.row)


def cost(buckets: Buckets, row: PriceRow) -> tuple[Decimal | None, str]:
    """Return what a request cost, and why that cannot be known where it is None.

    Steps are by the size of the request: all its input, cached or not.
    """
    for name in BUCKETS:
        if getattr(buckets, name) is None:
            return None, f"{name}: {buckets.unknown[name]}"
    counts = {name: int(getattr(buckets, name)) for name in BUCKETS}
    size = sum(tokens for name, tokens in counts.items() if name != "output")
    total = Decimal(0)
    for name, tokens in counts.items():
        if not tokens:
            continue
        rate: Rate | None = getattr(row, RATES[name])
        if rate is None:
            return None, f"{row.source_row} has no price for {name}"
        total += _price(rate, size) * tokens / MTOK
    return total, ""


def reserve(size: Size, row: PriceRow, image_tokens: int | None) -> Decimal:
    """Return the most that a request can cost.

    Every byte counts as a token (no tokenizer makes more of them), `FRAMING_TOKENS` are added, all
    at the dearest rate an input token can have; images count as the most tokens that the profile
    says one can be billed as; the output as its whole ceiling.

    Args:
        size: of the request.
        row: its prices.
        image_tokens: of one image; needed where there are images.

    Raises:
        ValueError: images without a count of their tokens.
    """
    if size.images and image_tokens is None:
        raise ValueError("images need a most number of tokens")
    tokens = size.request_bytes + FRAMING_TOKENS + size.images * (image_tokens or 0)
    inputs = [row.input, row.cache_write_5min, row.cache_write_1h, row.cache_read]
    dearest = max(_most(rate, tokens) for rate in inputs if rate is not None)
    return (dearest * tokens + _most(row.output, tokens) * size.output_tokens) / MTOK


def _price(rate: Rate, size: int) -> Decimal:
    """Return the price that holds for a request of so many input tokens, USD/Mtok."""
    price = rate.usd_per_mtok
    for step in rate.steps:
        if size > step.above_tokens:
            price = step.usd_per_mtok
    return Decimal(price)


def _most(rate: Rate, most_tokens: int) -> Decimal:
    """Return the dearest price of any request up to a size: a step may also lower it."""
    reached = [step.usd_per_mtok for step in rate.steps if most_tokens > step.above_tokens]
    return max(map(Decimal, [rate.usd_per_mtok, *reached]))
