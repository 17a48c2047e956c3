"""What a run follows: voided cells of an earlier run taken again, or trials that were replaced."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.outcome import Outcome, is_valid

SHA256 = r"^[0-9a-f]{64}$"


class CellName(Record):
    """A cell of one run: a profile on a case."""

    case: str
    profile: str

    def __str__(self) -> str:
        """Return the name for people."""
        return f"{self.profile} on {self.case}"


class FollowedCell(CellName):
    """A cell of the earlier run, and why it is taken again."""

    reason: str = Field(min_length=1)


class FirstVerdict(Record):
    """How a trial of the earlier run had ended when the plan of this one was frozen."""

    trial: str
    case: str
    profile: str
    repetition: int = Field(ge=1)
    attempted: bool = Field(description="Whether any round of it began.")
    rounds: dict[str, Outcome] = Field(description="Round id → outcome, amendments applied.")

    @property
    def passed(self) -> bool:
        """Whether every round passed."""
        return set(self.rounds.values()) == {"passed"}

    @property
    def valid(self) -> bool:
        """Whether it counts in the rate over valid trials."""
        ends = self.rounds.values()
        return self.attempted and all(is_valid(end) or end == "not-run" for end in ends)

    @property
    def outcome(self) -> str:
        """The trial's outcome: that of the first round that did not pass."""
        return next((end for end in self.rounds.values() if end != "passed"), "passed")


class Change(Record):
    """A control that is no longer what it was in the earlier run."""

    part: str = Field(description="harness, ruler, drawing, host, protocol, suite, …")
    then: str
    now: str


class Follows(Record):
    """Of which earlier run this one takes which trials again, and why."""

    kind: Literal["rerun", "refill"]
    run: str = Field(pattern=SHA256, description="Plan commitment of the earlier run.")
    manifest_sha256: str = Field(pattern=SHA256, description="Of its closing manifest, as a file.")
    cells: tuple[FollowedCell, ...] = Field(min_length=1)
    trials: tuple[str, ...] = Field(min_length=1, description="Its trials that are taken again.")
    first: tuple[FirstVerdict, ...] = Field(description="All its trials of these cells.")
    changes: tuple[Change, ...] = Field(
        default=(), description="What differs between the two; always empty in a refill."
    )

    @property
    def other(self) -> str:
        """The parts that differ, as in ``harness, ruler``; empty: the same controls."""
        return ", ".join(dict.fromkeys(change.part for change in self.changes))

    def taken(self) -> set[tuple[str, str, int]]:
        """Return (case, profile, repetition) of the trials that are taken again."""
        return {
            (item.case, item.profile, item.repetition)
            for item in self.first
            if item.trial in self.trials
        }

    def fault(self, planned: set[tuple[str, str, int]]) -> str:
        """Return what contradicts itself here, or nothing.

        Args:
            planned: (case, profile, repetition) of the trials of the plan that holds this.
        """
        cells = {(cell.case, cell.profile) for cell in self.cells}
        wanted = [item.trial for item in self.first if self._wanted(item)]
        if {(item.case, item.profile) for item in self.first} != cells:
            return "its first verdicts are not of its cells"
        if sorted(self.trials) != sorted(wanted):
            return f"its trials are not those that a {self.kind} takes again"
        if self.taken() != planned:
            return "the plan's trials are not those that it takes again"
        if self.kind == "refill" and self.changes:
            return "a refill under other controls would pool what is not one sample"
        return ""

    def _wanted(self, item: FirstVerdict) -> bool:
        return self.kind == "rerun" or item.outcome == PROVIDER_ERROR


PROVIDER_ERROR = "error:provider"
"""The one outcome that a refill replaces: the provider failed, and the agent could do nothing."""
