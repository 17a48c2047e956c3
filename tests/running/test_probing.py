"""Re-edit probes by a fresh host: they hold or miss as they must, and never touch the round."""

import json
import math
import os
import shutil
import signal
from contextlib import asynccontextmanager
from functools import partial
from types import SimpleNamespace

import anyio
import pytest

from gaugeblock.agents import ScriptedAgent
from gaugeblock.records.evidence import amend
from gaugeblock.records.probe import Probe
from gaugeblock.records.run_folder import PROBE, PROBE_STEP, RESULT, open_run
from gaugeblock.records.store import Journal, file_sha256, read_journal
from gaugeblock.running import probing
from gaugeblock.running.amending import regrade
from gaugeblock.running.audit import audit
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.plans import Wish
from gaugeblock.running.rounds import run_round
from gaugeblock.running.run import Watch, resume, run
from gaugeblock.running.soundness import CLOSING, faults, read_run
from gaugeblock.suites import load_suite
from gaugeblock.worlds import HostSettings, HostWorld, WorldLost

SUITE = load_suite("growth")
WANTED = {
    ("reference", "S1"),
    ("reference", "T2"),
    ("reference", "T4"),
    ("mutant:hard-coded", "S1"),
    ("mutant:undeclared", "S1"),
    ("mutant:no-holes", "S1"),
}


@pytest.fixture(scope="module")
def probed_run(tmp_path_factory, sharing):
    """A closed run of rounds that pass, and one that does not."""
    wish = Wish(
        ("growth/S1", "growth/T2", "growth/T4"),
        tuple(sorted({agent for agent, _ in WANTED})),
        1,
        wanted=lambda profile, case: (profile.agent, case.id) in WANTED,
    )
    with sharing():
        return run(wish, tmp_path_factory.mktemp("probed") / "run", Watch()).path


@pytest.fixture
def copy(probed_run, tmp_path):
    """A copy that a test may damage, as a kill before closing would have left it."""
    out = shutil.copytree(probed_run, tmp_path / "copy")
    for name in (*CLOSING, "manifest.json"):
        path = out / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return out


def place(out, agent, case):
    """Return the folder of the one round of a trial."""
    (folder,) = out.glob(f"trials/*.{agent.replace(':', '.')}.{case}.r1/{case}")
    return folder


def by_agent(out):
    return {(row.agent, row.round): row for row in open_run(out).rows()}


def edit(path, change):
    path.chmod(0o644)
    content = path.read_bytes()
    path.write_bytes(change(content))
    assert path.read_bytes() != content


def test_the_reference_holds_on_every_axis(probed_run, finished_run):
    rows = {**by_agent(finished_run), **by_agent(probed_run)}
    for name in ("S1", "k1", "k2", "k3", "k4", "k5", "k6", "T2", "T4"):
        row = rows["reference", name]
        assert (row.outcome, row.probe) == ("passed", "held"), row.probe_reason
        assert (row.probe_failed_checks, row.probe_reason) == ((), "")


def test_a_program_of_numbers_passes_and_misses(probed_run):
    """Both of its kinds: the host takes the value and nothing changes, or knows no such name."""
    rows = by_agent(probed_run)
    row = rows["mutant:hard-coded", "S1"]
    assert (row.outcome, row.final, row.probe) == ("passed", True, "missed")
    assert row.probe_failed_checks == ("volume", "faces")
    assert row.probe_reason.startswith("read as parameter-ignored; volume: ")
    row = rows["mutant:undeclared", "S1"]
    assert (row.outcome, row.probe, row.probe_failed_checks) == ("passed", "missed", ())
    assert row.probe_reason.startswith("parameter-unknown: no parameter cols")
    for agent in ("mutant:hard-coded", "mutant:undeclared", "reference"):
        trial = next(t for t in open_run(probed_run).plan.trials if t.profile_id == agent)
        row = rows[agent, trial.case_id]
        told = (row.round, row.outcome, row.failed_checks, row.matched_reading)
        assert trial.as_it_must(*told, row.probe, row.probe_failed_checks)


def test_what_did_not_pass_is_not_probed(probed_run):
    row = by_agent(probed_run)["mutant:no-holes", "S1"]
    assert row.probe is None
    assert row.unknown["probe"] == "only a round that passed is probed; this one ended failed"
    assert not list(place(probed_run, "mutant:no-holes", "S1").glob("probe*"))


