"""OpenAI Responses. Nothing is stored there: reasoning goes back, encrypted, with every request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel

from gaugeblock.agents.api.body import Body, encoded
from gaugeblock.agents.api.conversation import Heard, Text, WiredConversation, asked
from gaugeblock.agents.api.openai_client import open_client, open_wire
from gaugeblock.agents.api.provider import Call, WireFailed
from gaugeblock.agents.api.raw_json import cut
from gaugeblock.agents.api.settings import apply_settings
from gaugeblock.agents.api.wire import message_of
from gaugeblock.agents.protocol import Image
from gaugeblock.records.case import Limits
from gaugeblock.records.profile import Profile
from gaugeblock.worlds.protocol import Tool, ToolResult

ENDS = ("response.completed", "response.incomplete", "response.failed")
"""Events that carry the whole response."""

PIECE = ".delta"
"""In the type of every event that carries a piece of the answer."""


class _Reason(BaseModel):
    reason: str | None = None


class _Content(BaseModel):
    text: Text = ""
    refusal: Text = ""


class _Item(BaseModel):
    """An item of the output: a message, a call, or something that only goes back."""

    type: str
    status: str | None = None
    content: Any = None
    call_id: str = ""
    name: Text = ""
    arguments: Text = ""


class _Response(BaseModel):
    """What is read of a response."""

    output: list[_Item]
    status: str = "completed"
    service_tier: str | None = None
    incomplete_details: _Reason | None = None
    model: str | None = None
    usage: dict[str, Any] | None = None


class ResponsesConversation(WiredConversation):
    """A conversation over the Responses API."""

    base_url: ClassVar[str] = "https://api.openai.com/v1"

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
            "max_output_tokens": limits.output_tokens,
            "store": False,
            "include": ["reasoning.encrypted_content"],
        }
        if tools:
            fields["tools"] = [_announced(tool) for tool in tools]
        if profile.stream:
            fields["stream"] = True
        body = Body(apply_settings(fields, profile), "input", limits.output_tokens)
        shown = [{"type": "input_image", "image_url": data_url(image)} for image in images]
        said = {"type": "input_text", "text": message}
        body.add({"role": "user", "content": [*shown, said]}, images)
        client = open_client(profile.base_url or self.base_url, key)
        wire = open_wire(client, "/responses", PIECE if profile.stream else None)
        super().__init__(wire, body, key, profile.stream, client.close)

    def results(self, answered: Sequence[tuple[Call, ToolResult]]) -> None:
        """Put the tools' answers into the conversation."""
        for call, result in answered:
            output = {"type": "function_call_output", "call_id": call.id, "output": result.text}
            self._body.add(output)

    def _read(self, text: str, whole: dict[str, Any]) -> Heard:
        response = _Response.model_validate(whole)
        reason = response.incomplete_details.reason if response.incomplete_details else None
        if response.status not in ("completed", "incomplete"):
            raise WireFailed(f"the response is {response.status}", 200)
        calls = [
            asked(item.call_id, item.name, item.arguments, cut_short=item.status == "incomplete")
            for item in response.output
            if item.type == "function_call"
        ]
        said = [
            _Content.model_validate(part)
            for item in response.output
            if item.type == "message" and isinstance(item.content, list)
            for part in item.content
        ]
        items = cut(text, "output").strip()[1:-1].strip()
        return Heard(
            turn=items,
            finish=reason if response.status == "incomplete" and reason else response.status,
            model=response.model,
            usage=response.usage,
            text="".join(part.text or part.refusal for part in said),
            calls=tuple(calls),
            service_tier=response.service_tier,
            cut_off=reason == "max_output_tokens",
        )

    def _assemble(self, events: list[tuple[str, dict[str, Any]]]) -> str:
        for text, event in reversed(events):
            if event.get("type") in ENDS and "response" in event:
                response = event["response"]
                if isinstance(response, dict) and response.get("error"):
                    raise WireFailed(f"the response failed: {message_of(response)}", 200)
                return cut(text, "response")
        raise ValueError("the stream ended before the response did")


def data_url(image: Image) -> str:
    """Return an image as an address that holds it."""
    return f"data:{image.media_type};base64,{encoded(image)}"


def _announced(tool: Tool) -> dict[str, Any]:
    # `strict` left out is true here, and true rewrites schemas and refuses many.
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": False,
    }
