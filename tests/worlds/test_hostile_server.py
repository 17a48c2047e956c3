"""Trials on servers that are bad in one way each: the right outcome and words, and nothing left.

The servers are those of `hostile/`. The agent builds S1 right, so that whatever does not pass is
the server's doing.
"""

import json
import subprocess
import sys
import tempfile
import uuid
from functools import partial
from pathlib import Path

import anyio
import psutil
import pytest

from gaugeblock.agents import AgentReport, ScriptedAgent
from gaugeblock.records.host_description import HostDescription
from gaugeblock.records.run_folder import ARTIFACT, RESULT
from gaugeblock.records.store import Journal, read_journal
from gaugeblock.records.trial import RoundResult
from gaugeblock.ruler import Ruler
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.rounds import run_round
from gaugeblock.suites import load_suite
from gaugeblock.worlds import ExternalSettings, ExternalWorld, HostWorld, WorldLost

FOLDER = Path(__file__).parent / "hostile"
SERVER = "hostile_server.py"
OUTSIDE_NAME = "gaugeblock-hostile-outside.step"
SUITE = load_suite("growth")
CASE = SUITE.case("S1")
ASKED = CASE.rounds[0]

PATIENCE_S = 4
"""For a server that hangs: the test waits as long."""
GONE_S = 20
"""Until a process that was killed is gone, on a busy machine."""

LOST = {
    "dies-at-start": "no licence found",
    "hangs-at-initialize": f"no handshake within {PATIENCE_S} s",
    "not-json-rpc": "Welcome to the CAD server!",
    "binary": f"no handshake within {PATIENCE_S} s",
    "many-tools": "10,003 tools",
    "endless-pages": "pages",
    "huge-schema": "bytes at once",
    "deep-schema": "nested more than 128 deep",
    "same-name-twice": "twice",
    "control-in-description": "control character",
    "hangs-in-call": f"no answer to build within {PATIENCE_S} s",
    "dies-in-call": "segmentation fault, so to say",
    "floods-answer": "bytes at once",
    "floods-notifications": f"no answer to build within {PATIENCE_S} s",
    "wrong-id": f"no answer to build within {PATIENCE_S} s",
    "no-result": "its answer to build is none of the protocol",
    "no-number": "its answer to build is none of the protocol",
    "deep-folders": "its folder holds more than",
    "hangs-in-export": f"no answer to export within {PATIENCE_S} s",
}
"""The server failed, and nothing is said of the agent: the reason has these words."""

NEVER_START = {"hangs-at-initialize", "not-json-rpc", "binary"}
NEVER_ANSWER = {mode for mode, words in LOST.items() if words.startswith("no answer")}

NOTHING_DELIVERED = {
    "refuses": "no licence for this operation",
    "protocol-error": "internal error",
    "lies": "there is no file delivery.step; export says: wrote /",
    "plants-early": "there is no file delivery.step; export says: wrote /",
    "export-fails": "export says: disk full",
    "empty-file": "delivery.step is empty",
    "linked-file": "delivery.step is a symbolic link, which is refused",
    "linked-honest": "delivery.step is a symbolic link, which is refused",
    "folder-as-file": "delivery.step is a folder",
    "pipe-as-file": "delivery.step is no regular file",
    "huge-file": "delivery.step has more than",
    "writes-outside": "there is no file delivery.step",
    "looks-around": "delivery.step is empty",
}
"""Nothing lies there: the server's word for it is kept."""

HARMLESS = (
    "honest",
    "control-in-name",
    "floods-stderr",
    "bad-structure",
    "asks-back",
    "speaks-utf16",
    "leaves-child",
    "ignores-the-end",
)
"""What is wrong with them must not touch the trial: the part passes."""


def described(mode, mark, **changes):
    entry = {
        "id": "hostile",
        "label": mode,
        "folder": FOLDER.name,
        "command": ["{python}", "-B", f"{{folder}}/{SERVER}", mode, mark],
        "allowed": ["build"],
        "capabilities": ["program", "parameters", "step"],
        "export": {"tool": "export", "arguments": {"filename": "{path}"}},
        "counting": {"plans": ["build"], "commits": ["build"]},
        "start_s": PATIENCE_S if mode in NEVER_START else 120,
        "call_s": PATIENCE_S if mode in NEVER_ANSWER else 120,
        **changes,
    }
    return ExternalSettings(HostDescription.build(entry, "hosts.toml"), folder=FOLDER)


@pytest.fixture(scope="module")
def ruler():
    with Ruler() as warm_ruler:
        warm_ruler.warm_up()
        yield warm_ruler


@pytest.fixture(scope="module")
def step(warm):
    """The text of a right S1, as our own host exports it."""

    async def made():
        async with HostWorld.open(warm, None) as world:
            for call in SUITE.script(CASE, ASKED, "reference").calls:
                assert not (await world.call(call.tool, call.arguments)).failed
            return await world.export()

    return anyio.run(made).decode()


@pytest.fixture
def mark():
    """A word on the command line of all that a test starts; none of it may be there at its end."""
    word = f"gaugeblock-{uuid.uuid4().hex}"
    yield word
    psutil.wait_procs(marked(word), timeout=GONE_S)
    assert marked(word) == []


def marked(word):
    found = []
    for process in psutil.process_iter():
        try:
            if word in process.cmdline():
                found.append(process)
        except psutil.Error:
            continue
    return found


def judge(asked, delivered):
    return SUITE.grade(asked, delivered, ruler_fingerprint="0" * 64)


