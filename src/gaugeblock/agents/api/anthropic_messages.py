"""Anthropic Messages: thinking blocks and their signatures go back as they came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import anthropic
import httpx2
from pydantic import BaseModel

from gaugeblock.agents.api.body import Body, encoded
from gaugeblock.agents.api.conversation import Heard, Text, WiredConversation, asked
from gaugeblock.agents.api.provider import Call
from gaugeblock.agents.api.raw_json import cut, exchanged, joined, parse, parts, put, write
from gaugeblock.agents.api.settings import apply_settings
from gaugeblock.agents.api.wire import PlainClient, Wire
from gaugeblock.agents.protocol import Image
from gaugeblock.metering.reading import streamed_usage
from gaugeblock.records.case import Limits
from gaugeblock.records.profile import Profile
from gaugeblock.worlds.protocol import Tool, ToolResult

BASE_URL = "https://api.anthropic.com"
VERSION = "2023-06-01"
"""Of the API; the only one there is."""

PIECE = "content_block_delta"

GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""Kind of a piece → the text that it makes longer, in the piece and in its block."""


class _Block(BaseModel):
    """A block of the content: text, a call, or something that only goes back."""

    type: str
    text: Text = ""
    id: str = ""
    name: Text = ""
    input: Any = None


class _Message(BaseModel):
    """What is read of a message."""

    content: list[_Block]
    stop_reason: str | None
    model: str | None = None
    usage: dict[str, Any] | None = None


class _Piece(BaseModel):
    """What an event adds to a block, or to the message."""

    type: str = ""
    partial_json: Text = ""
    stop_reason: str | None = None


class _Event(BaseModel):
    """What is read of an event of a stream."""

    type: str
    index: int = 0
    message: dict[str, Any] | None = None
    delta: _Piece = _Piece()
    usage: dict[str, Any] | None = None


class MessagesConversation(WiredConversation):
    """A conversation over the Messages API."""

    def __init__(
        self,
        profile: Profile,
        key: str | None,
        message: str,
        images: tuple[Image, ...],
        tools: Sequence[Tool],
        limits: Limits,
    ) -> None:
        """Begin a conversation; see `open_conversation` in providers.py."""
        fields: dict[str, Any] = {
            "model": profile.model,
            "max_tokens": limits.output_tokens,
        }
        if tools:
            fields["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
                for tool in tools
            ]
        if profile.stream:
            fields["stream"] = True
        body = Body(apply_settings(fields, profile), "messages", limits.output_tokens)
        shown = [{"type": "image", "source": _source(image)} for image in images]
        body.add({"role": "user", "content": [*shown, {"type": "text", "text": message}]}, images)
        client = _open_client(profile.base_url or BASE_URL, key)
        wire = _open_wire(client, PIECE if profile.stream else None)
        super().__init__(wire, body, key, profile.stream, client.close)

    def results(self, answered: Sequence[tuple[Call, ToolResult]]) -> None:
        """Put the tools' answers into the conversation, all of a turn in one message."""
        blocks = [
            {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": result.text,
                "is_error": result.failed,
            }
            for call, result in answered
        ]
        self._body.add({"role": "user", "content": blocks})

    def _read(self, text: str, whole: dict[str, Any]) -> Heard:
        message = _Message.model_validate(whole)
        content = cut(text, "content")
        blocks = parts(content)
        returned: dict[str | int, str] = {}
        last = len(message.content) - 1
        cut_off = message.stop_reason == "max_tokens"
        calls = []
        for place, block in enumerate(message.content):
            if block.type != "tool_use" or message.stop_reason == "refusal":
                continue  # what was begun before a refusal is not meant any more
            written = cut(blocks[place], "input") if block.input is not None else ""
            cut_short = cut_off and place == last
            calls.append(
                asked(block.id, block.name, written, parsed=block.input, cut_short=cut_short)
            )
            if not isinstance(block.input, dict):  # it would not be taken back
                returned[place] = put(blocks[place], ("input",), "{}")
        content = exchanged(content, returned)
        return Heard(
            turn=f'{{"role":"assistant","content":{content}}}' if message.content else "",
            finish=message.stop_reason,
            model=message.model,
            usage=message.usage,
            text="".join(block.text for block in message.content if block.type == "text"),
            calls=tuple(calls),
            cut_off=cut_off,
        )

    def _assemble(self, events: list[tuple[str, dict[str, Any]]]) -> str:
        blocks: dict[int, tuple[str, list[tuple[str, _Piece]]]] = {}
        told: list[dict[str, Any] | None] = []
        message, reason, ended = "", None, False
        for text, whole in events:
            event = _Event.model_validate(whole)
            if event.type == "message_start":
                message = cut(text, "message")
                told.append((event.message or {}).get("usage"))
            elif event.type == "content_block_start":
                blocks[event.index] = (cut(text, "content_block"), [])
            elif event.type == "content_block_delta":
                if event.index not in blocks:
                    raise ValueError(f"a piece of block {event.index}, which never began")
                blocks[event.index][1].append((cut(text, "delta"), event.delta))
            elif event.type == "message_delta":
                reason = event.delta.stop_reason or reason
                told.append(event.usage)
            elif event.type == "message_stop":
                ended = True
        if not message or not ended:
            raise ValueError("the stream ended before the message did")
        content = ",".join(_block(start, pieces) for _, (start, pieces) in sorted(blocks.items()))
        message = put(message, ("content",), f"[{content}]")
        message = put(message, ("stop_reason",), write(reason).decode())
        return put(message, ("usage",), write(streamed_usage(told)).decode())


def _block(start: str, pieces: list[tuple[str, _Piece]]) -> str:
    """Put a block together; its texts keep the escapes in which they came."""
    grown: dict[str, list[str]] = {}
    inputs = []
    for text, piece in pieces:
        if piece.type == "input_json_delta":
            inputs.append(piece.partial_json)
        elif piece.type in GROWING:
            field = GROWING[piece.type]
            grown.setdefault(field, []).append(cut(text, field))
        else:
            raise ValueError(f"a piece of unknown kind {piece.type}")
    begun = parse(start)
    for field, strings in grown.items():
        first = [cut(start, field)] if begun.get(field) else []
        start = put(start, (field,), joined([*first, *strings]))
    written = "".join(inputs)
    if written.strip():
        try:
            parse(written)
        except ValueError:
            written = write(written).decode()  # no JSON: read as the text that it is
        start = put(start, ("input",), written)
    return start


def _open_client(base_url: str, key: str | None) -> anthropic.AsyncAnthropic:
    headers = {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})
    return anthropic.AsyncAnthropic(
        api_key=key or "none",  # given, so that none is looked for in the environment
        base_url=base_url,
        max_retries=0,
        timeout=None,
        http_client=PlainClient(headers),
        open_telemetry=False,
    )


def _open_wire(client: anthropic.AsyncAnthropic, piece: str | None) -> Wire:
    async def post(body: bytes) -> httpx2.Response:
        # `stream=True` with a bare response: the SDK checks the status and leaves the body to us.
        response: Any = await client.post(
            "/v1/messages",
            content=body,
            cast_to=httpx2.Response,
            stream=True,
            stream_cls=anthropic.AsyncStream[Any],
        )
        return cast(httpx2.Response, response)

    return Wire(post, (anthropic.AnthropicError,), piece)


def _source(image: Image) -> dict[str, str]:
    return {"type": "base64", "media_type": image.media_type, "data": encoded(image)}
