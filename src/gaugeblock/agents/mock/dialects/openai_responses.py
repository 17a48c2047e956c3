"""OpenAI's Responses API, and xAI's, which speaks it with small differences."""

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
from gaugeblock.agents.mock.script import ODD_SIGNATURE, ODD_TEXT, Say, Tokens

STATUS = {
    "natural": ("completed", None),
    "cut-off": ("incomplete", {"reason": "max_output_tokens"}),
    "filtered": ("incomplete", {"reason": "content_filter"}),
}

TICKS_PER_REQUEST = 37_756_000
"""What xAI's mock says a request cost, in 10⁻¹⁰ USD."""

CODES = {
    401: ("invalid_request_error", "invalid_api_key"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("tokens", "rate_limit_exceeded"),
    500: ("server_error", None),
}


class OpenaiResponses(OpenaiWire):
    """POST /v1/responses."""

    name = "openai-responses"
    base = "/v1"
    escapes = False
    codes = CODES

    def asked(self, path: str, query: str, body: Json) -> Asked | None:
        """As the protocol says."""
        if path != f"{self.base}/responses":
            return None
        return Asked(str(body.get("model")), bool(body.get("stream")))

    def tools(self, body: Json) -> list[str]:
        """As the protocol says."""
        return [tool["name"] for tool in body.get("tools") or [] if tool["type"] == "function"]

    def begins(self, body: Json) -> bool:
        """As the protocol says."""
        kinds = {"reasoning", "function_call", "function_call_output"}
        return not any(
            item.get("type") in kinds or item.get("role") == "assistant" for item in _items(body)
        )

    def answered(self, body: Json) -> list[str]:
        """As the protocol says."""
        outputs = [item for item in _items(body) if item.get("type") == "function_call_output"]
        return [str(item.get("call_id")) for item in outputs]

    def answer(self, say: Say, number: int, model: str, body: Json) -> Json:
        """As the protocol says."""
        status, details = STATUS[say.finish]
        output: list[Json] = []
        if say.continuation:
            output.append(
                {
                    "id": f"rs_{number:04d}",
                    "type": "reasoning",
                    "summary": [{"type": "summary_text", "text": ODD_TEXT}],
                    "encrypted_content": f"{number:04d}{ODD_SIGNATURE}",
                }
            )
        if say.text:
            output.append(
                {
                    "id": f"msg_{number:04d}",
                    "type": "message",
                    "status": "completed",
                    "content": [
                        {
                            "type": "output_text",
                            "annotations": [],
                            "logprobs": [],
                            "text": say.text,
                        }
                    ],
                    "phase": "commentary" if say.calls else "final_answer",
                    "role": "assistant",
                }
            )
        for index, (name, written) in enumerate(arguments(say)):
            output.append(
                {
                    "id": f"fc_{number:04d}_{index}",
                    "type": "function_call",
                    "status": "completed",
                    "arguments": written,
                    "call_id": f"call_{number:04d}_{index}",
                    "name": name,
                }
            )
        told = self._usage(say.usage) if isinstance(say.usage, Tokens) else dict(say.usage)
        return {
            "id": f"resp_{number:04d}",
            "object": "response",
            "created_at": CREATED_AT,
            "status": status,
            "background": False,
            "error": None,
            "incomplete_details": details,
            "instructions": body.get("instructions"),
            "max_output_tokens": body.get("max_output_tokens"),
            "model": model,
            "output": output,
            "parallel_tool_calls": True,
            "previous_response_id": None,
            "reasoning": {"effort": "medium", "summary": None},
            "service_tier": "default",
            "store": bool(body.get("store", True)),
            "temperature": 1.0,
            "text": {"format": {"type": "text"}, "verbosity": "medium"},
            "tool_choice": "auto",
            "tools": body.get("tools") or [],
            "top_p": 1.0,
            "truncation": "disabled",
            "usage": told,
            "metadata": {},
        }

    def _usage(self, tokens: Tokens) -> Json:
        written = tokens.cache_write_5min + tokens.cache_write_1h
        return {
            "input_tokens": tokens.prompt,
            "input_tokens_details": {
                "cached_tokens": tokens.cache_read,
                "cache_write_tokens": written,
            },
            "output_tokens": tokens.output,
            "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
            "total_tokens": tokens.prompt + tokens.output,
        }

    def events(self, answer: Json, body: Json, *, usage_repeated: bool = False) -> list[Event]:
        """As the protocol says; the usage stands in the last event alone."""
        begun = {**answer, "status": "in_progress", "output": [], "incomplete_details": None}
        begun["usage"] = answer.get("usage") if usage_repeated else None
        events: list[Json] = [
            {"type": "response.created", "response": begun},
            {"type": "response.in_progress", "response": begun},
        ]
        for index, item in enumerate(answer["output"]):
            at = {"output_index": index}
            pieces, empty = _pieces(item)
            events.append({"type": "response.output_item.added", **at, "item": empty})
            events += [{**piece, "item_id": item["id"], **at} for piece in pieces]
            events.append({"type": "response.output_item.done", **at, "item": item})
        events.append({"type": f"response.{answer['status']}", "response": answer})
        return _numbered(events)

    def blocks(self, answer: Json) -> Sequence[Block]:
        """As the protocol says: reasoning items, and messages for the phase they carry."""
        kinds = ("reasoning", "message")
        return [item for item in answer["output"] if item["type"] in kinds]

    def call_ids(self, answer: Json) -> list[str]:
        """As the protocol says."""
        return [item["call_id"] for item in answer["output"] if item["type"] == "function_call"]

    def emptied(self, answer: Json) -> None:
        """As the protocol says."""
        answer["output"] = []

    def failed(self, answer: Json, body: Json, *, stream: bool) -> Json | list[Event]:
        """As the protocol says: a response that failed."""
        error = {"code": "server_error", "message": "The model failed."}
        failure = {**answer, "status": "failed", "error": error, "output": [], "usage": None}
        if not stream:
            return failure
        begun = [event.data for event in self.events({**answer, "output": []}, body)[:2]]
        last = {"type": "response.failed", "response": failure}
        return _numbered([*(event for event in begun if isinstance(event, dict)), last])


class XaiResponses(OpenaiResponses):
    """xAI's: under its own prefix here; tells what a request cost."""

    name = "xai-responses"
    base = "/xai/v1"

    def _usage(self, tokens: Tokens) -> Json:
        return {
            "input_tokens": tokens.prompt,
            "input_tokens_details": {"cached_tokens": tokens.cache_read},
            "output_tokens": tokens.output,
            "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
            "total_tokens": tokens.prompt + tokens.output,
            "num_sources_used": 0,
            "num_server_side_tools_used": 0,
            "cost_in_usd_ticks": TICKS_PER_REQUEST,
        }

    def error(self, status: int, message: str) -> Json:
        """As the protocol says."""
        return {"code": f"HTTP status {status}", "error": message}


def _items(body: Json) -> list[Json]:
    items = body.get("input")
    return items if isinstance(items, list) else []


def _numbered(events: list[Json]) -> list[Event]:
    return [
        Event({**event, "sequence_number": number}, event["type"])
        for number, event in enumerate(events)
    ]


def _pieces(item: Json) -> tuple[list[Json], Json]:
    """Return the events inside an item, and the item as it is announced."""
    if item["type"] == "function_call":
        kind = "response.function_call_arguments"
        deltas = [{"type": f"{kind}.delta", "delta": piece} for piece in halves(item["arguments"])]
        done = {"type": f"{kind}.done", "arguments": item["arguments"], "name": item["name"]}
        return [*deltas, done], {**item, "status": "in_progress", "arguments": ""}
    if item["type"] == "message":
        part, at = item["content"][0], {"content_index": 0}
        text: Json = {"logprobs": [], **at}
        added = {"type": "response.content_part.added", **at, "part": {**part, "text": ""}}
        deltas = [
            {"type": "response.output_text.delta", "delta": piece, **text}
            for piece in halves(part["text"])
        ]
        done = {"type": "response.output_text.done", "text": part["text"], **text}
        closed = {"type": "response.content_part.done", **at, "part": part}
        announced = {**item, "status": "in_progress", "content": []}
        return [added, *deltas, done, closed], announced
    kind, at = "response.reasoning_summary", {"summary_index": 0}
    part = item["summary"][0]
    inside = [
        {"type": f"{kind}_part.added", **at, "part": {**part, "text": ""}},
        *({"type": f"{kind}_text.delta", **at, "delta": piece} for piece in halves(part["text"])),
        {"type": f"{kind}_text.done", **at, "text": part["text"]},
        {"type": f"{kind}_part.done", **at, "part": part},
    ]
    # What is announced may be incomplete: the item that counts is the one that is done.
    return inside, {**item, "summary": [], "encrypted_content": item["encrypted_content"][:4]}
