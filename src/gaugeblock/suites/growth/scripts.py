"""What the scripted agents do: the reference, the agent that does nothing, and the mutants.

The data is in `reference.toml`, `mutants.toml` and `programs/`. The programs are text here; only
the CAD host runs them. The program language: build123d code with build123d's names and `math`
there, every declared parameter a plain name; it assigns `result`, a dict name → shape.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.case import BOUND_NAMES, Case, Formula, Round
from gaugeblock.records.draws import family_of
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.case_files import near, read_toml
from gaugeblock.suites.formulas import evaluate
from gaugeblock.suites.grading import BOUND_MM, VOLUME_RELATIVE
from gaugeblock.suites.growth.program_texts import (
    Constant,
    hole_by_hole,
    joined,
    with_constants,
)
from gaugeblock.suites.suite import Script, ScriptedAgent, ToolCall
from gaugeblock.suites.truth import figures

DRAWS = ".d"
"""Behind a family's name in `mutants.toml`: all of its fresh draws."""


class Start(Record):
    """How the host was asked to make a start document."""

    programs: tuple[str, ...]
    parameters: dict[str, float]


class DrawnStart(Record):
    """How the host is asked to make the start of a fresh draw."""

    programs: tuple[str, ...]
    declared: tuple[str, ...]
    later: tuple[str, ...] = Field(
        default=(), description="Constants that only the edit's own text has."
    )


class DrawnReference(Record):
    """How the right part of a fresh draw is made."""

    programs: tuple[str, ...]
    declared: tuple[str, ...]
    start: DrawnStart | None = None
    constants: dict[str, Formula | tuple[Formula, ...]]


class Reference(Record):
    """`reference.toml`: how right parts are made, and what they start from."""

    programs: dict[str, tuple[str, ...]]
    starts: dict[str, Start]
    drawn: dict[str, DrawnReference]


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
        """Return the rounds in which it differs from the reference; ``T1.d``: all draws of T1."""
        return (*self.must_fail, *self.passes)

    @model_validator(mode="after")
    def _only_what_passes_is_probed(self) -> Mutant:
        strangers = sorted(set(self.misses_probe) - set(self.passes))
        if strangers:
            raise ValueError(f"misses_probe: {strangers[0]} is not among `passes`")
        return self

    def changes(self, round_id: str) -> bool:
        """Whether it differs from the reference in a round."""
        return _entry(round_id) in self.rounds()


