"""The five dimensions of one candidate, composed from the ruler's answers.

Nothing is measured here: every question goes to the worker, and what comes back are records.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.feature_match import FeatureMatch
from gaugeblock.records.features import FeatureSet
from gaugeblock.records.overlap import Alignment, Overlap
from gaugeblock.records.scoring import DrawingCheck, Scoring
from gaugeblock.records.spectrum import SheetDimension, SheetMatch, Spectrum
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.reading_back import match as match_drawing
from gaugeblock.ruler.matching.match import match as match_features
from gaugeblock.ruler.matching.match import unscored
from gaugeblock.ruler.matching.threads import match_threads
from gaugeblock.ruler.matching.tolerances import RIGHT
from gaugeblock.ruler.sheet_reading.own_drawing import check_own_drawing
from gaugeblock.ruler.spectrum.matching import match_sheet
from gaugeblock.ruler.spectrum.tolerances import check_sheet

if TYPE_CHECKING:
    from gaugeblock.ruler import Ruler

T = TypeVar("T")


def score(
    ruler: Ruler,
    reference: Path,
    candidate: Path,
    dimensions: Sequence[SheetDimension],
    *,
    own_drawing: bytes | None = None,
    wall_s: float | None = None,
) -> Scoring:
    """Hold a candidate against a reference and its sheet.

    Args:
        ruler: is asked; each answer stands by itself, and one that fails takes no other along.
        reference: the STEP that says what is right.
        candidate: the STEP that was delivered, in any pose.
        dimensions: what stands on the sheet.
        own_drawing: the DXF that was delivered beside it; None: there is none.
        wall_s: time ceiling of each question in s; None takes the ruler's own.

    Raises:
        WrongUse: a dimension has no tolerance: no limits of its own, and ISO 2768 covers it not.
        FileNotFoundError: a file is not there.
        PermissionError: a file may not be read.
    """
    check_sheet(dimensions)
    timings: dict[str, float] = {}

    def timed(step: str, work: Callable[[], T]) -> T:
        begun = time.perf_counter()
        try:
            return work()
        finally:
            timings[step] = round(time.perf_counter() - begun, 6)

    spectrum = timed("spectrum", lambda: ruler.spectrum(candidate, wall_s))
    overlap = timed("overlap", lambda: ruler.compare(reference, candidate, wall_s=wall_s))
    right = timed("reference features", lambda: ruler.features(reference, wall_s))
    whole = timed("reference spectrum", lambda: ruler.spectrum(reference, wall_s))
    found = timed("features", lambda: ruler.features(candidate, wall_s))
    drawing = timed("drawing", lambda: drawn(ruler, candidate, overlap, dimensions, wall_s=wall_s))
    features = _features(right, found, overlap, whole.diagonal)
    own = None
    if own_drawing is not None:
        own = timed(
            "own drawing",
            lambda: check_own_drawing(ruler, own_drawing, dimensions, wall_s=wall_s),
        )
    return Scoring(
        reference=overlap.a,
        candidate=overlap.b,
        dimensions=_dimensions(spectrum, dimensions),
        features=features,
        overlap=overlap,
        threads=match_threads(right, found, features),
        drawing=drawing,
        own_drawing=own,
        timings=timings,
    )


def drawn(
    ruler: Ruler,
    candidate: Path,
    overlap: Overlap,
    dimensions: Sequence[SheetDimension],
    *,
    wall_s: float | None = None,
) -> DrawingCheck:
    """Draw a part with the sheet's dimensions, as the reference lies, and measure the drawing.

    Args:
        ruler: draws.
        candidate: the part.
        overlap: of the reference with it, aligned.
        dimensions: what stands on the sheet.
        wall_s: time ceiling in s; None takes the ruler's own.
    """
    if overlap.alignment is None:
        return DrawingCheck(state="could-not-measure", reason=_no_pose(overlap))
    options = DrawOptions(dimensions=tuple(dimensions), laid_back=_needed(overlap.alignment))
    try:
        sheet = ruler.draw(candidate, options, wall_s=wall_s)
        match = match_drawing(sheet, dimensions)
    except CouldNotMeasure as error:
        return DrawingCheck(state="could-not-measure", reason=str(error))
    return DrawingCheck(state="scored", match=match)


STILL_MM, STILL_DEG = 1e-6, 1e-6
"""A motion this small is none, mm and degrees: what fitting two equal parts leaves. A part that
lies as the reference does is then drawn from its own coordinates, to the last digit."""


def _needed(motion: Alignment) -> Alignment | None:
    """Return the motion, None where it moves nothing."""
    far = max(map(abs, motion.translation))
    return None if motion.angle_deg <= STILL_DEG and far <= STILL_MM else motion


def _no_pose(overlap: Overlap) -> str:
    why = overlap.reason or (overlap.aligned.reason if overlap.aligned else None)
    return f"its pose against the reference is unknown: {why or 'no motion was found'}"


def _features(
    right: FeatureSet, found: FeatureSet, overlap: Overlap, diagonal: float | None
) -> FeatureMatch:
    """Return the features' account; without a common pose there is none."""
    if right.verdict == found.verdict == "measured":
        if overlap.alignment is None:
            return unscored(right, found, RIGHT, _no_pose(overlap))
        if diagonal is None:
            return unscored(right, found, RIGHT, "the reference's box could not be measured")
    return match_features(right, found, overlap.alignment, diagonal=diagonal or 0.0)


def _dimensions(spectrum: Spectrum, dimensions: Sequence[SheetDimension]) -> SheetMatch:
    try:
        return match_sheet(spectrum, dimensions)
    except CouldNotMeasure as error:
        return SheetMatch(
            verdict="could-not-measure", code="solver", reason=str(error), asked=len(dimensions)
        )
