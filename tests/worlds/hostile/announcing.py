"""Servers that start badly, or announce what nobody should have to read."""

from __future__ import annotations

import sys
from typing import Any

from honest import MEGABYTE, Honest, hang, tool

MANY = 10_000
"""Tools of the server that announces too many."""


class DiesAtStart(Honest):
    def serve(self) -> None:
        print("no licence found", file=sys.stderr, flush=True)
        sys.exit(3)


class HangsAtInitialize(Honest):
    def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        hang()


class NotJsonRpc(Honest):
    def serve(self) -> None:
        print("Welcome to the CAD server!\nlicence: none\n>>> ", flush=True)
        for line in sys.stdin:
            print(f"syntax error: {line.strip()[:20]}", flush=True)


class Binary(Honest):
    def serve(self) -> None:
        sys.stdout.buffer.write(bytes(range(256)) * 64 + b"\n")
        sys.stdout.buffer.flush()
        hang()


class ManyTools(Honest):
    def tools(self) -> list[dict[str, Any]]:
        return super().tools() + [tool(f"tool_{n}", "One more.") for n in range(MANY)]


class EndlessPages(Honest):
    def list_tools(self, params: dict[str, Any]) -> dict[str, Any]:
        page = int(params.get("cursor") or 0) + 1
        more = [tool(f"page_{page}", "One more.")] if page > 1 else self.tools()
        return {"tools": more, "nextCursor": str(page)}


class HugeSchema(Honest):
    def tools(self) -> list[dict[str, Any]]:
        first, *rest = super().tools()
        first["inputSchema"]["properties"]["step"]["description"] = MEGABYTE * 8
        return [first, *rest]


class DeepSchema(Honest):
    def tools(self) -> list[dict[str, Any]]:
        first, *rest = super().tools()
        inner: dict[str, Any] = {"type": "string"}
        for _ in range(300):
            inner = {"type": "object", "properties": {"x": inner}}
        first["inputSchema"]["properties"]["more"] = inner
        return [first, *rest]


class SameNameTwice(Honest):
    def tools(self) -> list[dict[str, Any]]:
        return [*super().tools(), tool("build", "Another one of this name.")]


class ControlInName(Honest):
    def tools(self) -> list[dict[str, Any]]:
        return [*super().tools(), tool("buil\x1b[2Jd\n", "Clears the screen.")]


class ControlInDescription(Honest):
    def tools(self) -> list[dict[str, Any]]:
        first, *rest = super().tools()
        return [{**first, "description": "Model\x1b]0;owned\x07 a part.\x00\u202e"}, *rest]
