"""Evaluator revisions: what a corrected evaluator changes, what it keeps, and who checks it."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gaugeblock.analysis.measured_run import unfit
from gaugeblock.cli import app
from gaugeblock.records.base import pretty_json
from gaugeblock.records.errors import CouldNotMeasure, DamagedEvidence, WrongUse
from gaugeblock.records.evidence import Amendment, amend
from gaugeblock.records.grade import Grade
from gaugeblock.records.run_folder import GRADE, RESULT, open_run
from gaugeblock.running.amending import invalidate, regrade, void
from gaugeblock.running.audit import audit
from gaugeblock.running.comparing import measured
from gaugeblock.running.reports import report_of, summary_of
from gaugeblock.running.run import close
from gaugeblock.running.soundness import read_run
from gaugeblock.suites import load_suite

SCRIPT = Path(__file__).parent.parent / "analysis" / "recompute.py"
REFERENCE = ("0001.reference.S1.r1", "S1")


class Corrected:
    """Suite growth with a grader that a correction made stricter: no volume on S1 may pass."""

    def __init__(self, digest):
        self.suite = load_suite("growth")
        self.digest = digest

    def __getattr__(self, name):
        return getattr(self.suite, name)

    def controls(self):
        return self.suite.controls().model_copy(update={"digest": self.digest})

    def grade(self, asked, delivered, *, ruler_fingerprint):
        if self.digest == "0" * 64:
            raise ZeroDivisionError("a broken grader")
        grade = self.suite.grade(asked, delivered, ruler_fingerprint=ruler_fingerprint)
        if asked.id != "S1" or grade.verdict != "passed" or self.digest == "e" * 64:
            return grade
        strict = {"verdict": "fail", "finding": "too much"}
        checks = [c.model_copy(update=strict if c.name == "volume" else {}) for c in grade.checks]
        return grade.model_copy(update={"verdict": "failed", "checks": tuple(checks)})


def install(patch, sign):
    """Have another evaluator installed: f is stricter, e another grader of the same verdicts."""
    suites = {"growth": Corrected(sign * 64)}
    patch.setattr("gaugeblock.running.regrading.load_suites", lambda plan: suites)


@pytest.fixture(scope="module")
def revised(short_run, tmp_path_factory):
    """The short run, graded again by a stricter evaluator; nobody may change it."""
    out = shutil.copytree(short_run, tmp_path_factory.mktemp("revised") / "revised")
    with pytest.MonkeyPatch.context() as patch:
        install(patch, "f")
        assert regrade(out, "volumes | were let pass") == 3
    return out


@pytest.fixture
def revised_copy(revised, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(revised, tmp_path / "revised")


def call(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def section(text, title):
    return text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def by_round(folder):
    return {(row.trial, row.round): row for row in open_run(folder).rows()}


def test_the_amendment_holds_both_grades_and_both_evaluators(revised, short_run):
    (amendment,) = open_run(revised).amendments
    content, plan = amendment.content, open_run(short_run).plan
    ruler, suite = plan.fingerprints["ruler"].sha256, plan.suites[0].digest
    assert content["evaluators"] == {
        "growth": {
            "before": {"ruler": ruler, "suite": suite},
            "after": {"ruler": ruler, "suite": "f" * 64},
        }
    }
    items = {(item["trial"], item["round"]): item for item in content["grades"]}
    one = items[REFERENCE]
    assert (one["before"]["outcome"], one["outcome"]) == ("passed", "failed")
    for (trial, name), item in items.items():
        kept = Grade.load((revised / "trials" / trial / name / GRADE).read_bytes(), "kept")
        assert Grade.build(item["before"]["grade"], "before") == kept
        assert item["grade"]["ruler_fingerprint"] == ruler
    # Nothing of the run itself was written.
    closed = {p.relative_to(short_run): p.read_bytes() for p in short_run.rglob("*") if p.is_file()}
    assert {name: (revised / name).read_bytes() for name in closed} == closed


def test_rows_take_the_newest_grade_and_no_cell_is_split(revised, short_run):
    before, after = by_round(short_run), by_round(revised)
    row = after[REFERENCE]
    assert (row.outcome, row.grade_revision, row.failed_checks) == ("failed", 1, ("volume",))
    assert row.reason == "regraded as failed; volume: too much; was passed"
    # Rounds whose outcome rests on no grade move to the same evaluator: else their trials would
    # fall out of the cell, and a rate over the others would be higher than it is.
    assert {row.suite_digest for row in after.values()} == {"f" * 64}
    assert {key for key in before if before[key].outcome != after[key].outcome} == {REFERENCE}
    same = ("total_s", "artifact_sha256", "tool_calls", "fingerprint_harness", "started_at")
    for key, one in after.items():
        assert [getattr(one, name) for name in same] == [
            getattr(before[key], name) for name in same
        ]


def test_the_report_says_what_changed_why_and_what_it_stands_on(revised, short_run):
    text = report_of(open_run(revised))
    told = section(text, "Revisions")
    assert "volumes &#124; were let pass" in told
    assert "| amendment 1 | `0001.reference.S1.r1` | S1 | passed, probe" in told
    assert "volume: pass → fail" in told
    assert "| reference | S1 | 1 passed | 1 failed | amendment 1 |" in told
    assert "| null | S1 | 1 no-delivery | 1 no-delivery | amendment 1 |" in told
    assert "| Verdicts graded again by | growth: ruler" in text
    assert "3 rounds graded again by a corrected evaluator, 1 changed" in told
    assert "## Revisions" not in report_of(open_run(short_run))


def test_revisions_are_listed_as_data(revised, short_run):
    data = json.loads(call("regrade", revised, "--json").output)
    (one,) = data
    assert (one["amendment"], one["corrected"], one["reason"]) == (
        1,
        True,
        "volumes | were let pass",
    )
    (changed,) = [item for item in one["rounds"] if item["changed"]]
    assert (changed["trial"], changed["round"]) == REFERENCE
    assert (changed["before"]["outcome"], changed["after"]["outcome"]) == ("passed", "failed")
    assert changed["changed_checks"] == [{"check": "volume", "before": "pass", "after": "fail"}]
    assert summary_of(open_run(revised))["revisions"] == data
    assert json.loads(call("regrade", short_run, "--json").output) == []


def test_an_audit_holds_each_grade_to_its_own_evaluator(revised, monkeypatch):
    as_run = audit(revised)
    assert as_run.sound, as_run.mismatches
    assert any("amendment 1: 3 rounds graded again by a corrected" in n for n in as_run.notes)
    assert "growth: the grades of amendment 1 are another evaluator's" in "\n".join(as_run.notes)
    install(monkeypatch, "f")
    corrected = audit(revised)
    assert corrected.sound, corrected.mismatches
    assert "growth: the grades of the run are another evaluator's" in "\n".join(corrected.notes)


def forged(folder, number, change):
    """Change an amendment and seal it anew, as somebody with time would."""
    path = folder / "amendments" / f"{number:04d}.json"
    content = json.loads(path.read_bytes())
    change(content["content"])
    path.chmod(0o644)
    path.write_bytes(Amendment.build(content, "forged").sealed().pretty())


def test_an_audit_finds_a_revision_that_its_evaluator_does_not_give(revised_copy, monkeypatch):
    def better(content):
        for item in content["grades"]:
            item["outcome"] = item["grade"]["verdict"] = "passed"

    forged(revised_copy, 1, better)
    install(monkeypatch, "f")
    told = "\n".join(audit(revised_copy).mismatches)
    assert "S1: graded again as failed ['volume'], amendment 1 says passed" in told


def first(content):
    return content["grades"][0]


CONTRADICTIONS = {
    "another grade before": (
        lambda content: first(content)["before"].update(outcome="could-not-grade"),
        "stood otherwise before it",
    ),
    "another evaluator before": (
        lambda content: content["evaluators"]["growth"]["before"].update(ruler="a" * 64),
        "was graded by another evaluator",
    ),
    "an outcome that its grade is not": (
        lambda content: first(content).update(outcome="could-not-grade"),
        "is not what its grade says",
    ),
    "a round twice": (
        lambda content: content["grades"].append(first(content)),
        "grades one round twice",
    ),
    "no such trial": (
        lambda content: first(content).update(trial="0099.x"),
        "grades 0099.x again",
    ),
    "no evaluator": (
        lambda content: content["evaluators"].update(other=content["evaluators"].pop("growth")),
        "tells no evaluator of suite growth",
    ),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_forged_revision_is_a_contradiction(revised_copy, name):
    change, words = CONTRADICTIONS[name]
    read_run(revised_copy)  # sound before
    forged(revised_copy, 1, change)
    with pytest.raises(DamagedEvidence, match=words):
        read_run(revised_copy)


def test_figures_come_out_of_rows_and_amendments(revised, tmp_path):
    spec = importlib.util.spec_from_file_location("recompute_revised", SCRIPT)
    recompute = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recompute)
    folder = open_run(revised)
    (tmp_path / "summary.json").write_bytes(pretty_json(summary_of(folder)))
    (tmp_path / "report.md").write_text(report_of(folder), encoding="utf-8")
    assert recompute.differences(revised, tmp_path) == []
    # The negative control: the figures from before the revision.
    told = "\n".join(recompute.differences(revised, revised))
    assert "outcomes, failed: shown" in told


def test_a_second_revision_is_chained_on_the_first(revised_copy, monkeypatch):
    install(monkeypatch, "e")
    done = call("regrade", revised_copy, "--reason", "too strict")
    assert "3 rounds graded again by a corrected evaluator, 1 changed; amendment 2" in done.output
    assert "0001.reference.S1.r1 S1: failed → passed" in done.output
    row = by_round(revised_copy)[REFERENCE]
    assert (row.outcome, row.grade_revision, row.reason) == ("passed", 2, "")
    assert row.suite_digest == "e" * 64
    second = open_run(revised_copy).standing.revisions[1].content
    assert second.evaluators["growth"].before.suite == "f" * 64
    assert {item.before.outcome for item in second.grades} == {"failed"} | {
        item.before.outcome for item in second.grades if item.trial != REFERENCE[0]
    }
    told = section(report_of(open_run(revised_copy)), "Revisions")
    assert "| reference | S1 | 1 passed | 1 passed | amendment 2 |" in told


def test_the_same_evaluator_corrects_nothing_and_that_is_said(short_copy):
    done = call("regrade", short_copy, "--reason", "another look")
    assert done.exit_code == 0, done.output
    words = "3 rounds graded again by the same evaluator, nothing changed"
    assert words in done.output
    told = section(report_of(open_run(short_copy)), "Revisions")
    assert words in told and "No verdict changed." in told and "the same" in told
    assert unfit([measured(short_copy)]) == []


def test_a_broken_grader_amends_nothing(short_copy, monkeypatch):
    install(monkeypatch, "0")
    with pytest.raises(CouldNotMeasure, match=r"the grader failed .ZeroDivisionError"):
        regrade(short_copy, "why")
    assert not (short_copy / "amendments").exists()


def unclosed(folder, change):
    """Undo the closing, change the result of the reference on S1, close again."""
    for name in ("manifest.json", "results.jsonl", "results.csv", "summary.json", "report.md"):
        (folder / name).unlink()
    place = folder / "trials" / REFERENCE[0] / REFERENCE[1]
    result = json.loads((place / RESULT).read_bytes())
    (place / RESULT).chmod(0o644)
    (place / RESULT).write_text(json.dumps({**result, **change}))
    for path in place.glob("probe*"):
        path.unlink()
    return place


def test_what_a_failed_grader_left_is_graded_by_a_corrected_one(short_copy, monkeypatch):
    lost = {"outcome": "error:grader", "reason": "ZeroDivisionError: division by zero"}
    (unclosed(short_copy, lost) / GRADE).unlink()
    close(short_copy)
    assert by_round(short_copy)[REFERENCE].outcome == "error:grader"
    install(monkeypatch, "e")
    assert regrade(short_copy, "the division is mended") == 3
    row = by_round(short_copy)[REFERENCE]
    assert (row.outcome, row.grade_revision) == ("passed", 1)
    assert row.reason == "regraded as passed; was error:grader: ZeroDivisionError: division by zero"
    assert audit(short_copy).sound


def test_a_stop_stands_whoever_grades(short_copy):
    """Its delivery passes; the agent was over its ceiling all the same."""
    unclosed(short_copy, {"outcome": "stopped:turns", "reason": "20 turns"})
    close(short_copy)
    assert regrade(short_copy, "another look") == 2
    assert by_round(short_copy)[REFERENCE].outcome == "stopped:turns"


def test_runs_of_different_revisions_are_not_compared(revised, short_run):
    alone = unfit([measured(revised)])
    assert alone == []
    other = measured(short_run)
    told = "\n".join(unfit([measured(revised), other]))
    assert "growth: graded by different evaluators: " in told
    assert "(revised, graded again)" in told and "as run)" in told and "regrade all runs" in told
    for words in (("--by", "profile", revised, short_run),):
        done = call("compare", *words)
        assert done.exit_code == 1 and "graded by different evaluators" in done.output
    done = call("compare", "--before", revised, "--after", short_run)
    assert "graded by different evaluators" in done.output
    assert "suite\\_digest: " in done.output


def test_a_withdrawn_run_and_a_void_cell_are_not_graded_again(revised_copy):
    void(revised_copy, "S1", "reference", "a wrong limit")
    row = by_round(revised_copy)[REFERENCE]
    assert (row.outcome, row.voided, row.suite_digest) == ("failed", True, "f" * 64)
    content = open_run(revised_copy).amendments[0].content
    invalidate(revised_copy, "wrong build")
    with pytest.raises(WrongUse, match="invalidated as a whole"):
        regrade(revised_copy, "why")
    amend(revised_copy, "regrade", "forged", content)
    with pytest.raises(DamagedEvidence, match="grades a run again that is withdrawn"):
        read_run(revised_copy)
