"""A solid's faces, edges and corners as the kernel's boundary representation links them.

Walked once; the counts, the closedness and Betti numbers of a plain solid, its boundary curves and
its faces' surfaces all come from it without any triangulation. What is not plain (an open or torn
boundary, edges shared by more than two faces, corners that cannot be paired) is left to the mesh.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve2d
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.TopAbs import (
    TopAbs_EDGE,
    TopAbs_FACE,
    TopAbs_FORWARD,
    TopAbs_REVERSED,
    TopAbs_SHELL,
    TopAbs_VERTEX,
    TopAbs_WIRE,
)
from OCP.TopExp import TopExp, TopExp_Explorer
from OCP.TopoDS import TopoDS

from gaugeblock.records.measurement import Topology
from gaugeblock.ruler.explore import count_distinct, explore
from gaugeblock.ruler.facts.surfaces import Surface, surface_of

FORWARD, REVERSED = int(TopAbs_FORWARD), int(TopAbs_REVERSED)
"""By number: the binding compares enumeration values in 1 µs each, which adds up."""


@dataclass(frozen=True)
class Boundary:
    """What the directed half-edges of a mesh say."""

    balanced: bool
    """Every half-edge a→b occurs as often as b→a: closed and orientable."""
    manifold: bool
    """Every half-edge occurs once, and every node has one fan of triangles."""
    open_edges: int
    """Half-edges without an opposite."""
    topology: Topology


@dataclass
class Outline:
    """One solid's faces and the uses of its edges in them; edges and vertices by number from 1."""

    faces: list[Any] = field(default_factory=list)
    """TopoDS_Face, each oriented forward, located."""
    turned: list[bool] = field(default_factory=list)
    """Whether the solid uses the face reversed."""
    wires: list[tuple[int, int, int]] = field(default_factory=list)
    """Face, first use, use after the last."""
    uses: list[Any] = field(default_factory=list)
    """TopoDS_Edge with its orientation in the forward face."""
    use_face: list[int] = field(default_factory=list)
    use_edge: list[int] = field(default_factory=list)
    use_forward: list[bool] = field(default_factory=list)
    edges: list[Any] = field(default_factory=list)
    """TopoDS_Edge by number; 0 is unused."""
    ends: list[tuple[int, int]] = field(default_factory=list)
    """First and last vertex of each edge, along its curve; 0 where there is none."""
    degenerate: list[bool] = field(default_factory=list)
    vertices: int = 0
    shells: int = 0
    surfaces: list[Surface] = field(default_factory=list)

    def along(self, use: int) -> bool:
        """Whether a use runs along its edge's curve, seen with the face turned outwards."""
        return self.use_forward[use] != self.turned[self.use_face[use]]

    def start(self, use: int) -> int:
        """Vertex where a use begins, with the face turned outwards."""
        return self.ends[self.use_edge[use]][0 if self.along(use) else 1]

    def stop(self, use: int) -> int:
        """Vertex where a use ends, with the face turned outwards."""
        return self.ends[self.use_edge[use]][1 if self.along(use) else 0]


def outline_of(solid: Any) -> Outline:
    """Walk `solid` (TopoDS_Solid) once."""
    out = Outline()
    edges, vertices = ShapeMap(), ShapeMap()
    TopExp.MapShapes_s(solid, TopAbs_EDGE, edges)
    TopExp.MapShapes_s(solid, TopAbs_VERTEX, vertices)
    out.vertices = int(vertices.Size())
    out.shells = count_distinct(solid, TopAbs_SHELL)
    out.edges, out.ends, out.degenerate = [None], [(0, 0)], [False]
    for number in range(1, edges.Size() + 1):
        edge = TopoDS.Edge(edges.FindKey(number).Oriented(TopAbs_FORWARD))
        out.edges.append(edge)
        first, last = TopExp.FirstVertex_s(edge), TopExp.LastVertex_s(edge)
        # A missing vertex is not in the map: 0.
        out.ends.append((vertices.FindIndex(first), vertices.FindIndex(last)))
        out.degenerate.append(BRep_Tool.Degenerated_s(edge))
    wires, items = TopExp_Explorer(), TopExp_Explorer()
    for shape in explore(solid, TopAbs_FACE):
        face = TopoDS.Face(shape.Oriented(TopAbs_FORWARD))
        number = len(out.faces)
        out.faces.append(face)
        out.turned.append(int(shape.Orientation()) == REVERSED)
        out.surfaces.append(surface_of(face))
        wires.Init(face, TopAbs_WIRE)
        while wires.More():
            first_use = len(out.uses)
            items.Init(wires.Current(), TopAbs_EDGE)
            while items.More():
                edge = items.Current()
                items.Next()
                orientation = int(edge.Orientation())
                forward = orientation == FORWARD
                if not forward and orientation != REVERSED:
                    continue
                out.uses.append(TopoDS.Edge(edge))
                out.use_face.append(number)
                out.use_edge.append(edges.FindIndex(edge))
                out.use_forward.append(forward)
            out.wires.append((number, first_use, len(out.uses)))
            wires.Next()
    return out


