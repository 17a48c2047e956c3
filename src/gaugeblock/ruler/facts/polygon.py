"""The volume again without triangles: faces of known form under polygons along their edges.

Every edge's own curve in space is cut into chords, which are halved twice. A plane's part of the
volume is its distance times the area of its polygon (shoelace formula). On a cylinder, cone, sphere
or torus the corners are taken back to angle θ and profile parameter v, and the flux, in closed form
along v, is summed by trapezoids in θ. The three sums converge with the square of the chord and are
extrapolated by the caller (Richardson, Romberg).

Independent of the flux integral in what matters: the shared curves in space and not the faces'
curves in parameter space, integration along the other parameter, other primitives, polygons and no
Gauss nodes. Both reduce a face to its boundary, so that what a mesher would have decided is checked
apart: edges lie on their surfaces, boundaries run round them on the right side and close, a plane
has one outer boundary with the others inside it. Where one of these fails, the mesh decides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.facts.pcurves import LINE, SPLINE, PCurves
from gaugeblock.ruler.facts.profiles import primitives, profile_at
from gaugeblock.ruler.facts.segments import split
from gaugeblock.ruler.facts.surfaces import SurfaceTable

TURN = np.pi / 12.0
"""Largest turn of a chord in rad before it is halved twice: 24 chords a circle, then 48 and 96.
The extrapolated sums are then good to 1e-9 of a circle and cost next to nothing."""

OFF_SURFACE = 1e-9
"""Distance of an edge from its surface, as a part of the solid's size, that is rounding."""

AT_AXIS = 1e-9
"""Distance from the axis, as a part of the solid's size, at which the angle is not defined."""

CLOSES = 0.02
"""Angle in rad by which a boundary's turns round its axis may miss each other: edges end a vertex
tolerance apart (0.05 mm in ctc_04), while a boundary that is not closed misses a whole turn, 2π."""

SAMPLED = 4.0
"""Edge tolerances come from a few samples of the kernel's; between them edges lie up to 2.4 times
as far off (partcad_m3_screw). What they are off is closed by strips, so it need not be tight."""

STEPS = (4, 2, 1)
QUARTERS = np.linspace(0.0, 1.0, 5)


@dataclass(frozen=True)
class Polygons:
    """Contribution of the faces of known form."""

    levels: Floats
    """(3,) volumes in mm³ from coarse to fine chords."""
    reason: str | None
    """Why the boundary alone does not settle the volume; None: it does."""


def polygon_volume(
    outline: Outline, table: SurfaceTable, curves: PCurves, centre: Floats, diagonal: float
) -> Polygons:
    """Return the volume under all planes, cylinders, cones, spheres and tori.

    Args:
        outline: The solid.
        table: The surfaces, one a face.
        curves: One a use of an edge; `space` by edge for all edges of these faces.
        centre: (3,) reference point, mm.
        diagonal: Size of the solid, mm.
    """
    work = _Rows(outline, table, curves, centre, diagonal)
    levels = work.flat() + work.round() + work.strips()
    return Polygons(levels, work.reason)


