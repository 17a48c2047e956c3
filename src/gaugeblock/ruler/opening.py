"""Opening a file for the ruler: regular, of a bearable size, hashed, and never parsed here."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.records.measurement import FileFacts
from gaugeblock.ruler.text import clean_text

MAX_BYTES = 256 * 1024 * 1024
"""Largest file read, in bytes. The kernel needs 15–25 times the file's size in memory: 256 MiB of
STEP is about 5 GB, the worker's memory limit. Parts that agents make stay below 10 MB."""

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Opened:
    """A file that was opened, and why it is not worth asking the worker."""

    fd: int
    facts: FileFacts
    refusal: tuple[str, str] | None
    """Code and reason."""


@contextmanager
def opened(path: Path | str, max_bytes: int) -> Iterator[Opened]:
    """Open a file as long as the context lasts.

    Args:
        path: The file.
        max_bytes: Size above which it is refused, in bytes.

    Raises:
        FileNotFoundError: nothing is there.
        PermissionError: the file may not be read.
    """
    path = Path(path)
    # Non-blocking: opening a FIFO must not hang before it can be refused.
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        yield _judged(fd, file_name(path), max_bytes)
    finally:
        os.close(fd)


def file_name(path: Path) -> str:
    """Return a file's name as records hold it: cleaned, U+FFFD for what is no UTF-8."""
    return clean_text(os.fsencode(path.name).decode(errors="replace"))


def _judged(fd: int, name: str, max_bytes: int) -> Opened:
    info = os.fstat(fd)
    facts = FileFacts(name=name, sha256=None, bytes=info.st_size)
    if not stat.S_ISREG(info.st_mode):
        return Opened(fd, facts, ("not-a-file", "the path is not a regular file"))
    if info.st_size > max_bytes:
        reason = f"{info.st_size} bytes; the ruler reads at most {max_bytes}"
        return Opened(fd, facts, ("too-large", reason))
    facts = facts.model_copy(update={"sha256": _sha256(fd)})
    if info.st_size == 0:
        return Opened(fd, facts, ("empty", "the file holds no bytes"))
    return Opened(fd, facts, None)


def _sha256(fd: int) -> str:
    digest = hashlib.sha256()
    offset = 0
    while chunk := os.pread(fd, _CHUNK, offset):
        digest.update(chunk)
        offset += len(chunk)
    return digest.hexdigest()
