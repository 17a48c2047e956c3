"""Whether a run folder holds what its own records say it holds; nothing is measured here.

A closed run is held to the hashes of its manifest. Any other is held to the order in which a run
writes: what was written later shows that what comes before it was there once. So a folder that a
kill left is sound, and one from which somebody took a file is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gaugeblock.records.base import pretty_json
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import (
    AMENDED,
    AMENDMENTS,
    INVALIDATED,
    MANIFEST,
    differences,
    lost_amendments,
)
from gaugeblock.records.run_folder import (
    ARTIFACT,
    CONSERVATION,
    DOCUMENT,
    EVENTS,
    GRADE,
    INTERFERENCE,
    MEASUREMENT,
    PLAN,
    PROBE,
    PROBE_CONSERVATION,
    PROBE_MEASUREMENT,
    PROBE_STEP,
    RESULT,
    SCORING,
    START,
    TRIAL_END,
    TRIAL_MANIFEST,
    TRIALS,
    USAGE,
    RoundState,
    RunFolder,
    TrialState,
    open_run,
)
from gaugeblock.records.standing import Withdrawn
from gaugeblock.records.store import DRAFT, read_journal
from gaugeblock.running import draws
from gaugeblock.running.isolation.kept import unproven
from gaugeblock.running.sheets import lost_inputs

ROWS = "results.jsonl"
CLOSING = (
    *(ROWS, "results.csv", "schemas", "summary.json", "report.md"),
    *(AMENDMENTS, AMENDED, INVALIDATED),
)
"""What is only there once a run is being closed."""

SAID = 120
"""Characters of an error's own words that are told."""

GRADED = ("passed", "failed", "could-not-grade", "no-delivery")
"""Outcomes that rest on a grade."""


def read_run(path: Path) -> RunFolder:
    """Read a run folder in any state.

    Raises:
        WrongUse: there is no run here.
        DamagedEvidence: there is one, and a record of it is missing or no such record.
    """
    if not path.is_dir():
        raise WrongUse(f"{path}: {'no folder' if path.exists() else 'no such folder'}")
    if not (path / PLAN).is_file():
        left = [name for name in (MANIFEST, TRIALS, *CLOSING) if (path / name).exists()]
        if not left:
            raise WrongUse(f"{path}: no {PLAN} here, so this is no run folder")
        raise DamagedEvidence(f"{path} is NOT SOUND: {PLAN}: missing, though {left[0]} is there")
    try:
        folder = open_run(path)
        folder.rows()
        folder.review_imports()
    except DamagedEvidence as error:
        raise DamagedEvidence(f"{path} is NOT SOUND: {error}") from error
    except WrongUse as error:
        why = str(error).replace(": (whole): ", ": ")
        raise DamagedEvidence(f"{path} is NOT SOUND: a record cannot be read: {why}") from error
    except (IsADirectoryError, NotADirectoryError) as error:
        why = f"{error.filename}: {error.strerror}"
        raise DamagedEvidence(f"{path} is NOT SOUND: a record cannot be read: {why}") from error
    except (KeyError, TypeError, ValueError) as error:
        said = f"{type(error).__name__}: {error}".splitlines()[0][:SAID]
        raise DamagedEvidence(f"{path} is NOT SOUND: records contradict each other ({said})") from (
            error
        )
    return folder


def faults(folder: RunFolder) -> list[str]:
    """Return what a folder lacks or holds otherwise than it must, one line each; empty: sound."""
    amended = [*lost_amendments(folder.path), *_withdrawn(folder)]
    if folder.manifest is not None:
        return [*differences(folder.path, folder.manifest), *amended]
    left = [name for name in CLOSING if (folder.path / name).exists()]
    unclosed = []
    if left:
        unclosed = [
            f"{MANIFEST}: missing, though {left[0]} is there: it was lost after closing, or the "
            "run was killed while closing (then run --resume closes it)"
        ]
    return [*unclosed, *contradictions(folder), *amended]


def contradictions(folder: RunFolder) -> list[str]:
    """Return what the trials' own records say must be there, or otherwise, and is not."""
    lines = [line for trial in folder.trials for line in _of_trial(folder, trial)]
    return [*lines, *lost_inputs(folder), *draws.unsound(folder)]


def require_sound(folder: RunFolder, lines: list[str], then: str) -> None:
    """Refuse a folder with faults.

    Args:
        folder: the run.
        lines: its faults.
        then: what is not done with such a folder.

    Raises:
        DamagedEvidence: there is a fault; the first is named.
    """
    if lines:
        raise DamagedEvidence(f"{folder.path} is NOT SOUND: {first_of(lines)}; {then}")


def first_of(lines: list[str]) -> str:
    """Return the first of some lines, and how many more there are."""
    return lines[0] + (f" (and {len(lines) - 1} more)" if len(lines) > 1 else "")


def journal_fault(path: Path) -> str | None:
    """Return what is wrong with a trial's journal, or None; there need not be one yet."""
    try:
        events = read_journal(path)
    except (DamagedEvidence, RecursionError, IsADirectoryError) as error:
        return f"no journal ({error})"
    if [event.get("n") for event in events] != list(range(len(events))):
        return "event numbers are not 0, 1, 2, …"
    return None


