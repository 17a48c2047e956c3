"""What every world is to an agent and to the runner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gaugeblock.records.base import canonical_json


@dataclass(frozen=True)
class Tool:
    """One tool as the world announces it; reaches a model whole."""

    name: str
    description: str
    schema: dict[str, Any]

    def wire(self) -> dict[str, Any]:
        """Return the announcement as plain data, the form that is hashed and counted."""
        return {"name": self.name, "description": self.description, "inputSchema": self.schema}


def signatures_bytes(tools: Sequence[Tool]) -> int:
    """Return how many bytes announcements have when serialised; 0 where there is no tool."""
    return len(canonical_json([tool.wire() for tool in tools])) if tools else 0


@dataclass(frozen=True)
class ToolResult:
    """A tool's answer.

    Attributes:
        failed: the answer is a tool error.
        text: what the agent reads.
        data: the structured answer; empty where a world gives none.
    """

    failed: bool
    text: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Delivery:
    """What lay in the world when the agent was done.

    Attributes:
        document: the saved document, None where the world keeps none.
        step: the exported STEP, None where there is no model.
        reason: why there is no STEP, in the words of a world that says so; empty: it says nothing.
        drawing: the drawing of the part that the agent made itself, DXF; None: there is none.
    """

    document: bytes | None
    step: bytes | None
    reason: str = ""
    drawing: bytes | None = None


class WorldLost(Exception):
    """The world itself failed: the trial says nothing about the agent.

    Attributes:
        layer: host or tool-runtime, as in the outcome ``error:<layer>``.
    """

    def __init__(self, layer: str, message: str) -> None:
        super().__init__(message)
        self.layer = layer


class NotRebuilt(WorldLost):
    """The world stands, and the document that it was opened on does not build what it says."""


class World(Protocol):
    """A place with tools, fresh for every round."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools an agent may call."""
        ...

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool.

        Raises:
            WorldLost: the world did not answer and never will.
        """
        ...

    async def deliver(self) -> Delivery:
        """Return what lies there now.

        Raises:
            WorldLost: as in :meth:`call`.
        """
        ...

    async def export(self) -> bytes:
        """Return the STEP of what lies there now, saved or not.

        Raises:
            WorldLost: as in :meth:`call`, or there is nothing to export.
        """
        ...

    def peak_bytes(self) -> int | None:
        """Return the world's peak resident memory in bytes, None where it cannot be known."""
        ...
