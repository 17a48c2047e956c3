"""The features that a drawing is dimensioned by, recognised where the kernel runs."""

from __future__ import annotations

from collections.abc import Sequence

from gaugeblock.records.features import Feature
from gaugeblock.ruler.features.building import build_graph
from gaugeblock.ruler.features.recognising import numbered, recognise
from gaugeblock.ruler.reading import ReadSolid
from gaugeblock.ruler.threads.measuring import threads_of_solid


def features_of(solids: Sequence[ReadSolid]) -> tuple[list[Feature], list[str]]:
    """Return the features of solids, and remarks about what is missing.

    Args:
        solids: In the file's order.
    """
    sheets = [
        recognise(build_graph(solid.shape, i), threads_of_solid(solid.shape, i).threads)
        for i, solid in enumerate(solids)
    ]
    refused = sum(len(sheet.refused) for sheet in sheets)
    remarks = [f"{refused} places look like features but are not certain"] if refused else []
    return numbered(sheets), remarks
