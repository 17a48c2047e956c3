"""The suite's face to the rest of the program: cases by track, grading, scripts, shown files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from gaugeblock.records.case import Case, Language, Limits, Round, Truth
from gaugeblock.records.drawing_task import DrawingTask, Track
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.grade import Grade
from gaugeblock.records.plan import SuiteControls
from gaugeblock.suites.case_files import near, read_toml
from gaugeblock.suites.digest import suite_digest
from gaugeblock.suites.drawings import grading
from gaugeblock.suites.drawings.case_folder import (
    CASE,
    CaseFolder,
    read_case_folder,
    shown_sha256,
)
from gaugeblock.suites.drawings.rulebook import shown_rulebook
from gaugeblock.suites.drawings.scripts import Scripts
from gaugeblock.suites.suite import Delivered, Script, ScriptedAgent

FOLDER = Path(__file__).parent
MUTANTS = FOLDER / "mutants.toml"
OWN = "own"
"""Name of the suite of a user's own case folders."""

NEEDS: Mapping[Track, tuple[str, ...]] = {
    "vector": ("program", "step", "workspace"),
    "raster": ("image", "program", "step", "workspace"),
}
"""What the world and the model must have for a track."""

DRAWING_ROOT, RULEBOOK_PATH = "/drawing", "/rulebook/rulebook.md"
"""Where the shown files lie in the agent's workspace."""

WORK_ROOT = "/work"
"""Where the agent writes."""


