"""Any MCP CAD server, described in a TOML file: a fresh process, shut in, reached over stdio."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeVar

import anyio
import pydantic
from mcp import ClientSession, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    TextResourceContents,
)
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

from gaugeblock.records.base import canonical_json, digest
from gaugeblock.records.host_description import FOLDER, PYTHON, HostDescription, ToolUse
from gaugeblock.sandbox import SandboxUnavailable, confined
from gaugeblock.worlds.announcements import MOST_PAGES, plain, shown_tools
from gaugeblock.worlds.broken import STREAM_ENDED, lost_in
from gaugeblock.worlds.deliveries import Refused, clear, put, take
from gaugeblock.worlds.protocol import Delivery, Tool, ToolResult, WorldLost

# The SDK logs what it cannot read with a traceback, which would fill the user's terminal with a
# server's words; what it means for a trial stands in the evidence.
logging.getLogger("mcp").addHandler(logging.NullHandler())

Answer = TypeVar("Answer", CallToolResult, ListToolsResult)

LAST_WORDS = 500
"""Characters of the server's last words that are kept in the evidence."""
LONGEST_VERSION = 400
"""Characters of what a server says of its versions."""


@dataclass(frozen=True)
class ExternalSettings:
    """How a described server is started.

    Attributes:
        description: the entry of the file.
        environment: the virtual environment that the server runs from, shown read-only; None:
            programs of the system alone, with our own interpreter as ``{python}``.
        folder: folder or file that the server sees as ``{folder}``, None for none.
        announced_sha256: what the tools shown must hash to; None: whatever they are.
    """

    description: HostDescription
    environment: Path | None = None
    folder: Path | None = None
    announced_sha256: str | None = None

    @property
    def capabilities(self) -> frozenset[str]:
        """What the server can do, as described."""
        return frozenset(self.description.capabilities)


