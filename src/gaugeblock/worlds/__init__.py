"""Worlds: what an agent is put in. See README.md."""

from gaugeblock.worlds.host_world import CAPABILITIES, HostSettings, HostWorld
from gaugeblock.worlds.protocol import (
    Delivery,
    NotRebuilt,
    Tool,
    ToolResult,
    World,
    WorldLost,
    signatures_bytes,
)

__all__ = [
    "CAPABILITIES",
    "Delivery",
    "HostSettings",
    "HostWorld",
    "NotRebuilt",
    "Tool",
    "ToolResult",
    "World",
    "WorldLost",
    "signatures_bytes",
]
