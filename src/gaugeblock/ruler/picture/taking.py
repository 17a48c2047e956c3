"""The job behind a difference picture: two STEP files in, a `Scene` of plain arrays out.

In this order: both files are read, their solids triangulated, the second laid on the first by the
given motion, mesh booleans taken (manifold3d), edges sorted into common ones and those of one file
alone. Runs in the ruler's worker.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import manifold3d
import numpy as np
import numpy.typing as npt
from OCP.TopAbs import TopAbs_FACE
from scipy.spatial import cKDTree

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.bounds import bounds_of, joined
from gaugeblock.ruler.facts.mesh import Mesh, build_mesh
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.picture.edges import chords_of, sorted_edges
from gaugeblock.ruler.picture.scene import LAYERS, Layer, Scene, normals_and_weights, pack
from gaugeblock.ruler.reading import read_step

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

FINENESS = ((0.2, 1e-4), (0.35, 4e-4), (0.6, 2e-3))
"""Angular deflection in rad and linear deflection as a part of the diagonal, finest first. The
first shows no facets when zoomed in, the second none at 1600 pixels (0.3 of a pixel)."""

MANY_FACES = 800
"""Faces of both files above which the finest triangulation is not tried: it takes 2 s a 1000
faces and as much again for the booleans."""

TRIANGLES = 300_000
"""Triangles of both files together that are drawn: about 5 s on one core, 15 MB of page."""

SNAP = 1e-6
"""Nodes of B this close to a node of A (as a part of the diagonal) are the same: what is left of
alignment and of reading single-precision files, far below anything that can be seen."""

LEFTOVER = 0.5
"""Pieces of less than this many sags in mean thickness are what a swollen body still leaves."""

SPIKE = 4.0
"""Nodes of a swollen body move by at most this many sags: at the tip of a needle they would go
arbitrarily far."""


@dataclass
class _Body:
    """One file's triangles and edges."""

    points: Array
    triangles: Ints
    solids: list[tuple[Array, Ints]]
    edges: Array
    """(k, 2, 3) chords of the edges, mm."""
    sharp: Bools
    """(k,) whether the two faces beside the chord meet at an angle."""


