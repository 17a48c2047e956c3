"""Grading of the five dimensions: every threshold at its edge, ceilings, and what is unknown."""

from __future__ import annotations

import pytest
from made_sheets import ARTIFACT, M8, delivered, iou, measured, scoring, task

from gaugeblock.records.case import Round, Truth
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites import Delivered
from gaugeblock.suites.drawings.grading import CHECKS, CRITERIA, grade

ASKED = Round(id="plate", growth=1, instruction={"en": "Build it."}, parameters={}, truth=Truth())


def judged(what=None, said=None, **more):
    what = task() if what is None else what
    return grade(ASKED, delivered(what, said or scoring(), **more), ruler_fingerprint="r")


def verdict(found, name):
    return next(check.verdict for check in found.checks if check.name == name)


def three(found):
    return found.verdict, found.apart["raw"], found.apart["exact"]


def test_all_that_is_right_passes_three_ways():
    found = judged()
    assert three(found) == ("passed", "pass", "pass")
    assert tuple(check.name for check in found.checks) == CHECKS
    assert verdict(found, "threadMatch") == "not-applicable"
    assert found.figures == {
        "dimensionRecall": 1.0,
        "semanticMatch": 1.0,
        "shapeIoU": 1.0,
        "drawingMatch": 1.0,
        "extendedRecall": 1.0,
    }
    assert found.scoring_sha256 == scoring().content_sha256()


def test_the_thresholds_are_the_specification():
    assert CRITERIA == {
        "dimensionRecall": 0.95,
        "semanticMatch": 0.90,
        "shapeIoU": 0.90,
        "threadMatch": 1.0,
        "drawingMatch": 0.90,
    }


@pytest.mark.parametrize(
    ("name", "said", "passes"),
    [
        ("dimensionRecall", scoring(found=19), True),  # 19/20 = 0.95
        ("dimensionRecall", scoring(found=18), False),
        ("semanticMatch", scoring(features=(9, 10)), True),
        ("semanticMatch", scoring(features=(8, 9)), False),  # 0.889
        ("shapeIoU", scoring(shape=iou(0.90, 0.0)), True),
        ("shapeIoU", scoring(shape=iou(0.8999, 0.0)), False),
        ("drawingMatch", scoring(drawn=18), True),  # 18/20 = 0.90
        ("drawingMatch", scoring(drawn=17), False),
    ],
)
def test_each_threshold_at_its_edge(name, said, passes):
    found = judged(said=said)
    assert three(found) == (("passed", "pass", "fail") if passes else ("failed", "fail", "fail"))
    assert found.failed() == (() if passes else (name,))


@pytest.mark.parametrize(("asked", "least"), [(20, 19), (40, 38), (17, 17), (60, 57), (21, 20)])
def test_recall_is_compared_as_counts(asked, least):
    """The least count c with 100 c ≥ 95 n, for sheets of any length."""
    ends = {
        count: judged(task(asked), scoring(asked, found=count, drawn=asked)).verdict
        for count in (least - 1, least)
    }
    assert ends == {least - 1: "failed", least: "passed"}


@pytest.mark.parametrize(("found", "outcome"), [(13, "passed"), (12, "failed")])
def test_a_ceiling_below_the_threshold_is_enough(found, outcome):
    """13 of 16 is 0.81; the reference itself reaches no more."""
    what = task(16, measurable=13)
    again = judged(what, scoring(16, found=found, drawn=16))
    assert (again.verdict, again.apart["raw"]) == (outcome, "fail")
    assert again.apart["exact"] == ("pass" if found == 13 else "fail")


def test_a_ceiling_never_raises_a_threshold():
    """All 20 can be measured; 19 stay enough."""
    assert three(judged(said=scoring(found=19))) == ("passed", "pass", "fail")


def test_more_than_the_reference_reaches_is_right_as_well():
    assert three(judged(task(measurable=18), scoring(found=20))) == ("passed", "pass", "pass")


def test_each_figure_has_its_ceiling():
    low = task(drawn=15, semantic=0.8)
    assert three(judged(low, scoring(drawn=15, features=(8, 10)))) == ("passed", "fail", "pass")
    assert judged(low, scoring(drawn=14, features=(8, 10))).failed() == ("drawingMatch",)
    assert judged(low, scoring(drawn=15, features=(7, 10))).failed() == ("semanticMatch",)


def test_exact_asks_for_the_distances_of_axes_too():
    what = task(measurable=18, extended=20)
    assert three(judged(what, scoring(found=19, extended=19))) == ("passed", "pass", "fail")
    assert three(judged(what, scoring(found=19, extended=20))) == ("passed", "pass", "pass")


