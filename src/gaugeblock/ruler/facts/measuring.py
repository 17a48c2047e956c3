"""All facts of a STEP file: reading, then solid by solid, then totals.

In this order for each solid: box, mesh (of a copy), volume with cross-check, validity, topology,
counts. Nothing here knows a case or an agent.
"""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from typing import Any

from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from OCP.TopoDS import TopoDS

from gaugeblock.records.measurement import (
    Bounds,
    Counts,
    FileFacts,
    Finding,
    Measurement,
    SolidFacts,
    Totals,
)
from gaugeblock.ruler.explore import count_distinct, explore
from gaugeblock.ruler.facts.bounds import bounds_of, joined, overlap
from gaugeblock.ruler.facts.consistency import CONTRADICTION
from gaugeblock.ruler.facts.folding import CROSSING, is_folded, may_fold
from gaugeblock.ruler.facts.mesh import build_mesh
from gaugeblock.ruler.facts.outline import judge_outline, outline_of
from gaugeblock.ruler.facts.surfaces import SurfaceTable
from gaugeblock.ruler.facts.topology import judge
from gaugeblock.ruler.facts.validity import all_parts, judge_shape, judge_solid
from gaugeblock.ruler.facts.volume import confirmed, measure_outline, measure_volume, refuted
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.reading import ReadFile, ReadSolid, read_step
from gaugeblock.ruler.refusals import refused, versions

TOUCH = 1e-6
"""Boxes that overlap by no more than this many mm only touch: the ruler's box accuracy."""

UNMEASURED_SIZE = 1.0
"""Diagonal in mm assumed for the mesh of a solid whose box is not finite."""

SURFACE_NAMES = {
    "Plane": "plane",
    "Cylinder": "cylinder",
    "Cone": "cone",
    "Sphere": "sphere",
    "Torus": "torus",
    "BezierSurface": "bezier",
    "BSplineSurface": "bspline",
    "SurfaceOfRevolution": "revolution",
    "SurfaceOfExtrusion": "extrusion",
    "OffsetSurface": "offset",
    "OtherSurface": "other",
}


