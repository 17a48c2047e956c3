"""Audit: what anyone can recompute from a run folder alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gaugeblock.analysis.tables import rows_jsonl
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import (
    MANIFEST,
    differences,
    read_manifest,
)
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.revision import Evaluator, grade_verdicts, probe_verdicts
from gaugeblock.records.run_folder import (
    ARTIFACT,
    DOCUMENT,
    EVENTS,
    INTERFERENCE,
    PROBE,
    PROBE_CONSERVATION,
    PROBE_MEASUREMENT,
    PROBE_STEP,
    SCORING,
    START,
    USAGE,
    RoundState,
    RunFolder,
    TrialState,
    read_conservation,
    read_interference,
    read_measurement,
    read_probe_evidence,
    read_scoring,
)
from gaugeblock.records.scoring import Scoring
from gaugeblock.records.store import file_sha256
from gaugeblock.ruler import Ruler
from gaugeblock.running import draws
from gaugeblock.running.judgements import held_to, revision_notes, ruler_corrected, told_of
from gaugeblock.running.plans import changed_fingerprints
from gaugeblock.running.recount import recount
from gaugeblock.running.regrading import (
    asked_of,
    evaluators_here,
    grade_again,
    probe_again,
)
from gaugeblock.running.sharing import SHARED_MM3, Sharing, sharing
from gaugeblock.running.sheets import scored_otherwise
from gaugeblock.running.soundness import ROWS, faults, journal_fault, read_run


@dataclass
class Audit:
    """What an audit found.

    Attributes:
        closed: whether the run has a closing manifest.
        mismatches: what contradicts itself, one line each; empty in a sound run.
        notes: what could not be checked, and why.
        files: number of files whose hash was compared.
        regraded: number of artifacts measured and graded again.
        probes: number of probed parts measured and graded again.
    """

    closed: bool
    mismatches: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: int = 0
    regraded: int = 0
    probes: int = 0

    @property
    def sound(self) -> bool:
        """Whether everything that was promised holds; an unclosed run promises nothing."""
        return self.closed and not self.mismatches


def audit(path: Path, progress: Any = None) -> Audit:
    """Hash everything again, measure and grade every artifact again, compare.

    Args:
        path: the run's folder.
        progress: called with a line before each artifact, or None.

    Raises:
        WrongUse: there is no run here.
    """
    try:
        folder = read_run(path)
    except DamagedEvidence as error:  # a finding, not a failure of the audit
        closed = (path / MANIFEST).is_file()
        return Audit(closed=closed, mismatches=[str(error), *_touched(path)])
    found = Audit(closed=folder.closed, mismatches=faults(folder))
    _manifest(folder, found)
    _plan(folder, found)
    _draws(folder, found)
    here = evaluators_here(folder.plan)
    found.notes += revision_notes(folder, here)
    with Ruler() as ruler:
        for trial in folder.trials:
            evaluator = here[folder.suite_of[trial.planned.case_id]]
            for name in (EVENTS, USAGE):
                fault = journal_fault(trial.folder / name) if folder.closed else None
                if fault is not None:
                    found.mismatches.append(f"{trial.planned.id}: {name}: {fault}")
            found.mismatches += _recounted(folder, trial)
            for state in trial.rounds:
                if progress:
                    progress(f"{trial.planned.id} {state.result.round}")
                _round(folder, state, ruler, evaluator, found)
                _probe(folder, state, ruler, evaluator, found)
    _reviews(folder, found)
    _rows(folder, found)
    return found


def _touched(path: Path) -> list[str]:
    """Return which files of a run that cannot be read are not those that were closed."""
    try:
        manifest = read_manifest(path)
    except (DamagedEvidence, WrongUse):
        return []  # the first line says so
    return [] if manifest is None else differences(path, manifest)


def _recounted(folder: RunFolder, trial: TrialState) -> list[str]:
    """Derive the accounts of a trial again; what its journals lack is told elsewhere."""
    try:
        return recount(folder.plan, trial)
    except (DamagedEvidence, KeyError, TypeError, ValueError) as error:
        return [f"{trial.planned.id}: its accounts cannot be derived again ({error})"]


def _manifest(folder: RunFolder, found: Audit) -> None:
    if folder.manifest is None:
        found.notes.append("the run is not closed: no manifest, so no file hash can be held to")
        return
    found.files = len(folder.manifest.files)
    if folder.manifest.plan_commitment != folder.plan.commitment():
        found.mismatches.append("plan.json: its commitment is not the manifest's")


def _plan(folder: RunFolder, found: Audit) -> None:
    changed = changed_fingerprints(folder.plan)
    found.notes += [f"graded again by other code than planned: {line}" for line in changed]
    states = [state.result.outcome for trial in folder.trials for state in trial.rounds]
    left = [outcome for outcome in states if outcome in ("interrupted", "not-run")]
    if left:
        found.notes.append(f"{len(left)} rounds interrupted or not run")
    for item in folder.standing.withdrawn:
        what = "the run" if item.suite is None else f"suite {item.suite}"
        found.notes.append(f"{what} is invalidated: {item.amendment.reason}")
    found.notes += [f"cell {cell} is void: {cell.reason}" for cell in folder.voids()]
    follows = folder.plan.follows
    if follows:
        count = len(follows.trials)
        found.notes.append(f"a {follows.kind} of {count} trials of run {follows.run[:12]}")


def _draws(folder: RunFolder, found: Audit) -> None:
    """Draw the fresh cases again; of an open run its faults have told it already."""
    if folder.closed:
        found.mismatches += draws.unsound(folder)
    why_not = draws.other_rules(folder.plan)
    if why_not is not None:
        found.notes.append(why_not)


def _round(
    folder: RunFolder, state: RoundState, ruler: Ruler, here: Evaluator, found: Audit
) -> None:
    result = state.result
    where = f"{result.trial_id}/{result.round}"
    kept = {DOCUMENT: result.document_sha256, ARTIFACT: result.artifact_sha256}
    compared = _optional_conservation(state, found)
    if compared is not None:
        kept[START] = compared.start.sha256
    for name, expected in kept.items():
        path = state.folder / name
        actual = file_sha256(path) if path.is_file() else None
        if expected is not None and actual != expected:
            found.mismatches.append(f"{where}/{name}: not the file the result names")
    told = told_of(folder, state)
    if told[-1].judged.grade is None:
        if result.outcome in ("passed", "failed", "could-not-grade"):
            found.mismatches.append(f"{where}: {result.outcome} without a grade")
        return
    try:
        grade, delivered = grade_again(folder, state, ruler, here.ruler)
    except (DamagedEvidence, WrongUse) as error:  # a record that the grader needs
        found.mismatches.append(str(error))
        return
    found.regraded += 1
    try:
        stored = read_measurement(state.folder)
    except WrongUse as error:
        found.mismatches.append(str(error))
        stored = None
    measurement = delivered.measurement
    moved = [] if measurement is None or stored is None else _moved(stored, measurement)
    contradicted, again = _shared(folder, state, ruler)
    untrue, rescored = _scored(state, told[0].judged.grade, delivered.scoring)
    found.mismatches += [f"{where}: {line}" for line in (*contradicted, *untrue)]
    moved += [*again, *rescored]
    # A corrected ruler may say otherwise than the one of the run: that is what it was made for.
    corrected = ruler_corrected(told, here)
    (found.notes if corrected else found.mismatches).extend(f"{where}: {line}" for line in moved)
    for item in held_to(told, here):
        before = item.judged.grade
        if before is not None and grade_verdicts(grade) != grade_verdicts(before):
            found.mismatches.append(
                f"{where}: graded again as {grade.verdict} {list(grade.failed())}, "
                f"{item.who} says {before.verdict} {list(before.failed())}"
            )
        outcome = item.judged.outcome
        if outcome in ("passed", "failed", "could-not-grade") and outcome != grade.verdict:
            found.mismatches.append(f"{where}: outcome {outcome}, grade {grade.verdict}")


def _probe(
    folder: RunFolder, state: RoundState, ruler: Ruler, here: Evaluator, found: Audit
) -> None:
    """Hold a round's probe to its files, and measure and grade the probed part again."""
    probe = state.probe
    if probe is None:
        return
    where = f"{state.result.trial_id}/{state.result.round}"
    if probe.document_sha256 != state.result.document_sha256:
        found.mismatches.append(f"{where}/{PROBE}: of another document than the round delivered")
    compared = probe.grade.conservation_sha256 if probe.grade else None
    try:
        stored, comparison = read_probe_evidence(state.folder)
    except WrongUse as error:
        found.mismatches.append(str(error))
        stored = comparison = None
    step = state.folder / PROBE_STEP
    kept = {
        PROBE_STEP: (probe.artifact_sha256, file_sha256(step) if step.is_file() else None),
        PROBE_MEASUREMENT: (probe.measurement_sha256, stored and stored.content_sha256()),
        PROBE_CONSERVATION: (compared, comparison and comparison.content_sha256()),
    }
    for name, (expected, actual) in kept.items():
        if expected is not None and actual != expected:
            found.mismatches.append(f"{where}/{name}: not what the probe names")
    again = probe_again(folder, state, ruler, here.ruler)
    if again is None:
        return
    found.probes += 1
    record, measurement = again
    said = told_of(folder, state)
    if measurement is not None and stored is not None:
        corrected = ruler_corrected(said, here)
        (found.notes if corrected else found.mismatches).extend(
            f"{where}: probe: {line}" for line in _moved(stored, measurement)
        )
    for item in held_to(said, here):
        before = item.judged.probe
        if before is not None and probe_verdicts(record) != probe_verdicts(before):
            found.mismatches.append(
                f"{where}: probe graded again as {record.verdict} {list(record.failed())}, "
                f"{item.who} says {before.verdict} {list(before.failed())}"
            )


