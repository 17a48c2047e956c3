"""The desk: every call of an agent counted, limited, timed and journalled."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gaugeblock.metering.limits import LimitReached
from gaugeblock.records.base import canonical_json, digest
from gaugeblock.records.case import Limits
from gaugeblock.records.store import Journal
from gaugeblock.running.counting import OWN, Counting
from gaugeblock.worlds.protocol import Tool, ToolResult, World

LOOK_UP_TOOL = "look_up"
QUERY_CHARS = 200
NAME_CHARS = 200
"""Characters of a tool's name that the journal keeps: a model may name what it likes."""
WRITTEN_CHARS = 2000
"""Characters of unreadable arguments that the journal keeps."""
CHANGED = ("parameters", "objects")
"""Parts of a program's commit that tell what the document now is."""
STEP_CHANGED = ("changed", "removed")
"""Parts of an object tool's commit that tell which objects it changed; both empty: none."""
UNJOURNALLED = ("signatures",)
"""Parts of an answer that are the same in every trial; their hash is in the plan."""


MAX_DEPTH = 64
"""Nesting of arguments that is passed on: far beyond any schema, within every parser's reach."""


def _unsendable(arguments: dict[str, Any]) -> str:
    """Say why arguments cannot travel as JSON, or nothing: a model's text can hold anything."""
    level: list[Any] = [arguments]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]
    if level:
        return f"they are nested more than {MAX_DEPTH} deep"
    try:
        canonical_json(arguments)
    except UnicodeEncodeError:
        return "a text in them is not valid Unicode"
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


@dataclass
class Counts:
    """What the agent did, counted at the desk and not by the agent."""

    tool_calls: int = 0
    plans: int = 0
    rejections: int = 0
    repairs: int = 0
    commits: int = 0
    repeated_calls: int = 0
    idle_commits: int = 0
    look_up_queries: list[str] = field(default_factory=list)
    program_chars: int = 0
    first_commit_s: float | None = None
    first_try: bool = False
    preview_s: float = 0.0
    validate_s: float = 0.0
    commit_s: float = 0.0


