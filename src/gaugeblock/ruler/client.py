"""The parent's side of the ruler: opens the file, asks the warm worker, turns failures to words."""

from __future__ import annotations

import hashlib
import math
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pydantic import ValidationError

from gaugeblock.records.base import Record
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.measurement import FileFacts, Measurement, Versions
from gaugeblock.records.overlap import Interference, Overlap
from gaugeblock.ruler.text import REASON_LIMIT, clean_text

if TYPE_CHECKING:
    from gaugeblock.records.overlap import Alignment
    from gaugeblock.ruler.picture.scene import Scene

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

COMPARE_WALL_SECONDS = 180.0
"""Default time ceiling of one comparison or interference in s. Its booleans have a ceiling of their
own (`booleans.SECONDS`), after which the other methods stand alone."""
WARM_SECONDS = 60.0
"""Patience with the worker's start in s: importing the kernel takes 1–2 s on an idle machine."""

_CHUNK = 1 << 20


Answer = TypeVar("Answer", bound=Record)


@dataclass(frozen=True)
class _Opened:
    """A file that was opened, and why it is not worth asking the worker."""

    fd: int
    facts: FileFacts
    refusal: tuple[str, str] | None
    """Code and reason."""


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
        with self._open(path) as file:
            if file.refusal is not None:
                return refused(file.facts, *file.refusal)
            request = {"name": file.facts.name, "sha256": file.facts.sha256}
            wall_s = wall_s or self.wall_s
            answer = self._ask("measure", request, (file.fd,), wall_s, Measurement)
            return answer if isinstance(answer, Measurement) else refused(file.facts, *answer)

    def compare(
        self,
        path_a: Path | str,
        path_b: Path | str,
        *,
        align: bool = True,
        wall_s: float | None = None,
    ) -> Overlap:
        """Compare two STEP files: overlap as posed and after the best rigid motion of the first.

        Args:
            path_a: The file that is moved.
            path_b: The file that stays.
            align: Whether to look for the motion; without it only the posed overlap is measured.
            wall_s: Time ceiling in s; None takes `COMPARE_WALL_SECONDS`.

        Returns:
            An Overlap; whatever the files do to the kernel, a verdict comes back.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: a file may not be read.
        """
        wall_s = wall_s or COMPARE_WALL_SECONDS
        with self._open(path_a) as a, self._open(path_b) as b:
            for letter, file in (("a", a), ("b", b)):
                if file.refusal is not None:
                    code, reason = file.refusal
                    return refused_overlap(a.facts, b.facts, code, f"file {letter}: {reason}")
            request = {
                "names": [a.facts.name, b.facts.name],
                "sha256": [a.facts.sha256, b.facts.sha256],
                "align": align,
                "wall_s": wall_s,
            }
            answer = self._ask("compare", request, (a.fd, b.fd), wall_s, Overlap)
            if isinstance(answer, Overlap):
                return answer
            return refused_overlap(a.facts, b.facts, *answer)

    def interference(self, path: Path | str, *, wall_s: float | None = None) -> Interference:
        """Measure which solids of one STEP file share space, pair by pair.

        Args:
            path: The file.
            wall_s: Time ceiling in s; None takes `COMPARE_WALL_SECONDS`.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        wall_s = wall_s or COMPARE_WALL_SECONDS
        with self._open(path) as file:
            if file.refusal is not None:
                return refused_interference(file.facts, *file.refusal)
            request = {"name": file.facts.name, "sha256": file.facts.sha256, "wall_s": wall_s}
            answer = self._ask("interference", request, (file.fd,), wall_s, Interference)
            if isinstance(answer, Interference):
                return answer
            return refused_interference(file.facts, *answer)

    def picture(
        self,
        path_a: Path | str,
        path_b: Path | str,
        *,
        motion: Alignment | None = None,
        wall_s: float | None = None,
    ) -> Scene:
        """Return what a picture of the difference of two STEP files is drawn from.

        Args:
            path_a: The first file; the picture keeps its coordinates.
            path_b: The second file.
            motion: `Overlap.alignment`; None lays the files over each other as they are.
            wall_s: Time ceiling in s; None takes `picture.client.SECONDS`.

        Raises:
            CouldNotMeasure: no picture could be taken; the text says why.
            FileNotFoundError: nothing is there.
            PermissionError: a file may not be read.
        """
        from gaugeblock.ruler.picture.client import SECONDS, take_picture
        from gaugeblock.sandbox import Client

        wall_s = wall_s or SECONDS
        limits = {
            "wall_s": wall_s,
            "cpu_s": math.ceil(wall_s),
            "memory_bytes": MEMORY_BYTES,
            "file_bytes": SCRATCH_BYTES,
            "scratch_bytes": SCRATCH_BYTES,
        }
        with self._open(path_a) as a, self._open(path_b) as b:
            for letter, file in (("A", a), ("B", b)):
                if file.refusal is not None:
                    raise CouldNotMeasure(f"picture: file {letter}: {file.refusal[1]}")
            return take_picture(Client(self._socket()), (a.fd, b.fd), motion, limits)

    @contextmanager
    def _open(self, path: Path | str) -> Iterator[_Opened]:
        path = Path(path)
        with ExitStack() as stack:
            # Non-blocking: opening a FIFO must not hang before it can be refused.
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            stack.callback(os.close, fd)
            yield self._look(fd, clean_text(path.name))

    def _look(self, fd: int, name: str) -> _Opened:
        info = os.fstat(fd)
        facts = FileFacts(name=name, sha256=None, bytes=info.st_size)
        if not stat.S_ISREG(info.st_mode):
            return _Opened(fd, facts, ("not-a-file", "the path is not a regular file"))
        if info.st_size > self.max_bytes:
            reason = f"{info.st_size} bytes; the ruler reads at most {self.max_bytes}"
            return _Opened(fd, facts, ("too-large", reason))
        facts = facts.model_copy(update={"sha256": _sha256(fd)})
        if info.st_size == 0:
            return _Opened(fd, facts, ("empty", "the file holds no bytes"))
        return _Opened(fd, facts, None)

    def _ask(
        self,
        job: str,
        request: dict[str, Any],
        files: tuple[int, ...],
        wall_s: float,
        kind: type[Answer],
    ) -> Answer | tuple[str, str]:
        """Run one job; return its answer, or code and reason of why there is none."""
        from gaugeblock.sandbox import Client, Limits

        limits = Limits(
            wall_s=wall_s,
            cpu_s=math.ceil(wall_s),
            memory_bytes=MEMORY_BYTES,
            file_bytes=SCRATCH_BYTES,
            result_bytes=RESULT_BYTES,
            scratch_bytes=SCRATCH_BYTES,
        )
        result = Client(self._socket()).run(job, request, files=files, limits=limits)
        if result.status == "done":
            try:
                return kind.model_validate(result.value)
            except ValidationError:
                return "failed", f"the worker's answer is not of the kind {kind.__name__}"
        return _explain(result, wall_s)

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


def refused_overlap(a: FileFacts, b: FileFacts, code: str, reason: str) -> Overlap:
    """Return the could-not-measure record of a comparison."""
    return Overlap(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        a=a,
        b=b,
        versions=versions(),
    )


def refused_interference(file: FileFacts, code: str, reason: str) -> Interference:
    """Return the could-not-measure record of an interference."""
    return Interference(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        file=file,
        versions=versions(),
    )


def versions() -> Versions:
    """Return the versions of kernel binding and numpy without importing them."""
    return Versions(ocp=_version("cadquery-ocp-novtk"), numpy=_version("numpy"))


@cache
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
