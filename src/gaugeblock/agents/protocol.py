"""What an agent is: it gets a brief and a desk with tools, works, and says when it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from gaugeblock.records.case import Limits
from gaugeblock.worlds.protocol import Tool, ToolResult


@dataclass(frozen=True)
class Image:
    """A picture shown to the agent.

    Attributes:
        media_type: such as ``image/png``.
        data: the file's bytes.
    """

    media_type: str
    data: bytes


@dataclass(frozen=True)
class Brief:
    """What an agent is told.

    Attributes:
        instruction: the round's text, in the trial's language.
        document_context: what of the document is put into the message beside it; may be empty.
        limits: ceilings the agent's own loop must keep; those on tool calls the desk keeps.
        images: shown with the message.
    """

    instruction: str
    document_context: str
    limits: Limits
    images: tuple[Image, ...] = ()

    def message(self) -> str:
        """Return the whole user message."""
        parts = [self.instruction, self.document_context]
        return "\n\n".join(part for part in parts if part)


@dataclass(frozen=True)
class AgentReport:
    """What the agent says when it is done; its words are never evidence of success.

    Attributes:
        final_text: in one short line, for the record.
        answer: whole, for a case that asks for an answer.
    """

    final_text: str = ""
    answer: str = ""


class AgentFailed(Exception):
    """Something other than the model failed: the trial says nothing about it.

    Attributes:
        layer: provider or adapter, as in the outcome ``error:<layer>``.
    """

    def __init__(self, layer: str, message: str) -> None:
        super().__init__(message)
        self.layer = layer


class Desk(Protocol):
    """The only way from an agent to the world: counted, limited and journalled."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools the agent may call."""
        ...

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool. Whatever this raises must pass through the agent untouched."""
        ...

    def refuse(self, name: str, arguments: str, fault: str) -> ToolResult:
        """Count and journal a call that cannot be made, and return the error to answer with.

        Args:
            name: the tool that the agent named.
            arguments: what it wrote, as it stands.
            fault: why it cannot be passed on, one line.

        Raises:
            Exception: as :meth:`call`.
        """
        ...


class Agent(Protocol):
    """Somebody who works on one round."""

    async def work(self, brief: Brief, desk: Desk) -> AgentReport:
        """Work until done; exceptions of the desk and of the meter pass through.

        Raises:
            AgentFailed: the provider, or our own way to it, failed.
        """
        ...
