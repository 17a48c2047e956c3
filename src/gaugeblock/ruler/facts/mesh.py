"""The triangulated boundary of one solid, welded along its shared edges.

The kernel triangulates a copy of the solid (the original stays without triangulation, so exact
boxes are not influenced). Faces are joined through the polygons that the kernel keeps for each
edge on each face, not by comparing coordinates: a gap between faces stays a gap.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.IMeshTools import IMeshTools_MeshAlgoType, IMeshTools_Parameters
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_VERTEX
from OCP.TopExp import TopExp
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Compound

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.outline import Outline

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ANGLE = 0.4
"""Angular deflection in rad: 16 chords a circle. Volumes from it are extrapolated, so the mesh
need not be fine; halving it doubles the meshing time."""

RELATIVE_SAG = 0.01
"""Linear deflection as a part of the solid's diagonal; with ANGLE it rarely decides."""


LEAST_SAG = 1e-6
"""Least linear deflection in mm; the mesher refuses to work below its confusion distance, 1e-7."""


@dataclass
class EdgeUse:
    """One edge in one face's boundary, as the mesh sees it."""

    edge: Any
    """TopoDS_Edge with its orientation in the forward face."""
    key: int
    """Index of the edge in the solid."""
    nodes: Ints
    """Node numbers in the face (from 0), along growing parameter."""
    parameters: Floats
    """Edge parameter of each node."""
    degenerate: bool


@dataclass
class FaceMesh:
    """One face's triangles."""

    face: Any
    """TopoDS_Face, oriented forward, located."""
    reversed: bool
    points: Floats
    """(n, 3) nodes in mm."""
    uv: Floats
    """(n, 2) surface parameters of the nodes."""
    triangles: Ints
    """(m, 3) node numbers from 0, counter-clockwise in uv."""
    uses: list[EdgeUse]
    welded: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """(n,) node numbers in the whole solid."""


@dataclass
class Mesh:
    """All faces of a solid."""

    faces: list[FaceMesh]
    missing: int
    """Faces the kernel could not triangulate."""
    unjoined: int
    """Edge uses without a polygon: the mesh cannot be welded there."""
    numbers: list[int] = field(default_factory=list)
    """Which face of the solid each is; empty: all of them, in order."""
    first_use: list[int] = field(default_factory=list)
    """Number in the solid of each face's first use of an edge; empty: counted from 0."""

    def place(self) -> tuple[Ints, Ints]:
        """Return face number and first use of each face."""
        if self.numbers:
            return np.array(self.numbers, dtype=np.int64), np.array(self.first_use, dtype=np.int64)
        count = np.array([len(face.uses) for face in self.faces], dtype=np.int64)
        return np.arange(len(self.faces)), np.cumsum(count) - count

    def conforms(self) -> bool:
        """Whether the triangles' outer half-edges are exactly the chords of the faces' edges."""
        tails, heads, sign = [], [], []
        for face in self.faces:
            triangles = face.welded[face.triangles]
            a, b, c = triangles.T
            whole = triangles[(a != b) & (b != c) & (c != a)]
            tails.append(whole.ravel())
            heads.append(np.roll(whole, -1, axis=1).ravel())
            sign.append(np.ones(whole.size))
            for use in face.uses:
                if use.degenerate:
                    continue
                chain = face.welded[use.nodes]
                forward = use.edge.Orientation() == TopAbs_FORWARD
                tails.append(chain[:-1])
                heads.append(chain[1:])
                sign.append(np.full(len(chain) - 1, -1.0 if forward else 1.0))
        if not tails:
            return True
        a, b, weight = np.concatenate(tails), np.concatenate(heads), np.concatenate(sign)
        size = int(max(a.max(), b.max())) + 1
        keys = np.minimum(a, b) * size + np.maximum(a, b)
        _, index = np.unique(keys, return_inverse=True)
        return bool((np.bincount(index, np.where(a < b, weight, -weight)) == 0).all())

    @property
    def complete(self) -> bool:
        """Whether every face has triangles that are joined along its edges."""
        return not self.missing and not self.unjoined

    def welded_triangles(self) -> Ints:
        """Return (m, 3) welded node numbers, turned outwards, collapsed triangles left out."""
        parts = []
        for face in self.faces:
            triangles = face.welded[face.triangles]
            parts.append(triangles[:, ::-1] if face.reversed else triangles)
        if not parts:
            return np.empty((0, 3), dtype=np.int64)
        joined = np.concatenate(parts)
        a, b, c = joined.T
        return np.asarray(joined[(a != b) & (b != c) & (c != a)])


def build_mesh(
    solid: Any, diagonal: float, angle: float = ANGLE, sag: float = RELATIVE_SAG
) -> Mesh:
    """Triangulate a copy of `solid`.

    Args:
        solid: TopoDS_Solid.
        diagonal: Its size in mm, for the linear deflection.
        angle: Angular deflection in rad.
        sag: Linear deflection as a part of `diagonal`.
    """
    return _triangulate(solid, diagonal, angle, sag)


def mesh_of_faces(
    outline: Outline, numbers: list[int], diagonal: float, angle: float, sag: float
) -> Mesh:
    """Triangulate copies of some faces of a solid together, so that they share their edges' nodes.

    Args:
        outline: The solid.
        numbers: Which of its faces, growing.
        diagonal: Its size in mm, for the linear deflection.
        angle: Angular deflection in rad.
        sag: Linear deflection as a part of `diagonal`.
    """
    builder, some = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(some)
    for number in numbers:
        face = outline.faces[number]
        builder.Add(some, face.Reversed() if outline.turned[number] else face)
    mesh = _triangulate(some, diagonal, angle, sag)
    first = np.searchsorted(np.array(outline.use_face), numbers)
    return replace(mesh, numbers=list(numbers), first_use=first.tolist())


