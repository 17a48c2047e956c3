"""Void cells leave every figure; the rates of what is left are reckoned here by hand."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_comparisons import contest_run, fingerprints, measured, release_run
from made_rows import MODEL, MadeRun, make_plan, scale_case
from made_runs import full_run, scale_run, sequences, voided

from gaugeblock.analysis import render_report, summary
from gaugeblock.analysis.cells import cells
from gaugeblock.analysis.comparison_text import render_profiles, render_releases
from gaugeblock.analysis.contests import compare_profiles
from gaugeblock.analysis.follow_up import OtherRun
from gaugeblock.analysis.growth import growth_tables
from gaugeblock.analysis.releases import compare_releases
from gaugeblock.records.evidence import Amendment
from gaugeblock.records.follows import Change, FirstVerdict, FollowedCell, Follows


def render(run, **changes):
    return render_report(run.plan, run.rows, run.grades, **{"closed": True, **changes})


def section(text, title):
    return text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def two_cells():
    """One model on two cases: 2 of 4 pass on S1, 3 of 4 on S2."""
    plan = make_plan((MODEL,), (scale_case("S1", 12), scale_case("S2", 48)), 4)
    run = MadeRun(plan)
    ends = {"S1": ["passed", "passed", "failed", "error:provider"], "S2": ["passed"] * 3}
    for case, outcomes in ends.items():
        trials = run.trials(MODEL.id, case)
        for trial, end in zip(trials, [*outcomes, "failed"][:4], strict=True):
            run.add(trial, [end])
    return run


def across(data):
    (profile,) = data["results"]["profiles"]
    counts = {kind: (rate["passed"], rate["n"]) for kind, rate in profile["trials"].items()}
    return profile["cases"], counts


def test_rates_by_hand_before_and_after():
    run = two_cells()
    # 2 + 3 of 4 + 4; one provider error is not valid.
    assert across(summary(run.plan, run.rows)) == (2, {"attempted": (5, 8), "valid": (5, 7)})
    void = voided(two_cells(), (MODEL.id, "S1"))
    data = summary(void.plan, void.rows)
    assert across(data) == (1, {"attempted": (3, 4), "valid": (3, 4)})
    assert data["outcomes"] == {"passed": 3, "failed": 1}
    (told,) = data["void"]
    assert told["rounds"] == [
        {"round": "create", "outcomes": {"error:provider": 1, "failed": 1, "passed": 2}}
    ]
    text = render(void)
    results = section(text, "Results")
    assert "| S2 | 48 | 3/4" in results and "| S1 |" not in results
    assert "Left out as void: model-a on S1" in results
    assert "| model-a | S1 | 1 error:provider, 1 failed, 2 passed | — |" in text
    assert "None." in section(text, "Errors by layer")
    assert "| Void | model-a on S1; in no figure |" in text


def test_the_order_of_rows_changes_nothing():
    run = voided(full_run(), ("model-a", "S1"), ("model-b", "depth"))
    mixed = list(run.rows)
    random.Random(3).shuffle(mixed)
    assert summary(run.plan, mixed) == summary(run.plan, run.rows)
    text = render_report(run.plan, mixed, run.grades, closed=True)
    assert text == render(run)


@settings(deadline=None, max_examples=15)
@given(st.sets(st.sampled_from(["S1", "S2", "S3′", "S4", "depth"])))
def test_a_run_with_void_cells_has_the_figures_of_a_run_without_them(names):
    """Voiding is the same as if these cells had never been: for each figure of both parts."""
    out = {(profile, case) for profile in ("model-a", "reference") for case in names}
    void, less = voided(full_run(), *out), full_run()
    less.rows = [row for row in less.rows if (row.profile, row.case) not in out]
    one, other = (summary(run.plan, run.rows) for run in (void, less))
    assert len(one.pop("void")) == len(out)
    assert other.pop("void") == []
    assert one == other


def test_growth_leaves_void_steps_out():
    run = scale_run({12: ["0.01"] * 3, 48: ["0.02"] * 3, 105: ["0.90"] * 3})
    (table,) = growth_tables(run.rows)
    assert [line.growth for line in table.lines] == [12, 48, 105]
    (table,) = growth_tables(voided(run, (MODEL.id, "S105")).rows)
    assert [line.growth for line in table.lines] == [12, 48]
    assert growth_tables(voided(run, (MODEL.id, "S105"), (MODEL.id, "S48")).rows) == []


def test_a_sequence_is_void_as_a_whole():
    run = voided(sequences([["passed"] * 6, ["passed", "failed"]]), (MODEL.id, "depth"))
    text = render(run)
    assert "No other cell of a model was measured" in section(text, "Results")
    assert "| model-a | depth k2 | 1 failed, 1 passed | — |" in text
    assert "Every planned round began." in section(text, "Not run")
    assert "Only scripted agents worked" not in text


def test_all_void_and_withdrawn_still_reads_as_withdrawn():
    run = voided(two_cells(), (MODEL.id, "S1"), (MODEL.id, "S2"))
    run.rows = [row.model_copy(update={"invalidated": True}) for row in run.rows]
    assert summary(run.plan, run.rows)["invalidated"] is True


def test_contests_leave_void_cells_out_and_name_them():
    made = contest_run({"model-a": [5] * 8, "model-b": [1] * 8})
    whole = compare_profiles([measured(made)])
    (ground,) = whole.grounds
    assert ground.contests[0].cases == 8
    void = compare_profiles([measured(voided(made, ("model-b", "C00"), ("model-b", "C01")))])
    (ground,) = void.grounds
    assert ground.contests[0].cases == 6
    assert void.void == ("model-b on C00 (a)", "model-b on C01 (a)")
    assert "Left out as void: model-b on C00 (a), model-b on C01 (a)." in render_profiles(void)
    every = [("model-b", f"C{n:02d}") for n in range(8)]
    alone = compare_profiles([measured(voided(made, *every))])
    assert "only one model (model-a)" in alone.refused[0]


def test_releases_with_a_void_cell_on_one_side_are_refused():
    before, after = release_run("one", 10.0), release_run("two", 12.0)
    assert compare_releases([measured(before, "b")], [measured(after, "a")]).refused == ()
    void = voided(after, (MODEL.id, "S1"))
    answer = compare_releases([measured(before, "b")], [measured(void, "a")])
    assert answer.refused == ("task: model-a on growth/S1 create (en) only before",)
    assert answer.void == ("model-a on S1 (a)",)
    assert "Left out as void: model-a on S1 (a)." in render_releases(answer)
    both = compare_releases(
        [measured(voided(before, (MODEL.id, "S1")), "b")], [measured(void, "a")]
    )
    assert both.refused == () and {change.case for change in both.changes} == {"S2"}


def follows(run, kind="refill", changes=(), case="S1"):
    """What a follow-up of a cell of a made run holds of it."""
    first = tuple(
        FirstVerdict(
            trial=trial.id,
            case=case,
            profile=MODEL.id,
            repetition=trial.repetition,
            attempted=any(row.attempted for row in run.rows if row.trial == trial.id),
            rounds={row.round: row.outcome for row in run.rows if row.trial == trial.id},
        )
        for trial in run.trials(MODEL.id, case)
    )
    wanted = [item.trial for item in first if kind == "rerun" or item.outcome == "error:provider"]
    return Follows(
        kind=kind,
        run=run.plan.commitment(),
        manifest_sha256="0" * 64,
        cells=(FollowedCell(case=case, profile=MODEL.id, reason="a | wrong limit"),),
        trials=tuple(wanted),
        first=first,
        changes=changes,
    )


def follow_up(told, outcomes):
    """A run that takes trials again and ends so."""
    whole = make_plan((MODEL,), (scale_case("S1", 12),), 4)
    numbers = {number for _, _, number in told.taken()}
    trials = tuple(trial for trial in whole.trials if trial.repetition in numbers)
    run = MadeRun(make_plan((MODEL,), (scale_case("S1", 12),), 4, trials=trials, follows=told))
    for trial, end in zip(trials, outcomes, strict=True):
        run.add(trial, [end])
    return run


@pytest.mark.parametrize(
    ("end", "planned", "replaced"),
    [
        # As planned 2 of 4, and 2 of 3 valid; the fourth trial is replaced.
        ("passed", ("2/4", "2/3"), ("3/4", "3/4")),
        ("failed", ("2/4", "2/3"), ("2/4", "2/4")),
        ("error:provider", ("2/4", "2/3"), ("2/4", "2/3")),
        ("not-run", ("2/4", "2/3"), ("2/4", "2/3")),  # what never began replaces nothing
    ],
)
def test_both_rates_of_a_refill_by_hand(end, planned, replaced):
    earlier = two_cells()
    run = follow_up(follows(earlier), [end])
    text = render(run)
    shown = section(text, "What this run follows")
    (line,) = [line for line in shown.splitlines() if line.startswith("| model-a | S1 |")]
    assert [cell.split()[0] for cell in line.split("|")[3:7]] == [*planned, *replaced]
    assert "Replacements alone are no sample" in section(text, "Results") or end == "not-run"
    (rates,) = summary(run.plan, run.rows)["follows"]["rates"]
    got = [rates[kind][over] for kind in ("as_planned", "replaced") for over in rates[kind]]
    assert [f"{rate['passed']}/{rate['n']}" for rate in got] == [*planned, *replaced]
    assert "was not given" in shown
    beside = [OtherRun(earlier.plan, tuple(earlier.rows))]
    assert "says the same today" in section(render(run, beside=beside), "What this run follows")


def test_a_refill_of_what_is_void_or_changed_says_so():
    earlier = two_cells()
    run = follow_up(follows(earlier), ["passed"])
    void = voided(earlier, (MODEL.id, "S1"))
    shown = render(run, beside=[OtherRun(void.plan, tuple(void.rows), "not sound")])
    assert "model-a on S1 is void in the earlier run: its rates are not to be used" in shown
    assert "The earlier run is not sound." in shown
    other = [row.model_copy(update={"outcome": "passed"}) for row in earlier.rows]
    shown = render(run, beside=[OtherRun(earlier.plan, tuple(other))])
    assert "has other verdicts in the earlier run now" in shown
    shown = render(voided(run, (MODEL.id, "S1")))
    assert "| model-a | S1 | 2/4" not in shown


def test_a_refill_is_compared_only_beside_its_run():
    earlier = two_cells()
    run = measured(follow_up(follows(earlier), ["passed"]), "refill")
    alone = compare_profiles([run])
    assert "which is not given with it: replacements alone are no sample" in alone.refused[0]
    both = compare_profiles([measured(earlier, "first"), run])
    assert not any("refill" in reason for reason in both.refused)
    void = compare_profiles([measured(voided(earlier, (MODEL.id, "S1")), "first"), run])
    assert "replaces trials of model-a on S1, which is void in first" in void.refused[0]
    again = measured(follow_up(follows(two_cells()), ["failed"]), "another")
    twice = compare_profiles([measured(two_cells(), "first"), run, again])
    assert any("one of several refills of first" in reason for reason in twice.refused)


def test_a_rerun_stands_beside_the_first_verdicts_in_both_reports():
    earlier = voided(two_cells(), (MODEL.id, "S1"))
    change = Change(part="harness", then="a" * 64, now="b" * 64)
    run = follow_up(follows(earlier, "rerun", (change,)), ["passed"] * 3 + ["failed"])
    label = f"run `{run.plan.commitment()[:16]}`, under other harness"
    note = Amendment(
        number=1,
        kind="void",
        reason="a | wrong limit",
        at="2026",
        previous_sha256="0",
        content={"case": "S1", "profile": "model-a"},
    )
    old = render(
        earlier, amendments=[note], beside=[OtherRun(run.plan, tuple(run.rows), "not closed")]
    )
    first = "1 error:provider, 1 failed, 2 passed"
    again = f"1 failed, 3 passed ({label}, **not closed**)"
    assert f"| model-a | S1 | {first} | {again} |" in section(old, "Void cells")
    assert "model-a on S1 (amendment 1): a &#124; wrong limit" in old
    new = render(run)
    shown = section(new, "What this run follows")
    assert "**Rerun under other harness.**" in shown
    assert f"| model-a | S1 | create | {first} | 1 failed, 3 passed |" in shown
    assert "| S1 | 12 | 3/4" in section(new, "Results")
    void_again = voided(run, (MODEL.id, "S1"))
    old = render(earlier, beside=[OtherRun(run.plan, tuple(void_again.rows))])
    assert "**void again**" in old


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"trials": ("0001.S1",)}, "its trials are not those"),
        ({"kind": "rerun"}, "its trials are not those"),
        ({"first": ()}, "its first verdicts are not of its cells"),
        ({"changes": (Change(part="host", then="a", now="b"),)}, "would pool"),
    ],
)
def test_a_plan_that_contradicts_what_it_follows_is_no_plan(change, word):
    told = follows(two_cells())
    wrong = told.model_copy(update=change)
    trials = follow_up(told, ["passed"]).plan.trials
    with pytest.raises(ValueError, match=word):
        make_plan((MODEL,), (scale_case("S1", 12),), 4, trials=trials, follows=wrong)
    with pytest.raises(ValueError, match="the plan's trials are not those"):
        make_plan((MODEL,), (scale_case("S1", 12),), 4, follows=told)


def test_another_cohort_is_told_by_its_parts():
    from gaugeblock.running.follow_ups import changed

    then = two_cells().plan
    assert list(changed(then, then)) == []
    host = then.host.model_copy(update={"runtime": "another", "sandbox": "landlock"})
    prints = {**fingerprints(harness="mended"), "drawing": fingerprints()["ruler"]}
    now = make_plan((MODEL,), then.cases, 4, fingerprints=prints, host=host)
    parts = [(item.part, item.then[:7], item.now[:7]) for item in changed(then, now)]
    assert [part for part, _, _ in parts] == ["drawing", "harness", "runtime", "sandbox"]
    assert parts[0][1] == "none" and parts[3][1:] == ("bubblew", "landloc")


def test_void_rows_keep_apart_in_cells():
    run = voided(two_cells(), (MODEL.id, "S1"))
    together = cells(run.rows)
    assert [cell.key.case for cell in together] == ["S2"]
    assert [cell.key.case for cell in together.void] == ["S1"]
    assert together.row_count() == 8
