"""The scripted agents' programs, really run: the reference is right, each mutant wrong as declared.

Models are measured here with the kernel's own integration, without the ruler; only what an edit
left alone is the ruler's word.
"""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from measurements import SHA, of_facts

from gaugeblock.ruler import Ruler
from gaugeblock.suites import Delivered, edit_region, load_suite, probed_round
from gaugeblock.suites.truth import figures

SUITE = load_suite("growth")
AGENTS = [agent for agent in SUITE.agents() if agent.name != "null"]


def rounds_of(agent, case):
    """The rounds that are reached: up to the first that must fail."""
    for asked in case.rounds:
        yield asked
        if asked.id in agent.must_fail:
            return


SAMPLES = [
    (agent, asked)
    for agent in AGENTS
    for case_id in agent.cases
    for asked in rounds_of(agent, SUITE.case(case_id))
]
"""Every conversation of every agent that calls tools."""

PROBED = [
    (agent, asked)
    for agent, asked in SAMPLES
    if asked.id not in agent.must_fail and agent.name != "mutant:undeclared"
]
"""Every round that passes and whose document holds the parameters that the probe sets."""

UNSEEN = "FIRST_X, LAST_X = 18, 102"
"""A grid of the right holes in wrong places."""


def job(key, program, parameters, edit=None):
    """One model to make; those that an edit is judged by leave a STEP file of their own."""
    name = hashlib.sha256(f"{program}{parameters}".encode()).hexdigest()[:16]
    return {"key": key, "program": program, "parameters": parameters, "step": edit and name}


def jobs_of(agent, case):
    """Play an agent's scripts of a case: the program and parameters the document then holds."""
    program, parameters = None, {}
    if case.start is not None:
        arguments = SUITE.start_plan(case.start).arguments
        program, parameters = arguments["program"], arguments["parameters"]
    for asked in rounds_of(agent, case):
        if asked.edit is not None:
            yield job(f"{agent.name} {asked.id} start", program, parameters, asked.edit)
        (call,) = SUITE.script(case, asked, agent.name).calls
        if call.tool == "propose":
            program, parameters = call.arguments["program"], call.arguments["parameters"]
        else:
            assert set(call.arguments["values"]) <= set(parameters)
            parameters = {**parameters, **call.arguments["values"]}
        yield job(f"{agent.name} {asked.id}", program, parameters, asked.edit)
        if set(asked.probe) <= set(parameters):  # else the host would reject it
            values = {name: int(v) if v.is_integer() else v for name, v in asked.probe.items()}
            key = f"{agent.name} {asked.id} probe"
            yield job(key, program, {**parameters, **values}, asked.edit)


def unseen_jobs():
    """Wrong boxes that every criterion lets pass; the suite's README says so."""
    for case_id in ("S1", "S2"):
        case = SUITE.case(case_id)
        arguments = SUITE.script(case, case.rounds[0], "reference").calls[0].arguments
        program = arguments["program"].replace("FIRST_X, LAST_X = 15, 105", UNSEEN)
        assert UNSEEN in program
        parameters = arguments["parameters"]
        yield job(f"unseen {case_id}", program, parameters)


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    found = [*unseen_jobs()]
    found += [
        job
        for agent in AGENTS
        for case_id in agent.cases
        for job in jobs_of(agent, SUITE.case(case_id))
    ]
    folder = tmp_path_factory.mktemp("models")
    for item in found:
        item["step"] = item["step"] and str(folder / f"{item['step']}.step")
    return {item["key"]: item for item in found}


