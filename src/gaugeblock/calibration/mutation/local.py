"""Mutations of one feature of a body: a hole, a boss, a plane, an edge. Lengths in mm.

Each function takes a solid and returns the mutated shape, or raises `NotApplicable` with the
reason. Booleans are checked here (`sound`), and a result that has not changed volume is refused.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepAlgoAPI import (
    BRepAlgoAPI_Cut,
    BRepAlgoAPI_Defeaturing,
    BRepAlgoAPI_Fuse,
)
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeVertex,
    BRepBuilderAPI_MakeWire,
)
from OCP.BRepClass import BRepClass_FaceClassifier
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.BRepFeat import BRepFeat_SplitShape
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder, BRepPrimAPI_MakePrism
from OCP.BRepTools import BRepTools
from OCP.gp import gp_Ax2, gp_Circ, gp_Dir, gp_Pnt, gp_Vec
from OCP.ShapeUpgrade import ShapeUpgrade_UnifySameDomain
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_IN, TopAbs_VERTEX, TopAbs_WIRE
from OCP.TopoDS import TopoDS

from gaugeblock.calibration.mutation.bodies import (
    NotApplicable,
    Vector,
    explored,
    solids_in,
    sound,
    volume_of,
)
from gaugeblock.calibration.mutation.features import Flat, Round, Sharp

CHANGED = 1e-10
"""Relative change of volume below which a boolean did nothing: Gauss repeats to 1e-13."""

GRID = 9
"""Points a side of the grid on which the roomiest place of a face is looked for."""


def filled(solid: Any, hole: Round) -> Any:
    """Return the solid without a hole: its faces removed, or else a plug of its size fused in."""
    try:
        return _checked(solid, _defeatured(solid, hole), grows=True)
    except NotApplicable:
        plug = _cylinder(hole, hole.radius, hole.low, hole.high)
        return _checked(solid, _fused(solid, plug), grows=True)


def moved(solid: Any, hole: Round, by: Vector) -> Any:
    """Return the solid with a hole at another place; `by` is across its axis."""
    tool = _cylinder(hole, hole.radius, hole.low, hole.high, by)
    without = filled(solid, hole)
    return _checked(without, _cut(without, tool), grows=False)


def resized(solid: Any, hole: Round, radius: float) -> Any:
    """Return the solid with a hole of another radius, of the same place and depth."""
    tool = _cylinder(hole, radius, hole.low, hole.high)
    start = solid if radius > hole.radius else filled(solid, hole)
    return _checked(solid, _cut(start, tool), grows=radius < hole.radius)


def boss_resized(solid: Any, boss: Round, radius: float) -> Any:
    """Return the solid with a round boss of another radius over the same length."""
    if radius > boss.radius:
        step = radius - boss.radius
        outer = _cylinder(boss, radius, boss.low, boss.high)
        inner = _cylinder(boss, boss.radius - step, boss.low, boss.high)
        return _checked(solid, _fused(solid, _cut(outer, inner)), grows=True)
    outer = _cylinder(boss, boss.radius, boss.low, boss.high)
    inner = _cylinder(boss, radius, boss.low, boss.high)
    return _checked(solid, _cut(solid, _cut(outer, inner)), grows=False)


def plane_moved(solid: Any, flat: Flat, by: float) -> Any:
    """Return the solid with a planar face further out (`by` > 0) or in, its outline kept."""
    outward = gp_Vec(*(by * n for n in flat.normal))
    slab = BRepPrimAPI_MakePrism(flat.face, outward).Shape()
    raw = _fused(solid, slab) if by > 0 else _cut(solid, slab)
    return _checked(solid, raw, grows=by > 0)


def hole_added(solid: Any, flat: Flat, radius: float, depth: float) -> tuple[Any, Vector]:
    """Return the solid with a blind hole drilled into a face where there is most room.

    Returns:
        The shape and the hole's centre on the face, mm.
    """
    centre, room = roomiest(flat)
    if radius > 0.8 * room:
        raise NotApplicable(f"no room for a hole of Ø{2 * radius:.2f} on the largest plane")
    start = tuple(c + 0.5 * n for c, n in zip(centre, flat.normal, strict=True))
    axes = gp_Ax2(gp_Pnt(*start), gp_Dir(*(-n for n in flat.normal)))
    tool = BRepPrimAPI_MakeCylinder(axes, radius, depth + 0.5).Shape()
    return _checked(solid, _cut(solid, tool), grows=False), centre


def imprinted(solid: Any, flat: Flat, radius: float) -> tuple[Any, Vector]:
    """Return the solid with a circle imprinted on a face: the same space, one face more."""
    centre, room = roomiest(flat)
    if radius > 0.8 * room:
        raise NotApplicable("no room for a circle on the largest plane")
    circle = gp_Circ(gp_Ax2(gp_Pnt(*centre), gp_Dir(*flat.normal)), radius)
    wire = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(circle).Edge()).Wire()
    splitter = BRepFeat_SplitShape(solid)
    splitter.Add(wire, flat.face)
    splitter.Build()
    if not splitter.IsDone():
        raise NotApplicable("the kernel cannot split the face")
    shape = splitter.Shape()
    if not sound(shape):
        raise NotApplicable("the split face makes no sound solid")
    return solids_in(shape)[0], centre


def rounded(solid: Any, edge: Sharp, size: float, *, chamfer: bool) -> Any:
    """Return the solid with one edge filleted (radius `size`) or chamfered (45°, `size`)."""
    maker = (BRepFilletAPI_MakeChamfer if chamfer else BRepFilletAPI_MakeFillet)(solid)
    maker.Add(size, edge.edge)
    try:
        maker.Build()
        shape = maker.Shape()
    except Exception as error:
        raise NotApplicable("the kernel cannot round this edge") from error
    return _checked(solid, shape, tidy=False)


def roomiest(flat: Flat) -> tuple[Vector, float]:
    """Return the point of a face furthest from its edges, of a grid of candidates, and how far."""
    surface = BRepAdaptor_Surface(flat.face, True)
    edges = explored(flat.face, TopAbs_WIRE)
    u0, u1, v0, v1 = BRepTools.UVBounds_s(flat.face)
    best, where = 0.0, flat.centre
    for i in range(1, GRID):
        for j in range(1, GRID):
            point = surface.Value(u0 + (u1 - u0) * i / GRID, v0 + (v1 - v0) * j / GRID)
            inside = BRepClass_FaceClassifier(flat.face, point, 1e-7)
            if inside.State() != TopAbs_IN:
                continue
            vertex = BRepBuilderAPI_MakeVertex(point).Vertex()
            room = min(BRepExtrema_DistShapeShape(vertex, edge).Value() for edge in edges)
            if room > best * (1 + 1e-9):
                best, where = room, point.Coord()
    return where, best


def across(hole: Round) -> tuple[str, Vector]:
    """Return the main axis most square to a hole's axis: its letter and unit vector."""
    best = min(range(3), key=lambda i: (round(abs(hole.axis[i]), 6), i))
    unit = [0.0, 0.0, 0.0]
    unit[best] = 1.0
    square = np.array(unit) - hole.axis[best] * np.array(hole.axis)
    square /= np.linalg.norm(square)
    return "XYZ"[best], (float(square[0]), float(square[1]), float(square[2]))


