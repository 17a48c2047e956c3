"""Voiding a cell: what is refused, what the chain of amendments then says, and what stays."""

import importlib.util
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gaugeblock.analysis.run_summary import summary
from gaugeblock.cli import app
from gaugeblock.records.base import pretty_json
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import amend
from gaugeblock.records.run_folder import open_run
from gaugeblock.running.amending import invalidate, regrade, void
from gaugeblock.running.audit import audit
from gaugeblock.running.comparing import measured
from gaugeblock.running.reports import report_of
from gaugeblock.running.soundness import read_run

SCRIPT = Path(__file__).parent.parent / "analysis" / "recompute.py"


def call(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def section(text, title):
    return text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_a_void_cell_keeps_its_rows_and_verdicts_and_leaves_the_figures(run_copy):
    before = open_run(run_copy).rows()
    done = call(
        "void", run_copy, "--cell", "growth/S1", "--profile", "null", "--reason", "wrong | limit"
    )
    assert done.exit_code == 0, done.output
    after = open_run(run_copy)
    same = [row.model_copy(update={"voided": False}) for row in after.rows()]
    assert same == before
    assert [(row.profile, row.case) for row in after.rows() if row.voided] == [("null", "S1")]
    text = report_of(after)
    shown = section(text, "Void cells")
    assert "| null | S1 | 1 no-delivery | — |" in shown
    assert "wrong &#124; limit" in shown
    assert "No rerun was given" in shown
    assert "null: 6 of 6 rounds as they must" in text  # seven with the void one
    # By hand: the reference passes 1 + 6 rounds, floor-kept 3 before its fourth fails; no-holes
    # fails one; null leaves one no-delivery of its two, and five of depth never began.
    data = summary(after.plan, after.rows())
    assert data["outcomes"] == {"failed": 2, "no-delivery": 1, "not-run": 7, "passed": 10}
    (told,) = data["void"]
    assert (told["profile"], told["case"]) == ("null", "S1")
    assert told["rounds"][0]["outcomes"] == {"no-delivery": 1}


def test_an_audit_notes_a_void_cell(short_copy):
    void(short_copy, "S1", "null", "wrong | limit")
    found = audit(short_copy)
    assert found.sound, found.mismatches
    assert "cell null on S1 is void: wrong | limit" in found.notes


def test_figures_of_a_run_with_a_void_cell_come_out_of_its_rows(run_copy, tmp_path):
    spec = importlib.util.spec_from_file_location("recompute_void", SCRIPT)
    recompute = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recompute)
    void(run_copy, "S1", "reference", "a wrong limit")
    after = open_run(run_copy)
    (tmp_path / "summary.json").write_bytes(pretty_json(summary(after.plan, after.rows())))
    (tmp_path / "report.md").write_text(report_of(after), encoding="utf-8")
    assert recompute.differences(run_copy, tmp_path) == []
    # The negative control: figures that were made before the cell was void.
    assert recompute.differences(run_copy, run_copy) != []


@pytest.mark.parametrize(
    ("cell", "profile", "word"),
    [
        ("S9", "null", "no cell null on S9; there are: reference on S1"),
        ("S1", "nobody", "no cell nobody on S1"),
        ("other/S1", "null", "no cell null on other/S1"),
        ("", "", "no cell"),
    ],
)
def test_an_unknown_cell_is_refused_in_one_line(run_copy, cell, profile, word):
    done = call("void", run_copy, "--cell", cell, "--profile", profile, "--reason", "why")
    assert isinstance(done.exception, WrongUse) and done.exception.exit_code == 2
    assert word in str(done.exception) and "\n" not in str(done.exception)
    assert not (run_copy / "amendments").exists()


def test_a_cell_is_void_once(run_copy):
    void(run_copy, "S1", "null", "why")
    with pytest.raises(WrongUse, match="null on S1 is void already: why"):
        void(run_copy, "growth/S1", "null", "again")
    void(run_copy, "depth", "null", "another")
    assert [str(cell) for cell in open_run(run_copy).voids()] == ["null on S1", "null on depth"]


def test_only_a_sound_closed_run_that_counts_is_amended(run_copy):
    with pytest.raises(WrongUse, match="reason"):
        void(run_copy, "S1", "null", "  ")
    (run_copy / "report.md").unlink()
    with pytest.raises(DamagedEvidence, match="no cell of it is voided"):
        void(run_copy, "S1", "null", "why")
    assert not (run_copy / "amendments").exists()


def test_nothing_is_voided_in_an_unclosed_or_withdrawn_run(run_copy):
    invalidate(run_copy, "wrong build")
    with pytest.raises(WrongUse, match="invalidated as a whole"):
        void(run_copy, "S1", "null", "why")


def test_a_void_cell_is_not_graded_again(short_copy):
    before = {(row.trial, row.round): row for row in open_run(short_copy).rows()}
    assert regrade(short_copy, "first look") == 3
    void(short_copy, "T2", "reference", "why")
    assert regrade(short_copy, "second look") == 2  # without the round that was judged there
    invalidate(short_copy, "all of it")
    after = open_run(short_copy)
    assert [item.kind for item in after.amendments] == [
        "regrade",
        "void",
        "regrade",
        "invalidation",
    ]
    for row in after.rows():
        assert row.outcome == before[row.trial, row.round].outcome
        assert row.invalidated
        if row.voided:
            assert row.grade_revision <= 1
    assert audit(short_copy).sound


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ({"case": "S9", "profile": "null"}, "is none of this run"),
        ({"case": "S1"}, "profile"),
        ({"case": "S1", "profile": "null", "more": 1}, "more"),
        ({}, "case"),
    ],
)
def test_a_forged_void_is_a_contradiction(run_copy, content, word):
    amend(run_copy, "void", "forged", content)
    with pytest.raises(DamagedEvidence, match="NOT SOUND") as told:
        read_run(run_copy)
    assert word in str(told.value)
    assert not audit(run_copy).sound


def test_forged_orders_of_amendments_are_contradictions(run_copy):
    void(run_copy, "S1", "null", "why")
    amend(run_copy, "void", "twice", {"case": "S1", "profile": "null"})
    with pytest.raises(DamagedEvidence, match="is void already"):
        read_run(run_copy)


def test_a_regrade_of_a_void_cell_is_a_contradiction(short_copy):
    assert regrade(short_copy, "first look") == 3
    grades = json.loads((short_copy / "amendments" / "0001.json").read_text())["content"]
    void(short_copy, "S1", "reference", "why")
    amend(short_copy, "regrade", "forged", grades)
    with pytest.raises(DamagedEvidence, match="grades a cell again that is void"):
        read_run(short_copy)


def test_a_comparison_leaves_void_cells_out_and_says_so(run_copy):
    void(run_copy, "S1", "reference", "why")
    run = measured(run_copy)
    assert {(row.profile, row.case) for row in run.rows} - {
        (row.profile, row.case) for row in run.counted
    } == {("reference", "S1")}
    done = call("compare", "--by", "profile", run_copy)
    assert "Left out as void: reference on S1 (copy)." in done.output
