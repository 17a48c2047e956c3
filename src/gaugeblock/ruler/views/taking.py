"""The job behind `Ruler.views`: a STEP file in, projections and a coloured body out.

Runs in the ruler's worker.
"""

from __future__ import annotations

import math
from typing import Any

from gaugeblock.ruler.facts.bounds import bounds_of, joined
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.reading import ReadFile, read_step
from gaugeblock.ruler.views.body import packed
from gaugeblock.ruler.views.cameras import CAMERAS
from gaugeblock.ruler.views.projecting import views_of

LEAST_DIAGONAL, MOST_DIAGONAL = 1e-6, 1e9
"""Sizes in mm, a nanometre and a thousand kilometres, beyond which a file is nonsense."""

SECONDS_KEPT = 0.8
"""Part of the job's time ceiling that the views may take: reading comes before, packing after."""


def views_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Project and triangulate the STEP file open as ``files[0]``.

    Args:
        value: ``cameras`` (names of `CAMERAS`) and ``wall_s`` (the job's ceiling, s).
        blobs: Unused.
        files: One descriptor, open for reading.

    Returns:
        ``views`` (name to projection or line), ``solids`` (names), ``notes``, and ``body`` (header
        or line) with its blobs; or ``refused`` with one line.
    """
    try:
        inspect(files[0])
        found = read_step(f"/proc/self/fd/{files[0]}", units=False, face_colours=True)
        if not found.solids:
            raise Refused("no-shape", "no solid to draw")
        diagonal = _diagonal(found)
    except Refused as refusal:
        return {"refused": refusal.reason}, []
    cameras = [CAMERAS[str(name)] for name in value["cameras"]]
    views = views_of(found.solids, cameras, diagonal, SECONDS_KEPT * float(value["wall_s"]))
    header: dict[str, Any] | str
    header, arrays = (views.body, []) if isinstance(views.body, str) else packed(views.body)
    return {
        "views": {
            name: item if isinstance(item, str) else item.model_dump(mode="json")
            for name, item in views.projections.items()
        },
        "body": header,
        "solids": [solid.name for solid in found.solids],
        "notes": _notes(found),
    }, arrays


def _diagonal(found: ReadFile) -> float:
    box = joined([bounds_of(solid.shape) for solid in found.solids])
    if box is None:
        raise Refused("no-shape", "the box of the file is not finite")
    diagonal = math.dist(box.min, box.max)
    if not LEAST_DIAGONAL <= diagonal <= MOST_DIAGONAL:
        limits = f"{LEAST_DIAGONAL:g} to {MOST_DIAGONAL:g} mm"
        raise Refused("no-shape", f"a size of {diagonal:.3g} mm; {limits} can be drawn")
    return diagonal


def _notes(found: ReadFile) -> list[str]:
    """Say what the file holds that is not drawn."""
    stray = found.stray
    parts = [
        f"{count} {name}{'' if count == 1 else 's'}"
        for count, name in ((stray.faces, "surface"), (stray.edges, "curve"))
        if count
    ]
    return [f"not drawn: {' and '.join(parts)} beside the solids"] if parts else []
