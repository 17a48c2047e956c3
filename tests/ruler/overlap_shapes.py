"""Pairs for the overlap tests: parts with known overlaps, made with the bare kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import ruler_shapes as shapes
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakePolygon,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_Transform,
)
from OCP.BRepOffsetAPI import BRepOffsetAPI_ThruSections
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism, BRepPrimAPI_MakeSphere
from OCP.gp import gp_Ax2, gp_Circ, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.TopAbs import TopAbs_SOLID

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.overlap.body import Body, build_body
from gaugeblock.ruler.reading import ReadSolid


def body_of(shape: Any) -> Body:
    from OCP.TopoDS import TopoDS

    solids = explore(shape, TopAbs_SOLID)
    body = build_body([ReadSolid(TopoDS.Solid(s), None, None, (), None) for s in solids], Clock())
    assert body.problem is None
    body.refine()
    return body


def shifted(shape: Any, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Any:
    push = gp_Trsf()
    push.SetTranslation(gp_Vec(x, y, z))
    return BRepBuilderAPI_Transform(shape, push, True).Shape()


def tube() -> Any:
    return shapes.cut(shapes.cylinder(10, 40), shapes.cylinder(8, 50, (0, 0, -5)))


def chiral() -> Any:
    """A block with three unlike notches: no mirror plane, no symmetry."""
    return shapes.cut(
        shapes.box(30, 20, 10),
        shapes.box(10, 8, 10),
        shapes.box(6, 5, 4, (24, 15, 6)),
        shapes.box(3, 20, 3, (27, 0, 0)),
    )


def prism(sides: int, radius: float, height: float) -> Any:
    polygon = BRepBuilderAPI_MakePolygon()
    for i in range(sides):
        angle = 2 * math.pi * i / sides
        polygon.Add(gp_Pnt(radius * math.cos(angle), radius * math.sin(angle), 0))
    polygon.Close()
    face = BRepBuilderAPI_MakeFace(polygon.Wire()).Face()
    return BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, height)).Shape()


def ball() -> Any:
    """A sphere with a thin bore across: inertia is nearly that of a sphere."""
    return shapes.cut(BRepPrimAPI_MakeSphere(10.0).Shape(), shapes.cylinder(1, 30, (0, 0, -15)))


def _rectangle(x: float, y: float, z: float) -> Any:
    polygon = BRepBuilderAPI_MakePolygon()
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        polygon.Add(gp_Pnt(sx * x / 2, sy * y / 2, z))
    polygon.Close()
    return polygon.Wire()


def loft() -> Any:
    """Smooth through a 40 × 30 and a 20 × 20 rectangle and a circle of radius 15."""
    made = BRepOffsetAPI_ThruSections(True, False)
    circle = gp_Circ(gp_Ax2(gp_Pnt(0, 0, 40), gp_Dir(0, 0, 1)), 15.0)
    made.AddWire(_rectangle(40, 30, 0))
    made.AddWire(_rectangle(20, 20, 20))
    made.AddWire(BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(circle).Edge()).Wire())
    made.Build()
    return made.Shape()


def rotation(axis: tuple[float, float, float], angle: float) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    unit = np.array(axis) / np.linalg.norm(axis)
    return Rotation.from_rotvec(unit * angle).as_matrix()
