"""What a body offers to align it by: occupancy, moments, directions of faces, samples of its skin.

All of it comes from the meshes; surfaces are only used to put the samples exactly onto them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.overlap.body import Body
from gaugeblock.ruler.overlap.occupancy import occupancy, own_directions, points_inside

SKIN = 600
"""Samples of a body's skin that are laid on the other's."""

DENSE = 6000
"""Samples of the skin that is laid on."""

LEAST_A_FACE = 3
"""Samples that even the smallest face gets: a small notch is what tells near-symmetric poses
apart, and it must not fall between samples."""

LEAST_DENSE = 16
"""The same for the skin that is laid on: a bore's samples then have normals 45° apart at most."""

DIRECTIONS = 8
"""Most directions of faces kept; a part is placed by its two or three largest."""

SAME_DIRECTION = 0.9999
"""Cosine (0.8°) above which two faces' directions count as one."""

TELLS_SIDES = 0.05
"""What a difference of normals counts beside distances when the nearest sample is looked for, as a
part of the size: near an edge or across a thin wall the nearest sample is on the wrong face."""

SEED = 7


@dataclass(frozen=True)
class Skin:
    """Samples of a body's boundary."""

    points: Floats
    """(n, 3) mm, on the true surfaces."""
    normals: Floats
    """(n, 3) outward, of the mesh's triangles."""
    weight: Floats
    """(n,) mm² that each stands for."""
    part: Ints
    face: Ints
    uv: Floats


@dataclass(frozen=True)
class Direction:
    """A direction that several faces share."""

    vector: Floats
    weight: float
    """mm² of those faces."""
    planar: bool
    """Planar faces' normals point outwards; axes have no sense."""


@dataclass(frozen=True)
class FaceMark:
    """One face as a landmark."""

    kind: str
    area: float
    centre: Floats


@dataclass
class Cues:
    """All cues of one body."""

    volume: float
    """mm³, of the mesh."""
    area: float
    """mm², of the mesh."""
    centroid: Floats
    moments: Floats
    """(3,) second moments about the centroid over volume, mm², ascending."""
    axes: Floats
    """(3, 3) columns: their directions, right-handed."""
    low: Floats
    high: Floats
    frame: Floats
    """(3, 3) rows: the body's own directions, along which its cells lie."""
    ends: Floats
    """(2, 3) lowest and highest coordinates in them, mm."""
    grid: Floats
    """How much of each cell is filled, 0 to 1, with an empty rim."""
    seen: float
    """Mean of the cells that points inside the body itself lie in: below 1, since cells at the
    boundary are filled in part."""
    origin: Floats
    """Corner of the first cell in the body's own directions, mm."""
    cell: float
    """Side of a cell, mm."""
    inside: Floats
    """(n, 3) points inside."""
    directions: list[Direction]
    marks: list[FaceMark]
    skin: Skin
    dense: Skin
    tree: cKDTree
    """Of `dense`: positions, and normals times `arm`."""
    arm: float
    """mm."""

    def find(self, points: Floats, normals: Floats, number: int = 1) -> tuple[Floats, Ints]:
        """Return distances (mm, in space alone) and numbers of the samples nearest to points.

        Args:
            points: (n, 3) mm.
            normals: (n, 3) outward.
            number: Samples per point; the arrays are (n, number), or (n,) for one.
        """
        query = np.hstack([points, normals * self.arm])
        index = np.asarray(self.tree.query(query, k=number)[1], dtype=np.int64)
        there = self.dense.points[index]
        apart = points - there if number == 1 else points[:, None, :] - there
        return np.linalg.norm(apart, axis=-1), index


def look(body: Body) -> Cues:
    """Collect all cues of a body whose finer mesh is made."""
    corners = np.concatenate([_corners(body, i) for i in range(len(body.parts))])
    volume, second = _moments(corners)
    values, axes = np.linalg.eigh(second)
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    low, high = np.array(body.bounds.min), np.array(body.bounds.max)
    directions, marks = _faces(body)
    random = np.random.default_rng(SEED)
    skin = _skin(body, SKIN, LEAST_A_FACE, random)
    dense = _skin(body, DENSE, LEAST_DENSE, random)
    frame = own_directions([d.vector for d in directions], axes)
    points = np.concatenate([part.coarse.points for part in body.parts]) @ frame.T
    ends = np.array([points.min(axis=0), points.max(axis=0)])
    area = float(skin.weight.sum())
    grid, origin, cell = occupancy(body, frame, ends, 2.0 * volume / area)
    inside = points_inside(body, frame, ends, random)
    own = ((inside @ frame.T - origin) / cell).astype(np.int64)
    arm = TELLS_SIDES * float(np.linalg.norm(high - low))
    return Cues(
        volume=volume,
        area=area,
        centroid=body.centroid,
        moments=values,
        axes=axes,
        low=low,
        high=high,
        frame=frame,
        ends=ends,
        grid=grid,
        seen=float(grid[tuple(own.T)].mean()) if len(own) else 1.0,
        origin=origin,
        cell=cell,
        inside=inside,
        directions=directions,
        marks=marks,
        skin=skin,
        dense=dense,
        tree=cKDTree(np.hstack([dense.points, dense.normals * arm])),
        arm=arm,
    )