def test_the_probed_part_is_evidence_and_nothing_of_the_round(probed_run):
    folder = place(probed_run, "reference", "T2")
    probe = Probe.load((folder / PROBE).read_bytes(), PROBE)
    result = json.loads((folder / RESULT).read_text())
    assert probe.parameters == {"flangeThickness": 6}
    assert probe.document_sha256 == result["document_sha256"]
    assert probe.artifact_sha256 == file_sha256(folder / PROBE_STEP) != result["artifact_sha256"]
    (volume,) = (check for check in probe.grade.checks if check.name == "volume")
    # π·36·(60 + 40 + 20π) of the tube, π·(20² − 8²)·6 of the thicker flange.
    assert volume.measured == pytest.approx(
        math.pi * (36 * (100 + 20 * math.pi) + 336 * 6), rel=1e-9
    )
    assert [check.name for check in probe.grade.checks][-1] == "conserved"
    assert (result["plans"], result["commits"], result["tool_calls"]) == (1, 1, 1)
    kinds = [event["kind"] for event in read_journal(folder.parent / "events.jsonl")]
    assert kinds[-4:] == ["round-ended", "probe-started", "probed", "trial-ended"]


def test_every_edited_byte_of_a_closed_probe_is_named(probed_run, tmp_path):
    out = shutil.copytree(probed_run, tmp_path / "closed")
    names = sorted(path.name for path in place(out, "reference", "T4").glob("probe*"))
    assert names == [
        "probe-conservation.json",
        "probe-measurement.json",
        "probe.json",
        "probe.step",
    ]
    for name in names:
        path = place(out, "reference", "T4") / name
        kept = path.read_bytes()
        edit(path, lambda content: content.replace(b"{", b"{ ", 1))
        assert any(f"T4/{name}: content changed" in line for line in faults(read_run(out)))
        path.write_bytes(kept)
    assert faults(read_run(out)) == []


def test_an_audit_measures_and_grades_probes_again(copy):
    assert faults(read_run(copy)) == []
    t2, t4 = (place(copy, "reference", name) for name in ("T2", "T4"))
    edit(t2 / "probe.step", lambda content: content.replace(b"DATA;", b"DATA; ", 1))
    edit(t4 / "probe-conservation.json", lambda content: content.replace(b'"lost": ', b'"lost": 1'))
    forged = place(copy, "mutant:hard-coded", "S1")
    (forged / PROBE_STEP).chmod(0o644)
    shutil.copyfile(place(copy, "reference", "S1") / PROBE_STEP, forged / PROBE_STEP)
    found = audit(copy)
    assert found.probes == 4
    told = "\n".join(found.mismatches)
    assert "reference.T2.r1/T2/probe.step: not what the probe names" in told
    assert "T4/probe-conservation.json: not what the probe names" in told
    assert "S1: probe graded again as held [], the run says missed ['volume', 'faces']" in told
    assert "reference.S1" not in told


def test_a_kill_between_result_and_probe_leaves_the_round_passed(copy):
    folder = place(copy, "reference", "S1")
    for path in [*folder.glob("probe*"), folder.parent / "trial.json"]:
        path.unlink()
    assert faults(read_run(copy)) == []
    assert by_agent(copy)["reference", "S1"].unknown["probe"].startswith("none was made")
    finished = resume(copy, Watch())
    row = by_agent(copy)["reference", "S1"]
    assert (row.outcome, row.probe, row.probe_reason) == (
        "passed",
        "could-not-grade",
        probing.ENDED,
    )
    assert faults(finished) == []


def test_a_lost_probe_of_a_finished_trial_is_missed(copy):
    (place(copy, "reference", "S1") / PROBE).unlink()
    assert [line for line in faults(read_run(copy)) if f"S1/{PROBE}: missing" in line]


def test_a_regrade_covers_probes(probed_run, tmp_path):
    out = shutil.copytree(probed_run, tmp_path / "graded")
    before = [(row.probe, row.probe_reason) for row in open_run(out).rows()]
    regrade(out, "second look")
    after = open_run(out)
    assert [(row.probe, row.probe_reason) for row in after.rows()] == before
    items = {item["trial"]: item for item in after.amendments[0].content["grades"]}
    verdicts = [item["probe"]["verdict"] for item in items.values() if item["probe"]]
    assert sorted(verdicts) == ["held", "held", "held", "missed"]
    trial = next(t for t in after.trials if t.planned.id.endswith(".reference.S1.r1"))
    one, evaluators = items[trial.planned.id], after.amendments[0].content["evaluators"]
    grade = {**one["grade"], "verdict": "failed"}
    stood = {name: one[name] for name in ("outcome", "grade", "probe")}
    failed = {**one, "before": stood, "outcome": "failed", "grade": grade}
    amend(out, "regrade", "by hand", {"evaluators": evaluators, "grades": [failed]})
    row = by_agent(out)["reference", "S1"]
    assert (row.outcome, row.probe) == ("failed", None)
    assert "only a round that passed" in row.unknown["probe"]


