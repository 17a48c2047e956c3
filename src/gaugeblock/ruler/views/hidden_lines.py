"""Exact hidden-line removal by the kernel, read out edge by edge.

HLRBRep_Algo splits every edge and outline where something begins or ends to hide it. Its result
shapes forget where they came from; here its data structure is read instead: each of its edges
still lies on the curve of the part's own edge, and its visible parameter intervals are listed.

Which edges are drawn follows from how their faces meet: see `edges`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.GeomAbs import GeomAbs_CurveType
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Vec
from OCP.HLRAlgo import HLRAlgo_Projector
from OCP.HLRBRep import HLRBRep_Algo, HLRBRep_FaceIterator
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE
from OCP.TopExp import TopExp
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.edges import mark, meeting
from gaugeblock.ruler.views.flattening import Frame, flattened
from gaugeblock.ruler.views.projection import Curve, Kind

Floats = npt.NDArray[np.float64]

SPECK = 5e-4
"""Pieces shorter than this part of the diagonal take their neighbour's visibility: where an
outline touches another the kernel leaves such crumbs, far below a line's width."""

JOIN = 1e-7
"""Intervals of one curve whose ends are this close, as a part of its parameter range, go on."""

OUTLINE_ERROR = 0.05
"""Largest sine between a face and the line of sight along its outline. The true outline then lies
within 0.13 % of the local radius. Seen: up to 0.026 on sound outlines, 0.78 and more where the
kernel's approximation ran away."""

OUTLINE_SAMPLES = 25
"""Places along an outline where that is looked at."""

PROBES = 200
"""Places per diagonal of length whose depth is taken for the check: every fourth pixel there."""

MOST_PROBES = 100
"""Such places on one piece."""


class NoSilhouette(ValueError):
    """An outline that the kernel found where the face does not turn away."""

    def __init__(self) -> None:
        super().__init__("the kernel's outline of a curved face is no silhouette")


@dataclass(frozen=True)
class Sight:
    """All lines of a view."""

    curves: list[Curve]
    depths: Floats
    """(n, 5) for places along the curves: x, y and depth in mm, whether it is said to be visible (1
    or 0), and the length in mm that the place stands for."""


@dataclass
class _Source:
    """One curve of the part, with the intervals that are seen and those that are not."""

    adaptor: Any
    kind: Kind
    solid: int
    edge: int | None
    face: int | None
    spans: list[tuple[float, float, bool]] = field(default_factory=list)
    """First and last parameter, and whether it is visible."""


def exact_lines(solids: Sequence[Any], camera: Camera, diagonal: float, tolerance: float) -> Sight:
    """Return every edge and outline of solids as a camera sees them.

    Args:
        solids: TopoDS_Solid; all hide each other.
        camera: Where it is seen from.
        diagonal: Size of all solids together, mm.
        tolerance: Closeness of Béziers in mm.

    Raises:
        NoSilhouette: an outline that the kernel found is none, and what it hides is wrong then too.
    """
    mark(solids)
    frame = Frame.of(camera, tolerance)
    curves: list[Curve] = []
    depths = [np.empty((0, 5))]
    for source in _sources(solids, _removed(solids, camera), camera):
        for first, last, visible in _tidied(source, SPECK * diagonal):
            shape = flattened(source.adaptor, first, last, frame, source.kind == "outline")
            if shape is None:
                continue
            curves.append(
                Curve(
                    shape=shape,
                    visible=visible,
                    kind=source.kind,
                    solid=source.solid,
                    edge=source.edge,
                    face=source.face,
                )
            )
            depths.append(_probed(source.adaptor, first, last, visible, frame, diagonal / PROBES))
    return Sight(curves, np.concatenate(depths))


def _removed(solids: Sequence[Any], camera: Camera) -> Any:
    """Run the kernel's hidden-line removal."""
    algorithm = HLRBRep_Algo()
    for solid in solids:
        algorithm.Add(solid, 0)
    axes = gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(*camera.direction), gp_Dir(*camera.right))
    algorithm.Projector(HLRAlgo_Projector(axes))
    algorithm.Update()
    algorithm.Hide()
    return algorithm


