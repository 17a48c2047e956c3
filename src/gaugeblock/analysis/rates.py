"""Success rates with their intervals: over attempted and over valid trials, always together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, inf, sqrt

from gaugeblock.analysis.cells import Cell, begun, marks_of_begun
from gaugeblock.analysis.columns import AnyRow, field
from gaugeblock.records.outcome import NOT_VALID

CONFIDENCE = 0.95
"""Level of every interval, as the protocol sets it."""

Z = 1.959963984540054
"""97.5 % quantile of the normal distribution: the two-sided 95 % of ``CONFIDENCE``."""

CASES_FOR_CLUSTERING = 10
"""Fewest cases for an interval across cells: below it a between-case variance means nothing."""


@dataclass(frozen=True)
class Rate:
    """A share of passes.

    Attributes:
        passed: passes counted.
        n: samples counted.
        low: lower end of the 95 % interval, None where there is none.
        high: upper end.
        reason: why there is no interval; empty where there is one.
    """

    passed: int
    n: int
    low: float | None
    high: float | None
    reason: str = ""


@dataclass(frozen=True)
class SuccessRates:
    """The two rates that are always shown together."""

    attempted: Rate
    valid: Rate


@dataclass(frozen=True)
class RoundRates:
    """Success of one round of a cell.

    Attributes:
        round: the round's id.
        growth: its place on the axis.
        headline: over all sequences that began; one that ended earlier counts as not passed.
        reached: over the sequences that reached this round.
        first_try: first-try success over the rows that reached it.
    """

    round: str
    growth: float
    headline: SuccessRates
    reached: SuccessRates
    first_try: Rate


@lru_cache(maxsize=4096)
def wilson(passed: int, n: int) -> Rate:
    """Return passes over samples with the Wilson score interval (Wilson 1927), 95 %.

    Raises:
        ValueError: passes are negative or more than the samples.
    """
    if not 0 <= passed <= n:
        raise ValueError(f"{passed} passes of {n} samples")
    if n == 0:
        return Rate(0, 0, None, None, "no sample counts here")
    from scipy.stats import binomtest

    interval = binomtest(passed, n).proportion_ci(confidence_level=CONFIDENCE, method="wilson")
    return Rate(passed, n, float(interval.low), float(interval.high))


def success_rates(rows: Sequence[AnyRow]) -> SuccessRates:
    """Return both success rates of rows that are samples by themselves (one round each)."""
    outcomes = field(begun(rows), "outcome")
    passed = outcomes.count("passed")
    valid = sum(outcome not in NOT_VALID for outcome in outcomes)
    return SuccessRates(wilson(passed, len(outcomes)), wilson(passed, valid))


def round_rates(cell: Cell) -> list[RoundRates]:
    """Return the rates of each round of a cell, in order; they are reckoned once.

    The sample is the whole sequence: with n sequences begun, the headline of round k is
    passes at k over n. A sequence that an error of ours ended at or before k is not valid at k.
    """
    kept: list[RoundRates] | None = cell.reckoned.get(round_rates)
    if kept is not None:
        return kept
    places = cell.by_trial("growth")
    until = [_valid_until(*trial) for trial in zip(_ends(cell), places, strict=True) if trial[0]]
    rates = []
    for round_id, growth in cell.rounds():
        reached = begun(cell.at(round_id))
        passed = field(reached, "outcome").count("passed")
        valid = sum(growth < end for end in until)
        rates.append(
            RoundRates(
                round=round_id,
                growth=growth,
                headline=SuccessRates(wilson(passed, len(until)), wilson(passed, valid)),
                reached=success_rates(reached),
                first_try=_first_try(reached),
            )
        )
    cell.reckoned[round_rates] = rates
    return rates


def sequence_rates(cell: Cell) -> SuccessRates:
    """Return the success of whole sequences, reckoned once: every round of the trial passed."""
    kept: SuccessRates | None = cell.reckoned.get(sequence_rates)
    if kept is not None:
        return kept
    ends = [set(outcomes) for outcomes in _ends(cell) if outcomes]
    valid = sum(not end & NOT_VALID for end in ends)
    passed = ends.count({"passed"})
    rates = SuccessRates(wilson(passed, len(ends)), wilson(passed, valid))
    cell.reckoned[sequence_rates] = rates
    return rates


def _ends(cell: Cell) -> list[list[str]]:
    """Return each trial's outcomes; none for a trial of which no round began."""
    marks = cell.parted(marks_of_begun(cell.rows()))
    trials = zip(marks, cell.by_trial("outcome"), strict=True)
    return [outcomes if any(began) else [] for began, outcomes in trials]


