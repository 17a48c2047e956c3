"""Looking, from inside a view, for what must not be seen there.

Runs behind the same walls as the program whose view it searches: as ``main()`` with a frame
(wire.py) on stdin and one on stdout, or as ``job()`` in a fork of a warm server. Every mount of the
view is walked: names, links, the content of each file, what is packed in it, and what ``/proc``
tells. A file whose identity is among those proven by hash is not read.

The request: ``names`` (text sought in paths), ``numbers`` (first six digits of figures), ``walk``
(the mounts to walk; null: all that are not in ``settled``), ``settled`` (mount → device and inode
of what was walked earlier), ``libraries`` (the mounts hold libraries: figures and names in content
are not sought, since chance alone would find them). Blobs: the identities of proven files, joined;
the command line of the program; then the needles. ``hits`` name a needle by its place there.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import kernel_files, wire
from .matching import Needles
from .packed import members

IDENTITY = struct.Struct("<QQQqq")
"""Device, inode, size, time of change of content and of anything: the same file, unchanged."""

CHUNK_BYTES = 8 << 20

NAMED = 20
"""Paths that an answer names of each kind of trouble."""

FIXED_BLOBS = 2
"""Blobs before the first needle: the proven identities, and the command line."""


def identity(found: os.stat_result) -> bytes:
    """Return what a file is known by as long as nobody touches it."""
    return IDENTITY.pack(
        found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
    )


@dataclass
class Tally:
    """What a scan came upon."""

    files: int = 0
    bytes: int = 0
    proven: int = 0
    members: int = 0
    unreadable: int = 0
    faults: list[str] = field(default_factory=list)
    hits: list[dict[str, Any]] = field(default_factory=list)

    def fault(self, path: str, why: str) -> None:
        """Note something that could not be searched."""
        if len(self.faults) < NAMED:
            self.faults.append(f"{path}: {why}")

    def hit(self, needles: set[str], path: str) -> None:
        """Note needles that were found at a path."""
        for needle in sorted(needles):
            if len(self.hits) < NAMED:
                self.hits.append({"needle": needle, "path": path})


class Scan:
    """One search of a view."""

    def __init__(self, needles: Needles, proven: set[bytes], libraries: bool) -> None:
        """Nothing is read yet."""
        self._needles, self._proven, self._libraries = needles, proven, libraries
        self._mounts: frozenset[str] = frozenset()
        self.tally = Tally()

    def walk(self, mount: str, mounts: frozenset[str]) -> None:
        """Search one mount, without the others that lie in it."""
        self._mounts = mounts
        try:
            found = os.lstat(mount)
        except OSError as error:
            self.tally.fault(mount, str(error.strerror))
            return
        if stat.S_ISDIR(found.st_mode):
            self._folder(mount)
        else:
            self._entry(mount, found)

    def _folder(self, top: str) -> None:
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(folder) as entries:
                    listed = list(entries)
            except PermissionError:
                self.tally.unreadable += 1
                continue
            except OSError as error:
                self.tally.fault(folder, str(error.strerror))
                continue
            for entry in listed:
                try:
                    found = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue  # gone again
                if stat.S_ISDIR(found.st_mode):
                    self._named(entry.path)
                    if entry.path not in self._mounts:
                        waiting.append(entry.path)
                elif entry.path not in self._mounts:
                    self._entry(entry.path, found)

    def _entry(self, path: str, found: os.stat_result) -> None:
        """Search whatever is no folder."""
        self.tally.files += 1
        if stat.S_ISLNK(found.st_mode):
            self._named(path)
            self.text(path, os.fsencode(Path(path).readlink()))
        elif stat.S_ISREG(found.st_mode):
            if identity(found) in self._proven:
                self.tally.proven += 1
                return
            self._named(path)
            self._file(path)
        else:
            self._named(path)

    def _named(self, path: str) -> None:
        self.tally.hit(self._needles.in_path(path), path)

    def _file(self, path: str) -> None:
        try:
            with open(path, "rb", opener=_careful) as file:
                head = file.read(CHUNK_BYTES)
                self._stream(path, head, file)
                for inner, data in members(file, head):
                    if data is None:
                        self.tally.fault(f"{path}!{inner}", "more than can be unpacked")
                        continue
                    self.tally.members += 1
                    self.text(f"{path}!{inner}", data)
        except PermissionError:
            self.tally.unreadable += 1
        except FileNotFoundError:
            pass  # gone again
        except OSError as error:
            self.tally.fault(path, str(error.strerror or error))

    def _stream(self, path: str, chunk: bytes, file: Any) -> None:
        kept = b""
        while chunk:
            self.text(path, kept + chunk, new=len(chunk))
            kept = chunk[-self._needles.longest :]
            chunk = file.read(CHUNK_BYTES)

    def text(self, path: str, data: bytes, *, new: int | None = None) -> None:
        """Search some bytes; ``new``: how many of them were not searched before."""
        self.tally.bytes += len(data) if new is None else new
        self.tally.hit(self._needles.in_content(data, loose=not self._libraries), path)

    def kernel(self) -> None:
        """Search what the kernel tells; its figures are its own."""
        for path, data in kernel_files.contents():
            self.tally.files += 1
            self.tally.bytes += len(data)
            self.tally.hit(self._needles.in_content(data, loose=False), path)


def _careful(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def scan(value: dict[str, Any], blobs: list[bytes]) -> dict[str, Any]:
    """Search this process's view; request and answer as the module says."""
    begun = time.monotonic()
    joined, command, *wanted = blobs
    proven = {joined[at : at + IDENTITY.size] for at in range(0, len(joined), IDENTITY.size)}
    needles = Needles(wanted, value["names"], value["numbers"])
    work = Scan(needles, proven, value["libraries"])
    table = kernel_files.mounts()
    points = frozenset(table)
    walked: dict[str, list[int]] = {}
    skipped: list[str] = []
    for point in sorted(points):
        if value["walk"] is not None and point not in value["walk"]:
            continue
        place = _place(point)
        if value["walk"] is None and value["settled"].get(point) == place:
            skipped.append(point)
            continue
        walked[point] = place
        if table[point][0] == "proc":
            work.kernel()
        else:
            work.walk(point, points)
    if value["walk"] is None:
        variables = b"\n".join(k + b"=" + v for k, v in os.environb.items())
        work.text("the environment", variables)
        work.text("the command line", command)
    tally = vars(work.tally)
    mounts = [[point, *table[point]] for point in sorted(points)]
    seconds = time.monotonic() - begun
    return {**tally, "mounts": mounts, "walked": walked, "skipped": skipped, "seconds": seconds}


def _place(point: str) -> list[int]:
    try:
        found = os.lstat(point)
    except OSError:
        return [0, 0]
    return [found.st_dev, found.st_ino]


def job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Search a job's own view; see `scan`."""
    return scan(value, blobs), []


def main() -> None:
    """Answer the one request on stdin."""
    value, blobs = wire.decode(sys.stdin.buffer.read())
    sys.stdout.buffer.write(wire.encode(scan(value, list(blobs))))


if __name__ == "__main__":
    main()
