"""Each face as a plain form: plane, cylinder, cone, sphere or torus, and how far it reaches.

Free-form faces that are such a form all over (files converted to B-splines hold only those) are
recognised; the others have none and are told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from OCP.BRepGProp import BRepGProp
from OCP.BRepTools import BRepTools
from OCP.gp import gp_Cone, gp_Cylinder, gp_Pln, gp_Pnt, gp_Sphere, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.ShapeAnalysis import ShapeAnalysis_CanonicalRecognition

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.facts.surfaces import Surface
from gaugeblock.ruler.spectrum.arcs import FULL, Arc, Turn, turn_of

FITS = 1e-3
"""A free-form face that stays within this many mm of a plain form is one: no measuring machine
tells them apart, and it is a hundredth of the narrowest deviation of ISO 2768-m."""

SURE = 5e-3
"""Most by which the size of a recognised form may be off, in mm: a tenth of the narrowest deviation
of ISO 2768-f. A patch that turns by φ and fits within g leaves the radius open by
g / (1 − cos φ/2), so that a nearly flat patch is no cylinder."""

Bounds = tuple[float, float, float, float]
"""Lowest and highest u, then v."""

VOID = np.full(3, np.nan)
"""The normal where a surface has none, such as at a cone's tip."""

STATIONS = 33
"""Points a side by which a recognised face's reach is sampled: every 11° of a full turn."""


@dataclass(frozen=True)
class Form:
    """One face as a plain form, in the file's frame, mm and degrees."""

    face: int
    """Index of the face, from 0."""
    kind: str
    """Plane, Cylinder, Cone, Sphere or Torus."""
    origin: Floats
    axis: Floats
    """(3,) unit; a plane's normal out of the material."""
    size: float = 0.0
    """Radius; a cone's at the origin; a torus's major one."""
    other: float = 0.0
    """A cone's half-angle in rad, growing along the axis; a torus's minor radius."""
    convex: bool = True
    """Whether the material is on the inside of the curvature."""
    x: Floats | None = None
    """(3,) unit, where the arc is counted from, right-handed about the axis."""
    arc: Arc = (0.0, 0.0)
    """About the axis; a sphere's: its part of a whole one."""
    tube: Arc = (0.0, 0.0)
    """A torus's arc about its tube, from the outermost circle towards the axis's end."""
    along: tuple[float, float] = (0.0, 0.0)
    """Reach along the axis from the origin; along the generator for a cone."""


def forms_of(outline: Outline) -> tuple[list[Form | None], int]:
    """Return the form of every face, None where it has none, and how many were recognised."""
    forms: list[Form | None] = []
    recognised = 0
    for number, surface in enumerate(outline.surfaces):
        face, turned = outline.faces[number], outline.turned[number]
        bounds = BRepTools.UVBounds_s(face)
        if surface.elementary:
            forms.append(_elementary(number, face, surface, bounds, turned))
        else:
            forms.append(_recognised(number, face, surface.adaptor, bounds, turned))
            recognised += forms[-1] is not None
    return forms, recognised


def normal_at(adaptor: Any, u: float, v: float, turned: bool) -> tuple[Floats, Floats]:
    """Return a point of a face and the unit normal out of the material there; NaN where none is."""
    point, du, dv = gp_Pnt(), gp_Vec(), gp_Vec()
    adaptor.D1(u, v, point, du, dv)
    across = du.Crossed(dv)
    length = across.Magnitude()
    normal = np.array(across.Coord()) / (-length if turned else length) if length > 0 else VOID
    return np.array(point.Coord()), normal


def _elementary(
    number: int, face: Any, surface: Surface, bounds: Bounds, turned: bool
) -> Form | None:
    u0, u1, v0, v1 = bounds
    origin, x, _, z = surface.frame
    point, normal = normal_at(surface.adaptor, 0.5 * (u0 + u1), 0.5 * (v0 + v1), turned)
    if not np.isfinite(normal).all():
        return None
    if surface.kind == "Plane":
        return Form(number, "Plane", origin, normal)
    size, other = float(surface.a), float(surface.b)
    right_handed = float(np.linalg.det(surface.frame[1:])) > 0
    start = math.degrees(u0 if right_handed else -u1)
    arc = (start, math.degrees(u1 - u0)) if surface.kind != "Sphere" else _share(face, size)
    tube = (math.degrees(v0), math.degrees(v1 - v0)) if surface.kind == "Torus" else (0.0, 0.0)
    outward = _away(surface.kind, origin, z, size, point)
    return Form(
        number,
        surface.kind,
        origin,
        z,
        size,
        other,
        convex=float(normal @ outward) > 0,
        x=x,
        arc=arc,
        tube=tube,
        along=(v0, v1),
    )


