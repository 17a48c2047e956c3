"""Case folders frozen from a program and a case file: what is made, and what is refused."""

import json
import re
import shutil

import pytest

from gaugeblock.calibration.freezing import freeze, main, marked
from gaugeblock.records.drawing_task import Ceilings
from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.suites.drawings import rulebook

CANARY = "gaugeblock-canary-12345678-1234-1234-1234-123456789abc"
CASE = f"""
id = "odd-plate"
title = "Odd plate"
group = "independent"
class = "plate"
difficulty = 1
canary = "{CANARY}"

[parameters]
length = 80
hole = 8

[sheet]
number = "GB-999"
material = "C45"

[[toleranced]]
type = "diameter"
value = 8
suffix = "H7"
upper = 0.015
lower = 0
"""
PROGRAM = f"""# Head.
# {CANARY}

plate = Box(length, 50, 12, align=Align.MIN)
plate -= Pos(20, 25, 6) * Cylinder(hole / 2, 12)
result = {{"plate": plate}}
"""
TOLERANCE = CASE[CASE.index("[[toleranced]]") :]


def folder(where, case=CASE, program=PROGRAM, name="odd-plate"):
    path = where / name
    path.mkdir()
    (path / "case.toml").write_text(case, encoding="utf-8")
    (path / "program.py").write_text(program, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def frozen(tmp_path_factory, workshop, ruler):
    return freeze(folder(tmp_path_factory.mktemp("cases")), workshop, ruler)


def test_the_list_is_what_the_sheet_prints(frozen):
    entries = json.loads(frozen.files["dimensions.json"])
    assert sorted((e["label"], e["type"], e["value"]) for e in entries) == [
        ("12", "length", 12),
        ("20", "length", 20),
        ("25", "length", 25),
        ("50", "length", 50),
        ("80", "length", 80),
        ("⌀8 H7", "diameter", 8),
    ]
    assert [(e["upper"], e["lower"]) for e in entries if "upper" in e] == [(0.015, 0)]


def test_the_ceilings_are_counted(frozen):
    """20 and 25 place an axis: four of six are on the body, all six on its drawing."""
    ceilings = Ceilings.load(frozen.files["ceilings.json"], "ceilings.json")
    assert (ceilings.asked, ceilings.measurable, ceilings.measurable_extended) == (6, 4, 4)
    assert ceilings.drawn == 6 and ceilings.semantic_match == 1
    # ⌀8 is found from 7.8 to 8.2, on a diagonal of √(80² + 50² + 12²).
    assert ceilings.chance.diameter == pytest.approx(0.4 / 95.0999, rel=1e-3)
    assert ceilings.chance.radius == 0


def test_the_canary_stands_in_the_truth_and_on_no_sheet(frozen):
    assert CANARY.encode() in frozen.files["reference.step"].split(b"ENDSEC;")[0]
    shown = [content for name, content in frozen.files.items() if name.startswith("sheet/")]
    assert len(shown) == 4 and not any(CANARY.encode() in content for content in shown)


def test_the_same_files_give_the_same_bytes(frozen, tmp_path, workshop, ruler):
    again = freeze(folder(tmp_path), workshop, ruler)
    assert again.files == frozen.files
    text = b"".join(frozen.files[name] for name in ("reference.step", "sheet/drawing.dxf"))
    assert not re.search(rb"20[23]\d-\d\d-\d\d", text)  # the reference's header says 2000-01-01


def test_a_frozen_case_is_what_its_folder_makes(tmp_path, workshop, ruler):
    """Of the suite's own: all but the pictures, whose bytes are the machine's libraries'."""
    there = rulebook.FOLDER / "cases" / "bearing-block"
    copied = tmp_path / there.name
    shutil.copytree(there, copied)
    made = freeze(copied, workshop, ruler).files
    for name in ("dimensions.json", "ceilings.json", "features.json", "sheet/drawing.svg"):
        assert made[name] == (there / name).read_bytes(), name


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('id = "odd-plate"', 'id = "even-plate"'), "not the folder's name"),
        (("value = 8", "value = 9"), "no diameter 9 for its tolerance H7"),
        (("upper = 0.015", "upper = -0.1"), "nominal size lies outside"),
        (
            ("[parameters]", 'allowed = ["1 collision: it is fine"]\n[parameters]'),
            "the sheet has not",
        ),
        (("difficulty = 1", "difficulty = 6"), "difficulty"),
        (("difficulty = 1", "difficulty = 1\nhard = true"), "hard"),
        (("hole = 8", "hole = 0.4"), "ISO 2768-m covers"),
        (("12345678-1234", "87654321-1234"), "canary"),
    ],
)
def test_wrong_cases_are_refused_in_one_line(change, told, tmp_path, workshop, ruler):
    case = CASE.replace(*change)
    if "0.4" in change[1]:
        case = case.replace(TOLERANCE, "")
    with pytest.raises(WrongUse, match=re.escape(told)) as refused:
        freeze(folder(tmp_path, case), workshop, ruler)
    assert "\n" not in str(refused.value)


FREE = "\nround_top = Pos(40, 25, 30) * Sphere(20)\nresult = {'plate': plate + round_top}\n"
TWO = "\nresult = {'plate': plate, 'other': Pos(0, 0, 50) * plate}\n"
HALVES = "\nresult = {'plate': plate + Pos(0, 0, 50) * plate}\n"


@pytest.mark.parametrize(
    ("tail", "error", "told"),
    [
        (FREE, WrongUse, "remarks that case.toml does not allow: not dimensioned"),
        (TWO, WrongUse, "not one valid solid"),
        (HALVES, WrongUse, "not one valid solid"),
        ("\nresult = {}\n", CouldNotMeasure, "makes no part"),
        ("\n1 / 0\n", CouldNotMeasure, "ZeroDivisionError"),
    ],
)
def test_wrong_programs_are_refused(tail, error, told, tmp_path, workshop, ruler):
    case = CASE.replace(TOLERANCE, "")
    with pytest.raises(error, match=told):
        freeze(folder(tmp_path, case, PROGRAM + tail), workshop, ruler)


def test_a_remark_may_be_allowed_with_its_reason(tmp_path, workshop, ruler):
    case = CASE.replace(TOLERANCE, "")
    with pytest.raises(WrongUse) as refused:
        freeze(folder(tmp_path, case, PROGRAM + FREE), workshop, ruler)
    remarks = str(refused.value).split("does not allow: ")[1].split("; ")
    allowed = json.dumps([f"{remark}: the ball is told by its picture" for remark in remarks])
    case = case.replace("[parameters]", f"allowed = {allowed}\n[parameters]")
    shutil.rmtree(tmp_path / "odd-plate")
    assert freeze(folder(tmp_path, case, PROGRAM + FREE), workshop, ruler).files


def test_a_step_without_a_description_cannot_be_marked():
    with pytest.raises(CouldNotMeasure):
        marked(b"ISO-10303-21;", CANARY)


def test_no_folder_is_wrong_use(capsys):
    assert main([]) == 2
    assert "case folders" in capsys.readouterr().err
