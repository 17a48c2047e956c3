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
SAMPLES = [
    (agent, case, asked)
    for agent in AGENTS
    for case_id in agent.cases
    for case in [SUITE.case(case_id)]
    for asked in case.rounds
]
"""Every conversation of every agent that calls tools."""

REFERENCE_S = {"S1": 0.3, "S4": 2.0}
"""Longest time a reference program may take (s, import apart); measured: 0.02 and 0.07."""


def jobs_of(agent, case):
    """Play an agent's scripts of a case: the program and parameters the document then holds."""
    program, parameters = None, {}
    if case.start is not None:
        start = SUITE.case("S1")
        (call,) = SUITE.script(start, start.rounds[0], "reference").calls
        program, parameters = call.arguments["program"], call.arguments["parameters"]
    for asked in case.rounds:
        (call,) = SUITE.script(case, asked, agent.name).calls
        if call.tool == "propose":
            program, parameters = call.arguments["program"], call.arguments["parameters"]
        else:
            assert set(call.arguments["values"]) <= set(parameters)
            parameters = {**parameters, **call.arguments["values"]}
        key = f"{agent.name} {asked.id}"
        yield {"key": key, "program": program, "parameters": parameters}
        if asked.id in agent.must_fail:
            return  # the sequence ends here


@pytest.fixture(scope="module")
def facts():
    jobs = [
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
    ("agent", "case", "asked"), SAMPLES, ids=[f"{a.name}-{r.id}" for a, _, r in SAMPLES]
)
def test_each_delivery_fails_exactly_what_is_declared(facts, agent, case, asked):
    key = f"{agent.name} {asked.id}"
    if key not in facts:
        ended = [item.id for item in case.rounds if item.id in agent.must_fail]
        assert ended and [item.id for item in case.rounds].index(ended[0]) < [
            item.id for item in case.rounds
        ].index(asked.id)
        return
    result = SUITE.grade(asked, of_facts(facts[key]), artifact_sha256=SHA, ruler_fingerprint="none")
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


def test_null_fails_delivered():
    (null,) = (agent for agent in SUITE.agents() if agent.name == "null")
    for case_id in null.cases:
        asked = SUITE.case(case_id).rounds[0]
        result = SUITE.grade(asked, None, artifact_sha256=None, ruler_fingerprint="none")
        assert result.failed() == null.must_fail[asked.id]
