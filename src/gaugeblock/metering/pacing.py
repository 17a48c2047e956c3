"""Waiting, so that a provider's rate limits are never met."""

from __future__ import annotations

import time

import anyio

from gaugeblock.metering.costs import FRAMING_TOKENS, Size
from gaugeblock.records.profile import Pacing


class Pacer:
    """Spaces the requests of one profile evenly; shared by all its conversations."""

    def __init__(self, pacing: Pacing) -> None:
        self._pacing = pacing
        self._free_at = 0.0

    async def wait(self, size: Size) -> float:
        """Wait until a request may be sent and return the time waited, s."""
        begun = time.monotonic()
        at = max(self._free_at, begun)
        self._free_at = at + self._spacing_s(size)
        if at > begun:
            await anyio.sleep(at - begun)
        return time.monotonic() - begun

    def _spacing_s(self, size: Size) -> float:
        """Return how long the next request must keep away from this one, s."""
        requests, tokens = self._pacing.requests_per_min, self._pacing.tokens_per_min
        most = size.request_bytes + FRAMING_TOKENS + size.output_tokens
        return max(60 / requests if requests else 0.0, 60 * most / tokens if tokens else 0.0)