class _Rows:
    """One row a piece of an edge in a face: five points on the edge's own curve.

    Points are (3, rows, 5), coordinates first: numpy is slow along a last axis of three.
    """

    def __init__(
        self,
        outline: Outline,
        table: SurfaceTable,
        curves: PCurves,
        centre: Floats,
        diagonal: float,
    ) -> None:
        self.outline, self.table, self.curves = outline, table, curves
        self.centre, self.diagonal = centre, diagonal
        self.reason: str | None = None
        self.outward = np.where(np.array(outline.turned, dtype=bool), -1.0, 1.0)
        face = np.array(outline.use_face, dtype=np.int64)
        edge = np.array(outline.use_edge, dtype=np.int64)
        known = table.known[face]
        space = np.array([curves.by_edge.get(e, -1) for e in range(len(outline.edges))])[edge]
        self.points_of_edges()
        uses = np.flatnonzero(known & (space >= 0))
        self.use, piece = self._expand(uses, space[uses])
        self.face = face[self.use]
        self.points = self.corners[:, piece]
        self.at = self.parameters[piece]
        self.sign = np.array(curves.sign)[self.use]
        loose = np.zeros(len(face), dtype=bool)
        loose[list(curves.loose)] = True
        self.loose = loose[self.use]
        self.allowed = SAMPLED * np.array(curves.slack)[self.use] + OFF_SURFACE * diagonal
        self.foot = self.points.copy()
        self.points_only = np.flatnonzero(known & (space < 0))
        self.origin = table.frames[:, 0] - centre
        self.axes = table.frames[:, 1:]

    def points_of_edges(self) -> None:
        """Cut the edges' curves and put five points on every piece, relative to the centre."""
        space = self.curves.space
        kind = np.array(space.kind, dtype=np.int64)
        count = [1 if kind[i] != SPLINE else len(space.breaks(i)) + 1 for i in range(len(kind))]
        curve = np.repeat(np.arange(len(kind)), count)
        start = np.array(space.first)[curve] if len(kind) else np.empty(0)
        end = np.array(space.last)[curve] if len(kind) else np.empty(0)
        first = np.cumsum(count) - count if len(kind) else np.empty(0, dtype=np.int64)
        for i in np.flatnonzero(kind == SPLINE):
            cuts = space.breaks(int(i))
            start[first[i] + 1 : first[i] + count[i]] = cuts
            end[first[i] : first[i] + count[i] - 1] = cuts
        parts = np.ones(len(curve), dtype=np.int64)
        bent = np.flatnonzero(kind[curve] != LINE)
        if len(bent):
            parts[bent] = self._parts(curve[bent], start[bent], end[bent])
        curve, start, end = split(curve, start, end, parts)
        self.parameters = start[:, None] + QUARTERS * (end - start)[:, None]
        corners = space.evaluate(curve, self.parameters)[0] - self.centre
        self.corners = corners.transpose(2, 0, 1)
        self.first = np.searchsorted(curve, np.arange(len(kind)))
        self.count = np.searchsorted(curve, np.arange(len(kind)), "right") - self.first

    def _parts(self, curve: Ints, start: Floats, end: Floats) -> Ints:
        """Return into how many chords of at most TURN each curved piece is cut."""
        t = start[:, None] + QUARTERS * (end - start)[:, None]
        slope = self.curves.space.evaluate(curve, t)[1].transpose(2, 0, 1)
        length = np.sqrt((slope * slope).sum(axis=0))
        slope = slope / np.where(length > 0, length, 1.0)
        cosine = (slope[:, :, :-1] * slope[:, :, 1:]).sum(axis=0)
        turn = np.arccos(np.minimum(np.maximum(cosine, -1.0), 1.0)).sum(axis=1)
        parts = np.ceil(np.maximum(1.0, np.nan_to_num(turn) / TURN))
        return np.asarray(parts, dtype=np.int64)

    def _expand(self, uses: Ints, space: Ints) -> tuple[Ints, Ints]:
        """Return (use, piece) for all pieces of the uses' edges."""
        count = self.count[space]
        owner = np.repeat(np.arange(len(uses)), count)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
        return uses[owner], self.first[space][owner] + place

    def _fail(self, reason: str) -> None:
        self.reason = self.reason or reason

    def _check_gap(self, gap: Floats, rows: Ints) -> None:
        """Note edges that do not lie on their face's surface."""
        if not (np.abs(gap) <= self.allowed[rows, None]).all():
            self._fail("an edge lies off its face's surface")

    def flat(self) -> Floats:
        """Return three volumes under the planes."""
        out = np.zeros(3)
        rows = np.flatnonzero(self.table.plane[self.face])
        if not len(rows):
            return out
        face, p = self.face[rows], self.points[:, rows]
        x, y = self.axes[:, 0].T, self.axes[:, 1].T
        normal = x[[1, 2, 0]] * y[[2, 0, 1]] - x[[2, 0, 1]] * y[[1, 2, 0]]
        distance = (self.origin.T * normal).sum(axis=0)
        u, v, height = ((p * axis[:, face, None]).sum(axis=0) for axis in (x, y, normal))
        height -= distance[face, None]
        self._check_gap(height, rows)
        loose = self.loose[rows]
        self.foot[:, rows[loose]] -= height[loose] * normal[:, face[loose], None]
        six = self.sign[rows] * self.outward[face] * distance[face] / 6.0
        for level, step in enumerate(STEPS):
            first, last = slice(0, -1, step), slice(step, None, step)
            twice = (u[:, first] * v[:, last] - v[:, first] * u[:, last]).sum(axis=1)
            out[level] = six @ twice
        self._check_wires(rows, twice * self.sign[rows], u, v)
        return out

    def _check_wires(self, rows: Ints, twice: Floats, u: Floats, v: Floats) -> None:
        """A plane has one outer boundary, and the others lie within it.

        Args:
            rows: All rows on planes.
            twice: Twice the area that each adds, mm².
            u: (rows, 5) coordinates in their plane, mm.
            v: The same, across.
        """
        wire_of = np.empty(len(self.outline.uses), dtype=np.int64)
        owner = np.array([face for face, _, _ in self.outline.wires], dtype=np.int64)
        for number, (_, first, last) in enumerate(self.outline.wires):
            wire_of[first:last] = number
        wire = wire_of[self.use[rows]]
        size = len(owner)
        area = np.bincount(wire, twice, size)
        present = np.bincount(wire, minlength=size) > 0
        outer = np.bincount(owner[area > 0], minlength=len(self.outward))
        flat = np.unique(owner[present])
        if not (outer[flat] == 1).all() or not (area[present] != 0).all():
            self._fail("a plane has not exactly one outer boundary")
            return
        total = np.bincount(owner[present], area[present], len(self.outward))
        if not (total[flat] > 0).all():
            self._fail("a plane's holes are larger than its outer boundary")
            return
        inner = np.flatnonzero(present & (area < 0))
        if len(inner):
            self._check_nesting(u, v, wire, owner, area > 0, inner)

    def _check_nesting(
        self,
        u: Floats,
        v: Floats,
        wire: Ints,
        owner: Ints,
        outer: npt.NDArray[np.bool_],
        inner: Ints,
    ) -> None:
        """A corner of every inner boundary lies inside the outer one (even–odd rule)."""
        order = np.argsort(wire, kind="stable")
        first = order[np.searchsorted(wire[order], inner)]
        around = outer[wire]
        for face in np.unique(owner[inner]):
            mine = around & (owner[wire] == face)
            corner = first[owner[inner] == face]
            seen_u, seen_v = u[corner, :1], v[corner, :1]
            ring_u, ring_v = u[mine], v[mine]
            u0, v0, u1, v1 = (
                part.ravel() for ring in (slice(0, -1), slice(1, None))
                for part in (ring_u[:, ring], ring_v[:, ring])
            )  # fmt: skip
            crossing = (v0 > seen_v) != (v1 > seen_v)
            rise = np.where(crossing, v1 - v0, 1.0)
            at = u0 + (seen_v - v0) / rise * (u1 - u0)
            if not ((crossing & (at > seen_u)).sum(axis=1) % 2 == 1).all():
                self._fail("a plane's hole lies outside its outer boundary")
                return

    def round(self) -> Floats:
        """Return three volumes under the cylinders, cones, spheres and tori."""
        out = np.zeros(3)
        turns = np.zeros(len(self.outward))
        areas = np.zeros(len(self.outward))
        for kind, mask in self.table.round.items():
            rows = np.flatnonzero(mask[self.face])
            if len(rows):
                theta, v = self._angles(kind, rows)
                out += self._sum(kind, self.face[rows], self.sign[rows], theta, v, (turns, areas))
            points = self.points_only[mask[np.array(self.curves.face)[self.points_only]]]
            if len(points):
                theta, v, use = self._at_points(points)
                face = np.array(self.curves.face)[use]
                sign = np.array(self.curves.sign)[use]
                out += self._sum(kind, face, sign, theta, v, (turns, areas))
        if not (np.abs(turns) <= CLOSES).all():
            self._fail("a boundary does not close round its surface")
        if not (areas[self.table.known & ~self.table.plane] > 0).all():
            self._fail("a boundary runs round the wrong side of its surface")
        return out

    def _angles(self, kind: str, rows: Ints) -> tuple[Floats, Floats]:
        """Take points in space back to θ and v, each (n, 5)."""
        face = self.face[rows]
        axes = self.axes[face].transpose(1, 2, 0)[:, :, :, None]
        size = self.table.size[face].T[:, :, None]
        a, b = size
        apart = self.points[:, rows] - self.origin[face].T[:, :, None]
        x, y, z = ((apart * axis).sum(axis=0) for axis in axes)
        radius, theta = np.hypot(x, y), np.arctan2(y, x)
        match kind:
            case "Cylinder":
                v = z
            case "Cone":
                v = z / np.cos(b)
            case "Sphere":
                v = np.arctan2(z, radius)
            case _:
                v = np.arctan2(z, radius - a)
                near = self.curves.evaluate(self.use[rows], self.at[rows])[0][:, :, 1]
                v = near + _wrapped(v - near)
                if not (a > b).all():
                    self._fail("a torus cuts itself")
        rho, high = profile_at(kind, size, v)
        if not (rho >= -AT_AXIS * self.diagonal).all():
            self._fail("a boundary passes through a cone's tip")
        self._check_gap(np.hypot(rho - radius, high - z), rows)
        loose = np.flatnonzero(self.loose[rows])
        if len(loose):
            where = (rho * np.cos(theta), rho * np.sin(theta), high)
            self.foot[:, rows[loose]] = self.origin[face[loose]].T[:, :, None] + sum(
                w[loose] * axis[:, loose] for w, axis in zip(where, axes, strict=True)
            )
        self._settle_at_axis(theta, radius)
        return theta, v

    def _settle_at_axis(self, theta: Floats, radius: Floats) -> None:
        """Give points on the axis, whose angle is not defined, that of their neighbour."""
        lost = radius <= AT_AXIS * self.diagonal
        if not lost.any():
            return
        for i in (1, 2, 3, 4):
            theta[lost[:, i], i] = theta[lost[:, i], i - 1]
        keep = lost[:, 0] & ~lost[:, 1]
        theta[keep, 0] = theta[keep, 1]

    def _at_points(self, uses: Ints) -> tuple[Floats, Floats, Ints]:
        """Return θ and v (n, 5) along edges that are points in space, and their uses."""
        first = np.array(self.curves.first)[uses]
        last = np.array(self.curves.last)[uses]
        parts = np.full(len(uses), round(2.0 * np.pi / TURN))
        use, start, end = split(uses, first, last, parts)
        t = start[:, None] + QUARTERS * (end - start)[:, None]
        uv = self.curves.evaluate(use, t)[0]
        return uv[:, :, 0], uv[:, :, 1], use

    def _sum(
        self,
        kind: str,
        face: Ints,
        sign: Floats,
        theta: Floats,
        v: Floats,
        checks: tuple[Floats, Floats],
    ) -> Floats:
        """Sum −∮ H dθ by trapezoids, H the flux from v = 0 along the profile.

        With x₀, y₀, z₀ the surface's origin from the reference point, in its own axes, and
        S = O + ρ(cos θ X + sin θ Y) + z Z:
        x·(Sθ × Sv) = ρ (z′ (x₀ cos θ + y₀ sin θ + ρ) − ρ′ (z₀ + z)).
        """
        turns, areas = checks
        axes = self.axes[face]
        hand = np.sign(np.linalg.det(axes))
        origin = (axes * self.origin[face, None]).sum(axis=2).T[:, :, None]
        across, own, squared = primitives(kind, self.table.size[face].T[:, :, None], v)
        h = (origin[0] * np.cos(theta) + origin[1] * np.sin(theta)) * across + own
        h = h - origin[2] * squared
        out = np.zeros(3)
        factor = sign * self.outward[face] * hand / 6.0
        turn = _wrapped(theta[:, 1:] - theta[:, :-1])
        whole = turn.sum(axis=1)
        turns += np.bincount(face, sign * whole, len(turns))
        twice = ((v[:, :-1] + v[:, 1:]) * turn).sum(axis=1)
        areas -= np.bincount(face, 0.5 * sign * twice, len(areas))
        halves = turn[:, ::2] + turn[:, 1::2]
        for level, part in enumerate((whole[:, None], halves, turn)):
            step = STEPS[level]
            out[level] = -(factor @ ((h[:, :-1:step] + h[:, step::step]) * part).sum(axis=1))
        return out

    def strips(self) -> Floats:
        """Return three volumes under the strips between surfaces and loosely fitted edges."""
        out = np.zeros(3)
        if not self.loose.any():
            return out
        foot, curve = (each[:, self.loose].T for each in (self.foot, self.points))
        sense = self.sign[self.loose] * self.outward[self.face[self.loose]]
        for level, step in enumerate(STEPS):
            for i in range(0, 4, step):
                s0, s1, c0, c1 = foot[i], foot[i + step], curve[i], curve[i + step]
                out[level] += (sense * (triple(s1, s0, c0) + triple(s1, c0, c1))).sum()
        return out


def _wrapped(angle: Floats) -> Floats:
    """Return angles brought into (−π, π]."""
    return np.asarray(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))


def triple(a: Floats, b: Floats, c: Floats) -> Floats:
    """Return the signed volumes (n,) of tetrahedra from the reference point, mm³."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = a.T, b.T, c.T
    six = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return np.asarray(six / 6.0)
