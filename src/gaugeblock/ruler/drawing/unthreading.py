"""Solids as they were before their threads were cut: what a sheet draws in place of a helix.

A threaded stretch is cut out of a shaft and a turned body set in its place; a threaded bore is
filled, and drilled to its minor diameter. In a child process, for booleans may crash, hang, and
start threads. What comes out is believed only if nothing but the stretch can have changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakePolygon
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.BRepPrimAPI import BRepPrimAPI_MakeRevol
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.GeomAbs import GeomAbs_SurfaceType
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.ShapeUpgrade import ShapeUpgrade_UnifySameDomain
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_SOLID
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS

from gaugeblock.records.features import Feature, Thread
from gaugeblock.ruler.drawing.anatomy import Face, Floats, aside, faces_of
from gaugeblock.ruler.drawing.cutting import received, sent
from gaugeblock.ruler.drawing.stretches import Stretch, Unlike, numbered, stretch_of
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.reading import ReadSolid

SECONDS = 10.0
"""Ceiling of all threads of a file in s: one takes some 0.2 s."""

LEFT = 1e-6
"""Part of its radius by which a face may be off and still be the tool's, which must be gone."""


@dataclass(frozen=True)
class Unthreaded:
    """Solids for drawing."""

    solids: list[ReadSolid]
    """As read, or in place of those with threads the plain bodies."""
    faces: list[Face]
    """Theirs, in the file's coordinates, with the numbers that they have in the file's solids."""
    features: list[Feature]
    """As recognised; axes fitted to threads are those of the plain bodies."""
    stretches: dict[str, Stretch]
    """The threads that are drawn by their thin lines, by their ids."""
    told: list[str]
    """Which threads are drawn as modelled, and why."""


def unthreaded(
    solids: Sequence[ReadSolid], faces: Sequence[Face], features: Sequence[Feature]
) -> Unthreaded:
    """Return solids whose threads are gone.

    Args:
        solids: What is drawn.
        faces: All their faces, in the file's coordinates.
        features: What was recognised on them.
    """
    found = Unthreaded(list(solids), list(faces), list(features), {}, [])
    wanted: dict[int, list[Stretch]] = {}
    for thread in (f for f in features if isinstance(f, Thread)):
        try:
            stretch = stretch_of(thread, [f for f in faces if f.solid == thread.solid])
        except Unlike as why:
            found.told.append(_told([thread], str(why)))
        else:
            wanted.setdefault(thread.solid, []).append(stretch)
    children = {n: Child(_work(solids[n].shape, own), SECONDS) for n, own in wanted.items()}
    for number, child in children.items():
        own = wanted[number]
        try:
            _replace(found, number, own, child.result())
        except Unlike as why:
            found.told.append(_told([stretch.thread for stretch in own], str(why)))
    return found


def _replace(
    found: Unthreaded, number: int, stretches: Sequence[Stretch], answer: dict[str, Any] | str
) -> None:
    """Put a plain body in a solid's place.

    Raises:
        Unlike: it is not what it should be; the text says why.
    """
    if isinstance(answer, str):
        raise Unlike(answer)
    bodies = received(answer["body"])
    if len(bodies) != 1:
        raise Unlike("the body without it could not be read back")
    old = [face for face in found.faces if face.solid == number]
    new = numbered(faces_of(bodies), old, stretches)
    found.faces[:] = [face for face in found.faces if face.solid != number] + [
        replace(face, solid=number) for face in new
    ]
    solid = found.solids[number]
    found.solids[number] = replace(solid, shape=bodies[0], face_colours=())
    for stretch in stretches:
        found.stretches[stretch.thread.id] = stretch
        kept = (stretch.exact(feature) for feature in found.features)
        found.features[:] = [feature for feature in kept if feature is not None]


def _told(threads: Sequence[Thread], why: str) -> str:
    names = ", ".join(thread.id for thread in threads)
    return f"{names} drawn as modelled, not by ISO 6410: {why}"


def _work(solid: Any, stretches: Sequence[Stretch]) -> Any:
    def work() -> dict[str, Any] | str:
        body = solid
        for stretch in stretches:
            body = _bored(body, stretch) if stretch.thread.internal else _turned(body, stretch)
            if isinstance(body, str):
                return body
        body = _seamless(body, solid)
        why = _changed(solid, body, stretches)
        return why or {"body": sent([body])}

    return work


