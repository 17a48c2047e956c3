"""Slopes along an axis, and what is said of them."""

import random
from math import ceil, floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_rows import MODEL, Figures, MadeRun, depth_case, make_plan
from made_runs import scale_run, sequences
from scipy.stats import theilslopes

from gaugeblock.analysis import growth_tables, render_growth_table
from gaugeblock.analysis.slopes import slope_of
from gaugeblock.analysis.theil_sen import theil_sen


def test_exact_line():
    run = scale_run({n: [f"{0.01 + 0.001 * n:.6f}"] * 2 for n in (12, 48, 105)})
    slope = slope_of("cost_usd", run.rows)
    assert slope.value == pytest.approx(0.001)
    assert (slope.low, slope.high) == (pytest.approx(0.001), pytest.approx(0.001))
    assert "it grew between N=12 and N=105" in slope.conclusion


def test_constant_figures_show_no_growth():
    run = scale_run({n: ["0.02"] * 5 for n in (12, 48, 768)})
    slope = slope_of("cost_usd", run.rows)
    assert (slope.value, slope.low, slope.high) == (0, 0, 0)
    assert "includes 0: no growth was seen between N=12 and N=768" in slope.conclusion


def test_falling_line_is_said_to_fall():
    run = scale_run({n: [f"{0.9 - n / 1000:.3f}"] * 3 for n in (12, 48, 105)})
    assert "it fell between" in slope_of("cost_usd", run.rows).conclusion


def test_two_growth_values_have_no_slope():
    slope = slope_of("cost_usd", scale_run({12: ["0.1"] * 5, 48: ["0.2"] * 5}).rows)
    assert slope.value is None
    assert "2 distinct growth values" in slope.reason


def test_too_few_rows_have_a_slope_and_no_interval():
    slope = slope_of("cost_usd", scale_run({12: ["0.1"], 48: ["0.2"], 105: ["0.3"]}).rows)
    assert slope.value is not None
    assert (slope.low, slope.high) == (None, None)
    assert "too few rows to say whether it grew" in slope.conclusion


def test_one_unknown_ends_the_slope():
    run = scale_run({n: ["0.1"] * 3 for n in (12, 48, 105)})
    row = run.rows[4].model_copy(update={"unsettled_calls": 1})
    slope = slope_of("cost_usd", [*run.rows[:4], row, *run.rows[5:]])
    assert slope.value is None
    assert "unknown in 1 of 9 rows" in slope.reason


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=15, max_size=15, unique=True))
def test_agrees_with_scipy_where_figures_do_not_tie(figures):
    places = [12, 48, 105] * 5
    ours = theil_sen({tuple(places): np.array([figures], dtype=float)})
    theirs = theilslopes(figures, places, 0.95)
    assert ours.slope == pytest.approx(theirs.slope)
    # Ours rounds the ranks outwards, so it is the same interval or one rank wider.
    assert ours.low <= theirs.low_slope + 1e-12
    assert ours.high >= theirs.high_slope - 1e-12


def test_interval_covers_no_growth_as_often_as_it_says():
    chance = random.Random(11)
    places = [12, 48, 105, 768] * 5
    covered = 0
    for _ in range(400):
        line = theil_sen({tuple(places): np.array([[chance.lognormvariate(0, 1) for _ in places]])})
        covered += line.low <= 0 <= line.high
    assert covered / 400 >= 0.93


def test_ties_on_both_sides_keep_the_interval_wide():
    # 10 of 15 figures tie; scipy's variance is too small here.
    places = [1, 2, 3] * 5
    figures = [5.0] * 10 + [1.0, 9.0, 2.0, 8.0, 3.0]
    line = theil_sen({tuple(places): np.array([figures], dtype=float)})
    assert line.low <= 0 <= line.high


def test_sequences_of_several_lengths_are_reckoned_by_themselves():
    # Slopes of the rising block: 1, 1, 1; of the other of three: −2, 1, 4; of the tied two: 0.
    blocks = {
        (1.0, 2.0, 3.0): np.array([[1.0, 2.0, 3.0], [5.0, 3.0, 7.0]] * 4),
        (1.0, 2.0): np.array([[4.0, 4.0]] * 4),
    }
    line = theil_sen(blocks)
    slopes = sorted([1, 1, 1, -2, 1, 4, 0] * 4)
    # Kendall's variance: 3·2·11/18 for three figures, (2·1·9 − 2·1·9)/18 = 0 for the tied two.
    reach = 1.959963984540054 * (8 * 66 / 18) ** 0.5
    first, last = floor((28 - reach) / 2) - 1, ceil((28 + reach) / 2)
    assert (line.slope, line.low, line.high) == (1, slopes[first], slopes[last])
    assert theil_sen(dict(reversed(blocks.items()))) == line


