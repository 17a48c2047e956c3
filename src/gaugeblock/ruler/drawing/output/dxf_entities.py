"""Lines and texts as DXF entities; circles stay circles."""

from __future__ import annotations

import math

from ezdxf.enums import TextEntityAlignment
from ezdxf.layouts import BaseLayout

from gaugeblock.ruler.drawing.output.expanding import Lettered
from gaugeblock.ruler.text import clean_text
from gaugeblock.ruler.views.shapes import Arc, Bezier, EllipseArc, Line, Shape

LETTERS = "LETTERS"
"""Name of the text style."""


def add_shape(space: BaseLayout, layer: str, shape: Shape) -> None:
    """Add one line of the drawing; circles stay circles."""
    attributes = {"layer": layer}
    if isinstance(shape, Line):
        space.add_line(shape.start, shape.end, attributes)
    elif isinstance(shape, Arc):
        if shape.whole:
            space.add_circle(shape.centre, shape.radius, attributes)
        else:
            space.add_arc(
                shape.centre,
                shape.radius,
                math.degrees(shape.start),
                math.degrees(shape.start + shape.sweep),
                is_counter_clockwise=shape.sweep > 0,
                dxfattribs=attributes,
            )
    elif isinstance(shape, EllipseArc):
        ends = sorted((shape.start, shape.start + shape.sweep))
        space.add_ellipse(
            shape.centre,
            (*shape.major, 0.0),
            max(shape.ratio, 1e-6),  # the least that DXF programs read
            ends[0],
            ends[1],
            attributes,
        )
    elif isinstance(shape, Bezier):
        pieces = shape.pieces
        # Each piece has its own knots, thrice where pieces meet: the very same cubics.
        knots = [0.0] * 4 + [float(n) for n in range(1, pieces) for _ in range(3)]
        knots += [float(pieces)] * 4
        control = [(*p, 0.0) for p in shape.points[: 3 * pieces + 1]]
        spline = space.add_spline(degree=3, dxfattribs=attributes)
        spline.control_points = control
        spline.knots = knots
    else:
        space.add_lwpolyline(list(shape.points), dxfattribs=attributes)


def plain(text: str) -> str:
    """Return text for TEXT, in which %% and ^ would start commands."""
    return clean_text(text).replace("^", "^ ").replace("%%", "%%%%%%")


def add_text(space: BaseLayout, item: Lettered) -> None:
    """Add a line of text, fitted between the ends of its base line."""
    end = item.place(item.width / (item.height * item.set.squeeze), 0.0)
    text = space.add_text(
        plain(item.text),
        height=item.height,
        dxfattribs={"layer": item.layer, "style": LETTERS},
    )
    text.set_placement(item.start, end, TextEntityAlignment.FIT)