def judge_outline(outline: Outline) -> Boundary | None:
    """Judge closedness and count cells of a plain solid; None: it is not plain, ask the mesh.

    Triangles within a face always join each other, so that only the edges matter: closed and
    orientable when each edge is used once in each sense; manifold when the faces around each
    vertex form one ring. With F(w) = 2 − w for a face with w wires (a disc with w − 1 holes; seams
    count as edges), χ = V − E + Σ F; for c pieces the Betti numbers are [c, 2c − χ, c].
    """
    mates = _mates(outline)
    before = _previous(outline)
    if mates is None or before is None:
        return None
    if {face for face, _, _ in outline.wires} != set(range(len(outline.faces))):
        return None
    corners = {outline.start(use) for use in range(len(outline.uses))}
    if 0 in corners or _rings(mates, before) != len(corners):
        return None
    sides = sum(1 for use, mate in enumerate(mates) if mate != use) // 2
    euler = len(corners) - sides + 2 * len(outline.faces) - len(outline.wires)
    pieces = _pieces(outline, mates)
    topology = Topology(
        euler=euler,
        genus=(2 * pieces - euler) // 2,
        betti=(pieces, 2 * pieces - euler, pieces),
    )
    return Boundary(balanced=True, manifold=True, open_edges=0, topology=topology)


def _mates(outline: Outline) -> list[int] | None:
    """Return for each use the other use of its edge, in the opposite sense.

    A degenerate edge (a point) is its own mate. None where an edge is not used exactly so.
    """
    seen: dict[int, int] = {}
    mates = list(range(len(outline.uses)))
    for use, edge in enumerate(outline.use_edge):
        if outline.degenerate[edge]:
            continue
        other = seen.get(edge)
        if other is None:
            seen[edge] = use
            continue
        if mates[other] != other:
            return None  # a third use
        if outline.along(use) == outline.along(other):
            return None
        mates[use], mates[other] = other, use
    alone = any(mates[use] == use for use in seen.values())
    return None if alone else mates


def _previous(outline: Outline) -> list[int] | None:
    """Return for each use the one before it in its wire; None where that is not certain."""
    before = [0] * len(outline.uses)
    for _, first, last in outline.wires:
        if first == last:
            return None
        uses = range(first, last)
        starts = [outline.start(use) for use in uses]
        stops = [outline.stop(use) for use in uses]
        along = stops[-1:] + stops[:-1] == starts
        against = starts[-1:] + starts[:-1] == stops
        if (along != against) or (along and last - first <= 2):
            for use in uses:
                neighbour = use - 1 if along else use + 1
                before[use] = first + (neighbour - first) % (last - first)
            continue
        ending = dict(zip(stops, uses, strict=True))
        if len(ending) == last - first and set(ending) == set(starts):
            for use, start in zip(uses, starts, strict=True):
                before[use] = ending[start]
            continue
        pairs = _by_parameters(outline, uses)
        if pairs is None:
            return None
        for use, other in pairs.items():
            before[use] = other
    return before


def _by_parameters(outline: Outline, uses: range) -> dict[int, int] | None:
    """Return for each use of one wire the one before it, by their ends in parameter space.

    Needed where a wire comes to one vertex several times, as at seams.
    """
    begin, end = {}, {}
    for use in uses:
        curve = BRepAdaptor_Curve2d(outline.uses[use], outline.faces[outline.use_face[use]])
        at = [curve.Value(t).Coord() for t in (curve.FirstParameter(), curve.LastParameter())]
        begin[use], end[use] = at if outline.along(use) else at[::-1]
    pairs = {}
    for use in uses:
        arriving = [other for other in uses if outline.stop(other) == outline.start(use)]
        if not arriving:
            return None
        pairs[use] = min(arriving, key=lambda other: math.dist(begin[use], end[other]))
    return pairs if len(set(pairs.values())) == len(pairs) else None


def _rings(mates: list[int], before: list[int]) -> int:
    """Count the closed rings of faces around vertices.

    From a use that leaves a vertex, the use before it in its face arrives there; its mate leaves
    the same vertex in the next face.
    """
    left = [True] * len(mates)
    rings = 0
    for use in range(len(mates)):
        if not left[use]:
            continue
        rings += 1
        while left[use]:
            left[use] = False
            use = mates[before[use]]
    return rings


def _pieces(outline: Outline, mates: list[int]) -> int:
    """Count the connected pieces of the boundary."""
    group = list(range(len(outline.faces)))

    def root(face: int) -> int:
        while group[face] != face:
            group[face] = group[group[face]]
            face = group[face]
        return face

    for use, mate in enumerate(mates):
        if mate > use:
            group[root(outline.use_face[use])] = root(outline.use_face[mate])
    return len({root(face) for face in range(len(group))})
