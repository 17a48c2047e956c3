"""Pid 1 of a job: build the walls, run the function, write one frame. The only hostile code."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import select
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from . import landlock, namespaces, seccomp, wire

JobFunction = Callable[[dict[str, Any], list[bytes], list[int]], tuple[dict[str, Any], list[bytes]]]

# Exit status of a job's first process that means SIGABRT to its supervisor.
EXIT_ABORT = int(signal.SIGABRT)

# Processes and threads of one job: a thread pool on a large machine fits, a fork bomb does not.
PROCESSES_MAX = 256

# Descriptors of one process.
_OPEN_FILES_MAX = 512

# One byte: the kernel then neither writes a core file nor starts a core-dump program.
_CORE_BYTES = 1

# Characters of an exception's text.
_ERROR_CHARS_MAX = 4000


def run(
    function: JobFunction,
    request: dict[str, Any],
    blobs: Sequence[bytes],
    files: Sequence[int],
    result_fd: int,
    walls_fd: int,
    config: dict[str, Any],
    scratch: str,
    ask_fd: int | None = None,
) -> NoReturn:
    """Never returns. ``config`` is the server's, ``scratch`` the folder this job may write.

    ``walls_fd``: a pipe that says why the walls could not be built. It is closed once they stand,
    so that nothing hostile can say so.

    With ``ask_fd``, a pipe of further requests, the job is a kept one: it answers until it ends.
    """
    try:
        try:
            asks = set() if ask_fd is None else {ask_fd}
            _shut_in(request["limits"], config, scratch, {result_fd, walls_fd, *files, *asks})
            _require_supervisor(result_fd)
        except BaseException as error:
            _write(walls_fd, f"{type(error).__name__}: {error}".encode()[:_ERROR_CHARS_MAX])
            os._exit(1)
        os.close(walls_fd)
        _write(result_fd, _answer(function, request["value"], blobs, files))
        while ask_fd is not None:
            request, blobs = wire.read(ask_fd)
            _write(result_fd, _answer(function, request["value"], blobs, files))
        os._exit(0)
    finally:
        os._exit(1)  # whatever a hostile program raises now: never back into the server's code


def _answer(
    function: JobFunction, value: dict[str, Any], blobs: Sequence[bytes], files: Sequence[int]
) -> bytes:
    """The frame of what a function returned or raised."""
    try:
        value, out = function(value, list(blobs), list(files))
        if not isinstance(value, dict):
            raise TypeError(f"the job returned a {type(value).__name__}, not a JSON object")
        return wire.encode({"ok": True, "value": value}, out)
    except BaseException as error:
        return _failure(error)


def _failure(error: BaseException) -> bytes:
    try:
        text = str(error)[:_ERROR_CHARS_MAX]
    except BaseException:  # a hostile __str__
        text = ""
    number = error.errno if isinstance(error, OSError) else None
    header = {
        "ok": False,
        "error": text,
        "error_type": type(error).__name__,
        "errno": number if type(number) is int else None,
    }
    return wire.encode(header)


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(fd, view) :]
    except OSError:
        os._exit(1)  # the supervisor left, or the job closed its own pipe


def _shut_in(limits: dict[str, Any], config: dict[str, Any], scratch: str, keep: set[int]) -> None:
    """Build every wall of this job. Raises if one that the server promised cannot be had."""
    bubblewrap = config["kind"] == "bubblewrap"
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _close_all_but(keep)
    namespaces.set_dumpable(True)  # or its own /proc/self would belong to root
    offer_to_the_out_of_memory_killer()
    if bubblewrap:
        namespaces.mount_job_view(limits["scratch_bytes"])
        namespaces.exit_on_abort(EXIT_ABORT)
    namespaces.no_new_privileges()
    namespaces.drop_capabilities()
    if config["kind"] == "landlock":
        read = [Path(path) for path in config["read"]]
        listing = [Path(path) for path in config["listing"]]
        landlock.restrict(
            read=[*read, Path("/proc/self"), *_MACHINE_FACTS],
            listing=listing,
            write=[Path(scratch), *DEVICES],
        )
    with contextlib.suppress(OSError):
        seccomp.deny_needless_calls()
    namespaces.die_with_parent()
    os.chdir(scratch)
    os.environ["HOME"] = os.environ["TMPDIR"] = scratch
    tempfile.tempdir = None
    _set_limits(limits, own_count=bubblewrap)
    gc.collect(0)


# What libraries ask about the machine, where the rest of /proc is denied.
_MACHINE_FACTS = (
    *(Path(f"/proc/{name}") for name in ("loadavg", "meminfo", "cpuinfo", "stat")),
    Path("/sys/devices/system/cpu"),
)

DEVICES = tuple(Path(f"/dev/{name}") for name in ("null", "zero", "full", "random", "urandom"))


def _close_all_but(keep: set[int]) -> None:
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    first = 3
    for fd in sorted(keep):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, 1 << 20)
    # Streams of the server hold buffers and other encodings; the job starts with clean ones.
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False)


def _require_supervisor(result_fd: int) -> None:
    """End if the supervisor died before this process was tied to it: nobody reads the pipe."""
    poll = select.poll()
    poll.register(result_fd, 0)
    if poll.poll(0):
        os._exit(1)


def offer_to_the_out_of_memory_killer() -> None:
    """Be the first to go when the machine runs out of memory."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def _set_limits(limits: dict[str, Any], own_count: bool) -> None:
    """The ceilings. ``own_count``: this job's user namespace counts its processes apart."""
    processes = PROCESSES_MAX
    if not own_count:
        with open("/proc/loadavg") as file:  # "0.1 0.2 0.3 running/all last-pid"
            processes += int(file.read().split()[3].split("/")[1])
    for which, most in (
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_CPU, limits["cpu_s"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_CORE, _CORE_BYTES),
        (resource.RLIMIT_NOFILE, _OPEN_FILES_MAX),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ):
        hard = resource.getrlimit(which)[1]
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(which, (most, most))
