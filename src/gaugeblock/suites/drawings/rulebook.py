"""The rulebook's evidence-free edition, made by rule: what agents are shown.

Rules stay, what they were distilled from goes: blocks between the two marks are taken out, and what
is left is refused where it still names a case or holds a size that stands on a case's sheet.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.records.base import Record
from gaugeblock.records.drawing_case import DrawingCaseFile
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.suites.case_files import read_toml

FOLDER = Path(__file__).parent
BOOK, SEAL = "rulebook.md", "rulebook.toml"

OPEN, CLOSE = "<!-- evidence -->", "<!-- /evidence -->"
"""Marks around what agents are not shown."""

_BLOCK = re.compile(rf"[ \t]*{OPEN}.*?{CLOSE}[ \t]*\n?", re.DOTALL)
_STANDARD = re.compile(r"\b(?:ISO|DIN|EN) [0-9]+(?:-[0-9]+)*(?:-[a-z])?")
_CLASS = re.compile(r"`[0-9][A-Za-z]`")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


class Seal(Record):
    """What is frozen of the rulebook, and the numbers that any rulebook may hold."""

    full_sha256: str
    edition_sha256: str
    numbers: dict[str, tuple[float, ...]]
    """What they are → numbers that may stand in the edition although a sheet prints them."""


@dataclass(frozen=True)
class Known:
    """What of one case must not stand in the edition."""

    file: DrawingCaseFile
    dimensions: tuple[SheetDimension, ...]


def edition_of(book: str) -> str:
    """Return a rulebook without its evidence.

    Raises:
        WrongUse: a mark has no partner.
    """
    left = _BLOCK.sub("", book)
    if "evidence -->" in left:
        line = next(line for line in left.splitlines() if "evidence -->" in line)
        raise WrongUse(f"{BOOK}: an evidence mark without its partner: {line.strip()}")
    return left


def leaks(edition: str, cases: Iterable[Known], numbers: Iterable[float]) -> list[str]:
    """Return one line for each name or size of a case that an edition still holds.

    Args:
        edition: the text that agents are shown.
        cases: all cases, whatever their group.
        numbers: those of standards, which may stand in it. Numbers of standards themselves
            (`ISO 68-1`) and tolerance classes (`6H`) are no sizes.
    """
    plain = _CLASS.sub(" ", _STANDARD.sub(" ", edition))
    said = {float(text) for text in _NUMBER.findall(plain)} - set(numbers)
    words = " ".join(re.findall(r"[\w]+", edition.lower()))
    found = []
    for case in cases:
        for name in dict.fromkeys((case.file.id, case.file.title, case.file.sheet.number)):
            spoken = " ".join(re.findall(r"[\w]+", name.lower()))
            if re.search(rf"\b{re.escape(spoken)}\b", words):
                found.append(f"it names {case.file.id}: {name}")
        values = {entry.value for entry in case.dimensions} | set(_deviations(case.dimensions))
        found += [f"it holds a size of {case.file.id}: {v:g}" for v in sorted(values & said)]
    return found


def _deviations(dimensions: Iterable[SheetDimension]) -> Iterator[float]:
    for entry in dimensions:
        for deviation in (entry.upper, entry.lower):
            if deviation:
                yield abs(deviation)


def seal() -> Seal:
    """Return what is frozen of the rulebook."""
    return Seal.build(read_toml(FOLDER / SEAL, Seal.model_fields), SEAL)


def shown_rulebook() -> bytes:
    """Return the edition that agents are shown.

    Raises:
        WrongUse: the rulebook is not the frozen one.
    """
    book = (FOLDER / BOOK).read_bytes()
    frozen = seal()
    edition = edition_of(book.decode()).encode()
    for content, sha256, what in (
        (book, frozen.full_sha256, "the rulebook"),
        (edition, frozen.edition_sha256, "its edition without evidence"),
    ):
        if hashlib.sha256(content).hexdigest() != sha256:
            raise WrongUse(f"{SEAL}: {what} is not the frozen one")
    return edition
