"""Which solids of one file share space, and the space they fill together."""

from __future__ import annotations

import math
import os
import time
from typing import Any

from gaugeblock.records.measurement import FileFacts, Finding, SolidFacts
from gaugeblock.records.overlap import Clash, Interference, Quantity
from gaugeblock.ruler.facts.bounds import overlap
from gaugeblock.ruler.facts.facets import facets
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.facts.mesh import build_mesh
from gaugeblock.ruler.facts.surfaces import SurfaceTable, surface_of
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.overlap.body import REST, TOUCH, Body, Part
from gaugeblock.ruler.overlap.body_forked import ATTEMPTS, Building
from gaugeblock.ruler.overlap.booleans import CLOSES, FUZZY, combine, union_volume
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.overlap.meshing import MeshFailure, MeshIou, mesh_iou, mesh_volume
from gaugeblock.ruler.reading import read_step
from gaugeblock.ruler.refusals import refused_interference, versions

PAIR_SECONDS = 30.0
"""Ceiling of the booleans of one pair, s."""

OCCUPIED_SECONDS = 3.0
"""Ceiling of the booleans for the occupied volume of a plain measurement, s; it is a figure beside
others there, and `Ruler.interference` takes its time."""

OCCUPIED_PAIRS = 4
"""Most pairs of overlapping boxes judged in a plain measurement (an assembly has dozens)."""

RESERVE = 0.15
"""Part of the whole time ceiling kept back for reading, meshes and the answer."""


def interfere_fd(fd: int, name: str, sha256: str | None, wall_s: float) -> Interference:
    """Measure the interference of the solids in the STEP file open as `fd`, in this process.

    Args:
        fd: Descriptor of a regular file, open for reading.
        name: File name for the record.
        sha256: Digest computed by the caller, or None.
        wall_s: Time ceiling in s, which the pairs' own ceilings are taken from.
    """
    end = time.monotonic() + wall_s * (1 - RESERVE)
    clock = Clock()
    file = FileFacts(name=name, sha256=sha256, bytes=os.fstat(fd).st_size)
    try:
        inspect(fd)
        read = read_step(f"/proc/self/fd/{fd}")
    except Refused as refusal:
        return refused_interference(file, refusal.code, refusal.reason)
    clock.lap("read")
    body = Building(read.solids, (end - time.monotonic()) / (2 * ATTEMPTS)).body()
    clock.lap("bodies")
    if body.problem is not None:
        return refused_interference(file, "not-comparable", body.problem)
    pairs = clashes(body, end)
    clock.lap("pairs")
    total = total_of(pairs)
    occupied, reason = occupied_of(body, pairs, end)
    clock.lap("occupied")
    findings = read.findings + body.findings
    if total:
        message = f"solids of the file share {total:.6g} mm³"
        findings = [*findings, Finding(code="interference", message=message)]
    return Interference(
        verdict="measured",
        file=file,
        pairs=pairs,
        total=total,
        occupied_volume=occupied.value,
        occupied_reason=reason,
        findings=findings,
        versions=versions(),
        timings={step: round(seconds, 6) for step, seconds in clock.seconds.items()},
    )


def near_pairs(body: Body) -> list[tuple[Part, Part]]:
    """Return the pairs of solids whose boxes overlap."""
    parts = body.parts
    return [
        (a, b)
        for i, a in enumerate(parts)
        for b in parts[i + 1 :]
        if overlap(a.bounds, b.bounds, TOUCH)
    ]


def clashes(body: Body, end: float, most: float = PAIR_SECONDS) -> list[Clash]:
    """Measure every pair whose boxes overlap.

    Args:
        body: The solids.
        end: `time.monotonic` by which to be done.
        most: Ceiling of one pair's booleans, s.
    """
    return [_clash(a, b, min(most, end - time.monotonic())) for a, b in near_pairs(body)]


def _clash(a: Part, b: Part, seconds: float) -> Clash:
    def work() -> dict[str, Any]:
        for fuzzy in FUZZY:
            found = combine([a.shape], [b.shape], a.volume, b.volume, fuzzy)
            if found.closes:
                break
        return found.plain()

    child = Child(work, seconds) if seconds > 0 else None
    one, other = Body([a]), Body([b])
    mesh: MeshIou | str
    try:
        mesh = mesh_iou(one, other, REST)
    except MeshFailure as failure:
        mesh = str(failure)
    answer = "no time was left" if child is None else child.result()
    return _judge(a, b, answer, mesh)


def _judge(a: Part, b: Part, answer: dict[str, Any] | str, mesh: MeshIou | str) -> Clash:
    meshed = mesh if isinstance(mesh, MeshIou) else None
    base: dict[str, Any] = {
        "a": a.index,
        "b": b.index,
        "name_a": a.name,
        "name_b": b.name,
        "mesh_volume": None if meshed is None else meshed.common,
    }
    small = min(a.volume, b.volume)
    why = answer if isinstance(answer, str) else answer["failure"] or "they do not add up"
    if isinstance(answer, dict) and _closes(answer) and meshed is not None:
        error = (answer["error"] or 0.0) + a.error + b.error
        common = answer["common"]
        if abs(common - meshed.common) <= meshed.common_error + error + CLOSES * small:
            return Clash(
                volume=common, error_estimate=error, verdict="measured", method="exact", **base
            )
        reason = f"booleans ({common:.6g} mm³) and meshes ({meshed.common:.6g} mm³) contradict"
        return Clash(
            volume=None, error_estimate=None, verdict="could-not-measure", method="none",
            reason=reason, **base,
        )  # fmt: skip
    if meshed is None:
        return Clash(
            volume=None, error_estimate=None, verdict="could-not-measure", method="none",
            reason=f"no closed mesh to confirm booleans: {mesh}", **base,
        )  # fmt: skip
    return Clash(
        volume=meshed.common, error_estimate=meshed.common_error, verdict="measured",
        method="mesh", reason=f"no boolean stands: {why}", **base,
    )  # fmt: skip


