"""The parent's side of the ruler: opens the file, asks the warm worker, turns failures to words."""

from __future__ import annotations

import hashlib
import math
import os
import stat
import threading
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError

from gaugeblock.records.measurement import FileFacts, Measurement, Versions
from gaugeblock.ruler.text import REASON_LIMIT, clean_text

MAX_BYTES = 256 * 1024 * 1024
"""Largest file read, in bytes. The kernel needs 15–25 times the file's size in memory: 256 MiB of
STEP is about 5 GB, the memory limit below. Parts that agents make stay below 10 MB."""

MEMORY_BYTES = 6 * 1024**3
"""Address space of one measurement, in bytes (see MAX_BYTES)."""

RESULT_BYTES = 64 * 1024 * 1024
"""Largest answer, in bytes: about 2 kB a solid, so room for 30,000 solids."""

SCRATCH_BYTES = 64 * 1024 * 1024
"""The worker writes no files; a small allowance for the kernel's own temporary ones."""

WALL_SECONDS = 120.0
"""Default time ceiling of one measurement in s. The slowest real file takes below 2 s."""

WARM_SECONDS = 60.0
"""Patience with the worker's start in s: importing the kernel takes 1–2 s on an idle machine."""

_CHUNK = 1 << 20


class Ruler:
    """Measures STEP files in a warm, killable worker.

    Use as a context manager; the worker starts with the first file. Thread-safe.

    Args:
        wall_s: Time ceiling of one file in s.
        max_bytes: Size ceiling of one file in bytes, at most `MAX_BYTES`.
    """

    def __init__(self, wall_s: float = WALL_SECONDS, max_bytes: int = MAX_BYTES) -> None:
        self.wall_s = wall_s
        self.max_bytes = min(max_bytes, MAX_BYTES)
        self._lock = threading.Lock()
        self._server: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def warm_up(self) -> None:
        """Start the worker now and wait until it can measure; it takes some 2 s.

        Raises:
            SandboxUnavailable: no worker can be had; the message says why.
        """
        self._socket()
        self._server.wait_ready(WARM_SECONDS)

    def close(self) -> None:
        """Stop the worker; a later `measure` starts a new one."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.close()

    def measure(self, path: Path | str, wall_s: float | None = None) -> Measurement:
        """Measure one STEP file.

        Args:
            path: The file. Its name is recorded, its folder is not.
            wall_s: Time ceiling of this file in s; None takes the ruler's own.

        Returns:
            A Measurement; whatever the file does to the kernel, a verdict comes back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        path = Path(path)
        # Non-blocking: opening a FIFO must not hang before it can be refused.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            return self._measure_open(fd, clean_text(path.name), wall_s or self.wall_s)
        finally:
            os.close(fd)

    def _measure_open(self, fd: int, name: str, wall_s: float) -> Measurement:
        info = os.fstat(fd)
        facts = FileFacts(name=name, sha256=None, bytes=info.st_size)
        if not stat.S_ISREG(info.st_mode):
            return refused(facts, "not-a-file", "the path is not a regular file")
        if info.st_size > self.max_bytes:
            reason = f"{info.st_size} bytes; the ruler reads at most {self.max_bytes}"
            return refused(facts, "too-large", reason)
        facts = facts.model_copy(update={"sha256": _sha256(fd)})
        if info.st_size == 0:
            return refused(facts, "empty", "the file holds no bytes")
        return self._ask(fd, facts, wall_s)

    def _ask(self, fd: int, facts: FileFacts, wall_s: float) -> Measurement:
        from gaugeblock.sandbox import Client, Limits

        limits = Limits(
            wall_s=wall_s,
            cpu_s=math.ceil(wall_s),
            memory_bytes=MEMORY_BYTES,
            file_bytes=SCRATCH_BYTES,
            result_bytes=RESULT_BYTES,
            scratch_bytes=SCRATCH_BYTES,
        )
        request = {"name": facts.name, "sha256": facts.sha256}
        result = Client(self._socket()).run("measure", request, files=(fd,), limits=limits)
        if result.status == "done":
            try:
                return Measurement.model_validate(result.value)
            except ValidationError:
                return refused(facts, "failed", "the worker's answer is not a measurement")
        return refused(facts, *_explain(result, wall_s))

    def _socket(self) -> Any:
        with self._lock:
            if self._server is None:
                from gaugeblock.sandbox import WarmServer

                server = WarmServer(
                    entry="gaugeblock.ruler.worker",
                    rooms=("sandbox", "ruler", "records"),
                    name="ruler",
                )
                server.start()
                self._server = server
            return self._server.socket_path


def _explain(result: Any, wall_s: float) -> tuple[str, str]:
    """Return code and one-line reason for a job that did not finish."""
    detail = clean_text(str(result.error or ""), REASON_LIMIT // 2)
    match result.status:
        case "timeout":
            return "timeout", f"not measured within {wall_s:g} s: the kernel hung or is too slow"
        case "crashed":
            return "crashed", f"the kernel crashed on this file ({detail})".replace(" ()", "")
        case "limit":
            return "limit", f"the measurement went over a limit ({detail})".replace(" ()", "")
        case "lost":
            return "crashed", f"the worker was lost ({detail})".replace(" ()", "")
        case _:
            kind = clean_text(str(result.error_type or "error"), 60)
            return "failed", f"{kind}: {detail}"


def refused(facts: FileFacts, code: str, reason: str) -> Measurement:
    """Return the could-not-measure record of a file."""
    return Measurement(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        file=facts,
        versions=versions(),
    )


def versions() -> Versions:
    """Return the versions of kernel binding and numpy without importing them."""
    return Versions(ocp=_version("cadquery-ocp-novtk"), numpy=_version("numpy"))


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _sha256(fd: int) -> str:
    digest = hashlib.sha256()
    offset = 0
    while chunk := os.pread(fd, _CHUNK, offset):
        digest.update(chunk)
        offset += len(chunk)
    return digest.hexdigest()
