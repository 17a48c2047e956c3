"""The server around the tools: announcements, transports, clients that leave, the sandbox."""

import json
import os
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from jsonschema import Draft202012Validator
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from .conftest import PLATE, command, open_host, session, start_failing, wait_until

ENDLESS = {"program": "import os\nos.fork()\nwhile True: pass", "parameters": {}}
PROPOSAL = {"program": PLATE, "parameters": {"length": 40}}


def test_schemas_are_plain_json_schema(host):
    for tool in host.world.tools:
        Draft202012Validator.check_schema(tool.schema)
        assert tool.schema["type"] == "object" and tool.schema["additionalProperties"] is False
        text = str(tool.schema)
        for word in ("$ref", "$defs", "anyOf", "prefixItems", "'title'", "null"):
            assert word not in text, f"{tool.name}: {word} is not taken by every provider"
        for name, field in tool.schema["properties"].items():
            assert field["description"], f"{tool.name}.{name} says nothing"
    schemas = {tool.name: Draft202012Validator(tool.schema) for tool in host.world.tools}
    whole = {
        "solids": 1,
        "names": ["plate"],
        "volume": {"value": 4_000},
        "bounds": {"min": [0, 0, 0], "max": [1, 1, 1]},
        "unchanged": [],
    }
    assert schemas["propose"].is_valid({**PROPOSAL, "expectations": whole})
    assert not schemas["propose"].is_valid({**PROPOSAL, "expectations": {"solids": 0}})
    assert not schemas["set_parameters"].is_valid({"values": {"length": "40"}})


def test_descriptions_stand_alone(host):
    tools = {tool.name: tool for tool in host.world.tools}
    assert list(tools) == [
        *("read_document", "look_up", "propose", "set_parameters"),
        *("measure", "save", "export_step"),
    ]
    for tool in tools.values():
        words = ("Takes no arguments", 'Example: {"', 'Example:\n{"')
        assert any(word in tool.description for word in words), tool.name
        assert len(tool.description) < 2_000
    for name in ("read_document", "propose", "measure", "export_step"):
        assert "mm" in tools[name].description
    for code in ("syntax", "runtime", "timeout", "not-valid", "name-lost", "no-solid", "limit"):
        assert code in tools["propose"].description
    for limit in ("64,000 characters", "60 s", "20,000 faces", "200 objects"):
        assert limit in tools["propose"].description


def test_the_examples_of_the_descriptions_work(host):
    example = {
        "program": "result = {'plate': Box(length, 20, 5) - Cylinder(holeDiameter / 2, 5)}",
        "parameters": {"length": 40, "holeDiameter": 6},
        "expectations": {"solids": 1, "names": ["plate"]},
    }
    assert not host.call("propose", **example).failed
    assert not host.call("export_step", file="part.step").failed
    assert not host.call("look_up", query="GridLocations").failed


def test_calls_at_once_are_done_one_by_one(quick):
    with open_host(quick) as host:
        versions: list[int] = []

        async def one(length: int) -> None:
            arguments = {"program": PLATE, "parameters": {"length": length}}
            made = await host.world.call("propose", arguments)
            objects = made.data["objects"]
            assert objects[0]["volume_mm3"] == pytest.approx(length * 100)
            versions.append(made.data["version"])

        async def all_at_once() -> None:
            async with anyio.create_task_group() as group:
                for length in range(10, 18):
                    group.start_soon(one, length)

        host.portal.call(all_at_once)
        assert versions == list(range(1, 9))
        assert host.call("read_document").data["version"] == 8


def test_a_cancelled_call_commits_nothing(quick, tmp_path: Path):
    slow = {"program": f"import time\ntime.sleep(1)\n{PLATE}", "parameters": {"length": 1}}

    async def work() -> int:
        async with session(tmp_path, "--sandbox-socket", str(quick.sandbox_socket)) as client:
            with anyio.move_on_after(0.3):
                await client.call_tool("propose", slow)
            answer = await client.call_tool("read_document", {})
            assert answer.structured_content is not None
            return int(answer.structured_content["version"])

    assert anyio.run(work) == 0


