"""One process a connection, trusted: read the request, fork the job, watch it, answer.

A kept job answers one request after the other until its client leaves, each with its own clock.

It never runs code of a job and never parses what a job wrote. What it tells of the end of a job by
itself comes from the kernel; of a whole frame it tells no more than that there is one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import job, namespaces, wire

# Seconds a client may take to send its request, or to fetch its answer.
_CLIENT_TIMEOUT_S = 120.0

# The largest pipe an unprivileged process may ask for by default: fewer turns for a large result.
_PIPE_BYTES = 1 << 20

# A job killed with at least this share of its processor ceiling used was killed for it: the kernel
# compares another, coarser clock than the one it reports, and they part on a busy machine.
_CPU_SHARE = 0.7

# Milliseconds between two looks when only the deadline is awaited; poll() takes no longer times.
_POLL_MS_MAX = 60_000


@dataclass
class _Outcome:
    """What happened, before it is put in words."""

    data: bytearray
    whole: bool = False
    garbage: bool = False
    too_long: bool = False
    late: bool = False
    deserted: bool = False


def serve(
    connection: socket.socket,
    jobs: Mapping[str, job.JobFunction],
    config: dict[str, Any],
    zygote: int,
) -> None:
    """Serve one connection to its end. Runs in a process of its own, a child of ``zygote``.

    The server's lifeline, ``config["owner"]``, ends the job as the client's leaving does.
    """
    namespaces.die_with_parent()
    if os.getppid() != zygote:
        return  # it died before this one could be tied to it
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    connection.settimeout(_CLIENT_TIMEOUT_S)
    connection.sendall(wire.HELLO)
    try:
        request, blobs, files = wire.receive(connection, wire.REQUEST_BYTES_MAX)
    except (wire.Closed, OSError):
        return
    function = jobs.get(request["job"])
    if function is None:
        names = ", ".join(sorted(jobs))
        _answer(connection, "failed", f"no job {request['job']!r}; there are: {names}", "KeyError")
        return
    scratch = "/tmp"
    if config["kind"] == "bubblewrap":
        namespaces.enter_job_namespaces()
    else:
        namespaces.adopt_orphans()
        scratch = tempfile.mkdtemp(prefix="job-", dir=config["scratch"])
    try:
        read_fd, write_fd = os.pipe()
        with contextlib.suppress(OSError):
            fcntl.fcntl(read_fd, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        walls_fd, told_fd = os.pipe()
        asks = os.pipe() if request.get("keep") else None
        proc_fd = os.open("/proc", os.O_PATH | os.O_CLOEXEC)  # the job lays its own over it
        begun = time.monotonic()
        pid = os.fork()
        if pid == 0:
            ask_fd = asks[0] if asks else None
            job.run(function, request, blobs, files, write_fd, told_fd, config, scratch, ask_fd)
        try:
            os.close(write_fd)
            os.close(told_fd)
            ties = (connection.fileno(), config["owner"])
            outcome = _watch(pid, read_fd, ties, request["limits"], begun)
            if asks:
                os.close(asks[0])
                os.set_blocking(asks[1], False)
            while asks and outcome.whole:  # a kept job: answer, and wait for what is asked next
                wall_s = time.monotonic() - begun
                frame, spent = bytes(outcome.data), _spent(proc_fd, pid)
                _answer(connection, "framed", None, None, frame, wall_s, *spent)
                ask = _next_ask(connection, config["owner"])
                if ask is None:
                    outcome = _Outcome(bytearray(), deserted=True)
                    break
                request["limits"]["wall_s"], begun = ask[0], time.monotonic()
                outcome = _watch(pid, read_fd, ties, request["limits"], begun, (asks[1], ask[1]))
        finally:  # a further request that is none, too, must leave nothing running
            status, usage = _end(pid, config["kind"])
            wall_s = time.monotonic() - begun
    finally:
        if scratch != "/tmp":
            shutil.rmtree(scratch, ignore_errors=True)
    if outcome.deserted:
        return
    cpu_s = usage.ru_utime + usage.ru_stime
    unbuilt = _said(walls_fd)
    verdict, error = _judge(outcome, status, cpu_s, request["limits"], unbuilt)
    _answer(
        connection,
        verdict,
        error,
        None,
        bytes(outcome.data) if verdict == "framed" else b"",
        wall_s=wall_s,
        cpu_s=cpu_s,
        peak_rss_bytes=usage.ru_maxrss * 1024,
    )


def _end(pid: int, kind: str) -> tuple[int, resource.struct_rusage]:
    """End a job and all that it started; its exit status and what it used."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    if kind != "bubblewrap":
        _kill_descendants()
    return status, usage


def _said(walls_fd: int) -> str:
    """Why the walls of a job that ended could not be built; empty: they stood.

    A job holds the other end of this pipe until they stand, so that all is said by now.
    """
    os.set_blocking(walls_fd, False)
    try:
        return os.read(walls_fd, _PIPE_BYTES).decode(errors="replace")
    except BlockingIOError:
        return ""


def _next_ask(connection: socket.socket, owner: int) -> tuple[float, bytes] | None:
    """Wait for a further request to a kept job: its wall time and frame, None once nobody asks.

    Raises BadFrame for what is no request: it ends the job, and the server's log says why.
    """
    poll = select.poll()
    poll.register(connection, select.POLLIN | select.POLLRDHUP)
    poll.register(owner, select.POLLRDHUP)
    ready = dict(poll.poll())
    if owner in ready:
        return None
    try:
        request, blobs, _ = wire.receive(connection, wire.REQUEST_BYTES_MAX)
    except (wire.Closed, OSError):
        return None
    return request["wall_s"], wire.encode({"value": request["value"]}, blobs)


