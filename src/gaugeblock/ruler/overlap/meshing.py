"""Overlap by booleans of triangle meshes (manifold3d), at two deflections.

The mesh of a curved face leaves out slivers whose volume falls with the square of the chord, so two
deflections give both an extrapolated value and how far it may be off. Shares nothing with the
kernel's booleans but the triangulation of single faces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import manifold3d
import numpy as np

from gaugeblock.ruler.facts.facets import Facets
from gaugeblock.ruler.overlap.body import FINER, REST, Body, Motion, Part

TRUST = 2.0
"""Multiple of the difference between both deflections that is taken for the error of the
extrapolated value. A twentieth of the difference is left on cylinders that stand apart, but up to
1.4 of it where two unlike tessellations of one curved face coincide."""

FLOOR = 2e-7
"""Least error of an IoU by mesh: manifold3d merges vertices within about 1e-9 of the size, and the
kernel puts nodes of loosely fitted edges up to their tolerance off the surfaces."""


class MeshFailure(Exception):
    """A mesh that encloses no volume; the text says why."""


@dataclass(frozen=True)
class Shares:
    """Volumes of one pair in mm³."""

    a: float
    b: float
    common: float

    @property
    def iou(self) -> float:
        """Intersection over union."""
        return self.common / (self.a + self.b - self.common)


@dataclass(frozen=True)
class MeshIou:
    """An IoU by mesh booleans."""

    iou: float
    error: float
    common: float
    """mm³, extrapolated."""
    common_error: float
    triangles: int


def closed_mesh(facets: Facets, motion: Motion = REST) -> Any:
    """Return the manifold of one solid's mesh.

    Raises:
        MeshFailure: the mesh is not closed, or manifold3d refuses it.
    """
    if not facets.closed:
        raise MeshFailure("the mesh is not closed")
    triangles = facets.welded[facets.triangles]
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    used, compact = np.unique(triangles, return_inverse=True)
    points = np.empty((int(facets.welded.max()) + 1, 3))
    points[facets.welded] = facets.points
    points = motion(points[used])
    compact = compact.reshape(-1, 3)
    if np.linalg.det(motion.rotation) < 0:
        compact = compact[:, ::-1]
    mesh = manifold3d.Mesh64(
        vert_properties=np.ascontiguousarray(points),
        tri_verts=np.ascontiguousarray(compact.astype(np.uint64)),
    )
    made = manifold3d.Manifold(mesh)
    if made.status() != manifold3d.Error.NoError:
        raise MeshFailure(f"manifold3d refuses the mesh ({made.status().name})")
    return made


def body_mesh(body: Body, fine: bool, motion: Motion = REST) -> Any:
    """Return the manifold of the space a body occupies; made once, then moved.

    Raises:
        MeshFailure: a solid's mesh is not closed, or manifold3d refuses it.
    """
    known = body.manifolds.get(fine)
    if known is None:
        known = body.manifolds[fine] = _at_rest(body, fine)
    if motion.is_identity:
        return known
    return known.transform(np.hstack([motion.rotation, motion.translation[:, None]]))


def _at_rest(body: Body, fine: bool) -> Any:
    made = [closed_mesh(_facets(part, fine)) for part in body.parts]
    if len(made) == 1:
        return made[0]
    if body.overlapping:
        return manifold3d.Manifold.batch_boolean(made, manifold3d.OpType.Add)
    return manifold3d.Manifold.compose(made)


def _facets(part: Part, fine: bool) -> Facets:
    chosen = part.fine if fine else part.coarse
    if chosen is None:
        raise MeshFailure("there is no finer mesh")
    return chosen


def shares(a: Any, b: Any) -> Shares:
    """Return the volumes of two manifolds and of what they share."""
    return Shares(float(a.volume()), float(b.volume()), float((a ^ b).volume()))


def mesh_iou(a: Body, b: Body, motion: Motion) -> MeshIou:
    """Return the IoU of `a`, moved, and `b`.

    Raises:
        MeshFailure: there is no closed mesh.
    """
    rough = shares(body_mesh(a, False, motion), body_mesh(b, False))
    left, right = body_mesh(a, True, motion), body_mesh(b, True)
    good = shares(left, right)
    iou = _limit(rough.iou, good.iou)
    common = _limit(rough.common, good.common)
    # Deflections that a face's sag decides do not converge as two of them let expect: what the
    # extrapolation misses of the known volumes, it may miss of what they share.
    missed = (_missed(a) + _missed(b)) / (good.a + good.b - good.common)
    return MeshIou(
        iou=min(max(iou, 0.0), 1.0),
        error=TRUST * abs(good.iou - rough.iou) + missed + FLOOR,
        common=max(common, 0.0),
        common_error=TRUST * abs(good.common - rough.common) + FLOOR * max(good.a, good.b),
        triangles=int(left.num_tri() + right.num_tri()),
    )


def mesh_volume(body: Body) -> tuple[float, float]:
    """Return the volume a body occupies, and its error, mm³.

    The solids' own volumes less what their meshes share, extrapolated: what a mesh leaves out of
    one solid then does not count, only what it leaves out of the shared space.

    Raises:
        MeshFailure: there is no closed mesh.
    """
    total, error = body.summed
    rough, good = (
        sum(_facets(part, fine).volume() for part in body.parts)
        - float(body_mesh(body, fine).volume())
        for fine in (False, True)
    )
    return (
        total - _limit(rough, good),
        error + TRUST * abs(good - rough) + FLOOR * total,
    )


def _limit(rough: float, good: float) -> float:
    """Return what two deflections extrapolate to: errors fall with the chord's square."""
    return good + (good - rough) / (FINER**2 - 1.0)


def _missed(body: Body) -> float:
    """Return by how much extrapolated meshes miss the solids' confirmed volumes, mm³."""
    return sum(
        abs(_limit(part.coarse.volume(), _facets(part, True).volume()) - part.volume)
        for part in body.parts
    )
