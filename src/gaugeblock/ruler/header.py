"""Looks at a STEP file's bytes before the kernel does: is it one, is it whole, what does it say?

Everything here works on the text alone, so a file that would crash the kernel's parser can still
be refused in words.
"""

from __future__ import annotations

import mmap
import os
import re
from dataclasses import dataclass

from gaugeblock.ruler.text import clean_text, repair_mojibake

HEAD_BYTES = 1 << 20
"""Bytes searched for the header section: 1 MiB; real headers are below 10 kB."""

MAX_CONTEXTS = 64
"""Unit contexts followed; each costs a search of the file. Assemblies repeat the same few units."""

_SIGNATURE = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s|/\*.*?\*/)*ISO-10303-21\s*;", re.DOTALL)
_END = b"END-ISO-10303-21"
_STRING = re.compile(r"'(?:[^']|'')*'")
_UNIT_CONTEXT = re.compile(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)")
_SOLID_ENTITY = re.compile(
    rb"#\d+\s*=\s*(?:MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS|FACETED_BREP)\s*\("
    rb"|#\d+\s*=\s*\([^;']{0,400}?\b(?:MANIFOLD_SOLID_BREP|FACETED_BREP)\s*\("
)


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


def inspect(fd: int) -> Header:
    """Read the header of the open file `fd` and refuse what is not a whole STEP file.

    Raises:
        Refused: `empty`, `not-step` or `truncated`.
    """
    size = os.fstat(fd).st_size
    if size == 0:
        raise Refused("empty", "the file holds no bytes")
    with mmap.mmap(fd, 0, access=mmap.ACCESS_READ) as data:
        head = data[:HEAD_BYTES]
        if not head.strip():
            raise Refused("empty", "the file holds only white space")
        if not _SIGNATURE.match(head):
            raise Refused("not-step", "not a STEP file: it does not begin with ISO-10303-21;")
        if data.rfind(_END) < 0:
            raise Refused("truncated", "the file has no END-ISO-10303-21; it was cut short")
        declared = sum(1 for _ in _SOLID_ENTITY.finditer(data))
        units = _length_units(data)
    text = head.decode("utf-8", errors="replace")
    section = _header_section(text)
    return Header(
        schema=_nth_string(section, "FILE_SCHEMA", 0),
        originating_system=_file_name_field(section, 5),
        length_units=units,
        declared_solids=declared,
    )


def _length_units(data: mmap.mmap) -> tuple[str, ...]:
    """Resolve the length units that the file's unit contexts point to.

    The kernel's own FileUnits gives an empty name for some inch files, so the text is followed:
    GLOBAL_UNIT_ASSIGNED_CONTEXT -> instance -> CONVERSION_BASED_UNIT's name or SI prefix.
    """
    units: list[str] = []
    for context in list(_UNIT_CONTEXT.finditer(data))[:MAX_CONTEXTS]:
        for number in re.findall(rb"#(\d+)", context.group(1)):
            entity = re.search(rb"#" + number + rb"\s*=([^;]{0,2000});", data)
            if entity is None or b"LENGTH_UNIT" not in entity.group(1):
                continue
            named = re.search(rb"CONVERSION_BASED_UNIT\s*\(\s*'([^']*)'", entity.group(1))
            si = re.search(rb"SI_UNIT\s*\(\s*(?:\.(\w+)\.|\$)\s*,\s*\.METRE\.", entity.group(1))
            if named is not None:
                unit = clean_text(named.group(1).decode("utf-8", errors="replace")).upper()
            elif si is not None:
                unit = (si.group(1) or b"").decode() + "METRE"
            else:
                continue
            if unit not in units:
                units.append(unit)
    return tuple(units)


def _header_section(text: str) -> str:
    start = text.find("HEADER;")
    end = text.find("ENDSEC;", start)
    return "" if start < 0 else re.sub(r"/\*.*?\*/", "", text[start:end], flags=re.DOTALL)


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
