"""Runs of a suite with points for the tests of analysis: eight checks of 60 points together."""

from __future__ import annotations

from dataclasses import dataclass

from made_rows import LIMITS, MODEL, Figures, MadeRun, make_plan, make_result

from gaugeblock.records.base import digest
from gaugeblock.records.case import Case, Round, Truth
from gaugeblock.records.grade import Check, Grade, Score
from gaugeblock.records.plan import HostControls, ShownTools, SuiteControls
from gaugeblock.records.profile import Profile
from gaugeblock.records.row import make_row

WORTH = {
    "editable": 5,
    "closed": 15,
    "labels": 10,
    "housing": 10,
    "envelope": 5,
    "group-head": 5,
    "details": 5,
    "reopens": 5,
}
TOTAL = 60


@dataclass(frozen=True)
class Machine:
    """How one trial ended.

    Attributes:
        lost: checks that failed.
        outcome: of the trial; None: by the checks.
        unmeasured: a check that could not be measured.
        absent: a check that does not apply to the host.
        pairs: solids that share space, None: not known.
    """

    lost: tuple[str, ...] = ()
    outcome: str | None = None
    unmeasured: str = ""
    absent: str = ""
    pairs: int | None = 0


def machine_case(case_id: str, *, tools: bool) -> Case:
    asked = Round(
        id="build",
        growth=1,
        instruction={"en": f"Build {case_id}", "zh": case_id},
        parameters={},
        truth=Truth(),
    )
    return Case(
        id=case_id,
        suite="assembly",
        version=1,
        title="A machine",
        axis="assembly" if tools else "baseline",
        needs=(),
        rounds=(asked,),
        tools="objects" if tools else "program",
        answer="tools" if tools else "program",
        interference=True,
        limits=LIMITS,
    )


WITH, WITHOUT = "machine", "machine-program"
CASES = {name: machine_case(name, tools=name == WITH) for name in (WITH, WITHOUT)}

HOST = HostControls(
    name="gaugeblock-host",
    version="0.1.0",
    runtime="build123d",
    toolsets={
        "objects": ShownTools(
            names=("box", "batch"), schemas_sha256=digest("o"), signatures_bytes=30_000
        ),
        "none": ShownTools(names=(), schemas_sha256=digest("n"), signatures_bytes=0),
    },
    sandbox="bubblewrap",
    sandbox_formal=True,
)


def grade_of(made: Machine) -> Grade:
    checks = tuple(
        Check(
            name=name,
            formula=f"the rule of {name}",
            expected=True,
            measured=name not in made.lost,
            points=points,
            verdict="could-not-measure"
            if name == made.unmeasured
            else "not-applicable"
            if name == made.absent
            else "fail"
            if name in made.lost
            else "pass",
            finding=f"{name} is lost" if name in made.lost else "",
        )
        for name, points in WORTH.items()
    )
    points = sum(check.points or 0 for check in checks if check.verdict == "pass")
    out_of = TOTAL - WORTH.get(made.absent, 0)
    verdict = "could-not-grade" if made.unmeasured else "failed" if made.lost else "passed"
    return Grade(
        round="build",
        verdict=verdict,
        checks=checks,
        score=None if made.unmeasured else Score(points=points, out_of=out_of),
        artifact_sha256=digest("artifact"),
        measurement_sha256=digest("measurement"),
        ruler_fingerprint=digest("ruler"),
    )


def points_run(ends: dict[str, list[Machine]], who: Profile = MODEL) -> MadeRun:
    """One profile on `machine`, `machine-program` or both, one trial a machine."""
    plan = make_plan(
        (who,),
        tuple(CASES[name] for name in ends),
        max(map(len, ends.values())),
        host=HOST,
        suites=(SuiteControls(name="assembly", digest=digest("assembly"), criteria={}),),
    )
    run = MadeRun(plan)
    for name, machines in ends.items():
        for trial, made in zip(run.trials(who.id, name), machines, strict=False):
            grade = None if made.outcome else grade_of(made)
            verdict = grade.verdict if grade else ""
            figures = Figures(
                interference_pairs=made.pairs,
                interference_mm3=None if made.pairs is None else 2.5 * made.pairs,
            )
            result = make_result(plan, trial, "build", made.outcome or verdict, figures)
            if grade:
                run.grades[trial.id, "build"] = grade
            run.rows.append(make_row(plan, trial, result, grade))
    return run
