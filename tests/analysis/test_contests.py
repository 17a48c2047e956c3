"""Models against each other: what is paired, what stays apart, what is refused."""

from dataclasses import replace

import pytest
from made_comparisons import contest_run, fingerprints, measured
from made_rows import Figures
from made_runs import full_run, wiring_run

from gaugeblock.analysis.comparison_text import render_profiles
from gaugeblock.analysis.contests import compare_profiles
from gaugeblock.analysis.permutation import paired_test


def only(answer, measure="passed / attempted"):
    (ground,) = answer.grounds
    (pair,) = [one for one in ground.contests if one.measure == measure]
    return pair


def test_a_clear_difference_over_cases():
    answer = compare_profiles([measured(contest_run({"model-a": [5] * 8, "model-b": [1] * 8}))])
    pair = only(answer)
    assert (pair.first, pair.second, pair.cases) == ("model-a", "model-b", 8)
    assert (pair.first_mean, pair.second_mean) == (1.0, pytest.approx(0.2))
    assert pair.p == pair.p_holm == pytest.approx(2 / 2**8)
    assert pair.verdict == "model-a is higher"
    assert (pair.low, pair.high) == (pytest.approx(0.8), pytest.approx(0.8))
    assert "model-a is higher" in render_profiles(answer)


def test_like_models_are_not_distinguishable():
    passes = {"model-a": [5, 4, 3, 5, 2, 4], "model-b": [4, 5, 3, 4, 3, 4]}
    pair = only(compare_profiles([measured(contest_run(passes))]))
    assert pair.verdict == "not distinguishable"
    assert pair.low < 0 < pair.high


def test_figures_are_those_of_the_paired_test():
    passes = {"model-a": [5, 4, 3, 5, 2, 4, 1], "model-b": [1, 2, 3, 4, 0, 4, 1]}
    pair = only(compare_profiles([measured(contest_run(passes))]))
    test = paired_test(*[[n / 5 for n in wins] for wins in passes.values()])
    assert (pair.difference, pair.p, pair.low, pair.high) == (
        test.difference,
        test.p,
        test.low,
        test.high,
    )


def test_five_cases_cannot_stand_out_and_say_so():
    answer = compare_profiles([measured(contest_run({"model-a": [5] * 5, "model-b": [0] * 5}))])
    pair = only(answer)
    assert pair.verdict == "not distinguishable"
    assert "the least p there is is 0.0625" in pair.reason
    assert pair.low is None


def test_three_models_are_corrected_together():
    passes = {"model-a": [5] * 7, "model-b": [1] * 7, "model-c": [4, 5, 5, 5, 5, 5, 5]}
    (ground,) = compare_profiles([measured(contest_run(passes))]).grounds
    pairs = {(o.first, o.second): o for o in ground.contests if o.measure == "passed / valid"}
    least = 2 / 2**7
    assert pairs["model-a", "model-b"].p_holm == pytest.approx(3 * least)
    assert pairs["model-b", "model-c"].p_holm == pytest.approx(3 * least)
    assert pairs["model-a", "model-c"].verdict == "not distinguishable"
    assert pairs["model-b", "model-c"].verdict == "model-c is higher"


def test_both_rates_are_always_there():
    (ground,) = compare_profiles(
        [measured(contest_run({"model-a": [3] * 6, "model-b": [2] * 6}))]
    ).grounds
    assert {"passed / attempted", "passed / valid"} <= {one.measure for one in ground.contests}


def test_scripted_profiles_are_left_out_and_named():
    answer = compare_profiles([measured(full_run())])
    assert answer.left_out == ("mutant:no-holes", "null", "reference")
    (ground,) = answer.grounds
    assert [one.profile for one in ground.contestants] == ["model-a", "model-b"]
    assert "Left out: scripted" in render_profiles(answer)


def test_a_run_of_scripts_alone_is_refused():
    answer = compare_profiles([measured(wiring_run())])
    assert "scripted agents are never compared" in answer.refused[0]
    assert answer.grounds == ()


def test_one_model_is_refused():
    answer = compare_profiles([measured(contest_run({"model-a": [5] * 6}))])
    assert "it takes two" in answer.refused[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"fingerprints": fingerprints(host="host 2")},
        {"fingerprints": fingerprints(ruler="ruler 2")},
        {"unsafe": True},
        {"run_type": "formal"},
        {"language": "zh"},
    ],
    ids=["host", "ruler", "unsealed", "run type", "language"],
)
def test_what_differs_in_its_controls_stands_apart(changes):
    passes = {"model-a": [5] * 6, "model-b": [1] * 6}
    runs = [measured(contest_run(passes)), measured(contest_run(passes, **changes), "b")]
    answer = compare_profiles(runs)
    assert [ground.runs for ground in answer.grounds] in ([("a",), ("b",)], [("b",), ("a",)])
    assert all(one.trials == 30 for ground in answer.grounds for one in ground.contestants)
    assert "2 sets that must not be pooled" in render_profiles(answer)


