"""The parent's side of a question: opens the file, asks the warm worker, turns failures to words.

Imports no kernel.
"""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pydantic import ValidationError

from gaugeblock.records.base import Record
from gaugeblock.records.measurement import Measurement
from gaugeblock.ruler.opening import MAX_BYTES, opened
from gaugeblock.ruler.refusals import refused
from gaugeblock.ruler.text import REASON_LIMIT, clean_text

if TYPE_CHECKING:
    from gaugeblock.sandbox import JobResult, WarmServer

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

INSPECT_SECONDS = 10.0
"""Time ceiling of a look at a file's text in s: 256 MiB take 0.5 s."""

CODE_LIMIT = 40
"""Characters of a refusal's code that are kept: real ones stay below 20."""

Answer = TypeVar("Answer", bound=Record)


class Transport:
    """A warm, killable worker and the files handed to it; `Ruler` says what is asked.

    Use as a context manager; the worker starts with the first file. Thread-safe.

    Args:
        wall_s: Time ceiling of one file in s.
        max_bytes: Size ceiling of one file in bytes, at most `MAX_BYTES`.
        unsafe: Go on where the worker can have no sandbox: a file could then do what its user can.
    """

    def __init__(
        self,
        wall_s: float = WALL_SECONDS,
        max_bytes: int = MAX_BYTES,
        *,
        unsafe: bool = False,
    ) -> None:
        self.wall_s = wall_s
        self.max_bytes = min(max_bytes, MAX_BYTES)
        self._unsafe = unsafe
        self._lock = threading.Lock()
        self._server: WarmServer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warm_up(self) -> None:
        """Start the worker now and wait until it can measure; it takes some 2 s.

        Raises:
            SandboxUnavailable: no worker can be had; the message says why.
        """
        self._warm().wait_ready(WARM_SECONDS)

    def close(self) -> None:
        """Stop the worker; a later question starts a new one."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.close()

    def inspect(self, path: Path | str) -> Measurement | None:
        """Look at a file's text, so that what is no whole STEP file is refused at once.

        Args:
            path: The file.

        Returns:
            The could-not-measure record that `measure` would give, or None: nothing speaks against
            measuring.

        Raises:
            FileNotFoundError: nothing is there.
            PermissionError: the file may not be read.
        """
        with opened(path, self.max_bytes) as file:
            if file.refusal is not None:
                return refused(file.facts, *file.refusal)
            result = self._run("inspect", {}, (file.fd,), INSPECT_SECONDS)
            if result.status != "done" or "reason" not in result.value:
                return None  # a worker that could not even look says more when it measures
            code = clean_text(str(result.value.get("code")), CODE_LIMIT)
            return refused(file.facts, code, str(result.value["reason"]))

    def _ask(
        self,
        job: str,
        request: dict[str, Any],
        files: tuple[int, ...],
        wall_s: float,
        kind: type[Answer],
    ) -> Answer | tuple[str, str]:
        """Run one job; return its answer, or code and reason of why there is none."""
        result = self._run(job, request, files, wall_s)
        if result.status == "done":
            try:
                return kind.model_validate(result.value)
            except ValidationError:
                return "failed", f"the worker's answer is not of the kind {kind.__name__}"
        return _explain(result, wall_s)

    def _run(
        self,
        job: str,
        request: dict[str, Any],
        files: tuple[int, ...],
        wall_s: float,
        result_bytes: int = RESULT_BYTES,
    ) -> JobResult:
        from gaugeblock.sandbox import Client, Limits

        limits = Limits(
            wall_s=wall_s,
            cpu_s=math.ceil(wall_s),
            memory_bytes=MEMORY_BYTES,
            file_bytes=SCRATCH_BYTES,
            result_bytes=result_bytes,
            scratch_bytes=SCRATCH_BYTES,
        )
        return Client(self._warm().socket_path).run(job, request, files=files, limits=limits)

    def _warm(self) -> WarmServer:
        with self._lock:
            if self._server is None:
                from gaugeblock.sandbox import WarmServer

                server = WarmServer(
                    entry="gaugeblock.ruler.worker",
                    rooms=("sandbox", "ruler", "records"),
                    name="ruler",
                    unsafe=self._unsafe,
                )
                server.start()
                self._server = server
            return self._server


def _explain(result: JobResult, wall_s: float) -> tuple[str, str]:
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
