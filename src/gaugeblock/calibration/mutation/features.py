"""What there is to mutate on a body: holes, round bosses, planes, edges. Lengths in mm.

A hole here is a full turn of cylindrical faces with the material outside, on one axis and over one
stretch of it; a boss is the same with the material inside. Faces that leave part of the turn open
(slots, fillets, arcs of merged holes) are neither.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepGProp import BRepGProp
from OCP.BRepTools import BRepTools
from OCP.collections import IndexedDataMap_TopoDS_Shape_List_TopoDS_Shape_TopTools_ShapeMapHasher
from OCP.GeomAbs import GeomAbs_Circle, GeomAbs_Cylinder, GeomAbs_Line, GeomAbs_Plane
from OCP.gp import gp_Pnt, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_REVERSED
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS

from gaugeblock.calibration.mutation.bodies import explored

SAME_LINE = 1e-6
"""Largest distance of two axes, and difference of two radii, that count as one cylinder, mm: ten
times the distance at which the kernel merges points."""

FULL_TURN = 2 * math.pi - 1e-3
"""Turn that counts as closed, rad: trimmed faces lose up to 1e-6 at their seams."""

SHARP = math.radians(10)
"""Angle between two faces above which their common edge can be filleted: below, they are tangent
or nearly so and a fillet of any radius has no size."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Round:
    """A hole or a boss: one closed turn of cylinder."""

    axis: tuple[float, float, float]
    """Unit vector; its largest component is above zero."""
    foot: tuple[float, float, float]
    """The axis' point nearest to the origin, mm."""
    radius: float
    low: float
    """Where it begins along the axis, from the foot, mm."""
    high: float
    hole: bool
    faces: tuple[Any, ...]

    def at(self, along: float) -> tuple[float, float, float]:
        """Return a point of the axis, mm."""
        x, y, z = (f + along * a for f, a in zip(self.foot, self.axis, strict=True))
        return x, y, z

    def words(self) -> str:
        """Return its diameter and place: for an axis parallel to Z the X and Y of its centre."""
        main = [i for i in range(3) if self.axis[i] > 1 - 1e-9]
        if main:
            letters = [(k, v) for i, (k, v) in enumerate(zip("xyz", self.foot, strict=True))
                       if i != main[0]]  # fmt: skip
            if main[0] == 2:
                place = ", ".join(f"{value + 0.0:.1f}" for _, value in letters)
                return f"Ø{2 * self.radius:.2f} at {place}"
            place = ", ".join(f"{letter} {value + 0.0:.1f}" for letter, value in letters)
            return f"Ø{2 * self.radius:.2f} along {'XYZ'[main[0]]} at {place}"
        middle = self.at((self.low + self.high) / 2)
        return f"Ø{2 * self.radius:.2f} oblique at {', '.join(f'{v + 0.0:.1f}' for v in middle)}"


@dataclass(frozen=True)
class Flat:
    """A planar face."""

    face: Any
    normal: tuple[float, float, float]
    """Outwards, unit length."""
    centre: tuple[float, float, float]
    area: float

    def words(self) -> str:
        """Return where it is and where it looks."""
        for i in range(3):
            if abs(self.normal[i]) > 1 - 1e-9:
                sign = "+" if self.normal[i] > 0 else "−"
                axis = "XYZ"[i]
                return f"normal {sign}{axis}, {axis} = {self.centre[i] + 0.0:.2f}"
        direction = ", ".join(f"{v + 0.0:.2f}" for v in self.normal)
        return f"normal {direction}, at {', '.join(f'{v + 0.0:.1f}' for v in self.centre)}"


@dataclass(frozen=True)
class Sharp:
    """An edge between two faces at an angle."""

    edge: Any
    middle: tuple[float, float, float]
    length: float


def rounds(solid: Any) -> list[Round]:
    """Return holes and bosses of a solid, in the order of their first faces."""
    groups: list[tuple[Any, list[tuple[float, float, float, Any]]]] = []
    for face in explored(solid, TopAbs_FACE):
        surface = BRepAdaptor_Surface(TopoDS.Face(face), True)
        if surface.GetType() != GeomAbs_Cylinder:
            continue
        cylinder = surface.Cylinder()
        axis = np.array(cylinder.Axis().Direction().Coord())
        start = np.array(cylinder.Location().Coord())
        flip = axis[int(np.argmax(np.abs(axis) > 0.5))] < 0
        along = -axis if flip else axis
        foot = start - along * float(start @ along)
        hole = (face.Orientation() == TopAbs_REVERSED) == cylinder.Position().Direct()
        u0, u1, v0, v1 = BRepTools.UVBounds_s(TopoDS.Face(face))
        ends = sorted(float((start + v * axis) @ along) for v in (v0, v1))
        key = (along, foot, float(cylinder.Radius()), hole)
        entry = (ends[0], ends[1], float(u1 - u0), face)
        for known, members in groups:
            if _same(known, key):
                members.append(entry)
                break
        else:
            groups.append((key, [entry]))
    return [found for key, members in groups for found in _stretches(key, members)]


