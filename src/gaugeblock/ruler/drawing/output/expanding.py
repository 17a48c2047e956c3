"""A sheet as lines, filled arrow heads and set text: what SVG, PDF and PNG draw alike.

mm of paper, x to the right and y upwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from gaugeblock.ruler.drawing.ink import ARROW, ARROW_ANGLE, Head, Ink, ink
from gaugeblock.ruler.drawing.output.curves import closed, length
from gaugeblock.ruler.drawing.output.glyphs import Line as SetLine
from gaugeblock.ruler.drawing.output.glyphs import set_line
from gaugeblock.ruler.drawing.output.hatching import hatch_lines
from gaugeblock.ruler.drawing.output.pens import PENS, fitted_pattern
from gaugeblock.ruler.drawing.sheet import Dim, Label, Layer, Sheet, Table
from gaugeblock.ruler.views.shapes import Arc, Line, Point, Shape

CELL = 1.0
"""Free space left of the text of a table's cell, mm."""


@dataclass(frozen=True)
class Drawn:
    """One line of the drawing."""

    layer: Layer
    shape: Shape
    pattern: tuple[float, ...] = ()
    """Dashes and gaps in mm, fitted to the line; empty: full."""


@dataclass(frozen=True)
class Filled:
    """One filled arrow head."""

    layer: Layer
    corners: tuple[Point, Point, Point]
    """The tip first."""


@dataclass(frozen=True)
class Lettered:
    """One line of text."""

    layer: Layer
    text: str
    start: Point
    """Left end of the base line."""
    angle: float
    height: float
    """Of capitals, mm."""
    set: SetLine

    @property
    def width(self) -> float:
        """Of the set line, mm."""
        return self.set.width * self.height

    def place(self, x: float, y: float) -> Point:
        """Return where a point of the text stands on the paper.

        Args:
            x: Along the base line before squeezing, in heights of capitals.
            y: Above it, in heights of capitals.
        """
        u, v = self.height * self.set.squeeze * x, self.height * y
        c, s = math.cos(self.angle), math.sin(self.angle)
        return (self.start[0] + c * u - s * v, self.start[1] + s * u + c * v)


Item = Drawn | Filled | Lettered


def expand(sheet: Sheet) -> dict[Layer, list[Item]]:
    """Return all that is drawn, by layer from the bottom to the top; empty layers are left out."""
    found: dict[Layer, list[Item]] = {layer: [] for layer in PENS}
    for item in _items(sheet):
        found[item.layer].append(item)
    return {layer: items for layer, items in found.items() if items}


def _items(sheet: Sheet) -> Iterator[Item]:
    for hatch in sheet.hatches:
        for line in hatch_lines(hatch):
            yield Drawn("hatch", line)
    for stroke in sheet.strokes:
        yield drawn(stroke.layer, stroke.shape)
    for dim in sheet.dims:
        yield from dim_items(dim)
    for table in sheet.tables:
        yield from table_items(table)
    for label in sheet.labels:
        if label.text:
            yield lettered(label)


def drawn(layer: Layer, shape: Shape) -> Drawn:
    """Return a line with its layer's dashes."""
    pen = PENS[layer]
    if not pen.pattern:
        return Drawn(layer, shape)
    return Drawn(layer, shape, fitted_pattern(pen, length(shape), closed(shape)))


def lettered(label: Label) -> Lettered:
    """Return a label with the left end of its base line."""
    line = set_line(label.text)
    wide = line.width * label.height
    back = {"left": 0.0, "middle": 0.5, "right": 1.0}[label.anchor] * wide
    down = {"bottom": 0.0, "middle": 0.5, "top": 1.0}[label.baseline] * label.height
    c, s = math.cos(label.angle), math.sin(label.angle)
    start = (label.at[0] - c * back + s * down, label.at[1] - s * back - c * down)
    return Lettered(label.layer, label.text, start, label.angle, label.height, line)


def head_corners(head: Head) -> tuple[Point, Point, Point]:
    """Return the corners of an arrow's head, the tip first."""
    half = ARROW * math.tan(0.5 * ARROW_ANGLE)
    c, s = math.cos(head.angle), math.sin(head.angle)
    x, y = head.tip[0] - ARROW * c, head.tip[1] - ARROW * s
    return head.tip, (x - half * s, y + half * c), (x + half * s, y - half * c)


def dim_lines(found: Ink) -> Iterator[Shape]:
    """Yield the lines of a dimension; an angle's arc is one."""
    if found.arc is not None:
        centre, radius, start, sweep = found.arc
        yield Arc(centre=centre, radius=radius, start=start, sweep=sweep)
    for piece in found.pieces:
        if piece.a != piece.b and (found.arc is None or piece.role != "line"):
            yield Line(start=piece.a, end=piece.b)


def dim_label(dim: Dim) -> Label:
    """Return the text of a dimension as a label."""
    return Label(
        layer="dimension",
        at=dim.text_at,
        text=dim.text,
        height=dim.height,
        angle=dim.text_angle,
        anchor="middle",
        baseline="middle",
    )


def dim_items(dim: Dim) -> Iterator[Item]:
    """Yield all that is drawn of a dimension."""
    found = ink(dim)
    for shape in dim_lines(found):
        yield Drawn("dimension", shape)
    for head in found.heads:
        yield Filled("dimension", head_corners(head))
    if dim.text:
        yield lettered(dim_label(dim))


def table_items(table: Table) -> Iterator[Item]:
    """Yield the lines and the texts of a table."""
    left, top = table.at
    right, bottom = left + sum(table.columns), top - len(table.rows) * table.row_height
    for row in range(len(table.rows) + 1):
        y = top - row * table.row_height
        yield Drawn("title", Line(start=(left, y), end=(right, y)))
    x = left
    for wide in (0.0, *table.columns):
        x += wide
        yield Drawn("title", Line(start=(x, top), end=(x, bottom)))
    for row, cells in enumerate(table.rows):
        x, y = left, top - (row + 0.5) * table.row_height
        for text, wide in zip(cells, table.columns, strict=False):
            if text:
                yield lettered(
                    Label(at=(x + CELL, y), text=text, height=table.height, baseline="middle")
                )
            x += wide
