"""Threaded bodies built face by face from helicoidal splines: exact to 1e-6 mm, without booleans.

A thread's skin is r = R(z − lead·φ/2π). Each piece of the profile R becomes one face over (place in
the profile, z), so that both ends lie in planes and the faces need no trimming.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import ruler_shapes as shapes
from OCP.BRep import BRep_Tool
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakePolygon,
    BRepBuilderAPI_MakeSolid,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_Sewing,
)
from OCP.BRepGProp import BRepGProp
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism
from OCP.collections import Array2_gp_Pnt
from OCP.Geom import Geom_BSplineSurface
from OCP.gp import gp_Ax2, gp_Ax3, gp_Circ, gp_Cylinder, gp_Dir, gp_Pln, gp_Pnt, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.ShapeFix import ShapeFix_Face
from OCP.TopAbs import TopAbs_FACE, TopAbs_SHELL
from OCP.TopoDS import TopoDS
from scipy.interpolate import make_interp_spline

from gaugeblock.ruler.explore import explore

DEGREE = 5
A_TURN = 24
"""Interpolated sections a turn: 15°, off by less than 1e-7 of the radius."""

Piece = list[tuple[float, float]]
"""Points (place along the axis within a pitch, radius) of one smooth piece of a profile, mm; two
points are a straight line, more a smooth curve."""


@dataclass(frozen=True)
class Ridge:
    """Anything that winds: the profile of one pitch, how often round, and which way."""

    profile: tuple[Piece, ...]
    pitch: float
    starts: int = 1
    hand: int = 1
    """1 right, −1 left."""

    @property
    def lead(self) -> float:
        return self.starts * self.pitch

    def pieces(self) -> list[Piece]:
        return list(self.profile)


@dataclass(frozen=True)
class Screw:
    """A thread as constructed: the truth that tests compare with."""

    major: float
    pitch: float
    minor: float
    flank: float = 60.0
    """Included angle in degrees."""
    crest: float | None = None
    """Width of the crest on a shaft, mm; None: P/8."""
    starts: int = 1
    hand: int = 1
    """1 right, −1 left."""
    round_root: float = 0.0
    """Radius of the groove's floor, mm; 0: flat. The floor then fits between the flanks."""

    @property
    def lead(self) -> float:
        return self.starts * self.pitch

    @property
    def pitch_diameter(self) -> float:
        """Where the ridge is half a pitch wide."""
        tan = math.tan(math.radians(self.flank / 2))
        return self.major - 2 * (self.pitch / 2 - self._crest) / (2 * tan)

    @property
    def _crest(self) -> float:
        return self.pitch / 8 if self.crest is None else self.crest

    def pieces(self) -> list[Piece]:
        """Return the smooth pieces of one pitch: floor, flank, crest, flank."""
        p, crest, (low, high) = self.pitch, self._crest, (self.minor / 2, self.major / 2)
        half = math.radians(self.flank / 2)
        root = p - crest - 2 * (high - low) * math.tan(half)
        left, right = p / 2 - crest / 2, p / 2 + crest / 2
        if self.round_root:
            rho, turn = self.round_root, math.pi / 2 - half
            floor = [
                (rho * math.sin(a), low + rho - rho * math.cos(a))
                for a in np.linspace(-turn, turn, 17)
            ]
            width, depth = rho * math.sin(turn), rho - rho * math.cos(turn)
            assert abs(2 * width - root - 2 * depth * math.tan(half)) < 1e-9, "floor off the flanks"
        else:
            assert root > -1e-9, "the flanks meet above the minor diameter"
            width, depth = root / 2, 0.0
            floor = [(-width, low), (width, low)]
        out = [floor] if width > 1e-9 else []
        out.append([(width, low + depth), (left, high)])
        if crest > 1e-9:
            out.append([(left, high), (right, high)])
        out.append([(right, high), (p - width, low + depth)])
        return out

    def radius(self, place: np.ndarray) -> np.ndarray:
        """Return the radius at places along the axis, for a profile with a flat floor; mm."""
        corners = [corner for piece in self.pieces() for corner in piece]
        at, radius = np.array(corners).T
        return np.interp(np.mod(place - at[0], self.pitch) + at[0], at, radius)

    def core(self) -> float:
        """Return the material inside the major cylinder, mm³ a mm of length.

        Round the axis every place of the profile is met once: ∮ r²/2 dφ is π times the mean of r²
        over the profile, straight piece by straight piece.
        """
        total = 0.0
        for piece in self.pieces():
            (z0, r0), (z1, r1) = piece
            total += (z1 - z0) * (r0 * r0 + r0 * r1 + r1 * r1) / 3
        return math.pi * total / self.pitch