class DrawingsSuite:
    """Suite `drawings`, or `own` where folders are given; read and checked once, when it is made.

    Args:
        folders: a user's case folders; None: the suite's own. None at all: it only grades.
        kept: gives a file by its SHA-256, for cases of a run whose folders are not at hand.
    """

    rubric = None

    def __init__(
        self,
        folders: Sequence[Path] | None = None,
        kept: Callable[[str], bytes] | None = None,
    ) -> None:
        self._kept = kept
        self.name = "drawings" if folders is None else OWN
        if folders is None:
            folders = sorted(path.parent for path in (FOLDER / "cases").glob(f"*/{CASE}"))
        self._folders: dict[str, CaseFolder] = {}
        for folder in folders:
            found = read_case_folder(folder)
            if found.file.id in self._folders:
                raise WrongUse(f"{folder}: another folder has the id {found.file.id} as well")
            self._require_group(found)
            self._folders[found.file.id] = found
        self._brief = Brief()
        self._cases = {case.id: case for case in self._made()}
        self._scripts = Scripts(self._folders, self._cases.values(), MUTANTS, self.name)

    def cases(self) -> tuple[Case, ...]:
        """Return the cases, each part as `ID.vector` and as `ID.raster`."""
        return tuple(self._cases.values())

    def case(self, case_id: str) -> Case:
        """Return one case; WrongUse with near names if there is none."""
        if case_id not in self._cases:
            known = near(case_id, self._cases) if self._cases else "; it has none at all"
            raise WrongUse(f"suite {self.name} has no case `{case_id}`{known}")
        return self._cases[case_id]

    def folder(self, case: Case) -> CaseFolder:
        """Return what lies in a case's folder; WrongUse: it is not at hand."""
        name = case.rounds[0].id
        if name not in self._folders:
            raise WrongUse(f"case {case.id}: its folder {name} is not at hand; start a new run")
        return self._folders[name]

    def reference(self, case: Case) -> bytes:
        """Return the STEP that a case's deliveries are held against; WrongUse: see `folder`."""
        if self._kept is not None:
            return self._kept(_task(case).reference_sha256)
        return self.folder(case).reference

    def shown(self, case: Case) -> dict[str, bytes]:
        """Return path in the agent's workspace → bytes; WrongUse: see `folder`."""
        task = _task(case)
        if self._kept is not None:
            files = {name: self._kept(sha256) for name, sha256 in task.shown.items()}
        else:
            files = self.folder(case).sheets[task.track]
        shown = {f"{DRAWING_ROOT}/{name}": content for name, content in files.items()}
        return {**shown, RULEBOOK_PATH: self._brief.rulebook}

    def grade(self, asked: Round, delivered: Delivered, *, ruler_fingerprint: str) -> Grade:
        """Judge one delivery; see `grading.py`."""
        return grading.grade(asked, delivered, ruler_fingerprint=ruler_fingerprint)

    def agents(self) -> tuple[ScriptedAgent, ...]:
        """Return reference, null and the mutants."""
        return self._scripts.agents()

    def script(self, case: Case, asked: Round, agent: str) -> Script:
        """Return what a scripted agent does in one round; WrongUse if it cannot."""
        del asked  # every case is one round
        if agent != "null":
            self.folder(case)
        return self._scripts.script(case, agent)

    def controls(self) -> SuiteControls:
        """Return the suite's digest and thresholds."""
        return SuiteControls(name=self.name, digest=self._digest, criteria=grading.CRITERIA)

    @cached_property
    def _digest(self) -> str:
        """The whole folder; of own cases what judges them, for each case has a digest itself."""
        return suite_digest("drawings", without=() if self.name != OWN else ("cases",))

    def start_document(self, case: Case) -> None:
        """Return None: every case starts on an empty document."""
        del case

    def _require_group(self, found: CaseFolder) -> None:
        own = found.file.group == "own"
        if own != (self.name == OWN):
            wanted = "`own`" if self.name == OWN else "`anchoring` or `independent`"
            raise WrongUse(
                f"{found.file.id}/{CASE}: group {found.file.group}; here it must be {wanted}"
            )

    def _made(self) -> Iterator[Case]:
        for found in self._folders.values():
            for track in found.sheets:
                yield self._case(found, track)

    def _case(self, found: CaseFolder, track: Track) -> Case:
        file, files = found.file, found.sheets[track]
        asked = Round(
            id=file.id,
            growth=file.difficulty,
            instruction=self._brief.instruction(track, tuple(files)),
            parameters={},
            truth=Truth(),
        )
        task = DrawingTask(
            track=track,
            group=file.group,
            part_class=file.part_class,
            difficulty=file.difficulty,
            shown=shown_sha256(files),
            rulebook_sha256=hashlib.sha256(self._brief.rulebook).hexdigest(),
            reference_sha256=found.reference_sha256,
            dimensions=found.dimensions,
            threads=file.threads,
            ceilings=found.ceilings,
            canary=file.canary,
        )
        return Case(
            id=f"{file.id}.{track}",
            suite=self.name,
            version=1,
            title=file.title,
            axis=track,
            needs=NEEDS[track],
            rounds=(asked,),
            tools="program",
            drawing=task,
            limits=self._brief.limits,
        )


def _task(case: Case) -> DrawingTask:
    assert case.drawing is not None, "every case of this suite has a sheet"
    return case.drawing


class Brief:
    """What every agent of the suite is told, from `brief.toml`."""

    def __init__(self) -> None:
        name = "brief.toml"
        content = read_toml(FOLDER / name, ["limits", "files", "instruction"])
        self.limits = Limits.build(content["limits"], name)
        self.rulebook = shown_rulebook()
        self._content = content

    def instruction(self, track: Track, files: Sequence[str]) -> dict[Language, str]:
        """Return the instruction in each language.

        Args:
            track: of the case.
            files: names of the shown files of the sheet.
        """
        told: dict[Language, str] = {}
        languages: tuple[Language, ...] = ("en", "zh")
        for language in languages:
            names = "`, `".join(files) if language == "en" else "`、`".join(files)
            shown = self._content["files"][track][language].replace("{names}", names)
            text: str = self._content["instruction"][language]
            for name, put in (("files", shown), ("work", WORK_ROOT)):
                text = text.replace(f"{{{name}}}", put)
            told[language] = text
        return told
