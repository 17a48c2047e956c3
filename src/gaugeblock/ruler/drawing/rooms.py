"""What is to stand on a sheet, and how much room each view needs around it at a scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaugeblock.ruler.drawing import pointing
from gaugeblock.ruler.drawing.assigning import Assigned, Side
from gaugeblock.ruler.drawing.centre_lines import BEYOND
from gaugeblock.ruler.drawing.frame import Format
from gaugeblock.ruler.drawing.hole_table import room_of, tables_of
from gaugeblock.ruler.drawing.layout import Room, grid
from gaugeblock.ruler.drawing.lettering import DESCENT, width
from gaugeblock.ruler.drawing.running import BEND, stacked_running
from gaugeblock.ruler.drawing.running import pitch as numbers_pitch
from gaugeblock.ruler.drawing.sections import MARK, Chosen
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import Title
from gaugeblock.ruler.drawing.stacking import Bar, Stacked, first, pitch, stacked
from gaugeblock.ruler.drawing.subject import Subject
from gaugeblock.ruler.drawing.wishes import Wishes
from gaugeblock.ruler.views.cameras import Convention

Stacks = dict[tuple[str, Side], tuple[list[Assigned], list[Stacked]]]
"""Lengths and where their dimension lines lie, by view and side."""

NOTE_ROOM = 16.0
"""Room kept above and beside a view that notes point into, mm."""

PLAIN_ROOM = 6.0
"""Room kept around a view otherwise, mm."""

TABLES_TALL = 215.0
"""Highest column of tables, mm: above the title block of an A3 sheet."""

TITLE_LETTERS = 5.0
"""Height of a section's title, mm."""


SIDES: tuple[Side, ...] = ("below", "above", "left", "right")


@dataclass(frozen=True)
class Job:
    """What is to stand on the sheet, whatever its size."""

    subject: Subject
    views: list[View]
    picture: View | None
    """The isometric one."""
    section: Chosen | None
    wishes: Wishes
    convention: Convention
    title: Title
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Size:
    """A sheet's size and scale."""

    format: Format
    landscape: bool
    scale: tuple[int, int]
    height: float
    """Of dimension text, mm."""
    running: bool = False
    """Whether lengths from one origin share a line where they are many."""
    forced: bool = False
    """Whether lengths are left off where the views do not fit."""

    @property
    def factor(self) -> float:
        """Mm of paper for one of the part."""
        return self.scale[0] / self.scale[1]


class Rooms:
    """Measures the room that views need.

    Args:
        job: What is to be drawn.
        size: Sheet, scale and lettering.
    """

    def __init__(self, job: Job, size: Size) -> None:
        self.job, self.scale, self.height = job, size.factor, size.height
        self.stacked = stacked_running if size.running else stacked

    def inner(self) -> dict[str, set[str]]:
        """Return the sides of each view that face another one."""
        cells = {view.id: grid(view.place, self.job.convention) for view in self.job.views}
        found: dict[str, set[str]] = {}
        for name, (column, row) in cells.items():
            sides = set()
            for other, (c, r) in cells.items():
                if other != name:
                    if r == row:
                        sides.add("right" if c > column else "left")
                    if c == column:
                        sides.add("above" if r > row else "below")
            found[name] = sides
        for view in self.job.views:
            found[view.id] |= {s for s in SIDES if self.halo(view, s) > BEYOND}
        return found

    def stacks(self, found: Sequence[Assigned]) -> Stacks:
        """Return the stacks of dimension lines, by view and side."""
        out: Stacks = {}
        for view in self.job.views:
            for side in SIDES:
                items = [a for a in found if a.view is view and a.side == side]
                if items:
                    out[(view.id, side)] = (
                        items,
                        self.stacked([self._bar(a) for a in items], self.height),
                    )
        return out

    def _bar(self, item: Assigned) -> Bar:
        n = item.across
        low, high = sorted(self.scale * p[n] for p in item.points)
        return Bar(low, high, item.wish.text)

    def halo(self, view: View, side: Side) -> float:
        """Return how far the view's own lines and marks run beyond it."""
        section = self.job.section
        if section is not None and section.parent == view.place:
            along = view.camera.basis() @ section.cut.normal
            upright = abs(along[0]) > abs(along[1])
            if upright == (side in ("below", "above")):
                return MARK
        return BEYOND

    def start(self, view: View, side: Side) -> float:
        """Return the distance of the first dimension line from the view."""
        return max(first(self.height), self.halo(view, side) + 0.6 * first(self.height))

    def room(self, view: View, stacks: Stacks, found: Sequence[Assigned]) -> Room:
        """Return what a view takes up with all that stands around it.

        Args:
            view: The view.
            stacks: Of all views.
            found: All lengths in their views.
        """
        (a, b), (c, d) = view.box
        edges = {
            "left": -self.scale * a,
            "right": self.scale * c,
            "below": -self.scale * b,
            "above": self.scale * d,
        }
        pointed = pointing.count(self.job.wishes, view) > 0
        columns = [f for f in found if f.view is view and f.side == "column"]
        for side in SIDES:
            more = max(self.halo(view, side), PLAIN_ROOM)
            if (view.id, side) in stacks:
                items, lanes = stacks[(view.id, side)]
                deepest = max(lane.lane for lane in lanes)
                more = self.start(view, side) + deepest * pitch(self.height) + 2.5
                numbers = [
                    width(item.wish.text, self.height)
                    for item, lane in zip(items, lanes, strict=True)
                    if lane.origin is not None
                ]
                if numbers:
                    more += BEND + max(numbers)
                elif side in ("above", "left"):
                    # There the text stands beyond its line.
                    more += self.height * (1.0 + DESCENT)
                self._widen(edges, side, items, lanes)
            elif pointed and side in ("above", "right"):
                more = max(more, NOTE_ROOM)
            if columns and side == "above":
                longest = max(width(f.wish.text, self.height) for f in columns)
                more = max(more, longest + 8.0)
            if side == "above" and view.title is not None:
                more += TITLE_LETTERS + 5.0
            edges[side] += more
        return Room(edges["left"], edges["right"], edges["below"], edges["above"])

    def table_room(self) -> tuple[float, float]:
        """Return width and height that tables of holes need together, mm."""
        tables = []
        for wish in self.job.wishes.tables:
            shown = [view for view in self.job.views if view.depth == wish.axis]
            tables += tables_of(wish, shown[0]) if shown else []
        return room_of(tables, TABLES_TALL)

    def _widen(
        self,
        edges: dict[str, float],
        side: Side,
        items: Sequence[Assigned],
        lanes: Sequence[Stacked],
    ) -> None:
        """Make room for texts that stand beside their dimension, beyond the view."""
        before, after = ("left", "right") if side in ("below", "above") else ("below", "above")
        for item, lane in zip(items, lanes, strict=True):
            half = 0.5 * width(item.wish.text, self.height)
            if lane.origin is not None:
                half = 0.5 * numbers_pitch(self.height)
            edges[before] = max(edges[before], half - lane.middle)
            edges[after] = max(edges[after], half + lane.middle)
