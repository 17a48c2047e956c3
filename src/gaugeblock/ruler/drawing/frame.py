"""The sheet itself: border and zones (ISO 5457), title block (ISO 7200), projection symbol.

Where the drawing may stand follows from here. mm of paper.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Literal

from gaugeblock.ruler.drawing.ink import Box
from gaugeblock.ruler.drawing.lettering import fitted
from gaugeblock.ruler.drawing.sheet import Label, Stroke, Title
from gaugeblock.ruler.views.cameras import Convention
from gaugeblock.ruler.views.shapes import TURN, Arc, Line, Point

Format = Literal["A4", "A3"]

SIZES: dict[str, tuple[float, float]] = {"A4": (297.0, 210.0), "A3": (420.0, 297.0)}
"""Longer and shorter side (ISO 216)."""

BINDING, BORDER = 20.0, 10.0
"""Free edge on the left, for filing, and on the other sides (ISO 5457)."""

ZONE = 50.0
"""Length of a zone, counted from the middle of each side (ISO 5457)."""

ZONE_STRIP = 5.0
"""Width of the strip that letters and numbers of the zones stand in."""

TITLE_WIDTH = 180.0
"""ISO 7200."""

TITLE_ROWS = (9.0, 10.0, 11.0)
"""Heights of the title block's rows, from below."""

CLEAR = 3.0
"""Nothing of the drawing comes closer to the border."""

CAPTION, VALUE, NAME = 1.8, 2.5, 3.5
"""Heights of text in the title block: what a field is, its value, the part's name."""


def size(format_: str, landscape: bool) -> tuple[float, float]:
    """Return width and height of a sheet."""
    long, short = SIZES[format_]
    return (long, short) if landscape else (short, long)


def border(format_: str, landscape: bool) -> tuple[Point, Point]:
    """Return lower left and upper right corner of the border."""
    wide, tall = size(format_, landscape)
    return (BINDING, BORDER), (wide - BORDER, tall - BORDER)


def drawing_area(format_: str, landscape: bool) -> tuple[Point, Point]:
    """Return the corners of where the drawing may stand, the title block not yet taken off."""
    low, high = border(format_, landscape)
    return (low[0] + CLEAR, low[1] + CLEAR), (high[0] - CLEAR, high[1] - CLEAR)


def title_area(format_: str, landscape: bool) -> Box:
    """Return the title block's rectangle."""
    low, high = border(format_, landscape)
    tall = sum(TITLE_ROWS)
    wide = min(TITLE_WIDTH, high[0] - low[0])
    return Box((high[0] - 0.5 * wide, low[1] + 0.5 * tall), wide, tall)


def frame(
    format_: Format, landscape: bool, title: Title, scale: str, convention: Convention
) -> tuple[list[Stroke], list[Label]]:
    """Return border, zones and the filled title block.

    Args:
        format_: Size of the sheet.
        landscape: Whether the longer side lies.
        title: What the title block says; hostile text, cleaned and cut to fit.
        scale: Such as ``1:2``.
        convention: Whose symbol is drawn.
    """
    strokes, labels = _zones(format_, landscape)
    low, high = border(format_, landscape)
    strokes += _rectangle(low, high, "frame")
    more, texts = _title_block(format_, landscape, title, scale, convention)
    return strokes + more, labels + texts


def _rectangle(low: Point, high: Point, layer: Literal["frame", "title"]) -> list[Stroke]:
    (a, b), (c, d) = low, high
    corners = [(a, b), (c, b), (c, d), (a, d)]
    return [_line(layer, p, q) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)]


def _line(layer: Literal["frame", "title"], a: Point, b: Point) -> Stroke:
    return Stroke(layer=layer, shape=Line(start=a, end=b))


def _zones(format_: Format, landscape: bool) -> tuple[list[Stroke], list[Label]]:
    (left, bottom), (right, top) = border(format_, landscape)
    strokes: list[Stroke] = []
    labels: list[Label] = []
    across, up = _cuts(left, right), _cuts(bottom, top)
    for x in across[1:-1]:
        for y, way in ((bottom, -1.0), (top, 1.0)):
            strokes.append(_line("title", (x, y), (x, y + way * ZONE_STRIP)))
    for y in up[1:-1]:
        for x, way in ((left, -1.0), (right, 1.0)):
            strokes.append(_line("title", (x, y), (x + way * ZONE_STRIP, y)))
    half = 0.5 * ZONE_STRIP
    for number, (a, b) in enumerate(pairwise(across), 1):
        for y in (bottom - half, top + half):
            labels.append(_mark(str(number), (0.5 * (a + b), y)))
    for number, (a, b) in enumerate(zip(reversed(up[:-1]), reversed(up[1:]), strict=True)):
        for x in (left - half, right + half):
            # I and O are not used: they look like figures.
            labels.append(_mark("ABCDEFGHJKLM"[number], (x, 0.5 * (a + b))))
    return strokes, labels