# --- kernel ----------------------------------------------------------------------------------


def _cylinder(
    of: Round, radius: float, low: float, high: float, by: Vector = (0.0, 0.0, 0.0)
) -> Any:
    if radius <= 0:
        raise NotApplicable(f"a radius of {radius:.3f} mm is none")
    start = tuple(p + d for p, d in zip(of.at(low), by, strict=True))
    axes = gp_Ax2(gp_Pnt(*start), gp_Dir(*of.axis))
    return BRepPrimAPI_MakeCylinder(axes, radius, high - low).Shape()


def _cut(shape: Any, tool: Any) -> Any:
    return BRepAlgoAPI_Cut(shape, tool).Shape()


def _fused(shape: Any, tool: Any) -> Any:
    return BRepAlgoAPI_Fuse(shape, tool).Shape()


def _defeatured(solid: Any, hole: Round) -> Any:
    maker = BRepAlgoAPI_Defeaturing()
    maker.SetShape(solid)
    for face in (*hole.faces, *_bottoms(solid, hole)):
        maker.AddFaceToRemove(face)
    maker.Build()
    if not maker.IsDone():
        raise NotApplicable("the kernel cannot remove the hole's faces")
    return maker.Shape()


def _bottoms(solid: Any, hole: Round) -> list[Any]:
    """Return faces that touch the hole and lie wholly within its radius: a bottom, a tip."""
    rims = [edge for face in hole.faces for edge in explored(face, TopAbs_EDGE)]
    own = list(hole.faces)
    found = []
    for face in explored(solid, TopAbs_FACE):
        if any(face.IsSame(other) for other in own):
            continue
        touches = any(e.IsSame(rim) for e in explored(face, TopAbs_EDGE) for rim in rims)
        if touches and all(
            _from_axis(BRep_Tool.Pnt_s(TopoDS.Vertex(v)).Coord(), hole) < hole.radius + 1e-6
            for v in explored(face, TopAbs_VERTEX)
        ):
            found.append(face)
    # A face that reaches around the hole has vertices outside, or (a disc's ring) is larger.
    return [face for face in found if _area_below(face, math.pi * hole.radius**2 * 4)]


def _from_axis(point: Any, hole: Round) -> float:
    away = np.array(point) - np.array(hole.foot)
    return float(np.linalg.norm(away - (away @ np.array(hole.axis)) * np.array(hole.axis)))


def _area_below(face: Any, area: float) -> bool:
    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps

    properties = GProp_GProps()
    BRepGProp.SurfaceProperties_s(face, properties)
    return bool(properties.Mass() < area)


def _checked(before: Any, after: Any, *, grows: bool | None = None, tidy: bool = True) -> Any:
    """Return a boolean's result, faces of one surface joined; refuse what is no sound change."""
    old = volume_of(before)
    if after is None or after.IsNull() or not sound(after):
        raise NotApplicable("the kernel's result is no sound solid")
    change = volume_of(after) - old
    if abs(change) < CHANGED * old or (grows is not None and (change > 0) != grows):
        raise NotApplicable(
            f"the volume changed by {change:+.3g} mm³: the kernel did something else"
        )
    if tidy:
        joiner = ShapeUpgrade_UnifySameDomain(after, True, True, False)
        joiner.Build()
        joined = joiner.Shape()
        same = abs(volume_of(joined) - volume_of(after)) < 1e-9 * old
        if same and sound(joined):
            after = joined
    solids = solids_in(after)
    return solids[0] if len(solids) == 1 else after
