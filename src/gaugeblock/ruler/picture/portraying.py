"""The job behind a portrait: one STEP file in, triangles with the faces they lie on out."""

from __future__ import annotations

from typing import Any

import numpy as np
from OCP.TopAbs import TopAbs_FACE

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.mesh import Mesh, build_mesh
from gaugeblock.ruler.header import Refused
from gaugeblock.ruler.picture.edges import chords_of
from gaugeblock.ruler.picture.portrait import Portrait, pack
from gaugeblock.ruler.picture.taking import (
    FINENESS,
    MANY_FACES,
    TRIANGLES,
    Array,
    Ints,
    diagonal_of,
    solids_of,
)


def portrait_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Mesh the STEP file open as ``files[0]``.

    Args:
        value: Unused.
        blobs: Unused.
        files: One descriptor, open for reading.

    Returns:
        The portrait packed, or ``refused`` with one line and no blobs.
    """
    try:
        return pack(portrait_of(solids_of(files[0])))
    except Refused as refusal:
        return {"refused": refusal.reason}, []


def portrait_of(solids: list[Any]) -> Portrait:
    """Return the portrait of a list of TopoDS_Solid.

    Raises:
        Refused: they cannot be triangulated within the ceilings.
    """
    diagonal = diagonal_of(solids)
    many = sum(len(explore(solid, TopAbs_FACE)) for solid in solids) > MANY_FACES
    for angle, relative in FINENESS[1 if many else 0 :]:
        meshes = []
        for solid in solids:
            meshes.append(build_mesh(solid, diagonal, angle, relative))
            if sum(len(face.triangles) for mesh in meshes for face in mesh.faces) > TRIANGLES:
                break
        else:
            return _joined(meshes, 1.2 * angle, relative * diagonal)
    raise Refused("limit", f"more than {TRIANGLES} triangles: too large for a picture")


def _joined(meshes: list[Mesh], bend: float, sag: float) -> Portrait:
    """Return all solids' triangles one after the other.

    Args:
        meshes: The solids.
        bend: As of `chords_of`, rad.
        sag: Of the triangles, mm.
    """
    points: list[Array] = [np.empty((0, 3))]
    triangles: list[Ints] = [np.empty((0, 3), dtype=np.int64)]
    owners: list[Ints] = [np.empty((0, 2), dtype=np.int64)]
    edges: list[Array] = [np.empty((0, 2, 3))]
    start = 0
    for number, mesh in enumerate(meshes):
        size = max((int(face.welded.max(initial=-1)) for face in mesh.faces), default=-1) + 1
        nodes = np.zeros((size, 3))
        for index, face in zip(mesh.place()[0].tolist(), mesh.faces, strict=True):
            nodes[face.welded] = face.points
            welded = face.welded[face.triangles]
            triangles.append((welded[:, ::-1] if face.reversed else welded) + start)
            owners.append(np.tile([number, index], (len(welded), 1)))
        points.append(nodes)
        edges.append(chords_of(mesh, bend)[0])
        start += size
    owner = np.concatenate(owners)
    return Portrait(
        points=np.concatenate(points).astype(np.float32),
        triangles=np.concatenate(triangles).astype(np.uint32),
        solid=owner[:, 0].astype(np.uint32),
        face=owner[:, 1].astype(np.uint32),
        edges=np.concatenate(edges).astype(np.float32),
        sag=sag,
    )
