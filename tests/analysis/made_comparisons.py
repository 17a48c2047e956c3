"""Runs to compare: two models on many cases, or one model on two releases of a host."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from made_rows import MODEL, Figures, MadeRun, make_plan, scale_case

from gaugeblock.analysis.measured_run import MeasuredRun
from gaugeblock.records.base import digest
from gaugeblock.records.plan import FingerprintRecord

OTHER = MODEL.model_copy(
    update={"id": "model-b", "label": "Model B", "model": "b-2", "provider": "q"}
)


def fingerprints(**changes: str) -> dict[str, FingerprintRecord]:
    names = {name: name for name in ("ruler", "harness", "host", "protocol")}
    return {
        name: FingerprintRecord(sha256=digest(word), code_sha256=digest(word))
        for name, word in {**names, **changes}.items()
    }


def measured(made: MadeRun, name: str = "a", **changes: object) -> MeasuredRun:
    """The run as a comparison sees it; each model answers under its own name."""
    names = {profile.id: profile.model for profile in made.plan.profiles}
    reported = {
        trial.id: frozenset({f"{names[trial.profile_id]}-0901"})
        for trial in made.plan.trials
        if names[trial.profile_id]
    }
    values: dict[str, object] = {"closed": True, "reported": reported}
    return MeasuredRun(name, made.plan, tuple(made.rows), **{**values, **changes})


def contest_run(
    passes: Mapping[str, list[int]],
    trials: int = 5,
    figures: Callable[[str, int], Figures] | None = None,
    **changes: object,
) -> MadeRun:
    """Profile → its passes on each case."""
    who = {"model-a": MODEL, "model-b": OTHER}
    profiles = tuple(
        who.get(name, OTHER.model_copy(update={"id": name, "model": name})) for name in passes
    )
    count = len(next(iter(passes.values())))
    cases = tuple(scale_case(f"C{n:02d}", 10 + n) for n in range(count))
    made = MadeRun(make_plan(profiles, cases, trials, **changes))
    for name, wins in passes.items():
        for case, won in zip(cases, wins, strict=True):
            for number, trial in enumerate(made.trials(name, case.id)):
                used = figures(name, number) if figures else Figures()
                made.add(trial, ["passed" if number < won else "failed"], used)
    return made


def release_run(host: str, seconds: float, trials: int = 3, **changes: object) -> MadeRun:
    """One model on two cases with a host, every round passed."""
    cases = (scale_case("S1", 12), scale_case("S2", 48))
    plan = make_plan((MODEL,), cases, trials, fingerprints=fingerprints(host=host), **changes)
    made = MadeRun(plan)
    for number, trial in enumerate(plan.trials):
        made.add(trial, ["passed"], Figures(total_s=seconds + number % 3, cad_s=seconds / 10))
    return made
