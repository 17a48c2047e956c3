"""What the scripted agents do: the reference, the agent that does nothing, and the mutants.

The data is in `reference.toml`, `mutants.toml` and `programs/`. The programs are text here; only
the CAD host runs them. The program language: build123d code with build123d's names and `math`
there, every declared parameter a plain name; it assigns `result`, a dict name → shape.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.case import BOUND_NAMES, Case, Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.case_files import near, read_toml
from gaugeblock.suites.grading import BOUND_MM, VOLUME_RELATIVE
from gaugeblock.suites.suite import Script, ScriptedAgent, ToolCall
from gaugeblock.suites.truth import figures


class Start(Record):
    """How the host was asked to make a start document."""

    programs: tuple[str, ...]
    parameters: dict[str, float]


class Reference(Record):
    """`reference.toml`: how right parts are made, and what they start from."""

    programs: dict[str, tuple[str, ...]]
    starts: dict[str, Start]


class Mutant(Record):
    """One entry of `mutants.toml`: a change to the reference, and the checks that must fail."""

    name: str
    does: str
    must_fail: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    passes: tuple[str, ...] = ()
    matches: str | None = None
    parameters: dict[str, float] = Field(default_factory=dict)
    programs: tuple[str, ...] | None = None
    replace: dict[str, str] = Field(default_factory=dict)
    append: str = ""
    names: tuple[str, ...] | None = None
    unedited: bool = False
    hole_by_hole: bool = False
    hard_coded: bool = False
    undeclared: bool = False
    misses_probe: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def rounds(self) -> tuple[str, ...]:
        """Return the rounds in which it differs from the reference."""
        return (*self.must_fail, *self.passes)

    @model_validator(mode="after")
    def _only_what_passes_is_probed(self) -> Mutant:
        strangers = sorted(set(self.misses_probe) - set(self.passes))
        if strangers:
            raise ValueError(f"misses_probe: {strangers[0]} is not among `passes`")
        return self


@dataclass(frozen=True)
class _State:
    """What a document holds after a round of the reference."""

    programs: tuple[str, ...]
    parameters: Mapping[str, float]


class Scripts:
    """The scripted agents of a set of cases."""

    def __init__(self, folder: Path, cases: Sequence[Case]) -> None:
        """Read the data of a suite's folder and check it against the cases.

        Raises:
            WrongUse: a file is wrong, or names a round, program or text that is not there.
        """
        self._folder = folder
        self._cases = {case.id: case for case in cases}
        self._rounds = {asked.id: asked for case in cases for asked in case.rounds}
        where = "reference.toml"
        content = read_toml(folder / where, Reference.model_fields)
        self._reference = Reference.build(content, where)
        for round_id in self._rounds:
            if round_id not in self._reference.programs:
                raise WrongUse(f"{where}: no programs for round {round_id}")
        where = "mutants.toml"
        tables = read_toml(folder / where, ["mutant"]).get("mutant", [])
        mutants = [Mutant.build(table, f"{where}, {table.get('name', '?')}") for table in tables]
        self._mutants = {f"mutant:{mutant.name}": mutant for mutant in mutants}
        for agent in self.agents():  # whatever a script would stumble over is told now
            for case_id in agent.cases:
                for asked in self._cases[case_id].rounds:
                    self.script(self._cases[case_id], asked, agent.name)

    def agents(self) -> tuple[ScriptedAgent, ...]:
        """Return reference, null and the mutants."""
        every = tuple(self._cases)
        first = {case.rounds[0].id: ("delivered",) for case in self._cases.values()}
        return (
            ScriptedAgent("reference", "makes every part right", every),
            ScriptedAgent("null", "calls no tool and delivers nothing", every, first),
            *(
                ScriptedAgent(
                    name,
                    mutant.does,
                    self._applies_to(mutant),
                    mutant.must_fail,
                    mutant.matches,
                    mutant.misses_probe,
                )
                for name, mutant in self._mutants.items()
            ),
        )

    def script(self, case: Case, asked: Round, agent: str) -> Script:
        """Return the tool calls of one conversation.

        Raises:
            WrongUse: there is no such agent, or it does not apply to the case.
        """
        if agent == "null":
            return Script()
        if agent == "reference":
            return Script(calls=(self._right(case, asked),))
        if agent not in self._mutants:
            raise WrongUse(
                f"no scripted agent `{agent}`{near(agent, ['reference', 'null', *self._mutants])}"
            )
        mutant = self._mutants[agent]
        applies = self._applies_to(mutant)
        if case.id not in applies:
            raise WrongUse(f"{agent} has no script for case {case.id}; it has {', '.join(applies)}")
        if asked.id not in mutant.rounds():
            return Script(calls=(self._right(case, asked),))
        return Script(calls=(self._changed(case, asked, mutant),))

    def start(self, document: str) -> ToolCall:
        """Return the plan that makes a start document in an empty one; WrongUse: none is known."""
        if document not in self._reference.starts:
            raise WrongUse(f"reference.toml: no start {document}; name it in [starts]")
        start = self._reference.starts[document]
        return _propose(self._text(start.programs), start.parameters, {})

    def _right(self, case: Case, asked: Round) -> ToolCall:
        """Return the reference's plan: parameters where only they change, else a program."""
        before, after = self._before(case, asked), self._after(asked)
        if before is not None and before.programs == after.programs:
            old = before.parameters
            changed = {name: v for name, v in after.parameters.items() if old.get(name) != v}
            arguments: dict[str, Any] = {"values": _plain(changed)}
            arguments["expectations"] = _expectations(asked)
            return ToolCall(tool="set_parameters", arguments=arguments)
        return _propose(self._text(after.programs), after.parameters, _expectations(asked))

    def _changed(self, case: Case, asked: Round, mutant: Mutant) -> ToolCall:
        state = self._after(asked)
        if mutant.unedited:
            state = self._before(case, asked) or state
        program = self._text(mutant.programs or state.programs)
        for old, new in mutant.replace.items():
            if program.count(old) != 1:
                times = program.count(old)
                raise WrongUse(f"mutants.toml, {mutant.name}: `{old}` is there {times} times")
            program = program.replace(old, new)
        if mutant.hole_by_hole:
            program = _hole_by_hole(program, figures(asked).symbols)
        if mutant.append:
            program += f"\n{mutant.append.strip()}\n"
        parameters = {**state.parameters, **mutant.parameters}
        if mutant.hard_coded:
            program = _hard_coded(program, parameters)
        expected = {} if mutant.names is None else {"names": list(mutant.names)}
        return _propose(program, {} if mutant.undeclared else parameters, expected)

    def _after(self, asked: Round) -> _State:
        return _State(self._reference.programs[asked.id], asked.parameters)

    def _before(self, case: Case, asked: Round) -> _State | None:
        """Return what the document holds when the round begins; None: nothing."""
        place = [item.id for item in case.rounds].index(asked.id)
        if place:
            return self._after(case.rounds[place - 1])
        if case.start is None:
            return None
        if case.start not in self._reference.starts:
            raise WrongUse(f"reference.toml: no start {case.start}; name it in [starts]")
        start = self._reference.starts[case.start]
        return _State(start.programs, start.parameters)

    def _applies_to(self, mutant: Mutant) -> tuple[str, ...]:
        unknown = sorted(set(mutant.rounds()) - set(self._rounds))
        if unknown:
            raise WrongUse(f"mutants.toml, {mutant.name}: no round {', '.join(unknown)}")
        return tuple(
            case.id
            for case in self._cases.values()
            if any(asked.id in mutant.rounds() for asked in case.rounds)
        )

    def _text(self, names: Sequence[str]) -> str:
        """Join program texts, without what stands above their first blank line: linter notes."""
        texts = []
        for name in names:
            path = self._folder / "programs" / f"{name}.py"
            try:
                texts.append(path.read_text(encoding="utf-8").partition("\n\n")[2])
            except OSError as error:
                raise WrongUse(f"suite growth: no program programs/{name}.py") from error
        return "\n".join(texts)


