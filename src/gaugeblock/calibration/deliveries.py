"""What scripted agents of a suite would deliver, made without host and agent.

A script's calls are played on a plain document (program and parameters), and the program that
then stands is run in the calibration's sandbox.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from gaugeblock.records.case import Case, Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites import ScriptedAgent, Suite


@dataclass(frozen=True)
class Document:
    """A program with its parameters; no program: an empty document."""

    program: str | None = None
    parameters: dict[str, float] = field(default_factory=dict)

    def with_parameter(self, name: str, value: float) -> Document:
        """Return it with one parameter changed."""
        return Document(self.program, {**self.parameters, name: value})


def start_of(suite: Suite, case: Case) -> Document:
    """Return what a case starts on.

    Raises:
        WrongUse: the start document holds no program.
    """
    content = suite.start_document(case)
    if content is None:
        return Document()
    saved = json.loads(content)
    programs = [item["source"] for item in saved["features"] if item["kind"] == "program"]
    if not programs:
        raise WrongUse(f"case {case.id}: its start document holds no program to calibrate with")
    return Document(programs[-1], dict(saved["parameters"]))


def played(suite: Suite, case: Case, agent: str) -> Iterator[tuple[Round, Document]]:
    """Yield each round with the document as the agent leaves it.

    Rounds after one in which the agent calls nothing keep what they found.
    """
    document = start_of(suite, case)
    for asked in case.rounds:
        for call in suite.script(case, asked, agent).calls:
            if call.tool == "propose":
                arguments = call.arguments
                document = Document(arguments["program"], dict(arguments["parameters"]))
            else:
                values = call.arguments["values"]
                document = Document(document.program, {**document.parameters, **values})
        yield asked, document


def declared(suite: Suite, case: Case) -> Iterator[tuple[ScriptedAgent, Round, Document]]:
    """Yield each declared mutant with the first round in which it must fail, and its delivery."""
    for agent in suite.agents():
        if not agent.name.startswith("mutant:") or case.id not in agent.cases:
            continue
        for asked, document in played(suite, case, agent.name):
            if asked.id in agent.must_fail:
                yield agent, asked, document
                break
