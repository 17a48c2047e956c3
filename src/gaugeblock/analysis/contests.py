"""Models against each other on the same cases: differences, their intervals, and who stands out.

Runs are only put together where all but the agent is the same: one suite, one set of
fingerprints, open or sealed, sealed off or not. Each such set is a ground of its own; figures of
two grounds never meet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from statistics import fmean, median

from gaugeblock.analysis.cells import Cell, began, begun, cells, kept_apart
from gaugeblock.analysis.measured_run import MeasuredRun, unfit
from gaugeblock.analysis.permutation import ALPHA, LEAST_PAIRS, holm, paired_test
from gaugeblock.analysis.rates import Rate, sequence_rates
from gaugeblock.analysis.summaries import METRIC, Unknown, figures
from gaugeblock.records.base import digest
from gaugeblock.records.row import Row

GROUND_COLUMNS = (
    "suite",
    "visibility",
    "language",
    "fingerprint_ruler",
    "fingerprint_harness",
    "fingerprint_host",
    "fingerprint_protocol",
    "suite_digest",
    "host_runtime",
)
"""Columns that must agree before models are compared; the run's sealing and type besides."""

RATES = ("passed / attempted", "passed / valid")
SPENDING = ("cost_usd", "input_tokens", "output_tokens", "total_s")
"""What a whole trial took; a sum over its rounds."""

NOT_DISTINGUISHABLE = "not distinguishable"
UNAVAILABLE = "unavailable"

CaseKey = tuple[str, int, str]
"""Case, version, digest."""


@dataclass(frozen=True)
class Contest:
    """Two profiles by one measure over the cases that both worked on.

    Attributes:
        measure: a rate, or the name of a metric.
        unit: unit of the figures; empty for a share, 0 to 1.
        first: one profile.
        second: the other.
        cases: cases that both have a figure of.
        first_mean: mean of the first's figures over these cases, None where unavailable.
        second_mean: the same of the second.
        difference: first − second.
        low: lower end of its 95 % interval, None where there is none.
        high: upper end.
        p: of no difference, two-sided, before any correction.
        p_holm: corrected for all pairs of this ground and measure (Holm).
        verdict: who is higher, ``not distinguishable``, or ``unavailable``.
        reason: why it is unavailable, or which cases are left out; empty if neither.
    """

    measure: str
    unit: str
    first: str
    second: str
    cases: int
    first_mean: float | None = None
    second_mean: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_holm: float | None = None
    verdict: str = UNAVAILABLE
    reason: str = ""


@dataclass(frozen=True)
class Contestant:
    """A profile on a ground.

    Attributes:
        profile: the profile.
        model: the model it asks for.
        reported: the models its answers named; empty: none did, and no claim rests on the name.
        cases: cases it worked on.
        trials: trials begun.
    """

    profile: str
    model: str | None
    reported: tuple[str, ...]
    cases: int
    trials: int


@dataclass(frozen=True)
class Ground:
    """What was measured under one set of controls.

    Attributes:
        id: digest of all that must agree.
        suite: the suite.
        visibility: open or sealed cases.
        language: of the instructions.
        sealing: whether the truth was out of reach.
        run_type: qualification or formal.
        tools: whether the agents were shown tools.
        runs: the runs that are in it, as they were named.
        contestants: who worked.
        contests: each pair by each measure.
        reason: why there are none; empty where there are.
    """

    id: str
    suite: str
    visibility: str
    language: str
    sealing: str
    run_type: str
    tools: str
    runs: tuple[str, ...]
    contestants: tuple[Contestant, ...]
    contests: tuple[Contest, ...]
    reason: str = ""


@dataclass(frozen=True)
class ProfileComparison:
    """The answer of ``compare --by profile``.

    Attributes:
        refused: every reason why nothing is compared; empty where something is.
        left_out: scripted profiles, which are never a result.
        grounds: one for each set of controls, never pooled.
        void: void cells, which are left out too.
    """

    refused: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    grounds: tuple[Ground, ...] = ()
    void: tuple[str, ...] = ()


def compare_profiles(runs: Sequence[MeasuredRun]) -> ProfileComparison:
    """Compare the models of runs case by case, or say with every reason why not.

    Args:
        runs: runs in any number; what cannot be pooled is shown apart.
    """
    left_out = tuple(sorted({row.profile for run in runs for row in run.rows if row.scripted}))
    reasons = unfit(runs)
    grouped: dict[tuple[str, ...], list[tuple[MeasuredRun, Row]]] = defaultdict(list)
    for run in runs if not reasons else ():
        begun = {row.trial for row in run.counted if began(row) and not row.scripted}
        for row in run.counted:
            if row.trial in begun:
                columns = (str(getattr(row, name)) for name in GROUND_COLUMNS)
                tools = kept_apart(row.axis, row.group)
                grouped[*columns, run.sealing, run.plan.run_type, tools].append((run, row))
    grounds = []
    for key, members in sorted(grouped.items()):
        ground, switched = _ground(key, members)
        grounds.append(ground)
        reasons += switched
    if not reasons and not any(ground.contests for ground in grounds):
        reasons += [f"{ground.suite}: {ground.reason}" for ground in grounds] or [
            "no model began a trial in these runs; scripted agents are never compared"
        ]
    void = tuple(name for run in runs for name in run.void)
    return ProfileComparison(tuple(reasons), left_out, () if reasons else tuple(grounds), void)


