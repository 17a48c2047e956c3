"""Suite `assembly` as it is run: object tools and the no-tools baseline, by script and by provider.

The provider is a mock that speaks real HTTP on loopback; SDKs, hosts and ruler are real.
"""

import json
import shutil
from decimal import Decimal

import numpy as np
import pytest
from mock_models import KEY, snapshot, write_profiles
from PIL import Image

from gaugeblock.agents.mock import MockProvider, Say, Tokens
from gaugeblock.cli.demo_machine import show_machine
from gaugeblock.records.run_folder import (
    DOCUMENT,
    EVENTS,
    INTERFERENCE,
    RESULT,
    open_run,
    read_interference,
)
from gaugeblock.records.store import read_journal
from gaugeblock.running.audit import audit
from gaugeblock.running.plans import Wish
from gaugeblock.running.run import Watch, run
from gaugeblock.suites import load_suite

SUITE = load_suite("assembly")
MACHINE, PROGRAM = SUITE.case("espresso-machine"), SUITE.case("espresso-machine-program")
DIALECTS = ("anthropic-messages", "openai-responses")
TOKENS = Tokens(input=20_000, cache_read=5_000, output=800, reasoning=100)
COST = Decimal("0.055")
"""By hand: 20,000 × 2 + 5,000 × 0.60 + 800 × 15 = 40,000 + 3,000 + 12,000 USD a million."""


def reference(case):
    return SUITE.script(case, case.rounds[0], "reference")


def single_calls():
    """The reference's calls one by one, each batch taken apart: steps, then a save."""
    calls = []
    for call in reference(MACHINE).calls:
        inside = call.arguments["calls"] if call.tool == "batch" else [call.model_dump()]
        calls += [(one["tool"], one["arguments"]) for one in inside]
    return calls


def conversation():
    """A model's turns that build the machine: it looks, makes two steps a turn, and checks."""
    *steps, save = single_calls()
    turns = [(("list_objects", {}),)]
    turns += [tuple(steps[place : place + 2]) for place in range(0, len(steps), 2)]
    looks = [("inspect_object", {"object": name}) for name in ("housing", "group head")]
    between = ("measure_between", {"first": "group head", "second": "drip tray"})
    turns += [(*looks, between, ("list_objects", {}), save)]
    says = [Say(f"Step {n}.", turn, usage=TOKENS) for n, turn in enumerate(turns)]
    return [*says, Say("The machine is done.", usage=TOKENS)]


SAYS = conversation()


@pytest.fixture(scope="module")
def finished(tmp_path_factory, sharing):
    """One run and what went over its wire: the reference, and a mock of two dialects.

    One of the two works without tools as well.
    """
    folder = tmp_path_factory.mktemp("assembly")
    answer = Say(reference(PROGRAM).says, usage=TOKENS)
    with pytest.MonkeyPatch.context() as patch, MockProvider([*SAYS, answer, *SAYS]) as mock:
        patch.setenv("MOCK_KEY", KEY)
        profiles = folder / "profiles.toml"
        write_profiles(profiles, mock, DIALECTS)
        wish = Wish(
            ("assembly",),
            ("reference", *DIALECTS),
            trials=1,
            profile_file=profiles,
            prices=snapshot(),
            budget_usd="20",
            wanted=lambda profile, case: case is MACHINE or profile.id == DIALECTS[0],
        )
        with sharing():
            run(wish, folder / "run", Watch())
        assert mock.left == 0
        assert mock.check_continuation(3) == []
        received = [(request.dialect, request.body) for request in mock.received]
    return folder / "run", received


@pytest.fixture(scope="module")
def rows(finished):
    lines = (finished[0] / "results.jsonl").read_text().splitlines()
    return {(row["profile"], row["case"]): row for row in map(json.loads, lines)}


def events(folder, profile, case):
    (trial,) = (
        trial
        for trial in open_run(folder).trials
        if (trial.planned.profile_id, trial.planned.case_id) == (profile, case.id)
    )
    return trial, read_journal(trial.folder / EVENTS)


def test_everyone_reaches_all_points_and_no_solids_share_space(rows):
    assert len(rows) == 4
    for row in rows.values():
        assert (row["outcome"], row["points"], row["points_of"]) == ("passed", 60, 60)
        assert (row["interference_pairs"], row["interference_mm3"]) == (0, 0)
        assert row["scripted"], "neither a script nor a mock is ever a result"


def test_object_tools_are_counted(rows):
    row = rows["reference", MACHINE.id]
    calls = reference(MACHINE).calls
    assert row["tool_calls"] == len(calls)
    assert row["plans"] == row["commits"] == len(calls) - 1, "all but the save"
    assert (row["repairs"], row["idle_commits"], row["repeated_calls"]) == (0, 0, 0)
    assert (row["first_try"], row["program_chars"], row["look_ups"]) == (True, 0, 0)
    assert 0 < row["first_commit_s"] < row["total_s"]
    assert row["cad_validate_s"] > 0 and row["cad_preview_s"] == 0, "no program ran"


