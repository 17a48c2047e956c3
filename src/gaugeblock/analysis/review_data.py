"""Reviewed quality as data: what ``summary.json`` says of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from gaugeblock.analysis.columns import AnyRow
from gaugeblock.analysis.markdown import clean
from gaugeblock.analysis.reviews import Quality, Spread, qualities
from gaugeblock.records.review import CRITERIA, MOST, ImportedReview

NO_SPREAD = "no artifact has two reviewers"


def review_data(
    rows: Sequence[AnyRow], reviews: Sequence[ImportedReview], suites: Collection[str]
) -> dict[str, Any]:
    """Return reviewed quality of each profile on each case; a figure that waits is null.

    Args:
        rows: of one run, amendments applied.
        reviews: of the same run.
        suites: suites that are reviewed.
    """
    judged_by_models = qualities(rows, reviews, suites, "ai")
    return {
        "suites": sorted(suites),
        "quality": [_quality(item) for item in qualities(rows, reviews, suites)],
        "provisional": [_quality(item) for item in judged_by_models if item.reviewed],
    }


def _quality(item: Quality) -> dict[str, Any]:
    scores: dict[str, float | None] = dict.fromkeys(CRITERIA)
    if item.scores is not None:
        scores.update(zip(CRITERIA, item.scores, strict=True))
    return {
        "profile": clean(item.profile),
        "scripted": item.scripted,
        "suite": item.suite,
        "case": item.step,
        "artifacts": item.artifacts,
        "undelivered": item.undelivered,
        "geometry": {"median": item.points, "out_of": item.points_of},
        "reviewed": item.reviewed,
        "reviewers": {"people": item.people, "least_of_an_artifact": item.least},
        "scores": scores,
        "sum": item.total,
        "sum_out_of": MOST,
        "reason": item.waits,
        "both": item.overall,
        "both_reason": item.no_overall,
        "spread": {one.criterion: _spread(one) for one in item.spread} or None,
        "spread_reason": "" if item.spread else NO_SPREAD,
    }


def _spread(one: Spread) -> dict[str, Any]:
    return {
        "artifacts": one.samples,
        "median_range": one.median_range,
        "largest_range": one.largest_range,
        "mean_difference": one.mean_difference,
    }
