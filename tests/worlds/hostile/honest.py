"""The server that does what it says: what every hostile one is, but for one thing."""

from __future__ import annotations

import json
import sys
import time
from typing import Any, NoReturn

FOREVER_S = 3600.0
"""Longer than any test waits."""
MEGABYTE = "x" * (1 << 20)
FLOOD = 200
"""Megabytes: far beyond any answer that a client should hold."""


def tool(name: str, description: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": description, "inputSchema": schema}


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def said(text: str, *, failed: bool = False) -> dict[str, Any]:
    """Return a tool's answer."""
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def hang() -> NoReturn:
    while True:
        time.sleep(FOREVER_S)


class Honest:
    """Models what it is told and exports it: the control of all that follows."""

    def __init__(self) -> None:
        self.step = ""

    def tools(self) -> list[dict[str, Any]]:
        return [
            tool("build", "Model a part.", step={"type": "string"}),
            tool("export", "Write the part as STEP.", filename={"type": "string"}),
            tool("forbidden", "Nobody should be shown this."),
        ]

    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "hostile", "version": "1.0"},
        }

    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"tools": self.tools()}

    def build(self, step: str) -> dict[str, Any]:
        self.step = step
        return said("built")

    def export(self, filename: str) -> dict[str, Any]:
        with open(filename, "w", encoding="utf-8") as file:
            file.write(self.step)
        return said(f"wrote {filename}")

    def forbidden(self) -> dict[str, Any]:
        self.step = ""
        return said("all is gone")

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return getattr(self, name)(**arguments)

    def serve(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            if "id" in message and "method" in message:
                self.answer(message["id"], message["method"], message.get("params") or {})

    def answer(self, number: Any, method: str, params: dict[str, Any]) -> None:
        if method == "initialize":
            result = self.initialize(params)
        elif method == "tools/list":
            result = self.list_tools(params)
        elif method == "tools/call":
            result = self.call(params["name"], params.get("arguments") or {})
        elif method == "ping":
            result = {}
        else:
            send({"id": number, "error": {"code": -32601, "message": f"no method {method}"}})
            return
        send({"id": number, "result": result})
