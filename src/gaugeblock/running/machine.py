"""Which machine a run happened on, without naming it."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import psutil

from gaugeblock.records.base import digest
from gaugeblock.records.plan import Machine


def this_machine() -> Machine:
    """Return the machine's record; its id is a hash over hardware and system, not over a name."""
    facts = {
        "os": _os_name(),
        "cpu": _cpu_name(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": psutil.virtual_memory().total,
        "python": platform.python_version(),
    }
    return Machine.model_validate({"id": digest(facts)[:16], **facts})


def _os_name() -> str:
    release = platform.freedesktop_os_release() if Path("/etc/os-release").exists() else {}
    name = release.get("PRETTY_NAME", platform.system())
    return f"{name}, kernel {platform.release()}"


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()