def _optional_conservation(state: RoundState, found: Audit) -> Conservation | None:
    try:
        return read_conservation(state.folder)
    except WrongUse as error:
        found.mismatches.append(str(error))
        return None


def _moved(stored: Measurement, again: Measurement) -> list[str]:
    """Return which totals of the read-back differ from those measured again."""
    if stored.totals is None or again.totals is None:
        same = stored.verdict == again.verdict
        return [] if same else [f"read-back was {stored.verdict}, is now {again.verdict}"]
    fields = ("solids", "faces", "volume", "bounds", "valid", "names")
    return [
        f"read-back {name} was {getattr(stored.totals, name)}, is now {getattr(again.totals, name)}"
        for name in fields
        if getattr(stored.totals, name) != getattr(again.totals, name)
    ]


def _shared(folder: RunFolder, state: RoundState, ruler: Ruler) -> tuple[list[str], list[str]]:
    """Measure once more which solids share space, where that was told, and compare.

    Returns:
        What the run's own records say against each other, which no ruler excuses, and what is
        measured otherwise now.
    """
    try:
        stored = read_interference(state.folder)
    except WrongUse as error:
        return [str(error)], []
    result = state.result
    told = Sharing(result.interference_pairs, result.interference_mm3)
    if stored is None:
        lost = told.pairs is not None
        return [f"{INTERFERENCE}: missing, and the result tells of it"] if lost else [], []
    by_record = sharing(stored)
    if (told.pairs, told.volume) != (by_record.pairs, by_record.volume):
        return [f"{INTERFERENCE}: gives {_said(by_record)}, the result says {_said(told)}"], []
    seconds = asked_of(folder, state)[0].limits.evaluation_s
    again = sharing(ruler.interference(state.folder / ARTIFACT, wall_s=seconds))
    same = again.pairs == told.pairs and _close(again.volume, told.volume)
    return [], [] if same else [f"interference was {_said(told)}, is now {_said(again)}"]


