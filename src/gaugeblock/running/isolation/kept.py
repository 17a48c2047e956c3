"""Whether a sealed trial's proof is there, is of this trial, and says what the trial rests on."""

from __future__ import annotations

from collections.abc import Iterator

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.isolation import Isolation
from gaugeblock.records.plan import WORKSPACE
from gaugeblock.records.run_folder import ISOLATION, RunFolder, TrialState

LEAKED = "error:isolation"


def unproven(folder: RunFolder, trial: TrialState, where: str) -> Iterator[str]:
    """Yield what is wrong with the proof of a trial in which an agent began.

    Args:
        folder: the run.
        trial: one of its trials.
        where: the trial's folder, as lines name it.
    """
    case = folder.plan.case(trial.planned.case_id)
    began = [state for state in trial.rounds if state.written and state.result.total_s is not None]
    if folder.plan.host.sealed is not True or not case.hides_truth or not began:
        return
    path = trial.folder / ISOLATION
    if not path.is_file():
        yield f"{where}/{ISOLATION}: missing, though the run is sealed and an agent began"
        return
    try:
        proof = Isolation.load(path.read_bytes(), f"{where}/{ISOLATION}")
    except (OSError, WrongUse) as error:
        yield str(error)
        return
    if proof.trial_id != trial.planned.id:
        yield f"{where}/{ISOLATION}: speaks of {proof.trial_id}"
    due = {"host", "job", *([WORKSPACE] if WORKSPACE in case.needs else [])}
    for name in sorted(due - {view.name for view in proof.views}):
        yield f"{where}/{ISOLATION}: the view of the {name} was not searched"
    if not proof.clean and all(state.result.outcome != LEAKED for state in began):
        yield f"{where}/{ISOLATION}: something was found, and no round ended {LEAKED}"
