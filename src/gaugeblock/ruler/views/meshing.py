"""Solids to the coloured triangles and edges that shaded views are drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.BRep import BRep_Tool
from OCP.TopAbs import TopAbs_FACE
from OCP.TopoDS import TopoDS

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.mesh import FaceMesh, Mesh, build_mesh, quick_mesh
from gaugeblock.ruler.header import Refused
from gaugeblock.ruler.picture.taking import FINENESS, MANY_FACES, TRIANGLES
from gaugeblock.ruler.reading import ReadSolid
from gaugeblock.ruler.views.body import Body
from gaugeblock.ruler.views.edges import meeting

FOLD = 1e-6
"""Area of a triangle that lies the wrong way round, as a part of its face's largest, that is more
than rounding."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def meshed(solids: Sequence[ReadSolid], diagonal: float) -> tuple[list[Mesh], float]:
    """Triangulate solids as finely as the ceilings of the difference picture allow.

    Args:
        solids: What the file holds.
        diagonal: Size of all of it together, mm.

    Returns:
        The triangles, and their distance from the surface as a part of `diagonal`.

    Raises:
        Refused: even the coarsest are too many.
    """
    faces = sum(len(explore(solid.shape, TopAbs_FACE)) for solid in solids)
    for angle, relative in FINENESS[faces > MANY_FACES :]:
        meshes, count = [], 0
        for solid in solids:
            meshes.append(_mesh(solid.shape, diagonal, angle, relative))
            count += sum(len(face.triangles) for face in meshes[-1].faces)
            if count > TRIANGLES:
                break
        else:
            return meshes, relative
    raise Refused("limit", f"more than {TRIANGLES} triangles: too large for a picture")


def _mesh(solid: Any, diagonal: float, angle: float, relative: float) -> Mesh:
    """Triangulate one solid by the quicker algorithm where its answer is sound, else by the other.

    A plate with a hundred holes takes a fifth of the time.
    """
    mesh = quick_mesh(solid, diagonal, angle, relative)
    if mesh.complete and mesh.conforms() and not any(map(_folded, mesh.faces)):
        return mesh
    return build_mesh(solid, diagonal, angle, relative)


def _folded(face: FaceMesh) -> bool:
    """Whether a triangle lies the wrong way round in the face's own parameters."""
    (u, v), (p, q) = (
        (face.uv[face.triangles[:, i]] - face.uv[face.triangles[:, 0]]).T for i in (1, 2)
    )
    area = u * q - v * p
    return bool((area < -FOLD * np.abs(area).max(initial=0.0)).any())


def body_of(solids: Sequence[ReadSolid], meshes: Sequence[Mesh], sag: float) -> Body:
    """Return the coloured triangles and edges of triangulated solids.

    Args:
        solids: What the file holds.
        meshes: Their triangles.
        sag: Distance of the triangles from the surface, mm.

    Raises:
        Refused: there are no triangles, or such as cannot be.
    """
    palette: dict[str | None, int] = {}
    points, triangles, colours = [], [], []
    start, bare = 0, 0
    for solid, mesh in zip(solids, meshes, strict=True):
        bare += mesh.missing
        own, flat, owner = _welded(mesh)
        painted = [
            solid.colour if face is None else face
            for face in solid.face_colours or [None] * len(mesh.faces)
        ]
        numbers = np.array([palette.setdefault(c, len(palette)) for c in painted], dtype=np.int64)
        points.append(own)
        triangles.append(flat + start)
        colours.append(numbers[owner])
        start += len(own)
    if not sum(map(len, triangles)):
        raise Refused("mesh", "no face could be triangulated")
    nodes = np.concatenate(points)
    if not np.isfinite(nodes).all():
        raise Refused("mesh", "a triangle's corner is not finite")
    centre = 0.5 * (nodes.min(axis=0) + nodes.max(axis=0))
    edges = _edges(meshes)
    return Body(
        centre=(float(centre[0]), float(centre[1]), float(centre[2])),
        points=(nodes - centre).astype(np.float32),
        triangles=np.concatenate(triangles).astype(np.uint32),
        colours=np.concatenate(colours).astype(np.uint32),
        palette=tuple(palette),
        edges={kind: (chords - centre).astype(np.float32) for kind, chords in edges.items()},
        sag=sag,
        notes=(f"{bare} faces could not be triangulated and are not shaded",) if bare else (),
    )


def _welded(mesh: Mesh) -> tuple[Floats, Ints, Ints]:
    """Return nodes, outward triangles, and the number of each triangle's face."""
    parts, owners = [np.empty((0, 3), dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    size = max((int(face.welded.max(initial=-1)) for face in mesh.faces), default=-1) + 1
    nodes = np.zeros((size, 3))
    for number, face in enumerate(mesh.faces):
        flat = face.welded[face.triangles]
        flat = flat[:, ::-1] if face.reversed else flat
        a, b, c = flat.T
        flat = flat[(a != b) & (b != c) & (c != a)]
        nodes[face.welded] = face.points
        parts.append(flat)
        owners.append(np.full(len(flat), number))
    used, inverse = np.unique(np.concatenate(parts), return_inverse=True)
    return nodes[used], np.asarray(inverse.reshape(-1, 3)), np.concatenate(owners)


def _edges(meshes: Sequence[Mesh]) -> dict[str, Floats]:
    """Return (k, 2, 3) chords of sharp and of smooth edges, seams and splits left out."""
    chords: dict[str, list[Floats]] = {"sharp": [], "smooth": []}
    for mesh in meshes:
        seen: set[int] = set()
        for face in mesh.faces:
            for use in face.uses:
                if use.degenerate or use.key in seen or len(use.nodes) < 2:
                    continue
                seen.add(use.key)
                edge = TopoDS.Edge(use.edge)
                kind = meeting(edge, seam=BRep_Tool.IsClosed_s(edge, face.face))
                if kind is not None:
                    along = face.points[use.nodes]
                    chords[kind].append(np.stack([along[:-1], along[1:]], axis=1))
    empty = np.empty((0, 2, 3))
    return {kind: np.concatenate([empty, *parts]) for kind, parts in chords.items()}
