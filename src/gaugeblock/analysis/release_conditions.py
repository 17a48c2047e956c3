"""When two host releases may be compared at all: every condition that is broken, in words.

All that is not the host must be the same on both sides, and nothing may have failed: else a
difference could come from elsewhere, or from work that was not done.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from gaugeblock.analysis.cells import began
from gaugeblock.analysis.measured_run import MeasuredRun, unfit
from gaugeblock.analysis.points import REVIEWED_SUITES
from gaugeblock.analysis.slopes import LEAST_FOR_CLAIM
from gaugeblock.analysis.summaries import METRIC, Unknown, figures
from gaugeblock.records.base import canonical_json
from gaugeblock.records.row import Row

SAME_CONTROLS = {
    "protocol": "fingerprint_protocol",
    "ruler": "fingerprint_ruler",
    "harness": "fingerprint_harness",
}
"""What must have one value on both sides together: its name, and the column that holds it."""

TASK = (
    "case_version",
    "case_digest",
    "suite_digest",
    "visibility",
    "instruction_sha256",
    "start_sha256",
)
"""Columns that must agree for a task to be the same one."""

PROFILE = ("agent", "model", "settings")
"""Columns that must agree for a profile to be the same one."""

USAGE = ("input_tokens", "output_tokens")
"""What must be known of every round of a model. Cost is not among them: what a server of one's
own or a subscription costs is never known."""

BEFORE, AFTER = "before", "after"
SIDES = (BEFORE, AFTER)

Runs = Mapping[str, Sequence[MeasuredRun]]
"""Side → its runs."""

Rows = Mapping[str, Sequence[Row]]
"""Side → the rows that are compared."""


def broken_conditions(runs: Runs, rows: Rows) -> list[str]:
    """Return every reason why the two sides may not be compared; empty: they may.

    Args:
        runs: side → its runs.
        rows: side → the rows that are compared.
    """
    reasons = unfit([run for side in SIDES for run in runs[side]])
    empty = [side for side in SIDES if not rows[side]]
    reasons += [f"{side}: no round of a model or of the reference" for side in empty]
    if not empty:
        checks = (_controls, _profiles, _tasks, _repetitions, _passes, _usage, _quality)
        reasons += [line for check in checks for line in check(runs, rows)]
    return reasons


def task_of(row: Row) -> tuple[str, str, str, str, str]:
    """Return which task a row stands for: profile, suite, case, round, language."""
    return row.profile, row.suite, row.case, row.round, row.language


def name_of(task: tuple[str, ...]) -> str:
    """Return a task's name for people."""
    profile, suite, case, round_id, language = task
    step = case if round_id == case else f"{case} {round_id}"
    return f"{profile} on {suite}/{step} ({language})"


def _controls(runs: Runs, rows: Rows) -> Iterator[str]:
    for name, column in SAME_CONTROLS.items():
        yield from _unlike(name, {side: _values(rows[side], (column,)) for side in SIDES})
    for name, read in _LABELS.items():
        yield from _unlike(name, {side: {read(run) for run in runs[side]} for side in SIDES})
    hosts = {side: _values(rows[side], ("fingerprint_host",)) for side in SIDES}
    for side in SIDES:
        if len(hosts[side]) > 1:
            yield f"host: {len(hosts[side])} fingerprints {side}, not one ({_told(hosts[side])})"
    if len(hosts[BEFORE] | hosts[AFTER]) == 1:
        yield f"host: the same fingerprint on both sides ({_told(hosts[BEFORE])})"


_LABELS: dict[str, Callable[[MeasuredRun], str]] = {
    "sandbox": lambda run: run.sealing,
    "run type": lambda run: run.plan.run_type,
}


def _profiles(runs: Runs, rows: Rows) -> Iterator[str]:
    names = {side: {row.profile for row in rows[side]} for side in SIDES}
    for name in sorted(names[BEFORE] ^ names[AFTER]):
        yield f"profile {name}: only {BEFORE if name in names[BEFORE] else AFTER}"
    for name in sorted(names[BEFORE] & names[AFTER]):
        mine = {side: [row for row in rows[side] if row.profile == name] for side in SIDES}
        for column in PROFILE:
            values = {side: _values(mine[side], (column,)) for side in SIDES}
            yield from _unlike(f"profile {name}, {column}", values)
        if any(row.scripted for side in SIDES for row in mine[side]):
            continue
        reported = {
            side: {model for run in runs[side] for model in run.models_of(mine[side])}
            for side in SIDES
        }
        for side in SIDES:
            if not reported[side]:
                yield f"profile {name}: no answer {side} names the model that gave it"
        yield from _unlike(f"profile {name}, reported model", reported)


