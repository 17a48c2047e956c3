"""A row: one round of one trial with all its controls, flat, as JSONL and CSV hold it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gaugeblock.records.base import Record, digest
from gaugeblock.records.case import Case, Round
from gaugeblock.records.grade import Grade
from gaugeblock.records.outcome import Outcome
from gaugeblock.records.plan import Plan, PlannedTrial
from gaugeblock.records.probe import Probe, ProbeVerdict
from gaugeblock.records.trial import RoundResult
from gaugeblock.records.usage import require_reasons


class Row(Record):
    """One row of results. Units are in the names: _s seconds, _bytes bytes, _usd US dollars.

    A field that is None has its reason in ``unknown``.
    """

    format: Literal["gaugeblock-row/1"] = "gaugeblock-row/1"
    # which sample
    run: str = Field(description="Commitment hash of the plan.")
    trial: str
    suite: str
    case: str
    case_version: int
    round: str
    axis: str
    growth: float = Field(description="Place on the axis: repeats N, or the round's number.")
    repetition: int
    visibility: str
    profile: str
    agent: str
    scripted: bool = Field(description="A scripted agent proves the wiring; never a result.")
    # how it ended
    outcome: Outcome
    reason: str
    attempted: bool
    final: bool = Field(description="Committed within the limits and every criterion passes.")
    first_try: bool | None
    plans: int | None
    repairs: int | None
    commits: int | None
    tool_calls: int | None
    repeated_calls: int | None
    idle_commits: int | None
    look_ups: int | None
    look_up_queries: tuple[str, ...]
    program_chars: int | None = Field(
        description="Characters of the longest program proposed; 0: none was."
    )
    failed_checks: tuple[str, ...]
    matched_reading: str | None
    points: int | None = Field(description="Of a suite that has points; all-or-nothing rows.")
    points_of: int | None = Field(description="Points of the checks that could be judged at all.")
    probe: ProbeVerdict | None = Field(
        description="Re-edit probe of a passed round, apart: it never changes the outcome."
    )
    probe_failed_checks: tuple[str, ...] = Field(
        description="Checks that failed in the probe; none where the host rejected its values."
    )
    probe_reason: str = Field(description="Why the probe did not hold; else empty.")
    interference_pairs: int | None = Field(
        description="Pairs of solids that share space; told beside the points, never in them."
    )
    interference_mm3: float | None = Field(description="Space that they share, mm³.")
    volume_mm3: float | None
    expected_volume_mm3: float | None
    # what it cost
    provider_calls: int | None
    unsettled_calls: int | None
    input_uncached: int | None
    cache_read: int | None
    cache_write_5min: int | None
    cache_write_1h: int | None
    output: int | None
    reasoning: int | None
    cost_usd: str | None
    reported_cost_usd: str | None
    price_date: str | None
    price_checked: bool | None = Field(
        description="Whether somebody compared the price row with the provider's page."
    )
    provider_s: float | None
    cad_preview_s: float | None
    cad_validate_s: float | None
    cad_commit_s: float | None
    cad_readback_s: float | None
    first_commit_s: float | None
    total_s: float | None
    host_peak_bytes: int | None
    message_bytes: int | None
    document_bytes: int | None
    signatures_bytes: int | None
    # controls
    started_at: str | None
    commit: str | None
    dirty: bool | None
    fingerprint_ruler: str = Field(
        description="Of the ruler that the verdict rests on: of the newest revision."
    )
    fingerprint_harness: str
    fingerprint_host: str
    fingerprint_protocol: str
    case_digest: str
    suite_digest: str = Field(
        description="Of the suite whose grader judged: of the newest revision, as the ruler."
    )
    host_runtime: str
    host_tools: int = Field(description="Tools that the agent was shown.")
    sandbox: str
    sealed: bool | None = Field(
        description="Whether the agent's view was searched for the truth and its host shut in."
    )
    model: str | None
    settings: dict[str, str | int | float | bool]
    cell_budget_usd: str | None
    round_budget_usd: str | None
    instruction_sha256: str
    language: str
    start_sha256: str | None
    os: str
    cpu: str
    memory_bytes: int
    machine: str
    artifact_sha256: str | None
    measurement_sha256: str | None
    # corrections after closing
    grade_revision: int = Field(default=0, description="0: the grade of the run itself.")
    invalidated: bool = Field(default=False, description="Its run or its suite is withdrawn.")
    voided: bool = Field(
        default=False,
        description="Its cell is void or its suite withdrawn: it is in no figure, and keeps its "
        "verdict.",
    )
    unknown: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _every_unknown_has_a_reason(self) -> Row:
        require_reasons(self, self.unknown, ignore=("unknown",))
        return self


_USAGE_FIELDS = [
    "provider_calls",
    "unsettled_calls",
    "input_uncached",
    "cache_read",
    "cache_write_5min",
    "cache_write_1h",
    "output",
    "reasoning",
    "cost_usd",
    "reported_cost_usd",
    "price_date",
    "provider_s",
]
_COPIED = [
    "outcome",
    "reason",
    "attempted",
    "first_try",
    "plans",
    "repairs",
    "commits",
    "tool_calls",
    "repeated_calls",
    "idle_commits",
    "look_ups",
    "look_up_queries",
    "program_chars",
    "first_commit_s",
    "total_s",
    "interference_pairs",
    "interference_mm3",
    "host_peak_bytes",
    "started_at",
    "instruction_sha256",
    "start_sha256",
    "artifact_sha256",
    "measurement_sha256",
]


def make_row(
    plan: Plan,
    trial: PlannedTrial,
    result: RoundResult,
    grade: Grade | None,
    probe: Probe | None = None,
) -> Row:
    """Lay one round's result and the run's controls side by side.

    Args:
        plan: the frozen plan.
        trial: the planned trial the round belongs to.
        result: what happened.
        grade: its judgement, None where nothing was judged.
        probe: its re-edit probe, None where none was made.
    """
    case, profile = plan.case(trial.case_id), plan.profile(trial.profile_id)
    asked = next(item for item in case.rounds if item.id == result.round)
    values: dict[str, object] = {name: getattr(result, name) for name in _COPIED}
    unknown = {name: why for name, why in result.unknown.items() if name in _COPIED}
    values.update(_flattened(result, unknown))
    values.update(_judged(grade, result, unknown))
    values.update(_probed(asked, probe, result, unknown, plan.host.rebuilds))
    values.update(_controls(plan, case, unknown))
    if profile.model is None:
        unknown["model"] = "scripted agent: no model"
    checked = {item.profile: item.price_checked for item in plan.estimates}.get(profile.id)
    if checked is None:
        unknown["price_checked"] = "nothing is billed by the token"
    return Row.model_validate(
        {
            **values,
            "trial": trial.id,
            "round": result.round,
            "growth": asked.growth,
            "repetition": trial.repetition,
            "profile": profile.id,
            "agent": profile.agent,
            "scripted": profile.scripted,
            "final": result.outcome == "passed",
            "model": profile.model,
            "price_checked": checked,
            "settings": profile.settings,
            "unknown": unknown,
        }
    )


def _flattened(result: RoundResult, unknown: dict[str, str]) -> dict[str, object]:
    """Flatten usage, CAD times and context; a missing group passes its reason to its fields."""
    flat: dict[str, object] = {}
    groups = (
        (result.usage, "usage", {name: name for name in _USAGE_FIELDS}),
        (
            result.cad,
            "cad",
            {f"cad_{n}_s": f"{n}_s" for n in ("preview", "validate", "commit", "readback")},
        ),
        (
            result.context,
            "context",
            {f"{n}_bytes": f"{n}_bytes" for n in ("message", "document", "signatures")},
        ),
    )
    for group, name, fields in groups:
        for target, source in fields.items():
            flat[target] = None if group is None else getattr(group, source)
            if flat[target] is None:
                own = result.usage.unknown if result.usage is not None and name == "usage" else {}
                unknown[target] = own.get(source) or result.unknown.get(
                    name, "nothing was delivered to read back"
                )
    return flat


def _judged(grade: Grade | None, result: RoundResult, unknown: dict[str, str]) -> dict[str, object]:
    volume = next((c for c in grade.checks if c.name == "volume"), None) if grade else None
    measured = volume.measured if volume else None
    expected = volume.expected if volume else None
    if isinstance(measured, bool) or not isinstance(measured, (int, float)):
        unknown["volume_mm3"] = (
            volume.finding if volume else ""
        ) or f"not measured: {result.outcome}"
        measured = None
    if isinstance(expected, bool) or not isinstance(expected, (int, float)):
        unknown["expected_volume_mm3"] = "volume is not judged here, or nothing was judged"
        expected = None
    reading = grade.matched_reading if grade else None
    if reading is None:
        unknown["matched_reading"] = (
            "matches no known misreading" if grade else f"nothing was judged: {result.outcome}"
        )
    score = grade.score if grade else None
    if score is None:
        why = _why_no_points(grade) if grade else f"nothing was judged: {result.outcome}"
        unknown.update({"points": why, "points_of": why})
    return {
        "points": score and score.points,
        "points_of": score and score.out_of,
        "failed_checks": grade.failed() if grade else (),
        "matched_reading": reading,
        "volume_mm3": measured,
        "expected_volume_mm3": expected,
    }


def _probed(
    asked: Round,
    probe: Probe | None,
    result: RoundResult,
    unknown: dict[str, str],
    rebuilds: bool,
) -> dict[str, object]:
    """Return the probe's columns; one of a round that, graded again, did not pass says nothing."""
    if not asked.probe:
        unknown["probe"] = "the round declares no probe"
    elif not rebuilds:
        unknown["probe"] = "the host sets no parameter of a saved document"
    elif result.outcome != "passed":
        unknown["probe"] = f"only a round that passed is probed; this one ended {result.outcome}"
    elif probe is None:
        unknown["probe"] = "none was made: the run ended first, or the round had not passed then"
    counts = probe is not None and "probe" not in unknown
    return {
        "probe": probe.verdict if probe and counts else None,
        "probe_failed_checks": probe.failed() if probe and counts else (),
        "probe_reason": probe.reason if probe and counts else "",
    }


