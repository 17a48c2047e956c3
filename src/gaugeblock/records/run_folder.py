"""Reading a run folder in any state: closed, amended, or left by a kill at any moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from gaugeblock.records.base import Record
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.draws import Drawn, read_drawn
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import (
    Amendment,
    ClosingManifest,
    read_amendments,
    read_manifest,
    require_plain,
)
from gaugeblock.records.follows import CellName, FollowedCell
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.overlap import Interference
from gaugeblock.records.plan import Plan, PlannedTrial
from gaugeblock.records.probe import Probe
from gaugeblock.records.reopening import Reopening
from gaugeblock.records.review import ImportedReview, ReviewImport
from gaugeblock.records.revision import Judged, evaluators_of, verdicts
from gaugeblock.records.row import Row, instruction_digest, make_row
from gaugeblock.records.scoring import Scoring
from gaugeblock.records.standing import Key, Planned, Standing, stand
from gaugeblock.records.trial import RoundResult, TrialEnd, TrialManifest, unstarted_round

R = TypeVar("R", bound=Record)

PLAN = "plan.json"
TRIALS = "trials"
EVENTS = "events.jsonl"
USAGE = "usage.jsonl"
ISOLATION = "isolation.json"
DOCUMENT = "document.json"
ARTIFACT = "part.step"
MEASUREMENT = "measurement.json"
START = "start.step"
CONSERVATION = "conservation.json"
REOPENING = "reopening.json"
INTERFERENCE = "interference.json"
SCORING = "scoring.json"
OWN_DRAWING = "drawing.dxf"
INPUTS = "inputs"
PROBE = "probe.json"
PROBE_STEP = "probe.step"
PROBE_MEASUREMENT = "probe-measurement.json"
PROBE_CONSERVATION = "probe-conservation.json"
GRADE = "grade.json"
RESULT = "result.json"
TRIAL_MANIFEST = "manifest.json"
TRIAL_END = "trial.json"


@dataclass(frozen=True)
class RoundState:
    """One round as the folder shows it.

    Attributes:
        result: how it ended; of a round without a result, what follows from that.
        grade: its judgement, None where nothing was judged.
        folder: where its evidence lies.
        probe: its re-edit probe, None where none was made.
        written: whether the folder held a result when it was read; a run may go on meanwhile.
    """

    result: RoundResult
    grade: Grade | None
    folder: Path
    probe: Probe | None = None
    written: bool = True

    @property
    def judged(self) -> Judged:
        """How it stood when the run was closed."""
        return Judged(outcome=self.result.outcome, grade=self.grade, probe=self.probe)


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
    drawn: Drawn | None = None

    @property
    def closed(self) -> bool:
        """Whether the closing manifest was written."""
        return self.manifest is not None

    @cached_property
    def standing(self) -> Standing:
        """What the amendments come to.

        Raises:
            WrongUse: the content of one is no such record.
            ValueError: one contradicts what was before it.
        """
        rounds = {(s.result.trial_id, s.result.round): s for t in self.trials for s in t.rounds}

        def judged(key: Key) -> Judged | None:
            state = rounds.get(key)
            return state.judged if state else None

        planned = Planned(
            cells={t.planned.id: (t.planned.case_id, t.planned.profile_id) for t in self.trials},
            suites=self.suite_of,
            evaluators=evaluators_of(self.plan),
            judged=judged,
        )
        return stand(planned, self.amendments)

    @cached_property
    def suite_of(self) -> dict[str, str]:
        """Return case → its suite."""
        return {case.id: case.suite for case in self.plan.every_case()}

    def counts(self, trial: TrialState) -> bool:
        """Whether a trial is neither of a void cell nor of a withdrawn suite."""
        return self.standing.counts(
            (trial.planned.case_id, trial.planned.profile_id), self.suite_of
        )

    @property
    def invalidated(self) -> str | None:
        """The reason why the whole run is withdrawn, or None."""
        reasons = [item.amendment.reason for item in self.standing.withdrawn if item.suite is None]
        return reasons[0] if reasons else None

    def cells(self) -> list[CellName]:
        """Return the run's cells in the order of the plan."""
        planned = (trial.planned for trial in self.trials)
        pairs = dict.fromkeys((item.case_id, item.profile_id) for item in planned)
        return [CellName(case=case, profile=profile) for case, profile in pairs]

    def names(self, cell: CellName) -> tuple[str, str]:
        """Return how a cell's case may be named: CASE and SUITE/CASE."""
        return cell.case, f"{self.plan.case(cell.case).suite}/{cell.case}"

    def voids(self) -> list[FollowedCell]:
        """Return the cells that amendments voided, each with the reason, in order."""
        return list(self.standing.void.values())

    def review_imports(self) -> list[ReviewImport]:
        """Return what was imported of blind reviews, in order.

        Raises:
            WrongUse: an amendment's content is no such import.
        """
        return [
            ReviewImport.build(a.content, f"amendment {a.number}")
            for a in self.amendments
            if a.kind == "review"
        ]

    def reviews(self) -> list[ImportedReview]:
        """Return all reviews of the run, in the order of their import."""
        return [review for item in self.review_imports() for review in item.reviews]

    def rows(self) -> list[Row]:
        """Return a row for each planned round, with the amendments applied."""
        standing = self.standing
        rows: list[Row] = []
        for trial in self.trials:
            cell = trial.planned.case_id, trial.planned.profile_id
            evaluator = standing.evaluators[cell]
            withdrawn = self.suite_of[cell[0]] in standing.suites_withdrawn
            for state in trial.rounds:
                revision, grade, result, probe = 0, state.grade, state.result, state.probe
                if (trial.planned.id, result.round) in standing.newest:
                    again, revision = standing.newest[trial.planned.id, result.round]
                    grade, outcome, probe = again.grade, again.outcome, again.after.probe
                    why = result.reason
                    if verdicts(state.judged) != verdicts(again.after):
                        found = [f"{c.name}: {c.finding}" for c in grade.checks if c.finding]
                        now = "; ".join([f"regraded as {outcome}", *found])
                        why = f"{now}; was {result.outcome}: {why}".rstrip(": ")
                    result = result.model_copy(update={"outcome": outcome, "reason": why})
                row = make_row(self.plan, trial.planned, result, grade, probe)
                rows.append(
                    row.model_copy(
                        update={
                            "fingerprint_ruler": evaluator.ruler,
                            "suite_digest": evaluator.suite,
                            "grade_revision": revision,
                            "invalidated": withdrawn or self.invalidated is not None,
                            "voided": withdrawn or cell in standing.void,
                        }
                    )
                )
        return rows