class TrialDesk:
    """Implements the agents' ``Desk`` over a world, within the round's limits."""

    def __init__(
        self,
        world: World,
        limits: Limits,
        journal: Journal,
        on_commit: Callable[[], None] = lambda: None,
        tools: tuple[Tool, ...] | None = None,
        counting: Counting = OWN,
    ) -> None:
        """Open the desk; the clock of the round starts now.

        Args:
            world: where the calls go.
            limits: the round's ceilings.
            journal: each call and answer is appended as it happens.
            on_commit: called at each commit, so that the no-commit clock can be lifted.
            tools: what the agent is shown; None: all that the world has.
            counting: which calls are plans and commits.
        """
        self._world = world
        self._limits = limits
        self._journal = journal
        self._on_commit = on_commit
        self._shown = tools
        self._seen: set[str] = set()
        self._seen_files: set[str] = set()
        self._begun = time.monotonic()
        self._rejected_before = False
        self._last_commit: str | None = None
        self.counting = counting
        self.counts = Counts()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that the agent is shown."""
        return self._world.tools if self._shown is None else self._shown

    def uncommitted(self) -> bool:
        """Whether it is known that nothing was committed."""
        return self.counting.commits is not None and self.counts.commits == 0

    def elapsed_s(self) -> float:
        """Return the time since the instruction was sent, s."""
        return time.monotonic() - self._begun

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Pass an agent's call on, if it was shown the tool.

        Raises:
            LimitReached: one more call or plan is not allowed.
            WorldLost: the world failed.
        """
        if self._shown is not None and all(name != tool.name for tool in self._shown):
            return self._refused(self._one_more(name), name, "there is no such tool")
        return await self.submit(name, arguments)

    async def submit(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Pass a call on, whatever the agent was shown; the runner's own way to the world.

        Raises:
            LimitReached, WorldLost: as in `call`.
        """
        counts = self.counts
        number = self._one_more(name)
        fault = _unsendable(arguments)
        if fault:
            return self._refused(number, name, fault)
        self._journal.append("tool-call", call=number, tool=name, arguments=arguments)
        if name == LOOK_UP_TOOL:
            counts.look_up_queries.append(str(arguments.get("query", ""))[:QUERY_CHARS])
        sent = self.elapsed_s()
        result = await self._world.call(name, arguments)
        repeated = self._account(name, arguments, result)
        self._journal.append(
            "tool-result",
            call=number,
            tool=name,
            failed=result.failed,
            text=result.text if result.failed or not result.data else "",
            data={k: v for k, v in result.data.items() if k not in UNJOURNALLED},
            wall_s=round(self.elapsed_s() - sent, 6),
            **({"repeated": True} if repeated else {}),
        )
        return result

    def refuse(self, name: str, arguments: str, fault: str) -> ToolResult:
        """Count and journal a call that cannot be made; the world never sees it.

        Raises:
            LimitReached: as in `call`.
        """
        written = arguments[:WRITTEN_CHARS].encode(errors="replace").decode()
        return self._refused(self._one_more(name), name, fault, written=written)

    def _refused(self, number: int, name: str, fault: str, **more: str) -> ToolResult:
        told = name[:NAME_CHARS].encode(errors="replace").decode()
        self._journal.append("tool-call", call=number, tool=told, unsendable=fault, **more)
        return ToolResult(True, f"The arguments cannot be sent: {fault}.")

    def _one_more(self, name: str) -> int:
        """Count a call and return its number, or stop the agent."""
        counts = self.counts
        if counts.tool_calls >= self._limits.tool_calls:
            raise LimitReached("tool-calls", f"{counts.tool_calls} tool calls made")
        repairs = self._limits.repairs
        if self.counting.is_plan(name) and repairs is not None and counts.rejections > repairs:
            raise LimitReached("repairs", f"{counts.rejections} plans were rejected")
        counts.tool_calls += 1
        return counts.tool_calls

    def _account(self, name: str, arguments: dict[str, Any], result: ToolResult) -> bool:
        """Count a call, and return whether it is a repeated one."""
        counts = self.counts
        spent = result.data.get("spent", {})
        counts.preview_s += float(spent.get("preview_s", 0.0))
        counts.validate_s += float(spent.get("validate_s", 0.0))
        counts.commit_s += float(spent.get("commit_s", 0.0))
        program = arguments.get(self.counting.programs.get(name, ""))
        if isinstance(program, str):
            counts.program_chars = max(counts.program_chars, len(program))
        if self.counting.is_plan(name):
            counts.plans += 1
            counts.repairs += self._rejected_before
            self._rejected_before = self.counting.rejected(result)
            counts.rejections += self._rejected_before
        if self.counting.committed(name, result):
            self._committed(result)
        # What differs between two equal answers is only what they cost.
        answer = {k: v for k, v in result.data.items() if k != "spent"} or result.text
        call = digest([name, arguments, answer])
        seen = self._seen_files if name in self.counting.files else self._seen
        repeated = call in seen
        counts.repeated_calls += repeated
        seen.add(call)
        return repeated

    def _committed(self, result: ToolResult) -> None:
        counts = self.counts
        if all(part in result.data for part in STEP_CHANGED):
            counts.idle_commits += not any(result.data[part] for part in STEP_CHANGED)
            self._last_commit = None  # what a program made last is no longer all there is
        elif all(part in result.data for part in CHANGED):
            now = digest([result.data[part] for part in CHANGED])
            counts.idle_commits += now == self._last_commit
            self._last_commit = now
        counts.commits += 1
        self._seen.clear()  # the document changed: asking again is no loop
        if counts.first_commit_s is None:
            counts.first_commit_s = self.elapsed_s()
            counts.first_try = counts.plans == 1
        self._on_commit()
