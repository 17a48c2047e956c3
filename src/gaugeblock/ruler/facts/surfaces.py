"""The surfaces of a solid's faces, taken out of the kernel once, as plain numbers.

Elementary surfaces and surfaces of revolution share one form, S = O + ρ(v)(cos θ X + sin θ Y) +
z(v) Z; extrusions, B-splines and everything else have their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.collections import Array1_double
from OCP.Geom import Geom_BSplineSurface
from OCP.GeomAbs import GeomAbs_CN, GeomAbs_SurfaceType
from OCP.GeomConvert import GeomConvert
from OCP.gp import gp_Pnt, gp_Vec

from gaugeblock.ruler.facts.bspline import Axis, Floats, Ints, Patch

ROUND = ("Cylinder", "Cone", "Sphere", "Torus")
KNOWN = ("Plane", *ROUND)

TYPES = {
    int(member): name.removeprefix("GeomAbs_")
    for name, member in GeomAbs_SurfaceType.__members__.items()
}
"""The kernel's names of surface types by number."""


@dataclass(frozen=True)
class Surface:
    """One face's surface in the file's frame, mm."""

    kind: str
    """The kernel's type name without its prefix."""
    adaptor: Any
    """BRepAdaptor_Surface."""
    frame: Floats
    """(4, 3): origin, X, Y, Z; zeros where the kind has none."""
    a: Any = 0.0
    """Radius; a cone's reference radius; a torus's major radius (mm)."""
    b: Any = 0.0
    """A cone's half-angle (rad); a torus's minor radius (mm)."""
    patch: Patch | None = None

    @property
    def elementary(self) -> bool:
        """Whether it is a plane, cylinder, cone, sphere or torus."""
        return self.kind in KNOWN


def surface_of(face: Any) -> Surface:
    """Return the surface of a TopoDS_Face."""
    adaptor = BRepAdaptor_Surface(face, False)
    kind = TYPES[int(adaptor.GetType())]
    match kind:
        case "Plane":
            return Surface(kind, adaptor, _frame(adaptor.Plane().Position()))
        case "Cylinder":
            shape = adaptor.Cylinder()
            return Surface(kind, adaptor, _frame(shape.Position()), shape.Radius())
        case "Cone":
            shape = adaptor.Cone()
            frame = _frame(shape.Position())
            return Surface(kind, adaptor, frame, shape.RefRadius(), shape.SemiAngle())
        case "Sphere":
            shape = adaptor.Sphere()
            return Surface(kind, adaptor, _frame(shape.Position()), shape.Radius())
        case "Torus":
            shape = adaptor.Torus()
            frame = _frame(shape.Position())
            return Surface(kind, adaptor, frame, shape.MajorRadius(), shape.MinorRadius())
        case "SurfaceOfRevolution":
            return Surface(kind, adaptor, _axis_frame(adaptor))
        case "BSplineSurface":
            return Surface(kind, adaptor, np.zeros((4, 3)), patch=_patch(adaptor.BSpline()))
        case "BezierSurface":
            spline = GeomConvert.SurfaceToBSplineSurface_s(adaptor.Bezier())
            return Surface(kind, adaptor, np.zeros((4, 3)), patch=_patch(spline))
        case _:
            return Surface(kind, adaptor, np.zeros((4, 3)))


