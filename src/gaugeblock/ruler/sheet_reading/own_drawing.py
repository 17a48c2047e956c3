"""A drawing that was delivered beside a part: its own geometry held against the sheet's list.

Only what its dimensions measure counts, not what their texts say. It is self-consistency: nothing
ties the lines of a delivered drawing to the delivered part.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gaugeblock.records.drawing import DrawingMatch, Uncounted
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.scoring import DrawingCheck
from gaugeblock.records.sheet_reading import ReadDimension, SheetReading
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.reading_back import PRINTED, Reading, match_readings

if TYPE_CHECKING:
    from gaugeblock.ruler import Ruler


MOST_MEASURED = 400
"""Most dimensions of a delivered drawing. The assignment grows with their number times the sheet's;
sheets of the suite have below 60."""


def check_own_drawing(
    ruler: Ruler,
    content: bytes,
    dimensions: Sequence[SheetDimension],
    *,
    wall_s: float | None = None,
) -> DrawingCheck:
    """Hold a delivered DXF against the sheet's dimensions.

    Args:
        ruler: Reads it, in its worker.
        content: Of the file; hostile.
        dimensions: What stands on the sheet.
        wall_s: Time ceiling in s; None takes the ruler's own.

    Raises:
        WrongUse: a dimension has no tolerance: no limits of its own, and ISO 2768 covers it not.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "drawing.dxf")
        path.write_bytes(content)
        reading = ruler.read_dxf(path, wall_s=wall_s)
    if reading.verdict != "measured":
        return DrawingCheck(state="could-not-measure", reason=f"own drawing: {reading.reason}")
    try:
        return DrawingCheck(state="scored", match=match_reading(reading, dimensions))
    except CouldNotMeasure as error:
        return DrawingCheck(state="could-not-measure", reason=f"own drawing: {error}")


def match_reading(reading: SheetReading, dimensions: Sequence[SheetDimension]) -> DrawingMatch:
    """Look for a sheet's dimensions among what a drawing measures.

    A count before × is believed of a dimension whose size is measured: the drawing's lines are not
    followed to its further places.

    Args:
        reading: Of the drawing.
        dimensions: What is looked for.

    Raises:
        WrongUse: a dimension has no tolerance.
        CouldNotMeasure: the assignment could not be solved.
    """
    found: list[Reading] = []
    uncounted = [
        Uncounted(text=left.text, view=left.where, reason=left.reason) for left in reading.left_out
    ]
    for item in reading.dimensions:
        lie = _lie(item)
        if lie is not None:
            label = item.dimension.label
            uncounted.append(Uncounted(text=label, view=item.where, reason=lie))
        if item.measured is not None:
            kind, count = item.dimension.type, item.dimension.count
            label = item.dimension.label
            found.append(Reading(kind, item.measured, count, item.where, label))
    if len(found) > MOST_MEASURED:
        raise CouldNotMeasure(f"{len(found)} dimensions; at most {MOST_MEASURED} are held against")
    return match_readings(found, uncounted, dimensions)


def _lie(item: ReadDimension) -> str | None:
    """Return what a size's text hides, or that nothing measures it."""
    if item.measured is None:
        return "text alone: no geometry of the drawing measures it"
    if abs(item.measured - item.dimension.value) > PRINTED:
        return f"prints {item.dimension.value:g}, measures {item.measured:.6g}"
    return None
