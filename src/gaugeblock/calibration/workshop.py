"""The parent's side of the calibration's sandbox: parts and mutants made in killable forks."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Self

from gaugeblock.calibration.mutation.places import Place, Vector, Winding
from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.sandbox import Client, JobResult, Limits, SandboxUnavailable, WarmServer

ENTRY = "gaugeblock.calibration.worker"
ROOMS = (
    "sandbox",
    "calibration/worker.py",
    "calibration/mutation",
    "calibration/feature_parts",
    "ruler",
    "records",
)
"""Formulas and suites stay out of sight. The ruler's reader gives names and places of bodies; none
of its figures is used. The feature parts' ridge is what threads are wound of."""

MEMORY_BYTES = 6 << 30
"""Address space of one job: the kernel's libraries alone map 2 GB."""

FILE_BYTES = 256 << 20
"""Largest file written or returned."""

WARM_S = 180.0
"""The worker imports build123d in 3–9 s; on a loaded machine it may take much longer."""


@dataclass(frozen=True)
class Made:
    """One mutant, or why there is none."""

    name: str
    kind: str
    data: bytes | None
    differs: tuple[str, ...]
    """Elements of the independent signature that differ from the reference's."""
    reason: str
    """Why there is no mutant; empty otherwise."""


@dataclass(frozen=True)
class Survey:
    """The mutations that a part offers."""

    specs: tuple[dict[str, Any], ...]
    left_out: dict[str, int]
    signature: dict[str, Any]
    reference: bytes
    """The reference written as its mutants are; the one to compare them with."""


class Workshop:
    """Makes parts and mutants. A context manager; thread-safe.

    Args:
        wall_s: time ceiling of one part or mutant, s.
    """

    def __init__(self, wall_s: float = 60.0) -> None:
        self.wall_s = wall_s
        self._server = WarmServer(entry=ENTRY, rooms=ROOMS, name="calibration")

    def __enter__(self) -> Self:
        try:
            self._server.start()
            self._server.wait_ready(WARM_S)
        except SandboxUnavailable as error:
            self._server.close()
            raise WrongUse(f"calibrate: {error}") from error
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()

    def build(self, program: str, parameters: dict[str, float]) -> bytes:
        """Return the STEP file of a program's part.

        Raises:
            CouldNotMeasure: the program makes no part.
        """
        result = self._run("program", {"program": program, "parameters": parameters}, ())
        refused = result.value.get("refused") if result.status == "done" else _why(result)
        if refused:
            raise CouldNotMeasure(f"the program makes no part: {refused}")
        return result.blobs[0]

    def survey(self, reference: bytes, most: int) -> Survey:
        """Return the mutations a reference offers.

        Raises:
            CouldNotMeasure: the file cannot be read.
        """
        result = self._run("survey", {"most": most}, (reference,))
        refused = result.value.get("refused") if result.status == "done" else _why(result)
        if refused:
            raise CouldNotMeasure(f"no mutants can be made: {refused}")
        value = result.value
        return Survey(
            tuple(value["specs"]),
            dict(value["left_out"]),
            dict(value["signature"]),
            result.blobs[0],
        )

    def mutate(self, survey: Survey, spec: dict[str, Any]) -> Made:
        """Make one mutant; whatever the kernel does, an answer comes back."""
        value = {"spec": spec, "signature": survey.signature}
        result = self._run("mutate", value, (survey.reference,))
        kind = str(spec["kind"])
        if result.status != "done":
            return Made(str(spec["name"]), kind, None, (), _why(result))
        name, reason = str(result.value["name"]), result.value.get("not_applicable")
        if reason is not None:
            return Made(name, kind, None, (), str(reason))
        differs = tuple(result.value["differs"])
        return Made(name, kind, result.blobs[0], differs, "")

    def rewind(
        self, reference: bytes, name: str, kind: str, body: int, place: Place, winding: Winding
    ) -> Made:
        """Wind another thread in the place of one; whatever the kernel does, an answer comes back.

        Args:
            reference: the file that has the thread.
            name: what is done, in words.
            kind: sort of mutation.
            body: index of the thread's solid.
            place: where the thread is.
            winding: what is wound there.
        """
        value = {"place": asdict(place), "winding": asdict(winding), "body": body}
        result = self._run("rewound", value, (reference,))
        if result.status != "done":
            return Made(name, kind, None, (), _why(result))
        if "not_applicable" in result.value:
            return Made(name, kind, None, (), str(result.value["not_applicable"]))
        data = result.blobs[0]
        return Made(name, kind, data, self.differs(reference, data), "")

    def turn(self, reference: bytes, axis: Vector, degrees: float, shift: Vector) -> bytes:
        """Return a file's part turned about an axis through the origin and moved, mm.

        Raises:
            CouldNotMeasure: it cannot be made.
        """
        value = {"axis": axis, "degrees": degrees, "shift": shift}
        result = self._run("turned", value, (reference,))
        if result.status != "done":
            raise CouldNotMeasure(f"the part cannot be turned: {_why(result)}")
        return result.blobs[0]

    def differs(self, reference: bytes, other: bytes) -> tuple[str, ...]:
        """Return the elements of the independent signature in which two files differ."""
        result = self._run("compared", {}, (reference, other))
        if result.status != "done":
            raise CouldNotMeasure(f"two files cannot be compared: {_why(result)}")
        return tuple(result.value["differs"])

    def _run(self, job: str, value: dict[str, Any], blobs: tuple[bytes, ...]) -> JobResult:
        limits = Limits(
            wall_s=self.wall_s,
            cpu_s=math.ceil(2 * self.wall_s),
            memory_bytes=MEMORY_BYTES,
            file_bytes=FILE_BYTES,
            result_bytes=FILE_BYTES,
            scratch_bytes=FILE_BYTES,
        )
        return Client(self._server.socket_path).run(job, value, blobs=blobs, limits=limits)


def _why(result: JobResult) -> str:
    if result.status == "timeout":
        return "not made within the time ceiling"
    return f"{result.status}: {' '.join(str(result.error).split())[:160]}"