def _corners(body: Body, number: int) -> Floats:
    mesh = body.parts[number].fine or body.parts[number].coarse
    return np.asarray(mesh.points[mesh.triangles])


def _moments(corners: Floats) -> tuple[float, Floats]:
    """Return volume and second central moments of tetrahedra from a middle point."""
    middle = corners.reshape(-1, 3).mean(axis=0)
    a, b, c = (corners - middle).transpose(1, 0, 2)
    six = np.einsum("ij,ij->i", a, np.cross(b, c))
    volume = six.sum() / 6
    total = a + b + c
    centroid = (six[:, None] * total).sum(axis=0) / 24 / volume
    outer = np.einsum("i,ij,ik->jk", six, total, total)
    outer += sum(np.einsum("i,ij,ik->jk", six, p, p) for p in (a, b, c))
    second = outer / 120 / volume - np.outer(centroid, centroid)
    return float(volume), second


def _skin(body: Body, number: int, least: int, random: np.random.Generator) -> Skin:
    """Sample every face: evenly by area, the small ones at least a few times."""
    out: list[tuple[Floats, Floats, Floats, Ints, Ints, Floats]] = []
    areas = []
    for i in range(len(body.parts)):
        a, b, c = _corners(body, i).transpose(1, 0, 2)
        areas.append(np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2)
    spacing = sum(area.sum() for area in areas) / number
    for i, part in enumerate(body.parts):
        mesh = part.fine or part.coarse
        by_face = np.bincount(mesh.face, areas[i])
        wanted = np.maximum(np.round(by_face / max(spacing, 1e-300)), least).astype(int)
        wanted[by_face <= 0] = 0
        cumulative = np.cumsum(areas[i])
        start = cumulative - areas[i]
        base = np.concatenate([[0.0], np.cumsum(by_face)])[:-1]
        order = np.argsort(mesh.face, kind="stable")
        assert (order == np.arange(len(order))).all()
        face = np.repeat(np.arange(len(wanted)), wanted)
        place = np.arange(len(face)) - np.repeat(np.cumsum(wanted) - wanted, wanted)
        at = base[face] + (place + random.random(len(face))) / wanted[face] * by_face[face]
        triangle = np.minimum(np.searchsorted(cumulative, at, side="right"), len(start) - 1)
        r, s = random.random(len(face)), random.random(len(face))
        root = np.sqrt(r)
        weights = np.stack([1 - root, root * (1 - s), root * s], axis=1)
        nodes = mesh.triangles[triangle]
        face = mesh.face[triangle]
        uv = (mesh.uv[nodes] * weights[:, :, None]).sum(axis=1)
        points = part.table.points(face, uv)
        a, b, c = mesh.points[nodes].transpose(1, 0, 2)
        normal = np.cross(b - a, c - a)
        normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
        weight = by_face[face] / np.maximum(wanted[face], 1)
        out.append((points, normal, weight, np.full(len(face), i), face, uv))
    points, normals, weight, numbers, face, uv = (np.concatenate(p) for p in zip(*out, strict=True))
    return Skin(points, normals, weight, numbers, face, uv)


def _faces(body: Body) -> tuple[list[Direction], list[FaceMark]]:
    """Return the directions that most area shares, and all faces as landmarks."""
    found: list[tuple[Floats, float, bool]] = []
    marks = []
    for number, part in enumerate(body.parts):
        mesh = part.fine or part.coarse
        a, b, c = _corners(body, number).transpose(1, 0, 2)
        vector = np.cross(b - a, c - a) / 2
        area = np.linalg.norm(vector, axis=1)
        total = np.bincount(mesh.face, area, minlength=len(part.table.surfaces))
        middle = (
            np.stack(
                [np.bincount(mesh.face, area * m, len(total)) for m in ((a + b + c) / 3).T], axis=1
            )
            / np.maximum(total, 1e-300)[:, None]
        )
        normal = np.stack([np.bincount(mesh.face, v, len(total)) for v in vector.T], axis=1)
        for i, surface in enumerate(part.table.surfaces):
            marks.append(FaceMark(surface.kind, float(total[i]), middle[i]))
            if surface.kind == "Plane" and total[i] > 0:
                found.append((normal[i] / np.linalg.norm(normal[i]), float(total[i]), True))
            elif surface.kind in ("Cylinder", "Cone", "Torus", "SurfaceOfRevolution"):
                found.append((surface.frame[3], float(total[i]), False))
    merged: list[Direction] = []
    for vector, weight, planar in sorted(found, key=lambda item: -item[1]):
        for i, known in enumerate(merged):
            cosine = float(known.vector @ vector)
            if known.planar == planar and (cosine if planar else abs(cosine)) > SAME_DIRECTION:
                merged[i] = Direction(known.vector, known.weight + weight, planar)
                break
        else:
            merged.append(Direction(vector, weight, planar))
    merged.sort(key=lambda d: -d.weight)
    return merged[:DIRECTIONS], marks
