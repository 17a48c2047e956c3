"""A host that is not ours: what is counted, what its fingerprint holds, and a real one at work."""

import json
import re
import sys
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import anyio
import psutil
import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.host_description import HostDescription
from gaugeblock.records.run_folder import open_run
from gaugeblock.records.store import Journal
from gaugeblock.running import described_host
from gaugeblock.running.amending import _undelivered
from gaugeblock.running.audit import audit
from gaugeblock.running.counting import OWN, counting_of
from gaugeblock.running.described_host import DescribedHost, settings_of
from gaugeblock.running.desk import TrialDesk
from gaugeblock.running.known_hosts import KnownHost, find_host, planned_host
from gaugeblock.running.plans import Wish, lay_out
from gaugeblock.running.run import Watch, resume, run
from gaugeblock.running.translation import lacks, program_text, translated
from gaugeblock.sandbox import available_isolation
from gaugeblock.suites import ToolCall, load_suite
from gaugeblock.worlds import ExternalSettings, HostSettings, Tool, ToolResult

ENTRY = {
    "id": "cad",
    "label": "cad",
    "command": ["cad"],
    "capabilities": ["program", "parameters", "step"],
    "export": {"tool": "export"},
}
COUNTED = {
    "plans": ["execute"],
    "commits": ["execute"],
    "committed_when": "Registered",
    "rejected_when": "Error:",
}
PROGRAM = {"tool": "execute", "argument": "code", "before": "import cad\n", "after": "show(result)"}
GROWTH = load_suite("growth")


def described(**changes):
    return HostDescription.build({**ENTRY, **changes}, "test")


def host(**changes):
    return ExternalSettings(described(**changes))


def played(tmp_path, settings, answers):
    """Count prepared answers to `execute` as a desk does."""

    class Answers:
        tools = ()

        async def call(self, name, arguments):
            return ToolResult(False, answers.pop(0))

    async def work():
        limits = GROWTH.case("S1").limits.model_copy(update={"repairs": None})
        with Journal(tmp_path / "events.jsonl") as journal:
            desk = TrialDesk(Answers(), limits, journal, counting=counting_of(settings))
            for _ in range(len(answers)):
                await desk.call("execute", {"code": "x" * 7})
            return desk

    return anyio.run(work)


def test_calls_are_counted_as_described(tmp_path):
    answers = ["Error: no Box", "42", "Registered 'a'", "Error: Registered", "Registered 'b'"]
    desk = played(tmp_path, host(counting=COUNTED, program=PROGRAM), answers)
    counts = desk.counts
    assert (counts.tool_calls, counts.plans, counts.commits, counts.rejections) == (5, 5, 2, 2)
    assert (counts.repairs, counts.first_try, counts.program_chars) == (2, False, 7)
    assert not desk.uncommitted()
    assert set(desk.counting.unknown) == {"idle_commits", "look_ups", "cad"}


def test_what_is_not_described_is_unknown_and_no_zero(tmp_path):
    desk = played(tmp_path, host(), ["Registered 'a'"])
    unknown = desk.counting.unknown
    assert {"plans", "commits", "repairs", "first_try", "first_commit_s", "program_chars"} <= set(
        unknown
    )
    assert all(unknown.values()) and not desk.uncommitted()  # so what lies there is looked at


@pytest.mark.parametrize(
    ("ours", "commits", "document", "artifact", "undelivered"),
    [
        (True, 0, None, None, True),
        (True, 1, "d" * 64, None, False),  # nothing visible in the document: the grade says so
        (True, 0, None, "a" * 64, False),  # a file of the workspace needs no commit
        (True, 1, None, None, True),  # such a file was there and refused
        (False, 0, None, None, True),
        (False, 2, None, None, True),
        (False, None, None, None, True),
        (False, None, None, "a" * 64, False),
    ],
)
def test_graded_again_no_delivery_is_what_it_is_in_a_run(
    ours, commits, document, artifact, undelivered
):
    host = SimpleNamespace(description=None if ours else described())
    folder = SimpleNamespace(plan=SimpleNamespace(host=host))
    result = SimpleNamespace(commits=commits, document_sha256=document, artifact_sha256=artifact)
    state = SimpleNamespace(result=result)
    assert _undelivered(folder, state) is undelivered


def test_our_own_host_says_all():
    assert counting_of(HostSettings()) is OWN and not OWN.unknown


