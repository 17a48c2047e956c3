"""Writing that survives a kill: atomic files, an append-only journal, hashes of what is there."""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gaugeblock.records.base import canonical_json
from gaugeblock.records.errors import DamagedEvidence

DRAFT = ".*.draft"
"""Names of files on their way, as a kill leaves them: no records yet, and evidence of nothing."""

READ_CHUNK = 1 << 20
"""Bytes a hash reads at a time: a large artifact is never held whole."""


def now() -> str:
    """Return the time as ISO 8601 in UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write_atomic(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file so that a kill leaves either the old content or the new, never a part.

    The data is flushed to disk before the rename, and the folder after it.

    Args:
        path: the file.
        data: its content.
        mode: who may read and write it, less the umask; held from the draft on.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def file_sha256(path: Path) -> str:
    """Return the SHA-256 (hex) of a file's bytes."""
    hasher = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(READ_CHUNK):
            hasher.update(chunk)
    return hasher.hexdigest()


class Journal:
    """Events appended as they happen, one JSON object a line, flushed to disk one by one."""

    def __init__(self, path: Path) -> None:
        """Open or continue the journal at ``path``."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._sequence = len(read_journal(path))
        self._file = path.open("ab")
        self._end_torn_line(path)

    def _end_torn_line(self, path: Path) -> None:
        """Drop a last line that a kill tore, so that the next event starts its own line."""
        whole = path.read_bytes()
        if whole and not whole.endswith(b"\n"):
            self._file.truncate(whole.rfind(b"\n") + 1)

    def append(self, kind: str, **data: Any) -> None:
        """Append one event with its number and time; it is on disk when this returns."""
        event = {"n": self._sequence, "at": now(), "kind": kind, **data}
        self._file.write(canonical_json(event) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._sequence += 1

    def __enter__(self) -> Self:
        """Return the journal."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()


def read_journal(path: Path) -> list[dict[str, Any]]:
    """Return the events of a journal; a last line torn by a kill is left out.

    A line without its line break is torn, also where nothing else of it is missing: `Journal` drops
    it before it goes on, and its number is given anew.

    Raises:
        DamagedEvidence: a whole line is no JSON object.
    """
    if not path.exists():
        return []
    whole = path.read_bytes().split(b"\n")[:-1]
    events: list[dict[str, Any]] = []
    for number, line in enumerate(whole, 1):
        if not line:
            continue
        try:
            event = json.loads(line)
        except ValueError:
            raise DamagedEvidence(f"{path.name}: line {number} is not JSON") from None
        if not isinstance(event, dict):
            raise DamagedEvidence(f"{path.name}: line {number} is no object")
        events.append(event)
    return events
