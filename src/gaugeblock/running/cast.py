"""Who can run on which case: profiles, and the agents they stand for."""

from __future__ import annotations

from gaugeblock.agents import Agent, ScriptedAgent
from gaugeblock.records.case import Case, Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.profile import SCRIPTED_AGENTS, Profile, scripted_profile
from gaugeblock.suites import ScriptedAgent as Control
from gaugeblock.suites import Suite


def find_profile(name: str, among: list[Suite]) -> Profile:
    """Return a profile by its id.

    Raises:
        WrongUse: there is none; the known ones are named.
    """
    known = {agent.name for suite in among for agent in suite.agents()}
    if name not in known:
        raise WrongUse(f"no profile `{name}`; there are: {', '.join(sorted(known))}")
    return scripted_profile(name)


def applies(profile: Profile, case: Case, suite: Suite) -> bool:
    """Whether a profile can be run on a case; a mutant only on the cases it mutates."""
    agent = scripted(profile, suite)
    return agent is None or case.id in agent.cases


def scripted(profile: Profile, suite: Suite) -> Control | None:
    """Return what a suite says of a profile's scripted agent, None for any other agent."""
    return next((agent for agent in suite.agents() if agent.name == profile.agent), None)


def make_agent(profile: Profile, suite: Suite, case: Case, asked: Round) -> Agent:
    """Return a fresh agent for one conversation.

    Raises:
        WrongUse: the profile names an agent this version does not have.
    """
    if profile.agent.split(":")[0] not in SCRIPTED_AGENTS:
        raise WrongUse(f"profile {profile.id}: no agent `{profile.agent}` in this version")
    script = suite.script(case, asked, profile.agent)
    return ScriptedAgent([(call.tool, call.arguments) for call in script.calls])