@dataclass(frozen=True)
class _State:
    """What a document holds after a round of the reference."""

    programs: tuple[str, ...]
    parameters: Mapping[str, float]
    constants: Mapping[str, Constant] = field(default_factory=dict)


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
        drawn = self._reference.drawn
        return (
            ScriptedAgent(
                "reference", "makes every part right", every, drawn=dict.fromkeys(drawn, ())
            ),
            ScriptedAgent(
                "null",
                "calls no tool and delivers nothing",
                every,
                first,
                drawn=dict.fromkeys(drawn, ("delivered",)),
            ),
            *(
                ScriptedAgent(
                    name,
                    mutant.does,
                    self._applies_to(mutant),
                    {name: due for name, due in mutant.must_fail.items() if name in self._rounds},
                    mutant.matches,
                    mutant.misses_probe,
                    self._draws(mutant),
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
        if case.id not in applies and not mutant.changes(case.id):
            raise WrongUse(f"{agent} has no script for case {case.id}; it has {', '.join(applies)}")
        if not mutant.changes(asked.id):
            return Script(calls=(self._right(case, asked),))
        return Script(calls=(self._changed(case, asked, mutant),))

    def start(self, document: str) -> ToolCall:
        """Return the plan that makes a start document in an empty one; WrongUse: none is known."""
        if document not in self._reference.starts:
            raise WrongUse(f"reference.toml: no start {document}; name it in [starts]")
        start = self._reference.starts[document]
        return _propose(joined(self._folder, start.programs), start.parameters, {})

    def drawn_start(self, case: Case) -> ToolCall | None:
        """Return the plan that makes the start of a fresh draw; None: it starts empty."""
        state = self._drawn_start(case)
        return None if state is None else _propose(self._text(state), state.parameters, {})

    def _drawn_start(self, case: Case) -> _State | None:
        known = self._drawn(case.id)
        if known is None or known.start is None:
            return None
        constants = _constants(known, case.rounds[0])
        held = {n: value for n, value in constants.items() if n not in known.start.later}
        return _State(known.start.programs, _chosen(case.rounds[0], known.start.declared), held)

    def _right(self, case: Case, asked: Round) -> ToolCall:
        """Return the reference's plan: parameters where only they change, else a program."""
        before, after = self._before(case, asked), self._after(asked)
        if before is not None and before.programs == after.programs:
            old = before.parameters
            changed = {name: v for name, v in after.parameters.items() if old.get(name) != v}
            arguments: dict[str, Any] = {"values": _plain(changed)}
            arguments["expectations"] = _expectations(asked)
            return ToolCall(tool="set_parameters", arguments=arguments)
        return _propose(self._text(after), after.parameters, _expectations(asked))

    def _changed(self, case: Case, asked: Round, mutant: Mutant) -> ToolCall:
        state = self._after(asked)
        if mutant.unedited:
            state = self._before(case, asked) or state
        if mutant.programs is not None:
            state = replace(state, programs=mutant.programs)
        program = self._text(state)
        for old, new in mutant.replace.items():
            if program.count(old) != 1:
                times = program.count(old)
                raise WrongUse(f"mutants.toml, {mutant.name}: `{old}` is there {times} times")
            program = program.replace(old, new)
        if mutant.hole_by_hole:
            program = hole_by_hole(program, figures(asked).symbols)
        if mutant.append:
            program += f"\n{mutant.append.strip()}\n"
        parameters = {**state.parameters, **mutant.parameters}
        if mutant.hard_coded:
            program = _hard_coded(program, parameters)
        expected = {} if mutant.names is None else {"names": list(mutant.names)}
        return _propose(program, {} if mutant.undeclared else parameters, expected)

    def _after(self, asked: Round) -> _State:
        known = self._drawn(asked.id)
        if known is None:
            return _State(self._reference.programs[asked.id], asked.parameters)
        chosen = _chosen(asked, known.declared)
        return _State(known.programs, chosen, _constants(known, asked))

    def _before(self, case: Case, asked: Round) -> _State | None:
        """Return what the document holds when the round begins; None: nothing."""
        place = [item.id for item in case.rounds].index(asked.id)
        if place:
            return self._after(case.rounds[place - 1])
        if case.start is None:
            return None
        if family_of(case.id) is not None:
            return self._drawn_start(case)
        if case.start not in self._reference.starts:
            raise WrongUse(f"reference.toml: no start {case.start}; name it in [starts]")
        start = self._reference.starts[case.start]
        return _State(start.programs, start.parameters)

    def _applies_to(self, mutant: Mutant) -> tuple[str, ...]:
        families = {f"{family}{DRAWS}" for family in self._reference.drawn}
        unknown = sorted(set(mutant.rounds()) - set(self._rounds) - families)
        if unknown:
            raise WrongUse(f"mutants.toml, {mutant.name}: no round {', '.join(unknown)}")
        return tuple(
            case.id
            for case in self._cases.values()
            if any(asked.id in mutant.rounds() for asked in case.rounds)
        )

    def _draws(self, mutant: Mutant) -> dict[str, tuple[str, ...]]:
        """Return family → checks that fail in its draws, of those families that it applies to."""
        return {
            family: mutant.must_fail.get(f"{family}{DRAWS}", ())
            for family in self._reference.drawn
            if f"{family}{DRAWS}" in mutant.rounds()
        }

    def _drawn(self, case_id: str) -> DrawnReference | None:
        family = family_of(case_id)
        if family is None:
            return None
        if family not in self._reference.drawn:
            raise WrongUse(f"reference.toml: no [drawn.{family}] for case {case_id}")
        return self._reference.drawn[family]

    def _text(self, state: _State) -> str:
        text = joined(self._folder, state.programs)
        return with_constants(text, state.constants) if state.constants else text


def _entry(round_id: str) -> str:
    """Return under which name `mutants.toml` speaks of a round."""
    family = family_of(round_id)
    return round_id if family is None else f"{family}{DRAWS}"


def _chosen(asked: Round, names: Sequence[str]) -> dict[str, float]:
    return {name: asked.parameters[name] for name in names}


def _constants(known: DrawnReference, asked: Round) -> dict[str, Constant]:
    """Return the constants of a draw's programs, reckoned from what was drawn."""

    def value(formula: Formula) -> float:
        return evaluate(formula, asked.parameters, f"reference.toml, constants of {asked.id}")

    return {
        name: tuple(map(value, given)) if isinstance(given, tuple) else value(given)
        for name, given in known.constants.items()
    }


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