def _valid_until(outcomes: Sequence[str], places: Sequence[float]) -> float:
    """Return the growth value from which on a sequence is not valid; infinity if it all is."""
    if NOT_VALID.isdisjoint(outcomes):
        return inf
    marks = zip(outcomes, places, strict=True)
    return min(growth for outcome, growth in marks if outcome in NOT_VALID)


def _first_try(reached: Sequence[AnyRow]) -> Rate:
    tries = field(reached, "first_try")
    if None in tries:
        reasons = [row.unknown["first_try"] for row in reached if row.first_try is None]
        return Rate(0, len(reached), None, None, why_unknown(reasons, len(reached)))
    return wilson(tries.count(True), len(reached))


def why_unknown(reasons: list[str], n: int) -> str:
    """Return one line that says how many of n rows are unknown and why."""
    if n == 0:
        return "no attempted row"
    told = "; ".join(reason for reason, _ in sorted(Counter(reasons).items(), key=_by_count))
    return f"unknown in {len(reasons)} of {n} rows: {told}"


def _by_count(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def pass_hat_k(passed: int, n: int, k: int) -> float | None:
    """Return pass^k: the chance that k repetitions all pass, estimated without bias.

    C(c, k) / C(n, k) for c passes in n repetitions (Yao et al. 2024, τ-bench, section 3).

    Args:
        passed: c, passes.
        n: repetitions.
        k: repetitions that must all pass, at least 1.

    Returns:
        The estimate, or None where k > n: no estimate without bias exists.

    Raises:
        ValueError: k < 1, or passes are negative or more than n.
    """
    if k < 1 or not 0 <= passed <= n:
        raise ValueError(f"pass^{k} of {passed} in {n}")
    if k > n:
        return None
    return comb(passed, k) / comb(n, k)


def clustered_rate(counts: Iterable[tuple[int, int]]) -> Rate:
    """Return the rate across cases with an interval that knows that repetitions share a case.

    The Wilson interval at the effective sample size n / deff (Korn and Graubard 1998; Franco
    et al. 2019), deff from the linearised variance of the ratio Σ passes / Σ n between cases.
    Where all or none passed the variance says nothing, and each case counts as one sample.

    Args:
        counts: (passes, samples) of each case.
    """
    known = [(passed, n) for passed, n in counts if n > 0]
    passed, n, cases = sum(c for c, _ in known), sum(m for _, m in known), len(known)
    if cases < CASES_FOR_CLUSTERING:
        why = f"{cases} cases with samples; an interval across cases needs {CASES_FOR_CLUSTERING}"
        return Rate(passed, n, None, None, why)
    share = passed / n
    spread = sum((c - share * m) ** 2 for c, m in known)
    variance = cases / (cases - 1) * spread / n**2
    independent = share * (1 - share)
    # Never more samples than there are: a lucky small variance must not narrow the interval.
    size = min(float(n), independent / variance) if variance > 0 and independent else float(cases)
    centre = (share + Z**2 / (2 * size)) / (1 + Z**2 / size)
    half = Z / (1 + Z**2 / size) * sqrt(independent / size + Z**2 / (4 * size**2))
    return Rate(passed, n, max(0.0, centre - half), min(1.0, centre + half))
