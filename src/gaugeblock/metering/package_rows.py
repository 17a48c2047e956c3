"""Price rows from the package genai-prices, as it is installed: nothing is fetched.

A record holds five rates with steps by the size of the request. What the package tells beyond that
and a request of ours could be billed by (a fee by the request, another price for reasoning, prices
that change with the time of day) makes the row unusable, and the reason says so.
"""

from __future__ import annotations

import datetime as dt
import difflib
import hashlib
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.prices import PriceRow, PriceSource

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Provider

PACKAGE = "genai-prices"

KEYS = {
    "input_mtok": "input",
    "cache_read_mtok": "cache_read",
    "cache_write_mtok": "cache_write_5min",
    "cache_write_5m_mtok": "cache_write_5min",
    "cache_write_1h_mtok": "cache_write_1h",
    "output_mtok": "output",
}
"""The package's prices → fields of a row; a later one wins. Its price for writes of any lifetime is
that of the default one (5 min; OpenAI's 30 min) and never stands in for the longer lifetime, which
costs more: a request that used it then has no cost."""

NEVER_ASKED = re.compile("search|audio|video|document|code_execution")
"""Prices of what no request of ours asks for."""

NEAR = 0.4
"""Likeness (difflib) from which an id is named as one that may have been meant."""


@cache
def package_source() -> PriceSource:
    """Return the package's name and version, and the SHA-256 of its data file."""
    from genai_prices import data

    digest = hashlib.sha256(Path(data.__file__).read_bytes()).hexdigest()
    return PriceSource(name=PACKAGE, version=version(PACKAGE), sha256=digest)


def package_row(provider: str, model: str, day: dt.date) -> tuple[PriceRow | None, str]:
    """Return a model's row as of a day, or why there is none.

    Args:
        provider: its id in the package, exactly.
        model: as it is asked for; the package knows further spellings of many models.
        day: the prices' day.
    """
    home = next((item for item in _providers() if item.id == provider), None)
    if home is None:
        ids = [item.id for item in _providers()]
        return None, f"{PACKAGE} has no provider {provider}{_near(provider, ids)}"
    info = home.find_model(model)
    if info is None:
        ids = [item.id for item in home.models]
        return None, f"{PACKAGE} has no {model} of {provider}{_near(model, ids)}"
    return _row(home, info, model, day)


def package_providers(model: str) -> list[str]:
    """Return the ids of all providers that have a model."""
    return [item.id for item in _providers() if item.find_model(model) is not None]


def nearest(model: str) -> str:
    """Return a clause with the ids, of any provider, that come closest to a model's."""
    ids = {info.id: item.id for item in _providers() for info in item.models}
    found = difflib.get_close_matches(model, ids, n=3, cutoff=NEAR)
    named = ", ".join(f"{name} (of {ids[name]})" for name in found)
    return f"; closest: {named}" if named else ""


def _providers() -> list[Provider]:
    from genai_prices import data

    return data.providers


def _near(word: str, ids: Iterable[str]) -> str:
    found = difflib.get_close_matches(word, list(ids), n=3, cutoff=NEAR)
    return f"; closest: {', '.join(found)}" if found else ""


def _row(home: Provider, info: ModelInfo, model: str, day: dt.date) -> tuple[PriceRow | None, str]:
    named = f"{home.id}/{info.id}"
    told = _of_day(info, day)
    if len(told) > 1:
        return None, (
            f"{named}: its price changes with the time of day, which a snapshot cannot hold; give "
            "a row of your own (--own)"
        )
    rates: dict[str, object] = {}
    for key in KEYS:
        if key in told[0]:
            rates[KEYS[key]] = told[0][key]
    strange = sorted(key for key in told[0] if key not in KEYS and not NEVER_ASKED.search(key))
    if strange:
        return None, f"{named} is also billed by {', '.join(strange)}, which is not modelled"
    missing = [name for name in ("input", "output") if name not in rates]
    if missing:
        return None, f"{named} has no price for {' and '.join(missing)} tokens"
    row = {
        "provider": home.id,
        "model": model,
        "source": PACKAGE,
        "source_row": named,
        "until": _until(info, day),
        **rates,
    }
    try:
        return PriceRow.build(row, named), ""
    except WrongUse as error:
        return None, str(error)


def _of_day(info: ModelInfo, day: dt.date) -> list[dict[str, object]]:
    """Return the prices of a day: one, or several where they change with the time of day."""
    from genai_prices.types import ModelPrice, TimeOfDateConstraint

    times = {dt.time(tzinfo=dt.UTC)}
    if not isinstance(info.prices, ModelPrice):
        for item in info.prices:
            if isinstance(item.constraint, TimeOfDateConstraint):
                times |= {item.constraint.start_time, item.constraint.end_time}
    found: list[dict[str, object]] = []
    for time in sorted(times):
        prices = _rates(info.get_prices(dt.datetime.combine(day, time)))
        if prices not in found:
            found.append(prices)
    return found


def _until(info: ModelInfo, day: dt.date) -> dt.date | None:
    """Return the first later day on which the package knows of other prices."""
    from genai_prices.types import ModelPrice, StartDateConstraint

    if isinstance(info.prices, ModelPrice):
        return None
    starts = sorted(
        item.constraint.start_date
        for item in info.prices
        if isinstance(item.constraint, StartDateConstraint) and item.constraint.start_date > day
    )
    today = _of_day(info, day)
    return next((start for start in starts if _of_day(info, start) != today), None)


def _rates(prices: ModelPrice) -> dict[str, object]:
    """Return the package's prices by its own keys, as rates or amounts of a record."""
    from genai_prices.types import TieredPrices

    found: dict[str, object] = {}
    for key, price in vars(prices).items():
        if isinstance(price, TieredPrices):
            steps = [
                {"above_tokens": tier.start, "usd_per_mtok": _text(tier.price)}
                for tier in price.tiers
            ]
            found[key] = {"usd_per_mtok": _text(price.base), "steps": steps}
        elif isinstance(price, Decimal):
            found[key] = {"usd_per_mtok": _text(price)}
    return found


def _text(amount: Decimal) -> str:
    return f"{amount:f}"
