"""The parent's side of the views: asks the worker, takes its answer as input that may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.measurement import FileFacts
from gaugeblock.ruler.text import NAME_LIMIT, REASON_LIMIT, clean_text
from gaugeblock.ruler.views.body import Body, unpacked
from gaugeblock.ruler.views.cameras import CAMERAS
from gaugeblock.ruler.views.projection import Projection

if TYPE_CHECKING:
    from gaugeblock.sandbox import JobResult

RESULT_BYTES = 256 * 1024 * 1024
"""Largest answer, in bytes: 300,000 triangles are 10 MB, the lines of the largest real file 3."""

SECONDS = 120.0
"""Default time ceiling of all views of one file in s. The slowest real file takes 14 s."""

SOLIDS_MAX = 100_000
"""Names of solids that are taken."""

Answer = Projection | str


@dataclass(frozen=True)
class FileViews:
    """What could be had of the views of one file."""

    file: FileFacts
    projections: dict[str, Answer]
    """By name of the camera, in the order asked for; a line that says why there is none."""
    body: Body | str
    """For shaded views; a line that says why there is none."""
    solids: tuple[str | None, ...]
    """Names of the file's solids, cleaned; None for unnamed ones."""
    notes: tuple[str, ...]
    """What the file holds that is not drawn."""


def request(cameras: Sequence[str], wall_s: float) -> dict[str, Any]:
    """Return what the worker is asked for: cameras by name, and the time ceiling in s."""
    return {"cameras": list(cameras), "wall_s": wall_s}


def views_of_answer(
    result: JobResult, file: FileFacts, names: Sequence[str], wall_s: float
) -> FileViews:
    """Return the views that the worker answered with.

    Args:
        result: What became of the job.
        file: What is known of the file.
        names: Of the cameras that were asked for.
        wall_s: Its time ceiling in s, for the message.

    Raises:
        CouldNotMeasure: there are no views at all; the text says why.
    """
    if result.status == "timeout":
        raise CouldNotMeasure(f"not drawn within {wall_s:g} s; see --seconds")
    if result.status != "done":
        raise CouldNotMeasure(f"the worker {result.status} ({_line(result.error)})")
    value = result.value
    if "refused" in value:
        raise CouldNotMeasure(_line(value["refused"]))
    try:
        return FileViews(
            file=file,
            projections={name: _projection(value["views"][name], name) for name in names},
            body=_body(value["body"], list(result.blobs)),
            solids=tuple(_name(name) for name in value["solids"][:SOLIDS_MAX]),
            notes=tuple(_line(note) for note in value["notes"][:SOLIDS_MAX]),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CouldNotMeasure(f"the worker's answer is not a set of views: {error}") from error


def _projection(value: Any, name: str) -> Answer:
    if isinstance(value, str):
        return _line(value)
    try:
        found = Projection.model_validate(value)
    except ValidationError as error:
        raise ValueError(f"{name}: {len(error.errors())} faults") from error
    if found.camera != CAMERAS[name]:
        raise ValueError(f"{name}: another camera")
    reason, why = (
        None if text is None else _line(text) for text in (found.reason, found.check_reason)
    )
    return found.model_copy(update={"reason": reason, "check_reason": why})


def _body(header: Any, blobs: list[bytes]) -> Body | str:
    return _line(header) if isinstance(header, str) else unpacked(header, blobs, _line)


def _name(name: Any) -> str | None:
    return None if name is None else clean_text(str(name), NAME_LIMIT)


def _line(text: object) -> str:
    return clean_text(str(text or "no reason given"), REASON_LIMIT)
