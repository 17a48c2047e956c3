"""A workspace of files in its own process, reached over stdio as any MCP client would reach it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from mcp import ClientSession, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent

from gaugeblock.records.base import digest
from gaugeblock.worlds.broken import STREAM_ENDED, lost_in
from gaugeblock.worlds.deliveries import take
from gaugeblock.worlds.protocol import Tool, ToolResult, WorldLost
from gaugeblock.worlds.sealing import Gate, sealed_workspace
from gaugeblock.worlds.workspace.paths import Root, parse
from gaugeblock.worlds.workspace.server import roots_as_json
from gaugeblock.worlds.workspace.tools import announced

LAYER = "tool-runtime"
"""Whose failure it is when the workspace fails."""

ROOMS = ("records", "sandbox", "worlds")
"""Rooms of this package that the server needs where it is shown no others."""

MODULE = "gaugeblock.worlds.workspace"
"""What is run; its one argument is `roots_as_json` of the roots as they lie for it."""

START_S = 60.0
"""A server that has not answered `initialize` by then never will; it takes about 1 s."""

CALL_S = 60.0
"""One call; a search may take 3 s, and everything else less."""

LAST_WORDS = 500
"""Characters of the server's last words that are kept in the evidence."""

Launch = Callable[[tuple[Root, ...], Path], StdioServerParameters]
"""Says how the server is started over these roots; the path is an empty folder of its own."""


def plainly(roots: tuple[Root, ...], scratch: Path) -> StdioServerParameters:
    """Start it as an ordinary process: it keeps to its roots, and no wall stands behind that."""
    # The SDK hands on only HOME, PATH and their like: no key of ours reaches it.
    return StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", MODULE, roots_as_json(roots)],
        cwd=str(scratch),
        env={"PYTHONUNBUFFERED": "1"},
    )


def arguments_for(roots: tuple[Root, ...], inside: Mapping[str, str]) -> list[str]:
    """Return the server's arguments where it finds its roots elsewhere than they lie.

    Args:
        roots: all of them.
        inside: name of a root → the folder that the server sees it as.
    """
    moved = (replace(root, folder=Path(inside[root.name])) for root in roots)
    return [roots_as_json(tuple(moved))]


def launch_sealed(gate: Gate, roots: tuple[Root, ...], scratch: Path) -> StdioServerParameters:
    """Start it behind walls, once its view was searched.

    Raises:
        WorldLost: of layer `isolation`: something is there that must not be.
    """
    return sealed_workspace(gate, MODULE, ROOMS, partial(arguments_for, roots), roots, scratch)