H = math.sqrt(3) / 2
"""Height of the sharp 60° profile, in pitches."""


def iso(major: float, pitch: float, **more: Any) -> Screw:
    """The basic profile of ISO 68-1 and ASME B1.1: minor = major − 5/4·H, flats of P/8 and P/4."""
    return Screw(major=major, pitch=pitch, minor=major - 1.25 * pitch * H, **more)


def rolled(major: float, pitch: float, **more: Any) -> Screw:
    """The design profile of ISO 68-1 for screws: a floor of radius H/6, 17/24·H deep."""
    minor, rho = major - 17 / 12 * pitch * H, pitch * H / 6
    return Screw(major=major, pitch=pitch, minor=minor, round_root=rho, **more)


def unified(inches: float, per_inch: float, **more: Any) -> Screw:
    """As `iso`, from inches and threads an inch."""
    return iso(inches * 25.4, 25.4 / per_inch, **more)


def trapezoidal(major: float, pitch: float, **more: Any) -> Screw:
    """The basic profile of ISO 2904: 30°, depth P/2, crest 0.366 P."""
    crest = pitch / 2 - pitch / 2 * math.tan(math.radians(15))
    return Screw(major, pitch, major - pitch, flank=30.0, crest=crest, **more)


def spline_face(points: np.ndarray) -> Any:
    """Return the face of the quintic surface through (m, n, 3) points."""
    m, n, _ = points.shape
    u, v = np.linspace(0, 1, m), np.linspace(0, 1, n)
    first = make_interp_spline(u, points, k=min(DEGREE, m - 1), axis=0)
    second = make_interp_spline(v, first.c, k=min(DEGREE, n - 1), axis=1)
    poles = second.c.transpose(1, 0, 2)  # make_interp_spline puts the axis it works on first
    array = Array2_gp_Pnt(1, poles.shape[0], 1, poles.shape[1])
    for i in range(poles.shape[0]):
        for j in range(poles.shape[1]):
            array.SetValue(i + 1, j + 1, gp_Pnt(*poles[i, j].tolist()))
    knots = [np.unique(spline.t, return_counts=True) for spline in (first, second)]
    surface = Geom_BSplineSurface(
        array,
        *(shapes.doubles(values.tolist()) for values, _ in knots),
        *(shapes.integers(counts.tolist()) for _, counts in knots),
        first.k, second.k, False, False,
    )  # fmt: skip
    return BRepBuilderAPI_MakeFace(surface, 1e-7).Face()


