"""Suite growth as a whole: instructions, limits, scripts, start document and digest."""

import hashlib
import re
import shutil
import subprocess
import sys

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.plan import SuiteControls
from gaugeblock.suites import SUITES, Suite, load_suite
from gaugeblock.suites.digest import ROOM, suite_digest
from gaugeblock.suites.growth import suite as growth_suite
from gaugeblock.suites.truth import figures

SUITE: Suite = load_suite("growth")
SCALE = ("S1", "S2", "S3p", "S4")
EDITING = ("T2", "T3", "T4", "T5")


def only_round(case_id):
    (asked,) = SUITE.case(case_id).rounds
    return asked


def test_cases_in_order():
    assert [case.id for case in SUITE.cases()] == [*SCALE, "depth", *EDITING]
    assert [asked.id for asked in SUITE.case("depth").rounds] == [
        "k1",
        "k2",
        "k3",
        "k4",
        "k5",
        "k6",
    ]
    assert [only_round(case_id).growth for case_id in SCALE] == [12, 48, 105, 768]
    assert SUITE.case("S3p").title == "S3′: 15 × 7 holes"
    for case_id in SCALE:
        known = figures(only_round(case_id)).symbols
        assert only_round(case_id).growth == known["cols"] * known["rows"]


def test_limits():
    for case in SUITE.cases():
        limits = case.limits
        assert (limits.no_commit_s, limits.repairs) == (300, 2)
        assert (limits.program_s, limits.evaluation_s) == (60, 120)
        due = (None, "0.40") if case.id == "depth" else ("1.25", None)
        assert (limits.cell_budget_usd, limits.round_budget_usd) == due


@pytest.mark.parametrize("language", ["en", "zh"])
def test_create_instructions_differ_in_two_numbers_only(language):
    texts = {case_id: only_round(case_id).instruction[language] for case_id in SCALE}
    for case_id, text in texts.items():
        parameters = only_round(case_id).parameters
        for name, value in parameters.items():
            assert f"`{name}` = {value:g}" in text
        for number in ("120", "80", "40", "15", "105", "20", "60"):
            assert re.search(rf"(?<![\d.]){number}(?![\d.]\d)", text), number
        assert "{" not in text
    grids = [(4, 3), (8, 6), (15, 7), (32, 24)]
    shapes = set()
    for (cols, rows), text in zip(grids, texts.values(), strict=True):
        numbers = rf"`cols` = {cols}\b|`rows` = {rows}\b|{cols} (columns|列)|{rows} (rows|行)"
        shapes.add(re.sub(numbers, "#", text))
    assert len(shapes) == 1 and shapes.pop().count("#") == 4


@pytest.mark.parametrize("language", ["en", "zh"])
def test_depth_instructions_name_what_changes(language):
    before = dict(only_round("S1").parameters)
    for asked in SUITE.case("depth").rounds:
        text = asked.instruction[language]
        changed = {n: v for n, v in asked.parameters.items() if before.get(n) != v}
        for name, value in changed.items():
            assert f"`{name}`" in text
            assert re.search(rf"\b{value:g}(?!\d)", text)
        if asked.id == "k2":
            assert not changed
            assert all(number in text for number in ("8", "X = 0", "X = 120", "Y = 40", "Z = 25"))
        before = dict(asked.parameters)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("case_id", EDITING)
def test_edit_instructions_say_what_the_truth_rests_on(case_id, language):
    asked = only_round(case_id)
    text = asked.instruction[language]
    start = SUITE.start_plan(SUITE.case(case_id).start).arguments["parameters"]
    new = {name: value for name, value in asked.parameters.items() if name not in start}
    assert new
    for name, value in new.items():
        assert f"`{name}`" in text
        assert re.search(rf"(?<![\d.]){value:g}(?![\d.]\d)", text)
    assert "{" not in text
    for name in asked.truth.names or ():
        assert f"`{name}`" in text
    told = {
        "T2": (
            "X = 0",
            "X = -4",
            "open along its whole length" if language == "en" else "保持通畅",
        ),
        "T3": ("Z = 70", "parallel to X and Y" if language == "en" else "平行于 X 轴或 Y 轴"),
        "T4": ("X = 60", "Y = 40", "Z = 8", "stays whole" if language == "en" else "保持完整"),
        "T5": ("40", "60", "keep their length" if language == "en" else "长度都不变"),
    }
    assert all(words in text for words in told[case_id])


def test_one_edit_each():
    for case_id in EDITING:
        case = SUITE.case(case_id)
        assert (case.axis, only_round(case_id).growth) == ("editing", 1)
        assert case.start and case.start_sha256
        assert SUITE.start_document(case)
        (call,) = SUITE.script(case, only_round(case_id), "reference").calls
        assert call.tool == "propose"


def test_known_misreadings_fail_and_are_named():
    readings = {
        (asked.id, reading.name)
        for case in SUITE.cases()
        for asked in case.rounds
        for reading in asked.readings
    }
    matched = {
        (round_id, agent.matches)
        for agent in SUITE.agents()
        if agent.matches
        for round_id in agent.must_fail
    }
    assert matched == readings  # each reading has its negative control
    assert {("T5", "ends-kept"), ("T4", "pin-drilled"), ("k4", "floor-kept")} <= readings


