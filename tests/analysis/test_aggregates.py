"""Medians, maxima, intervals; unknowns; money."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_rows import Figures
from made_runs import one_cell
from scipy.stats import binom, bootstrap

from gaugeblock.analysis.cells import cells
from gaugeblock.analysis.summaries import (
    METRIC,
    METRICS,
    aggregate,
    bootstrap_rank,
    cells_cost_per_solved,
    cost_per_solved,
)


def cell_of(*figures, ends=None):
    return one_cell(ends or ["passed"] * len(figures), list(figures)).rows


def test_failures_count_in_the_median():
    rows = cell_of(
        Figures(total_s=10),
        Figures(total_s=20),
        Figures(total_s=600),
        ends=["passed"] * 2 + ["failed"],
    )
    figure = aggregate(METRIC["total_s"], rows)
    assert (figure.median, figure.maximum, figure.n) == (20, 600, 3)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_any_unknown_makes_the_aggregate_unavailable(metric):
    rows = one_cell(["passed", "interrupted", "passed"]).rows
    figure = aggregate(metric, rows)
    assert (figure.median, figure.maximum, figure.low, figure.high) == (None,) * 4
    assert (figure.n, figure.unknown) == (3, 1)
    assert "unknown in 1 of 3 rows" in figure.reason
    assert "killed" in figure.reason


def test_an_unsettled_request_makes_money_and_tokens_unknown():
    rows = cell_of(Figures(), Figures(unsettled=1), Figures())
    for name in ("cost_usd", "input_tokens", "output_tokens"):
        assert aggregate(METRIC[name], rows).unknown == 1
    assert aggregate(METRIC["total_s"], rows).median == 40


def test_no_account_is_unknown_cad_time():
    rows = cell_of(Figures(), Figures(cad_s=None), ends=["passed", "error:host"])
    figure = aggregate(METRIC["cad_s"], rows)
    assert figure.median is None
    assert "not told" in figure.reason


def test_not_run_rows_do_not_count():
    rows = one_cell(["passed", "not-run", "passed", "passed"]).rows
    assert aggregate(METRIC["total_s"], rows).n == 3
    nothing = aggregate(METRIC["total_s"], one_cell(["not-run"]).rows)
    assert (nothing.median, nothing.reason) == (None, "no attempted row")


def test_two_values_have_a_median_and_no_interval():
    figure = aggregate(
        METRIC["cost_usd"], cell_of(Figures(cost_usd="0.1"), Figures(cost_usd="0.2"))
    )
    assert figure.median == Decimal("0.15")
    assert figure.low is None
    assert "needs 3" in figure.reason


def test_money_stays_decimal():
    rows = cell_of(*(Figures(cost_usd=usd) for usd in ("0.1", "0.2", "0.30000000000000000001")))
    figure = aggregate(METRIC["cost_usd"], rows)
    assert (figure.median, figure.maximum) == (Decimal("0.2"), Decimal("0.30000000000000000001"))
    assert isinstance(figure.low, Decimal) and figure.low <= figure.median <= figure.high


def test_equal_values_have_an_interval_of_no_width():
    figure = aggregate(METRIC["total_s"], cell_of(*[Figures(total_s=7)] * 3))
    assert (figure.low, figure.median, figure.high) == (7, 7, 7)


def test_input_is_the_sum_of_the_disjoint_buckets():
    figure = aggregate(METRIC["input_tokens"], cell_of(Figures(input_uncached=100)))
    assert figure.median == 100 + 8_000
    assert aggregate(METRIC["input_tokens"], cell_of(Figures(input_uncached=None))).unknown == 1


def test_times_of_two_machines_are_not_pooled_but_money_is():
    rows = cell_of(Figures(), Figures(), Figures())
    rows[1] = rows[1].model_copy(update={"machine": "another"})
    assert "2 machines" in aggregate(METRIC["total_s"], rows).reason
    assert aggregate(METRIC["cost_usd"], rows).median == Decimal("0.0312")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(0.1, 1e4), min_size=3, max_size=12), st.randoms())
def test_interval_holds_the_median_and_knows_no_order(values, chance):
    rows = cell_of(*(Figures(total_s=value) for value in values))
    figure = aggregate(METRIC["total_s"], rows)
    assert min(values) <= figure.low <= figure.median <= figure.high <= max(values)
    chance.shuffle(rows)
    assert aggregate(METRIC["total_s"], rows) == figure


def test_cost_per_solved_pays_for_failures():
    rows = cell_of(*[Figures(cost_usd="0.3")] * 3, ends=["passed", "failed", "stopped:budget"])
    assert cost_per_solved(rows, 1).usd == Decimal("0.9")
    none = cost_per_solved(rows, 0)
    assert (none.usd, none.total_usd, none.reason) == (None, Decimal("0.9"), "nothing was solved")
    unknown = cost_per_solved(cell_of(Figures(), Figures(cost_usd=None)), 2)
    assert (unknown.usd, unknown.total_usd) == (None, None)
    assert "1 of 2" in unknown.reason


def test_bootstrap_rank_by_hand():
    # n = 5, k = 1: at least 3 of 5 draws hit one of five values: 181/3125 = 0.0579 ≥ 0.025.
    # n = 7, k = 1: at least 4 of 7 hit one of seven: 0.0098; k = 2: 0.098.
    assert [bootstrap_rank(n) for n in (3, 5, 6, 7)] == [1, 1, 1, 2]


@pytest.mark.parametrize("n", [5, 9, 15, 31, 101])
def test_the_interval_is_what_drawing_leads_to(n):
    values = np.arange(1.0, n + 1)
    drawn = bootstrap(
        (values,), np.median, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    rank = bootstrap_rank(n)
    assert abs(drawn.low - rank) <= 1 and abs(drawn.high - (n + 1 - rank)) <= 1


@pytest.mark.parametrize("n", [4, 8, 12, 100])
def test_of_an_even_number_it_is_never_narrower(n):
    values = np.arange(1.0, n + 1)
    drawn = bootstrap(
        (values,), np.median, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    rank = bootstrap_rank(n)
    assert rank <= drawn.low + 0.5 and drawn.high - 0.5 <= n + 1 - rank


def test_ranks_hold_the_true_median_about_as_often_as_they_say():
    # The k-th to the k-th from the top of n hold it with 1 − 2·P(B < k), B binomial with ½.
    for n in range(15, 200, 7):
        assert 0.93 <= 1 - 2 * binom.cdf(bootstrap_rank(n) - 1, n, 0.5) <= 0.985


def test_cost_per_solved_of_cells_is_that_of_their_rows():
    run = one_cell(["passed", "failed", "passed"], [Figures(cost_usd=c) for c in ("1", "2", "4")])
    assert cells_cost_per_solved(cells(run.rows), 2) == cost_per_solved(run.rows, 2)
    assert cells_cost_per_solved(cells(run.rows), 2).usd == Decimal("3.5")
    unknown = one_cell(["passed", "passed"], [Figures(), Figures(cost_usd=None)])
    assert cells_cost_per_solved(cells(unknown.rows), 2) == cost_per_solved(unknown.rows, 2)


def test_money_of_rows_that_do_not_know_what_is_unsettled_is_unknown():
    rows = [
        row.model_copy(update={"unsettled_calls": None, "unknown": {"unsettled_calls": "lost"}})
        for row in cell_of(*[Figures(cost_usd="0.3")] * 3)
    ]
    figure = aggregate(METRIC["cost_usd"], rows)
    assert (figure.median, figure.unknown) == (None, 3)
    assert "lost" in figure.reason
    assert cost_per_solved(rows, 3).usd is None
