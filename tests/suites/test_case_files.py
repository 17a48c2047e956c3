"""Case files: sharing parts, and one clear line for each fault."""

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.case_files import load_cases

GOOD = """
[shared.cell]
suite = "demo"
version = 1
title = "a plate"
axis = "scale"
needs = ["program"]
limits = { wall_s = 60, tool_calls = 5, turns = 5, program_s = 10, evaluation_s = 10 }

[shared.plate.truth]
volume = "length*area"
symbols = { area = "width**2" }

[[case]]
use = ["cell"]
id = "P1"

[[case.rounds]]
use = ["plate"]
id = "P1"
growth = 1
parameters = { length = 7.5, width = 2 }
instruction = { en = "{length} by {width}", zh = "{length} 乘 {width}" }
truth.symbols = { twice = "2*area" }
truth.faces = "6"
"""


def written(folder, text, name="demo.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_fragments_are_laid_under_the_tables_that_use_them(tmp_path):
    (case,) = load_cases([written(tmp_path, GOOD)])
    asked = case.rounds[0]
    assert (case.suite, case.limits.wall_s) == ("demo", 60)
    assert asked.instruction == {"en": "7.5 by 2", "zh": "7.5 乘 2"}
    assert asked.truth.volume == "length*area"
    assert list(asked.truth.symbols) == ["area", "twice"]  # the fragment's symbols come first


def test_fragments_may_stand_in_another_file(tmp_path):
    shared, rest = GOOD.split("[[case]]", 1)
    paths = [written(tmp_path, shared, "a.toml"), written(tmp_path, "[[case]]" + rest, "b.toml")]
    assert [case.id for case in load_cases(paths)] == ["P1"]
    with pytest.raises(WrongUse, match=r"^b.toml: shared.cell is defined twice$"):
        load_cases([paths[0], written(tmp_path, shared, "b.toml")])


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("axis =", "axes =", "demo.toml, case P1: axis: Field required (and 1 more)"),
        ("tool_calls", "toolcalls", "demo.toml, case P1: limits.tool_calls: Field required"),
        (
            "truth.faces",
            "truth.face",
            "demo.toml, case P1: rounds.0.truth.face: Extra inputs are not permitted",
        ),
        ('"length*area"', '"length*aera"', "P1, volume: `aera` is not defined in `length*aera`"),
        ('"width**2"', '"widht**2"', "demo.toml, case P1, round P1, symbol `area`: `widht` is not"),
        ('use = ["plate"]', 'use = ["plat"]', "no fragment [shared.plat]; did you mean plate?"),
        ("{length} by", "{lenght} by", "round P1, instruction.en: {lenght} is no parameter"),
        ("[[case]]", "[[cases]]", "demo.toml: unknown key `cases`; did you mean case?"),
        ("[[case.rounds]]", "[case.rounds]", "write its rounds as [[case.rounds]]"),
        ('id = "P1"\n\n', 'id = "P 1"\n\n', "demo.toml, case P 1: id: String should match"),
        ("growth = 1", "growth = ", "demo.toml: Invalid value (at line"),
        ('truth.faces = "6"', 'truth.faces = "6.5"', "round P1, faces: 6.5 is no count"),
    ],
)
def test_one_line_for_each_fault(tmp_path, old, new, says):
    assert old in GOOD
    with pytest.raises(WrongUse) as caught:
        load_cases([written(tmp_path, GOOD.replace(old, new))])
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file_and_doubled_id(tmp_path):
    with pytest.raises(WrongUse, match=r"^none.toml: "):
        load_cases([tmp_path / "none.toml"])
    case = GOOD[GOOD.index("[[case]]") :]
    with pytest.raises(WrongUse, match="two cases have the id P1"):
        load_cases([written(tmp_path, GOOD + case)])


def test_reviewers_read_a_text_of_the_round(tmp_path):
    common = 'reviewed_as = "what"\ntexts.what = { en = "L {length}", zh = "长 {length}" }\n'
    (case,) = load_cases([written(tmp_path, GOOD.replace("growth = 1\n", "growth = 1\n" + common))])
    assert case.rounds[0].reviewed_as == {"en": "L 7.5", "zh": "长 7.5"}
    wrong = common.replace('"what"', '"whit"')
    with pytest.raises(WrongUse, match=r"no texts.whit.*what"):
        load_cases([written(tmp_path, GOOD.replace("growth = 1\n", "growth = 1\n" + wrong))])
