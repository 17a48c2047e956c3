"""The job behind `Ruler.read_dxf`: a DXF in, the sizes that it gives out. Runs in the worker."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from ezdxf.document import Drawing
from ezdxf.entities import Dimension, DXFEntity, Leader
from ezdxf.layouts import BaseLayout

from gaugeblock.ruler.drawing.printed import SizeType
from gaugeblock.ruler.drawing.reading_back import PRINTED
from gaugeblock.ruler.sheet_reading import dxf_texts
from gaugeblock.ruler.sheet_reading.call_outs import CallOut, Size, read
from gaugeblock.ruler.sheet_reading.dxf_circles import Circles
from gaugeblock.ruler.sheet_reading.dxf_measured import (
    KINDS,
    Kind,
    Measured,
    measured,
    scale_factor,
)
from gaugeblock.ruler.sheet_reading.dxf_opening import opened
from gaugeblock.ruler.sheet_reading.judging import Gathered, of_bare_text
from gaugeblock.ruler.sheet_reading.refusing import Unreadable
from gaugeblock.ruler.sheet_reading.ruled import Rules

UNITS = {1: "inch", 4: "mm"}
"""$INSUNITS of lengths that a part's drawing has."""

LETTER = 0.8
"""Width of a letter in its heights, for the box of a text."""

PRINTABLE: dict[Kind, tuple[SizeType, ...]] = {
    "linear": ("length", "diameter"),
    "ordinate": ("length",),
    "diameter": ("diameter", "radius"),
    "radius": ("radius", "diameter"),
    "angle": ("angle",),
}
"""What a dimension may print of what it measures: a turned part's width is a diameter."""

UNREAD = {
    "ARC_DIMENSION": "the length of an arc",
    "LARGE_RADIAL_DIMENSION": "a radius with a jogged line",
    "TOLERANCE": "a geometrical tolerance",
    "ACAD_TABLE": "a table",
}
"""Entities that say something of a part and are not read."""


@dataclass
class _Place:
    """Where entities are read: a layout, or a block that stands in one."""

    name: str
    on_paper: bool
    entities: list[DXFEntity]
    arrows: dict[str, Leader]
    """By the handle of the text that stands at it."""
    rules: Rules
    circles: Circles


