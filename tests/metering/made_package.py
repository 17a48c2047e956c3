"""A package of prices with every kind of row that genai-prices has."""

import datetime as dt
from decimal import Decimal

from genai_prices.types import (
    ClauseStartsWith,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    PriceVariant,
    Provider,
    StartDateConstraint,
    Tier,
    TieredPrices,
    TimeOfDateConstraint,
)

DAY = dt.date(2026, 11, 30)
CHANGE = dt.date(2026, 12, 1)


def usd(**prices):
    return ModelPrice(**{f"{name}_mtok": Decimal(price) for name, price in prices.items()})


def model(name, prices, **more):
    return ModelInfo(id=name, match=ClauseStartsWith(name), prices=prices, **more)


def from_day(day, **prices):
    return ConditionalPrice(StartDateConstraint(day), prices=usd(**prices))


def in_hours(start, end, **prices):
    hours = TimeOfDateConstraint(dt.time(start, tzinfo=dt.UTC), dt.time(end, tzinfo=dt.UTC))
    return ConditionalPrice(hours, prices=usd(**prices))


SIMPLE = usd(input="1", output="2")
MODELS = [
    model("plain", SIMPLE),
    model(
        "whole",
        ModelPrice(
            input_mtok=TieredPrices(Decimal("3"), [Tier(200_000, Decimal("6"))]),
            cache_read_mtok=Decimal("0.30"),
            cache_write_mtok=Decimal("3.75"),
            cache_write_1h_mtok=Decimal("6"),
            output_mtok=TieredPrices(
                Decimal("15"), [Tier(500_000, Decimal("40")), Tier(200_000, Decimal("22.5"))]
            ),
            web_searches_kcount=Decimal("10"),
            input_audio_mtok=Decimal("9"),
        ),
    ),
    model("one-write-price", usd(input="4", output="20", cache_write="5")),
    model(
        "introductory",
        [
            ConditionalPrice(prices=usd(input="2", output="10")),
            from_day(dt.date(2026, 8, 1), input="3", output="11"),
            from_day(CHANGE, input="4", output="20"),
        ],
    ),
    model("unchanged", [ConditionalPrice(prices=SIMPLE), from_day(CHANGE, input="1", output="2")]),
    model("peak", [ConditionalPrice(prices=SIMPLE), in_hours(1, 4, input="2", output="4")]),
    model("same-all-day", [ConditionalPrice(prices=SIMPLE), in_hours(1, 4, input="1", output="2")]),
    model("embedding", usd(input="1")),
    model("by-request", ModelPrice(**vars(SIMPLE), requests_kcount=Decimal("5"))),
    model("reasoning-apart", ModelPrice(**vars(SIMPLE), output_reasoning_mtok=Decimal("3"))),
    model(
        "cheaper-in-batches",
        SIMPLE,
        price_variants=[PriceVariant({"processing": "batch"}, usd(input="0.5", output="1"))],
    ),
    model("many-digits", usd(input="0.1234567890123", output="1")),
]

ACME = Provider(id="acme", name="Acme", api_pattern="", models=MODELS)
RESELLER = Provider(
    id="reseller",
    name="R",
    api_pattern="",
    models=[model("plain", SIMPLE)],
    fallback_model_providers=["acme"],
)
