"""Suite assembly's machines, made by the object tools: each agent loses the rows it must, no other.

Without MCP and without reopening, which the calibration plays in full.
"""

import hashlib
from pathlib import Path

import pytest

from gaugeblock.records.grade import Grade
from gaugeblock.ruler import Ruler
from gaugeblock.suites import Delivered, ScriptedAgent, load_suite

from .conftest import Desk, MakeDesk

SUITE = load_suite("assembly")
CASE = SUITE.case("espresso-machine")
ASKED = CASE.rounds[0]
AGENTS = [a for a in SUITE.agents() if a.name != "null" and CASE.id in a.cases]
TABLE = {
    "base": [-140, -150, 0, 140, 200, 20],
    "housing": [-140, 0, 20, 140, 200, 340],
    "drip tray": [-110, -150, 20, 110, 0, 50],
    "group head": [-35, -110, 220, 35, 0, 270],
    "portafilter": [-32, -107, 185, 32, -43, 220],
    "steam wand": [112, -20, 90, 128, 0, 270],
    "water tank": [-110, 200, 40, 110, 250, 300],
    "cup warmer": [-130, 10, 340, 130, 190, 355],
    "pressure gauge": [-113, -12, 262, -57, 0, 318],
    "brew control": [22, -20, 282, 58, 0, 318],
    "steam control": [82, -20, 282, 118, 0, 318],
    "grate bar 1": [-100, -130, 50, 100, -120, 56],
    "grate bar 2": [-100, -105, 50, 100, -95, 56],
    "grate bar 3": [-100, -80, 50, 100, -70, 56],
    "grate bar 4": [-100, -55, 50, 100, -45, 56],
    "grate bar 5": [-100, -30, 50, 100, -20, 56],
}
"""Bounds in mm, worked out by hand from the source's table."""


def played(desk: Desk, agent: str) -> Desk:
    for call in SUITE.script(CASE, ASKED, agent).calls:
        desk.do(call.tool, **call.arguments)
    return desk


def graded(desk: Desk, ruler: Ruler) -> Grade:
    """The grade of what lies on a desk."""
    document, step = desk.saved(), desk.step()
    path = Path(desk.folder) / "part.step"
    sha = hashlib.sha256(step).hexdigest()
    what = Delivered(ruler.measure(path), sha, None, document, lacks=frozenset({"reopening"}))
    return SUITE.grade(ASKED, what, ruler_fingerprint="none")


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_each_agent_loses_exactly_its_rows(make_desk: MakeDesk, ruler: Ruler, agent: ScriptedAgent):
    grade = graded(played(make_desk(), agent.name), ruler)
    assert set(grade.failed()) == set(agent.must_fail.get(ASKED.id, ()))
    won = sum(SUITE.rubric.row(c.name).points for c in grade.checks[1:] if c.verdict == "pass")
    assert grade.score is not None
    assert (grade.score.points, grade.score.out_of) == (won, 55)


def test_the_reference_has_the_dimensions_of_the_table(make_desk: MakeDesk, ruler: Ruler):
    desk = played(make_desk(), "reference")
    for name, bounds in TABLE.items():
        assert desk.bounds(name) == pytest.approx(bounds, abs=1e-6), name
    # Ø26 along Y at Z 202.5, from Y −215; its sides meet the Ø64 wall at −75 − √(32² − 13²)
    ends = [-13, -215, 189.5, 13, -75 - (32**2 - 13**2) ** 0.5, 215.5]
    assert desk.bounds("handle") == pytest.approx(ends, abs=1e-6)
    assert set(desk.names()) == {*TABLE, "handle"}
    desk.saved()
    desk.step()
    shared = ruler.interference(Path(desk.folder) / "part.step")
    assert shared.verdict == "measured" and shared.total == pytest.approx(0, abs=1e-3)
    pairs = {frozenset((pair.name_a, pair.name_b)) for pair in shared.pairs}
    assert pairs == {frozenset(("portafilter", "handle"))}  # only their boxes overlap


def test_what_stands_in_another_is_told_beside_the_score(make_desk: MakeDesk, ruler: Ruler):
    """The group head moved 10 mm into the housing: 60 × 40 × 10 of its neck, by hand."""
    desk = played(make_desk(), "reference")
    desk.do("move", objects=["group head"], by=[0, 10, 0])
    assert graded(desk, ruler).verdict == "passed"
    shared = ruler.interference(Path(desk.folder) / "part.step")
    assert shared.total == pytest.approx(24_000, rel=1e-6)


def test_materials_and_colours(make_desk: MakeDesk):
    desk = played(make_desk(), "reference")
    for item in desk.do("measure")["objects"]:
        assert item["material"] and item["colour"], item["name"]
    assert desk.object("water tank")["colour"][3] == pytest.approx(0.5, abs=0.01)
