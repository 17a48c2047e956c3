"""What an agent is: it gets a brief and a desk with tools, works, and reports what it used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from gaugeblock.records.case import Limits
from gaugeblock.records.usage import Usage
from gaugeblock.worlds.protocol import Tool, ToolResult


@dataclass(frozen=True)
class Brief:
    """What an agent is told.

    Attributes:
        instruction: the round's text, in the trial's language.
        document_context: what of the document is put into the message beside it; may be empty.
        limits: ceilings the agent's own loop must keep; those on tool calls the desk keeps.
    """

    instruction: str
    document_context: str
    limits: Limits

    def message(self) -> str:
        """Return the whole user message."""
        parts = [self.instruction, self.document_context]
        return "\n\n".join(part for part in parts if part)


@dataclass(frozen=True)
class AgentReport:
    """What the agent says when it is done; its words are never evidence of success."""

    usage: Usage
    final_text: str = ""


class Desk(Protocol):
    """The only way from an agent to the world: counted, limited and journalled."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools the agent may call."""
        ...

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool. Whatever this raises must pass through the agent untouched."""
        ...


class Agent(Protocol):
    """Somebody who works on one round."""

    async def work(self, brief: Brief, desk: Desk) -> AgentReport:
        """Work until done; exceptions of the desk pass through."""
        ...
