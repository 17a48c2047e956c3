"""What the reference itself reaches against its sheet, measured before any agent is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.records.drawing import DrawingMatch
from gaugeblock.records.drawing_task import Ceilings, ChanceRates
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.features import FeatureSet
from gaugeblock.records.spectrum import SheetDimension, SheetMatch
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.reading_back import match as match_drawing
from gaugeblock.ruler.matching.match import match as match_features
from gaugeblock.ruler.spectrum.chance import random_hits
from gaugeblock.ruler.spectrum.matching import match_sheet


@dataclass(frozen=True)
class Measured:
    """The ceilings of a part, and what they stand on."""

    ceilings: Ceilings
    dimensions: SheetMatch
    features: FeatureSet
    drawing: DrawingMatch


def measure_ceilings(
    ruler: Ruler,
    reference: Path,
    dimensions: Sequence[SheetDimension],
    *,
    wall_s: float | None = None,
) -> Measured:
    """Measure a reference as a delivery is: its body, its features, its own drawing of the list.

    Args:
        ruler: asked three times.
        reference: its STEP.
        dimensions: what stands on the sheet.
        wall_s: time ceiling of each question in s; None takes the ruler's own.

    Raises:
        WrongUse: a dimension has no tolerance: none of its own, and ISO 2768 covers it not.
        CouldNotMeasure: one of the three could not be had; a case without it is none.
    """
    spectrum = ruler.spectrum(reference, wall_s)
    found = match_sheet(spectrum, dimensions)
    hits = random_hits(spectrum)
    if found.found is None or found.found_extended is None or spectrum.diagonal is None:
        raise CouldNotMeasure(f"dimensions of the reference: {found.reason}")
    rates = (hits.length, hits.diameter, hits.radius, hits.angle)
    if hits.verdict != "measured" or any(rate is None for rate in rates):
        raise CouldNotMeasure(f"random-hit rate of the reference: {hits.reason}")
    features = ruler.features(reference, wall_s)
    alike = match_features(features, features, None, diagonal=spectrum.diagonal)
    if alike.semantic_match is None:
        raise CouldNotMeasure(f"features of the reference: {alike.reason}")
    sheet = ruler.draw(reference, DrawOptions(dimensions=tuple(dimensions)), wall_s=wall_s)
    drawing = match_drawing(sheet, dimensions)
    ceilings = Ceilings(
        asked=found.asked,
        measurable=found.found,
        measurable_extended=found.found_extended,
        drawn=drawing.found,
        semantic_match=alike.semantic_match,
        chance=ChanceRates.model_validate(hits.model_dump(include=set(ChanceRates.model_fields))),
    )
    return Measured(ceilings, found, features, drawing)