def _scored(
    state: RoundState, grade: Grade | None, again: Scoring | None
) -> tuple[list[str], list[str]]:
    """Compare the five dimensions of a delivery with those measured again.

    Returns:
        What the run's own records say against each other, which no ruler excuses, and what is
        measured otherwise now.
    """
    named = None if grade is None else grade.scoring_sha256
    try:
        stored = read_scoring(state.folder)
    except WrongUse as error:
        return [str(error)], []
    if named is not None and (stored is None or stored.content_sha256() != named):
        return [f"{SCORING}: not what the grade rests on"], []
    if stored is None or again is None:
        same = stored is again
        return [], [] if same else [f"{SCORING}: only one of run and audit could score"]
    return [], scored_otherwise(stored, again)


def _close(one: float | None, other: float | None) -> bool:
    """Whether two volumes are the same to what is counted as sharing at all."""
    return one == other or (
        one is not None and other is not None and abs(one - other) <= SHARED_MM3
    )


def _said(found: Sharing) -> str:
    return "unknown" if found.pairs is None else f"{found.pairs} pairs, {found.volume:.6g} mm³"


def _reviews(folder: RunFolder, found: Audit) -> None:
    """Hold every review to the artifact that was judged."""
    places = {(s.result.trial_id, s.result.round): s for t in folder.trials for s in t.rounds}
    for review in folder.reviews():
        where = f"review of {review.trial}/{review.round} by {review.reviewer}"
        state = places.get((review.trial, review.round))
        path = state.folder / ARTIFACT if state else None
        if path is None or not path.is_file() or file_sha256(path) != review.artifact_sha256:
            found.mismatches.append(f"{where}: not the artifact that was reviewed")


def _rows(folder: RunFolder, found: Audit) -> None:
    """Derive the rows of the run itself again and compare them with the published ones."""
    path = folder.path / ROWS
    if folder.manifest is None or not path.is_file():
        return
    untouched = RunFolder(folder.path, folder.plan, folder.trials, folder.manifest)
    if rows_jsonl(untouched.rows()) != path.read_bytes():
        found.mismatches.append(f"{ROWS}: not the rows that plan and trials' records give")
