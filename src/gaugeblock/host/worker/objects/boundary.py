"""Edges and faces of a shape with their ids and all that rules and people ask of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepClass import BRepClass_FaceClassifier
from OCP.BRepGProp import BRepGProp, BRepGProp_Face
from OCP.collections import (
    IndexedDataMap_TopoDS_Shape_List_TopoDS_Shape_TopTools_ShapeMapHasher as Ancestors,
)
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.GCPnts import GCPnts_AbscissaPoint
from OCP.GeomAbs import GeomAbs_Circle, GeomAbs_Line
from OCP.gp import gp_Pnt, gp_Pnt2d, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_IN, TopAbs_REVERSED
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Shape

from gaugeblock.host.worker.checking import items

Corner = Literal["convex", "concave", "smooth"]
Place = tuple[float, float, float]

SMOOTH = 1e-4
"""Sine of the angle between two faces below which their edge is no corner."""
SAMPLES = 9
"""Points of an edge that a rule about its place looks at."""
INSIDE = 1e-7
"""How near its border, in the surface's own parameters, a point is not inside a face."""
SURFACES = {
    "GeomAbs_Plane": "plane",
    "GeomAbs_Cylinder": "cylinder",
    "GeomAbs_Cone": "cone",
    "GeomAbs_Sphere": "sphere",
    "GeomAbs_Torus": "torus",
}


