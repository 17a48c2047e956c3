"""Reviewed quality by hand: medians, what waits, what a model says, and how far people differ."""

from dataclasses import replace
from datetime import date

import pytest
from made_comparisons import measured, release_run

from gaugeblock.analysis.releases import compare_releases
from gaugeblock.analysis.review_data import review_data
from gaugeblock.analysis.review_text import Reviewed, review_lines
from gaugeblock.analysis.reviews import (
    cell_quality,
    duplicate_differences,
    qualities,
    spreads,
)
from gaugeblock.records.review import ImportedReview, ReviewImport, Scores

SUITES = ("assembly",)
SHA = "b" * 64


@pytest.fixture
def rows():
    """Three trials of one model on one assembly, 60 of 60 points each, all delivered."""
    made = release_run("host 1", 40.0).rows
    chosen = [row for row in made if row.case == "S1"]
    known = {k: v for k, v in chosen[0].unknown.items() if k not in ("points", "points_of")}
    changes = {"suite": "assembly", "points": 60, "points_of": 60, "artifact_sha256": SHA}
    return [row.model_copy(update={**changes, "unknown": known}) for row in chosen]


def review(row, scores, reviewer="Ana", *, sample=1, method="human", notes=""):
    names = ("recognisability", "coherence", "details", "finish")
    return ImportedReview(
        sample=sample,
        pack="0" * 32,
        reviewer=reviewer,
        date=date(2026, 3, 1),
        method=method,
        scores=Scores(**dict(zip(names, scores, strict=True))),
        notes=notes,
        trial=row.trial,
        round=row.round,
        artifact_sha256=SHA,
    )


def test_median_over_reviewers_then_over_samples_by_hand(rows):
    reviews = [
        review(rows[0], (8, 8, 8, 8), "Ana"),
        review(rows[0], (6, 8, 4, 0), "Ben"),
        review(rows[0], (7, 2, 4, 10), "Cem"),  # medians 7 8 4 8; sums 32 18 23: 23
        review(rows[1], (5, 5, 5, 5), "Ana"),  # sum 20
        review(rows[2], (10, 9, 10, 9), "Ana"),  # sum 38
    ]
    (found,) = qualities(rows, reviews, SUITES)
    assert (found.artifacts, found.reviewed) == (3, 3)
    assert found.scores == (7, 8, 5, 8)
    assert found.total == 23
    assert found.overall == 83  # median of 60 + 23, 60 + 20, 60 + 38
    assert cell_quality(rows, reviews, SUITES) == {("model-a", "S1"): 23 / 4}


def test_a_duplicate_gives_no_second_voice(rows):
    one = rows[:1]
    reviews = [
        review(one[0], (8, 8, 8, 8), "Ana", sample=1),
        review(one[0], (4, 8, 8, 8), "Ana", sample=2),
        review(one[0], (0, 0, 0, 0), "Ben", sample=1),
    ]
    (found,) = qualities(one, reviews, SUITES)
    assert found.scores == (3, 4, 4, 4)  # Ana 6 8 8 8, Ben 0; two voices, not three


def test_nothing_is_told_while_one_artifact_waits(rows):
    reviews = [review(row, (9, 9, 9, 9)) for row in rows[:2]]
    (found,) = qualities(rows, reviews, SUITES)
    assert (found.artifacts, found.reviewed) == (3, 2)
    assert found.scores is found.total is found.overall is None
    assert cell_quality(rows, reviews, SUITES) == {}
    text = "\n".join(section(rows, reviews))
    assert "2 of 3" in text and text.count("*pending*") >= 6 and "60 / 60" in text
    assert "| 9 |" not in text


def test_what_a_model_judged_is_apart_and_counts_nowhere(rows):
    reviews = [review(row, (9, 9, 9, 9), "some model", method="ai") for row in rows]
    (found,) = qualities(rows, reviews, SUITES)
    assert found.reviewed == 0 and found.total is None
    assert cell_quality(rows, reviews, SUITES) == {}
    text = "\n".join(section(rows, reviews))
    assert "### Provisional" in text and "some model" in text and "*pending*" in text
    both = [*reviews, *(review(row, (1, 1, 1, 1)) for row in rows)]
    assert qualities(rows, both, SUITES)[0].total == 4


