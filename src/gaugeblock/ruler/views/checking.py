"""Lines held against the part's triangles: an independent look.

The triangles are drawn into a depth buffer. Then three things must hold: a line that is said to be
visible has nothing clearly in front of it; where the depth jumps, one surface ends before another
and a visible line runs; and one runs along the whole rim of the silhouette. Places too close to
call are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.ndimage import binary_dilation, binary_erosion, minimum_filter

from gaugeblock.ruler.picture.raster import FAR, draw_triangles
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.projection import Check, Curve
from gaugeblock.ruler.views.shapes import sampled

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

PIXELS = 700
"""Side of the depth buffer: 20 ms to fill, and 1/700 of the part is what it tells apart."""

REACH = 5
"""Pixels around a place that must all lie in front of what is called hidden."""

NEAR = 3
"""Pixels within which a line stands for a jump or another line: triangles lie a sag beside the true
surface."""

JUMP = 8.0
"""Change of slope from one pixel to the next, in pixels of depth, that is a jump: the edge of a
cube makes 3, and a curved face as much only where it turns away."""

SAGS = 2.0
"""Depths closer than this many sags of the triangles, and a pixel, cannot be told apart."""

CONTRADICTED = 0.02
"""Share of the visible length from which on a view is not believed. Seen: 0 on most views, up to
0.019 where the kernel is wrong by a short piece; 0.03 and more where solids run into each other,
which it does not look for."""

MISSING = 0.1
"""Share of the jumps from which on a view is not believed. Seen: 0 on most views, up to 0.05 where
a surface is all but seen from its side and its depth seems to jump; 0.28 and more where the kernel
takes a silhouette for hidden."""

BARE = 0.02
"""Share of the rim from which on a view is not believed. Seen: 0 on sound views, 0.005 where the
triangles' own lines have a gap; 0.06 and more where an outline is missing."""


@dataclass(frozen=True)
class Facets:
    """The part's triangles."""

    points: Floats
    """(n, 3) nodes in mm."""
    triangles: Ints
    """(m, 3) node numbers, counter-clockwise seen from outside."""
    sag: float
    """Distance from the surface, mm."""


class Screen:
    """The part's triangles as one camera sees them, in pixels."""

    def __init__(self, facets: Facets, camera: Camera) -> None:
        seen = facets.points @ camera.basis().T
        low, high = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
        self.middle = 0.5 * (low + high)
        self.scale = (PIXELS - 4 * REACH) / max(float((high - low).max()), 1e-12)
        self.close = SAGS * facets.sag * self.scale + 1.0
        pixels = np.column_stack([self.place(seen[:, :2]), seen[:, 2] * self.scale])
        plain = np.zeros((len(facets.triangles), 3))
        self.depth = draw_triangles(pixels, facets.triangles, plain, (PIXELS, PIXELS)).depth

    def place(self, xy: Floats) -> Floats:
        """Return (n, 2) pixels of points of the view in mm."""
        return np.asarray((xy - self.middle) * self.scale * np.array([1.0, -1.0]) + 0.5 * PIXELS)

    def cells(self, xy: Floats) -> tuple[Ints, Ints]:
        """Return row and column of points of the view in mm."""
        column, row = np.clip(np.floor(self.place(xy)), 0, PIXELS - 1).astype(np.int64).T
        return row, column

    def lines(self, curves: Sequence[Curve]) -> Bools:
        """Return which pixels visible lines run through."""
        lined = np.zeros(self.depth.shape, dtype=bool)
        for curve in curves:
            if curve.visible:
                lined[self.cells(sampled(curve.shape, 0.7 / self.scale))] = True
        return lined


def check_exact(curves: Sequence[Curve], depths: Floats, screen: Screen) -> Check:
    """Hold lines whose depth is known against the triangles.

    Args:
        curves: What is checked.
        depths: Their `hidden_lines.Sight.depths`.
        screen: The triangles.
    """
    contradicted = _contradicted(depths, screen)
    missing, bare = _unlined(curves, screen)
    agrees = contradicted <= CONTRADICTED and missing <= MISSING and bare <= BARE
    return Check(agrees=agrees, contradicted=contradicted, missing=missing, bare=bare)


def check_polygonal(curves: Sequence[Curve], screen: Screen) -> Check:
    """Hold lines without depth against the triangles."""
    missing, bare = _unlined(curves, screen)
    agrees = missing <= MISSING and bare <= BARE
    return Check(agrees=agrees, contradicted=None, missing=missing, bare=bare)


def _contradicted(depths: Floats, screen: Screen) -> float:
    """Return the share of the visible length that lies clearly behind something.

    Where a line in front runs too nothing is drawn wrongly: faces seen from their side have edges
    one behind the other.
    """
    rows = depths[depths[:, 3] > 0.5]
    if not len(rows):
        return 0.0
    own, length, cells = rows[:, 2], rows[:, 4], screen.cells(rows[:, :2])
    farthest = minimum_filter(screen.depth, size=REACH, mode="constant", cval=FAR)
    behind = own * screen.scale < farthest[cells] - screen.close
    lined = np.zeros(screen.depth.shape, dtype=bool)
    lined[tuple(axis[~behind] for axis in cells)] = True
    wrong = behind & ~_widened(lined)[cells]
    return float(length[wrong].sum() / length.sum())


def _unlined(curves: Sequence[Curve], screen: Screen) -> tuple[float, float]:
    """Return the shares of the jumps and of the rim that no visible line runs along."""
    near = _widened(screen.lines(curves))
    mask = screen.depth > FAR
    rim = mask & ~binary_erosion(mask)
    jumps = _jumps(screen.depth)
    return _share(jumps & ~near, jumps), _share(rim & ~near, rim)


def _jumps(depth: Floats) -> Bools:
    """Return the pixels inside the silhouette where the depth does not go on evenly."""
    jumps = np.zeros(depth.shape, dtype=bool)
    with np.errstate(invalid="ignore"):  # FAR − FAR
        for d, found in ((depth, jumps), (depth.T, jumps.T)):
            change = np.abs(d[2:] - 2.0 * d[1:-1] + d[:-2])
            found[1:-1] |= np.isfinite(change) & (change > JUMP)
    return jumps


def _widened(lined: Bools) -> Bools:
    return np.asarray(binary_dilation(lined, np.ones((3, 3), dtype=bool), iterations=NEAR))


def _share(part: Bools, whole: Bools) -> float:
    return float(part.sum() / whole.sum()) if whole.any() else 0.0
