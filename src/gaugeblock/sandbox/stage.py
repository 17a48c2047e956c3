"""How root steps aside: a short-lived process that becomes nobody, then bubblewrap.

A process of the machine's root, even without any capability, may write /proc/sys and escapes
RLIMIT_NPROC; so a server started by root runs as nobody. Nobody may not be able to reach what is
to be shown (an interpreter under /root, mode 0700), so root first binds every source to a place
open to all, in a mount namespace of this process alone.

Runs as ``main()`` with PLAN as the only argument a JSON object: ``binds`` (pairs
of an outer path and the place below STAGE where it appears) and ``command`` (a list).
"""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

from . import namespaces

NOBODY = 65534

# Covered by a tmpfs in the mount namespace of this process only, so it may be anything that exists.
STAGE = Path("/tmp")


def needed() -> bool:
    """Whether this process is root of the machine, or of a container with ordinary users."""
    if os.geteuid() != 0:
        return False
    with open("/proc/self/uid_map") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    return any(first <= NOBODY < first + count for first, _, count in ranges)


def main() -> None:
    """Bind, step aside, become the command."""
    plan = json.loads(sys.argv[1])
    namespaces.unshare(namespaces.CLONE_NEWNS)
    namespaces.make_mounts_private()
    # Opened in this mount namespace (another's cannot be bound), before STAGE covers any of them.
    opened = [os.open(source, os.O_PATH | os.O_CLOEXEC) for source, _ in plan["binds"]]
    namespaces.mount_tmpfs(str(STAGE), "mode=0755")
    for (_, place), fd in zip(plan["binds"], opened, strict=True):
        Path(place).parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            Path(place).mkdir(mode=0o755)
        else:
            Path(place).touch()
        namespaces.bind(f"/proc/self/fd/{fd}", place)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.execve(plan["command"][0], plan["command"], {})
