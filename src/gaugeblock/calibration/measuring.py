"""Asking the ruler about reference and mutants, two at a time, through temporary files."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

from gaugeblock.calibration.figures import Reading
from gaugeblock.calibration.workshop import Workshop
from gaugeblock.records.conservation import Conservation, Region
from gaugeblock.records.overlap import Interference
from gaugeblock.ruler import Ruler

AT_ONCE = 2
"""Mutants in work at the same time: one is made while another is measured."""

T = TypeVar("T")
R = TypeVar("R")


@dataclass
class Bench:
    """The tools of one calibration: workshop, ruler, a folder. A context manager."""

    workshop: Workshop
    ruler: Ruler
    wall_s: float
    """Time ceiling of one measurement, s."""
    overlap: bool = True
    """Whether to take IoU, hand and scale."""
    told: Callable[[str], None] = lambda line: None
    """Called with what is being done, for a progress bar."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="gaugeblock-calibrate-")
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def read(self, data: bytes) -> Reading:
        """Return the facts of a file."""
        return Reading(self.ruler.measure(self.placed(data), wall_s=self.wall_s))

    def beside(self, reading: Reading, reference: bytes, data: bytes, *, align: bool) -> Reading:
        """Return a reading with its overlap with the reference, where the ruler takes one.

        Args:
            reading: facts of `data`.
            reference: the reference's file.
            data: the mutant's file.
            align: also after the best rigid motion (several times the cost), with hand and scale.
        """
        if not self.overlap:
            return reading
        overlap = self.ruler.compare(
            self.placed(reference), self.placed(data), align=align, wall_s=self.wall_s
        )
        return Reading(reading.facts, overlap)

    def conserved(self, start: bytes, delivery: bytes, region: Region) -> Conservation:
        """Return what a delivery changed outside the region of an edit."""
        return self.ruler.conserved(
            self.placed(start), self.placed(delivery), region, wall_s=self.wall_s
        )

    def interference(self, data: bytes) -> Interference:
        """Return which solids of a file share space."""
        return self.ruler.interference(self.placed(data), wall_s=self.wall_s)

    def side_by_side(self, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Return `work(item)` of every item, in order, `AT_ONCE` at a time."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(work, items))

    def placed(self, data: bytes) -> Path:
        """Return the path of a file with these bytes; two threads may write the same one."""
        path = Path(self._folder.name) / f"{sha256(data)}.step"
        if not path.exists():
            with tempfile.NamedTemporaryFile(dir=self._folder.name, delete=False) as draft:
                draft.write(data)
            Path(draft.name).rename(path)
        return path


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes, hexadecimal."""
    return hashlib.sha256(data).hexdigest()
