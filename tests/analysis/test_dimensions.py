"""Figures of deliveries from drawings: means, ranges over repeats and three pass rates, by hand."""

from __future__ import annotations

import pytest
from made_rows import LIMITS, MODEL, make_plan, make_result

from gaugeblock.analysis.cells import cells
from gaugeblock.analysis.dimensions import dimension_tables
from gaugeblock.analysis.dimensions_text import SELF_CONSISTENCY, UNSEALED, dimension_lines
from gaugeblock.analysis.growth import growth_tables
from gaugeblock.analysis.report import render_report
from gaugeblock.analysis.run_summary import summary
from gaugeblock.analysis.tables import read_rows_csv, rows_csv
from gaugeblock.records.base import digest
from gaugeblock.records.case import Case, Round, Truth
from gaugeblock.records.drawing_task import Ceilings, ChanceRates, DrawingTask
from gaugeblock.records.grade import Check, Grade
from gaugeblock.records.row import Row, make_row
from gaugeblock.records.spectrum import SheetDimension

CEILINGS = Ceilings(
    asked=1,
    measurable=1,
    measurable_extended=1,
    drawn=1,
    semantic_match=1.0,
    chance=ChanceRates(length=0, diameter=0, radius=0, angle=0),
)


def drawing_case(name: str, track: str = "vector", group: str = "anchoring") -> Case:
    task = DrawingTask(
        track=track,
        group=group,
        part_class="plate",
        difficulty=2 if name == "plate" else 4,
        shown={"drawing.svg": digest("svg")},
        rulebook_sha256=None,
        reference_sha256=digest(name),
        dimensions=(SheetDimension(label="10", type="length", value=10),),
        ceilings=CEILINGS,
        canary="gaugeblock-canary",
    )
    asked = Round(
        id=name, growth=task.difficulty, instruction={"en": name}, parameters={}, truth=Truth()
    )
    return Case(
        id=f"{name}.{track}",
        suite="growth",
        version=1,
        title=name,
        axis=track,
        needs=(),
        rounds=(asked,),
        drawing=task,
        limits=LIMITS,
    )


def check(name: str, verdict: str = "pass", finding: str = "") -> Check:
    return Check(name=name, formula="", expected=1, measured=1, verdict=verdict, finding=finding)


THREADLESS = check("threadMatch", "not-applicable", "the sheet calls for no thread")


def graded(outcome: str, figures: dict[str, float], raw: str, exact: str) -> Grade:
    verdict = {"passed": "passed", "could-not-grade": "could-not-grade"}.get(outcome, "failed")
    return Grade(
        round="plate",
        verdict=verdict,
        checks=(THREADLESS, check("shapeIoU", "could-not-measure", "the methods contradict")),
        apart={"raw": raw, "exact": exact},
        figures=figures,
        artifact_sha256=digest("artifact"),
        measurement_sha256=None,
        ruler_fingerprint=digest("ruler"),
    )


def four(recall: float, shape: float | None) -> dict[str, float]:
    known = {"dimensionRecall": recall, "semanticMatch": 1.0, "drawingMatch": 1.0}
    known |= {"extendedRecall": recall}
    return known if shape is None else {**known, "shapeIoU": shape}


def rows_of(cases: list[Case], ends: dict[str, list[tuple]], sealed: bool | None = True):
    """Rows of one profile: case id → (outcome, figures, raw, exact) of each repetition."""
    plan = make_plan((MODEL,), tuple(cases), repetitions=max(map(len, ends.values())))
    rows = []
    for trial in plan.trials:
        todo = ends[trial.case_id]
        if trial.repetition > len(todo):
            continue
        outcome, figures, raw, exact = todo[trial.repetition - 1]
        asked = plan.case(trial.case_id).rounds[0].id
        result = make_result(plan, trial, asked, outcome)
        if figures is None:
            unknown = {**result.unknown, "artifact_sha256": "nothing was delivered"}
            result = result.model_copy(update={"artifact_sha256": None, "unknown": unknown})
            grade = graded(outcome, {}, "fail", "fail").model_copy(update={"checks": ()})
        else:
            grade = graded(outcome, figures, raw, exact)
        row = make_row(plan, trial, result, grade)
        if sealed is not None:
            unknown = {name: why for name, why in row.unknown.items() if name != "sealed"}
            row = row.model_copy(update={"sealed": sealed, "unknown": unknown})
        rows.append(Row.model_validate(row.model_dump()))
    return plan, rows


PLATE, SHAFT = drawing_case("plate"), drawing_case("shaft")
ENDS = {
    "plate.vector": [
        ("passed", four(1.0, 1.0), "pass", "pass"),
        ("passed", four(0.96, 0.99), "pass", "fail"),
        ("no-delivery", None, "fail", "fail"),
        ("failed", four(0.5, 0.42), "fail", "fail"),
    ],
    "shaft.vector": [
        ("passed", four(0.8, 0.95), "fail", "pass"),
        ("could-not-grade", four(0.9, None), "could-not-measure", "could-not-measure"),
    ],
}


@pytest.fixture(scope="module")
def made():
    return rows_of([PLATE, SHAFT], ENDS)


def table_of(rows):
    (table,) = dimension_tables(cells(rows))
    return table


