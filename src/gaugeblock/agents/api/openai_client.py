"""The openai SDK's client for the dialects that are spoken over it."""

from __future__ import annotations

from typing import Any, cast

import httpx2
import openai

from gaugeblock.agents.api.wire import PlainClient, Wire

NO_KEY = "none"
"""Stands where the SDK insists on a key and a server of one's own has none; it is never sent. An
empty one would make the SDK look for a key in the environment."""


def open_client(base_url: str, key: str | None) -> openai.AsyncOpenAI:
    """Return a client that retries nothing and takes nothing from the environment."""
    return openai.AsyncOpenAI(
        api_key=key or NO_KEY,
        base_url=base_url,
        max_retries=0,
        timeout=None,
        http_client=PlainClient({"authorization": f"Bearer {key}"} if key else {}),
    )


def open_wire(client: openai.AsyncOpenAI, path: str, piece: str | None) -> Wire:
    """Return a wire to one of its addresses."""

    async def post(body: bytes) -> httpx2.Response:
        # `stream=True` with a bare response: the SDK checks the status and leaves the body to us.
        response: Any = await client.post(
            path,
            content=body,
            cast_to=httpx2.Response,
            stream=True,
            stream_cls=openai.AsyncStream[Any],
        )
        return cast(httpx2.Response, response)

    return Wire(post, (openai.OpenAIError,), piece)
