"""Files of the system and of installed libraries that are as their packagers published them."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.records.isolation import Proof
from gaugeblock.sandbox.scan import identity
from gaugeblock.sandbox.view import Tree

DPKG = Path("/var/lib/dpkg/info")
"""Where Debian's package manager keeps the sums of what it installed."""

THREADS = os.cpu_count() or 1
"""Hashing leaves the interpreter's lock alone."""


@dataclass(frozen=True)
class Listed:
    """A file that a packager listed.

    Attributes:
        path: where it lies.
        algorithm: of its sum, as hashlib names it.
        sum: hex.
    """

    path: str
    algorithm: str
    sum: str


def prove(trees: Iterable[Tree]) -> tuple[frozenset[bytes], Proof]:
    """Hash what is listed in these trees.

    Returns:
        The identities (sandbox/scan.py) of the files that are as listed, and the counts.
    """
    begun = time.monotonic()
    shown = _Shown(trees)
    by_record = [item for item in _by_record(shown.folders) if shown.holds(item.path)]
    by_dpkg = [item for item in _by_dpkg() if shown.holds(item.path)]
    proven: set[bytes] = set()
    counts = []
    with ThreadPoolExecutor(THREADS) as pool:
        for listed in (by_record, by_dpkg):
            found = [known for known in pool.map(_as_listed, listed) if known != b""]
            same = {known for known in found if known is not None}
            proven |= same
            counts.append((len(same), sum(known is None for known in found)))
    return frozenset(proven), Proof(
        by_record=counts[0][0],
        by_dpkg=counts[1][0],
        differing=counts[0][1] + counts[1][1],
        seconds=round(time.monotonic() - begun, 3),
    )


class _Shown:
    """Which files the trees show."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        trees = list(trees)
        self.folders = [tree.source for tree in trees if tree.source.is_dir()]
        self._tops = tuple(f"{folder}/" for folder in self.folders)
        self._single = {str(tree.source) for tree in trees}

    def holds(self, path: str) -> bool:
        return path.startswith(self._tops) or path in self._single


def _by_record(folders: Iterable[Path]) -> Iterator[Listed]:
    """Yield what installed Python packages list, with hash, below the folder they lie in."""
    for folder in folders:
        for record in sorted(folder.glob("*.dist-info/RECORD")):
            with record.open(newline="", encoding="utf-8", errors="surrogateescape") as file:
                for row in csv.reader(file):
                    name, _, sum_ = [*row, "", ""][1].partition("=")
                    if name not in hashlib.algorithms_guaranteed or not sum_:
                        continue  # such as byte code, and the list itself
                    path = os.path.normpath(folder / row[0])
                    padded = sum_ + "=" * (-len(sum_) % 4)
                    yield Listed(path, name, base64.urlsafe_b64decode(padded).hex())


def _by_dpkg() -> Iterator[Listed]:
    """Yield what Debian packages list; none where the system is another."""
    real: dict[str, str] = {}
    for sums in sorted(DPKG.glob("*.md5sums")):
        for line in sums.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            sum_, _, name = line.partition("  ")
            folder, _, file = f"/{name}".rpartition("/")
            if folder not in real:  # /lib may be a link to /usr/lib
                real[folder] = os.path.realpath(folder or "/")
            yield Listed(f"{real[folder]}/{file}", "md5", sum_)


def _as_listed(item: Listed) -> bytes | None:
    """Return a file's identity, None where it is another, b"" where it is none of ours to read."""
    try:
        with open(item.path, "rb", opener=_careful) as file:
            before = os.fstat(file.fileno())
            found = hashlib.file_digest(file, item.algorithm).hexdigest()
            unchanged = identity(before) == identity(os.fstat(file.fileno()))
    except OSError:
        return b""  # a link, or gone: it proves nothing and is searched where it can be read
    return identity(before) if unchanged and found == item.sum else None


def _careful(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
