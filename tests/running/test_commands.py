"""Commands that need a run's files: the report's word on soundness, and the fallback sandbox."""

import json

import pytest
from command_line import call, call_apart

from gaugeblock.records.run_folder import open_run
from gaugeblock.running.reports import report_of


def part(run):
    return next(run.glob("trials/*.reference.S1.r1/S1/part.step"))


def test_report_of_a_touched_run_says_that_it_is_not_sound(run_copy):
    assert call("report", run_copy).returncode == 0
    rows = run_copy / "results.jsonl"
    rows.chmod(0o644)
    rows.write_bytes(rows.read_bytes() + b"\n")
    done = call("report", run_copy)
    assert done.returncode == 1
    assert "NOT SOUND: results.jsonl" in done.stderr


def test_the_report_says_that_every_scripted_agent_ended_as_it_must(finished_run):
    text = report_of(open_run(finished_run))
    assert "reference: 7 of 7 rounds as they must\n" in text
    assert "null: 7 of 7 rounds as they must\n" in text
    assert "mutants: 7 of 7 rounds as they must\n" in text
    assert "wiring is not proven" not in text


def test_the_ruler_works_behind_landlock_alone(finished_run):
    done = call_apart("measure", part(finished_run), "--json", GAUGEBLOCK_SANDBOX="landlock")
    assert done.returncode == 0, done.stderr
    (measured,) = json.loads(done.stdout)["files"]
    assert measured["totals"]["volume"] == pytest.approx(48_313.415987, rel=1e-9)


def test_a_run_behind_landlock_passes_and_is_labelled(tmp_path):
    out = tmp_path / "run"
    words = ("run", "growth/S1", "--profile", "reference", "--out", out)
    done = call_apart(*words, GAUGEBLOCK_SANDBOX="landlock")
    assert done.returncode == 0, done.stderr
    folder = open_run(out)
    assert folder.plan.host.sandbox == "landlock"
    assert not folder.plan.host.sandbox_formal
    assert "unsealed" in report_of(folder)


@pytest.mark.parametrize(
    ("mode", "mend"),
    [("none", "GAUGEBLOCK_SANDBOX=none says so: unset it"), ("bogus", "bubblewrap, landlock")],
)
def test_without_a_sandbox_nothing_starts(finished_run, tmp_path, mode, mend):
    for words in (
        ("measure", part(finished_run)),
        ("diff", part(finished_run), part(finished_run)),
        ("calibrate", "parts/ring", "--no-second-kernel"),
        ("run", "growth/S1", "--profile", "null", "--out", tmp_path / "x"),
    ):
        done = call_apart(*words, GAUGEBLOCK_SANDBOX=mode)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert mend in done.stderr
    assert not (tmp_path / "x").exists()


def test_a_run_without_any_wall_is_labelled_and_never_formal(tmp_path):
    out = tmp_path / "run"
    words = ("run", "growth/S1", "--profile", "reference", "--unsafe", "--out", out)
    done = call_apart(*words, GAUGEBLOCK_SANDBOX="none")
    assert done.returncode == 0, done.stderr
    folder = open_run(out)
    assert (folder.plan.host.sandbox, folder.plan.unsafe) == ("none", True)
    assert not folder.plan.host.sandbox_formal
    assert folder.plan.run_type != "formal"
    text = report_of(folder)
    assert "unsealed" in text
    assert "a missing sandbox was accepted" in text
