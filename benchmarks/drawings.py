"""What scoring a delivery in five dimensions costs: every case of suite drawings, worker warm.

Each reference is scored against a copy of itself turned askew, which is the whole way of a right
delivery: aligned, overlapped, features and threads matched, drawn and read back. Printed are a
case's seconds on the clock by step and of the processor in the worker, then the clock for all cases
by 1, 2 and 4 at a time. A copy that does not reach its reference's figures is told, and the exit
code is 1: a fast wrong answer is none.

Peer: `Ruler.measure` of the same file (all its facts), processor seconds.

    python benchmarks/drawings.py [--at-once 1 2 4] [PART …]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaugeblock.calibration.proving_drawings import ASKEW
from gaugeblock.calibration.targets import SheetTarget, find_targets
from gaugeblock.calibration.workshop import Workshop
from gaugeblock.records.scoring import Scoring
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.scoring import score
from gaugeblock.suites.drawings.thresholds import SAME_SHAPE

STEPS = ("spectrum", "overlap", "features", "drawing")
"""Steps of a scoring that are told; those of the reference are the rest."""


class Metered(Ruler):
    """A ruler that adds up what its jobs used of the processor in a thread, s."""

    def __init__(self) -> None:
        super().__init__()
        self._used = threading.local()

    def _run(self, *job: Any) -> Any:
        answer = super()._run(*job)
        self._used.cpu_s = getattr(self._used, "cpu_s", 0.0) + answer.cpu_s
        return answer

    def taken(self) -> float:
        """Return what this thread's jobs used since it was asked last, s."""
        cpu_s: float = getattr(self._used, "cpu_s", 0.0)
        self._used.cpu_s = 0.0
        return cpu_s


@dataclass(frozen=True)
class Pair:
    """A case's reference and its turned copy."""

    name: str
    reference: Path
    copy: Path
    dimensions: tuple[SheetDimension, ...]
    reached: tuple[int, int]
    """Dimensions that the reference reaches: measured, drawn."""


def pairs(words: Sequence[str], folder: Path) -> list[Pair]:
    """Write every case's two files."""
    targets = find_targets([f"drawings/{word}" for word in words] or ["drawings"])
    found = []
    with Workshop() as workshop:
        for target in targets:
            assert isinstance(target, SheetTarget), "suite drawings has sheets"
            task = target.case.drawing
            assert task is not None, "suite drawings has sheets"
            name = target.name.partition("/")[2]
            reference, copy = folder / f"{name}.step", folder / f"{name} turned.step"
            reference.write_bytes(target.reference())
            copy.write_bytes(workshop.turn(target.reference(), *ASKEW))
            reached = (task.ceilings.measurable, task.ceilings.drawn)
            found.append(Pair(name, reference, copy, task.dimensions, reached))
    return found


def scored(ruler: Metered, pair: Pair) -> tuple[float, float, Scoring]:
    """Return seconds on the clock, of the processor, and the scoring."""
    ruler.taken()
    start = time.perf_counter()
    found = score(ruler, pair.reference, pair.copy, pair.dimensions)
    clock = time.perf_counter() - start
    return clock, ruler.taken(), found


def wrong(pair: Pair, found: Scoring) -> str:
    """Return what a turned copy does not reach, in words; empty: it reaches all."""
    drawn = found.drawing.match.found if found.drawing.match else None
    reached = (found.dimensions.found, drawn)
    lacks = [] if reached == pair.reached else [f"{reached} instead of {pair.reached}"]
    if found.features.semantic_match != 1:
        lacks.append(f"semanticMatch {found.features.semantic_match}")
    aligned = found.overlap.aligned
    iou, error = (aligned.iou, aligned.error_estimate or 0.0) if aligned else (None, 0.0)
    if iou is None or iou + error < 1 - SAME_SHAPE:
        lacks.append(f"shapeIoU {iou} ± {error:.1g}")
    if found.threads.match == 0:
        lacks.append("threadMatch 0")
    return "; ".join(lacks)


def peer(ruler: Metered, pair: Pair) -> float:
    """Return the processor seconds of all facts of the copy."""
    ruler.taken()
    ruler.measure(pair.copy)
    return ruler.taken()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--at-once", nargs="+", type=int, default=[1, 2, 4])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, Metered() as ruler:
        every = pairs(options.parts, Path(name))
        peer(ruler, every[0])  # the worker is warm from here on
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {len(every)} cases")
        print(f"{'case':22} {'s':>6} " + " ".join(f"{step:>9}" for step in STEPS)
              + f" {'cpu s':>6} {'× facts':>8}")  # fmt: skip
        total, fails = 0.0, 0
        for pair in every:
            clock, cpu, found = scored(ruler, pair)
            total += cpu
            steps = " ".join(f"{found.timings.get(step, 0.0):9.2f}" for step in STEPS)
            lacks = wrong(pair, found)
            fails += bool(lacks)
            times = cpu / peer(ruler, pair)
            print(
                f"{pair.name:22} {clock:6.2f} {steps} {cpu:6.2f} {times:8.1f}  {lacks}", flush=True
            )
        print(f"all: {total:.1f} s of the processor")
        for number in options.at_once:
            start = time.perf_counter()
            with ThreadPoolExecutor(number) as pool:
                list(pool.map(lambda pair: scored(ruler, pair), every))
            print(f"{number} at a time: {time.perf_counter() - start:.1f} s on the clock")
    if fails:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
