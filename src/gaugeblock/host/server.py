"""The CAD host as an MCP server: calls in, one at a time, and how their answers look."""

from __future__ import annotations

import json
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, Tool

from gaugeblock.host.diagnostics import CallerLeft, HostFault, PlanRejected
from gaugeblock.host.kernel import Spent
from gaugeblock.host.objects.steps import Step
from gaugeblock.host.session import Session
from gaugeblock.host.tools import ToolText
from gaugeblock.host.toolsets import Shown
from gaugeblock.records.base import Record

NAME = "gaugeblock-host"


class HostServer(MCPServer[Any]):
    """The official SDK's server with this host's tools.

    The tools are not registered as functions: the SDK would read arguments by its own rules and
    put failures in its own words, and every rejection of this host is a coded diagnostic.
    """

    def __init__(self, session: Session, shown: Shown, version: str) -> None:
        """Make a server over one session that shows some tools."""
        super().__init__(
            name=NAME, version=version, instructions=shown.instructions, log_level="WARNING"
        )
        self._host_tools = {tool.name: tool for tool in shown.tools}
        self._session = session
        self._turn = anyio.Lock()
        self._lock = threading.Lock()  # an abandoned call has lost its turn and may still run

    async def list_tools(self) -> list[Tool]:
        """Return the tools with their schemas."""
        return [
            Tool(name=tool.name, description=tool.description, input_schema=tool.schema())
            for tool in self._host_tools.values()
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Any = None
    ) -> CallToolResult:
        """Run a tool in a thread, one call at a time in their order: there is one document.

        A client that cancels the call or goes away is not waited for: its job ends with the
        connection to the sandbox or at the next step, and nothing of the call is committed.
        """
        left = threading.Event()
        run = partial(self._run, name, arguments, left)
        try:
            async with self._turn:
                return await anyio.to_thread.run_sync(run, abandon_on_cancel=True)
        except anyio.get_cancelled_exc_class():
            left.set()
            raise

    def _run(self, name: str, arguments: dict[str, Any], left: threading.Event) -> CallToolResult:
        tool = self._host_tools.get(name)
        if tool is None:
            names = ", ".join(self._host_tools)
            unknown = PlanRejected("syntax", f"no tool {name[:100]!r}", repair=f"Use {names}.")
            return _rejected(unknown, Spent().value())
        with self._lock:
            kernel = self._session.kernel
            kernel.start_account(left)
            try:
                value = _method(self._session, tool, tool.read(arguments))()
                return _done(tool.answer, value, kernel.spent.value())
            except PlanRejected as error:
                return _rejected(error, kernel.spent.value())
            except (HostFault, CallerLeft) as error:
                return _fault(str(error) or "the caller left", kernel.spent.value())
            except Exception as error:  # a fault of the host's own: never to be read as the agent's
                traceback.print_exc(file=sys.stderr)
                return _fault(f"unexpected {type(error).__name__}", kernel.spent.value())


def _method(session: Session, tool: ToolText, arguments: Record) -> Callable[[], dict[str, Any]]:
    """Return the session's method of a tool with the arguments bound; the names are the same."""
    if isinstance(arguments, Step):
        return partial(session.step, arguments, tool.name)
    method = getattr(session, tool.name)
    return partial(
        method, **{name: getattr(arguments, name) for name in tool.arguments.model_fields}
    )


def _done(answer: str, value: dict[str, Any], spent: dict[str, Any]) -> CallToolResult:
    shown = json.dumps(value, ensure_ascii=False)
    return _result(f"{answer} {shown}".strip(), {"status": "done", **value, "spent": spent})


def _rejected(error: PlanRejected, spent: dict[str, Any]) -> CallToolResult:
    found = error.diagnostic
    data = {"status": "rejected", **found.value(), "spent": spent}
    return _result(found.text(), data, failed=True)


def _fault(message: str, spent: dict[str, Any]) -> CallToolResult:
    data = {"status": "fault", "message": message, "spent": spent}
    return _result(f"HOST FAULT: {message}", data, failed=True)


def _result(text: str, data: dict[str, Any], *, failed: bool = False) -> CallToolResult:
    """Return an answer that can be sent: half characters, which a program may print, are not."""
    sendable = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
    return CallToolResult(
        content=[TextContent(type="text", text=text.encode("utf-8", "replace").decode())],
        structured_content=json.loads(sendable),
        is_error=failed,
    )
