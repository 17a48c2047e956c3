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
    """One row a piece of an edge in a face: five points on the edge's own curve."""

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
        known = table.plane.copy()
        for mask in table.round.values():
            known |= mask
        space = np.array([curves.by_edge.get(e, -1) for e in range(len(outline.edges))])[edge]
        self.points_of_edges()
        uses = np.flatnonzero(known[face] & (space >= 0))
        self.use, piece = self._expand(uses, space[uses])
        self.face = face[self.use]
        self.points = self.corners[piece]
        self.at = self.parameters[piece]
        self.sign = np.array(curves.sign)[self.use]
        self.loose = np.array([u in curves.loose for u in range(len(face))])[self.use]
        self.allowed = np.array(curves.slack)[self.use]
        self.foot = self.points.copy()
        self.points_only = np.flatnonzero(known[face] & (space < 0))

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
        flat = space.evaluate(np.repeat(curve, 5), self.parameters.ravel())[0]
        self.corners = (flat - self.centre).reshape(-1, 5, 3)
        self.first = np.searchsorted(curve, np.arange(len(kind)))
        self.count = np.searchsorted(curve, np.arange(len(kind)), "right") - self.first

    def _parts(self, curve: Ints, start: Floats, end: Floats) -> Ints:
        """Return into how many chords of at most TURN each curved piece is cut."""
        t = start[:, None] + QUARTERS * (end - start)[:, None]
        slope = self.curves.space.evaluate(np.repeat(curve, 5), t.ravel())[1].reshape(-1, 5, 3)
        length = np.linalg.norm(slope, axis=2, keepdims=True)
        slope = slope / np.where(length > 0, length, 1.0)
        cosine = np.clip((slope[:, :-1] * slope[:, 1:]).sum(axis=2), -1.0, 1.0)
        turn = np.arccos(cosine).sum(axis=1)
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
        allowed = SAMPLED * self.allowed[rows] + OFF_SURFACE * self.diagonal
        if not (np.abs(gap) <= allowed[:, None]).all():
            self._fail("an edge lies off its face's surface")

    def flat(self) -> Floats:
        """Return three volumes under the planes."""
        out = np.zeros(3)
        rows = np.flatnonzero(self.table.plane[self.face])
        if not len(rows):
            return out
        face, p = self.face[rows], self.points[rows]
        frames = self.table.frames
        normals = np.cross(frames[:, 1], frames[:, 2])
        distance = ((frames[:, 0] - self.centre) * normals).sum(axis=1)
        normal = normals[face]
        height = np.einsum("rkj,rj->rk", p, normal) - distance[face][:, None]
        self._check_gap(height, rows)
        self.foot[rows] = p - height[:, :, None] * normal[:, None]
        six = self.sign[rows] * self.outward[face] * distance[face] / 6.0
        for level, step in enumerate(STEPS):
            twice = np.zeros(len(rows))
            for i in range(0, 4, step):
                a, b = p[:, i], p[:, i + step]
                twice += normal[:, 0] * (a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1])
                twice += normal[:, 1] * (a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2])
                twice += normal[:, 2] * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
            out[level] = six @ twice
        self._check_wires(rows, twice * self.sign[rows])
        return out

    def _check_wires(self, rows: Ints, twice: Floats) -> None:
        """A plane has one outer boundary, and the others lie within its box."""
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
            self._check_nesting(rows, wire, owner, area > 0, inner)

    def _check_nesting(
        self, rows: Ints, wire: Ints, owner: Ints, outer: npt.NDArray[np.bool_], inner: Ints
    ) -> None:
        """A corner of every inner boundary lies inside the outer one (even–odd rule)."""
        order = np.argsort(wire, kind="stable")
        first = order[np.searchsorted(wire[order], inner)]
        frames = self.table.frames
        for face in np.unique(owner[inner]):
            mine = outer[wire] & (owner[wire] == face)
            axes = frames[face, 1:3]
            seen = self.foot[rows[first[owner[inner] == face]], 0] @ axes.T
            ring = self.foot[rows[mine]] @ axes.T
            a, b = ring[:, :-1].reshape(-1, 2), ring[:, 1:].reshape(-1, 2)
            above = a[:, 1] > seen[:, 1:]
            crossing = above != (b[:, 1] > seen[:, 1:])
            rise = np.where(crossing, b[:, 1] - a[:, 1], 1.0)
            x = a[:, 0] + (seen[:, 1:] - a[:, 1]) / rise * (b[:, 0] - a[:, 0])
            if not ((crossing & (x > seen[:, :1])).sum(axis=1) % 2 == 1).all():
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
        curved = np.zeros(len(self.outward), dtype=bool)
        for mask in self.table.round.values():
            curved |= mask
        if not (areas[curved] > 0).all():
            self._fail("a boundary runs round the wrong side of its surface")
        return out

    def _angles(self, kind: str, rows: Ints) -> tuple[Floats, Floats]:
        """Take points in space back to θ and v, each (n, 5)."""
        face = self.face[rows]
        frame = self.table.frames[face]
        a, b = self.table.size[face].T[:, :, None]
        local = np.einsum(
            "rkj,rij->irk", self.points[rows] - (frame[:, None, 0] - self.centre), frame[:, 1:]
        )
        x, y, z = local
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
                use = np.repeat(self.use[rows], 5)
                near = self.curves.evaluate(use, self.at[rows].ravel())[0][:, 1].reshape(v.shape)
                v = near + _wrapped(v - near)
                if not (a > b).all():
                    self._fail("a torus cuts itself")
        rho, _, high, _ = self.table.profiles(kind, np.repeat(face, 5), v.ravel())
        rho, high = rho.reshape(v.shape), high.reshape(v.shape)
        if not (rho >= -AT_AXIS * self.diagonal).all():
            self._fail("a boundary passes through a cone's tip")
        self._check_gap(np.hypot(rho - radius, high - z), rows)
        loose = np.flatnonzero(self.loose[rows])
        if len(loose):
            flat = frame[loose]
            where = (rho * np.cos(theta), rho * np.sin(theta), high)
            self.foot[rows[loose]] = (flat[:, None, 0] - self.centre) + sum(
                w[loose][:, :, None] * flat[:, None, 1 + i] for i, w in enumerate(where)
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
        uv = self.curves.evaluate(np.repeat(use, 5), t.ravel())[0].reshape(-1, 5, 2)
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
        frame = self.table.frames[face]
        axes = frame[:, 1:]
        hand = np.sign(np.einsum("ni,ni->n", np.cross(axes[:, 0], axes[:, 1]), axes[:, 2]))
        origin = np.einsum("nij,nj->in", axes, frame[:, 0] - self.centre)[:, :, None]
        across, own, squared = _primitives(kind, self.table.size[face].T[:, :, None], v)
        h = (origin[0] * np.cos(theta) + origin[1] * np.sin(theta)) * across + own
        h = h - origin[2] * squared
        out = np.zeros(3)
        factor = sign * self.outward[face] * hand / 3.0
        for level, step in enumerate(STEPS):
            turn = _wrapped(np.diff(theta[:, ::step], axis=1))
            middle = 0.5 * (h[:, :-1:step] + h[:, step::step])
            out[level] = -(factor @ (middle * turn).sum(axis=1))
        turns += np.bincount(face, sign * turn.sum(axis=1), len(turns))
        middle = 0.5 * (v[:, :-1] + v[:, 1:])
        areas -= np.bincount(face, sign * (middle * turn).sum(axis=1), len(areas))
        return out

    def strips(self) -> Floats:
        """Return three volumes under the strips between surfaces and loosely fitted edges."""
        out = np.zeros(3)
        if not self.loose.any():
            return out
        foot, curve = self.foot[self.loose], self.points[self.loose]
        sense = self.sign[self.loose] * self.outward[self.face[self.loose]]
        for level, step in enumerate(STEPS):
            for i in range(0, 4, step):
                s0, s1, c0, c1 = foot[:, i], foot[:, i + step], curve[:, i], curve[:, i + step]
                out[level] += (sense * (triple(s1, s0, c0) + triple(s1, c0, c1))).sum()
        return out


def _primitives(kind: str, size: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """Return ∫ρz′, ∫(ρ²z′ − ρρ′z) and ∫ρρ′ dv of a profile (mm², mm³, mm²)."""
    a, b = size
    match kind:
        case "Cylinder":
            return a * v, a * a * v, np.zeros_like(v)
        case "Cone":
            length = a * v + np.sin(b) * v * v / 2.0
            rho = a + v * np.sin(b)
            return np.cos(b) * length, np.cos(b) * a * length, rho * rho / 2.0
        case "Sphere":
            rho = a * np.cos(v)
            return a * a * (v / 2.0 + np.sin(2.0 * v) / 4.0), a**3 * np.sin(v), rho * rho / 2.0
        case _:
            s, half = np.sin(v), v / 2.0 + np.sin(2.0 * v) / 4.0
            rho = a + b * np.cos(v)
            own = b * (a * a * s + a * b * v + a * b * half + b * b * s)
            return b * (a * s + b * half), own, rho * rho / 2.0


def _wrapped(angle: Floats) -> Floats:
    """Return angles brought into (−π, π]."""
    return np.asarray(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))


def triple(a: Floats, b: Floats, c: Floats) -> Floats:
    """Return the signed volumes (n,) of tetrahedra from the reference point, mm³."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = a.T, b.T, c.T
    six = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return np.asarray(six / 6.0)
