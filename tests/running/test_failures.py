"""Everything that can go wrong in a round gets its own name, and the evidence stays whole."""

import os
import signal
from dataclasses import replace
from functools import partial

import anyio
import psutil
import pytest

from gaugeblock.agents import AgentReport, ScriptedAgent
from gaugeblock.records.grade import Grade
from gaugeblock.records.run_folder import GRADE, RESULT
from gaugeblock.records.store import Journal, read_journal
from gaugeblock.records.trial import RoundResult
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.rounds import run_round
from gaugeblock.suites import load_suite
from gaugeblock.worlds import HostSettings

SUITE = load_suite("growth")
CASE = SUITE.case("S1")
ASKED = CASE.rounds[0]
CALLS = [(c.tool, c.arguments) for c in SUITE.script(CASE, ASKED, "reference").calls]


@pytest.fixture(scope="module")
def bench(warm, ruler):
    return warm, ruler


def judge(asked, delivered):
    return SUITE.grade(asked, delivered, ruler_fingerprint="0" * 64)


def play(bench, folder, agent, limits=None, grade=judge, **host_changes):
    host, ruler = bench
    settings = HostSettings(**{**vars(host), **host_changes})
    setup = RoundSetup("0001.t.S1.r1", ASKED, limits or CASE.limits, "en", None, folder / "S1")
    with Journal(folder / "events.jsonl") as journal:
        work = partial(run_round, setup, agent, settings, ruler, grade, journal)
        result, document = anyio.run(work)
    stored = RoundResult.load((folder / "S1" / RESULT).read_bytes(), "result.json")
    assert stored == result
    kinds = [event["kind"] for event in read_journal(folder / "events.jsonl")]
    assert kinds[0] == "round-started"
    assert kinds[-1] == "round-ended"
    return result, document, kinds


def limits(**changes):
    return CASE.limits.model_copy(update=changes)


def hosts():
    """Return the host processes that this process started."""
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if "gaugeblock" in child.cmdline() and "host" in child.cmdline()
    ]


class Saboteur:
    """Builds, then does something to the host's process, then goes on working."""

    def __init__(self, number):
        self.number = number

    async def work(self, brief, desk):
        name, arguments = CALLS[0]
        await desk.call(name, arguments)
        (host,) = hosts()
        os.kill(host.pid, self.number)
        await desk.call("measure", {})
        return AgentReport("never reached")


def test_a_killed_host_is_the_hosts_error_and_the_evidence_is_whole(bench, tmp_path):
    result, document, kinds = play(bench, tmp_path, Saboteur(signal.SIGKILL))
    assert result.outcome == "error:host"
    assert "measure" in result.reason
    assert (result.attempted, result.commits, document) == (True, 1, None)
    assert result.usage.provider_calls == 0
    assert "error" in kinds
    assert not (tmp_path / "S1" / GRADE).exists()
    assert hosts() == []


def test_a_hung_host_is_the_hosts_error(bench, tmp_path):
    result, _, _ = play(bench, tmp_path, Saboteur(signal.SIGSTOP), call_s=2.0)
    assert result.outcome == "error:host"
    assert hosts() == []


def test_a_host_that_does_not_start_never_attempted_anything(bench, tmp_path):
    gone = tmp_path / "no.sock"
    result, _, kinds = play(bench, tmp_path, ScriptedAgent(CALLS), sandbox_socket=gone)
    assert result.outcome == "error:host"
    assert "host-started" not in kinds or result.reason


def test_an_agent_whose_code_fails_is_the_adapters_error(bench, tmp_path):
    class Broken:
        async def work(self, brief, desk):
            raise KeyError("choices")

    result, _, _ = play(bench, tmp_path, Broken())
    assert result.outcome == "error:adapter"
    assert "KeyError" in result.reason


def test_a_grader_that_fails_is_the_graders_error(bench, tmp_path):
    def broken(asked, delivered):
        raise ZeroDivisionError("formula")

    result, _, _ = play(bench, tmp_path, ScriptedAgent(CALLS), grade=broken)
    assert (result.outcome, result.reason) == ("error:grader", "ZeroDivisionError: formula")
    assert result.artifact_sha256 is not None


def test_what_could_not_be_measured_is_no_failure(bench, tmp_path):
    def blind(asked, delivered):
        return judge(asked, replace(delivered, measurement=None))

    result, _, _ = play(bench, tmp_path, ScriptedAgent(CALLS), grade=blind)
    assert result.outcome == "could-not-grade"
    grade = Grade.load((tmp_path / "S1" / GRADE).read_bytes(), GRADE)
    assert grade.failed() == ()


def test_the_tool_call_limit_stops_even_a_right_delivery(bench, tmp_path):
    agent = ScriptedAgent([*CALLS, ("measure", {}), ("measure", {})])
    result, _, _ = play(bench, tmp_path, agent, limits(tool_calls=2))
    assert result.outcome == "stopped:tool-calls"
    assert result.tool_calls == 2


def test_three_rejected_plans_stop(bench, tmp_path):
    class Stubborn:
        async def work(self, brief, desk):
            for number in range(4):
                arguments = {"program": "result = ", "parameters": {"a": number}}
                await desk.call("propose", arguments)
            return AgentReport()

    result, _, _ = play(bench, tmp_path, Stubborn())
    assert (result.outcome, result.plans, result.repairs) == ("stopped:repairs", 3, 2)


def test_a_repaired_plan_passes_but_not_at_first_try(bench, tmp_path):
    class Learner:
        async def work(self, brief, desk):
            await desk.call("propose", {"program": "result = ", "parameters": {}})
            await desk.call(*CALLS[0])
            return AgentReport()

    result, _, _ = play(bench, tmp_path, Learner())
    assert (result.outcome, result.first_try, result.repairs) == ("passed", False, 1)


class Dawdler:
    """Commits or not, then never comes back."""

    def __init__(self, *, commits):
        self.commits = commits

    async def work(self, brief, desk):
        if self.commits:
            await desk.call(*CALLS[0])
        await anyio.sleep_forever()


def test_without_a_commit_the_shorter_clock_runs(bench, tmp_path):
    result, _, _ = play(bench, tmp_path, Dawdler(commits=False), limits(no_commit_s=1, wall_s=60))
    assert result.outcome == "stopped:no-commit"
    assert result.usage.provider_calls == 0
    assert result.total_s == pytest.approx(1, abs=0.5)


def test_a_commit_lifts_it_and_the_wall_remains(bench, tmp_path):
    result, _, _ = play(bench, tmp_path, Dawdler(commits=True), limits(no_commit_s=2.5, wall_s=4))
    assert result.outcome == "stopped:wall"
    assert result.commits == 1
    assert result.total_s == pytest.approx(4, abs=0.5)


def test_a_program_that_runs_too_long_is_rejected_and_the_host_lives(bench, tmp_path):
    calls = [("propose", {"program": "while True: pass", "parameters": {}})]
    result, _, _ = play(bench, tmp_path, ScriptedAgent(calls), program_s=1.0)
    assert result.outcome == "no-delivery"
    assert "timeout" in result.reason
