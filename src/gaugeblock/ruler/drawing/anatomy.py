"""The faces of solids as a draughtsman reads them: plain numbers, taken out of the kernel once.

Lengths are mm, in the file's coordinates, or in the drawing's after `turned_into`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepGProp import BRepGProp
from OCP.GeomAbs import GeomAbs_CurveType, GeomAbs_SurfaceType
from OCP.GeomLib import GeomLib_IsPlanarSurface
from OCP.gp import gp_Pnt, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_REVERSED, TopAbs_SHELL
from OCP.TopoDS import TopoDS

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.surfaces import surface_of

Floats = npt.NDArray[np.float64]

SAMPLES = 13
"""Points taken on a curved edge: every 30° of a circle."""

PARALLEL = 1e-6
"""Sine of the angle below which directions are one: what files of 1e-7 mm accuracy keep."""

FREE = (
    GeomAbs_SurfaceType.GeomAbs_BSplineSurface,
    GeomAbs_SurfaceType.GeomAbs_BezierSurface,
    GeomAbs_SurfaceType.GeomAbs_SurfaceOfExtrusion,
)
"""Kinds of surfaces that a plane may be written as."""

FLAT = 1e-6
"""A surface that strays less than this from a plane is one, mm: what files keep."""

CLOSE = 1e-6
"""Lengths closer than this part of the part's size are one."""


@dataclass(frozen=True)
class Face:
    """One face of a solid."""

    solid: int
    number: int
    """In the solid's order, from 0."""
    kind: str
    """The kernel's name: Plane, Cylinder, Cone, Sphere, Torus, BSplineSurface, …"""
    axis: Floats
    """(3,) outward normal of a plane, axis of a round face; zeros for others."""
    point: Floats
    """(3,) on the plane or the axis; the middle of a sphere or torus."""
    radius: float
    """Of a cylinder or sphere; a torus' larger one; a cone's mean one. mm"""
    second: float
    """A torus' smaller radius, mm; a cone's half angle, rad."""
    outward: int
    """+1 as on a shaft, −1 as in a bore; 0: not round."""
    turn: float
    """Angle about its axis that a round face runs through, rad."""
    points: Floats
    """(n, 3) samples of its edges."""
    area: float
    centre: Floats
    """(3,) of the area."""
    shell: int = 0
    """Which of the solid's shells it belongs to, from 0: a closed void has its own."""

    @property
    def round(self) -> bool:
        """Whether it has an axis that it is turned about."""
        return self.outward != 0

    def turned_into(self, basis: Floats) -> Face:
        """Return the face in coordinates along the rows of `basis`."""
        return replace(
            self,
            axis=basis @ self.axis,
            point=basis @ self.point,
            points=self.points @ basis.T,
            centre=basis @ self.centre,
        )

    @property
    def bent(self) -> bool:
        """Whether it is that of a bent pipe or rod: a part of a ring."""
        return self.kind == "Torus" and self.turn < 0.99 * math.tau

    def reach(self, direction: Floats) -> tuple[float, float]:
        """Return how far its edges lie along a direction, lowest and highest."""
        along = self.points @ direction
        return float(along.min()), float(along.max())


def faces_of(shapes: Sequence[Any]) -> list[Face]:
    """Return the faces of solids.

    Args:
        shapes: TopoDS_Solid each.
    """
    found = []
    for number, shape in enumerate(shapes):
        # The walk over a solid's faces goes shell by shell.
        shells = [len(explore(shell, TopAbs_FACE)) for shell in explore(shape, TopAbs_SHELL)]
        owner = np.repeat(np.arange(len(shells)), shells).tolist()
        for index, face in enumerate(explore(shape, TopAbs_FACE)):
            read = _read(TopoDS.Face(face), number, index)
            if read is not None:
                found.append(replace(read, shell=owner[index] if index < len(owner) else 0))
    return found


