"""Reading a run folder in any state: closed, amended, or left by a kill at any moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from gaugeblock.records.base import Record
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.evidence import (
    Amendment,
    ClosingManifest,
    read_amendments,
    read_manifest,
    require_plain,
)
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.overlap import Interference
from gaugeblock.records.plan import Plan, PlannedTrial
from gaugeblock.records.reopening import Reopening
from gaugeblock.records.row import Row, instruction_digest, make_row
from gaugeblock.records.trial import RoundResult, TrialEnd, TrialManifest, unstarted_round

R = TypeVar("R", bound=Record)

PLAN = "plan.json"
TRIALS = "trials"
EVENTS = "events.jsonl"
USAGE = "usage.jsonl"
DOCUMENT = "document.json"
ARTIFACT = "part.step"
MEASUREMENT = "measurement.json"
START = "start.step"
CONSERVATION = "conservation.json"
REOPENING = "reopening.json"
INTERFERENCE = "interference.json"
PROBE = "probe.json"
GRADE = "grade.json"
RESULT = "result.json"
TRIAL_MANIFEST = "manifest.json"
TRIAL_END = "trial.json"


@dataclass(frozen=True)
class RoundState:
    """One round as the folder shows it."""

    result: RoundResult
    grade: Grade | None
    folder: Path


@dataclass(frozen=True)
class TrialState:
    """One planned trial as the folder shows it."""

    planned: PlannedTrial
    manifest: TrialManifest | None
    end: TrialEnd | None
    rounds: tuple[RoundState, ...]
    folder: Path

    @property
    def started(self) -> bool:
        """Whether the trial ever began; then it must not be begun again."""
        return self.manifest is not None


@dataclass(frozen=True)
class RunFolder:
    """A run read back: the plan, each trial's state, and what came after closing."""

    path: Path
    plan: Plan
    trials: tuple[TrialState, ...]
    manifest: ClosingManifest | None
    amendments: tuple[Amendment, ...] = field(default=())

    @property
    def closed(self) -> bool:
        """Whether the closing manifest was written."""
        return self.manifest is not None

    @property
    def invalidated(self) -> str | None:
        """The reason of an invalidation, or None."""
        reasons = [a.reason for a in self.amendments if a.kind == "invalidation"]
        return reasons[-1] if reasons else None

    def rows(self) -> list[Row]:
        """Return a row for each planned round, with the amendments applied."""
        regrades = _regrades(self.amendments)
        rows: list[Row] = []
        for trial in self.trials:
            for state in trial.rounds:
                revision, grade, result = 0, state.grade, state.result
                if (trial.planned.id, result.round) in regrades:
                    revision, grade, outcome = regrades[trial.planned.id, result.round]
                    before = f"{result.outcome}: {result.reason}".rstrip(": ")
                    why = (
                        f"regraded as {outcome}; was {before}"
                        if outcome != result.outcome
                        else result.reason
                    )
                    result = result.model_copy(update={"outcome": outcome, "reason": why})
                row = make_row(self.plan, trial.planned, result, grade)
                rows.append(
                    row.model_copy(
                        update={
                            "grade_revision": revision,
                            "invalidated": self.invalidated is not None,
                        }
                    )
                )
        return rows


def _regrades(amendments: tuple[Amendment, ...]) -> dict[tuple[str, str], tuple[int, Grade, str]]:
    """Return (trial, round) → (revision, grade, outcome) of the newest regrade of each."""
    newest: dict[tuple[str, str], tuple[int, Grade, str]] = {}
    for amendment in amendments:
        if amendment.kind != "regrade":
            continue
        for item in amendment.content.get("grades", []):
            key = (item["trial"], item["round"])
            grade = Grade.build(item["grade"], f"amendment {amendment.number}")
            revision = newest[key][0] + 1 if key in newest else 1
            newest[key] = (revision, grade, item["outcome"])
    return newest


def open_run(path: Path) -> RunFolder:
    """Read a run folder.

    Raises:
        WrongUse: there is no run here, or a record of it is unreadable.
        DamagedEvidence: the chain of amendments does not hold, or the folder holds what no run
            writes.
    """
    if not path.is_dir():
        raise WrongUse(f"{path}: no such folder")
    require_plain(path)
    if not (path / PLAN).is_file():
        raise WrongUse(f"{path}: no {PLAN} here, so this is no run folder")
    plan = _read(Plan, path / PLAN)
    return RunFolder(
        path=path,
        plan=plan,
        trials=tuple(_trial_state(path, plan, planned) for planned in plan.trials),
        manifest=read_manifest(path),
        amendments=tuple(read_amendments(path)),
    )


def trial_folder(run: Path, planned: PlannedTrial) -> Path:
    """Return where a trial's evidence lies."""
    return run / TRIALS / planned.id


def round_folder(run: Path, planned: PlannedTrial, round_id: str) -> Path:
    """Return where one round's artifact, read-back, grade and result lie."""
    return trial_folder(run, planned) / round_id


def _read(kind: type[R], path: Path) -> R:
    return kind.load(path.read_bytes(), "/".join(path.parts[-3:]))


def _optional(kind: type[R], path: Path) -> R | None:
    return _read(kind, path) if path.is_file() else None


def _trial_state(run: Path, plan: Plan, planned: PlannedTrial) -> TrialState:
    folder = trial_folder(run, planned)
    manifest = _optional(TrialManifest, folder / TRIAL_MANIFEST)
    end = _optional(TrialEnd, folder / TRIAL_END)
    rounds: list[RoundState] = []
    broken = False
    for asked in plan.case(planned.case_id).rounds:
        place = folder / asked.id
        result = _optional(RoundResult, place / RESULT)
        if result is None:
            outcome, reason = _missing(manifest is not None, broken)
            instruction = instruction_digest(asked.instruction[plan.language])
            result = unstarted_round(planned.id, asked.id, outcome, reason, instruction)
            broken = True
        rounds.append(RoundState(result, _optional(Grade, place / GRADE), place))
    return TrialState(planned, manifest, end, tuple(rounds), folder)


def _missing(started: bool, after_a_gap: bool) -> tuple[str, str]:
    """Say what a round without a result is: in flight when the run died, or never begun."""
    if started and not after_a_gap:
        return "interrupted", "the run ended while this round was in flight; usage unknown"
    if started:
        return "not-run", "an earlier round was interrupted"
    return "not-run", "the run ended before this trial started"


def read_measurement(folder: Path) -> Measurement | None:
    """Return the read-back kept in a round's folder, or None."""
    return _optional(Measurement, folder / MEASUREMENT)


def read_reopening(folder: Path) -> Reopening | None:
    """Return what a fresh host made of the document in a round's folder, or None."""
    return _optional(Reopening, folder / REOPENING)


def read_interference(folder: Path) -> Interference | None:
    """Return which solids share space, as kept in a round's folder, or None."""
    return _optional(Interference, folder / INTERFERENCE)


def read_conservation(folder: Path) -> Conservation | None:
    """Return the comparison with the start kept in a round's folder, or None."""
    return _optional(Conservation, folder / CONSERVATION)
