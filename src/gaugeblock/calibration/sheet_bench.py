"""A case of suite drawings on the bench: deliveries held against its reference and its sheet.

Scoring, grading and ruler are those of a run. What is added is that the reference is asked once,
and that a mutant whose recall alone fails it is not drawn: a drawing costs five spectra.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gaugeblock.calibration.measuring import Bench, sha256
from gaugeblock.calibration.sheet_figures import Five, five_of
from gaugeblock.records.case import Case
from gaugeblock.records.drawing_task import DrawingTask
from gaugeblock.records.grade import Grade
from gaugeblock.records.scoring import Scoring
from gaugeblock.ruler.scoring import score
from gaugeblock.ruler.spectrum.matching import match_sheet
from gaugeblock.suites import Delivered, Suite
from gaugeblock.suites.drawings.thresholds import THRESHOLDS

if TYPE_CHECKING:
    from gaugeblock.ruler import Ruler

T = TypeVar("T")


@dataclass(frozen=True)
class Judged:
    """What became of one delivery."""

    five: Five
    verdict: str
    """As `Grade.verdict`."""
    failed: tuple[str, ...]
    grade: Grade | None = None
    """None: its recall alone failed it."""
    scoring: Scoring | None = None


@dataclass
class SheetBench:
    """Holds deliveries against one case; thread-safe."""

    bench: Bench
    suite: Suite
    case: Case
    reference: bytes
    ruler_fingerprint: str
    _known: dict[tuple[str, Path], Any] = field(default_factory=dict)

    @property
    def task(self) -> DrawingTask:
        """What the sheet asks."""
        assert self.case.drawing is not None, "a case of this suite has a sheet"
        return self.case.drawing

    @property
    def ruler(self) -> Ruler:
        """The bench's ruler, which remembers what it said of a file's spectrum and features."""
        return cast("Ruler", _Remembering(self.bench.ruler, self._known))

    def scored(self, data: bytes) -> Judged:
        """Return what all five figures and the grade say of a delivery."""
        task = self.task
        path = self.bench.placed(data)
        # Each question has the ruler's own ceiling: threads take the booleans ten times as long.
        scoring = score(self.ruler, self.bench.placed(self.reference), path, task.dimensions)
        facts = self.bench.read(data).facts
        what = Delivered(facts, sha256(data), task=task, scoring=scoring)
        grade = self.graded(what)
        return Judged(five_of(scoring), grade.verdict, grade.failed(), grade, scoring)

    def glanced(self, data: bytes) -> Judged:
        """Return what the recall says, where that fails the delivery; else as `scored`."""
        spectrum = self.ruler.spectrum(self.bench.placed(data))
        found = match_sheet(spectrum, self.task.dimensions)
        if found.found is not None and found.found < self.task.ceilings.measurable:
            name = "dimensionRecall"
            if Fraction(found.found, found.asked) < THRESHOLDS[name]:
                return Judged(Five(found), "failed", (name,))
        return self.scored(data)

    def graded(self, what: Delivered) -> Grade:
        """Return the suite's own grade."""
        asked = self.case.rounds[0]
        return self.suite.grade(asked, what, ruler_fingerprint=self.ruler_fingerprint)


@dataclass
class _Remembering:
    """A ruler that is asked but once about a file's spectrum and features."""

    ruler: Ruler
    known: dict[tuple[str, Path], Any]

    def spectrum(self, path: Path, wall_s: float | None = None) -> Any:
        return self._once("spectrum", path, lambda: self.ruler.spectrum(path, wall_s))

    def features(self, path: Path, wall_s: float | None = None) -> Any:
        return self._once("features", path, lambda: self.ruler.features(path, wall_s))

    def _once(self, job: str, path: Path, ask: Callable[[], T]) -> T:
        if (job, path) not in self.known:
            self.known[job, path] = ask()
        found: T = self.known[job, path]
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ruler, name)