def open_run(path: Path) -> RunFolder:
    """Read a run folder.

    Raises:
        WrongUse: there is no run here, or a record of it is unreadable.
        DamagedEvidence: the chain of amendments does not hold, or the folder holds what no run
            writes.
    """
    if not path.is_dir():
        raise WrongUse(f"{path}: {'no folder' if path.exists() else 'no such folder'}")
    require_plain(path)
    if not (path / PLAN).is_file():
        raise WrongUse(f"{path}: no {PLAN} here, so this is no run folder")
    plan = _read(Plan, path / PLAN)
    drawn = read_drawn(path, plan.draw)
    if drawn is not None:
        plan = plan.with_drawn(drawn.cases)
    return RunFolder(
        path=path,
        plan=plan,
        trials=tuple(_trial_state(path, plan, planned) for planned in plan.trials),
        manifest=read_manifest(path),
        amendments=tuple(read_amendments(path)),
        drawn=drawn,
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
        written = result is not None
        if result is None:
            outcome, reason = _missing(manifest is not None, broken)
            instruction = instruction_digest(asked.instruction[plan.language])
            result = unstarted_round(planned.id, asked.id, outcome, reason, instruction)
            broken = True
        if (result.trial_id, result.round) != (planned.id, asked.id):
            where = f"{TRIALS}/{planned.id}/{asked.id}/{RESULT}"
            raise DamagedEvidence(f"{where}: speaks of {result.trial_id} {result.round}")
        grade, probe = _optional(Grade, place / GRADE), _optional(Probe, place / PROBE)
        rounds.append(RoundState(result, grade, place, probe, written))
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


def read_probe_evidence(folder: Path) -> tuple[Measurement | None, Conservation | None]:
    """Return the read-back of the probed part and its comparison with the delivered one."""
    return (
        _optional(Measurement, folder / PROBE_MEASUREMENT),
        _optional(Conservation, folder / PROBE_CONSERVATION),
    )


def read_reopening(folder: Path) -> Reopening | None:
    """Return what a fresh host made of the document in a round's folder, or None."""
    return _optional(Reopening, folder / REOPENING)


def read_interference(folder: Path) -> Interference | None:
    """Return which solids share space, as kept in a round's folder, or None."""
    return _optional(Interference, folder / INTERFERENCE)


def read_conservation(folder: Path) -> Conservation | None:
    """Return the comparison with the start kept in a round's folder, or None."""
    return _optional(Conservation, folder / CONSERVATION)


def read_scoring(folder: Path) -> Scoring | None:
    """Return the five dimensions kept in a round's folder, or None."""
    return _optional(Scoring, folder / SCORING)