@pytest.mark.parametrize("leaving", ["ends the host", "closes its end of a shared sandbox"])
def test_a_client_that_leaves_in_mid_call_leaves_nothing_behind(tmp_path, quick, leaving):
    temporary = tmp_path / "temporary"  # where a sandbox makes its folder
    temporary.mkdir()
    shared = "shared" in leaving
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    more = ["--sandbox-socket", str(quick.sandbox_socket)] if shared else []
    host = subprocess.Popen(
        command(tmp_path, *more),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    assert host.stdin is not None and host.stdout is not None
    requests: list[dict[str, Any]] = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "leaver", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "propose", "arguments": ENDLESS}},
    ]

    def running() -> list[psutil.Process]:
        children = psutil.Process().children(recursive=True)
        return [child for child in children if child.pid not in before and busy(child)]

    for request in requests:
        host.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
    host.stdin.flush()
    before.add(host.pid)
    wait_until(lambda: len(running()) >= 2, "the program")
    children = psutil.Process().children(recursive=True)
    everything = [child for child in children if child.pid not in before]
    if leaving == "ends the host":
        host.send_signal(signal.SIGTERM)
    else:
        host.stdin.close()
    assert host.wait(10) in (0, 128 + signal.SIGTERM)
    _, alive = psutil.wait_procs(everything, timeout=5)
    assert not alive
    assert not list(temporary.iterdir())
    host.stdout.close()


def busy(process: psutil.Process) -> bool:
    """Whether a process is an endless program: it computes, and is the child of one of ours."""
    try:
        running = process.status() == psutil.STATUS_RUNNING
        return running and process.cpu_times().user > 0.05
    except psutil.Error:
        return False


def test_messages_that_are_none_do_not_end_the_host(quick, tmp_path: Path):
    def call(number: int, arguments: str) -> str:
        head = '{"jsonrpc": "2.0", "method": "tools/call", "id": '
        return f'{head}{number}, "params": {{"name": "measure", "arguments": {arguments}}}}}'

    initialize = (
        '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
        '"2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}'
    )
    lines = [initialize, '{"jsonrpc": "2.0", "method": "notifications/initialized"}']
    lines += ["no JSON", "[]", call(2, '{"a":' * 5_000 + "1" + "}" * 5_000)]
    lines += [call(3, '"\\ud800"'), call(4, "[1]"), call(5, "{}")]
    host = subprocess.Popen(
        command(tmp_path, "--sandbox-socket", str(quick.sandbox_socket)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert host.stdin is not None and host.stdout is not None
    host.stdin.write("\n".join(lines) + "\n")
    host.stdin.flush()
    answers = iter(host.stdout.readline, "")
    last = next(line for line in answers if '"id":5' in line)
    assert '"isError":false' in last
    host.stdin.close()
    assert host.wait(10) == 0
    host.stdout.close()


def test_streamable_http(tmp_path: Path, quick):
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    arguments = ["--http", address, "--sandbox-socket", str(quick.sandbox_socket)]
    host = subprocess.Popen(command(tmp_path, *arguments), stderr=subprocess.PIPE, text=True)
    assert host.stderr is not None
    assert host.stderr.readline() == f"gaugeblock: serving http://{address}/mcp\n"
    name, _, port = address.partition(":")

    def listening() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((name, int(port))) == 0

    async def work() -> None:
        async with (
            streamable_http_client(f"http://{address}/mcp") as (read, write, *_),
            ClientSession(read, write) as client,
        ):
            await client.initialize()
            made = await client.call_tool("propose", PROPOSAL)
            assert not made.is_error, made
            refused = await client.call_tool("set_parameters", {"values": {"length": -1}})
            assert refused.is_error and refused.structured_content["code"] == "runtime"
            exported = await client.call_tool("export_step", {"file": "part.step"})
            assert not exported.is_error

    try:
        wait_until(listening, "the server")
        anyio.run(work)
        assert (tmp_path / "part.step").stat().st_size > 1_000
        taken = start_failing(tmp_path, *arguments)
        assert "--http" in taken and "cannot be served" in taken
    finally:
        host.terminate()
        host.wait(10)
        host.stderr.close()


@pytest.mark.parametrize("address", ["8765", "127.0.0.1:0", "127.0.0.1:http", ":8765"])
def test_an_address_that_is_none(tmp_path: Path, address):
    assert "HOST:PORT" in start_failing(tmp_path, "--http", address)


def test_without_a_sandbox_the_host_does_not_start(tmp_path: Path):
    line = start_failing(tmp_path, GAUGEBLOCK_SANDBOX="none")
    assert "no sandbox" in line and "--unsafe" in line


def test_unsafe_starts_without_a_sandbox(tmp_path: Path):
    async def work() -> None:
        async with session(tmp_path, "--unsafe", GAUGEBLOCK_SANDBOX="none") as client:
            answer = await client.call_tool("measure", {})
            assert not answer.is_error, answer

    anyio.run(work)
