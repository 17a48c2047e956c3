"""The workspace as an MCP server over stdio: its own process, and nothing but its roots."""

from __future__ import annotations

import hashlib
import json
import sys
import traceback
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent
from mcp.types import Tool as Announced

from gaugeblock.worlds.workspace.folders import Folders
from gaugeblock.worlds.workspace.operations import Workspace
from gaugeblock.worlds.workspace.paths import Refused, Root, roots_told
from gaugeblock.worlds.workspace.tools import TOOLS, announced

NAME = "gaugeblock-workspace"
VERSION = "1"
"""Of the tools: a change of what they do is another version."""


class WorkspaceServer(MCPServer[Any]):
    """The official SDK's server with these tools.

    They are not registered as functions: the SDK would put failures in its own words, and every
    refusal here has a code and names the roots.
    """

    def __init__(self, roots: tuple[Root, ...]) -> None:
        """Make a server over some roots; OSError: one is not there."""
        told = f"Files in {roots_told(roots)}. Paths begin with a root."
        super().__init__(name=NAME, version=VERSION, instructions=told, log_level="WARNING")
        self._roots = roots
        self._workspace = Workspace(Folders(roots))

    async def list_tools(self) -> list[Announced]:
        """Return the tools with their schemas."""
        return [
            Announced(name=tool.name, description=tool.description, input_schema=tool.schema)
            for tool in announced(self._roots)
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Any = None
    ) -> CallToolResult:
        """Carry a call out, in the main thread and so one at a time."""
        try:
            tool = next((tool for tool in TOOLS if tool.name == name), None)
            if tool is None:
                names = ", ".join(tool.name for tool in TOOLS)
                raise Refused("arguments", f"no tool {name[:100]!a}; there are {names}")
            answer = getattr(self._workspace, tool.name)(**tool.read(arguments))
        except Refused as refusal:
            text = f"REFUSED ({refusal.code}): {refusal}. Roots: {roots_told(self._roots)}."
            asked = arguments.get("path")
            data = {"status": "refused", "code": refusal.code, "message": str(refusal)}
            return _result(text, data | {"path": asked if isinstance(asked, str) else None}, True)
        except Exception as error:  # a fault of ours: never to be read as the agent's
            traceback.print_exc(file=sys.stderr)
            message = f"unexpected {type(error).__name__}"
            return _result(
                f"WORKSPACE FAULT: {message}", {"status": "fault", "message": message}, True
            )
        return _result(answer.text, {"status": "done", **answer.data}, False)


def _result(text: str, data: dict[str, Any], failed: bool) -> CallToolResult:
    """Return an answer that can be sent: half characters are not.

    The text's hash is part of it, so that two answers of the same data are the same answer.
    """
    text = text.encode("utf-8", "replace").decode()
    data = {**data, "text_sha256": hashlib.sha256(text.encode()).hexdigest()}
    sendable = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=json.loads(sendable),
        is_error=failed,
    )


def roots_as_json(roots: tuple[Root, ...]) -> str:
    """Return roots as the server's one argument."""
    return json.dumps([[root.name, str(root.folder), root.writable] for root in roots])


def main(argument: str) -> None:
    """Serve over stdio until the client leaves."""
    roots = tuple(
        Root(name, Path(folder), writable) for name, folder, writable in json.loads(argument)
    )
    WorkspaceServer(roots).run("stdio")
