"""What the scripted agents do: the reference, the agent that does nothing, and the mutants.

Calls of the object tools are in `scripts/`, the baseline's program is in `programs/`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.case import Case, Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.rubric import Rubric
from gaugeblock.suites.case_files import near, read_toml
from gaugeblock.suites.suite import Script, ScriptedAgent, ToolCall


class Mutant(Record):
    """One entry of `mutants.toml`: a change to the reference, and the rows that must be lost."""

    name: str
    does: str
    must_fail: tuple[str, ...] = Field(
        default=(), description="Exactly the rows that are lost; none: it is right, though unlike."
    )
    script: str | None = Field(default=None, description="Another script than the reference.")
    order: tuple[int, ...] = Field(
        default=(), description="The script's calls in this order, counted from 1; none: as it is."
    )
    append: tuple[ToolCall, ...] = Field(default=(), description="Calls after the script's own.")


class Calls(Record):
    """A file of calls."""

    call: tuple[ToolCall, ...]


class Scripts:
    """The scripted agents of the suite's cases."""

    def __init__(self, room: Path, cases: tuple[Case, ...], rubric: Rubric) -> None:
        """Read the scripts and check them.

        Raises:
            WrongUse: a file is wrong, or names a row that is not there.
        """
        self._folder = folder = room / "scripts"
        self._cases = cases
        where = "mutants.toml"
        tables = read_toml(folder / where, ["mutant"]).get("mutant", [])
        mutants = [Mutant.build(table, f"{where}, {table.get('name', '?')}") for table in tables]
        self._mutants = {f"mutant:{mutant.name}": mutant for mutant in mutants}
        self._calls: dict[str, tuple[ToolCall, ...]] = {}
        rows = [row.name for row in rubric.rows]
        for mutant in mutants:
            for row in mutant.must_fail:
                if row not in rows:
                    raise WrongUse(f"{where}, {mutant.name}: no row `{row}`{near(row, rows)}")
            self._changed(mutant)
        self._answer = _answer(room / "programs" / "espresso-machine.py")

    def agents(self) -> tuple[ScriptedAgent, ...]:
        """Return reference, null and the mutants."""
        every = tuple(case.id for case in self._cases)
        built = [case for case in self._cases if case.answer == "tools"]
        nothing = {case.rounds[0].id: ("delivered",) for case in self._cases}
        return (
            ScriptedAgent("reference", "builds the machine right", every),
            ScriptedAgent("null", "calls no tool and says nothing", every, nothing),
            *(
                ScriptedAgent(
                    name,
                    mutant.does,
                    tuple(case.id for case in built),
                    {case.rounds[0].id: mutant.must_fail for case in built if mutant.must_fail},
                )
                for name, mutant in self._mutants.items()
            ),
        )

    def script(self, case: Case, asked: Round, agent: str) -> Script:
        """Return what an agent does in a round.

        Raises:
            WrongUse: there is no such agent, or it does not apply to the case.
        """
        del asked  # every case is one round
        if agent == "null":
            return Script()
        if agent == "reference":
            if case.answer == "program":
                return Script(says=self._answer)
            return Script(calls=self._script(None))
        if agent not in self._mutants:
            known = ["reference", "null", *self._mutants]
            raise WrongUse(f"no scripted agent `{agent}`{near(agent, known)}")
        if case.answer == "program":
            raise WrongUse(f"{agent} has no script for case {case.id}")
        return Script(calls=self._changed(self._mutants[agent]))

    def _changed(self, mutant: Mutant) -> tuple[ToolCall, ...]:
        calls = self._script(mutant.script)
        if mutant.order:
            if sorted(mutant.order) != list(range(1, len(calls) + 1)):
                raise WrongUse(f"mutants.toml, {mutant.name}: order is no order of the calls")
            calls = tuple(calls[place - 1] for place in mutant.order)
        return (*calls, *mutant.append)

    def _script(self, name: str | None) -> tuple[ToolCall, ...]:
        name = name or "reference"
        if name not in self._calls:
            where = f"{name}.toml"
            content: dict[str, Any] = read_toml(self._folder / where, ["call"])
            self._calls[name] = Calls.build(content, where).call
        return self._calls[name]


def _answer(path: Path) -> str:
    """Return the baseline's answer; what stands above the first blank line is a linter note."""
    try:
        text = path.read_text(encoding="utf-8").partition("\n\n")[2]
    except OSError as error:
        raise WrongUse(f"suite assembly: no program {path.name}") from error
    return f"```python\n{text.strip()}\n```"
