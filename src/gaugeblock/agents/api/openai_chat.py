"""OpenAI-compatible chat: DeepSeek, Ollama, vLLM, llama.cpp and other servers.

A model's message goes back whole, `reasoning_content` too: DeepSeek refuses a conversation with
tool calls without it, the others pass over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from gaugeblock.agents.api.body import Body
from gaugeblock.agents.api.conversation import STREAM_END, Heard, Text, WiredConversation, asked
from gaugeblock.agents.api.json_actions import action_schema, read_action, told
from gaugeblock.agents.api.openai_client import open_client, open_wire
from gaugeblock.agents.api.openai_responses import data_url
from gaugeblock.agents.api.provider import Call, WireFailed
from gaugeblock.agents.api.raw_json import cut, exchanged, joined, parts, put, without, write
from gaugeblock.agents.api.settings import apply_settings
from gaugeblock.agents.protocol import Image
from gaugeblock.metering.reading import last_usage, reported_cost
from gaugeblock.records.case import Limits
from gaugeblock.records.profile import Profile
from gaugeblock.worlds.protocol import Tool, ToolResult

BROKEN_OFF = ("insufficient_system_resource", "error")
"""Ends that are the server's fault."""

PIECE = '"delta"'


class _Function(BaseModel):
    name: Text = ""
    arguments: Any = ""


class _ToolCall(BaseModel):
    id: str | None = None
    index: int | None = None
    function: _Function = _Function()


class _Message(BaseModel):
    """A model's message, or one piece of it."""

    content: Text | None = None
    refusal: Text | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Answer(BaseModel):
    """What is read of an answer."""

    choices: list[_Choice] = Field(min_length=1)
    model: str | None = None
    service_tier: str | None = None
    usage: dict[str, Any] | None = None


class _PieceChoice(BaseModel):
    delta: _Message | None = None
    finish_reason: str | None = None


class _Piece(BaseModel):
    """What is read of one event of a stream."""

    choices: list[_PieceChoice] = Field(default_factory=list)
    usage: dict[str, Any] | None = None


