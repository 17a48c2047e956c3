"""Anthropic's Messages API."""

from __future__ import annotations

import json
from collections.abc import Sequence

from gaugeblock.agents.mock.dialects.dialect import (
    Asked,
    Block,
    Event,
    Json,
    arguments,
    as_value,
    halves,
)
from gaugeblock.agents.mock.script import ODD_SIGNATURE, ODD_TEXT, Say, Tokens

STOP = {"cut-off": "max_tokens", "filtered": "refusal"}

KINDS = {
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
}


class AnthropicMessages:
    """POST /v1/messages."""

    name = "anthropic-messages"
    base = ""
    escapes = False

    def asked(self, path: str, query: str, body: Json) -> Asked | None:
        """As the protocol says."""
        if path != "/v1/messages":
            return None
        return Asked(str(body.get("model")), bool(body.get("stream")))

    def tools(self, body: Json) -> list[str]:
        """As the protocol says."""
        return [tool["name"] for tool in body.get("tools") or []]

    def begins(self, body: Json) -> bool:
        """As the protocol says."""
        roles = {message.get("role") for message in body.get("messages") or []}
        return "assistant" not in roles and not self.answered(body)

    def answered(self, body: Json) -> list[str]:
        """As the protocol says."""
        contents = [message.get("content") for message in body.get("messages") or []]
        blocks = [block for c in contents if isinstance(c, list) for block in c]
        return [str(b.get("tool_use_id")) for b in blocks if b.get("type") == "tool_result"]

    def answer(self, say: Say, number: int, model: str, body: Json) -> Json:
        """As the protocol says."""
        content: list[Json] = []
        if say.continuation:
            content += [
                {
                    "type": "thinking",
                    "thinking": ODD_TEXT,
                    "signature": f"{number:04d}{ODD_SIGNATURE}",
                },
                {"type": "redacted_thinking", "data": f"{number:04d}{ODD_SIGNATURE[::-1]}"},
            ]
        if say.text:
            content.append({"type": "text", "text": say.text})
        for index, (name, written) in enumerate(arguments(say)):
            content.append(
                {
                    "type": "tool_use",
                    "id": f"toolu_{number:04d}_{index}",
                    "name": name,
                    "input": as_value(written),
                    "caller": {"type": "direct"},
                }
            )
        stop = STOP.get(say.finish, "tool_use" if say.calls else "end_turn")
        told = _usage(say.usage) if isinstance(say.usage, Tokens) else dict(say.usage)
        return {
            "model": model,
            "id": f"msg_{number:04d}",
            "type": "message",
            "role": "assistant",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": told,
        }

    def events(self, answer: Json, body: Json, *, usage_repeated: bool = False) -> list[Event]:
        """As the protocol says; usage in the first event, and whole at the end, cumulative."""
        usage = answer.get("usage")
        first = {**answer, "content": [], "stop_reason": None}
        if usage is not None:
            first["usage"] = {**usage, "output_tokens": 1}
            first["usage"].pop("output_tokens_details", None)
        events: list[Json] = [{"type": "message_start", "message": first}, {"type": "ping"}]
        content = answer["content"]
        for index, block in enumerate(content):
            empty, deltas = _deltas(block)
            at = {"index": index}
            events.append({"type": "content_block_start", **at, "content_block": empty})
            events += [{"type": "content_block_delta", **at, "delta": delta} for delta in deltas]
            events.append({"type": "content_block_stop", **at})
            if usage_repeated and usage is not None:
                grown = {**_cumulative(usage), "output_tokens": 1 + index}
                delta = {"stop_reason": None, "stop_sequence": None}
                events.append({"type": "message_delta", "delta": delta, "usage": grown})
        delta = {"stop_reason": answer["stop_reason"], "stop_sequence": None}
        last: Json = {"type": "message_delta", "delta": delta}
        if usage is not None:
            last["usage"] = _cumulative(usage)
        events += [last, {"type": "message_stop"}]
        return [Event(event, event["type"]) for event in events]

    def blocks(self, answer: Json) -> Sequence[Block]:
        """As the protocol says: thinking with its signature, and what was redacted."""
        kinds = ("thinking", "redacted_thinking")
        return [block for block in answer["content"] if block["type"] in kinds]

    def call_ids(self, answer: Json) -> list[str]:
        """As the protocol says."""
        return [block["id"] for block in answer["content"] if block["type"] == "tool_use"]

    def drop_usage(self, answer: Json) -> None:
        """As the protocol says."""
        del answer["usage"]

    def unbalance(self, answer: Json) -> None:
        """As the protocol says: cache writes that are not the sum of the two lifetimes."""
        answer["usage"]["cache_creation_input_tokens"] += 7

    def emptied(self, answer: Json) -> None:
        """As the protocol says."""
        answer["content"] = []

    def error(self, status: int, message: str) -> Json:
        """As the protocol says."""
        kind = KINDS.get(status, "invalid_request_error")
        return {
            "type": "error",
            "error": {"type": kind, "message": message},
            "request_id": "req_mock",
        }

    def failed(self, answer: Json, body: Json, *, stream: bool) -> Json | list[Event]:
        """As the protocol says: the error that ends a stream of an overloaded server."""
        error = self.error(500, "Overloaded")
        error["error"]["type"] = "overloaded_error"
        if not stream:
            return error
        return [*self.events(answer, body)[:2], Event(error, "error")]


def _usage(tokens: Tokens) -> Json:
    return {
        "input_tokens": tokens.input,
        "cache_creation_input_tokens": tokens.cache_write_5min + tokens.cache_write_1h,
        "cache_read_input_tokens": tokens.cache_read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": tokens.cache_write_5min,
            "ephemeral_1h_input_tokens": tokens.cache_write_1h,
        },
        "output_tokens": tokens.output,
        "output_tokens_details": {"thinking_tokens": tokens.reasoning},
        "service_tier": "standard",
        "inference_geo": "global",
    }


def _cumulative(usage: Json) -> Json:
    """Return what the closing event tells: totals, without the lifetimes of what was cached."""
    left_out = ("cache_creation", "service_tier", "inference_geo")
    return {name: value for name, value in usage.items() if name not in left_out}


def _deltas(block: Json) -> tuple[Json, list[Json]]:
    """Return a block as it is announced, and what fills it."""
    if block["type"] == "thinking":
        thoughts = [
            {"type": "thinking_delta", "thinking": piece} for piece in halves(block["thinking"])
        ]
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {**block, "thinking": "", "signature": ""}, [*thoughts, signed]
    if block["type"] == "text":
        texts = [{"type": "text_delta", "text": piece} for piece in halves(block["text"])]
        return {**block, "text": ""}, texts
    if block["type"] == "tool_use":
        given = block["input"]
        written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        pieces = ["", *halves(written)]
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        return {**block, "input": {}}, deltas
    return block, []