def _hole_by_hole(program: str, symbols: Mapping[str, float]) -> str:
    """Return T1's program with a line of its own for every hole, in place of its loop."""
    cols, rows = int(symbols["cols"]), int(symbols["rows"])
    lines = ["holes = []"]
    for column in range(cols):
        x = symbols["firstX"] + symbols["pitchX"] * column
        for row in range(rows):
            y = symbols["firstY"] + symbols["pitchY"] * row
            circle = f"Wire.make_circle(radius, Plane(({x!r}, {y!r}, 0)))"
            lines.append(f"    holes.append({circle})")
    return program.replace("holes = holes_apart()", "\n".join(lines))


def _hard_coded(program: str, parameters: Mapping[str, float]) -> str:
    """Return a program with the parameters' values in place of their names."""
    values = _plain(parameters)
    return re.sub(r"[A-Za-z_]\w*", lambda name: str(values.get(name[0], name[0])), program)


def _propose(program: str, parameters: Mapping[str, float], expectations: Any) -> ToolCall:
    arguments = {
        "program": program,
        "parameters": _plain(parameters),
        "expectations": expectations,
    }
    return ToolCall(tool="propose", arguments=arguments)


def _expectations(asked: Round) -> dict[str, Any]:
    """Return what the truth expects, in the words of the host's tools. mm, mm³."""
    known = figures(asked)
    expected: dict[str, Any] = {}
    if known.names is not None:
        expected["names"] = list(known.names)
    if known.solids is not None:
        expected["solids"] = known.solids
    if known.volume is not None:
        expected["volume"] = {"value": known.volume, "relative_tolerance": VOLUME_RELATIVE}
    if len(known.bounds) == len(BOUND_NAMES):
        six = list(known.bounds.values())
        expected["bounds"] = {"min": six[:3], "max": six[3:], "tolerance": BOUND_MM}
    return expected


def _plain(values: Mapping[str, float]) -> dict[str, float | int]:
    """Return whole numbers as int: `cols` is then what an agent would write."""
    return {name: int(v) if float(v).is_integer() else v for name, v in values.items()}
