"""Cases that show a drawing: their files kept in the run's folder, deliveries scored against them.

`inputs/` holds, by SHA-256, every reference and every shown file of the plan's cases, so that a run
can be gone on with and audited where the suite's own folders are not at hand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.records.case import Case
from gaugeblock.records.drawing_task import DrawingTask
from gaugeblock.records.errors import DamagedEvidence
from gaugeblock.records.run_folder import ARTIFACT, INPUTS, OWN_DRAWING, RunFolder
from gaugeblock.records.scoring import Scoring
from gaugeblock.records.store import file_sha256, write_atomic
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.scoring import score
from gaugeblock.suites import OWN, SheetSuite, Suite, own_suite

CLOSE = 1e-6
"""How far an overlap measured again may lie from the first: what the ruler's methods leave open."""


@dataclass(frozen=True)
class Held:
    """What a delivery is held against.

    Attributes:
        task: what the sheet asks.
        reference: the right part, in the run's own folder.
    """

    task: DrawingTask
    reference: Path


def held_against(run: Path, case: Case) -> Held | None:
    """Return what a case's deliveries are held against; None: it shows no drawing.

    Args:
        run: the run's folder.
        case: the case.
    """
    task = case.drawing
    return None if task is None else Held(task, run / INPUTS / task.reference_sha256)


def inputs_of(suites: Mapping[str, Suite], cases: Iterable[Case]) -> dict[str, bytes]:
    """Return SHA-256 → content of all files that the cases show or are held against.

    Raises:
        WrongUse: a file of a case is not at hand.
    """
    found: dict[str, bytes] = {}
    for case in cases:
        suite = suites[case.suite]
        if case.drawing is None or not isinstance(suite, SheetSuite):
            continue
        for content in (suite.reference(case), *suite.shown(case).values()):
            found[hashlib.sha256(content).hexdigest()] = content
    return found


def kept_suites(folder: RunFolder, suites: Mapping[str, Suite]) -> dict[str, Suite]:
    """Return suites of a run that goes on: a user's own cases show what the run kept of them.

    Raises:
        WrongUse: a trial that is still to begin needs a script, and the run keeps no programs.
    """
    kept = dict(suites)
    if OWN not in kept:
        return kept
    kept[OWN] = own_suite(kept=lambda sha256: (folder.path / INPUTS / sha256).read_bytes())
    for state in folder.trials:
        case = folder.plan.case(state.planned.case_id)
        profile = folder.plan.profile(state.planned.profile_id)
        if not state.started and profile.scripted and case.suite == OWN:
            kept[OWN].script(case, case.rounds[0], profile.agent)
    return kept


def keep_inputs(run: Path, inputs: Mapping[str, bytes]) -> None:
    """Write the files into a run's folder."""
    for sha256, content in inputs.items():
        write_atomic(run / INPUTS / sha256, content)


def lost_inputs(folder: RunFolder) -> Iterator[str]:
    """Yield which files of the plan's cases are missing or changed, one line each."""
    due: dict[str, str] = {}
    for case in folder.plan.cases:
        if case.drawing is not None:
            files = [case.drawing.reference_sha256, *case.drawing.shown.values()]
            files += [case.drawing.rulebook_sha256] if case.drawing.rulebook_sha256 else []
            due |= dict.fromkeys(files, case.id)
    for sha256, name in sorted(due.items()):
        path = folder.path / INPUTS / sha256
        if not path.is_file():
            yield f"{INPUTS}/{sha256}: missing, and case {name} needs it"
        elif file_sha256(path) != sha256:
            yield f"{INPUTS}/{sha256}: not the file that case {name} needs"


def score_delivery(held: Held, folder: Path, ruler: Ruler, wall_s: float) -> Scoring:
    """Hold the delivery in a round's folder against its reference and sheet.

    Args:
        held: what it is held against.
        folder: of the round.
        ruler: asked.
        wall_s: ceiling of each question, s.

    Raises:
        DamagedEvidence: the reference is not the file that the plan names.
    """
    if not held.reference.is_file() or file_sha256(held.reference) != held.task.reference_sha256:
        raise DamagedEvidence(f"{INPUTS}/{held.reference.name}: missing, or another file")
    drawing = folder / OWN_DRAWING
    return score(
        ruler,
        held.reference,
        folder / ARTIFACT,
        held.task.dimensions,
        own_drawing=drawing.read_bytes() if drawing.is_file() else None,
        wall_s=wall_s,
    )


def scored_otherwise(stored: Scoring, again: Scoring) -> list[str]:
    """Return which of the five came out otherwise, one line each."""
    return [
        f"{name} was {_said(before)}, is now {_said(now)}"
        for (name, before), now in zip(
            _figures(stored).items(), _figures(again).values(), strict=True
        )
        if not _same(before, now)
    ]


def _figures(scoring: Scoring) -> dict[str, float | None]:
    aligned, drawn = scoring.overlap.aligned, scoring.drawing.match
    own = scoring.own_drawing.match if scoring.own_drawing else None
    return {
        "dimensionRecall": scoring.dimensions.recall,
        "extendedRecall": scoring.dimensions.extended_recall,
        "semanticMatch": scoring.features.semantic_match,
        "shapeIoU": aligned.iou if aligned else None,
        "threadMatch": scoring.threads.match,
        "drawingMatch": drawn.match if drawn else None,
        "its own drawing": own.match if own else None,
    }


def _same(one: float | None, other: float | None) -> bool:
    return one == other or (one is not None and other is not None and abs(one - other) <= CLOSE)


def _said(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.6g}"