class Clock:
    """Adds up seconds by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, step: str) -> None:
        """Count the time since the last lap to `step`."""
        now = time.perf_counter()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._last
        self._last = now


def measure_fd(fd: int, name: str, sha256: str | None) -> Measurement:
    """Measure the STEP file open as `fd`, in this process.

    Args:
        fd: Descriptor of a regular file, open for reading.
        name: File name for the record.
        sha256: Digest computed by the caller, or None.
    """
    clock = Clock()
    file = FileFacts(name=name, sha256=sha256, bytes=os.fstat(fd).st_size)
    try:
        header = inspect(fd)
        file = header.told_of(file, ())
        clock.lap("header")
        read = read_step(f"/proc/self/fd/{fd}", units=not header.length_units)
    except Refused as refusal:
        return refused(file, refusal.code, refusal.reason)
    units = header.length_units or tuple(read.units)
    file = header.told_of(file, units)
    clock.lap("read")
    solids = [facts_of_solid(solid, i, clock) for i, solid in enumerate(read.solids)]
    lost = max(0, header.declared_solids - read.distinct)
    missing = header.declared_occurrences - read.occurrences
    totals = totals_of(solids, lost)
    if totals.volume is not None and totals.occupied_volume is None:
        totals = _with_occupied(totals, solids, read)
        clock.lap("occupied")
    return Measurement(
        verdict="measured",
        file=file,
        solids=solids,
        totals=totals,
        stray=read.stray,
        findings=read.findings + _findings(units, read, lost, missing) + _contradictions(solids),
        versions=versions(),
        timings={step: round(seconds, 6) for step, seconds in clock.seconds.items()},
    )


def facts_of_shape(shape: Any) -> list[SolidFacts]:
    """Measure every solid of an OCP shape (or build123d object); mm, mm², mm³."""
    shape = getattr(shape, "wrapped", shape)
    clock = Clock()
    return [
        facts_of_solid(ReadSolid(TopoDS.Solid(solid), None, None, (), None), index, clock)
        for index, solid in enumerate(explore(shape, TopAbs_SOLID))
    ]


def facts_of_solid(read: ReadSolid, index: int, clock: Clock) -> SolidFacts:
    """Measure one solid; seconds are added to `clock`."""
    solid = read.shape
    bounds = bounds_of(solid)
    clock.lap("bounds")
    outline = outline_of(solid)
    counts = Counts(
        shells=outline.shells,
        faces=count_distinct(solid, TopAbs_FACE),
        edges=len(outline.edges) - 1,
        vertices=outline.vertices,
    )
    clock.lap("outline")
    sound = judge_shape(solid)
    clock.lap("validity")
    mesh, integral = None, None
    boundary = judge_outline(outline) if sound[0].ok and sound[1].ok else None
    clock.lap("topology")
    if boundary is not None:
        integral = measure_outline(outline, bounds, clock)
    if boundary is None or integral is None:
        mesh = build_mesh(solid, _diagonal(bounds))
        clock.lap("mesh")
        boundary = judge(mesh)
        clock.lap("topology")
        integral = measure_volume(solid, mesh, boundary.balanced, bounds, clock)
    integral = confirmed(integral, bounds)
    if integral.volume.value is not None and may_fold(outline, _diagonal(bounds)):
        if is_folded(solid, mesh, SurfaceTable(outline.surfaces), _diagonal(bounds)):
            integral = refuted(integral, CROSSING)
        clock.lap("folding")
    validity = judge_solid(solid, integral.volume, integral.signed, mesh, boundary, sound)
    surfaces = Counter(SURFACE_NAMES.get(surface.kind, "other") for surface in outline.surfaces)
    return SolidFacts(
        index=index,
        name=read.name,
        instance=read.instance,
        path=list(read.path),
        colour=read.colour,
        valid=all_parts(validity),
        validity=validity,
        volume=integral.volume,
        area=integral.area,
        centroid=integral.centroid,
        bounds=bounds,
        counts=counts,
        surfaces=dict(sorted(surfaces.items())),
        topology=boundary.topology,
    )


def totals_of(solids: list[SolidFacts], lost: int = 0) -> Totals:
    """Take the solids together; `lost` solids of the file were not delivered by the kernel."""
    boxes = [solid.bounds for solid in solids]
    volume, reason = _sum_volume(solids, lost)
    occupied, occupied_reason = volume, reason
    if volume is not None and _any_overlap(boxes):
        occupied = None
        occupied_reason = "boxes of solids overlap: interference has not been measured"
    verdicts = [solid.valid for solid in solids]
    valid = None if None in verdicts or lost else all(verdicts)
    return Totals(
        solids=len(solids),
        shells=sum(solid.counts.shells for solid in solids),
        faces=sum(solid.counts.faces for solid in solids),
        edges=sum(solid.counts.edges for solid in solids),
        volume=volume,
        volume_reason=reason,
        occupied_volume=occupied,
        occupied_reason=occupied_reason,
        bounds=joined(boxes),
        valid=False if not solids or False in verdicts else valid,
        names=[solid.name for solid in solids],
    )


def _with_occupied(totals: Totals, solids: list[SolidFacts], read: ReadFile) -> Totals:
    """Return `totals` with the occupied volume of solids whose boxes overlap, where affordable."""
    # Not at the top: interference needs this module's clock.
    from gaugeblock.ruler.overlap.interference import occupied_of_facts

    value, reason = occupied_of_facts(solids, [solid.shape for solid in read.solids])
    return totals.model_copy(update={"occupied_volume": value, "occupied_reason": reason or None})


def _sum_volume(solids: list[SolidFacts], lost: int) -> tuple[float | None, str | None]:
    if not solids:
        return None, "no solids"
    if lost:
        return None, f"the kernel did not deliver {lost} of the file's solids"
    unknown = [solid.index for solid in solids if solid.volume.value is None]
    if unknown:
        return None, f"the volume of solid {unknown[0]} could not be measured"
    return math.fsum(solid.volume.value or 0.0 for solid in solids), None


def _any_overlap(boxes: list[Bounds | None]) -> bool:
    """Whether two boxes overlap, or one is unknown (which could)."""
    known = [box for box in boxes if box is not None]
    if len(known) != len(boxes):
        return len(boxes) > 1
    known.sort(key=lambda box: box.min[0])
    for i, box in enumerate(known):
        for other in known[i + 1 :]:
            if other.min[0] >= box.max[0]:
                break
            if overlap(box, other, TOUCH):
                return True
    return False


def _findings(units: tuple[str, ...], read: ReadFile, lost: int, missing: int) -> list[Finding]:
    findings = []
    if lost:
        message = f"{lost} solid entities of the file gave no solid; totals would be too small"
        findings.append(Finding(code="solids-lost", message=message))
    if missing > 0:
        message = (
            f"{missing} places of parts in assemblies were not delivered: parts may be missing"
        )
        findings.append(Finding(code="occurrences-lost", message=message))
    if len(units) > 1:
        message = "the file declares several length units: " + ", ".join(units)
        findings.append(Finding(code="mixed-units", message=message))
    if not units and read.solids:
        message = "the file declares no length unit; the kernel takes it for mm"
        findings.append(Finding(code="no-unit", message=message))
    stray = read.stray
    if stray.faces or stray.shells:
        message = f"{stray.faces} faces in {stray.shells} shells belong to no solid"
        findings.append(Finding(code="stray-surfaces", message=message))
    return findings


def _contradictions(solids: list[SolidFacts]) -> list[Finding]:
    codes = {CONTRADICTION: "contradictory", CROSSING: "self-crossing"}
    return [
        Finding(code=code, message=solid.volume.reason, where=f"solid {solid.index}")
        for solid in solids
        for beginning, code in codes.items()
        if solid.volume.reason is not None and solid.volume.reason.startswith(beginning)
    ]


def _diagonal(bounds: Bounds | None) -> float:
    if bounds is None:
        return UNMEASURED_SIZE
    size = math.dist(bounds.min, bounds.max)
    return size if math.isfinite(size) else UNMEASURED_SIZE