@pytest.fixture(scope="module")
def facts(jobs):
    answer = subprocess.run(
        [sys.executable, Path(__file__).parent / "modelling.py"],
        input=json.dumps(list(jobs.values())),
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert "Warning" not in answer.stderr
    return json.loads(answer.stdout)


@pytest.fixture(scope="module")
def conserved(facts, jobs):
    """Ask the ruler what a delivery changed outside its region, once for each pair of models."""
    known = {}
    with Ruler() as ruler:

        def found(asked, before, after):
            files = [Path(jobs[key]["step"]) for key in (before, after)]
            region = edit_region(asked)
            # Many agents make the same part; only the headers of such files differ.
            parts = [file.read_bytes().partition(b"DATA;")[2] for file in files]
            pair = (*parts, region.content_sha256())
            if pair not in known:
                known[pair] = ruler.conserved(*files, region)
            return known[pair]

        yield found


def graded(facts, conserved, asked, before, after):
    """Grade a model; where the round edits something, with what it changed of the one before."""
    measured = of_facts(facts[after])
    comparison, sha = None, SHA
    if asked.edit is not None:
        comparison = conserved(asked, before, after)
        sha = comparison.delivery.sha256
        measured = measured.model_copy(
            update={"file": measured.file.model_copy(update={"sha256": sha})}
        )
    return SUITE.grade(asked, Delivered(measured, sha, comparison), ruler_fingerprint="none")


@pytest.mark.parametrize(
    ("agent", "asked"), SAMPLES, ids=[f"{agent.name}-{asked.id}" for agent, asked in SAMPLES]
)
def test_each_delivery_fails_exactly_what_is_declared(facts, conserved, agent, asked):
    key = f"{agent.name} {asked.id}"
    result = graded(facts, conserved, asked, f"{key} start", key)
    must_fail = agent.must_fail.get(asked.id, ())
    assert result.failed() == tuple(must_fail), [item.finding for item in result.checks]
    assert result.verdict == ("failed" if must_fail else "passed")
    assert result.matched_reading == (agent.matches if must_fail else None)


@pytest.mark.parametrize(
    ("agent", "asked"), PROBED, ids=[f"{agent.name}-{asked.id}" for agent, asked in PROBED]
)
def test_each_probe_holds_or_misses_exactly_what_is_declared(facts, conserved, agent, asked):
    probed, key = probed_round(asked), f"{agent.name} {asked.id}"
    result = graded(facts, conserved, probed, key, f"{key} probe")
    misses = agent.misses_probe.get(asked.id, ())
    assert result.failed() == tuple(misses), [item.finding for item in result.checks]
    assert result.verdict == ("failed" if misses else "passed")
    if agent.name == "mutant:hard-coded":
        assert result.matched_reading == "parameter-ignored"


@pytest.mark.parametrize("asked", [r for c in SUITE.cases() for r in c.rounds], ids=lambda r: r.id)
def test_the_reference_is_exact(facts, asked):
    made, known = facts[f"reference {asked.id}"], figures(asked)
    solids = made["solids"]
    assert all(solid["valid"] for solid in solids)
    assert len(solids) == known.solids
    assert sum(solid["volume"] for solid in solids) == pytest.approx(known.volume, rel=1e-11)
    if known.faces is not None:
        assert sum(solid["faces"] for solid in solids) == known.faces
    low = [min(solid["bounds"][0][axis] for solid in solids) for axis in range(3)]
    high = [max(solid["bounds"][1][axis] for solid in solids) for axis in range(3)]
    # The kernel widens the boxes of tori and of ruled faces by its confusion distance, 1e-7 mm.
    assert [*low, *high] == pytest.approx(list(known.bounds.values()), abs=1.1e-7)


def test_s4_without_holes_passes_the_weaker_criterion_and_fails(facts):
    for agent, apart in (("no-holes", "pass"), ("imprinted", "pass"), ("shifted", "fail")):
        result = SUITE.grade(
            SUITE.case("S4").rounds[0],
            Delivered(of_facts(facts[f"mutant:{agent} S4"]), SHA),
            ruler_fingerprint="none",
        )
        assert result.verdict == "failed"
        assert result.apart == {"valid+solids+bounds": apart}


@pytest.mark.parametrize("case_id", ["S1", "S2"])
def test_moved_holes_are_not_seen(facts, case_id):
    result = SUITE.grade(
        SUITE.case(case_id).rounds[0],
        Delivered(of_facts(facts[f"unseen {case_id}"]), SHA),
        ruler_fingerprint="none",
    )
    assert result.verdict == "passed"


def test_the_start_of_the_hinge_is_the_sources(facts):
    """What the source says of its start part: volumes, faces, bounds."""
    bracket, pin = facts["reference T4 start"]["solids"]
    assert bracket["volume"] == pytest.approx(128_844.2617, abs=5e-5)
    assert pin["volume"] == pytest.approx(9_544.1585, abs=5e-5)
    assert bracket["volume"] + pin["volume"] == pytest.approx(138_388.42023, abs=5e-6)
    assert (bracket["faces"], pin["faces"]) == (38, 3)
    assert [*bracket["bounds"][0], *bracket["bounds"][1]] == pytest.approx(
        [0, 0, 0, 120, 100, 75.5], abs=1e-9
    )
    faces = {name: facts[f"reference {name}"]["solids"][0]["faces"] for name in ("T4", "T5")}
    assert faces == {"T4": 39, "T5": 38}


def test_hole_by_hole_is_right_and_grows(jobs):
    """Its program is as long as its holes are many; the reference's does not change."""
    cells = ("S1", "S2", "S3p")
    lengths = {
        agent: [len(jobs[f"{agent} {cell}"]["program"]) for cell in cells]
        for agent in ("reference", "mutant:hole-by-hole")
    }
    assert len(set(lengths["reference"])) == 1
    extra = [
        (own - other) / SUITE.case(cell).rounds[0].growth
        for own, other, cell in zip(*reversed(lengths.values()), cells, strict=True)
    ]
    assert all(50 < each < 100 for each in extra)  # characters a hole
    (agent,) = (agent for agent in AGENTS if agent.name == "mutant:hole-by-hole")
    assert not agent.must_fail and agent.cases == cells


def test_null_fails_delivered():
    (null,) = (agent for agent in SUITE.agents() if agent.name == "null")
    for case_id in null.cases:
        asked = SUITE.case(case_id).rounds[0]
        result = SUITE.grade(asked, Delivered(), ruler_fingerprint="none")
        assert result.failed() == null.must_fail[asked.id]
