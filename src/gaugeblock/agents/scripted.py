"""The agents that follow a script: reference, null and the mutants.

They call the same tools over the same MCP path as a model would, so a right reference proves the
wiring and a wrong mutant proves the ruler. They are never a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaugeblock.agents.protocol import AgentReport, Brief, Desk

SCRIPT_DONE = "script done"
"""What a scripted agent says when every call of its script was taken."""


class ScriptedAgent:
    """Makes the calls of its script in order and stops at the first that is refused."""

    def __init__(self, calls: Sequence[tuple[str, dict[str, Any]]], says: str = "") -> None:
        """Make an agent.

        Args:
            calls: tool name and arguments, in order; empty for the null agent.
            says: its final answer, where the case asks for one.
        """
        self._calls = tuple(calls)
        self._says = says

    async def work(self, brief: Brief, desk: Desk) -> AgentReport:
        """Follow the script; the brief is not read."""
        for name, arguments in self._calls:
            result = await desk.call(name, arguments)
            if result.failed:
                return AgentReport(f"{name} was refused: {result.text}")
        return AgentReport(SCRIPT_DONE, self._says)
