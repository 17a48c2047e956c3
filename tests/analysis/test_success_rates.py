"""Rates, their intervals and their denominators."""

import random
from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_rows import MODEL, MadeRun, depth_case, make_plan
from made_runs import full_run, one_cell, sequences

from gaugeblock.analysis.cells import cells
from gaugeblock.analysis.rates import (
    clustered_rate,
    pass_hat_k,
    round_rates,
    sequence_rates,
    success_rates,
    wilson,
)
from gaugeblock.analysis.run_summary import summary

COUNTS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    # by hand from (p + z²/2n ± z·sqrt(p(1−p)/n + z²/4n²)) / (1 + z²/n), z = 1.959964
    [(5, 5, 0.5655, 1.0), (0, 5, 0.0, 0.4345), (3, 5, 0.2307, 0.8824), (1, 1, 0.2065, 1.0)],
)
def test_wilson_by_hand(passed, n, low, high):
    rate = wilson(passed, n)
    assert (rate.passed, rate.n) == (passed, n)
    assert rate.low == pytest.approx(low, abs=5e-5)
    assert rate.high == pytest.approx(high, abs=5e-5)


@given(COUNTS)
def test_wilson_is_the_closed_formula_and_holds_the_share(count):
    passed, n = count
    rate = wilson(passed, n)
    z, p = 1.959963984540054, passed / n
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    assert rate.low == pytest.approx(max(0, centre - half), abs=1e-9)
    assert rate.high == pytest.approx(min(1, centre + half), abs=1e-9)
    assert 0 <= rate.low <= p + 1e-12 and p - 1e-12 <= rate.high <= 1


@given(COUNTS)
def test_wilson_rises_with_the_passes(count):
    passed, n = count
    if passed < n:
        less, more = wilson(passed, n), wilson(passed + 1, n)
        assert less.low < more.low and less.high < more.high


def test_no_sample_has_no_interval_and_a_reason():
    rate = wilson(0, 0)
    assert (rate.low, rate.high) == (None, None)
    assert rate.reason
    with pytest.raises(ValueError, match="6 passes of 5"):
        wilson(6, 5)


def test_errors_count_as_attempted_and_not_as_valid():
    ends = ["passed", "failed", "error:provider", "could-not-grade", "stopped:turns", "interrupted"]
    rates = success_rates(one_cell([*ends, "not-run"]).rows)
    assert (rates.attempted.passed, rates.attempted.n) == (1, 6)
    assert (rates.valid.passed, rates.valid.n) == (1, 3)


def test_isolation_error_stays_in_the_valid_rate_as_the_protocol_lists():
    rates = success_rates(one_cell(["error:isolation"]).rows)
    assert (rates.attempted.n, rates.valid.n) == (1, 1)


def test_depth_headline_counts_what_ended_earlier():
    ends = [["passed"] * 6, ["passed"] * 3 + ["failed"], ["passed"] * 6]
    (cell,) = cells(sequences(ends).rows)
    rates = {item.round: item for item in round_rates(cell)}
    counts = {
        name: (
            item.headline.attempted.passed,
            item.headline.attempted.n,
            item.reached.attempted.passed,
            item.reached.attempted.n,
        )
        for name, item in rates.items()
    }
    assert counts["k3"] == (3, 3, 3, 3)
    assert counts["k4"] == (2, 3, 2, 3)
    assert counts["k5"] == counts["k6"] == (2, 3, 2, 2)
    assert (sequence_rates(cell).attempted.passed, sequence_rates(cell).attempted.n) == (2, 3)


def test_depth_error_leaves_the_valid_headline_from_its_round_on():
    (cell,) = cells(sequences([["passed"] * 6, ["passed", "error:host"]]).rows)
    rates = {item.round: item.headline for item in round_rates(cell)}
    assert (rates["k1"].valid.passed, rates["k1"].valid.n) == (2, 2)
    assert (rates["k2"].valid.passed, rates["k2"].valid.n) == (1, 1)
    assert (rates["k6"].attempted.n, rates["k6"].valid.n) == (2, 1)


def test_a_sequence_that_never_began_is_in_no_rate():
    (cell,) = cells(sequences([["passed"] * 6, []]).rows)
    assert {item.headline.attempted.n for item in round_rates(cell)} == {1}


def test_unknown_first_try_makes_that_rate_unavailable():
    (cell,) = cells(one_cell(["passed", "interrupted"]).rows)
    (rates,) = round_rates(cell)
    assert rates.first_try.low is None
    assert "1 of 2" in rates.first_try.reason


def test_pass_hat_k_by_hand():
    assert pass_hat_k(4, 5, 1) == pytest.approx(4 / 5)
    assert pass_hat_k(4, 5, 3) == pytest.approx(4 / 10)  # C(4,3) / C(5,3)
    assert pass_hat_k(2, 5, 3) == 0
    assert pass_hat_k(5, 5, 5) == 1
    assert pass_hat_k(5, 5, 6) is None
    with pytest.raises(ValueError, match="pass"):
        pass_hat_k(1, 5, 0)


@given(st.integers(1, 9), st.integers(1, 4), st.floats(0, 1))
def test_pass_hat_k_has_no_bias(n, k, p):
    if k <= n:
        chances = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
        mean = sum(w * (pass_hat_k(c, n, k) or 0.0) for c, w in enumerate(chances))
        assert mean == pytest.approx(p**k, abs=1e-9)


def test_rate_across_cases():
    assert clustered_rate([(3, 5)] * 9).low is None
    assert "needs 10" in clustered_rate([(3, 5)] * 9).reason
    together = clustered_rate([(5, 5)] * 5 + [(0, 5)] * 5)
    alone = wilson(25, 50)
    assert (together.passed, together.n) == (25, 50)
    assert together.high - together.low > 1.8 * (alone.high - alone.low)
    # All passed: each case counts as one sample, so it is Wilson's 10 of 10.
    assert clustered_rate([(5, 5)] * 10).low == pytest.approx(wilson(10, 10).low)
    # No spread between cases never makes it narrower than independent samples would be.
    even = clustered_rate([(3, 5)] * 9 + [(2, 5)])
    assert even.high - even.low >= wilson(29, 50).high - wilson(29, 50).low - 1e-9


def test_the_order_of_rows_does_not_matter():
    run = full_run()
    mixed = list(run.rows)
    random.Random(3).shuffle(mixed)
    assert summary(run.plan, mixed) == summary(run.plan, run.rows)


def test_a_row_that_stands_twice_is_refused():
    rows = one_cell(["passed"]).rows
    with pytest.raises(ValueError, match="twice"):
        cells(rows * 2)


def test_other_cohorts_and_open_and_sealed_are_not_pooled():
    rows = one_cell(["passed"] * 3).rows
    rows[1] = rows[1].model_copy(update={"fingerprint_host": "another"})
    rows[2] = rows[2].model_copy(update={"visibility": "sealed"})
    assert len(cells(rows)) == 3


def test_a_cell_with_a_missing_first_round_stays_one_cell():
    run = sequences([["passed"] * 6, ["passed"] * 6])
    (cell,) = cells(run.rows[1:])
    assert [name for name, _ in cell.rounds()] == ["k1", "k2", "k3", "k4", "k5", "k6"]


def test_rates_stay_apart_for_two_depth_cases():
    plan = make_plan((MODEL,), (depth_case("d1"), depth_case("d2")), 1)
    run = MadeRun(plan)
    run.add(plan.trials[0], ["passed"] * 6)
    run.add(plan.trials[1], ["failed"])
    assert [sequence_rates(cell).attempted.passed for cell in cells(run.rows)] == [1, 0]
