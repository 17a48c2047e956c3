"""Shapes with known truths, made with the bare kernel, and STEP files written from them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from OCP.BRep import BRep_Builder
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_Transform,
)
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
)
from OCP.collections import Array1_double, Array1_gp_Pnt, Array1_int, Array2_gp_Pnt
from OCP.Geom import Geom_BSplineCurve, Geom_BSplineSurface
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from OCP.TopoDS import TopoDS_Compound

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "step"


def box(x: float, y: float, z: float, at: tuple[float, float, float] = (0, 0, 0)) -> Any:
    return BRepPrimAPI_MakeBox(gp_Pnt(*at), x, y, z).Solid()


def cylinder(radius: float, height: float, at: tuple[float, float, float] = (0, 0, 0)) -> Any:
    axes = gp_Ax2(gp_Pnt(*at), gp_Dir(0, 0, 1))
    return BRepPrimAPI_MakeCylinder(axes, radius, height).Shape()


def cut(shape: Any, *tools: Any) -> Any:
    for tool in tools:
        shape = BRepAlgoAPI_Cut(shape, tool).Shape()
    return shape


def tray() -> tuple[Any, float]:
    """The open-top box 120 × 80 × 40, walls and floor 2, twelve Ø6 floor holes."""
    holes = [cylinder(3, 10, (x, y, -4)) for x in range(15, 120, 18) for y in (25, 55)]
    shape = cut(box(120, 80, 40), box(116, 76, 38, (2, 2, 2)), *holes)
    return shape, 120 * 80 * 40 - 116 * 76 * 38 - 12 * math.pi * 9 * 2


def moved(shape: Any, axis: tuple[float, float, float], angle: float, shift: float) -> Any:
    """`shape` turned by `angle` rad about `axis` and shifted."""
    turn, push = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(1, 2, 3), gp_Dir(*axis)), angle)
    push.SetTranslation(gp_Vec(shift, -2 * shift, 0.5 * shift))
    return BRepBuilderAPI_Transform(shape, push.Multiplied(turn), True).Shape()


def scaled(shape: Any, factor: float) -> Any:
    scale = gp_Trsf()
    scale.SetScale(gp_Pnt(0, 0, 0), factor)
    return BRepBuilderAPI_Transform(shape, scale, True).Shape()


def mirrored(shape: Any) -> Any:
    mirror = gp_Trsf()
    mirror.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0)))
    return BRepBuilderAPI_Transform(shape, mirror, True).Shape()


def compound(*shapes: Any) -> Any:
    builder, out = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(out)
    for shape in shapes:
        builder.Add(out, shape)
    return out


def doubles(values: list[float]) -> Any:
    out = Array1_double(1, len(values))
    for i, value in enumerate(values, 1):
        out.SetValue(i, value)
    return out


def integers(values: list[int]) -> Any:
    out = Array1_int(1, len(values))
    for i, value in enumerate(values, 1):
        out.SetValue(i, value)
    return out


def hill() -> tuple[Any, float]:
    """A body under a bicubic B-spline height field with inner knots, flat below.

    With x and y linear in the parameters (poles at the Greville points), the volume is the sum of
    the poles' heights times the integrals of their basis functions, (t[i+4] − t[i]) / 4 each.
    """
    knots, multiplicities = [0.0, 3.0, 4.0, 10.0], [4, 1, 1, 4]
    flat = np.repeat(knots, multiplicities)
    n = len(flat) - 4
    greville = [float(flat[i + 1 : i + 4].mean()) for i in range(n)]
    heights = 5.0 + np.random.default_rng(7).uniform(-2.0, 2.0, (n, n))
    poles = Array2_gp_Pnt(1, n, 1, n)
    for i in range(n):
        for j in range(n):
            poles.SetValue(i + 1, j + 1, gp_Pnt(greville[i], greville[j], float(heights[i, j])))
    surface = Geom_BSplineSurface(
        poles, doubles(knots), doubles(knots), integers(multiplicities),
        integers(multiplicities), 3, 3, False, False,
    )  # fmt: skip
    face = BRepBuilderAPI_MakeFace(surface, 1e-7).Face()
    deep = BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, -20)).Shape()
    weight = (flat[4:] - flat[:-4]) / 4.0
    return cut(deep, box(40, 40, 40, (-10, -10, -40))), float(weight @ heights @ weight)


def ring() -> tuple[Any, float]:
    """A closed periodic cubic B-spline turned about Z: by Pappus, π ∮ x² dz."""
    poles = [(20 + 4 * math.cos(a) + 0.8 * math.cos(3 * a), 3 * math.sin(a))
             for a in np.arange(9) * 2 * math.pi / 9]  # fmt: skip
    array = Array1_gp_Pnt(1, 9)
    for i, (x, z) in enumerate(poles, 1):
        array.SetValue(i, gp_Pnt(x, 0, z))
    curve = Geom_BSplineCurve(
        array, doubles([float(k) for k in range(10)]), integers([1] * 10), 3, True
    )
    wire = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(curve).Edge()).Wire()
    face = BRepBuilderAPI_MakeFace(wire, True).Face()
    axis = gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))
    nodes, weights = np.polynomial.legendre.leggauss(6)
    total = 0.0
    point, slope = gp_Pnt(), gp_Vec()
    for span in range(9):
        for node, weight in zip(nodes, weights, strict=True):
            curve.D1(span + 0.5 * (node + 1), point, slope)
            total += 0.5 * weight * point.X() ** 2 * slope.Z()
    return BRepPrimAPI_MakeRevol(face, axis).Shape(), abs(math.pi * total)


def write_step(shape: Any, path: Path, unit: str = "MM") -> Path:
    from OCP.Interface import Interface_Static

    writer = STEPControl_Writer()
    Interface_Static.SetCVal_s("write.step.unit", unit)
    writer.Transfer(shape, STEPControl_AsIs)
    writer.Write(str(path))
    Interface_Static.SetCVal_s("write.step.unit", "MM")
    return path


def write_assembly(path: Path) -> Path:
    """Two levels, one part placed twice, a colour: written through XCAF."""
    from OCP.Quantity import Quantity_Color, Quantity_TOC_sRGB
    from OCP.STEPCAFControl import STEPCAFControl_Writer
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDataStd import TDataStd_Name
    from OCP.TDocStd import TDocStd_Document
    from OCP.TopLoc import TopLoc_Location
    from OCP.XCAFDoc import XCAFDoc_ColorSurf, XCAFDoc_DocumentTool

    document = TDocStd_Document(TCollection_ExtendedString("XmlOcaf"))
    tool = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    colours = XCAFDoc_DocumentTool.ColorTool_s(document.Main())

    def name(label: object, text: str) -> None:
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(text))

    def place(x: float) -> TopLoc_Location:
        shift = gp_Trsf()
        shift.SetTranslation(gp_Vec(x, 0, 0))
        return TopLoc_Location(shift)

    pin = tool.AddShape(cylinder(2, 10), False)
    plate = tool.AddShape(box(40, 20, 4), False)
    name(pin, "pin")
    name(plate, "base plate")
    colours.SetColor(pin, Quantity_Color(1.0, 0.0, 0.0, Quantity_TOC_sRGB), XCAFDoc_ColorSurf)
    inner, outer = tool.NewShape(), tool.NewShape()
    name(inner, "pins")
    name(outer, "fixture")
    for label, part, x in ((inner, pin, 0.0), (inner, pin, 100.0), (outer, plate, 200.0)):
        tool.AddComponent(label, part, place(x))
    tool.AddComponent(outer, inner, place(1000.0))
    tool.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    writer.Transfer(document, STEPControl_AsIs)
    writer.Write(str(path))
    return path
