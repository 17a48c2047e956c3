"""What has been drawn on a sheet so far, each thing noted on the paper as it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gaugeblock.ruler.drawing.ink import Box, label_box
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.sheet import Dim, Hatch, Label, PlacedView, Sheet, Stroke, Table
from gaugeblock.ruler.drawing.wishes import Wish
from gaugeblock.ruler.views.shapes import Point

WEIGHTS = {
    "visible": 0.6,
    "hidden": 0.3,
    "tangent": 0.3,
    "thread": 0.3,
    "centre": 0.15,
    "section": 2.0,
}
"""What it costs a leader to cross a line."""


@dataclass
class Filled:
    """An attempt and what it left off."""

    sheet: Sheet
    wishes: list[Wish]
    """What each dimension of the sheet tells, in their order."""
    paper: Paper
    """Where there is room left."""
    left_off: list[str] = field(default_factory=list)
    """Texts that found no place."""
    unseen: list[str] = field(default_factory=list)
    """Texts of lengths that no view shows: another size of sheet does not help."""
    pictured: bool = True
    """Whether the isometric view found room."""


class Canvas:
    """Lines, texts and dimensions of a sheet.

    Args:
        paper: Where they are noted.
        scale: Of the views, mm of paper for one of the part.
    """

    def __init__(self, paper: Paper, scale: float) -> None:
        self.paper, self.scale = paper, scale
        self.strokes: list[Stroke] = []
        self.labels: list[Label] = []
        self.hatches: list[Hatch] = []
        self.dims: list[Dim] = []
        self.wishes: list[Wish] = []
        """What each of the dimensions tells."""
        self.tables: list[Table] = []

    def ink(self, strokes: Sequence[Stroke]) -> None:
        """Draw lines."""
        self.strokes += strokes
        for stroke in strokes:
            self.paper.add_strokes([stroke], WEIGHTS.get(stroke.layer, 1.0))

    def print(self, label: Label) -> None:
        """Print a text."""
        self.labels.append(label)
        self.paper.add_box(label_box(label))

    def keep(self, dim: Dim, wish: Wish) -> None:
        """Draw a dimension, and remember what was asked for."""
        self.dims.append(dim)
        self.wishes.append(wish)
        self.paper.add_dim(dim)

    def at(self, p: Point, origin: Point) -> Point:
        """Return a point of a view on the paper; `origin` is where the view's zero stands."""
        return (origin[0] + self.scale * p[0], origin[1] + self.scale * p[1])

    def shut(self, view: PlacedView) -> None:
        """Keep what comes now out of a view."""
        if view.box is not None:
            (a, b), (c, d) = view.box
            self.paper.add_box(Box((0.5 * (a + c), 0.5 * (b + d)), c - a, d - b))
