"""Mutations of a whole part: its place, size, hand, bodies, names and file. Lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from OCP.BRep import BRep_Builder
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_Copy,
    BRepBuilderAPI_GTransform,
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_Transform,
)
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCone
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_GTrsf, gp_Pnt, gp_Trsf, gp_Vec
from OCP.TopAbs import TopAbs_FACE
from OCP.TopoDS import TopoDS_Shell, TopoDS_Solid

from gaugeblock.calibration.mutation.bodies import (
    Item,
    NotApplicable,
    Part,
    Vector,
    box_of,
    explored,
    solids_in,
    sound,
    volume_of,
)

AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}

INCH = 25.4
"""Millimetres an inch."""

STRAY_GAP = 5.0
"""Distance of a stray solid from the part, mm."""


def box(part: Part) -> tuple[Vector, Vector]:
    """Return the part's box, mm."""
    return box_of(item.shape for item in part.items)


def centre(part: Part) -> Vector:
    """Return the middle of the part's box, mm."""
    low, high = box(part)
    return ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)


def transformed(part: Part, set_up: Callable[[Any], None]) -> Part:
    """Return the part under one similarity, set up on a `gp_Trsf`."""
    change = gp_Trsf()
    set_up(change)
    return part.each(lambda shape: _only(BRepBuilderAPI_Transform(shape, change, True).Shape()))


def mirrored(part: Part, axis: str) -> Part:
    """Return the mirror image in the plane square to `axis` through the box's middle."""
    plane = gp_Ax2(gp_Pnt(*centre(part)), gp_Dir(*AXES[axis]))
    return transformed(part, lambda change: change.SetMirror(plane))


def rotated(part: Part, axis: str) -> Part:
    """Return the part turned by 90° about `axis` through the box's middle."""
    line = gp_Ax1(gp_Pnt(*centre(part)), gp_Dir(*AXES[axis]))
    return transformed(part, lambda change: change.SetRotation(line, math.pi / 2))


def shifted(part: Part, axis: str, by: float) -> Part:
    """Return the part moved by `by` mm along `axis`."""
    way = gp_Vec(*(by * a for a in AXES[axis]))
    return transformed(part, lambda change: change.SetTranslation(way))


def scaled(part: Part, factor: float) -> Part:
    """Return the part scaled about the origin, as a wrong unit would."""
    return transformed(part, lambda change: change.SetScale(gp_Pnt(0, 0, 0), factor))


def stretched(part: Part, axis: str, factor: float) -> Part:
    """Return the part stretched along one axis from the box's low side."""
    low, _ = box(part)
    index = "XYZ".index(axis)
    change = gp_GTrsf()
    change.SetValue(index + 1, index + 1, factor)
    change.SetValue(index + 1, 4, low[index] * (1 - factor))
    return part.each(lambda shape: _only(BRepBuilderAPI_GTransform(shape, change, True).Shape()))


def claimed_in_inches(part: Part) -> Part:
    """Return the file whose numbers are the reference's and whose unit says inch."""
    return replace(scaled(part, INCH), unit="INCH")


def merged(part: Part) -> Part:
    """Return the part with its bodies fused into the first."""
    if len(part.items) < 2:
        raise NotApplicable("the part has one solid only")
    whole = part.items[0].shape
    for item in part.items[1:]:
        whole = BRepAlgoAPI_Fuse(whole, item.shape).Shape()
    found = solids_in(whole)
    if len(found) != 1 or not sound(found[0]):
        raise NotApplicable("the solids do not touch: they cannot be one")
    return replace(part, items=(Item(part.items[0].name, found[0]),))


def split(part: Part) -> Part:
    """Return the part with its first body cut in two that touch, across its longest side."""
    shape = part.items[0].shape
    low, high = box_of([shape])
    axis = max(range(3), key=lambda i: high[i] - low[i])
    middle = (low[axis] + high[axis]) / 2
    halves = []
    for side in (0, 1):
        a, b = [v - 1.0 for v in low], [v + 1.0 for v in high]
        (b if side == 0 else a)[axis] = middle
        half = BRepPrimAPI_MakeBox(gp_Pnt(*a), gp_Pnt(*b)).Shape()
        halves += solids_in(BRepAlgoAPI_Common(shape, half).Shape())
    if len(halves) < 2 or not all(sound(half) for half in halves):
        raise NotApplicable("the kernel cannot cut the body in two")
    if abs(sum(map(volume_of, halves)) - volume_of(shape)) > 1e-6 * volume_of(shape):
        raise NotApplicable("the halves do not add up to the body")
    name = part.items[0].name
    named = [Item(f"{name} {i}" if name else None, half) for i, half in enumerate(halves, 1)]
    return replace(part, items=(*named, *part.items[1:]))


