"""A small software rasteriser in numpy: triangles and lines into depth buffers, no display needed.

Orthographic only. Coordinates are pixels: x right, y down, z towards the viewer, so a larger z is
nearer. Everything is vectorised: triangles are cut into rows, rows into pixels, and the nearest
pixel is found with one unordered maximum. The result is the same on every run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.ndimage import minimum_filter

from gaugeblock.ruler.picture.scene import Layer, thickness

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

FAR = -np.inf
"""Depth where nothing is."""

BLOCK = 3_000_000
"""Pixels worked on at once: about 200 MB."""

LINE_STEP = 0.6
"""Distance in pixels of the dots that make a line: closer than the dots' own width."""

BIAS = 2.0
"""Depth in pixels by which a line on a surface is lifted: its chords lie below curved faces."""


@dataclass
class Buffer:
    """One body as the viewer sees it."""

    depth: Array
    """(h, w) z in pixels, `FAR` where nothing is."""
    shade: Array
    """(h, w) brightness of the nearest surface, 0 to 1."""


def draw_triangles(points: Array, triangles: Ints, shade: Array, size: tuple[int, int]) -> Buffer:
    """Rasterise the triangles that face the viewer.

    Args:
        points: (n, 3) nodes in pixels.
        triangles: (m, 3) node numbers.
        shade: (m, 3) brightness at the corners, 0 to 1.
        size: Height and width in pixels.
    """
    height, width = size
    depth = np.full(height * width, FAR)
    bright = np.zeros(height * width)
    corners = points[triangles]
    (x0, x1, x2), (y0, y1, y2) = corners[:, :, 0].T, corners[:, :, 1].T
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    # y runs downwards, so counter-clockwise in space is a negative area here.
    front = area < -1e-9
    corners, shade, area = corners[front], shade[front], area[front]
    low = np.clip(np.ceil(corners[:, :, 1].min(axis=1) - 0.5), 0, height).astype(np.int64)
    high = np.clip(np.floor(corners[:, :, 1].max(axis=1) - 0.5) + 1, 0, height).astype(np.int64)
    rows = np.maximum(high - low, 0)
    planes = _planes(corners, shade, area)
    for part in _blocks(rows, BLOCK // 8):
        owner, row = _expand(part, low, rows)
        left, right = _spans(corners[owner], row.astype(float) + 0.5)
        start = np.clip(np.ceil(left - 0.5), 0, width).astype(np.int64)
        count = np.maximum(np.clip(np.floor(right - 0.5) + 1, 0, width).astype(np.int64) - start, 0)
        for piece in _blocks(count, BLOCK):
            span, column = _expand(piece, start, count)
            x, y = column.astype(float) + 0.5, row[span].astype(float) + 0.5
            z, bright_here = _evaluate(planes, owner[span], x, y)
            place = row[span] * width + column
            np.maximum.at(depth, place, z)
            won = depth[place] == z
            bright[place[won]] = bright_here[won]
    return Buffer(depth.reshape(size), bright.reshape(size))


def _planes(corners: Array, shade: Array, area: Array) -> Array:
    """Return (m, 2, 3): z and brightness as offset, slope in x, slope in y."""
    values = np.stack([corners[:, :, 2], shade], axis=1)
    (x0, x1, x2), (y0, y1, y2) = corners[:, :, 0].T, corners[:, :, 1].T
    d1, d2 = values[:, :, 1] - values[:, :, 0], values[:, :, 2] - values[:, :, 0]
    area = area[:, None]
    gx = (d1 * (y2 - y0)[:, None] - d2 * (y1 - y0)[:, None]) / area
    gy = (d2 * (x1 - x0)[:, None] - d1 * (x2 - x0)[:, None]) / area
    offset = values[:, :, 0] - gx * x0[:, None] - gy * y0[:, None]
    low, high = values.min(axis=2), values.max(axis=2)
    return np.stack([offset, gx, gy, low, high], axis=2)


def _evaluate(planes: Array, owner: Ints, x: Array, y: Array) -> tuple[Array, Array]:
    """Return z and brightness at pixels, kept within the triangle's own range (slivers)."""
    out = []
    for quantity in (0, 1):
        offset, gx, gy, low, high = planes[:, quantity].T
        value = offset[owner] + gx[owner] * x + gy[owner] * y
        out.append(np.clip(value, low[owner], high[owner]))
    return out[0], out[1]


def _spans(corners: Array, y: Array) -> tuple[Array, Array]:
    """Return where each triangle's row at height y begins and ends in x."""
    left, right = np.full(len(y), np.inf), np.full(len(y), -np.inf)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        (xa, ya), (xb, yb) = corners[:, i, :2].T, corners[:, j, :2].T
        run = yb - ya
        crosses = (np.minimum(ya, yb) <= y) & (y <= np.maximum(ya, yb)) & (run != 0)
        x = xa + (xb - xa) * (y - ya) / np.where(run == 0, 1.0, run)
        left = np.where(crosses, np.minimum(left, x), left)
        right = np.where(crosses, np.maximum(right, x), right)
    none = left > right
    left[none], right[none] = 0.0, -1.0
    return left, right


def _blocks(counts: Ints, most: int) -> list[Ints]:
    """Group item numbers so that each group's counts add up to about `most`."""
    used = np.flatnonzero(counts)
    if not len(used):
        return []
    group = np.cumsum(counts[used]) // most
    return np.split(used, np.flatnonzero(np.diff(group)) + 1)


def _expand(items: Ints, start: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Return each item repeated as often as it counts, and the numbers from its start upwards."""
    count = counts[items]
    owner = np.repeat(items, count)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    return owner, start[owner] + step


@dataclass
class Ink:
    """How strongly lines cover each pixel, 0 to 1."""

    seen: Array
    """(h, w) lines in front."""
    veiled: Array
    """(h, w) lines behind a translucent surface, but no solid one."""


@dataclass
class Floors:
    """Depths below which a line is behind something."""

    veil: Array
    """(h, w) z in pixels of the nearest surface of any body."""
    solid: Array
    """(h, w) z in pixels of the nearest surface of an opaque body."""


def floors(veil: Array, solid: Array) -> Floors:
    """Return the floors of two depth buffers.

    Near an edge a surface may fall away within one pixel: the farthest neighbour decides.
    """
    low = (minimum_filter(depth, size=3, mode="nearest") - BIAS for depth in (veil, solid))
    return Floors(*low)


def open_floors(size: tuple[int, ...]) -> Floors:
    """Return the floors of a drawing without bodies, `size` (height, width) in pixels."""
    nothing = np.full(size, FAR)
    return Floors(nothing, nothing)


def draw_lines(segments: Array, floor: Floors, width: float) -> Ink:
    """Rasterise lines among bodies; what a solid body hides is left out.

    Args:
        segments: (k, 2, 3) ends in pixels.
        floor: Depths that hide.
        width: Width of a line in pixels.
    """
    ink = Ink(np.zeros(floor.veil.shape), np.zeros(floor.veil.shape))
    if not len(segments):
        return ink
    span = np.abs(segments[:, 1, :2] - segments[:, 0, :2]).max(axis=1)
    count = np.maximum(np.ceil(span / LINE_STEP), 1).astype(np.int64) + 1
    offsets = _disc(width)
    for part in _blocks(count, BLOCK // len(offsets)):
        owner, step = _expand(part, np.zeros_like(count), count)
        t = (step / (count[owner] - 1))[:, None]
        dots = segments[owner, 0] * (1.0 - t) + segments[owner, 1] * t
        _stamp(ink, dots, floor, offsets, width)
    return ink


def _disc(width: float) -> list[tuple[int, int]]:
    reach = int(np.ceil(width / 2.0 + 0.5))
    steps = range(-reach, reach + 1)
    return [(i, j) for j in steps for i in steps if np.hypot(i, j) <= width / 2.0 + 1.0]


def _stamp(
    ink: Ink, dots: Array, floor: Floors, offsets: list[tuple[int, int]], width: float
) -> None:
    """Put a soft round dot at every point; a dot is in front or behind as its centre is."""
    height, across = floor.veil.shape
    column, row = np.floor(dots[:, 0]).astype(np.int64), np.floor(dots[:, 1]).astype(np.int64)
    inside = (column >= 0) & (column < across) & (row >= 0) & (row < height)
    dots, column, row = dots[inside], column[inside], row[inside]
    shown = dots[:, 2] >= floor.solid[row, column]
    dots, column, row = dots[shown], column[shown], row[shown]
    front = dots[:, 2] >= floor.veil[row, column]
    for i, j in offsets:
        x, y = column + i, row + j
        fits = (x >= 0) & (x < across) & (y >= 0) & (y < height)
        gap = np.hypot(x + 0.5 - dots[:, 0], y + 0.5 - dots[:, 1])
        cover = np.clip(width / 2.0 + 0.5 - gap, 0.0, 1.0)
        for target, chosen in ((ink.seen, fits & front), (ink.veiled, fits & ~front)):
            np.maximum.at(target, (y[chosen], x[chosen]), cover[chosen])


@dataclass
class Outline:
    """The edges between triangles of a body, from which its silhouette is taken in any view."""

    ends: Ints
    """(k, 2) node numbers."""
    left: Ints
    """(k,) triangle on one side."""
    right: Ints
    """(k,) triangle on the other side."""

    def silhouette(self, points: Array, triangles: Ints) -> Array:
        """Return (j, 2, 3) edges between triangles that face the viewer and such that do not."""
        p = points[triangles][:, :, :2]
        u, v = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
        facing = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0] < 0
        turn = facing[self.left] != facing[self.right]
        return np.asarray(points[self.ends[turn]])


def outline_of(layer: Layer) -> Outline:
    """Pair the half-edges of a body."""
    triangles = layer.triangles.astype(np.int64)
    start = triangles.ravel()
    end = np.roll(triangles, -1, axis=1).ravel()
    owner = np.arange(len(start)) // 3
    size = max(len(layer.points), 1)
    forward = start * size + end
    order = np.argsort(forward, kind="stable")
    place = np.searchsorted(forward[order], end * size + start)
    place = np.minimum(place, max(len(order) - 1, 0))
    other = order[place] if len(order) else place
    met = (start < end) & (forward[other] == end * size + start) if len(order) else start < end
    # A sliver faces anywhere by rounding: its edges are no silhouette.
    sound = thickness(layer.points.astype(float)[triangles]) > 1.0
    met &= sound[owner] & sound[owner[other]] if len(order) else met
    return Outline(
        ends=np.stack([start[met], end[met]], axis=1), left=owner[met], right=owner[other[met]]
    )
