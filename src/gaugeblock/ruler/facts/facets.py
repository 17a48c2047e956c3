"""A solid's triangles laid out in flat arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.facts.mesh import Floats, Ints, Mesh


@dataclass
class Facets:
    """All triangles of one mesh of one solid, in flat arrays."""

    points: Floats
    """(n, 3) mm."""
    uv: Floats
    """(n, 2) parameters of the nodes on their face's surface."""
    triangles: Ints
    """(m, 3) node numbers, turned outwards."""
    face: Ints
    """(m,) face number of each triangle."""
    node_face: Ints
    """(n,) face number of each node."""
    welded: Ints
    """(n,) number of each node in the closed mesh."""
    closed: bool
    """Closed and orientable."""

    def volume(self) -> float:
        """Return the volume that the triangles enclose, mm³; only sound where they are closed."""
        if not len(self.triangles):
            return 0.0
        a, b, c = (self.points - self.points.mean(axis=0))[self.triangles].transpose(1, 0, 2)
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def facets(mesh: Mesh, balanced: bool | None = None) -> Facets:
    """Lay out a mesh in flat arrays; `balanced`: closed and orientable, where that is known."""
    if balanced is None:
        balanced = mesh.complete and _balanced(mesh.welded_triangles())
    counts = np.array([len(face.points) for face in mesh.faces], dtype=np.int64)
    first = np.cumsum(counts) - counts
    number = np.arange(len(mesh.faces))
    triangles = [
        (face.triangles[:, ::-1] if face.reversed else face.triangles) + start
        for face, start in zip(mesh.faces, first, strict=True)
    ]
    return Facets(
        points=np.concatenate([face.points for face in mesh.faces]),
        uv=np.concatenate([face.uv for face in mesh.faces]),
        triangles=np.concatenate(triangles).astype(np.int64),
        face=np.repeat(number, [len(face.triangles) for face in mesh.faces]),
        node_face=np.repeat(number, counts),
        welded=np.concatenate([face.welded for face in mesh.faces]),
        closed=mesh.complete and balanced,
    )


def _balanced(triangles: Ints) -> bool:
    """Whether every half-edge a→b occurs as often as b→a."""
    if not len(triangles):
        return False
    size = int(triangles.max()) + 1
    tails, heads = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    there, back = np.sort(tails * size + heads), np.sort(heads * size + tails)
    return bool(np.array_equal(there, back))
