"""A sheet as a vector PDF of its exact size, with text that can be selected.

Letters are strokes, as everywhere; the strings lie over them unpainted, in the same font.
"""

from __future__ import annotations

import math
from io import BytesIO
from typing import Any

from gaugeblock.ruler.drawing.output.curves import beziers
from gaugeblock.ruler.drawing.output.expanding import Drawn, Filled, Lettered, expand
from gaugeblock.ruler.drawing.output.glyphs import CAPITAL, FAMILY, FONT, glyph
from gaugeblock.ruler.drawing.output.pens import PENS, STROKE
from gaugeblock.ruler.drawing.sheet import Sheet
from gaugeblock.ruler.text import clean_text
from gaugeblock.ruler.views.shapes import Line, Polyline, Shape

POINTS = 72.0 / 25.4
"""PDF's unit in a mm."""

ROUND, BUTT = 1, 0
"""Ends of lines, as PDF counts them."""

UNSEEN = 3
"""Text rendering mode that paints nothing."""


def pdf_of(sheet: Sheet) -> bytes:
    """Return a sheet as PDF; the same sheet gives the same bytes."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    if FAMILY not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(FAMILY, str(FONT)))
    wide, tall = sheet.size
    out = BytesIO()
    canvas = Canvas(out, pagesize=(wide * POINTS, tall * POINTS), invariant=1)
    canvas.setTitle(clean_text(sheet.title.name) or "Drawing")
    canvas.setAuthor(clean_text(sheet.title.author))
    canvas.scale(POINTS, POINTS)
    canvas.setLineJoin(ROUND)
    for layer, items in expand(sheet).items():
        pen = PENS[layer]
        for item in items:
            if isinstance(item, Drawn):
                canvas.setLineWidth(pen.width)
                canvas.setLineCap(BUTT if item.pattern else ROUND)
                canvas.setDash(list(item.pattern))
                canvas.drawPath(_path(canvas, item.shape))
            elif isinstance(item, Filled):
                path = canvas.beginPath()
                path.moveTo(*item.corners[0])
                for corner in item.corners[1:]:
                    path.lineTo(*corner)
                path.close()
                canvas.drawPath(path, stroke=0, fill=1)
            else:
                _letter(canvas, item)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _path(canvas: Any, shape: Shape) -> Any:
    path = canvas.beginPath()
    control = beziers(shape)
    if control is not None:
        path.moveTo(*control[0])
        for n in range(1, len(control) - 2, 3):
            path.curveTo(*control[n], *control[n + 1], *control[n + 2])
        return path
    assert isinstance(shape, Line | Polyline)
    points = (shape.start, shape.end) if isinstance(shape, Line) else shape.points
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    return path


def _letter(canvas: Any, item: Lettered) -> None:
    canvas.setLineWidth(STROKE * item.height)
    canvas.setLineCap(ROUND)
    canvas.setDash([])
    path = canvas.beginPath()
    for sign, at in item.set.signs:
        for contour in glyph(sign).contours:
            path.moveTo(*item.place(at + contour.start[0], contour.start[1]))
            for step in contour.steps:
                placed = [item.place(at + x, y) for x, y in step.points]
                if step.kind == "line":
                    path.lineTo(*placed[0])
                else:
                    path.curveTo(*placed[0], *placed[1], *placed[2])
    canvas.drawPath(path)
    _select(canvas, item)


def _know(text: str) -> None:
    """Give signs that the font lacks another's shape: unpainted, but told to whoever copies."""
    from reportlab.pdfbase import pdfmetrics

    shapes = pdfmetrics.getFont(FAMILY).face.charToGlyph
    for sign in text:
        shapes.setdefault(ord(sign), shapes[ord("O")])


def _select(canvas: Any, item: Lettered) -> None:
    """Lay the string over its strokes."""
    _know(item.text)
    size = item.height * 1000.0 / CAPITAL
    natural = canvas.stringWidth(item.text, FAMILY, size)
    c, s = math.cos(item.angle), math.sin(item.angle)
    text = canvas.beginText()
    text.setTextRenderMode(UNSEEN)
    text.setFont(FAMILY, size)
    text.setHorizScale(100.0 * item.width / natural if natural else 100.0)
    text.setTextTransform(c, s, -s, c, *item.start)
    text.textOut(item.text)
    # The state outlives the text object.
    text.setHorizScale(100.0)
    text.setTextRenderMode(0)
    canvas.drawText(text)
