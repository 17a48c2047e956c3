"""What the scripted agents do: the reference, the agent that does nothing, and the mutants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.case import Case
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.case_files import near, read_toml
from gaugeblock.suites.drawings.case_folder import CaseFolder
from gaugeblock.suites.drawings.grading import CHECKS
from gaugeblock.suites.suite import Script, ScriptedAgent, ToolCall


class Mutant(Record):
    """One entry of `mutants.toml`: lines after the reference's program, and what comes of it."""

    name: str
    does: str
    append: str = Field(description="Lines at the end of the program; `result` is the part.")
    passes: bool = Field(
        default=False, description="It is right, though unlike: it applies to every case."
    )
    must_fail: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Id of a part → exactly the checks that fail."
    )


class Scripts:
    """The scripted agents of some cases.

    Args:
        folders: id of a part → its folder.
        cases: of these parts, all tracks.
        mutants: the file of mutants.
        suite: its name, for messages.

    Raises:
        WrongUse: the file of mutants is wrong, or names a part or a check that is not there.
    """

    def __init__(
        self, folders: Mapping[str, CaseFolder], cases: Iterable[Case], mutants: Path, suite: str
    ) -> None:
        self._folders, self._cases, self._suite = folders, tuple(cases), suite
        tables = read_toml(mutants, ["mutant"]).get("mutant", [])
        every = [
            Mutant.build(table, f"{mutants.name}, {table.get('name', '?')}") for table in tables
        ]
        self._mutants = {f"mutant:{mutant.name}": mutant for mutant in every}
        for mutant in every:
            where = f"{mutants.name}, {mutant.name}"
            if mutant.passes == bool(mutant.must_fail):
                raise WrongUse(f"{where}: give either `passes` or `must_fail`")
            for name, checks in mutant.must_fail.items():
                if suite == "drawings" and folders and name not in folders:
                    raise WrongUse(f"{where}: no part `{name}`{near(name, folders)}")
                for check in checks:
                    if check not in CHECKS:
                        raise WrongUse(f"{where}, {name}: no check `{check}`{near(check, CHECKS)}")

    def agents(self) -> tuple[ScriptedAgent, ...]:
        """Return reference, null and the mutants; a part without a program has only null."""
        every = tuple(case.id for case in self._cases)
        built = [case for case in self._cases if self._program(case) is not None]
        nothing = {name: ("delivered",) for name in self._folders}
        return (
            ScriptedAgent("reference", "builds the part right", tuple(case.id for case in built)),
            ScriptedAgent("null", "calls no tool and says nothing", every, nothing),
            *(
                ScriptedAgent(
                    name,
                    mutant.does,
                    tuple(
                        case.id
                        for case in built
                        if mutant.passes or case.rounds[0].id in mutant.must_fail
                    ),
                    mutant.must_fail,
                )
                for name, mutant in self._mutants.items()
            ),
        )

    def script(self, case: Case, agent: str) -> Script:
        """Return what an agent does with a case.

        Raises:
            WrongUse: there is no such agent, or it does not apply to the case.
        """
        if agent == "null":
            return Script()
        known = {found.name: found for found in self.agents()}
        if agent not in known:
            raise WrongUse(f"no scripted agent `{agent}`{near(agent, known)}")
        program = self._program(case)
        if program is None or not known[agent].applies_to(case.id):
            raise WrongUse(f"{agent} has no script for case {case.id}")
        if agent != "reference":
            program += self._mutants[agent].append.strip() + "\n"
        parameters = self._folders[case.rounds[0].id].file.parameters
        arguments = {"program": program, "parameters": parameters, "expectations": {"solids": 1}}
        return Script(calls=(ToolCall(tool="propose", arguments=arguments),))

    def _program(self, case: Case) -> str | None:
        return self._folders[case.rounds[0].id].program