def _why_no_points(grade: Grade) -> str:
    rough = [c.name for c in grade.checks if c.points and c.verdict == "could-not-measure"]
    return f"could not be measured: {', '.join(rough)}" if rough else "the suite has no points"


def _controls(plan: Plan, case: Case, unknown: dict[str, str]) -> dict[str, object]:
    if plan.commit is None:
        unknown["commit"] = "not run from a checkout, and the build recorded none"
    if plan.dirty is None:
        unknown["dirty"] = "not run from a checkout, and the build recorded none"
    sealed = plan.host.sealed if case.hides_truth else None
    if sealed is None:
        unknown["sealed"] = "the case hides no truth"
    budgets = {name: getattr(case.limits, name) for name in ("cell_budget_usd", "round_budget_usd")}
    unknown.update({name: "the case sets none" for name in budgets if budgets[name] is None})
    suite = next(item for item in plan.suites if item.name == case.suite)
    return {
        "run": plan.commitment(),
        "suite": case.suite,
        "case": case.id,
        "case_version": case.version,
        "axis": case.axis,
        "visibility": case.visibility,
        "commit": plan.commit,
        "dirty": plan.dirty,
        **{
            f"fingerprint_{name}": plan.fingerprints[name].sha256
            for name in ("ruler", "harness", "host", "protocol")
        },
        "case_digest": case.digest(),
        "suite_digest": suite.digest,
        "host_runtime": plan.host.runtime,
        "host_tools": len(plan.host.shown(case).names),
        "sandbox": plan.host.sandbox,
        "sealed": sealed,
        **budgets,
        "language": plan.language,
        "os": plan.machine.os,
        "cpu": plan.machine.cpu,
        "memory_bytes": plan.machine.memory_bytes,
        "machine": plan.machine.id,
    }


def instruction_digest(text: str) -> str:
    """Return the SHA-256 of an instruction's text."""
    return digest(text)
