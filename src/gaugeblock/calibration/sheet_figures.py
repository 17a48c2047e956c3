"""The five figures of a delivery of suite drawings, and which of them fell below the reference's.

A figure is taken from the record that the suite grades by, so that what is proven is what judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gaugeblock.calibration.figures import IOU
from gaugeblock.calibration.records import Moved, numbers
from gaugeblock.records.drawing import DrawingMatch
from gaugeblock.records.drawing_task import FIGURES
from gaugeblock.records.feature_match import FeatureMatch
from gaugeblock.records.scoring import Scoring, ThreadMatch
from gaugeblock.records.spectrum import SheetMatch

SHARE = 1e-12
"""Least fall of a share of counts: of 10,000 two differ by 1e-8, floating point by 1e-16."""

LISTED = 3
"""Lost sizes or changed features that a finding names; more are counted."""


@dataclass(frozen=True)
class Five:
    """The five figures of one delivery; None: not measured, or the part has no such thing."""

    dimensions: SheetMatch
    features: FeatureMatch | None = None
    shape: float | None = None
    shape_error: float = 0.0
    """How far the IoU may be off, by the ruler's own estimate."""
    threads: ThreadMatch | None = None
    drawing: DrawingMatch | None = None

    def value(self, figure: str) -> float | None:
        """Return one of `FIGURES`."""
        return _VALUE[figure](self)


_VALUE: dict[str, Callable[[Five], float | None]] = {
    "dimensionRecall": lambda five: five.dimensions.recall,
    "semanticMatch": lambda five: five.features.semantic_match if five.features else None,
    "shapeIoU": lambda five: five.shape,
    "threadMatch": lambda five: five.threads.match if five.threads else None,
    "drawingMatch": lambda five: five.drawing.match if five.drawing else None,
}


def five_of(scoring: Scoring) -> Five:
    """Return the figures of a whole scoring."""
    aligned = scoring.overlap.aligned
    return Five(
        scoring.dimensions,
        scoring.features,
        aligned.iou if aligned else None,
        (aligned.error_estimate or 0.0) if aligned else 0.0,
        scoring.threads,
        scoring.drawing.match,
    )


def fallen(reference: Five, delivery: Five) -> tuple[list[Moved], tuple[str, ...]]:
    """Return the figures that fell below the reference's, and those that cannot be told.

    An IoU that is lower by less than its own error is one of the latter.
    """
    found, unknown = [], []
    for name in FIGURES:
        before, after = reference.value(name), delivery.value(name)
        if before is None:
            continue
        if after is None:
            unknown.append(name)
            continue
        noise = IOU if name == "shapeIoU" else SHARE
        if name == "shapeIoU" and noise < before - after <= delivery.shape_error:
            unknown.append(name)
        elif before - after > noise:
            found.append(
                Moved(
                    figure=name,
                    reference=before,
                    mutant=after,
                    deviation=before - after,
                    tolerance=noise,
                    outside=True,
                )
            )
    return found, tuple(unknown)


def named(reference: Five, delivery: Five, figure: str) -> tuple[str, ...]:
    """Return what a fallen figure says is wrong: lost sizes, features, threads; nothing of a shape.

    The sizes are the labels on the sheet, features and threads are told in words.
    """
    return tuple(_NAMED[figure](reference, delivery))


def _sizes(reference: Five, delivery: Five) -> Iterator[str]:
    for before, after in zip(reference.dimensions.values, delivery.dimensions.values, strict=False):
        if before.found and not after.found:
            near = "" if after.nearest is None else f", nearest {after.nearest.value:.6g}"
            yield f"{after.dimension.label} ({after.reason}{near})"


def _features(reference: Five, delivery: Five) -> Iterator[str]:
    del reference
    yield from delivery.features.differences if delivery.features else ()


def _threads(reference: Five, delivery: Five) -> Iterator[str]:
    del reference
    outcomes = delivery.threads.outcomes if delivery.threads else ()
    yield from (outcome.finding for outcome in outcomes if outcome.right is False)


def _drawn(reference: Five, delivery: Five) -> Iterator[str]:
    if reference.drawing is None or delivery.drawing is None:
        return
    for before, after in zip(reference.drawing.values, delivery.drawing.values, strict=False):
        if before.found and not after.found:
            yield f"{after.dimension.label} ({after.reason})"


_NAMED: dict[str, Callable[[Five, Five], Iterator[str]]] = {
    "dimensionRecall": _sizes,
    "semanticMatch": _features,
    "shapeIoU": lambda reference, delivery: iter(()),
    "threadMatch": _threads,
    "drawingMatch": _drawn,
}


def told(reference: Five, delivery: Five, moved: list[Moved]) -> str:
    """Return in one line which figures fell, from where, and what each names."""
    words = []
    for move in moved:
        what = named(reference, delivery, move.figure)
        more = f"; and {len(what) - LISTED} more" if len(what) > LISTED else ""
        names = f": {'; '.join(what[:LISTED])}{more}" if what else ""
        (before,), (after,) = numbers(move.reference), numbers(move.mutant)
        words.append(f"{move.figure} {after:.6g} instead of {before:.6g}{names}")
    return " | ".join(words)
