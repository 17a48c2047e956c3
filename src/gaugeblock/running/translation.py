"""A script's calls for our host, as calls for another one that runs the same programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gaugeblock.records.case import Case
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.host_description import HostDescription, ProgramUse
from gaugeblock.records.plan import IMAGE, WORKSPACE
from gaugeblock.records.profile import Profile
from gaugeblock.running.showing import WORKSPACE_TOOLS
from gaugeblock.suites import Suite, ToolCall
from gaugeblock.worlds import AnyHost, ExternalSettings

PROPOSE = "propose"
"""The tool of our host that runs a program: what a script is written in."""


def description_of(host: AnyHost) -> HostDescription | None:
    """Return the description of a host that is not ours."""
    return host.description if isinstance(host, ExternalSettings) else None


def lacks(host: AnyHost, case: Case) -> str | None:
    """Say what a host lacks for a case, or None.

    A case that begins on a document of our host can be begun on no other; one of several rounds
    goes on from what the host saved.
    """
    needed = set(case.needs) | ({"document"} if len(case.rounds) > 1 else set())
    lacking = sorted(needed - host.capabilities - {WORKSPACE, IMAGE})
    if isinstance(host, ExternalSettings) and case.start is not None:
        lacking.append("our own start documents")
    return f"host lacks {', '.join(lacking)}" if lacking else None


def require_translatable(
    host: ExternalSettings,
    cases: Iterable[Case],
    profiles: Iterable[Profile],
    suites: Mapping[str, Suite],
) -> None:
    """Refuse scripts that cannot be followed on a host, before anything is started.

    Raises:
        WrongUse: as of `translated`.
    """
    for case in cases:
        suite = suites[case.suite]
        known = {agent.name: agent for agent in suite.agents()}
        for profile in profiles:
            agent = known.get(profile.agent)
            if agent is None or not agent.applies_to(case.id) or lacks(host, case):
                continue
            for asked in case.rounds:
                for call in suite.script(case, asked, profile.agent).calls:
                    translated(call, host.description)


def translated(call: ToolCall, described: HostDescription | None) -> ToolCall:
    """Return a script's call as one of another host; our own takes it as it is.

    Calls to the workspace are the same beside every host.

    Raises:
        WrongUse: the host does not run programs, or the call is none.
    """
    if described is None or any(call.tool == tool.name for tool in WORKSPACE_TOOLS):
        return call
    if call.tool != PROPOSE or described.program is None:
        raise WrongUse(f"host {described.id}: a script's `{call.tool}` cannot be said to it")
    arguments = call.arguments
    text = program_text(described.program, arguments["program"], arguments["parameters"])
    return ToolCall(tool=described.program.tool, arguments={described.program.argument: text})


def program_text(use: ProgramUse, program: str, parameters: Mapping[str, Any]) -> str:
    """Return a program's text for another host: its parameters are assigned before it."""
    assigned = [f"{name} = {value!r}" for name, value in parameters.items()]
    parts = [use.before.strip("\n"), *assigned, program.strip("\n"), use.after.strip("\n")]
    return "\n".join(part for part in parts if part) + "\n"