@dataclass(frozen=True)
class EdgeFacts:
    """One edge between two faces. Seams and degenerate edges are none.

    Attributes:
        id: its number in the shape, counted from 1.
        kind: line, circle or other.
        points: along it from end to end, mm.
        length: mm.
        radius: mm, of a circle.
        corner: how its faces meet.
    """

    id: int
    shape: TopoDS_Edge
    kind: Literal["line", "circle", "other"]
    points: tuple[Place, ...]
    length: float
    radius: float | None
    corner: Corner

    @property
    def middle(self) -> Place:
        """The point half-way along, by the curve's parameter, mm."""
        return self.points[len(self.points) // 2]


@dataclass(frozen=True)
class FaceFacts:
    """One face.

    Attributes:
        id: its number in the shape, counted from 1.
        kind: plane, cylinder, cone, sphere, torus or other.
        area: mm².
        point: on the face, not at its border if that can be helped, mm.
        normal: outward at the point.
        radius: mm, of a cylinder or a sphere.
    """

    id: int
    shape: TopoDS_Face
    kind: str
    area: float
    point: Place
    normal: Place
    radius: float | None


def edges_of(shape: TopoDS_Shape) -> list[EdgeFacts]:
    """Return the edges between two faces, in the order of their ids."""
    found = Ancestors()
    TopExp.MapShapesAndAncestors_s(shape, TopAbs_EDGE, TopAbs_FACE, found)
    edges = []
    for number in range(1, found.Extent() + 1):
        edge = TopoDS.Edge(found.FindKey(number))
        faces = _distinct(found.FindFromIndex(number))
        if BRep_Tool.Degenerated_s(edge) or len(faces) != 2:
            continue
        edges.append(_edge(number, edge, faces))
    return edges


def faces_of(shape: TopoDS_Shape) -> list[FaceFacts]:
    """Return the faces, in the order of their ids."""
    found = ShapeMap()
    TopExp.MapShapes_s(shape, TopAbs_FACE, found)
    return [_face(n, TopoDS.Face(found.FindKey(n))) for n in range(1, found.Extent() + 1)]


def _distinct(faces: Iterable[TopoDS_Shape]) -> list[TopoDS_Face]:
    kept: list[TopoDS_Face] = []
    for face in faces:
        if not any(face.IsSame(other) for other in kept):
            kept.append(TopoDS.Face(face))
    return kept


def _edge(number: int, edge: TopoDS_Edge, faces: list[TopoDS_Face]) -> EdgeFacts:
    curve = BRepAdaptor_Curve(edge)
    first, last = curve.FirstParameter(), curve.LastParameter()
    steps = range(SAMPLES)
    places = [curve.Value(first + (last - first) * step / (SAMPLES - 1)) for step in steps]
    kind = curve.GetType()
    circle = kind == GeomAbs_Circle
    return EdgeFacts(
        id=number,
        shape=edge,
        kind="line" if kind == GeomAbs_Line else "circle" if circle else "other",
        points=tuple(_place(place) for place in places),
        length=GCPnts_AbscissaPoint.Length_s(curve),
        radius=curve.Circle().Radius() if circle else None,
        corner=_corner(edge, curve, (first + last) / 2, faces),
    )


def _corner(
    edge: TopoDS_Edge, curve: BRepAdaptor_Curve, middle: float, faces: list[TopoDS_Face]
) -> Corner:
    """Tell how two faces meet: by the turn of their outward normals about the edge.

    With the edge in the sense in which it bounds the first face, that face's material is to its
    left; the normals turn with the edge at an outer corner and against it at an inner one.
    """
    point, along = gp_Pnt(), gp_Vec()
    curve.D1(middle, point, along)
    used = next(part for part in items(faces[0], TopAbs_EDGE) if part.IsSame(edge))
    if used.Orientation() == TopAbs_REVERSED:
        along.Reverse()
    first, second = (_normal_on_edge(edge, face, middle) for face in faces)
    turn = first.Crossed(second).Dot(along) / (along.Magnitude() or 1.0)
    if abs(turn) < SMOOTH and first.Dot(second) > 0:
        return "smooth"
    return "convex" if turn > 0 else "concave"


def _normal_on_edge(edge: TopoDS_Edge, face: TopoDS_Face, parameter: float) -> gp_Vec:
    track = BRep_Tool.CurveOnSurface_s(edge, face, 0.0, 0.0)
    place = track.Value(parameter)
    return _normal(face, place.X(), place.Y())[1]


def _normal(face: TopoDS_Face, u: float, v: float) -> tuple[gp_Pnt, gp_Vec]:
    """Return a point of a face and the outward unit normal there."""
    point, normal = gp_Pnt(), gp_Vec()
    BRepGProp_Face(face).Normal(u, v, point, normal)
    if normal.Magnitude() > 0:
        normal.Normalize()
    return point, normal


def _face(number: int, face: TopoDS_Face) -> FaceFacts:
    props = GProp_GProps()
    BRepGProp.SurfaceProperties_s(face, props)
    surface = BRepAdaptor_Surface(face)
    kind = SURFACES.get(surface.GetType().name, "other")
    point, normal = _inner_point(face, surface)
    radius = None
    if kind == "cylinder":
        radius = surface.Cylinder().Radius()
    elif kind == "sphere":
        radius = surface.Sphere().Radius()
    return FaceFacts(number, face, kind, props.Mass(), point, normal, radius)


def _inner_point(face: TopoDS_Face, surface: BRepAdaptor_Surface) -> tuple[Place, Place]:
    """Return a point well inside a face, with the outward normal: tried on ever finer grids."""
    u1, u2 = surface.FirstUParameter(), surface.LastUParameter()
    v1, v2 = surface.FirstVParameter(), surface.LastVParameter()
    for parts in (2, 3, 5, 9, 17, 33):
        for row in range(1, parts):
            for column in range(1, parts):
                u, v = u1 + (u2 - u1) * column / parts, v1 + (v2 - v1) * row / parts
                if BRepClass_FaceClassifier(face, gp_Pnt2d(u, v), INSIDE).State() == TopAbs_IN:
                    point, normal = _normal(face, u, v)
                    return _place(point), (normal.X(), normal.Y(), normal.Z())
    point, normal = _normal(face, (u1 + u2) / 2, (v1 + v2) / 2)
    return _place(point), (normal.X(), normal.Y(), normal.Z())


def _place(point: gp_Pnt) -> Place:
    return point.X(), point.Y(), point.Z()
