"""The volume again, from the kernel's mesh: three nested meshes, extrapolated.

The kernel triangulates the solid once. Every triangle is then halved twice, its new nodes put on
the true surface and, along edges, on the true curve shared by both faces. The three polyhedra are
closed and nested, so that their volumes converge with the square of the chord, and Richardson
extrapolation (the first step of Romberg's scheme) removes that term.

Independent of the flux integral in what matters: no Green's theorem, no orientation of parameter
curves, no quadrature, no knots; which side of a boundary is material is the mesher's decision. Both
evaluate the same surfaces, so the kernel's own nodes are compared with that evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.facts.mesh import Mesh
from gaugeblock.ruler.facts.pcurves import LINE, PCurves
from gaugeblock.ruler.facts.polygon import triple
from gaugeblock.ruler.facts.surfaces import SurfaceTable

METHOD = "mesh-richardson"

SAME_POINT = 1e-5
"""Largest distance between a node of the kernel's mesh and the surface at its parameters, as a part
of the diagonal. Interior nodes agree to rounding; nodes on loosely fitted edges lie off."""

GRID = [(i, j, 4 - i - j) for i in range(5) for j in range(5 - i)]
"""Nodes of a triangle halved twice, by barycentric quarters."""

_NUMBER = {node: index for index, node in enumerate(GRID)}


def _pieces(step: int) -> Ints:
    """Return (n, 3) node numbers of the triangles of side `step` quarters."""
    found = []
    for i in range(0, 4, step):
        for j in range(0, 4 - i, step):
            k = 4 - i - j
            a = (i + step, j, k - step)
            b = (i, j + step, k - step)
            c = (i, j, k)
            found.append([_NUMBER[a], _NUMBER[b], _NUMBER[c]])
            if k - 2 * step >= 0:
                d = (i + step, j + step, k - 2 * step)
                found.append([_NUMBER[a], _NUMBER[d], _NUMBER[b]])
    return np.array(found)


LEVELS = [_pieces(4), _pieces(2), _pieces(1)]

SIDES = [
    # corners (first, second) and the three nodes between them
    ((0, 1), [_NUMBER[3, 1, 0], _NUMBER[2, 2, 0], _NUMBER[1, 3, 0]]),
    ((1, 2), [_NUMBER[0, 3, 1], _NUMBER[0, 2, 2], _NUMBER[0, 1, 3]]),
    ((2, 0), [_NUMBER[1, 0, 3], _NUMBER[2, 0, 2], _NUMBER[3, 0, 1]]),
]

CORNERS = [_NUMBER[4, 0, 0], _NUMBER[0, 4, 0], _NUMBER[0, 0, 4]]

BLOCK = 20_000
"""Triangles refined in one numpy pass: about 30 MB."""

ROUNDOFF = 1e-15
"""Rounding error as a part of the volumes that are summed."""

QUARTERS = np.array([0.25, 0.5, 0.75])


@dataclass(frozen=True)
class MeshVolume:
    """Extrapolated mesh volume."""

    value: float | None
    """Signed, mm³."""
    error: float | None
    """mm³: the difference between the extrapolations from the coarser and the finer pair."""
    reason: str | None
    method: str = METHOD


def mesh_volume(
    mesh: Mesh, table: SurfaceTable, curves: PCurves, centre: Floats, diagonal: float
) -> MeshVolume:
    """Return the volume enclosed by `mesh` refined on its surfaces.

    Args:
        mesh: A complete welded mesh; its faces in the order of `table`.
        table: The surfaces, one a face.
        curves: One a use, in the order of the faces' uses.
        centre: (3,) reference point, mm.
        diagonal: Size of the solid, mm.
    """
    try:
        return extrapolate(mesh_levels(mesh, table, curves, centre, diagonal), diagonal)
    except CannotCheck as reason:
        return MeshVolume(None, None, str(reason))


class CannotCheck(Exception):
    """The mesh gives no volume; the text says why."""


def mesh_levels(
    mesh: Mesh, table: SurfaceTable, curves: PCurves, centre: Floats, diagonal: float
) -> Floats:
    """Return the volumes (3,) in mm³ under the faces of `mesh` from coarse to fine.

    Raises:
        CannotCheck: The mesh is incomplete or not where the surfaces are.
    """
    if not mesh.complete:
        raise CannotCheck("the mesh is not complete")
    nodes = _Nodes(mesh, table, curves, centre)
    off = nodes.off_surface()
    if not off <= SAME_POINT * diagonal:
        raise CannotCheck(f"mesh nodes lie {off:.2g} mm off the surface they are said to be on")
    return nodes.flat() + nodes.curved() + nodes.strips()


def extrapolate(levels: Floats, diagonal: float, method: str = METHOD) -> MeshVolume:
    """Return the limit of three volumes whose chords are halved from one to the next.

    Args:
        levels: (3,) mm³.
        diagonal: Size of the solid in mm, for the rounding error.
        method: Name of the method, for the record.
    """
    if not np.isfinite(levels).all():
        return MeshVolume(None, None, "the mesh volume is not finite", method)
    coarse = (4.0 * levels[1] - levels[0]) / 3.0
    fine = (4.0 * levels[2] - levels[1]) / 3.0
    return MeshVolume(
        value=float(fine + (fine - coarse) / 15.0),
        error=float(abs(fine - coarse) + ROUNDOFF * (abs(levels[2]) + diagonal**3)),
        reason=None,
        method=method,
    )


class _Nodes:
    """The mesh of all faces in flat arrays, with the nodes that halving its edges twice adds."""

    def __init__(self, mesh: Mesh, table: SurfaceTable, curves: PCurves, centre: Floats) -> None:
        self.table = table
        numbers, first_use = mesh.place()
        counts = np.array([len(face.points) for face in mesh.faces])
        first = np.cumsum(counts) - counts
        self.points = np.concatenate([face.points for face in mesh.faces]) - centre
        self.uv = np.concatenate([face.uv for face in mesh.faces])
        self.node_face = np.repeat(numbers, counts)
        self.triangles = np.concatenate(
            [face.triangles + start for face, start in zip(mesh.faces, first, strict=True)]
        )
        self.face = np.repeat(numbers, [len(face.triangles) for face in mesh.faces])
        self.outward = np.ones(len(table.surfaces))
        self.outward[numbers] = [-1.0 if face.reversed else 1.0 for face in mesh.faces]
        self.centre = centre
        self._segments(mesh, first, first_use, curves)
        self._edge_nodes(curves)

    def _segments(self, mesh: Mesh, first: Ints, first_use: Ints, curves: PCurves) -> None:
        """Lay out the chords of all boundary curves: end nodes, use, parameters."""
        a, b, use, start, end = [], [], [], [], []
        self.on_edge = np.zeros(len(self.points), dtype=bool)
        for offset, start_use, face in zip(first, first_use, mesh.faces, strict=True):
            for number, edge in enumerate(face.uses, int(start_use)):
                nodes = edge.nodes + offset
                self.on_edge[nodes] = True
                if len(edge.parameters) == len(nodes):
                    a.append(nodes[:-1])
                    b.append(nodes[1:])
                    use.append(np.full(len(nodes) - 1, number))
                    start.append(edge.parameters[:-1])
                    end.append(edge.parameters[1:])
        none: Floats = np.empty(0)
        self.a, self.b, self.use = (
            np.concatenate([none, *parts]).astype(np.int64) for parts in (a, b, use)
        )
        self.start, self.end = np.concatenate([none, *start]), np.concatenate([none, *end])
        self.segment_face = np.array(curves.face, dtype=np.int64)[self.use]
        self.sense = np.array(curves.sign)[self.use] * self.outward[self.segment_face]
        self.straight = np.array(curves.kind)[self.use] == LINE

    def _edge_nodes(self, curves: PCurves) -> None:
        """Put three nodes on every chord's own curve, and move loose edges' nodes onto surfaces.

        `inner` are the nodes on the face's surface, `curve` those on the curve that both faces
        share; the same where the edge is tight.
        """
        t = self.start[:, None] + QUARTERS * (self.end - self.start)[:, None]
        self.edge_uv = curves.evaluate(self.use, t)[0].reshape(-1, 2)
        face = np.repeat(self.segment_face, 3)
        points = (self.table.points(face, self.edge_uv) - self.centre).reshape(-1, 3, 3)
        space = np.full(len(curves), -1, dtype=np.int64)
        for use, number in curves.loose.items():
            space[use] = number
        self.loose = space[self.use] >= 0
        self.moved = np.zeros(len(self.points), dtype=bool)
        self.inner, self.curve, self.corners = points, points, self.points
        if self.loose.any():
            curve = curves.space.evaluate(space[self.use[self.loose]], t[self.loose])[0]
            self.curve = points.copy()
            self.curve[self.loose] = curve - self.centre
            self.moved[self.a[self.loose]] = self.moved[self.b[self.loose]] = True
            self.corners = self.points.copy()
            self.corners[self.moved] = (
                self.table.points(self.node_face[self.moved], self.uv[self.moved]) - self.centre
            )

    def off_surface(self) -> float:
        """Largest distance of an interior mesh node from the surface at its parameters, mm."""
        inside = ~self.on_edge
        if not inside.any():
            return 0.0
        there = self.table.points(self.node_face[inside], self.uv[inside]) - self.centre
        gap = there - self.points[inside]
        return float(np.sqrt((gap * gap).sum(axis=1).max()))

    def flat(self) -> Floats:
        """Three volumes under the planar faces: triangles, and slivers along curved edges."""
        chosen = self.table.plane[self.face]
        a, b, c = self.corners[self.triangles[chosen].T]
        volume = (self.outward[self.face[chosen]] * triple(a, b, c)).sum()
        out = np.full(3, volume)
        bent = self.table.plane[self.segment_face] & ~self.straight
        a, b = self.corners[self.a[bent]], self.corners[self.b[bent]]
        inner = self.inner[bent]
        # Seen along the boundary (material on its left) a sliver outside the chord adds.
        sense = self.sense[bent]
        chain = [a, inner[:, 0], inner[:, 1], inner[:, 2], b]
        out[1] += (sense * triple(a, inner[:, 1], b)).sum()
        out[2] += sum((sense * triple(a, chain[i], chain[i + 1])).sum() for i in range(1, 4))
        return out

    def curved(self) -> Floats:
        """Three volumes under the curved faces."""
        chosen = np.flatnonzero(~self.table.plane[self.face])
        out = np.zeros(3)
        for low in range(0, len(chosen), BLOCK):
            out += self._curved(chosen[low : low + BLOCK])
        return out

    def _curved(self, chosen: Ints) -> Floats:
        triangles, face = self.triangles[chosen], self.face[chosen]
        uv = (np.array(GRID) / 4.0) @ self.uv[triangles]
        fixed = np.full((len(triangles), len(GRID)), -1, dtype=np.int64)
        size = len(self.points)
        keys = np.concatenate([self.a * size + self.b, self.b * size + self.a])
        order = np.argsort(keys)
        keys = keys[order]
        for (first, second), nodes in SIDES:
            wanted = triangles[:, first] * size + triangles[:, second]
            place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
            hit = np.flatnonzero(keys[place] == wanted) if len(keys) else place[:0]
            found = order[place[hit]]
            backwards = found >= len(self.a)
            segment = np.where(backwards, found - len(self.a), found)
            for step, node in enumerate(nodes):
                fixed[hit, node] = segment * 3 + np.where(backwards, 2 - step, step)
        points = np.empty((*fixed.shape, 3))
        for corner, node in enumerate(CORNERS):
            points[:, node] = self.corners[triangles[:, corner]]
            fixed[:, node] = -2
        known = fixed >= 0
        points[known] = self.inner.reshape(-1, 3)[fixed[known]]
        fresh = fixed == -1
        rows = np.nonzero(fresh)[0]
        points[fresh] = self.table.points(face[rows], uv[fresh]) - self.centre
        x, y, z = np.ascontiguousarray(np.moveaxis(points, -1, 0))
        sense = self.outward[face]
        out = np.empty(3)
        for level, pieces in enumerate(LEVELS):
            a, b, c = pieces.T
            xb, yb, zb, xc, yc, zc = x[:, b], y[:, b], z[:, b], x[:, c], y[:, c], z[:, c]
            triple = x[:, a] * (yb * zc - zb * yc)
            triple += y[:, a] * (zb * xc - xb * zc)
            triple += z[:, a] * (xb * yc - yb * xc)
            out[level] = (sense @ triple).sum() / 6.0
        return out

    def strips(self) -> Floats:
        """Three volumes under the strips between faces' boundaries and the shared edge nodes.

        A loosely fitted edge lies off the surface; were its nodes simply put into the triangles,
        the volume would converge with the first power of the chord and the extrapolation fail.
        """
        out = np.zeros(3)
        chosen = self.loose | self.moved[self.a] | self.moved[self.b]
        if not chosen.any():
            return out
        a, b = self.a[chosen], self.b[chosen]
        surface = [self.corners[a], *self.inner[chosen].transpose(1, 0, 2), self.corners[b]]
        shared = [self.points[a], *self.curve[chosen].transpose(1, 0, 2), self.points[b]]
        sense = self.sense[chosen]
        for level, step in enumerate((4, 2, 1)):
            for i in range(0, 4, step):
                s0, s1, c0, c1 = surface[i], surface[i + step], shared[i], shared[i + step]
                out[level] += (sense * (triple(s1, s0, c0) + triple(s1, c0, c1))).sum()
        return out
