"""The scripted agents' programs, really run: the reference is right, each mutant wrong as declared.

Models are measured here with the kernel's own integration, without the ruler.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from measurements import SHA, of_facts

from gaugeblock.suites import load_suite
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

UNSEEN = "FIRST_X, LAST_X = 18, 102"
"""A grid of the right holes in wrong places."""

REFERENCE_S = {"S1": 0.3, "S4": 2.0}
"""Longest time a reference program may take (s, import apart); measured: 0.02 and 0.07."""


def jobs_of(agent, case):
    """Play an agent's scripts of a case: the program and parameters the document then holds."""
    program, parameters = None, {}
    if case.start is not None:
        start = SUITE.case("S1")
        (call,) = SUITE.script(start, start.rounds[0], "reference").calls
        program, parameters = call.arguments["program"], call.arguments["parameters"]
    for asked in rounds_of(agent, case):
        (call,) = SUITE.script(case, asked, agent.name).calls
        if call.tool == "propose":
            program, parameters = call.arguments["program"], call.arguments["parameters"]
        else:
            assert set(call.arguments["values"]) <= set(parameters)
            parameters = {**parameters, **call.arguments["values"]}
        key = f"{agent.name} {asked.id}"
        yield {"key": key, "program": program, "parameters": parameters}


def unseen_jobs():
    """Wrong boxes that every criterion lets pass; the suite's README says so."""
    for case_id in ("S1", "S2"):
        case = SUITE.case(case_id)
        arguments = SUITE.script(case, case.rounds[0], "reference").calls[0].arguments
        program = arguments["program"].replace("FIRST_X, LAST_X = 15, 105", UNSEEN)
        assert UNSEEN in program
        parameters = arguments["parameters"]
        yield {"key": f"unseen {case_id}", "program": program, "parameters": parameters}


@pytest.fixture(scope="module")
def facts():
    jobs = [*unseen_jobs()]
    jobs += [
        job
        for agent in AGENTS
        for case_id in agent.cases
        for job in jobs_of(agent, SUITE.case(case_id))
    ]
    answer = subprocess.run(
        [sys.executable, Path(__file__).parent / "modelling.py"],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert "Warning" not in answer.stderr
    return json.loads(answer.stdout)


@pytest.mark.parametrize(
    ("agent", "asked"), SAMPLES, ids=[f"{agent.name}-{asked.id}" for agent, asked in SAMPLES]
)
def test_each_delivery_fails_exactly_what_is_declared(facts, agent, asked):
    measured = of_facts(facts[f"{agent.name} {asked.id}"])
    result = SUITE.grade(asked, measured, artifact_sha256=SHA, ruler_fingerprint="none")
    must_fail = agent.must_fail.get(asked.id, ())
    assert result.failed() == must_fail, [item.finding for item in result.checks]
    assert result.verdict == ("failed" if must_fail else "passed")
    assert result.matched_reading == (agent.matches if must_fail else None)


@pytest.mark.parametrize("asked", [r for c in SUITE.cases() for r in c.rounds], ids=lambda r: r.id)
def test_the_reference_is_exact(facts, asked):
    made, known = facts[f"reference {asked.id}"], figures(asked)
    (solid,) = made["solids"]
    assert solid["volume"] == pytest.approx(known.volume, rel=1e-11)
    assert (solid["name"], solid["faces"], solid["valid"]) == ("box", known.faces, True)
    assert [*solid["bounds"][0], *solid["bounds"][1]] == pytest.approx(
        list(known.bounds.values()), abs=1e-9
    )


@pytest.mark.parametrize("round_id", REFERENCE_S)
def test_the_reference_is_quick(facts, round_id):
    assert facts[f"reference {round_id}"]["seconds"] < REFERENCE_S[round_id]


def test_s4_without_holes_passes_the_weaker_criterion_and_fails(facts):
    for agent, apart in (("no-holes", "pass"), ("imprinted", "pass"), ("shifted", "fail")):
        result = SUITE.grade(
            SUITE.case("S4").rounds[0],
            of_facts(facts[f"mutant:{agent} S4"]),
            artifact_sha256=SHA,
            ruler_fingerprint="none",
        )
        assert result.verdict == "failed"
        assert result.apart == {"valid+solids+bounds": apart}


@pytest.mark.parametrize("case_id", ["S1", "S2"])
def test_moved_holes_are_not_seen(facts, case_id):
    result = SUITE.grade(
        SUITE.case(case_id).rounds[0],
        of_facts(facts[f"unseen {case_id}"]),
        artifact_sha256=SHA,
        ruler_fingerprint="none",
    )
    assert result.verdict == "passed"


def test_null_fails_delivered():
    (null,) = (agent for agent in SUITE.agents() if agent.name == "null")
    for case_id in null.cases:
        asked = SUITE.case(case_id).rounds[0]
        result = SUITE.grade(asked, None, artifact_sha256=None, ruler_fingerprint="none")
        assert result.failed() == null.must_fail[asked.id]
