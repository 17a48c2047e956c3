"""The second kernel: the reference read by an older release of OpenCASCADE, in its own process.

Its environment is built on demand by uv from `second_kernel.txt` (hashes, no addresses) into the
user's cache, once; `GAUGEBLOCK_SECOND_KERNEL` names another one (its Python), or is `off`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaugeblock.calibration import pinned
from gaugeblock.calibration.records import KernelFigure, SecondKernel, Value, numbers
from gaugeblock.records.measurement import Measurement

OVERRIDE = "GAUGEBLOCK_SECOND_KERNEL"
OFF = "off"
PROBE = Path(__file__).with_name("second_kernel_probe.py")
PINNED = Path(__file__).with_name("second_kernel.txt")

VOLUME = 1e-6
"""Largest relative difference of the two volumes: the accuracy the ruler claims."""

BOUND = 1e-6
"""Largest difference of a bound, mm: suite growth's criterion. Splines are within 1e-7."""

START_S = 60.0
"""Longest time for its Python to import the kernel, s: 2 s were seen on busy cores."""

MEMORY_BYTES = 6 << 30
"""Address space of the probe."""


@dataclass(frozen=True)
class Environment:
    """Where the second kernel is, or why it is not."""

    python: Path | None
    version: str | None
    reason: str = ""


def find(*, build: bool = True) -> Environment:
    """Return the second kernel's environment, built if it is not there yet.

    Never raises: what fails is told in `reason`.
    """
    named = os.environ.get(OVERRIDE)
    if named == OFF:
        return Environment(None, None, f"{OVERRIDE}={OFF}")
    python = Path(named) if named else _place() / "bin" / "python"
    if python.is_dir():
        python = python / "bin" / "python"
    if not python.exists():
        if named:
            return Environment(None, None, f"{OVERRIDE}: no Python at {python.name}")
        if not build:
            return Environment(None, None, "it was never built")
        trouble = pinned.build(python.parent.parent, PINNED)
        if trouble:
            return Environment(None, None, trouble)
    version = _version(python)
    if version is None:
        return Environment(None, None, "its Python cannot import the kernel")
    return Environment(python, version)


def _place() -> Path:
    return pinned.place_of("second-kernel", PINNED.read_bytes())


def _version(python: Path) -> str | None:
    code = "import OCP; print(OCP.__version__)"
    try:
        done = _run([str(python), "-I", "-c", code], START_S)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _run(command: list[str], wall_s: float) -> subprocess.CompletedProcess[str]:
    """Run the second kernel's Python, shut off from the caller's environment and bounded."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=wall_s,
        check=False,
        env={"PATH": os.defpath},
        preexec_fn=bounded,
    )


@dataclass(frozen=True)
class Reference:
    """One file for both kernels."""

    data: bytes
    first: Measurement
    """What the ruler measured of it."""
    round_id: str | None = None


def agreement(
    environment: Environment, references: Sequence[Reference], *, wall_s: float
) -> tuple[SecondKernel, ...]:
    """Return how the two kernels agree on each reference; one process reads them all.

    Args:
        environment: see `find`.
        references: the files.
        wall_s: time ceiling of one file, s.
    """
    if environment.python is None:
        return tuple(
            SecondKernel(state="absent", round=item.round_id, reason=environment.reason)
            for item in references
        )
    found, reason = _asked(environment.python, [item.data for item in references], wall_s)
    if found is None:
        return tuple(
            SecondKernel(
                state="disagrees", version=environment.version, round=item.round_id, reason=reason
            )
            for item in references
        )
    return tuple(
        _compared(environment, item, solids) for item, solids in zip(references, found, strict=True)
    )


def _asked(
    python: Path, files: list[bytes], wall_s: float
) -> tuple[list[list[dict[str, Any]]] | None, str]:
    """Return the solids' facts of each file, or None and why there are none."""
    with tempfile.TemporaryDirectory(prefix="gaugeblock-second-") as folder:
        paths = [Path(folder) / f"{number}.step" for number in range(len(files))]
        for path, data in zip(paths, files, strict=True):
            path.write_bytes(data)
        command = [str(python), "-I", str(PROBE), *map(str, paths)]
        try:
            done = _run(command, START_S + wall_s * len(files))
            if done.returncode:
                return None, f"it failed: {pinned.last_line(done.stderr)}"
            found = json.loads(done.stdout)
        except (OSError, subprocess.TimeoutExpired, ValueError) as error:
            return None, f"it gave no answer: {type(error).__name__}"
    return found, ""


def _compared(
    environment: Environment, item: Reference, solids: list[dict[str, Any]]
) -> SecondKernel:
    figures = tuple(_figures(item.first, solids))
    wrong = [figure.figure for figure in figures if not figure.ok]
    return SecondKernel(
        state="disagrees" if wrong else "agrees",
        version=environment.version,
        round=item.round_id,
        figures=figures,
        reason=f"they differ in {', '.join(wrong)}" if wrong else "",
    )


def _figures(first: Measurement, second: list[dict[str, Any]]) -> list[KernelFigure]:
    totals = first.totals
    boxes = [solid["bounds"] for solid in second]
    joined = tuple(
        [min(box[i] for box in boxes) for i in range(3)]
        + [max(box[i + 3] for box in boxes) for i in range(3)]
    ) if boxes else ()  # fmt: skip
    one: dict[str, Value] = {
        "volume": totals.volume if totals else None,
        "bounds": (*totals.bounds.min, *totals.bounds.max) if totals and totals.bounds else None,
        "solids": totals.solids if totals else None,
        "faces": totals.faces if totals else None,
        "valid": totals.valid if totals else None,
    }
    other: dict[str, Value] = {
        "volume": float(sum(solid["volume"] for solid in second)),
        "bounds": joined or None,
        "solids": len(second),
        "faces": sum(int(solid["faces"]) for solid in second),
        "valid": bool(second) and all(solid["valid"] for solid in second),
    }
    return [_figure(name, one[name], other[name]) for name in one]


def _figure(name: str, one: Value, other: Value) -> KernelFigure:
    deviation: float | None = None
    tolerance: float | None = None
    if name == "volume" and isinstance(one, float) and isinstance(other, float):
        deviation, tolerance = abs(one - other) / one, VOLUME
    elif name == "bounds" and isinstance(one, tuple) and isinstance(other, tuple):
        deviation = max(abs(a - b) for a, b in zip(numbers(one), numbers(other), strict=True))
        tolerance = BOUND
    ok = one == other if deviation is None or tolerance is None else deviation <= tolerance
    return KernelFigure(
        figure=name, first=one, second=other, deviation=deviation, tolerance=tolerance, ok=ok
    )
