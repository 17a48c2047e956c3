"""The parent's side of a picture: what the worker is asked, what it answered."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.overlap import Alignment
from gaugeblock.ruler.picture.portrait import Portrait
from gaugeblock.ruler.picture.portrait import unpack as unpack_portrait
from gaugeblock.ruler.picture.scene import Scene, unpack
from gaugeblock.ruler.text import REASON_LIMIT, clean_text

if TYPE_CHECKING:
    from gaugeblock.sandbox import JobResult

RESULT_BYTES = 256 * 1024 * 1024
"""Largest scene, in bytes: `scene.TRIANGLES_MAX` triangles and their nodes are 40 MB."""

SECONDS = 60.0
"""Default time ceiling of one scene in s: the slowest real pair takes 6 s."""

STILL = ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.0, 0.0])


def request(motion: Alignment | None) -> dict[str, Any]:
    """Return what the worker is asked for.

    Args:
        motion: The motion that lays A on B; the picture keeps A and moves B back. None: as posed.
    """
    rotation, translation = STILL if motion is None else _inverse(motion)
    return {"rotation": rotation, "translation": translation}


def scene(result: JobResult, wall_s: float) -> Scene:
    """Return the scene that the worker answered with.

    Args:
        result: What became of the job.
        wall_s: Its time ceiling in s, for the message.

    Raises:
        CouldNotMeasure: there is no picture; the text says why.
    """
    _require_done(result, wall_s)
    return unpack(result.value, result.blobs)


def portrait(result: JobResult, wall_s: float) -> Portrait:
    """Return the portrait of one file that the worker answered with; as `scene`."""
    _require_done(result, wall_s)
    return unpack_portrait(result.value, result.blobs)


def _require_done(result: JobResult, wall_s: float) -> None:
    if result.status == "timeout":
        raise CouldNotMeasure(f"picture: not taken within {wall_s:g} s; see --seconds")
    if result.status != "done":
        raise CouldNotMeasure(f"picture: the worker {result.status} ({_line(result.error)})")
    if "refused" in result.value:
        raise CouldNotMeasure(f"picture: {_line(result.value['refused'])}")


def _inverse(motion: Alignment) -> tuple[list[list[float]], list[float]]:
    """Return Rᵀ and −Rᵀ t."""
    turned = [[motion.rotation[j][i] for j in range(3)] for i in range(3)]
    back = [-math.fsum(row[i] * motion.translation[i] for i in range(3)) for row in turned]
    return turned, back


def _line(text: object) -> str:
    return clean_text(str(text or "no reason given"), REASON_LIMIT)
