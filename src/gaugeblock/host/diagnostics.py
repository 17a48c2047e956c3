"""Coded rejections: what went wrong with a plan and what the agent can do about it."""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import ValidationError

from gaugeblock.records.base import Record, first_fault

Code = Literal[
    "syntax",
    "runtime",
    "timeout",
    "not-valid",
    "expectation-missed",
    "name-lost",
    "not-conserved",
    "parameter-unknown",
    "no-solid",
    "limit",
    "object-unknown",
    "name-taken",
    "nothing-selected",
    "not-built",
    "no-effect",
]

REPAIRS: dict[str, str] = {
    "syntax": "Correct the program text and propose it again.",
    "runtime": "Correct the line that is named; look_up tells how a function is called.",
    "timeout": "Make the program cheaper: cut once with all holes in one sketch instead of many "
    "boolean operations, and look for a loop that never ends.",
    "not-valid": "Change the construction so that every solid is closed and does not cut itself.",
    "expectation-missed": "Correct the program, or the expectation if that was wrong.",
    "name-lost": "Keep every object name of the document, or pass expectations.names with the "
    "exact new set of names to say that the loss is meant.",
    "not-conserved": "Leave the objects listed in expectations.unchanged exactly as they were.",
    "parameter-unknown": "Use the parameter names that read_document shows.",
    "no-solid": "Assign a solid (or a dict of name → solid) to `result`.",
    "limit": "Make the program or its result smaller.",
    "object-unknown": "Use a name or an id that list_objects shows.",
    "name-taken": "Give another name; list_objects shows those taken.",
    "nothing-selected": "Give a rule that holds for an edge or a face; inspect_object lists them.",
    "not-built": "Change the sizes, or build the shape in another way: degenerate, touching or "
    "self-crossing geometry is the usual cause.",
    "no-effect": "Nothing needs to be done, or something else was meant.",
}
"""What to do, by code, where the place of the fault knows nothing better."""


class Diagnostic(Record):
    """A rejected plan's reason."""

    code: Code
    message: str
    line: int | None = None
    repair: str = ""

    def text(self) -> str:
        """Return the message as the agent reads it."""
        place = f" (program line {self.line})" if self.line else ""
        return f"REJECTED [{self.code}]{place}: {self.message}\nRepair: {self.repair}"

    def value(self) -> dict[str, Any]:
        """Return the diagnostic as plain data."""
        return self.model_dump()


class PlanRejected(Exception):
    """Raised inside the host when a plan cannot be committed."""

    def __init__(
        self, code: Code, message: str, line: int | None = None, repair: str | None = None
    ) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(
            code=code, message=message, line=line, repair=repair or REPAIRS[code]
        )

    def within(self, place: str) -> PlanRejected:
        """Return the same rejection with the place where it happened before its message."""
        found = self.diagnostic
        return PlanRejected(found.code, f"{place}: {found.message}", found.line, found.repair)


NOISE = re.compile(r"(?<=valid dictionary) or instance of \w+|^\(whole\): |Value error, ")
"""Parts of a message that name a class of ours or say nothing to an agent."""


def misfit(tool: str, arguments: type[Record], error: ValidationError) -> PlanRejected:
    """Return the rejection of arguments that do not fit a tool's schema."""
    fault = NOISE.sub("", first_fault(error))
    taken = ", ".join(arguments.model_fields) or "nothing"
    return PlanRejected(
        "syntax",
        f"the arguments of {tool} do not fit its schema: {fault[:300]}",
        repair=f"Call it again with arguments as in its description; it takes {taken}.",
    )


class HostFault(Exception):
    """The host itself failed (its sandbox is gone, say): never the agent's fault."""


class CallerLeft(Exception):
    """The client cancelled the call or went away: nothing of the call may take effect."""
