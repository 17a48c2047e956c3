"""Shaded views as pixels: the file's colours, a lamp over the left shoulder, dark edges.

Drawn by the difference picture's rasteriser, without a display, `SUPER` times as large in each
direction and averaged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.ndimage import minimum_filter

from gaugeblock.ruler.picture.raster import (
    BIAS,
    FAR,
    Floors,
    draw_lines,
    draw_triangles,
    outline_of,
)
from gaugeblock.ruler.picture.scene import Layer, corner_normals
from gaugeblock.ruler.picture.views import LIGHT
from gaugeblock.ruler.views.body import Body
from gaugeblock.ruler.views.cameras import Camera

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]

NEUTRAL = "#a9b8c9"
"""Colour of what the file gives none: a pale steel blue, told from white paper and dark edges."""

PAPER = 255.0
INK = (38.0, 42.0, 50.0)
CHALK = (150.0, 156.0, 166.0)
"""Edges on surfaces too dark for ink."""

DARK = 70.0
"""Brightness (0 to 255) of a surface below which its edges are drawn in chalk."""

MARGIN = 0.05
"""Free border on each side, as a part of the image."""

SUPER = 2
"""Pixels drawn for one pixel kept, in each direction."""

SIZE_LEAST, SIZE_MOST = 64, 2048
"""Sides of an image in pixels. At the most, one view takes 1.5 GB and some 3 s."""

BAND = 8
"""Pixels beside the part that lines may run into."""

EDGE_WIDTH = 1.25
"""Width of an edge in pixels."""

STRENGTH, SMOOTH_STRENGTH = 0.9, 0.22
"""How strongly edges are drawn, and tangential ones: to be seen, not to be taken for corners."""

AMBIENT, GLOSS = 0.47, 28.0
"""Brightness of a surface that the lamp just misses, and what a surface that faces it gains (of
255)."""

BLACK = 26.0
"""What a black surface still shows, of 255: else its shape could not be seen."""


@dataclass(frozen=True)
class Picture:
    """One shaded view, and how the part lies in it."""

    pixels: npt.NDArray[np.uint8]
    """(size, size, 3) colours in sRGB."""
    scale: float
    """Pixels per mm."""
    centre: tuple[float, float]
    """Point of the view in mm that the image's middle shows."""


class Shading:
    """A body made ready to be drawn from several sides."""

    def __init__(self, body: Body) -> None:
        self.body = body
        layer = Layer(body.points, body.triangles)
        self.normals = corner_normals(layer).astype(float)
        self.outline = outline_of(layer)
        self.triangles = body.triangles.astype(np.int64)
        self.palette = np.array([_rgb(colour or NEUTRAL) for colour in body.palette])

    def draw(self, camera: Camera, size: int) -> Picture:
        """Draw one view.

        Args:
            camera: Where it is seen from.
            size: Side of the image in pixels, `SIZE_LEAST` to `SIZE_MOST`.
        """
        basis = camera.basis()
        seen = self.body.points.astype(float) @ basis.T
        low, high = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
        middle = 0.5 * (low + high)
        scale = size * (1.0 - 2.0 * MARGIN) / max(float((high - low).max()), 1e-9)
        # Only the band that the part fills is drawn; the rest is paper.
        wanted = np.ceil((high - low) * scale) + 2 * BAND
        left, top = (max((size - int(side)) // 2, 0) for side in wanted)
        across, down = size - 2 * left, size - 2 * top
        fine = self._fine(basis, middle, scale * SUPER, (down * SUPER, across * SUPER))
        band = sum(fine[i::SUPER, j::SUPER] for i in range(SUPER) for j in range(SUPER)) / SUPER**2
        pixels = np.full((size, size, 3), 255, dtype=np.uint8)
        pixels[top : top + down, left : left + across] = np.clip(np.rint(band), 0, 255)
        shift = basis[:2] @ np.array(self.body.centre) + middle
        return Picture(pixels, scale, (float(shift[0]), float(shift[1])))

    def _fine(self, basis: Floats, middle: Floats, scale: float, size: tuple[int, int]) -> Floats32:
        """Draw the enlarged band.

        Args:
            basis: Rows right, up, towards the viewer.
            middle: What the band's middle shows, mm.
            scale: Fine pixels per mm.
            size: Height and width in fine pixels.
        """
        origin = np.array([0.5 * size[1], 0.5 * size[0], 0.0])
        own = np.array([*middle, 0.0])

        def place(points: npt.NDArray[np.float32]) -> Floats:
            seen = points.astype(float) @ basis.T
            return np.asarray((seen - own) * (scale * np.array([1.0, -1.0, 1.0])) + origin)

        pixels = place(self.body.points)
        lamp = basis.T @ (np.array(LIGHT) / np.linalg.norm(LIGHT))
        light = np.clip(self.normals @ lamp, 0.0, 1.0)
        # The rasteriser carries one number a corner: colour number and brightness in one.
        carried = 2.0 * self.body.colours.astype(float)[:, None] + light
        buffer = draw_triangles(pixels, self.triangles, carried, size)
        image = self._painted(buffer.depth, buffer.shade)
        # Near an edge a surface may fall away within one pixel: the farthest neighbour decides.
        low = minimum_filter(buffer.depth, size=3, mode="nearest") - BIAS
        floor, width = Floors(low, low), EDGE_WIDTH * SUPER
        strength = np.zeros(size)
        rim = self.outline.silhouette(pixels, self.triangles)
        for lines, full in (
            (place(self.body.edges["smooth"]), SMOOTH_STRENGTH),
            (np.concatenate([rim, place(self.body.edges["sharp"])]), STRENGTH),
        ):
            np.maximum(strength, full * draw_lines(lines, floor, width).seen, out=strength)
        _ink(image, strength)
        return image

    def _painted(self, depth: Floats, carried: Floats) -> Floats32:
        """Return the colours of the surfaces on paper."""
        body = np.flatnonzero(depth > FAR)
        value = carried.ravel()[body]
        number = (0.5 * value).astype(np.int64)
        light = (value - 2.0 * number).astype(np.float32)
        gloss = light * light
        gloss *= gloss
        gloss *= gloss
        own = (BLACK + self.palette * (1.0 - BLACK / 255.0)).astype(np.float32)
        tone = own[number] * (AMBIENT + (1.0 - AMBIENT) * light)[:, None]
        image = np.full((depth.size, 3), PAPER, dtype=np.float32)
        image[body] = tone + (GLOSS * gloss)[:, None]
        return image.reshape(*depth.shape, 3)


def _ink(image: Floats32, strength: Floats) -> None:
    """Draw lines: dark on what is light, light on what is dark."""
    rows, columns = np.nonzero(strength)
    below = image[rows, columns]
    bright = below @ np.array([0.299, 0.587, 0.114])
    ink = np.where((bright < DARK)[:, None], CHALK, INK)
    part = strength[rows, columns][:, None]
    image[rows, columns] = below * (1.0 - part) + ink * part


def _rgb(colour: str) -> list[float]:
    return [float(int(colour[i : i + 2], 16)) for i in (1, 3, 5)]
