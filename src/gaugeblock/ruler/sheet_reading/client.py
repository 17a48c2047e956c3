"""The parent's side of reading a drawing: believes nothing of the worker's answer unchecked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.measurement import FileFacts
from gaugeblock.records.sheet_reading import SheetReading
from gaugeblock.ruler.text import REASON_LIMIT, clean_text

if TYPE_CHECKING:
    from gaugeblock.sandbox import JobResult

SECONDS = 60.0
"""Default time ceiling of one drawing in s: sheets of parts take below 2 s, the largest file that
is let in (`dxf_opening.MOST_TAGS`) some 40 s."""

RESULT_BYTES = 8 * 1024 * 1024
"""Largest answer, in bytes: 2,000 dimensions take 1 MB."""


def reading_of_answer(result: JobResult, facts: FileFacts, wall_s: float) -> SheetReading:
    """Return the reading that the worker answered with, or why there is none.

    Args:
        result: What became of the job.
        facts: Of the file.
        wall_s: Its time ceiling in s, for the message.
    """
    if result.status == "timeout":
        return refused_reading(facts, "timeout", f"not read within {wall_s:g} s")
    if result.status != "done":
        detail = clean_text(str(result.error or "no reason given"), REASON_LIMIT // 2)
        return refused_reading(facts, str(result.status), f"the worker {result.status} ({detail})")
    if "code" in result.value:
        code = clean_text(str(result.value["code"]), 40)
        return refused_reading(facts, code, str(result.value.get("reason")))
    try:
        return SheetReading.model_validate({**result.value, "verdict": "measured", "file": facts})
    except ValidationError:
        return refused_reading(facts, "failed", "the worker's answer is not a reading")


def refused_reading(facts: FileFacts, code: str, reason: str) -> SheetReading:
    """Return the could-not-measure record of a drawing."""
    return SheetReading(
        verdict="could-not-measure", code=code, reason=clean_text(reason, REASON_LIMIT), file=facts
    )


PNG = b"\x89PNG\r\n\x1a\n"


def picture_of_answer(result: JobResult, wall_s: float) -> bytes:
    """Return the PNG that the worker answered with.

    Raises:
        CouldNotMeasure: there is none; the text says why.
    """
    if result.status != "done":
        detail = clean_text(str(result.error or f"not within {wall_s:g} s"), REASON_LIMIT // 2)
        raise CouldNotMeasure(f"no picture of the PDF ({detail})")
    if "reason" in result.value:
        raise CouldNotMeasure(clean_text(str(result.value["reason"]), REASON_LIMIT))
    if len(result.blobs) != 1 or not result.blobs[0].startswith(PNG):
        raise CouldNotMeasure("no picture of the PDF (the worker's answer is no PNG)")
    return result.blobs[0]
