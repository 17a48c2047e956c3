"""``gaugeblock calibrate``: exit codes, one line for wrong use, what the record holds."""

import json
import os
import subprocess
import sys

from gaugeblock.calibration.records import Calibration


def call(*words, **variables):
    command = [sys.executable, "-m", "gaugeblock", "calibrate", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=280, env={**os.environ, **variables}
    )


def assert_one_line(done, code, *words):
    assert done.returncode == code, done.stderr
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("gaugeblock: ")
    for word in words:
        assert word in line


def test_wrong_use_is_one_line(tmp_path):
    assert_one_line(call("growht"), 2, "growht", "growth", "parts")
    assert_one_line(call("growth/S9"), 2, "S9", "S1")
    assert_one_line(call("parts/plat"), 2, "plate")
    assert_one_line(call(tmp_path / "none.step"), 2, "no such file")
    assert_one_line(call("parts/ring", "--out", tmp_path / "no" / "x.json"), 2, "no such folder")


def test_an_unreadable_file_is_3(tmp_path):
    path = tmp_path / "text.step"
    path.write_text("no part")
    assert_one_line(call(path, "--no-second-kernel"), 3, "text.step", "STEP")


def test_an_ill_posed_cell_is_1_and_says_why(tmp_path):
    out = tmp_path / "cell.json"
    done = call("growth/S3-16x12", "--no-second-kernel", "--out", out)
    assert done.returncode == 1, done.stderr
    text = " ".join(done.stdout.split())
    for words in ("ill-posed", "touch along X", "166 solids", "kept out", "not calibrated"):
        assert words in text
    record = Calibration.load(out.read_bytes(), out.name)
    assert record.kept_out == ("growth/S3-16x12",)
    assert len(record.ruler_fingerprint) == 64


def test_a_declined_second_kernel_is_0_and_an_absent_one_1():
    done = call("parts/ring", "--no-second-kernel", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["state"] == "incomplete"
    assert record["targets"][0]["second_kernel"][0]["state"] == "not asked"
    assert record["versions"]["second kernel"] is None
    done = call("parts/ring", GAUGEBLOCK_SECOND_KERNEL="off")
    assert done.returncode == 1, done.stderr
    assert "incomplete" in done.stdout
    assert "second kernel absent" in " ".join(done.stdout.split())
