"""A part in memory: its solids with their names, read from STEP and written to it.

Runs inside the sandbox worker only. Lengths in mm.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.GProp import GProp_GProps
from OCP.Interface import Interface_Static
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS
from OCP.XCAFDoc import XCAFDoc_DocumentTool, XCAFDoc_ShapeTool

from gaugeblock.ruler.reading import read_step, silence

MADE_AT = b"2000-01-01T00:00:00"
"""Date in the header of every file written here, so that equal parts give equal bytes."""

_DATE = re.compile(rb"(FILE_NAME\s*\(\s*'[^']*'\s*,\s*')[^']*(')")

Vector = tuple[float, float, float]


class NotApplicable(Exception):
    """This mutation cannot be made of this part; the message says why."""


@dataclass(frozen=True)
class Item:
    """One body with its name; None: unnamed."""

    name: str | None
    shape: Any


@dataclass(frozen=True)
class Part:
    """What one STEP file holds."""

    items: tuple[Item, ...]
    unit: str = "MM"
    """Unit the file declares and counts in; geometry here stays in mm."""
    named: bool = True
    """False: written without product names."""
    stray: tuple[Any, ...] = field(default=())
    """Shapes that are no solid, written beside the items."""

    def with_shape(self, index: int, shape: Any) -> Part:
        """Return the part with another shape of one item."""
        items = list(self.items)
        items[index] = replace(items[index], shape=shape)
        return replace(self, items=tuple(items))

    def each(self, change: Any) -> Part:
        """Return the part with `change(shape)` of every item."""
        return replace(
            self, items=tuple(replace(item, shape=change(item.shape)) for item in self.items)
        )


def explored(shape: Any, kind: Any) -> list[Any]:
    """Return every occurrence of `kind` in a shape, in the kernel's order."""
    found, explorer = [], TopExp_Explorer(shape, kind)
    while explorer.More():
        found.append(explorer.Current())
        explorer.Next()
    return found


def solids_in(shape: Any) -> list[Any]:
    """Return the solids of a shape."""
    return [TopoDS.Solid(solid) for solid in explored(shape, TopAbs_SOLID)]


def box_of(shapes: Iterable[Any]) -> tuple[Vector, Vector]:
    """Return the exact box of shapes, mm."""
    box = Bnd_Box()
    for shape in shapes:
        BRepBndLib.AddOptimal_s(shape, box, False, False)
    if box.IsVoid():
        raise NotApplicable("the part has no extent")
    gap = box.GetGap()
    low, high = box.CornerMin().Coord(), box.CornerMax().Coord()
    return (
        (low[0] + gap, low[1] + gap, low[2] + gap),
        (high[0] - gap, high[1] - gap, high[2] - gap),
    )


def volume_of(shape: Any) -> float:
    """Return the kernel's own Gauss volume of a shape's solids, mm³ (not the ruler's)."""
    total = 0.0
    for solid in explored(shape, TopAbs_SOLID):
        properties = GProp_GProps()
        BRepGProp.VolumeProperties_s(solid, properties)
        total += properties.Mass()
    return total


def sound(shape: Any) -> bool:
    """Whether the kernel finds no fault and every solid has volume."""
    solids = explored(shape, TopAbs_SOLID)
    return bool(solids) and all(
        BRepCheck_Analyzer(solid).IsValid() and volume_of(solid) > 0 for solid in solids
    )


def read(data: bytes) -> Part:
    """Read a STEP file.

    Raises:
        NotApplicable: it holds no solid.
    """
    silence()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.step"
        path.write_bytes(data)
        found = read_step(str(path))
    if not found.solids:
        raise NotApplicable("the file holds no solid")
    return Part(tuple(Item(solid.name, TopoDS.Solid(solid.shape)) for solid in found.solids))


def write(part: Part) -> bytes:
    """Return the part as STEP: one product an item, named where it has a name."""
    silence()
    Interface_Static.SetCVal_s("write.step.unit", part.unit)
    if part.named and part.items and all(item.name for item in part.items):
        data = _named(part)
    else:
        data = _plain(part)
    return _DATE.sub(rb"\g<1>" + MADE_AT + rb"\g<2>", data, count=1)


def _named(part: Part) -> bytes:
    document = TDocStd_Document(TCollection_ExtendedString("BinXCAF"))
    XCAFDoc_ShapeTool.SetAutoNaming_s(False)
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    written: list[Any] = []
    for item in part.items:
        # The document holds one shape where two share their geometry: a copy stays its own.
        shared = any(item.shape.IsPartner(other) for other in written)
        shape = BRepBuilderAPI_Copy(item.shape).Shape() if shared else item.shape
        written.append(shape)
        label = shapes.AddShape(shape, False)
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(item.name or "", True))
    for shape in part.stray:
        shapes.AddShape(shape, False)
    writer = STEPCAFControl_Writer()
    writer.SetNameMode(True)
    writer.Transfer(document, STEPControl_AsIs)
    return _bytes(writer)


def _plain(part: Part) -> bytes:
    writer = STEPControl_Writer()
    for shape in (*(item.shape for item in part.items), *part.stray):
        writer.Transfer(shape, STEPControl_AsIs)
    return _bytes(writer)


def _bytes(writer: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.step"
        writer.Write(str(path))
        return path.read_bytes()


def stream(data: bytes) -> io.BytesIO:
    """Return bytes as the stream the kernel's readers take."""
    return io.BytesIO(data)