Warp = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(radius, height) to another radius, mm."""


@dataclass
class Skin:
    """The helical faces between two planes across the axis Z, with the closed curves there."""

    faces: list[Any]
    low: Any
    high: Any


def skin(screw: Screw | Ridge, z0: float, z1: float, warp: Warp | None = None) -> Skin:
    """Return the thread's skin from z0 to z1; `warp` maps (radius, z) to another radius."""
    n = max(2 * DEGREE, math.ceil((z1 - z0) / screw.lead * A_TURN) + DEGREE + 1)
    z = np.linspace(z0, z1, n)
    faces, low, high = [], BRepBuilderAPI_MakeWire(), BRepBuilderAPI_MakeWire()
    for start in range(screw.starts):
        for piece in screw.pieces():
            place, radius = np.array(piece).T
            if len(piece) == 2:
                m = math.ceil((place[1] - place[0]) / screw.lead * A_TURN) + DEGREE + 3
                place, radius = np.linspace(*place, m), np.linspace(*radius, m)
            place = place + start * screw.pitch
            angle = screw.hand * 2 * math.pi * (z[None, :] - place[:, None]) / screw.lead
            r = np.repeat(radius[:, None], n, axis=1)
            if warp is not None:
                r = warp(r, np.broadcast_to(z, r.shape))
            points = np.stack(
                [r * np.cos(angle), r * np.sin(angle), np.broadcast_to(z, r.shape)], 2
            )
            face = spline_face(points)
            faces.append(face)
            surface = BRep_Tool.Surface_s(face)
            low.Add(BRepBuilderAPI_MakeEdge(surface.VIso(0.0)).Edge())
            high.Add(BRepBuilderAPI_MakeEdge(surface.VIso(1.0)).Edge())
    return Skin(faces, low.Wire(), high.Wire())


def circle(radius: float, z: float, x: float = 0.0) -> Any:
    axes = gp_Ax2(gp_Pnt(x, 0, z), gp_Dir(0, 0, 1))
    return BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(gp_Circ(axes, radius)).Edge()).Wire()


def polygon(corners: list[tuple[float, float]], z: float) -> Any:
    made = BRepBuilderAPI_MakePolygon()
    for x, y in corners:
        made.Add(gp_Pnt(x, y, z))
    made.Close()
    return made.Wire()


def disc(z: float, outer: Any, *holes: Any) -> Any:
    """The plane face at z within the wire `outer`, without the wires `holes`."""
    plane = gp_Pln(gp_Pnt(0, 0, z), gp_Dir(0, 0, 1))
    made = BRepBuilderAPI_MakeFace(plane, outer, True)
    for hole in holes:
        made.Add(TopoDS.Wire(hole.Reversed()))
    return fixed(made.Face())


def fixed(face: Any) -> Any:
    """Return the face with its wires turned the right way round."""
    fix = ShapeFix_Face(face)
    fix.FixOrientation()
    return fix.Face()


def wall(radius: float, z0: float, z1: float, x: float = 0.0) -> Any:
    """The cylinder face between two heights about an upright axis."""
    cylinder = gp_Cylinder(gp_Ax3(gp_Pnt(x, 0, 0), gp_Dir(0, 0, 1)), radius)
    return BRepBuilderAPI_MakeFace(cylinder, 0, 2 * math.pi, z0, z1).Face()


def sides(corners: list[tuple[float, float]], z0: float, z1: float) -> list[Any]:
    """The upright plane faces over a polygon."""
    prism = BRepPrimAPI_MakePrism(polygon(corners, z0), gp_Vec(0, 0, z1 - z0)).Shape()
    return explore(prism, TopAbs_FACE)


def solid(faces: list[Any]) -> Any:
    """Sew faces to a solid that is not inside out."""
    sewing = BRepBuilderAPI_Sewing(1e-6)
    for face in faces:
        sewing.Add(face)
    sewing.Perform()
    shells = explore(sewing.SewedShape(), TopAbs_SHELL)
    assert len(shells) == 1, f"{len(shells)} shells: the faces do not join"
    made = BRepBuilderAPI_MakeSolid(TopoDS.Shell(shells[0])).Solid()
    # Not BRepLib.OrientClosedSolid, which turned a rod of fifty pitches the wrong way.
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(made, properties)
    return made if properties.Mass() > 0 else TopoDS.Solid(made.Reversed())


