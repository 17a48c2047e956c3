"""Picking edges and faces by rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.gp import gp_Pnt
from OCP.TopoDS import TopoDS_Shape

from gaugeblock.host.worker.checking import bounds
from gaugeblock.host.worker.objects.boundary import (
    EdgeFacts,
    FaceFacts,
    Place,
    edges_of,
    faces_of,
)
from gaugeblock.host.worker.objects.faults import Fault

Part = TypeVar("Part", EdgeFacts, FaceFacts)

NEAR_MM = 1e-3
"""How near an edge or a face must be to a plane or a point of a rule: figures that people type are
rounded to a micrometre."""
ALONG = 1e-6
"""Sine of the angle to an axis up to which an edge counts as parallel."""
SIDES = {
    "left": (0, 0),
    "right": (0, 1),
    "front": (1, 0),
    "back": (1, 1),
    "bottom": (2, 0),
    "top": (2, 1),
}
"""Axis, and whether its lower or upper end."""
LOOK = "inspect_object lists the edges and faces with their ids and places; give a rule that "
LOOK += "holds for some of them."


def edges(shape: TopoDS_Shape, rule: dict[str, Any]) -> list[EdgeFacts]:
    """Return the edges that a rule picks.

    Raises:
        Fault: it picks none, or an id or a point has no edge.
    """
    present = edges_of(shape)
    if "ids" in rule:
        return _by_ids(present, rule["ids"], "edge")
    chosen = [edge for edge in present if edge.corner != "smooth" or "through" in rule]
    if "parallel" in rule:
        chosen = [edge for edge in chosen if _parallel(edge, "XYZ".index(rule["parallel"]))]
    for axis, value in _planes(shape, rule):
        chosen = [edge for edge in chosen if _lies(edge.points, axis, value)]
    if "kind" in rule:
        chosen = [edge for edge in chosen if edge.kind == rule["kind"]]
    if "corner" in rule:
        chosen = [edge for edge in chosen if edge.corner == rule["corner"]]
    if "through" in rule:
        chosen = _through(chosen, rule["through"], "edge")
    if not chosen:
        kinds = Counter(f"{edge.corner} {edge.kind}" for edge in present)
        raise _nothing("edge", rule, kinds)
    return chosen


def faces(shape: TopoDS_Shape, rule: dict[str, Any]) -> list[FaceFacts]:
    """Return the faces that a rule picks; errors as in :func:`edges`."""
    present = faces_of(shape)
    if "ids" in rule:
        return _by_ids(present, rule["ids"], "face")
    chosen = present
    for axis, value in _planes(shape, rule):
        chosen = [face for face in chosen if _level(face, axis, value)]
    if "through" in rule:
        chosen = _through(chosen, rule["through"], "face")
    if not chosen:
        raise _nothing("face", rule, Counter(face.kind for face in present))
    return chosen


def _planes(shape: TopoDS_Shape, rule: dict[str, Any]) -> list[tuple[int, float]]:
    """Return the axis planes that a rule names by side or value."""
    named = []
    if "side" in rule:
        axis, end = SIDES[rule["side"]]
        named.append((axis, bounds(shape)[end][axis]))
    if "at" in rule:
        named.append(("XYZ".index(rule["at"]["axis"]), rule["at"]["value"]))
    return named


def _parallel(edge: EdgeFacts, axis: int) -> bool:
    if edge.kind != "line":
        return False
    ends = zip(edge.points[0], edge.points[-1], strict=True)
    return all(
        abs(b - a) <= ALONG * edge.length for index, (a, b) in enumerate(ends) if index != axis
    )


def _lies(points: Iterable[Place], axis: int, value: float) -> bool:
    return all(abs(point[axis] - value) <= NEAR_MM for point in points)


def _level(face: FaceFacts, axis: int, value: float) -> bool:
    flat = face.kind == "plane" and abs(abs(face.normal[axis]) - 1) <= ALONG
    return flat and abs(face.point[axis] - value) <= NEAR_MM


def _by_ids(present: list[Part], ids: list[int], what: str) -> list[Part]:
    by_id = {part.id: part for part in present}
    for number in ids:
        if number not in by_id:
            raise Fault("nothing-selected", f"the object has no {what} {number}", LOOK)
    return [by_id[number] for number in dict.fromkeys(ids)]


def _through(present: list[Part], points: Sequence[Sequence[float]], what: str) -> list[Part]:
    chosen: dict[int, Part] = {}
    for point in points:
        vertex = BRepBuilderAPI_MakeVertex(gp_Pnt(*point)).Vertex()
        near = [p for p in present if _distance(vertex, p.shape) <= NEAR_MM]
        if not near:
            place = ", ".join(f"{value:g}" for value in point)
            raise Fault("nothing-selected", f"no {what} passes through ({place}) mm", LOOK)
        chosen |= {part.id: part for part in near}
    return list(chosen.values())


def _distance(vertex: TopoDS_Shape, part: TopoDS_Shape) -> float:
    return BRepExtrema_DistShapeShape(vertex, part).Value()


def _nothing(what: str, rule: dict[str, Any], kinds: Counter[str]) -> Fault:
    said = ", ".join(
        name if value is True else f"{name} {value}" for name, value in rule.items() if value
    )
    there = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "none"
    return Fault(
        "nothing-selected", f"no {what} fits the rule ({said}); the object's {what}s: {there}", LOOK
    )
