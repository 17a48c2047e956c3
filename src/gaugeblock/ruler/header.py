"""Looks at a STEP file's bytes before the kernel does: is it one, is it whole, what does it say?

Everything here works on the text alone, so a file that would crash the kernel's parser can still
be refused in words.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gaugeblock.records.measurement import FileFacts
from gaugeblock.ruler.text import clean_text, repair_mojibake

HEAD_BYTES = 1 << 20
"""Bytes searched for the header section: 1 MiB; real headers are below 10 kB."""

_CHUNK = 1 << 24

MAX_CONTEXTS = 64
"""Unit contexts followed. Assemblies repeat the same few units."""

MAX_UNIT = 2000
"""Bytes of a unit's entity on either side of its type's name; real ones are below 200."""

_SIGNATURE = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s|/\*.*?\*/)*ISO-10303-21\s*;", re.DOTALL)
_END = b"END-ISO-10303-21"
_STRING = re.compile(r"'(?:[^']|'')*'")
_UNIT_CONTEXT = re.compile(rb"\s*\(\s*\(([^)]*)\)")
_CONTEXT_NAME = b"GLOBAL_UNIT_ASSIGNED_CONTEXT"
_SOLID_ENTITY = re.compile(
    rb"#\d+\s*=\s*(?:MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS|FACETED_BREP)\s*\("
    rb"|#\d+\s*=\s*\([^;']{0,400}?\b(?:MANIFOLD_SOLID_BREP|FACETED_BREP)\s*\("
)
_NUMBER = re.compile(rb"#(\d+)")
_OPENS = re.compile(rb"\s*\(")
_INSTANCE = re.compile(rb"\s*#(\d+)\s*=([^;]*);")
_CONVERSION = re.compile(rb"CONVERSION_BASED_UNIT\s*\(\s*'([^']*)'")
_SI = re.compile(rb"SI_UNIT\s*\(\s*(?:\.(\w+)\.|\$)\s*,\s*\.METRE\.")
_OCCURRENCE_NAME = b"NEXT_ASSEMBLY_USAGE_OCCURRENCE"

_SOLID_NAME = b"BREP"
"""Common to the names of solid entities."""

_BEFORE_NAME, _AFTER_NAME = 500, 32
"""Bytes around a name that hold its entity's beginning and its parenthesis."""

_OTHERS = (
    (b"PK\x03\x04", "a ZIP archive (or 3MF, FCStd, a compressed STEP file)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"glTF", "a glTF model"),
    (b"solid ", "an STL mesh"),
    (b"DBRep_DrawableShape", "an Open CASCADE BREP file"),
    (b"CASCADE Topology", "an Open CASCADE BREP file"),
    (b"<?xml", "XML"),
    (b"<!DOCTYPE", "a web page"),
    (b"<html", "a web page"),
    (b"{", "JSON"),
    (b"import ", "a program's text"),
    (b"from ", "a program's text"),
)
"""How the files that are taken for STEP begin."""


class Refused(Exception):
    """A file that cannot be measured; `code` is stable and `reason` is one line."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@dataclass(frozen=True)
class Header:
    """What the text of a STEP file says of itself."""

    schema: str | None
    """First name of FILE_SCHEMA."""
    originating_system: str | None
    """FILE_NAME's sixth value."""
    length_units: tuple[str, ...]
    """Length units of the representation contexts, upper case, as the file names them."""
    declared_solids: int
    """Solid entities in the data section, by name; the kernel should deliver as many."""
    declared_occurrences: int = 0
    """Places of parts in assemblies, by entity name; the kernel should deliver as many."""

    def told_of(self, file: FileFacts, length_units: Sequence[str]) -> FileFacts:
        """Return a file's facts with what its header tells and the names of its length units."""
        return file.model_copy(
            update={
                "file_schema": self.schema,
                "originating_system": self.originating_system,
                "length_units": list(length_units),
            }
        )


def inspect(fd: int) -> Header:
    """Read the header of the open file `fd` and refuse what is not a whole STEP file.

    Raises:
        Refused: `empty`, `not-step` or `truncated`.
    """
    data = _bytes_of(fd)
    if not data:
        raise Refused("empty", "the file holds no bytes")
    head = data[:HEAD_BYTES]
    if not head.strip():
        raise Refused("empty", "the file holds only white space")
    if not _SIGNATURE.match(head):
        raise Refused("not-step", f"not a STEP file: {_what_else(head)}")
    if data.rfind(_END) < 0:
        raise Refused("truncated", "the file has no END-ISO-10303-21; it was cut short")
    section = _header_section(head)
    return Header(
        schema=_nth_string(section, "FILE_SCHEMA", 0),
        originating_system=_file_name_field(section, 5),
        length_units=_length_units(data),
        declared_solids=_declared_solids(data),
        declared_occurrences=sum(1 for _ in _after(data, _OCCURRENCE_NAME, _OPENS)),
    )


def _bytes_of(fd: int) -> bytes:
    """Return the whole file: plain searches in bytes are several times as fast as in a map."""
    parts, offset = [], 0
    while part := os.pread(fd, _CHUNK, offset):
        parts.append(part)
        offset += len(part)
    return b"".join(parts)


def _declared_solids(data: bytes) -> int:
    """Count the solid entities by name.

    A plain search for the end of their names first: matching the whole pattern from every entity
    on would take a tenth of the time that the kernel needs to read the file.
    """
    count = 0
    for at in _places(data, _SOLID_NAME):
        low = max(0, at - _BEFORE_NAME)
        window = data[low : at + _AFTER_NAME]
        count += any(found.end() > at - low for found in _SOLID_ENTITY.finditer(window))
    return count


def _places(data: bytes, word: bytes) -> Iterator[int]:
    """Yield where `word` stands. Plain searches are ten times as fast as those by pattern."""
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + 1)