def _spent(proc_fd: int, pid: int) -> tuple[float, int]:
    """Processor seconds and largest resident set (bytes) of a child so far.

    Of one that has ended meanwhile the kernel tells no memory: 0 then.
    """
    stat = _read(proc_fd, f"{pid}/stat").rpartition(")")[2].split()
    ticks = int(stat[11]) + int(stat[12])  # user and system time: fields 14 and 15 of proc(5)
    lines = _read(proc_fd, f"{pid}/status").splitlines()
    peak_kib = next((line.split()[1] for line in lines if line.startswith("VmHWM:")), "0")
    return ticks / os.sysconf("SC_CLK_TCK"), int(peak_kib) * 1024


def _read(folder_fd: int, name: str) -> str:
    with open(os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder_fd)) as file:
        return file.read()


def _watch(
    pid: int,
    read_fd: int,
    ties: tuple[int, int],
    limits: dict[str, Any],
    begun: float,
    ask: tuple[int, bytes] | None = None,
) -> _Outcome:
    """Wait for a whole frame, the job's end, the deadline, or a hang-up of one of ``ties``.

    ``ask``: the pipe to a kept job and the frame to write there meanwhile. A job need not read it.
    """
    ended = os.pidfd_open(pid)
    try:
        return _watched(ended, read_fd, ties, limits, begun, ask)
    finally:
        os.close(ended)


def _watched(
    ended: int,
    read_fd: int,
    ties: tuple[int, int],
    limits: dict[str, Any],
    begun: float,
    ask: tuple[int, bytes] | None,
) -> _Outcome:
    outcome = _Outcome(bytearray())
    ask_fd, unsent = (ask[0], memoryview(ask[1])) if ask else (-1, memoryview(b""))
    most = limits["result_bytes"] + wire.FRAME_OVERHEAD_BYTES
    os.set_blocking(read_fd, False)
    poll = select.poll()
    poll.register(read_fd, select.POLLIN)
    poll.register(ended, select.POLLIN)
    for tie in ties:
        poll.register(tie, select.POLLRDHUP)
    if ask:
        poll.register(ask_fd, select.POLLOUT)
    while True:
        left = begun + limits["wall_s"] - time.monotonic()
        if left <= 0:
            outcome.late = True
            return outcome
        ready = dict(poll.poll(min(left * 1000 + 1, _POLL_MS_MAX)))
        if any(tie in ready for tie in ties):
            outcome.deserted = True
            return outcome
        if ask_fd in ready:
            try:
                unsent = unsent[os.write(ask_fd, unsent) :]
            except BrokenPipeError:  # it ended; how, the descriptors above will tell
                unsent = memoryview(b"")
            if not unsent:
                poll.unregister(ask_fd)
        if read_fd in ready and _drain(read_fd, outcome, most):
            poll.unregister(read_fd)
        if outcome.whole or outcome.garbage or outcome.too_long:
            return outcome
        if ended in ready:
            _drain(read_fd, outcome, most)
            return outcome


def _drain(read_fd: int, outcome: _Outcome, most: int) -> bool:
    """Take what the pipe holds; True once nothing more can come."""
    while not (outcome.whole or outcome.garbage or outcome.too_long):
        try:
            part = os.read(read_fd, _PIPE_BYTES)
        except BlockingIOError:
            return False
        if not part:
            return True
        outcome.data += part
        try:
            total = wire.frame_bytes(outcome.data)
        except wire.BadFrame:
            outcome.garbage = True
            return True
        outcome.too_long = max(len(outcome.data), total or 0) > most
        outcome.whole = total is not None and len(outcome.data) >= total
        if outcome.whole:
            del outcome.data[total:]
    return True


def _judge(
    outcome: _Outcome, status: int, cpu_s: float, limits: dict[str, Any], unbuilt: str
) -> tuple[str, str | None]:
    """Status and error. ``framed``: the client finds out in the job's own frame how it ended."""
    exited = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if unbuilt:
        return "lost", f"the walls of the job could not be built: {unbuilt}"
    if outcome.too_long:
        return "limit", f"result: above {limits['result_bytes']} bytes"
    if outcome.whole:
        return "framed", None
    if outcome.garbage:
        return "crashed", "the job wrote something that is no result"
    if outcome.late:
        return "timeout", f"no result within {limits['wall_s']:g} s"
    if number in (signal.SIGKILL, signal.SIGXCPU) and cpu_s >= limits["cpu_s"] * _CPU_SHARE:
        return "limit", f"cpu: above {limits['cpu_s']} s of processor time"
    if number == signal.SIGKILL:
        return "limit", "memory: killed by the kernel, most likely for want of memory"
    if exited == job.EXIT_ABORT:
        number = int(signal.SIGABRT)
    if number:
        return "crashed", f"{signal.Signals(number).name}: {signal.strsignal(number)}"
    return "crashed", f"ended with exit status {exited} and no result"


def _answer(
    connection: socket.socket,
    status: str,
    error: str | None,
    error_type: str | None = None,
    frame: bytes = b"",
    wall_s: float = 0.0,
    cpu_s: float = 0.0,
    peak_rss_bytes: int = 0,
) -> None:
    header = {
        "status": status,
        "error": error,
        "error_type": error_type,
        "wall_s": wall_s,
        "cpu_s": cpu_s,
        "peak_rss_bytes": peak_rss_bytes,
    }
    with contextlib.suppress(OSError):
        wire.send(connection, wire.encode(header, [frame]))


def _kill_descendants() -> None:
    """End all that a job left, where no pid namespace does it: orphans come to this process."""
    while True:
        with open("/proc/thread-self/children") as file:
            children = [int(text) for text in file.read().split()]
        if not children:
            return
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)