def profile(surface: Surface, v: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return ρ, dρ/dv, z, dz/dv (mm) and the angle offset φ (rad) of a rotational surface at v."""
    a, b = surface.a, surface.b
    zero, one = np.zeros_like(v), np.ones_like(v)
    match surface.kind:
        case "Cylinder":
            return a * one, zero, v, one, zero
        case "Cone":
            return a + v * np.sin(b), np.sin(b) * one, v * np.cos(b), np.cos(b) * one, zero
        case "Sphere":
            return a * np.cos(v), -a * np.sin(v), a * np.sin(v), a * np.cos(v), zero
        case "Torus":
            return a + b * np.cos(v), -b * np.sin(v), b * np.sin(v), b * np.cos(v), zero
    points, _, slopes = derivatives(surface.adaptor, zero, v)
    local = (points - surface.frame[0]) @ surface.frame[1:].T
    slope = slopes @ surface.frame[1:].T
    rho = np.hypot(local[:, 0], local[:, 1])
    safe = np.where(rho > 0, rho, 1.0)
    radial = np.where(
        rho > 0,
        (local[:, 0] * slope[:, 0] + local[:, 1] * slope[:, 1]) / safe,
        np.hypot(slope[:, 0], slope[:, 1]),
    )
    return rho, radial, local[:, 2], slope[:, 2], np.arctan2(local[:, 1], local[:, 0])


def derivatives(adaptor: Any, u: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """Return points and both first derivatives from the kernel, point by point."""
    point, du, dv = gp_Pnt(), gp_Vec(), gp_Vec()
    out = np.empty((3, len(u), 3))
    for i, (ui, vi) in enumerate(zip(u.tolist(), v.tolist(), strict=True)):
        adaptor.D1(ui, vi, point, du, dv)
        out[0, i] = point.Coord()
        out[1, i] = du.Coord()
        out[2, i] = dv.Coord()
    return out[0], out[1], out[2]


class SurfaceTable:
    """All surfaces of a solid, evaluated for points of many faces at once."""

    def __init__(self, surfaces: list[Surface]) -> None:
        self.surfaces = surfaces
        kinds = [s.kind for s in surfaces]
        known = {kind: np.array([k == kind for k in kinds]) for kind in KNOWN if kind in kinds}
        nothing = np.zeros(len(kinds), dtype=bool)
        self.elementary = known
        """Which faces are of each elementary kind that occurs."""
        self.plane = known.get("Plane", nothing)
        self.round = {kind: mask for kind, mask in known.items() if kind != "Plane"}
        self.known = np.array([k in KNOWN for k in kinds], dtype=bool)
        """Which faces are elementary."""
        self.size = np.array([(s.a, s.b) for s in surfaces])
        self.frames = np.array([s.frame for s in surfaces])
        self.free = [i for i, s in enumerate(surfaces) if not s.elementary]

    def profiles(self, kind: str, face: Ints, v: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return ρ, dρ/dv, z, dz/dv at (n,) v of faces that are all of one round kind."""
        like = Surface(kind, None, self.frames[0], *self.size[face].T)
        return profile(like, v)[:4]

    def points(self, face: Ints, uv: Floats) -> Floats:
        """Return (n, 3) points in mm at (n, 2) parameters of faces `face` (n,)."""
        out = np.empty((len(face), 3))
        chosen = np.flatnonzero(self.plane[face])
        if len(chosen):
            frame, at = self.frames[face[chosen]], uv[chosen]
            out[chosen] = frame[:, 0] + at[:, :1] * frame[:, 1] + at[:, 1:] * frame[:, 2]
        for kind, mask in self.round.items():
            chosen = np.flatnonzero(mask[face])
            if not len(chosen):
                continue
            frame, u = self.frames[face[chosen]], uv[chosen, 0]
            rho, _, z, _ = self.profiles(kind, face[chosen], uv[chosen, 1])
            out[chosen] = (
                frame[:, 0]
                + (rho * np.cos(u))[:, None] * frame[:, 1]
                + (rho * np.sin(u))[:, None] * frame[:, 2]
                + z[:, None] * frame[:, 3]
            )
        for number in self.free:
            chosen = np.flatnonzero(face == number)
            if len(chosen):
                out[chosen] = _free_points(self.surfaces[number], uv[chosen])
        return out


def _free_points(surface: Surface, uv: Floats) -> Floats:
    if surface.patch is not None:
        return surface.patch.points(uv)
    value = surface.adaptor.Value
    return np.array([value(u, v).Coord() for u, v in uv.tolist()]).reshape(-1, 3)


def breaks(surface: Surface, direction: int, low: float, high: float) -> Floats:
    """Return parameters in (low, high) where the surface is not smooth in u (0) or v (1)."""
    if surface.elementary:
        return np.empty(0)
    if surface.patch is not None:
        return (surface.patch.u, surface.patch.v)[direction].breaks(low, high)
    adaptor = surface.adaptor
    if direction == 0:
        number = adaptor.NbUIntervals(GeomAbs_CN)
        found = Array1_double(1, number + 1)
        adaptor.UIntervals(found, GeomAbs_CN)
        period = adaptor.UPeriod() if adaptor.IsUPeriodic() else 0.0
    else:
        number = adaptor.NbVIntervals(GeomAbs_CN)
        found = Array1_double(1, number + 1)
        adaptor.VIntervals(found, GeomAbs_CN)
        period = adaptor.VPeriod() if adaptor.IsVPeriodic() else 0.0
    inner = np.array([found.Value(i) for i in range(1, number + 2)])
    inner = inner[np.abs(inner) < 1e50]
    if period:
        inner = np.unique((inner[None, :] + np.array([-2, -1, 0, 1, 2])[:, None] * period).ravel())
    return inner[(inner > low + 1e-12) & (inner < high - 1e-12)]


def _frame(position: Any) -> Floats:
    return np.array(
        [
            position.Location().Coord(),
            position.XDirection().Coord(),
            position.YDirection().Coord(),
            position.Direction().Coord(),
        ]
    )


def _axis_frame(adaptor: Any) -> Floats:
    """Frame of a surface of revolution whose X points at the middle of its meridian.

    That keeps the angle offset φ(v) of a meridian that leaves its plane away from its branch cut.
    """
    axis = adaptor.AxeOfRevolution()
    origin, z = np.array(axis.Location().Coord()), np.array(axis.Direction().Coord())
    middle = 0.5 * (adaptor.FirstVParameter() + adaptor.LastVParameter())
    towards = np.array(adaptor.Value(0.0, middle).Coord()) - origin
    x = towards - z * (towards @ z)
    if np.linalg.norm(x) < 1e-12:
        x = np.cross(z, [1.0, 0.0, 0.0] if abs(z[0]) < 0.9 else [0.0, 1.0, 0.0])
    x = x / np.linalg.norm(x)
    return np.array([origin, x, np.cross(z, x), z])


def _patch(spline: Any) -> Patch:
    periods = [0.0, 0.0]
    if spline.IsUPeriodic() or spline.IsVPeriodic():
        spline = spline.Copy()
        assert isinstance(spline, Geom_BSplineSurface)
        if spline.IsUPeriodic():
            periods[0] = spline.UPeriod()
            spline.SetUNotPeriodic()
        if spline.IsVPeriodic():
            periods[1] = spline.VPeriod()
            spline.SetVNotPeriodic()
    nu, nv = spline.NbUPoles(), spline.NbVPoles()
    pole, weight = spline.Pole, spline.Weight
    rational = bool(spline.IsURational() or spline.IsVRational())
    poles = np.ones((nu, nv, 4))
    for i in range(nu):
        for j in range(nv):
            poles[i, j, :3] = pole(i + 1, j + 1).Coord()
    if rational:
        for i in range(nu):
            for j in range(nv):
                poles[i, j, 3] = weight(i + 1, j + 1)
        poles[:, :, :3] *= poles[:, :, 3:]
    return Patch(
        u=Axis(
            spline.UDegree(),
            flat_knots(spline.UKnot, spline.UMultiplicity, spline.NbUKnots()),
            periods[0],
        ),
        v=Axis(
            spline.VDegree(),
            flat_knots(spline.VKnot, spline.VMultiplicity, spline.NbVKnots()),
            periods[1],
        ),
        poles=poles,
        rational=rational,
    )


def flat_knots(knot: Any, multiplicity: Any, number: int) -> Floats:
    """Return knots repeated by multiplicity, from the kernel's two accessors."""
    index = range(1, number + 1)
    return np.repeat(np.array([knot(i) for i in index]), [multiplicity(i) for i in index])
