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
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.prices import PriceRow, PriceSource

BUCKET_KEYS = ("input", "cache_read", "cache_write_5min", "cache_write_1h", "output")
"""Prices of a row; all but input and output may be left out."""

ROW_KEYS = ("provider", "model", *BUCKET_KEYS, "until", "steps")
"""All that an entry may say; `until` is the first day on which its prices no longer hold."""

LARGEST_BYTES = 1_000_000
"""A file of prices is written by hand; what is larger is not one."""

LONGEST_EXPONENT = 20
"""Decimals of a larger one are no prices, and would take much space to write out."""


def own_rows(path: Path) -> tuple[PriceSource, tuple[PriceRow, ...]]:
    """Read price rows.

    Args:
        path: the TOML file.

    Returns:
        The file as a source, named without its folder, and its rows.

    Raises:
        WrongUse: there is no such file, or an entry is no price; the first fault is named.
    """
    if not path.is_file():
        raise WrongUse(f"{path}: no such file of prices")
    if path.stat().st_size > LARGEST_BYTES:
        raise WrongUse(f"{path}: larger than {LARGEST_BYTES:,} bytes; this is no file of prices")
    data = path.read_bytes()
    try:
        content = tomllib.loads(data.decode("utf-8"), parse_float=Decimal)
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise WrongUse(f"{path.name}: {' '.join(str(error).split())}") from error
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
    lonely = {key for step in steps for key in step} - {"above_tokens", *rest}
    if lonely:
        raise WrongUse(f"{where}: a step for {sorted(lonely)[0]}, which the price lacks")
    for key in BUCKET_KEYS:
        if key in rest:
            found = [
                {"above_tokens": step.get("above_tokens"), "usd_per_mtok": _text(step[key], where)}
                for step in steps
                if key in step
            ]
            rest[key] = {"usd_per_mtok": _text(rest[key], where), "steps": found}
    named = f"{rest.get('provider')}/{rest.get('model')}"
    return PriceRow.build({"source": source, "source_row": named, **rest}, where)


def _text(price: Any, where: str) -> str:
    """Return a price as it was written, in plain digits."""
    if isinstance(price, str):
        return price
    if type(price) is int:
        return str(price)
    if isinstance(price, Decimal) and price.is_finite() and price.adjusted() > -LONGEST_EXPONENT:
        return f"{price:f}" if price.adjusted() < LONGEST_EXPONENT else str(price)
    raise WrongUse(f"{where}: {price} is no price; write US dollars a million tokens, such as 0.25")
