"""Enlarged details: what would be too small to read at the sheet's scale.

A detail takes the short dimensions of one place with it: they stand there and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gaugeblock.ruler.drawing.assigning import Assigned
from gaugeblock.ruler.drawing.frame import scales
from gaugeblock.ruler.drawing.ink import LIFT, Box
from gaugeblock.ruler.drawing.lettering import DESCENT, width
from gaugeblock.ruler.drawing.paper import Paper
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import Layer, LinearDim
from gaugeblock.ruler.drawing.stacking import Bar, first, pitch, stacked
from gaugeblock.ruler.drawing.wishes import Linear
from gaugeblock.ruler.views.projection import Curve
from gaugeblock.ruler.views.shapes import Line, Point, Polyline, Shape, sampled

SMALL = 2.0
"""A feature shorter than this on the paper is drawn enlarged, mm."""

ENOUGH = 8.0
"""Length that it gets, mm: room for arrows and text."""

RADIUS = 14.0
"""Radius of a detail on the paper, mm."""

MOST = 3
"""Details of one sheet."""

LETTERS = "BCDEFGH"

TITLE = 8.0
"""Room for a detail's title, mm."""

STEP = 4.0
"""Places for a detail are tried this far apart, mm."""


@dataclass(frozen=True)
class Detail:
    """One place that is drawn enlarged."""

    letter: str
    view: View
    items: tuple[Assigned, ...]
    centre: Point
    """mm of the view."""
    radius: float
    """mm of the view."""
    scale: tuple[int, int]


@dataclass(frozen=True)
class Block:
    """What a detail takes up around its middle, mm of paper."""

    left: float
    right: float
    below: float
    above: float


def split_off(found: Sequence[Assigned], scale: float) -> tuple[list[Assigned], list[Detail]]:
    """Return the lengths that stay in their views, and the details that take the others.

    Args:
        found: Lengths in their views.
        scale: Of the views.
    """
    groups: list[list[Assigned]] = []
    for item in found:
        small = item.wish.features and not item.wish.diameter and item.side != "column"
        if not small or scale * item.wish.length >= SMALL:
            continue
        for group in groups:
            near = math.dist(_middle(group[0]), _middle(item)) < 2.0 * item.wish.length
            if group[0].view is item.view and near:
                group.append(item)
                break
        else:
            groups.append([item])
    details: list[Detail] = []
    for group in groups:
        if len(details) == MOST:
            break
        letter = LETTERS[len(details)]
        shortest = min(item.wish.length for item in group)
        fit = [s for s in scales() if s[0] / s[1] > scale and s[0] / s[1] * shortest >= ENOUGH]
        if fit:
            radius = RADIUS * fit[-1][1] / fit[-1][0]
            middle = _middle(group[0])
            # What is measured must be seen in the detail; the rest stays in its view.
            group = [i for i in group if all(math.dist(p, middle) < radius for p in i.points)]
            if group:
                details.append(Detail(letter, group[0].view, tuple(group), middle, radius, fit[-1]))
    taken = {id(item) for detail in details for item in detail.items}
    return [item for item in found if id(item) not in taken], details


def _middle(item: Assigned) -> Point:
    (a, b), (c, d) = item.points
    return (0.5 * (a + c), 0.5 * (b + d))


def clipped(detail: Detail) -> Iterator[tuple[Layer, Shape]]:
    """Yield the lines of a detail's view inside its circle, in mm of the view."""
    centre, radius = np.array(detail.centre), detail.radius
    for curve in detail.view.curves:
        if curve.kind == "smooth":
            continue
        if isinstance(curve.shape, Line):
            a, b = np.array(curve.shape.start), np.array(curve.shape.end)
            points = np.array([a, b])
        else:
            points = sampled(curve.shape, radius / 40.0)
        for chain in _inside(points, centre, radius):
            if len(chain) == 2:
                yield layer_of(curve), Line(start=chain[0], end=chain[1])
            else:
                yield layer_of(curve), Polyline(points=tuple(chain))


def _inside(points: np.ndarray, centre: np.ndarray, radius: float) -> list[list[Point]]:
    """Return the parts of a chain of points that lie in a circle."""
    chains: list[list[Point]] = []
    open_ = False
    for p, q in pairwise(points):
        way, arm = q - p, p - centre
        a, b, c = way @ way, arm @ way, arm @ arm - radius * radius
        root = b * b - a * c
        if a == 0 or root <= 0:
            open_ = False
            continue
        low = max((-b - math.sqrt(root)) / a, 0.0)
        high = min((-b + math.sqrt(root)) / a, 1.0)
        if low >= high:
            open_ = False
            continue
        first_, last = p + low * way, p + high * way
        if not (open_ and low == 0.0):
            chains.append([(float(first_[0]), float(first_[1]))])
        chains[-1].append((float(last[0]), float(last[1])))
        open_ = high == 1.0
    return chains


