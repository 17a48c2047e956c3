"""What every missing or unreadable file of a run folder does: an honest line, never a figure."""

import json
import shutil
import subprocess
import sys

import pytest

from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import amend
from gaugeblock.records.run_folder import open_run
from gaugeblock.running.amending import invalidate, regrade
from gaugeblock.running.audit import audit
from gaugeblock.running.reports import report_of
from gaugeblock.running.run import Watch, close, resume
from gaugeblock.running.soundness import CLOSING, faults, read_run

RECORDS = ("plan.json", "manifest.json", "trial.json", "grade.json", "result.json")
"""Records without which a folder cannot be read; a measurement is read by the audit alone."""


def files(run):
    return sorted(path for path in run.rglob("*") if path.is_file())


def told(run):
    """Return what is said of a folder: its faults, or why it cannot be read."""
    try:
        return faults(read_run(run))
    except DamagedEvidence as error:
        return [str(error)]


def unclosed(run):
    """Take away what is written at closing: a run killed after its last trial."""
    for name in (*CLOSING, "manifest.json"):
        path = run / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return run


def spoiled(path, content):
    """Put other bytes in a file's place and return the right ones."""
    kept = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(content)
    return kept


def test_a_whole_run_has_no_fault(run_copy):
    assert told(run_copy) == []
    assert told(unclosed(run_copy)) == []


def test_every_missing_file_of_a_closed_run_is_named(run_copy):
    for path in files(run_copy):
        kept = path.read_bytes()
        path.unlink()
        name = path.relative_to(run_copy).as_posix()
        assert any(f"{name}: missing" in line for line in told(run_copy)), name
        path.write_bytes(kept)
    assert told(run_copy) == []


def test_every_missing_file_of_a_killed_run_is_named(run_copy):
    unclosed(run_copy)
    unseen = []
    for path in files(run_copy):
        kept = path.read_bytes()
        path.unlink()
        name = path.relative_to(run_copy).as_posix()
        if not any(f"{name}: missing" in line for line in told(run_copy)):
            unseen.append(path.name)
        path.write_bytes(kept)
    # The last file of a trial: without it, it looks as if the kill had come before it.
    assert set(unseen) == {"trial.json"}


@pytest.mark.parametrize("content", [b"", b"\x00\xff{", b"[]\n", b"[" * 100_000])
def test_every_spoiled_file_is_a_fault_in_one_line(run_copy, content):
    for path in files(run_copy):
        if path.read_bytes() == content:
            continue  # an empty usage.jsonl that stays empty
        kept = spoiled(path, content)
        lines = told(run_copy)
        assert lines, path
        assert path.name in lines[0]
        assert "\n" not in lines[0]
        if path.name in RECORDS:
            with pytest.raises(DamagedEvidence, match="NOT SOUND"):
                read_run(run_copy)
        path.write_bytes(kept)


def test_a_folder_in_a_file_s_place_is_a_fault(run_copy):
    for path in files(run_copy):
        kept = path.read_bytes()
        path.unlink()
        path.mkdir()
        assert told(run_copy), path
        path.rmdir()
        path.write_bytes(kept)


def test_a_report_without_its_manifest_does_not_pass_for_a_run_in_progress(run_copy):
    (run_copy / "manifest.json").unlink()
    command = [sys.executable, "-m", "gaugeblock", "report", str(run_copy)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "NOT SOUND: manifest.json: missing, though results.jsonl is there" in line
    head = done.stdout.split("| This run")[0]
    assert "manifest.json: missing" in head
    assert "No figure below is to be used" in head
    assert "has not ended" not in done.stdout


def test_the_warning_stands_above_the_figures(run_copy):
    text = report_of(open_run(run_copy), faults=["part.step: missing", "and another"])
    head, _, _ = text.partition("| This run")
    assert "**NOT SOUND.** part.step: missing (and 1 more" in head
    assert "NOT SOUND" not in report_of(open_run(run_copy))


def test_an_audit_names_an_unreadable_measurement_and_goes_on(short_copy):
    path = next(short_copy.glob("trials/*.reference.S1.r1/S1/measurement.json"))
    spoiled(path, b"[]")
    found = audit(short_copy)
    assert any("measurement.json: content changed" in line for line in found.mismatches)
    assert any("S1/measurement.json: (whole)" in line for line in found.mismatches)
    assert found.regraded == 5


def test_what_was_touched_is_not_graded_again(run_copy):
    """A deleted delivery, graded again, would read as an agent that delivered nothing."""
    next(run_copy.glob("trials/*.reference.S1.r1/S1/part.step")).unlink()
    with pytest.raises(DamagedEvidence, match=r"part\.step: missing"):
        regrade(run_copy, "second look")
    assert not (run_copy / "amendments").exists()
    invalidate(run_copy, "a file was lost")  # what is damaged can still be withdrawn
    assert open_run(run_copy).invalidated == "a file was lost"


def test_an_amendment_is_refused_before_any_work(run_copy, monkeypatch):
    monkeypatch.setattr("gaugeblock.running.audit.Ruler", None)  # asking it would fail
    with pytest.raises(WrongUse, match="reason"):
        regrade(run_copy, "  ")
    unclosed(run_copy)
    with pytest.raises(WrongUse, match="not closed"):
        regrade(run_copy, "why")
    with pytest.raises(WrongUse, match="not closed"):
        invalidate(run_copy, "why")


def test_a_withdrawal_cannot_be_taken_back_by_deleting_it(short_copy):
    invalidate(short_copy, "wrong build")
    shutil.rmtree(short_copy / "amendments")
    assert any("INVALIDATED.json names is missing" in line for line in told(short_copy))
    assert not audit(short_copy).sound


def test_a_regrade_without_its_grades_is_a_fault(run_copy):
    amend(run_copy, "regrade", "forged", {"grades": [{"trial": "0001"}]})
    with pytest.raises(DamagedEvidence, match="amendment 1: evaluators: Field required"):
        read_run(run_copy)


def test_a_kill_while_closing_is_closed_by_resume(run_copy):
    (run_copy / "manifest.json").unlink()
    (run_copy / "report.md").unlink()
    close(run_copy)
    assert told(run_copy) == []


def test_rows_that_the_records_do_not_give_are_not_closed_over(run_copy):
    (run_copy / "manifest.json").unlink()
    result = next(run_copy.glob("trials/*.mutant.no-holes.S1.r1/S1/result.json"))
    changed = json.loads(result.read_text())
    spoiled(result, json.dumps({**changed, "outcome": "passed", "reason": ""}).encode())
    with pytest.raises(DamagedEvidence, match=r"results\.jsonl: not the rows"):
        close(run_copy)
    assert not (run_copy / "manifest.json").exists()


def test_a_damaged_run_is_not_gone_on_with(run_copy):
    unclosed(run_copy)
    next(run_copy.glob("trials/*.reference.S1.r1/manifest.json")).unlink()
    with pytest.raises(DamagedEvidence, match="though the trial began"):
        resume(run_copy, Watch())


def test_another_plan_than_the_trials_were_begun_with(run_copy):
    unclosed(run_copy)
    plan = run_copy / "plan.json"
    spoiled(plan, plan.read_bytes().replace(b'"repetitions": 1', b'"repetitions": 9'))
    assert any("not the plan that" in line for line in told(run_copy))


def test_a_result_of_another_round(run_copy):
    unclosed(run_copy)
    one, other = (next(run_copy.glob(f"trials/*.{p}.S1.r1/S1")) for p in ("reference", "null"))
    spoiled(other / "result.json", (one / "result.json").read_bytes())
    assert any("speaks of" in line for line in told(run_copy))
