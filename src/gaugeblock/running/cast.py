"""Who can run on which case: profiles, and the agents they stand for."""

from __future__ import annotations

from collections.abc import Iterable

from gaugeblock.agents import Agent, ApiAgent, ScriptedAgent
from gaugeblock.metering.meter import Meter
from gaugeblock.records.case import Case, Limits, Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.host_description import HostDescription
from gaugeblock.records.profile import SCRIPTED_AGENTS, Profile, scripted_profile
from gaugeblock.running.translation import translated
from gaugeblock.suites import ScriptedAgent as Control
from gaugeblock.suites import Suite


def find_profile(name: str, among: list[Suite], others: Iterable[Profile] = ()) -> Profile:
    """Return a profile by its id.

    Args:
        name: the id.
        among: suites, whose scripted agents have profiles of their own.
        others: profiles from files.

    Raises:
        WrongUse: there is none; the known ones are named.
    """
    found = {profile.id: profile for profile in others}
    found |= {a.name: scripted_profile(a.name) for suite in among for a in suite.agents()}
    if name not in found:
        raise WrongUse(f"no profile `{name}`; there are: {', '.join(sorted(found))}")
    return found[name]


def limits_of(profile: Profile, case: Case) -> Limits:
    """Return a case's limits, tightened where the profile says so; it can never loosen one."""
    own = case.limits.model_dump()
    tighter = {name: min(value, own[name]) for name, value in profile.limits.items()}
    return Limits.model_validate({**own, **tighter})


def applies(profile: Profile, case: Case, suite: Suite) -> bool:
    """Whether a profile can be run on a case; a script only on the cases it is written for."""
    agent = scripted(profile, suite)
    if agent is None:
        return profile.agent.split(":")[0] not in SCRIPTED_AGENTS
    return agent.applies_to(case.id)


def scripted(profile: Profile, suite: Suite) -> Control | None:
    """Return what a suite says of a profile's scripted agent, None for any other agent."""
    return next((agent for agent in suite.agents() if agent.name == profile.agent), None)


def make_agent(
    profile: Profile,
    suite: Suite,
    case: Case,
    asked: Round,
    meter: Meter | None = None,
    key: str | None = None,
    described: HostDescription | None = None,
) -> Agent:
    """Return a fresh agent for one conversation.

    Args:
        profile: who works.
        suite: for the script of a scripted agent.
        case: the case.
        asked: the round.
        meter: of the conversation, for an agent that sends requests.
        key: of its provider.
        described: the host, where it is not ours.

    Raises:
        WrongUse: the profile names an agent this version does not have, or a script cannot be
            followed on the host.
    """
    if profile.agent == "api":
        assert meter is not None, "an agent that sends requests has a meter"
        return ApiAgent(profile, key, meter)
    if profile.agent.split(":")[0] not in SCRIPTED_AGENTS:
        raise WrongUse(f"profile {profile.id}: no agent `{profile.agent}` in this version")
    script = suite.script(case, asked, profile.agent)
    calls = [translated(call, described) for call in script.calls]
    return ScriptedAgent([(call.tool, call.arguments) for call in calls], script.says)