def _sources(solids: Sequence[Any], algorithm: Any, camera: Camera) -> list[_Source]:
    """Read the curves out of the algorithm's data structure."""
    near = np.array(camera.direction)
    data = algorithm.DataStructure()
    edges, edge_map, face_map = data.EDataArray(), data.EdgeMap(), data.FaceMap()
    found: dict[tuple[Any, ...], _Source] = {}
    for number, solid in enumerate(solids):
        _, _, first, last, low, high = algorithm.ShapeBounds(number + 1).Bounds()
        origin = _Origin(solid)
        roles = _roles(data, low, high)
        faces_match = high - low + 1 == len(explore(solid, TopAbs_FACE))
        for index in range(first, last + 1):
            known = edges.Value(index)
            if known.Vertical():
                continue
            edge = TopoDS.Edge(edge_map.FindKey(index))
            face = roles.inside.get(index)
            if face is not None:
                kind: Kind | None = "outline"
                adaptor = _outline(edge, TopoDS.Face(face_map.FindKey(face)), near)
                origin_edge, origin_face = None, face - low if faces_match else None
            else:
                kind = meeting(edge, seam=index in roles.seams)
                if kind != "sharp" and index in roles.silhouettes:
                    kind = "outline"
                origin_edge, origin_face = origin.edge(edge), None
                adaptor = BRepAdaptor_Curve(edge if origin_edge is None else origin[origin_edge])
            if kind is None:
                continue
            key = (number, origin_edge, kind) if origin_edge is not None else (number, -index, kind)
            source = found.setdefault(key, _Source(adaptor, kind, number, origin_edge, origin_face))
            source.spans += _spans(known.Status())
    return list(found.values())


@dataclass
class _Roles:
    """What edges are to the faces of one solid, by the algorithm's numbers."""

    inside: dict[int, int] = field(default_factory=dict)
    """Outlines inside faces, and their faces."""
    silhouettes: set[int] = field(default_factory=set)
    """Edges where a face turns away."""
    seams: set[int] = field(default_factory=set)
    """Edges that one face has twice."""


def _roles(data: Any, low: int, high: int) -> _Roles:
    roles = _Roles()
    faces, iterator = data.FDataArray(), HLRBRep_FaceIterator()
    for face in range(low, high + 1):
        iterator.InitEdge(faces.Value(face))
        while iterator.MoreEdge():
            edge = iterator.Edge()
            if iterator.Internal():
                roles.inside[edge] = face
            elif iterator.OutLine():
                roles.silhouettes.add(edge)
            if iterator.Double():
                roles.seams.add(edge)
            iterator.NextEdge()
    return roles


def _outline(edge: Any, face: Any, near: Floats) -> Any:
    """Return an outline's curve: by formula where the kernel has one, else on its surface.

    Raises:
        NoSilhouette: the kernel's curve is none.
    """
    plain = BRepAdaptor_Curve(edge)
    if plain.GetType() in (GeomAbs_CurveType.GeomAbs_Line, GeomAbs_CurveType.GeomAbs_Circle):
        return plain
    first, last = plain.FirstParameter(), plain.LastParameter()
    track = BRep_Tool.CurveOnSurface_s(edge, face, first, last)
    surface = BRepAdaptor_Surface(face, False)
    point, along, across = gp_Pnt(), gp_Vec(), gp_Vec()
    for t in np.linspace(first, last, OUTLINE_SAMPLES).tolist():
        uv = track.Value(t)
        surface.D1(uv.X(), uv.Y(), point, along, across)
        normal = np.cross(along.Coord(), across.Coord())
        if abs(normal @ near) > OUTLINE_ERROR * np.linalg.norm(normal):
            raise NoSilhouette
    # The surface at the outline's own parameters is nearer than its 3-D spline.
    return BRepAdaptor_Curve(edge, face)


def _spans(status: Any) -> list[tuple[float, float, bool]]:
    """Return the visible and the hidden intervals of one edge, in order."""
    low, _, high, _ = status.Bounds()
    spans: list[tuple[float, float, bool]] = []
    at = low
    for i in range(1, status.NbVisiblePart() + 1):
        start, _, end, _ = status.VisiblePart(i)
        start, end = max(start, at), min(end, high)
        if start > at:
            spans.append((at, start, False))
        if end > start:
            spans.append((start, end, True))
        at = max(at, end)
    if at < high:
        spans.append((at, high, False))
    return spans


