"""Coded rejections: what went wrong with a plan and what the agent can do about it."""

from __future__ import annotations

from typing import Any, Literal

from gaugeblock.records.base import Record

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


class HostFault(Exception):
    """The host itself failed (its sandbox is gone, say): never the agent's fault."""


class CallerLeft(Exception):
    """The client cancelled the call or went away: nothing of the call may take effect."""
