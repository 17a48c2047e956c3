"""What every missing or unreadable file of a run folder does: an honest line, never a figure."""

import json
import shutil

import pytest
from command_line import call

from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import amend
from gaugeblock.records.run_folder import open_run
from gaugeblock.running.amending import invalidate, regrade, void
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
    done = call("report", run_copy)
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
    monkeypatch.setattr("gaugeblock.running.amending.Ruler", None)  # asking it would fail
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


@pytest.mark.parametrize("gone", ["amendments/0002.json", "amendments"])
def test_a_chain_that_lost_its_end_is_no_whole_run(run_copy, gone):
    """Else a void cell would be back in every figure, and the audit call it sound."""
    void(run_copy, "S1", "null", "a wrong limit")
    void(run_copy, "S1", "reference", "a wrong limit")
    assert told(run_copy) == []
    path = run_copy / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert told(run_copy) == ["amendments/0002.json: missing, though AMENDED.json names it"]
    with pytest.raises(DamagedEvidence, match="names it"):
        void(run_copy, "depth", "null", "why")


def test_a_kill_before_the_chains_notice_leaves_a_whole_run(run_copy):
    void(run_copy, "S1", "null", "a wrong limit")
    before = (run_copy / "AMENDED.json").read_bytes()
    void(run_copy, "S1", "reference", "a wrong limit")
    (run_copy / "AMENDED.json").write_bytes(before)
    assert told(run_copy) == []
    (run_copy / "AMENDED.json").unlink()
    assert told(run_copy) == []
    void(run_copy, "depth", "null", "a wrong limit")
    assert b'"number": 3' in (run_copy / "AMENDED.json").read_bytes()


@pytest.mark.parametrize("reason", ["", " \n", "\u200b", "\u202e\x07", "x" * 1001])
def test_a_reason_can_be_read_in_a_report(run_copy, reason):
    with pytest.raises(WrongUse, match="reason") as refusal:
        void(run_copy, "S1", "null", reason)
    assert len(str(refusal.value)) < 200
    assert not (run_copy / "amendments").exists()


def test_a_run_that_goes_on_while_it_is_read_is_no_damaged_one(run_copy):
    unclosed(run_copy)
    trial = next(run_copy.glob("trials/*.reference.depth.r1"))
    whole = shutil.copytree(trial, run_copy.parent / "whole")
    for begun in (False, True):  # before its first file, and in its second round
        shutil.rmtree(trial)
        if begun:
            late = ("trial.json", "k2", "k3", "k4", "k5", "k6", "probe*")
            shutil.copytree(whole, trial, ignore=shutil.ignore_patterns(*late))
        folder = read_run(run_copy)
        shutil.copytree(whole, trial, dirs_exist_ok=True)
        assert faults(folder) == [], begun


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


@pytest.mark.parametrize("place", ["*.null.S1.r1/S1", "*.reference.depth.r1/k2"])
def test_a_result_of_another_round(run_copy, place):
    unclosed(run_copy)
    one = next(run_copy.glob("trials/*.reference.S1.r1/S1"))
    other = next(run_copy.glob(f"trials/{place}"))
    spoiled(other / "result.json", (one / "result.json").read_bytes())
    assert any(f"{place[2:]}/result.json: speaks of" in line for line in told(run_copy))


def test_a_result_of_another_trial_is_not_read(run_copy):
    unclosed(run_copy)
    one, other = (
        next(run_copy.glob(f"trials/*.{name}.S1.r1/S1/result.json"))
        for name in ("reference", "null")
    )
    spoiled(other, one.read_bytes())
    with pytest.raises(DamagedEvidence, match=r"speaks of \S+\.reference\.S1\.r1 S1"):
        open_run(run_copy)


def test_two_results_that_were_swapped_are_named(run_copy):
    one, other = (
        next(run_copy.glob(f"trials/*.reference.depth.r1/{k}/result.json")) for k in ("k1", "k2")
    )
    spoiled(one, spoiled(other, one.read_bytes()))
    found = audit(run_copy)
    assert not found.sound
    for path in (one, other):
        changed = f"{path.relative_to(run_copy).as_posix()}: content changed since closing"
        assert changed in found.mismatches


def test_a_file_hidden_among_the_amendments_is_told(run_copy):
    void(run_copy, "S1", "null", "a wrong limit")
    (run_copy / "amendments" / ".0002.json.7.draft").write_bytes(b"{")  # as a kill leaves it
    (run_copy / ".AMENDED.json.7.draft").write_bytes(b"{")
    assert told(run_copy) == []
    (run_copy / "amendments" / ".kept").write_bytes(b"{}")
    (run_copy / ".report.md.7.draft").write_bytes(b"{")
    assert sorted(told(run_copy)) == [
        ".report.md.7.draft: not in the manifest",
        "amendments/.kept: not in the manifest",
    ]