def _same(a: Any, b: Any) -> bool:
    return bool(
        a[3] == b[3]
        and abs(a[2] - b[2]) < SAME_LINE
        and np.abs(a[0] - b[0]).max() < SAME_LINE
        and np.abs(a[1] - b[1]).max() < SAME_LINE
    )


def _stretches(key: Any, members: list[tuple[float, float, float, Any]]) -> list[Round]:
    """Part the faces of one cylinder where its axis leaves it, and keep the closed turns."""
    found: list[Round] = []
    run: list[tuple[float, float, float, Any]] = []

    def close() -> None:
        if run and sum(item[2] * (item[1] - item[0]) for item in run) >= FULL_TURN * (
            max(item[1] for item in run) - min(item[0] for item in run)
        ) * (1 - 1e-6):
            found.append(
                Round(
                    axis=tuple(key[0].tolist()),
                    foot=tuple(key[1].tolist()),
                    radius=key[2],
                    low=min(item[0] for item in run),
                    high=max(item[1] for item in run),
                    hole=key[3],
                    faces=tuple(item[3] for item in run),
                )
            )

    for item in sorted(members, key=lambda item: item[:2]):
        if run and item[0] > max(other[1] for other in run) + SAME_LINE:
            close()
            run = []
        run.append(item)
    close()
    return found


def flats(solid: Any) -> list[Flat]:
    """Return the planar faces of a solid in its order."""
    found = []
    for shape in explored(solid, TopAbs_FACE):
        face = TopoDS.Face(shape)
        surface = BRepAdaptor_Surface(face, True)
        if surface.GetType() != GeomAbs_Plane:
            continue
        plane = surface.Plane()
        normal = np.array(plane.Axis().Direction().Coord())
        if (face.Orientation() == TopAbs_REVERSED) == plane.Position().Direct():
            normal = -normal
        properties = GProp_GProps()
        BRepGProp.SurfaceProperties_s(face, properties)
        centre = properties.CentreOfMass().Coord()
        found.append(Flat(face, tuple(normal.tolist()), centre, properties.Mass()))
    return found


def sharp_edges(solid: Any) -> list[Sharp]:
    """Return straight and circular edges between faces that meet at an angle."""
    owners = IndexedDataMap_TopoDS_Shape_List_TopoDS_Shape_TopTools_ShapeMapHasher()
    TopExp.MapShapesAndAncestors_s(solid, TopAbs_EDGE, TopAbs_FACE, owners)
    found = []
    for index in range(1, owners.Extent() + 1):
        edge = TopoDS.Edge(owners.FindKey(index))
        faces = [TopoDS.Face(face) for face in owners.FindFromIndex(index)]
        if BRep_Tool.Degenerated_s(edge) or len(faces) != 2 or faces[0].IsSame(faces[1]):
            continue
        curve = BRepAdaptor_Curve(edge)
        if curve.GetType() not in (GeomAbs_Line, GeomAbs_Circle):
            continue
        one, other = (_normal_at_middle(edge, face) for face in faces)
        if one is None or other is None or math.acos(np.clip(one @ other, -1, 1)) < SHARP:
            continue
        properties = GProp_GProps()
        BRepGProp.LinearProperties_s(edge, properties)
        middle = curve.Value((curve.FirstParameter() + curve.LastParameter()) / 2).Coord()
        found.append(Sharp(edge, middle, properties.Mass()))
    return found


def _normal_at_middle(edge: Any, face: Any) -> Numbers | None:
    first, last = BRep_Tool.Range_s(edge)
    curve = BRep_Tool.CurveOnSurface_s(edge, face, 0.0, 1.0)
    if curve is None:
        return None
    at = curve.Value((first + last) / 2)
    point, du, dv = gp_Pnt(), gp_Vec(), gp_Vec()
    BRepAdaptor_Surface(face, False).D1(at.X(), at.Y(), point, du, dv)
    normal = np.cross(du.Coord(), dv.Coord())
    size = float(np.linalg.norm(normal))
    if size < 1e-12:
        return None
    return normal / (-size if face.Orientation() == TopAbs_REVERSED else size)
