"""Cases with a workspace as they are run: by script and by provider, with real servers and ruler.

The provider is a mock that speaks real HTTP on loopback.
"""

import base64
import hashlib
import json
from pathlib import Path

import anyio
import pytest
import sheet_suite
from mock_models import PRICE, snapshot
from sheet_suite import BUILD, FILES, RULEBOOK, SUITE

from gaugeblock.agents.mock import MockProvider, Say, Tokens
from gaugeblock.cli.running import plan_lines
from gaugeblock.records.run_folder import ARTIFACT, EVENTS, open_run
from gaugeblock.records.store import read_journal
from gaugeblock.running.amending import regrade
from gaugeblock.running.audit import audit
from gaugeblock.running.plans import Wish
from gaugeblock.running.run import Watch, plan_only, run
from gaugeblock.worlds import HostWorld

DIALECTS = (
    "openai-responses",
    "xai-responses",
    "anthropic-messages",
    "gemini-generate-content",
    "openai-chat",
)
PROFILE = """
[[profile]]
id = "{dialect}"
label = "a mock"
agent = "api"
dialect = "{dialect}"
provider = "mock"
model = "mock-maker"
base_url = "{url}"
key_variable = "MOCK_KEY"
{more}
"""
IMAGES = 'input_modalities = ["text", "image"]\nimage_tokens = 1600'
PART, DRAWING = (str(Path("/work", name)) for name in ("part.step", "drawing.dxf"))


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    monkeypatch.setattr("gaugeblock.suites.SUITES", {sheet_suite.NAME: "sheet_suite"})


@pytest.fixture(scope="module")
def plate(warm):
    """The STEP text of the right plate, as our host exports it."""

    async def made():
        async with HostWorld.open(warm, None) as world:
            answer = await world.call(BUILD.tool, BUILD.arguments)
            assert not answer.failed, answer.text
            return (await world.deliver()).step.decode()

    return anyio.run(made)


def rows(folder):
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def events(folder, kind, trial=0):
    found = read_journal(open_run(folder).trials[trial].folder / EVENTS)
    return [event for event in found if event["kind"] == kind]


def asked(tmp_path, monkeypatch, mock, case, dialects, more=""):
    """Return a wish for mock profiles on a case."""
    monkeypatch.setenv("MOCK_KEY", "sk-mock")
    texts = [PROFILE.format(dialect=d, url=mock.url(d), more=more) for d in dialects]
    (tmp_path / "profiles.toml").write_text("".join(texts))
    return Wish(
        (f"sheets/{case}",),
        dialects,
        1,
        profile_file=tmp_path / "profiles.toml",
        prices=snapshot(),
        budget_usd="5",
    )


def conversation(*calls):
    says = [Say(f"step {n}", (call,), usage=Tokens()) for n, call in enumerate(calls)]
    return [*says, Say("done", usage=Tokens())]


def test_scripts_deliver_by_the_host_or_as_a_file(tmp_path, monkeypatch, plate):
    monkeypatch.setattr(SUITE, "step", plate)
    out = tmp_path / "out"
    run(Wish(("sheets",), ("reference", "null", "mutant:file"), 1), out, Watch())
    found = {(row["profile"], row["case"]): row for row in rows(out)}
    assert len(found) == 6
    for track in ("vector", "raster"):
        by_host = found["reference", f"plate.{track}"]
        by_file = found["mutant:file", f"plate.{track}"]
        assert (by_host["outcome"], by_host["commits"]) == ("passed", 1)
        assert (by_file["outcome"], by_file["commits"], by_file["plans"]) == ("passed", 0, 0)
        assert by_file["first_commit_s"] is None
        assert by_file["unknown"]["first_commit_s"] == "nothing was committed"
        assert found["null", f"plate.{track}"]["outcome"] == "no-delivery"
    names = [trial.planned.profile_id for trial in open_run(out).trials]
    taken = {
        name: [event["taken"] for event in events(out, "delivered", number)]
        for number, name in enumerate(names)
    }
    assert taken == {"reference": ["host"], "null": [], "mutant:file": [PART]}
    assert audit(out).mismatches == []
    regrade(out, "to see that a file needs no commit")
    again = [row.outcome for row in open_run(out).rows()]
    assert sorted(again) == ["no-delivery"] * 2 + ["passed"] * 4


