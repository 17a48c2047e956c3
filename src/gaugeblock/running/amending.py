"""What may be said of a closed run afterwards: regraded, a cell void, withdrawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gaugeblock.records.base import pretty_json
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.evidence import (
    INVALIDATED,
    REASON_CHARS,
    amend,
    said,
)
from gaugeblock.records.run_folder import (
    RunFolder,
)
from gaugeblock.records.store import write_atomic
from gaugeblock.ruler import Ruler
from gaugeblock.running.alone import alone
from gaugeblock.running.regrading import grade_again, probe_again
from gaugeblock.running.soundness import (
    faults,
    notice,
    read_run,
    require_sound,
)


def regrade(path: Path, reason: str) -> int:
    """Measure and grade every artifact and probed part again; append the grades as an amendment.

    Void cells are left out: they keep the verdict they had when they were voided.

    Returns:
        The number of rounds graded.

    Raises:
        WrongUse: no run, not closed, no reason, or nothing to grade.
        DamagedEvidence: the folder is not sound. Grades of what was touched would be of nobody's
            work.
    """
    with alone(path):
        return _regrade(path, reason)


def _regrade(path: Path, reason: str) -> int:
    folder = amendable(path, reason)
    require_sound(folder, faults(folder), "what was touched is not graded again")
    void = {(cell.case, cell.profile) for cell in folder.voids()}
    grades: list[dict[str, Any]] = []
    with Ruler() as ruler:
        for trial in folder.trials:
            if (trial.planned.case_id, trial.planned.profile_id) in void:
                continue
            for state in trial.rounds:
                outcome = state.result.outcome
                if state.grade is None or outcome.startswith(("stopped:", "no-delivery")):
                    continue
                grade, measurement = grade_again(folder, state, ruler)
                again = probe_again(folder, state, ruler)
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
        raise WrongUse(f"{path}: nothing in it was graded, outside of void cells")
    amend(path, "regrade", reason, {"grades": grades})
    return len(grades)


def amendable(path: Path, reason: str) -> RunFolder:
    """Read a run that an amendment may be added to; told before any work, not after it."""
    folder = read_run(path)
    if not folder.closed:
        require_sound(folder, faults(folder), "nothing can be amended to it")
        raise WrongUse(f"{path}: the run is not closed; only a closed run can be amended")
    if not said(reason):
        raise WrongUse("an amendment needs a reason; give one with --reason")
    if len(reason) > REASON_CHARS:
        raise WrongUse(f"--reason: {len(reason)} characters; at most {REASON_CHARS}")
    return folder


def void(path: Path, case: str, profile: str, reason: str) -> None:
    """Take a cell of a closed run out of every figure: the protocol was at fault, not the agent.

    Args:
        path: the run's folder.
        case: the case's id, or SUITE/CASE.
        profile: the profile's id.
        reason: what the fault was.

    Raises:
        WrongUse: no run, not closed, no reason; no such cell, or it is void already; a withdrawn
            run, in which nothing counts.
        DamagedEvidence: the folder is not sound.
    """
    with alone(path):
        _void(path, case, profile, reason)


def _void(path: Path, case: str, profile: str, reason: str) -> None:
    folder = amendable(path, reason)
    require_sound(folder, faults(folder), "no cell of it is voided")
    if folder.invalidated is not None:
        raise WrongUse(f"{path}: the run is invalidated as a whole; nothing in it counts")
    named = [
        cell for cell in folder.cells() if profile == cell.profile and case in folder.names(cell)
    ]
    if not named:
        told = ", ".join(str(cell) for cell in folder.cells())
        raise WrongUse(f"{path}: no cell {profile} on {case}; there are: {told}")
    (cell,) = named
    for earlier in folder.voids():
        if (earlier.case, earlier.profile) == (cell.case, cell.profile):
            raise WrongUse(f"{path}: cell {cell} is void already: {earlier.reason}")
    amend(path, "void", reason, cell.model_dump())


def invalidate(path: Path, reason: str) -> None:
    """Withdraw a closed run; its records stay. A run that is not sound can be withdrawn too.

    Raises:
        WrongUse: no run, not closed, or no reason.
        DamagedEvidence: its records cannot be read, or its manifest is missing.
    """
    with alone(path):
        amendable(path, reason)
        written = amend(path, "invalidation", reason, {})
        write_atomic(path / INVALIDATED, pretty_json(notice(written)))
