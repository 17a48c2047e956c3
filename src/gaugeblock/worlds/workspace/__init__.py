"""A workspace of files under virtual roots, as an MCP server. See README.md."""

from gaugeblock.worlds.workspace.paths import Root
from gaugeblock.worlds.workspace.tools import TOOLS, announced

__all__ = ["TOOLS", "Root", "announced"]