def _read(face: Any, solid: int, number: int) -> Face | None:
    points = [_samples(edge) for edge in explore(face, TopAbs_EDGE)]
    points = [p for p in points if len(p)]
    if not points:
        # A whole sphere or torus has no edge but its seam, and that may be degenerate.
        return None
    surface = surface_of(face)
    flat = surface.kind == "Plane" or _flat(face)
    kind = "Plane" if flat else surface.kind
    trimmed = BRepAdaptor_Surface(face, True)
    ranges = [
        trimmed.FirstUParameter(),
        trimmed.LastUParameter(),
        trimmed.FirstVParameter(),
        trimmed.LastVParameter(),
    ]
    normal, place = _normal(face, trimmed, ranges)
    properties = GProp_GProps()
    BRepGProp.SurfaceProperties_s(face, properties)
    edge_points = np.concatenate(points)
    axis, point, outward = np.zeros(3), np.zeros(3), 0
    radius, second, turn = 0.0, 0.0, 0.0
    if flat:
        axis, point = normal, place
    elif surface.kind in ("Cylinder", "Cone", "Sphere", "Torus"):
        point, axis = surface.frame[0], surface.frame[3]
        radius, second = float(surface.a), float(surface.b)
        arm = place - point
        if surface.kind in ("Cylinder", "Cone"):
            arm = arm - axis * (arm @ axis)
        elif surface.kind == "Torus":
            flat = arm - axis * (arm @ axis)
            arm = arm - flat / max(float(np.linalg.norm(flat)), 1e-300) * radius
        outward = 1 if float(arm @ normal) > 0 else -1
        turn = min(ranges[1] - ranges[0], math.tau)
        if surface.kind == "Cone":
            off = edge_points - point
            radius = float(np.linalg.norm(off - np.outer(off @ axis, axis), axis=1).mean())
    return Face(
        solid=solid,
        number=number,
        kind=kind,
        axis=axis,
        point=point,
        radius=radius,
        second=second,
        outward=outward,
        turn=turn,
        points=edge_points,
        area=float(properties.Mass()),
        centre=np.array(properties.CentreOfMass().Coord()),
    )


def _flat(face: Any) -> bool:
    """Whether a face of another kind is a plane all the same: drafted walls often are."""
    if BRepAdaptor_Surface(face, False).GetType() not in FREE:
        return False
    return bool(GeomLib_IsPlanarSurface(BRep_Tool.Surface_s(face), FLAT).IsPlanar())


def _samples(edge: Any) -> Floats:
    curve = BRepAdaptor_Curve(TopoDS.Edge(edge))
    first, last = curve.FirstParameter(), curve.LastParameter()
    if not (math.isfinite(first) and math.isfinite(last)) or last - first <= 0:
        return np.empty((0, 3))
    straight = curve.GetType() == GeomAbs_CurveType.GeomAbs_Line
    return np.array(
        [curve.Value(t).Coord() for t in np.linspace(first, last, 2 if straight else SAMPLES)]
    )


def _normal(face: Any, trimmed: Any, ranges: list[float]) -> tuple[Floats, Floats]:
    """Return the outward unit normal in the middle of a face's parameters, and that place."""
    point, along, across = gp_Pnt(), gp_Vec(), gp_Vec()
    u, v = 0.5 * (ranges[0] + ranges[1]), 0.5 * (ranges[2] + ranges[3])
    trimmed.D1(u, v, point, along, across)
    normal = np.cross(along.Coord(), across.Coord())
    normal = normal / max(float(np.linalg.norm(normal)), 1e-300)
    if face.Orientation() == TopAbs_REVERSED:
        normal = -normal
    return normal, np.array(point.Coord())


def parallel(a: Floats, b: Floats) -> bool:
    """Whether two unit vectors run along each other, either way."""
    return bool(np.linalg.norm(np.cross(a, b)) < PARALLEL * 10 and np.linalg.norm(a) > 0.5)


def aside(point: Floats, origin: Floats, axis: Floats) -> float:
    """Return the distance of a point from an axis, mm."""
    arm = point - origin
    return float(np.linalg.norm(arm - axis * (arm @ axis)))


def same_axis(a: Face, b: Face, close: float) -> bool:
    """Whether two round faces turn about one axis (spheres: lie with their middle on it)."""
    if a.kind == "Sphere":
        return aside(a.point, b.point, b.axis) < close
    if b.kind == "Sphere":
        return aside(b.point, a.point, a.axis) < close
    return parallel(a.axis, b.axis) and aside(a.point, b.point, b.axis) < close
