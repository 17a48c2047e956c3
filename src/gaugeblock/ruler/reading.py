"""Reads a STEP file through XCAF: solids in file order with names, paths, colours and locations.

In this order: the kernel parses the file, the declared units are noted, the roots are transferred
(to mm), labels are walked down nested assemblies, and each solid is traced back to the entity it
came from, so that what the reader changed silently (an inside-out solid turned, faces dropped) can
be told. Nothing is healed here; what the kernel's own transfer heals is reported where it shows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.collections import Sequence_TCollection_AsciiString, Sequence_TDF_Label
from OCP.IFSelect import IFSelect_RetDone
from OCP.Message import Message, Message_PrinterOStream
from OCP.Quantity import Quantity_Color, Quantity_ColorRGBA
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_AsciiString, TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label, TDF_Tool
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import (
    TopAbs_EDGE,
    TopAbs_FACE,
    TopAbs_FORWARD,
    TopAbs_SHELL,
    TopAbs_SOLID,
)
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFDoc import (
    XCAFDoc_ColorCurv,
    XCAFDoc_ColorGen,
    XCAFDoc_ColorSurf,
    XCAFDoc_ColorTool,
    XCAFDoc_DocumentTool,
    XCAFDoc_ShapeTool,
)

from gaugeblock.records.measurement import Finding, Stray
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.header import Refused
from gaugeblock.ruler.text import clean_text, is_auto_name, repair_mojibake

SENSE_SAMPLE = 5
"""Faces per solid whose orientation is first compared with the file. A turned solid turns all its
faces; one look-up costs up to 1 ms, so all are compared only where the sample disagrees."""

MAX_DEPTH = 64
"""Deepest assembly nesting followed: real assemblies stay below 15; a cycle would never end."""


@dataclass(frozen=True)
class ReadSolid:
    """One solid in place, with what the file calls it."""

    shape: Any
    """TopoDS_Solid located in the file's frame, mm."""
    name: str | None
    instance: str | None
    path: tuple[str, ...]
    colour: str | None
    face_colours: tuple[str | None, ...] = ()
    """Colours of single faces, in the solid's order of faces; empty where none has its own, or
    where they were not asked for."""


@dataclass
class ReadFile:
    """What one STEP file holds."""

    solids: list[ReadSolid] = field(default_factory=list)
    stray: Stray = field(default_factory=lambda: Stray(shells=0, faces=0, edges=0))
    units: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    distinct: int = 0
    """Different solids; an assembly may place one several times."""
    occurrences: int = 0
    """Places of parts in assemblies, each counted once however often its assembly is placed."""


def read_step(path: str, units: bool = True, face_colours: bool = False) -> ReadFile:
    """Read the STEP file at `path`.

    Args:
        path: Any path the kernel can open, `/proc/self/fd/N` included.
        units: Whether to ask the kernel for the declared units (0.4 ms).
        face_colours: Whether to look for colours of single faces.

    Raises:
        Refused: `not-step` when the kernel's parser fails, `no-shape` when it finds nothing.
    """
    silence()
    document = TDocStd_Document(TCollection_ExtendedString("XmlOcaf"))
    reader = STEPCAFControl_Reader()
    reader.SetNameMode(True)
    reader.SetColorMode(True)
    for unused in ("GDT", "Layer", "Mat", "Meta", "ProductMeta", "Props", "View"):
        getattr(reader, f"Set{unused}Mode")(False)
    if reader.ReadFile(path) != IFSelect_RetDone:
        raise Refused("not-step", "not a STEP file: the kernel's parser could not read it")
    result = ReadFile(units=_declared_units(reader) if units else [])
    if not reader.Transfer(document):
        raise Refused("no-shape", "the file was parsed but holds no shape that can be transferred")
    walker = _Walker(document, reader, result, face_colours)
    walker.walk_roots()
    result.distinct = len(walker.origin.seen)
    result.occurrences = sum(walker.components.values())
    stray = result.stray
    if not result.solids and not (stray.faces or stray.edges):
        raise Refused("no-shape", "the file holds no solid, surface or curve")
    return result


