"""A program shut in: its view, its limits, and the relay that stands before one that is not ours.

    caller ── pipes ── relay (relay.py, outside, trusted: bounds all that comes out)
                       └─ bubblewrap           no network, read-only view, one writable folder
                          └─ main() below      sets the limits, becomes the program

Only bubblewrap will do: Landlock cannot bound what is written, and leaves the network.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import bubblewrap, job, seccomp, stage, view
from .contract import SandboxUnavailable
from .server import available_isolation
from .view import ENVIRONMENT, PACKAGE_NAME, PACKAGE_PARENT, SHOWN

WORK = "/work"
"""The one writable folder that lasts, as the program sees it."""

PROCESSES_MAX = 512
"""Processes and threads together; a kernel with its threads and a few workers has some dozens."""

OPEN_FILES_MAX = 1024

SCRATCH_BYTES = 1 << 30
"""Of /tmp, and again of /dev/shm."""

FILE_BYTES = 1 << 30
"""The largest file it may write."""

# Local sockets are wanted by many runtimes, and no others lead anywhere: there is no network.
_LET_THROUGH = frozenset({"socket"})

_WALLS = ("--unshare-all", "--new-session", "--clearenv", "--cap-drop", "ALL")


@dataclass(frozen=True)
class Mount:
    """A folder or file of the caller's that a program sees besides its work.

    Attributes:
        source: where it is outside; a folder or file, or a listening local socket.
        inside: where it appears, such as ``/drawing``; outside every other thing that is shown.
        writable: whether the program may change it; what it changes outlives it.
    """

    source: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True)
class Program:
    """What is to be run.

    Attributes:
        command: program and arguments, as they are named inside.
        work: folder outside that appears as ``WORK``; the only place whose files outlive it.
        environment: its virtual environment, at ``ENVIRONMENT`` inside.
        shown: a folder or file of its own, at or in ``SHOWN``.
        variables: all of its environment besides HOME, LANG and PATH.
        memory_bytes: address space of each of its processes.
        rooms: of this package, which it sees beside the installed libraries; None: it is not ours,
            and sees neither.
        mounts: what else it sees.
    """

    command: Sequence[str]
    work: Path
    environment: Path | None = None
    shown: Path | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    memory_bytes: int = 8 << 30
    rooms: tuple[str, ...] | None = None
    mounts: tuple[Mount, ...] = ()

    def view(self) -> view.View:
        """Return what it sees besides its work and its mounts (ValueError: see view.py)."""
        if self.rooms is not None:
            return view.build(self.rooms, lean=True)
        return view.of_program(self.environment, self.shown)


def require_bubblewrap() -> None:
    """Raise SandboxUnavailable where a program that is not ours cannot be shut in."""
    isolation = available_isolation()
    if isolation.kind != "bubblewrap":
        raise SandboxUnavailable(
            f"no bubblewrap, and a server that is not ours runs in nothing less: {isolation.why}"
        )


def python_inside(environment: Path | None) -> str:
    """Return the interpreter that a program finds inside."""
    if environment is not None:
        return f"{ENVIRONMENT}/bin/python"
    return str(view.of_program(None, None).python)


def shown_inside(shown: Path) -> str:
    """Return where a folder or file appears inside."""
    return SHOWN if shown.is_dir() else f"{SHOWN}/{shown.name}"


def popen_arguments(program: Program) -> dict[str, Any]:
    """Return ``args`` and ``env`` of subprocess for the program behind its walls.

    Raises SandboxUnavailable without bubblewrap, and ValueError for an environment that is none.
    """
    require_bubblewrap()
    binary = bubblewrap.find()
    assert binary is not None
    launch = bubblewrap.Launch(binary)
    for mount in (Mount(program.work, WORK, writable=True), *program.mounts):
        _open_to_nobody(launch, mount)
    seen = program.view()
    folders = [*([f"{ENVIRONMENT}/bin"] if program.environment else []), "/usr/bin", "/bin"]
    inside = {"HOME": "/tmp", "LANG": "C.UTF-8", "PATH": ":".join(folders), **program.variables}
    args = [*_WALLS, "--die-with-parent", "--hostname", PACKAGE_NAME]
    for name, value in sorted(inside.items()):
        args += ["--setenv", name, value]
    for name, target in seen.links:
        args += ["--symlink", target, name]
    args += ["--proc", "/proc", "--dev", "/dev"]
    for scratch in ("/tmp", "/dev/shm"):
        args += ["--perms", "1777", "--size", str(SCRATCH_BYTES), "--tmpfs", scratch]
    args += ["--perms", "0755", "--tmpfs", PACKAGE_PARENT]
    args += bubblewrap.shown(launch, seen)
    args += launch.bind(program.work, WORK, writable=True)
    for mount in program.mounts:
        args += launch.bind(mount.source.resolve(), mount.inside, writable=mount.writable)
    for folder in (PACKAGE_PARENT, "/dev", "/"):
        args += ["--remount-ro", folder]
    limits = {"memory_bytes": program.memory_bytes, "command": list(program.command)}
    start = f"import sys; sys.path.insert(0, {PACKAGE_PARENT!r}); "
    start += f"from {PACKAGE_NAME}.sandbox.confined import main; main()"
    command = [str(seen.python), "-I", "-S", "-B", "-c", start, json.dumps(limits)]
    return launch.popen_arguments([*args, "--chdir", WORK, "--", *command])


def _open_to_nobody(launch: bubblewrap.Launch, mount: Mount) -> None:
    """Let a program that is started by root, and is nobody then, use what it is given."""
    if not launch.by_stage:
        return
    if mount.source.is_socket():  # its folder keeps others away; who connects must write to it
        mount.source.chmod(0o666)
    elif mount.writable:
        os.chown(mount.source, stage.NOBODY, stage.NOBODY)


def main() -> None:
    """Set the limits, then become the program. Runs inside."""
    plan = json.loads(sys.argv[1])
    with contextlib.suppress(OSError):
        job.offer_to_the_out_of_memory_killer()
    for which, most in (
        (resource.RLIMIT_AS, plan["memory_bytes"]),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES_MAX),
        (resource.RLIMIT_NPROC, PROCESSES_MAX),
    ):
        hard = resource.getrlimit(which)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (least, least))
    with contextlib.suppress(OSError):  # where it cannot be had, bubblewrap stands alone
        seccomp.deny_needless_calls(_LET_THROUGH)
    try:
        os.execvp(plan["command"][0], plan["command"])
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        sys.exit(f"{plan['command'][0]!r} cannot be run: {why}")