def hexagon(across: float) -> list[tuple[float, float]]:
    r = across / math.sqrt(3)
    return [(r * math.cos(i * math.pi / 3), r * math.sin(i * math.pi / 3)) for i in range(6)]


def square(side: float) -> list[tuple[float, float]]:
    h = side / 2
    return [(h, h), (-h, h), (-h, -h), (h, -h)]


def rod(screw: Screw | Ridge, length: float, warp: Warp | None = None) -> Any:
    """A threaded rod from z = 0, cut off square at both ends."""
    made = skin(screw, 0.0, length, warp)
    return solid([*made.faces, disc(0.0, made.low), disc(length, made.high)])


def bolt(screw: Screw, length: float, head: float, thick: float, shank: float = 0.0) -> Any:
    """A screw with a round head of diameter `head`: thread from z = 0, a plain shank (thinner than
    the minor diameter, or 0 long), the head above."""
    made = skin(screw, 0.0, length)
    top = length + shank
    faces = [*made.faces, disc(0.0, made.low)]
    if shank:
        r = screw.minor / 2 - 0.1
        faces += [disc(length, made.high, circle(r, length)), wall(r, length, top)]
        faces += [disc(top, circle(head / 2, top), circle(r, top))]
    else:
        faces += [disc(top, circle(head / 2, top), made.high)]
    faces += [wall(head / 2, top, top + thick), disc(top + thick, circle(head / 2, top + thick))]
    return solid(faces)


def nut(screw: Screw, height: float, outline: list[tuple[float, float]]) -> Any:
    """A prism with a threaded through hole about Z."""
    made = skin(screw, 0.0, height)
    return solid(
        [
            *made.faces,
            disc(0.0, polygon(outline, 0.0), made.low),
            disc(height, polygon(outline, height), made.high),
            *sides(outline, 0.0, height),
        ]
    )


def tapped(screw: Screw, depth: float, drilled: float, outline: list[tuple[float, float]]) -> Any:
    """A block (top at z = 0, 10 mm below the hole's end) with a tapped blind hole, drilled deeper
    and 0.2 mm thinner than the minor diameter."""
    made = skin(screw, -depth, 0.0)
    r, floor, base = screw.minor / 2 - 0.1, -drilled, -drilled - 10.0
    return solid(
        [
            *made.faces,
            disc(0.0, polygon(outline, 0.0), made.high),
            disc(-depth, made.low, circle(r, -depth)),
            wall(r, floor, -depth),
            disc(floor, circle(r, floor)),
            *sides(outline, base, 0.0),
            disc(base, polygon(outline, base)),
        ]
    )


def bush(outer: Screw, inner: Screw, length: float) -> Any:
    """A tube threaded outside and inside."""
    out, bore = skin(outer, 0.0, length), skin(inner, 0.0, length)
    ends = [disc(0.0, out.low, bore.low), disc(length, out.high, bore.high)]
    return solid([*out.faces, *bore.faces, *ends])


def stud(screw: Screw, ends: float, shank: float) -> Any:
    """The same thread at both ends of a shank that is thinner than its minor diameter."""
    r, up, top = screw.minor / 2 - 0.1, ends + shank, 2 * ends + shank
    lower, upper = skin(screw, 0.0, ends), skin(screw, up, top)
    return solid(
        [
            *lower.faces,
            *upper.faces,
            disc(0.0, lower.low),
            disc(ends, lower.high, circle(r, ends)),
            wall(r, ends, up),
            disc(up, upper.low, circle(r, up)),
            disc(top, upper.high),
        ]
    )


def fading(screw: Screw, low: float, high: float) -> Warp:
    """A run-out: the groove gets shallower from height `low` on and ends at `high`."""

    def warp(radius: np.ndarray, z: np.ndarray) -> np.ndarray:
        share = np.clip((high - z) / (high - low), 0.0, 1.0)
        share = share * share * (3 - 2 * share)
        return screw.major / 2 - (screw.major / 2 - radius) * share

    return warp