def test_open_and_sealed_cases_stand_apart():
    made = contest_run({"model-a": [5] * 6, "model-b": [1] * 6})
    made.rows = [
        row.model_copy(update={"visibility": "sealed"}) if row.case < "C03" else row
        for row in made.rows
    ]
    answer = compare_profiles([measured(made)])
    assert {(g.visibility, g.contestants[0].cases) for g in answer.grounds} == {
        ("open", 3),
        ("sealed", 3),
    }


def test_equal_controls_are_pooled_over_runs():
    first = contest_run({"model-a": [5] * 6})
    second = contest_run({"model-b": [1] * 6}, created_at="2026-10-02T09:00:00.000Z")
    answer = compare_profiles([measured(first), measured(second, "b")])
    assert only(answer).verdict == "model-a is higher"


def test_a_model_that_changed_within_a_cell_is_refused():
    made = contest_run({"model-a": [5] * 6, "model-b": [1] * 6})
    run = measured(made)
    trial = made.plan.trials[0].id
    switched = measured(made, reported={**run.reported, trial: frozenset({"a-1-1002"})})
    (why,) = compare_profiles([switched]).refused
    assert "model-a was answered by several models: a-1-0901, a-1-1002" in why
    asked = made.rows[0].model_copy(update={"model": "a-2"})
    made.rows[0] = asked
    assert any("is several models" in why for why in compare_profiles([measured(made)]).refused)


def test_withdrawn_open_and_doubled_runs_are_refused_with_every_reason():
    made = contest_run({"model-a": [5] * 6, "model-b": [1] * 6})
    made.rows = [row.model_copy(update={"invalidated": True}) for row in made.rows]
    answer = compare_profiles([measured(made, closed=False), measured(made, "b")])
    told = "\n".join(answer.refused)
    for word in ("a: not closed", "a: invalidated", "b: invalidated", "stands twice: a, b"):
        assert word in told


def test_cases_of_one_alone_are_left_out():
    made = contest_run({"model-a": [5] * 7, "model-b": [1] * 7})
    made.rows = [r for r in made.rows if not (r.profile == "model-b" and r.case == "C00")]
    pair = only(compare_profiles([measured(made)]))
    assert pair.cases == 6
    assert "1 cases of only one of the two are left out" in pair.reason


def test_a_case_of_another_digest_is_another_case():
    made = contest_run({"model-a": [5] * 6, "model-b": [1] * 6})
    made.rows = [
        row.model_copy(update={"case_digest": "other"}) if row.profile == "model-b" else row
        for row in made.rows
    ]
    pair = only(compare_profiles([measured(made)]))
    assert (pair.cases, pair.verdict) == (0, "unavailable")


def test_one_unknown_cost_makes_the_comparison_of_cost_unavailable():
    def figures(name, number):
        return Figures(cost_usd=None if (name, number) == ("model-b", 2) else "0.02")

    made = contest_run({"model-a": [5] * 6, "model-b": [1] * 6}, figures=figures)
    answer = compare_profiles([measured(made)])
    assert only(answer, "cost_usd").verdict == "unavailable"
    assert "unknown in 6 of 6 cases" in only(answer, "cost_usd").reason
    assert only(answer, "total_s").p is not None


def test_times_of_two_machines_and_of_two_kinds_of_agent_are_not_compared():
    made = contest_run({"model-a": [5] * 6, "model-b": [1] * 6})
    moved = [
        row.model_copy(update={"machine": "other"}) if row.profile == "model-b" else row
        for row in made.rows
    ]
    answer = compare_profiles([replace(measured(made), rows=tuple(moved))])
    assert "2 machines" in only(answer, "total_s").reason
    assert only(answer, "cost_usd").p is not None
    program = [
        row.model_copy(update={"agent": "codex"}) if row.profile == "model-b" else row
        for row in made.rows
    ]
    answer = compare_profiles([replace(measured(made), rows=tuple(program))])
    assert "holds its own start" in only(answer, "total_s").reason


def test_the_order_of_runs_and_rows_does_not_matter():
    first = contest_run({"model-a": [5, 3, 4, 2, 5, 1]})
    second = contest_run({"model-b": [1, 3, 4, 4, 2, 2]}, created_at="2026-10-02T09:00:00.000Z")
    runs = [measured(first), measured(second, "b")]
    answer = compare_profiles(runs)
    first.rows.reverse()
    assert compare_profiles([measured(second, "b"), measured(first)]) == answer
