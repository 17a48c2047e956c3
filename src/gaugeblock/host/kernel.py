"""The host's way into the sandbox: jobs with limits, faults told apart from rejections."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gaugeblock.host.built import TAMPERED, Built, read_built
from gaugeblock.host.diagnostics import CallerLeft, HostFault, PlanRejected
from gaugeblock.host.main import PROGRAM_S
from gaugeblock.sandbox import Client, JobResult, KeptJob, Limits

CHECK_S = 120.0
"""Wall time of one evaluation (suite growth's bound)."""
HELP_S = 20.0
"""Wall time of a look-up, which reads docstrings only."""
MEMORY_BYTES = 6 << 30
"""Address space: the kernel's libraries alone map 2 GB."""
SHAPE_BYTES = 128 << 20
"""Largest serialised result; a 20,000-face part takes some 30 MB."""
SCRATCH_BYTES = 256 << 20
MAX_FACES = 20_000
"""A hundred times the largest case; beyond it checks and exports take minutes."""

MESSAGE_CHARS = 600
"""Length of a sandbox's message handed on to the agent."""


def _limits(wall_s: float) -> Limits:
    return Limits(
        wall_s=wall_s,
        cpu_s=int(wall_s * 2),  # two cores' worth: the wall limit is the one meant to bind
        memory_bytes=MEMORY_BYTES,
        file_bytes=SHAPE_BYTES,
        result_bytes=SHAPE_BYTES,
        scratch_bytes=SCRATCH_BYTES,
    )


@dataclass
class Spent:
    """What a plan cost the host so far."""

    preview_s: float = 0.0
    validate_s: float = 0.0
    commit_s: float = 0.0
    peak_rss_bytes: int = 0

    def value(self) -> dict[str, Any]:
        """Return the figures for a tool result."""
        return {
            "preview_s": round(self.preview_s, 6),
            "validate_s": round(self.validate_s, 6),
            "commit_s": round(self.commit_s, 6),
            "peak_rss_bytes": self.peak_rss_bytes,
        }


@dataclass
class Kernel:
    """Runs the worker's jobs in the sandbox behind ``socket``."""

    socket: Path
    program_s: float = PROGRAM_S
    spent: Spent = field(default_factory=Spent)
    left: threading.Event = field(default_factory=threading.Event)

    def start_account(self, left: threading.Event) -> None:
        """Begin a new account of time and memory; called at the start of each tool call.

        Args:
            left: set by somebody else once the caller no longer waits for the answer.
        """
        self.spent, self.left = Spent(), left

    def require_caller(self) -> None:
        """Raise CallerLeft if nobody waits for the answer any more."""
        if self.left.is_set():
            raise CallerLeft

    def build(
        self, program: str, parameters: dict[str, int | float]
    ) -> tuple[Built, tuple[bytes, ...]]:
        """Run a program; return what it described and one B-rep an object.

        Raises:
            PlanRejected: the program fails, takes too long or makes nothing.
            HostFault: the sandbox is gone.
        """
        begun = time.monotonic()
        result = self._run(
            "build", {"program": program, "parameters": parameters}, (), self.program_s
        )
        self.spent.preview_s += time.monotonic() - begun
        if result.status != "done":
            raise _program_failure(result, self.program_s)
        return read_built(result.value, len(result.blobs)), result.blobs

    def check(self, names: list[str], breps: tuple[bytes, ...]) -> list[dict[str, Any]]:
        """Return the facts of each object, taken where no model code ran.

        Raises:
            PlanRejected: an object has no solid, too many faces, or a fault in its boundary.
        """
        begun = time.monotonic()
        result = self._checked("check", {"names": names, "max_faces": MAX_FACES}, breps)
        self.spent.validate_s += time.monotonic() - begun
        for fault in result.value["faults"]:
            raise PlanRejected(fault["code"], fault["message"])
        objects: list[dict[str, Any]] = result.value["objects"]
        return objects

    def same(self, pairs: list[tuple[bytes, bytes]]) -> list[dict[str, Any]]:
        """Return for each pair (before, after) whether the shapes are the same."""
        begun = time.monotonic()
        blobs = tuple(blob for pair in pairs for blob in pair)
        result = self._checked("same", {}, blobs)
        self.spent.validate_s += time.monotonic() - begun
        compared: list[dict[str, Any]] = result.value["pairs"]
        return compared

    def export(
        self, objects: list[dict[str, Any]], breps: tuple[bytes, ...], timestamp: str
    ) -> bytes:
        """Return the STEP file of the objects."""
        begun = time.monotonic()
        value = {"objects": objects, "timestamp": timestamp}
        result = self._checked("export", value, breps)
        self.spent.commit_s += time.monotonic() - begun
        return result.blobs[0]

    def help(self, job: str, value: dict[str, Any]) -> dict[str, Any]:
        """Run one of the jobs that only read: look_up, signatures, about."""
        result = self._run(job, value, (), HELP_S)
        if result.status != "done":
            raise HostFault(f"{job}: {result.status}: {result.error}")
        return result.value

    def keep(self, job: str, life_cpu_s: int) -> KeptJob:
        """Return a job that stays from call to call, with the processor time of its whole life."""
        limits = replace(_limits(CHECK_S), cpu_s=life_cpu_s)
        return Client(self.socket).keep(job, limits)

    def note(self, result: JobResult) -> None:
        """Enter a job's memory into the account.

        Raises:
            HostFault: the sandbox is gone.
        """
        self.spent.peak_rss_bytes = max(self.spent.peak_rss_bytes, result.peak_rss_bytes)
        if result.status == "lost":
            raise HostFault(f"the sandbox is gone: {result.error}")

    def _checked(self, job: str, value: dict[str, Any], blobs: tuple[bytes, ...]) -> JobResult:
        """Run a job on shapes; a shape that breaks it is not valid."""
        result = self._run(job, value, blobs, CHECK_S)
        if result.status == "timeout":
            raise PlanRejected(
                "timeout",
                f"checking the result took longer than {CHECK_S:g} s",
                repair="Make the result simpler: fewer faces, no almost coinciding surfaces.",
            )
        if result.status == "limit":
            raise PlanRejected("limit", f"checking the result passed a limit: {result.error}")
        if result.status != "done":
            said = (result.error or "").strip()[:MESSAGE_CHARS] or result.error_type
            raise PlanRejected("not-valid", f"the result cannot be checked: {said}")
        return result

    def _run(
        self, job: str, value: dict[str, Any], blobs: tuple[bytes, ...], wall_s: float
    ) -> JobResult:
        self.require_caller()
        result = Client(self.socket).run(job, value, blobs=blobs, limits=_limits(wall_s))
        self.note(result)
        return result


def _program_failure(result: JobResult, program_s: float) -> PlanRejected:
    """Return the diagnostic of a program whose process gave no answer."""
    said = (result.error or "")[:MESSAGE_CHARS]
    if result.status == "timeout":
        return PlanRejected("timeout", f"the program ran longer than {program_s:g} s")
    if result.status == "limit":
        return PlanRejected("limit", f"the program passed a limit: {said}")
    if result.status == "failed":
        return PlanRejected(
            "runtime", f"the program broke its surroundings: {said}", None, TAMPERED
        )
    if said.startswith("SIG"):
        return PlanRejected(
            "runtime",
            f"the geometry kernel crashed ({said})",
            repair="Build the shape in another way: a degenerate, touching or self-crossing "
            "profile is the usual cause.",
        )
    return PlanRejected("runtime", f"the program's process gave no result: {said}", None, TAMPERED)
