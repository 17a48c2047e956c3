"""What is packed in a file, unpacked within bounds: zip, gzip, xz, bzip2, zlib, streams of PDF."""

from __future__ import annotations

import bz2
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any

UNPACKED_BYTES = 64 << 20
"""Of one member, and of one file of a single packed stream: far more than a sheet needs."""

MEMBERS = 5_000

PACKED_BYTES = 256 << 20
"""Of a file that is unpacked at all."""

DEEPEST = 3
"""Packings within packings."""

ZLIB_HEADS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")

PDF_STREAM = re.compile(rb"stream\r?\n")

Member = tuple[str, bytes | None]
"""Its name, and its content; None: there is more than is unpacked."""


def members(file: IO[bytes], head: bytes, depth: int = 1) -> Iterator[Member]:
    """Yield what a file holds packed, and what is packed in that.

    Args:
        file: the file; its place is moved.
        head: its first bytes.
        depth: how deep in packings it lies.
    """
    for name, data in _members(file, head):
        yield name, data
        if data is None or not _is_packed(data):
            continue
        if depth == DEEPEST:
            yield f"{name}!", None
            continue
        for inner, content in members(io.BytesIO(data), data, depth + 1):
            yield f"{name}!{inner}", content


def _is_packed(head: bytes) -> bool:
    return head.startswith((b"PK\3\4", b"%PDF", *_STREAMS, *ZLIB_HEADS))


def _members(file: IO[bytes], head: bytes) -> Iterator[Member]:
    if not _is_packed(head):
        return
    size = file.seek(0, io.SEEK_END)
    if size > PACKED_BYTES:
        yield "all", None
        return
    file.seek(0)
    if head.startswith(b"PK\3\4"):
        yield from _zipped(file)
    elif head.startswith(b"%PDF"):
        data = file.read()
        for number, match in enumerate(PDF_STREAM.finditer(data)):
            if number == MEMBERS:
                yield "streams", None
                return
            stream = _inflated(zlib.decompressobj(), data[match.end() :])
            if stream != b"":
                yield f"stream{number}", stream
    else:
        make = next((make for magic, make in _STREAMS.items() if head.startswith(magic)), None)
        yield from _in_a_row(make or zlib.decompressobj, file.read())


def _in_a_row(make: Callable[[], Any], rest: bytes) -> Iterator[Member]:
    """Yield packed streams that follow one another, as such tools join them."""
    for _ in range(MEMBERS):
        unpacker = make()
        unpacked = _inflated(unpacker, rest)
        if unpacked == b"":
            return
        yield "unpacked", unpacked
        rest = unpacker.unused_data
        if unpacked is None or not rest:
            return
    yield "streams", None


def _zipped(file: IO[bytes]) -> Iterator[Member]:
    try:
        with zipfile.ZipFile(file) as archive:
            for number, info in enumerate(archive.infolist()):
                if number == MEMBERS:
                    yield "members", None
                    return
                with archive.open(info) as member:
                    data = member.read(UNPACKED_BYTES + 1)
                yield info.filename, data if len(data) <= UNPACKED_BYTES else None
    except RuntimeError:  # locked by a password, so that nobody who lacks it can read it
        yield "locked", None
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, ValueError):
        yield "damaged", None


def _inflated(unpacker: Any, data: bytes) -> bytes | None:
    """Return what bytes unpack to: as far as they do, nothing if they are not packed at all."""
    try:
        unpacked: bytes = unpacker.decompress(data, UNPACKED_BYTES + 1)
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError):
        return b""
    return unpacked if len(unpacked) <= UNPACKED_BYTES else None


_STREAMS: dict[bytes, Callable[[], Any]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(zlib.MAX_WBITS | 16),
    b"\xfd7zXZ\0": lzma.LZMADecompressor,
    b"BZh": bz2.BZ2Decompressor,
}
"""First bytes of a single packed stream → what unpacks it."""
