"""The suite's face to the rest of the program: cases, rubric, grading and scripts."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from gaugeblock.records.case import Case, Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.grade import Grade
from gaugeblock.records.plan import SuiteControls
from gaugeblock.records.rubric import Rubric
from gaugeblock.suites.assembly import grading, rows
from gaugeblock.suites.assembly.scripts import Scripts
from gaugeblock.suites.case_files import load_cases, near, read_toml
from gaugeblock.suites.digest import suite_digest
from gaugeblock.suites.suite import Delivered, Script, ScriptedAgent

FOLDER = Path(__file__).parent


class AssemblySuite:
    """Suite `assembly`; its data is read and checked once, when it is made."""

    name = "assembly"

    def __init__(self) -> None:
        loaded = load_cases([FOLDER / "cases" / "espresso-machine.toml"])
        self._cases = {case.id: case for case in loaded}
        self.rubric = read_rubric(FOLDER / "rubric.toml")
        self._scripts = Scripts(FOLDER, loaded, self.rubric)

    def cases(self) -> tuple[Case, ...]:
        """Return the machine by object tools, then its baseline by one program."""
        return tuple(self._cases.values())

    def case(self, case_id: str) -> Case:
        """Return one case; WrongUse with near names if there is none."""
        if case_id not in self._cases:
            raise WrongUse(f"suite assembly has no case `{case_id}`{near(case_id, self._cases)}")
        return self._cases[case_id]

    def grade(self, asked: Round, delivered: Delivered, *, ruler_fingerprint: str) -> Grade:
        """Judge one delivery; see `grading.py`."""
        return grading.grade(asked, delivered, self.rubric, ruler_fingerprint=ruler_fingerprint)

    def agents(self) -> tuple[ScriptedAgent, ...]:
        """Return reference, null and the mutants."""
        return self._scripts.agents()

    def script(self, case: Case, asked: Round, agent: str) -> Script:
        """Return what a scripted agent does in one round; WrongUse if it cannot."""
        return self._scripts.script(case, asked, agent)

    def controls(self) -> SuiteControls:
        """Return the suite's digest and tolerances."""
        return SuiteControls(name=self.name, digest=self._digest, criteria=rows.CRITERIA)

    @cached_property
    def _digest(self) -> str:
        return suite_digest(self.name)

    def start_document(self, case: Case) -> None:
        """Return None: every case starts on an empty document."""
        del case


def read_rubric(path: Path) -> Rubric:
    """Return the rubric; WrongUse: the file is wrong, or has a row that nobody can judge."""
    rubric = Rubric.build(read_toml(path, ["rows", "roles"]), path.name)
    unknown = sorted({row.name for row in rubric.rows} - rows.ROWS)
    if unknown:
        raise WrongUse(f"{path.name}: no grader for row `{unknown[0]}`")
    return rubric
