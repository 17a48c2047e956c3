"""Case folders of drawings: two tracks of one part, and every fault told in one line."""

from __future__ import annotations

import hashlib
import json

import pytest
from made_sheets import CANARY, case_folder, sheet, task

from gaugeblock.records.errors import WrongUse
from gaugeblock.suites import OWN, SheetSuite, load_suite, own_suite
from gaugeblock.suites.drawings import DrawingsSuite
from gaugeblock.suites.drawings.case_folder import read_case_folder


def test_a_folder_is_two_cases(tmp_path):
    suite = own_suite([case_folder(tmp_path)])
    assert isinstance(suite, SheetSuite)
    vector, raster = suite.cases()
    assert (vector.id, raster.id) == ("my-plate.vector", "my-plate.raster")
    assert (vector.suite, vector.axis, vector.drawing.track) == (OWN, "vector", "vector")
    assert vector.needs == ("program", "step", "workspace")
    assert raster.needs == ("image", "program", "step", "workspace")
    assert suite.shown(vector)["/drawing/drawing.svg"] == b"<svg/>"
    assert suite.shown(raster)["/drawing/drawing.png"] == b"png"
    assert "/drawing/drawing.png" not in suite.shown(vector)
    assert "/drawing/drawing.svg" not in suite.shown(raster)
    assert vector.drawing.shown == {"drawing.svg": hashlib.sha256(b"<svg/>").hexdigest()}
    assert suite.reference(vector) == b"ISO-10303-21;"
    assert vector.drawing.reference_sha256 == hashlib.sha256(b"ISO-10303-21;").hexdigest()
    assert vector.drawing.dimensions == sheet(3)
    assert vector.rounds[0].id == raster.rounds[0].id == "my-plate"


def test_nothing_of_the_truth_is_shown_or_said(tmp_path):
    suite = own_suite([case_folder(tmp_path)])
    for case in suite.cases():
        told = "".join(case.rounds[0].instruction.values())
        shown = suite.shown(case)
        drawing = [content for path, content in shown.items() if path.startswith("/drawing/")]
        assert set(shown) - {"/rulebook/rulebook.md"} == {
            f"/drawing/{name}" for name in case.drawing.shown
        }
        everything = told.encode() + b"".join(drawing)
        for word in (CANARY, "reference", case.drawing.reference_sha256, "S235"):
            assert word.encode() not in everything
        assert not {"{", "}"} & set(told)
        assert set(case.rounds[0].instruction) == {"en", "zh"}
        for language in ("en", "zh"):
            asked = case.rounds[0].instruction[language]
            assert all(f"`{name}`" in asked for name in case.drawing.shown)


def test_a_track_needs_a_file_of_its_own(tmp_path):
    folder = case_folder(tmp_path)
    (folder / "sheet" / "drawing.png").unlink()
    assert [case.id for case in own_suite([folder]).cases()] == ["my-plate.vector"]
    (folder / "sheet" / "drawing.svg").unlink()
    with pytest.raises(WrongUse, match="no drawing there"):
        own_suite([folder])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"case_toml": None}, "no case.toml here"),
        ({"case_toml": "id = 3"}, "my-plate/case.toml"),
        ({"reference_step": None}, "my-plate/reference.step: No such file"),
        ({"dimensions_json": None}, "my-plate/dimensions.json: No such file"),
        ({"dimensions_json": "[]"}, "no dimension stands on the sheet"),
        ({"dimensions_json": '[{"label": "x"}]'}, "my-plate/dimensions.json: 0"),
        (
            {"dimensions_json": '[{"label": "9000", "type": "length", "value": 9000}]'},
            "ceilings.json: of 3 dimensions|ISO 2768-m covers",
        ),
        ({"ceilings_json": task(4).ceilings.model_dump_json()}, "of 4 dimensions, and"),
        ({"ceilings_json": "{}"}, "my-plate/ceilings.json"),
        ({"program_py": "result = 1"}, "no program below its notes"),
    ],
)
def test_each_fault_is_one_line(tmp_path, files, said):
    folder = case_folder(tmp_path, **files)
    with pytest.raises(WrongUse, match=said) as told:
        read_case_folder(folder)
    assert "\n" not in str(told.value)


def test_a_folder_is_named_as_its_id(tmp_path):
    folder = case_folder(tmp_path)
    other = folder.rename(tmp_path / "other")
    with pytest.raises(WrongUse, match="its id is `my-plate`"):
        read_case_folder(other)
    with pytest.raises(WrongUse, match="no such folder"):
        read_case_folder(tmp_path / "nowhere")


def test_groups_stay_where_they_belong(tmp_path):
    with pytest.raises(WrongUse, match="group anchoring; here it must be `own`"):
        own_suite([case_folder(tmp_path, group="anchoring")])


def test_two_folders_of_one_id_are_refused(tmp_path):
    folders = [case_folder(tmp_path / "a"), case_folder(tmp_path / "b")]
    with pytest.raises(WrongUse, match="another folder has the id"):
        own_suite(folders)


def test_scripts_propose_the_program_without_its_notes(tmp_path):
    suite = own_suite([case_folder(tmp_path)])
    case = suite.case("my-plate.vector")
    (call,) = suite.script(case, case.rounds[0], "reference").calls
    assert call.arguments["program"] == "result = {'plate': Box(length, 20, 10)}\n"
    assert call.arguments["parameters"] == {"length": 30}
    assert CANARY not in json.dumps(call.arguments)
    turned = suite.script(case, case.rounds[0], "mutant:turned").calls[0].arguments["program"]
    assert turned.startswith(call.arguments["program"])
    assert suite.script(case, case.rounds[0], "null").calls == ()
    null = next(agent for agent in suite.agents() if agent.name == "null")
    assert null.due(case) == {"my-plate": ("delivered",)}


def test_a_part_without_a_program_has_no_reference_agent(tmp_path):
    suite = own_suite([case_folder(tmp_path, program_py=None)])
    case = suite.case("my-plate.vector")
    applies = {agent.name: agent.applies_to(case.id) for agent in suite.agents()}
    assert applies == {
        "reference": False,
        "null": True,
        "mutant:turned": False,
        "mutant:box": False,
    }
    with pytest.raises(WrongUse, match="no script"):
        suite.script(case, case.rounds[0], "reference")


def test_without_its_folders_a_suite_still_grades(tmp_path):
    made = own_suite([case_folder(tmp_path)])
    bare = load_suite(OWN)
    assert bare.cases() == ()
    assert bare.controls().digest == made.controls().digest
    with pytest.raises(WrongUse, match="not at hand"):
        bare.reference(made.cases()[0])
    kept = own_suite(kept=lambda sha256: sha256[:8].encode())
    task = made.cases()[0].drawing
    assert kept.reference(made.cases()[0]) == task.reference_sha256[:8].encode()
    assert kept.shown(made.cases()[0])["/drawing/drawing.svg"] == (
        task.shown["drawing.svg"][:8].encode()
    )


def test_the_suite_of_the_package_reads_all_its_folders():
    suite = load_suite("drawings")
    assert isinstance(suite, DrawingsSuite)
    assert len({case.id for case in suite.cases()}) == len(suite.cases())
    for case in suite.cases():
        assert case.drawing.group in ("anchoring", "independent")
        hashes = {hashlib.sha256(content).hexdigest() for content in suite.shown(case).values()}
        assert set(case.drawing.shown.values()) <= hashes