def _cuts(low: float, high: float) -> list[float]:
    """Return where zones begin and end, an even number of them around the middle."""
    middle, count = 0.5 * (low + high), max(1, round(0.5 * (high - low) / ZONE))
    inner = [middle + ZONE * i for i in range(1 - count, count)]
    return [low, *inner, high]


def _mark(text: str, at: Point) -> Label:
    return Label(
        layer="frame", at=at, text=text, height=CAPTION + 0.7, anchor="middle", baseline="middle"
    )


def _title_block(
    format_: Format, landscape: bool, title: Title, scale: str, convention: Convention
) -> tuple[list[Stroke], list[Label]]:
    box = title_area(format_, landscape)
    left, bottom = box.corners()[0]
    right, top = box.corners()[2]
    strokes = _rectangle((left, bottom), (right, top), "frame")
    labels: list[Label] = []
    y = bottom
    kind = {"first-angle": "First angle", "third-angle": "Third angle"}[convention]
    rows: list[list[tuple[float, str, str, float]]] = [
        [
            (52.0, "Drawn by", title.author, VALUE),
            (32.0, "Date", title.date, VALUE),
            (22.0, "Revision", title.revision, VALUE),
            (20.0, "Unit", "mm", VALUE),
            (22.0, "Sheet", "1/1", VALUE),
            (32.0, "Projection", kind, VALUE),
        ],
        [
            (64.0, "Material", title.material, VALUE),
            (42.0, "General tolerances", title.tolerances, VALUE),
            (20.0, "Scale", scale, VALUE),
            (22.0, "Format", format_, VALUE),
            (32.0, "", "", VALUE),
        ],
        [
            (106.0, "Title", title.name, NAME),
            (42.0, "Number", title.number, NAME),
            (32.0, "", "", VALUE),
        ],
    ]
    factor = (right - left) / TITLE_WIDTH
    for number, (tall, row) in enumerate(zip(TITLE_ROWS, rows, strict=True)):
        x = left
        if number:
            # The symbol's field runs through both upper rows.
            end = right if number == 1 else right - 32.0 * factor
            strokes.append(_line("title", (left, y), (end, y)))
        for place, (share, caption, value, height) in enumerate(row):
            wide = share * factor
            if place:
                strokes.append(_line("title", (x, y), (x, y + tall)))
            room = wide - 2.4
            for text, tall_text, at in (
                (caption, CAPTION, (x + 1.2, y + tall - CAPTION - 0.9)),
                (value, height, (x + 1.2, y + 1.4)),
            ):
                shown = fitted(text, tall_text, room)
                if shown:
                    labels.append(Label(layer="title", at=at, text=shown, height=tall_text))
            x += wide
        y += tall
    middle = bottom + TITLE_ROWS[0] + 0.5 * (TITLE_ROWS[1] + TITLE_ROWS[2])
    strokes += _symbol((right - 16.0 * factor, middle), convention)
    return strokes, labels


def _symbol(at: Point, convention: Convention) -> list[Stroke]:
    """Return the truncated cone of ISO 5456-2: its side, and both circles as seen from the left."""
    first = convention == "first-angle"
    cone, circles = (at[0] - 7.0, at[0] + 6.5) if first else (at[0] + 6.5, at[0] - 7.0)
    y, large, small, half = at[1], 5.0, 2.5, 5.0
    corners = [
        (cone - half, y - small),
        (cone + half, y - large),
        (cone + half, y + large),
        (cone - half, y + small),
    ]
    strokes = [
        Stroke(layer="visible", shape=Line(start=p, end=q))
        for p, q in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    strokes += [
        Stroke(layer="visible", shape=Arc(centre=(circles, y), radius=r, start=0.0, sweep=TURN))
        for r in (small, large)
    ]
    ends = [
        ((cone - half - 1.5, y), (cone + half + 1.5, y)),
        ((circles - large - 1.5, y), (circles + large + 1.5, y)),
        ((circles, y - large - 1.5), (circles, y + large + 1.5)),
    ]
    # In the title layer: thin full lines, since a chain line would be too long for its dashes.
    return [_restyled(s) for s in strokes] + [
        Stroke(layer="title", shape=Line(start=a, end=b)) for a, b in ends
    ]


def _restyled(stroke: Stroke) -> Stroke:
    return stroke.model_copy(update={"layer": "frame"})


def scale_text(scale: tuple[int, int]) -> str:
    """Return a scale as it is written: ``1:2``, ``5:1``."""
    return f"{scale[0]}:{scale[1]}"


def scales() -> list[tuple[int, int]]:
    """Return the scales of ISO 5455 from 50:1 to 1:10000, largest first."""
    steps = [(s * 10**p, 1) for p in (1, 0) for s in (5, 2, 1)]
    steps += [(1, s * 10**p) for p in range(5) for s in (1, 2, 5)][1:]
    return [step for step in steps if math.prod(step) <= 10_000]
