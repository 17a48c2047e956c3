"""Worlds: what an agent is put in. See README.md."""

from gaugeblock.worlds.external_world import ExternalSettings, ExternalWorld
from gaugeblock.worlds.host_world import CAPABILITIES, HostSettings, HostWorld
from gaugeblock.worlds.opening import AnyHost, fitted, open_world, shut_in, unguarded
from gaugeblock.worlds.protocol import (
    Delivery,
    NotRebuilt,
    Tool,
    ToolResult,
    World,
    WorldLost,
    signatures_bytes,
)
from gaugeblock.worlds.sealing import Gate

__all__ = [
    "CAPABILITIES",
    "AnyHost",
    "Delivery",
    "ExternalSettings",
    "ExternalWorld",
    "Gate",
    "HostSettings",
    "HostWorld",
    "NotRebuilt",
    "Tool",
    "ToolResult",
    "World",
    "WorldLost",
    "fitted",
    "open_world",
    "shut_in",
    "signatures_bytes",
    "unguarded",
]
