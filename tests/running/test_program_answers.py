"""Cases without tools: the program in an agent's answer is proposed for it, once, by the runner.

The world is one in memory that notes what it is asked; host and ruler are real in
`test_assembly_runs.py`.
"""

from contextlib import asynccontextmanager

import anyio
import pytest

from gaugeblock.agents import AgentReport
from gaugeblock.agents.scripted import ScriptedAgent
from gaugeblock.records.case import Limits, Round, Truth
from gaugeblock.records.grade import Check, Grade
from gaugeblock.records.run_folder import EVENTS
from gaugeblock.records.store import Journal, read_journal
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.rounds import run_round_in
from gaugeblock.worlds import Delivery, Tool, ToolResult, WorldLost

PROGRAM = "result = {'base': Box(1, 2, 3)}"
ANSWER = f"Here it is.\n\n```python\n{PROGRAM}\n```\n"
LIMITS = Limits(wall_s=60, tool_calls=1, turns=1, program_s=5, evaluation_s=5, no_commit_s=0.001)
"""A program is committed after the agent is done: the time without a commit must not stop it."""
ASKED = Round(
    id="build", growth=1, instruction={"en": "Make it."}, parameters={}, truth=Truth(volume="6")
)
COMMITTED = ToolResult(False, "COMMITTED", {"version": 1, "parameters": {}, "objects": []})
REJECTED = ToolResult(True, "REJECTED [syntax]: line 1", {"status": "rejected", "code": "syntax"})


class World:
    """Notes the calls, and gives one answer."""

    tools = (Tool("propose", "", {"type": "object"}), Tool("measure", "", {"type": "object"}))

    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    async def call(self, name, arguments):
        self.asked.append((name, arguments))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def deliver(self):
        return Delivery(b"{}", None)

    def peak_bytes(self):
        return None


class Slow(ScriptedAgent):
    """Takes longer than the time without a commit."""

    async def work(self, brief, desk):
        assert desk.tools == (), "no tool is shown"
        await anyio.sleep(0.01)
        return await super().work(brief, desk)


def graded(asked, delivered):
    check = Check(name="d", formula="", expected=True, measured=True, verdict="pass")
    return Grade(
        round=asked.id,
        verdict="passed",
        checks=(check,),
        artifact_sha256=None,
        measurement_sha256=None,
        ruler_fingerprint="0" * 64,
    )


def play(tmp_path, agent, answer=COMMITTED, limits=LIMITS):
    """Return the round's result, the world, and the journal."""
    world = World(answer)

    @asynccontextmanager
    async def opening():
        yield world

    async def work():
        setup = RoundSetup(
            "0001.a", ASKED, limits, "en", None, tmp_path / "build", answer="program"
        )
        with Journal(tmp_path / EVENTS) as journal:
            result, _ = await run_round_in(opening(), setup, agent, None, graded, journal)
        return result

    return anyio.run(work), world, read_journal(tmp_path / EVENTS)


def test_the_one_program_is_proposed_once_and_counts_as_one_plan(tmp_path):
    result, world, events = play(tmp_path, Slow([], ANSWER))
    assert world.asked == [("propose", {"program": PROGRAM, "parameters": {}})]
    assert (result.outcome, result.plans, result.commits, result.tool_calls) == ("passed", 1, 1, 1)
    assert (result.repairs, result.first_try, result.program_chars) == (0, True, len(PROGRAM))
    assert result.context.signatures_bytes == 0
    assert result.first_commit_s >= result.total_s >= 0.01, "it is built after the agent is done"
    (told,) = (event["text"] for event in events if event["kind"] == "answer")
    assert told == ANSWER
    (call,) = (event for event in events if event["kind"] == "tool-call")
    assert call["arguments"]["program"] == PROGRAM


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("", "no fenced block"),
        ("I cannot.", "no fenced block"),
        (ANSWER + ANSWER, "2 fenced blocks"),
        (ANSWER[:-5], "never closed"),
    ],
)
def test_no_program_or_two_are_no_delivery_and_say_why(tmp_path, says, why):
    result, world, events = play(tmp_path, Slow([], says))
    assert world.asked == []
    assert (result.outcome, result.plans, result.tool_calls) == ("no-delivery", 0, 0)
    assert why in result.reason
    assert [event["text"] for event in events if event["kind"] == "answer"] == [says]


def test_a_rejected_program_is_no_delivery_with_the_hosts_reason(tmp_path):
    result, _, _ = play(tmp_path, Slow([], ANSWER), REJECTED)
    assert (result.outcome, result.plans, result.commits, result.first_try) == (
        "no-delivery",
        1,
        0,
        False,
    )
    assert "REJECTED [syntax]" in result.reason


def test_a_lost_host_is_never_the_agents_failure(tmp_path):
    result, _, _ = play(tmp_path, Slow([], ANSWER), WorldLost("host", "it died"))
    assert (result.outcome, result.reason) == ("error:host", "it died")


def test_a_tool_called_all_the_same_reaches_no_world_and_is_counted(tmp_path):
    class Insists:
        async def work(self, brief, desk):
            answer = await desk.call("propose", {"program": PROGRAM, "parameters": {}})
            assert answer.failed
            return AgentReport("done", ANSWER)

    result, world, _ = play(tmp_path, Insists())
    assert world.asked == [], "its one call is spent, so the program cannot be proposed"
    assert (result.outcome, result.tool_calls, result.plans) == ("stopped:tool-calls", 1, 0)
    roomy = LIMITS.model_copy(update={"tool_calls": 2})
    (tmp_path / "more").mkdir()
    result, world, _ = play(tmp_path / "more", Insists(), limits=roomy)
    assert (result.outcome, result.tool_calls, len(world.asked)) == ("passed", 2, 1)
