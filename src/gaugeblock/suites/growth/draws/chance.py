"""Whole numbers from a seed, the same on every machine and in every language.

The word of a question is the first 8 bytes, read as a big-endian number, of

    HMAC-SHA256(key = the seed's 32 bytes, message = "QUESTION/TRY" in ASCII)

with TRY = 0, 1, 2, … A word at or above the largest multiple of n that is no more than 2⁶⁴ is
thrown away and the next try is taken, so that each of n answers is equally likely; the answer is
the word modulo n. Questions name what they are about, so that no answer depends on another.
"""

from __future__ import annotations

import hmac
from itertools import count

WORDS = 1 << 64


def below(n: int, seed: bytes, question: str) -> int:
    """Return a whole number from 0 to n − 1, each equally likely.

    Args:
        n: how many answers there are, at least 1.
        seed: 32 bytes.
        question: what is asked, such as ``T1/3/0/cols``; another question is another answer.
    """
    limit = WORDS - WORDS % n
    for attempt in count():
        word = hmac.digest(seed, f"{question}/{attempt}".encode("ascii"), "sha256")[:8]
        value = int.from_bytes(word, "big")
        if value < limit:
            return value % n
    raise AssertionError("unreachable")
