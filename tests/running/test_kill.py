"""A kill at any moment leaves a folder that report and audit understand and resume can finish."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest
from command_line import call

from gaugeblock.records.run_folder import open_run
from gaugeblock.records.store import write_atomic
from gaugeblock.records.trial import TrialManifest
from gaugeblock.running.audit import audit
from gaugeblock.running.reports import report_of
from gaugeblock.running.soundness import contradictions
from gaugeblock.running.trials import Bench, close_interrupted

PATIENCE_S = 240
"""A run on a loaded machine may take long to reach a state; it is awaited, not slept for."""


def wait_for(condition, process):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)  # the pause between two looks at a condition


def test_a_killed_run_is_reported_audited_and_finished(tmp_path):
    out = tmp_path / "run"
    words = ["run", "growth/depth", "growth/S1", "--profile", "reference", "--out", out]
    command = [sys.executable, "-m", "gaugeblock", *map(str, words)]
    runner = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    second = out / "trials" / "0001.reference.depth.r1" / "k2" / "result.json"
    wait_for(second.exists, runner)
    family = psutil.Process(runner.pid).children(recursive=True)
    assert family
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []

    told = call("report", out)
    assert told.returncode == 0, told.stderr
    assert "interrupted" in told.stdout
    assert "not closed" in told.stdout
    checked = call("audit", out, "--json")
    assert checked.returncode == 1
    found = json.loads(checked.stdout)
    assert (found["closed"], found["mismatches"]) == (False, [])

    finished = call("run", "--resume", "--out", out)
    assert finished.returncode == 1, finished.stderr  # the interrupted sequence did not pass
    rows = {row.round: row for row in open_run(out).rows()}
    assert [rows[k].outcome for k in ("k1", "k2")] == ["passed", "passed"]
    assert rows["S1"].outcome == "passed"
    first_gap = next(k for k in ("k3", "k4", "k5", "k6") if rows[k].outcome != "passed")
    assert rows[first_gap].outcome == "interrupted"
    assert rows[first_gap].unknown["input_uncached"].startswith("interrupted")
    assert call("audit", out).returncode == 0
    again = call("run", "--resume", "--out", out)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)


def history(run):
    """Return the files of a closed run from the last written to the first."""
    names = ("manifest.json", "report.md", "summary.json", "results.csv", "results.jsonl")
    files = [*(run / name for name in names), *(run / "schemas").iterdir()]
    kept = (
        "probe.json",
        "probe-conservation.json",
        "probe-measurement.json",
        "probe.step",
        "result.json",
        "grade.json",
        "conservation.json",
        "start.step",
        "measurement.json",
        "part.step",
        "document.json",
    )
    for trial in reversed(open_run(run).trials):
        files.append(trial.folder / "trial.json")
        for state in reversed(trial.rounds):
            files += [state.folder / name for name in kept]
        files += [trial.folder / name for name in ("events.jsonl", "usage.jsonl", "manifest.json")]
    return [path for path in files if path.exists()]


def test_every_prefix_of_a_run_can_be_read(run_copy):
    rounds = len(open_run(run_copy).rows())
    for path in history(run_copy):
        path.unlink()
        folder = open_run(run_copy)
        rows = folder.rows()
        assert len(rows) == rounds
        assert not folder.closed
        assert "not closed" in report_of(folder)
    assert {row.outcome for row in rows} == {"not-run"}
    assert not any(row.attempted for row in rows)


@pytest.mark.parametrize("cut", [2, 20])
def test_an_audit_of_a_prefix_finds_no_contradiction(short_copy, cut):
    files, schemas = history(short_copy), short_copy / "schemas"
    closing = [path for path in files if path.parent in (short_copy, schemas)]
    trials = [path for path in files if path not in closing]
    for path in closing + trials[:cut]:
        path.unlink()
    schemas.rmdir()
    found = audit(short_copy)
    assert found.mismatches == []
    assert not found.sound


def left_after_one_trial(run):
    """Leave of a closed run its plan and first trial: what a kill between two trials leaves."""
    for path in history(run):
        if path.parent == run or path.parent.name == "schemas":
            path.unlink()
    (run / "schemas").rmdir()
    _, *others = sorted((run / "trials").iterdir())
    for folder in others:
        shutil.rmtree(folder)
    return others[0]


def test_a_kill_while_a_trials_manifest_is_written_is_before_its_beginning(short_copy):
    place = left_after_one_trial(short_copy)
    place.mkdir()
    (place / ".manifest.json.1.draft").write_bytes(b'{"trial": ')
    folder = open_run(short_copy)
    assert contradictions(folder) == []
    assert not folder.trials[1].started
    (place / "events.jsonl").touch()
    assert contradictions(open_run(short_copy)) == [
        f"trials/{place.name}/manifest.json: missing, though the trial began"
    ]


def test_a_kill_right_after_a_trials_manifest_can_be_ended_twice(short_copy):
    place = left_after_one_trial(short_copy)
    planned = open_run(short_copy).trials[1].planned
    plan = open_run(short_copy).plan
    manifest = TrialManifest(
        trial=planned,
        plan_commitment=plan.commitment(),
        started_at="2026-11-30T12:00:00.000Z",
        process_id=1,
        rounds=tuple(item.id for item in plan.case(planned.case_id).rounds),
    )
    write_atomic(place / "manifest.json", manifest.pretty())
    bench = Bench(short_copy, plan, {}, None, None, None, None)
    close_interrupted(bench, open_run(short_copy).trials[1])
    state = open_run(short_copy).trials[1]
    assert [item.result.outcome for item in state.rounds] == ["interrupted"]
    assert contradictions(open_run(short_copy)) == []  # so that a second kill can be resumed


def test_a_journal_torn_in_the_middle_of_a_line_is_understood(short_copy):
    for path in history(short_copy):
        if path.parent == short_copy or path.parent.name == "schemas":
            path.unlink()
    (short_copy / "schemas").rmdir()
    journal = next(short_copy.glob("trials/*/events.jsonl"))
    journal.chmod(0o644)
    os.truncate(journal, journal.stat().st_size - 7)
    assert audit(short_copy).mismatches == []
