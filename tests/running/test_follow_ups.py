"""Reruns of void cells and refills of provider errors: real runs that follow real runs."""

import dataclasses
import functools
import json
from pathlib import Path

import pytest
from mock_models import BUILD
from typer.testing import CliRunner

from gaugeblock.agents.mock import Fault, MockProvider, Say
from gaugeblock.cli import app
from gaugeblock.records.base import digest
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.run_folder import open_run
from gaugeblock.records.store import file_sha256
from gaugeblock.running import fingerprints, plans
from gaugeblock.running.amending import invalidate, void
from gaugeblock.running.audit import audit
from gaugeblock.running.follow_ups import Means, refill, rerun
from gaugeblock.running.reports import report_of
from gaugeblock.running.run import Watch, resume, run


class Killed(BaseException):
    """Ends a run between two trials as a kill would."""


@pytest.fixture(autouse=True)
def code_hashed_once(monkeypatch):
    """The code is the same in all runs here."""
    monkeypatch.setattr(fingerprints, "compute", functools.cache(fingerprints.compute))


@pytest.fixture
def void_copy(run_copy):
    """A run in which two cells are void."""
    void(run_copy, "S1", "null", "a wrong limit")
    void(run_copy, "S1", "mutant:no-holes", "a wrong limit")
    return run_copy


@pytest.fixture
def mended_harness(monkeypatch):
    """Other code of the harness than the first run had."""
    honest = plans._content_fingerprints

    def altered():
        prints = honest()
        other = prints["harness"].model_copy(update={"sha256": digest("mended")})
        return {**prints, "harness": other}

    monkeypatch.setattr(plans, "_content_fingerprints", altered)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_rerun_is_the_cells_as_planned_and_survives_a_kill(void_copy, tmp_path):
    out, seen, before = tmp_path / "again", [], contents(void_copy)

    def ended(trial, result):
        seen.append(trial.id)
        if len(seen) == 1:
            raise Killed

    with pytest.raises(Killed):
        rerun(void_copy, out, Means(), Watch(round_ended=ended))
    assert not open_run(out).closed
    resume(out, Watch(round_ended=ended))
    assert len(seen) == 2, "a trial that began is never begun again"
    then, now = open_run(void_copy), open_run(out)
    plan, follows = now.plan, now.plan.follows
    assert (follows.kind, follows.run) == ("rerun", then.plan.commitment())
    assert follows.manifest_sha256 == file_sha256(void_copy / "manifest.json")
    assert follows.changes == ()
    for name in ("suites", "language", "repetitions", "fingerprints", "host", "unsafe"):
        assert getattr(plan, name) == getattr(then.plan, name), name
    assert all(case == then.plan.case(case.id) for case in plan.cases)
    assert all(who == then.plan.profile(who.id) for who in plan.profiles)
    cells = {"null", "mutant:no-holes"}
    wanted = [
        trial.model_copy(update={"id": ""})
        for trial in then.plan.trials
        if trial.case_id == "S1" and trial.profile_id in cells
    ]
    assert [trial.model_copy(update={"id": ""}) for trial in plan.trials] == wanted
    assert [item.rounds for item in follows.first] == [{"S1": "no-delivery"}, {"S1": "failed"}]
    found = audit(out)
    assert found.mismatches == []
    assert f"a rerun of 2 trials of run {follows.run[:12]}" in found.notes
    label = f"run `{plan.commitment()[:16]}`"
    old = report_of(then, beside=[(now, ())])
    assert f"| null | S1 | 1 no-delivery | 1 no-delivery ({label}) |" in old
    new = report_of(now, beside=[(then, ())])
    assert "The earlier run, given with this report, says the same today." in new
    assert contents(void_copy) == before, "nothing is written into the run that is followed"


def test_other_code_is_refused_unless_it_is_named_as_mended(void_copy, tmp_path, mended_harness):
    out = tmp_path / "again"
    with pytest.raises(WrongUse, match=r"harness was .* --mended harness") as told:
        rerun(void_copy, out, Means(), Watch(), profile="null")
    assert "\n" not in str(told.value) and not out.exists()
    made = rerun(void_copy, out, Means(), Watch(), profile="null", case="S1", mended=["harness"])
    (change,) = made.plan.follows.changes
    assert (change.part, change.now) == ("harness", digest("mended"))
    assert change.then == open_run(void_copy).plan.fingerprints["harness"].sha256
    assert "**Rerun under other harness.**" in report_of(made)
    assert "under other harness" in report_of(open_run(void_copy), beside=[(made, ())])


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ({"case": "depth"}, "no void cell on depth; void are: null on S1, mutant:no-holes on S1"),
        ({"profile": "reference"}, "no void cell reference; void are"),
        ({"mended": ["harnes"]}, "--mended harnes: one of suite, protocol"),
    ],
)
def test_a_rerun_of_nothing_is_refused_before_any_work(void_copy, tmp_path, words, word):
    with pytest.raises(WrongUse) as told:
        rerun(void_copy, tmp_path / "again", Means(), Watch(), **words)
    assert word in str(told.value)


