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
from gaugeblock.ruler.facts.mesh import (
    ANGLE,
    RELATIVE_SAG,
    Floats,
    Ints,
    Mesh,
    build_mesh,
    quick_mesh,
)
from gaugeblock.ruler.facts.surfaces import SurfaceTable, surface_of
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
class Facets:
    """All triangles of one mesh of one solid, in flat arrays."""

    points: Floats
    """(n, 3) mm."""
    uv: Floats
    """(n, 2) parameters of the nodes on their face's surface."""
    triangles: Ints
    """(m, 3) node numbers, turned outwards."""
    face: Ints
    """(m,) face number of each triangle."""
    node_face: Ints
    """(n,) face number of each node."""
    welded: Ints
    """(n,) number of each node in the closed mesh."""
    closed: bool
    """Closed and orientable."""

    def volume(self) -> float:
        """Return the volume that the triangles enclose, mm³; only sound where they are closed."""
        if not len(self.triangles):
            return 0.0
        a, b, c = (self.points - self.points.mean(axis=0))[self.triangles].transpose(1, 0, 2)
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


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

    def refine(self) -> None:
        """Make the finer mesh of every solid."""
        for part in self.parts:
            if part.fine is None:
                size = math.dist(part.bounds.min, part.bounds.max)
                angle, sag = ANGLE / FINER, RELATIVE_SAG / FINER**2
                part.fine = facets(quick_mesh(part.shape, size, angle, sag))
                if not _bears_out(part, part.fine):
                    part.fine = facets(build_mesh(part.shape, size, angle, sag))


def _bears_out(part: Part, fine: Facets) -> bool:
    """Whether a finer mesh is closed and no farther from the confirmed volume than the coarse."""
    off = abs(fine.volume() - part.volume)
    worst = abs(part.coarse.volume() - part.volume) + part.error + VOLUME_NOISE * part.volume
    return fine.closed and off <= worst


def build_body(solids: list[ReadSolid], clock: Any) -> Body:
    """Measure and mesh every solid; the first that cannot be compared is named in `problem`."""
    body = Body(parts=[])
    if not solids:
        body.problem = "the file holds no solid"
    for index, read in enumerate(solids):
        part = _part(index, read, clock)
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


def _part(index: int, read: ReadSolid, clock: Any) -> Part | str:
    solid = read.shape
    bounds = bounds_of(solid)
    if bounds is None:
        return "its box is not finite"
    size = math.dist(bounds.min, bounds.max)
    # The quick mesh serves where it is closed and the volume it is compared with is confirmed.
    for make in (quick_mesh, build_mesh):
        mesh = make(solid, size, ANGLE, RELATIVE_SAG)
        boundary = judge(mesh)
        clock.lap("mesh")
        measured = measure_volume(solid, mesh, boundary.balanced, bounds, clock)
        if mesh.complete and boundary.balanced and measured.volume.value is not None:
            break
    valid = all_parts(judge_solid(solid, measured.volume, measured.signed, mesh, boundary))
    clock.lap("validity")
    volume = measured.volume
    if volume.value is None or volume.error_estimate is None:
        return f"its volume could not be measured: {volume.reason}"
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
        valid=valid,
        table=SurfaceTable([surface_of(face.face) for face in mesh.faces]),
        coarse=facets(mesh, boundary.balanced),
    )


def facets(mesh: Mesh, balanced: bool | None = None) -> Facets:
    """Lay out a mesh in flat arrays; `balanced`: closed and orientable, where that is known."""
    if balanced is None:
        balanced = mesh.complete and _balanced(mesh.welded_triangles())
    counts = np.array([len(face.points) for face in mesh.faces], dtype=np.int64)
    first = np.cumsum(counts) - counts
    number = np.arange(len(mesh.faces))
    triangles = [
        (face.triangles[:, ::-1] if face.reversed else face.triangles) + start
        for face, start in zip(mesh.faces, first, strict=True)
    ]
    return Facets(
        points=np.concatenate([face.points for face in mesh.faces]),
        uv=np.concatenate([face.uv for face in mesh.faces]),
        triangles=np.concatenate(triangles).astype(np.int64),
        face=np.repeat(number, [len(face.triangles) for face in mesh.faces]),
        node_face=np.repeat(number, counts),
        welded=np.concatenate([face.welded for face in mesh.faces]),
        closed=mesh.complete and balanced,
    )


def _balanced(triangles: Ints) -> bool:
    """Whether every half-edge a→b occurs as often as b→a."""
    if not len(triangles):
        return False
    size = int(triangles.max()) + 1
    tails, heads = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    there, back = np.sort(tails * size + heads), np.sort(heads * size + tails)
    return bool(np.array_equal(there, back))