@dataclass(frozen=True)
class WorkspaceSettings:
    """What a workspace holds when the agent comes.

    Attributes:
        readable: names of the roots that are only read.
        writable: names of those that are read and written.
        files: virtual path → bytes of a file that lies there from the start.
        launch: how the server is started.
    """

    readable: tuple[str, ...]
    writable: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    launch: Launch = plainly

    def roots(self, home: Path = Path()) -> tuple[Root, ...]:
        """Return the roots below a folder, those that are only read first."""
        modes = [(name, False) for name in self.readable] + [(name, True) for name in self.writable]
        return tuple(Root(name, home / "roots" / name, writable) for name, writable in modes)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools as an agent is shown them, known before anything is started."""
        return announced(self.roots())


@dataclass(frozen=True)
class WorkspaceCall:
    """One call as it is recorded, whatever came of it.

    Attributes:
        number: of the workspace's calls, from 1.
        tool: its name.
        arguments_sha256: of the arguments' canonical form, hex.
        target: the path that it concerns; None: it named none.
        sha256_before: of the file before the call, hex; None: there was none, or the call does not
            concern one file.
        sha256_after: the same after it.
        lines: first and last line that were shown; None: none were.
        refused: code of the refusal; empty: it was carried out.
    """

    number: int
    tool: str
    arguments_sha256: str
    target: str | None
    sha256_before: str | None
    sha256_after: str | None
    lines: tuple[int, int] | None
    refused: str


class WorkspaceWorld:
    """One process of the workspace and its MCP session; tools and files, and no part."""

    def __init__(
        self,
        session: ClientSession,
        home: Path,
        roots: tuple[Root, ...],
        record: Callable[[WorkspaceCall], None],
    ) -> None:
        """Made by :meth:`open`."""
        self._session = session
        self._home = home
        self._roots = {root.name: root for root in roots}
        self._record = record
        self._calls = 0
        self.tools = announced(roots)

    @classmethod
    @asynccontextmanager
    async def open(
        cls, settings: WorkspaceSettings, record: Callable[[WorkspaceCall], None]
    ) -> AsyncIterator[WorkspaceWorld]:
        """Lay the roots out in fresh folders and start the server over them.

        Args:
            settings: what lies there.
            record: is called once for each call, when it was answered.

        Raises:
            WorldLost: it does not start, or announces other tools than it should.
            Refused: of `workspace.paths`: a file's path is none of a root.
        """
        home = Path(tempfile.mkdtemp(prefix="gaugeblock-workspace-"))
        try:
            roots = settings.roots(home)
            lay_out(roots, settings.files)
            async with _connected(settings, roots, home) as session:
                world = cls(session, home, roots, record)
                await world._require_tools()
                yield world
        except BaseExceptionGroup as group:
            lost = lost_in(group, _last_words(home), LAYER)
            if lost is None:
                raise
            raise lost from group
        finally:
            shutil.rmtree(home, ignore_errors=True)

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool over MCP.

        Raises:
            WorldLost: the server is gone, hangs or reports a fault of its own.
        """
        try:
            answer = await self._session.call_tool(name, arguments, read_timeout_seconds=CALL_S)
        except MCPError as error:
            raise self._lost(f"no answer to {name}: {error}") from error
        except STREAM_ENDED as error:
            raise self._lost(f"the connection broke during {name}") from error
        if not isinstance(answer, CallToolResult):
            raise self._lost(f"{name} answered {type(answer).__name__}, which is no tool result")
        text = "\n".join(part.text for part in answer.content if isinstance(part, TextContent))
        data = dict(answer.structured_content or {})
        if data.get("status") not in ("done", "refused"):
            raise self._lost(f"{name}: {data.get('message', 'an answer that says nothing')}")
        self._calls += 1
        self._record(_recorded(self._calls, name, arguments, data))
        return ToolResult(bool(answer.is_error), text, data)

    def file(self, path: str) -> bytes | None:
        """Return a file that lies directly in a root now, None where there is none.

        Raises:
            Refused: of `deliveries`: something lies there that is not taken.
        """
        where = parse(path, tuple(self._roots.values()))
        (name,) = where.names
        if not (where.root.folder / name).is_symlink() and not (where.root.folder / name).exists():
            return None
        return take(where.root.folder, name)

    async def _require_tools(self) -> None:
        listed = await self._session.list_tools()
        found = tuple(Tool(t.name, t.description or "", t.input_schema) for t in listed.tools)
        if found != self.tools:
            raise self._lost("the workspace announces other tools than when the plan was made")

    def _lost(self, message: str) -> WorldLost:
        return WorldLost(LAYER, message + _last_words(self._home))


def lay_out(roots: tuple[Root, ...], files: Mapping[str, bytes]) -> None:
    """Make the roots' folders with the files that lie there from the start.

    Modes are open within a folder that only its owner enters: a server that is shut in may run as
    another user. What is only read cannot be written, whoever the server is.

    Raises:
        Refused: of `workspace.paths`: a path is none of a root.
    """
    for root in roots:
        root.folder.mkdir(parents=True)
    for path, data in files.items():
        where = parse(path, roots)
        place = where.root.folder.joinpath(*where.names)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    for root in roots:
        for place in (root.folder, *root.folder.rglob("*")):
            mode = 0o777 if root.writable else 0o555
            place.chmod(mode if place.is_dir() else mode & 0o666)


def _recorded(
    number: int, tool: str, arguments: dict[str, Any], data: Mapping[str, Any]
) -> WorkspaceCall:
    shown = data.get("lines") or None
    return WorkspaceCall(
        number=number,
        tool=tool,
        arguments_sha256=digest(arguments),
        target=data.get("path"),
        sha256_before=data.get("sha256_before"),
        sha256_after=data.get("sha256_after"),
        lines=(shown[0], shown[1]) if shown else None,
        refused=str(data.get("code", "")),
    )


def _last_words(home: Path) -> str:
    """Return the end of the server's stderr, as one line."""
    try:
        text = (home / "words.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    line = " ".join(text[-LAST_WORDS:].split())
    return f" (workspace said: {line})" if line else ""


@asynccontextmanager
async def _connected(
    settings: WorkspaceSettings, roots: tuple[Root, ...], home: Path
) -> AsyncIterator[ClientSession]:
    scratch = home / "scratch"
    scratch.mkdir()
    started = settings.launch(roots, scratch)
    with (home / "words.txt").open("w+", encoding="utf-8", errors="replace") as words:
        async with (
            stdio_client(started, errlog=words) as (read, write),
            ClientSession(read, write) as session,
        ):
            try:
                with anyio.fail_after(START_S):
                    await session.initialize()
            except (MCPError, TimeoutError, anyio.ClosedResourceError) as error:
                why = f"the workspace does not start{_last_words(home)}"
                raise WorldLost(LAYER, why) from error
            yield session
