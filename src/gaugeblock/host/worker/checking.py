"""Check shapes in a process that ran no model code: facts, validity, sameness."""

from __future__ import annotations

import io
import math
from typing import Any

from OCP.BinTools import BinTools, BinTools_FormatVersion
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopExp import TopExp, TopExp_Explorer
from OCP.TopoDS import TopoDS_Shape

SAME_RELATIVE = 1e-6
"""Symmetric difference over volume up to which an object counts as unchanged: the tolerance of
the conservation rule of suite growth."""
FAULTS = 5
"""Faults named in a rejection; one broken pattern can have hundreds of the same kind."""
SETTLED = 1e-9
"""Relative change of a face's share of the volume at which adaptive integration stops."""
SETTLED_SLOWLY = 1e-7
"""The same of the Gauss–Kronrod rule, whose figures are better than it says."""
APART = 1e-4
"""Relative difference of two volumes from which one of them is wrong and not just coarse."""
INFINITE_MM = 1e12
"""The kernel's own stand-in for infinity is 1e100 or 2e100; no part is larger than a planet."""


def decode(data: bytes) -> TopoDS_Shape:
    """Return the shape of a binary B-rep.

    Raises:
        ValueError: the bytes hold no shape.
    """
    shape = TopoDS_Shape()
    BinTools.Read_s(shape, io.BytesIO(data))
    if shape.IsNull():
        raise ValueError("the serialised shape is empty")
    return shape


def encode(shape: TopoDS_Shape) -> bytes:
    """Return a shape as binary B-rep, without any triangles."""
    stream = io.BytesIO()
    current = BinTools_FormatVersion.BinTools_FormatVersion_CURRENT
    BinTools.Write_s(shape, stream, False, False, current)
    return stream.getvalue()


def check(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Judge and measure each object.

    Args:
        value: ``names`` in the blobs' order, ``max_faces`` ceiling.
        blobs: binary B-rep of each object, written by a process that ran model code.
        files: unused.

    Returns:
        ``faults`` (code, message), the gravest first; and, where there are none, ``objects``:
        counts, volume mm³, area mm², centroid and bounds mm.
    """
    del files
    objects, faults = [], []
    for name, data in zip(value["names"], blobs, strict=True):
        shape = decode(data)
        fault = misfit(name, shape, value["max_faces"])
        if fault is not None:
            return {"objects": [], "faults": [fault]}, []
        facts, found = facts_of(name, shape)
        objects.append(facts)
        faults += found
    message = "; ".join(faults[:FAULTS])
    coded = [{"code": "not-valid", "message": message}] if faults else []
    return {"objects": objects, "faults": coded}, []


def misfit(name: str, shape: TopoDS_Shape, max_faces: int) -> dict[str, str] | None:
    """Return why a shape is none that a document holds, before anything costly is asked of it."""
    solids = items(shape, TopAbs_SOLID)
    faces = len(items(shape, TopAbs_FACE))
    if not solids:
        return {"code": "no-solid", "message": f"object {name!r} has no solid"}
    if faces > max_faces:
        message = f"object {name!r} has {faces} faces; at most {max_faces}"
        return {"code": "limit", "message": message}
    loose = faces - sum(len(items(solid, TopAbs_FACE)) for solid in solids)
    if loose > 0:
        message = f"object {name!r} has {loose} faces outside any solid"
        return {"code": "not-valid", "message": message}
    return None


def facts_of(
    name: str, shape: TopoDS_Shape, *, adaptive: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """Return what is measured of an object, and the faults that were found in it.

    Args:
        name: the object's, for messages.
        shape: its solids.
        adaptive: integrate volumes until they settle (:func:`volume_properties`). What programs
            make is integrated at once, as it always was: saved documents are held to that.
    """
    solids = items(shape, TopAbs_SOLID)
    volumes, faults = [], []
    area, moment = 0.0, [0.0, 0.0, 0.0]
    for number, solid in enumerate(solids, 1):
        props = volume_properties(solid) if adaptive else _volume_properties_at_once(solid)
        volume = props.Mass()
        volumes.append(volume)
        centre = props.CentreOfMass()
        for axis, coordinate in enumerate((centre.X(), centre.Y(), centre.Z())):
            moment[axis] += volume * coordinate
        surface = GProp_GProps()
        BRepGProp.SurfaceProperties_s(solid, surface)
        area += surface.Mass()
        place = name if len(solids) == 1 else f"{name}, solid {number} of {len(solids)}"
        faults += [f"{place}: {fault}" for fault in _faults(solid, volume)]
    total = sum(volumes)
    low, high = bounds(shape)
    if not all(abs(figure) < INFINITE_MM for figure in (*low, *high)):
        faults.append(f"{name}: it reaches beyond {INFINITE_MM:g} mm: it is infinite")
    facts = {
        "name": name,
        "solids": len(solids),
        "volume": total,
        "area": area,
        "centroid": [part / total for part in moment] if total > 0 else None,
        "bounds": {"min": low, "max": high},
        "faces": _count(shape, TopAbs_FACE),
        "edges": _count(shape, TopAbs_EDGE),
    }
    return facts, faults


def volume_properties(solid: TopoDS_Shape) -> GProp_GProps:
    """Return volume and centroid, integrated until they settle.

    At once, the kernel is off by up to 4e-5 on lofts and where round faces meet; adaptively it is
    good to some 1e-9, but lost on flat faces inside one closed spline. Where the two are far apart,
    the slow Gauss–Kronrod rule is asked, which is right on those.
    """
    at_once, settled = _volume_properties_at_once(solid), GProp_GProps()
    BRepGProp.VolumeProperties_s(solid, settled, SETTLED, False, False)
    volumes = at_once.Mass(), settled.Mass()
    if abs(volumes[0] - volumes[1]) <= APART * abs(volumes[0]):
        return settled
    slow = GProp_GProps()
    BRepGProp.VolumePropertiesGK_s(solid, slow, SETTLED_SLOWLY, False, False, True, False, False)
    return slow


def _volume_properties_at_once(solid: TopoDS_Shape) -> GProp_GProps:
    props = GProp_GProps()
    BRepGProp.VolumeProperties_s(solid, props)
    return props


def _faults(solid: TopoDS_Shape, volume: float) -> list[str]:
    faults = []
    if any(not BRep_Tool.IsClosed_s(shell) for shell in items(solid, TopAbs_SHELL)):
        faults.append("its shell is open: faces are missing or do not share their edges")
    if not BRepCheck_Analyzer(solid).IsValid():
        faults.append("the kernel's check finds broken topology (self-intersection, open wire, …)")
    if not math.isfinite(volume):
        faults.append("its volume is not finite")
    elif volume <= 0:
        faults.append(f"its volume is {volume:.6g} mm³: it is inside out or empty")
    return faults


def bounds(shape: TopoDS_Shape) -> tuple[list[float], list[float]]:
    """Return the lowest and the highest corner of a shape's exact box, mm."""
    box = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape, box, False, False)
    box.SetGap(0.0)  # the gap is the kernel's safety margin, not a part of the shape
    low, high = box.CornerMin(), box.CornerMax()
    return [low.X(), low.Y(), low.Z()], [high.X(), high.Y(), high.Z()]