def play(folder, ruler, agent, settings):
    setup = RoundSetup("0001.t.S1.r1", ASKED, CASE.limits, "en", None, folder / "S1")
    with Journal(folder / "events.jsonl") as journal:
        work = partial(run_round, setup, agent, settings, ruler, judge, journal)
        result, _ = anyio.run(work)
    assert RoundResult.load((folder / "S1" / RESULT).read_bytes(), "result.json") == result
    kinds = [event["kind"] for event in read_journal(folder / "events.jsonl")]
    assert (kinds[0], kinds[-1]) == ("round-started", "round-ended")
    return result


@pytest.fixture
def trial(tmp_path, ruler, step, mark, monkeypatch):
    """Run a trial on a server of a mode; its folder must be gone with it."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def tried(mode, agent=None, **changes):
        agent = agent or ScriptedAgent([("build", {"step": step})])
        result = play(tmp_path, ruler, agent, described(mode, mark, **changes))
        assert list(temporary.iterdir()) == []
        return result

    return tried


def test_every_mode_of_the_server_is_tried():
    listed = subprocess.run(
        [sys.executable, "-B", FOLDER / SERVER], capture_output=True, text=True, check=True
    ).stdout.split()
    assert sorted([*LOST, *NOTHING_DELIVERED, *HARMLESS, "no-step"]) == sorted(listed)


@pytest.mark.parametrize("mode", HARMLESS)
def test_what_is_no_concern_of_the_trial_does_not_touch_it(trial, mode):
    result = trial(mode)
    assert (result.outcome, result.reason) == ("passed", "")
    assert (result.plans, result.commits, result.tool_calls) == (1, 1, 1)


@pytest.mark.parametrize("mode", LOST)
def test_a_server_that_fails_is_the_hosts_error(trial, mode, tmp_path):
    result = trial(mode)
    assert result.outcome == "error:host"
    assert LOST[mode] in result.reason
    assert not (tmp_path / "S1" / ARTIFACT).exists()


@pytest.mark.parametrize("mode", NOTHING_DELIVERED)
def test_what_was_not_delivered_is_told_in_the_servers_words(trial, mode, tmp_path):
    result = trial(mode)
    assert result.outcome == "no-delivery"
    assert NOTHING_DELIVERED[mode] in result.reason
    assert not (tmp_path / "S1" / ARTIFACT).exists()


def test_a_file_that_is_no_step_is_judged_by_the_ruler(trial, tmp_path):
    """It is kept as evidence; a ruler that cannot measure gives neither a pass nor a zero."""
    result = trial("no-step")
    assert result.outcome == "could-not-grade"
    assert "STEP" in result.reason
    assert (tmp_path / "S1" / ARTIFACT).read_text() == "solid cube: 10 x 10 x 10\n"


def test_nothing_is_written_outside(trial):
    trial("writes-outside")
    places = [Path("/"), Path("/tmp"), Path("/var/tmp"), Path("/usr"), Path.home(), FOLDER.parent]
    assert [place for place in places if (place / OUTSIDE_NAME).exists()] == []


@pytest.mark.parametrize("mode", ["control-in-name", "many-tools", "same-name-twice"])
def test_strange_names_that_would_be_shown_are_refused(trial, mode):
    assert trial(mode, allowed=None, denied=["export"]).outcome == "error:host"


class Forbidden:
    """Builds, and then tries what it was not shown: tools denied, unlisted and of nobody."""

    def __init__(self, step):
        self.step = step
        self.shown = ()
        self.answers = []

    async def work(self, brief, desk):
        self.shown = tuple(tool.name for tool in desk.tools)
        await desk.call("build", {"step": self.step})
        for name, arguments in (("forbidden", {}), ("export", {"filename": "x"}), ("nobody", {})):
            self.answers.append(await desk.call(name, arguments))
        return AgentReport("done")


def test_a_tool_that_is_not_shown_is_a_counted_tool_error(trial, step):
    agent = Forbidden(step)
    result = trial("honest", agent)
    assert agent.shown == ("build",)
    assert [answer.failed for answer in agent.answers] == [True, True, True]
    assert (result.outcome, result.tool_calls) == ("passed", 4)  # `forbidden` would have lost it


def test_a_denied_tool_is_not_shown_where_all_others_are(trial, step):
    agent = Forbidden(step)
    result = trial("honest", agent, allowed=None, denied=["forbidden"])
    assert agent.shown == ("build", "export")
    assert [answer.failed for answer in agent.answers] == [True, False, True]
    assert result.outcome == "passed"


def test_counts_that_nothing_is_said_of_are_unknown_and_not_nothing(trial):
    result = trial("honest", counting={})
    assert result.outcome == "passed"
    assert (result.plans, result.commits, result.repairs, result.first_commit_s) == (None,) * 4
    assert all(result.unknown[name] for name in ("plans", "commits", "repairs", "first_commit_s"))
    assert result.tool_calls == 1


def test_a_server_sees_no_key_no_home_no_network_and_no_other_process(mark, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("GAUGEBLOCK_TEST", "mine")

    async def look():
        async with ExternalWorld.open(described("looks-around", mark), None) as world:
            return await world.call("build", {"step": ""})

    seen = json.loads(anyio.run(look).text)
    assert not {"ANTHROPIC_API_KEY", "GAUGEBLOCK_TEST"} & set(seen["environment"])
    interpreter = Path(sys.base_prefix).parts  # of ours, wherever that lies
    assert [name for name in seen["homes"] if name not in interpreter] == []
    assert seen["network"] == []
    assert seen["processes"] <= 3  # itself, and what shuts it in


def test_other_tools_than_when_the_plan_was_made_are_refused(mark):
    from dataclasses import replace

    async def opened(**changes):
        async with ExternalWorld.open(replace(described("honest", mark), **changes), None):
            return True

    with pytest.raises(WorldLost, match="other tools than when the plan was made"):
        anyio.run(partial(opened, announced_sha256="0" * 64))
    assert anyio.run(opened)
