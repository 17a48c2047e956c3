"""``gaugeblock calibrate``: exit codes, one line for wrong use, what the record holds."""

import json
import os
import subprocess
import sys

from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
from OCP.gp import gp_Pln
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

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


def test_what_is_no_step_file_is_3_before_anything_is_built(tmp_path):
    """A second kernel that cannot be had would be told of first, were it looked for first."""
    path = tmp_path / "text.step"
    path.write_text("no part")
    done = call("parts/ring", path, GAUGEBLOCK_SECOND_KERNEL="off")
    assert_one_line(done, 3, "text.step", "not a STEP file")
    assert done.stdout == ""


def test_a_file_without_a_solid_is_named(tmp_path):
    path = tmp_path / "face.step"
    writer = STEPControl_Writer()
    writer.Transfer(BRepBuilderAPI_MakeFace(gp_Pln(), 0, 5, 0, 5).Face(), STEPControl_AsIs)
    writer.Write(str(path))
    assert_one_line(call(path, "--no-second-kernel"), 3, "face.step", "no solid")


def test_every_mutant_can_be_listed_and_a_declined_second_kernel_is_0(tmp_path):
    out = tmp_path / "ring.json"
    done = call("parts/ring", "--no-second-kernel", "--mutants", "--out", out)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    killed = [line.split(maxsplit=1)[1] for line in lines if line.startswith("  killed ")]
    named = {line.partition(": ")[0]: line.partition(": ")[2] for line in killed}
    assert named["the same size written in inches"] == "units INCH instead of MILLIMETRE"
    assert "bounds z max 6.0600001 instead of 6.0000001 mm" in named["stretched along Z by 1.005"]
    absent = [line for line in lines if line.startswith("  not-applicable ")]
    assert any("mirrored along X: equal to the reference" in line for line in absent)
    assert len(killed) + len(absent) == 29
    assert any("incomplete: no formal run may rest on this" in line for line in lines)
    record = json.loads(out.read_text())
    assert record["state"] == "incomplete"
    assert record["targets"][0]["second_kernel"][0]["state"] == "not asked"
    assert record["versions"]["second kernel"] is None


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


def test_an_absent_second_kernel_is_1_and_the_record_says_so():
    done = call("parts/ring", "--json", GAUGEBLOCK_SECOND_KERNEL="off")
    assert done.returncode == 1, done.stderr
    record = json.loads(done.stdout)
    assert record["state"] == "incomplete"
    assert record["targets"][0]["second_kernel"][0]["state"] == "absent"
    assert any("second kernel absent" in reason for reason in record["targets"][0]["reasons"])
