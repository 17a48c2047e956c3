"""The solids of one file as one body: shapes, meshes at two deflections, surfaces, volume."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from OCP.gp import gp_Trsf
from OCP.TopLoc import TopLoc_Location

from gaugeblock.records.measurement import Bounds, Finding
from gaugeblock.ruler.facts.bounds import bounds_of, joined, overlap
from gaugeblock.ruler.facts.facets import Facets, facets
from gaugeblock.ruler.facts.folding import CROSSING, is_folded, may_fold
from gaugeblock.ruler.facts.mesh import (
    ANGLE,
    RELATIVE_SAG,
    Floats,
    Mesh,
    build_mesh,
    quick_mesh,
)
from gaugeblock.ruler.facts.outline import outline_of
from gaugeblock.ruler.facts.surfaces import SurfaceTable
from gaugeblock.ruler.facts.topology import judge
from gaugeblock.ruler.facts.validity import all_parts, judge_solid
from gaugeblock.ruler.facts.volume import measure_volume
from gaugeblock.ruler.reading import ReadSolid

FINER = 2.0
"""How much finer the second mesh is: 32 chords a circle instead of 16. A chord's error falls with
its square, so that two meshes tell it; four times finer costs four times as much in booleans."""

VOLUME_NOISE = 1e-7
"""Part of the volume by which a mesh of planes may miss it: nodes lie off by edge tolerances."""

TOUCH = 1e-6
"""Boxes that overlap by no more than this many mm only touch: the ruler's box accuracy."""


@dataclass(frozen=True)
class Motion:
    """A rigid motion x ↦ R x + t of mm coordinates; det R = −1 for a mirror image."""

    rotation: Floats
    """(3, 3)."""
    translation: Floats
    """(3,) mm."""

    def __call__(self, points: Floats) -> Floats:
        """Return (n, 3) moved points."""
        return np.asarray(points @ self.rotation.T + self.translation)

    def after(self, first: Motion) -> Motion:
        """Return the motion that does `first` and then this one."""
        return Motion(
            self.rotation @ first.rotation,
            self.rotation @ first.translation + self.translation,
        )

    def inverse(self) -> Motion:
        """Return the motion that undoes this one."""
        return Motion(self.rotation.T, -self.rotation.T @ self.translation)

    @property
    def is_identity(self) -> bool:
        """Whether it moves nothing, exactly."""
        return bool((self.rotation == np.eye(3)).all() and not self.translation.any())

    def move_shape(self, shape: Any) -> Any:
        """Return the TopoDS shape in its new place; the geometry itself is shared."""
        if self.is_identity:
            return shape
        transform = gp_Trsf()
        rows = np.hstack([self.rotation, self.translation[:, None]])
        transform.SetValues(*rows.ravel().tolist())
        return shape.Moved(TopLoc_Location(transform), False)


REST = Motion(np.eye(3), np.zeros(3))


@dataclass
class Part:
    """One solid."""

    index: int
    name: str | None
    shape: Any
    """TopoDS_Solid in the file's frame."""
    bounds: Bounds
    volume: float
    """mm³."""
    error: float
    """mm³."""
    centroid: tuple[float, float, float]
    """mm, by the flux integral: a mesh's own lies off by a part of its sag."""
    valid: bool | None
    table: SurfaceTable
    coarse: Facets
    fine: Facets | None = None
    mesh: Mesh | None = None


