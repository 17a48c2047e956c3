"""The table of holes: labels beside the holes, and where the table stands.

A long table is broken into pieces, each with its heading. A hole without room beside it gets its
label at the end of a thin line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from gaugeblock.ruler.drawing.canvas import Canvas
from gaugeblock.ruler.drawing.collisions import table_boxes
from gaugeblock.ruler.drawing.ink import Box
from gaugeblock.ruler.drawing.lettering import DESCENT, number, width
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import Label, Stroke, Table
from gaugeblock.ruler.drawing.wishes import HoleTable
from gaugeblock.ruler.views.shapes import Line, Point

HEIGHT = 2.5
"""Height of labels and entries, mm."""

NEARER = 1.3
"""How many times farther other holes are from a label than its own."""

SMALL = 1.8
"""Height of labels where there is little room, mm: the smallest of ISO 3098."""

ROW = 4.5
"""Height of a row, mm."""

MOST_ROWS = 36
"""Rows of one piece of a table: it fits an A4 sheet above the title block."""

LEAST_ROWS = 4
"""Rows of the smallest piece."""

BESIDE = 4.0
"""Between pieces of a table, mm."""

HEADING = ("Hole", "X", "Y", "Size")

BLANK = ("", "", "", "")
"""A row that only keeps room."""

STEP = 4.0
"""Places for the table are tried this far apart, mm."""


def draw_table(
    canvas: Canvas, wish: HoleTable, views: Sequence[View], origins: Mapping[str, Point]
) -> list[str]:
    """Draw a table of holes and its labels; return what found no room.

    Args:
        canvas: The sheet.
        wish: The holes.
        views: All views but the isometric one.
        origins: Where the zero of each view stands, by its id.
    """
    shown = [view for view in views if view.depth == wish.axis]
    if not shown:
        return ["table of holes"]
    left_off = []
    pieces: list[Table] = []
    wanted = tables_of(wish, shown[0])
    for piece in wanted:
        # The last one keeps room for as many rows, so that any may stand in any place.
        blank = (BLANK,) * (len(wanted[0].rows) - len(piece.rows))
        padded = piece.model_copy(update={"rows": (*piece.rows, *blank)})
        tables, lost = placed_tables(canvas.paper, padded)
        pieces += tables
        left_off += [f"row {name} of the table" for name in lost if name]
    for piece in in_reading_order(pieces):
        rows = tuple(row for row in piece.rows if row != BLANK)
        if len(rows) > 1:
            canvas.tables.append(piece.model_copy(update={"rows": rows}))
    middles = [canvas.at(shown[0].at(m.centre), origins[shown[0].id]) for m in wish.marks]
    for mark, at in zip(wish.marks, middles, strict=True):
        others = [p for p in middles if p != at]
        found = place_label(canvas.paper, mark.label, at, canvas.scale * mark.radius, others)
        if found is None:
            left_off.append(mark.label)
        else:
            canvas.print(found[0])
            canvas.ink(found[1])
    return left_off


def tables_of(wish: HoleTable, view: View) -> list[Table]:
    """Return the pieces of a table of holes, X and Y from the lower left corner of their view.

    Args:
        wish: The holes.
        view: The view along them.
    """
    low = view.box[0]
    rows = []
    for mark in wish.marks:
        x, y = view.at(mark.centre)
        rows.append((mark.label, number(x - low[0]), number(y - low[1]), mark.text))
    columns = tuple(max(width(row[n], HEIGHT) for row in [HEADING, *rows]) + 4.0 for n in range(4))
    pieces = math.ceil(len(rows) / MOST_ROWS)
    each = math.ceil(len(rows) / max(pieces, 1))
    return [
        Table(
            at=(0.0, 0.0),
            columns=columns,
            row_height=ROW,
            rows=(HEADING, *rows[n * each : (n + 1) * each]),
            height=HEIGHT,
        )
        for n in range(pieces)
    ]


def in_reading_order(pieces: Sequence[Table]) -> list[Table]:
    """Return pieces of one table at the same places, those of one size from left to right.

    Args:
        pieces: In the order of their rows.
    """
    places: dict[int, list[Point]] = {}
    for piece in pieces:
        places.setdefault(len(piece.rows), []).append(piece.at)
    for own in places.values():
        own.sort(key=lambda at: (round(at[0], 3), -at[1]))
    return [piece.model_copy(update={"at": places[len(piece.rows)].pop(0)}) for piece in pieces]


def room_of(tables: list[Table], tall: float) -> tuple[float, float]:
    """Return width and height that tables need, in columns one beside the other, mm.

    Args:
        tables: In their order.
        tall: Highest column, mm.
    """
    columns: list[tuple[float, float]] = []
    for table in tables:
        wide, high = sum(table.columns) + BESIDE, table.row_height * len(table.rows) + BESIDE
        if columns and columns[-1][1] + high <= tall:
            columns[-1] = (max(columns[-1][0], wide), columns[-1][1] + high)
        else:
            columns.append((wide, high))
    return sum(w for w, _ in columns), max((h for _, h in columns), default=0.0)


def placed_tables(paper: Paper, table: Table) -> tuple[list[Table], list[str]]:
    """Return a table where it is in nobody's way, in pieces if need be, and rows without room.

    Args:
        paper: What stands already; the table is noted on it.
        table: The table, wherever it is.
    """
    found = _place(paper, table)
    if found is not None:
        for _, box in table_boxes(found):
            paper.add_box(box)
        return [found], []
    rows = table.rows[1:]
    if len(rows) < 2 * LEAST_ROWS:
        return [], [row[0] for row in rows]
    half = len(rows) // 2
    placed: list[Table] = []
    lost: list[str] = []
    for part in (rows[:half], rows[half:]):
        more, left = placed_tables(paper, table.model_copy(update={"rows": (HEADING, *part)}))
        placed, lost = placed + more, lost + left
    return placed, lost


def _place(paper: Paper, table: Table) -> Table | None:
    """Return a table where it is in nobody's way, or None."""
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