def test_the_plan_and_the_rows_tell_the_tools_that_were_shown(finished, rows):
    host = open_run(finished[0]).plan.host
    assert set(host.toolsets) == {"objects", "none"}
    shown = host.toolsets["objects"]
    assert {"box", "batch", "save"} < set(shown.names) and "propose" not in shown.names
    for (_, case), row in rows.items():
        with_tools = case == MACHINE.id
        assert row["host_tools"] == (len(shown.names) if with_tools else 0)
        assert row["signatures_bytes"] == (shown.signatures_bytes if with_tools else 0)


def test_a_model_builds_it_within_the_limits_of_the_suite(finished, rows):
    limits = MACHINE.limits
    for dialect in DIALECTS:
        row = rows[dialect, MACHINE.id]
        assert row["provider_calls"] == len(SAYS) <= limits.turns
        assert row["tool_calls"] == sum(len(say.calls) for say in SAYS) <= limits.tool_calls
        assert row["plans"] == row["commits"] == len(single_calls()) - 1
        sent = [body for asked, body in finished[1] if asked == dialect]
        largest = max(map(len, sent))
        assert largest == len(sent[len(SAYS) - 1]), "a request only grows"
        assert largest < limits.request_bytes
        assert row["signatures_bytes"] < len(sent[0]) < largest


def test_usage_and_cost_are_those_of_the_provider(rows):
    answered = {(dialect, MACHINE.id): len(SAYS) for dialect in DIALECTS}
    for place, requests in {**answered, (DIALECTS[0], PROGRAM.id): 1}.items():
        row = rows[place]
        assert (row["provider_calls"], row["unsettled_calls"]) == (requests, 0)
        assert row["input_uncached"] == 20_000 * requests
        assert (row["cache_read"], row["output"]) == (5_000 * requests, 800 * requests)
        assert Decimal(row["cost_usd"]) == COST * requests


def test_without_tools_the_program_of_the_answer_is_what_is_judged(finished, rows):
    folder, received = finished
    says = reference(PROGRAM).says
    row = rows[DIALECTS[0], PROGRAM.id]
    assert (row["tool_calls"], row["plans"], row["commits"]) == (1, 1, 1)
    trial, told = events(folder, DIALECTS[0], PROGRAM)
    assert [event["text"] for event in told if event["kind"] == "answer"] == [says]
    (call,) = (event for event in told if event["kind"] == "tool-call")
    program = call["arguments"]["program"]
    assert program in says and len(program) == row["program_chars"]
    document = json.loads((trial.rounds[0].folder / DOCUMENT).read_text())
    assert [feature["source"] for feature in document["features"]] == [program]
    (asked,) = (body for _, body in received if b'"tools"' not in body)
    assert (
        PROGRAM.rounds[0].instruction["en"][:60]
        in json.loads(asked)["messages"][0]["content"][0]["text"]
    )


def test_evidence_is_sound_but_where_it_was_changed(finished, tmp_path):
    folder, _ = finished
    for trial in open_run(folder).trials:
        found = read_interference(trial.rounds[0].folder)
        assert found.verdict == "measured" and found.pairs, "parts that touch were looked at"
    written = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert KEY.encode() not in written

    # Two negative controls in one audit: a result that tells of another interference, and a
    # record that is gone. Everything else is measured, graded and reckoned again.
    copy = shutil.copytree(folder, tmp_path / "copy")
    first, second, *_ = open_run(copy).trials
    changed = first.rounds[0].folder / RESULT
    changed.chmod(0o644)
    text = changed.read_text()
    assert '"interference_pairs": 0' in text
    changed.write_text(text.replace('"interference_pairs": 0', '"interference_pairs": 2'))
    gone = second.rounds[0].folder / INTERFERENCE
    gone.parent.chmod(0o755)
    gone.unlink()
    lines = audit(copy).mismatches
    assert any("the result says 2 pairs" in line for line in lines)
    assert any(f"{INTERFERENCE}: missing" in line for line in lines)
    touched = (first.planned.id, second.planned.id, "results.jsonl")
    assert [line for line in lines if not any(name in line for name in touched)] == []


def test_the_report_keeps_the_baseline_beside(finished):
    report = (finished[0] / "report.md").read_text()
    assert "| reference | espresso-machine | passed | 1 | 60/60 |" in report
    assert "/100" not in report and "quality is pending" in report


def test_the_demo_tells_the_points_and_draws_the_machine_in_its_colours(finished, tmp_path, capsys):
    picture = tmp_path / "machine.png"
    show_machine(open_run(finished[0]), picture)
    told = capsys.readouterr().out
    assert "60/60 points" in told and "0 pairs of solids share space" in told
    assert "pending" in told and str(picture) in told.replace("\n", "")
    pixels = np.asarray(Image.open(picture).convert("RGB")).reshape(-1, 3).astype(int)
    blue = pixels[:, 2] - pixels[:, 0] > 30
    assert 0.005 < blue.mean() < 0.3, "the tank is pale blue, and is not all of it"
    assert 0.2 < (pixels.min(axis=1) > 250).mean() < 0.8, "a machine on white paper"
