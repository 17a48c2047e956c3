"""Agents: who works. See README.md."""

from gaugeblock.agents.api.loop import ApiAgent
from gaugeblock.agents.protocol import Agent, AgentFailed, AgentReport, Brief, Desk, Image
from gaugeblock.agents.scripted import SCRIPT_DONE, ScriptedAgent

__all__ = [
    "SCRIPT_DONE",
    "Agent",
    "AgentFailed",
    "AgentReport",
    "ApiAgent",
    "Brief",
    "Desk",
    "Image",
    "ScriptedAgent",
]
