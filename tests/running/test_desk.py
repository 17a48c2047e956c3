"""The desk: what is counted, and where an agent is stopped."""

import anyio
import pytest

from gaugeblock.host.objects.catalogue import STEPS
from gaugeblock.records.case import Limits
from gaugeblock.records.store import Journal, read_journal
from gaugeblock.running.counting import PLAN_TOOLS
from gaugeblock.running.desk import LimitReached, TrialDesk
from gaugeblock.worlds import Tool, ToolResult

LIMITS = Limits(
    wall_s=60, tool_calls=6, turns=10, repairs=2, program_s=10, evaluation_s=10, no_commit_s=30
)
REJECTED = ToolResult(True, "no", {"status": "rejected", "code": "syntax"})


def committed(version):
    return ToolResult(False, "ok", {"version": version, "spent": {"preview_s": 0.5}})


class Answers:
    """A world that gives prepared answers; the desk's own arithmetic is what is tested."""

    tools = ()

    def __init__(self, *answers):
        self.answers = list(answers)

    async def call(self, name, arguments):
        return self.answers.pop(0)


def play(tmp_path, world, calls, limits=LIMITS):
    async def work():
        with Journal(tmp_path / "events.jsonl") as journal:
            desk = TrialDesk(world, limits, journal)
            stopped = None
            for name, arguments in calls:
                try:
                    await desk.call(name, arguments)
                except LimitReached as reached:
                    stopped = reached.limit
                    break
            return desk.counts, stopped

    return anyio.run(work)


def test_first_try_and_cad_time(tmp_path):
    world = Answers(committed(1), committed(2))
    counts, stopped = play(tmp_path, world, [("propose", {}), ("set_parameters", {})])
    assert (counts.plans, counts.commits, counts.repairs, counts.first_try) == (2, 2, 0, True)
    assert counts.preview_s == pytest.approx(1.0)
    assert counts.first_commit_s is not None
    assert stopped is None


def test_the_longest_program_is_measured(tmp_path):
    calls = [
        ("propose", {"program": "result = Box(1, 1, 1)"}),
        ("propose", {"program": "short"}),
        ("set_parameters", {"values": {"a": 1}}),
    ]
    counts, _ = play(tmp_path, Answers(REJECTED, committed(1), committed(2)), calls)
    assert counts.program_chars == len("result = Box(1, 1, 1)")
    none, _ = play(tmp_path, Answers(ToolResult(False, "", {})), [("measure", {})])
    assert none.program_chars == 0


def test_a_repair_is_a_plan_sent_after_a_rejection(tmp_path):
    world = Answers(REJECTED, ToolResult(False, "", {}), REJECTED, committed(1))
    calls = [("propose", {"a": 1}), ("measure", {}), ("propose", {"a": 2}), ("propose", {"a": 3})]
    counts, stopped = play(tmp_path, world, calls)
    assert (counts.plans, counts.rejections, counts.repairs) == (3, 2, 2)
    assert not counts.first_try
    assert stopped is None


def test_after_the_third_rejected_plan_none_is_taken(tmp_path):
    world = Answers(REJECTED, REJECTED, REJECTED)
    calls = [("propose", {"a": n}) for n in range(4)]
    counts, stopped = play(tmp_path, world, calls)
    assert stopped == "repairs"
    assert counts.plans == 3
    assert world.answers == []


def test_one_more_tool_call_than_allowed_is_never_sent(tmp_path):
    world = Answers(*[ToolResult(False, str(n), {}) for n in range(7)])
    counts, stopped = play(tmp_path, world, [("measure", {})] * 7)
    assert stopped == "tool-calls"
    assert counts.tool_calls == 6
    assert len(world.answers) == 1


def test_repeated_calls_are_same_call_same_answer_nothing_changed(tmp_path):
    same = ToolResult(False, "", {"version": 1, "spent": {"preview_s": 1}})
    again = ToolResult(False, "", {"version": 1, "spent": {"preview_s": 2}})
    world = Answers(same, again, committed(2), same, ToolResult(False, "", {"version": 2}))
    calls = [("measure", {}), ("measure", {}), ("propose", {}), ("measure", {}), ("measure", {})]
    counts, _ = play(tmp_path, world, calls)
    assert counts.repeated_calls == 1  # the second; after the commit it is a fresh question


def test_look_up_queries_are_kept_and_everything_is_journalled(tmp_path):
    world = Answers(ToolResult(False, "help", {"entries": [], "signatures": ["long"]}))
    counts, _ = play(tmp_path, world, [("look_up", {"query": "fillet"})])
    assert counts.look_up_queries == ["fillet"]
    events = read_journal(tmp_path / "events.jsonl")
    assert [event["kind"] for event in events] == ["tool-call", "tool-result"]
    assert events[0]["arguments"] == {"query": "fillet"}
    assert "signatures" not in events[1]["data"]


def nested(depth):
    value = {}
    for _ in range(depth):
        value = {"a": [value]}
    return value


