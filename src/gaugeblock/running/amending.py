"""What may be said of a closed run afterwards: regraded, a cell void, withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gaugeblock.records.base import pretty_json
from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.records.evidence import (
    INVALIDATED,
    REASON_CHARS,
    amend,
    said,
)
from gaugeblock.records.revision import (
    REGRADABLE,
    EvaluatorChange,
    Regrade,
    Regraded,
    Withdrawal,
)
from gaugeblock.records.run_folder import (
    RoundState,
    RunFolder,
)
from gaugeblock.records.standing import Withdrawn
from gaugeblock.records.store import write_atomic
from gaugeblock.ruler import Ruler
from gaugeblock.running.alone import alone
from gaugeblock.running.regrading import evaluators_here, grade_again, probe_again
from gaugeblock.running.soundness import (
    faults,
    notice,
    read_run,
    require_sound,
)


def regrade(path: Path, reason: str, progress: Callable[[str], None] | None = None) -> int:
    """Measure and grade every artifact and probed part again; append the grades as an amendment.

    The amendment holds each grade beside the one that it replaces, and of each suite the evaluator
    that gave the one and the other. No model is asked, and nothing is overwritten. Void cells and
    withdrawn suites are left out: they keep the verdict they had.

    Args:
        path: the run's folder.
        reason: what was corrected.
        progress: called with a line before each round, or None.

    Returns:
        The number of rounds graded.

    Raises:
        WrongUse: no run, not closed, withdrawn, no reason, or nothing to grade.
        DamagedEvidence: the folder is not sound. Grades of what was touched would be of nobody's
            work.
        CouldNotMeasure: the grader failed where it had not before; nothing is amended.
    """
    with alone(path):
        return _regrade(path, reason, progress)


def _regrade(path: Path, reason: str, progress: Callable[[str], None] | None) -> int:
    folder = amendable(path, reason)
    require_sound(folder, faults(folder), "what was touched is not graded again")
    _require_not_withdrawn(folder)
    standing, here = folder.standing, evaluators_here(folder.plan)
    evaluators: dict[str, EvaluatorChange] = {}
    grades: list[Regraded] = []
    with Ruler() as ruler:
        for trial in folder.trials:
            if not folder.counts(trial):
                continue
            cell = trial.planned.case_id, trial.planned.profile_id
            suite = folder.suite_of[cell[0]]
            evaluators[suite] = EvaluatorChange(before=standing.evaluators[cell], after=here[suite])
            for state in trial.rounds:
                if _gradable(state):
                    if progress:
                        progress(f"{trial.planned.id} {state.result.round}")
                    again = _again(folder, state, ruler, here[suite].ruler)
                    grades += [again] if again else []
    if not grades:
        raise WrongUse(f"{path}: nothing in it was graded, outside of void or withdrawn cells")
    content = Regrade(evaluators=evaluators, grades=tuple(grades))
    amend(path, "regrade", reason, content.model_dump(mode="json"))
    return len(grades)


def _gradable(state: RoundState) -> bool:
    """Whether a round's verdict rests on its evaluator alone, and there is something to grade."""
    failed = state.result.outcome == "error:grader"
    return state.result.outcome in REGRADABLE and (failed or state.grade is not None)


def _again(folder: RunFolder, state: RoundState, ruler: Ruler, fingerprint: str) -> Regraded | None:
    """Grade a round again; None where the grader that had failed fails still."""
    key = (state.result.trial_id, state.result.round)
    newest = folder.standing.newest.get(key)
    before = newest[0].after if newest else state.judged
    try:
        grade, found = grade_again(folder, state, ruler, fingerprint)
    except WrongUse:
        raise
    except Exception as error:  # as in a run: a grader's own fault is no verdict
        if before.grade is None:
            return None
        told = f"{type(error).__name__}: {error}".splitlines()[0]
        raise CouldNotMeasure(
            f"{key[0]} {key[1]}: the grader failed ({told}); nothing is amended"
        ) from error
    again = probe_again(folder, state, ruler, fingerprint)
    return Regraded(
        trial=key[0],
        round=key[1],
        before=before,
        outcome="no-delivery" if _undelivered(folder, state) else grade.verdict,
        grade=grade,
        measurement_sha256=found.measurement.content_sha256() if found.measurement else None,
        probe=again and again[0],
    )