def read_dxf_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Read the DXF open as ``files[0]``.

    Args:
        value: Unused.
        blobs: Unused.
        files: One descriptor, open for reading.

    Returns:
        ``dimensions``, ``left_out``, ``remarks`` and ``unit`` as of a `SheetReading`, or ``code``
        and ``reason``; no blobs.
    """
    try:
        doc, remarks = opened(files[0])
    except Unreadable as refusal:
        return {"code": refusal.code, "reason": refusal.reason}, []
    out = Gathered(remarks=remarks)
    for place in _places(doc, out):
        _read_place(doc, place, out)
    unit = UNITS.get(int(doc.header.get("$INSUNITS", 0) or 0))
    return {**out.answer(), "unit": unit}, []


def _places(doc: Drawing, out: Gathered) -> Iterator[_Place]:
    """Yield layouts, and each block once that stands in them, however deep blocks are nested."""
    stands: Counter[str] = Counter()
    for layout in doc.layouts:
        yield (place := _place(f"layout {layout.name}", layout.is_any_paperspace, layout))
        stands.update(_inserted(place))
    waiting, seen = list(stands), set(stands)
    while waiting:
        name = waiting.pop()
        block = doc.blocks.get(name)
        if block is None:
            continue
        place = _place(f"block {name}", False, block)
        if stands[name] > 1 and any(e.dxftype() == "DIMENSION" for e in place.entities):
            out.remark(f"block {name} stands {stands[name]} times, its dimensions are read once")
        yield place
        inner = _inserted(place)
        stands.update(inner)
        fresh = [n for n in inner if n not in seen]
        seen.update(fresh)
        waiting += fresh


def _place(name: str, on_paper: bool, space: BaseLayout) -> _Place:
    entities: list[DXFEntity] = list(space)
    for entity in [e for e in entities if e.dxftype() == "INSERT"]:
        entities += list(getattr(entity, "attribs", []))
    arrows = {
        str(entity.dxf.get("annotation_handle")): entity
        for entity in entities
        if isinstance(entity, Leader) and entity.dxf.hasattr("annotation_handle")
    }
    rules = Rules(np.array(list(_segments(entities)), dtype=np.float64))
    lengths = [e for e in entities if isinstance(e, Dimension) and KINDS.get(e.dimtype) != "angle"]
    circles = Circles(entities, [scale_factor(entity, on_paper) for entity in lengths])
    return _Place(name, on_paper, entities, arrows, rules, circles)


def _inserted(place: _Place) -> Counter[str]:
    return Counter(str(e.dxf.name) for e in place.entities if e.dxftype() == "INSERT")


def _read_place(doc: Drawing, place: _Place, out: Gathered) -> None:
    hidden: Counter[str] = Counter()
    for entity in place.entities:
        kind = entity.dxftype()
        if kind not in _READERS and kind not in UNREAD:
            continue
        layer = str(entity.dxf.get("layer", "0"))
        where = f"{place.name}, layer {layer}, handle {entity.dxf.get('handle')}"
        if _unseen(doc, layer) or entity.dxf.get("invisible", 0):
            hidden[layer] += 1
        elif kind in UNREAD:
            out.leave("", where, None, f"{UNREAD[kind]} is not read")
        else:
            try:
                _READERS[kind](entity, place, where, out)
            except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
                out.leave("", where, None, f"{kind} has faulty data ({type(error).__name__})")
    for layer, count in hidden.items():
        out.remark(f"layer {layer} is off: {count} texts and dimensions on it are not read")


def _unseen(doc: Drawing, layer: str) -> bool:
    if not doc.layers.has_entry(layer):
        return False
    entry = doc.layers.get(layer)
    return bool(entry.is_off() or entry.is_frozen())


def _segments(entities: list[DXFEntity]) -> Iterator[tuple[float, float, float, float]]:
    for entity in entities:
        if entity.dxftype() == "LINE":
            a, b = entity.dxf.start, entity.dxf.end
            yield (a.x, a.y, b.x, b.y)
        elif entity.dxftype() == "LWPOLYLINE":
            points = [(p[0], p[1]) for p in entity.get_points("xy")]  # type: ignore[attr-defined]
            if entity.closed and points:  # type: ignore[attr-defined]
                points.append(points[0])
            yield from ((*p, *q) for p, q in pairwise(points))


def _dimension(entity: DXFEntity, place: _Place, where: str, out: Gathered) -> None:
    assert isinstance(entity, Dimension)
    at = _at(entity, "text_midpoint", "defpoint")
    found = measured(entity, place.on_paper)
    if isinstance(found, str):
        out.leave("", where, at, found)
        return
    said = read(found.text)
    if found.text.startswith("(") and found.text.endswith(")"):
        out.leave(found.text, where, at, "an auxiliary dimension, which the others give already")
        return
    if not said.sizes:
        out.leave(found.text, where, at, said.rest or "no size is printed")
        return
    if said.rest:
        out.remark(f"`{said.text}` ({where}): not understood: {said.rest}")
    if found.boxed:
        out.remark(f"`{said.text}` ({where}): theoretically exact; held to ISO 2768-m here")
    said, main = _typed(said, found)
    value = _compared(said, main, found, where, out)
    out.take(said, "dimension", where, at, measured={} if value is None else {main: value})


def _typed(said: CallOut, found: Measured) -> tuple[CallOut, int]:
    """Return a text whose bare first number is what the entity is, and which size it measures."""
    if said.chain:
        return said, 1
    first = said.sizes[0]
    if not first.signed and found.kind in ("diameter", "radius", "angle"):
        kind: Any = found.kind
        sizes = [Size(kind, first.value, first.count, first.lower, first.upper, True)]
        said = CallOut(said.text, sizes + said.sizes[1:], said.rest, said.remarks)
    return said, 0


def _compared(said: CallOut, main: int, found: Measured, where: str, out: Gathered) -> float | None:
    """Return what the points measure of what is printed, and tell where the two differ."""
    size = said.sizes[main]
    if size.type not in PRINTABLE[found.kind]:
        out.remark(f"`{said.text}` ({where}): a {found.kind} dimension that prints a {size.type}")
        return None
    value, printed = found.value, size.value
    if found.kind == "radius" and size.type == "diameter":
        value *= 2.0
    elif found.kind == "diameter" and size.type == "radius":
        value *= 0.5
    elif found.kind == "angle" and abs(180.0 - value - printed) <= PRINTED:
        value = 180.0 - value  # the other angle between the same two lines
    if abs(printed - value) > PRINTED:
        why = "its text is written over" if found.own_text else "rounded by its style"
        out.remark(f"`{said.text}` ({where}): prints {printed:g}, measures {value:.6g}; {why}")
    return value


def _text(entity: DXFEntity, place: _Place, where: str, out: Gathered) -> None:
    content = dxf_texts.of_line(str(entity.dxf.get("text", "")))
    height = float(entity.dxf.get("height", 2.5))
    at = _at(entity, "insert")
    of_bare_text(read(content), "text", where, at, _in_cell(entity, place, content, height), out)


def _paragraph(entity: DXFEntity, place: _Place, where: str, out: Gathered) -> None:
    content = dxf_texts.of_paragraph(entity.text)  # type: ignore[attr-defined]
    said, at = read(content), _at(entity, "insert")
    arrow = place.arrows.get(str(entity.dxf.handle))
    if arrow is None:
        height = float(entity.dxf.get("char_height", 2.5))
        in_cell = _in_cell(entity, place, content, height)
        of_bare_text(said, "text", where, at, in_cell, out)
        return
    values = place.circles.measured(said, arrow)
    for number, value in values.items():
        printed = said.sizes[number].value
        if abs(value - printed) > PRINTED:
            out.remark(f"`{said.text}` ({where}): prints {printed:g}, its circle has {value:.6g}")
    of_bare_text(said, "leader", where, at, False, out, values)


def _pointed(entity: DXFEntity, place: _Place, where: str, out: Gathered) -> None:
    content = dxf_texts.of_paragraph(entity.get_mtext_content())  # type: ignore[attr-defined]
    of_bare_text(read(content), "leader", where, None, False, out)


def _in_cell(entity: DXFEntity, place: _Place, content: str, height: float) -> bool:
    """Whether a text that lies level stands in a cell."""
    at = _at(entity, "insert")
    if at is None or abs(math.remainder(float(entity.dxf.get("rotation", 0.0)), 360.0)) > 1.0:
        return False
    wide = LETTER * height * len(content)
    return place.rules.cell((at[0], at[1], at[0] + wide, at[1] + height), height)


def _at(entity: DXFEntity, *names: str) -> tuple[float, float] | None:
    for name in names:
        point = entity.dxf.get(name)
        if point is not None and math.isfinite(point.x) and math.isfinite(point.y):
            return (round(float(point.x), 4), round(float(point.y), 4))
    return None


_READERS = {
    "DIMENSION": _dimension,
    "TEXT": _text,
    "ATTRIB": _text,
    "MTEXT": _paragraph,
    "MULTILEADER": _pointed,
    "MLEADER": _pointed,
}