def picture_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Mesh and subtract the STEP files open as ``files[0]`` (A) and ``files[1]`` (B).

    Args:
        value: ``rotation`` (3 × 3, row by row) and ``translation`` (mm) that lay B on A.
        blobs: Unused.
        files: Two descriptors, open for reading.

    Returns:
        The scene packed, or ``refused`` with one line and no blobs.
    """
    rotation = np.array(value["rotation"], dtype=float).reshape(3, 3)
    translation = np.array(value["translation"], dtype=float).reshape(3)
    try:
        shapes = [_shapes(fd, name) for fd, name in zip(files, "AB", strict=True)]
        return pack(scene_of(shapes[0], shapes[1], rotation, translation))
    except Refused as refusal:
        return {"refused": refusal.reason}, []


def scene_of(a: list[Any], b: list[Any], rotation: Array, translation: Array) -> Scene:
    """Return the scene of two lists of solids.

    Args:
        a: TopoDS_Solid of the first file.
        b: TopoDS_Solid of the second file.
        rotation: (3, 3) turn of b.
        translation: Shift of b after the turn, mm.

    Raises:
        Refused: a file cannot be triangulated within the ceilings.
    """
    diagonal = max(diagonal_of(a), diagonal_of(b))
    first, second, relative = _bodies(a, b, diagonal)
    sag = relative * diagonal
    _move(second, rotation, translation)
    _snap(first, second, SNAP * diagonal)
    layers = {name: _layer(np.empty((0, 3)), np.empty((0, 3))) for name in LAYERS}
    layers["a"] = _layer(first.points, first.triangles)
    layers["b"] = _layer(second.points, second.triangles)
    volumes: dict[str, float] = {}
    reason: str | None = None
    try:
        whole_a, whole_b = _union(first, "A"), _union(second, "B")
    except Refused as refusal:
        reason = refusal.reason
    else:
        common = whole_a ^ whole_b
        both = float(common.volume())
        volumes = {
            "common": both,
            "only_a": float(whole_a.volume()) - both,
            "only_b": float(whole_b.volume()) - both,
        }
        layers["common"] = _thick(common, 0.0)
        layers["only_a"] = _thick(whole_a - _swollen(whole_b, sag), LEFTOVER * sag)
        layers["only_b"] = _thick(whole_b - _swollen(whole_a, sag), LEFTOVER * sag)
    return Scene(
        layers,
        sorted_edges((first.edges, first.sharp), (second.edges, second.sharp), sag, diagonal),
        volumes,
        sag,
        reason,
    )


def _shapes(fd: int, name: str) -> list[Any]:
    try:
        return solids_of(fd)
    except Refused as refusal:
        raise Refused(refusal.code, f"file {name}: {refusal.reason}") from refusal


def solids_of(fd: int) -> list[Any]:
    """Return the solids (TopoDS_Solid) of the STEP file open as `fd`, in its order.

    Raises:
        Refused: it cannot be read, or holds none.
    """
    inspect(fd)
    solids = [solid.shape for solid in read_step(f"/proc/self/fd/{fd}").solids]
    if not solids:
        raise Refused("no-shape", "no solid to draw")
    return solids


def diagonal_of(solids: list[Any]) -> float:
    """Return the diagonal of the box around all solids, mm."""
    box = joined([bounds_of(solid) for solid in solids])
    if box is None:
        raise Refused("no-shape", "the box of a file is not finite")
    return max(math.dist(box.min, box.max), 1e-6)


def _bodies(a: list[Any], b: list[Any], diagonal: float) -> tuple[_Body, _Body, float]:
    """Triangulate both files alike, as fine as the ceilings allow; return the relative sag too."""
    faces = sum(len(explore(solid, TopAbs_FACE)) for solid in (*a, *b))
    start = 1 if faces > MANY_FACES else 0
    for angle, relative in FINENESS[start:]:
        first, many = _body(a, diagonal, angle, relative)
        if many and relative < FINENESS[-1][1]:
            continue
        second, many = _body(b, diagonal, angle, relative)
        if not many and len(first.triangles) + len(second.triangles) <= TRIANGLES:
            return first, second, relative
    raise Refused("limit", f"more than {TRIANGLES} triangles: too large for a picture")


def _body(solids: list[Any], diagonal: float, angle: float, relative: float) -> tuple[_Body, bool]:
    """Triangulate one file; the flag says that it alone went over the ceiling."""
    parts: list[tuple[Array, Ints]] = []
    edges: list[tuple[Array, Bools]] = []
    total = 0
    for solid in solids:
        mesh = build_mesh(solid, diagonal, angle, relative)
        parts.append(_welded(mesh))
        edges.append(chords_of(mesh, 1.2 * angle))
        total += len(parts[-1][1])
        if total > TRIANGLES:
            break
    offsets = np.cumsum([0, *(len(points) for points, _ in parts)])
    body = _Body(
        points=np.concatenate([points for points, _ in parts]),
        triangles=np.concatenate(
            [triangles + start for (_, triangles), start in zip(parts, offsets, strict=False)]
        ),
        solids=parts,
        edges=np.concatenate([chords for chords, _ in edges]),
        sharp=np.concatenate([sharp for _, sharp in edges]),
    )
    return body, total > TRIANGLES


def _welded(mesh: Mesh) -> tuple[Array, Ints]:
    """Return the nodes in use and the outward triangles of one solid."""
    triangles = mesh.welded_triangles()
    if not len(triangles):
        return np.empty((0, 3)), triangles
    size = max(int(face.welded.max(initial=-1)) for face in mesh.faces) + 1
    points = np.zeros((size, 3))
    for face in mesh.faces:
        points[face.welded] = face.points
    used, flat = np.unique(triangles, return_inverse=True)
    return points[used], np.asarray(flat.reshape(-1, 3), dtype=np.int64)


def _move(body: _Body, rotation: Array, translation: Array) -> None:
    body.points = body.points @ rotation.T + translation
    body.edges = body.edges @ rotation.T + translation
    body.solids = [(points @ rotation.T + translation, t) for points, t in body.solids]


def _snap(first: _Body, second: _Body, distance: float) -> None:
    """Put nodes of `second` exactly onto nodes of `first` within `distance` mm."""
    if not len(first.points):
        return
    tree = cKDTree(first.points)
    snapped = []
    for points, triangles in second.solids:
        found = tree.query(points, distance_upper_bound=distance)
        gap, nearest = np.asarray(found[0]), np.asarray(found[1])
        hit = np.isfinite(gap)
        moved = points.copy()
        moved[hit] = first.points[nearest[hit]]
        # Two nodes must not become one: the surface would close up there.
        alike = len(np.unique(nearest[hit])) < int(hit.sum())
        snapped.append((points if alike else moved, triangles))
    second.solids = snapped
    second.points = np.concatenate([points for points, _ in snapped])


def _union(body: _Body, name: str) -> Any:
    """Return all solids of a file as one manifold."""
    solids = []
    for number, (points, triangles) in enumerate(body.solids):
        mesh = manifold3d.Mesh64(points, triangles.astype(np.uint64))
        solid = manifold3d.Manifold(mesh)
        if solid.status() != manifold3d.Error.NoError or solid.is_empty():
            raise Refused("mesh", f"the triangles of solid {number} of {name} are not closed")
        if solid.volume() < 0:
            solid = manifold3d.Manifold(
                manifold3d.Mesh64(points, triangles[:, ::-1].astype(np.uint64, order="C"))
            )
        solids.append(solid)
    if len(solids) == 1:
        return solids[0]
    return manifold3d.Manifold.batch_boolean(solids, manifold3d.OpType.Add)


def _swollen(whole: Any, by: float) -> Any:
    """Return a body with every face moved outwards by `by` mm.

    Subtracting the body itself leaves films where faces of both coincide but for rounding, or
    where one curved face was triangulated in two ways; films hang on to real pieces and cannot be
    told from them afterwards. Each node moves by d with n·d = `by` for the normals n of its
    triangles (least squares, weighted by angle).
    """
    mesh = whole.to_mesh64()
    points = np.asarray(mesh.vert_properties)[:, :3]
    triangles = np.asarray(mesh.tri_verts).astype(np.int64)
    normal, weights = normals_and_weights(points[triangles])
    square, right = np.zeros((len(points), 3, 3)), np.zeros((len(points), 3))
    for i in range(3):
        weight = weights[:, i, None]
        np.add.at(square, triangles[:, i], weight[..., None] * normal[:, :, None] * normal[:, None])
        np.add.at(right, triangles[:, i], weight * normal * by)
    square += np.eye(3) * (1e-4 * np.trace(square, axis1=1, axis2=2) + 1e-12)[:, None, None]
    shift = np.linalg.solve(square, right[..., None])[..., 0]
    length = np.linalg.norm(shift, axis=1, keepdims=True)
    shift *= np.minimum(1.0, SPIKE * by / np.maximum(length, 1e-300))
    swollen = manifold3d.Manifold(manifold3d.Mesh64(points + shift, triangles.astype(np.uint64)))
    return whole if swollen.is_empty() else swollen


def _thick(part: Any, least: float) -> Layer:
    """Return the pieces of `part` whose mean thickness 2 V / A exceeds `least` mm."""
    pieces = part.decompose() if least and not part.is_empty() else [part]
    kept = [
        piece
        for piece in pieces
        if not piece.is_empty() and 2.0 * piece.volume() > least * piece.surface_area()
    ]
    points, triangles, start = [np.empty((0, 3))], [np.empty((0, 3), dtype=np.int64)], 0
    for piece in kept:
        mesh = piece.to_mesh64()
        points.append(np.asarray(mesh.vert_properties)[:, :3])
        triangles.append(np.asarray(mesh.tri_verts).astype(np.int64) + start)
        start += len(points[-1])
    return _layer(np.concatenate(points), np.concatenate(triangles))


def _layer(points: Array, triangles: npt.NDArray[Any]) -> Layer:
    return Layer(points.astype(np.float32), triangles.astype(np.uint32))