class _Walker:
    """Descends the labels of one document."""

    def __init__(
        self, document: Any, reader: Any, result: ReadFile, face_colours: bool = False
    ) -> None:
        self.shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
        self.colours = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
        self.origin = _Origin(reader)
        self.result = result
        self.face_colours = face_colours
        self.components: dict[str, int] = {}
        """Components of each assembly, by the entry of its label."""

    def walk_roots(self) -> None:
        labels = Sequence_TDF_Label()
        self.shapes.GetFreeShapes(labels)
        for label in _items(labels):
            self._walk(label, TopLoc_Location(), (), None, None)

    def _walk(
        self,
        label: Any,
        location: Any,
        path: tuple[str, ...],
        instance: str | None,
        colour: str | None,
    ) -> None:
        """Visit a product label placed at `location`."""
        if len(path) > MAX_DEPTH:
            raise Refused("failed", f"assembly nested deeper than {MAX_DEPTH} levels")
        name = self._name(label)
        colour = colour or self._label_colour(label)
        here = (*path, name or "")
        if not XCAFDoc_ShapeTool.IsAssembly_s(label):
            self._take_part(label, location, here, name, instance, colour)
            return
        first = len(self.result.solids)
        components = Sequence_TDF_Label()
        XCAFDoc_ShapeTool.GetComponents_s(label, components, False)
        entry = TCollection_AsciiString()
        TDF_Tool.Entry_s(label, entry)
        self.components[entry.ToCString()] = components.Upper()
        for component in _items(components):
            product = TDF_Label()
            if not XCAFDoc_ShapeTool.GetReferredShape_s(component, product):
                continue
            self._walk(
                product,
                location.Multiplied(XCAFDoc_ShapeTool.GetLocation_s(component)),
                here,
                self._name(component),
                self._label_colour(component) or colour,
            )
        self._name_lone_body(first, here)

    def _name_lone_body(self, first: int, path: tuple[str, ...]) -> None:
        """Give a product's name to its only body.

        A product with several items (a solid and its annotations, say) is read as an assembly of
        unnamed parts; the solid's name then stands one level up.
        """
        lone = [i for i, s in enumerate(self.result.solids) if i >= first]
        if len(lone) == 1 and path[-1] and self.result.solids[lone[0]].path == (*path, ""):
            self.result.solids[lone[0]] = replace(self.result.solids[lone[0]], name=path[-1])

    def _take_part(
        self,
        label: Any,
        location: Any,
        path: tuple[str, ...],
        name: str | None,
        instance: str | None,
        colour: str | None,
    ) -> None:
        local = XCAFDoc_ShapeTool.GetShape_s(label)
        shape = local.Moved(location, False)
        inner, outer = explore(local, TopAbs_SOLID), explore(shape, TopAbs_SOLID)
        painted = self._painted_faces(label)
        for own, placed in zip(inner, outer, strict=True):
            where = f"solid {len(self.result.solids)}"
            findings, entity_name = self.origin.trace(own, where)
            self.result.findings += findings
            body = self._read_name(entity_name, where)
            self.result.solids.append(
                ReadSolid(
                    shape=placed,
                    # A part's name is its product's; only where a part holds several bodies does
                    # the body's own name tell them apart (writers put feature names there).
                    name=(name or instance or body) if len(inner) == 1 else body,
                    instance=instance,
                    path=path,
                    colour=self._shape_colour(own) or colour,
                    face_colours=painted.of(own),
                )
            )
        old = self.result.stray
        self.result.stray = Stray(
            shells=old.shells + len(explore(shape, TopAbs_SHELL, TopAbs_SOLID)),
            faces=old.faces + len(explore(shape, TopAbs_FACE, TopAbs_SOLID)),
            edges=old.edges + len(explore(shape, TopAbs_EDGE, TopAbs_FACE)),
        )

    def _painted_faces(self, label: Any) -> _Painted:
        """Return the colours that the file gives to single faces or shells of a part."""
        painted = _Painted()
        parts = Sequence_TDF_Label()
        if not self.face_colours or not XCAFDoc_ShapeTool.GetSubShapes_s(label, parts):
            return painted
        for part in [parts.Value(i) for i in range(1, parts.Length() + 1)]:
            colour, shape = self._label_colour(part), XCAFDoc_ShapeTool.GetShape_s(part)
            if colour is not None and shape.ShapeType() in (TopAbs_SHELL, TopAbs_FACE):
                for face in explore(shape, TopAbs_FACE):
                    painted.paint(face, colour)
        return painted

    def _name(self, label: Any) -> str | None:
        attribute = TDataStd_Name()
        # FindAttribute alone crashes the binding where the attribute is absent.
        if not label.IsAttribute(TDataStd_Name.GetID_s()):
            return None
        if not label.FindAttribute(TDataStd_Name.GetID_s(), attribute):
            return None
        try:
            raw = str(TCollection_AsciiString(attribute.Get()).ToCString())
        except UnicodeDecodeError:
            self._note("name-unreadable", "a name is not valid text: treated as unnamed", None)
            return None
        return self._read_name(raw, None)

    def _read_name(self, raw: str | None, where: str | None) -> str | None:
        """Clean and repair a name; None for the names that stand for "unnamed"."""
        if not raw:
            return None
        repaired = repair_mojibake(raw)
        name = clean_text(repaired)
        if repaired != raw:
            self._note("name-repaired", f"UTF-8 stored as Latin-1 repaired: {name}", where)
        return None if is_auto_name(name) else name

    def _note(self, code: str, message: str, where: str | None) -> None:
        finding = Finding(code=code, message=message, where=where)
        if finding not in self.result.findings:
            self.result.findings.append(finding)

    def _label_colour(self, label: Any) -> str | None:
        colour = Quantity_ColorRGBA()
        for kind in (XCAFDoc_ColorSurf, XCAFDoc_ColorGen, XCAFDoc_ColorCurv):
            if XCAFDoc_ColorTool.GetColor_s(label, kind, colour):
                return _hex(colour)
        return None

    def _shape_colour(self, shape: Any) -> str | None:
        colour = Quantity_ColorRGBA()
        for kind in (XCAFDoc_ColorSurf, XCAFDoc_ColorGen, XCAFDoc_ColorCurv):
            if self.colours.GetColor(shape, kind, colour):
                return _hex(colour)
        return None


