"""Enlarged details on the sheet: their circle in the view, and the detail itself."""

from __future__ import annotations

from gaugeblock.ruler.drawing.canvas import Canvas
from gaugeblock.ruler.drawing.details import (
    Detail,
    around,
    block_of,
    clipped,
    dims_of,
    place_block,
)
from gaugeblock.ruler.drawing.frame import scale_text
from gaugeblock.ruler.drawing.ink import label_box
from gaugeblock.ruler.drawing.layout import moved
from gaugeblock.ruler.drawing.rooms import TITLE_LETTERS
from gaugeblock.ruler.drawing.sheet import Label, PlacedView, Stroke
from gaugeblock.ruler.views.shapes import TURN, Arc, Point

LEAST_CIRCLE = 3.0
"""Radius of the circle that marks a detail, mm."""


def encircle(canvas: Canvas, detail: Detail, origin: Point) -> None:
    """Mark what a detail shows in its view.

    Args:
        canvas: The sheet.
        detail: The detail.
        origin: Where the view's zero stands on the paper.
    """
    at = canvas.at(detail.centre, origin)
    radius = max(canvas.scale * detail.radius, LEAST_CIRCLE)
    circle = Arc(centre=at, radius=radius, start=0.0, sweep=TURN)
    canvas.ink([Stroke(layer="dimension", shape=circle)])
    places = [
        Label(at=p, text=detail.letter, height=TITLE_LETTERS, anchor="middle", baseline="middle")
        for p in around(at, radius)
    ]
    free = [label for label in places if canvas.paper.free(label_box(label), 0.3)]
    canvas.print(free[0] if free else places[0])


def draw_detail(canvas: Canvas, detail: Detail, height: float) -> PlacedView | None:
    """Draw a detail with its dimensions where there is room for it; None: there is none.

    Args:
        canvas: The sheet.
        detail: The detail.
        height: Of its dimension text, mm.
    """
    block = block_of(detail, height)
    middle = place_block(canvas.paper, block)
    if middle is None:
        return None
    scale = detail.scale[0] / detail.scale[1]
    origin = (middle[0] - scale * detail.centre[0], middle[1] - scale * detail.centre[1])
    radius = scale * detail.radius
    strokes = [
        Stroke(layer=layer, shape=moved(shape, scale, origin)) for layer, shape in clipped(detail)
    ]
    circle = Arc(centre=middle, radius=radius, start=0.0, sweep=TURN)
    canvas.ink([*strokes, Stroke(layer="dimension", shape=circle)])
    title = f"{detail.letter} ({scale_text(detail.scale)})"
    at = (middle[0], middle[1] + block.above - TITLE_LETTERS - 1.0)
    canvas.print(Label(at=at, text=title, height=TITLE_LETTERS, anchor="middle"))
    for dim, wish in dims_of(detail, origin, height):
        canvas.keep(dim, wish)
    return PlacedView(
        id=f"detail-{detail.letter}",
        camera=detail.view.camera,
        origin=origin,
        scale=scale,
        title=title,
        box=(
            (middle[0] - radius, middle[1] - radius),
            (middle[0] + radius, middle[1] + radius),
        ),
        method=detail.view.method,
    )