def test_a_dear_sequence_does_not_look_like_growth():
    # Each sequence is flat; the dear one alone reaches the later rounds.
    plan = make_plan((MODEL,), (depth_case(),), 2)
    run = MadeRun(plan)
    cheap, dear = plan.trials
    run.add(cheap, ["passed"] * 3 + ["failed"], Figures(cost_usd="0.01"))
    run.add(dear, ["passed"] * 6, Figures(cost_usd="0.50"))
    slope = slope_of("cost_usd", run.rows, "k", "round")
    assert (slope.value, slope.low, slope.high) == (0, 0, 0)


def test_tables_have_a_line_a_step_in_order():
    run = scale_run({768: ["0.1"] * 3, 12: ["0.1"] * 3, 105: ["0.1"] * 3})
    (item,) = growth_tables(run.rows)
    assert [line.growth for line in item.lines] == [12, 105, 768]
    text = render_growth_table(item)
    assert "no growth was seen" in text
    assert "N = 12 and 768" in text


def test_depth_table_shows_headline_and_reached():
    run = sequences([["passed"] * 6, ["passed"] * 3 + ["failed"], ["passed"] * 6])
    (item,) = growth_tables(run.rows)
    (line,) = [line for line in item.lines if line.round == "k5"]
    assert line.rates.headline.attempted.n == 3
    row = next(row for row in render_growth_table(item).splitlines() if row.startswith("| 5 |"))
    assert "2/3 (" in row and "2/2 (" in row


def test_one_growth_value_is_no_axis():
    assert growth_tables(scale_run({12: ["0.1"] * 5}).rows) == []


def test_both_rates_stand_together_in_the_table():
    run = sequences([["passed"] * 6, ["passed", "error:host"], ["passed"] * 6])
    (item,) = growth_tables(run.rows)
    row = next(row for row in render_growth_table(item).splitlines() if row.startswith("| 2 |"))
    assert row.count("2/3 (") == 2 and row.count("2/2 (") == 2


def test_the_scale_hypothesis_states_what_was_measured():
    (item,) = growth_tables(scale_run({n: ["0.02"] * 5 for n in (12, 48, 768)}).rows)
    (one,) = item.hypotheses
    assert "speaks against it for input tokens, output tokens, cost and total time" in one.answer
    assert "no proof" in one.answer
    grown = scale_run({n: [f"{n / 100:.2f}"] * 5 for n in (12, 48, 768)})
    (item,) = growth_tables(grown.rows)
    assert "cost grew with N: it does not hold there" in item.hypotheses[0].answer
    assert "hole by hole" in render_growth_table(item)


def test_a_hypothesis_without_a_slope_is_not_tested():
    (item,) = growth_tables(scale_run({12: ["0.1"] * 3, 48: ["0.1"] * 3}).rows)
    assert item.hypotheses[0].answer.startswith("not tested for input tokens")


def with_documents(sizes, costs):
    """Five equal sequences of six rounds with these document sizes and costs."""
    plan = make_plan((MODEL,), (depth_case(),), 5)
    run = MadeRun(plan)
    for trial in plan.trials:
        run.add(trial, ["passed"] * 6, [Figures(cost_usd=usd) for usd in costs])
    places = {f"k{k}": size for k, size in enumerate(sizes, 1)}
    run.rows = [row.model_copy(update={"document_bytes": places[row.round]}) for row in run.rows]
    return growth_tables(run.rows)[0].hypotheses[0]


def test_length_and_history_that_rise_together_are_not_told_apart():
    one = with_documents([100, 200, 300, 400, 500, 600], ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6"])
    assert "cannot be told apart" in one.answer
    assert "+0.001 USD per byte" in one.measured[0]


def test_cost_that_follows_the_length_and_not_the_round():
    sizes, costs = [100, 300, 200, 200, 300, 100], ["0.1", "0.3", "0.2", "0.2", "0.3", "0.1"]
    one = with_documents(sizes, costs)
    assert "no growth of cost with the round was seen, which is no proof" in one.answer
    assert one.answer.endswith("it does grow")


def test_an_unknown_length_is_not_tested():
    one = with_documents([100, None, 200, 200, 300, 100], ["0.1"] * 6)
    assert one.answer.startswith("not tested")
    assert "document_bytes is not known" in one.measured[0]


def test_other_suites_suppose_nothing():
    rows = scale_run({n: ["0.02"] * 5 for n in (12, 48, 768)}).rows
    (item,) = growth_tables([row.model_copy(update={"suite": "other"}) for row in rows])
    assert item.hypotheses == ()
