"""Booleans, held to what volumes allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from OCP.BRep import BRep_Builder
from OCP.BRepAlgoAPI import (
    BRepAlgoAPI_BooleanOperation,
    BRepAlgoAPI_Common,
    BRepAlgoAPI_Cut,
    BRepAlgoAPI_Fuse,
)
from OCP.collections import List_TopoDS_Shape
from OCP.ShapeUpgrade import ShapeUpgrade_UnifySameDomain
from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shape

from gaugeblock.host.worker.checking import items, volume_of
from gaugeblock.host.worker.objects.copying import copied
from gaugeblock.host.worker.objects.faults import Fault

VOLUME_RELATIVE = 1e-4
"""How coarse the volumes are that are held against each other; what the kernel gets wrong here is a
whole operand."""
SAME_RELATIVE = 1e-9
"""Volumes this close, with as many faces, are of an object that nothing was cut from."""
KINDS: dict[str, type[BRepAlgoAPI_BooleanOperation]] = {
    "union": BRepAlgoAPI_Fuse,
    "cut": BRepAlgoAPI_Cut,
    "intersect": BRepAlgoAPI_Common,
}
APART = "Move them so that they overlap; measure_between tells how far apart objects are."


def boolean(given: dict[str, Any], shapes: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    """Return the union, cut or intersection of the first shape with all others together.

    Raises:
        Fault: nothing is left, nothing was cut, or the volumes cannot be.
    """
    operation, target, tools = given["operation"], shapes[0], shapes[1:]
    made = combined(operation, [target], tools)
    before, after = volume_of(target), volume_of(made)
    if operation == "cut":
        if not after > 0:
            said = "the tools cover the whole target, so nothing would be left"
            raise Fault("no-solid", said, "Make the tools smaller, or delete the target.")
        same = abs(after - before) <= SAME_RELATIVE * before
        if same and len(items(made, TopAbs_FACE)) == len(items(target, TopAbs_FACE)):
            said = "the tools do not reach into the target, so nothing would be cut"
            raise Fault("no-effect", said, APART)
    if operation == "intersect" and not after > 0:
        raise Fault("no-solid", "the objects share no space, so nothing would be left", APART)
    return made


def unite(given: dict[str, Any], shapes: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    """Return one shape of all: solids that meet are joined, the others lie side by side."""
    del given
    return combined("union", shapes[:1], shapes[1:])


def combined(
    operation: str, arguments: Sequence[TopoDS_Shape], tools: Sequence[TopoDS_Shape]
) -> TopoDS_Shape:
    """Return a boolean's solids, after a look at their volumes.

    Raises:
        Fault: the kernel fails, or answers what no boolean can: it is known to say "nothing" of
            shapes that nearly coincide.
    """
    builder = KINDS[operation]()
    builder.SetArguments(_copies(arguments))
    builder.SetTools(_copies(tools))
    builder.SetRunParallel(False)
    builder.Build()
    if not builder.IsDone():
        raise Fault("not-built", f"the {operation} failed in the geometry kernel", NUDGE)
    unify = ShapeUpgrade_UnifySameDomain(builder.Shape(), True, True, False)
    unify.Build()
    made = solids_of(unify.Shape())
    first, second = sum(map(volume_of, arguments)), sum(map(volume_of, tools))
    after, most = volume_of(made), max(map(volume_of, (*arguments, *tools)))
    least, greatest = {
        "union": (most, first + second),
        "cut": (max(0.0, first - second), first),
        "intersect": (0.0, min(first, second)),
    }[operation]
    margin = VOLUME_RELATIVE * (first + second)
    if not least - margin <= after <= greatest + margin:
        raise Fault(
            "not-built",
            f"the {operation} has {after:g} mm³ where only {least:g} to {greatest:g} mm³ can be",
            NUDGE,
        )
    return made


NUDGE = "Faces that nearly coincide or touch along a line are the usual cause: let the objects "
NUDGE += "overlap clearly, or make faces meet exactly."


def solids_of(shape: TopoDS_Shape) -> TopoDS_Shape:
    """Return the one solid of a shape, or a compound of all its solids."""
    found = items(shape, TopAbs_SOLID)
    if len(found) == 1:
        return found[0]
    whole, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(whole)
    for solid in found:
        builder.Add(whole, solid)
    return whole


def _copies(shapes: Sequence[TopoDS_Shape]) -> List_TopoDS_Shape:
    copies = List_TopoDS_Shape()
    for shape in shapes:
        copies.Append(copied(shape))
    return copies