def _tidied(source: _Source, speck: float) -> list[tuple[float, float, bool]]:
    """Return the intervals of a curve joined, crumbs given to their neighbours."""
    spans = sorted(source.spans)
    if not spans:
        return []
    close = JOIN * (spans[-1][1] - spans[0][0])
    spans = _joined(spans, close)
    if len(spans) > 1:
        short = [_length(source.adaptor, a, b) < speck for a, b, _ in spans]
        if not all(short):
            spans = [
                (a, b, _neighbour(spans, short, i) if short[i] else visible)
                for i, (a, b, visible) in enumerate(spans)
            ]
            spans = _joined(spans, close)
    if len(spans) > 1 and source.adaptor.IsPeriodic():
        head, tail, period = spans[0], spans[-1], source.adaptor.Period()
        if head[2] == tail[2] and abs(head[0] + period - tail[1]) <= close:
            # A closed curve that is cut at its seam alone.
            spans = [*spans[1:-1], (tail[0], head[1] + period, head[2])]
    return spans


def _joined(
    spans: list[tuple[float, float, bool]], close: float
) -> list[tuple[float, float, bool]]:
    out = [spans[0]]
    for start, end, visible in spans[1:]:
        before = out[-1]
        if visible == before[2] and start - before[1] <= close:
            out[-1] = (before[0], max(before[1], end), visible)
        else:
            out.append((start, end, visible))
    return out


def _neighbour(spans: list[tuple[float, float, bool]], short: list[bool], i: int) -> bool:
    """Return the visibility of the nearest piece that is no crumb."""
    order = sorted((k for k in range(len(spans)) if not short[k]), key=lambda k: abs(k - i))
    return spans[order[0]][2]


def _length(adaptor: Any, first: float, last: float) -> float:
    """Return roughly how long a piece is, mm."""
    step = (last - first) / 4.0
    points = [adaptor.Value(first + i * step).Coord() for i in range(5)]
    return sum(map(math.dist, points[:-1], points[1:]))


def _probed(
    adaptor: Any, first: float, last: float, visible: bool, frame: Frame, step: float
) -> Floats:
    """Return the rows of `Sight.depths` of one piece, a place every `step` mm or nearer."""
    length = _length(adaptor, first, last)
    count = min(math.ceil(length / step) + 1, MOST_PROBES)
    share = (last - first) / count
    points = [adaptor.Value(first + (i + 0.5) * share).Coord() for i in range(count)]
    rows = np.empty((count, 5))
    rows[:, :3] = np.array(points) @ frame.basis.T
    rows[:, 3:] = float(visible), length / count
    return rows


class _Origin:
    """Finds the edge of a solid that an edge of the algorithm is a part of."""

    def __init__(self, solid: Any) -> None:
        self.edges = ShapeMap()
        TopExp.MapShapes_s(solid, TopAbs_EDGE, self.edges)
        self.on_curve: dict[int, list[int]] = {}
        self._alive: list[Any] = []
        for number in range(self.edges.Size()):
            curve = _curve(self[number])
            if curve is not None:
                # The binding gives a curve the same object again while that is alive.
                self._alive.append(curve)
                self.on_curve.setdefault(id(curve), []).append(number)

    def __getitem__(self, number: int) -> Any:
        return TopoDS.Edge(self.edges.FindKey(number + 1))

    def edge(self, edge: Any) -> int | None:
        """Return its number, or None where that is not certain."""
        index = self.edges.FindIndex(edge)
        if index:
            return int(index) - 1
        curve = _curve(edge)
        numbers = self.on_curve.get(id(curve), []) if curve is not None else []
        if len(numbers) == 1:
            return numbers[0]
        low, high = BRep_Tool.Range_s(edge)
        around = [i for i in numbers if self._holds(i, 0.5 * (low + high))]
        return around[0] if len(around) == 1 else None

    def _holds(self, number: int, parameter: float) -> bool:
        """Whether edge `number` runs through a parameter of its curve."""
        adaptor = BRepAdaptor_Curve(self[number])
        low, high = adaptor.FirstParameter(), adaptor.LastParameter()
        if adaptor.IsPeriodic():
            period = adaptor.Period()
            parameter += math.ceil((low - parameter) / period) * period
        return bool(low <= parameter <= high)


def _curve(edge: Any) -> Any:
    return BRep_Tool.Curve_s(edge, TopLoc_Location(), 0.0, 0.0)
