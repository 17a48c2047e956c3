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

TOUCH = 1e-6
"""Boxes that share less than this stand beside each other, mm: floating point."""


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
    rooms: Mapping[str, Room],
    convention: Convention,
    low: Point,
    high: Point,
    corner: Point | None = None,
    table: tuple[float, float] = (0.0, 0.0),
) -> dict[str, Point] | None:
    """Return where the zero of each view stands, or None where they do not fit.

    Tried in this order: above the title block and beside the table, spread out; then down to the
    border and over to the right, where none comes into the title block or the table.

    Args:
        rooms: What each view takes up, by its place.
        convention: First or third angle.
        low: Lower left corner of the area.
        high: Upper right corner.
        corner: Upper left corner of what stands in the area's lower right one: the title block.
        table: Width and height of what stands in its upper right corner, mm.
    """
    cells = {place: grid(place, convention) for place in rooms}
    across: dict[int, tuple[float, float]] = {}
    up: dict[int, tuple[float, float]] = {}
    for place, (column, row) in cells.items():
        room = rooms[place]
        a, b = across.get(column, (room.left, room.right))
        across[column] = (max(a, room.left), max(b, room.right))
        a, b = up.get(row, (room.below, room.above))
        up[row] = (max(a, room.below), max(b, room.above))
    corner = (high[0], low[1]) if corner is None else corner
    title = (corner[0], low[1], high[0], corner[1])
    above = (high[0] - table[0], high[1] - table[1], high[0], high[1])
    tried = [(corner[1], above[0], [title, above]), (corner[1], high[0], [title, above])]
    tried += [(low[1], above[0], [title, above]), (low[1], high[0], [title, above])]
    # As the last: a table may yet find room somewhere else.
    tried += [(corner[1], high[0], [title]), (low[1], high[0], [title])]
    for floor, right, taken in tried:
        x, y = _spread(across, low[0], right), _spread(up, floor, high[1])
        if x is None or y is None:
            continue
        for columns in (x, _packed(across, low[0])):
            found = {place: (columns[column], y[row]) for place, (column, row) in cells.items()}
            if not any(_meet(rooms[place], found[place], box) for place in found for box in taken):
                return found
    return None


def _meet(room: Room, at: Point, box: tuple[float, float, float, float]) -> bool:
    """Whether what stands around a view comes into a box: lowest and highest x and y."""
    return (
        at[0] - room.left < box[2] - TOUCH
        and at[0] + room.right > box[0] + TOUCH
        and at[1] - room.below < box[3] - TOUCH
        and at[1] + room.above > box[1] + TOUCH
    )


def _packed(bands: dict[int, tuple[float, float]], low: float) -> dict[int, float]:
    """Return the zero of each band, all as near the low end as they may be."""
    found, at = {}, low
    for number in sorted(bands):
        before, after = bands[number]
        found[number] = at + before
        at += before + after + BETWEEN
    return found


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
