"""A projection as an SVG drawing: in mm, circles as circles, one layer a kind of line.

The user unit is a millimetre of the part; width and height are those on paper, at a scale of
ISO 5455. Line widths and dashes are those of ISO 128-2 on that paper. Names come from measured
files: they are escaped and never used as identifiers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from gaugeblock.ruler.text import clean_text
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.projection import Curve, Projection
from gaugeblock.ruler.views.shapes import Arc, Bezier, EllipseArc, Line, Point, Shape, radii

PAPER = 180.0
"""Longest side of the part on paper in mm: what fits on A4 with a margin."""

MARGIN = 5.0
"""Free border on paper, mm."""

WIDE, NARROW = 0.5, 0.25
"""Line widths on paper, mm: the pair of ISO 128-2's group 0.5."""

DASH, GAP = 12 * NARROW, 3 * NARROW
"""Dashes of hidden lines on paper, mm: ISO 128-2's line 02, 12 and 3 line widths."""

DIGITS = 1e-6
"""Coordinates are written to this part of the view's size."""


@dataclass(frozen=True)
class Layer:
    """How one kind of line is drawn."""

    name: str
    kinds: frozenset[str]
    visible: bool
    width: float
    colour: str
    dashed: bool = False


LAYERS = (
    Layer("hidden", frozenset({"sharp"}), False, NARROW, "#5a6472", dashed=True),
    Layer("hidden-outline", frozenset({"outline"}), False, NARROW, "#5a6472", dashed=True),
    Layer("smooth", frozenset({"smooth"}), True, NARROW, "#5a6472"),
    Layer("outline", frozenset({"outline"}), True, WIDE, "#000000"),
    Layer("sharp", frozenset({"sharp"}), True, WIDE, "#000000"),
)
"""From the bottom to the top."""


@dataclass(frozen=True)
class Sheet:
    """A drawing and how it lies in the plane of the view."""

    text: str
    scale: float
    """mm on paper for one mm of the part."""
    low: Point
    """Lower left corner of the drawing, mm of the part."""
    high: Point
    """Upper right corner of the drawing, mm of the part."""
    visible: int
    """Curves drawn as visible."""
    hidden: int
    """Curves drawn as hidden."""


def standard_scale(longest: float) -> float:
    """Return the largest scale of ISO 5455 (1, 2, 5 × 10ⁿ to one) that fits `PAPER`.

    Args:
        longest: Longest side of the view, mm (> 0).
    """
    power = 10.0 ** math.floor(math.log10(PAPER / longest))
    fits = PAPER / longest * (1 + 1e-9)
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= fits)


def scale_text(scale: float) -> str:
    """Return a scale as it is written on a drawing: 1:2, 5:1."""
    return f"{scale:g}:1" if scale >= 1 else f"1:{1 / scale:g}"


def svg(projection: Projection, title: str, solids: Sequence[str | None]) -> Sheet:
    """Draw a projection.

    Args:
        projection: What is drawn.
        title: Words for the whole drawing.
        solids: Names of the file's solids, None for unnamed ones.

    Raises:
        ValueError: nothing is seen.
    """
    low, high = projection.box()
    scale = standard_scale(max(high[0] - low[0], high[1] - low[1]))
    free = MARGIN / scale
    low, high = (low[0] - free, low[1] - free), (high[0] + free, high[1] + free)
    width, height = high[0] - low[0], high[1] - low[1]
    pen = _Pen(max(0, math.ceil(-math.log10(DIGITS * max(width, height)))))
    curves = projection.drawn()
    layers = [_layer(layer, curves, solids, scale, pen) for layer in LAYERS]
    told = f"{_camera_text(projection.camera)}; scale {scale_text(scale)}; {projection.method}"
    view = " ".join(map(pen.number, (low[0], -high[1], width, height)))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:.6g}mm"'
        f' height="{height * scale:.6g}mm" viewBox="{view}">',
        f"<title>{escape(clean_text(title))}</title>",
        f"<desc>{escape(told)}; one unit is 1 mm of the part</desc>",
        f'<rect x="{pen.number(low[0])}" y="{pen.number(-high[1])}" width="{pen.number(width)}"'
        f' height="{pen.number(height)}" fill="#ffffff"/>',
        *(layer for layer in layers if layer),
        "</svg>",
    ]
    seen = sum(curve.visible for curve in curves)
    return Sheet("\n".join(lines) + "\n", scale, low, high, seen, len(curves) - seen)


