"""A profile's conversation, by its dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gaugeblock.agents.api.provider import Conversation
from gaugeblock.agents.protocol import Image
from gaugeblock.records.case import Limits
from gaugeblock.records.profile import Profile
from gaugeblock.worlds.protocol import Tool

Opening = Callable[
    [Profile, str | None, str, tuple[Image, ...], Sequence[Tool], Limits], Conversation
]


def open_conversation(
    profile: Profile,
    key: str | None,
    message: str,
    images: tuple[Image, ...],
    tools: Sequence[Tool],
    limits: Limits,
) -> Conversation:
    """Begin a conversation; nothing is sent yet.

    Args:
        profile: an api agent's.
        key: the provider's; None for a server that needs none.
        message: the user's.
        images: shown before it.
        tools: announced with their whole schemas.
        limits: for the ceiling of output tokens.

    Raises:
        ValueError: the dialect cannot carry a setting or a tool's schema.
    """
    return dialect_of(profile)(profile, key, message, images, tools, limits)


def dialect_of(profile: Profile) -> Opening:
    """Return what opens conversations in a profile's dialect.

    The SDKs take 1 to 3 s to import, so only the one that is needed is.
    """
    match profile.dialect:
        case "openai-responses":
            from gaugeblock.agents.api.openai_responses import ResponsesConversation

            return ResponsesConversation
        case "xai-responses":
            from gaugeblock.agents.api.xai_responses import XaiConversation

            return XaiConversation
        case "anthropic-messages":
            from gaugeblock.agents.api.anthropic_messages import MessagesConversation

            return MessagesConversation
        case "gemini-generate-content":
            from gaugeblock.agents.api.gemini import GeminiConversation

            return GeminiConversation
        case "openai-chat":
            from gaugeblock.agents.api.openai_chat import ChatConversation

            return ChatConversation
        case None:
            raise ValueError(f"profile {profile.id} names no dialect")
