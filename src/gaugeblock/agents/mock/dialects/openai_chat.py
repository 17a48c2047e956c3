"""OpenAI-compatible chat completions, with what DeepSeek adds."""

from __future__ import annotations

from collections.abc import Sequence

from gaugeblock.agents.mock.dialects.dialect import (
    CREATED_AT,
    Asked,
    Block,
    Event,
    Json,
    arguments,
    halves,
)
from gaugeblock.agents.mock.dialects.openai import OpenaiWire
from gaugeblock.agents.mock.script import ODD_TEXT, Say, Tokens

FINISH = {"cut-off": "length", "filtered": "content_filter"}

CODES = {
    401: ("authentication_error", "invalid_api_key"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("rate_limit_error", "rate_limit_exceeded"),
    500: ("server_error", None),
}


class OpenaiChat(OpenaiWire):
    """POST /v1/chat/completions."""

    name = "openai-chat"
    base = "/v1"
    escapes = False
    codes = CODES

    def asked(self, path: str, query: str, body: Json) -> Asked | None:
        """As the protocol says."""
        if path != "/v1/chat/completions":
            return None
        return Asked(str(body.get("model")), bool(body.get("stream")))

    def tools(self, body: Json) -> list[str]:
        """As the protocol says."""
        return [tool["function"]["name"] for tool in body.get("tools") or []]

    def begins(self, body: Json) -> bool:
        """As the protocol says."""
        return not any(m.get("role") in ("assistant", "tool") for m in _messages(body))

    def answered(self, body: Json) -> list[str]:
        """As the protocol says."""
        results = [m for m in _messages(body) if m.get("role") == "tool"]
        return [str(message.get("tool_call_id")) for message in results]

    def answer(self, say: Say, number: int, model: str, body: Json) -> Json:
        """As the protocol says."""
        message: Json = {"role": "assistant", "content": say.text or None}
        if say.continuation:
            message["reasoning_content"] = f"{number:04d}{ODD_TEXT}"
        calls = [
            {
                "id": f"call_{number:04d}_{index}",
                "type": "function",
                "function": {"name": name, "arguments": written},
            }
            for index, (name, written) in enumerate(arguments(say))
        ]
        if calls:
            message["tool_calls"] = calls
        finish = FINISH.get(say.finish, "tool_calls" if calls else "stop")
        told = _usage(say.usage) if isinstance(say.usage, Tokens) else dict(say.usage)
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
        return {
            "id": f"chatcmpl-{number:04d}",
            "object": "chat.completion",
            "created": CREATED_AT,
            "model": model,
            "choices": [choice],
            "usage": told,
            "system_fingerprint": "fp_mock",
        }

    def events(self, answer: Json, body: Json, *, usage_repeated: bool = False) -> list[Event]:
        """As the protocol says; usage comes only when asked for, in a chunk of its own."""
        shared: Json = {**answer, "object": "chat.completion.chunk"}
        for name in ("choices", "usage"):
            shared.pop(name, None)
        options = body.get("stream_options") or {}
        asked = bool(options.get("include_usage"))
        usage = answer.get("usage") if asked else None
        chunks: list[Json] = []
        for choice in answer["choices"]:
            deltas: list[tuple[Json, str | None]] = [
                (delta, None) for delta in _deltas(choice["message"])
            ]
            deltas.append(({}, choice["finish_reason"]))
            chunks += [
                {
                    **shared,
                    "choices": [
                        {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
                    ],
                    "usage": _so_far(usage) if usage_repeated and usage else None,
                }
                for delta, finish in deltas
            ]
        if usage is not None:
            chunks.append({**shared, "choices": [], "usage": usage})
        return [*map(Event, chunks), Event("[DONE]")]

    def blocks(self, answer: Json) -> Sequence[Block]:
        """As the protocol says: the reasoning, a member of its message."""
        messages = [choice["message"] for choice in answer["choices"]]
        name = "reasoning_content"
        return [(name, message[name]) for message in messages if name in message]

    def call_ids(self, answer: Json) -> list[str]:
        """As the protocol says."""
        messages = [choice["message"] for choice in answer["choices"]]
        return [call["id"] for message in messages for call in message.get("tool_calls", ())]

    def emptied(self, answer: Json) -> None:
        """As the protocol says."""
        answer["choices"] = []

    def failed(self, answer: Json, body: Json, *, stream: bool) -> Json | list[Event]:
        """As the protocol says."""
        error = self.error(500, "The server had an error while processing your request.")
        return [*self.events(answer, body)[:1], Event(error)] if stream else error


def _messages(body: Json) -> list[Json]:
    return body.get("messages") or []


def _usage(tokens: Tokens) -> Json:
    return {
        "prompt_tokens": tokens.prompt,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.prompt + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cache_read},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
        "prompt_cache_hit_tokens": tokens.cache_read,
        "prompt_cache_miss_tokens": tokens.prompt - tokens.cache_read,
    }


def _so_far(usage: Json) -> Json:
    """Return a usage as it stands before the end, as servers tell that count on every chunk."""
    prompt = usage.get("prompt_tokens", 0)
    return {**usage, "completion_tokens": 1, "total_tokens": prompt + 1}


def _deltas(message: Json) -> list[Json]:
    """Return a message in pieces: role, reasoning, text, calls."""
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    for name in ("reasoning_content", "content"):
        deltas += [{name: piece} for piece in halves(message.get(name) or "")]
    for index, call in enumerate(message.get("tool_calls", ())):
        function = call["function"]
        opened = {**call, "function": {"name": function["name"], "arguments": ""}}
        deltas.append({"tool_calls": [{"index": index, **opened}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
            for piece in halves(function["arguments"])
        ]
    return deltas