@pytest.mark.parametrize(
    ("shape", "outcome", "exact"),
    [
        (iou(1.0 - 1e-9, 1e-8), "passed", "pass"),
        (iou(0.99, 1e-9), "passed", "fail"),
        (iou(0.9, 1e-3), "could-not-grade", "fail"),  # 0.899 … 0.901
        (iou(0.8985, 1e-3), "failed", "fail"),
        (iou(1.0, 1e-3), "passed", "could-not-measure"),
        (iou(None), "could-not-grade", "could-not-measure"),
    ],
)
def test_a_shape_too_rough_to_tell_is_neither(shape, outcome, exact):
    found = judged(said=scoring(shape=shape))
    assert (found.verdict, found.apart["exact"]) == (outcome, exact)


@pytest.mark.parametrize(
    ("match", "outcome"), [(1.0, "passed"), (0.0, "failed"), (None, "could-not-grade")]
)
def test_threads_are_all_or_nothing(match, outcome):
    found = judged(task(threads=(M8,)), scoring(threads=match))
    assert found.verdict == outcome
    assert found.figures.get("threadMatch") == match


def test_threads_that_the_ruler_no_longer_sees_are_no_pass():
    found = judged(task(threads=(M8,)), scoring(threads="none"))
    assert verdict(found, "threadMatch") == "could-not-measure"
    assert found.verdict == "could-not-grade"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (scoring(found=None), "dimensionRecall"),
        (scoring(features=None), "semanticMatch"),
        (scoring(drawn=None), "drawingMatch"),
    ],
)
def test_what_could_not_be_measured_is_no_verdict(said, name):
    found = judged(said=said)
    assert verdict(found, name) == "could-not-measure"
    assert name not in found.figures
    assert three(found) == ("could-not-grade", "could-not-measure", "could-not-measure")


def test_a_sure_failure_outweighs_an_unknown():
    found = judged(said=scoring(features=None, found=3))
    assert three(found) == ("failed", "fail", "fail")
    assert found.failed() == ("dimensionRecall",)


def test_parts_without_features_have_nothing_to_be_wrong():
    found = judged(said=scoring(features=(0, 0)))
    assert verdict(found, "semanticMatch") == "not-applicable"
    assert found.verdict == "passed"


def test_nothing_delivered_has_no_other_check():
    found = grade(ASKED, Delivered(task=task()), ruler_fingerprint="r")
    assert [check.name for check in found.checks] == ["delivered"]
    assert three(found) == ("failed", "fail", "fail")
    assert found.figures == {}


@pytest.mark.parametrize(
    ("read", "outcome"),
    [
        (measured(solids=2), "failed"),
        (measured(solids=0, valid=False), "failed"),
        (measured(valid=False), "failed"),
        (measured(faces=6), "failed"),
        (measured(valid=None), "could-not-grade"),
        (None, "could-not-grade"),
    ],
)
def test_one_valid_solid_is_asked_for(read, outcome):
    found = judged(measurement=read)
    assert found.verdict == outcome
    assert verdict(found, "delivered") != "pass"


def test_lines_beside_the_solid_are_told_and_not_judged():
    found = judged(measurement=measured(edges=2))
    assert three(found) == ("passed", "pass", "pass")
    assert found.notes == ("2 edges that belong to no face; not judged",)


def test_an_unscored_delivery_could_not_be_graded():
    found = grade(ASKED, delivered(task(), None), ruler_fingerprint="r")
    assert found.verdict == "could-not-grade"
    assert len(found.checks) == len(CHECKS)


@pytest.mark.parametrize(
    ("what", "more", "said"),
    [
        (task(), {"artifact_sha256": "d" * 64}, "the artifact is"),
        (task().model_copy(update={"reference_sha256": "d" * 64}), {}, "the case's reference"),
        (task(19), {}, "another list of dimensions"),
        (task(), {"artifact_sha256": None}, "without an artifact"),
        (task(), {"task": None}, "what its sheet asks"),
    ],
)
def test_records_of_other_files_are_refused(what, more, said):
    with pytest.raises(WrongUse, match=said):
        judged(what, **more)


def test_a_drawing_of_its_own_changes_nothing():
    plain = scoring()
    own = plain.model_copy(update={"own_drawing": scoring(drawn=1).drawing})
    assert judged(said=own).checks == judged(said=plain).checks
    assert judged(said=own).notes == ("its own drawing, apart: 1 of 20 dimensions (0.05)",)
    assert judged().artifact_sha256 == ARTIFACT
