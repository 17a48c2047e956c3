"""What callers of the room see: limits asked for, results given, and how good the walls are.

Plain frozen data only; nothing here starts a process or touches the system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

JobStatus = Literal["done", "failed", "crashed", "timeout", "limit", "lost"]
IsolationKind = Literal["bubblewrap", "landlock", "none"]
NetworkState = Literal["none", "tcp-denied", "open"]


class SandboxUnavailable(Exception):
    """No server can be had, or it ended before it was ready; the text says what to do next."""


@dataclass(frozen=True)
class Limits:
    """Ceilings of one job. Each is enforced from outside the job's own code."""

    wall_s: float
    """Seconds of real time from the job's fork to its result."""
    cpu_s: int
    """Whole seconds of processor time of one process (RLIMIT_CPU; children have their own)."""
    memory_bytes: int
    """Bytes of address space (RLIMIT_AS) of one process, what the server preloaded included:
    build123d preloaded takes about 0.9e9 before the job allocates anything."""
    file_bytes: int
    """Bytes of the largest single file the job may write (RLIMIT_FSIZE)."""
    result_bytes: int
    """Bytes of the whole result: its JSON header and all its blobs."""
    scratch_bytes: int
    """Bytes of the private /tmp, and again of the private /dev/shm. Landlock cannot enforce it."""

    def __post_init__(self) -> None:
        for name, value in self.as_dict().items():
            if not value > 0:
                raise ValueError(f"Limits.{name} must be above zero, not {value!r}")

    def as_dict(self) -> dict[str, Any]:
        """The limits as one JSON object, for the wire."""
        return {
            "wall_s": float(self.wall_s),
            "cpu_s": int(self.cpu_s),
            "memory_bytes": int(self.memory_bytes),
            "file_bytes": int(self.file_bytes),
            "result_bytes": int(self.result_bytes),
            "scratch_bytes": int(self.scratch_bytes),
        }


@dataclass(frozen=True)
class JobResult:
    """How one job ended.

    Times and memory are the supervisor's word, and so are ``timeout``, ``lost``, ``crashed`` and a
    ``limit`` of cpu or result. All else comes out of the job's own frame, which a hostile program
    can write: ``done`` with ``value`` and ``blobs``, ``failed`` with its text, and a ``limit`` of
    memory, file or scratch. Judge these as input, and never read more in them than that the job
    said so. Of a SIGKILL that is not its processor time's the supervisor says ``limit`` of memory:
    a guess, for a job can get killed otherwise.
    """

    status: JobStatus
    """``done``: the job function returned. ``failed``: it raised. ``crashed``: its process was
    killed by a signal, or ended without a result. ``timeout``: the wall ceiling. ``limit``:
    another ceiling, which ``error`` names first (cpu, memory, file, scratch or result).
    ``lost``: the server vanished, or could not build the walls of this job."""
    value: dict[str, Any]
    """The JSON object the job returned; empty unless ``done``."""
    blobs: tuple[bytes, ...]
    """The binary parts the job returned; empty unless ``done``."""
    error: str | None
    """What went wrong, in a line or a few; None if ``done``."""
    error_type: str | None
    """Class name of the exception of a ``failed`` job (or of the one that showed a limit)."""
    wall_s: float
    """Seconds from fork to end."""
    cpu_s: float
    """Seconds of processor time, user and system, of the job and the children it waited for."""
    peak_rss_bytes: int
    """Bytes of the largest resident set of any one of its processes, preloaded pages included."""


@dataclass(frozen=True)
class Isolation:
    """How well jobs are shut in."""

    kind: IsolationKind
    version: str | None
    """``0.11.0`` of bubblewrap, ``ABI 7`` of Landlock."""
    network: NetworkState
    formal: bool
    """Whether a formal run may use it: bubblewrap only."""
    why: str
    """Why it is not better, in one line; empty for bubblewrap."""