def same(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Compare pairs of objects: before, after, before, after and so on.

    Returns:
        ``pairs``: of each pair ``relative`` and ``same``, whether that is within
        :data:`SAME_RELATIVE`. ``relative`` is the largest of three: the volume of the symmetric
        difference and the difference of the volumes, both over the volume before, and the shift
        of the bounds over their size. Equal bytes are equal shapes: 0.
    """
    del value, files
    pairs = zip(blobs[::2], blobs[1::2], strict=True)
    return {"pairs": [_compare(before, after) for before, after in pairs]}, []


def _compare(before: bytes, after: bytes) -> dict[str, Any]:
    if before == after:
        return {"relative": 0.0, "same": True}
    first, second = decode(before), decode(after)
    volume = volume_of(first)
    # The difference of volumes bounds the symmetric difference from below; booleans alone can
    # answer "nothing" for shapes that nearly coincide.
    least = abs(volume - volume_of(second)) / volume
    cuts = sum(
        volume_of(BRepAlgoAPI_Cut(a, b).Shape()) for a, b in ((first, second), (second, first))
    )
    relative = max(least, cuts / volume, _bounds_shift(first, second))
    return {"relative": relative, "same": relative <= SAME_RELATIVE}


def _bounds_shift(first: TopoDS_Shape, second: TopoDS_Shape) -> float:
    """Return how far the boxes differ over the box's size: a shift that a boolean can miss."""
    (low1, high1), (low2, high2) = bounds(first), bounds(second)
    size = max(high - low for low, high in zip(low1, high1, strict=True))
    pairs = zip((*low1, *high1), (*low2, *high2), strict=True)
    return max(abs(a - b) for a, b in pairs) / size


def volume_of(shape: TopoDS_Shape) -> float:
    """Return the sum of the volumes of a shape's solids, mm³."""
    total = 0.0
    for solid in items(shape, TopAbs_SOLID):
        props = GProp_GProps()
        BRepGProp.VolumeProperties_s(solid, props)
        total += abs(props.Mass())
    return total


def items(shape: TopoDS_Shape, kind: Any) -> list[TopoDS_Shape]:
    """Return the parts of a kind in a shape, each as often as it is used."""
    explorer, found = TopExp_Explorer(shape, kind), []
    while explorer.More():
        found.append(explorer.Current())
        explorer.Next()
    return found


def _count(shape: TopoDS_Shape, kind: Any) -> int:
    found = ShapeMap()
    TopExp.MapShapes_s(shape, kind, found)
    return found.Extent()
