"""Points in summary and report: medians, what was lost, and what stands beside them."""

import pytest
import recompute
from made_points import WITH, WITHOUT, Machine, points_run
from made_rows import MODEL
from made_runs import full_run
from test_recompute import written

from gaugeblock.analysis import render_report, summary
from gaugeblock.analysis.cells import cells
from gaugeblock.analysis.points import points_of
from gaugeblock.records.profile import scripted_profile

WHOLE = Machine()
"""60 of 60."""
HOUSING = Machine(lost=("housing",))
"""60 − 10 = 50."""
TWO = Machine(lost=("housing", "closed"), pairs=3)
"""60 − 10 − 15 = 35."""


def found(machines, case=WITH):
    run = points_run({case: machines})
    (cell,) = cells(run.rows)
    return points_of(cell, "build")


def test_median_least_most_and_what_was_lost():
    points = found([WHOLE, HOUSING, TWO])
    assert (points.median, points.least, points.most, points.out_of) == (50, 35, 60, 60)
    assert points.lost == {"housing": 2, "closed": 1}
    assert (points.n, points.not_graded) == (3, 0)
    assert found([WHOLE, HOUSING]).median == 55, "of two the middle between them"


@pytest.mark.parametrize(
    "ungraded",
    [
        Machine(outcome="error:host"),
        Machine(unmeasured="closed"),
        Machine(lost=("housing",), unmeasured="closed"),
    ],
)
def test_what_could_not_be_graded_is_no_zero_and_is_counted(ungraded):
    points = found([WHOLE, ungraded, HOUSING])
    assert (points.median, points.least, points.n, points.not_graded) == (55, 50, 2, 1)


def test_points_out_of_another_total_are_not_put_together():
    points = found([WHOLE, Machine(absent="reopens")])
    assert (points.median, points.least, points.most, points.out_of) == (None, None, None, None)
    assert "55 and 60" in points.reason
    alone = found([Machine(absent="reopens", lost=("housing",))])
    assert (alone.median, alone.out_of, alone.lost) == (45, 55, {"housing": 1})


def test_interference_stands_beside_and_never_in_the_points():
    points = found([Machine(pairs=0), Machine(pairs=4), Machine(pairs=None)])
    assert points.median == 60
    beside = points.interference
    assert (beside.n, beside.unknown, beside.pairs, beside.most_pairs) == (2, 1, 2, 4)
    assert beside.most_mm3 == 10


def test_a_suite_without_points_has_none():
    run = full_run()
    assert all(
        points_of(cell, name) is None for cell in cells(run.rows) for name, _ in cell.rounds()
    )
    assert "Points" not in render_report(run.plan, run.rows, run.grades, closed=True)


BOTH = {WITH: [WHOLE, HOUSING, TWO], WITHOUT: [TWO, TWO, HOUSING]}


def test_the_baseline_stands_beside_and_is_never_pooled():
    run = points_run(BOTH)
    profiles = summary(run.plan, run.rows)["results"]["profiles"]
    assert [(one["tools"], one["trials"]["attempted"]["n"]) for one in profiles] == [
        ("with tools", 3),
        ("without tools", 3),
    ]
    report = render_report(run.plan, run.rows, run.grades, closed=True)
    assert "### model-a · assembly, open cases, en\n" in report
    assert "### model-a · assembly, open cases, en, **without tools**\n" in report
    assert (
        "| machine | 3 | 50/60 | 35/60 | 60/60 | housing (2), closed (1) | 0 | 3 | 7.50 |" in report
    )
    assert "| machine-program | 3 | 35/60 | 35/60 | 50/60 |" in report
    assert "never pooled" in report and "tools shown: 2 (objects), 0 (none)" in report


def test_the_report_never_makes_points_of_a_hundred():
    run = points_run(BOTH)
    report = render_report(run.plan, run.rows, run.grades, closed=True)
    assert "/100" not in report and "never points of a hundred" in report
    assert "quality is pending" in report
    told = summary(run.plan, run.rows)["review"]["quality"]
    assert {(one["profile"], one["case"]) for one in told} == {
        (MODEL.id, WITH),
        (MODEL.id, WITHOUT),
    }
    assert all(one["sum"] is one["both"] is None for one in told)
    assert all(one["reason"] and one["both_reason"] for one in told)


def test_the_reference_shows_its_points_in_the_wiring_proof():
    run = points_run({WITH: [WHOLE]}, scripted_profile("reference"))
    report = render_report(run.plan, run.rows, run.grades, closed=True)
    assert "| reference | machine | passed | 1 | 60/60 |" in report
    assert "closed (15 points)" in report
    assert "| machine | 1 | 60/60 | 60/60 | 60/60 | nothing | 0 | 0 | 0.00 |" in report


def test_axes_without_growth_have_no_growth_table():
    run = points_run(BOTH)
    assert summary(run.plan, run.rows)["results"]["growth"] == []


def test_every_figure_comes_out_of_the_rows_again(tmp_path):
    folder = written(
        points_run({**BOTH, WITH: [WHOLE, TWO, Machine(outcome="error:host")]}), tmp_path
    )
    assert recompute.differences(folder) == []
    report = folder / "report.md"
    report.write_text(report.read_text().replace("35/60", "45/60"))
    assert any("no line | machine" in line for line in recompute.differences(folder))