def test_three_pass_rates_and_the_delivery_rate_by_hand(made):
    """Six trials: one delivered nothing, one could not be graded; three passed."""
    table = table_of(made[1])

    def counts(rates):
        return [(rate.passed, rate.n) for rate in (rates.attempted, rates.valid)]

    assert counts(table.deliveries) == [(5, 6), (4, 5)]
    assert counts(table.reachable) == [(3, 6), (3, 5)]
    assert counts(table.raw) == [(2, 6), (2, 5)]
    assert counts(table.exact) == [(2, 6), (2, 5)]
    assert (table.could_not_grade, table.cases, table.sealed) == (1, 2, True)
    assert (table.track, table.group) == ("vector", "anchoring")


def test_means_are_of_what_was_delivered_case_by_case(made):
    """Recall: plate (1 + 0.96 + 0.5)/3 = 0.82, shaft (0.8 + 0.9)/2 = 0.85; their mean 0.835."""
    figures = {figure.name: figure for figure in table_of(made[1]).figures}
    recall = figures["dimensionRecall"]
    assert [case.mean for case in recall.cases] == pytest.approx([0.82, 0.85])
    assert recall.mean == pytest.approx(0.835)
    assert (recall.least, recall.most, recall.missing) == (0.5, 1.0, 0)
    assert recall.spread == pytest.approx(0.5)
    shape = figures["shapeIoU"]
    assert shape.mean == pytest.approx(((1 + 0.99 + 0.42) / 3 + 0.95) / 2)
    assert (shape.missing, [case.n for case in shape.cases]) == (1, [3, 1])
    threads = figures["threadMatch"]
    assert (threads.mean, threads.missing) == (None, 0)  # no sheet asks for one


def test_a_missing_delivery_lowers_no_mean(made):
    plan, rows = rows_of([PLATE], {"plate.vector": ENDS["plate.vector"][:3]})
    with_it = table_of(rows)
    without = table_of([row for row in rows if row.outcome != "no-delivery"])
    assert with_it.figures == without.figures
    assert with_it.deliveries.attempted.passed == 2
    assert (with_it.deliveries.attempted.n, without.deliveries.attempted.n) == (3, 2)
    assert plan.cases == (PLATE,)


def test_tracks_and_groups_are_never_mixed():
    cases = [
        drawing_case("plate"),
        drawing_case("plate", "raster"),
        drawing_case("shaft", group="independent"),
        drawing_case("fork", group="own"),
    ]
    one = [("passed", four(1.0, 1.0), "pass", "pass")]
    plan, rows = rows_of(cases, {case.id: one for case in cases})
    tables = dimension_tables(cells(rows))
    assert sorted((table.track, table.group) for table in tables) == [
        ("raster", "anchoring"),
        ("vector", "anchoring"),
        ("vector", "independent"),
        ("vector", "own"),
    ]
    assert all(table.cases == 1 for table in tables)
    pooled = summary(plan, rows)["results"]["profiles"]
    assert sorted(item["tools"] for item in pooled) == [
        "raster, anchoring",
        "vector, anchoring",
        "vector, independent",
        "vector, own",
    ]


def test_difficulty_is_no_growth(made):
    assert growth_tables(cells(made[1])) == []


@pytest.mark.parametrize("sealed", [None, False])
def test_unsealed_trials_are_kept_out_of_the_headline(sealed):
    one = [("passed", four(1.0, 1.0), "pass", "pass")]
    _, rows = rows_of([PLATE], {"plate.vector": one}, sealed=sealed)
    lines = dimension_lines(cells(rows))
    assert "### Pass rates" not in lines
    assert UNSEALED in lines
    _, rows = rows_of([PLATE], {"plate.vector": one})
    lines = dimension_lines(cells(rows))
    assert "### Pass rates" in lines
    assert UNSEALED not in lines


def test_the_report_says_what_drawing_match_is(made):
    plan, rows = made
    report = render_report(plan, rows, {}, closed=True)
    assert SELF_CONSISTENCY in report
    assert "0.42" in SELF_CONSISTENCY
    assert "| dimensionRecall | ≥ 0.95 | 0.835 | 0.500 | 1.000 | 0.500 | 5 |" in report
    assert "| extendedRecall | none |" in report
    assert "could not be measured" in report
    assert "Model A" in report or "model-a" in report


def test_no_figure_is_rounded_up_to_whole():
    almost = [("passed", four(0.99999, 0.99999), "pass", "fail")]
    _, rows = rows_of([PLATE], {"plate.vector": almost})
    told = "\n".join(dimension_lines(cells(rows)))
    assert "| shapeIoU | ≥ 0.90 | 0.999 | 0.999 | 0.999 |" in told


def test_rows_survive_their_csv(made):
    assert read_rows_csv(rows_csv(made[1])) == made[1]


def test_a_missing_figure_without_a_reason_is_no_row(made):
    row = made[1][0].model_dump()
    row["figures"] = {**row["figures"]}
    del row["figures"]["shapeIoU"]
    with pytest.raises(ValueError, match="do not add up"):
        Row.model_validate(row)


def test_runs_without_drawings_have_no_such_section():
    assert dimension_lines([]) == []
