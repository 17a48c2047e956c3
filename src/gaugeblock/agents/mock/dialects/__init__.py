"""The wires of five providers, written down from their SDKs' types and public documents."""

from gaugeblock.agents.mock.dialects.anthropic_messages import AnthropicMessages
from gaugeblock.agents.mock.dialects.dialect import Dialect, Event
from gaugeblock.agents.mock.dialects.gemini_generate_content import GeminiGenerateContent
from gaugeblock.agents.mock.dialects.openai_chat import OpenaiChat
from gaugeblock.agents.mock.dialects.openai_responses import OpenaiResponses, XaiResponses

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        OpenaiResponses(),
        XaiResponses(),
        AnthropicMessages(),
        GeminiGenerateContent(),
        OpenaiChat(),
    )
}
"""By their names in a profile."""

__all__ = ["DIALECTS", "Dialect", "Event"]
