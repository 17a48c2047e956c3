"""Suite assembly as a whole: briefs, limits, rubric, scripts and digest."""

import re
import subprocess
import sys

import pytest
from machines import CASE, SUITE

from gaugeblock.host.objects.catalogue import STEPS
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.rubric import Rubric
from gaugeblock.suites import Suite, load_suite
from gaugeblock.suites.assembly import rows
from gaugeblock.suites.assembly import suite as assembly_suite
from gaugeblock.suites.assembly.document import MAKING
from gaugeblock.suites.case_files import load_cases
from gaugeblock.suites.digest import suite_digest

BASELINE = SUITE.case("espresso-machine-program")
LABELS = [
    *"base,housing,drip tray,group head,portafilter,handle,steam wand,water tank".split(","),
    *"cup warmer,pressure gauge,brew control,steam control".split(","),
    *(f"grate bar {number}" for number in range(1, 6)),
]


def brief(case, language):
    (asked,) = case.rounds
    return asked.instruction[language]


def test_it_is_a_suite():
    known: Suite = load_suite("assembly")
    assert [case.id for case in known.cases()] == ["espresso-machine", "espresso-machine-program"]
    assert known.controls().digest == suite_digest("assembly")
    assert known.controls().criteria == rows.CRITERIA
    assert all(known.start_document(case) is None for case in known.cases())
    with pytest.raises(WrongUse, match="did you mean espresso-machine"):
        known.case("espresso-machin")


def test_the_limits_are_the_protocol_s():
    limits = CASE.limits
    assert (limits.turns, limits.tool_calls, limits.output_tokens) == (20, 60, 8192)
    assert (limits.wall_s, limits.request_s, limits.request_bytes) == (600, 180, 176_000)
    assert limits.repairs is None and limits.no_commit_s is None
    assert (BASELINE.limits.turns, BASELINE.limits.tool_calls) == (1, 1)


def test_the_baseline_is_apart():
    assert (CASE.tools, CASE.answer, CASE.axis) == ("objects", "tools", "assembly")
    assert (BASELINE.tools, BASELINE.answer, BASELINE.axis) == ("program", "program", "baseline")
    assert CASE.digest() != BASELINE.digest()
    assert CASE.rounds[0].parameters == BASELINE.rounds[0].parameters
    assert CASE.reopened and BASELINE.reopened and CASE.interference and BASELINE.interference


@pytest.mark.parametrize("language", ["en", "zh"])
def test_reviewers_cannot_tell_the_baseline_from_the_tools_by_the_task(language):
    briefs = {case.rounds[0].reviewed_as[language] for case in (CASE, BASELINE)}
    assert len(briefs) == 1
    (brief,) = briefs
    for case in (CASE, BASELINE):
        assert brief in case.rounds[0].instruction[language]
    assert not re.search("tool|program|工具|程序", brief)


@pytest.mark.parametrize("case", [CASE, BASELINE], ids=lambda case: case.id)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_brief_says_what_the_rubric_asks(case, language):
    text = brief(case, language)
    for label in LABELS:
        assert f"`{label}`" in text, label
    for number in case.rounds[0].parameters.values():
        assert re.search(rf"(?<![\d.-]){number:g}(?!\d)", text), number
    for size in (280, 200, 320):
        assert str(size) in text
    assert "{" not in text and "}" not in text


@pytest.mark.parametrize("case", [CASE, BASELINE], ids=lambda case: case.id)
def test_both_languages_give_the_same_numbers_and_names(case):
    found = []
    for language in ("en", "zh"):
        text = brief(case, language)
        words = sorted(set(re.findall(r"`[^`]+`", text)))
        found.append((words, sorted(re.findall(r"-?\d+(?:\.\d+)?", text))))
    assert found[0] == found[1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_brief_gives_no_size_of_its_own_parts(language):
    """Only housing, envelope, the least volume and names hold numbers: the rest is the agent's."""
    numbers = {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", brief(CASE, language))}
    given = set(CASE.rounds[0].parameters.values()) | {280.0, 200.0, 320.0, 1.0}
    assert numbers - given <= {1.0, 2.0, 3.0, 4.0, 5.0}


def test_the_rubric_is_the_source_s():
    points = [(row.name, row.points) for row in SUITE.rubric.rows]
    assert points == [
        ("editable", 5),
        ("closed", 15),
        ("labels", 10),
        ("housing", 10),
        ("envelope", 5),
        ("group-head", 5),
        ("details", 5),
        ("reopens", 5),
    ]
    assert SUITE.rubric.points == 60
    assert sum(role.count for role in SUITE.rubric.roles_of("labels")) == 10
    assert sum(role.count for role in SUITE.rubric.roles_of("details")) == 7
    asked = {re.sub(r" \d$", "", label) for label in LABELS}
    assert {role.label for role in SUITE.rubric.roles} == asked


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ('name = "editable"\npoints = 5\nrule = "a"\n', "`editable` is there twice"),
        ('name = "beauty"\npoints = 5\nrule = "a"\n', "no grader for row `beauty`"),
        ('name = "more"\npoints = 0\nrule = "a"\n', "rows.8.points"),
    ],
)
def test_a_rubric_that_nobody_can_judge_is_refused(tmp_path, change, told):
    text = (assembly_suite.FOLDER / "rubric.toml").read_text()
    (tmp_path / "rubric.toml").write_text(f"{text}\n[[rows]]\n{change}")
    with pytest.raises(WrongUse, match=told):
        assembly_suite.read_rubric(tmp_path / "rubric.toml")


