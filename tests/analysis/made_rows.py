"""Plans, rows and grades for the tests of analysis: what a run of ``growth`` would leave."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gaugeblock.records.base import digest
from gaugeblock.records.case import Case, Limits, Reading, Round, Truth
from gaugeblock.records.grade import Check, Grade
from gaugeblock.records.plan import (
    FingerprintRecord,
    HostControls,
    Machine,
    Plan,
    PlannedTrial,
    ShownTools,
    SuiteControls,
)
from gaugeblock.records.profile import Profile
from gaugeblock.records.row import Row, make_row
from gaugeblock.records.trial import CadTimes, Context, RoundResult, unstarted_round
from gaugeblock.records.usage import Usage, scripted_usage

BOX = "120*80*40 - 116*76*38 - N*pi*3**2*2"
BOUNDS = (0.0, 0.0, 0.0, 120.0, 80.0, 40.0)
SCALE = {"S1": 12, "S2": 48, "S3′": 105, "S4": 768}
DEPTH = {
    "k1": 47_634.83,
    "k2": 47_433.77,
    "k3": 47_848.46,
    "k4": 70_152.69,
    "k5": 70_067.87,
    "k6": 69_596.63,
}
LIMITS = Limits(
    wall_s=600, no_commit_s=300, tool_calls=60, turns=20, program_s=60, evaluation_s=120
)
MODEL = Profile(
    id="model-a",
    label="Model A",
    agent="api",
    dialect="anthropic-messages",
    provider="p",
    model="a-1",
    settings={"effort": "x"},
)


def scale_case(case_id: str, n: int, visibility: str = "open") -> Case:
    apart = ("valid", "solids", "bounds") if case_id == "S4" else ()
    truth = Truth(volume=BOX, solids="1", faces="11 + N", reported_apart=apart)
    reading = Reading(name="floor kept", means="Floor stays 2.", volume="62187.93")
    return Case.model_validate(
        {
            "id": case_id,
            "suite": "growth",
            "version": 1,
            "title": "Open-top box with an array of holes",
            "axis": "scale",
            "visibility": visibility,
            "needs": ("programs",),
            "rounds": (
                Round(
                    id="create",
                    growth=n,
                    instruction={"en": f"Make {n} holes", "zh": f"{n}"},
                    parameters={"N": n},
                    truth=truth,
                    readings=(reading,),
                ),
            ),
            "limits": LIMITS,
        }
    )


def depth_case(case_id: str = "depth") -> Case:
    rounds = tuple(
        Round(
            id=name,
            growth=place,
            instruction={"en": name, "zh": name},
            parameters={},
            truth=Truth(volume=f"{volume}"),
        )
        for place, (name, volume) in enumerate(DEPTH.items(), 1)
    )
    return Case(
        id=case_id,
        suite="growth",
        version=1,
        title="Six edits in a row",
        axis="depth",
        needs=(),
        rounds=rounds,
        limits=LIMITS,
    )


def _must_fail(agent: str, first_round: str) -> dict[str, tuple[str, ...]]:
    """The reference passes; null and the mutants fail in the first round of a case."""
    if agent == "reference":
        return {}
    return {first_round: ("delivered",) if agent == "null" else ("volume", "faces")}


def make_plan(
    profiles: tuple[Profile, ...], cases: tuple[Case, ...], repetitions: int = 5, **changes: object
) -> Plan:
    trials = [
        PlannedTrial(
            id=f"{number:04d}.{case.id}",
            case_id=case.id,
            profile_id=who.id,
            repetition=repetition,
            must_fail=_must_fail(who.agent, case.rounds[0].id) if who.scripted else None,
        )
        for number, (repetition, case, who) in enumerate(
            ((r, c, p) for r in range(1, repetitions + 1) for c in cases for p in profiles), 1
        )
    ]
    values: dict[str, object] = {
        "created_at": "2026-10-01T09:00:00.000Z",
        "language": "en",
        "suites": (SuiteControls(name="growth", digest=digest("growth"), criteria={"v": 1e-6}),),
        "cases": cases,
        "profiles": profiles,
        "trials": trials,
        "repetitions": repetitions,
        "fingerprints": {
            name: FingerprintRecord(sha256=digest(name), code_sha256=digest(f"{name} code"))
            for name in ("ruler", "harness", "host", "protocol")
        },
        "commit": "27ce6d14",
        "dirty": False,
        "host": HostControls(
            name="gaugeblock-host",
            version="0.1.0",
            runtime="build123d 0.13.0 on OCP 8.0.1",
            toolsets={
                "program": ShownTools(
                    names=("read", "propose", "commit"),
                    schemas_sha256=digest("tools"),
                    signatures_bytes=5_210,
                )
            },
            sandbox="bubblewrap",
            sandbox_formal=True,
        ),
        "machine": Machine(
            id="3f21c0de",
            os="Linux 6.8",
            cpu="x86-64, 8 threads",
            cores=8,
            memory_bytes=16 << 30,
            python="3.11.9",
        ),
    }
    return Plan.model_validate({**values, **changes})


@dataclass
class Figures:
    """What a made round used; None makes the figure unknown."""

    total_s: float | None = 40.0
    first_commit_s: float | None = 25.0
    cad_s: float | None = 4.0
    readback_s: float = 1.5
    peak_bytes: int | None = 300 << 20
    input_uncached: int | None = 12_000
    output: int | None = 1_500
    cost_usd: str | None = "0.0312"
    unsettled: int = 0
    first_try: bool | None = True
    repairs: int | None = 0
    interference_pairs: int | None = None
    interference_mm3: float | None = None
    reason: str = ""
    unknown: dict[str, str] = field(default_factory=dict)


def make_result(
    plan: Plan, trial: PlannedTrial, round_id: str, outcome: str, figures: Figures | None = None
) -> RoundResult:
    """A round that began and ended so."""
    made = figures or Figures()
    scripted = plan.profile(trial.profile_id).scripted
    values: dict[str, object] = {
        "total_s": made.total_s,
        "first_commit_s": made.first_commit_s,
        "first_try": made.first_try,
        "repairs": made.repairs,
        "host_peak_bytes": made.peak_bytes,
        "started_at": "2026-10-01T09:01:00.000Z",
        "plans": 1,
        "commits": 1,
        "tool_calls": 4,
        "repeated_calls": 0,
        "idle_commits": 0,
        "look_ups": 1,
        "program_chars": 900,
        "interference_pairs": made.interference_pairs,
        "interference_mm3": made.interference_mm3,
        "start_sha256": digest("start"),
        "document_sha256": digest("document"),
        "artifact_sha256": digest(trial.id + round_id),
        "measurement_sha256": digest("measurement"),
        "usage": scripted_usage() if scripted else _usage(made),
        "cad": None
        if made.cad_s is None
        else CadTimes(
            preview_s=made.cad_s / 2,
            validate_s=made.cad_s / 4,
            commit_s=made.cad_s / 4,
            readback_s=made.readback_s,
        ),
        "context": Context(message_bytes=4_096, document_bytes=512, signatures_bytes=5_210),
    }
    unknown = {k: made.unknown.get(k, "not told") for k, v in values.items() if v is None}
    return RoundResult.model_validate(
        {
            **values,
            "trial_id": trial.id,
            "round": round_id,
            "outcome": outcome,
            "reason": made.reason or ("" if outcome == "passed" else f"it {outcome}"),
            "attempted": True,
            "look_up_queries": ("fillet",),
            "instruction_sha256": digest(round_id),
            "unknown": unknown,
        }
    )


def _usage(made: Figures) -> Usage:
    values = {
        "input_uncached": made.input_uncached,
        "cache_read": 8_000,
        "cache_write_5min": 0,
        "cache_write_1h": 0,
        "output": made.output,
        "reasoning": None,
        "cost_usd": made.cost_usd,
        "reported_cost_usd": None,
        "price_date": "2026-09-28",
        "provider_s": 30.0,
    }
    unknown = {k: made.unknown.get(k, "not reported") for k, v in values.items() if v is None}
    return Usage.model_validate(
        {
            "provider_calls": 3,
            "unsettled_calls": made.unsettled,
            **values,
            "unknown": unknown,
        }
    )


def make_grade(case: Case, round_id: str, outcome: str, volume: float | None = None) -> Grade:
    if outcome == "no-delivery":
        return _no_delivery(round_id)
    asked = next(item for item in case.rounds if item.id == round_id)
    n = asked.parameters.get("N", 0)
    truth = DEPTH[round_id] if case.axis == "depth" else 48_992 - n * math.pi * 18
    if volume is None:
        volume = truth * (1 + (3e-13 if outcome == "passed" else 4e-3))
    off = abs(volume - truth) / truth
    right = off <= 1e-6
    faces = 11 + int(n)
    checks = (
        Check(name="valid", formula="valid solid", expected=True, measured=True, verdict="pass"),
        Check(
            name="volume",
            formula=asked.truth.volume or "",
            expected=truth,
            measured=volume,
            deviation=off,
            tolerance=1e-6,
            verdict="pass" if right else "fail",
            finding="" if right else f"volume {volume:.2f} where {truth:.2f} was expected",
        ),
        Check(name="solids", formula="1", expected=1, measured=1, verdict="pass"),
        Check(
            name="faces",
            formula="11 + N",
            expected=faces,
            measured=faces if right else 11,
            verdict="pass" if right else "fail",
        ),
        Check(
            name="bounds",
            formula="xmin=0, ymin=0, zmin=0, xmax=120, ymax=80, zmax=40",
            expected=BOUNDS,
            measured=(0.0, 0.0, -1e-17, 120.00000000000001, 80.0, 40.0),
            deviation=1.4e-14,
            tolerance=1e-6,
            verdict="pass",
        ),
    )
    return Grade(
        round=round_id,
        verdict="passed" if right else "failed",
        checks=checks,
        apart={"source: valid, 1 solid, bounds": "pass"} if case.id == "S4" else {},
        artifact_sha256=digest("artifact"),
        measurement_sha256=digest("measurement"),
        ruler_fingerprint=digest("ruler"),
    )


@dataclass
class MadeRun:
    """A run under construction: rows and grades of a plan."""

    plan: Plan
    rows: list[Row] = field(default_factory=list)
    grades: dict[tuple[str, str], Grade] = field(default_factory=dict)

    def add(
        self,
        trial: PlannedTrial,
        outcomes: list[str],
        figures: Figures | list[Figures] | None = None,
        volume: float | None = None,
    ) -> None:
        """Add a trial's rounds; those without an outcome are not-run."""
        case = self.plan.case(trial.case_id)
        for place, asked in enumerate(case.rounds):
            grade = None
            if place < len(outcomes) and outcomes[place] != "not-run":
                outcome = outcomes[place]
                used = figures[place] if isinstance(figures, list) else figures
                if outcome == "interrupted":
                    result = unstarted_round(trial.id, asked.id, outcome, "killed", digest("i"))
                else:
                    result = make_result(self.plan, trial, asked.id, outcome, used)
                if outcome in ("passed", "failed"):
                    grade = make_grade(case, asked.id, outcome, volume)
                    self.grades[trial.id, asked.id] = grade
            else:
                why = "round k4 did not pass" if place else "host lacks threads"
                result = unstarted_round(trial.id, asked.id, "not-run", why, digest("i"))
            self.rows.append(make_row(self.plan, trial, result, grade))

    def trials(self, profile: str, case: str) -> list[PlannedTrial]:
        return [t for t in self.plan.trials if (t.profile_id, t.case_id) == (profile, case)]


def _no_delivery(round_id: str) -> Grade:
    """The grade of nothing: only `delivered` is judged."""
    check = Check(
        name="delivered",
        formula="a STEP file was delivered",
        expected=True,
        measured=False,
        verdict="fail",
        finding="nothing was delivered",
    )
    return Grade(
        round=round_id,
        verdict="failed",
        checks=(check,),
        artifact_sha256=None,
        measurement_sha256=None,
        ruler_fingerprint=digest("ruler"),
    )
