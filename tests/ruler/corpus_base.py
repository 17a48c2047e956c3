"""What the damages share: their register and a few cuts into STEP text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Damage = Callable[[bytes, random.Random], bytes]
KINDS: dict[str, Damage] = {}


def kind(damage: Damage) -> Damage:
    KINDS[damage.__name__.replace("_", "-")] = damage
    return damage


def entities(data: bytes) -> list[re.Match[bytes]]:
    return list(re.finditer(rb"#(\d+)\s*=\s*([A-Z_0-9]*)\s*\(.*?\)\s*;", data, re.DOTALL))


def numbers(data: bytes) -> list[re.Match[bytes]]:
    start = data.index(b"DATA;")
    return [
        m
        for m in re.finditer(rb"(?<=[(,])-?\d+\.\d*(?:E[+-]?\d+)?(?=[,)])", data)
        if m.start() > start
    ]


def put(data: bytes, match: re.Match[bytes], new: bytes) -> bytes:
    return data[: match.start()] + new + data[match.end() :]


def before_end(data: bytes, text: bytes) -> bytes:
    """`data` with more text at the end of its data section."""
    end = data.rindex(b"ENDSEC;")
    return data[:end] + text + data[end:]


def replace_numbers(data: bytes, rng: random.Random, values: list[bytes], count: int) -> bytes:
    found = numbers(data)
    for match in sorted(rng.sample(found, min(count, len(found))), key=lambda m: -m.start()):
        data = put(data, match, rng.choice(values))
    return data
