"""The workspace's server as a process: what lies there, what is recorded, and what ends it."""

import hashlib
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import psutil
import pytest
from mcp.client.stdio import StdioServerParameters
from test_external_world import settings as saving_host

from gaugeblock.records.base import digest
from gaugeblock.sandbox import available_isolation
from gaugeblock.worlds import CombinedWorld, Tool, WorkspaceSettings, WorkspaceWorld, WorldLost
from gaugeblock.worlds.combined import OWN_DRAWING, PART
from gaugeblock.worlds.workspace.paths import Refused
from gaugeblock.worlds.workspace_world import LAYER, MODULE, arguments_for, plainly

FILES = {
    "/drawing/drawing.svg": b"<svg/>\n",
    "/drawing/views/front.txt": b"front\n",
    "/own/notes.md": b"mine\n",
}
SETTINGS = WorkspaceSettings(("drawing", "rulebook"), ("own",), FILES)


def visit(act, settings=SETTINGS):
    """Open a workspace, do something there, and return what came of it and what was recorded."""
    calls = []

    async def work():
        async with WorkspaceWorld.open(settings, calls.append) as world:
            return await act(world)

    return anyio.run(work), calls


def server():
    """Return the process of the one workspace that is open."""
    (found,) = (
        child for child in psutil.Process().children(recursive=True) if MODULE in child.cmdline()
    )
    return found


def test_it_shows_its_files_and_announces_what_was_planned():
    async def act(world):
        assert world.tools == SETTINGS.tools
        return (await world.call("list_files", {})).text.splitlines()

    listed, _ = visit(act)
    assert listed == [
        "/drawing (read)",
        "/drawing/drawing.svg  7 bytes",
        "/drawing/views/",
        "/drawing/views/front.txt  6 bytes",
        "/rulebook (read)",
        "/own (read and write)",
        "/own/notes.md  5 bytes",
    ]


def test_every_call_is_recorded_with_hashes_before_and_after():
    edit = {"path": "/own/notes.md", "old": "mine", "new": "yours"}
    forged = {"path": "/drawing/drawing.svg", "text": "x"}

    async def act(world):
        for name, arguments in (
            ("edit_file", edit),
            ("read_file", {"path": "/own/notes.md"}),
            ("write_file", forged),
            ("search_files", {"pattern": "yours"}),
        ):
            await world.call(name, arguments)

    _, calls = visit(act)
    before, after = (hashlib.sha256(text).hexdigest() for text in (b"mine\n", b"yours\n"))
    told = [(c.number, c.tool, c.target, c.sha256_before, c.sha256_after, c.lines) for c in calls]
    assert told == [
        (1, "edit_file", "/own/notes.md", before, after, None),
        (2, "read_file", "/own/notes.md", after, after, (1, 1)),
        (3, "write_file", "/drawing/drawing.svg", None, None, None),
        (4, "search_files", "/", None, None, None),
    ]
    assert [call.refused for call in calls] == ["", "", "read-only", ""]
    assert calls[0].arguments_sha256 == digest(edit)


def test_two_workspaces_share_nothing_and_nothing_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def write(world):
        await world.call("write_file", {"path": "/own/left.txt", "text": "left"})
        assert world.file("/own/left.txt") == b"left"

    async def look(world):
        assert world.file("/own/left.txt") is None
        return (await world.call("list_files", {"path": "/own"})).text

    visit(write)
    found, _ = visit(look)
    assert "left" not in found
    assert list(tmp_path.iterdir()) == []


def test_no_key_of_ours_reaches_the_server(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "sk-secret")

    async def act(world):
        return server().environ()

    environment, _ = visit(act)
    assert "SOME_KEY" not in environment and "sk-secret" not in str(environment)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_server_that_ends_or_hangs_is_the_tools_failure(monkeypatch, how):
    monkeypatch.setattr("gaugeblock.worlds.workspace_world.CALL_S", 2.0)

    async def act(world):
        process = server()
        os.kill(process.pid, how)
        try:
            await world.call("list_files", {})
        finally:
            if how is signal.SIGSTOP:
                process.kill()

    with pytest.raises(WorldLost) as lost:
        visit(act)
    assert lost.value.layer == LAYER == "tool-runtime"


def test_a_server_that_does_not_start_says_why():
    def broken(roots, scratch):
        return StdioServerParameters(command=sys.executable, args=["-c", "raise SystemExit('ill')"])

    async def act(world):
        pass

    with pytest.raises(WorldLost, match=r"does not start \(workspace said: ill\)"):
        visit(act, replace(SETTINGS, launch=broken))


