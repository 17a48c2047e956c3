"""Solids whose boundary runs through itself, made with the bare kernel."""

from __future__ import annotations

import math
from typing import Any

import ruler_shapes as shapes
from OCP.BRep import BRep_Builder
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakePolygon,
    BRepBuilderAPI_MakeWire,
)
from OCP.BRepOffsetAPI import BRepOffsetAPI_MakePipe
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism
from OCP.collections import Array1_gp_Pnt
from OCP.Geom import Geom_BezierCurve
from OCP.gp import gp_Ax2, gp_Circ, gp_Dir, gp_Pln, gp_Pnt, gp_Vec
from OCP.TopAbs import TopAbs_SHELL
from OCP.TopoDS import TopoDS_Solid

from gaugeblock.ruler.explore import explore


def prism(corners: list[tuple[float, float]], height: float = 10.0) -> Any:
    """A prism over a polygon, which may cross itself."""
    polygon = BRepBuilderAPI_MakePolygon()
    for x, y in corners:
        polygon.Add(gp_Pnt(x, y, 0))
    polygon.Close()
    plane = gp_Pln(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))
    face = BRepBuilderAPI_MakeFace(plane, polygon.Wire()).Face()
    return BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, height)).Shape()


def bow_tie() -> Any:
    """Two equal triangles, of which one is wound backwards: the signed volume is 0."""
    return prism([(0, 0), (20, 20), (20, 0), (0, 20)])


def uneven_bow_tie() -> Any:
    """Triangles of 133.3 and 33.3 mm²: the signed volume is 1000, the space filled 1666.7 mm³."""
    return prism([(0, 0), (20, 20), (20, 0), (0, 10)])


def star() -> Any:
    """A five-pointed star drawn in one go: its middle is wound round twice."""
    angles = [math.pi / 2 + 4 * math.pi * k / 5 for k in range(5)]
    return prism([(20 * math.cos(angle), 20 * math.sin(angle)) for angle in angles])


def pipe(points: list[tuple[float, float]], radius: float) -> Any:
    """A round bar along a Bézier curve in the plane."""
    poles = Array1_gp_Pnt(1, len(points))
    for i, (x, y) in enumerate(points, 1):
        poles.SetValue(i, gp_Pnt(x, y, 0))
    curve = BRepBuilderAPI_MakeEdge(Geom_BezierCurve(poles)).Edge()
    (x0, y0), (x1, y1) = points[:2]
    axes = gp_Ax2(gp_Pnt(x0, y0, 0), gp_Dir(x1 - x0, y1 - y0, 0))
    circle = BRepBuilderAPI_MakeEdge(gp_Circ(axes, radius)).Edge()
    face = BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(circle).Wire()).Face()
    return BRepOffsetAPI_MakePipe(BRepBuilderAPI_MakeWire(curve).Wire(), face).Shape()


def looped_pipe() -> Any:
    """A bar whose path crosses itself; the kernel calls it valid."""
    return pipe([(0, 0), (80, 60), (-40, 60), (40, 0)], 3.0)


def folded_pipe() -> Any:
    """A bar of radius 12 round a bend of radius 7.5; the kernel calls it valid."""
    return pipe([(0, 0), (15, 30), (30, 0)], 12.0)


def overlapping_shells() -> Any:
    """One solid of two cubes' shells that share half their space."""
    builder, solid = BRep_Builder(), TopoDS_Solid()
    builder.MakeSolid(solid)
    for box in (shapes.box(10, 10, 10), shapes.box(10, 10, 10, (5, 0, 0))):
        builder.Add(solid, explore(box, TopAbs_SHELL)[0])
    return solid
