"""Audit, regrade and invalidate: what anyone can recompute from a run folder alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from gaugeblock.analysis.tables import rows_jsonl
from gaugeblock.records.base import pretty_json
from gaugeblock.records.case import Case, Round
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import INVALIDATED, MANIFEST, amend
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.probe import Probe
from gaugeblock.records.run_folder import (
    ARTIFACT,
    DOCUMENT,
    EVENTS,
    PROBE,
    PROBE_CONSERVATION,
    PROBE_MEASUREMENT,
    PROBE_STEP,
    START,
    USAGE,
    RoundState,
    RunFolder,
    read_conservation,
    read_measurement,
    read_probe_evidence,
    read_reopening,
)
from gaugeblock.records.store import file_sha256, write_atomic
from gaugeblock.ruler import Ruler
from gaugeblock.running.plans import changed_fingerprints, load_suites
from gaugeblock.running.probing import Rebuilt, judged_or_not, look_at, made_probe
from gaugeblock.running.recount import recount
from gaugeblock.running.soundness import ROWS, faults, journal_fault, read_run, require_sound
from gaugeblock.suites import Delivered, edit_region, probed_round


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
        return Audit(closed=(path / MANIFEST).is_file(), mismatches=[str(error)])
    found = Audit(closed=folder.closed, mismatches=faults(folder))
    _manifest(folder, found)
    _plan(folder, found)
    with Ruler() as ruler:
        for trial in folder.trials:
            for name in (EVENTS, USAGE):
                fault = journal_fault(trial.folder / name) if folder.closed else None
                if fault is not None:
                    found.mismatches.append(f"{trial.planned.id}: {name}: {fault}")
            found.mismatches += recount(folder.plan, trial)
            for state in trial.rounds:
                if progress:
                    progress(f"{trial.planned.id} {state.result.round}")
                _round(folder, state, ruler, found)
                _probe(folder, state, ruler, found)
    _reviews(folder, found)
    _rows(folder, found)
    return found


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
    if folder.invalidated:
        found.notes.append(f"the run is invalidated: {folder.invalidated}")


def _round(folder: RunFolder, state: RoundState, ruler: Ruler, found: Audit) -> None:
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
    if state.grade is None:
        if result.outcome in ("passed", "failed", "could-not-grade"):
            found.mismatches.append(f"{where}: {result.outcome} without a grade")
        return
    grade, measurement = _grade_again(folder, state, ruler)
    found.regraded += 1
    try:
        stored = read_measurement(state.folder)
    except WrongUse as error:
        found.mismatches.append(str(error))
        stored = None
    if measurement is not None and stored is not None:
        found.mismatches += [f"{where}: {line}" for line in _moved(stored, measurement)]
    if _verdicts(grade) != _verdicts(state.grade):
        found.mismatches.append(
            f"{where}: graded again as {grade.verdict} {list(grade.failed())}, "
            f"the run says {state.grade.verdict} {list(state.grade.failed())}"
        )
    consistent = {"passed": "passed", "failed": "failed", "could-not-grade": "could-not-grade"}
    expected_verdict = consistent.get(result.outcome)
    if expected_verdict is not None and expected_verdict != grade.verdict:
        found.mismatches.append(f"{where}: outcome {result.outcome}, grade {grade.verdict}")


def _probe(folder: RunFolder, state: RoundState, ruler: Ruler, found: Audit) -> None:
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
    again = _probe_again(folder, state, ruler)
    if again is None:
        return
    found.probes += 1
    record, measurement = again
    if measurement is not None and stored is not None:
        found.mismatches += [f"{where}: probe: {line}" for line in _moved(stored, measurement)]
    told = [item.grade and _verdicts(item.grade) for item in (record, probe)]
    if record.verdict != probe.verdict or told[0] != told[1]:
        found.mismatches.append(
            f"{where}: probe graded again as {record.verdict} {list(record.failed())}, "
            f"the run says {probe.verdict} {list(probe.failed())}"
        )


def _probe_again(
    folder: RunFolder, state: RoundState, ruler: Ruler
) -> tuple[Probe, Measurement | None] | None:
    """Measure and grade a probed part; None: the host gave none, or its files are not there."""
    probe, (case, asked) = state.probe, _asked(folder, state)
    probed = probed_round(asked)
    there = (state.folder / PROBE_STEP).is_file() and (state.folder / ARTIFACT).is_file()
    if probe is None or probed is None or probe.artifact_sha256 is None or not there:
        return None
    delivered = look_at(probed, state.folder, ruler, case.limits.evaluation_s)
    fingerprint = folder.plan.fingerprints["ruler"].sha256
    grade = partial(load_suites(folder.plan)[case.suite].grade, ruler_fingerprint=fingerprint)
    judged, fault = judged_or_not(probed, delivered, grade)
    record = made_probe(asked, probe.document_sha256, Rebuilt(), delivered, judged, fault)
    return record, delivered.measurement


def _asked(folder: RunFolder, state: RoundState) -> tuple[Case, Round]:
    """Return the case and the round that a state is of."""
    planned = next(t for t in folder.trials if t.planned.id == state.result.trial_id).planned
    case = folder.plan.case(planned.case_id)
    return case, next(item for item in case.rounds if item.id == state.result.round)


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


def _verdicts(grade: Grade) -> tuple[object, ...]:
    return (grade.verdict, tuple((check.name, check.verdict) for check in grade.checks))


def _grade_again(
    folder: RunFolder, state: RoundState, ruler: Ruler
) -> tuple[Grade, Measurement | None]:
    """Measure the kept STEP and grade it by the formulas in the plan."""
    case, asked = _asked(folder, state)
    suite = load_suites(folder.plan)[case.suite]
    path, document = state.folder / ARTIFACT, state.folder / DOCUMENT
    seconds, start, region = case.limits.evaluation_s, state.folder / START, edit_region(asked)
    measurement = ruler.measure(path, seconds) if path.is_file() else None
    conservation = None
    if region is not None and path.is_file() and start.is_file():
        conservation = ruler.conserved(start, path, region, wall_s=seconds)
    delivered = Delivered(
        measurement,
        file_sha256(path) if path.is_file() else None,
        conservation,
        document.read_bytes() if document.is_file() else None,
        read_reopening(state.folder),
    )
    grade = suite.grade(
        asked, delivered, ruler_fingerprint=folder.plan.fingerprints["ruler"].sha256
    )
    return grade, measurement


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
        found.mismatches.append(f"{ROWS}: not the rows that the trials' records give")


def regrade(path: Path, reason: str) -> int:
    """Measure and grade every artifact and probed part again; append the grades as an amendment.

    Returns:
        The number of rounds graded.

    Raises:
        WrongUse: no run, not closed, no reason, or nothing to grade.
        DamagedEvidence: the folder is not sound. Grades of what was touched would be of nobody's
            work.
    """
    folder = _amendable(path, reason)
    require_sound(folder, faults(folder), "what was touched is not graded again")
    grades: list[dict[str, Any]] = []
    with Ruler() as ruler:
        for trial in folder.trials:
            for state in trial.rounds:
                outcome = state.result.outcome
                if state.grade is None or outcome.startswith(("stopped:", "no-delivery")):
                    continue
                grade, measurement = _grade_again(folder, state, ruler)
                again = _probe_again(folder, state, ruler)
                grades.append(
                    {
                        "trial": trial.planned.id,
                        "round": state.result.round,
                        "outcome": grade.verdict,
                        "grade": grade.model_dump(mode="json"),
                        "measurement_sha256": measurement and measurement.content_sha256(),
                        "probe": again and again[0].model_dump(mode="json"),
                    }
                )
    if not grades:
        raise WrongUse(f"{path}: nothing in it was graded")
    amend(path, "regrade", reason, {"grades": grades})
    return len(grades)


def _amendable(path: Path, reason: str) -> RunFolder:
    """Read a run that an amendment may be added to; told before any work, not after it."""
    folder = read_run(path)
    if not folder.closed:
        require_sound(folder, faults(folder), "nothing can be amended to it")
        raise WrongUse(f"{path}: the run is not closed; only a closed run can be amended")
    if not reason.strip():
        raise WrongUse("an amendment needs a reason; give one with --reason")
    return folder


def invalidate(path: Path, reason: str) -> None:
    """Withdraw a closed run; its records stay. A run that is not sound can be withdrawn too.

    Raises:
        WrongUse: no run, not closed, or no reason.
        DamagedEvidence: its records cannot be read, or its manifest is missing.
    """
    _amendable(path, reason)
    written = amend(path, "invalidation", reason, {})
    notice = {"amendment": written.number, "at": written.at, "reason": written.reason}
    write_atomic(path / INVALIDATED, pretty_json(notice))
