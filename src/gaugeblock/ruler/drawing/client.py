"""The parent's side of a drawing: asks the worker for a sheet, believes nothing unchecked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, ValidationError

from gaugeblock.records.base import Record
from gaugeblock.records.drawing import Toleranced
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.sheet import Sheet, Title
from gaugeblock.ruler.text import REASON_LIMIT, clean_text
from gaugeblock.ruler.views.cameras import Convention

if TYPE_CHECKING:
    from gaugeblock.sandbox import JobResult

RESULT_BYTES = 128 * 1024 * 1024
"""Largest answer, in bytes: 100,000 lines of a view take 20 MB."""

SECONDS = 90.0
"""Default time ceiling of one drawing in s: parts of 100 faces take some 3 s."""

NOTES_MOST = 100
"""Notes that are kept."""


class DrawOptions(Record):
    """What the caller decides of a drawing; everything else follows from the part."""

    title: Title = Field(default_factory=lambda: Title(name=""))
    """An empty name takes the part's own, or the file's where the part has none."""
    format: Literal["A4", "A3"] | None = None
    convention: Convention = "first-angle"
    scale: tuple[int, int] | None = None
    """Such as (1, 2) for 1:2; None: chosen."""
    dimensions: tuple[SheetDimension, ...] | None = None
    """What stands on the sheet, and nothing else; None: chosen."""
    toleranced: tuple[Toleranced, ...] = ()
    """Tolerances printed behind chosen sizes; a list of `dimensions` has its own."""


def request(options: DrawOptions | None, stem: str, wall_s: float) -> dict[str, Any]:
    """Return what the worker is asked for.

    Args:
        options: What the caller decides.
        stem: The file's name without its ending; hostile text.
        wall_s: Time ceiling in s.
    """
    asked = (options or DrawOptions()).model_dump(mode="json")
    return {"options": asked, "stem": clean_text(stem), "wall_s": wall_s}


def sheet_of_answer(result: JobResult, wall_s: float) -> Sheet:
    """Return the sheet that the worker answered with.

    Args:
        result: What became of the job.
        wall_s: Its time ceiling in s, for the message.

    Raises:
        CouldNotMeasure: there is no sheet; the text says why.
    """
    if result.status == "timeout":
        raise CouldNotMeasure(f"not drawn within {wall_s:g} s; see --seconds")
    if result.status != "done":
        raise CouldNotMeasure(f"the worker {result.status} ({_line(result.error)})")
    if "refused" in result.value:
        raise CouldNotMeasure(_line(result.value["refused"]))
    try:
        sheet = Sheet.model_validate(result.value.get("sheet"))
    except ValidationError as error:
        faults = len(error.errors())
        raise CouldNotMeasure(f"the worker's answer is not a sheet: {faults} faults") from error
    return _cleaned(sheet)


def _cleaned(sheet: Sheet) -> Sheet:
    """Return a sheet whose every text is one harmless line."""
    title = {name: clean_text(str(text)) for name, text in sheet.title.model_dump().items()}
    return sheet.model_copy(
        update={
            "title": Title.model_validate(title),
            "labels": tuple(
                label.model_copy(update={"text": clean_text(label.text)}) for label in sheet.labels
            ),
            "dims": tuple(
                dim.model_copy(update={"text": clean_text(dim.text)}) for dim in sheet.dims
            ),
            "tables": tuple(
                table.model_copy(
                    update={"rows": tuple(tuple(map(clean_text, row)) for row in table.rows)}
                )
                for table in sheet.tables
            ),
            "undimensioned": tuple(
                face.model_copy(
                    update={
                        "kind": clean_text(face.kind),
                        "what": clean_text(face.what),
                        "feature": None if face.feature is None else clean_text(face.feature),
                    }
                )
                for face in sheet.undimensioned
            ),
            "notes": tuple(_line(note) for note in sheet.notes[:NOTES_MOST]),
        }
    )


def _line(text: object) -> str:
    return clean_text(str(text or "no reason given"), REASON_LIMIT)
