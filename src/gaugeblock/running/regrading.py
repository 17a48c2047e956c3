"""The kept artifacts of a round measured and graded once more, by the formulas in the plan."""

from __future__ import annotations

from functools import partial

from gaugeblock.records.case import Case, Round
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.plan import Plan
from gaugeblock.records.probe import Probe
from gaugeblock.records.revision import Evaluator
from gaugeblock.records.run_folder import (
    ARTIFACT,
    DOCUMENT,
    PROBE_STEP,
    START,
    RoundState,
    RunFolder,
    read_reopening,
)
from gaugeblock.records.store import file_sha256
from gaugeblock.ruler import Ruler
from gaugeblock.running import fingerprints
from gaugeblock.running.plans import PACKAGE, load_suites
from gaugeblock.running.probing import Rebuilt, judged_or_not, look_at, made_probe
from gaugeblock.running.sheets import held_against, score_delivery
from gaugeblock.suites import Delivered, edit_region, probed_round


def evaluators_here(plan: Plan) -> dict[str, Evaluator]:
    """Return suite → the evaluator that is installed here, for the suites of a plan."""
    ruler = fingerprints.compute(PACKAGE)["ruler"].sha256
    return {
        name: Evaluator(ruler=ruler, suite=suite.controls().digest)
        for name, suite in load_suites(plan).items()
    }


def grade_again(
    folder: RunFolder, state: RoundState, ruler: Ruler, fingerprint: str
) -> tuple[Grade, Delivered]:
    """Measure the kept STEP and grade it by the formulas in the plan.

    Args:
        folder: the run.
        state: the round.
        ruler: the one that is installed here.
        fingerprint: of that ruler; the grade holds it.

    Returns:
        The grade, and what it was judged from.

    Raises:
        DamagedEvidence: a file that the case is held against is not the plan's.
    """
    case, asked = asked_of(folder, state)
    suite = load_suites(folder.plan)[case.suite]
    path, document = state.folder / ARTIFACT, state.folder / DOCUMENT
    seconds, start, region = case.limits.evaluation_s, state.folder / START, edit_region(asked)
    measurement = ruler.measure(path, seconds) if path.is_file() else None
    conservation = None
    if region is not None and path.is_file() and start.is_file():
        conservation = ruler.conserved(start, path, region, wall_s=seconds)
    held, scoring = held_against(folder.path, case), None
    if held is not None and measurement is not None and measurement.verdict == "measured":
        scoring = score_delivery(held, state.folder, ruler, seconds)
    delivered = Delivered(
        measurement,
        file_sha256(path) if path.is_file() else None,
        conservation,
        document.read_bytes() if document.is_file() else None,
        read_reopening(state.folder),
        case.drawing,
        scoring,
    )
    return suite.grade(asked, delivered, ruler_fingerprint=fingerprint), delivered


def probe_again(
    folder: RunFolder, state: RoundState, ruler: Ruler, fingerprint: str
) -> tuple[Probe, Measurement | None] | None:
    """Measure and grade a probed part; None: the host gave none, or its files are not there.

    Arguments as of `grade_again`.
    """
    probe, (case, asked) = state.probe, asked_of(folder, state)
    probed = probed_round(asked)
    there = (state.folder / PROBE_STEP).is_file() and (state.folder / ARTIFACT).is_file()
    if probe is None or probed is None or probe.artifact_sha256 is None or not there:
        return None
    delivered = look_at(probed, state.folder, ruler, case.limits.evaluation_s)
    grade = partial(load_suites(folder.plan)[case.suite].grade, ruler_fingerprint=fingerprint)
    judged, fault = judged_or_not(probed, delivered, grade)
    record = made_probe(asked, probe.document_sha256, Rebuilt(), delivered, judged, fault)
    return record, delivered.measurement


def asked_of(folder: RunFolder, state: RoundState) -> tuple[Case, Round]:
    """Return the case and the round that a state is of."""
    planned = next(t for t in folder.trials if t.planned.id == state.result.trial_id).planned
    case = folder.plan.case(planned.case_id)
    return case, next(item for item in case.rounds if item.id == state.result.round)
