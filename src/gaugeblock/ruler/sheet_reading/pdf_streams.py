"""Whether the packed streams of a PDF are whole.

A reader shows of a damaged one what comes before the damage, and says nothing: sizes would be
missing without a word.
"""

from __future__ import annotations

import base64
import re
import zlib

from gaugeblock.ruler.sheet_reading.refusing import Unreadable

MOST_UNPACKED = 512 * 1024 * 1024
"""Bytes that all streams together may unpack to: pages of drawings have some 10 MB."""

_STREAM = re.compile(rb"<<((?:(?!stream|endobj).){0,4000})>>\s*stream\r?\n", re.DOTALL)
_FILTERS = re.compile(rb"/Filter\s*(\[[^\]]*\]|/\w+)")
_CHUNK = 1 << 20

ASCII85, FLATE = b"ASCII85Decode", b"FlateDecode"


def check_streams(content: bytes) -> None:
    """Refuse a PDF with a damaged stream.

    Only streams packed by Flate, with or without ASCII85 around, have a sum to check.

    Args:
        content: The file; hostile.

    Raises:
        Unreadable: one is damaged, or they unpack to too much.
    """
    room = MOST_UNPACKED
    for found in _STREAM.finditer(content):
        filters = _FILTERS.search(found[1])
        names = re.findall(rb"/(\w+)", filters[1]) if filters else []
        if names not in ([FLATE], [ASCII85, FLATE]):
            continue
        end = content.find(b"endstream", found.end())
        packed = content[found.end() : end if end >= 0 else len(content)]
        try:
            if names[0] == ASCII85:
                packed = base64.a85decode(packed.strip().removesuffix(b"~>"))
            room -= _unpacked(packed, room)
        except (ValueError, zlib.error) as error:
            raise Unreadable(
                "damaged", f"the stream at byte {found.end()} is damaged: save the PDF anew"
            ) from error


def _unpacked(packed: bytes, room: int) -> int:
    """Return how many bytes a stream unpacks to.

    Raises:
        Unreadable: more than `room`.
        ValueError: it breaks off.
        zlib.error: it is damaged.
    """
    unpacker, total = zlib.decompressobj(), 0
    while not unpacker.eof:
        piece = unpacker.decompress(packed, _CHUNK)
        packed = unpacker.unconsumed_tail
        total += len(piece)
        if total > room:
            raise Unreadable("too-large", f"its streams unpack to more than {MOST_UNPACKED} bytes")
        if not piece and not packed and not unpacker.eof:
            raise ValueError("breaks off")
    return total
