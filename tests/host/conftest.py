"""Hosts as an MCP client sees them: real processes, the official client, no mocks."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from gaugeblock.worlds import Delivery, HostSettings, HostWorld, ToolResult

PLATE = "result = {'plate': Box(length, 20, 5)}"
"""A program with one parameter."""
PROGRAM_S = 1.5
"""Wall time of one program in these tests, s: short, so that endless ones end soon."""


@dataclass
class Host:
    """One host and its session, called from plain functions."""

    portal: BlockingPortal
    world: HostWorld

    def call(self, tool: str, **arguments: Any) -> ToolResult:
        return self.portal.call(self.world.call, tool, arguments)

    def propose(self, program: str, **parameters: Any) -> ToolResult:
        return self.call("propose", program=program, parameters=parameters)

    def head(self) -> dict[str, Any]:
        """The head with its number and hash: what a rejected plan must not change."""
        data = self.call("read_document").data
        return {key: data[key] for key in ("version", "sha256", "parameters", "objects")}

    def fresh(self) -> ToolResult:
        """Make the document one plate, whatever it was before."""
        wanted = {"names": ["plate"]}
        made = self.call("propose", program=PLATE, parameters={"length": 40}, expectations=wanted)
        assert not made.failed, made.text
        return made

    def deliver(self) -> Delivery:
        return self.portal.call(self.world.deliver)


@contextlib.contextmanager
def open_host(settings: HostSettings, start: bytes | None = None) -> Iterator[Host]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(HostWorld.open(settings, start)) as world,
    ):
        yield Host(portal, world)


@pytest.fixture(scope="session")
def quick(warm: HostSettings) -> HostSettings:
    """The warm settings with short programs."""
    return replace(warm, program_s=PROGRAM_S)


@pytest.fixture(scope="module")
def host(quick: HostSettings) -> Iterator[Host]:
    """One host for all tests of a file, with one plate in its document."""
    with open_host(quick) as opened:
        opened.fresh()
        yield opened


Rejects = Callable[[ToolResult, str], ToolResult]


@pytest.fixture
def rejects(host: Host) -> Iterator[Rejects]:
    """Check that an answer is a whole rejection and that the test left the document as it was."""
    before = host.head()

    def check(result: ToolResult, code: str) -> ToolResult:
        assert result.failed, result.text
        assert result.data["status"] == "rejected"
        assert result.data["code"] == code, result.text
        assert result.data["message"] and len(result.data["repair"]) > 20
        assert result.text.startswith(f"REJECTED [{code}]")
        assert f"\nRepair: {result.data['repair']}" in result.text
        assert len(result.text) < 2_000, "more would only fill an agent's context"
        assert set(result.data["spent"]) >= {"preview_s", "validate_s", "commit_s"}
        return result

    yield check
    assert host.head() == before


def command(folder: Path, *more: str) -> list[str]:
    """The command line of a host whose document and workspace are in ``folder``."""
    files = ["--document", str(folder / "document.json"), "--workspace", str(folder)]
    return [sys.executable, "-m", "gaugeblock", "host", *files, *more]


def start_failing(folder: Path, *more: str, **environment: str) -> str:
    """The one line of a host that does not start."""
    ended = subprocess.run(
        command(folder, *more),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | environment,
        timeout=60,
    )
    assert ended.returncode == 2, ended
    assert ended.stdout == "" and ended.stderr.count("\n") == 1, ended
    assert ended.stderr.startswith("gaugeblock: ")
    return ended.stderr


@contextlib.asynccontextmanager
async def session(folder: Path, *more: str, **environment: str) -> AsyncIterator[ClientSession]:
    """A session of the official client with a host started as a user would start it."""
    line = command(folder, *more)
    server = StdioServerParameters(
        command=line[0], args=line[1:], cwd=str(folder), env=os.environ | environment
    )
    with (folder / "stderr.txt").open("w") as errors:
        async with (
            stdio_client(server, errlog=errors) as (read, write),
            ClientSession(read, write) as opened,
        ):
            await opened.initialize()
            yield opened


def wait_until(true: Callable[[], bool], what: str, timeout_s: float = 60) -> None:
    """Await a condition of another process, which gives no other sign."""
    deadline = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < deadline, f"{what} did not come true"
        time.sleep(0.01)
