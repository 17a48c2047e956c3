"""xAI Responses over HTTP: OpenAI's dialect, and the provider tells what each request cost.

xAI's own SDK speaks gRPC and repeats what it finds unavailable without a word.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from gaugeblock.agents.api.conversation import Heard
from gaugeblock.agents.api.openai_responses import ResponsesConversation
from gaugeblock.metering.reading import reported_cost


class XaiConversation(ResponsesConversation):
    """A conversation with xAI."""

    base_url: ClassVar[str] = "https://api.x.ai/v1"

    def _read(self, text: str, whole: dict[str, Any]) -> Heard:
        heard = super()._read(text, whole)
        return replace(heard, reported_cost_usd=reported_cost("xai-responses", heard.usage))
