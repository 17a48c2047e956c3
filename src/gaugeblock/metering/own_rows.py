"""Price rows of one's own, from a TOML file. They win over those of the package.

[[price]]
provider = "deepseek"
model = "deepseek-v4-pro"
input = 1.32            # USD a million tokens
cache_read = 0.044
output = 3.96

[[price.steps]]         # for all tokens of a request with more input than that
above_tokens = 200000
input = 2.64
"""

from __future__ import annotations

import hashlib
from decimal import Decimal
from pathlib import Path
from typing import Any

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.handwritten import read_toml
from gaugeblock.records.prices import AMOUNT, PriceRow, PriceSource

BUCKET_KEYS = ("input", "cache_read", "cache_write_5min", "cache_write_1h", "output")
"""Prices of a row; all but input and output may be left out."""

ROW_KEYS = ("provider", "model", *BUCKET_KEYS, "until", "steps")
"""All that an entry may say; `until` is the first day on which its prices no longer hold."""


def own_rows(path: Path) -> tuple[PriceSource, tuple[PriceRow, ...]]:
    """Read price rows.

    Args:
        path: the TOML file.

    Returns:
        The file as a source, named without its folder, and its rows.

    Raises:
        WrongUse: there is no such file, or an entry is no price; the first fault is named.
    """
    if not path.name.isprintable():  # lone surrogates too: bytes of a name that are no UTF-8
        raise WrongUse(f"{path}: prices are recorded under this name; give it a printable one")
    content, data = read_toml(path, "file of prices", _as_written)
    strangers = sorted(set(content) - {"price"})
    entries = content.get("price", [])
    if strangers or not isinstance(entries, list):
        raise WrongUse(f"{path.name}: write each price as [[price]], and nothing else")
    rows = tuple(
        _row(entry, path.name, f"{path.name}, price {number}")
        for number, entry in enumerate(entries, 1)
    )
    source = PriceSource(name=path.name, sha256=hashlib.sha256(data).hexdigest())
    return source, rows


def _row(entry: Any, source: str, where: str) -> PriceRow:
    if not isinstance(entry, dict):
        raise WrongUse(f"{where}: write each price as [[price]]")
    unheard = sorted(set(entry) - set(ROW_KEYS))
    if unheard:
        raise WrongUse(f"{where}: unknown key `{unheard[0]}`; there are {', '.join(ROW_KEYS)}")
    rest = dict(entry)
    steps = rest.pop("steps", [])
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise WrongUse(f"{where}: write each step as [[price.steps]]")
    strangers = sorted({key for step in steps for key in step} - {"above_tokens", *BUCKET_KEYS})
    if strangers:
        raise WrongUse(f"{where}: a step has no `{strangers[0]}`")
    for step in steps:
        if not set(step) & set(BUCKET_KEYS):
            raise WrongUse(f"{where}: a step has no price")
    lonely = {key for step in steps for key in step} - {"above_tokens", *rest}
    if lonely:
        raise WrongUse(f"{where}: a step for {sorted(lonely)[0]}, which the price lacks")
    for key in BUCKET_KEYS:
        if key in rest:
            found = [
                {
                    "above_tokens": step.get("above_tokens"),
                    "usd_per_mtok": _text(step[key], key, where),
                }
                for step in steps
                if key in step
            ]
            rest[key] = {"usd_per_mtok": _text(rest[key], key, where), "steps": found}
    named = f"{rest.get('provider')}/{rest.get('model')}"
    return PriceRow.build({"source": source, "source_row": named, **rest}, where)


def _as_written(number: str) -> Decimal:
    """Return a number of the file; NaN where it is no amount: with a sign, an exponent, a gap."""
    return Decimal(number) if AMOUNT.fullmatch(number) else Decimal("NaN")


def _text(price: Any, key: str, where: str) -> str:
    """Return a price as it was written."""
    told = price if isinstance(price, str) else ""
    if type(price) is int:
        told = str(price)
    elif isinstance(price, Decimal) and price.is_finite():
        told = f"{price:f}"
    if not AMOUNT.fullmatch(told):
        raise WrongUse(
            f"{where}: {key} is no price; write US dollars a million tokens in digits, such as 0.25"
        )
    return told
