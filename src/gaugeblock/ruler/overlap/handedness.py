"""What a rigid motion cannot mend: a mirror image, and a file in another unit of length."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Pnt, gp_Trsf
from OCP.TopoDS import TopoDS

from gaugeblock.records.measurement import Finding, Triple
from gaugeblock.records.overlap import Iou, Mirrored, Scale, UnitScale
from gaugeblock.ruler.overlap.alignment import Found, align, mirrored_poses
from gaugeblock.ruler.overlap.body import Body, Motion
from gaugeblock.ruler.overlap.body_forked import Building
from gaugeblock.ruler.overlap.casting import cast_iou
from gaugeblock.ruler.overlap.cues import Cues, look
from gaugeblock.ruler.overlap.deciding import Pair, matching
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.overlap.meshing import MeshFailure, mesh_iou
from gaugeblock.ruler.overlap.refining import exact_fit
from gaugeblock.ruler.reading import ReadSolid

EQUAL_IOU = 1e-6
"""IoUs this near to 1 leave nothing for a mirror image to improve."""

BETTER = 1e-5
"""Least gain of IoU, beyond the mesh's own error, that counts as a better fit."""

ALMOST = 0.9
"""IoU above which skins, scores and lines can tell that a mirror image does not fit better."""

CAST = 5
"""Poses of the mirror image that lines are cast through at most; of more, the best are compared by
mesh booleans at once."""

SEARCH_SECONDS = 20.0
"""Ceiling of a child that searches a mirror image or meshes a rescaled body, s; they take below
1 s. Past it the search is made here; a body without a mesh is not compared."""

LEAST_MIRRORED = 0.5
"""IoU below which a mirror image is no news: two parts that have little in common fit a little
better one way or the other by chance."""

UNIT_FACTORS = (25.4, 1000.0, 10.0)

UNIT_MATCH = 0.01
"""Relative difference up to which a ratio of sizes is one of units: an edit changes the size of a
part by less, another part hardly ever lands there."""


def start_mirror(pair: Pair, a: Cues, b: Cues, motion: Motion) -> Child:
    """Start to search the mirror image's poses in a child: how well may the best of them fit?

    Pure array work, which may run in a fork after mesh booleans have started their threads. The
    answer's `most` is the largest IoU that lines allow the poses that could fit as well as
    `motion`; 0 where there are none, None where that is not known.
    """
    size = max(pair.a.diagonal, pair.b.diagonal)

    def work() -> dict[str, Any]:
        poses = mirrored_poses(a, b, size, motion)
        if len(poses) > CAST:
            return {"most": None}
        fitted = [exact_fit(a, b, pair.b, pose, size) for pose in poses]
        found = [cast_iou(pair.a, pair.b, pose) for pose in fitted]
        most = [f.iou + f.error for f in found if f.iou is not None and f.error is not None]
        return {"most": max(most, default=0.0) if len(most) == len(found) else None}

    return Child(work, SEARCH_SECONDS)


def judge_mirror(
    pair: Pair, a: Cues, b: Cues, best: Iou, search: Child | None, aligned: bool
) -> tuple[Mirrored | None, list[Finding]]:
    """Say whether the mirror image of the first body fits the second better.

    Args:
        pair: The bodies.
        a: Cues of the first.
        b: Cues of the second.
        best: The aligned IoU.
        search: Running search by `start_mirror`; None: there is none.
        aligned: Whether an alignment was asked for; without it nothing is judged.

    Above ALMOST no mesh booleans are made where each pose of the mirror image either lies several
    times farther off and scores lower, or is denied by lines: `how` is then `distance` and
    `iou_mirrored` None.
    """
    if not aligned or best.iou is None:
        return None, []
    if best.iou >= 1.0 - EQUAL_IOU:
        return Mirrored(better=False, iou_mirrored=None, how="equal"), []
    volumes = pair.known
    if min(volumes) < LEAST_MIRRORED * max(volumes):
        return Mirrored(better=None, iou_mirrored=None, how=None), []
    if search is not None and best.iou > ALMOST:
        answer = search.result()
        most = answer["most"] if isinstance(answer, dict) else None
        if most is not None and most < best.iou - (best.error_estimate or 0.0):
            return Mirrored(better=False, iou_mirrored=None, how="distance"), []
    found = align(pair.a, pair.b, a, b, mirror=True)
    spread = matching(pair, found.pose.residual, a.area)
    value, error = _mesh_value(pair.a, pair.b, found) if spread is None else (1.0, spread)
    if value is None:
        return Mirrored(better=None, iou_mirrored=None, how=None), []
    gain, doubt = value - best.iou, error + (best.error_estimate or 0.0)
    better: bool | None = gain > BETTER and value >= LEAST_MIRRORED
    if better and gain <= BETTER + doubt:
        better = None  # by less than the methods can tell
    mirrored = Mirrored(better=better, iou_mirrored=value, how="fitted")
    if not better:
        return mirrored, []
    message = f"the mirror image fits better: IoU {value:.6f} instead of {best.iou:.6f}"
    return mirrored, [Finding(code="mirrored", message=message, where="file a")]


def judge_scale(pair: Pair, a: Cues, b: Cues, aligned: bool) -> tuple[Scale, list[Finding]]:
    """Say whether the bodies' sizes differ by a ratio of units of length."""
    volume_a, volume_b = pair.known
    factor = (volume_b / volume_a) ** (1 / 3)
    spread = math.sqrt(float(b.moments.sum() / a.moments.sum()))
    sides_a, sides_b = np.sort(a.high - a.low), np.sort(b.high - b.low)
    x, y, z = (sides_b / np.maximum(sides_a, 1e-300)).tolist()
    ratios: Triple = (x, y, z)
    unit, exact = _unit(factor, spread)
    if unit is None:
        return Scale(factor=factor, box_ratios=ratios, unit=None, iou_rescaled=None), []
    value = _rescaled(pair, exact, b) if aligned else None
    size = f"{exact:g}" if exact > 1 else f"1/{1 / exact:g}"
    message = f"file b is {size} times as large as file a: a wrong unit of length ({unit})"
    return (
        Scale(factor=factor, box_ratios=ratios, unit=unit, iou_rescaled=value),
        [Finding(code="unit-scale", message=message)],
    )


def _unit(factor: float, spread: float) -> tuple[UnitScale | None, float]:
    """Return the unit error that both ratios of sizes amount to, and its exact ratio."""
    for name, number in zip(get_args(UnitScale), UNIT_FACTORS, strict=True):
        for exact in (number, 1.0 / number):
            if all(abs(r / exact - 1.0) <= UNIT_MATCH for r in (factor, spread)):
                return name, exact
    return None, 1.0


def _rescaled(pair: Pair, exact: float, cues_b: Cues) -> float | None:
    """Return the IoU of the first body, scaled and aligned, with the second."""
    scale = gp_Trsf()
    scale.SetScale(gp_Pnt(0, 0, 0), exact)
    solids = [
        ReadSolid(
            TopoDS.Solid(BRepBuilderAPI_Transform(part.shape, scale, True).Shape()),
            part.name, None, (), None,
        )
        for part in pair.a.parts
    ]  # fmt: skip
    body = Building(solids, SEARCH_SECONDS).body()
    if body.problem is not None:
        return None
    return _mesh_value(body, pair.b, align(body, pair.b, look(body), cues_b))[0]


def _mesh_value(a: Body, b: Body, found: Found) -> tuple[float | None, float]:
    try:
        mesh = mesh_iou(a, b, found.pose.motion)
    except MeshFailure:
        return None, 0.0
    return mesh.iou, mesh.error
