"""Cases judged by a rubric: the proof holds, and it fails where a fault is not seen."""

import hashlib
import json
from dataclasses import replace

import pytest

from gaugeblock.calibration import calibrate
from gaugeblock.calibration.measuring import Bench
from gaugeblock.calibration.proving_rubrics import prove_by_rubric
from gaugeblock.calibration.rehearsing import Delivery
from gaugeblock.calibration.targets import CaseTarget
from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.records.reopening import Reopening
from gaugeblock.suites import load_suite
from gaugeblock.suites.suite import Script, ToolCall

SUITE = load_suite("assembly")
CASE = SUITE.case("espresso-machine")
BASELINE = SUITE.case("espresso-machine-program")
PROGRAM = SUITE.script(BASELINE, BASELINE.rounds[0], "reference").says.split("```")[1][7:]


def delivery(step, names):
    """What a host would hand over with a file: its document, which opens again as it was."""
    objects = [{"name": name, "visible": True, "solids": 1} for name in names]
    features = [{"kind": "program", "source": PROGRAM}]
    content = {"format": "gaugeblock-document/1", "features": features, "objects": objects}
    document = json.dumps(content).encode()
    sha = hashlib.sha256(step).hexdigest()
    again = Reopening(
        document_sha256=hashlib.sha256(document).hexdigest(),
        artifact_sha256=sha,
        same_document=True,
        same_step=True,
        again_sha256=sha,
    )
    return Delivery(document, step, again)


@pytest.fixture(scope="module")
def machine(workshop, ruler):
    with Bench(workshop, ruler, 60, overlap=False) as bench:
        step = workshop.build(PROGRAM, {})
        names = [solid.name for solid in bench.read(step).facts.solids]
    return delivery(step, names)


def proven(workshop, ruler, options, case, play, suite=SUITE):
    with Bench(workshop, ruler, 60, overlap=False) as bench:
        return prove_by_rubric(bench, CaseTarget(suite, case), options, play)


class Few:
    """The suite with three mutants only: each is measured."""

    name, rubric, grade = SUITE.name, SUITE.rubric, SUITE.grade

    def agents(self):
        few = ("mutant:sliver", "mutant:housing-wide", "mutant:other-order")
        return tuple(agent for agent in SUITE.agents() if agent.name in few)


def test_the_baseline(workshop, ruler, options, machine):
    def play(suite, case, agent):
        return machine if agent == "reference" else Delivery(said="nothing")

    found = proven(workshop, ruler, options, BASELINE, play)
    assert found.state == "incomplete"  # the second kernel was not asked
    assert [control.ok for control in found.controls] == [True] * 6
    assert [control.name for control in found.controls] == [
        "the reference has 60 of 60 points",
        "no two solids of the reference share space",
        "no delivery loses exactly delivered",
        "a document without its recipe loses exactly editable",
        "a document that comes back changed loses exactly reopens",
        "a step that comes back changed loses exactly reopens",
    ]


def test_faults_that_nobody_sees(workshop, ruler, options, machine):
    """A world that makes every mutant right, and one for which the null agent works."""
    without_bodies = CASE.model_copy(update={"answer": "program"})
    found = proven(workshop, ruler, options, without_bodies, lambda *played: machine, Few())
    assert found.state == "not calibrated"
    wrong = {control.name.split(": ")[0] for control in found.controls if control.ok is False}
    assert wrong == {
        "no delivery loses exactly delivered",
        "mutant:sliver",
        "mutant:housing-wide",
    }
    assert found.counts()["survivor"] == 2


def test_a_script_that_was_refused_half_way_proves_nothing(workshop, ruler, options, machine):
    """Whatever lies there then: a right mutant is the plain reference, a wrong one half made."""
    half = replace(machine, undone="rename was refused: no object of that name")

    def play(suite, case, agent):
        return {"reference": machine, "null": Delivery()}.get(agent, half)

    without_bodies = CASE.model_copy(update={"answer": "program"})
    found = proven(workshop, ruler, options, without_bodies, play, Few())
    declared = [item for item in found.controls if item.name.startswith("mutant:")]
    assert len(declared) == 3 and all(item.ok is None for item in declared)
    assert all("rename was refused" in item.finding for item in declared)
    assert found.state == "incomplete" and not found.mutants
    with pytest.raises(CouldNotMeasure, match="script was not done: rename was refused"):
        proven(workshop, ruler, options, BASELINE, lambda *played: half)


def test_a_reference_with_a_fault(workshop, ruler, options, machine):
    """Its parts cross: the points do not see it, the control does."""
    crossing = PROGRAM.replace("(10, 190), (340, 355)", "(10, 190), (339, 355)")
    assert crossing != PROGRAM
    names = [item["name"] for item in json.loads(machine.document)["objects"]]
    other = delivery(workshop.build(crossing, {}), names)

    def play(suite, case, agent):
        return other if agent == "reference" else Delivery()

    found = proven(workshop, ruler, options, BASELINE, play)
    by_name = {control.name: control for control in found.controls}
    assert by_name["the reference has 60 of 60 points"].ok
    shared = by_name["no two solids of the reference share space"]
    assert shared.ok is False and shared.finding.startswith("46800")  # 260 × 180 × 1, by hand
    assert found.state == "not calibrated"


def test_a_reference_that_delivers_nothing(workshop, ruler, options):
    with pytest.raises(CouldNotMeasure, match="delivers nothing: the host is gone"):
        proven(
            workshop, ruler, options, BASELINE, lambda *played: Delivery(said="the host is gone")
        )


def test_a_rubric_needs_a_stage():
    with pytest.raises(WrongUse, match="calibrated on the CAD host"):
        calibrate(["assembly"], ruler_fingerprint="none", second_kernel=False)


def test_the_real_host_tells_where_a_script_was_refused():
    from gaugeblock.running.rehearsal import host_stage

    class Stumbling:
        """Two calls, of which the second cannot be."""

        start_document, grade = SUITE.start_document, SUITE.grade

        def script(self, case, asked, agent):
            made = ToolCall(tool="box", arguments={"name": "base", "size": [1, 1, 1]})
            lost = ToolCall(tool="delete", arguments={"objects": ["no such"]})
            return Script(calls=(made, lost) if agent == "reference" else (made,))

    with host_stage() as play:
        stumbled, done = (play(Stumbling(), CASE, name) for name in ("reference", "null"))
    assert stumbled.step and "delete was refused" in stumbled.undone
    assert done.step and done.undone == ""


@pytest.mark.long
def test_suite_assembly_on_the_real_host():
    from gaugeblock.running.rehearsal import host_stage

    found = calibrate(
        ["assembly"], ruler_fingerprint="none", second_kernel=False, most=1, stage=host_stage
    )
    assert all(reason.count("second kernel") for reason in found.reasons), found.reasons
    assert all(control.ok for target in found.targets for control in target.controls)
    assert found.targets[0].counts()["survivor"] == 0