def test_reference_scripts():
    for case_id in SCALE:
        (call,) = SUITE.script(SUITE.case(case_id), only_round(case_id), "reference").calls
        assert call.tool == "propose"
        assert set(call.arguments) == {"program", "parameters", "expectations"}
        assert call.arguments["expectations"]["volume"]["relative_tolerance"] == 1e-6
        assert isinstance(call.arguments["parameters"]["cols"], int)
    texts = {
        SUITE.script(SUITE.case(name), only_round(name), "reference").calls[0].arguments["program"]
        for name in SCALE
    }
    assert len(texts) == 1
    assert texts.pop().startswith("# Box, open at the top")
    case = SUITE.case("depth")
    calls = {
        asked.id: call
        for asked in case.rounds
        for call in SUITE.script(case, asked, "reference").calls
    }
    assert {round_id: call.tool for round_id, call in calls.items()} == {
        **dict.fromkeys(("k1", "k3", "k4", "k6"), "set_parameters"),
        **dict.fromkeys(("k2", "k5"), "propose"),
    }
    values = {k: c.arguments["values"] for k, c in calls.items() if c.tool == "set_parameters"}
    assert values == {
        "k1": {"cols": 8},
        "k3": {"holeDiameter": 5},
        "k4": {"wall": 3},
        "k6": {"rows": 4},
    }
    assert calls["k5"].arguments["parameters"]["centerHoleDiameter"] == 6
    assert calls["k6"].arguments["expectations"] == {
        "solids": 1,
        "volume": {"value": figures(case.rounds[5]).volume, "relative_tolerance": 1e-6},
        "bounds": {"min": [0, 0, 0], "max": [120, 80, 40], "tolerance": 1e-6},
    }


def test_other_agents():
    agents = {agent.name: agent for agent in SUITE.agents()}
    assert list(agents)[:2] == ["reference", "null"]
    case = SUITE.case("depth")
    assert SUITE.script(case, case.rounds[0], "null").calls == ()
    assert agents["null"].must_fail["k1"] == ("delivered",)
    mutant = agents["mutant:floor-kept"]
    assert (mutant.cases, mutant.matches) == (("depth",), "floor-kept")
    right = [SUITE.script(case, asked, "reference") for asked in case.rounds]
    wrong = [SUITE.script(case, asked, mutant.name) for asked in case.rounds]
    assert [a == b for a, b in zip(right, wrong, strict=True)] == [True] * 3 + [False] + [True] * 2
    assert wrong[3].calls[0].arguments["expectations"] == {}


def test_wrong_names_are_told_with_near_ones():
    with pytest.raises(WrongUse, match=r"^no suite `grwth`; did you mean growth\?$"):
        load_suite("grwth")
    with pytest.raises(WrongUse, match=r"^suite growth has no case `S3`; did you mean "):
        SUITE.case("S3")
    with pytest.raises(WrongUse, match=r"`mutant:hole-siz`; did you mean mutant:hole-size"):
        SUITE.script(SUITE.case("S1"), only_round("S1"), "mutant:hole-siz")
    with pytest.raises(WrongUse, match="mutant:floor-kept has no script for case S1"):
        SUITE.script(SUITE.case("S1"), only_round("S1"), "mutant:floor-kept")


def test_start_document(tmp_path, monkeypatch):
    monkeypatch.setattr(growth_suite, "FOLDER", tmp_path)
    case = SUITE.case("depth")
    assert SUITE.start_document(SUITE.case("S1")) is None
    assert case.start == "box-4x3.json"
    with pytest.raises(WrongUse, match=r"no start document starts/box-4x3\.json"):
        SUITE.start_document(case)
    (tmp_path / "starts").mkdir()
    (tmp_path / "starts" / "box-4x3.json").write_bytes(b"{}")
    digest = hashlib.sha256(b"{}").hexdigest()
    for said in (None, digest):
        assert SUITE.start_document(case.model_copy(update={"start_sha256": said})) == b"{}"
    with pytest.raises(WrongUse, match=f"has SHA-256 {digest}, the case says 0000"):
        SUITE.start_document(case.model_copy(update={"start_sha256": "0" * 64}))


def test_controls_and_digest(tmp_path):
    controls = SUITE.controls()
    assert isinstance(controls, SuiteControls)
    assert (controls.name, controls.digest) == ("growth", suite_digest("growth"))
    assert set(SUITES) == {"growth", "assembly", "drawings"}
    room = tmp_path / "suites"
    shutil.copytree(ROOM, room, ignore=shutil.ignore_patterns("__pycache__"))
    assert suite_digest("growth", room) == controls.digest
    (room / "growth" / "README.md").write_text("other")
    assert suite_digest("growth", room) == controls.digest
    for changed in ("growth/cases/scale.toml", "growth/programs/box.py", "grading.py"):
        path = room / changed
        old = path.read_bytes()
        path.write_bytes(old + b"\n")
        assert suite_digest("growth", room) != controls.digest, changed
        path.write_bytes(old)
    (room / "growth" / "cases" / "new.toml").write_text("")
    assert suite_digest("growth", room) != controls.digest


def test_nothing_heavy_is_imported():
    program = (
        "import sys; from gaugeblock.suites import load_suite; load_suite('growth');"
        "heavy = {'build123d', 'OCP', 'numpy', 'scipy', 'mcp'} & set(sys.modules);"
        "print(*sorted(heavy))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (answer.stdout, answer.stderr) == ("\n", "")