# --- one round in a bench of its own ---------------------------------------------------------

CASE = SUITE.case("S1")
CALLS = [
    (call.tool, call.arguments) for call in SUITE.script(CASE, CASE.rounds[0], "reference").calls
]


def judge(asked, delivered):
    return SUITE.grade(asked, delivered, ruler_fingerprint="0" * 64)


@pytest.fixture(scope="module")
def passed(tmp_path_factory, warm, ruler):
    """A passed round, and how to probe it in a world of one's own."""
    folder = tmp_path_factory.mktemp("round")
    place = folder / "S1"
    setup = RoundSetup("0001.t.S1.r1", CASE.rounds[0], CASE.limits, "en", None, place)
    with Journal(folder / "events.jsonl") as journal:
        work = partial(run_round, setup, ScriptedAgent(CALLS), warm, ruler, judge, journal)
        result, document = anyio.run(work)
    assert result.outcome == "passed"
    written = (place / RESULT).read_bytes()

    def probe(reopen, grade=judge, saved=document):
        (place / PROBE).unlink(missing_ok=True)
        with Journal(folder / "events.jsonl") as journal:
            work = partial(probing.probe_round, setup, result, saved, reopen, ruler, grade, journal)
            record = anyio.run(work)
        assert Probe.load((place / PROBE).read_bytes(), PROBE) == record
        assert (place / RESULT).read_bytes() == written  # the round stays what it was
        return record

    return SimpleNamespace(probe=probe, host=warm)


def test_a_host_killed_in_the_probe_says_nothing_of_the_part(passed):
    @asynccontextmanager
    async def dying(document):
        async with HostWorld.open(passed.host, document) as world:
            os.kill(world.process.pid, signal.SIGKILL)
            yield world

    record = passed.probe(dying)
    assert (record.verdict, record.rejected, record.grade) == ("could-not-grade", "", None)
    assert "set_parameters" in record.reason


def test_a_host_that_does_not_start_for_the_probe(passed, tmp_path):
    settings = HostSettings(**{**vars(passed.host), "sandbox_socket": tmp_path / "no.sock"})
    record = passed.probe(partial(HostWorld.open, settings))
    assert record.verdict == "could-not-grade"
    assert "\n" not in record.reason


def a_world(call):
    """A world of which only one call is ever asked."""

    @asynccontextmanager
    async def opened(document):
        yield SimpleNamespace(call=call)

    return opened


def test_a_host_that_breaks_in_a_way_nobody_foresaw(passed):
    async def broken(name, arguments):
        raise ExceptionGroup("streams", [anyio.BrokenResourceError()])

    record = passed.probe(a_world(broken))
    assert record.verdict == "could-not-grade"
    assert record.reason.startswith("the host was lost: ExceptionGroup: streams")


def test_a_host_that_never_answers_the_probe(passed, monkeypatch):
    monkeypatch.setattr(probing, "PROBE_S", 0.05)
    record = passed.probe(a_world(lambda name, arguments: anyio.sleep_forever()))
    assert (record.verdict, record.reason) == (
        "could-not-grade",
        "the host took longer than 0.05 s",
    )


@pytest.mark.parametrize(
    ("data", "verdict", "reason"),
    [
        (
            {"status": "rejected", "code": "runtime", "message": "line 3\nZeroDivisionError"},
            "missed",
            "runtime: line 3 ZeroDivisionError",
        ),
        ({}, "could-not-grade", "set_parameters failed: unknown tool"),
    ],
)
def test_only_a_coded_rejection_is_the_parts_own(passed, data, verdict, reason):
    async def refused(name, arguments):
        assert (name, arguments) == ("set_parameters", {"values": {"cols": 6}})
        return SimpleNamespace(failed=True, data=data, text="unknown tool")

    record = passed.probe(a_world(refused))
    assert (record.verdict, record.reason) == (verdict, reason)
    assert record.rejected == data.get("code", "")


def test_a_grader_that_fails_on_the_probe_is_no_verdict(passed):
    def broken(asked, delivered):
        raise ZeroDivisionError("formula")

    record = passed.probe(partial(HostWorld.open, passed.host), grade=broken)
    assert record.verdict == "could-not-grade"
    assert record.reason == "the grader failed: ZeroDivisionError: formula"
    assert record.artifact_sha256 is not None  # it can be graded again


def test_without_a_document_nothing_can_be_set(passed):
    async def nobody(name, arguments):
        raise WorldLost("host", "never asked")

    record = passed.probe(a_world(nobody), saved=None)
    assert (record.verdict, record.grade) == ("could-not-grade", None)
    assert record.reason.startswith("no document was saved")
