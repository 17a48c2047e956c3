"""The suite's face to the rest of the program: cases, grading, scripts and fingerprint."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Literal

from gaugeblock.records.base import Record
from gaugeblock.records.case import Case, Formula, Round, Truth
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.grade import Grade
from gaugeblock.records.plan import SuiteControls
from gaugeblock.suites import grading
from gaugeblock.suites.case_files import expanded, fragments, load_cases, near, read_toml
from gaugeblock.suites.digest import suite_digest
from gaugeblock.suites.growth.draws import Families
from gaugeblock.suites.growth.scripts import Scripts
from gaugeblock.suites.suite import Delivered, Sample, Script, ScriptedAgent, ToolCall

FOLDER = Path(__file__).parent
CASE_FILES = ("box.toml", "scale.toml", "depth.toml", "editing.toml")
"""Shared geometry first, then the axes in the order they are run."""


class IllPosed(Record):
    """A grid for which a plausible formula is not the volume of the part; never run."""

    id: str
    parameters: dict[str, float]
    truth: Truth
    claimed: Formula
    why: str


class GrowthSuite:
    """Suite `growth`; its data is read and checked once, when it is made."""

    name = "growth"
    rubric = None

    def __init__(self) -> None:
        paths = [FOLDER / "cases" / name for name in CASE_FILES]
        loaded = load_cases(paths)
        programs = sorted((FOLDER / "programs").glob("*.py"))
        self._families = Families(paths, [FOLDER / "reference.toml", *programs])
        self._cases = {case.id: case for case in loaded}
        self._scripts = Scripts(FOLDER, loaded)

    def cases(self) -> tuple[Case, ...]:
        """Return the cases: scale from small to large, the depth sequence, the editing axis."""
        return tuple(self._cases.values())

    def case(self, case_id: str) -> Case:
        """Return one case; WrongUse with near names if there is none."""
        if case_id not in self._cases:
            raise WrongUse(f"suite growth has no case `{case_id}`{near(case_id, self._cases)}")
        return self._cases[case_id]

    def grade(self, asked: Round, delivered: Delivered, *, ruler_fingerprint: str) -> Grade:
        """Judge one delivery; see `suites/grading.py`."""
        return grading.grade(asked, delivered, ruler_fingerprint=ruler_fingerprint)

    def agents(self) -> tuple[ScriptedAgent, ...]:
        """Return reference, null and the mutants."""
        return self._scripts.agents()

    def script(self, case: Case, asked: Round, agent: str) -> Script:
        """Return what a scripted agent does in one round; WrongUse if it cannot."""
        return self._scripts.script(case, asked, agent)

    def controls(self) -> SuiteControls:
        """Return the suite's digest and tolerances."""
        return SuiteControls(name=self.name, digest=self._digest, criteria=grading.CRITERIA)

    @cached_property
    def _digest(self) -> str:
        return suite_digest(self.name)

    def start_document(self, case: Case) -> bytes | None:
        """Return the document a case starts on, None for an empty one.

        Raises:
            WrongUse: the file is not there, or is not the one whose SHA-256 the case gives.
        """
        if case.start is None:
            return None
        try:
            content = (FOLDER / "starts" / case.start).read_bytes()
        except OSError as error:
            raise WrongUse(
                f"case {case.id}: no start document starts/{case.start}: install the package again"
            ) from error
        found = hashlib.sha256(content).hexdigest()
        if case.start_sha256 not in (None, found):
            raise WrongUse(
                f"case {case.id}: starts/{case.start} has SHA-256 {found}, the case says "
                f"{case.start_sha256}: install the package again"
            )
        return content

    def start_plan(self, document: str) -> ToolCall:
        """Return the plan by which the host made a start document; WrongUse: none is known."""
        return self._scripts.start(document)

    def families(self) -> tuple[str, ...]:
        """Return the families that fresh cases are drawn of."""
        return self._families.names()

    def rules_sha256(self) -> str:
        """Return the SHA-256 (hex) over ranges, rules and the code that draws."""
        return self._families.rules_sha256()

    def draw(
        self, seed: bytes, family: str, number: int, visibility: Literal["open", "sealed"]
    ) -> Sample:
        """Return one fresh case; see `draws/families.py`."""
        return self._families.draw(seed, family, number, visibility)

    def drawn_start(self, case: Case) -> ToolCall | None:
        """Return the plan by which the host makes a fresh case's start; None: it starts empty."""
        return self._scripts.drawn_start(case)

    def ill_posed(self) -> tuple[IllPosed, ...]:
        """Return the grids that T1's formula does not hold for."""
        folder = FOLDER / "cases"
        box = read_toml(folder / "box.toml", ["shared"])
        shared = fragments([(folder / "box.toml", box)])
        where = "ill_posed.toml"
        cells = read_toml(folder / where, ["cell"]).get("cell", [])
        return tuple(IllPosed.build(expanded(cell, shared, where), where) for cell in cells)
