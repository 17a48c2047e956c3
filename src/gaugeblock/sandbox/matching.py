"""Finding many needles in much data, with the standard library alone."""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterator, Sequence

STRIDE_BYTES = 16
"""Each so many bytes of the data one word is looked up."""

WORD_BYTES = 8

SHORTEST_BYTES = STRIDE_BYTES + WORD_BYTES - 1
"""A needle of this length or more holds a whole word that is looked up, wherever it lies."""

DIGITS = 6
"""Digits by which a figure is known, as the protocol has it."""

FIGURE = re.compile(rb"(?:\d{1,3}(?:[,'_ ]\d{3})+|\d+)(?:[.,]\d+)?")
"""A number as people and programs write one; its exponent and unit do not matter."""


class Needles:
    """What is sought: in paths, in any content, and as figures."""

    def __init__(
        self, wanted: Sequence[bytes], names: Sequence[str], numbers: Sequence[str]
    ) -> None:
        """Needles are told by their place in ``wanted``, as text; names and figures by themselves.

        Args:
            wanted: bytes, each at least ``SHORTEST_BYTES`` long.
            names: sought in paths and as words of content; small letters.
            numbers: first six digits of figures.

        Raises:
            ValueError: a needle is too short.
        """
        short = [needle for needle in wanted if len(needle) < SHORTEST_BYTES]
        if short:
            raise ValueError(f"a needle of {len(short[0])} bytes; at least {SHORTEST_BYTES}")
        self._wanted = list(wanted)
        self._names = {name: name.lower().encode() for name in names}
        self._numbers = {number.encode() for number in numbers}
        self._holders: dict[int, set[int]] = {}
        for place, needle in enumerate(wanted):
            for word in _words(needle):
                self._holders.setdefault(word, set()).add(place)
        self._words = frozenset(self._holders)
        self.longest = max([256, *map(len, wanted)])

    def in_path(self, path: str) -> set[str]:
        """Return the names and needles that a path holds."""
        lowered = path.lower()
        found = {f"name {name}" for name in self._names if name in lowered}
        return found | self._bytes(path.encode(errors="surrogateescape"))

    def in_content(self, data: bytes, *, loose: bool) -> set[str]:
        """Return the needles in some bytes.

        Args:
            data: the bytes.
            loose: whether names and figures are sought as well, which chance may find in much data.
        """
        found = self._bytes(data)
        if loose:
            lowered = data.lower()
            found |= {f"name {name}" for name, text in self._names.items() if text in lowered}
            if self._numbers:
                met = self._numbers.intersection(figures(data))
                found |= {f"number {number.decode()}" for number in met}
        return found

    def _bytes(self, data: bytes) -> set[str]:
        words = array("Q")
        words.frombytes(data[: len(data) // WORD_BYTES * WORD_BYTES])
        met = self._words.intersection(words[:: STRIDE_BYTES // WORD_BYTES])
        held = {place for word in met for place in self._holders[word]}
        return {f"bytes {place}" for place in held if self._wanted[place] in data}


def _words(needle: bytes) -> Iterator[int]:
    """Yield a word for each way a needle may lie to the stride: the one met least elsewhere."""
    for begin in range(STRIDE_BYTES):
        places = range(begin, len(needle) - WORD_BYTES + 1, STRIDE_BYTES)
        words = [needle[at : at + WORD_BYTES] for at in places]
        if words:
            yield int.from_bytes(max(words, key=_rarity), sys.byteorder)


def _rarity(word: bytes) -> tuple[int, int]:
    """Figures are rarer than words, and both than spaces."""
    return len(set(word)), sum(48 <= byte <= 57 for byte in word)


def figures(data: bytes) -> Iterator[bytes]:
    """Yield the first six digits of each number that is written with six or more."""
    for match in FIGURE.finditer(data):
        if match.end() - match.start() < DIGITS:
            continue
        digits = re.sub(rb"\D", b"", match.group()).lstrip(b"0")
        if len(digits) >= DIGITS:
            yield digits[:DIGITS]
