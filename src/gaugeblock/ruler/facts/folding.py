"""Whether a solid's boundary runs through itself.

Where a boundary winds round some space twice or backwards, the flux integral and the polygons count
that space twice or as negative; both agree, and both are wrong. Along a line through a sound solid
the depth is 0 outside and 1 inside and nothing else, whatever the line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.facts.bounds import rough_box
from gaugeblock.ruler.facts.facets import Facets, facets
from gaugeblock.ruler.facts.lines import Lines, cut
from gaugeblock.ruler.facts.mesh import (
    ANGLE,
    RELATIVE_SAG,
    Floats,
    Ints,
    Mesh,
    build_mesh,
    quick_mesh,
)
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.facts.surfaces import SurfaceTable

FOLDED = 1e-5
"""Part of the length inside that lines may see at another depth. Sound parts stay at rounding
(forty kinds in 600 random poses, all real files), the slightest self-crossing tried is at 3e-4."""

APART = 1e-5
"""Boxes of faces that overlap by less than this part of the solid's size only touch: imported edges
have gaps, and boxes are rough."""

CROSSING = "its boundary runs through itself, so that space counts twice or as negative"
"""The reason told where it does."""

Mask = npt.NDArray[np.bool_]

BLOCK = 256
"""Faces whose boxes are compared with all others at once."""

DIRECTIONS = 3
"""Directions that lines are cast in, across each other."""

LINES = 484
"""Lines a direction."""

SEED = 20_260_101
"""Of directions and lines: directions along no face that parts like to have."""

GRAZING = 0.4
"""Cosine (66°) between a line and the normal of a curved face below which the line says nothing: of
two walls near each other it may meet the triangles of one and miss those of the other."""


def may_fold(outline: Outline, size: float) -> bool:
    """Whether a boundary could run through itself at all, as cheap as boxes are.

    It could where a solid has several shells or a face of free form, and where the boxes of two
    faces overlap that share no edge.

    Args:
        outline: The solid.
        size: Its diagonal, mm.
    """
    if outline.shells > 1 or not all(surface.elementary for surface in outline.surfaces):
        return True
    rough = np.array([rough_box(face) for face in outline.faces])
    if not np.isfinite(rough).all():
        return True
    neighbours: set[tuple[int, int]] = set()
    first: dict[int, int] = {}
    for edge, face in zip(outline.use_edge, outline.use_face, strict=True):
        neighbours.add((first.setdefault(edge, face), face))
    low, high = -rough[:, :3], rough[:, 3:] - APART * size
    for start in range(0, len(rough), BLOCK):
        some = slice(start, start + BLOCK)
        meet = (low[some, None] < high) & (low < high[some, None])
        for i, j in np.argwhere(meet.all(axis=2)):
            if start + i < j and (start + i, j) not in neighbours:
                return True
    return False


def is_folded(solid: Any, mesh: Mesh | None, table: SurfaceTable, size: float) -> bool:
    """Whether lines through a solid see that its boundary runs through itself.

    Args:
        solid: TopoDS_Solid.
        mesh: Its triangles; None: they are made.
        table: Its surfaces, one a face.
        size: Its diagonal, mm.
    """
    for make in (quick_mesh, build_mesh):
        triangles = facets(mesh or make(solid, size, ANGLE, RELATIVE_SAG))
        if triangles.closed:
            return folded_share(triangles, table) > FOLDED
    return False


def folded_share(mesh: Facets, table: SurfaceTable) -> float:
    """Return the part of the length inside where lines see another depth than 1.

    Args:
        mesh: The solid's triangles, closed.
        table: Its surfaces, one a face.
    """
    random = np.random.default_rng(SEED)
    frame = np.linalg.qr(random.normal(size=(3, 3)))[0].T
    side = int(LINES**0.5)
    places = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    inside = folded = 0.0
    for axis in range(DIRECTIONS):
        rows = frame[[(axis + 1) % 3, (axis + 2) % 3, axis]]
        flat = mesh.points @ rows[:2].T
        low, high = flat.min(axis=0), flat.max(axis=0)
        at = low + (places + random.random(places.shape)) / side * (high - low)
        found = cut(mesh, table, rows, np.zeros(3), Lines(at))
        # Lines that graze an edge see an odd number of faces and say nothing.
        tells = np.bincount(found.line, found.step, minlength=len(at)) == 0
        tells[found.line[_grazes(mesh, table, rows[2], found.triangle)]] = False
        # Where walls are near each other chords may be in the wrong order, and near a rim the
        # surfaces beyond it: what is folded is so by both.
        within, one = _by_depth(found.line, found.at, found.step, len(at))[:, tells]
        _, other = _by_depth(found.line, found.chord, found.step, len(at))[:, tells]
        inside += float(within.sum())
        folded += float(np.minimum(one, other).sum())
    return folded / inside if inside > 0.0 else 0.0


def _by_depth(line: Ints, at: Floats, step: Ints, lines: int) -> Floats:
    """Return (2, lines): the length inside along each line, and the part not at depth 1."""
    order = np.lexsort((at, line))
    line, step = line[order], step[order]
    total = np.concatenate([[0], np.cumsum(step)])
    depth = (total[1:] - total[np.searchsorted(line, line)])[:-1]
    gap = np.where(line[1:] == line[:-1], np.diff(at[order]), 0.0)
    odd = (depth > 1) | (depth < 0)
    return np.stack([np.bincount(line[:-1], gap * each, lines) for each in (depth > 0, odd)])


def _grazes(mesh: Facets, table: SurfaceTable, along: Floats, triangle: Ints) -> Mask:
    """Return which of the triangles are of a curved face and nearly along a direction."""
    a, b, c = mesh.points[mesh.triangles[triangle]].transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    flat = np.abs(normal @ along) < GRAZING * np.linalg.norm(normal, axis=1)
    return np.asarray(flat & ~table.plane[mesh.face[triangle]])