@pytest.mark.parametrize(
    "arguments",
    [{"program": "\ud800"}, {"a": float("nan")}, nested(200), {"a": {1, 2}}],
)
def test_arguments_that_cannot_travel_are_the_models_mistake_and_reach_no_host(tmp_path, arguments):
    world = Answers()
    counts, stopped = play(tmp_path, world, [("propose", arguments)])
    assert (counts.tool_calls, counts.plans, stopped) == (1, 0, None)
    (event,) = read_journal(tmp_path / "events.jsonl")
    assert event["unsendable"]


def step(version, changed=("tray",), removed=()):
    """What an object tool answers after a commit."""
    data = {"version": version, "changed": [{"name": n} for n in changed], "removed": [*removed]}
    return ToolResult(False, "COMMITTED", {**data, "objects": 1, "spent": {"validate_s": 0.25}})


LISTED = ToolResult(False, "", {"version": 2, "sha256": "s", "objects": [{"name": "tray"}]})
"""What a tool that only looks answers: it tells a version too."""


def test_a_plan_is_a_call_that_asks_for_a_new_version():
    assert {"propose", "set_parameters"} < PLAN_TOOLS
    assert {*STEPS, "batch", "edit_step", "undo", "redo"} < PLAN_TOOLS
    looking = {"list_objects", "inspect_object", "measure_between", "read_document", "look_up"}
    assert not PLAN_TOOLS & {*looking, "measure", "save", "export_step"}
    assert len(PLAN_TOOLS) == 2 + len(STEPS) + 4, (
        "24 tools of objects, 4 of the whole, 2 of programs"
    )


def test_object_tools_are_counted_as_plans_and_commits(tmp_path):
    calls = ["box", "list_objects", "batch", "inspect_object", "undo", "redo", "edit_step"]
    answers = [step(1), LISTED, step(2), LISTED, step(3, (), ["tray"]), step(4), step(5)]
    limits = LIMITS.model_copy(update={"tool_calls": 60})
    world = Answers(*answers)
    counts, _ = play(tmp_path, world, [(name, {"n": name}) for name in calls], limits)
    assert (counts.plans, counts.commits, counts.rejections, counts.idle_commits) == (5, 5, 0, 0)
    assert counts.first_try and counts.first_commit_s is not None
    assert counts.validate_s == pytest.approx(5 * 0.25)
    assert counts.program_chars == 0, "no program was proposed"


def test_looking_is_no_commit_although_it_tells_a_version(tmp_path):
    world = Answers(LISTED, ToolResult(False, "", {"version": 2, "bytes": 900, "file": "d"}))
    counts, _ = play(tmp_path, world, [("list_objects", {}), ("save", {})])
    assert (counts.plans, counts.commits, counts.first_commit_s) == (0, 0, None)


def test_a_step_that_changed_no_object_is_an_idle_commit(tmp_path):
    world = Answers(step(1), step(2, ()), step(3, (), ["tray"]))
    calls = [("box", {}), ("appearance", {}), ("delete", {})]
    counts, _ = play(tmp_path, world, calls)
    assert (counts.commits, counts.idle_commits) == (3, 1)


def test_a_program_after_steps_is_not_idle_for_being_as_the_last_program(tmp_path):
    made = ToolResult(False, "", {"version": 1, "parameters": {}, "objects": ["a"]})
    world = Answers(made, made, step(3), made)
    calls = [("propose", {}), ("propose", {}), ("box", {}), ("propose", {})]
    counts, _ = play(tmp_path, world, calls)
    assert counts.idle_commits == 1


def test_without_a_ceiling_of_repairs_no_rejected_step_ever_stops_an_agent(tmp_path):
    limits = LIMITS.model_copy(update={"repairs": None, "tool_calls": 40})
    world = Answers(*[REJECTED] * 40)
    counts, stopped = play(tmp_path, world, [("box", {"n": n}) for n in range(41)], limits)
    assert stopped == "tool-calls"
    assert (counts.plans, counts.rejections, counts.repairs) == (40, 40, 39)
    assert not counts.first_try


def test_the_same_rejected_step_again_is_a_repeated_call(tmp_path):
    world = Answers(step(1), REJECTED, REJECTED, step(2))
    counts, _ = play(tmp_path, world, [("box", {"name": "a"})] * 4)
    assert counts.repeated_calls == 1, "after a commit the same call is another"


def test_a_tool_that_was_not_shown_reaches_no_world(tmp_path):
    async def work():
        with Journal(tmp_path / "events.jsonl") as journal:
            world = Answers(committed(1))
            desk = TrialDesk(world, LIMITS, journal, tools=(Tool("measure", "", {}),))
            refused = await desk.call("propose", {"program": "result = 1"})
            assert refused.failed and "no such tool" in refused.text
            assert world.answers, "the world was not asked"
            done = await desk.submit("propose", {"program": "result = 1"})  # the runner may
            assert not done.failed
            return desk.counts

    counts = anyio.run(work)
    assert (counts.tool_calls, counts.plans, counts.commits) == (2, 1, 1)