@dataclass
class Body:
    """All solids of one file."""

    parts: list[Part]
    problem: str | None = None
    """Why the body cannot be compared."""
    findings: list[Finding] = field(default_factory=list)
    manifolds: dict[bool, Any] = field(default_factory=dict, repr=False, compare=False)
    """The manifolds of the coarse (False) and the fine mesh (True) at rest, once made."""

    @property
    def bounds(self) -> Bounds:
        """The box of all solids, mm."""
        found = joined([part.bounds for part in self.parts])
        assert found is not None
        return found

    @property
    def centroid(self) -> Floats:
        """Centre of all solids' volumes, mm; overlaps count twice."""
        weights = np.array([part.volume for part in self.parts])
        return np.asarray(weights @ [part.centroid for part in self.parts] / weights.sum())

    @property
    def diagonal(self) -> float:
        """Length of the box's diagonal, mm."""
        return math.dist(self.bounds.min, self.bounds.max)

    @property
    def overlapping(self) -> bool:
        """Whether solids of the body may share space."""
        boxes = [part.bounds for part in self.parts]
        return any(
            overlap(box, other, TOUCH) for i, box in enumerate(boxes) for other in boxes[i + 1 :]
        )

    @property
    def summed(self) -> tuple[float, float]:
        """Sum of the solids' volumes and of their errors, mm³; overlaps count twice."""
        return (
            math.fsum(part.volume for part in self.parts),
            math.fsum(part.error for part in self.parts),
        )

    def shapes(self, motion: Motion = REST) -> list[Any]:
        """Return the solids, moved."""
        return [motion.move_shape(part.shape) for part in self.parts]

    def refine(self, quick: bool = True) -> None:
        """Make the finer mesh of every solid; `quick` as in `build_body`."""
        for part in self.parts:
            if part.fine is None:
                size = math.dist(part.bounds.min, part.bounds.max)
                angle, sag = ANGLE / FINER, RELATIVE_SAG / FINER**2
                for make in _meshers(quick):
                    part.fine = facets(make(part.shape, size, angle, sag))
                    if _bears_out(part, part.fine):
                        break


def _bears_out(part: Part, fine: Facets) -> bool:
    """Whether a finer mesh is closed and no farther from the confirmed volume than the coarse."""
    off = abs(fine.volume() - part.volume)
    worst = abs(part.coarse.volume() - part.volume) + part.error + VOLUME_NOISE * part.volume
    return fine.closed and off <= worst


def _meshers(quick: bool) -> tuple[Any, ...]:
    return (quick_mesh, build_mesh) if quick else (build_mesh,)


def build_body(solids: list[ReadSolid], clock: Any, quick: bool = True) -> Body:
    """Measure and mesh every solid; the first that cannot be compared is named in `problem`.

    Args:
        solids: In the file's order.
        clock: Gets the seconds spent.
        quick: Whether the quicker, less proven mesher is tried first.
    """
    body = Body(parts=[])
    if not solids:
        body.problem = "the file holds no solid"
    for index, read in enumerate(solids):
        part = _part(index, read, clock, quick)
        if isinstance(part, str):
            body.problem = f"solid {index}: {part}"
            break
        body.parts.append(part)
        if part.valid is not True:
            message = "BRepCheck or the mesh finds a fault in it; its volume is confirmed"
            body.findings.append(
                Finding(code="invalid-solid", message=message, where=f"solid {index}")
            )
    return body


def _part(index: int, read: ReadSolid, clock: Any, quick: bool) -> Part | str:
    solid = read.shape
    bounds = bounds_of(solid)
    if bounds is None:
        return "its box is not finite"
    size = math.dist(bounds.min, bounds.max)
    # The quick mesh serves where it is closed and the volume it is compared with is confirmed.
    for make in _meshers(quick):
        mesh = make(solid, size, ANGLE, RELATIVE_SAG)
        boundary = judge(mesh)
        clock.lap("mesh")
        measured = measure_volume(solid, mesh, boundary.balanced, bounds, clock)
        if mesh.complete and boundary.balanced and measured.volume.value is not None:
            break
    valid = all_parts(judge_solid(solid, measured.volume, measured.signed, mesh, boundary))
    clock.lap("validity")
    volume = measured.volume
    if volume.value is None or volume.error_estimate is None or measured.centroid is None:
        return f"its volume could not be measured: {volume.reason}"
    outline = outline_of(solid)
    table = SurfaceTable(outline.surfaces)
    if may_fold(outline, size) and is_folded(solid, mesh, table, size):
        return CROSSING
    if not volume.value > volume.error_estimate:
        return "it encloses nothing"
    if measured.signed is not None and measured.signed < 0:
        return "its faces point inwards"
    return Part(
        index=index,
        name=read.name,
        shape=solid,
        bounds=bounds,
        volume=volume.value,
        error=volume.error_estimate,
        centroid=measured.centroid,
        valid=valid,
        table=table,
        coarse=facets(mesh, boundary.balanced),
    )
