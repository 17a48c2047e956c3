"""Parts for drawings, with the features that a recogniser would find on them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf
from ruler_shapes import box, cut, cylinder

from gaugeblock.records.features import Counterbore, Feature, Groove, Hole
from gaugeblock.ruler.drawing.anatomy import faces_of
from gaugeblock.ruler.drawing.composing import Options, compose
from gaugeblock.ruler.drawing.sheet import Sheet, Title
from gaugeblock.ruler.reading import ReadSolid

Vector = tuple[float, float, float]


def read(shape: Any) -> ReadSolid:
    from OCP.TopAbs import TopAbs_SOLID
    from OCP.TopoDS import TopoDS

    from gaugeblock.ruler.explore import explore

    solid = TopoDS.Solid(explore(shape, TopAbs_SOLID)[0])
    return ReadSolid(shape=solid, name="part", instance=None, path=(), colour=None)


def drawn(shape: Any, features: list[Feature] | None = None, **options: Any) -> Sheet:
    title = options.pop("title", Title(name="Part"))
    return compose([read(shape)], features or [], Options(title=title, **options))


def turned(shape: Any, axis: Vector, angle: float) -> Any:
    """`shape` turned about an axis through 1, 2, 3; `angle` in degrees."""
    turn = gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(1, 2, 3), gp_Dir(*axis)), math.radians(angle))
    return BRepBuilderAPI_Transform(shape, turn, True).Shape()


def axial(radius: float, low: float, high: float) -> Any:
    """A cylinder about the x axis."""
    return BRepPrimAPI_MakeCylinder(
        gp_Ax2(gp_Pnt(low, 0, 0), gp_Dir(1, 0, 0)), radius, high - low
    ).Shape()


def hole(
    shape: Any,
    number: int,
    at: Vector,
    radius: float,
    depth: float,
    *,
    into: Vector = (0, 0, -1),
    through: bool = True,
    bore: tuple[float, float] | None = None,
) -> Hole:
    """The hole at a place: its faces are the bores around its axis, and floors inside it.

    Args:
        shape: The part.
        number: Its number.
        at: On the axis, at the entry.
        radius: Of the bore.
        depth: Of all of it.
        into: Into the material.
        through: Whether it opens on both sides.
        bore: Radius and depth of a counterbore.
    """
    axis, place = np.array(into), np.array(at)
    faces = []
    wide = bore[0] if bore else radius
    for face in faces_of([read(shape).shape]):
        arm = face.points - place
        far = np.linalg.norm(arm - np.outer(arm @ axis, axis), axis=1).max()
        inside = far < wide * 1.01 and abs(face.axis @ axis) > 0.99
        if inside:
            faces.append(face.number)
    return Hole(
        id=f"hole-{number}",
        solid=0,
        faces=faces,
        position=at,
        through=through,
        axis=into,
        diameter=2 * radius,
        depth=depth,
        bottom="open" if through else "flat",
        counterbore=Counterbore(diameter=2 * bore[0], depth=bore[1]) if bore else None,
        steps=[(2 * radius, depth)],
        entry_faces=[],
    )


def plate() -> tuple[Any, list[Feature]]:
    """100 × 60 × 12 with four holes ⌀8, 10 mm from the edges."""
    places = [(x, y) for x in (10, 90) for y in (10, 50)]
    shape = cut(box(100, 60, 12), *(cylinder(4, 20, (x, y, -4)) for x, y in places))
    holes = [hole(shape, i, (x, y, 12), 4, 12) for i, (x, y) in enumerate(places, 1)]
    return shape, list(holes)


def bored() -> tuple[Any, list[Feature]]:
    """60 × 40 × 20 with one blind hole ⌀10, 12 deep, in its middle."""
    shape = cut(box(60, 40, 20), cylinder(5, 20, (30, 20, 8)))
    return shape, [hole(shape, 1, (30, 20, 20), 5, 12, through=False)]


def shaft() -> Any:
    """Turned about x: ⌀20 × 30, ⌀32 × 40, ⌀16 × 30."""
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Fuse

    shape = BRepAlgoAPI_Fuse(axial(10, 0, 30), axial(16, 30, 70)).Shape()
    return BRepAlgoAPI_Fuse(shape, axial(8, 70, 100)).Shape()


def grooved() -> tuple[Any, list[Feature]]:
    """⌀30 × 80 with a groove of 1.3 × 0.7 at 30."""
    ring = cut(axial(20, 30, 31.3), axial(14.3, 29, 33))
    shape = cut(axial(15, 0, 80), ring)
    own = [
        face.number
        for face in faces_of([read(shape).shape])
        if face.points[:, 0].min() > 29.9 and face.points[:, 0].max() < 31.4
    ]
    groove = Groove(
        id="groove-1",
        solid=0,
        faces=own,
        position=(30.65, 0, 0),
        where="external",
        axis=(1, 0, 0),
        diameter=28.6,
        width=1.3,
        depth=0.7,
    )
    return shape, [groove]
