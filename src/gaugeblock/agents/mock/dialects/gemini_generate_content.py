"""Google's generateContent and its stream."""

from __future__ import annotations

import re
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
from gaugeblock.agents.mock.script import ODD_SIGNATURE, Say, Tokens

ADDRESS = re.compile(r"/v1(?:beta|alpha)?/models/([^/:]+):(generateContent|streamGenerateContent)")

FINISH = {"natural": "STOP", "cut-off": "MAX_TOKENS", "filtered": "SAFETY"}

STATUS = {401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL"}


class GeminiGenerateContent:
    """POST /v1beta/models/MODEL:generateContent, and :streamGenerateContent?alt=sse."""

    name = "gemini-generate-content"
    base = ""
    escapes = True

    def asked(self, path: str, query: str, body: Json) -> Asked | None:
        """As the protocol says."""
        found = ADDRESS.fullmatch(path)
        if found is None:
            return None
        stream = found[2].startswith("stream")
        # Without alt=sse the real stream is one JSON array, which nobody here asks for.
        return Asked(found[1], stream) if not stream or "alt=sse" in query else None

    def tools(self, body: Json) -> list[str]:
        """As the protocol says."""
        groups = [tool.get("functionDeclarations") or [] for tool in body.get("tools") or []]
        return [declared["name"] for group in groups for declared in group]

    def begins(self, body: Json) -> bool:
        """As the protocol says."""
        roles = {content.get("role") for content in body.get("contents") or []}
        return "model" not in roles and not self.answered(body)

    def answered(self, body: Json) -> list[str]:
        """As the protocol says."""
        parts = [p for content in body.get("contents") or [] for p in content.get("parts") or []]
        responses = [part["functionResponse"] for part in parts if "functionResponse" in part]
        return [str(response.get("id")) for response in responses]

    def answer(self, say: Say, number: int, model: str, body: Json) -> Json:
        """As the protocol says; the signature is on the first call, or on the text."""
        parts: list[Json] = []
        if say.text:
            parts.append({"text": say.text})
        for index, (name, written) in enumerate(arguments(say)):
            call = {
                "name": name,
                "args": as_value(written),
                "id": f"call_{number:04d}_{index}",
            }
            parts.append({"functionCall": call})
        if say.continuation:
            signed = next((part for part in parts if "functionCall" in part), None)
            if signed is None:
                signed = parts[-1] if parts else {"text": ""}
                parts = parts or [signed]
            signed["thoughtSignature"] = f"{number:04d}{ODD_SIGNATURE}"
        candidate = {
            "content": {"parts": parts, "role": "model"},
            "finishReason": FINISH[say.finish],
            "index": 0,
        }
        told = _usage(say.usage) if isinstance(say.usage, Tokens) else dict(say.usage)
        return {
            "candidates": [candidate],
            "usageMetadata": told,
            "modelVersion": model,
            "responseId": f"mock{number:04d}",
        }

    def events(self, answer: Json, body: Json, *, usage_repeated: bool = False) -> list[Event]:
        """As the protocol says: chunks of parts, each with the usage so far.

        Text comes in pieces; the signature of a text comes last, on an empty one.
        """
        parts: list[Json] = []
        for part in _parts(answer):
            pieces = halves(part.get("text", ""))
            if not pieces:
                parts.append(part)
                continue
            parts += [{"text": piece} for piece in pieces]
            if "thoughtSignature" in part:
                parts.append({"text": "", "thoughtSignature": part["thoughtSignature"]})
        shared: Json = {name: answer[name] for name in ("modelVersion", "responseId")}
        usage, finish = answer.get("usageMetadata"), _finish(answer)
        chunks: list[Json] = []
        for index, part in enumerate(parts):
            candidate: Json = {"content": {"parts": [part], "role": "model"}, "index": 0}
            last = index == len(parts) - 1
            if last:
                candidate["finishReason"] = finish
            chunk = {"candidates": [candidate], **shared}
            if usage is not None:
                chunk["usageMetadata"] = usage if last else _so_far(usage)
            chunks.append(chunk)
        return [Event(chunk) for chunk in chunks or [answer]]

    def blocks(self, answer: Json) -> Sequence[Block]:
        """As the protocol says: parts with a signature, by their signature.

        A stream gives the signature of a text on a part of its own, so what must come back is that
        member; on a call, the whole part, unless its arguments are no object: the real API would
        not take those back.
        """
        signed = [part for part in _parts(answer) if "thoughtSignature" in part]
        return [
            part if _callable(part) else ("thoughtSignature", part["thoughtSignature"])
            for part in signed
        ]

    def call_ids(self, answer: Json) -> list[str]:
        """As the protocol says."""
        calls = [part["functionCall"] for part in _parts(answer) if "functionCall" in part]
        return [call["id"] for call in calls]

    def drop_usage(self, answer: Json) -> None:
        """As the protocol says."""
        del answer["usageMetadata"]

    def unbalance(self, answer: Json) -> None:
        """As the protocol says."""
        answer["usageMetadata"]["totalTokenCount"] += 7

    def emptied(self, answer: Json) -> None:
        """As the protocol says."""
        del answer["candidates"]

    def error(self, status: int, message: str) -> Json:
        """As the protocol says."""
        word = STATUS.get(status, "INVALID_ARGUMENT")
        return {"error": {"code": status, "message": message, "status": word}}

    def failed(self, answer: Json, body: Json, *, stream: bool) -> Json | list[Event]:
        """As the protocol says."""
        error = self.error(503, "The model is overloaded.")
        error["error"]["status"] = "UNAVAILABLE"
        return [Event(error)] if stream else error


def _parts(answer: Json) -> list[Json]:
    candidates = answer.get("candidates") or []
    return [part for candidate in candidates for part in candidate["content"]["parts"]]


def _callable(part: Json) -> bool:
    return isinstance(part.get("functionCall", {}).get("args"), dict)


def _finish(answer: Json) -> str | None:
    candidates = answer.get("candidates") or []
    return candidates[0]["finishReason"] if candidates else None


def _usage(tokens: Tokens) -> Json:
    return {
        "promptTokenCount": tokens.prompt,
        "cachedContentTokenCount": tokens.cache_read,
        "candidatesTokenCount": tokens.output - tokens.reasoning,
        "thoughtsTokenCount": tokens.reasoning,
        "totalTokenCount": tokens.prompt + tokens.output,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": tokens.prompt}],
        "cacheTokensDetails": [{"modality": "TEXT", "tokenCount": tokens.cache_read}],
    }


def _so_far(usage: Json) -> Json:
    """Return the usage before the end: no output is counted yet."""
    counted = {"candidatesTokenCount", "thoughtsTokenCount"}
    left = {name: value for name, value in usage.items() if name not in counted}
    if "promptTokenCount" in left:
        left["totalTokenCount"] = left["promptTokenCount"]
    return left
