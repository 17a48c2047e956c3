"""Changed shapes: shells, rounded and bevelled edges, moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from build123d import Face, Kind, Solid
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Shape, TopoDS_Solid

from gaugeblock.host.worker.checking import items, volume_of
from gaugeblock.host.worker.objects import planes, selecting
from gaugeblock.host.worker.objects.combining import boolean, solids_of, unite
from gaugeblock.host.worker.objects.copying import copied, copying
from gaugeblock.host.worker.objects.faults import Fault, of_the_kernel

SMALLER = (0.75, 0.5, 0.25, 0.1)
"""Shares of a size that did not fit which are tried, to tell the agent one that does."""

Shapes = Sequence[TopoDS_Shape]
Rounding = Callable[[TopoDS_Shape, float, list[TopoDS_Edge]], TopoDS_Shape]


def shell(given: dict[str, Any], shapes: Shapes) -> TopoDS_Shape:
    """Return a wall of a thickness inside the shape's boundary, open where faces are taken away."""
    shape, thickness = copied(shapes[0]), given["thickness"]
    solids = items(shape, TopAbs_SOLID)
    if len(solids) != 1:
        said = f"the object has {len(solids)} solids; a shell is made of one"
        raise Fault("not-built", said, "Shell each solid as an object of its own.")
    opened = (
        [face.shape for face in selecting.faces(shape, given["open"])] if "open" in given else []
    )
    made = _hollowed(TopoDS.Solid(solids[0]), opened, thickness)
    if made is None or not 0 < volume_of(made) < volume_of(shape):
        raise Fault(
            "not-built",
            f"no wall of {thickness:g} mm can be made of this object",
            "Give a thickness below half of the narrowest place and below the radius of inner "
            "roundings, or shell before rounding edges.",
        )
    return made


def _hollowed(
    solid: TopoDS_Solid, opened: list[TopoDS_Face], thickness: float
) -> TopoDS_Shape | None:
    """Return the wall, None where the kernel cannot or does it wrong."""
    faces = [Face(face) for face in opened]
    try:
        wall = Solid(solid).hollow(faces, -thickness, kind=Kind.INTERSECTION).wrapped
    except (IndexError, AttributeError, AssertionError):  # of the library: it found no shell
        return None
    except Exception as error:
        if not of_the_kernel(error):
            raise
        return None
    made = solids_of(wall)
    return made if BRepCheck_Analyzer(made).IsValid() else None


def fillet(given: dict[str, Any], shapes: Shapes) -> TopoDS_Shape:
    """Return the shape with rounded edges."""
    return _worked(shapes[0], given["edges"], given["radius"], "radius", _filleted)


def chamfer(given: dict[str, Any], shapes: Shapes) -> TopoDS_Shape:
    """Return the shape with bevelled edges."""
    return _worked(shapes[0], given["edges"], given["length"], "length", _chamfered)


def _worked(
    shape: TopoDS_Shape, rule: dict[str, Any], size: float, name: str, work: Rounding
) -> TopoDS_Shape:
    edges = [edge.shape for edge in selecting.edges(shape, rule)]
    made = _tried(shape, size, edges, work)
    if made is not None:
        return made
    for share in SMALLER:
        if _tried(shape, size * share, edges, work) is not None:
            hint = f"{name} {size * share:g} mm works for all of them."
            break
    else:
        hint = f"Not even {name} {size * SMALLER[-1]:g} mm works: pick fewer edges, such as only "
        hint += "those of one corner kind, or round them before others are worked."
    raise Fault(
        "not-built",
        f"{name} {size:g} mm does not fit the {len(edges)} edges picked: it is too large for a "
        "neighbouring face, or edges meet in a corner the kernel cannot make",
        hint,
    )


def _tried(
    shape: TopoDS_Shape, size: float, edges: list[TopoDS_Edge], work: Rounding
) -> TopoDS_Shape | None:
    """Return the worked shape, None where the kernel cannot or does it wrong.

    Each try has a copy of its own: a failed one leaves wider tolerances behind.
    """
    copy = copying(shape)
    picked = [TopoDS.Edge(copy.ModifiedShape(edge)) for edge in edges]
    try:
        made = solids_of(work(copy.Shape(), size, picked))
    except Exception as error:
        if not of_the_kernel(error):
            raise
        return None
    before, after = items(shape, TopAbs_SOLID), items(made, TopAbs_SOLID)
    sound = len(before) == len(after) and BRepCheck_Analyzer(made).IsValid()
    return made if sound and volume_of(made) > 0 else None


def _filleted(shape: TopoDS_Shape, radius: float, edges: list[TopoDS_Edge]) -> TopoDS_Shape:
    builder = BRepFilletAPI_MakeFillet(shape)
    for edge in edges:
        builder.Add(radius, edge)
    return builder.Shape()


def _chamfered(shape: TopoDS_Shape, length: float, edges: list[TopoDS_Edge]) -> TopoDS_Shape:
    builder = BRepFilletAPI_MakeChamfer(shape)
    for edge in edges:
        builder.Add(length, edge)
    return builder.Shape()


def move(given: dict[str, Any], shapes: Shapes) -> TopoDS_Shape:
    """Return the shape moved by a vector."""
    motion = gp_Trsf()
    motion.SetTranslation(gp_Vec(*given["by"]))
    return shapes[0].Moved(TopLoc_Location(motion))


def rotate(given: dict[str, Any], shapes: Shapes) -> TopoDS_Shape:
    """Return the shape turned about an axis."""
    motion = gp_Trsf()
    line = planes.line(given["about"], given["axis"])
    motion.SetRotation(line, math.radians(given["angle"]))
    return shapes[0].Moved(TopLoc_Location(motion))


def mirror(given: dict[str, Any], shapes: Shapes) -> TopoDS_Shape:
    """Return the mirror image of the shape."""
    normal = planes.upward(given["plane"], 1.0)
    place = planes.point(given["plane"], given["at"], 0.0, 0.0)
    motion = gp_Trsf()
    motion.SetMirror(gp_Ax2(gp_Pnt(place.XYZ()), gp_Dir(normal)))
    return BRepBuilderAPI_Transform(shapes[0], motion, True).Shape()


CHANGING: dict[str, Callable[[dict[str, Any], Shapes], TopoDS_Shape]] = {
    "boolean": boolean,
    "unite": unite,
    "shell": shell,
    "fillet": fillet,
    "chamfer": chamfer,
    "move": move,
    "rotate": rotate,
    "mirror": mirror,
}
