"""What of a case's truth is sought, and in which spellings."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from io import BytesIO
from typing import Any

from gaugeblock.records.features import FeatureSet
from gaugeblock.records.isolation import HiddenNeedle, NeedleKind
from gaugeblock.records.measurement import Measurement
from gaugeblock.sandbox.matching import DIGITS, SHORTEST_BYTES, figures
from gaugeblock.sandbox.packed import members

WINDOW_BYTES = 64
"""Length of a fragment: longer than any two files agree in by chance once it holds figures."""

RECORD_WINDOW_BYTES = 192
"""The same of a record, which a writer may indent deeply."""

STEP_WINDOWS = 12
"""Fragments of the reference, evenly spread: a twelfth of it, copied whole, is found."""

FEATURE_WINDOWS = 40
"""Features of which a fragment is sought; parts have some dozens."""

PROGRAM_LINES = 20
"""Longest lines of the reference's program."""

SHORTEST_LINE = 32
"""Characters of such a line; shorter ones stand in many programs."""

TELLING_DIGITS = 8
"""Digits that a fragment of a record must hold: without, it is the record's form and no content."""

FEW_DIGITS = 5
"""A figure that so many digits write exactly, such as 12000, stands anywhere."""

SAME = 1e-9
"""Relative difference below which two numbers are the same figure."""

NEVER_DROPPED: frozenset[NeedleKind] = frozenset({"canary", "sha256", "name"})
"""Of these no sheet may hold one; if it does, that is the leak."""