@pytest.mark.parametrize(
    "update", [{"points": 50, "points_of": 55}, {"points": None, "points_of": None}]
)
def test_no_sum_of_hundred_unless_both_parts_are_whole(rows, update):
    reviews = [review(row, (10, 10, 10, 10)) for row in rows]
    assert qualities(rows, reviews, SUITES)[0].overall == 100
    less = [rows[0].model_copy(update=update), *rows[1:]]
    found = qualities(less, reviews, SUITES)[0]
    assert found.overall is None and found.total == 40


def test_a_trial_without_delivery_is_told_and_in_no_median(rows):
    fewer = [rows[0].model_copy(update={"artifact_sha256": None}), *rows[1:]]
    (found,) = qualities(fewer, [review(row, (5, 5, 5, 5)) for row in rows[1:]], SUITES)
    assert (found.artifacts, found.undelivered, found.total) == (2, 1, 20)


def test_a_void_cell_is_in_no_figure(rows):
    void = [row.model_copy(update={"voided": True, "case": "S2"}) for row in rows]
    void = [row.model_copy(update={"trial": f"void {row.trial}"}) for row in void]
    reviews = [review(row, (10, 10, 10, 10), notes="gone") for row in void]
    assert qualities(void, reviews, SUITES) == [] and cell_quality(void, reviews, SUITES) == {}
    assert section(void, reviews) == []
    kept = [review(row, (5, 5, 5, 5), "Ben", notes="stays") for row in rows]
    assert cell_quality([*rows, *void], [*kept, *reviews], SUITES) == {("model-a", "S1"): 5.0}
    text = "\n".join(section([*rows, *void], [*kept, *reviews]))
    assert "| S2 |" not in text and "gone" not in text and "stays" in text


def test_cases_are_not_pooled(rows):
    other = [row.model_copy(update={"case": "S2", "trial": f"S2 {row.trial}"}) for row in rows]
    reviews = [review(row, (4,) * 4) for row in rows] + [review(row, (9,) * 4) for row in other]
    found = cell_quality([*rows, *other], reviews, SUITES)
    assert found == {("model-a", "S1"): 4.0, ("model-a", "S2"): 9.0}


def test_void_artifacts_are_in_no_figure(rows):
    reviews = [review(rows[0], (0, 0, 0, 0)), *(review(row, (5, 5, 5, 5)) for row in rows[1:])]
    void = [rows[0].model_copy(update={"voided": True}), *rows[1:]]
    (found,) = qualities(void, reviews, SUITES)
    assert (found.artifacts, found.total) == (2, 20)
    assert cell_quality(void, [review(rows[0], (0, 0, 0, 0))], SUITES) == {}
    fewer = [review(row, (5, 5, 5, 5)) for row in rows[1:]]
    assert cell_quality(void, fewer, SUITES) == {("model-a", "S1"): 5}
    assert cell_quality(rows, fewer, SUITES) == {}


def test_quality_as_data_by_hand(rows):
    reviews = [
        review(rows[0], (8, 8, 8, 8), "Ana"),
        review(rows[0], (6, 8, 4, 0), "Ben"),  # with Ana: 7 8 6 4, sums 32 and 18: 25
        review(rows[1], (5, 5, 5, 5), "Ana"),
        review(rows[2], (10, 9, 10, 9), "Ana"),
        review(rows[2], (0, 0, 0, 0), "some model", method="ai"),
    ]
    data = review_data(rows, reviews, SUITES)
    (one,) = data["quality"]
    assert (one["profile"], one["case"], one["suite"]) == ("model-a", "S1", "assembly")
    assert one["geometry"] == {"median": 60, "out_of": 60}
    assert one["scores"] == {"recognisability": 7, "coherence": 8, "details": 6, "finish": 5}
    assert (one["sum"], one["sum_out_of"], one["both"]) == (25, 40, 85)
    assert one["reviewers"] == {"people": 2, "least_of_an_artifact": 1}
    assert one["spread"]["finish"] == {
        "artifacts": 1,
        "median_range": 8,
        "largest_range": 8,
        "mean_difference": 8,
    }
    assert one["reason"] == one["both_reason"] == one["spread_reason"] == ""
    (provisional,) = data["provisional"]
    assert (provisional["reviewed"], provisional["sum"]) == (1, None)


