"""The five dimensions of a delivery, each against its threshold and its case's ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gaugeblock.records.drawing_task import DrawingTask
from gaugeblock.records.grade import Verdict
from gaugeblock.records.scoring import Scoring
from gaugeblock.suites.drawings.thresholds import SAME_SHAPE, THRESHOLDS

TOLD = 3
"""Findings of one dimension that are told in words; more are counted."""

CEILING_SLACK = 1e-9
"""How far a share may lie below a ceiling that was written down as a decimal number."""


@dataclass(frozen=True)
class Dimension:
    """One dimension, judged three ways.

    Attributes:
        name: one of `FIGURES`.
        formula: what is asked, in words.
        threshold: the raw one.
        value: as measured; None: not measured, or not applicable.
        reachable: at the threshold, or at the ceiling.
        raw: at the threshold.
        exact: at the ceiling.
        finding: what lacks, in one line; empty: nothing does.
    """

    name: str
    formula: str
    threshold: float
    value: float | None
    reachable: Verdict
    raw: Verdict
    exact: Verdict
    finding: str


def dimensions_of(task: DrawingTask, scoring: Scoring | None) -> list[Dimension]:
    """Judge all five.

    Args:
        task: with the ceilings.
        scoring: what the ruler said; None: it was not asked.
    """
    if scoring is None:
        return [_unknown(name, "", "the delivery was not scored") for name in THRESHOLDS]
    return [
        _recall(task, scoring),
        _features(task, scoring),
        _shape(scoring),
        _threads(task, scoring),
        _drawing(task, scoring),
    ]


def _threshold(name: str) -> str:
    return f"{float(THRESHOLDS[name]):g}"


def _unknown(name: str, formula: str, why: str) -> Dimension:
    unknown: Verdict = "could-not-measure"
    threshold = float(THRESHOLDS[name])
    return Dimension(name, formula, threshold, None, unknown, unknown, unknown, why)


def _not_applicable(name: str, formula: str, why: str) -> Dimension:
    apart: Verdict = "not-applicable"
    return Dimension(name, formula, float(THRESHOLDS[name]), None, apart, apart, apart, why)


def _told(lines: Sequence[str]) -> str:
    more = len(lines) - TOLD
    return "; ".join(lines[:TOLD]) + (f"; and {more} more" if more > 0 else "")


def _of_count(
    name: str, formula: str, share: tuple[int, int], *, at_ceiling: bool, exact: bool, finding: str
) -> Dimension:
    """Judge a share of a count: found, asked."""
    found, asked = share
    raw = Fraction(found, asked) >= THRESHOLDS[name]
    return Dimension(
        name,
        formula,
        float(THRESHOLDS[name]),
        found / asked,
        "pass" if raw or at_ceiling else "fail",
        "pass" if raw else "fail",
        "pass" if exact else "fail",
        finding,
    )


def _recall(task: DrawingTask, scoring: Scoring) -> Dimension:
    name, ceilings, match = "dimensionRecall", task.ceilings, scoring.dimensions
    most = f"{ceilings.measurable} of {ceilings.asked}"
    formula = f"dimensions found on the part / on the sheet ≥ {_threshold(name)}, or {most}"
    if match.found is None or match.found_extended is None or not match.asked:
        return _unknown(name, formula, match.reason or "its dimensions could not be measured")
    at_ceiling = match.found >= ceilings.measurable
    lost = [f"{v.dimension.label}: {v.reason}" for v in match.values if not v.found]
    return _of_count(
        name,
        formula,
        (match.found, match.asked),
        at_ceiling=at_ceiling,
        exact=at_ceiling and match.found_extended >= ceilings.measurable_extended,
        finding=f"{match.found} of {match.asked}; {_told(lost)}".rstrip("; "),
    )


def _features(task: DrawingTask, scoring: Scoring) -> Dimension:
    name, match, ceiling = "semanticMatch", scoring.features, task.ceilings.semantic_match
    formula = f"right features / all features ≥ {_threshold(name)}, or {ceiling:g}"
    if match.state == "no-features":
        return _not_applicable(name, formula, match.reason or "neither part has a feature")
    if match.state != "scored" or match.semantic_match is None:
        return _unknown(name, formula, match.reason or "its features could not be compared")
    kinds = match.kinds.values()
    right = sum(kind.matched for kind in kinds)
    most = max(sum(kind.reference for kind in kinds), sum(kind.candidate for kind in kinds))
    at_ceiling = right / most >= ceiling - CEILING_SLACK
    return _of_count(
        name,
        formula,
        (right, most),
        at_ceiling=at_ceiling,
        exact=at_ceiling,
        finding=f"{right} of {most}; {_told(match.differences)}".rstrip("; "),
    )


def _shape(scoring: Scoring) -> Dimension:
    name, overlap = "shapeIoU", scoring.overlap
    formula = f"V(part ∩ reference) / V(part ∪ reference), aligned, ≥ {_threshold(name)}"
    if overlap.aligned is None or overlap.verdict != "measured":
        return _unknown(name, formula, overlap.reason or "no alignment was found")
    iou, error = overlap.aligned.iou, overlap.aligned.error_estimate or 0.0
    if overlap.aligned.verdict != "measured" or iou is None:
        return _unknown(name, formula, overlap.aligned.reason or "the overlap was not measured")
    threshold = float(THRESHOLDS[name])
    raw = _sure(iou, error, threshold)
    exact = _sure(iou, error, 1.0 - SAME_SHAPE)
    finding = f"IoU {iou:.4f}"
    if raw == "could-not-measure":
        finding += f" ± {error:.1g}: too near {threshold:g} to tell"
    if overlap.mirrored is not None and overlap.mirrored.better:
        finding += "; its mirror image fits better"
    if overlap.scale is not None and overlap.scale.unit is not None:
        finding += f"; its size is off by a unit: {overlap.scale.unit}"
    return Dimension(name, formula, threshold, iou, raw, raw, exact, finding)


def _sure(value: float, error: float, least: float) -> Verdict:
    """Judge a value that may be off by `error`; where that decides, it could not be measured."""
    if value - error >= least or (error == 0 and value >= least):
        return "pass"
    return "fail" if value + error < least else "could-not-measure"


def _threads(task: DrawingTask, scoring: Scoring) -> Dimension:
    name, match = "threadMatch", scoring.threads
    formula = "every thread of the reference is right, and none is too many"
    if match.state == "no-threads":
        if not task.threads:
            return _not_applicable(name, formula, "the sheet calls for no thread")
        return _unknown(name, formula, "the sheet calls for threads, the reference shows none")
    if match.state != "scored" or match.match is None:
        return _unknown(name, formula, match.reason or "its threads could not be measured")
    verdict: Verdict = "pass" if match.match >= 1 else "fail"
    lost = [outcome.finding for outcome in match.outcomes if outcome.right is not True]
    return Dimension(name, formula, 1.0, match.match, verdict, verdict, verdict, _told(lost))


def _drawing(task: DrawingTask, scoring: Scoring) -> Dimension:
    name, ceilings, drawing = "drawingMatch", task.ceilings, scoring.drawing
    most = f"{ceilings.drawn} of {ceilings.asked}"
    formula = f"dimensions found on its own drawing / on the sheet ≥ {_threshold(name)}, or {most}"
    match = drawing.match
    if drawing.state != "scored" or match is None or not match.asked:
        return _unknown(name, formula, drawing.reason or "its drawing could not be measured")
    lost = [f"{v.dimension.label}: {v.reason}" for v in match.values if not v.found]
    at_ceiling = match.found >= ceilings.drawn
    return _of_count(
        name,
        formula,
        (match.found, match.asked),
        at_ceiling=at_ceiling,
        exact=at_ceiling,
        finding=f"{match.found} of {match.asked}; {_told(lost)}".rstrip("; "),
    )