def _undelivered(folder: RunFolder, state: RoundState) -> bool:
    """Whether nothing was delivered, as the run itself would have told it.

    Commits that nobody could count say nothing; of a described host it is told by its files. A part
    that lay in the workspace needs no commit. One there that was refused leaves neither a part nor
    a document, where our host always saves what was committed.
    """
    described, result = folder.plan.host.description is not None, state.result
    if result.artifact_sha256 is not None:
        return False
    return result.commits == 0 or described or result.document_sha256 is None


def _require_not_withdrawn(folder: RunFolder) -> None:
    if folder.invalidated is not None:
        raise WrongUse(f"{folder.path}: the run is invalidated as a whole; nothing in it counts")


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
    _require_not_withdrawn(folder)
    named = [
        cell for cell in folder.cells() if profile == cell.profile and case in folder.names(cell)
    ]
    if not named:
        told = ", ".join(str(cell) for cell in folder.cells())
        raise WrongUse(f"{path}: no cell {profile} on {case}; there are: {told}")
    (cell,) = named
    suite = folder.suite_of[cell.case]
    if suite in folder.standing.suites_withdrawn:
        raise WrongUse(f"{path}: suite {suite} is invalidated; nothing of it counts")
    for earlier in folder.voids():
        if (earlier.case, earlier.profile) == (cell.case, cell.profile):
            raise WrongUse(f"{path}: cell {cell} is void already: {earlier.reason}")
    amend(path, "void", reason, cell.model_dump())


def invalidate(path: Path, reason: str, suite: str | None = None) -> None:
    """Withdraw a closed run or one suite of it; the records stay.

    A run that is not sound can be withdrawn as a whole, and not a suite of it: the rest would count
    on, and the new end of the chain would hide that an amendment of it was lost. Withdrawn again,
    either is refused; a notice that was lost, or that a kill kept from being written, is written
    then.

    Args:
        path: the run's folder.
        reason: why it counts no more.
        suite: only this suite; None: the whole run.

    Raises:
        WrongUse: no run, not closed, no reason, no such suite, or withdrawn already.
        DamagedEvidence: its records cannot be read, its manifest is missing, or only a suite is to
            be withdrawn and the run is not sound.
    """
    with alone(path):
        _invalidate(path, reason, suite)


def _invalidate(path: Path, reason: str, suite: str | None) -> None:
    folder = amendable(path, reason)
    planned = [item.name for item in folder.plan.suites]
    if suite is not None and suite not in planned:
        raise WrongUse(f"{path}: no suite {suite} in this run; there are: {', '.join(planned)}")
    withdrawn = folder.standing.withdrawn
    for earlier in withdrawn:
        if earlier.suite in (None, suite):
            what = "the run" if earlier.suite is None else f"suite {earlier.suite}"
            write_notice(path, withdrawn)
            raise WrongUse(
                f"{path}: {what} is invalidated already (amendment {earlier.amendment.number}): "
                f"{earlier.amendment.reason}"
            )
    if suite is not None:
        require_sound(folder, faults(folder), "no suite of it is withdrawn by itself")
    written = amend(path, "invalidation", reason, Withdrawal(suite=suite).model_dump())
    write_notice(path, [*withdrawn, Withdrawn(suite, written)])


def write_notice(path: Path, withdrawn: Sequence[Withdrawn]) -> None:
    """Write the notice that lies beside the report."""
    write_atomic(path / INVALIDATED, pretty_json(notice(withdrawn)))