class ExternalWorld:
    """One process of a described server and its MCP session; a `World`."""

    def __init__(self, session: ClientSession, settings: ExternalSettings, home: Path) -> None:
        """Made by :meth:`open`."""
        self._session = session
        self._settings = settings
        self._described = settings.description
        self._home = home
        self._work = home / "work"
        self._tools: tuple[Tool, ...] = ()
        self.server_name = ""
        self.server_version = ""
        self.versions = ""

    @classmethod
    @asynccontextmanager
    async def open(
        cls, settings: ExternalSettings, start: bytes | None
    ) -> AsyncIterator[ExternalWorld]:
        """Start a fresh server on an empty model, or on a document that it saved before.

        Raises:
            WorldLost: it does not start, or announces what no agent can be shown.
        """
        home = Path(tempfile.mkdtemp(prefix="gaugeblock-server-"))
        try:
            (home / "work").mkdir()
            with (home / "words.txt").open("w+", encoding="utf-8", errors="replace") as words:
                async with _connected(settings, home, words) as session:
                    world = cls(session, settings, home)
                    await world._begin(start)
                    yield world
        except BaseExceptionGroup as group:
            lost = lost_in(group, _last_words(home))
            if lost is None:
                raise
            raise lost from group
        finally:
            _remove(home)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that an agent is shown, as the server announces them."""
        return self._tools

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool that an agent is shown; any other is a tool error, and is not passed on."""
        if all(name != tool.name for tool in self._tools):
            return ToolResult(True, f"There is no tool {plain(name)}.")
        return await self._called(name, arguments)

    async def deliver(self) -> Delivery:
        """Let the server save and export, and take the files that lie there then."""
        document, saving = None, self._described.document
        if saving is not None:
            try:
                document = await self._written(saving.save, saving.file)
            except Refused as why:
                return Delivery(None, None, f"nothing was saved: {why}")
        export = self._described.export
        try:
            step = await self._written(export.use, export.file)
        except Refused as why:
            return Delivery(document, None, f"nothing was exported: {why}")
        return Delivery(document, step)

    async def export(self) -> bytes:
        """Return the STEP of what lies there now; WorldLost: there is none."""
        export = self._described.export
        try:
            return await self._written(export.use, export.file)
        except Refused as why:
            raise self._lost(f"nothing was exported: {why}") from None

    def peak_bytes(self) -> int | None:
        """Return None: of a server's processes only those that still live are known."""
        return None

    def rejected(self, result: ToolResult) -> bool:
        """Whether an answer is a rejection, also of a server that reports one as a success."""
        return is_rejection(self._described, result)

    async def _begin(self, start: bytes | None) -> None:
        """Look at what the server says of itself, and open the document."""
        info = self._session.server_info
        if info is not None:
            self.server_name = plain(info.name, LONGEST_VERSION)
            self.server_version = plain(info.version, LONGEST_VERSION)
        self._tools = shown_tools(await self._announced(), self._described)
        wanted, found = self._settings.announced_sha256, announced_sha256(self._tools)
        if wanted not in (None, found):
            raise self._lost("it announces other tools than when the plan was made")
        probe = self._described.version
        if probe.tool is not None:
            answer = await self._called(probe.tool, dict(probe.arguments))
            if self.rejected(answer):
                raise self._lost(f"{probe.tool} does not tell its version: {plain(answer.text)}")
            self.versions = plain(answer.text, LONGEST_VERSION)
        if start is not None:
            await self._reopen(start)

    async def _reopen(self, start: bytes) -> None:
        saving = self._described.document
        if saving is None:
            raise self._lost("it opens no document, and was given one")
        try:
            put(self._work, saving.file, start)
        except Refused as why:
            raise self._lost(f"it cannot be given the document: {why}") from None
        answer = await self._used(saving.open, saving.file)
        if self.rejected(answer):
            raise self._lost(f"it does not open what it saved: {plain(answer.text)}")

    async def _announced(self) -> list[Tool]:
        """Return all tools that the server lists, page by page."""
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            params = PaginatedRequestParams(cursor=cursor) if cursor else None
            request = ListToolsRequest(params=params)
            page = await self._asked(request, ListToolsResult, "tools/list")
            found += [Tool(t.name, t.description or "", t.input_schema) for t in page.tools]
            cursor = page.next_cursor
            if not cursor:
                return found
        raise self._lost(f"its list of tools has more than {MOST_PAGES} pages")

    async def _written(self, use: ToolUse | None, file: str) -> bytes:
        """Let a tool write a file and take it; without a tool, take what an agent wrote.

        Raises:
            Refused: no such file came of it.
        """
        said = ""
        if use is not None:
            clear(self._work, file)
            answer = await self._used(use, file)
            said = plain(answer.text)
            if self.rejected(answer):
                raise Refused(f"{use.tool} says: {said}")
        try:
            return take(self._work, file)
        except Refused as why:
            raise Refused(f"{why}; {use.tool} says: {said}" if use else f"{why}") from None

    async def _used(self, use: ToolUse, file: str) -> ToolResult:
        arguments = use.filled(f"{confined.WORK}/{file}", file)
        return await self._called(use.tool, arguments)

    async def _called(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        request = CallToolRequest(params=CallToolRequestParams(name=name, arguments=arguments))
        try:
            answer = await self._asked(request, CallToolResult, name)
        except _Refusal as error:  # the protocol's own way to refuse arguments
            return ToolResult(True, str(error))
        texts = list(map(_told, answer.content))
        worded = any(isinstance(part, TextContent) for part in answer.content)
        if not worded and answer.structured_content is not None:
            try:
                texts.append(canonical_json(answer.structured_content).decode())
            except ValueError as error:  # NaN and the like, which are no JSON
                raise self._lost(f"its answer to {name} is none of the protocol") from error
        # The structured part is not handed on: what our own host says of its commits and times
        # there would otherwise be believed of any server.
        return ToolResult(bool(answer.is_error), "\n".join(texts))

    async def _asked(self, request: Any, kind: type[Answer], what: str) -> Answer:
        """Send a request; the SDK's own `call_tool` would run the server's schemas over answers.

        Raises:
            WorldLost: no answer within the description's time, or none of the protocol.
            _Refusal: the server answers with an error.
        """
        seconds = self._described.call_s
        try:
            return await self._session.send_request(
                request, kind, request_read_timeout_seconds=seconds
            )
        except MCPError as error:
            if error.code == REQUEST_TIMEOUT:
                raise self._lost(f"no answer to {what} within {seconds:g} s") from error
            if error.code == CONNECTION_CLOSED:
                raise self._lost(f"the connection broke during {what}") from error
            refusal = f"error {error.code}: {plain(error.message)}"
            if kind is CallToolResult:
                raise _Refusal(refusal) from error
            raise self._lost(f"{what}: {refusal}") from error
        except STREAM_ENDED as error:
            raise self._lost(f"the connection broke during {what}") from error
        except (pydantic.ValidationError, ValueError, RecursionError) as error:
            raise self._lost(f"its answer to {what} is none of the protocol") from error

    def _lost(self, message: str) -> WorldLost:
        return WorldLost("host", message + _last_words(self._home))


def _told(part: ContentBlock) -> str:
    """Return a part of an answer as an agent reads it: what is no text is named, never dropped."""
    if isinstance(part, TextContent):
        return part.text
    if isinstance(part, EmbeddedResource) and isinstance(part.resource, TextResourceContents):
        return part.resource.text
    return f"[{part.type}, which is not shown]"


class _Refusal(Exception):
    """The server answered a request with an error of the protocol."""


def is_rejection(described: HostDescription, result: ToolResult) -> bool:
    """Whether an answer is a rejection, also of a server that reports one as a success."""
    sign = described.counting.rejected_when
    return result.failed or (sign is not None and result.text.startswith(sign))


def announced_sha256(tools: tuple[Tool, ...]) -> str:
    """Return the SHA-256 (hex) of names, descriptions and schemas."""
    return digest([tool.wire() for tool in tools])


@asynccontextmanager
async def _connected(
    settings: ExternalSettings, home: Path, words: TextIO
) -> AsyncIterator[ClientSession]:
    described = settings.description
    try:
        plan = confined.popen_arguments(
            confined.Program(
                command=inside_command(settings),
                work=home / "work",
                environment=settings.environment,
                shown=settings.folder,
                variables={**_passed_on(described), **described.set_variables},
                memory_bytes=described.memory_bytes,
            )
        )
    except (SandboxUnavailable, ValueError, OSError) as error:
        raise WorldLost("host", f"it cannot be shut in: {error}") from error
    plan["work"] = str(home / "work")
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-s", "-P", "-B", "-c", _RELAY, json.dumps(plan)],
        cwd=str(home),
    )
    async with (
        stdio_client(parameters, errlog=words) as (read, write),
        ClientSession(read, write) as session,
    ):
        try:
            with anyio.fail_after(described.start_s):
                await session.initialize()
        except TimeoutError as error:
            late = f"no handshake within {described.start_s:g} s"
            raise WorldLost("host", late + _last_words(home)) from error
        except (MCPError, ValueError, RuntimeError, *STREAM_ENDED) as error:
            raise WorldLost("host", f"the server does not start{_last_words(home)}") from error
        yield session


