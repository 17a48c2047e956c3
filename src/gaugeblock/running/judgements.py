"""What a run and its amendments say of a round, each by which evaluator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gaugeblock.records.revision import Evaluator, Judged, evaluators_of
from gaugeblock.records.run_folder import RoundState, RunFolder
from gaugeblock.running.regrading import asked_of


@dataclass(frozen=True)
class Told:
    """One word on a round.

    Attributes:
        who: whose it is, for messages.
        evaluator: what it rests on.
        judged: the word.
    """

    who: str
    evaluator: Evaluator
    judged: Judged


def told_of(folder: RunFolder, state: RoundState) -> list[Told]:
    """Return what is said of a round: the run's own word, then that of each regrade."""
    suite = asked_of(folder, state)[0].suite
    told = [Told("the run", evaluators_of(folder.plan)[suite], state.judged)]
    for revision in folder.standing.revisions:
        told += [
            Told(revision.name, revision.content.evaluators[suite].after, item.after)
            for item in revision.content.grades
            if (item.trial, item.round) == (state.result.trial_id, state.result.round)
        ]
    return told


def held_to(told: Sequence[Told], here: Evaluator) -> Sequence[Told]:
    """Return what must come out again here: all that this evaluator said, else the newest word."""
    return [item for item in told if item.evaluator == here] or told[-1:]


def ruler_corrected(told: Sequence[Told], here: Evaluator) -> bool:
    """Whether a regrade is of the ruler that is installed here, and the run is of another one.

    Such a ruler may say otherwise than the run's read-back: that is what it was made for.
    """
    first, *later = (item.evaluator.ruler for item in told)
    return here.ruler != first and here.ruler in later


def revision_notes(folder: RunFolder, here: Mapping[str, Evaluator]) -> list[str]:
    """Return what was graded again, and whose grades no evaluator is here for.

    Args:
        folder: the run.
        here: suite → the evaluator that is installed here.
    """
    revisions = folder.standing.revisions
    notes = [f"{revision.name}: {revision.told}: {revision.reason}" for revision in revisions]
    for suite, planned in evaluators_of(folder.plan).items():
        changes = [
            (revision.name, revision.content.evaluators[suite].after)
            for revision in revisions
            if suite in revision.content.evaluators
        ]
        if changes:
            notes += [
                f"{suite}: the grades of {who} are another evaluator's than the one installed here"
                for who, by in [("the run", planned), *changes]
                if by != here[suite]
            ]
    return notes