def _closes(answer: dict[str, Any]) -> bool:
    values = [v for v in answer["residuals"].values() if v is not None]
    return len(values) == 3 and max(values) <= CLOSES


def total_of(pairs: list[Clash]) -> float | None:
    """Return the pairs' volumes together, mm³; None where one is unknown."""
    volumes = [pair.volume for pair in pairs]
    known = [volume for volume in volumes if volume is not None]
    return math.fsum(known) if len(known) == len(volumes) else None


def occupied_of(body: Body, pairs: list[Clash], end: float) -> tuple[Quantity, str | None]:
    """Return the space that the solids fill, overlaps counted once, and why it is unknown.

    The sum less the pairs' volumes where no solid takes part in two of them; a fuse of all solids,
    confirmed by the union of their meshes, where three could share the same space.
    """
    nothing = Quantity(value=None, error_estimate=None)
    total, error = body.summed
    unknown = next((pair for pair in pairs if pair.volume is None), None)
    if unknown is not None:
        return nothing, f"interference of solids {unknown.a} and {unknown.b} is not known"
    real = [pair for pair in pairs if (pair.volume or 0.0) > (pair.error_estimate or 0.0)]
    busy = [index for pair in real for index in (pair.a, pair.b)]
    shared = math.fsum(pair.volume or 0.0 for pair in real)
    error += math.fsum(pair.error_estimate or 0.0 for pair in pairs)
    if len(set(busy)) == len(busy):
        return Quantity(value=total - shared, error_estimate=error), None
    return union_of(body, end)


def occupied_of_facts(solids: list[SolidFacts], shapes: list[Any]) -> tuple[float | None, str]:
    """Return the occupied volume of measured solids in mm³, or None and why.

    Args:
        solids: Their facts, all with a volume and a box.
        shapes: Their TopoDS_Solids, in the same order.

    Within `OCCUPIED_SECONDS`; more than `OCCUPIED_PAIRS` pairs are left to `Ruler.interference`.
    """
    boxes = [solid.bounds for solid in solids]
    near = [
        (i, j)
        for i, box in enumerate(boxes)
        for j in range(i + 1, len(boxes))
        if box is None or (other := boxes[j]) is None or overlap(box, other, TOUCH)
    ]
    if None in boxes or len(near) > OCCUPIED_PAIRS:
        return None, f"boxes of {len(near)} pairs of solids overlap: ask for the interference"
    end = time.monotonic() + OCCUPIED_SECONDS
    body = Body([_light_part(solid, shape) for solid, shape in zip(solids, shapes, strict=True)])
    body.refine()
    occupied, reason = occupied_of(body, clashes(body, end), end)
    return occupied.value, reason or ""


def _light_part(solid: SolidFacts, shape: Any) -> Part:
    """Return a part whose meshes are made anew and whose volume is known."""
    assert solid.bounds is not None and solid.volume.value is not None
    assert solid.centroid is not None
    mesh = build_mesh(shape, math.dist(solid.bounds.min, solid.bounds.max))
    return Part(
        index=solid.index,
        name=solid.name,
        shape=shape,
        bounds=solid.bounds,
        volume=solid.volume.value,
        error=solid.volume.error_estimate or 0.0,
        centroid=solid.centroid,
        valid=solid.valid,
        table=SurfaceTable([surface_of(face.face) for face in mesh.faces]),
        coarse=facets(mesh),
    )


def union_of(body: Body, end: float) -> tuple[Quantity, str | None]:
    """Return the volume of the union of all solids by a fuse that the meshes confirm."""
    nothing = Quantity(value=None, error_estimate=None)
    seconds = min(PAIR_SECONDS, end - time.monotonic())
    if seconds <= 0:
        return nothing, "no time was left for the union of the solids"

    def work() -> dict[str, Any]:
        volume, error = union_volume(body.shapes())
        return {"volume": volume, "error": error}

    child = Child(work, seconds)
    try:
        mesh, doubt = mesh_volume(body)
    except MeshFailure as failure:
        child.stop()
        return nothing, f"no closed mesh to confirm the union: {failure}"
    answer = child.result()
    if isinstance(answer, str) or answer["volume"] is None:
        return nothing, f"the solids could not be fused: {answer}"
    error = answer["error"] or 0.0
    if abs(answer["volume"] - mesh) > error + doubt + CLOSES * mesh:
        return nothing, "the fuse of the solids and the union of their meshes contradict"
    return Quantity(value=answer["volume"], error_estimate=error + doubt * CLOSES), None
