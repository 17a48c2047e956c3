"""Gemini generateContent: parts and their thought signatures go back as they came.

The SDK turns every part into objects of its own and back, and drops what they do not know. So it is
only asked for address, authorisation and connection: `_Swap` beneath it exchanges the body, and
keeps the answer before the SDK reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx2
from google import genai
from google.genai import errors, types
from pydantic import BaseModel, Field

from gaugeblock.agents.api.body import Body, encoded
from gaugeblock.agents.api.conversation import Heard, Text, WiredConversation, asked
from gaugeblock.agents.api.provider import Call
from gaugeblock.agents.api.raw_json import cut, exchanged, parts, put, write
from gaugeblock.agents.api.settings import apply_settings
from gaugeblock.agents.api.wire import PlainClient, Wire, certificates
from gaugeblock.agents.protocol import Image
from gaugeblock.metering.reading import last_usage
from gaugeblock.records.case import Limits
from gaugeblock.records.profile import Profile
from gaugeblock.worlds.protocol import Tool, ToolResult

BASE_URL = "https://generativelanguage.googleapis.com/"
API_VERSION = "v1"
"""The SDK's own default; named, so that no environment variable exchanges it."""

CUT_OFF = ("MAX_TOKENS", "CONTINUATION")
"""Ends at a ceiling. The second offers to go on in a further request, which the SDK would send by
itself."""


class _FunctionCall(BaseModel):
    name: Text = ""
    id: str = ""
    args: Any = None


class _Part(BaseModel):
    """A part of the content: text, a call, or something that only goes back."""

    text: Text = ""
    thought: bool = False
    functionCall: _FunctionCall | None = None


class _Content(BaseModel):
    parts: list[_Part] = Field(default_factory=list)


class _Candidate(BaseModel):
    content: _Content = _Content()
    finishReason: str | None = None
    finishMessage: Text = ""


class _Feedback(BaseModel):
    blockReason: str | None = None


class _Answer(BaseModel):
    """What is read of an answer, or of one piece of a stream."""

    candidates: list[_Candidate] = Field(default_factory=list)
    promptFeedback: _Feedback = _Feedback()
    modelVersion: str | None = None
    usageMetadata: dict[str, Any] | None = None


