"""What is calibrated: a part of ours, a case of a suite, a cell kept out of it, a user's file or
folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaugeblock.calibration.part_files import PartFile, load_part, load_parts
from gaugeblock.records.case import Case
from gaugeblock.records.errors import WrongUse
from gaugeblock.ruler.opening import file_name
from gaugeblock.suites import SUITES, SheetSuite, Suite, load_suite, own_suite
from gaugeblock.suites.case_files import near

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


@dataclass(frozen=True)
class SheetTarget:
    """A part of a suite that shows drawings, whatever its tracks."""

    suite: Suite
    case: Case
    """Of its first track."""

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"{self.suite.name}/{part_of(self.case)}"

    def reference(self) -> bytes:
        """Return the frozen STEP."""
        assert isinstance(self.suite, SheetSuite), "it has a sheet"
        return self.suite.reference(self.case)

    def has_program(self) -> bool:
        """Whether the case says how its part is made; a user's own may not."""
        agents = {agent.name: agent for agent in self.suite.agents()}
        return agents["reference"].applies_to(self.case.id)

    def other_reference(self) -> tuple[str, bytes] | None:
        """Return name and STEP of the next part of the suite; None: there is no other."""
        parts = _parts(self.suite)
        own = part_of(self.case)
        names = list(parts)
        after = names[(names.index(own) + 1) % len(names)]
        return None if after == own else (after, SheetTarget(self.suite, parts[after]).reference())


def part_of(case: Case) -> str:
    """Return the name of the part that a case shows: the same on every track."""
    return case.rounds[0].id


def _parts(suite: Suite) -> dict[str, Case]:
    """Return each part's case of the first track."""
    parts: dict[str, Case] = {}
    for case in suite.cases():
        parts.setdefault(part_of(case), case)
    return parts


Target = PartTarget | CaseTarget | CellTarget | FileTarget | SheetTarget


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
        elif Path(word).is_dir():  # a user's own case; another folder is told by its reader
            found += _sheets(own_suite([Path(word)]), "")
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
    if isinstance(suite, SheetSuite):
        return _sheets(suite, case_id)
    cells = {cell.id: cell for cell in getattr(suite, "ill_posed", tuple)()}
    if case_id in cells:
        return [CellTarget(suite, cells[case_id], asked=True)]
    if case_id:
        return [CaseTarget(suite, suite.case(case_id))]
    cases: list[Target] = [CaseTarget(suite, case) for case in suite.cases()]
    return cases + [CellTarget(suite, cell, asked=False) for cell in cells.values()]


def _sheets(suite: Suite, word: str) -> list[Target]:
    """Return the parts of a suite that shows drawings, or the one a word names: itself or a track.

    Raises:
        WrongUse: it names none; near names are told.
    """
    parts = _parts(suite)
    if not word:
        return [SheetTarget(suite, case) for case in parts.values()]
    tracks = {case.id: part_of(case) for case in suite.cases()}
    name = tracks.get(word, word)
    if name not in parts:
        raise WrongUse(f"suite {suite.name} has no part `{word}`{near(word, parts)}")
    return [SheetTarget(suite, parts[name])]
