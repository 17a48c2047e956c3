"""The picture as pixels: four views of a `Scene`, with edges, scale bars, axes and a legend.

Each view is drawn twice as large in each direction and averaged. Bodies are laid over each other
back to front, pixel by pixel: what both files share is a grey veil, what only one has is solid, so
that a difference inside the material still shows. Letters come from outside (`Lettering`): the
ruler knows no font.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.picture.raster import (
    FAR,
    Array,
    Floors,
    Outline,
    draw_lines,
    draw_triangles,
    floors,
    open_floors,
    outline_of,
)
from gaugeblock.ruler.picture.scene import Floats, Scene, corner_normals
from gaugeblock.ruler.views.cameras import CAMERAS

Lettering = Callable[[str, int], npt.NDArray[np.uint8]]
"""Takes one line of text and a height in pixels, gives its coverage (h, w), 0 to 255."""

Colour = tuple[int, int, int]
Rect = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""

ONLY_A: Colour = (213, 94, 0)
ONLY_B: Colour = (0, 114, 178)
"""Vermilion and blue of Okabe and Ito's palette: told apart with every common colour blindness,
and in grey (luminance 0.20 and 0.16, beside the veil's 0.6)."""
COMMON: Colour = (176, 182, 190)
PAPER: Colour = (255, 255, 255)
INK: Colour = (40, 44, 52)
RULE: Colour = (214, 218, 224)

VEIL = 0.5
"""Opacity of what both files share."""
GHOST = 0.62
"""Opacity of whole bodies where no booleans could be had."""

SIZE = (1600, 1150)
"""Width and height of the picture in pixels."""
SUPER = 2
"""Pixels drawn for one pixel kept, in each direction."""
MARGIN = (72, 34, 34, 48)
"""Pixels of a view left free: left (axes), top (its name), right, bottom (scale bar)."""

VIEWS = {
    "Isometric": CAMERAS["iso"],
    "Front": CAMERAS["front"],
    "Right": CAMERAS["right"],
    "Top": CAMERAS["top"],
}
"""What each panel is called, and its camera."""

PANELS: dict[str, Rect] = {
    "Isometric": (16, 64, 960, 916),
    "Front": (992, 64, 592, 296),
    "Right": (992, 374, 592, 296),
    "Top": (992, 684, 592, 296),
}

LEGEND = (20, 810, 994, 30)
"""Left edges of the legend's columns, its top, and the step from line to line, pixels."""
LEGEND_LINES = 5
"""Lines of the legend that the sheet has room for."""

LIGHT = (-0.35, 0.55, 0.76)
"""Towards the lamp, seen by the viewer (right, up, near): over the left shoulder."""


@dataclass(frozen=True)
class Style:
    """How one layer of a scene is drawn."""

    layer: str
    colour: Colour
    opacity: float
    """0 to 1; what lies behind an opaque layer is hidden."""


@dataclass(frozen=True)
class Caption:
    """The words of a picture."""

    title: str
    colours: Sequence[tuple[Colour | None, str]] = ()
    """Lines at the left, each beside a patch of colour; None: no patch."""
    words: Sequence[str] = ()
    """Lines at the right, of which the first is the answer."""


def draw(
    scene: Scene, caption: Caption, letters: Lettering, styles: Sequence[Style] | None = None
) -> npt.NDArray[np.uint8]:
    """Draw the whole picture.

    Args:
        scene: What is shown.
        caption: Title and legend, already in characters that the lettering has.
        letters: Sets one line of text.
        styles: The layers to draw and how; None: what both files share, and what only one has.

    Returns:
        (h, w, 3) colours, `SIZE` pixels.
    """
    width, height = SIZE
    sheet = np.empty((height, width, 3))
    sheet[:] = PAPER
    views = _Views(scene, _styles(scene) if styles is None else styles)
    with ThreadPoolExecutor(len(PANELS)) as pool:  # numpy lets go of the lock in its loops
        panels = pool.map(lambda name: views.panel(name, PANELS[name][:1:-1]), PANELS)
    for (name, rect), panel in zip(PANELS.items(), panels, strict=True):
        left, top, across, down = rect
        sheet[top : top + down, left : left + across] = panel
        _frame(sheet, rect)
        _write(sheet, letters(name, 18), left + 10, top + 8, INK)
        _scale_bar(sheet, rect, views.scale(name, (down, across)), letters)
        _triad(sheet, rect, name, letters, 46 if name == "Isometric" else 26)
    _write(sheet, letters(caption.title, 26), 18, 18, INK)
    left, right, top, step = LEGEND
    # Beside words, the colours keep to their half; alone, they take the columns they need.
    columns = 2 if caption.words else max(2, -(-len(caption.colours) // LEGEND_LINES))
    room = columns * LEGEND_LINES if not caption.words else LEGEND_LINES
    for i, (colour, text) in enumerate(caption.colours[:room]):
        column, line = divmod(i, LEGEND_LINES)
        x, y = left + (width - left) // columns * column, top + step * line
        if colour is not None:
            sheet[y + 1 : y + 19, x : x + 26] = colour
        _write(sheet, letters(text, 20), x + (36 if colour is not None else 0), y, INK)
    for i, text in enumerate(caption.words[:LEGEND_LINES]):
        _write(sheet, letters(text, 20), right, top + step * i, INK)
    return np.clip(np.rint(sheet), 0, 255).astype(np.uint8)


class _Views:
    """A scene made ready for drawing from several sides."""

    def __init__(self, scene: Scene, styles: Sequence[Style]) -> None:
        self.scene = scene
        self.low, self.high = scene.box()
        self.styles = styles
        self.normals: dict[str, Floats] = {}
        self.outlines: dict[str, Outline] = {}
        for style in self.styles:
            layer = scene.layers[style.layer]
            self.normals[style.layer] = corner_normals(layer)
            self.outlines[style.layer] = outline_of(layer)

    def scale(self, name: str, size: tuple[int, int]) -> float:
        """Return pixels per mm of a view of `size` (height, width)."""
        basis = VIEWS[name].basis()
        corners = np.array(np.meshgrid(*zip(self.low, self.high, strict=True))).reshape(3, -1).T
        across = np.ptp(corners @ basis.T, axis=0)
        left, top, right, bottom = MARGIN
        room = np.array([size[1] - left - right, size[0] - top - bottom])
        return float((room / np.maximum(across[:2], 1e-9)).min())

    def panel(self, name: str, size: tuple[int, int]) -> Array:
        """Return (h, w, 3) colours of one view."""
        large = (size[0] * SUPER, size[1] * SUPER)
        basis = VIEWS[name].basis()
        scale = self.scale(name, size) * SUPER
        middle = (self.low + self.high) / 2.0
        left, top, right, bottom = (SUPER * free for free in MARGIN)

        def place(points: npt.NDArray[np.float32]) -> Array:
            seen = (points.astype(float) - middle) @ basis.T * scale
            seen[..., 0] += (large[1] + left - right) / 2.0
            seen[..., 1] = (large[0] + top - bottom) / 2.0 - seen[..., 1]
            return np.asarray(seen)

        lamp = np.array(LIGHT) / np.linalg.norm(LIGHT)
        buffers, outlines = [], []
        for style in self.styles:
            layer = self.scene.layers[style.layer]
            points, triangles = place(layer.points), layer.triangles.astype(np.int64)
            facing = self.normals[style.layer].astype(float) @ basis.T
            shade = 0.5 + 0.5 * np.clip(facing @ lamp, 0.0, 1.0)
            buffers.append(draw_triangles(points, triangles, shade, large))
            outlines.append(self.outlines[style.layer].silhouette(points, triangles))
        veil, solid = np.full(large, FAR), np.full(large, FAR)
        for buffer, style in zip(buffers, self.styles, strict=True):
            veil = np.maximum(veil, buffer.depth)
            if style.opacity == 1.0:
                solid = np.maximum(solid, buffer.depth)
        image = np.empty((*large, 3))
        image[:] = PAPER
        self._lay(image, [(b.depth, b.shade) for b in buffers])
        self._edges(image, floors(veil, solid), place, outlines)
        fine = image.reshape(size[0], SUPER, size[1], SUPER, 3)
        return np.asarray(fine.mean(axis=(1, 3)))

    def _lay(self, image: Array, buffers: list[tuple[Array, Array]]) -> None:
        """Lay the bodies over the paper, the farthest first, pixel by pixel."""
        depths = np.stack([depth for depth, _ in buffers])
        order = np.argsort(depths, axis=0, kind="stable")
        for rank in range(len(buffers)):
            for i, style in enumerate(self.styles):
                depth, shade = buffers[i]
                here = (order[rank] == i) & (depth > FAR)
                tone = np.array(style.colour)[None, :] * (0.25 + 0.75 * shade[here])[:, None]
                tone += 255.0 * 0.18 * np.clip(shade[here] - 0.8, 0, 1)[:, None]
                image[here] = image[here] * (1.0 - style.opacity) + tone * style.opacity

    def _edges(
        self,
        image: Array,
        floor: Floors,
        place: Callable[[npt.NDArray[np.float32]], Array],
        outlines: list[Array],
    ) -> None:
        """Draw edges and silhouettes: veiled ones faintly, then those in front."""
        dark = {style.layer: tuple(c * 0.55 for c in style.colour) for style in self.styles}
        kinds = [
            (place(self.scene.edges["common"]), INK, 1.0, 0.16),
            *(
                (outline, INK if style.layer == "common" else dark[style.layer], 1.0, 0.0)
                for outline, style in zip(outlines, self.styles, strict=True)
            ),
            # Neutral: an edge that only A has may well bound what only B has, a filled hole.
            *((place(self.scene.edges[name]), INK, 1.3, 0.45) for name in ("only_a", "only_b")),
        ]
        drawn = [draw_lines(lines, floor, width * SUPER) for lines, _, width, _ in kinds]
        for ink, (_, colour, _, faint) in zip(drawn, kinds, strict=True):
            _cover(image, ink.veiled * faint, colour)
        for ink, (_, colour, _, _) in zip(drawn, kinds, strict=True):
            _cover(image, ink.seen * 0.9, colour)


def _styles(scene: Scene) -> list[Style]:
    if scene.reason is None:
        styles = [
            Style("common", COMMON, VEIL),
            Style("only_a", ONLY_A, 1.0),
            Style("only_b", ONLY_B, 1.0),
        ]
    else:
        styles = [Style("a", ONLY_A, GHOST), Style("b", ONLY_B, GHOST)]
    return styles


def _cover(image: Array, strength: Array, colour: Sequence[float]) -> None:
    rows, columns = np.nonzero(strength)
    part = strength[rows, columns][:, None]
    image[rows, columns] = image[rows, columns] * (1.0 - part) + np.array(colour) * part


def _write(sheet: Array, letters: npt.NDArray[np.uint8], x: int, y: int, colour: Colour) -> None:
    """Lay a line of text on the sheet, its top left corner at x, y; what sticks out is cut."""
    down = max(min(letters.shape[0], sheet.shape[0] - y), 0)
    across = max(min(letters.shape[1], sheet.shape[1] - x), 0)
    part = letters[:down, :across, None] / 255.0
    region = sheet[y : y + down, x : x + across]
    region[:] = region * (1.0 - part) + np.array(colour) * part


def _frame(sheet: Array, rect: Rect) -> None:
    left, top, across, down = rect
    sheet[top : top + down, [left, left + across - 1]] = RULE
    sheet[[top, top + down - 1], left : left + across] = RULE


def nice_length(longest: float) -> float:
    """Return the largest of 1, 2, 5 × 10ⁿ that is not above `longest` (> 0)."""
    power = 10.0 ** math.floor(math.log10(longest))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= longest * (1 + 1e-9))


def _scale_bar(sheet: Array, rect: Rect, scale: float, letters: Lettering) -> None:
    left, top, across, down = rect
    length = nice_length(across * 0.25 / scale)
    pixels = round(length * scale)
    x, y = left + across - 16 - pixels, top + down - 16
    sheet[y : y + 2, x : x + pixels] = INK
    for tick in (x, x + pixels - 2):
        sheet[y - 5 : y + 2, tick : tick + 2] = INK
    text = letters(f"{length:g} mm", 16)
    _write(sheet, text, x + max((pixels - text.shape[1]) // 2, 0), y - 24, INK)


def _triad(sheet: Array, rect: Rect, name: str, letters: Lettering, length: int) -> None:
    """Draw the axes as the view sees them, at the bottom left."""
    left, top, _, down = rect
    basis = VIEWS[name].basis()
    # Room for the letter behind the longest axis in either direction.
    reach = length + 24
    patch = sheet[top + down - 2 * reach : top + down, left : left + 2 * reach]
    base = np.array([reach * 0.75, 2 * reach - reach * 0.75, 0.0])
    for axis, letter in enumerate("XYZ"):
        tip = basis[:, axis] * np.array([1.0, -1.0, 1.0])
        if np.hypot(tip[0], tip[1]) < 0.2:
            continue
        end = base + tip * length
        line = np.stack([base, end])[None]
        line[..., 2] = 0.0
        ink = draw_lines(line, open_floors(patch.shape[:2]), 2.0)
        _cover(patch, ink.seen, INK)
        sign = letters(letter, 16)
        at = base + tip * (length + 12) - np.array([sign.shape[1] / 2.0, sign.shape[0] / 2.0, 0.0])
        _write(patch, sign, max(int(at[0]), 0), max(int(at[1]), 0), INK)


def png(image: npt.NDArray[np.uint8]) -> bytes:
    """Return (h, w, 3) colours as a PNG file (RFC 2083, 8 bits, each row less the one above)."""
    height, width, _ = image.shape
    rows = image.reshape(height, width * 3)
    above = np.vstack([np.zeros((1, width * 3), dtype=np.uint8), rows[:-1]])
    filtered = np.concatenate([np.full((height, 1), 2, dtype=np.uint8), rows - above], axis=1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(filtered.tobytes(), 9))
        + chunk(b"IEND", b"")
    )
