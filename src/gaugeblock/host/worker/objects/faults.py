"""Why an operation makes nothing, as the agent is told."""

from __future__ import annotations

from typing import Any


class Fault(Exception):
    """An operation that fails; carries the diagnostic's code, message and repair."""

    def __init__(self, code: str, message: str, repair: str | None = None) -> None:
        super().__init__(message)
        self.code, self.repair = code, repair

    def value(self) -> dict[str, Any]:
        """Return the diagnostic as plain data."""
        return {"code": self.code, "message": str(self), "repair": self.repair}


def of_the_kernel(error: Exception) -> bool:
    """Tell the kernel's and the modelling library's refusals from faults of our own.

    The kernel's exceptions have no class in common; the library says ValueError or RuntimeError.
    """
    return type(error).__module__.startswith("OCP") or isinstance(error, ValueError | RuntimeError)
