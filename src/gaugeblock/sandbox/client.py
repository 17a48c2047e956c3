"""Asking a warm server for jobs, from any process that can open its socket."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import wire
from .contract import Isolation, JobResult, Limits, SandboxUnavailable

# Files beside the socket in the server's private folder.
SOCKET_NAME = "socket"
ABOUT_NAME = "about.json"
LOG_NAME = "stderr"

# Characters of the server's stderr that an error quotes.
_LOG_TAIL_CHARS = 2000

_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_MFD_NOEXEC_SEAL = 8  # Linux 6.3

_ERRNO_LIMITS = {
    errno.EFBIG: "file: above {file_bytes} bytes",
    errno.ENOSPC: "scratch: above {scratch_bytes} bytes",
}


class Client:
    """Runs jobs on a server. Holds no connection: safe in threads and across forks."""

    def __init__(self, socket_path: Path) -> None:
        self._folder = Path(socket_path).parent
        self._name = Path(socket_path).name

    def isolation(self) -> Isolation:
        """How the server shuts its jobs in. Raises SandboxUnavailable if it is gone."""
        try:
            return Isolation(**json.loads((self._folder / ABOUT_NAME).read_text()))
        except FileNotFoundError:
            raise SandboxUnavailable(f"there is no server at {self._folder}") from None

    def run(
        self,
        job: str,
        value: dict[str, Any],
        *,
        blobs: Sequence[bytes] = (),
        files: Sequence[int] = (),
        limits: Limits,
    ) -> JobResult:
        """Run one job and wait for its end; a server still importing is waited for.

        value: a JSON object. files: open descriptors, at most 32. Each regular file is copied into
        a sealed memory file first: the job reads it by its new number or as /proc/self/fd/N, and
        can neither change the original nor learn its path. Never raises for what a job does, only
        for a request that cannot be sent (TypeError, ValueError, OSError of ``files``).
        """
        if len(files) > wire.FILES_MAX:
            raise ValueError(f"a job takes at most {wire.FILES_MAX} files, not {len(files)}")
        request = {"job": job, "value": value, "limits": limits.as_dict()}
        frame = wire.encode(request, blobs)
        if len(frame) > wire.REQUEST_BYTES_MAX:
            raise ValueError(f"a request of {len(frame)} bytes is above {wire.REQUEST_BYTES_MAX}")
        with contextlib.ExitStack() as stack:
            copies = []
            for fd in files:
                copies.append(sealed_copy(fd))
                stack.callback(os.close, copies[-1])
            return self._exchange(frame, copies, limits)

    def keep(self, job: str, limits: Limits) -> KeptJob:
        """A job that stays: it answers request after request with the memory it has by then.

        Its limits hold for its whole life, ``wall_s`` for each request. Nothing starts yet.
        """
        return KeptJob(self, job, limits)

    def _exchange(self, frame: bytes, files: list[int], limits: Limits) -> JobResult:
        taken_up = False
        try:
            with self._connect() as connection:
                taken_up = connection.recv(1) == wire.HELLO
                if not taken_up:
                    return self._lost(taken_up)
                wire.send(connection, frame, files)
                return _fetch(connection, limits)[0]
        except _BROKEN:
            return self._lost(taken_up)

    def _connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            folder = os.open(self._folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                connection.connect(wire.address(folder, self._name))
            finally:
                os.close(folder)
        except BaseException:
            connection.close()
            raise
        return connection

    def _lost(self, taken_up: bool) -> JobResult:
        what = "during the job" if taken_up else "before it took up the job"
        tail = log_tail(self._folder / LOG_NAME)
        error = f"the server ended {what}" + (f"; it said: {tail}" if tail else "")
        return JobResult("lost", {}, (), error, None, 0.0, 0.0, 0)


class KeptJob:
    """One conversation with a job that stays between requests. For one thread at a time."""

    def __init__(self, client: Client, job: str, limits: Limits) -> None:
        """Made by ``Client.keep``."""
        self._client, self._job, self._limits = client, job, limits
        self._connection: socket.socket | None = None

    @property
    def alive(self) -> bool:
        """Whether the next request meets what earlier ones left in memory."""
        return self._connection is not None

    def ask(
        self, value: dict[str, Any], *, blobs: Sequence[bytes] = (), wall_s: float
    ) -> JobResult:
        """Send one request and wait for its answer; starts the job where it is not alive.

        After every status but ``done`` and ``failed``, and where there is no job of the name, the
        job has ended and its memory is gone: the next request starts a new one. Raises as
        ``Client.run`` does. Processor time and peak memory of an answer are of the job so far.
        """
        limits = replace(self._limits, wall_s=wall_s)
        request: dict[str, Any] = {"value": value, "wall_s": float(wall_s)}
        if self._connection is None:
            request = {"job": self._job, "value": value, "limits": limits.as_dict(), "keep": True}
        frame = wire.encode(request, blobs)
        if len(frame) > wire.REQUEST_BYTES_MAX:
            raise ValueError(f"a request of {len(frame)} bytes is above {wire.REQUEST_BYTES_MAX}")
        taken_up = self._connection is not None
        try:
            if self._connection is None:
                self._connection = self._client._connect()
                taken_up = self._connection.recv(1) == wire.HELLO
                if not taken_up:
                    raise wire.Closed(started=False)
            wire.send(self._connection, frame)
            result, answered = _fetch(self._connection, limits)
        except _BROKEN:
            result, answered = self._client._lost(taken_up), False
        except BaseException:
            self.close()
            raise
        if not answered or result.status not in ("done", "failed"):
            self.close()  # where the supervisor spoke itself, there is no job (any more)
        return result

    def close(self) -> None:
        """End the job and all it started."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