def place_label(
    paper: Paper, text: str, centre: Point, radius: float, others: Sequence[Point] = ()
) -> tuple[Label, list[Stroke]] | None:
    """Return the label of a hole and the line to it, if there is one; None: there is no room.

    A label stands beside its hole only where it is clearly nearer to it than to any other.

    Args:
        paper: What stands already.
        text: The label.
        centre: Middle of the hole on the paper.
        radius: mm of paper.
        others: Middles of other holes.
    """
    for height in (HEIGHT, SMALL):
        wide, tall = width(text, height), height * (1.0 + DESCENT)
        for at in _beside(centre, radius, height):
            own = math.dist(at, centre)
            if paper.free(Box(at, wide, tall), 0.4) and all(
                math.dist(at, other) >= NEARER * own for other in others
            ):
                return _centred(text, at, height), []
    return _led(paper, text, centre, radius)


REACHES = (5.0, 8.0, 12.0, 17.0, 23.0, 30.0, 38.0, 48.0, 60.0)
"""Lengths of the lines to labels, mm."""

PER_MM = 0.15
"""Cost of their length, in lines crossed."""


def _led(
    paper: Paper, text: str, centre: Point, radius: float
) -> tuple[Label, list[Stroke]] | None:
    """Return the label at the end of a line from the hole's edge, the cheapest one."""
    best: tuple[float, Label, Stroke] | None = None
    wide, tall = width(text, HEIGHT), HEIGHT * (1.0 + DESCENT)
    for reach in REACHES:
        if best is not None and PER_MM * reach >= best[0]:
            break
        for degrees in (45, 135, 225, 315, 20, 160, 200, 340, 70, 110, 250, 290):
            c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            tip = (centre[0] + radius * c, centre[1] + radius * s)
            end = (tip[0] + reach * c, tip[1] + reach * s)
            off = 0.5 * (wide * abs(c) + 1.25 * HEIGHT * abs(s)) + 0.8
            at = (end[0] + off * c, end[1] + off * s)
            if not (paper.free(Box(at, wide, tall), 0.4) and paper.clear_of_text(tip, end)):
                continue
            cost = PER_MM * reach + paper.crossed(tip, end)
            if best is None or cost < best[0]:
                line = Stroke(layer="dimension", shape=Line(start=tip, end=end))
                best = (cost, _centred(text, at, HEIGHT), line)
    return None if best is None else (best[1], [best[2]])


def _centred(text: str, at: Point, height: float) -> Label:
    return Label(at=at, text=text, height=height, anchor="middle", baseline="middle")


def _beside(centre: Point, radius: float, height: float) -> Iterator[Point]:
    for gap in (2.5, 4.0, 6.0, 8.5):
        off = 0.71 * radius + gap * height / HEIGHT
        for x, y in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
            yield (centre[0] + x * (off + 0.8), centre[1] + y * off)
