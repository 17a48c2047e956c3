"""A mock provider: real HTTP on loopback in five dialects. Nothing it says is a result."""

from gaugeblock.agents.mock.script import FAULTS, Fault, FaultKind, Say, Tokens
from gaugeblock.agents.mock.server import MockProvider, Received
from gaugeblock.agents.mock.world import MockWorld

__all__ = ["FAULTS", "Fault", "FaultKind", "MockProvider", "MockWorld", "Received", "Say", "Tokens"]
