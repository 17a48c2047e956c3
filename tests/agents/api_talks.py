"""What the tests of the API agents share: profiles, a desk, a meter, and a server of raw bytes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio

from gaugeblock.agents.api.provider import Conversation, Reply
from gaugeblock.agents.api.providers import open_conversation
from gaugeblock.agents.protocol import Image
from gaugeblock.metering.accounts import Account
from gaugeblock.metering.costs import Tariff
from gaugeblock.metering.meter import Gate, Meter
from gaugeblock.metering.pacing import Pacer
from gaugeblock.records.case import Limits
from gaugeblock.records.prices import PriceRow, Rate
from gaugeblock.records.profile import Pacing, Profile
from gaugeblock.records.store import Journal
from gaugeblock.worlds.protocol import Tool, ToolResult

DIALECTS = (
    "openai-responses",
    "xai-responses",
    "anthropic-messages",
    "gemini-generate-content",
    "openai-chat",
)
KEY = "sk-a-key-that-nobody-may-see"

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "part": {"$ref": "#/$defs/Part"},
        "count": {"type": "integer", "minimum": 1, "maximum": 12, "default": 2},
        "kind": {"anyOf": [{"const": "boss"}, {"enum": ["bore", "孔"]}, {"type": "null"}]},
        "depth": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
    },
    "required": ["part"],
    "additionalProperties": False,
    "$defs": {
        "Part": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "pattern": "^[a-z]+$"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Part"}, "maxItems": 3},
            },
            "required": ["name"],
            "additionalProperties": False,
        }
    },
}
"""All that a translation would be tempted to lose."""

CUT = Tool("cut", "Cuts a part. Maße in mm.", SCHEMA)
LOOK = Tool("look", "Looks.", {"type": "object", "properties": {}, "additionalProperties": False})
TOOLS = (CUT, LOOK)


def limits(**values: Any) -> Limits:
    chosen = {"wall_s": 60, "tool_calls": 9, "turns": 6, "program_s": 5, "evaluation_s": 5}
    return Limits(**(chosen | values))


def profile(dialect: str, url: str | None, **values: Any) -> Profile:
    chosen: dict[str, Any] = {
        "id": "p",
        "label": "a profile",
        "agent": "api",
        "dialect": dialect,
        "provider": "mock",
        "model": "mock-model",
        "base_url": url,
        "billing": "local",
    }
    return Profile(**(chosen | values))


def open_talk(
    who: Profile,
    *,
    key: str | None = KEY,
    message: str = "Make it.",
    images: tuple[Image, ...] = (),
    tools: Sequence[Tool] = TOOLS,
    **ceilings: Any,
) -> Conversation:
    return open_conversation(who, key, message, images, tools, limits(**ceilings))


def turns(
    talk: Conversation, answers: int, text: str = "fine", failed: bool = False
) -> list[Reply]:
    """Send so many requests, the calls of each answer answered alike."""

    async def talked() -> list[Reply]:
        replies = []
        try:
            for _ in range(answers):
                reply = await talk.send()
                replies.append(reply)
                if reply.calls:
                    talk.results([(call, ToolResult(failed, text)) for call in reply.calls])
        finally:
            await talk.close()
        return replies

    return anyio.run(talked)


class FakeDesk:
    """Notes what it is asked."""

    def __init__(self, answer: Callable[[str], ToolResult] | None = None) -> None:
        self.tools = TOOLS
        self.asked: list[tuple[str, Any]] = []
        self._answer = answer or (lambda name: ToolResult(False, f"{name} done"))

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        self.asked.append((name, arguments))
        return self._answer(name)

    def refuse(self, name: str, arguments: str, fault: str) -> ToolResult:
        self.asked.append((f"refused {name}", (arguments, fault)))
        return ToolResult(True, fault)


ROW = PriceRow(
    provider="mock",
    model="mock-model",
    source="test",
    source_row="mock",
    input=Rate(usd_per_mtok="1"),
    cache_read=Rate(usd_per_mtok="0.1"),
    cache_write_5min=Rate(usd_per_mtok="1.25"),
    cache_write_1h=Rate(usd_per_mtok="2"),
    output=Rate(usd_per_mtok="5"),
)


def meter(
    who: Profile, folder: Path, account: Account | None = None, gate: Gate | None = None
) -> Meter:
    return Meter(
        profile=who,
        tariff=Tariff(row=ROW, why_not="", date="2026-11-01"),
        accounts=(account,) if account else (),
        gate=gate or Gate(),
        pacer=Pacer(Pacing()),
        round_id="r1",
        journal=Journal(folder / "usage.jsonl"),
    )


class RawProvider(AbstractContextManager["RawProvider"]):
    """Answers with given bytes, one after the other, whatever is asked; notes what came."""

    def __init__(self, *answers: bytes, status: int = 200, headers: dict[str, str] | None = None):
        self._answers = list(answers)
        self._status = status
        self._headers = headers or {}
        self.bodies: list[bytes] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []

    def __enter__(self) -> RawProvider:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                provider.headers.append({k.lower(): v for k, v in self.headers.items()})
                provider.paths.append(self.path)
                provider.bodies.append(self.rfile.read(int(self.headers["content-length"])))
                body = provider._answers.pop(0)
                stream = body.startswith((b"data:", b"event:"))
                kind = "text/event-stream" if stream else "application/json"
                self.send_response(provider._status)
                for name, value in {"Content-Type": kind, **provider._headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