def _camera_text(camera: Camera) -> str:
    axes = {name: axis or "oblique" for name, axis in camera.axes.items()}
    return f"{camera.name} view: right {axes['right']}, up {axes['up']}"


def _layer(
    layer: Layer,
    curves: Sequence[Curve],
    solids: Sequence[str | None],
    scale: float,
    pen: _Pen,
) -> str:
    """Return the group of one layer, a sub-group a solid; empty where there is nothing on it."""
    chosen: dict[int, list[Curve]] = {}
    for curve in curves:
        if curve.visible == layer.visible and curve.kind in layer.kinds:
            chosen.setdefault(curve.solid, []).append(curve)
    if not chosen:
        return ""
    dash = f' stroke-dasharray="{DASH / scale:.4g} {GAP / scale:.4g}"' if layer.dashed else ""
    lines = [
        f'<g id="{layer.name}" fill="none" stroke="{layer.colour}"'
        f' stroke-width="{layer.width / scale:.4g}" stroke-linecap="round"'
        f' stroke-linejoin="round"{dash}>'
    ]
    for number, own in sorted(chosen.items()):
        name = solids[number] if number < len(solids) else None
        lines.append(f'<g id="{layer.name}-solid-{number}">')
        lines.append(f"<title>{escape(clean_text(name or f'solid {number}'))}</title>")
        rest = [curve.shape for curve in own if not _whole(curve.shape)]
        if rest:
            lines.append(f'<path d="{"".join(pen.path(shape) for shape in rest)}"/>')
        lines += [pen.closed(curve.shape) for curve in own if _whole(curve.shape)]
        lines.append("</g>")
    return "\n".join([*lines, "</g>"])


def _whole(shape: Shape) -> bool:
    return isinstance(shape, Arc | EllipseArc) and shape.whole


class _Pen:
    """Writes shapes as SVG, whose y runs downwards."""

    def __init__(self, digits: int) -> None:
        self.digits = digits

    def number(self, value: float) -> str:
        """Return a coordinate in mm, without zeros that say nothing."""
        text = f"{value:.{self.digits}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text in ("-0", "") else text

    def point(self, p: Point) -> str:
        """Return x and y."""
        return f"{self.number(p[0])} {self.number(-p[1])}"

    def path(self, shape: Shape) -> str:
        """Return path data of an open curve."""
        if isinstance(shape, Line):
            return f"M{self.point(shape.start)}L{self.point(shape.end)}"
        if isinstance(shape, Arc | EllipseArc):
            return self._arc(shape)
        head, *rest = map(self.point, shape.points)
        return f"M{head}{'C' if isinstance(shape, Bezier) else 'L'}{' '.join(rest)}"

    def _arc(self, shape: Arc | EllipseArc) -> str:
        import numpy as np

        start, end = shape.at(np.array([0.0, 1.0])).tolist()
        across, along, angle = radii(shape)
        large = int(abs(shape.sweep) > math.pi)
        # Counter-clockwise with y upwards is against SVG's own positive sense.
        sense = int(shape.sweep < 0)
        return (
            f"M{self.point((start[0], start[1]))}A{self.number(across)} {self.number(along)}"
            f" {-angle:.6g} {large} {sense} {self.point((end[0], end[1]))}"
        )

    def closed(self, shape: Shape) -> str:
        """Return the element of a whole circle or ellipse."""
        if isinstance(shape, Arc):
            x, y = self.point(shape.centre).split()
            return f'<circle cx="{x}" cy="{y}" r="{self.number(shape.radius)}"/>'
        assert isinstance(shape, EllipseArc)
        x, y = self.point(shape.centre).split()
        across, along, angle = radii(shape)
        return (
            f'<ellipse cx="{x}" cy="{y}" rx="{self.number(across)}" ry="{self.number(along)}"'
            f' transform="rotate({-angle:.6g} {x} {y})"/>'
        )