class GeminiConversation(WiredConversation):
    """A conversation over generateContent."""

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
        declared = [
            {
                "name": tool.name,
                "description": tool.description,
                "parametersJsonSchema": tool.schema,  # whole; `parameters` is a smaller language
            }
            for tool in tools
        ]
        fields: dict[str, Any] = {"generationConfig": {"maxOutputTokens": limits.output_tokens}}
        if declared:
            fields["tools"] = [{"functionDeclarations": declared}]
        body = Body(apply_settings(fields, profile), "contents", limits.output_tokens)
        shown = [
            {"inlineData": {"mimeType": image.media_type, "data": encoded(image)}}
            for image in images
        ]
        body.add({"role": "user", "parts": [*shown, {"text": message}]}, images)
        swap = _Swap({"x-goog-api-key": key} if key else {})
        client = _open_client(profile.base_url or BASE_URL, key, swap)
        wire = _open_wire(client, swap, str(profile.model), profile.stream)
        super().__init__(wire, body, key, profile.stream, swap.aclose)

    def results(self, answered: Sequence[tuple[Call, ToolResult]]) -> None:
        """Put the tools' answers into the conversation, all of a turn in one content."""
        parts = []
        for call, result in answered:
            response = {
                "name": call.name,
                "response": {"error" if result.failed else "output": result.text},
            }
            if call.id:
                response["id"] = call.id
            parts.append({"functionResponse": response})
        self._body.add({"role": "user", "parts": parts})

    def _read(self, text: str, whole: dict[str, Any]) -> Heard:
        answer = _Answer.model_validate(whole)
        blocked = answer.promptFeedback.blockReason
        if not answer.candidates and blocked is None:
            raise ValueError("no candidates")
        candidate = answer.candidates[0] if answer.candidates else _Candidate(finishReason=blocked)
        read = candidate.content.parts
        cut_off = candidate.finishReason in CUT_OFF
        where = ("candidates", 0, "content", "parts")
        written_parts = parts(cut(text, *where)) if read else {}
        returned: dict[str | int, str] = {}
        calls = []
        for place, part in enumerate(read):
            if part.functionCall is None:
                continue
            call = part.functionCall
            path = ("functionCall", "args")
            written, given = "{}", {}
            if call.args is not None:
                written, given = cut(written_parts[place], *path), call.args
            cut_short = cut_off and place == len(read) - 1
            calls.append(asked(call.id, call.name, written, parsed=given, cut_short=cut_short))
            if not isinstance(given, dict):  # it would not be taken back
                returned[place] = put(written_parts[place], path, "{}")
        if returned:
            text = put(text, where, exchanged(cut(text, *where), returned))
        said = "".join(part.text for part in read if not part.thought)
        return Heard(
            turn=cut(text, "candidates", 0, "content") if read else "",
            finish=candidate.finishReason,
            model=answer.modelVersion,
            usage=answer.usageMetadata,
            text=said or candidate.finishMessage,
            calls=tuple(calls),
            cut_off=cut_off,
        )

    def _assemble(self, events: list[tuple[str, dict[str, Any]]]) -> str:
        """Put the parts of all pieces behind one another; what stands once is the last's."""
        pieces: list[str] = []
        told: list[dict[str, Any] | None] = []
        last, final = "", _Answer()
        for text, whole in events:
            piece = _Answer.model_validate(whole)
            told.append(piece.usageMetadata)
            if piece.candidates or piece.promptFeedback.blockReason:
                last, final = text, piece
            if piece.candidates and piece.candidates[0].content.parts:
                inner = cut(text, "candidates", 0, "content", "parts").strip()[1:-1]
                pieces.append(inner)
        if not final.promptFeedback.blockReason and not (
            final.candidates and final.candidates[0].finishReason
        ):
            raise ValueError("the stream ended before the answer did")
        if pieces:
            content = f'{{"parts":[{",".join(pieces)}],"role":"model"}}'
            last = put(last, ("candidates", 0, "content"), content)
        return put(last, ("usageMetadata",), write(last_usage(told)).decode())


class _Swap(PlainClient):
    """The HTTP under the SDK: sends our body in place of its own, and keeps the response."""

    body: bytes
    response: httpx2.Response | None

    async def send(self, request: httpx2.Request, **how: Any) -> httpx2.Response:
        """Send our body to where the SDK would have sent its own."""
        kept = {k: v for k, v in request.headers.items() if k != "content-length"}
        ours = httpx2.Request(
            request.method,
            request.url,
            headers=kept,
            content=self.body,
            extensions=request.extensions,
        )
        self.response = await super().send(ours, stream=True)
        # The SDK is told of an empty answer; the real one is read by us.
        return httpx2.Response(200, content=b"", request=request)


def _open_client(base_url: str, key: str | None, swap: _Swap) -> genai.Client:
    return genai.Client(
        vertexai=False,
        api_key=key or "none",  # given, so that none is looked for in the environment
        http_options=types.HttpOptions(
            base_url=base_url,
            api_version=API_VERSION,
            retry_options=types.HttpRetryOptions(attempts=1),
            httpx_async_client=swap,
            client_args={"verify": certificates()},  # else read anew for a client never used
        ),
    )


def _open_wire(client: genai.Client, swap: _Swap, model: str, stream: bool) -> Wire:
    config = types.GenerateContentConfig(
        automatic_continuation=False,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        should_return_http_response=None if stream else True,
    )

    async def post(body: bytes) -> httpx2.Response:
        swap.body, swap.response = body, None
        if stream:
            pieces = await client.aio.models.generate_content_stream(
                model=model, contents="replaced", config=config
            )
            async for _ in pieces:
                pass
        else:
            await client.aio.models.generate_content(
                model=model, contents="replaced", config=config
            )
        response = swap.response
        if response is None:
            raise httpx2.RequestError("the SDK sent nothing")
        if not response.is_success:
            await response.aread()
        return response.raise_for_status()

    return Wire(post, (errors.APIError,), '"parts"' if stream else None)