class ChatConversation(WiredConversation):
    """A conversation over chat completions, with tools or with actions as JSON."""

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
        if profile.base_url is None:
            raise ValueError(f"profile {profile.id}: openai-chat needs a base_url")
        self._json = profile.tool_mode == "json" and bool(tools)  # without tools it just answers
        self._provider = profile.provider
        fields: dict[str, Any] = {"model": profile.model, "max_tokens": limits.output_tokens}
        if self._json:
            schema = {"name": "action", "strict": True, "schema": action_schema(tools)}
            fields["response_format"] = {"type": "json_schema", "json_schema": schema}
            message = f"{message}\n\n{told(tools)}"
        elif tools:
            fields["tools"] = [{"type": "function", "function": _announced(t)} for t in tools]
        if profile.stream:
            fields |= {"stream": True, "stream_options": {"include_usage": True}}
        body = Body(apply_settings(fields, profile), "messages", limits.output_tokens)
        shown = [{"type": "image_url", "image_url": {"url": data_url(image)}} for image in images]
        content = [*shown, {"type": "text", "text": message}] if shown else message
        body.add({"role": "user", "content": content}, images)
        client = open_client(profile.base_url, key)
        wire = open_wire(client, "/chat/completions", PIECE if profile.stream else None)
        super().__init__(wire, body, key, profile.stream, client.close)

    def results(self, answered: Sequence[tuple[Call, ToolResult]]) -> None:
        """Put the tools' answers into the conversation; it knows no mark for a failed one."""
        for call, result in answered:
            if self._json:
                how = "failed" if result.failed else "answered"
                self._body.add({"role": "user", "content": f"{call.name} {how}:\n{result.text}"})
            else:
                self._body.add({"role": "tool", "tool_call_id": call.id, "content": result.text})

    def _read(self, text: str, whole: dict[str, Any]) -> Heard:
        answer = _Answer.model_validate(whole)
        choice = answer.choices[0]
        if choice.finish_reason in BROKEN_OFF:
            raise WireFailed(f"the answer broke off: {choice.finish_reason}", 200)
        turn = cut(text, "choices", 0, "message")
        said = choice.message.content or choice.message.refusal or ""
        cut_off = choice.finish_reason == "length"
        asked_for = choice.message.tool_calls or ()
        written_calls = parts(cut(turn, "tool_calls")) if asked_for else {}
        returned: dict[str | int, str] = {}
        calls = []
        for place, one in enumerate(asked_for):
            given, path = one.function.arguments, ("function", "arguments")
            written = given if isinstance(given, str) else cut(written_calls[place], *path)
            cut_short = cut_off and place == len(asked_for) - 1
            call = asked(one.id or "", one.function.name, written or "{}", cut_short=cut_short)
            calls.append(call)
            if call.arguments is None:
                # Servers parse what comes back (vLLM, llama.cpp) and answer with an HTTP error,
                # which would put the model's fault down to the provider.
                returned[place] = put(written_calls[place], path, '"{}"')
        if returned:
            turn = put(turn, ("tool_calls",), exchanged(cut(turn, "tool_calls"), returned))
        if self._json and not cut_off and not choice.message.refusal:
            action, said = read_action(said)
            calls = [action] if action else []
        return Heard(
            turn=turn,
            finish=choice.finish_reason,
            model=answer.model,
            usage=answer.usage,
            text=said,
            calls=tuple(calls),
            reported_cost_usd=reported_cost("openai-chat", answer.usage, self._provider),
            service_tier=answer.service_tier,
            cut_off=cut_off,
        )

    def _assemble(self, events: list[tuple[str, dict[str, Any]]]) -> str:
        texts: dict[str, list[str]] = {}  # members of the message that grow, as written
        others: dict[str, str] = {}
        calls = _Growing()
        frame, finish = "", None
        told: list[dict[str, Any] | None] = []
        for text, whole in events:
            piece = _Piece.model_validate(whole)
            told.append(piece.usage)
            if not piece.choices:
                continue
            frame = frame or text
            finish = piece.choices[0].finish_reason or finish
            delta = piece.choices[0].delta
            if delta is None:
                continue
            members = parts(cut(text, "choices", 0, "delta"))
            for name, value in whole["choices"][0]["delta"].items():
                written = members[name]
                if name == "tool_calls":
                    for call, one in zip(
                        delta.tool_calls or (), parts(written).values(), strict=False
                    ):
                        calls.add(call, one)
                elif name == "role":
                    continue  # the model's, always
                elif isinstance(value, str):
                    texts.setdefault(name, []).append(written)
                elif value is not None:
                    others[name] = written
        if finish is None or events[-1][0] != STREAM_END:
            raise ValueError("the stream ended before the answer did")
        grown = {"role": '"assistant"', "content": "null"}
        grown |= {name: joined(strings) for name, strings in texts.items()}
        grown |= others
        if calls.all:
            grown["tool_calls"] = f"[{','.join(map(str, calls.all))}]"
        pairs = (f"{write(name).decode()}:{written}" for name, written in grown.items())
        message = f"{{{','.join(pairs)}}}"
        choice = f'[{{"message":{message},"finish_reason":{write(finish).decode()}}}]'
        usage = write(last_usage(told)).decode()
        return put(put(frame, ("choices",), choice), ("usage",), usage)


class _StreamedCall:
    """A tool call that grows: its first piece, and all pieces of its arguments."""

    def __init__(self, call: _ToolCall, text: str) -> None:
        self.index = call.index
        self.id = call.id
        self._first = text
        self._arguments: list[str] = []
        self.add(text, call)

    def add(self, text: str, call: _ToolCall) -> None:
        """Add a piece."""
        if isinstance(call.function.arguments, str) and call.function.arguments:
            self._arguments.append(cut(text, "function", "arguments"))

    def __str__(self) -> str:
        # The index is of the stream alone: OpenAI refuses a message that holds one.
        first = without(self._first, "index")
        return put(first, ("function", "arguments"), joined(self._arguments))


class _Growing:
    """The tool calls of a stream, in the order in which they began.

    A piece belongs to the last call of its index, unless it has an id of its own: that begins a
    new one. Some servers give every call of an answer the same index.
    """

    def __init__(self) -> None:
        self.all: list[_StreamedCall] = []
        self._last: dict[int | None, _StreamedCall] = {}
        self._named: dict[tuple[int | None, str | None], _StreamedCall] = {}

    def add(self, piece: _ToolCall, text: str) -> None:
        """Add a piece to its call, or the call that it begins."""
        found = (
            self._named.get((piece.index, piece.id)) if piece.id else self._last.get(piece.index)
        )
        if found:
            found.add(text, piece)
            return
        begun = _StreamedCall(piece, text)
        self.all.append(begun)
        self._last[begun.index] = self._named[begun.index, begun.id] = begun


def _announced(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.schema}
