"""Whether a pack tells whose work it shows: every file of it is looked through for every label.

Only kinds of file that can be looked through may be in a pack at all. Text is searched for whole
words, whatever their case, also where it is written with HTML's entities. What the page or the task
says anyway is no leak: only what stands there more often than in the same file made without the
runs. A PNG may hold an image and nothing else; packed geometry is searched as bytes.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import PurePosixPath

TEXTS = (".html", ".json", ".css", ".js", ".svg", ".txt", ".md")

PNG_HEAD = b"\x89PNG\r\n\x1a\n"
PNG_CHUNKS = frozenset({b"IHDR", b"PLTE", b"IDAT", b"IEND", b"sRGB", b"gAMA", b"pHYs"})
"""Chunks that hold no words. tEXt, iTXt, zTXt, eXIf and unknown ones are refused, not read."""

LEAST_BYTES = 6
"""Bytes of a label that is searched for in packed geometry: a shorter one is met there by chance
(four letters once in 300 packs of 10 MB)."""

OWN_NAMES = re.compile(
    r"pack\.json|index\.html|samples/\d+/(?:(?:front|right|iso)\.png|turntable\.html)"
)
"""Names that every pack has, whoever made the parts."""

_DATA = re.compile(r'(<script type="text/plain" id="data">)([^<]*)(</script>)')


def leaks(
    files: Mapping[str, bytes], labels: Mapping[str, str], known: Mapping[str, str]
) -> list[str]:
    """Return where a pack tells more than it may, one line each; empty: it is blind.

    Args:
        files: path inside the pack → content.
        labels: word that must not be there → what it is, for the message.
        known: file name, or path → its text made without the runs, whose words are no leak.
    """
    found = [line for name, data in sorted(files.items()) for line in _of_file(name, data, labels)]
    for name, data in sorted(files.items()):
        if PurePosixPath(name).suffix in TEXTS:
            usual = known.get(name, known.get(PurePosixPath(name).name, ""))
            text = _DATA.sub(r"\1\3", data.decode("utf-8", "replace"))
            found += _words(name, text, usual, labels)
    return found


def _of_file(name: str, data: bytes, labels: Mapping[str, str]) -> Iterator[str]:
    suffix = PurePosixPath(name).suffix
    for label, what in labels.items():
        if not OWN_NAMES.fullmatch(name) and _count(label, name.replace("/", " ")):
            yield f"{name}: its name holds the {what} {label!r}"
    if suffix == ".png":
        fault = _png_fault(data)
        if fault:
            yield f"{name}: {fault}"
    elif suffix not in TEXTS:
        yield f"{name}: of a kind that is not looked through"
    else:
        yield from _packed(name, data, labels)


def _words(name: str, text: str, usual: str, labels: Mapping[str, str]) -> Iterator[str]:
    for label, what in labels.items():
        there = max(_count(label, text), _count(label, unescape(text)))
        if there > max(_count(label, usual), _count(label, unescape(usual))):
            yield f"{name}: holds the {what} {label!r}"


def _count(label: str, text: str) -> int:
    pattern = rf"(?<![0-9a-z]){re.escape(label.casefold())}(?![0-9a-z])"
    return len(re.findall(pattern, text.casefold()))


def _packed(name: str, data: bytes, labels: Mapping[str, str]) -> Iterator[str]:
    for match in _DATA.finditer(data.decode("utf-8", "replace")):
        try:
            content = base64.b64decode(match[2], validate=True)
        except binascii.Error:
            yield f"{name}: its geometry is not packed as it should be"
            continue
        for label, what in labels.items():
            word = label.encode()
            if len(word) >= LEAST_BYTES and word.lower() in content.lower():
                yield f"{name}: its geometry holds the {what} {label!r}"


def _png_fault(data: bytes) -> str:
    """Return why a PNG holds more than an image; empty: it does not."""
    at = len(PNG_HEAD)
    if not data.startswith(PNG_HEAD):
        return "no PNG"
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind not in PNG_CHUNKS:
            return f"holds a chunk {kind.decode('latin-1')!r} besides the image"
        at += 12 + length
        if kind == b"IEND":
            return "" if at == len(data) else "something follows the image"
    return "ends within the image"
