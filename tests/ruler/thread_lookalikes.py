"""What looks like a thread and is none: grooves, knurls, springs, gears, flutes, fins."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import ruler_shapes as shapes
import thread_shapes as ts
from OCP.BRep import BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge, BRepBuilderAPI_MakeWire
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace as MakeFace
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakePolygon as MakePolygon
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism, BRepPrimAPI_MakeRevol
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Vec

SECTORS = 4


def field(radius: Callable[[np.ndarray, np.ndarray], np.ndarray], length: float, n: int) -> Any:
    """A body about Z with the skin r(φ, z) from z = 0, in four spline faces of n × n points."""
    z = np.linspace(0, length, n)
    faces, low, high = [], BRepBuilderAPI_MakeWire(), BRepBuilderAPI_MakeWire()
    for sector in range(SECTORS):
        phi = (sector + np.linspace(0, 1, n)) * 2 * math.pi / SECTORS
        at, up = np.meshgrid(phi, z, indexing="ij")
        r = radius(at, up)
        face = ts.spline_face(np.stack([r * np.cos(at), r * np.sin(at), up], axis=2))
        faces.append(face)
        surface = BRep_Tool.Surface_s(face)
        low.Add(BRepBuilderAPI_MakeEdge(surface.VIso(0.0)).Edge())
        high.Add(BRepBuilderAPI_MakeEdge(surface.VIso(1.0)).Edge())
    return ts.solid([*faces, ts.disc(0.0, low.Wire()), ts.disc(length, high.Wire())])


def turned(outline: list[tuple[float, float]]) -> Any:
    """A turned body: the closed outline of (radius, height) points about Z."""
    polygon = MakePolygon()
    for r, z in outline:
        polygon.Add(gp_Pnt(r, 0, z))
    polygon.Close()
    face = MakeFace(polygon.Wire()).Face()
    return BRepPrimAPI_MakeRevol(face, gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))).Shape()


def prism(corners: list[tuple[float, float]], height: float) -> Any:
    return BRepPrimAPI_MakePrism(
        MakeFace(ts.polygon(corners, 0.0)).Face(), gp_Vec(0, 0, height)
    ).Shape()


def rings() -> Any:
    """Grooves of M8's own profile at M8's own pitch, but turned: no helix."""
    screw = ts.iso(8, 1.25)
    corners = []
    for turn in range(8):
        for piece in screw.pieces():
            corners += [(r, z + turn * screw.pitch + 1.0) for z, r in piece[:1]]
    top = corners[-1][1] + 1.0
    return turned([(0, 0), (3.3, 0), *corners, (3.3, top), (0, top)])


def smooth_rings() -> Any:
    """The same as waves in spline faces, which could hold a helix."""
    return field(lambda phi, z: 4 + 0.35 * np.cos(2 * math.pi * z / 1.25), 7.5, 60)


def bellows() -> Any:
    return field(lambda phi, z: 15 + 3 * np.cos(2 * math.pi * z / 6), 36, 60)


def star(teeth: int, inner: float, outer: float) -> list[tuple[float, float]]:
    out = []
    for i in range(2 * teeth):
        r, a = (outer if i % 2 else inner), math.pi * i / teeth
        out.append((r * math.cos(a), r * math.sin(a)))
    return out


def straight_knurl() -> Any:
    return prism(star(60, 9.6, 10), 12)


def gear() -> Any:
    """Smooth straight teeth in spline faces."""
    return field(lambda phi, z: 20 + 2 * np.cos(16 * phi), 10, 60)


def splined_shaft() -> Any:
    """Ten straight keys of even width."""
    out = []
    for i in range(20):
        r = 12.0 if i % 2 else 10.0
        out += [
            (r * math.cos(a), r * math.sin(a)) for a in (math.pi * i / 10, math.pi * (i + 1) / 10)
        ]
    return prism(out, 30)


def diamond_knurl() -> Any:
    """Crossed helices of both hands at 45°: r = cos(20 φ + kz) + cos(20 φ − kz)."""
    k = 20 / 10.0
    return field(
        lambda phi, z: 10 + 0.15 * (np.cos(20 * phi + k * z) + np.cos(20 * phi - k * z)), 12, 100
    )


def fine_diamond_knurl() -> Any:
    """Crossed helices as flat as a thread's: four of each hand."""
    k = 2 * math.pi / 1.5
    return field(
        lambda phi, z: 10 + 0.2 * (np.cos(4 * phi + k * z) + np.cos(4 * phi - k * z)), 9, 90
    )