@pytest.mark.parametrize(
    ("case", "lacking"),
    [
        ("S1", None),
        ("depth", "host lacks document, our own start documents"),
        ("T2", "host lacks document, our own start documents"),
    ],
)
def test_a_case_is_not_run_where_the_host_lacks_what_it_needs(case, lacking):
    assert lacks(host(), GROWTH.case(case)) == lacking
    assert lacks(HostSettings(), GROWTH.case(case)) is None


def test_no_host_but_ours_opens_our_start_documents():
    able = host(
        capabilities=["program", "parameters", "step", "document"],
        document={"file": "a.cad", "save": {"tool": "save"}, "open": {"tool": "open"}},
    )
    several = GROWTH.case("depth").model_copy(update={"start": None, "needs": ("step",)})
    assert lacks(host(), several) == "host lacks document"  # to go on from round to round
    assert lacks(able, several) is None
    assert lacks(able, GROWTH.case("T2")) == "host lacks our own start documents"


def test_a_program_is_told_with_its_parameters_as_assignments():
    use = described(program=PROGRAM).program
    text = program_text(use, "\nresult = box(a, b)\n", {"a": 3, "b": 0.1})
    assert text == "import cad\na = 3\nb = 0.1\nresult = box(a, b)\nshow(result)\n"


def test_a_script_is_translated_or_refused():
    proposed = GROWTH.script(GROWTH.case("S1"), GROWTH.case("S1").rounds[0], "reference").calls[0]
    call = translated(proposed, described(program=PROGRAM))
    assert call.tool == "execute" and set(call.arguments) == {"code"}
    assert "holeDiameter = 6\n" in call.arguments["code"]
    assert translated(proposed, None) is proposed
    changed = ToolCall(tool="set_parameters", arguments={"values": {"wall": 3}})
    for call, able in ((changed, described(program=PROGRAM)), (proposed, described())):
        with pytest.raises(WrongUse, match="host cad: a script's"):
            translated(call, able)


def test_a_script_that_cannot_be_followed_is_refused_before_anything_starts(tmp_path):
    known = KnownHost(described(), tmp_path)
    with pytest.raises(WrongUse, match="`propose` cannot be said to it"):
        lay_out(Wish(("growth/S1",), ("reference",), 1, host=known))
    lay_out(Wish(("growth/S1",), ("null",), 1, host=known))  # calls nothing
    lay_out(Wish(("growth/depth",), ("reference",), 1, host=known))  # will not be run


@pytest.mark.parametrize("more", [{"draws": 1}, {"host_path": "x"}])
def test_what_does_not_go_together_is_refused(tmp_path, more):
    known = KnownHost(described(program=PROGRAM), tmp_path)
    with pytest.raises(WrongUse, match="--host"):
        lay_out(Wish(("growth/S1",), ("reference",), 1, host=known, **more))


def made(tmp_path, *, tools=("a",), version="1", versions="", entry=None):
    """Return a host that was tried, without having been started."""
    folder = tmp_path / "server"
    folder.mkdir(exist_ok=True)
    known = KnownHost(described(folder="server", **(entry or {})), tmp_path)
    settings = settings_of(known)
    return DescribedHost(
        settings=settings,
        code_sha256=described_host._code_sha256(known, settings),
        tools=tuple(Tool(name, "", {}) for name in tools),
        name="cad",
        version=version,
        versions=versions,
        known=known,
    )


@pytest.mark.skipif(available_isolation().kind != "bubblewrap", reason="no bubblewrap")
def test_the_fingerprint_holds_all_that_makes_the_host(tmp_path):
    first = made(tmp_path).fingerprint
    (tmp_path / "server" / "__pycache__").mkdir()
    (tmp_path / "server" / "__pycache__" / "a.pyc").write_text("x")
    assert made(tmp_path).fingerprint == first
    others = [
        made(tmp_path, tools=("a", "b")).fingerprint,
        made(tmp_path, tools=("b",)).fingerprint,
        made(tmp_path, version="2").fingerprint,
        made(tmp_path, versions="kernel 8").fingerprint,
        made(tmp_path, entry={"command": ["cad", "--fast"]}).fingerprint,
        made(tmp_path, entry={"call_s": 30}).fingerprint,
    ]
    before = made(tmp_path)
    (tmp_path / "server" / "main.js").write_text("1")
    others += [made(tmp_path).fingerprint, before.fingerprint_now()]
    assert others[-1] == others[-2]
    hashes = [first.sha256, *(item.sha256 for item in others[:-1])]
    assert len(set(hashes)) == len(hashes)


def test_controls_show_every_case_the_same_tools(tmp_path):
    controls = replace(made(tmp_path), versions="kernel 8").controls(GROWTH.cases())
    assert controls.toolsets["program"].names == ("a",)
    assert (controls.source, controls.runtime) == ("described", "kernel 8")
    assert not controls.rebuilds
    assert controls.description == described(folder="server")