def _away(kind: str, origin: Floats, axis: Floats, size: float, point: Floats) -> Floats:
    """Return the direction from the axis (centre; centre of the tube) to a point of a surface."""
    apart = point - origin
    if kind == "Sphere":
        return np.asarray(apart)
    radial = apart - axis * (apart @ axis)
    if kind != "Torus":
        return np.asarray(radial)
    length = float(np.linalg.norm(radial))
    return np.asarray(apart - radial * (size / length) if length > 0 else apart)


def _recognised(number: int, face: Any, adaptor: Any, bounds: Bounds, turned: bool) -> Form | None:
    """Return the plain form that a free-form face is, or None."""
    if not np.isfinite(bounds).all() or max(map(abs, bounds)) > 1e50:
        return None
    u0, u1, v0, v1 = bounds
    middle, normal = normal_at(adaptor, 0.5 * (u0 + u1), 0.5 * (v0 + v1), turned)
    if not np.isfinite(normal).all():
        return None
    look = ShapeAnalysis_CanonicalRecognition(face)
    plane = gp_Pln()
    if look.IsPlane(FITS, plane):
        axis = np.array(plane.Axis().Direction().Coord())
        facing = axis if axis @ normal > 0 else -axis
        return Form(number, "Plane", np.array(plane.Location().Coord()), facing)
    for kind, ask, shape in (
        ("Cylinder", look.IsCylinder, gp_Cylinder()),
        ("Cone", look.IsCone, gp_Cone()),
        ("Sphere", look.IsSphere, gp_Sphere()),
    ):
        if not ask(FITS, shape):
            continue
        gap = max(float(look.GetGap()), 0.0)
        position = shape.Position()
        origin, axis, x = (
            np.array(item.Coord())
            for item in (position.Location(), position.Direction(), position.XDirection())
        )
        size = float(shape.RefRadius() if kind == "Cone" else shape.Radius())
        other = float(shape.SemiAngle()) if kind == "Cone" else 0.0
        local = _samples(adaptor, bounds) - origin
        arc = _arc(local, x, np.cross(axis, x)) if kind != "Sphere" else _share(face, size)
        heights = local @ axis
        reach = (float(heights.min()), float(heights.max()))
        if kind == "Cone":
            reach = (reach[0] / math.cos(other), reach[1] / math.cos(other))
        if not _is_sure(kind, gap, turn_of([arc]), reach):
            return None
        outward = _away(kind, origin, axis, size, middle)
        return Form(
            number,
            kind,
            origin,
            axis,
            size,
            other,
            convex=float(normal @ outward) > 0,
            x=x,
            arc=arc,
            along=reach,
        )
    return None


def _samples(adaptor: Any, bounds: Bounds) -> Floats:
    u0, u1, v0, v1 = bounds
    grid = [
        adaptor.Value(u, v).Coord()
        for u in np.linspace(u0, u1, STATIONS).tolist()
        for v in np.linspace(v0, v1, STATIONS).tolist()
    ]
    return np.array(grid)


def _share(face: Any, radius: float) -> Arc:
    """Return the part of a whole sphere that a face is, as an arc: a hemisphere is half a turn."""
    properties = GProp_GProps()
    BRepGProp.SurfaceProperties_s(face, properties)
    return (0.0, FULL * min(1.0, abs(properties.Mass()) / (4 * math.pi * radius**2)))


def _arc(local: Floats, x: Floats, y: Floats) -> Arc:
    """Return the arc that sampled points (n, 3) reach about their axis."""
    off = np.hypot(local @ x, local @ y)
    angles = np.degrees(np.arctan2(local @ y, local @ x))[off > 1e-9 * max(1.0, float(off.max()))]
    angles = np.unique(np.round(angles % FULL, 9))
    gaps = np.diff(angles, append=angles[:1] + FULL)
    widest = int(gaps.argmax())
    if gaps[widest] < 1.5 * FULL / (STATIONS - 1):
        return (0.0, FULL)
    return (float(angles[(widest + 1) % len(angles)]), FULL - float(gaps[widest]))


def radius_is_sure(gap: float, degrees: float) -> bool:
    """Whether what turns by so many degrees and fits within `gap` mm has a certain radius."""
    return gap <= SURE * (1 - math.cos(math.radians(degrees / 2)))


def _is_sure(kind: str, gap: float, turn: Turn, reach: tuple[float, float]) -> bool:
    """Whether the size of a form that fits within `gap` is known well enough."""
    # A cone's angle: the gap over the length of its generator, against 0.1°.
    sharp = kind != "Cone" or gap <= (reach[1] - reach[0]) * math.radians(0.1)
    return sharp and radius_is_sure(gap, turn.degrees)