def wave(pitch: float, middle: float, height: float, starts: int, hand: int = 1) -> Any:
    """A sine wave that winds."""
    z = np.linspace(0, pitch, 25)
    piece = list(zip(z, middle + height * np.cos(2 * math.pi * z / pitch), strict=True))
    return ts.Ridge((piece,), pitch, starts, hand)


def one_way_knurl() -> Any:
    """A diagonal knurl: 40 ridges at 60°."""
    lead = 2 * math.pi * 10 * math.tan(math.radians(60))
    return ts.rod(wave(lead / 40, 10, 0.3, 40), 12)


def helical_gear() -> Any:
    """18 teeth at a helix angle of 20°, which rise at 70°."""
    lead = 2 * math.pi * 18 * math.tan(math.radians(70))
    return ts.rod(wave(lead / 18, 18, 2, 18), 15)


def groove(pitch: float, radius: float, width: float, depth: float) -> ts.Ridge:
    """A round-bottomed groove in a cylinder."""
    half = width / 2
    rho = (half * half + depth * depth) / (2 * depth)
    turn = math.asin(half / rho)
    floor = [
        (rho * math.sin(a), radius - depth + rho - rho * math.cos(a))
        for a in np.linspace(-turn, turn, 17)
    ]
    return ts.Ridge((floor, [(half, radius), (pitch - half, radius)]), pitch)


def wide_spiral() -> Any:
    """A groove that rises by three diameters a turn."""
    return ts.rod(groove(60, 10, 4, 1.5), 100)


def oil_groove() -> Any:
    """A helical oil groove in a bush: pitch 12, 3 wide, 0.8 deep (in the wall of the bore)."""
    deep = [[(z, 20 - r) for z, r in piece] for piece in groove(12, 10, 3, 0.8).profile]
    return ts.nut(ts.Ridge(tuple(deep), 12.0), 40, ts.square(40))


def ball_screw() -> Any:
    """A gothic-like groove for balls of 3.175, pitch 5."""
    return ts.rod(groove(5, 8, 3, 0.95), 40)


def twisted_prism() -> Any:
    """A square bar twisted by a turn in 80 mm."""
    lead, half = 80.0, 8.0
    angle = np.linspace(-math.pi / 4, math.pi / 4, 25)
    side = [(float(a) * lead / (2 * math.pi), half / math.cos(a)) for a in angle]
    return ts.rod(ts.Ridge((side,), lead / 4, 4), 60)


def drill() -> Any:
    """Two flutes of a twist drill ⌀10, helix angle 30°."""
    lead = math.pi * 10 / math.tan(math.radians(30))
    pitch = lead / 2
    z = np.linspace(-0.3 * pitch, 0.3 * pitch, 33)
    flute = [(float(x), 5 - 3 * math.cos(math.pi * x / (0.6 * pitch)) ** 2) for x in z]
    land = [(0.3 * pitch, 5.0), (0.7 * pitch, 5.0)]
    return ts.rod(ts.Ridge((flute, land), pitch, 2), 50)


def fins() -> Any:
    """A cylinder with thin deep cooling rings."""
    corners = [(0.0, 0.0)]
    for i in range(8):
        z = 2.5 * i
        corners += [(20, z), (20, z + 1), (12, z + 1), (12, z + 2.5)]
    return turned([*corners[:-1], (0, corners[-2][1])])


def auger() -> Any:
    """A conveyor screw: a thin deep fin, pitch 20."""
    p, w = 20.0, 1.5
    fin = (
        [(-p / 2 + w, 4.0), (p / 2 - w, 4.0)],
        [(p / 2 - w, 4.0), (p / 2 - w / 2, 14.0)],
        [(p / 2 - w / 2, 14.0), (p / 2 + w / 2, 14.0)],
        [(p / 2 + w / 2, 14.0), (p / 2 + w, 4.0)],
    )
    return ts.rod(ts.Ridge(fin, p), 60)