def duplicated(part: Part) -> Part:
    """Return the part with a copy of its first body in the same place."""
    first = part.items[0]
    copy = BRepBuilderAPI_Copy(first.shape).Shape()
    return replace(part, items=(*part.items, Item(first.name, _only(copy))))


def with_stray_solid(part: Part) -> Part:
    """Return the part with a 1 mm cube beside it."""
    _, high = box(part)
    at = gp_Pnt(high[0] + STRAY_GAP, high[1], high[2])
    cube = BRepPrimAPI_MakeBox(at, 1.0, 1.0, 1.0).Solid()
    name = "stray" if part.items[0].name else None
    return replace(part, items=(*part.items, Item(name, cube)))


def face_removed(part: Part) -> Part:
    """Return the part with the last face of its first body left out: an open shell."""
    shape = part.items[0].shape
    faces = explored(shape, TopAbs_FACE)
    return part.with_shape(0, _solid(faces[:-1]))


def inside_out(part: Part) -> Part:
    """Return the part with its bodies reversed, so that the file's face senses are inverted."""
    return part.each(lambda shape: shape.Reversed())


def boxed(part: Part) -> Part:
    """Return one box of the part's size at its place."""
    low, high = box(part)
    solid = BRepPrimAPI_MakeBox(gp_Pnt(*low), gp_Pnt(*high)).Solid()
    return replace(part, items=(Item(part.items[0].name, solid),))


def empty(part: Part) -> Part:
    """Return a file without a solid: one straight edge as long as the part."""
    low, high = box(part)
    edge = BRepBuilderAPI_MakeEdge(gp_Pnt(*low), gp_Pnt(*high)).Edge()
    return replace(part, items=(), stray=(edge,))


def random_body(part: Part, seed: int) -> Part:
    """Return a cone frustum of random shape and direction that has the part's volume.

    Its middle is the box's middle, so that neither volume nor place gives it away.
    """
    dice = np.random.default_rng(seed)
    wide, narrow, tall = (float(v) for v in dice.uniform((0.8, 0.2, 0.8), (1.2, 0.6, 1.6)))
    unit = math.pi * tall / 3 * (wide**2 + wide * narrow + narrow**2)
    volume = sum(volume_of(item.shape) for item in part.items)
    size = (volume / unit) ** (1 / 3)
    way = dice.normal(size=3)
    way /= np.linalg.norm(way)
    middle = np.array(centre(part)) - way * tall * size / 2
    axes = gp_Ax2(gp_Pnt(*middle.tolist()), gp_Dir(*way.tolist()))
    body = BRepPrimAPI_MakeCone(axes, wide * size, narrow * size, tall * size).Solid()
    return replace(part, items=(Item(part.items[0].name, body),))


def renamed(part: Part) -> Part:
    """Return the part with every body called something else."""
    if not all(item.name for item in part.items):
        raise NotApplicable("the bodies have no names")
    items = tuple(replace(item, name=f"not {item.name}") for item in part.items)
    return replace(part, items=items)


def nameless(part: Part) -> Part:
    """Return the part without product names."""
    if not all(item.name for item in part.items):
        raise NotApplicable("the bodies have no names")
    return replace(part, named=False)


def _solid(faces: list[Any]) -> Any:
    builder, shell, solid = BRep_Builder(), TopoDS_Shell(), TopoDS_Solid()
    builder.MakeShell(shell)
    for face in faces:
        builder.Add(shell, face)
    builder.MakeSolid(solid)
    builder.Add(solid, shell)
    return solid


def _only(shape: Any) -> Any:
    found = solids_in(shape)
    return found[0] if len(found) == 1 else shape
