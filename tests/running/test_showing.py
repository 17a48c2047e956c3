"""What a case shows beside the host, what a profile lacks for it, and how such calls count."""

import anyio
import pytest
import sheet_suite
from sheet_suite import FILES, RULEBOOK, SUITE

from gaugeblock.records.case import Limits
from gaugeblock.records.drawing_task import Ceilings, ChanceRates, DrawingTask
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.profile import Profile, scripted_profile
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.records.store import Journal
from gaugeblock.running.counting import Counting
from gaugeblock.running.desk import TrialDesk
from gaugeblock.running.readback import sha256
from gaugeblock.running.showing import (
    WORKSPACE_TOOLS,
    images_of,
    profile_lacks,
    tools_on,
    workspace_of,
)
from gaugeblock.running.translation import lacks, translated
from gaugeblock.suites import ToolCall, load_suite
from gaugeblock.worlds import HostSettings, Tool, ToolResult

VECTOR, RASTER = SUITE.case("plate.vector"), SUITE.case("plate.raster")
HOST = (Tool("propose", "", {}),)
MODEL = Profile(id="m", label="m", agent="api", dialect="openai-responses", model="m", provider="p")
SEES = MODEL.model_copy(update={"input_modalities": ("text", "image"), "image_tokens": 9})


def task(case, **changes):
    """Return a sheet's task over the files that the suite shows."""
    shown = {name.rpartition("/")[2]: sha256(data) for name, data in FILES[case.axis].items()}
    fields = {
        "track": case.axis,
        "group": "independent",
        "part_class": "plate",
        "difficulty": 1,
        "shown": shown,
        "rulebook_sha256": sha256(*RULEBOOK.values()),
        "reference_sha256": "0" * 64,
        "dimensions": (SheetDimension(label="40", type="length", value=40),),
        "ceilings": Ceilings(
            asked=1,
            measurable=1,
            measurable_extended=1,
            drawn=1,
            semantic_match=1,
            chance=ChanceRates(length=0, diameter=0, radius=0, angle=0),
        ),
        "canary": "c",
        **changes,
    }
    return case.model_copy(update={"drawing": DrawingTask.build(fields, "test")})


def test_workspace_and_image_are_no_matter_of_the_host():
    for case in (VECTOR, RASTER):
        assert lacks(HostSettings(), case) is None
    other = VECTOR.model_copy(update={"needs": ("workspace", "image", "milling")})
    assert lacks(HostSettings(), other) == "host lacks milling"


def test_a_profile_lacks_images_where_a_case_shows_some():
    assert profile_lacks(MODEL, RASTER) == "profile lacks image"
    assert profile_lacks(MODEL, VECTOR) is None
    assert profile_lacks(SEES, RASTER) is None
    for agent in ("reference", "null", "mutant:file"):  # a script looks at nothing
        assert profile_lacks(scripted_profile(agent), RASTER) is None


def test_the_tools_of_both_are_shown_unless_names_clash():
    assert tools_on(VECTOR, HOST) == (*HOST, *WORKSPACE_TOOLS)
    assert tools_on(load_suite("growth").case("S1"), HOST) == HOST
    assert tools_on(VECTOR.model_copy(update={"answer": "program"}), HOST) == ()
    with pytest.raises(WrongUse, match="tool read_file has the name of one of the workspace"):
        tools_on(VECTOR, (*HOST, Tool("read_file", "", {})))


def test_files_and_pictures_are_those_that_the_case_names():
    for case in (VECTOR, RASTER):
        files = {**FILES[case.axis], **RULEBOOK}
        assert workspace_of(SUITE, task(case)).files == files
    (picture,) = images_of(SUITE, task(RASTER))
    assert (picture.media_type, picture.data) == ("image/png", *FILES["raster"].values())
    assert images_of(SUITE, task(VECTOR)) == ()
    assert workspace_of(SUITE, load_suite("growth").case("S1")) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"shown": {"drawing.svg": "0" * 64}}, "/drawing/drawing.svg is not the file"),
        ({"shown": {}}, "/drawing/drawing.svg is not the file"),
        (
            {"shown": {"drawing.svg": sha256(*FILES["vector"].values()), "a.dxf": "0" * 64}},
            "/drawing/a.dxf is not the file",
        ),
        ({"rulebook_sha256": "0" * 64}, "the rulebook is not the edition"),
        ({"rulebook_sha256": None}, "the rulebook is not the edition"),
    ],
)
def test_other_files_than_those_named_are_refused(changes, said):
    with pytest.raises(WrongUse, match=said):
        workspace_of(SUITE, task(VECTOR, **changes))


def test_a_case_that_asks_for_images_and_shows_none_is_refused(monkeypatch):
    monkeypatch.setitem(sheet_suite.FILES, "raster", {})
    with pytest.raises(WrongUse, match="shows none"):
        images_of(SUITE, RASTER)


def test_calls_to_the_workspace_are_the_same_beside_every_host():
    described = object()  # no word of it is looked at
    call = ToolCall(tool="write_file", arguments={"path": "/own/a", "text": "x"})
    assert translated(call, described) == call


def test_a_repeated_read_counts_whatever_the_host_commits_between(tmp_path):
    """Calls of the workspace are no plans; the host's own reads begin anew with each commit."""
    shown = ToolResult(False, "a", {"status": "done", "text_sha256": "a"})
    other = ToolResult(False, "b", {"status": "done", "text_sha256": "b"})
    answers = {
        "read_file": [shown, shown, other, other],
        "write_file": [shown],
        "propose": [ToolResult(False, "ok", {"version": 1})],
        "read_document": [shown, shown],
    }

    class World:
        tools = (*HOST, *WORKSPACE_TOOLS)

        async def call(self, name, arguments):
            return answers[name].pop(0)

    calls = [
        ("read_file", {"path": "/own/a"}),
        ("read_document", {}),
        ("propose", {"program": "x"}),
        ("read_document", {}),  # the document changed: no loop
        ("read_file", {"path": "/own/a"}),  # the same answer as before: one
        ("write_file", {"path": "/own/a", "text": "b"}),
        ("read_file", {"path": "/own/a"}),  # it changed: another answer
        ("read_file", {"path": "/own/a"}),  # two
    ]
    files = frozenset(tool.name for tool in WORKSPACE_TOOLS)
    limits = Limits(wall_s=9, tool_calls=99, turns=9, program_s=9, evaluation_s=9)

    async def work():
        with Journal(tmp_path / "events.jsonl") as journal:
            desk = TrialDesk(World(), limits, journal, counting=Counting(files=files))
            for name, arguments in calls:
                await desk.call(name, arguments)
            return desk.counts

    counts = anyio.run(work)
    assert (counts.repeated_calls, counts.plans, counts.commits) == (2, 1, 1)
    assert counts.tool_calls == len(calls)