@pytest.mark.parametrize(
    ("update", "number", "reason", "both_reason"),
    [
        ({}, 2, "pending: 1 of 3 artifacts wait", "pending: 1 of 3 artifacts wait"),
        ({"artifact_sha256": None}, 0, "nothing was delivered", "nothing was delivered"),
        ({"points": 50, "points_of": 55}, 3, "", "not out of 60 points in every trial"),
        ({"points": None, "points_of": None}, 3, "", "could not be judged in full"),
    ],
)
def test_each_null_of_quality_has_its_reason(rows, update, number, reason, both_reason):
    changed = [row.model_copy(update=update) for row in rows]
    reviews = [review(row, (9, 9, 9, 9)) for row in rows[:number]]
    (one,) = review_data(changed, reviews, SUITES)["quality"]
    assert (one["sum"] is None, set(one["scores"].values()) == {None}) == (number < 3,) * 2
    assert reason in one["reason"] and bool(reason) == bool(one["reason"])
    assert one["both"] is None and both_reason in one["both_reason"]
    assert one["spread"] is None and one["spread_reason"] == "no artifact has two reviewers"


def test_spread_of_two_reviewers_by_hand(rows):
    reviews = [
        review(rows[0], (8, 5, 5, 5), "Ana"),
        review(rows[0], (6, 5, 5, 5), "Ben"),
        review(rows[1], (9, 5, 5, 5), "Ana"),
        review(rows[1], (4, 5, 5, 5), "Ben"),
        review(rows[2], (0, 5, 5, 5), "Ana"),  # one alone says nothing of spread
    ]
    first, second, *_ = spreads(reviews)
    assert (first.criterion, first.samples) == ("recognisability", 2)
    assert (first.median_range, first.largest_range) == (3.5, 5)
    assert first.mean_difference == 3.5
    assert second.largest_range == second.mean_difference == 0
    assert spreads(reviews[-1:]) == []
    text = "\n".join(section(rows, reviews))
    assert "### Spread between reviewers" in text and "no coefficient of agreement" in text


def test_consistency_of_duplicates_by_hand():
    same = ("t", "r")
    scored = [(same, "Ana", (8, 8, 8, 8)), (same, "Ana", (6, 8, 8, 4)), (same, "Ben", (0,) * 4)]
    assert duplicate_differences(scored) == (1, 1.5)
    assert duplicate_differences([*scored, (("u", "r"), "Ana", (0,) * 4)]) == (1, 1.5)
    assert duplicate_differences(scored[1:]) is None


def test_notes_cannot_break_the_report(rows):
    reviews = [review(rows[0], (5, 5, 5, 5), "<b>|x", notes="a\n## Results\n<script>")]
    text = "\n".join(section(rows, reviews))
    assert "<script>" not in text and "<b>" not in text and "\n## Results" not in text


def test_a_run_without_such_a_suite_has_no_section(rows):
    growth = [row.model_copy(update={"suite": "growth"}) for row in rows]
    assert section(growth, []) == []
    assert section(rows, [])


def section(rows, reviews):
    imports = [ReviewImport(reviews=tuple(reviews))] if reviews else []
    return review_lines(Reviewed(rows, imports, SUITES))


def compared(before, after):
    def side(host, seconds, scores):
        run = measured(release_run(host, seconds), host)
        changes = {"suite": "assembly", "artifact_sha256": SHA}
        rows = tuple(row.model_copy(update=changes) for row in run.rows)
        reviews = [review(row, scores) for row in rows] if scores else []
        return replace(run, rows=rows, quality=cell_quality(rows, reviews, SUITES))

    return compare_releases([side("host 1", 40.0, before)], [side("host 2", 30.0, after)]).refused


def test_reviews_open_the_comparison_of_assembly_releases():
    assert compared((8, 8, 8, 8), (8, 8, 8, 9)) == ()
    assert any("fell from 8 to 7.75" in line for line in compared((8,) * 4, (8, 8, 8, 7)))
    assert any("not reviewed after" in line for line in compared((8,) * 4, None))
