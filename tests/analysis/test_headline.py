"""The headline: sealed fresh draws, first, by themselves, and only where they were sealed."""

from math import sqrt

import pytest
from made_rows import MODEL, MadeRun, make_plan, scale_case

from gaugeblock.analysis.cells import cells
from gaugeblock.analysis.headline import headlines
from gaugeblock.analysis.rates import Z, wilson
from gaugeblock.analysis.report import render_report
from gaugeblock.analysis.run_summary import summary
from gaugeblock.records.draws import Draw
from gaugeblock.records.profile import scripted_profile

HASH = "0" * 64


def draw(**changes):
    values = {"suite": "growth", "families": ("T1",), "count": 12, "nonce_sha256": HASH}
    return Draw.model_validate({**values, "rules_sha256": HASH, **changes})


def fresh(number, visibility="sealed"):
    case = scale_case(f"T1.d{number}", 10 * number, visibility)
    return case.model_copy(update={"axis": "fresh-scale"})


def made(count, visibility="sealed", profiles=(MODEL,), **changes):
    """A run of S1 and some draws, three trials each; the open case always passes, draws with an
    even number never do."""
    drawn = [fresh(number, visibility) for number in range(1, count + 1)]
    opened = scale_case("S1", 12)
    plan = make_plan(profiles, (opened, *drawn), repetitions=3, **changes)
    run = MadeRun(plan.model_copy(update={"cases": (opened,)}).with_drawn(drawn))
    for trial in plan.trials:
        good = trial.case_id == "S1" or int(trial.case_id.removeprefix("T1.d")) % 2 == 1
        run.add(trial, ["passed" if good else "failed"])
    return run


def report(run):
    return render_report(run.plan, run.rows, run.grades, closed=True)


def test_twelve_draws_by_hand():
    """18 of 36 trials of twelve cases that each pass always or never: twelve samples, not 36."""
    run = made(12, draw=draw())
    (one,) = headlines(cells(run.rows))
    assert (one.profile, one.cases) == (MODEL.id, 12)
    assert one.trials.attempted == one.trials.valid == wilson(18, 36)
    across = one.clustered.attempted
    assert (across.passed, across.n) == (18, 36)
    # Six of twelve cases: 12/11 · 12 · 1.5² / 36² = 0.25/11, as of 11 samples; Wilson at ½ of them.
    half = Z / (1 + Z**2 / 11) * sqrt(0.25 / 11 + Z**2 / (4 * 11**2))
    assert (across.low, across.high) == pytest.approx((0.5 - half, 0.5 + half))


def test_few_cases_have_no_interval_across_them():
    (one,) = headlines(cells(made(2, draw=draw(count=2)).rows))
    assert one.trials.attempted == wilson(3, 6)
    assert one.clustered.attempted.low is None
    assert "needs 10" in one.clustered.attempted.reason


def test_the_report_leads_with_them_and_pools_nothing():
    run = made(2, draw=draw(count=2))
    text = report(run)
    head, results = text.index("## Headline: sealed fresh draws"), text.index("## Results")
    assert head < results
    assert "2 each of T1, sealed by a nonce" in text[:head]
    assert "3/6" in text[head:results] and "6/9" not in text  # 6 of 9 would be with S1
    assert text.index("sealed cases") < text.index("open cases")
    assert "That this was the first secret tried" in " ".join(text.split())
    found = summary(run.plan, run.rows)["headline"]
    assert found["reason"] == ""
    assert found["profiles"][0]["trials"]["attempted"]["passed"] == 3
    assert found["profiles"][0]["trials"]["attempted"]["n"] == 6


@pytest.mark.parametrize(
    ("changes", "visibility", "why"),
    [
        ({"draw": draw(nonce_sha256=None, seed=HASH)}, "open", "replay a seed that was known"),
        ({"draw": draw(), "unsafe": True}, "sealed", "the run is unsealed"),
        ({}, "sealed", "the plan draws no fresh cases"),
    ],
)
def test_what_is_not_sealed_is_no_headline(changes, visibility, why):
    run = made(2, visibility, **changes)
    found = summary(run.plan, run.rows)["headline"]
    assert (found["profiles"], why in found["reason"]) == ([], True)
    text = report(run)
    assert ("## Headline" in text) == ("draw" in changes)
    assert "| Profile | Suite | Cases |" not in text
    assert ("**replayed**" in text) == (visibility == "open")


def test_a_script_is_no_headline():
    run = made(2, profiles=(scripted_profile("reference"),), draw=draw(count=2))
    assert headlines(cells(run.rows)) == []
    assert summary(run.plan, run.rows)["headline"]["reason"] == "no model was measured on them"


def test_the_fresh_scale_axis_has_a_growth_table():
    text = report(made(4, draw=draw(count=4)))
    growth = text[text.index("## Growth") :]
    assert "fresh-scale axis, sealed" in growth or "T1.d4" in growth
    assert "tokens, cost and time of a trial do not depend on N" in growth
