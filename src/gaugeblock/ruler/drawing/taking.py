"""The job behind `Ruler.draw`: a STEP file in, a sheet out. Runs in the ruler's worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from gaugeblock.records.drawing import Toleranced
from gaugeblock.records.overlap import Alignment
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.composing import Options, compose
from gaugeblock.ruler.drawing.recognised import features_of
from gaugeblock.ruler.drawing.sheet import Title
from gaugeblock.ruler.drawing.squaring import POSED, squared
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.overlap.body import Motion
from gaugeblock.ruler.reading import ReadSolid, read_step

SECONDS_KEPT = 0.3
"""Part of the job's time ceiling that each round of projections may take."""

GIVEN: TypeAdapter[tuple[SheetDimension, ...] | None] = TypeAdapter(
    tuple[SheetDimension, ...] | None
)

TOLERANCED: TypeAdapter[tuple[Toleranced, ...]] = TypeAdapter(tuple[Toleranced, ...])
MOTION: TypeAdapter[Alignment | None] = TypeAdapter(Alignment | None)


def draw_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Draw the STEP file open as ``files[0]``.

    Args:
        value: ``options`` (`client.DrawOptions` as JSON), ``stem`` (the part's name where it has
            none) and ``wall_s`` (the job's ceiling, s).
        blobs: Unused.
        files: One descriptor, open for reading.

    Returns:
        ``sheet``, or ``refused`` with one line; no blobs.
    """
    asked = value["options"]
    scale = asked["scale"]
    options = Options(
        title=Title.model_validate(asked["title"]),
        format=asked["format"],
        convention=asked["convention"],
        scale=None if scale is None else (int(scale[0]), int(scale[1])),
        dimensions=GIVEN.validate_python(asked["dimensions"]),
        toleranced=TOLERANCED.validate_python(asked["toleranced"]),
    )
    try:
        inspect(files[0])
        found = read_step(f"/proc/self/fd/{files[0]}", units=False)
        if not found.solids:
            raise Refused("no-shape", "no solid to draw")
        solids = _laid_back(found.solids, MOTION.validate_python(asked["laid_back"]))
        features, remarks = features_of(solids)
        stray = found.stray.faces + found.stray.edges
        if stray:
            remarks.append(f"not drawn: {stray} surfaces or curves beside the solids")
        if options.title.name.strip() == "":
            own = _own_name(solids) or value["stem"]
            options = replace(options, title=options.title.model_copy(update={"name": own}))
        seconds = SECONDS_KEPT * float(value["wall_s"])
        sheet = compose(solids, features, options, seconds, remarks)
    except Refused as refusal:
        return {"refused": refusal.reason}, []
    return {"sheet": sheet.model_dump(mode="json")}, []


def _laid_back(solids: list[ReadSolid], motion: Alignment | None) -> list[ReadSolid]:
    """Return solids with a motion undone, and set square to the axes."""
    if motion is None:
        return squared(solids)
    back = Motion(np.array(motion.rotation), np.array(motion.translation)).inverse()
    laid = [replace(solid, shape=back.move_shape(solid.shape)) for solid in solids]
    return squared(laid, within=POSED)


def _own_name(solids: Sequence[ReadSolid]) -> str:
    """Return what the file calls all of its solids together; empty where it calls them nothing."""
    if len(solids) == 1:
        return (solids[0].name or "").strip()
    tops = {solid.path[0].strip() if solid.path else "" for solid in solids}
    return tops.pop() if len(tops) == 1 else ""
