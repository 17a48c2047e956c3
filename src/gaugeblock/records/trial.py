"""A trial as it happened: its manifest, the result of each round, and the trial's end."""

from __future__ import annotations

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.outcome import Outcome
from gaugeblock.records.plan import PlannedTrial
from gaugeblock.records.usage import Usage, require_reasons


class TrialManifest(Record):
    """Written when a trial starts; its presence means that the trial must never start again."""

    trial: PlannedTrial
    plan_commitment: str
    started_at: str
    process_id: int
    rounds: tuple[str, ...] = Field(description="Round ids in order.")


class CadTimes(Record):
    """Time the CAD work took, s: none of it is the agent's thinking."""

    preview_s: float = Field(ge=0, description="Running the programs.")
    validate_s: float = Field(ge=0, description="Checking what they made.")
    commit_s: float = Field(ge=0, description="Making new head versions, saving, exporting.")
    readback_s: float | None = Field(
        ge=0, description="The ruler's read-back; None: nothing was delivered to read back."
    )


class Context(Record):
    """What the agent was given, serialised, bytes."""

    message_bytes: int = Field(ge=0, description="The whole user message.")
    document_bytes: int = Field(ge=0, description="Document context within it.")
    signatures_bytes: int = Field(ge=0, description="Tool names, descriptions and schemas.")


class RoundResult(Record):
    """One conversation and its judgement. Fields that are None have a reason in ``unknown``."""

    trial_id: str
    round: str
    outcome: Outcome
    reason: str = Field(default="", description="One line; empty when it passed.")
    attempted: bool = Field(description="Whether the agent began: it counts in the rates.")
    started_at: str | None
    total_s: float | None = Field(ge=0, description="Instruction sent → agent done, s.")
    first_commit_s: float | None = Field(description="Instruction sent → first commit, s.")
    first_try: bool | None = Field(description="First plan committed, nothing rejected before.")
    plans: int | None = Field(description="Calls of propose or set_parameters.")
    repairs: int | None = Field(description="Plans sent again after a rejection.")
    commits: int | None
    tool_calls: int | None
    repeated_calls: int | None = Field(
        description="Same call, same answer, nothing changed between."
    )
    idle_commits: int | None = Field(
        description="Plans committed that changed neither parameters nor objects."
    )
    look_ups: int | None
    look_up_queries: tuple[str, ...] = ()
    program_chars: int | None = Field(
        description="Characters of the longest program proposed; 0: none was."
    )
    interference_pairs: int | None = Field(
        ge=0, description="Pairs of delivered solids that share space, where the case asks."
    )
    interference_mm3: float | None = Field(ge=0, description="Space that they share, mm³.")
    cad: CadTimes | None
    host_peak_bytes: int | None = Field(description="Peak resident memory of host and programs.")
    context: Context | None
    usage: Usage | None
    instruction_sha256: str
    start_sha256: str | None = Field(description="Document the round began on.")
    document_sha256: str | None = Field(description="Document the round saved.")
    artifact_sha256: str | None = Field(description="STEP the round delivered.")
    measurement_sha256: str | None = Field(description="The ruler's read-back of it.")
    unknown: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _every_unknown_has_a_reason(self) -> RoundResult:
        require_reasons(self, self.unknown, ignore=("unknown",))
        if self.attempted and self.outcome == "not-run":
            raise ValueError("a round that was not run was not attempted")
        return self


def unstarted_round(
    trial_id: str, round_id: str, outcome: str, reason: str, instruction_sha256: str
) -> RoundResult:
    """Return the result of a round that has no record of its own: not-run or interrupted."""
    empty = [
        "started_at",
        "total_s",
        "first_commit_s",
        "first_try",
        "plans",
        "repairs",
        "commits",
        "tool_calls",
        "repeated_calls",
        "idle_commits",
        "look_ups",
        "program_chars",
        "interference_pairs",
        "interference_mm3",
        "cad",
        "host_peak_bytes",
        "context",
        "usage",
        "start_sha256",
        "document_sha256",
        "artifact_sha256",
        "measurement_sha256",
    ]
    return RoundResult.model_validate(
        {
            "trial_id": trial_id,
            "round": round_id,
            "outcome": outcome,
            "reason": reason,
            "attempted": outcome == "interrupted",
            "instruction_sha256": instruction_sha256,
            **dict.fromkeys(empty),
            "unknown": dict.fromkeys(empty, f"{outcome}: {reason}"),
        }
    )


class TrialEnd(Record):
    """Written last: the trial is whole."""

    trial_id: str
    outcome: Outcome
    ended_at: str
    rounds: tuple[str, ...] = Field(description="Ids of the rounds that have a result.")
