"""Parts whose every dimension is known, made with the bare kernel, and spectra of them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import ruler_shapes as shapes
from OCP.BRep import BRep_Builder
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepAlgoAPI import BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakePolygon,
    BRepBuilderAPI_MakeSolid,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_NurbsConvert,
)
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeTorus,
)
from OCP.collections import Array1_gp_Pnt
from OCP.Geom import Geom_BezierCurve
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Vec
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopoDS import TopoDS, TopoDS_Shell

from gaugeblock.records.measurement import FileFacts, Versions
from gaugeblock.records.spectrum import SheetDimension, Spectrum
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.reading import ReadSolid
from gaugeblock.ruler.spectrum.taking import spectrum_of

Table = dict[tuple[str, float], tuple[int, int]]
"""(kind, value to 6 places) → (count, serves)."""


def take(shape: Any) -> Spectrum:
    solids = explore(shape, TopAbs_SOLID)
    dimensions, diagonal, findings = spectrum_of(
        [ReadSolid(TopoDS.Solid(s), None, None, (), None) for s in solids], Clock()
    )
    return Spectrum(
        verdict="measured",
        file=FileFacts(name="made", sha256=None, bytes=0),
        diagonal=diagonal,
        dimensions=dimensions,
        findings=findings,
        versions=Versions(ocp=None, numpy=None),
    )


def table(shape: Any, *kinds: str) -> Table:
    """The dimensions of a shape, of some kinds or of all."""
    return {
        (item.kind, round(item.value, 6)): (item.count, item.serves)
        for item in take(shape).dimensions
        if not kinds or item.kind in kinds
    }


def asked(type_: str, value: float, count: int = 1, **more: Any) -> SheetDimension:
    return SheetDimension(label=f"{count}× {value}", type=type_, value=value, count=count, **more)


def fuse(shape: Any, *others: Any) -> Any:
    """Fused, with the seams left in: coplanar faces stay apart."""
    for other in others:
        shape = BRepAlgoAPI_Fuse(shape, other).Shape()
    return shape


def extruded(outline: list[tuple[float, float]], height: float) -> Any:
    polygon = BRepBuilderAPI_MakePolygon()
    for x, y in outline:
        polygon.Add(gp_Pnt(x, y, 0))
    polygon.Close()
    face = BRepBuilderAPI_MakeFace(polygon.Wire()).Face()
    return BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, height)).Shape()


def turned(profile: list[tuple[float, float]]) -> Any:
    """A part turned about Z from (radius, height) corners."""
    polygon = BRepBuilderAPI_MakePolygon()
    for radius, height in profile:
        polygon.Add(gp_Pnt(radius, 0, height))
    polygon.Close()
    face = BRepBuilderAPI_MakeFace(polygon.Wire()).Face()
    return BRepPrimAPI_MakeRevol(face, gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))).Shape()


def bar(radius: float, length: float, at: tuple[float, float, float], along: str = "x") -> Any:
    direction = {"x": gp_Dir(1, 0, 0), "y": gp_Dir(0, 1, 0), "z": gp_Dir(0, 0, 1)}[along]
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(*at), direction), radius, length).Shape()


def frustum(low: float, high: float, height: float) -> Any:
    return BRepPrimAPI_MakeCone(low, high, height).Shape()


def torus(major: float, minor: float) -> Any:
    return BRepPrimAPI_MakeTorus(major, minor).Shape()


def rounded(shape: Any, radius: float, upright: bool = False) -> Any:
    """All edges of a box rounded, or only the four upright ones."""
    made = BRepFilletAPI_MakeFillet(shape)
    done: list[Any] = []
    for edge in explore(shape, TopAbs_EDGE):
        line = BRepAdaptor_Curve(TopoDS.Edge(edge)).Line().Direction()
        if any(map(edge.IsSame, done)) or (upright and abs(line.Z()) < 0.9):
            continue
        done.append(edge)
        made.Add(radius, TopoDS.Edge(edge))
    return made.Shape()


def rounded_pin(radius: float, length: float, fillet: float) -> Any:
    """A cylinder with both of its sharp edges rounded."""
    pin = shapes.cylinder(radius, length)
    made = BRepFilletAPI_MakeFillet(pin)
    for face in explore(pin, TopAbs_FACE):
        edges = explore(face, TopAbs_EDGE)
        if len(edges) == 1:
            made.Add(fillet, TopoDS.Edge(edges[0]))
    return made.Shape()


def chamfered(shape: Any, leg: float, *middles: tuple[float, float, float]) -> Any:
    """The straight edges with these middles bevelled by 45°."""
    made = BRepFilletAPI_MakeChamfer(shape)
    for middle in middles:
        for edge in explore(shape, TopAbs_EDGE):
            curve = BRepAdaptor_Curve(TopoDS.Edge(edge))
            at = curve.Value((curve.FirstParameter() + curve.LastParameter()) / 2)
            if at.Distance(gp_Pnt(*middle)) < 1e-6:
                made.Add(leg, TopoDS.Edge(edge))
                break
    return made.Shape()


def drilled_plate(x: float = 80, y: float = 50, z: float = 10, hole: float = 3.3) -> Any:
    holes = [shapes.cylinder(hole, 3 * z, (a, b, -z)) for a in (12, x - 12) for b in (9, y - 9)]
    return shapes.cut(shapes.box(x, y, z), *holes)


def split_plate(x: float = 80, y: float = 50, z: float = 10, hole: float = 8) -> Any:
    """A plate with a hole in its middle, fused from two halves: every face it crosses is split."""
    tool = shapes.cylinder(hole, 3 * z, (x / 2, y / 2, -z))
    left = shapes.cut(shapes.box(x / 2, y, z), tool)
    right = shapes.cut(shapes.box(x / 2, y, z, (x / 2, 0, 0)), tool)
    return fuse(left, right)


def whole_plate(x: float = 80, y: float = 50, z: float = 10, hole: float = 8) -> Any:
    return shapes.cut(shapes.box(x, y, z), shapes.cylinder(hole, 3 * z, (x / 2, y / 2, -z)))


def slotted(
    x: float = 80, y: float = 40, z: float = 10, apart: float = 30, width: float = 8
) -> Any:
    """A plate with an obround slot through it; `apart`: between the centres of its ends."""
    middle = (x / 2, y / 2)
    tools = [
        shapes.box(apart, width, 3 * z, (middle[0] - apart / 2, middle[1] - width / 2, -z)),
        shapes.cylinder(width / 2, 3 * z, (middle[0] - apart / 2, middle[1], -z)),
        shapes.cylinder(width / 2, 3 * z, (middle[0] + apart / 2, middle[1], -z)),
    ]
    return shapes.cut(shapes.box(x, y, z), *tools)


def counterbored(depths: tuple[float, ...] = (4, 4, 4, 4)) -> Any:
    shape = shapes.box(80, 40, 10)
    places = [(20, 10), (60, 10), (20, 30), (60, 30)]
    for (x, y), depth in zip(places, depths, strict=True):
        through = shapes.cylinder(3.3, 30, (x, y, -10))
        shape = shapes.cut(shape, through, shapes.cylinder(5.5, 10, (x, y, 10 - depth)))
    return shape


def shaft(groove: bool = True, collar: float = 20.0) -> Any:
    """Two seats ⌀25 with a collar between; a groove 2 wide, ⌀22, in the second."""
    cut = [(12.5, 60), (11, 60), (11, 62), (12.5, 62)] if groove else []
    middle = [(12.5, 30), (collar, 30), (collar, 40), (12.5, 40)]
    return turned([(0, 0), (12.5, 0), *middle, *cut, (12.5, 80), (0, 80)])


def bearing_block(bore: float = 40.0, groove: float = 44.0) -> Any:
    """A foot 120 × 60 × 15 with R8 corners and two holes; a housing 70 × 46, round above, on it."""
    foot = rounded(shapes.box(120, 60, 15, (-60, -30, 0)), 8, upright=True)
    housing = fuse(shapes.box(70, 46, 35, (-35, -23, 15)), bar(35, 46, (0, -23, 50), "y"))
    return shapes.cut(
        fuse(foot, housing),
        bar(bore / 2, 80, (0, -40, 50), "y"),
        bar(26, 10, (0, 19, 50), "y"),
        bar(groove / 2, 3, (0, -1.5, 50), "y"),
        *(shapes.cylinder(5.5, 40, (x, 0, -10)) for x in (-45, 45)),
    )


BEARING_BLOCK = [
    asked("length", 120),
    asked("length", 60),
    asked("length", 15),
    asked("length", 70),
    asked("length", 46),
    asked("length", 7, 2),
    asked("radius", 8, 4),
    asked("radius", 35),
    asked("diameter", 40, upper=0.025, lower=0.0),
    asked("diameter", 52),
    asked("length", 4),
    asked("diameter", 44),
    asked("length", 3, upper=0.05, lower=0.0),
    asked("diameter", 11, 2),
    asked("length", 90),
    asked("length", 50, upper=0.1, lower=-0.1),
    asked("length", 85),
]
"""Its sheet. The last three refer to the holes' axes, to the bore's axis, and to its top point."""


def bulged(half: float, radius: float) -> Any:
    """A bar whose top is a parabola that touches a circle in three points."""
    top = 10.0
    sag = radius - math.sqrt(radius**2 - half**2)
    poles = Array1_gp_Pnt(1, 3)
    for i, (x, y) in enumerate(((half, top), (0, top + 2 * sag), (-half, top)), 1):
        poles.SetValue(i, gp_Pnt(x, y, 0))
    wire = BRepBuilderAPI_MakeWire()
    corners = [gp_Pnt(x, y, 0) for x, y in ((-half, top), (-half, 0), (half, 0), (half, top))]
    for one, other in pairwise(corners):
        wire.Add(BRepBuilderAPI_MakeEdge(one, other).Edge())
    wire.Add(BRepBuilderAPI_MakeEdge(Geom_BezierCurve(poles)).Edge())
    face = BRepBuilderAPI_MakeFace(wire.Wire()).Face()
    return BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, 5)).Shape()


def as_splines(shape: Any) -> Any:
    """Every face and edge as a B-spline of the same shape."""
    return BRepBuilderAPI_NurbsConvert(shape).Shape()


def reordered(shape: Any) -> Any:
    """The same solid with its faces in the opposite order."""
    builder, shell = BRep_Builder(), TopoDS_Shell()
    builder.MakeShell(shell)
    (old,) = explore(shape, TopAbs_SHELL)
    for face in reversed(explore(old, TopAbs_FACE)):
        builder.Add(shell, face)
    shell.Closed(True)
    return BRepBuilderAPI_MakeSolid(shell).Solid()


def degrees(opposite: float, adjacent: float) -> float:
    return math.degrees(math.atan2(opposite, adjacent))