# --- for real --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed():
    """build123d-mcp, installed as a run installs it; skipped where the index cannot be reached."""
    if available_isolation().kind != "bubblewrap":
        pytest.skip("bubblewrap cannot be used here")
    known = find_host("build123d-mcp", None)
    try:
        settings_of(known)
    except WrongUse as error:
        pytest.skip(f"build123d-mcp cannot be installed here: {error}")
    return known


@pytest.fixture(scope="module")
def real_run(installed, tmp_path_factory):
    out = tmp_path_factory.mktemp("real") / "run"
    profiles = ("reference", "null", "mutant:no-holes")
    run(Wish(("growth/S1", "growth/depth"), profiles, 1, host=installed), out, Watch())
    return open_run(out)


def row_of(folder, profile, round_id="S1"):
    return next(r for r in folder.rows() if (r.profile, r.round) == (profile, round_id))


@pytest.mark.timeout(900)
def test_the_reference_passes_every_criterion_of_s1(real_run):
    state = next(
        s for t in real_run.trials for s in t.rounds if t.planned.profile_id == "reference"
    )
    assert state.grade.verdict == "passed"
    checks = {check.name for check in state.grade.checks if check.verdict == "pass"}
    assert checks == {"delivered", "valid", "volume", "solids", "faces", "bounds"}
    row = row_of(real_run, "reference")
    assert (row.outcome, row.plans, row.commits, row.first_try) == ("passed", 1, 1, True)
    assert row.volume_mm3 == pytest.approx(row.expected_volume_mm3, rel=1e-9)
    unknown = ("idle_commits", "look_ups", "host_peak_bytes", "cad_commit_s", "probe")
    assert all(getattr(row, name) is None and row.unknown[name] for name in unknown)


def test_who_does_nothing_or_wrong_does_not_pass(real_run):
    assert row_of(real_run, "null").outcome == "no-delivery"
    wrong = row_of(real_run, "mutant:no-holes")
    assert wrong.outcome == "failed" and {"volume", "faces"} <= set(wrong.failed_checks)


def test_what_the_host_lacks_is_not_run(real_run):
    row = row_of(real_run, "reference", "k1")
    assert row.outcome == "not-run" and not row.attempted
    result = next(
        s.result
        for t in real_run.trials
        for s in t.rounds
        if t.planned.profile_id == "reference" and s.result.round == "k1"
    )
    assert result.reason == "host lacks document, our own start documents"


def test_the_evidence_is_sound_and_names_the_host(real_run):
    assert audit(real_run.path).sound
    plan = real_run.plan
    assert plan.host.name == "build123d-mcp" and plan.host.version == "0.3.91"
    assert "build123d: 0.13.0" in plan.host.runtime
    assert plan.fingerprints["host"].versions == {"build123d-mcp": "0.3.91"}
    own = load_plan_of_own_host()
    assert plan.fingerprints["host"].sha256 != own
    text = (real_run.path / "plan.json").read_text()
    assert sys.prefix not in text  # no machine's path


def load_plan_of_own_host():
    from gaugeblock.running import fingerprints
    from gaugeblock.running.plans import PACKAGE

    return fingerprints.compute(PACKAGE)["host"].sha256


def test_a_command_is_never_taken_from_a_runs_folder(real_run, tmp_path):
    other = json.loads(find_host("build123d-mcp", None).description.model_dump_json())
    path = tmp_path / "hosts.toml"
    path.write_text(
        '[[host]]\nid = "build123d-mcp"\nlabel = "x"\ncommand = ["sh"]\n'
        'capabilities = ["step"]\nexport = { file = "a.step" }\n'
    )
    assert planned_host(real_run.plan, None).description.command == tuple(other["command"])
    with pytest.raises(WrongUse, match="describes another one than your file"):
        planned_host(real_run.plan, path)


def test_nothing_is_left_running(real_run):
    assert real_run.closed
    mine = psutil.Process().children(recursive=True)
    assert not [p for p in mine if {"build123d-mcp", "relay"} & set(words_of(p))]


def words_of(process):
    """Return the words of a process's command line; none of one that is gone or a zombie."""
    with suppress(psutil.Error):
        return re.findall(r"[\w-]+", " ".join(process.cmdline()))
    return []


def test_a_closed_run_is_not_resumed(real_run):
    with pytest.raises(WrongUse, match="closed"):
        resume(real_run.path, Watch())
