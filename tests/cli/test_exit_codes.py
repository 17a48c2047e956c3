"""What a user meets: one line and the right exit code, never a traceback."""

import json
import os
import subprocess

import pytest
from command_line import call, call_apart

from gaugeblock.records.measurement import Measurement

pytestmark = pytest.mark.usefixtures("one_ruler")


def assert_one_line(done, code, word):
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("gaugeblock: ")
    assert word in lines[0]


@pytest.fixture
def places(tmp_path):
    """Files that are no STEP file, by name."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.step").write_bytes(b"")
    (tmp_path / "text.step").write_text("Dear reader,\nthis is no part.\n")
    (tmp_path / "garbage.step").write_bytes(bytes(range(256)) * 40)
    with (tmp_path / "huge.step").open("wb") as huge:
        huge.truncate(1 << 30)
    (tmp_path / "cut.step").write_text(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n"
        "FILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\n"
        "DATA;\n#1=CARTESIAN_POINT('',(0.,0.,"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("name", "code", "word"),
    [
        ("missing.step", 2, "no such file"),
        ("folder", 2, "folder"),
        ("empty.step", 3, "no bytes"),
        ("text.step", 3, "STEP"),
        ("garbage.step", 3, "STEP"),
        ("huge.step", 3, "at most"),
        ("cut.step", 3, "END-ISO"),
    ],
)
def test_measure_refuses(places, name, code, word):
    assert_one_line(call("measure", places / name), code, word)


def test_a_process_of_its_own_ends_with_the_same_line_and_code(places):
    assert_one_line(call_apart("measure", places / "missing.step"), 2, "no such file")


def test_refusals_are_measurements_in_json(places):
    done = call("measure", places / "text.step", places / "empty.step", "--json")
    assert done.returncode == 3
    files = [Measurement.model_validate(item) for item in json.loads(done.stdout)["files"]]
    assert [item.verdict for item in files] == ["could-not-measure"] * 2
    assert [item.code for item in files] == ["not-step", "empty"]


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["run", "growht", "--profile", "null", "--out", "x"], "growth"),
        (["run", "growth", "--profile", "nobody", "--out", "x"], "reference"),
        (["run", "growth/S1", "--out", "x"], "--profile"),
        (["run", "growth/S1", "--profile", "null", "--out", "x", "--language", "fr"], "en or zh"),
        (["run", "growth/S1", "--profile", "null", "--out", "x", "--trials", "0"], "--trials"),
        (["run", "growth/S1", "--profile", "null"], "--out"),
        (["run", "growth", "--resume", "--out", "x"], "--resume"),
        (["run", "--resume", "--trials", "5", "--out", "x"], "leave --trials out"),
        (["run", "--resume", "--continue-after-error", "--out", "x"], "leave --continue-after"),
        (["run", "--resume", "--language", "en", "--out", "x"], "leave --language out"),
        (["run", "--resume", "--out", "x"], "no such folder"),
        (["case", "show", "growth"], "SUITE/CASE"),
        (["case", "show", "growth/S99"], "S4"),
        (["report", "x"], "no such folder"),
        (["audit", "."], "plan.json"),
        (["regrade", "x", "--reason", "y"], "no such folder"),
        (["invalidate", "x"], "--reason"),
        (["void", "x", "--cell", "S1", "--profile", "null", "--reason", "y"], "no such folder"),
        (["void", "x", "--cell", "S1", "--profile", "null"], "--reason"),
        (["void", "x", "--profile", "null", "--reason", "y"], "--cell"),
        (["rerun", "x", "--out", "y"], "no such folder"),
        (["refill", ".", "--out", "y"], "plan.json"),
        (["refill", "x"], "--out"),
        (["host", "--http", "nonsense"], "HOST:PORT"),
        (["mesure"], "mesure"),
        (["measure"], "FILE"),
    ],
)
def test_wrong_use_is_told_in_one_line(words, word, tmp_path):
    assert_one_line(call(*words, cwd=tmp_path), 2, word)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_refused(tmp_path):
    done = call("run", "growth/S1", "--profile", "null", "--out", tmp_path)
    assert_one_line(done, 2, "exists already")


def test_a_document_that_is_none_is_told_before_serving(tmp_path):
    (tmp_path / "d.json").write_text('{"format": "something"}')
    done = call_apart("host", "--document", tmp_path / "d.json", stdin=subprocess.DEVNULL)
    assert_one_line(done, 2, "d.json")


def test_figures_and_formulas_of_a_case():
    shown = call("case", "show", "growth/S4").stdout
    assert "40226.02" in shown
    assert "119" in shown
    assert "asin" in shown


def test_lists_are_data():
    listed = json.loads(call("suite", "list", "--json").stdout)
    sheets = listed.pop("drawings")
    assert len(sheets) == 2 * 26 and {"bearing-block.vector", "hex-bolt.raster"} < set(sheets)
    assert listed == {
        "growth": ["S1", "S2", "S3p", "S4", "depth", "T2", "T3", "T4", "T5"],
        "assembly": ["espresso-machine", "espresso-machine-program"],
    }
    cases = json.loads(call("case", "list", "growth", "--json").stdout)
    assert [len(case["rounds"]) for case in cases] == [1, 1, 1, 1, 6, 1, 1, 1, 1]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["demo"],
        ["measure"],
        ["plan"],
        ["run"],
        ["report"],
        ["audit"],
        ["regrade"],
        ["invalidate"],
        ["void"],
        ["rerun"],
        ["refill"],
        ["host"],
        ["suite", "list"],
        ["case", "list"],
        ["case", "show"],
    ],
)
def test_every_command_has_help_with_an_example(words):
    done = call(*words, "--help")
    assert done.returncode == 0
    assert not words or "Example: gaugeblock" in done.stdout


def test_paths_that_the_system_refuses_are_wrong_use(tmp_path):
    assert_one_line(call("measure", "a" * 300), 2, "too long")
    done = call("run", "growth/S1", "--profile", "null", "--out", "/proc/nowhere/x")
    assert_one_line(done, 2, "cannot be made")
    assert_one_line(call("measure", "x", "--seconds", "inf"), 2, "--seconds")


def test_the_message_names_the_file_as_it_was_given(places):
    (places / "a").mkdir()
    (places / "a" / "part.step").write_text("no part")
    assert_one_line(call("measure", "a/part.step", cwd=places), 3, "a/part.step: not a STEP file")


def test_a_hostile_path_sends_no_escape_code_to_the_terminal():
    done = call_apart("measure", "no\n\x1b[31mx.step")
    assert_one_line(done, 2, "no such file")
    assert "\x1b" not in done.stderr


BROKEN = os.fsdecode(b"no\xff.step")
"""A name that is no UTF-8."""


@pytest.mark.parametrize(
    "words",
    [
        ("measure", BROKEN),
        ("diff", BROKEN, BROKEN),
        ("diff", "text.step", "text.step", "--png", f"{BROKEN}/x"),
        ("calibrate", BROKEN),
        ("calibrate", f"growth/{BROKEN}"),
        ("calibrate", "parts/ring", "--out", f"{BROKEN}/x"),
        ("case", "show", f"growth/{BROKEN}"),
        ("run", "growth/S1", "--profile", BROKEN, "--out", "x"),
        ("run", "growth/S1", "--profile", "null", "--out", f"/proc/{BROKEN}"),
        ("report", BROKEN),
        ("host", "--document", f"/proc/{BROKEN}"),
        ("plan", "growth", "--profile", "null", "--language", BROKEN),
    ],
)
def test_a_name_that_is_no_utf_8_is_spelled(places, words):
    done = call(*words, cwd=places)
    assert_one_line(done, 2, "no\\xff.step")
    assert done.stdout == ""


def test_such_a_name_is_spelled_on_a_real_stream(places):
    assert_one_line(call_apart("measure", BROKEN, cwd=places), 2, "no\\xff.step")


def test_records_hold_such_a_name_readably(places):
    (places / BROKEN).write_text("no part")
    done = call("measure", BROKEN, "--json", cwd=places)
    assert done.returncode == 3
    assert json.loads(done.stdout)["files"][0]["file"]["name"] == "no\ufffd.step"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_json_is_json_on_any_terminal(places, encoding):
    (places / "ü中.step").write_text("no part")
    done = call_apart("measure", "ü中.step", "--json", cwd=places, PYTHONIOENCODING=encoding)
    assert json.loads(done.stdout)["files"][0]["file"]["name"] == "ü中.step"


def test_outputs_never_replace_what_they_must_not(tmp_path):
    (tmp_path / "a.step").write_text("mine")
    (tmp_path / "b.step").write_text("mine")
    os.mkfifo(tmp_path / "pipe")
    words = ("diff", "a.step", "b.step", "--png", "pipe", "--force")
    assert_one_line(call(*words, cwd=tmp_path), 2, "no regular file")
    words = ("calibrate", "a.step", "--no-second-kernel", "--out", "a.step")
    assert_one_line(call(*words, cwd=tmp_path), 2, "exists already")
    assert (tmp_path / "a.step").read_text() == "mine"


@pytest.mark.parametrize("words", [("diff", "a", "b"), ("calibrate", "parts/ring")])
def test_a_time_without_end_is_wrong_use(words):
    assert_one_line(call(*words, "--seconds", "inf"), 2, "--seconds")
