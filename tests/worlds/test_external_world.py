"""A strange server as a world: what it saves and opens, tells, is called with and leaves behind."""

from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from gaugeblock.records.host_description import HostDescription
from gaugeblock.sandbox import available_isolation
from gaugeblock.worlds import ExternalSettings, WorldLost, open_world
from gaugeblock.worlds.external_world import announced_sha256

pytestmark = pytest.mark.skipif(
    available_isolation().kind != "bubblewrap", reason="bubblewrap cannot be used here"
)
FOLDER = Path(__file__).parent / "hostile"
COMMAND = ["{python}", "-B", "{folder}/saving_server.py"]


def settings(**changes):
    entry = {
        "id": "saving",
        "label": "saves",
        "command": COMMAND,
        "allowed": ["build"],
        "capabilities": ["program", "step", "document"],
        "export": {"tool": "export", "arguments": {"filename": "{path}"}},
        "document": {
            "file": "part.cad",
            "save": {"tool": "save", "arguments": {"path": "{name}"}},
            "open": {"tool": "open", "arguments": {"path": "{path}"}},
        },
        "version": {"tool": "about"},
        **changes,
    }
    return ExternalSettings(HostDescription.build(entry, "test"), folder=FOLDER)


def visit(host, act, start=None):
    """Open a world, do something there and return what came of it."""

    async def work():
        async with open_world(host, start) as world:
            return await act(world)

    return anyio.run(work)


def built(text):
    async def act(world):
        await world.call("build", {"step": text})
        return await world.deliver()

    return act


async def delivered(world):
    return await world.deliver()


def test_what_was_saved_is_opened_by_a_fresh_server():
    first = visit(settings(), built("a part"))
    assert (first.document, first.step, first.reason) == (b"MODEL a part", b"a part", "")
    again = visit(settings(), delivered, first.document)
    assert again == first
    assert visit(settings(), delivered).step is None  # another server knows nothing of it


def test_a_document_that_it_does_not_open_loses_the_world():
    with pytest.raises(WorldLost, match="does not open what it saved: this is no model"):
        visit(settings(), delivered, b"something else")


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_document_is_never_written_through_what_a_server_laid_there(kind, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("mine")
    host = settings(command=[*COMMAND, kind, str(outside)])
    found = visit(host, delivered, b"MODEL a part")
    assert (found.step, outside.read_text()) == (b"a part", "mine")


def test_a_document_that_cannot_be_written_loses_the_world():
    with pytest.raises(WorldLost, match=r"part\.cad cannot be written \(File exists\)"):
        visit(settings(command=[*COMMAND, "folder", ""]), delivered, b"MODEL a part")


def test_what_is_no_text_in_an_answer_is_named():
    async def act(world):
        return (await world.call("build", {"step": "picture"})).text

    assert visit(settings(), act) == "[image, which is not shown]\na page"


def test_a_server_without_documents_is_given_none():
    no_documents = settings(document=None, capabilities=["program", "step"])
    assert visit(no_documents, built("a part")).document is None
    with pytest.raises(WorldLost, match="opens no document"):
        visit(no_documents, delivered, b"MODEL a part")


def test_a_link_is_no_document():
    found = visit(settings(), built("link"))
    assert found.document is None and found.step is None
    assert found.reason == (
        "nothing was saved: part.cad is a symbolic link, which is refused; save says: saved"
    )


def test_an_export_before_anything_is_there_loses_the_world():
    async def export(world):
        return await world.export()

    with pytest.raises(WorldLost, match=r"nothing was exported: delivery\.step is empty"):
        visit(settings(), export)


def test_only_the_runner_may_call_what_is_not_shown():
    async def act(world):
        await world.call("build", {"step": "a part"})
        refused = [await world.call(name, {}) for name in ("forbidden", "about", "none")]
        return [tool.name for tool in world.tools], refused, await world.export()

    shown, refused, step = visit(settings(), act)
    assert shown == ["build"] and step == b"a part"
    assert all(answer.failed and "There is no tool" in answer.text for answer in refused)


def test_what_it_tells_of_itself_is_one_line(monkeypatch):
    monkeypatch.setenv("SITE", "here")
    monkeypatch.setenv("OTHER", "there")

    async def about(world):
        return world.server_name, world.server_version, world.versions, world.peak_bytes()

    host = settings(set_variables={"UNIT": "mm"}, pass_variables=["SITE", "ABSENT"])
    assert visit(host, about) == ("hostile", "1.0", "kernel 8 unit mm here", None)


def test_other_tools_than_the_plans_lose_the_world():
    async def tools(world):
        return world.tools

    host = settings()
    planned = announced_sha256(visit(host, tools))
    assert visit(replace(host, announced_sha256=planned), tools)
    with pytest.raises(WorldLost, match="other tools than when the plan was made"):
        visit(replace(host, announced_sha256="0" * 64), tools)


def test_a_file_that_the_agent_must_write_is_taken_as_it_is():
    host = settings(export={"file": "part.cad"})
    assert visit(host, built("a part")).step == b"MODEL a part"  # here the saving wrote it
