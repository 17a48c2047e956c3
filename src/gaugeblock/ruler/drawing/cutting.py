"""Sections: the part cut by a plane, in a child process with a time ceiling.

The child sends the cut body as bytes, since booleans start threads and a process with threads must
not fork again: the projection is taken by the parent.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.BinTools import BinTools
from OCP.BRep import BRep_Builder
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.BRepTools import BRepTools_WireExplorer
from OCP.GeomAbs import GeomAbs_SurfaceType
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED, TopAbs_SOLID, TopAbs_WIRE
from OCP.TopoDS import TopoDS, TopoDS_Compound, TopoDS_Shape

from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.drawing.seen import Cut
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.flattening import Frame, flattened
from gaugeblock.ruler.views.shapes import Arc, EllipseArc, Line, Shape

SECONDS = 8.0
"""Ceiling of one cut in s: parts of 300 faces take 0.5 s."""

IN_PLANE = 1e-6
"""A face lies in the cutting plane if its middle is nearer than this part of the part's size."""


@dataclass(frozen=True)
class CutBody:
    """What a cut leaves."""

    solids: list[Any]
    """TopoDS_Solid each."""
    loops: list[list[Shape]]
    """Closed outlines of the cut faces in the section's view, mm."""


def cut_bodies(
    shapes: Sequence[Any],
    jobs: Sequence[tuple[Cut, Camera]],
    middle: Floats,
    diagonal: float,
    tolerance: float,
) -> list[CutBody | str]:
    """Cut solids by several planes at the same time.

    Args:
        shapes: TopoDS_Solid each.
        jobs: Plane and camera of each section.
        middle: (3,) of the part's box, mm.
        diagonal: Of the part's box, mm.
        tolerance: Closeness of Béziers in mm.

    Returns:
        For each, what is left behind the plane, or a line that says why there is nothing.
    """
    started = [Child(_work(shapes, cut, middle, diagonal), SECONDS) for cut, _ in jobs]
    found: list[CutBody | str] = []
    for (cut, camera), child in zip(jobs, started, strict=True):
        answer = child.result()
        found.append(
            answer
            if isinstance(answer, str)
            else _cut_body(received(answer["body"]), cut, camera, diagonal, tolerance)
        )
    return found


def _work(shapes: Sequence[Any], cut: Cut, middle: Floats, diagonal: float) -> Any:
    def work() -> dict[str, Any]:
        behind, found = _behind(cut, middle, diagonal), []
        for shape in shapes:
            algorithm = BRepAlgoAPI_Common(shape, behind)
            if not algorithm.IsDone():
                raise ValueError("the cut failed")
            found += explore(algorithm.Shape(), TopAbs_SOLID)
        return {"body": sent(found)}

    return work


def sent(solids: Sequence[Any]) -> npt.NDArray[np.uint8]:
    """Return solids as bytes, for the way out of a child process."""
    builder, out = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(out)
    for solid in solids:
        builder.Add(out, solid)
    kept = io.BytesIO()
    BinTools.Write_s(out, kept)
    return np.frombuffer(kept.getvalue(), np.uint8)


def received(body: npt.NDArray[np.uint8]) -> list[Any]:
    """Return the solids that `sent` made bytes of; none if they cannot be read."""
    shape = TopoDS_Shape()
    BinTools.Read_s(shape, io.BytesIO(body.tobytes()))
    return [] if shape.IsNull() else [TopoDS.Solid(s) for s in explore(shape, TopAbs_SOLID)]


def _behind(cut: Cut, middle: Floats, diagonal: float) -> Any:
    """Return a box that holds everything behind the cutting plane."""
    n = cut.normal
    foot = middle + n * (cut.distance - float(middle @ n))
    side = np.cross(n, [0.0, 0.0, 1.0] if abs(n[2]) < 0.9 else [1.0, 0.0, 0.0])
    side = side / np.linalg.norm(side)
    reach = 2.0 * diagonal
    # Its own axis points away from the viewer.
    other = np.cross(-n, side)
    corner = foot - reach * side - reach * other
    axes = gp_Ax2(gp_Pnt(*corner.tolist()), gp_Dir(*(-n).tolist()), gp_Dir(*side.tolist()))
    return BRepPrimAPI_MakeBox(axes, 2.0 * reach, 2.0 * reach, reach).Solid()


def _cut_body(
    solids: list[Any], cut: Cut, camera: Camera, diagonal: float, tolerance: float
) -> CutBody | str:
    if not solids:
        return "nothing lies behind the cutting plane"
    frame = Frame.of(camera, tolerance)
    loops: list[list[Shape]] = []
    for solid in solids:
        for face in explore(solid, TopAbs_FACE):
            face = TopoDS.Face(face)
            if not _in_plane(face, cut, diagonal):
                continue
            for wire in explore(face, TopAbs_WIRE):
                loop = _loop(TopoDS.Wire(wire), face, frame)
                if loop:
                    loops.append(loop)
    if not loops:
        return "the cutting plane meets no material"
    return CutBody(solids, loops)


def _loop(wire: Any, face: Any, frame: Frame) -> list[Shape]:
    """Return the edges of a wire one after the other, each in the wire's sense."""
    found = []
    explorer = BRepTools_WireExplorer(wire, face)
    while explorer.More():
        edge = explorer.Current()
        curve = BRepAdaptor_Curve(edge)
        drawn = flattened(curve, curve.FirstParameter(), curve.LastParameter(), frame, False)
        if drawn is not None:
            found.append(_backwards(drawn) if edge.Orientation() == TopAbs_REVERSED else drawn)
        explorer.Next()
    return found


def _backwards(shape: Shape) -> Shape:
    """Return a curve run through from its end."""
    match shape:
        case Line():
            return Line(start=shape.end, end=shape.start)
        case Arc() | EllipseArc():
            start = shape.start + shape.sweep
            return shape.model_copy(update={"start": start, "sweep": -shape.sweep})
        case _:
            return shape.model_copy(update={"points": shape.points[::-1]})


def _in_plane(face: Any, cut: Cut, diagonal: float) -> bool:
    surface = BRepAdaptor_Surface(face, True)
    if surface.GetType() != GeomAbs_SurfaceType.GeomAbs_Plane:
        return False
    plane = surface.Plane()
    if abs(np.array(plane.Axis().Direction().Coord()) @ cut.normal) < 1.0 - 1e-9:
        return False
    at = float(np.array(plane.Location().Coord()) @ cut.normal)
    return abs(at - cut.distance) < IN_PLANE * diagonal