def layer_of(curve: Curve) -> Layer:
    """Return how a line of a view is drawn."""
    if curve.kind == "smooth":
        return "tangent"
    if curve.kind == "thread" and curve.visible:
        return "thread"
    return "visible" if curve.visible else "hidden"


def around(at: Point, radius: float) -> list[Point]:
    """Return places for the letter of a circle."""
    return [
        (at[0] + (radius + off) * math.cos(t), at[1] + (radius + off) * math.sin(t))
        for off in (3.5, 5.0, 7.0, 10.0, 14.0, 19.0, 25.0)
        for t in np.radians([45, 135, 315, 225, 90, 270, 0, 180]).tolist()
    ]


def block_of(detail: Detail, height: float) -> Block:
    """Return what a detail takes up with its title and dimensions.

    Args:
        detail: The detail.
        height: Of its dimension text, mm.
    """
    rooms = {"left": RADIUS, "right": RADIUS, "below": RADIUS, "above": RADIUS}
    for dim, _ in dims_of(detail, _zero(detail), height):
        wide, tall = 0.5 * width(dim.text, height), 0.5 * height * (1.0 + DESCENT)
        if dim.text_angle:
            wide, tall = tall, wide
        x, y = dim.text_at
        rooms["left"] = max(rooms["left"], wide - x)
        rooms["right"] = max(rooms["right"], wide + x)
        rooms["below"] = max(rooms["below"], tall - y)
        rooms["above"] = max(rooms["above"], tall + y)
    return Block(
        rooms["left"] + 4, rooms["right"] + 4, rooms["below"] + 4, rooms["above"] + TITLE + 3
    )


def _zero(detail: Detail) -> Point:
    """Return where the view's zero stands if the detail's middle stands at 0, 0."""
    scale = detail.scale[0] / detail.scale[1]
    return (-scale * detail.centre[0], -scale * detail.centre[1])


def place_block(paper: Paper, block: Block) -> Point | None:
    """Return where a detail's middle may stand, from the lower left on, or None."""
    wide, tall = block.left + block.right, block.below + block.above
    y = paper.low[1]
    while y + tall <= paper.high[1]:
        x = paper.low[0]
        while x + wide <= paper.high[0]:
            if paper.free(Box((x + 0.5 * wide, y + 0.5 * tall), wide, tall), 0.0):
                return (x + block.left, y + block.below)
            x += STEP
        y += STEP
    return None


def dims_of(detail: Detail, origin: Point, height: float) -> list[tuple[LinearDim, Linear]]:
    """Return a detail's dimensions, and what each of them tells.

    Args:
        detail: The detail.
        origin: Where the view's zero stands on the paper at the detail's scale.
        height: Of the text, mm.
    """
    scale = detail.scale[0] / detail.scale[1]
    aside = LIFT + 0.5 * height * (1.0 + DESCENT)
    middle = [origin[n] + scale * detail.centre[n] for n in (0, 1)]
    dims = []
    for side in ("below", "above", "left", "right"):
        items = [item for item in detail.items if item.side == side]
        n = 0 if side in ("below", "above") else 1
        sign = 1.0 if side in ("above", "right") else -1.0
        bars = []
        for item in items:
            low, high = sorted(scale * p[n] for p in item.points)
            bars.append(Bar(low, high, item.wish.text))
        for item, lane in zip(items, stacked(bars, height), strict=True):
            away = RADIUS + first(height) + lane.lane * pitch(height)
            line, along = middle[1 - n] + sign * away, origin[n] + lane.middle
            points = [(origin[0] + scale * x, origin[1] + scale * y) for x, y in item.points]
            dim = LinearDim(
                view=f"detail-{detail.letter}",
                text=item.wish.text,
                text_at=(along, line + aside) if n == 0 else (line - aside, along),
                text_angle=0.0 if n == 0 else 0.5 * math.pi,
                height=height,
                features=item.wish.features,
                points=(points[0], points[1]),
                line_at=(along, line) if n == 0 else (line, along),
                angle=0.0 if n == 0 else 0.5 * math.pi,
            )
            dims.append((dim, item.wish))
    return dims
