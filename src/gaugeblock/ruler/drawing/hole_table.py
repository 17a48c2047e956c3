"""The table of holes: labels beside the holes, and where the table stands."""

from __future__ import annotations

from collections.abc import Iterator

from gaugeblock.ruler.drawing.ink import Box, label_box
from gaugeblock.ruler.drawing.lettering import number, width
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import Label, Table
from gaugeblock.ruler.drawing.wishes import HoleTable
from gaugeblock.ruler.views.shapes import Point

HEIGHT = 2.5
"""Height of labels and entries, mm."""

ROW = 5.0
"""Height of a row, mm."""

HEADING = ("Hole", "X", "Y", "Size")

STEP = 4.0
"""Places for the table are tried this far apart, mm."""


def table_of(wish: HoleTable, view: View, at: Point = (0.0, 0.0)) -> Table:
    """Return the table of holes, X and Y from the lower left corner of their view.

    Args:
        wish: The holes.
        view: The view along them.
        at: Upper left corner on the paper.
    """
    low = view.box[0]
    rows = [HEADING]
    for mark in wish.marks:
        x, y = view.at(mark.centre)
        rows.append((mark.label, number(x - low[0]), number(y - low[1]), mark.text))
    columns = tuple(max(width(row[n], HEIGHT) for row in rows) + 4.0 for n in range(4))
    return Table(at=at, columns=columns, row_height=ROW, rows=tuple(rows), height=HEIGHT)


def place_table(paper: Paper, table: Table) -> Table | None:
    """Return a table where it is in nobody's way, or None.

    Args:
        paper: What stands already.
        table: The table, wherever it is.
    """
    wide, tall = sum(table.columns), table.row_height * len(table.rows)
    x = paper.high[0] - wide
    while x >= paper.low[0]:
        y = paper.high[1]
        while y - tall >= paper.low[1]:
            if paper.free(Box((x + 0.5 * wide, y - 0.5 * tall), wide, tall), 0.0):
                return table.model_copy(update={"at": (x, y)})
            y -= STEP
        x -= STEP
    return None


def place_label(paper: Paper, text: str, centre: Point, radius: float) -> Label | None:
    """Return the label of a hole beside it, or None where there is no room.

    Args:
        paper: What stands already.
        text: The label.
        centre: Middle of the hole on the paper.
        radius: mm of paper.
    """
    for at in _beside(centre, radius):
        label = Label(at=at, text=text, height=HEIGHT, anchor="middle", baseline="middle")
        if paper.free(label_box(label), 0.4):
            return label
    return None


def _beside(centre: Point, radius: float) -> Iterator[Point]:
    for gap in (2.5, 4.0, 6.0, 8.5):
        off = 0.71 * radius + gap
        for x, y in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
            yield (centre[0] + x * (off + 0.8), centre[1] + y * off)