def _after(data: bytes, word: bytes, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Yield what `pattern` matches directly after each `word`."""
    for at in _places(data, word):
        found = pattern.match(data, at + len(word))
        if found is not None:
            yield found


def _what_else(head: bytes) -> str:
    """Say in words what the file seems to be instead."""
    start = head.lstrip()[:64]
    for signature, kind in _OTHERS:
        if start.startswith(signature):
            return f"it looks like {kind}"
    return "it does not begin with ISO-10303-21;"


def _length_units(data: bytes) -> tuple[str, ...]:
    """Resolve the length units that the file's unit contexts point to.

    The kernel's own FileUnits gives an empty name for some inch files, so the text is followed:
    GLOBAL_UNIT_ASSIGNED_CONTEXT -> instance -> CONVERSION_BASED_UNIT's name or SI prefix.
    """
    lengths: dict[bytes, bytes] = {}
    for at in _places(data, b"LENGTH_UNIT"):
        start = data.rfind(b";", max(0, at - MAX_UNIT), at) + 1
        entity = _INSTANCE.match(data, start, at + MAX_UNIT)
        if entity is not None:
            lengths.setdefault(entity.group(1), entity.group(2))
    units: list[str] = []
    for context in itertools.islice(_after(data, _CONTEXT_NAME, _UNIT_CONTEXT), MAX_CONTEXTS):
        for number in _NUMBER.findall(context.group(1)):
            text = lengths.get(number, b"")
            named, si = _CONVERSION.search(text), _SI.search(text)
            if named is not None:
                unit = clean_text(named.group(1).decode("utf-8", errors="replace")).upper()
            elif si is not None:
                unit = (si.group(1) or b"").decode() + "METRE"
            else:
                continue
            if unit not in units:
                units.append(unit)
    return tuple(units)


def _header_section(head: bytes) -> str:
    start = head.find(b"HEADER;")
    end = head.find(b"ENDSEC;", start)
    text = b"" if start < 0 else head[start:end]
    return re.sub(r"/\*.*?\*/", "", text.decode("utf-8", errors="replace"), flags=re.DOTALL)


def _nth_string(section: str, entity: str, n: int) -> str | None:
    start = section.find(entity)
    found = _STRING.findall(section[start:]) if start >= 0 else []
    return _plain(found[n]) if len(found) > n else None


def _file_name_field(section: str, n: int) -> str | None:
    """Return the n-th argument of FILE_NAME when it is a string."""
    match = re.search(r"FILE_NAME\s*\(", section)
    if match is None:
        return None
    depth, fields, current = 0, [], ""
    for token in re.finditer(r"'(?:[^']|'')*'|[(),]|[^'(),]+", section[match.end() :]):
        part = token.group()
        if part == ")" and depth == 0:
            break
        depth += (part == "(") - (part == ")")
        if part == "," and depth == 0:
            fields.append(current.strip())
            current = ""
        else:
            current += part
    fields.append(current.strip())
    return _plain(fields[n]) if len(fields) > n and fields[n].startswith("'") else None


def _plain(quoted: str) -> str | None:
    text = clean_text(repair_mojibake(quoted[1:-1].replace("''", "'")))
    return text or None
