"""Edges of a difference picture: taken from meshes, cut into pieces, told apart by body."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from OCP.BRep import BRep_Tool
from OCP.TopoDS import TopoDS
from scipy.spatial import cKDTree

from gaugeblock.ruler.facts.mesh import Mesh
from gaugeblock.ruler.picture.scene import EDGES

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

EdgeSet = tuple[Array, Bools]
"""(k, 2, 3) chords of edges in mm, and (k,) whether the faces beside them meet at an angle."""

NEAR = 2.0
"""Edges within this many sags of each other are drawn as one."""

PIECES = 400
"""Edges are cut to pieces of at most the diagonal over this, so that a long edge that is only
partly common is drawn so."""


def chords_of(mesh: Mesh, bend: float) -> EdgeSet:
    """Return (k, 2, 3) chords of all edges but seams and degenerate ones, each edge once.

    Args:
        mesh: One solid.
        bend: Triangles that meet at less than this angle in rad count as going on smoothly.

    Returns:
        The chords in mm, and whether each is sharp.
    """
    seen: set[int] = set()
    chords, starts, ends = [np.empty((0, 2, 3))], [], []
    for face in mesh.faces:
        for use in face.uses:
            if use.degenerate or use.key in seen or len(use.nodes) < 2:
                continue
            seen.add(use.key)
            if not BRep_Tool.IsClosed_s(TopoDS.Edge(use.edge), face.face):
                along = face.points[use.nodes]
                chords.append(np.stack([along[:-1], along[1:]], axis=1))
                starts.append(face.welded[use.nodes[:-1]])
                ends.append(face.welded[use.nodes[1:]])
    if not starts:
        return chords[0], np.empty(0, dtype=bool)
    return np.concatenate(chords), _sharp(mesh, np.concatenate(starts), np.concatenate(ends), bend)


def _sharp(mesh: Mesh, start: Ints, end: Ints, bend: float) -> Bools:
    """Whether the two triangles at each welded chord meet at more than `bend` rad."""
    triangles, normals = [], []
    for face in mesh.faces:
        corner = face.points[face.triangles]
        normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        triangles.append(face.welded[face.triangles])
        normals.append(-normal if face.reversed else normal)
    node, normal = np.concatenate(triangles), np.concatenate(normals)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    size = int(node.max(initial=0)) + 1
    one, other = node.ravel(), np.roll(node, -1, axis=1).ravel()
    key = np.minimum(one, other) * size + np.maximum(one, other)
    order = np.argsort(key, kind="stable")
    key = key[order]
    wanted = np.minimum(start, end) * size + np.maximum(start, end)
    first = np.searchsorted(key, wanted, side="left")
    paired = np.searchsorted(key, wanted, side="right") - first == 2
    sharp = np.ones(len(wanted), dtype=bool)
    left, right = (normal[order[first[paired] + i] // 3] for i in (0, 1))
    sharp[paired] = (left * right).sum(axis=1) < math.cos(bend)
    return sharp


def sorted_edges(
    first: EdgeSet, second: EdgeSet, sag: float, diagonal: float
) -> dict[str, npt.NDArray[np.float32]]:
    """Sort the edges of both bodies (laid over each other) into the three kinds of `EDGES`.

    A smooth edge of one body alone is left out: where one writer cuts a cylinder into halves and
    another does not, nothing differs in shape.
    """
    (a, a_sharp), (b, b_sharp) = (_cut(*body, diagonal / PIECES) for body in (first, second))
    a_near = _beside(a, b, NEAR * sag)
    b_near = _beside(b, a, NEAR * sag)
    pieces = (a[a_near], a[~a_near & a_sharp], b[~b_near & b_sharp])
    return {
        name: part.astype(np.float32).reshape(-1, 2, 3)
        for name, part in zip(EDGES, pieces, strict=True)
    }


def _cut(chords: Array, sharp: Bools, longest: float) -> tuple[Array, Bools]:
    """Cut (k, 2, 3) chords into pieces no longer than `longest` mm; hand on what is sharp."""
    length = np.linalg.norm(chords[:, 1] - chords[:, 0], axis=1)
    count = np.maximum(np.ceil(length / longest), 1).astype(np.int64)
    which = np.repeat(np.arange(len(chords)), count)
    step = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    start, side = chords[which, 0], chords[which, 1] - chords[which, 0]
    low = (step / count[which])[:, None]
    high = ((step + 1) / count[which])[:, None]
    return np.stack([start + low * side, start + high * side], axis=1), sharp[which]


def _beside(pieces: Array, others: Array, distance: float) -> Bools:
    """Whether the middle of each piece lies within `distance` mm of one of `others`."""
    if not len(pieces) or not len(others):
        return np.zeros(len(pieces), dtype=bool)
    middle = pieces.mean(axis=1)
    _, near = cKDTree(others.mean(axis=1)).query(middle, k=min(6, len(others)))
    near = np.asarray(near).reshape(len(pieces), -1)
    start = others[near, 0]
    side = others[near, 1] - start
    to = middle[:, None] - start
    along = (to * side).sum(axis=2) / np.maximum((side * side).sum(axis=2), 1e-300)
    gap = np.linalg.norm(to - np.clip(along, 0.0, 1.0)[..., None] * side, axis=2)
    return np.asarray(gap.min(axis=1) <= distance)