def _ground(
    key: tuple[str, ...], members: Sequence[tuple[MeasuredRun, Row]]
) -> tuple[Ground, list[str]]:
    """Return a ground, and what forbids to compare on it: a model that changed within a cell."""
    runs = list({id(run): run for run, _ in members}.values())
    sides: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells(row for _, row in members):
        sides[cell.key.profile].append(cell)
    switched, contestants = [], []
    for profile, group in sorted(sides.items()):
        rows = [row for cell in group for row in cell.rows()]
        models = sorted({f"{row.agent} {row.model}" for row in rows})
        reported = sorted({name for run in runs for name in run.models_of(rows)})
        for what, names in (("is", models), ("was answered by", reported)):
            if len(names) > 1:
                switched.append(f"profile {profile} {what} several models: {', '.join(names)}")
        if len({digest(row.settings) for row in rows}) > 1:
            switched.append(f"profile {profile} has several settings under one name")
        trials = sum(sequence_rates(cell).attempted.n for cell in group)
        contestants.append(Contestant(profile, rows[0].model, tuple(reported), len(group), trials))
    few = "" if len(sides) > 1 else f"only one model ({', '.join(sides)}); it takes two"
    contests = () if few or switched else tuple(_contests(sides))
    columns = dict(zip((*GROUND_COLUMNS, "sealing", "run_type", "tools"), key, strict=True))
    told = ("suite", "visibility", "language", "sealing", "run_type", "tools")
    shown = {name: columns[name] for name in told}
    ground = Ground(
        id=digest(columns)[:12],
        **shown,
        runs=tuple(sorted(run.name for run in runs)),
        contestants=tuple(contestants),
        contests=contests,
        reason=few,
    )
    return ground, switched


def _contests(sides: dict[str, list[Cell]]) -> Iterator[Contest]:
    by_case = {name: {_case(cell): cell for cell in group} for name, group in sides.items()}
    for measure, unit, read in _measures():
        pairs = [
            _contest(measure, unit, read, pair, [by_case[name] for name in pair])
            for pair in combinations(sorted(by_case), 2)
        ]
        tested = [pair for pair in pairs if pair.p is not None]
        corrected = iter(holm([pair.p for pair in tested if pair.p is not None]))
        for pair in pairs:
            yield _judged(pair, next(corrected)) if pair.p is not None else pair


def _judged(pair: Contest, p: float) -> Contest:
    assert pair.difference is not None
    higher = pair.first if pair.difference > 0 else pair.second
    verdict = f"{higher} is higher" if p <= ALPHA else NOT_DISTINGUISHABLE
    return replace(pair, p_holm=p, verdict=verdict)


def _case(cell: Cell) -> CaseKey:
    return cell.key.case, cell.key.case_version, cell.key.case_digest


Reading = Callable[[Cell], float | Unknown]


def _measures() -> Iterator[tuple[str, str, Reading]]:
    yield RATES[0], "", lambda cell: _share(sequence_rates(cell).attempted)
    yield RATES[1], "", lambda cell: _share(sequence_rates(cell).valid)
    for name in SPENDING:
        yield name, METRIC[name].unit, partial(_spent, name)


def _share(rate: Rate) -> float | Unknown:
    return rate.passed / rate.n if rate.n else Unknown(rate.reason)


def _spent(name: str, cell: Cell) -> float | Unknown:
    """Return the median over trials of what a whole trial took; one unknown makes it unknown."""
    totals = []
    for trial in cell.trials:
        values = figures(METRIC[name], begun(trial))
        for value in values:
            if isinstance(value, Unknown):
                return value
        if values:
            totals.append(sum(float(value) for value in values if not isinstance(value, Unknown)))
    return median(totals) if totals else Unknown("no attempted row")


def _contest(
    measure: str,
    unit: str,
    read: Reading,
    names: Sequence[str],
    sides: Sequence[dict[CaseKey, Cell]],
) -> Contest:
    shared = sorted(set(sides[0]) & set(sides[1]))
    figures = {key: (read(sides[0][key]), read(sides[1][key])) for key in shared}
    first, second, missing = [], [], []
    for (case, *_), (one, other) in figures.items():
        if isinstance(one, Unknown) or isinstance(other, Unknown):
            why = one if isinstance(one, Unknown) else other
            assert isinstance(why, Unknown)
            missing.append(f"{case}: {why.reason}")
        else:
            first.append(one)
            second.append(other)
    apart = _not_comparable(measure, [side[key] for side in sides for key in shared])
    lonely = len(set(sides[0]) ^ set(sides[1]))
    reasons = [apart] if apart else []
    if missing and measure not in RATES:
        # One unknown makes the whole unavailable: leaving it out would flatter who loses its usage.
        reasons.append(f"unknown in {len(missing)} of {len(shared)} cases: {missing[0]}")
    if not first:
        reasons.append("no case that both have a figure of")
    blank = Contest(measure, unit, names[0], names[1], len(first), reason="; ".join(reasons))
    if reasons:
        return blank
    test = paired_test(first, second)
    notes = []
    if lonely:
        notes.append(f"{lonely} cases of only one of the two are left out")
    if missing:
        notes.append(f"left out: {'; '.join(missing)}")
    if len(first) < LEAST_PAIRS:
        notes.append(
            f"{len(first)} cases: the least p there is is {2 / 2 ** len(first):g}, so nothing "
            "could stand out"
        )
    return replace(
        blank,
        first_mean=fmean(first),
        second_mean=fmean(second),
        difference=test.difference,
        low=test.low,
        high=test.high,
        p=test.p,
        reason="; ".join(notes),
    )


def _not_comparable(measure: str, both: Iterable[Cell]) -> str:
    """Say why times are not to be compared; empty where they may be, and for all else."""
    if measure in RATES or not METRIC[measure].one_machine:
        return ""
    rows = [row for cell in both for row in cell.rows() if began(row)]
    machines = {row.machine for row in rows}
    if len(machines) > 1:
        return f"times of {len(machines)} machines; they compare only within one"
    if len({row.agent == "api" for row in rows}) > 1:
        return "an agent program's time holds its own start, an api agent's does not"
    return ""
