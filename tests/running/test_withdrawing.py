"""Withdrawn runs and suites: the records stay, the notice lies beside them, nothing is compared."""

import json
import shutil

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from gaugeblock.analysis.measured_run import unfit
from gaugeblock.cli import app
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import amend, read_amendments
from gaugeblock.records.run_folder import open_run
from gaugeblock.running.amending import invalidate, regrade, void
from gaugeblock.running.audit import audit
from gaugeblock.running.comparing import measured
from gaugeblock.running.plans import Wish
from gaugeblock.running.reports import report_of, summary_of
from gaugeblock.running.reviewing import reviewable_runs, subjects
from gaugeblock.running.run import Watch, run
from gaugeblock.running.soundness import faults, read_run


@pytest.fixture(scope="session")
def two_suites(made_once):
    """A closed run of two suites: null on both, and the reference on S1."""

    def make(out):
        targets = ("growth/S1", "assembly/espresso-machine")

        def wanted(profile, case):
            return profile.id == "null" or case.id == "S1"

        run(Wish(targets, ("reference", "null"), trials=1, wanted=wanted), out, Watch())

    return made_once("two-suites", make)


@pytest.fixture
def copy(two_suites, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(two_suites, tmp_path / "copy")


def call(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def notices(folder):
    told = json.loads((folder / "INVALIDATED.json").read_text())
    return [(item["withdrawn"], item["amendment"], item["reason"]) for item in told]


def test_a_withdrawn_suite_keeps_its_rows_and_leaves_every_figure(copy):
    before = open_run(copy).rows()
    done = call("invalidate", copy, "--suite", "growth", "--reason", "a wrong | formula")
    assert done.exit_code == 0, done.output
    assert notices(copy) == [("suite growth", 1, "a wrong | formula")]
    folder = read_run(copy)
    for old, new in zip(before, folder.rows(), strict=True):
        gone = new.suite == "growth"
        assert (new.invalidated, new.voided) == (gone, gone)
        same = {"invalidated": False, "voided": False}
        assert new.model_copy(update=same) == old
    data = summary_of(folder)
    assert (data["invalidated"], data["withdrawn_suites"]) == (False, ["growth"])
    assert data["outcomes"] == {"no-delivery": 1}  # null on the machine; three rounds with growth
    text = report_of(folder)
    assert "> **INVALIDATED in part.** suite growth: a wrong &#124; formula" in text
    told = text.split("## Invalidated suites\n", 1)[1].split("\n## ", 1)[0]
    assert "| reference | S1 | 1 passed |" in told and "| null | S1 | 1 no-delivery |" in told
    assert "## Void cells" not in text
    found = audit(copy)
    assert found.sound, found.mismatches
    assert "suite growth is invalidated: a wrong | formula" in found.notes


def test_a_withdrawn_suite_is_in_no_comparison_and_the_rest_is(copy):
    invalidate(copy, "a wrong formula", "growth")
    seen = measured(copy)
    assert {row.suite for row in seen.counted} == {"assembly"}
    assert unfit([seen]) == []  # the other suite counts
    assert "reference on S1 (copy, invalidated)" in seen.void
    invalidate(copy, "a wrong rubric", "assembly")
    assert unfit([measured(copy)]) == ["copy: invalidated"]
    assert summary_of(open_run(copy))["invalidated"] is True


@pytest.mark.parametrize("words", [("--by", "profile"), ("--before",)])
def test_a_withdrawn_run_is_in_no_comparison(copy, two_suites, words):
    arguments = [*words, copy] if words[-1] == "profile" else ["--before", copy]
    arguments += [two_suites] if words[-1] == "profile" else ["--after", two_suites]
    assert "copy: invalidated" not in call("compare", *arguments).output
    invalidate(copy, "wrong build")
    done = call("compare", *arguments)
    assert done.exit_code == 1 and "copy: invalidated" in done.output


def test_a_withdrawn_run_is_still_read_and_told_beside_others(copy, two_suites):
    invalidate(copy, "wrong build")
    assert len(open_run(copy).rows()) == len(open_run(two_suites).rows())
    done = call("report", copy, two_suites)
    assert done.exit_code == 0
    assert done.output.count("**INVALIDATED.** wrong build") == 1
    with pytest.raises(WrongUse, match="the run is invalidated"):
        reviewable_runs([copy])


def test_nothing_is_withdrawn_twice(copy):
    invalidate(copy, "a wrong formula", "growth")
    with pytest.raises(WrongUse, match=r"suite growth is invalidated already \(amendment 1\): a w"):
        invalidate(copy, "again", "growth")
    invalidate(copy, "wrong build")  # more than before
    for suite in (None, "assembly", "growth"):
        with pytest.raises(WrongUse, match="is invalidated already"):
            invalidate(copy, "again", suite)
    assert [item.kind for item in read_amendments(copy)] == ["invalidation"] * 2
    assert [what for what, *_ in notices(copy)] == ["suite growth", "run"]
    amend(copy, "invalidation", "forged", {"suite": "assembly"})
    with pytest.raises(DamagedEvidence, match="withdraws what is withdrawn already"):
        read_run(copy)


def test_the_withdrawal_of_a_suite_hides_no_lost_amendment(copy):
    """A new end of the chain would name itself as the last, and what is void would count again."""
    void(copy, "S1", "null", "a wrong limit")
    shutil.rmtree(copy / "amendments")
    before = faults(read_run(copy))
    assert before == ["amendments/0001.json: missing, though AMENDED.json names it"]
    with pytest.raises(DamagedEvidence, match=r"NOT SOUND: amendments/0001\.json: missing"):
        invalidate(copy, "a wrong rubric", "assembly")
    assert faults(read_run(copy)) == before
    invalidate(copy, "an amendment was lost")  # of the whole run nothing counts any more
    assert unfit([measured(copy)]) == ["copy: invalidated"]


def test_no_suite_is_called_withdrawn_where_the_run_was(copy):
    void(copy, "S1", "null", "a wrong limit")
    void(copy, "S1", "reference", "a wrong limit")
    data = summary_of(read_run(copy))
    assert (data["invalidated"], data["withdrawn_suites"]) == (False, [])
    invalidate(copy, "wrong build")
    data = summary_of(read_run(copy))
    assert (data["invalidated"], data["withdrawn_suites"]) == (True, [])


def test_what_lies_there_after_closing_has_its_schema(copy):
    void(copy, "S1", "null", "a wrong limit")
    invalidate(copy, "a wrong rubric", "assembly")
    told = {
        "last-amendment": json.loads((copy / "AMENDED.json").read_text()),
        "amendment": json.loads((copy / "amendments/0002.json").read_text()),
    }
    told["withdrawal"] = told["amendment"]["content"]
    for name, content in told.items():
        schema = json.loads((copy / f"schemas/{name}.schema.json").read_text())
        judge = Draft202012Validator(schema)
        assert judge.is_valid(content) and not judge.is_valid({**content, "stranger": 1}), name


def test_a_suite_that_is_not_there_is_refused(copy):
    with pytest.raises(WrongUse, match="no suite wiki in this run; there are: "):
        invalidate(copy, "why", "wiki")
    assert not (copy / "amendments").exists()
    amend(copy, "invalidation", "forged", {"suite": "wiki"})
    with pytest.raises(DamagedEvidence, match="which is none of this run"):
        read_run(copy)


def test_a_notice_that_is_lost_is_told_and_written_anew(copy):
    """A kill between amendment and notice leaves the same."""
    invalidate(copy, "a wrong formula", "growth")
    notice = copy / "INVALIDATED.json"
    whole = notice.read_bytes()
    notice.unlink()
    (line,) = faults(read_run(copy))
    assert line.startswith("INVALIDATED.json: missing, though amendment 1 withdraws")
    with pytest.raises(WrongUse, match="is invalidated already"):
        invalidate(copy, "again", "growth")
    assert notice.read_bytes() == whole and faults(read_run(copy)) == []
    notice.write_text("[]\n")
    assert faults(read_run(copy)) == ["INVALIDATED.json: not what the amendments say"]


def test_what_is_withdrawn_is_not_graded_voided_or_reviewed(copy):
    invalidate(copy, "a wrong formula", "growth")
    with pytest.raises(WrongUse, match="nothing in it was graded, outside of void or withdrawn"):
        regrade(copy, "why")
    with pytest.raises(WrongUse, match="suite growth is invalidated; nothing of it counts"):
        void(copy, "S1", "reference", "why")
    with pytest.raises(WrongUse, match="no delivery of growth"):
        subjects([open_run(copy)], {"growth"})