def _triangulate(shape: Any, diagonal: float, angle: float, sag: float) -> Mesh:
    copy = BRepBuilderAPI_Copy(shape, False, False).Shape()
    BRepMesh_IncrementalMesh(copy, max(diagonal * sag, LEAST_SAG), False, angle, False)
    return _taken(copy)


def quick_mesh(solid: Any, diagonal: float, angle: float, sag: float) -> Mesh:
    """Triangulate like `build_mesh`, by the kernel's other algorithm.

    The same nodes on edges and surfaces joined by Delabella instead of Watson: five times faster
    on a plane with a hundred holes. Less proven: the caller checks closedness and volume.
    """
    copy = BRepBuilderAPI_Copy(solid, False, False).Shape()
    parameters = IMeshTools_Parameters()
    parameters.Deflection = max(diagonal * sag, LEAST_SAG)
    parameters.Angle = angle
    parameters.Relative = parameters.InParallel = False
    parameters.MeshAlgo = IMeshTools_MeshAlgoType.IMeshTools_MeshAlgoType_Delabella
    BRepMesh_IncrementalMesh(copy, parameters)
    return _taken(copy)


def _taken(copy: Any) -> Mesh:
    """Take the triangulation out of a triangulated shape."""
    vertices, edges = ShapeMap(), ShapeMap()
    TopExp.MapShapes_s(copy, TopAbs_VERTEX, vertices)
    TopExp.MapShapes_s(copy, TopAbs_EDGE, edges)
    faces = [_face_mesh(TopoDS.Face(shape), edges) for shape in explore(copy, TopAbs_FACE)]
    missing = sum(1 for face in faces if not len(face.triangles))
    unjoined = sum(1 for face in faces for use in face.uses if not len(use.nodes))
    _weld(faces, vertices)
    return Mesh(faces=faces, missing=missing, unjoined=unjoined if not missing else 0)


def _face_mesh(face: Any, edges: Any) -> FaceMesh:
    location = TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(face, location)
    is_reversed = bool(face.Orientation() == TopAbs_REVERSED)
    forward = TopoDS.Face(face.Oriented(TopAbs_FORWARD))
    boundary = [
        TopoDS.Edge(edge)
        for edge in explore(forward, TopAbs_EDGE)
        if edge.Orientation() in (TopAbs_FORWARD, TopAbs_REVERSED)
    ]
    uses = [_edge_use(edge, edges, mesh, location) for edge in boundary]
    if mesh is None or not mesh.NbTriangles() or not mesh.HasUVNodes():
        none = np.empty((0, 3), dtype=np.int64)
        return FaceMesh(forward, is_reversed, np.empty((0, 3)), np.empty((0, 2)), none, uses)
    n = mesh.NbNodes()
    points = np.array([mesh.Node(i).Coord() for i in range(1, n + 1)])
    if not location.IsIdentity():
        transform = location.Transformation()
        matrix = np.array([[transform.Value(r, c) for c in range(1, 5)] for r in range(1, 4)])
        points = points @ matrix[:, :3].T + matrix[:, 3]
    uv = np.array([mesh.UVNode(i).Coord() for i in range(1, n + 1)])
    triangles = np.array([mesh.Triangle(i).Get() for i in range(1, mesh.NbTriangles() + 1)])
    return FaceMesh(
        face=forward,
        reversed=is_reversed,
        points=points,
        uv=uv,
        triangles=triangles.astype(np.int64) - 1,
        uses=uses,
    )


def _edge_use(edge: Any, edges: Any, mesh: Any, location: Any) -> EdgeUse:
    # A seam edge lies twice on its face; the kernel keeps a polygon for each orientation.
    nodes, parameters = np.empty(0, dtype=np.int64), np.empty(0)
    polygon = None if mesh is None else BRep_Tool.PolygonOnTriangulation_s(edge, mesh, location)
    if polygon is not None:
        # Not iterated over: the binding ends an iteration by a C++ exception, 0.2 ms each.
        numbers = range(1, polygon.NbNodes() + 1)
        nodes = np.array([polygon.Node(i) for i in numbers], dtype=np.int64) - 1
        if polygon.HasParameters():
            parameters = np.array([polygon.Parameter(i) for i in numbers])
    return EdgeUse(
        edge=edge,
        key=edges.FindIndex(edge),
        nodes=nodes,
        parameters=parameters,
        degenerate=bool(BRep_Tool.Degenerated_s(edge)),
    )


def _weld(faces: list[FaceMesh], vertices: Any) -> None:
    """Number the nodes of all faces so that shared edges and vertices share numbers."""
    following = vertices.Size() + 1
    interior: dict[int, Ints] = {}
    for face in faces:
        welded = np.full(len(face.points), -1, dtype=np.int64)
        for use in face.uses:
            if not len(use.nodes) or not len(welded):
                continue
            along = TopoDS.Edge(use.edge.Oriented(TopAbs_FORWARD))
            first = vertices.FindIndex(TopExp.FirstVertex_s(along))
            last = vertices.FindIndex(TopExp.LastVertex_s(along))
            if use.degenerate:
                welded[use.nodes] = first
                continue
            between = len(use.nodes) - 2
            known = interior.get(use.key)
            if known is None or len(known) != between:
                known = np.arange(following, following + between, dtype=np.int64)
                following += between
                interior[use.key] = known
            welded[use.nodes[1:-1]] = known
            welded[use.nodes[0]] = first
            welded[use.nodes[-1]] = last
        free = welded < 0
        count = int(free.sum())
        welded[free] = np.arange(following, following + count)
        following += count
        face.welded = welded
