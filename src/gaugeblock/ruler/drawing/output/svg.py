"""A sheet as SVG in mm: a group a layer, real text that programs read, letters as strokes.

The strings stand as `<text>` with their place, height and width, unseen but to be found and copied;
what is seen are the strokes of `glyphs`, so that no font is needed. y runs downwards in SVG.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

import numpy as np

from gaugeblock.ruler.drawing.output.expanding import Drawn, Filled, Item, Lettered, expand
from gaugeblock.ruler.drawing.output.glyphs import CAPITAL, glyph
from gaugeblock.ruler.drawing.output.pens import PENS, STROKE
from gaugeblock.ruler.drawing.sheet import Layer, Sheet
from gaugeblock.ruler.text import clean_text
from gaugeblock.ruler.views.shapes import Arc, Bezier, EllipseArc, Line, Point, Shape, radii

DIGITS = 3
"""Places of coordinates: 1 µm on paper."""


def svg_of(sheet: Sheet) -> str:
    """Return a sheet as SVG text."""
    wide, tall = sheet.size
    layers = expand(sheet)
    texts = [item for items in layers.values() for item in items if isinstance(item, Lettered)]
    pen = _Pen(tall)
    told = f"{sheet.format}, scale {sheet.scale[0]}:{sheet.scale[1]}, {sheet.convention} projection"
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{tall:g}mm"'
        f' viewBox="0 0 {wide:g} {tall:g}">',
        f"<title>{escape(clean_text(sheet.title.name) or 'Drawing')}</title>",
        f"<desc>{told}; one unit is 1 mm of the paper</desc>",
        f'<rect width="{wide:g}" height="{tall:g}" fill="#ffffff"/>',
        *(_layer(layer, items, pen) for layer, items in layers.items()),
        *_lettering(texts, pen),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _layer(layer: Layer, items: Iterable[Item], pen: _Pen) -> str:
    width = PENS[layer].width
    cap = "butt" if PENS[layer].pattern else "round"
    lines = [
        f'<g id="{layer}" class="layer" fill="none" stroke="#000000" stroke-width="{width:g}"'
        f' stroke-linecap="{cap}" stroke-linejoin="round">'
    ]
    for item in items:
        if isinstance(item, Drawn):
            dash = " ".join(pen.number(part) for part in item.pattern)
            lines.append(pen.element(item.shape, f' stroke-dasharray="{dash}"' if dash else ""))
        elif isinstance(item, Filled):
            points = " ".join(pen.point(p) for p in item.corners)
            lines.append(f'<polygon points="{points}" fill="#000000" stroke="none"/>')
        else:
            lines.append(_text(item, pen))
    return "\n".join([*lines, "</g>"])


def _text(item: Lettered, pen: _Pen) -> str:
    """Return the string itself; a viewer does not paint it."""
    x, y = pen.point(item.start).split()
    turn = f' transform="rotate({-math.degrees(item.angle):.6g} {x} {y})"' if item.angle else ""
    # A font's size is that of its em; capitals are CAPITAL thousandths of it.
    size = item.height * 1000.0 / CAPITAL
    return (
        f'<text x="{x}" y="{y}"{turn} font-family="sans-serif" font-size="{pen.number(size)}"'
        f' textLength="{pen.number(item.width)}" lengthAdjust="spacingAndGlyphs" fill="#000000"'
        f' fill-opacity="0" stroke="none">{escape(item.text)}</text>'
    )


def _lettering(texts: list[Lettered], pen: _Pen) -> list[str]:
    """Return the strokes of all letters: each sign once, then where it stands."""
    if not texts:
        return []
    signs = sorted({sign for item in texts for sign, _ in item.set.signs})
    shapes = {sign: data for sign in signs if (data := _outline(sign))}
    lines = ["<defs>"]
    lines += [f'<path id="g{ord(sign):x}" d="{data}"/>' for sign, data in shapes.items()]
    lines += [
        "</defs>",
        f'<g id="lettering" aria-hidden="true" fill="none" stroke="#000000"'
        f' stroke-width="{STROKE:g}" stroke-linecap="round" stroke-linejoin="round">',
    ]
    for item in texts:
        x, y = pen.point(item.start).split()
        turn = f" rotate({-math.degrees(item.angle):.6g})" if item.angle else ""
        along, up = item.height * item.set.squeeze, item.height
        uses = "".join(
            f'<use href="#g{ord(sign):x}" x="{at:.4g}"/>'
            for sign, at in item.set.signs
            if sign in shapes
        )
        scale = f"scale({along:.5g} {up:.5g})"
        lines.append(f'<g transform="translate({x} {y}){turn} {scale}">{uses}</g>')
    return [*lines, "</g>"]


def _outline(sign: str) -> str:
    def point(p: Point) -> str:
        return f"{p[0]:.3f} {-p[1]:.3f}".replace("-0.000", "0")

    data = ""
    for contour in glyph(sign).contours:
        data += f"M{point(contour.start)}"
        for step in contour.steps:
            data += ("L" if step.kind == "line" else "C") + " ".join(map(point, step.points))
    return data


class _Pen:
    """Writes shapes in SVG's coordinates."""

    def __init__(self, tall: float) -> None:
        self.tall = tall

    def number(self, value: float) -> str:
        """Return a length, without zeros that say nothing."""
        text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
        return "0" if text in ("-0", "") else text

    def point(self, p: Point) -> str:
        """Return x and y."""
        return f"{self.number(p[0])} {self.number(self.tall - p[1])}"

    def element(self, shape: Shape, more: str) -> str:
        """Return a shape's element with further attributes."""
        if isinstance(shape, Arc | EllipseArc):
            return self._closed(shape, more) if shape.whole else self._arc(shape, more)
        if isinstance(shape, Line):
            (a, b), (c, d) = self.point(shape.start).split(), self.point(shape.end).split()
            return f'<line x1="{a}" y1="{b}" x2="{c}" y2="{d}"{more}/>'
        head, *rest = map(self.point, shape.points)
        verb = "C" if isinstance(shape, Bezier) else "L"
        return f'<path d="M{head}{verb}{" ".join(rest)}"{more}/>'

    def _arc(self, shape: Arc | EllipseArc, more: str) -> str:
        start, end = ((p[0], p[1]) for p in shape.at(np.array([0.0, 1.0])).tolist())
        across, along, angle = radii(shape)
        large = int(abs(shape.sweep) > math.pi)
        # Counter-clockwise with y upwards is against SVG's own positive sense.
        sense = int(shape.sweep < 0)
        return (
            f'<path d="M{self.point(start)}A{self.number(across)} {self.number(along)}'
            f' {-angle:.6g} {large} {sense} {self.point(end)}"{more}/>'
        )

    def _closed(self, shape: Arc | EllipseArc, more: str) -> str:
        x, y = self.point(shape.centre).split()
        if isinstance(shape, Arc):
            return f'<circle cx="{x}" cy="{y}" r="{self.number(shape.radius)}"{more}/>'
        across, along, angle = radii(shape)
        return (
            f'<ellipse cx="{x}" cy="{y}" rx="{self.number(across)}" ry="{self.number(along)}"'
            f' transform="rotate({-angle:.6g} {x} {y})"{more}/>'
        )
