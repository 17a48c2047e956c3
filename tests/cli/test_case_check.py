"""`case check` and the other commands on cases that show a drawing."""

import hashlib
import json
from pathlib import Path

import pytest
from build123d import Align, Box, Cylinder, Pos, export_step
from command_line import call

CANARY = "gaugeblock-canary-00000000-0000-4000-8000-000000000000"
LOW = (Align.CENTER, Align.CENTER, Align.MIN)
LISTED = [
    {"label": "60", "type": "length", "value": 60},
    {"label": "40", "type": "length", "value": 40},
    {"label": "10", "type": "length", "value": 10},
    {"label": "⌀8", "type": "diameter", "value": 8},
]


@pytest.fixture
def case(tmp_path) -> Path:
    folder = tmp_path / "small-plate"
    (folder / "sheet").mkdir(parents=True)
    plate = Box(60, 40, 10, align=LOW) - Pos(-15, -8, 0) * Cylinder(4, 10, align=LOW)
    export_step(plate, str(folder / "reference.step"))
    (folder / "case.toml").write_text(
        f'id = "small-plate"\ntitle = "Plate"\ngroup = "own"\nclass = "plate"\ndifficulty = 1\n'
        f'canary = "{CANARY}"\n[parameters]\n[sheet]\nnumber = "1"\nmaterial = "S235"\n'
    )
    (folder / "dimensions.json").write_text(json.dumps(LISTED))
    chance = dict.fromkeys(("length", "diameter", "radius", "angle"), 0.1)
    counts = dict.fromkeys(("asked", "measurable", "measurable_extended", "drawn"), 4)
    (folder / "ceilings.json").write_text(
        json.dumps({**counts, "semantic_match": 1.0, "chance": chance})
    )
    (folder / "sheet" / "drawing.png").write_bytes(b"png")
    return folder


def test_a_part_is_checked_against_a_case(case, tmp_path):
    right = call("case", "check", case, case / "reference.step")
    assert (right.returncode, right.stderr) == (0, "")
    assert "passed (reachable); raw: pass, exact: pass" in right.stdout
    assert "4 of 4" in right.stdout
    export_step(Box(60, 40, 10, align=LOW), str(tmp_path / "plain.step"))
    wrong = call("case", "check", case, tmp_path / "plain.step", "--json")
    assert wrong.returncode == 1
    told = json.loads(wrong.stdout)
    assert told["grade"]["figures"]["dimensionRecall"] == 0.75  # the hole is lost: 3 of 4
    assert told["grade"]["figures"]["semanticMatch"] == 0.0
    digest = hashlib.sha256((tmp_path / "plain.step").read_bytes()).hexdigest()
    assert told["scoring"]["candidate"]["sha256"] == digest


def test_what_cannot_be_measured_is_said_so(case, tmp_path):
    broken = tmp_path / "broken.step"
    broken.write_text("ISO-10303-21;\nHEADER;\n")
    answer = call("case", "check", case, broken)
    assert answer.returncode == 3
    assert "could-not-grade" in answer.stdout


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("growth/S1", "shows no drawing"),
        ("growth", "give SUITE/CASE"),
        ("nowhere/part", "no suite `nowhere`"),
        ("./nowhere", "no such folder"),
    ],
)
def test_a_wrong_case_is_one_line(tmp_path, word, said):
    part = tmp_path / "part.step"
    part.write_text("ISO-10303-21;")
    answer = call("case", "check", word, part)
    assert answer.returncode == 2
    assert said in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_a_missing_file_is_wrong_use(case):
    answer = call("case", "check", case, case / "none.step")
    assert answer.returncode == 2
    assert answer.stderr.count("\n") == 1
