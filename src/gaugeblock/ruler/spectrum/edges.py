"""Each edge as a straight piece or an arc of a circle, with the faces on its sides."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Curve2d
from OCP.gp import gp_Circ, gp_Lin
from OCP.ShapeAnalysis import ShapeAnalysis_CanonicalRecognition

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.spectrum.forms import FITS, normal_at, radius_is_sure

SMOOTH = 1.0
"""Faces that meet at less than this many degrees run smoothly into each other. Rounded edges of
imported files miss tangency by up to 0.5°; a draughtsman's smallest chamfer is 15°."""

POINTS = 24
"""Points by which an edge that is neither straight nor round is followed."""


@dataclass
class Edge:
    """One edge in the file's frame, mm."""

    number: int
    """Number in the outline, from 1."""
    kind: str
    """line, circle or free."""
    curve: Any
    """BRepAdaptor_Curve."""
    first: float
    last: float
    """Parameters of its ends."""
    ends: tuple[Floats, Floats]
    direction: Floats | None = None
    """(3,) unit: along a line; a circle's axis, about which it turns right-handed."""
    centre: Floats | None = None
    radius: float = 0.0
    uses: list[int] = field(default_factory=list)
    """Uses in the outline."""
    faces: list[int] = field(default_factory=list)
    """Faces on its sides, by use."""

    @property
    def sweep(self) -> float:
        """Of a circle, degrees."""
        return math.degrees(self.last - self.first)


def edges_of(outline: Outline) -> list[Edge | None]:
    """Return every edge by its number in the outline; None for degenerate ones and number 0."""
    edges: list[Edge | None] = [None]
    for number in range(1, len(outline.edges)):
        edges.append(None if outline.degenerate[number] else _edge(number, outline.edges[number]))
    for use, number in enumerate(outline.use_edge):
        edge = edges[number]
        if edge is not None:
            edge.uses.append(use)
            edge.faces.append(outline.use_face[use])
    return edges


def _edge(number: int, shape: Any) -> Edge | None:
    curve = BRepAdaptor_Curve(shape)
    first, last = curve.FirstParameter(), curve.LastParameter()
    if not (abs(first) < 1e50 and abs(last) < 1e50):
        return None
    ends = np.array(curve.Value(first).Coord()), np.array(curve.Value(last).Coord())
    kind = curve.GetType().name.removeprefix("GeomAbs_")
    edge = Edge(number, "free", curve, first, last, ends)
    if kind == "Line":
        edge.kind = "line"
        edge.direction = np.array(curve.Line().Direction().Coord())
    elif kind == "Circle":
        _make_circle(edge, curve.Circle())
    elif kind in ("BSplineCurve", "BezierCurve"):
        look = ShapeAnalysis_CanonicalRecognition(shape)
        circle = gp_Circ()
        apart = float(np.linalg.norm(ends[1] - ends[0]))
        if apart > FITS and look.IsLine(FITS, gp_Lin()):
            edge.kind = "line"
            edge.direction = (ends[1] - ends[0]) / apart
        elif look.IsCircle(FITS, circle):
            gap = max(float(look.GetGap()), 0.0)
            turned = _turned_like(replace(edge), circle)
            return turned if radius_is_sure(gap, turned.sweep) else edge
    return edge


def _make_circle(edge: Edge, circle: Any) -> None:
    edge.kind = "circle"
    edge.centre = np.array(circle.Location().Coord())
    edge.direction = np.array(circle.Axis().Direction().Coord())
    edge.radius = float(circle.Radius())


def _turned_like(edge: Edge, circle: Any) -> Edge:
    """Make an edge a recognised circle, with angles from its first end instead of parameters.

    Its axis is turned so that the edge runs right-handed about it.
    """
    _make_circle(edge, circle)
    assert edge.centre is not None and edge.direction is not None
    stations = np.linspace(edge.first, edge.last, POINTS).tolist()
    local = np.array([edge.curve.Value(t).Coord() for t in stations]) - edge.centre
    x = local[0] / np.linalg.norm(local[0])
    y = np.cross(edge.direction, x)
    angles = np.unwrap(np.arctan2(local @ y, local @ x))
    if angles[-1] < 0:
        edge.direction = -edge.direction
    edge.first, edge.last = 0.0, abs(float(angles[-1]))
    return edge


def is_sharp(outline: Outline, edge: Edge) -> bool:
    """Whether the faces at an edge meet at an angle, in its middle; also where it has one face."""
    if len(edge.uses) != 2:
        return True
    normals = []
    for use in edge.uses:
        face = outline.use_face[use]
        curve = BRepAdaptor_Curve2d(outline.uses[use], outline.faces[face])
        at = curve.Value(0.5 * (curve.FirstParameter() + curve.LastParameter()))
        adaptor = outline.surfaces[face].adaptor
        normals.append(normal_at(adaptor, at.X(), at.Y(), outline.turned[face])[1])
    cosine = float(normals[0] @ normals[1])
    return not cosine > math.cos(math.radians(SMOOTH))
