"""A world in memory, for proofs of the way to a model: a plan is committed, nothing is made."""

from __future__ import annotations

from typing import Any

from gaugeblock.worlds.protocol import Delivery, Tool, ToolResult, WorldLost

LENGTH = "length_mm"

PROPOSE = Tool(
    "propose",
    "Set the length of the part, mm.",
    {
        "type": "object",
        "properties": {LENGTH: {"type": "number", "exclusiveMinimum": 0}},
        "required": [LENGTH],
        "additionalProperties": False,
    },
)

GOOD_CALL = (PROPOSE.name, {LENGTH: 12.5})
"""A call that this world accepts."""


class MockWorld:
    """Implements ``World`` with one tool and no model behind it."""

    def __init__(self) -> None:
        self._document = b""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The one tool."""
        return (PROPOSE,)

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Take a length, or say what is wrong with the call."""
        length = arguments.get(LENGTH)
        if name != PROPOSE.name:
            return ToolResult(True, f"There is no tool {name}.")
        lone = set(arguments) == {LENGTH} and not isinstance(length, bool)  # True is an int here
        if not lone or not isinstance(length, int | float) or length <= 0:
            return ToolResult(True, f"{PROPOSE.name} takes {LENGTH} > 0 and nothing else.")
        self._document = f"{length:g} mm".encode()
        return ToolResult(False, "Committed.")

    async def deliver(self) -> Delivery:
        """Return the document; there is never a model to measure."""
        return Delivery(self._document, None)

    async def export(self) -> bytes:
        """There is never anything to export."""
        raise WorldLost("host", "a mock world makes no part")

    def peak_bytes(self) -> int | None:
        """Nothing runs here."""
        return None
