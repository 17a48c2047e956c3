"""Our CAD host in a fresh process, reached as any MCP client would reach it: over stdio."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import anyio
import anyio.to_thread
import psutil
from mcp import ClientSession, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent

from gaugeblock.sandbox import SandboxUnavailable
from gaugeblock.sandbox.confined import WORK
from gaugeblock.sandbox.sealed import Mount, Program, popen_arguments, sealed_program
from gaugeblock.worlds.announcements import plain
from gaugeblock.worlds.broken import STREAM_ENDED, lost_in
from gaugeblock.worlds.protocol import Delivery, NotRebuilt, Tool, ToolResult, WorldLost
from gaugeblock.worlds.sealing import Gate

CAPABILITIES = frozenset({"program", "objects", "parameters", "step", "document"})
"""What this world can do; a case whose needs go beyond it is not run."""
STEP_NAME = "delivery.step"
DOCUMENT_NAME = "document.json"
NOTHING_TO_EXPORT = "no-solid"
"""Code of the rejection that is the document's doing, and no fault of the host."""
NOT_REBUILT = "does not rebuild to what was saved"
"""What the host says of a document that it opened and cannot build again."""
START_S = 60.0
"""A host that has not answered `initialize` by then never will; it takes about 1.5 s."""
SHOWN_ROOMS = ("host", "records")
"""Rooms of this package that a host sees where it is shut in."""
SOCKET_INSIDE = "/sandbox/socket"
"""Where it finds the warm sandbox then."""
STDERR_TAIL = 500
"""Characters of the host's last words kept in the evidence."""


@dataclass(frozen=True)
class HostSettings:
    """How hosts are started for a run.

    Attributes:
        sandbox_socket: the run's warm sandbox; None lets each host start its own.
        program_s: wall time of one program, s.
        call_s: wall time of one tool call before the host counts as hung, s.
        unsafe: whether a host without a sandbox is accepted.
        tools: which of the host's tools are shown: program, objects or all.
        python: runs the host: ours, or that of another checkout's environment.
        sealed: searches the view of a host, which then runs behind bubblewrap and sees nothing
            that it does not need; None: an ordinary process.
    """

    sandbox_socket: Path | None = None
    program_s: float = 60.0
    call_s: float = 300.0
    unsafe: bool = False
    tools: str = "program"
    python: Path = Path(sys.executable)
    sealed: Gate | None = None

    @property
    def capabilities(self) -> frozenset[str]:
        """What our host can do."""
        return CAPABILITIES


class HostWorld:
    """One host process and its MCP session."""

    def __init__(
        self, session: ClientSession, settings: HostSettings, folder: Path, version: str
    ) -> None:
        """Made by :meth:`open`."""
        self._session = session
        self._settings = settings
        self._folder = folder
        self._tools: tuple[Tool, ...] = ()
        self._program_peak = 0
        self.server_version = version

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: HostSettings, start: bytes | None) -> AsyncIterator[HostWorld]:
        """Start a fresh host on an empty document, or on a copy of ``start``.

        Raises:
            WorldLost: the host does not start.
        """
        folder = Path(tempfile.mkdtemp(prefix="gaugeblock-world-"))
        try:
            if start is not None:
                (folder / DOCUMENT_NAME).write_bytes(start)
            with (folder / "stderr.txt").open("w+", encoding="utf-8", errors="replace") as errors:
                async with _connect(settings, folder, errors) as (session, version):
                    world = cls(session, settings, folder, version)
                    await world._list_tools()
                    yield world
        except BaseExceptionGroup as group:
            lost = lost_in(group, _last_words(folder))
            if lost is None:
                raise
            raise lost from group
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The host's tools, whole."""
        return self._tools

    @property
    def process(self) -> psutil.Process | None:
        """The host's process, or None once it is gone."""
        marker = self._folder.name
        found = None
        for child in psutil.Process().children(recursive=True):
            try:
                if any(marker in word for word in child.cmdline()):
                    found = child  # walls around it come before it
            except psutil.Error:
                continue
        return found

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool over MCP."""
        try:
            answer = await self._session.call_tool(
                name, arguments, read_timeout_seconds=self._settings.call_s
            )
        except MCPError as error:
            raise self._lost(f"no answer to {name}: {error}") from error
        except STREAM_ENDED as error:
            raise self._lost(f"the connection broke during {name}") from error
        if not isinstance(answer, CallToolResult):
            raise self._lost(f"{name} answered {type(answer).__name__}, which is no tool result")
        text = "\n".join(part.text for part in answer.content if isinstance(part, TextContent))
        data = dict(answer.structured_content or {})
        if data.get("status") == "fault":
            said = str(data.get("message", "host fault"))
            if NOT_REBUILT in said:
                raise NotRebuilt("host", f"{name}: {said}")
            raise self._lost(f"{name}: {said}")
        peak = data.get("spent", {}).get("peak_rss_bytes", 0)
        self._program_peak = max(self._program_peak, int(peak))
        return ToolResult(bool(answer.is_error), text, data)

    async def deliver(self) -> Delivery:
        """Let the host save and export, and read the files."""
        saved = await self.call("save", {})
        if saved.failed:
            why = plain(str(saved.data.get("message") or saved.text))
            return Delivery(document=None, step=None, reason=f"nothing was saved: {why}")
        if not saved.data.get("version"):
            return Delivery(document=None, step=None)  # of no commit; the runner counts those
        document = (self._folder / DOCUMENT_NAME).read_bytes()
        exported = await self.call("export_step", {"file": STEP_NAME})
        if exported.failed and exported.data.get("code") == NOTHING_TO_EXPORT:
            return Delivery(document=document, step=None)  # all of it is hidden, say
        return Delivery(document=document, step=self._exported(exported))

    async def export(self) -> bytes:
        """Let the host export the document as it is, and return the STEP file.

        Raises:
            WorldLost: it does not.
        """
        return self._exported(await self.call("export_step", {"file": STEP_NAME}))

    def _exported(self, answer: ToolResult) -> bytes:
        if answer.failed:
            raise self._lost(f"export_step: {answer.text}")
        return (self._folder / STEP_NAME).read_bytes()

    def peak_bytes(self) -> int | None:
        """Return the host process's peak memory plus the largest program's, bytes."""
        process = self.process
        if process is None:
            return None
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            return None
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 + self._program_peak
        return None

    async def _list_tools(self) -> None:
        listed = await self._session.list_tools()
        self._tools = tuple(
            Tool(tool.name, tool.description or "", tool.input_schema) for tool in listed.tools
        )

    def _lost(self, message: str) -> WorldLost:
        return WorldLost("host", message + _last_words(self._folder))


def _last_words(folder: Path) -> str:
    """Return the end of the host's stderr, as one line."""
    path = folder / "stderr.txt"
    if not path.exists():
        return ""
    tail = path.read_text(encoding="utf-8", errors="replace")[-STDERR_TAIL:]
    line = " ".join(tail.split())
    return f" (host said: {line})" if line else ""


