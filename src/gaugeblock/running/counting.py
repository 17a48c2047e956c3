"""What of an agent's calls can be counted: all of it on our host, on another what is described.

A quantity that nobody knows is unknown with its reason, and never 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gaugeblock.host.toolsets import shown
from gaugeblock.records.host_description import HostDescription
from gaugeblock.worlds import AnyHost, ExternalSettings, ToolResult
from gaugeblock.worlds.external_world import is_rejection

PLAN_TOOLS = frozenset(tool.name for tool in shown("all").tools if tool.answer == "COMMITTED")
"""A plan is one call of these: the tools that ask for a new version of the document, by programs or
by objects (a batch is one plan). Only they can commit, and one of them that is not rejected has."""

NO_PLANS = "the host's description names no tool as a plan"
NO_COMMITS = "the host's description does not say which calls change the model"
NO_LOOK_UPS = "the host has no tool that looks something up"
NO_TIMES = "the host does not say how long it worked"
NO_CHANGES = "the host does not say what a call changed"
NO_PROGRAM = "the host's description names no program"


@dataclass(frozen=True)
class Counting:
    """How calls are counted.

    Attributes:
        plans: tools whose calls are plans; None: unknown.
        commits: tools that change the model where they are not rejected; None: unknown.
        programs: tool → its argument that holds a program.
        unknown: field of the round's result that cannot be counted → why.
        described: of a host that is not ours.
        files: tools of the workspace. They change no model, and what the host commits changes none
            of their answers.
    """

    plans: frozenset[str] | None = PLAN_TOOLS
    commits: frozenset[str] | None = PLAN_TOOLS
    programs: Mapping[str, str] = field(
        default_factory=lambda: dict.fromkeys(PLAN_TOOLS, "program")
    )
    unknown: Mapping[str, str] = field(default_factory=dict)
    described: HostDescription | None = None
    files: frozenset[str] = frozenset()

    def is_plan(self, tool: str) -> bool:
        """Whether a call is a plan, as far as is known."""
        return self.plans is not None and tool in self.plans

    def rejected(self, result: ToolResult) -> bool:
        """Whether an answer rejects the call."""
        if self.described is None:
            return result.failed
        return is_rejection(self.described, result)

    def committed(self, tool: str, result: ToolResult) -> bool:
        """Whether a call has changed the model, as far as is known."""
        if self.commits is None or tool not in self.commits or self.rejected(result):
            return False
        sign = None if self.described is None else self.described.counting.committed_when
        return sign is None or sign in result.text


OWN = Counting()
"""Of our own host: it says all of it."""


def counting_of(host: AnyHost) -> Counting:
    """Return how calls to a host are counted."""
    if not isinstance(host, ExternalSettings):
        return OWN
    described = host.description
    said = described.counting
    unknown = {"idle_commits": NO_CHANGES, "look_ups": NO_LOOK_UPS, "cad": NO_TIMES}
    if said.plans is None:
        unknown |= dict.fromkeys(("plans", "repairs", "first_try"), NO_PLANS)
    if said.commits is None:
        fields = ("commits", "first_commit_s", "first_try", "repeated_calls")
        unknown |= dict.fromkeys(fields, NO_COMMITS)
    if described.program is None:
        unknown["program_chars"] = NO_PROGRAM
    return Counting(
        plans=None if said.plans is None else frozenset(said.plans),
        commits=None if said.commits is None else frozenset(said.commits),
        programs={}
        if described.program is None
        else {described.program.tool: described.program.argument},
        unknown=unknown,
        described=described,
    )