def test_the_host_is_looked_up_in_the_file_that_is_given(void_copy, tmp_path, monkeypatch):
    asked = []

    def none_such(plan, path):
        asked.append(path)
        raise WrongUse("none such")

    monkeypatch.setattr("gaugeblock.running.follow_ups.planned_host", none_such)
    words = ["rerun", str(void_copy), "--out", str(tmp_path / "again")]
    for more in ([], ["--hosts", "mine.toml"]):
        assert str(CliRunner().invoke(app, [*words, *more]).exception) == "none such"
    assert asked == [None, Path("mine.toml")]


def test_a_withdrawn_suite_is_not_offered_for_a_rerun(void_copy, tmp_path):
    invalidate(void_copy, "a wrong formula", "growth")
    with pytest.raises(WrongUse, match="no void cell; void are: none"):
        rerun(void_copy, tmp_path / "again", Means(), Watch())


def test_what_cannot_be_followed_is_refused(run_copy, tmp_path):
    with pytest.raises(WrongUse, match="no void cell; void are: none"):
        rerun(run_copy, tmp_path / "again", Means(), Watch())
    with pytest.raises(WrongUse, match="no trial ended error:provider"):
        refill(run_copy, tmp_path / "again", Means(), Watch())
    invalidate(run_copy, "wrong build")
    for follow in (rerun, refill):
        with pytest.raises(WrongUse, match="invalidated as a whole"):
            follow(run_copy, tmp_path / "again", Means(), Watch())
    (run_copy / "report.md").unlink()
    with pytest.raises(DamagedEvidence, match=r"report\.md: missing; no run follows it"):
        rerun(run_copy, tmp_path / "again", Means(), Watch())


def test_a_refill_replaces_provider_errors_alone_and_shows_both_rates(wish, tmp_path):
    """Three trials: passed, a provider's error, nothing delivered; the second is replaced."""
    out, again = tmp_path / "out", tmp_path / "again"
    builds = [*(Say(calls=(call,)) for call in BUILD), Say("Done.")]
    with MockProvider([*builds, Fault("http-500"), Say("Done."), *builds]) as mock:
        asked = wish(mock, trials=3, continue_after_error=True)
        first = run(asked, out, Watch())
        assert [row.outcome for row in first.rows()] == ["passed", "error:provider", "no-delivery"]
        means = Means(prices=asked.prices, budget_usd="5")
        with pytest.raises(WrongUse, match="--budget-usd"):
            refill(out, again, dataclasses.replace(means, budget_usd=None), Watch())
        file = tmp_path / "profiles.toml"
        honest = file.read_text()
        file.write_text(honest.replace('"a mock"', '"another"'))
        with pytest.raises(WrongUse, match="label is 'another', and was 'a mock'"):
            refill(out, again, means, Watch())
        file.write_text(honest)
        made = refill(out, again, means, Watch())
        assert mock.left == 0
    (row,) = made.rows()
    assert (row.outcome, row.repetition) == ("passed", 2)
    assert made.plan.follows.trials == (first.plan.trials[1].id,)
    assert made.plan.repetitions == 3
    # By hand: 1 of 3 attempted and 1 of 2 valid; with the replacement 2 of 3 and 2 of 3.
    shown = report_of(made).split("## What this run follows")[1].split("\n## ")[0]
    (line,) = [line for line in shown.splitlines() if line.startswith("| anthropic-messages")]
    assert [cell.split()[0] for cell in line.split("|")[3:7]] == ["1/3", "1/2", "2/3", "2/3"]
    written = json.loads((again / "summary.json").read_text())["follows"]
    assert [cell["case"] for cell in written["cells"]] == ["S1"]
    assert audit(again).mismatches == []
    with pytest.raises(WrongUse, match="a refill itself"):
        refill(again, tmp_path / "third", means, Watch())
    void(out, "S1", "anthropic-messages", "a wrong limit")
    with pytest.raises(WrongUse, match="no trial that counts ended"):
        refill(out, tmp_path / "third", means, Watch())
    told = report_of(made, beside=[(open_run(out), ())])
    assert "is void in the earlier run: its rates are not to be used" in told
