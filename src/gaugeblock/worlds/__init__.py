"""Worlds: what an agent is put in. See README.md."""

from gaugeblock.worlds.host_world import CAPABILITIES, HostSettings, HostWorld
from gaugeblock.worlds.protocol import Delivery, Tool, ToolResult, World, WorldLost

__all__ = [
    "CAPABILITIES",
    "Delivery",
    "HostSettings",
    "HostWorld",
    "Tool",
    "ToolResult",
    "World",
    "WorldLost",
]
