"""Prices of models, frozen into a dated snapshot. All money is a decimal in a string, USD."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, Field

from gaugeblock.records.base import Record

PRICES_HOLD_DAYS = 30
"""Days a snapshot may be used: providers change prices without notice."""


def _decimal(text: str) -> str:
    value = Decimal(text)
    if not value.is_finite() or value < 0:
        raise ValueError(f"{text}: not an amount of money")
    return text


Usd = Annotated[str, AfterValidator(_decimal)]
"""An amount of money, USD, as a decimal in a string."""


class PriceStep(Record):
    """A price that holds from a size of the whole request on."""

    above_tokens: int = Field(gt=0, description="Input tokens of the request, all buckets, above.")
    usd_per_mtok: Usd


class Rate(Record):
    """The price of one bucket; a step replaces it for all tokens of the request."""

    usd_per_mtok: Usd
    steps: tuple[PriceStep, ...] = Field(default=(), description="From small to large.")


class PriceCheck(Record):
    """That somebody compared a row with the provider's own page."""

    source: str = Field(description="Address of the page.")
    date: dt.date


class PriceRow(Record):
    """The prices of one model of one provider. A bucket without a rate cannot be priced."""

    provider: str
    model: str = Field(description="As a profile asks for it.")
    source_row: str = Field(description="What the source calls the row that matched.")
    input: Rate
    cache_read: Rate | None = None
    cache_write_5min: Rate | None = None
    cache_write_1h: Rate | None = None
    output: Rate
    checked: PriceCheck | None = Field(default=None, description="None: the row is unchecked.")


class PriceSnapshot(Record):
    """Prices as they were taken on a day."""

    taken: dt.date
    source: str = Field(description="Such as genai-prices, or the name of a file of one's own.")
    package_version: str | None = None
    data_sha256: str = Field(description="Over the source's data.")
    rows: tuple[PriceRow, ...] = ()

    @property
    def expires(self) -> dt.date:
        """The first day on which these prices are no longer used."""
        return self.taken + dt.timedelta(days=PRICES_HOLD_DAYS)

    def row(self, provider: str | None, model: str | None) -> PriceRow | None:
        """Return the row of a model, None where there is none."""
        found = (r for r in self.rows if (r.provider, r.model) == (provider, model))
        return next(found, None)
