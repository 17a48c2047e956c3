"""A sheet as a PNG: the same lines, drawn larger than wanted and averaged."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np

from gaugeblock.ruler.drawing.output.curves import flat
from gaugeblock.ruler.drawing.output.expanding import Drawn, Filled, Lettered, expand
from gaugeblock.ruler.drawing.output.glyphs import flat as flat_stroke
from gaugeblock.ruler.drawing.output.glyphs import glyph
from gaugeblock.ruler.drawing.output.pens import PENS, STROKE
from gaugeblock.ruler.drawing.sheet import Sheet
from gaugeblock.ruler.views.shapes import Floats

DPI = 200
"""Default resolution: a narrow line is two pixels wide, 2.5 mm letters are twenty tall."""

DPI_LEAST, DPI_MOST = 50, 600
"""At 600 an A3 sheet has 70 million pixels."""

FINE = 800
"""Dots per inch that are drawn before averaging, where memory allows: see `_larger`."""

MM = 25.4
"""Of an inch."""


def png_of(sheet: Sheet, dpi: int = DPI, greys: int | None = None) -> bytes:
    """Return a sheet as a grey PNG.

    Args:
        sheet: The sheet.
        dpi: Pixels of an inch of paper, `DPI_LEAST` to `DPI_MOST`; the file tells it.
        greys: Levels of grey, 2 to 16, for a smaller file; None: all 256.

    Raises:
        ValueError: `dpi` is out of its range.
    """
    from PIL import Image, ImageDraw

    if not DPI_LEAST <= dpi <= DPI_MOST:
        raise ValueError(f"{dpi} dpi: {DPI_LEAST} to {DPI_MOST} can be had")
    wide, tall = sheet.size
    size = (round(wide / MM * dpi), round(tall / MM * dpi))
    times = _larger(dpi)
    image = Image.new("L", (size[0] * times, size[1] * times), 255)
    brush = _Brush(ImageDraw.Draw(image), dpi * times / MM, size[1] * times)
    for layer, items in expand(sheet).items():
        width = PENS[layer].width
        for item in items:
            if isinstance(item, Drawn):
                points = flat(item.shape, 0.1 / brush.scale * times)
                if item.pattern:
                    for dash in dashes(points, item.pattern):
                        brush.line(dash, width, round_ends=False)
                else:
                    brush.line(points, width)
            elif isinstance(item, Filled):
                brush.fill(np.array(item.corners))
            else:
                for stroke in strokes(item):
                    brush.line(stroke, STROKE * item.height)
    out = BytesIO()
    shown = image.reduce(times)
    if greys is not None:
        shown = _few(shown, greys)
    shown.save(out, "PNG", dpi=(dpi, dpi), optimize=greys is not None)
    return out.getvalue()


def _few(image: Any, greys: int) -> Any:
    """Return a grey image of few levels, evenly from black to white, as one with a palette."""
    top = greys - 1
    few = image.point([round(grey / 255 * top) for grey in range(256)])
    few.putpalette([channel for n in range(greys) for channel in [round(n / top * 255)] * 3])
    return few


def _larger(dpi: int) -> int:
    """Return how many times larger is drawn in each direction: 4 at 200 dpi, 2 at 400 and more."""
    return max(2, min(8, FINE // dpi))


def strokes(item: Lettered) -> Iterator[Floats]:
    """Yield the strokes of a text as (n, 2) points on the paper."""
    for sign, at in item.set.signs:
        for contour in glyph(sign).contours:
            yield np.array([item.place(at + x, y) for x, y in flat_stroke(contour).tolist()])


def dashes(points: Floats, pattern: tuple[float, ...]) -> Iterator[Floats]:
    """Yield the dashes of a chain of points.

    Args:
        points: (n, 2), mm.
        pattern: Dashes and gaps in turn, mm.
    """
    legs = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(legs)])
    at, number = 0.0, 0
    while at < along[-1] - 1e-9:
        end = min(at + pattern[number % len(pattern)], along[-1])
        if number % 2 == 0:
            inner = (along > at) & (along < end)
            way = np.concatenate([[at], along[inner], [end]])
            yield np.stack([np.interp(way, along, points[:, n]) for n in (0, 1)], axis=1)
        at, number = end, number + 1


class _Brush:
    """Draws in pixels what is given in mm."""

    def __init__(self, draw: Any, scale: float, tall: int) -> None:
        self.draw, self.scale, self.tall = draw, scale, tall

    def _pixels(self, points: Floats) -> Floats:
        return np.stack([points[:, 0] * self.scale, self.tall - points[:, 1] * self.scale], axis=1)

    def fill(self, corners: Floats) -> None:
        """Fill a polygon."""
        self.draw.polygon([tuple(p) for p in self._pixels(corners).tolist()], fill=0)

    def line(self, points: Floats, width: float, round_ends: bool = True) -> None:
        """Draw a chain of points; joints are round."""
        pixels = self._pixels(points)
        half = 0.5 * width * self.scale
        way = np.diff(pixels, axis=0)
        long = np.linalg.norm(way, axis=1)
        kept = long > 0
        n = np.zeros_like(way)
        n[kept] = half * np.stack([-way[kept, 1], way[kept, 0]], axis=1) / long[kept, None]
        a, b, m = pixels[:-1][kept], pixels[1:][kept], n[kept]
        for corners in np.hstack([a + m, b + m, b - m, a - m]).tolist():
            self.draw.polygon(corners, fill=0)
        dots = pixels if round_ends else pixels[1:-1]
        for x, y in dots.tolist():
            self.draw.ellipse((x - half, y - half, x + half, y + half), fill=0)