def _tasks(runs: Runs, rows: Rows) -> Iterator[str]:
    tasks = {side: _by_task(rows[side]) for side in SIDES}
    shared = {row.profile for row in rows[BEFORE]} & {row.profile for row in rows[AFTER]}
    for task in sorted(set(tasks[BEFORE]) ^ set(tasks[AFTER])):
        if task[0] in shared:
            yield f"task: {name_of(task)} only {BEFORE if task in tasks[BEFORE] else AFTER}"
    for task in sorted(set(tasks[BEFORE]) & set(tasks[AFTER])):
        for column in TASK:
            values = {side: _values(tasks[side][task], (column,)) for side in SIDES}
            yield from _unlike(f"task: {name_of(task)}, {column}", values)


def _repetitions(runs: Runs, rows: Rows) -> Iterator[str]:
    for side in SIDES:
        for task, same in sorted(_by_task(rows[side]).items()):
            n = sum(began(row) for row in same)
            if n < LEAST_FOR_CLAIM:
                yield f"{side}: {name_of(task)}: n = {n}, at least {LEAST_FOR_CLAIM} are needed"


def _passes(runs: Runs, rows: Rows) -> Iterator[str]:
    for side in SIDES:
        for task, same in sorted(_by_task(rows[side]).items()):
            ends = Counter(row.outcome for row in same if row.outcome != "passed")
            if ends:
                told = ", ".join(f"{n} {outcome}" for outcome, n in sorted(ends.items()))
                yield f"{side}: {name_of(task)}: not all of {len(same)} passed ({told})"


def _usage(runs: Runs, rows: Rows) -> Iterator[str]:
    for side in SIDES:
        unknown: Counter[tuple[str, str, str]] = Counter()
        models = [row for row in rows[side] if began(row) and not row.scripted]
        for name in USAGE:
            for row, value in zip(models, figures(METRIC[name], models), strict=True):
                if isinstance(value, Unknown):
                    unknown[row.profile, METRIC[name].label, value.reason] += 1
        for (profile, label, reason), n in sorted(unknown.items()):
            yield f"{side}: {profile}: {label} unknown in {n} rounds: {reason}"


def _quality(runs: Runs, rows: Rows) -> Iterator[str]:
    cells = {
        (row.suite, row.profile, row.case)
        for side in SIDES
        for row in rows[side]
        if row.suite in REVIEWED_SUITES and not row.scripted
    }
    for suite, profile, case in sorted(cells):
        name, cell = f"{suite}: {profile} on {case}", (profile, case)
        own = {side: [run for run in runs[side] if _has(run, cell)] for side in SIDES}
        found = {side: [run.quality.get(cell) for run in own[side]] for side in SIDES}
        known = {side: [score for score in found[side] if score is not None] for side in SIDES}
        pending = [s for s in SIDES if not known[s] or len(known[s]) < len(found[s])]
        if pending:
            yield f"{name}: quality not reviewed {' and '.join(pending)}"
        elif min(known[AFTER]) < max(known[BEFORE]):
            yield (
                f"{name}: reviewed quality fell from {max(known[BEFORE]):g} to "
                f"{min(known[AFTER]):g}"
            )


def _has(run: MeasuredRun, cell: tuple[str, str]) -> bool:
    return any((row.profile, row.case) == cell for row in run.counted)


def _by_task(rows: Sequence[Row]) -> dict[tuple[str, str, str, str, str], list[Row]]:
    tasks: dict[tuple[str, str, str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        tasks[task_of(row)].append(row)
    return tasks


def _values(rows: Sequence[Row], columns: tuple[str, ...]) -> set[str]:
    """Return the values of columns as texts; a value that is null stands as ``null``."""
    found = set()
    for row in rows:
        for column in columns:
            value = getattr(row, column)
            found.add(value if isinstance(value, str) else canonical_json(value).decode())
    return found


def _unlike(name: str, values: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Yield a line where the two sides do not have one value together."""
    if len({*values[BEFORE], *values[AFTER]}) > 1:
        yield f"{name}: {_told(values[BEFORE])} before, {_told(values[AFTER])} after"


def _told(values: Collection[str]) -> str:
    """Return values as one text; a hash is cut to what a report shows of it."""
    return " and ".join(sorted(v[:12] if len(v) == 64 else v for v in values)) or "none"