_RELAY = "from gaugeblock.sandbox.relay import main; main()"


def inside_command(settings: ExternalSettings) -> tuple[str, ...]:
    """Return the command as it is run inside, with its open places filled.

    A script of the environment is run by the environment's interpreter: its first line names
    another place.
    """
    python = confined.python_inside(settings.environment)
    folder = "" if settings.folder is None else confined.shown_inside(settings.folder)
    first, *rest = (
        word.replace(PYTHON, python).replace(FOLDER, folder)
        for word in settings.description.command
    )
    if settings.environment is not None and "/" not in first:
        script = settings.environment / "bin" / first
        if script.is_file() and not script.is_symlink():
            with script.open("rb") as stream:
                head = stream.read(200)
            inside = f"{confined.ENVIRONMENT}/bin/{first}"
            if head.startswith(b"#!") and b"python" in head:
                return (python, inside, *rest)
            return (inside, *rest)
    return (first, *rest)


def _passed_on(described: HostDescription) -> dict[str, str]:
    return {name: os.environ[name] for name in described.pass_variables if name in os.environ}


def _last_words(home: Path) -> str:
    """Return the end of the server's stderr, as one line."""
    try:
        text = (home / "words.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    line = plain(text[-LAST_WORDS:], LAST_WORDS)
    return f" (server said: {line})" if line else ""


def _remove(home: Path) -> None:
    """Remove all that a server left, however deep it nested its folders."""
    with suppress(RecursionError):
        shutil.rmtree(home, ignore_errors=True)
    if home.exists():
        subprocess.run(["rm", "-rf", "--", str(home)], capture_output=True, check=False)
