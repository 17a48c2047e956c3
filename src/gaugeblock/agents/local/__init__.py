"""A real tiny model on this machine, served over HTTP by llama.cpp. See agents/README.md."""

from gaugeblock.agents.local.server import Counters, LocalServer, needs_local_server

__all__ = ["Counters", "LocalServer", "needs_local_server"]
