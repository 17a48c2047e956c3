"""Where the views stand: rows and columns of first- or third-angle projection, room around each.

mm of paper. Views in one column share their x, views in one row their y.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gaugeblock.ruler.views.cameras import PLACES, Convention
from gaugeblock.ruler.views.shapes import Point, Shape

BETWEEN = 6.0
"""Least distance of two views with all that stands around them, mm."""


@dataclass(frozen=True)
class Room:
    """What a view takes up around its own zero, mm of paper."""

    left: float
    right: float
    below: float
    above: float


def grid(place: str, convention: Convention) -> tuple[int, int]:
    """Return column and row of a view."""
    return PLACES[convention][place]


def placed(
    rooms: Mapping[str, Room], convention: Convention, low: Point, high: Point
) -> dict[str, Point] | None:
    """Return where the zero of each view stands, or None where they do not fit.

    Args:
        rooms: What each view takes up, by its place.
        convention: First or third angle.
        low: Lower left corner of the area.
        high: Upper right corner.
    """
    cells = {place: grid(place, convention) for place in rooms}
    across: dict[int, tuple[float, float]] = {}
    up: dict[int, tuple[float, float]] = {}
    for place, (column, row) in cells.items():
        room = rooms[place]
        a, b = across.get(column, (0.0, 0.0))
        first = column not in across
        across[column] = (
            room.left if first else max(a, room.left),
            room.right if first else max(b, room.right),
        )
        a, b = up.get(row, (0.0, 0.0))
        first = row not in up
        up[row] = (
            room.below if first else max(a, room.below),
            room.above if first else max(b, room.above),
        )
    x = _spread(across, low[0], high[0])
    y = _spread(up, low[1], high[1])
    if x is None or y is None:
        return None
    return {place: (x[column], y[row]) for place, (column, row) in cells.items()}


def _spread(
    bands: dict[int, tuple[float, float]], low: float, high: float
) -> dict[int, float] | None:
    """Return the zero of each band, what is left over shared out between and beside them."""
    needed = sum(a + b for a, b in bands.values()) + BETWEEN * (len(bands) - 1)
    spare = high - low - needed
    if spare < 0:
        return None
    share = spare / (len(bands) + 1)
    found, at = {}, low + share
    for number in sorted(bands):
        before, after = bands[number]
        found[number] = at + before
        at += before + after + BETWEEN + share
    return found


def moved(shape: Shape, scale: float, origin: Point) -> Shape:
    """Return a curve of a view on the paper.

    Args:
        shape: mm of the part.
        scale: mm of paper for one of the part.
        origin: Where the view's zero stands on the paper.
    """

    def point(p: Point) -> Point:
        return (origin[0] + scale * p[0], origin[1] + scale * p[1])

    match shape.kind:
        case "line":
            return shape.model_copy(update={"start": point(shape.start), "end": point(shape.end)})
        case "arc":
            return shape.model_copy(
                update={"centre": point(shape.centre), "radius": scale * shape.radius}
            )
        case "ellipse":
            major = (scale * shape.major[0], scale * shape.major[1])
            return shape.model_copy(update={"centre": point(shape.centre), "major": major})
        case _:
            return shape.model_copy(update={"points": tuple(point(p) for p in shape.points)})
