"""Exact rays round an axis: where lines outwards or upwards cross a solid's boundary.

The faces near a thread are triangulated and the triangles unrolled: into the plane of angle and
height for radial rays, of angle and radius for those along the axis. Every ray that meets one
starts a Newton iteration on the true surface. The mesh tells only where to begin: a hit that does
not settle on its surface counts as missing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from OCP.BRep import BRep_Builder
from OCP.TopoDS import TopoDS_Compound

from gaugeblock.ruler.facts.mesh import Floats, Ints, quick_mesh
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.facts.surfaces import SurfaceTable
from gaugeblock.ruler.threads.helix import Bools, Screw

ANGLE = 0.3
"""Angular deflection of the triangles in rad. Helices are almost straight in the plane of angle
and height, so that faces meet there without gaps even at such a coarse step."""

SAG = 0.05
"""Linear deflection as a part of the radius; ANGLE alone asks for 0.01, but the mesher leaves out
points closer to each other than a tenth of this."""

STEPS = 8
"""Most Newton steps; four were enough on all threads seen, eight on coarse splines."""

SETTLED = 1e-7
"""A hit counts once it is this near to its ray, as a part of the radius."""

EDGE = 1e-9
"""Weight by which a ray may lie outside a triangle: rays through an edge must not fall between."""

RADIUS, TURN, HEIGHT = 0, 1, 2
"""Columns of cylindrical coordinates."""


@dataclass(frozen=True)
class Grid:
    """Rays at equal steps of angle and of height (radial rays) or radius (axial ones)."""

    first: float
    """Height or radius of the first ring, mm."""
    step: float
    """Between rings, mm."""
    rings: int
    spokes: int

    @property
    def levels(self) -> Floats:
        """(rings,) heights or radii in mm."""
        return np.asarray(self.first + self.step * np.arange(self.rings), dtype=np.float64)

    @property
    def phi(self) -> Floats:
        """(spokes,) angles in rad."""
        return np.asarray(2 * math.pi / self.spokes * np.arange(self.spokes), dtype=np.float64)


@dataclass(frozen=True)
class Hits:
    """Where rays meet the boundary, in no order."""

    ring: Ints
    spoke: Ints
    at: Floats
    """Radius (radial rays) or height (axial ones), mm."""
    leaving: Bools
    """Whether the ray, outwards or upwards, leaves the material there."""


@dataclass(frozen=True)
class Crossings:
    """Where radial rays cross the boundary between two radii; NaN where they do not."""

    outward: Floats
    """(rings, spokes) radius in mm where a ray leaves the material for the last time."""
    inward: Floats
    """(rings, spokes) radius in mm where a ray enters the material for the first time."""


class Wall:
    """The faces around an axis, ready to be cut by rays.

    Args:
        outline: The solid.
        numbers: Which of its faces.
        screw: Axis of the rays.
        radius: About that of the faces, mm.
    """

    def __init__(self, outline: Outline, numbers: list[int], screw: Screw, radius: float) -> None:
        builder, some = BRep_Builder(), TopoDS_Compound()
        builder.MakeCompound(some)
        for number in numbers:
            face = outline.faces[number]
            builder.Add(some, face.Reversed() if outline.turned[number] else face)
        mesh = quick_mesh(some, radius, ANGLE, SAG)
        self.numbers = numbers
        self.screw = screw
        self.missing = mesh.missing
        self.table = SurfaceTable([outline.surfaces[number] for number in numbers])
        count = [len(face.points) for face in mesh.faces]
        first = np.cumsum([0, *count[:-1]])
        self.node_face = np.repeat(np.arange(len(numbers)), count)
        self.uv = np.concatenate([face.uv for face in mesh.faces])
        self.nodes = screw.local(np.concatenate([face.points for face in mesh.faces]))
        self.triangles: Ints = np.concatenate(
            [
                (face.triangles[:, ::-1] if face.reversed else face.triangles) + start
                for face, start in zip(mesh.faces, first, strict=True)
            ]
        )
        self.face = np.repeat(np.arange(len(numbers)), [len(face.triangles) for face in mesh.faces])

    def extent(self, numbers: list[int]) -> tuple[Floats, Floats]:
        """Return least and greatest (radius, height) in mm of each face's nodes, (n, 2) each."""
        low, high = np.full((len(numbers), 2), np.inf), np.full((len(numbers), 2), -np.inf)
        place = {number: i for i, number in enumerate(self.numbers)}
        for i, number in enumerate(numbers):
            own = self.nodes[self.node_face == place[number]][:, [RADIUS, HEIGHT]]
            if len(own):
                low[i], high[i] = own.min(axis=0), own.max(axis=0)
        return low, high

    def inmost(self, numbers: list[int]) -> Floats:
        """Return the least radius (mm) of the middles of each face's triangles' sides, (n,).

        A disc has its corners on its rim and its sides across.
        """
        r, phi = self.nodes[self.triangles][:, :, RADIUS], self.nodes[self.triangles][:, :, TURN]
        x, y = r * np.cos(phi), r * np.sin(phi)
        middle = np.hypot(x + np.roll(x, 1, axis=1), y + np.roll(y, 1, axis=1)).min(axis=1) / 2
        place = {number: i for i, number in enumerate(self.numbers)}
        own = [middle[self.face == place[number]] for number in numbers]
        return np.array([values.min() if len(values) else np.inf for values in own])

    def crossings(self, grid: Grid, least: float, most: float) -> Crossings:
        """Cut with radial rays; only hits from radius `least` to `most` (mm) are kept."""
        radius = self.nodes[:, RADIUS][self.triangles]
        near = (radius.max(axis=1) >= 0.5 * least) & (radius.min(axis=1) <= 2.0 * most)
        hits = self._hits(grid, HEIGHT, np.flatnonzero(near))
        kept = (hits.at >= least) & (hits.at <= most)
        outward = np.full((grid.rings, grid.spokes), -np.inf)
        inward = np.full((grid.rings, grid.spokes), np.inf)
        out, into = kept & hits.leaving, kept & ~hits.leaving
        np.maximum.at(outward, (hits.ring[out], hits.spoke[out]), hits.at[out])
        np.minimum.at(inward, (hits.ring[into], hits.spoke[into]), hits.at[into])
        outward[~np.isfinite(outward)] = np.nan
        inward[~np.isfinite(inward)] = np.nan
        return Crossings(outward, inward)

    def flanks(self, grid: Grid, numbers: list[int]) -> Hits:
        """Cut some faces with rays along the axis; the grid's levels are radii."""
        own = np.isin(np.array(self.numbers)[self.face], numbers)
        hits = self._hits(grid, RADIUS, np.flatnonzero(own))
        kept = np.isfinite(hits.at)
        return Hits(*(values[kept] for values in vars(hits).values()))

    def _hits(self, grid: Grid, level: int, some: Ints) -> Hits:
        """Meet rays with triangles `some` in the plane of angle and `level`, then their faces."""
        corner = self.nodes[self.triangles[some]]
        phi, y = corner[:, :, TURN], corner[:, :, level]
        phi = _near(phi, phi[:, :1])
        turn, slack = 2 * math.pi / grid.spokes, 1e-9
        first_i = np.ceil(phi.min(axis=1) / turn - slack).astype(np.int64)
        last_i = np.floor(phi.max(axis=1) / turn + slack).astype(np.int64)
        ring = (y - grid.first) / grid.step
        first_j = np.ceil(np.clip(ring.min(axis=1), -1, grid.rings) - slack).astype(np.int64)
        last_j = np.floor(np.clip(ring.max(axis=1), -1, grid.rings) + slack).astype(np.int64)
        first_j, last_j = np.maximum(first_j, 0), np.minimum(last_j, grid.rings - 1)
        wide, high = np.maximum(last_i - first_i + 1, 0), np.maximum(last_j - first_j + 1, 0)
        count = wide * high
        own = np.repeat(np.arange(len(some)), count)
        place = np.arange(len(own)) - np.repeat(np.cumsum(count) - count, count)
        i = first_i[own] + place % np.maximum(wide[own], 1)
        j = first_j[own] + place // np.maximum(wide[own], 1)
        px, py = i * turn, grid.first + j * grid.step
        x, y = phi[own].T, y[own].T
        area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
        with np.errstate(all="ignore"):
            w1 = ((px - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (py - y[0])) / area
            w2 = ((x[1] - x[0]) * (py - y[0]) - (px - x[0]) * (y[1] - y[0])) / area
            weights = np.stack([1.0 - w1 - w2, w1, w2], axis=1)
            good = (weights >= -EDGE).all(axis=1)
        ring, spoke, triangle = j[good], i[good] % grid.spokes, some[own[good]]
        goal = np.stack([grid.phi[spoke], grid.levels[ring]], axis=1)
        at = self._settle(goal, level, triangle, weights[good])
        # Angle, height and the outward direction are right-handed; angle, radius and up are not.
        return Hits(ring, spoke, at, (area[good] > 0) == (level == HEIGHT))

    def _settle(self, goal: Floats, level: int, triangle: Ints, weights: Floats) -> Floats:
        """Return where each ray meets the true surface, mm; NaN: it does not.

        Args:
            goal: (n, 2) angle (rad) and level (mm) of the rays.
            level: Which coordinate the level is.
            triangle: (n,) where to begin.
            weights: (n, 3) and where in it.
        """
        nodes = self.triangles[triangle]
        corner, uv3, face = self.nodes[nodes], self.uv[nodes], self.face[triangle]
        uv = (uv3 * weights[:, :, None]).sum(axis=1)
        scale = float(np.median(corner[:, :, RADIUS])) if len(corner) else 1.0
        goal = goal * (scale, 1.0)
        flat = self._flat(corner, level, goal[:, None, 0], scale)
        # The triangle maps the plane to parameters: the slope of a chord Newton step.
        across = np.stack([flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]], axis=2)
        along = np.stack([uv3[:, 1] - uv3[:, 0], uv3[:, 2] - uv3[:, 0]], axis=2)
        with np.errstate(all="ignore"):
            det = across[:, 0, 0] * across[:, 1, 1] - across[:, 0, 1] * across[:, 1, 0]
            inverse = np.empty_like(across)
            inverse[:, 0, 0], inverse[:, 1, 1] = across[:, 1, 1] / det, across[:, 0, 0] / det
            inverse[:, 0, 1], inverse[:, 1, 0] = -across[:, 0, 1] / det, -across[:, 1, 0] / det
            slope = along @ inverse
        found = np.full(len(triangle), np.nan)
        left = np.arange(len(triangle))
        for _ in range(STEPS):
            there = self.screw.local(self.table.points(face[left], uv[left]))
            off = goal[left] - self._flat(there, level, goal[left, 0], scale)
            done = np.linalg.norm(off, axis=1) <= SETTLED * scale
            found[left[done]] = there[done, RADIUS if level == HEIGHT else HEIGHT]
            left, off = left[~done], off[~done]
            if not len(left):
                break
            uv[left] += (slope[left] @ off[:, :, None])[:, :, 0]
        return found

    @staticmethod
    def _flat(local: Floats, level: int, near: Floats, scale: float) -> Floats:
        """Return arc length and level of points; angles by whole turns next to `near`/scale."""
        angle = _near(local[..., TURN], near / scale)
        return np.stack([angle * scale, local[..., level]], axis=-1)


def _near(angle: Floats, goal: Floats) -> Floats:
    """Return angles in rad shifted by whole turns to lie next to `goal`."""
    return np.asarray(angle - 2 * math.pi * np.round((angle - goal) / (2 * math.pi)))
