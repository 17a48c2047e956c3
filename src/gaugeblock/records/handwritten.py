"""Files that people write by hand or hand over: read whole, within bounds, and told in one line."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gaugeblock.records.errors import WrongUse

LARGEST_TOML_BYTES = 200_000
"""Some 500 profiles, or 2,000 prices."""

MOST_DOTS = 50
"""Dots of one line of TOML. The reader takes the square of a dotted key's length: without this
bound, `a.a.a…` of 100 kB takes minutes; with it, the largest file takes 1 s at worst."""

LARGEST_WHOLE = 2**63 - 1
"""TOML's own range of whole numbers."""


def is_there(path: Path) -> bool:
    """Whether anything lies under a name: a folder or a broken link of it is not passed over."""
    return os.path.lexists(path)


def read_whole(path: Path, what: str, largest: int) -> bytes:
    """Read a file.

    Args:
        path: the file.
        what: it should be, for the message, such as ``price file``.
        largest: bytes that it may have.

    Raises:
        WrongUse: there is none, it is a folder or a special file, or it is larger.
    """
    if not path.exists():
        raise WrongUse(f"{path}: no such {what}")
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "no regular file"
        raise WrongUse(f"{path}: {kind}; give a {what}")
    with path.open("rb") as stream:
        data = stream.read(largest + 1)
    if len(data) > largest:
        raise WrongUse(f"{path}: larger than {largest:,} bytes; this is no {what}")
    return data


def read_text(data: bytes, name: str) -> str:
    """Return UTF-8 text without the mark that some editors put first.

    Raises:
        WrongUse: it is no UTF-8; the bytes are not told, since they may be secret.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongUse(f"{name}: not UTF-8 (byte {error.start}); save it as UTF-8") from None


def read_toml(
    path: Path, what: str, parse_float: Callable[[str], Any] = float
) -> tuple[dict[str, Any], bytes]:
    """Read a TOML file.

    Args:
        path: the file.
        what: it should be, for the message.
        parse_float: makes a value of a number as it was written; must not raise.

    Returns:
        Its content, and its bytes.

    Raises:
        WrongUse: as of `read_whole`, or it is no TOML, or nested or numbered beyond all use.
    """
    data = read_whole(path, what, LARGEST_TOML_BYTES)
    text = read_text(data, path.name)
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise WrongUse(f"{path.name}, line {number}: more than {MOST_DOTS} dots")
    try:
        content = tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        raise WrongUse(f"{path.name}: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise WrongUse(f"{path.name}: nested too deeply") from error
    except ValueError as error:  # Python reads no decimal number of more than 4,300 digits
        raise WrongUse(f"{path.name}: a whole number in it is too long") from error
    if not _in_range(content):
        raise WrongUse(f"{path.name}: a whole number in it is too long")
    return content, data


def _in_range(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_in_range(item) for item in value.values())
    if isinstance(value, list):
        return all(_in_range(item) for item in value)
    return not isinstance(value, int) or abs(value) <= LARGEST_WHOLE
