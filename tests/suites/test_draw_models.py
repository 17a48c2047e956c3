"""Fresh draws, really built: each formula is the part's volume, and each mutant fails as declared.

Volumes are integrated by the kernel, Gauss over planes, cylinders and tori, which is exact there to
about 1e-13 of the volume; the formulas never saw a model.
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from measurements import SHA, of_facts

from gaugeblock.suites import Delivered, edit_region, load_suite
from gaugeblock.suites.truth import figures

SUITE = load_suite("growth")
SEED = bytes(range(32))
FAMILIES = ("T1", "T2", "T4")
AGREES = 1e-9
"""Largest |V - V₀|/V₀ of a reference: a thousandth of what the grader tolerates."""

BOX_MM = 1.1e-7
"""The kernel widens the boxes of tori by its confusion distance."""


def drawn(family, number, seed=SEED):
    return SUITE.draw(seed, family, number, "sealed").case


def job(key, call, step=None):
    arguments = call.arguments
    return {
        "key": key,
        "program": arguments["program"],
        "parameters": arguments["parameters"],
        "step": step and str(step),
    }


def built(jobs):
    answer = subprocess.run(
        [sys.executable, Path(__file__).parent / "modelling.py"],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def reference(case):
    (call,) = SUITE.script(case, case.rounds[0], "reference").calls
    return call


def off(case, facts):
    """Return |V - V₀|/V₀ of a built reference; all else must be right."""
    known, solids = figures(case.rounds[0]), facts["solids"]
    assert all(solid["valid"] for solid in solids), case.id
    assert len(solids) == known.solids, case.id
    if known.faces is not None:
        assert sum(solid["faces"] for solid in solids) == known.faces, case.id
    if known.names is not None:
        assert {solid["name"] for solid in solids} == set(known.names)
    low = [min(solid["bounds"][0][axis] for solid in solids) for axis in range(3)]
    high = [max(solid["bounds"][1][axis] for solid in solids) for axis in range(3)]
    bounds = list(known.bounds.values())
    assert [*low, *high] == pytest.approx(bounds, abs=BOX_MM), case.rounds[0].parameters
    return abs(sum(solid["volume"] for solid in solids) - known.volume) / known.volume


CASES = [drawn(family, number) for family in FAMILIES for number in (1, 2, 3)]
SAMPLES = [
    (agent, case)
    for case in (drawn(family, 1) for family in FAMILIES)
    for agent in SUITE.agents()
    if agent.name != "null" and agent.applies_to(case.id)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("drawn")


@pytest.fixture(scope="module")
def facts(folder):
    jobs = [job(case.id, reference(case)) for case in CASES]
    for agent, case in SAMPLES:
        (call,) = SUITE.script(case, case.rounds[0], agent.name).calls
        key = f"{agent.name} {case.id}".replace(":", ".")
        jobs.append(job(key, call, case.start and folder / f"{key}.step"))
    for case in CASES:
        if case.start:
            key = f"start {case.id}"
            jobs.append(job(key, SUITE.drawn_start(case), folder / f"{key}.step"))
    return built(jobs)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_draws_formula_is_the_volume_of_its_reference(facts, case):
    assert off(case, facts[case.id]) < AGREES


def test_the_check_sees_a_formula_that_is_not_the_volume(facts):
    """A negative control: the same part against the truth of a draw a half millimetre away."""
    case = CASES[0]
    asked = case.rounds[0]
    wall = asked.parameters["wall"] + 0.5
    other = asked.model_copy(update={"parameters": {**asked.parameters, "wall": wall}})
    assert off(case.model_copy(update={"rounds": (other,)}), facts[case.id]) > 1e-3


@pytest.mark.parametrize(
    ("agent", "case"), SAMPLES, ids=[f"{agent.name}-{case.id}" for agent, case in SAMPLES]
)
def test_each_agent_fails_exactly_what_is_declared(facts, folder, ruler, agent, case):
    asked = case.rounds[0]
    key = f"{agent.name} {case.id}".replace(":", ".")
    measured, comparison, sha = of_facts(facts[key]), None, SHA
    if asked.edit is not None:
        start, delivery = folder / f"start {case.id}.step", folder / f"{key}.step"
        comparison = ruler.conserved(start, delivery, edit_region(asked))
        sha = comparison.delivery.sha256
        measured = measured.model_copy(
            update={"file": measured.file.model_copy(update={"sha256": sha})}
        )
    result = SUITE.grade(asked, Delivered(measured, sha, comparison), ruler_fingerprint="none")
    due = agent.due(case).get(case.id, ())
    assert result.failed() == tuple(due), [item.finding for item in result.checks]
    assert result.verdict == ("failed" if due else "passed")
    assert result.matched_reading == (agent.matches if due else None)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_mutants_that_must_fail(family):
    found = [agent for agent, case in SAMPLES if case.id == f"{family}.d1" and agent.due(case)]
    assert len(found) >= 3
    (null,) = (agent for agent in SUITE.agents() if agent.name == "null")
    assert null.due(drawn(family, 1)) == {f"{family}.d1": ("delivered",)}


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_a_thousand_draws_agree():
    """1,002 accepted draws of other seeds, built in two processes."""
    cases = {
        f"{family} {number}": drawn(family, 1 + number % 3, bytes([number // 3]) * 32)
        for family in FAMILIES
        for number in range(334)
    }
    jobs = [job(key, reference(case)) for key, case in cases.items()]
    parts = [jobs[i : i + 40] for i in range(0, len(jobs), 40)]
    with ThreadPoolExecutor(2) as pool:
        found = {key: facts for part in pool.map(built, parts) for key, facts in part.items()}
    worst = {
        family: max(off(case, found[key]) for key, case in cases.items() if key.startswith(family))
        for family in FAMILIES
    }
    print(f"worst relative difference of {len(cases)} draws: {worst}")
    assert len({case.content_sha256() for case in cases.values()}) == len(cases)
    assert max(worst.values()) < AGREES
