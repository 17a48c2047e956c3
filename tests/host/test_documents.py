"""The document on disk: the same bytes again, the same STEP anywhere, and no damage taken in."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.types import CallToolResult

from gaugeblock.host.document import read_document
from gaugeblock.records.errors import WrongUse
from gaugeblock.worlds import HostSettings, WorldLost

from .conftest import open_host, session, start_failing

PROGRAM = """
red = Cylinder(radius, 5) - Cylinder(radius / 2, 5)
red.color = Color(0.2, 0.4, 0.6)
result = {"ring": red, "底板": Pos(0, 0, -5) * Box(40, 40, 5)}
"""


@pytest.fixture(scope="module")
def saved(quick: HostSettings) -> tuple[bytes, bytes]:
    """A saved document of two versions and its STEP file."""
    with open_host(quick) as host:
        assert not host.propose(PROGRAM, radius=10).failed
        assert not host.call("set_parameters", values={"radius": 12.5}).failed
        first = host.deliver()
        assert first == host.deliver(), "saving and exporting twice gives the same bytes"
        assert first.document is not None and first.step is not None
        return first.document, first.step


def test_another_process_gives_the_same_bytes(quick, saved):
    document, step = saved
    with open_host(quick, document) as host:
        shown = host.call("read_document").data
        assert shown["version"] == 2 and shown["parameters"] == {"radius": 12.5}
        assert [item["name"] for item in shown["objects"]] == ["ring", "底板"]
        assert shown["program"] == PROGRAM
        again = host.deliver()
    assert again.document == document
    assert again.step == step


def test_a_host_of_its_own_gives_the_same_bytes_and_commits(tmp_path: Path, saved):
    document, step = saved
    path = tmp_path / "document.json"
    path.write_bytes(document)

    async def work() -> None:
        async with session(tmp_path) as client:
            for tool, arguments in (("export_step", {"file": "part.step"}), ("save", {})):
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error, answer
            assert path.read_bytes() == document
            made = await client.call_tool("set_parameters", {"values": {"radius": 13}})
            assert not made.is_error, made

    anyio.run(work)
    assert (tmp_path / "part.step").read_bytes() == step
    assert path.read_bytes() == document, "nothing is written before it is saved"
    assert (tmp_path / "stderr.txt").read_text() == ""


def changed(document: bytes, **changes: Any) -> bytes:
    return json.dumps(json.loads(document) | changes).encode()


def test_a_damaged_document_is_not_opened(tmp_path: Path, saved):
    document, _ = saved
    value = json.loads(document)
    newer = [{**value["history"][0], "sha256": "0" * 64}]
    damaged = {
        b"": "not JSON",
        b"\xff\xfe": "not JSON",
        b'{"format": "gaugebl': "not JSON",
        b"[" * 100_000: "not JSON",
        b"[]": "object",
        b'{"format": "step"}': "format",
        changed(document, history=newer): "does not have the hash",
        changed(document, parameters={"radius": 13}): "does not have the hash",
        changed(document, parameters={"a b": 1}): "parameter name",
        changed(document, features=value["features"] * 2): "features",
        changed(document, surprise=1): "surprise",
        document.replace(b"12.5", b"NaN", 1): "parameters",
        document.replace(b"12.5", b"1e999", 1): "parameters",
        b" " * ((4 << 20) + 1): "larger than",
    }
    path = tmp_path / "document.json"
    for data, words in damaged.items():
        path.write_bytes(data)
        with pytest.raises(WrongUse, match=words) as refused:
            read_document(path)
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 500
        assert path.read_bytes() == data
    with pytest.raises(WrongUse, match="no such document"):
        read_document(tmp_path)


def test_the_host_says_so_in_one_line(tmp_path: Path):
    (tmp_path / "document.json").write_bytes(b"{}}")
    assert "not JSON" in start_failing(tmp_path)


def test_a_document_that_rebuilds_to_something_else_is_a_fault(quick, saved):
    document, _ = saved
    value = json.loads(document)
    ring, plate = value["objects"]
    heavier = {**ring, "volume": ring["volume"] * (1 + 1e-6)}
    unreadable = [{"kind": "program", "source": "this is no program"}]
    for changes in (
        {"objects": [heavier, plate]},
        {"features": unreadable},
    ):
        with open_host(quick, changed(document, history=[], **changes)) as host:
            for tool in ("measure", "save"):  # nothing of it may be written either
                with pytest.raises(WorldLost, match="does not rebuild") as lost:
                    host.call(tool)
                assert lost.value.layer == "host"


def test_an_object_that_no_longer_comes_is_named(quick, saved):
    """And not the next one as another: the first of the two is gone."""
    document, _ = saved
    value = json.loads(document)
    first, second = value["objects"]
    gone = {**first, "name": "lost"}
    for objects, words in (
        ([gone, first, second], "3 objects were saved, 2 rebuild; missing: 'lost'"),
        ([second], f"1 objects were saved, 2 rebuild; not saved: {first['name']!r}"),
    ):
        with open_host(quick, changed(document, history=[], objects=objects)) as host:
            with pytest.raises(WorldLost, match="does not rebuild") as lost:
                host.call("measure")
            assert words in str(lost.value)


def test_a_file_that_cannot_be_written_is_the_hosts_fault(tmp_path: Path, quick):
    socket = str(quick.sandbox_socket)
    workspace = tmp_path / "out"
    arguments = ["--sandbox-socket", socket, "--workspace", str(workspace)]

    async def work() -> list[CallToolResult]:
        async with session(tmp_path, *arguments) as client:
            await client.call_tool(
                "propose", {"program": "result = Box(1, 1, 1)", "parameters": {}}
            )
            workspace.rmdir()
            workspace.write_text("a file where the folder was")
            (tmp_path / "document.json").mkdir()
            wished = [("export_step", {"file": "part.step"}), ("save", {}), ("measure", {})]
            return [await client.call_tool(*wish) for wish in wished]

    export, save, measure = anyio.run(work)
    for answer in (export, save):
        assert answer.is_error and answer.structured_content["status"] == "fault"
        assert "cannot be written" in answer.structured_content["message"]
    assert not measure.is_error, "the host lives on"


def test_a_workspace_that_is_none_is_told_before_anything_starts(tmp_path: Path):
    taken = tmp_path / "taken"
    taken.write_text("")
    assert "--workspace" in start_failing(tmp_path, "--workspace", str(taken))


def test_the_document_is_no_place_to_export_to(tmp_path: Path, quick):
    arguments = ["--document", str(tmp_path / "part.step")]
    arguments += ["--sandbox-socket", str(quick.sandbox_socket)]

    async def work() -> CallToolResult:
        async with session(tmp_path, *arguments) as client:
            await client.call_tool(
                "propose", {"program": "result = Box(1, 1, 1)", "parameters": {}}
            )
            return await client.call_tool("export_step", {"file": "part.step"})

    answer = anyio.run(work)
    assert answer.is_error and answer.structured_content["code"] == "syntax"
    assert not (tmp_path / "part.step").exists()


def test_two_hosts_on_one_document_never_overwrite_each_other(tmp_path: Path, quick):
    sandbox = ("--sandbox-socket", str(quick.sandbox_socket))

    def box(size: int) -> tuple[str, dict[str, object]]:
        return "propose", {"program": f"result = Box({size}, 1, 1)", "parameters": {}}

    async def work() -> tuple[CallToolResult, CallToolResult, CallToolResult]:
        async with session(tmp_path, *sandbox) as first, session(tmp_path, *sandbox) as second:
            await first.call_tool(*box(1))
            await second.call_tool(*box(2))
            saved = await first.call_tool("save", {})
            refused = await second.call_tool("save", {})
            return saved, refused, await first.call_tool("save", {})

    saved, refused, again = anyio.run(work)
    assert not saved.is_error and not again.is_error
    assert refused.is_error and "changed by somebody else" in refused.structured_content["message"]
    assert "Box(1, 1, 1)" in (tmp_path / "document.json").read_text()