def _of_trial(folder: RunFolder, trial: TrialState) -> Iterator[str]:
    where = f"{TRIALS}/{trial.planned.id}"
    written = [state for state in trial.rounds if state.written]
    if trial.manifest is None:
        began = any(p.is_file() and not p.match(DRAFT) for p in trial.folder.rglob("*"))
        if began and not (trial.folder / TRIAL_MANIFEST).is_file():  # else it began meanwhile
            yield f"{where}/{TRIAL_MANIFEST}: missing, though the trial began"
    elif trial.manifest.plan_commitment != folder.plan.commitment():
        yield f"{PLAN}: not the plan that {trial.planned.id} was begun with"
    if trial.end is not None or written:
        for name in (EVENTS, USAGE):
            if not (trial.folder / name).is_file():
                yield f"{where}/{name}: missing, though a round ended"
    for name in (EVENTS, USAGE):
        fault = journal_fault(trial.folder / name)
        if fault is not None:
            yield f"{where}/{name}: {fault}"
    yield from unproven(folder, trial, where)
    last = len(trial.rounds) if trial.end else max(map(trial.rounds.index, written), default=-1)
    for number, state in enumerate(trial.rounds):
        here = f"{where}/{state.folder.name}"
        if state in written:
            settled = trial.end is not None or number < last
            yield from _of_round(trial, state, here)
            yield from _of_probe(folder, trial, state, here, settled=settled)
        elif number < last:
            after = TRIAL_END if trial.end else f"the result of a later round ({RESULT})"
            yield f"{here}/{RESULT}: missing, though {after} is there"


def _of_round(trial: TrialState, state: RoundState, here: str) -> Iterator[str]:
    result = state.result
    if result.trial_id != trial.planned.id:
        yield f"{here}/{RESULT}: speaks of {result.trial_id} {result.round}"
    compared = state.grade is not None and state.grade.conservation_sha256 is not None
    due = {
        DOCUMENT: result.document_sha256 is not None,
        ARTIFACT: result.artifact_sha256 is not None,
        MEASUREMENT: result.measurement_sha256 is not None,
        INTERFERENCE: result.interference_pairs is not None,
        GRADE: result.outcome in GRADED,
        START: compared,
        CONSERVATION: compared,
        SCORING: state.grade is not None and state.grade.scoring_sha256 is not None,
    }
    for name, must in due.items():
        if must and not (state.folder / name).is_file():
            yield f"{here}/{name}: missing, though the round ended {result.outcome}"


def _of_probe(
    folder: RunFolder, trial: TrialState, state: RoundState, here: str, *, settled: bool
) -> Iterator[str]:
    """A probe comes after its round's result, and before anything later of the trial."""
    case, probe = folder.plan.case(trial.planned.case_id), state.probe
    asked = next(item for item in case.rounds if item.id == state.folder.name)
    wanted = bool(asked.probe) and state.result.outcome == "passed" and folder.plan.host.rebuilds
    if probe is None:
        if wanted and settled:
            yield f"{here}/{PROBE}: missing, though the round passed and the trial went on"
        return
    if not wanted:
        yield f"{here}/{PROBE}: there, though the round ended {state.result.outcome}"
    if (probe.round, probe.parameters) != (asked.id, asked.probe):
        yield f"{here}/{PROBE}: speaks of another probe than the plan's"
    compared = probe.grade is not None and probe.grade.conservation_sha256 is not None
    due = {
        PROBE_STEP: probe.artifact_sha256 is not None,
        PROBE_MEASUREMENT: probe.measurement_sha256 is not None,
        PROBE_CONSERVATION: compared,
    }
    for name, must in due.items():
        if must and not (state.folder / name).is_file():
            yield f"{here}/{name}: missing, though the probe {probe.verdict}"


def _withdrawn(folder: RunFolder) -> list[str]:
    """The notice beside the report must say what the amendments say, and be there if one does.

    So nobody makes a run whole again by taking away the one or the other.
    """
    path, withdrawn = folder.path / INVALIDATED, folder.standing.withdrawn
    if not withdrawn:
        lost = f"{AMENDMENTS}: the one that {INVALIDATED} names is missing"
        return [lost] if path.exists() else []
    if not path.exists():
        return [
            f"{INVALIDATED}: missing, though amendment {withdrawn[-1].amendment.number} withdraws "
            "(gaugeblock invalidate writes it anew)"
        ]
    if not path.is_file() or path.read_bytes() != pretty_json(notice(withdrawn)):
        return [f"{INVALIDATED}: not what the amendments say"]
    return []


def notice(withdrawn: Sequence[Withdrawn]) -> list[dict[str, str | int]]:
    """Return what the notice beside the report says: what is withdrawn, since when and why."""
    return [
        {
            "withdrawn": "run" if item.suite is None else f"suite {item.suite}",
            "amendment": item.amendment.number,
            "at": item.amendment.at,
            "reason": item.amendment.reason,
        }
        for item in withdrawn
    ]
