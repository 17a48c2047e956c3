"""A profile: who works, with which settings. One entry in a TOML file."""

from __future__ import annotations

from pydantic import Field

from gaugeblock.records.base import Record

SCRIPTED_AGENTS = ("reference", "null", "mutant")
"""Agents that follow a script. They prove the wiring and the ruler and are never a result."""


class Profile(Record):
    """One agent under one configuration."""

    id: str = Field(pattern=r"^[\w.:-]+$")
    label: str
    agent: str = Field(description="reference, null, mutant:NAME; more in later releases.")
    provider: str | None = None
    model: str | None = None
    settings: dict[str, str | int | float | bool] = Field(default_factory=dict)

    @property
    def scripted(self) -> bool:
        """Whether the agent follows a script and so never enters a results table."""
        return self.agent.split(":")[0] in SCRIPTED_AGENTS


def scripted_profile(agent: str) -> Profile:
    """Return the built-in profile of a scripted agent, such as ``mutant:no-holes``."""
    return Profile(id=agent, label=f"scripted: {agent}", agent=agent)
