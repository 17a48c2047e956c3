"""Two host releases: what is refused, and what the percentages are."""

from dataclasses import replace

import pytest
from made_comparisons import contest_run, fingerprints, measured, release_run
from made_rows import MODEL, Figures, MadeRun, make_plan, scale_case

from gaugeblock.analysis.comparison_text import percent, render_releases
from gaugeblock.analysis.release_conditions import REVIEWED_SUITES
from gaugeblock.analysis.releases import compare_releases
from gaugeblock.records.profile import scripted_profile


def before():
    return measured(release_run("host 1", 40.0))


def after(**changes):
    return measured(release_run("host 2", 30.0, **changes), "b")


def reasons(first, second):
    return "\n".join(compare_releases([first], [second]).refused)


def changed(run, **update):
    rows = tuple(row.model_copy(update=update) for row in run.rows)
    return replace(run, rows=rows)


def test_medians_and_their_percentages_by_hand():
    answer = compare_releases([before()], [after()])
    assert answer.refused == ()
    total = {c.case: c for c in answer.changes if c.metric == "total_s"}
    # Trials alternate between the cases: S1 has seconds + 0, 2, 1 and S2 + 1, 0, 2.
    assert (total["S1"].before.median, total["S1"].after.median) == (41.0, 31.0)
    assert total["S1"].percent == pytest.approx(100 * (31 / 41 - 1))
    overall = {item.metric: item for item in answer.overall}
    assert overall["total_s"].percent == pytest.approx(100 * (31 / 41 - 1))
    assert overall["cost_usd"].percent == 0
    # cad_s counts the read-back of 1.5 s besides: (3 + 1.5) / (4 + 1.5)
    assert overall["cad_s"].percent == pytest.approx(100 * (4.5 / 5.5 - 1))
    assert "no significance" in render_releases(answer)


def test_exchanging_the_sides_turns_the_ratio():
    there, back = compare_releases([before()], [after()]), compare_releases([after()], [before()])
    for one, other in zip(there.changes, back.changes, strict=True):
        if one.percent is not None:
            assert (1 + one.percent / 100) * (1 + other.percent / 100) == pytest.approx(1)


@pytest.mark.parametrize(
    ("update", "word"),
    [
        ({"fingerprint_protocol": "p2"}, "protocol: "),
        ({"fingerprint_ruler": "r2"}, "ruler: "),
        ({"fingerprint_harness": "h2"}, "harness: "),
        ({"case_version": 2}, "case_version: 1 before, 2 after"),
        ({"case_digest": "c2"}, "case_digest: "),
        ({"suite_digest": "s2"}, "suite_digest: "),
        ({"instruction_sha256": "i2"}, "instruction_sha256: "),
        ({"start_sha256": "t2"}, "start_sha256: "),
        ({"visibility": "sealed"}, "visibility: "),
        ({"language": "zh"}, "(zh) only after"),
        ({"model": "a-2"}, "profile model-a, model: a-1 before, a-2 after"),
        ({"settings": {"effort": "y"}}, "profile model-a, settings: "),
        ({"agent": "codex"}, "profile model-a, agent: "),
        ({"profile": "model-z"}, "profile model-z: only after"),
        ({"outcome": "failed"}, "not all of 3 passed (3 failed)"),
        ({"outcome": "could-not-grade"}, "not all of 3 passed (3 could-not-grade)"),
        ({"outcome": "error:provider"}, "not all of 3 passed (3 error:provider)"),
        ({"output": None}, "output tokens unknown in 6 rounds"),
        ({"unsettled_calls": 1}, "input tokens unknown in 6 rounds: requests of unknown billing"),
        ({"invalidated": True}, "b: invalidated"),
    ],
)
def test_each_broken_condition_is_named(update, word):
    assert word in reasons(before(), changed(after(), **update))


def test_the_same_host_is_refused():
    assert "host: the same fingerprint" in reasons(
        before(), measured(release_run("host 1", 30), "b")
    )


def test_a_side_of_two_hosts_is_refused():
    third = measured(release_run("host 3", 30.0), "c")
    answer = compare_releases([before()], [after(), third])
    assert any("host: 2 fingerprints after, not one" in why for why in answer.refused)
    answer = compare_releases([before(), third], [after()])
    assert any("host: 2 fingerprints before, not one" in why for why in answer.refused)


def test_two_repetitions_are_too_few():
    assert "after: model-a on growth/S1 create (en): n = 2" in reasons(before(), after(trials=2))


def test_another_reported_model_and_an_unnamed_one_are_refused():
    run = after()
    names = {trial: frozenset({"a-1-1002"}) for trial in run.reported}
    other = replace(run, reported=names)
    assert "reported model: a-1-0901 before, a-1-1002 after" in reasons(before(), other)
    silent = replace(run, reported={})
    assert "no answer after names the model" in reasons(before(), silent)


