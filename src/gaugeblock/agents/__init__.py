"""Agents: who works. See README.md."""

from gaugeblock.agents.protocol import Agent, AgentReport, Brief, Desk
from gaugeblock.agents.scripted import ScriptedAgent

__all__ = ["Agent", "AgentReport", "Brief", "Desk", "ScriptedAgent"]