class _Origin:
    """Traces transferred shapes back to the file's entities."""

    def __init__(self, reader: Any) -> None:
        self.transfer = reader.ChangeReader().WS().TransferReader()
        self.shapes = ShapeMap()
        self.seen: dict[int, tuple[list[Finding], str | None]] = {}

    def trace(self, solid: Any, where: str) -> tuple[list[Finding], str | None]:
        """Return what the reader changed silently, and the solid entity's own name."""
        key = int(self.shapes.Add(solid.Located(TopLoc_Location())))
        if key not in self.seen:
            self.seen[key] = self._look(solid)
        findings, name = self.seen[key]
        return [f.model_copy(update={"where": where}) for f in findings], name

    def _look(self, solid: Any) -> tuple[list[Finding], str | None]:
        entity = self._entity(solid)
        findings: list[Finding] = []
        if entity is None or not hasattr(entity, "Outer"):
            message = "the solid cannot be traced to a solid entity: silent repairs would not show"
            return [Finding(code="origin-unknown", message=message)], None
        faces = explore(solid, TopAbs_FACE)
        declared = entity.Outer().NbCfsFaces()
        if hasattr(entity, "NbVoids"):
            declared += sum(
                entity.VoidsValue(i).NbCfsFaces() for i in range(1, entity.NbVoids() + 1)
            )
        if declared != len(faces):
            message = f"the file declares {declared} faces, the kernel delivers {len(faces)}"
            findings.append(Finding(code="faces-changed", message=message))
        step = max(1, len(faces) // SENSE_SAMPLE)
        senses = [self._kept_sense(face) for face in faces[::step]]
        if False in senses:
            senses = [self._kept_sense(face) for face in faces]
            turned = senses.count(False)
            inside_out = turned == len(senses) - senses.count(None)
            message = (
                "the file's faces all point inwards; the kernel's reader turned the solid"
                if inside_out
                else f"the kernel's reader turned {turned} of {len(faces)} faces"
            )
            code = "inside-out-repaired" if inside_out else "faces-turned"
            findings.append(Finding(code=code, message=message))
        return findings, _entity_name(entity)

    def _kept_sense(self, face: Any) -> bool | None:
        """Whether the face still points where its ADVANCED_FACE.same_sense says."""
        entity = self._entity(face)
        if entity is None or not hasattr(entity, "SameSense"):
            return None
        return bool((face.Orientation() == TopAbs_FORWARD) == bool(entity.SameSense()))

    def _entity(self, shape: Any) -> Any:
        found = self.transfer.EntityFromShapeResult(shape, 1)
        if found is None:
            found = self.transfer.EntityFromShapeResult(shape.Located(TopLoc_Location()), 1)
        return found


class _Painted:
    """Colours of single faces of a part."""

    def __init__(self) -> None:
        self.faces = ShapeMap()
        self.colours: dict[int, str] = {}

    def paint(self, face: Any, colour: str) -> None:
        """Give a face a colour; the last word counts."""
        self.colours[int(self.faces.Add(face))] = colour

    def of(self, solid: Any) -> tuple[str | None, ...]:
        """Return the colours of a solid's faces in order; empty where none is painted."""
        if not self.colours:
            return ()
        faces = explore(solid, TopAbs_FACE)
        colours = tuple(self.colours.get(int(self.faces.FindIndex(face))) for face in faces)
        return colours if any(colours) else ()


def _entity_name(entity: Any) -> str | None:
    text = entity.Name()
    try:
        return str(text.ToCString()) if text is not None else None
    except UnicodeDecodeError:
        return None


def _declared_units(reader: Any) -> list[str]:
    lengths, angles, solid_angles = (Sequence_TCollection_AsciiString() for _ in range(3))
    reader.ChangeReader().FileUnits(lengths, angles, solid_angles)
    names = [clean_text(unit.ToCString()).upper() for unit in _items(lengths)]
    return [name for name in names if name]


def _items(sequence: Any) -> list[Any]:
    """Return the items of a kernel sequence.

    By number and up to its upper end: the binding ends an iteration, and finds `Length`, by way of
    a C++ exception, 0.2 ms each.
    """
    return [sequence.Value(i) for i in range(1, sequence.Upper() + 1)]


def _hex(colour: Any) -> str:
    return str(Quantity_Color.ColorToHex_s(colour.GetRGB(), True).ToCString()).lower()


def silence() -> None:
    """Keep the kernel's chatter (file text among it) off standard output."""
    Message.DefaultMessenger_s().RemovePrinters(Message_PrinterOStream.get_type_descriptor_s())
