"""`compare` on run folders, and the figures of a real run reckoned again from its rows."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gaugeblock.cli import app
from gaugeblock.records.base import canonical_json
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.run_folder import USAGE, open_run
from gaugeblock.running.comparing import measured, reported_models

SCRIPT = Path(__file__).parent.parent / "analysis" / "recompute.py"


def call(*words):
    return CliRunner().invoke(app, ["compare", *map(str, words)])


def test_figures_of_a_real_run_come_out_of_its_rows(finished_run):
    spec = importlib.util.spec_from_file_location("recompute_again", SCRIPT)
    recompute = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recompute)
    assert recompute.differences(finished_run) == []


def test_the_same_host_on_both_sides_is_refused_with_every_reason(finished_run):
    done = call("--before", finished_run, "--after", finished_run)
    assert done.exit_code == 1
    for word in ("one run stands twice", "host: the same fingerprint", "n = 1, at least 3"):
        assert word in done.output


def test_the_answer_as_data(finished_run):
    done = call("--before", finished_run, "--after", finished_run, "--json")
    data = json.loads(done.output)
    assert len(data["refused"]) >= 3
    assert data["left_out"] == ["mutant:floor-kept", "mutant:no-holes", "null"]
    assert data["changes"] == []


def test_scripts_are_not_compared_by_profile(finished_run):
    done = call("--by", "profile", finished_run)
    assert done.exit_code == 1
    assert "scripted agents are never compared" in done.output


@pytest.mark.parametrize(
    "words",
    [
        ("--by", "model", "x"),
        ("--by", "profile"),
        ("--by", "profile", "x", "--before", "y"),
        ("--before", "x"),
        ("x",),
        (),
        ("--by", "profile", "missing"),
    ],
)
def test_wrong_use_is_told(words):
    assert isinstance(call(*words).exception, WrongUse)


def test_a_changed_folder_is_not_compared(run_copy):
    report = run_copy / "report.md"
    report.chmod(0o644)
    report.write_text("other")
    with pytest.raises(DamagedEvidence, match="not compared"):
        measured(run_copy)


def test_models_are_read_from_what_the_answers_named(finished_run, tmp_path):
    assert measured(finished_run).reported == {}
    folder = shutil.copytree(finished_run, tmp_path / "copy")
    trial = open_run(folder).trials[0]
    usage = trial.folder / USAGE
    usage.chmod(0o644)
    lines = [{"model_reported": name} for name in ("m-1", None, "m-2", "m-1")]
    usage.write_bytes(b"".join(canonical_json(line) + b"\n" for line in lines))
    assert reported_models(open_run(folder)) == {trial.planned.id: frozenset({"m-1", "m-2"})}