@asynccontextmanager
async def _connect(
    settings: HostSettings, folder: Path, errors: TextIO
) -> AsyncIterator[tuple[ClientSession, str]]:
    if settings.sealed is not None:
        parameters = await _sealed(settings, settings.sealed, folder)
    else:
        parameters = _plain(settings, folder)
    async with (
        stdio_client(parameters, errlog=errors) as (read, write),
        ClientSession(read, write) as session,
    ):
        try:
            with anyio.fail_after(START_S):
                answer = await session.initialize()
        except (MCPError, TimeoutError, anyio.ClosedResourceError) as error:
            raise WorldLost("host", f"the host does not start{_last_words(folder)}") from error
        yield session, answer.server_info.version


def _plain(settings: HostSettings, folder: Path) -> StdioServerParameters:
    arguments = ["-m", "gaugeblock", "host", "--document", str(folder / DOCUMENT_NAME)]
    arguments += ["--workspace", str(folder), "--program-seconds", f"{settings.program_s:g}"]
    arguments += ["--tools", settings.tools]
    if settings.sandbox_socket is not None:
        arguments += ["--sandbox-socket", str(settings.sandbox_socket)]
    if settings.unsafe:
        arguments += ["--unsafe"]
    # The SDK hands on only HOME, PATH and their like: no key of ours reaches a host.
    return StdioServerParameters(
        command=str(settings.python), args=arguments, cwd=str(folder), env={"PYTHONUNBUFFERED": "1"}
    )


async def _sealed(settings: HostSettings, gate: Gate, folder: Path) -> StdioServerParameters:
    """Return how a shut-in host is started, once its view and that of its programs were searched.

    Raises:
        WorldLost: something is there that must not be, or there are no walls.
    """
    assert settings.sandbox_socket is not None, "a shut-in host starts no sandbox of its own"
    socket = settings.sandbox_socket
    program = sealed_host(settings, socket, folder)
    await anyio.to_thread.run_sync(gate.admit, "host", program)
    await anyio.to_thread.run_sync(gate.admit_jobs, socket)
    try:
        plan = popen_arguments(program)
    except (SandboxUnavailable, ValueError, OSError) as error:
        raise WorldLost("host", f"it cannot be shut in: {error}") from error
    return StdioServerParameters(
        command=plan["args"][0], args=plan["args"][1:], env=plan["env"], cwd=str(folder)
    )


def sealed_host(settings: HostSettings, socket: Path, folder: Path) -> Program:
    """Return the host as a program that sees two rooms of this package and ``folder``.

    Args:
        settings: how it is started.
        socket: of the warm sandbox that its programs run in.
        folder: its own, outside.
    """
    arguments = ["--document", f"{WORK}/{DOCUMENT_NAME}", "--workspace", WORK]
    arguments += ["--program-seconds", f"{settings.program_s:g}", "--tools", settings.tools]
    arguments += ["--sandbox-socket", SOCKET_INSIDE, "--tag", folder.name]
    arguments += ["--served-as", version("gaugeblock")]
    return sealed_program(
        "gaugeblock.host",
        arguments,
        work=folder,
        rooms=SHOWN_ROOMS,
        mounts=(Mount(socket, SOCKET_INSIDE),),
    )