@dataclass(frozen=True)
class Truth:
    """What must not be seen of one case.

    Attributes:
        canary: stands in every file of the truth.
        reference: bytes of the reference STEP.
        measurement: the ruler's of it.
        features: the ruler's of it; None: it was not asked.
        programs: texts of the reference's program.
        names: file names of the truth that a leak would show, small letters.
        shown: all that the agent is given to read, by name.
    """

    canary: str
    reference: bytes
    measurement: Measurement
    features: FeatureSet | None = None
    programs: tuple[str, ...] = ()
    names: tuple[str, ...] = ("reference.step",)
    shown: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Sought:
    """The needles of one case.

    Attributes:
        content: kind and bytes.
        names: sought in paths, and in content of the case's own files.
        numbers: first six digits of figures.
        dropped: kind → needles left out since they are shown.
        canaries: the spellings of the canary alone, for what an agent said.
    """

    content: tuple[tuple[NeedleKind, bytes], ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    dropped: dict[NeedleKind, int]
    canaries: tuple[bytes, ...]

    def hidden(self, salt: str) -> tuple[HiddenNeedle, ...]:
        """Return all of them as the proof tells them."""
        kinds: list[tuple[NeedleKind, bytes]] = list(self.content)
        kinds += [("name", name.encode()) for name in self.names]
        kinds += [("figure", number.encode()) for number in self.numbers]
        return tuple(hide(kind, needle, salt) for kind, needle in kinds)


def hide(kind: NeedleKind, needle: bytes, salt: str) -> HiddenNeedle:
    """Return a needle that tells nobody what it is."""
    salted = b"\n".join((salt.encode(), kind.encode(), needle))
    return HiddenNeedle(kind=kind, sha256=hashlib.sha256(salted).hexdigest())


def sought(truth: Truth) -> Sought:
    """Return the needles of a truth, less those that stand in what is shown."""
    shown = list(_unpacked(truth.shown))
    canaries = tuple(_spellings(truth.canary))
    wanted: list[tuple[NeedleKind, bytes]] = [("canary", text) for text in canaries]
    wanted += [("sha256", text) for text in _hashes(truth.reference)]
    wanted += [("step", text) for text in _windows(truth.reference)]
    wanted += [("feature", text) for text in _of_features(truth.features)]
    wanted += [("program", text) for text in _lines(truth.programs)]
    kept: dict[bytes, NeedleKind] = {}
    dropped: dict[NeedleKind, int] = {}
    for kind, needle in wanted:
        if kind not in NEVER_DROPPED and any(needle in data for data in shown):
            dropped[kind] = dropped.get(kind, 0) + 1
        elif len(needle) >= SHORTEST_BYTES:
            kept.setdefault(needle, kind)
    standing = {digits for data in shown for digits in figures(data)}
    numbers = set(_numbers(truth.measurement))
    left = sorted(number for number in numbers if number.encode() not in standing)
    if len(left) < len(numbers):
        dropped["figure"] = len(numbers) - len(left)
    return Sought(
        content=tuple((kind, needle) for needle, kind in kept.items()),
        names=truth.names,
        numbers=tuple(left),
        dropped=dropped,
        canaries=canaries,
    )


def _unpacked(shown: Mapping[str, bytes]) -> Iterator[bytes]:
    for data in shown.values():
        yield data
        yield from (inner for _, inner in members(BytesIO(data), data) if inner is not None)


def _spellings(canary: str) -> Iterator[bytes]:
    """Yield a canary as it is, in capitals, in wide characters, and as hex and base64 have it."""
    plain = canary.encode()
    yield plain
    yield canary.upper().encode()
    unique = re.search(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", canary)
    if unique:
        yield unique[0].encode()
        yield unique[0].replace("-", "").encode()
    yield canary.encode("utf-16-le")
    yield canary.encode("utf-16-be")
    yield plain.hex().encode()
    for before in range(3):  # what stands before it shifts it within groups of three bytes
        whole = base64.b64encode(b"\0" * before + plain)
        text = whole[(before * 4 + 2) // 3 : len(whole) - 4]
        middle = len(text) // 2  # usual tools break base64 into lines of 76: one half stays whole
        yield from (text, text[:middle], text[middle:])


def _hashes(data: bytes) -> Iterator[bytes]:
    whole = hashlib.sha256(data)
    yield whole.hexdigest().encode()
    yield whole.hexdigest().upper().encode()
    yield whole.digest()
    yield base64.urlsafe_b64encode(whole.digest()).rstrip(b"=")
    yield base64.b64encode(whole.digest()).rstrip(b"=")


def _windows(step: bytes) -> Iterator[bytes]:
    """Yield fragments of the entities of a STEP file, evenly spread."""
    begin = max(step.find(b"DATA;"), 0)
    room = len(step) - begin
    for number in range(STEP_WINDOWS):
        at = begin + room * number // STEP_WINDOWS
        best = _telling(step[at : at + 16 * WINDOW_BYTES])
        if best is not None:
            yield best


def _telling(data: bytes, length: int = WINDOW_BYTES) -> bytes | None:
    """Return the window that holds the most digits, None where none holds enough."""
    starts = range(0, max(len(data) - length, 0) + 1, length // 8)
    windows = [data[at : at + length] for at in starts]
    best = max(windows, key=_digits)
    return best if _digits(best) >= TELLING_DIGITS else None


def _digits(data: bytes) -> int:
    return sum(48 <= byte <= 57 for byte in data)


def _of_features(found: FeatureSet | None) -> Iterator[bytes]:
    """Yield a fragment of each feature's record, as the usual writers of JSON space it."""
    for feature in found.features[:FEATURE_WINDOWS] if found else ():
        value: Any = feature.model_dump(mode="json")
        for text in _written(value):
            best = _telling(text.encode(), RECORD_WINDOW_BYTES)
            if best is not None:
                yield best


def _written(value: Any) -> Iterator[str]:
    for keys in (True, False):
        yield json.dumps(value, sort_keys=keys, separators=(",", ":"), ensure_ascii=False)
        yield json.dumps(value, sort_keys=keys, ensure_ascii=False)
        for indent in (2, 4):  # alone, in a list, and in the list of a record
            for whole in (value, [value], {"features": [value]}):
                yield json.dumps(whole, sort_keys=keys, indent=indent, ensure_ascii=False)


def _lines(programs: Iterable[str]) -> Iterator[bytes]:
    lines = {line.strip() for text in programs for line in text.splitlines()}
    long = sorted((line for line in lines if len(line) >= SHORTEST_LINE), key=len, reverse=True)
    yield from (line.encode() for line in long[:PROGRAM_LINES])


def _numbers(found: Measurement) -> Iterator[str]:
    """Yield the first six digits of volume, area and centroid: of the whole and of each solid."""
    said: list[float | None] = []
    if found.totals is not None:
        said.append(found.totals.volume)
    for solid in found.solids:
        said += [solid.volume.value, solid.area, *(solid.centroid or ())]
    for value in said:
        if value is not None and abs(value) > SAME:
            yield from _first_digits(abs(value))


def _first_digits(value: float) -> Iterator[str]:
    """Yield six digits cut off and rounded; a longer spelling begins with one of them."""
    short = float(f"{value:.{FEW_DIGITS - 1}e}")
    if abs(short - value) <= SAME * value:
        return
    digits = "".join(map(str, Decimal(value).as_tuple().digits))
    yield digits[:DIGITS].ljust(DIGITS, "0")
    yield f"{value:.{DIGITS - 1}e}".partition("e")[0].replace(".", "")
