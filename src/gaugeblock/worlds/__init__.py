"""Worlds: what an agent is put in. See README.md."""

from gaugeblock.worlds.combined import CombinedWorld, clashing
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
from gaugeblock.worlds.workspace_world import (
    WorkspaceCall,
    WorkspaceSettings,
    WorkspaceWorld,
    launch_sealed,
)

__all__ = [
    "CAPABILITIES",
    "AnyHost",
    "CombinedWorld",
    "Delivery",
    "ExternalSettings",
    "ExternalWorld",
    "Gate",
    "HostSettings",
    "HostWorld",
    "NotRebuilt",
    "Tool",
    "ToolResult",
    "WorkspaceCall",
    "WorkspaceSettings",
    "WorkspaceWorld",
    "World",
    "WorldLost",
    "clashing",
    "fitted",
    "launch_sealed",
    "open_world",
    "shut_in",
    "signatures_bytes",
    "unguarded",
]
