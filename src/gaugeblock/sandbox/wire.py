"""Frames on a stream: one JSON object, then raw blobs, and open files beside them. Never pickle.

A frame is ``GBF1``, the length of the JSON header (4 bytes, big endian), the length of all blobs
(8 bytes), the header, the blobs. The header's ``blobs`` holds their sizes in bytes. Both ends treat
what they read as hostile; the supervisor forwards a job's frame without parsing any of its JSON.
"""

from __future__ import annotations

import array
import json
import os
import socket
import struct
from collections.abc import Sequence
from typing import Any

MAGIC = b"GBF1"
_PREFIX = struct.Struct("!4sIQ")
PREFIX_BYTES = _PREFIX.size

# One byte a server sends as it takes up a connection: from then on it is not "still importing".
HELLO = b"+"

# Room for the prefix and the list of blob sizes, on top of a job's result_bytes.
FRAME_OVERHEAD_BYTES = 4096

# The kernel refuses more than 253 descriptors in one message (SCM_MAX_FD); no caller needs these.
FILES_MAX = 32

# A request larger than this is a mistake of the caller, not a job.
REQUEST_BYTES_MAX = 1 << 30

_CHUNK_BYTES = 1 << 20


class BadFrame(Exception):
    """The bytes are no frame."""


class Closed(Exception):
    """The other end went away. ``started``: after some bytes of a frame had come."""

    def __init__(self, started: bool) -> None:
        super().__init__("the connection was closed")
        self.started = started


def encode(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """The whole frame as bytes. Raises TypeError or ValueError if ``header`` is no JSON."""
    text = json.dumps({**header, "blobs": [len(blob) for blob in blobs]}).encode()
    return b"".join((_PREFIX.pack(MAGIC, len(text), sum(map(len, blobs))), text, *blobs))


def frame_bytes(data: bytes | bytearray) -> int | None:
    """The length a frame that begins with ``data`` will have, or None before its prefix is whole.

    Raises BadFrame for bytes that can begin no frame.
    """
    if not data.startswith(MAGIC[: len(data)]):
        raise BadFrame("does not begin as a frame")
    if len(data) < PREFIX_BYTES:
        return None
    _, header_bytes, blob_bytes = _PREFIX.unpack_from(data)
    return PREFIX_BYTES + int(header_bytes) + int(blob_bytes)


def decode(data: bytes | bytearray) -> tuple[dict[str, Any], tuple[bytes, ...]]:
    """Header and blobs of one whole frame. Raises BadFrame."""
    if frame_bytes(data) != len(data):
        raise BadFrame("is shorter or longer than it says")
    _, header_bytes, blob_bytes = _PREFIX.unpack_from(data)
    at = PREFIX_BYTES + header_bytes
    try:
        header = json.loads(bytes(data[PREFIX_BYTES:at]))
    except (ValueError, RecursionError) as error:
        raise BadFrame(f"has a header that is no JSON: {error}") from None
    if not isinstance(header, dict):
        raise BadFrame("has a header that is no object")
    sizes = header.get("blobs")
    if not isinstance(sizes, list) or not all(type(s) is int and s >= 0 for s in sizes):
        raise BadFrame("has no list of blob sizes")
    if sum(sizes) != blob_bytes:
        raise BadFrame("has blobs of other sizes than it says")
    blobs = []
    for size in sizes:
        blobs.append(bytes(data[at : at + size]))
        at += size
    return header, tuple(blobs)


def send(sock: socket.socket, data: bytes, files: Sequence[int] = ()) -> None:
    """Send a whole frame; ``files`` (open descriptors) travel with its first byte."""
    view = memoryview(data)
    if files:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
        view = view[sock.sendmsg([view[:PREFIX_BYTES]], rights) :]
    sock.sendall(view)


def receive(sock: socket.socket, most: int) -> tuple[dict[str, Any], tuple[bytes, ...], list[int]]:
    """Receive one frame of at most ``most`` bytes and the descriptors that came with it.

    Raises Closed or BadFrame, and OSError (a timeout too) from the socket.
    """
    space = socket.CMSG_SPACE(FILES_MAX * array.array("i").itemsize)
    try:
        part, ancillary, _, _ = sock.recvmsg(PREFIX_BYTES, space, socket.MSG_CMSG_CLOEXEC)
    except ConnectionResetError:
        raise Closed(started=False) from None
    files = array.array("i")
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            files.frombytes(payload[: len(payload) - len(payload) % files.itemsize])
    if not part:
        raise Closed(started=False)
    data = bytearray(part)
    _fill(sock, data, PREFIX_BYTES)
    total = frame_bytes(data)
    if total is None or total > most:
        raise BadFrame(f"is of {total} bytes, above {most}")
    _fill(sock, data, total)
    header, blobs = decode(data)
    return header, blobs, list(files)


def _fill(sock: socket.socket, data: bytearray, total: int) -> None:
    """Read until ``data`` holds ``total`` bytes."""
    while len(data) < total:
        try:
            part = sock.recv(min(total - len(data), _CHUNK_BYTES))
        except ConnectionResetError:
            raise Closed(started=True) from None
        if not part:
            raise Closed(started=True)
        data += part


def read(fd: int) -> tuple[dict[str, Any], tuple[bytes, ...]]:
    """Read one frame from a pipe. Raises Closed or BadFrame."""
    data = bytearray()
    while (total := frame_bytes(data)) is None or len(data) < total:
        part = os.read(fd, min(_CHUNK_BYTES, (total or PREFIX_BYTES) - len(data)))
        if not part:
            raise Closed(started=bool(data))
        data += part
    return decode(data)


def address(directory_fd: int, name: str) -> str:
    """A path of a socket in an open directory, short enough for AF_UNIX (108 bytes) always."""
    return f"/proc/self/fd/{directory_fd}/{name}"
