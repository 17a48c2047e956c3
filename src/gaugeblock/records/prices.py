"""Prices of models, frozen into a dated snapshot. All money is a decimal in a string, USD."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, Strict, model_validator

from gaugeblock.records.base import Record

PRICES_HOLD_DAYS = 30
"""Days a snapshot may be used: providers change prices without notice."""

AMOUNT = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,24})?")
"""How an amount is written: no sign, no exponent."""

PRICE = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,12})?")
"""How a price is written: so few digits that its products with token counts, and their sums, stay
exact in the 28 digits that decimals have."""


FIRST_DAY, LAST_DAY = dt.date(2020, 1, 1), dt.date(2999, 12, 31)
"""Days that a record may name: none before there were such models, and none so far off that a month
more leaves the calendar."""

LARGEST_REQUEST = 10**12
"""Tokens; a step above more is a slip."""


def _amount(text: str) -> str:
    if not AMOUNT.fullmatch(text):
        raise ValueError("write an amount of US dollars in digits, such as 0.25")
    return text


def _price(text: str) -> str:
    if not PRICE.fullmatch(text):
        raise ValueError("write US dollars a million tokens in digits, such as 0.25")
    return text


def _day(day: dt.date) -> dt.date:
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"write a day from {FIRST_DAY} to {LAST_DAY}")
    return day


Usd = Annotated[str, AfterValidator(_amount)]
"""An amount of money, USD, as a decimal in a string."""

UsdPerMtok = Annotated[str, AfterValidator(_price)]
"""A price, USD a million tokens, as a decimal in a string."""


Day = Annotated[dt.date, Strict(), AfterValidator(_day)]
"""A date, never a time or a number."""


class PriceStep(Record):
    """A price that holds from a size of the whole request on."""

    above_tokens: int = Field(
        gt=0,
        le=LARGEST_REQUEST,
        strict=True,
        description="Input tokens of the request, all buckets, above.",
    )
    usd_per_mtok: UsdPerMtok


class Rate(Record):
    """The price of one bucket; a step replaces it for all tokens of the request."""

    usd_per_mtok: UsdPerMtok
    steps: tuple[PriceStep, ...] = Field(default=(), description="From small to large.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        sizes = [step.above_tokens for step in self.steps]
        if sizes != sorted(set(sizes)):
            raise ValueError("steps go from small to large, each size once")
        return self


class PriceCheck(Record):
    """That somebody compared a row with the provider's own page."""

    source: str = Field(
        pattern=r"^https?://[!-~]+$", max_length=2000, description="Address of the page."
    )
    date: Day


class PriceSource(Record):
    """Where rows were taken from."""

    name: str = Field(description="genai-prices, or the name of a file of one's own.")
    version: str | None = Field(default=None, description="Of a package.")
    sha256: str = Field(description="Over the source's data, as it lies on disk.")


class PriceRow(Record):
    """The prices of one model of one provider. A bucket without a rate cannot be priced."""

    provider: str
    model: str = Field(description="As a profile asks for it.")
    source: str = Field(description="Name of one of the snapshot's sources.")
    source_row: str = Field(description="What the source calls the row that matched.")
    input: Rate
    cache_read: Rate | None = None
    cache_write_5min: Rate | None = Field(
        default=None, description="Of the provider's default lifetime: 5 min, OpenAI 30 min."
    )
    cache_write_1h: Rate | None = Field(
        default=None, description="Of the longer lifetime: 1 h, OpenAI 12 h."
    )
    output: Rate
    until: Day | None = Field(
        default=None, description="First day of other prices that the source already knows."
    )
    checked: PriceCheck | None = Field(default=None, description="None: the row is unchecked.")


class PriceSnapshot(Record):
    """Prices as they were taken on a day."""

    format: Literal["gaugeblock-prices/1"] = "gaugeblock-prices/1"
    taken: Day
    sources: tuple[PriceSource, ...]
    rows: tuple[PriceRow, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        names = Counter((row.provider, row.model) for row in self.rows)
        for name, count in names.items():
            if count > 1:
                raise ValueError(f"two rows of {name[0]} {name[1]}")
        strangers = {row.source for row in self.rows} - {item.name for item in self.sources}
        if strangers:
            raise ValueError(f"rows of unknown sources {sorted(strangers)}")
        return self

    @model_validator(mode="after")
    def _checked_while_used(self) -> Self:
        oldest = self.taken - dt.timedelta(days=PRICES_HOLD_DAYS)
        for row in self.rows:
            if row.checked and not oldest <= row.checked.date < self.expires:
                raise ValueError(
                    f"{row.provider} {row.model}: a check of {row.checked.date} proves nothing of "
                    f"prices of {self.taken}"
                )
        return self

    @property
    def expires(self) -> dt.date:
        """The first day on which these prices are no longer used."""
        return self.taken + dt.timedelta(days=PRICES_HOLD_DAYS)

    def row(self, provider: str | None, model: str | None) -> PriceRow | None:
        """Return the row of a model, None where there is none."""
        found = (r for r in self.rows if (r.provider, r.model) == (provider, model))
        return next(found, None)