def test_a_model_reads_the_sheet_and_writes_the_part_as_a_file(tmp_path, monkeypatch, plate):
    read = ("read_file", {"path": "/drawing/drawing.svg"})
    says = conversation(
        ("list_files", {}),
        read,
        ("read_file", {"path": "/rulebook/rulebook.md"}),
        (BUILD.tool, {**BUILD.arguments, "parameters": {"length": 41}}),  # a wrong one
        read,  # a commit changes no sheet: this is the same call with the same answer
        ("write_file", {"path": "/drawing/drawing.svg", "text": "forged"}),
        ("write_file", {"path": PART, "text": plate}),
        ("write_file", {"path": DRAWING, "text": "a drawing"}),
    )
    out = tmp_path / "out"
    with MockProvider(says) as mock:
        dialects = ("anthropic-messages",)
        run(asked(tmp_path, monkeypatch, mock, "plate.vector", dialects), out, Watch())
        told = b"".join(request.body for request in mock.received).decode()
        assert "<text>40</text>" in told and "Build the nominal size." in told
        assert "REFUSED (read-only)" in told
    (row,) = rows(out)
    assert row["outcome"] == "passed", row["reason"]  # the file, and not the host's wrong plate
    assert (row["tool_calls"], row["plans"], row["commits"]) == (8, 1, 1)
    assert row["repeated_calls"] == 1
    place = open_run(out).trials[0].rounds[0].folder
    assert (place / ARTIFACT).read_text() == plate
    (delivered,) = events(out, "delivered")
    assert delivered["taken"] == PART and delivered["reason"] == delivered["drawing_refused"] == ""
    assert delivered["drawing_sha256"] == hashlib.sha256(b"a drawing").hexdigest()
    repeated = [event["call"] for event in events(out, "tool-result") if event.get("repeated")]
    assert repeated == [5]
    sheet = hashlib.sha256(FILES["vector"]["/drawing/drawing.svg"]).hexdigest()
    calls = events(out, "workspace-call")
    assert [(call["tool"], call["refused"]) for call in calls] == [
        ("list_files", ""),
        ("read_file", ""),
        ("read_file", ""),
        ("read_file", ""),
        ("write_file", "read-only"),
        ("write_file", ""),
        ("write_file", ""),
    ]
    assert calls[1]["target"] == "/drawing/drawing.svg"
    assert calls[1]["sha256_before"] == calls[1]["sha256_after"] == sheet
    assert calls[1]["lines"] == [1, 4]
    assert calls[1]["arguments_sha256"] == calls[3]["arguments_sha256"]
    assert calls[5]["sha256_before"] is None
    assert calls[5]["sha256_after"] == row["artifact_sha256"]
    (started,) = events(out, "workspace-started")
    assert set(started["files"]) == {*FILES["vector"], *RULEBOOK}
    assert audit(out).mismatches == []


def test_a_file_that_cannot_be_taken_is_no_delivery_whatever_the_host_has(tmp_path, monkeypatch):
    says = conversation((BUILD.tool, BUILD.arguments), ("write_file", {"path": PART, "text": ""}))
    out = tmp_path / "out"
    with MockProvider(says) as mock:
        dialects = ("openai-chat",)
        run(asked(tmp_path, monkeypatch, mock, "plate.vector", dialects), out, Watch())
    (row,) = rows(out)
    assert (row["outcome"], row["commits"]) == ("no-delivery", 1)
    assert row["reason"] == f"{PART}: part.step is empty"
    assert audit(out).mismatches == []


def test_the_sheet_is_in_the_first_message_of_every_dialect(tmp_path, monkeypatch):
    says = conversation(("list_files", {}), (BUILD.tool, BUILD.arguments))
    picture = base64.b64encode(FILES["raster"]["/drawing/drawing.png"])
    out = tmp_path / "out"
    with MockProvider(says * len(DIALECTS)) as mock:
        wish = asked(tmp_path, monkeypatch, mock, "plate.raster", DIALECTS, IMAGES)
        run(wish, out, Watch())
        assert len(mock.received) == len(DIALECTS) * len(says)
        assert all(request.body.count(picture) == 1 for request in mock.received)
    assert [row["outcome"] for row in rows(out)] == ["passed"] * len(DIALECTS)
    digest = hashlib.sha256(FILES["raster"]["/drawing/drawing.png"]).hexdigest()
    for trial in range(len(DIALECTS)):
        assert [event["images"] for event in events(out, "instruction", trial)] == [[digest]]


def test_a_profile_without_images_is_told_and_not_run(tmp_path, monkeypatch):
    out = tmp_path / "out"
    with MockProvider([]) as mock:
        wish = asked(tmp_path, monkeypatch, mock, "plate.raster", DIALECTS[:1])
        plan = plan_only(wish)
        run(wish, out, Watch())
        assert mock.received == []
    told = "openai-responses: not run on plate.raster: profile lacks image"
    assert told in plan_lines(plan)
    assert plan.estimates[0].conversations == 0
    (row,) = rows(out)
    assert (row["outcome"], row["reason"]) == ("not-run", "profile lacks image")
    assert row["attempted"] is False


def test_the_first_reserve_counts_the_image(tmp_path, monkeypatch):
    """By hand: an image of 100,000 tokens more costs so many at the price of input."""
    with MockProvider([]) as mock:
        first = []
        for tokens in ("1600", "101600"):
            images = IMAGES.replace("1600", tokens)
            wish = asked(tmp_path, monkeypatch, mock, "plate.raster", DIALECTS[2:3], images)
            first.append(float(plan_only(wish).estimates[0].first_reserve_usd))
    price = float(PRICE["input"]["usd_per_mtok"])
    assert first[1] - first[0] == pytest.approx(100_000 * price / 1e6)


def test_the_plan_names_the_tools_of_both(tmp_path):
    plan = plan_only(Wish(("sheets/plate.vector",), ("reference",), 1))
    shown = plan.host.shown(plan.cases[0])
    assert shown.names[-5:] == (
        "list_files",
        "read_file",
        "search_files",
        "write_file",
        "edit_file",
    )
    assert "propose" in shown.names
    assert set(plan.host.toolsets) == {"program+workspace"}
