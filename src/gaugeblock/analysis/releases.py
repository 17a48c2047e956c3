"""Two releases of the CAD host compared: the same agents on the same tasks, before and after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from gaugeblock.analysis.cells import BASELINE
from gaugeblock.analysis.measured_run import MeasuredRun
from gaugeblock.analysis.release_conditions import (
    AFTER,
    BEFORE,
    SIDES,
    broken_conditions,
    task_of,
)
from gaugeblock.analysis.summaries import METRIC, Aggregate, aggregate
from gaugeblock.records.row import Row

RELEASE_METRICS = (
    "cost_usd",
    "input_tokens",
    "output_tokens",
    "provider_calls",
    "tool_calls",
    "repairs",
    "total_s",
    "first_commit_s",
    "cad_s",
    "host_peak_bytes",
)
"""What is compared; provider time is not: it is no work of the host."""


@dataclass(frozen=True)
class Change:
    """One metric of one round, before and after.

    Attributes:
        profile: who worked.
        suite: the suite.
        case: the case.
        round: the round.
        language: language of the instruction.
        metric: the metric's name.
        before: median and maximum before, with their n.
        after: the same after.
        percent: 100 · (after − before) / before, of the medians; None where unavailable.
        reason: why it is unavailable; empty where it is there.
    """

    profile: str
    suite: str
    case: str
    round: str
    language: str
    metric: str
    before: Aggregate
    after: Aggregate
    percent: float | None
    reason: str


@dataclass(frozen=True)
class Overall:
    """A metric over all rounds of one profile: the median of their percentages.

    Attributes:
        profile: who worked.
        scripted: whether a script worked: the host and the ruler alone, no result of a model.
        metric: the metric's name.
        rounds: rounds it is taken over.
        percent: None where it is unavailable in any round.
        reason: why it is unavailable; empty where it is there.
    """

    profile: str
    scripted: bool
    metric: str
    rounds: int
    percent: float | None
    reason: str


@dataclass(frozen=True)
class ReleaseComparison:
    """The answer of ``compare --before --after``.

    Attributes:
        refused: every reason why nothing is compared; empty where something is.
        before: the host's fingerprint before.
        after: the host's fingerprint after.
        left_out: scripted profiles that are made to fail and so tell nothing of a host.
        overall: one a profile and metric.
        changes: one a profile, round and metric.
        void: void cells, which are left out too.
    """

    refused: tuple[str, ...]
    before: str | None = None
    after: str | None = None
    left_out: tuple[str, ...] = ()
    overall: tuple[Overall, ...] = ()
    changes: tuple[Change, ...] = ()
    void: tuple[str, ...] = ()


def compare_releases(
    before: Sequence[MeasuredRun], after: Sequence[MeasuredRun]
) -> ReleaseComparison:
    """Compare two host releases, or say with every reason why that would mislead.

    The figures are differences of medians. They are no significance: between two releases there
    are two samples, and a machine's day differs from its next.

    Args:
        before: runs on the one release.
        after: runs on the other.
    """
    runs = {BEFORE: before, AFTER: after}
    everything = {side: [row for run in runs[side] for row in run.counted] for side in SIDES}
    rows = {side: [row for row in everything[side] if _counts(row)] for side in SIDES}
    void = tuple(name for side in SIDES for run in runs[side] for name in run.void)
    everyone = {row.profile for side in SIDES for row in everything[side]}
    left_out = tuple(sorted(everyone - {row.profile for side in SIDES for row in rows[side]}))
    reasons = broken_conditions(runs, rows)
    if reasons:
        return ReleaseComparison(tuple(reasons), left_out=left_out, void=void)
    changes = tuple(_changes(rows[BEFORE], rows[AFTER]))
    scripted = {row.profile for row in rows[BEFORE] if row.scripted}
    return ReleaseComparison(
        refused=(),
        before=rows[BEFORE][0].fingerprint_host,
        after=rows[AFTER][0].fingerprint_host,
        left_out=left_out,
        overall=tuple(_overall(changes, scripted)),
        changes=changes,
        void=void,
    )


def _counts(row: Row) -> bool:
    """Whether a row is compared.

    Null and mutants fail by design; an agent that is shown no tool meets no host.
    """
    return row.axis != BASELINE and (not row.scripted or row.agent == "reference")


def _changes(before: Iterable[Row], after: Iterable[Row]) -> Iterator[Change]:
    tasks: dict[tuple[str, str, str, str, str], dict[str, list[Row]]] = defaultdict(
        lambda: {BEFORE: [], AFTER: []}
    )
    for side, rows in ((BEFORE, before), (AFTER, after)):
        for row in rows:
            tasks[task_of(row)][side].append(row)
    for (profile, suite, case, round_id, language), sides in sorted(tasks.items()):
        machines = {row.machine for side in SIDES for row in sides[side]}
        for name in RELEASE_METRICS:
            metric = METRIC[name]
            old, new = (aggregate(metric, sides[side]) for side in SIDES)
            reason = ""
            if metric.one_machine and len(machines) > 1:
                reason = f"taken on {len(machines)} machines; times compare only within one"
            percent, reason = (None, reason) if reason else percentage(old, new)
            yield Change(profile, suite, case, round_id, language, name, old, new, percent, reason)


def percentage(before: Aggregate, after: Aggregate) -> tuple[float | None, str]:
    """Return the change of a median in %, or None with the reason why there is none."""
    if before.median is None or after.median is None:
        return None, next(side.reason for side in (before, after) if side.median is None)
    if float(before.median) == 0:
        same = float(after.median) == 0
        return (0.0, "") if same else (None, "0 before: there is no percentage of nothing")
    return 100 * (float(after.median) / float(before.median) - 1), ""


def _overall(changes: Iterable[Change], scripted: set[str]) -> Iterator[Overall]:
    grouped: dict[tuple[str, str], list[Change]] = defaultdict(list)
    for change in changes:
        grouped[change.profile, change.metric].append(change)
    for (profile, metric), group in grouped.items():
        known = [change.percent for change in group if change.percent is not None]
        reason = next((change.reason for change in group if change.percent is None), "")
        if reason:
            reason = f"unavailable in {len(group) - len(known)} of {len(group)} rounds: {reason}"
        percent = None if reason else median(known)
        yield Overall(profile, profile in scripted, metric, len(group), percent, reason)
