"""What a suite is: the one shape that all suites have, and the scripts that prove them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from gaugeblock.records.base import Record
from gaugeblock.records.case import Case, Round
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.drawing_task import DrawingTask
from gaugeblock.records.draws import family_of
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.plan import SuiteControls
from gaugeblock.records.reopening import Reopening
from gaugeblock.records.rubric import Rubric
from gaugeblock.records.scoring import Scoring


class ToolCall(Record):
    """One call of a host's tool."""

    tool: str
    arguments: dict[str, Any]


class Script(Record):
    """What a scripted agent does in one conversation: its tool calls in order, maybe none."""

    calls: tuple[ToolCall, ...] = ()
    says: str = ""
    """Its final text, where that is the answer (`Case.answer` is ``program``)."""


@dataclass(frozen=True)
class ScriptedAgent:
    """An agent that follows a script, and how each conversation with it must end."""

    name: str
    """``reference``, ``null`` or ``mutant:NAME``, as in a profile's ``agent``."""
    does: str
    """What it does, in one line."""
    cases: tuple[str, ...]
    """Ids of the cases it applies to."""
    must_fail: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Round id → exactly the checks that fail there. Rounds left out must pass; a sequence ends
    at the first that fails."""
    matches: str | None = None
    """Name of the known misreading that the failing delivery must be recognised as."""
    misses_probe: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Round id → exactly the checks that its re-edit probe fails there; none: the host rejects the
    new values. In all other rounds that pass, the probe must hold."""
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Family → exactly the checks that fail in each of its fresh draws; it applies to no other."""

    def applies_to(self, case_id: str) -> bool:
        """Whether it has a script for a case; of a fresh draw the id is enough."""
        return case_id in self.cases or family_of(case_id) in self.drawn

    def due(self, case: Case) -> dict[str, tuple[str, ...]]:
        """Return round id → the checks that must fail, for the rounds of a case that have any."""
        family = family_of(case.id)
        checks = self.must_fail if family is None else {case.id: self.drawn.get(family, ())}
        return {asked.id: checks[asked.id] for asked in case.rounds if checks.get(asked.id)}

    def due_probe(self, case: Case) -> dict[str, tuple[str, ...]]:
        """Return round id → the checks that its probe must fail, for the rounds that must miss."""
        rounds = {asked.id for asked in case.rounds}
        return {name: due for name, due in self.misses_probe.items() if name in rounds}


@dataclass(frozen=True)
class Delivered:
    """What a round delivered, as the judge gets it. All None: nothing was delivered.

    Attributes:
        measurement: the ruler's read-back of the STEP; None where there is none.
        artifact_sha256: SHA-256 (hex) of the STEP; None where nothing was delivered.
        conservation: the ruler's comparison with the start; None where there is none.
        document: the saved document; None where the world keeps none.
        reopening: what a fresh host made of the document; None where it was not asked.
        task: what a sheet asks; None: the case shows none.
        scoring: the delivery held against the sheet and its reference; None: nobody did.
        lacks: capabilities the world has not, of ``document`` and ``reopening``: what they would
            give is then not applicable, where else it could not be measured.
    """

    measurement: Measurement | None = None
    artifact_sha256: str | None = None
    conservation: Conservation | None = None
    document: bytes | None = None
    reopening: Reopening | None = None
    task: DrawingTask | None = None
    scoring: Scoring | None = None
    lacks: frozenset[str] = frozenset()


class Suite(Protocol):
    """Cases with their truths, the grading of a delivery, and scripts that prove both."""

    @property
    def name(self) -> str:
        """Name in plans and on the command line."""

    @property
    def rubric(self) -> Rubric | None:
        """Rows and their points; None: its truths are formulas, and it has no points."""

    def cases(self) -> tuple[Case, ...]:
        """Return the runnable cases in the order of their axes; each holds every language."""

    def case(self, case_id: str) -> Case:
        """Return one case; WrongUse with near names if there is none."""

    def grade(self, asked: Round, delivered: Delivered, *, ruler_fingerprint: str) -> Grade:
        """Judge one delivery against a round's truth."""

    def agents(self) -> tuple[ScriptedAgent, ...]:
        """Return the scripted agents: reference, null, then the mutants."""

    def script(self, case: Case, asked: Round, agent: str) -> Script:
        """Return what a scripted agent does in one round; WrongUse if it knows no such case."""

    def controls(self) -> SuiteControls:
        """Return the suite's digest and tolerances, for the plan."""

    def start_document(self, case: Case) -> bytes | None:
        """Return the document a case starts on, None for an empty one; WrongUse if damaged."""


@dataclass(frozen=True)
class Sample:
    """A fresh draw.

    Attributes:
        case: the case.
        rejected: rule → candidates it refused before this one was taken.
    """

    case: Case
    rejected: dict[str, int]


@runtime_checkable
class DrawingSuite(Suite, Protocol):
    """A suite that can draw fresh cases from a seed."""

    def families(self) -> tuple[str, ...]:
        """Return the names of the families that it draws of."""

    def rules_sha256(self) -> str:
        """Return the SHA-256 (hex) over all that a draw follows from, beside the seed."""

    def draw(
        self, seed: bytes, family: str, number: int, visibility: Literal["open", "sealed"]
    ) -> Sample:
        """Return one draw, the same whenever and wherever it is asked for; WrongUse: none is."""

    def drawn_start(self, case: Case) -> ToolCall | None:
        """Return the plan by which a host makes a drawn case's start; None: it starts empty."""


@runtime_checkable
class SheetSuite(Suite, Protocol):
    """A suite whose cases show a drawing and are held against a part that stays out of sight."""

    def reference(self, case: Case) -> bytes:
        """Return the STEP of the right part; WrongUse: the case's files are not at hand."""

    def shown(self, case: Case) -> dict[str, bytes]:
        """Return path in the agent's workspace, such as `/drawing/drawing.svg`, → bytes."""
