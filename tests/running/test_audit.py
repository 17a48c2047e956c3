"""Audit, regrade, invalidate: what a closed folder proves, and how each tampering shows."""

import json
from types import SimpleNamespace

import pytest

from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import Amendment, ClosingManifest, amend
from gaugeblock.records.run_folder import open_run
from gaugeblock.running.amending import invalidate, regrade
from gaugeblock.running.audit import _shared, audit
from gaugeblock.running.reports import report_of


def rewrite(path, old, new):
    path.chmod(0o644)
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))


def round_folder(run, profile, name):
    return next(run.glob(f"trials/*.{profile}.*/{name}"))


def test_a_sound_run_is_sound_also_when_moved(run_copy):
    found = audit(run_copy)
    assert found.sound, found.mismatches
    assert found.regraded == 14  # every judged round, a missing delivery included
    assert found.files > 40


def test_a_changed_grade_is_found_twice(short_copy):
    grade = round_folder(short_copy, "mutant.no-holes", "S1") / "grade.json"
    rewrite(grade, b'"verdict": "failed"', b'"verdict": "passed"')
    found = audit(short_copy)
    assert not found.sound
    assert any("grade.json: content changed" in line for line in found.mismatches)
    assert any("graded again as failed" in line for line in found.mismatches)


def test_a_swapped_artifact_is_found_by_hash_and_by_measure(short_copy):
    right = round_folder(short_copy, "reference", "S1") / "part.step"
    wrong = round_folder(short_copy, "mutant.no-holes", "S1") / "part.step"
    right.chmod(0o644)
    right.write_bytes(wrong.read_bytes())
    lines = audit(short_copy).mismatches
    assert any("part.step: not the file the result names" in line for line in lines)
    assert any("read-back volume" in line for line in lines)
    assert any("graded again as failed" in line for line in lines)


def test_a_swapped_start_is_found(short_copy):
    """With another start the edit would be judged by what it never began on."""
    start = round_folder(short_copy, "reference", "T2") / "start.step"
    other = round_folder(short_copy, "reference", "S1") / "part.step"
    start.chmod(0o644)
    start.write_bytes(other.read_bytes())
    lines = audit(short_copy).mismatches
    assert any("T2/start.step: not the file the result names" in line for line in lines)
    assert any("T2/start.step: content changed" in line for line in lines)
    assert any("T2: graded again as failed ['conserved']" in line for line in lines)


def test_a_changed_plan_breaks_its_commitment(short_copy):
    rewrite(short_copy / "plan.json", b'"repetitions": 1', b'"repetitions": 9')
    lines = audit(short_copy).mismatches
    assert any("commitment" in line for line in lines)


def test_changed_rows_are_found_even_with_a_forged_manifest(short_copy):
    import hashlib

    rows = short_copy / "results.jsonl"
    rewrite(rows, b'"outcome":"failed"', b'"outcome":"passed"')
    manifest = short_copy / "manifest.json"
    content = json.loads(manifest.read_text())
    content["files"]["results.jsonl"] = hashlib.sha256(rows.read_bytes()).hexdigest()
    manifest.chmod(0o644)
    manifest.write_bytes(ClosingManifest.build(content, "x").sealed().pretty())
    assert audit(short_copy).mismatches == [
        "results.jsonl: not the rows that plan and trials' records give"
    ]


def test_a_regrade_is_appended_and_shown(short_copy):
    before = open_run(short_copy)
    assert regrade(short_copy, "second look") == 3
    after = open_run(short_copy)
    assert [row.outcome for row in after.rows()] == [row.outcome for row in before.rows()]
    judged = [row for row in after.rows() if row.grade_revision == 1]
    assert len(judged) == 3
    assert "second look" in report_of(after)
    assert audit(short_copy).sound


def test_an_invalidated_run_keeps_its_rows_and_says_so(short_copy):
    rows = len(open_run(short_copy).rows())
    invalidate(short_copy, "the host build was wrong")
    after = open_run(short_copy)
    assert len(after.rows()) == rows
    assert all(row.invalidated for row in after.rows())
    assert "the host build was wrong" in report_of(after)
    found = audit(short_copy)
    assert any("invalidated" in note for note in found.notes)


def test_a_broken_amendment_chain_is_a_finding(short_copy):
    invalidate(short_copy, "one")
    amend(short_copy, "erratum", "two", {})
    path = short_copy / "amendments" / "0001.json"
    forged = Amendment.load(path.read_bytes(), "x").model_copy(update={"reason": "ONE"})
    path.chmod(0o644)
    path.write_bytes(forged.sealed().pretty())
    found = audit(short_copy)
    assert not found.sound
    assert "0002.json: the chain" in found.mismatches[0]


def test_where_there_is_no_run(tmp_path):
    with pytest.raises(WrongUse, match="no such folder"):
        audit(tmp_path / "nothing")
    with pytest.raises(WrongUse, match=r"no plan\.json"):
        audit(tmp_path)


def test_a_link_out_of_the_folder_is_refused_before_it_is_read(run_copy):
    journal = next(run_copy.glob("trials/*/events.jsonl"))
    journal.unlink()
    journal.symlink_to("/dev/zero")
    found = audit(run_copy)
    assert not found.sound
    assert "events.jsonl: a link or special file" in found.mismatches[0]
    with pytest.raises(DamagedEvidence, match="link"):
        open_run(run_copy)


def test_a_file_of_absurd_size_is_refused_before_it_is_read(run_copy):
    plan = run_copy / "plan.json"
    plan.chmod(0o644)
    with plan.open("ab") as file:
        file.truncate(3 << 30)
    assert "no run writes so large a file" in audit(run_copy).mismatches[0]


def test_a_withdrawn_run_carries_a_notice_beside_its_report(short_copy):
    invalidate(short_copy, "wrong build")
    (notice,) = json.loads((short_copy / "INVALIDATED.json").read_text())
    told = (notice["withdrawn"], notice["amendment"], notice["reason"])
    assert told == ("run", 1, "wrong build")
    assert audit(short_copy).sound


def test_records_that_contradict_each_other_are_excused_by_no_ruler(tmp_path):
    """What a corrected ruler measures otherwise is a note; a lost record is none of its doing."""
    told = SimpleNamespace(interference_pairs=3, interference_mm3=1.0)
    state = SimpleNamespace(folder=tmp_path, result=told)
    contradicted, measured_otherwise = _shared(None, state, None)
    assert contradicted == ["interference.json: missing, and the result tells of it"]
    assert measured_otherwise == []
