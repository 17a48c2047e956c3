"""What an agent is told of a shape's edges and faces, and of the space between two shapes."""

from __future__ import annotations

from typing import Any

from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.gp import gp_Pnt
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopoDS import TopoDS_Shape

from gaugeblock.host.worker.checking import items, volume_properties
from gaugeblock.host.worker.objects import selecting
from gaugeblock.host.worker.objects.boundary import edges_of, faces_of
from gaugeblock.host.worker.objects.combining import combined
from gaugeblock.host.worker.objects.faults import Fault

TOUCHING_MM = 1e-6
"""Objects further apart share nothing, so that no boolean need be asked."""
DIGITS = 6
"""Decimal places of a mm that are told: a thousandth of what anyone makes."""


def parts(shape: TopoDS_Shape, most: int) -> dict[str, Any]:
    """Return the edges and faces of a shape, at most so many of each, mm."""
    edges, faces = edges_of(shape), faces_of(shape)
    return {
        "edge_list": [
            {
                "id": edge.id,
                "kind": edge.kind,
                "corner": edge.corner,
                "length_mm": round(edge.length, DIGITS),
                **({} if edge.radius is None else {"radius_mm": round(edge.radius, DIGITS)}),
                "start": _rounded(edge.points[0]),
                "middle": _rounded(edge.middle),
                "end": _rounded(edge.points[-1]),
            }
            for edge in edges[:most]
        ],
        "face_list": [
            {
                "id": face.id,
                "kind": face.kind,
                "area_mm2": round(face.area, DIGITS),
                **({} if face.radius is None else {"radius_mm": round(face.radius, DIGITS)}),
                "point": _rounded(face.point),
                "normal": _rounded(face.normal),
            }
            for face in faces[:most]
        ],
        "edges_left_out": max(0, len(edges) - most),
        "faces_left_out": max(0, len(faces) - most),
    }


def places(shape: TopoDS_Shape, what: str, ids: list[int]) -> list[list[float]]:
    """Return for each edge or face of these ids a point by which it is found again, mm.

    Raises:
        Fault: there is none of an id.
    """
    if what == "edges":
        points = [list(edge.middle) for edge in selecting.edges(shape, {"ids": ids})]
        found = {edge.id for edge in selecting.edges(shape, {"through": points})}
    else:
        points = [list(face.point) for face in selecting.faces(shape, {"ids": ids})]
        found = {face.id for face in selecting.faces(shape, {"through": points})}
    if found != set(ids):
        raise Fault(
            "nothing-selected",
            f"{what} {sorted(found)} lie too close together to be told apart",
            "Pick them by a rule instead of by ids.",
        )
    return points


def between(first: TopoDS_Shape, second: TopoDS_Shape) -> dict[str, Any]:
    """Return the least distance of two shapes (mm), where it is, and the volume they share (mm³).

    Raises:
        Fault: the kernel cannot tell.
    """
    search = BRepExtrema_DistShapeShape(first, second)
    if not search.IsDone() or search.NbSolution() == 0:
        raise Fault("not-built", "the kernel finds no distance between these objects")
    apart = search.Value() > TOUCHING_MM
    common = [] if apart else items(combined("intersect", [first], [second]), TopAbs_SOLID)
    shared = sum(volume_properties(solid).Mass() for solid in common)
    return {
        "distance_mm": search.Value(),
        "from": _point(search.PointOnShape1(1)),
        "to": _point(search.PointOnShape2(1)),
        "shared_volume_mm3": shared,
    }


def _point(point: gp_Pnt) -> list[float]:
    return _rounded((point.X(), point.Y(), point.Z()))


def _rounded(place: tuple[float, float, float]) -> list[float]:
    return [round(value, DIGITS) + 0.0 for value in place]
