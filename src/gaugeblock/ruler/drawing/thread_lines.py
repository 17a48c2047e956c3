"""The lines that stand for a thread by ISO 6410-1: thin line, three quarters of a circle, end line.

The thick lines at a shaft's major or a bore's minor diameter are the plain body's own; what is
added here is cut where the part's triangles say that something lies in front.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.ndimage import minimum_filter

from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.drawing.seen import Cut
from gaugeblock.ruler.drawing.stretches import Stretch
from gaugeblock.ruler.picture.raster import FAR
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.checking import REACH, Screen
from gaugeblock.ruler.views.precedence import part
from gaugeblock.ruler.views.projection import Curve, Kind, Projection
from gaugeblock.ruler.views.shapes import Arc, Line, Shape

ALIGNED = 1e-6
"""Sine within which a thread's axis runs along a view's line of sight, or square to it."""

START, SWEEP = math.radians(97.0), math.radians(256.0)
"""The three quarters of a circle: open at the upper right, and clear of both centre lines."""

SAMPLES = 96
"""Places along a line where it is looked at."""

CRUMB = 4
"""Pieces of fewer places than this take their neighbour's visibility."""


def threaded(
    projection: Projection, screen: Screen, stretches: Sequence[Stretch], cut: Cut | None = None
) -> Projection:
    """Return a projection of plain bodies with the lines of their threads.

    Args:
        projection: Of the bodies.
        screen: Their triangles as its camera sees them.
        stretches: The threads.
        cut: The plane of a section, which lies across the line of sight.
    """
    camera = projection.camera
    nearest = minimum_filter(screen.depth, size=REACH, mode="constant", cval=FAR)
    curves = [
        Curve(shape=piece, visible=seen, kind=kind, solid=stretch.thread.solid)
        for stretch in stretches
        for shape, depth, kind in _lines(stretch, camera, cut)
        for piece, seen in _pieces(shape, depth, screen, nearest)
    ]
    return projection.model_copy(update={"curves": (*projection.curves, *curves)})


def drawable(stretch: Stretch, camera: Camera) -> bool:
    """Whether a camera sees a thread along or square to its axis."""
    along = abs(float(stretch.axis @ np.array(camera.direction)))
    return along < ALIGNED or along > 1.0 - ALIGNED


def _lines(
    stretch: Stretch, camera: Camera, cut: Cut | None
) -> Iterator[tuple[Shape, float, Kind]]:
    """Yield each line with its depth towards the viewer in mm."""
    along = float(stretch.axis @ np.array(camera.direction))
    if not drawable(stretch, camera):
        return
    if abs(along) > 0.5:
        yield from _from_the_end(stretch, camera, along, cut)
    else:
        yield from _from_the_side(stretch, camera, cut)


def _from_the_end(
    stretch: Stretch, camera: Camera, along: float, cut: Cut | None
) -> Iterator[tuple[Shape, float, Kind]]:
    rows = camera.basis()
    low, high = stretch.reaching(stretch.root)
    low, high = max(low, stretch.ends[0]), min(high, stretch.ends[1])
    depths = sorted(float(rows[2] @ stretch.at(h)) for h in (low, high))
    depth = depths[1]
    if cut is not None:
        depth = min(depth, cut.distance)
        if depth < depths[0]:
            return  # cut off, all of it
    x, y, _ = rows @ stretch.origin
    circle = Arc(centre=(float(x), float(y)), radius=stretch.root, start=START, sweep=SWEEP)
    yield circle, depth, "thread"


def _from_the_side(
    stretch: Stretch, camera: Camera, cut: Cut | None
) -> Iterator[tuple[Shape, float, Kind]]:
    rows = camera.basis()
    x, y, middle = (float(c) for c in rows @ stretch.origin)
    way = rows[:2] @ stretch.axis
    side = np.array([-way[1], way[0]])
    crest = max(stretch.body, stretch.root)
    off = math.inf if cut is None else cut.distance - middle
    if off <= -stretch.root:
        return  # cut off, or all but a sliver
    # A plane that meets the thread beside its axis meets it nearer to the axis, in the plane.
    off = off if off < stretch.root else 0.0
    half = math.sqrt(stretch.root**2 - off**2)
    wide = math.sqrt(crest**2 - off**2)
    depth = middle + off
    if cut is None and not stretch.thread.internal:
        depth = middle + crest  # on a shaft's own surface
    low, high = stretch.reaching(stretch.root)
    low, high = max(low, stretch.ends[0]), min(high, stretch.ends[1])

    def place(height: float, aside: float) -> tuple[float, float]:
        a, b = np.array([x, y]) + height * way + aside * side
        return float(a), float(b)

    for sign in (-1.0, 1.0):
        yield Line(start=place(low, sign * half), end=place(high, sign * half)), depth, "thread"
    for end in stretch.ends:
        # Where a chamfer or countersink ends the thread there is an edge already.
        if abs(stretch.radius(end) - stretch.body) < ALIGNED * crest:
            yield Line(start=place(end, -wide), end=place(end, wide)), depth, "sharp"


def _pieces(
    shape: Shape, depth: float, screen: Screen, nearest: Floats
) -> Iterator[tuple[Shape, bool]]:
    """Yield a line's visible and hidden pieces."""
    middles = (np.arange(SAMPLES) + 0.5) / SAMPLES
    seen = depth * screen.scale >= nearest[screen.cells(shape.at(middles))] - screen.close
    for first, last in _runs(seen):
        yield part(shape, first / SAMPLES, last / SAMPLES), bool(seen[first])


def _runs(seen: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return first and last place of each run, crumbs given to the run before; changes `seen`."""
    edges = [0, *(np.flatnonzero(np.diff(seen)) + 1).tolist(), len(seen)]
    for first, last in pairwise(edges):
        if last - first < CRUMB and first > 0:
            seen[first:last] = seen[first - 1]
    edges = [0, *(np.flatnonzero(np.diff(seen)) + 1).tolist(), len(seen)]
    return list(pairwise(edges))
