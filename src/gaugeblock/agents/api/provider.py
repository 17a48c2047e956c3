"""What a provider's module is: one conversation in the provider's own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gaugeblock.metering.costs import Size
from gaugeblock.metering.meter import Answer
from gaugeblock.worlds.protocol import ToolResult


@dataclass(frozen=True)
class Call:
    """A tool call that a model asks for.

    Attributes:
        id: the provider's name for it; its result goes back under it.
        name: the tool.
        arguments: parsed; None where they are no JSON object.
        written: as the model wrote them.
        fault: why they could not be parsed; empty where they could.
    """

    id: str
    name: str
    arguments: dict[str, Any] | None
    written: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Reply:
    """One answer of a model.

    Attributes:
        answer: for the account.
        text: what it says to the user.
        calls: the tools it asks for, in order.
        cut_off: whether it ended at the ceiling of output tokens.
    """

    answer: Answer
    text: str
    calls: tuple[Call, ...]
    cut_off: bool


class WireFailed(Exception):
    """A request without a usable answer: an HTTP error, a time-out, a dropped or malformed one.

    Attributes:
        status: of HTTP, None where no answer came.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Conversation(Protocol):
    """A conversation with a model, kept in the provider's own form.

    Whatever the provider sends goes back to it as it came: reasoning items, thinking blocks and
    signatures are never read, changed, reordered or stored elsewhere.
    """

    def size(self) -> Size:
        """Return how large the next request will be."""
        ...

    async def send(self) -> Reply:
        """Send the next request, exactly once, and keep the answer in the conversation.

        Raises:
            WireFailed: there is no usable answer.
        """
        ...

    def results(self, answered: Sequence[tuple[Call, ToolResult]]) -> None:
        """Put the tools' answers into the conversation, in the order of the calls."""
        ...

    async def close(self) -> None:
        """Close the connection."""
        ...