def test_a_role_of_no_row_is_refused():
    with pytest.raises(WrongUse, match="belongs to row `b`"):
        value = {"rows": [{"name": "a", "points": 1, "rule": "r"}]}
        Rubric.build({**value, "roles": [{"label": "base", "row": "b"}]}, "rubric")


def test_every_tool_that_makes_objects_counts_as_a_recipe():
    changing = set("boolean shell fillet chamfer move rotate rename appearance visibility".split())
    assert set(STEPS) - changing - {"delete", "group", "ungroup"} == set(MAKING)


def test_scripts_keep_within_the_limits():
    for agent in SUITE.agents():
        for case_id in agent.cases:
            case = SUITE.case(case_id)
            script = SUITE.script(case, case.rounds[0], agent.name)
            assert len(script.calls) <= case.limits.tool_calls
            assert bool(script.says) == (case is BASELINE and agent.name != "null")
            for call in script.calls:
                assert call.tool in {*STEPS, "batch", "edit_step", "save"}


def test_the_answer_of_the_baseline_is_one_program():
    says = SUITE.script(BASELINE, BASELINE.rounds[0], "reference").says
    assert says.count("```") == 2
    program = says.removeprefix("```python\n").removesuffix("\n```")
    compile(program, "<program>", "exec")
    assert "result" in program and "ruff" not in program


def test_every_row_is_lost_by_some_control():
    """`reopens`, and `editable` alone, are lost by no tool: there calibration loses them."""
    mutants = [agent for agent in SUITE.agents() if agent.name.startswith("mutant:")]
    rows = {row for agent in mutants for row in agent.must_fail.get("build", ())}
    assert rows == {row.name for row in SUITE.rubric.rows} - {"reopens"}
    alone = {
        agent.must_fail["build"] for agent in mutants if len(agent.must_fail.get("build", ())) == 1
    }
    assert alone == {(row,) for row in rows - {"editable"}}
    assert sum(not agent.must_fail for agent in mutants) == 3  # right, though unlike the reference


def test_agents_and_what_they_must_lose():
    agents = {agent.name: agent for agent in SUITE.agents()}
    assert agents["null"].must_fail == {"build": ("delivered",), "build-program": ("delivered",)}
    assert agents["reference"].cases == ("espresso-machine", "espresso-machine-program")
    assert agents["mutant:floating"].cases == ("espresso-machine",)
    with pytest.raises(WrongUse, match="did you mean mutant:floating"):
        SUITE.script(CASE, CASE.rounds[0], "mutant:floatin")
    with pytest.raises(WrongUse, match="no script for case"):
        SUITE.script(BASELINE, BASELINE.rounds[0], "mutant:floating")


TEXTS = """
[[case]]
id = "one"
suite = "s"
version = 1
title = "t"
axis = "a"
needs = []
limits = { wall_s = 1, tool_calls = 1, turns = 1, program_s = 1, evaluation_s = 1 }
[[case.rounds]]
id = "r"
growth = 1
parameters = { size = 5 }
truth = {}
instruction = { en = "Make {thing}.", zh = "{thing}" }
texts.thing = { en = "a box of {size}" %s }
"""


def test_a_text_that_instructions_share(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(TEXTS % ', zh = "边长 {size} 的盒子"')
    (case,) = load_cases([path])
    assert case.rounds[0].instruction == {"en": "Make a box of 5.", "zh": "边长 5 的盒子"}
    path.write_text(TEXTS % "")
    with pytest.raises(WrongUse, match=r"texts\.thing has no zh"):
        load_cases([path])


def test_nothing_heavy_is_imported():
    program = (
        "import sys; from gaugeblock.suites import load_suite; load_suite('assembly');"
        "heavy = {'build123d', 'OCP', 'numpy', 'scipy', 'mcp'} & set(sys.modules);"
        "print(*sorted(heavy))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (answer.stdout, answer.stderr) == ("\n", "")
