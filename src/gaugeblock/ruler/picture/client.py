"""The parent's side of a difference picture: asks the worker for a scene, lays B on A."""

from __future__ import annotations

import math
from typing import Any

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.overlap import Alignment
from gaugeblock.ruler.picture.scene import Scene, unpack
from gaugeblock.ruler.text import REASON_LIMIT, clean_text

RESULT_BYTES = 256 * 1024 * 1024
"""Largest scene, in bytes: `scene.TRIANGLES_MAX` triangles and their nodes are 40 MB."""

SECONDS = 60.0
"""Default time ceiling of one scene in s: the slowest real pair takes 6 s."""

STILL = ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.0, 0.0])


def take_picture(
    client: Any, files: tuple[int, int], motion: Alignment | None, limits: dict[str, Any]
) -> Scene:
    """Ask for the scene of two open files.

    Args:
        client: `sandbox.Client` of the ruler's worker.
        files: Descriptors of A and B, open for reading.
        motion: The motion that lays A on B; the picture keeps A and moves B back. None: as posed.
        limits: The job's limits (`sandbox.Limits`), without the result's size.

    Raises:
        CouldNotMeasure: there is no picture; the text says why.
    """
    from gaugeblock.sandbox import Limits

    rotation, translation = STILL if motion is None else _inverse(motion)
    request = {"rotation": rotation, "translation": translation}
    result = client.run(
        "picture", request, files=files, limits=Limits(**limits, result_bytes=RESULT_BYTES)
    )
    if result.status == "done":
        if "refused" in result.value:
            raise CouldNotMeasure(f"picture: {_line(result.value['refused'])}")
        return unpack(result.value, result.blobs)
    if result.status == "timeout":
        raise CouldNotMeasure(f"picture: not taken within {limits['wall_s']:g} s; see --seconds")
    raise CouldNotMeasure(f"picture: the worker {result.status} ({_line(result.error)})")


def _inverse(motion: Alignment) -> tuple[list[list[float]], list[float]]:
    """Return Rᵀ and −Rᵀ t."""
    turned = [[motion.rotation[j][i] for j in range(3)] for i in range(3)]
    back = [-math.fsum(row[i] * motion.translation[i] for i in range(3)) for row in turned]
    return turned, back


def _line(text: object) -> str:
    return clean_text(str(text or "no reason given"), REASON_LIMIT)
