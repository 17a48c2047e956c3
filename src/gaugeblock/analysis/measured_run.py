"""A run as a comparison sees it: its plan, its rows, and what its answers said of themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gaugeblock.analysis.columns import AnyRow
from gaugeblock.analysis.run_summary import sealed_off
from gaugeblock.records.follows import Follows
from gaugeblock.records.plan import Plan
from gaugeblock.records.row import Row


@dataclass(frozen=True)
class MeasuredRun:
    """One run folder, read.

    Attributes:
        name: how the user named it; only for messages.
        plan: its frozen plan.
        rows: its rows, amendments applied.
        closed: whether the closing manifest was written.
        reported: trial id → the models that its answers named; nothing for a scripted agent.
        quality: (profile, case) → median reviewed quality, 0 to 10; absent where one waits.
    """

    name: str
    plan: Plan
    rows: tuple[Row, ...]
    closed: bool = True
    reported: Mapping[str, frozenset[str]] = field(default_factory=dict)
    quality: Mapping[tuple[str, str], float] = field(default_factory=dict)

    @property
    def sealing(self) -> str:
        """Whether the truth was out of the agents' reach."""
        return "sealed off" if sealed_off(self.plan) else "unsealed"

    @property
    def counted(self) -> list[Row]:
        """Its rows without void ones, which are in no comparison."""
        return [row for row in self.rows if not row.voided]

    @property
    def void(self) -> list[str]:
        """The names of its void cells; those of a withdrawn suite are among them."""
        void = {
            (row.profile, row.case): ", invalidated" if row.invalidated else ""
            for row in self.rows
            if row.voided
        }
        return [f"{who} on {case} ({self.name}{why})" for (who, case), why in void.items()]

    def models_of(self, rows: Iterable[AnyRow]) -> frozenset[str]:
        """Return the models that the answers of some of its rows named."""
        trials = {row.trial for row in rows if row.run == self.plan.commitment()}
        return frozenset(name for trial in trials for name in self.reported.get(trial, ()))


def unfit(runs: Sequence[MeasuredRun]) -> list[str]:
    """Return why runs cannot enter any comparison, one line each."""
    reasons = []
    for run in runs:
        if not run.closed:
            reasons.append(f"{run.name}: not closed, so its figures may still change")
        if any(row.invalidated and not row.voided for row in run.rows) or (
            run.rows and all(row.invalidated for row in run.rows)
        ):
            reasons.append(f"{run.name}: invalidated")
        follows = run.plan.follows
        if follows is not None and follows.kind == "refill":
            reasons += _alone(run, follows, runs)
    plans = [run.plan.commitment() for run in runs]
    twice = {run.name for run, plan in zip(runs, plans, strict=True) if plans.count(plan) > 1}
    if twice:
        reasons.append(f"one run stands twice: {', '.join(sorted(twice))}")
    return [*reasons, *_evaluators(runs)]


def _evaluators(runs: Sequence[MeasuredRun]) -> Iterator[str]:
    """Say where runs of a suite stand on different evaluators though one was graded again.

    Grading the others again brings all to one; as long as nobody did, figures of two evaluators
    would stand beside each other. Runs that nobody graded again differ by their fingerprints, and
    are kept apart by these.
    """
    graded: dict[str, dict[tuple[str, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    regraded = set()
    for run in runs:
        again = any(row.grade_revision for row in run.rows)
        how = "graded again" if again else "as run"
        for row in run.counted:
            names = graded[row.suite][row.fingerprint_ruler, row.suite_digest]
            if again:
                regraded.add(row.suite)
            if f"{run.name}, {how}" not in names:
                names.append(f"{run.name}, {how}")
    for suite in sorted(regraded):
        if len(graded[suite]) > 1:
            told = "; ".join(
                f"ruler {ruler[:12]} and suite {digest[:12]} ({'; '.join(names)})"
                for (ruler, digest), names in graded[suite].items()
            )
            yield f"{suite}: graded by different evaluators: {told}: regrade all runs by one"


def _alone(refill: MeasuredRun, follows: Follows, runs: Sequence[MeasuredRun]) -> list[str]:
    """Say why a refill cannot enter: its trials are a part of another run's sample."""
    earlier = [run for run in runs if run.plan.commitment() == follows.run]
    if not earlier:
        return [
            f"{refill.name}: a refill of run {follows.run[:12]}, which is not given with it: "
            "replacements alone are no sample"
        ]
    others = (run.plan.follows for run in runs if run is not refill)
    if any(other and (other.kind, other.run) == ("refill", follows.run) for other in others):
        return [f"{refill.name}: one of several refills of {earlier[0].name}; give one"]
    void = {(row.case, row.profile) for run in earlier for row in run.rows if row.voided}
    return [
        f"{refill.name}: replaces trials of {cell}, which is void in {earlier[0].name}"
        for cell in follows.cells
        if (cell.case, cell.profile) in void
    ]