def test_what_only_one_side_has_is_refused():
    shorter = replace(after(), rows=tuple(row for row in after().rows if row.case == "S1"))
    assert "task: model-a on growth/S2 create (en) only before" in reasons(before(), shorter)
    assert "task: model-a on growth/S2 create (en) only after" in reasons(shorter, before())
    assert "profile model-z: only before" in reasons(changed(before(), profile="model-z"), after())


def test_an_unsealed_side_is_refused():
    assert "sandbox: sealed off before, unsealed after" in reasons(before(), after(unsafe=True))


def test_another_run_type_is_refused():
    run = after()
    formal = replace(run, plan=run.plan.model_copy(update={"run_type": "formal"}))
    assert "run type: qualification before, formal after" in reasons(before(), formal)


def test_sides_under_different_evaluator_revisions_are_refused():
    corrected = {"suite_digest": "s2", "fingerprint_ruler": "r2"}
    run = changed(after(), grade_revision=1, **corrected)
    told = reasons(before(), run)
    assert "growth: graded by different evaluators: " in told
    assert "(a, as run)" in told and "ruler r2 and suite s2 (b, graded again)" in told
    # Both under the corrected one, however often each was graded again: nothing against it.
    assert reasons(changed(before(), grade_revision=2, **corrected), run) == ""
    # Graded by others from the start: the fingerprints tell, nobody graded again.
    other = reasons(before(), changed(after(), **corrected))
    assert "ruler: " in other and "evaluators" not in other


def test_an_open_run_is_refused():
    run = after()
    assert "b: not closed" in reasons(before(), replace(run, closed=False))


def test_every_reason_is_named_at_once():
    run = changed(after(), fingerprint_ruler="r2", outcome="failed", model="a-2")
    told = reasons(before(), run)
    for word in ("ruler: ", "model: a-1 before", "not all of 3 passed"):
        assert word in told


def test_quality_that_fell_or_waits_is_refused():
    suite = REVIEWED_SUITES[0]
    sides = [changed(run, suite=suite) for run in (before(), after())]
    assert "quality not reviewed before and after" in reasons(*sides)

    def scored(run, quality):
        return replace(run, quality={("model-a", row.case): quality for row in run.rows})

    told = reasons(scored(sides[0], 8.0), scored(sides[1], 7.5))
    assert "reviewed quality fell from 8 to 7.5" in told
    assert reasons(scored(sides[0], 8.0), scored(sides[1], 8.0)) == ""
    one, *others = [cell for cell in scored(sides[0], 8.0).quality]
    fallen = replace(sides[1], quality={one: 7.0, **dict.fromkeys(others, 10.0)})
    assert f"{one[1]}: reviewed quality fell from 8 to 7" in reasons(scored(sides[0], 8.0), fallen)


def test_times_of_two_machines_have_no_percentage():
    answer = compare_releases([before()], [changed(after(), machine="other")])
    overall = {item.metric: item for item in answer.overall}
    assert overall["total_s"].percent is None
    assert "2 machines" in overall["total_s"].reason
    assert overall["cost_usd"].percent == 0


def test_nothing_before_has_no_percentage():
    def run(host, repairs):
        plan = make_plan((MODEL,), (scale_case("S1", 12),), 3, fingerprints=fingerprints(host=host))
        made = MadeRun(plan)
        for trial in plan.trials:
            made.add(trial, ["passed"], Figures(repairs=repairs))
        return measured(made, host)

    def repairs(first, second):
        answer = compare_releases([run("1", first)], [run("2", second)])
        return next(c for c in answer.changes if c.metric == "repairs")

    assert (repairs(0, 2).percent, "0 before" in repairs(0, 2).reason) == (None, True)
    assert repairs(0, 0).percent == 0


def test_the_scripted_reference_is_labelled_and_null_left_out():
    def run(host):
        profiles = (scripted_profile("reference"), scripted_profile("null"))
        plan = make_plan(profiles, (scale_case("S1", 12),), 3, fingerprints=fingerprints(host=host))
        made = MadeRun(plan)
        for trial in plan.trials:
            made.add(trial, ["passed" if trial.profile_id == "reference" else "no-delivery"])
        return measured(made, host)

    answer = compare_releases([run("1")], [run("2")])
    assert answer.left_out == ("null",)
    overall = {item.metric: item for item in answer.overall}
    assert overall["cad_s"].scripted and overall["cad_s"].percent == 0
    assert overall["cost_usd"].percent is None
    text = render_releases(answer)
    assert "no result of any model" in text and "Left out: scripted null" in text


def test_nothing_to_compare_is_refused():
    empty = measured(contest_run({"model-a": [1]}))
    nothing = replace(empty, rows=())
    assert "after: no round of a model" in reasons(before(), nothing)
    assert "before: no round of a model" in reasons(nothing, before())


def test_percentages_for_people():
    assert percent(12.34) == "+12.3\u00a0%"
    assert percent(-5.0) == "−5.0\u00a0%"
    assert percent(-0.01) == "0.0\u00a0%"
    assert percent(None) == "—"
