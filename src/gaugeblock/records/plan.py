"""A plan: everything a run will do, frozen before the first request."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Literal, Self

from pydantic import Field, PrivateAttr, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.case import Case, Language
from gaugeblock.records.draws import Draw
from gaugeblock.records.follows import Follows
from gaugeblock.records.host_description import HostDescription
from gaugeblock.records.prices import PriceSnapshot, Usd
from gaugeblock.records.probe import ProbeVerdict
from gaugeblock.records.profile import Profile
from gaugeblock.records.usage import require_reasons


class Machine(Record):
    """Where a run happened. Times compare only within one machine id."""

    id: str = Field(description="Hash over the fields below; names no host.")
    os: str
    cpu: str
    cores: int
    memory_bytes: int
    python: str


class FingerprintRecord(Record):
    """The content fingerprint of one part of the system."""

    sha256: str
    code_sha256: str
    versions: dict[str, str] = Field(default_factory=dict, description="Library → version.")


class ShownTools(Record):
    """The tools that an agent is shown on a case."""

    names: tuple[str, ...]
    schemas_sha256: str = Field(description="SHA-256 of names, descriptions and schemas.")
    signatures_bytes: int = Field(ge=0, description="The same serialised, bytes; 0: no tool.")


class HostControls(Record):
    """What the host said of itself when the plan was made."""

    name: str
    version: str
    runtime: str = Field(description="Modelling library and kernel, with versions.")
    toolsets: dict[str, ShownTools] = Field(
        description="`program`, `objects`, `all` as the host announces them, or `none`, for each "
        "set that a case of the plan's suites shows."
    )
    source: str = Field(
        default="own",
        description="`own`: this code; `checkout`: our host as another checkout has it; "
        "`described`: another server.",
    )
    description: HostDescription | None = Field(
        default=None, description="Of a server that is not ours, as its file has it."
    )
    commit: str | None = Field(default=None, description="Of another checkout; None: unknown.")
    dirty: bool | None = Field(
        default=None, description="Whether another checkout had uncommitted changes."
    )
    sandbox: str = Field(description="bubblewrap, landlock or none.")
    sandbox_formal: bool = Field(description="Whether that sandbox is enough for a formal run.")
    sealed: bool | None = Field(
        default=None,
        description="Whether what an agent sees is searched for the truth before each trial of a "
        "case that hides it, and its host shut in. None: no case of the plan hides one.",
    )
    unsealed_why: str = Field(default="", description="Why it is not; empty: it is, or need not.")

    @property
    def rebuilds(self) -> bool:
        """Whether the host sets a parameter of a saved document, as the re-edit probe asks."""
        return self.description is None

    def shown(self, case: Case) -> ShownTools:
        """Return the tools that an agent is shown on a case (KeyError: it is not of this plan)."""
        return self.toolsets[toolset_of(case)]


def toolset_of(case: Case) -> str:
    """Return which set of tools an agent is shown on a case; `none` where it only answers."""
    return "none" if case.answer == "program" else case.tools


class SuiteControls(Record):
    """One suite of a plan."""

    name: str
    digest: str = Field(description="SHA-256 over the suite's data and code.")
    criteria: dict[str, float] = Field(description="Named tolerances of its grader.")


class PlannedTrial(Record):
    """One sample to be taken, in the order of the plan."""

    id: str = Field(pattern=r"^\d{4}\.[\w.:'′-]+$")
    case_id: str
    profile_id: str
    repetition: int = Field(ge=1)
    must_fail: dict[str, tuple[str, ...]] | None = Field(
        default=None,
        description="Of a scripted agent: round id → exactly the checks that must fail there; "
        "rounds left out must pass. None: an agent of whom nothing is known beforehand.",
    )
    matches: str | None = Field(
        default=None, description="Known misreading that the failing round must be matched with."
    )
    misses_probe: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Of a scripted agent: round id → exactly the checks that the re-edit probe "
        "must fail there; none: the host must reject its values. In other rounds it must hold.",
    )

    def as_it_must(
        self,
        round_id: str,
        outcome: str,
        failed: tuple[str, ...],
        reading: str | None,
        probe: ProbeVerdict | None = None,
        probe_failed: tuple[str, ...] = (),
    ) -> bool | None:
        """Whether a scripted agent's round ended as it had to; None where nothing was demanded.

        A round after the one that had to fail is rightly `not-run`; an error of ours is never
        right, since it proves neither the wiring nor the ruler. Nor is a probe that could not be
        graded.

        Args:
            round_id: the round.
            outcome: of the round.
            failed: checks that failed.
            reading: misreading that it was matched with.
            probe: verdict of its re-edit probe; None: none was made.
            probe_failed: checks that failed there.
        """
        if self.must_fail is None:
            return None
        if outcome == "not-run":
            return bool(self.must_fail)
        expected = self.must_fail.get(round_id, ())
        if not expected:
            return outcome == "passed" and self._probe_as_it_must(round_id, probe, probe_failed)
        judged = outcome in ("failed", "no-delivery")
        return judged and set(failed) == set(expected) and self.matches in (None, reading)

    def _probe_as_it_must(
        self, round_id: str, probe: ProbeVerdict | None, failed: tuple[str, ...]
    ) -> bool:
        if round_id not in self.misses_probe:
            return probe in (None, "held")
        return probe == "missed" and set(failed) == set(self.misses_probe[round_id])


class Estimate(Record):
    """What a profile of a plan would cost. Fields that are None have a reason in ``unknown``."""

    profile: str
    conversations: int = Field(ge=0)
    first_reserve_usd: str | None = Field(description="Set aside for the dearest first request.")
    likely_usd: str | None = Field(description="What such conversations took elsewhere; a guess.")
    most_usd: str | None = Field(description="What the budgets let it come to.")
    price_date: str | None
    price_checked: bool | None = Field(description="Whether somebody compared the price row.")
    unknown: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _every_unknown_has_a_reason(self) -> Self:
        require_reasons(self, self.unknown, ignore=("unknown",))
        return self


class Plan(Record):
    """All that `run` will do. Its commitment is the SHA-256 of its canonical form."""

    format: Literal["gaugeblock-plan/1"] = "gaugeblock-plan/1"
    created_at: str
    run_type: Literal["qualification", "formal"] = "qualification"
    label: Literal["self-attested"] = "self-attested"
    language: Language
    suites: tuple[SuiteControls, ...]
    cases: tuple[Case, ...]
    profiles: tuple[Profile, ...]
    trials: tuple[PlannedTrial, ...]
    repetitions: int = Field(ge=1)
    budget_usd: Usd | None = Field(default=None, description="Of each invocation of the run.")
    continue_after_error: bool = Field(
        default=False, description="Whether requests go on after one of unknown billing."
    )
    prices: PriceSnapshot | None = None
    estimates: tuple[Estimate, ...] = ()
    fingerprints: dict[str, FingerprintRecord]
    commit: str | None = Field(description="Commit of the checkout; None: unknown.")
    dirty: bool | None = Field(description="Whether the checkout had uncommitted changes.")
    host: HostControls
    machine: Machine
    unsafe: bool = Field(default=False, description="Whether a missing sandbox was accepted.")
    draw: Draw | None = Field(
        default=None, description="Fresh draws; their cases are in no plan, trials name their ids."
    )
    _drawn: tuple[Case, ...] = PrivateAttr(default=())

    follows: Follows | None = Field(
        default=None, description="The earlier run that this one is a rerun or a refill of."
    )

    @model_validator(mode="after")
    def _takes_again_what_it_says(self) -> Self:
        if self.follows is not None:
            planned = {(t.case_id, t.profile_id, t.repetition) for t in self.trials}
            fault = self.follows.fault(planned)
            if fault:
                raise ValueError(f"follows: {fault}")
        return self

    def with_drawn(self, cases: Iterable[Case]) -> Plan:
        """Return the same plan that also finds its drawn cases; they enter no file and no hash."""
        known = self.model_copy()
        known._drawn = tuple(cases)
        return known

    def every_case(self) -> tuple[Case, ...]:
        """Return the plan's cases, and those that were drawn as far as they are known."""
        return (*self.cases, *self._drawn)

    def commitment(self) -> str:
        """Return the plan's commitment hash (SHA-256, hex)."""
        return hashlib.sha256(self.canonical()).hexdigest()

    def case(self, case_id: str) -> Case:
        """Return the plan's case of this id, also a drawn one (KeyError if there is none)."""
        return {case.id: case for case in self.every_case()}[case_id]

    def profile(self, profile_id: str) -> Profile:
        """Return the plan's profile of this id (KeyError if there is none)."""
        return {profile.id: profile for profile in self.profiles}[profile_id]
