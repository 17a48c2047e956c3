"""Whole runs for the tests of analysis, made of the rows of ``made_rows``."""

from __future__ import annotations

import random
from decimal import Decimal

from made_rows import MODEL, SCALE, Figures, MadeRun, depth_case, make_plan, scale_case

from gaugeblock.records.outcome import is_valid
from gaugeblock.records.profile import Profile, scripted_profile


def one_cell(outcomes: list[str], figures: list[Figures] | None = None) -> MadeRun:
    """One model on S1, one trial an outcome."""
    plan = make_plan((MODEL,), (scale_case("S1", 12),), max(1, len(outcomes)))
    run = MadeRun(plan)
    for place, outcome in enumerate(outcomes):
        run.add(plan.trials[place], [outcome], figures[place] if figures else None)
    return run


def sequences(outcomes: list[list[str]]) -> MadeRun:
    """One model on the depth case, one trial a list of outcomes."""
    plan = make_plan((MODEL,), (depth_case(),), len(outcomes))
    run = MadeRun(plan)
    for trial, ends in zip(plan.trials, outcomes, strict=True):
        run.add(trial, ends)
    return run


def scale_run(cost: dict[int, list[str]]) -> MadeRun:
    """One model along the scale axis; N → the cost of each trial, USD."""
    cases = tuple(scale_case(f"S{n}", n) for n in cost)
    plan = make_plan((MODEL,), cases, max(len(values) for values in cost.values()))
    run = MadeRun(plan)
    for case, values in zip(cases, cost.values(), strict=True):
        for trial, usd in zip(run.trials(MODEL.id, case.id), values, strict=False):
            run.add(trial, ["passed"], Figures(cost_usd=usd))
    return run


def wiring_run() -> MadeRun:
    """What a run without a model leaves: reference, null and two mutants."""
    return _whole(("reference", "null", "mutant:no-holes", "mutant:floor-kept"), (), 1)


def full_run() -> MadeRun:
    """Scripted agents and two models, with errors, stops and unknown usage."""
    second = MODEL.model_copy(
        update={"id": "model-b", "label": "Model B", "model": "b-2", "provider": "q"}
    )
    return _whole(("reference", "null", "mutant:no-holes"), (MODEL, second), 5)


def _whole(scripts: tuple[str, ...], models: tuple[Profile, ...], repetitions: int) -> MadeRun:
    cases = (*(scale_case(name, n) for name, n in SCALE.items()), depth_case())
    profiles = (*(scripted_profile(name) for name in scripts), *models)
    run = MadeRun(make_plan(profiles, cases, repetitions))
    chance = random.Random(5)
    for number, trial in enumerate(run.plan.trials):
        case, agent = run.plan.case(trial.case_id), run.plan.profile(trial.profile_id).agent
        n = case.rounds[0].growth
        if agent == "reference":
            used = Figures(0.4 + n / 900, 0.3 + n / 1000, 0.3 + n / 1100, 0.2 + n / 700)
            run.add(trial, ["passed"] * len(case.rounds), used)
        elif agent == "null":
            run.add(trial, ["no-delivery"], Figures(0.1, None, 0.0, 0.0))
        elif agent.startswith("mutant"):
            volume = 62_187.93 if "floor" in agent else 48_992.0
            run.add(trial, ["failed"], Figures(0.5), volume)
        else:
            ends = _ends(number, len(case.rounds), agent == "api" and trial.profile_id == "model-b")
            used = [
                Figures(
                    round(chance.uniform(20, 60), 3),
                    round(chance.uniform(10, 19), 3),
                    round(3 + n / 100 + chance.random(), 3),
                    cost_usd=str(Decimal(chance.randint(200, 400)) / 10_000),
                    input_uncached=chance.randint(9_000, 15_000),
                    output=chance.randint(900, 2_500),
                    unsettled=1 if end == "error:provider" else 0,
                    first_try=chance.random() < 0.7,
                )
                for end in ends
            ]
            run.add(trial, ends, used)
    return run


def _ends(number: int, rounds: int, weak: bool) -> list[str]:
    """Ends that vary with the trial's number; a sequence ends at its first that is no pass."""
    ends = []
    for place in range(rounds):
        kind = (number * 7 + place * 3) % 17
        bad = {3: "failed", 11: "stopped:no-commit", 14: "error:provider" if weak else "failed"}
        ends.append(bad.get(kind, "passed"))
        if ends[-1] != "passed":
            break
    assert all(is_valid(end) or end.startswith("error") for end in ends)
    return ends


def voided(run: MadeRun, *cells: tuple[str, str]) -> MadeRun:
    """The same run with cells (profile, case) void."""
    run.rows = [
        row.model_copy(update={"voided": True}) if (row.profile, row.case) in cells else row
        for row in run.rows
    ]
    return run
