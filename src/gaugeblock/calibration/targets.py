"""What is calibrated: a part of ours, a case of a suite, a cell kept out of it, a user's file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaugeblock.calibration.part_files import PartFile, load_part, load_parts
from gaugeblock.records.case import Case
from gaugeblock.records.errors import WrongUse
from gaugeblock.ruler.opening import file_name
from gaugeblock.suites import SUITES, Suite, load_suite

PARTS = "parts"
STEP_ENDINGS = (".step", ".stp", ".p21")


@dataclass(frozen=True)
class PartTarget:
    """One of the calibration's own parts."""

    part: PartFile

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"{PARTS}/{self.part.name}"


@dataclass(frozen=True)
class CaseTarget:
    """One case of a suite."""

    suite: Suite
    case: Case

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"{self.suite.name}/{self.case.id}"


@dataclass(frozen=True)
class CellTarget:
    """A cell that a suite keeps because its formula must be found not to hold."""

    suite: Suite
    cell: Any
    """An `IllPosed` of the suite: id, parameters, truth, claimed, why."""
    asked: bool
    """Named on the command line, and not only with its suite."""

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"{self.suite.name}/{self.cell.id}"


@dataclass(frozen=True)
class FileTarget:
    """A STEP file."""

    path: Path

    @property
    def name(self) -> str:
        """The file's name without its folder, as records can hold it."""
        return file_name(self.path)


Target = PartTarget | CaseTarget | CellTarget | FileTarget


def find_targets(words: Sequence[str]) -> tuple[Target, ...]:
    """Return what the words name, in their order.

    Raises:
        WrongUse: a word names nothing; near names are told.
    """
    found: list[Target] = []
    for word in words:
        head, _, rest = word.partition("/")
        if word.lower().endswith(STEP_ENDINGS):
            found.append(_file(word))
        elif head == PARTS:
            chosen = [load_part(rest)] if rest else load_parts()
            found += [PartTarget(part) for part in chosen]
        elif head in SUITES or not Path(word).exists():
            found += _of_suite(head, rest)
        else:
            raise WrongUse(f"{word}: no STEP file ({', '.join(STEP_ENDINGS)}) and no suite")
    return tuple(found)


def _file(word: str) -> FileTarget:
    path = Path(word)
    if not path.exists():
        raise WrongUse(f"{path}: no such file")
    if path.is_dir():
        raise WrongUse(f"{path}: a folder, not a STEP file")
    return FileTarget(path)


def _of_suite(name: str, case_id: str) -> list[Target]:
    if name not in SUITES:
        known = ", ".join([PARTS, *SUITES])
        raise WrongUse(f"nothing to calibrate is called `{name}`; there are {known}, STEP files")
    suite = load_suite(name)
    cells = {cell.id: cell for cell in getattr(suite, "ill_posed", tuple)()}
    if case_id in cells:
        return [CellTarget(suite, cells[case_id], asked=True)]
    if case_id:
        return [CaseTarget(suite, suite.case(case_id))]
    cases: list[Target] = [CaseTarget(suite, case) for case in suite.cases()]
    return cases + [CellTarget(suite, cell, asked=False) for cell in cells.values()]