def spring(wire: float = 1.0, radius: float = 6.0, pitch: float = 2.2, turns: float = 6) -> Any:
    """A coil of round wire."""
    n, m = int(turns * ts.A_TURN) + 1, 25
    t, a = np.linspace(0, 2 * math.pi * turns, n), np.linspace(0, 2 * math.pi, m)
    k = pitch / (2 * math.pi)
    centre = np.stack([radius * np.cos(t), radius * np.sin(t), k * t], axis=1)
    out = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    along = np.stack([-radius * np.sin(t), radius * np.cos(t), k + 0 * t], axis=1)
    along /= np.linalg.norm(along, axis=1)[:, None]
    up = np.cross(along, out) * -1
    ring = np.cos(a)[:, None, None] * out + np.sin(a)[:, None, None] * up
    face = ts.spline_face(centre + wire * ring)
    surface = BRep_Tool.Surface_s(face)
    ends = []
    for v in (0.0, 1.0):
        edge = BRepBuilderAPI_MakeEdge(surface.VIso(v)).Edge()
        ends.append(MakeFace(BRepBuilderAPI_MakeWire(edge).Wire(), True).Face())
    return ts.solid([face, *ends])


def ridge_alone(screw: ts.Screw, turns: int = 5) -> Any:
    """A thread's ridge without its core, as some libraries make it as a body of its own."""
    _, rise, crest, fall = screw.pieces()
    foot = [fall[1], rise[0]]
    foot = [(foot[0][0], foot[0][1]), (foot[1][0], foot[1][1])]
    phi = np.linspace(0, 2 * math.pi * turns, turns * ts.A_TURN + 1)
    faces, rims = [], ([], [])
    for (z0, r0), (z1, r1) in (rise, crest, fall, foot):
        z, r = np.linspace(z0, z1, 8)[:, None], np.linspace(r0, r1, 8)[:, None]
        up = z + screw.lead * phi / (2 * math.pi)
        face = ts.spline_face(np.stack([r * np.cos(phi), r * np.sin(phi), up], axis=2))
        faces.append(face)
        surface = BRep_Tool.Surface_s(face)
        for rim, v in zip(rims, (0.0, 1.0), strict=True):
            rim.append(BRepBuilderAPI_MakeEdge(surface.VIso(v)).Edge())
    for rim in rims:
        faces.append(MakeFace(BRepBuilderAPI_MakeWire(*rim).Wire(), True).Face())
    return ts.solid(faces)


def half_screw() -> Any:
    """M8 cut in half along its axis, as for a section view: no whole turn."""
    return shapes.cut(ts.rod(ts.iso(8, 1.25), 4), shapes.box(20, 10, 20, (-10, 0, -5)))


def pipe_thread() -> Any:
    """R 1/2: conical, 1:16."""
    screw = ts.Screw(20.955, 25.4 / 14, 20.955 - 2 * 1.162, flank=55.0, crest=0.3)
    return ts.rod(screw, 15, warp=lambda r, z: r + (z - 15) / 32)


def worm() -> Any:
    """Module 2, one start, 20°: pitch 2π, depth 2.25 modules."""
    m = 2.0
    p = math.pi * m
    tan = math.tan(math.radians(20))
    return ts.Screw(20 + 2 * m, p, 20 - 2.5 * m, flank=40.0, crest=p / 2 - 2 * m * tan)


LOOK_ALIKES: dict[str, Callable[[], Any]] = {
    "turned grooves, M8 profile": rings,
    "turned waves in splines": smooth_rings,
    "bellows": bellows,
    "straight knurl": straight_knurl,
    "diamond knurl": diamond_knurl,
    "flat diamond knurl": fine_diamond_knurl,
    "one-way knurl": one_way_knurl,
    "gear": gear,
    "helical gear": helical_gear,
    "splined shaft": splined_shaft,
    "spring": spring,
    "ridge without a core": lambda: ridge_alone(ts.iso(8, 1.25)),
    "spiral groove, lead 3 d": wide_spiral,
    "oil groove in a bush": oil_groove,
    "ball screw": ball_screw,
    "twisted prism": twisted_prism,
    "twist drill": drill,
    "cooling rings": fins,
    "auger": auger,
    "conical pipe thread": pipe_thread,
    "M8 screw cut in half": half_screw,
    "half a turn of M8": lambda: ts.rod(ts.iso(8, 1.25), 0.7),
}