def test_a_server_with_other_tools_is_refused():
    def other(roots, scratch):
        return plainly(roots[1:], scratch)

    async def act(world):
        pass

    with pytest.raises(WorldLost, match="other tools than when the plan was made"):
        visit(act, replace(SETTINGS, launch=other))


def test_a_server_that_sees_its_roots_elsewhere_is_told_where():
    """As one that is shut in; here they are moved instead."""

    def moved(roots, scratch):
        inside = {root.name: str(scratch / root.name) for root in roots}
        started = plainly(roots, scratch)
        for root in roots:
            root.folder.rename(inside[root.name])
        return started.model_copy(
            update={"args": [*started.args[:-1], *arguments_for(roots, inside)]}
        )

    async def act(world):
        return (await world.call("read_file", {"path": "/own/notes.md"})).text

    text, _ = visit(act, replace(SETTINGS, launch=moved))
    assert text.endswith("\nmine")


@pytest.mark.parametrize("path", ["/else/a.txt", "/drawing/../a.txt", "a.txt"])
def test_files_lie_in_roots_alone(path):
    async def act(world):
        pass

    with pytest.raises(Refused):
        visit(act, replace(SETTINGS, files={path: b"x"}))


def test_a_file_of_the_root_is_taken_only_as_what_it_is():
    async def act(world):
        own = next(root for root in SETTINGS.roots(world._home) if root.name == "own").folder
        (own / "link").symlink_to("/etc/hostname")
        (own / "gone").symlink_to("nowhere")
        (own / "empty").touch()
        (own / "folder").mkdir()
        told = {}
        for name in ("link", "gone", "empty", "folder"):
            with pytest.raises(Exception, match=name) as met:
                world.file(f"/own/{name}")
            told[name] = str(met.value)
        return told

    told, _ = visit(act)
    assert told == {
        "link": "link is a symbolic link, which is refused",
        "gone": "gone is a symbolic link, which is refused",
        "empty": "empty is empty",
        "folder": "folder is a folder",
    }


def combined(act, **changes):
    """Open a described host and a workspace as one world."""

    files = WorkspaceSettings(("drawing",), ("work",))

    async def work():
        opening = CombinedWorld.open(saving_host(**changes), None, files, lambda call: None)
        async with opening as world:
            return await act(world)

    return anyio.run(work)


needs_bubblewrap = pytest.mark.skipif(
    available_isolation().kind != "bubblewrap", reason="bubblewrap cannot be used here"
)


@needs_bubblewrap
def test_a_described_host_and_a_workspace_are_one_world():
    async def act(world):
        names = [tool.name for tool in world.tools]
        built = await world.call("build", {"step": "by the host"})
        stranger = await world.call("no_such_tool", {})
        assert not built.failed and stranger.failed
        assert world.filed() is None
        by_host = await world.deliver()
        await world.call("write_file", {"path": OWN_DRAWING, "text": "dxf"})
        with_drawing = await world.deliver()
        await world.call("write_file", {"path": PART, "text": "by hand"})
        return names, by_host, with_drawing, await world.deliver(), world.filed()

    names, by_host, with_drawing, by_hand, filed = combined(act)
    assert names == ["build", *(tool.name for tool in SETTINGS.tools)]
    assert (by_host.step, by_host.taken, by_host.drawing) == (b"by the host", "", None)
    assert (with_drawing.step, with_drawing.drawing) == (b"by the host", b"dxf")
    assert (by_hand.step, by_hand.taken, by_hand.drawing) == (b"by hand", PART, b"dxf")
    assert by_hand.document is None and filed == by_hand


@needs_bubblewrap
def test_what_bears_the_parts_name_and_is_none_is_not_replaced_by_the_hosts():
    async def act(world):
        await world.call("build", {"step": "by the host"})
        await world.call("write_file", {"path": f"{PART}/inside.txt", "text": "x"})
        await world.call("write_file", {"path": OWN_DRAWING, "text": ""})
        return await world.deliver()

    found = combined(act)
    assert (found.step, found.taken) == (None, PART)
    assert found.reason == f"{PART}: {Path(PART).name} is a folder"
    assert found.undrawn == f"{OWN_DRAWING}: {Path(OWN_DRAWING).name} is empty"


def test_a_name_on_both_sides_is_refused():
    class Half:
        def __init__(self, *names):
            self.tools = tuple(Tool(name, "", {}) for name in names)

    with pytest.raises(WorldLost, match="tool read_file has the name of one of the workspace"):
        CombinedWorld(Half("build", "read_file"), Half("list_files", "read_file"))