def _seamless(body: Any, solid: Any) -> Any:
    """Return a body without the borders that tools left on faces; edges of `solid` stay."""
    known = ShapeMap()
    TopExp.MapShapes_s(solid, TopAbs_EDGE, known)
    tidy = ShapeUpgrade_UnifySameDomain(body, True, True, False)
    for edge in explore(body, TopAbs_EDGE):
        if known.FindIndex(edge):
            tidy.KeepShape(edge)
    tidy.Build()
    found = explore(tidy.Shape(), TopAbs_SOLID)
    return TopoDS.Solid(found[0]) if len(found) == 1 else body


def _turned(solid: Any, stretch: Stretch) -> Any:
    """Return a shaft with a plain stretch, or a line that says why there is none."""
    gone = ((stretch.low, stretch.reach), (stretch.high, stretch.reach))
    rest = BRepAlgoAPI_Cut(solid, _revolved(stretch, gone, stretch.inner))
    plain = _revolved(stretch, stretch.profile, stretch.inner)
    if not explore(rest.Shape(), TopAbs_SOLID):
        return TopoDS.Solid(explore(plain, TopAbs_SOLID)[0])  # nothing but a thread
    return _one(BRepAlgoAPI_Fuse(rest.Shape(), plain))


def _bored(solid: Any, stretch: Stretch) -> Any:
    """Return a solid with a plain bore, or a line that says why there is none."""
    plug = ((stretch.low, stretch.reach), (stretch.high, stretch.reach))
    full = BRepAlgoAPI_Fuse(solid, _revolved(stretch, plug, 0.0))
    return _one(BRepAlgoAPI_Cut(full.Shape(), _revolved(stretch, stretch.profile, 0.0)))


def _one(algorithm: Any) -> Any:
    found = explore(algorithm.Shape(), TopAbs_SOLID) if algorithm.IsDone() else []
    return TopoDS.Solid(found[0]) if len(found) == 1 else "the body without it fell apart"


def _revolved(stretch: Stretch, outline: Sequence[tuple[float, float]], inner: float) -> Any:
    """Return the body that an outline (height, radius) and an inner radius enclose."""
    side = np.cross(stretch.axis, np.eye(3)[int(np.argmin(np.abs(stretch.axis)))])
    side = side / np.linalg.norm(side)
    corners = [(outline[0][0], inner), *outline, (outline[-1][0], inner)]
    polygon = BRepBuilderAPI_MakePolygon()
    for height, radius in corners:
        polygon.Add(_point(stretch.at(height) + radius * side))
    polygon.Close()
    face = BRepBuilderAPI_MakeFace(polygon.Wire(), True).Face()
    axis = gp_Ax1(_point(stretch.origin), gp_Dir(*stretch.axis.tolist()))
    return BRepPrimAPI_MakeRevol(face, axis).Shape()


def _point(place: Floats) -> Any:
    return gp_Pnt(*place.tolist())


def _changed(solid: Any, body: Any, stretches: Sequence[Stretch]) -> str | None:
    """Return what else than the threads has changed, or None."""
    if not BRepCheck_Analyzer(body).IsValid():
        return "the body without it is not valid"
    filled = _volume(body) - _volume(solid)
    if not 0.0 < filled < sum(s.groove for s in stretches):
        return "its grooves and the body without it do not differ by what they should"
    for face in explore(body, TopAbs_FACE):
        surface = BRepAdaptor_Surface(TopoDS.Face(face), False)
        if surface.GetType() == GeomAbs_SurfaceType.GeomAbs_Cylinder:
            cylinder = surface.Cylinder()
            place = np.array(cylinder.Location().Coord())
            for stretch in stretches:
                off = aside(place, stretch.origin, stretch.axis)
                if abs(cylinder.Radius() - stretch.reach) + off < LEFT * stretch.reach:
                    return "what is around it is in the way"
    return None


def _volume(solid: Any) -> float:
    """Return a volume by the kernel's own integration, mm³: rough on splines, enough here."""
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(solid, properties)
    return float(properties.Mass())