_BROKEN = (wire.Closed, wire.BadFrame, OSError, ValueError)


def _fetch(connection: socket.socket, limits: Limits) -> tuple[JobResult, bool]:
    """The next answer, and whether it is the job's own: one that a kept job survives."""
    most = limits.result_bytes + 4 * wire.FRAME_OVERHEAD_BYTES
    header, (framed,), _ = wire.receive(connection, most)
    return _result(header, framed, limits), header["status"] == "framed"


def log_tail(path: Path) -> str:
    """The last line of a server's stderr, which names the error; empty if there is none."""
    try:
        lines = path.read_text(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1].strip()[:_LOG_TAIL_CHARS] if lines else ""


def _result(header: dict[str, Any], framed: bytes, limits: Limits) -> JobResult:
    """The supervisor's word, and, where it says ``framed``, what the job's process wrote.

    A frame makes ``done``, ``failed``, or a ``limit`` that only the job met: memory refused to
    it, a file too long, a full scratch. No process outside can see these.
    """
    measured = (header["wall_s"], header["cpu_s"], header["peak_rss_bytes"])
    if header["status"] != "framed":
        return JobResult(header["status"], {}, (), header["error"], header["error_type"], *measured)
    try:
        inner, blobs = wire.decode(framed)
        if inner.get("ok") is True:
            value = inner.get("value")
            if not isinstance(value, dict):
                raise wire.BadFrame("has no value")
            return JobResult("done", value, blobs, None, None, *measured)
    except wire.BadFrame as error:
        return JobResult("crashed", {}, (), f"the job's result {error}", None, *measured)
    text, kind = str(inner.get("error")), str(inner.get("error_type"))
    limit = _ERRNO_LIMITS.get(number) if type(number := inner.get("errno")) is int else None
    if kind == "MemoryError":
        limit = "memory: above {memory_bytes} bytes of address space"
    if limit is not None:
        said = limit.format(**limits.as_dict())
        return JobResult("limit", {}, (), f"{said} ({kind}: {text})", kind, *measured)
    return JobResult("failed", {}, (), text, kind, *measured)


def sealed_copy(fd: int) -> int:
    """A read-only descriptor of an unchangeable memory copy of a file, whatever ``fd``'s offset.

    Handing over the file itself would let a job open /proc/self/fd/N again for writing, and would
    fail where it runs as another user. An already sealed memory file is not copied again.
    """
    with contextlib.suppress(OSError):
        if fcntl.fcntl(fd, fcntl.F_GET_SEALS) & _SEALS == _SEALS:
            return os.open(f"/proc/self/fd/{fd}", os.O_RDONLY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise ValueError(f"descriptor {fd} is no regular file; only those can be given to a job")
    flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
    try:
        copy = os.memfd_create("given", flags | _MFD_NOEXEC_SEAL)
    except OSError:
        copy = os.memfd_create("given", flags)
    try:
        at = 0
        while sent := os.sendfile(copy, fd, at, 1 << 30):
            at += sent
        fcntl.fcntl(copy, fcntl.F_ADD_SEALS, _SEALS)
        return os.open(f"/proc/self/fd/{copy}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(copy)
