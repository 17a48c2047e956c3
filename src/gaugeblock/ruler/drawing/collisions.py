"""What stands in the way of what on a sheet: used by the placer and by the check at the end.

A collision is text over text, text over a line that does not belong to it, text over a hatch, text
outside the frame or in the title block, two dimension lines on top of each other, or two views
that overlap. Extension lines and leaders may cross other lines, as in practice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.drawing.ink import Box, Piece, ink, label_box
from gaugeblock.ruler.drawing.sheet import Dim, Hatch, Sheet, Table
from gaugeblock.ruler.views.shapes import Line, Point, Polyline, Shape, sampled

Floats = npt.NDArray[np.float64]

INSET = 0.15
"""Boxes of text are taken this much smaller on each side, mm: touching is no collision."""

STEP = 0.8
"""Curves are looked at in chords of about this length, mm."""

BESIDE = 1.0
"""Dimension lines closer than this, mm, and parallel, are on top of each other."""

Kind = Literal["text-text", "text-line", "text-hatch", "outside", "line-line", "view-view"]


@dataclass(frozen=True)
class Collision:
    """Two things in each other's way."""

    kind: Kind
    what: str
    by: str
    at: Point
    dims: tuple[int, ...] = ()
    """Numbers of the dimensions among the two."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.what} and {self.by} at {self.at[0]:.1f}, {self.at[1]:.1f}"


def chords(shape: Shape) -> Floats:
    """Return (n, 4) straight pieces x, y, x, y of a curve, mm of paper."""
    if isinstance(shape, Line):
        return np.array([[*shape.start, *shape.end]])
    if isinstance(shape, Polyline):
        points = np.array(shape.points)
    else:
        points = sampled(shape, STEP)
    return np.hstack([points[:-1], points[1:]])


def box_meets(box: Box, segments: Floats, inset: float = INSET) -> npt.NDArray[np.bool_]:
    """Return which of (n, 4) segments run through a box."""
    if not len(segments):
        return np.zeros(0, dtype=bool)
    c, s = math.cos(box.angle), math.sin(box.angle)
    half = np.array([0.5 * box.width - inset, 0.5 * box.height - inset])
    if (half <= 0).any():
        return np.zeros(len(segments), dtype=bool)
    turn = np.array([[c, -s], [s, c]])
    a = (segments[:, :2] - box.at) @ turn
    d = (segments[:, 2:] - box.at) @ turn - a
    # Liang and Barsky's clipping against the slab of each axis.
    with np.errstate(divide="ignore", invalid="ignore"):
        t1, t2 = (-half - a) / d, (half - a) / d
    flat = np.abs(d) < 1e-12
    inside = np.abs(a) < half
    low = np.where(flat, np.where(inside, -np.inf, np.inf), np.minimum(t1, t2))
    high = np.where(flat, np.where(inside, np.inf, -np.inf), np.maximum(t1, t2))
    return np.asarray(
        np.maximum(low.max(axis=1), 0.0) < np.minimum(high.min(axis=1), 1.0), dtype=bool
    )


def boxes_meet(a: Box, b: Box, inset: float = INSET) -> bool:
    """Whether two turned rectangles overlap (separating axes)."""
    corners = [
        np.array(
            Box(x.at, max(x.width - 2 * inset, 0), max(x.height - 2 * inset, 0), x.angle).corners()
        )
        for x in (a, b)
    ]
    for box in (a, b):
        for angle in (box.angle, box.angle + 0.5 * math.pi):
            way = np.array([math.cos(angle), math.sin(angle)])
            one, two = corners[0] @ way, corners[1] @ way
            if one.max() <= two.min() or two.max() <= one.min():
                return False
    return True


def hatch_edges(hatch: Hatch) -> Floats:
    """Return (n, 4) straight pieces of all outlines of a hatched region."""
    parts = [chords(shape) for loop in hatch.loops for shape in loop]
    return np.concatenate([np.empty((0, 4)), *parts])


def enclosed(edges: Floats, points: Floats) -> npt.NDArray[np.bool_]:
    """Return which of (n, 2) points lie inside an odd number of outlines (m, 4)."""
    y = points[:, 1][:, None]
    low, high = np.minimum(edges[:, 1], edges[:, 3]), np.maximum(edges[:, 1], edges[:, 3])
    spans = (low <= y) & (y < high)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (y - edges[:, 1]) / (edges[:, 3] - edges[:, 1])
        x = edges[:, 0] + share * (edges[:, 2] - edges[:, 0])
    return np.asarray((spans & (x > points[:, 0][:, None])).sum(axis=1) % 2 == 1)


def box_points(box: Box) -> Floats:
    """Return corners, edge middles and the middle of a box."""
    corners = np.array(box.corners())
    between = 0.5 * (corners + np.roll(corners, -1, axis=0))
    return np.concatenate([corners, between, [box.at]])


def table_boxes(table: Table) -> list[tuple[str, Box]]:
    """Return name and box of all cells of a table."""
    found = []
    for row, cells in enumerate(table.rows):
        x = table.at[0]
        for text, wide in zip(cells, table.columns, strict=True):
            y = table.at[1] - (row + 0.5) * table.row_height
            found.append((text, Box((x + 0.5 * wide, y), wide, table.row_height)))
            x += wide
    return found


@dataclass(frozen=True)
class _Text:
    name: str
    box: Box
    owner: int
    """Number of its dimension, or −1."""
    free: bool = False
    """Stands in the margin or the title block, where other rules hold."""

    @property
    def dims(self) -> tuple[int, ...]:
        """The dimension's number, if it is one's."""
        return (self.owner,) if self.owner >= 0 else ()


def collisions(sheet: Sheet) -> list[Collision]:
    """Return everything on a finished sheet that is in the way of something else."""
    texts, segments, owners = _gathered(sheet)
    found = _text_text(texts)
    names = [stroke.layer for stroke in sheet.strokes]
    hatches = [hatch_edges(hatch) for hatch in sheet.hatches]
    for text in texts:
        hit = box_meets(text.box, segments) & ((owners != text.owner) | (text.owner < 0))
        for other in sorted({int(owner) for owner in owners[hit]}):
            by = (
                f"dimension {sheet.dims[other].text}" if other >= 0 else f"{names[-2 - other]} line"
            )
            numbers = tuple(n for n in (text.owner, other) if n >= 0)
            found.append(Collision("text-line", text.name, by, text.box.at, numbers))
        for edges in hatches:
            if not text.free and enclosed(edges, box_points(text.box)).any():
                found.append(Collision("text-hatch", text.name, "hatch", text.box.at, text.dims))
    return found + _outside(sheet, texts) + _lines_on_lines(sheet) + _views_on_views(sheet)


def thinned(sheet: Sheet) -> tuple[Sheet, list[str]]:
    """Return a sheet without the dimensions and labels that collide, and the texts left off.

    Of two dimensions in each other's way the later one goes: they stand in order of importance.
    """
    waiting = [c.dims for c in collisions(sheet) if c.dims]
    gone: set[int] = set()
    while waiting:
        counts = Counter(number for numbers in waiting for number in numbers)
        worst = max(counts, key=lambda number: (counts[number], number))
        gone.add(worst)
        waiting = [numbers for numbers in waiting if worst not in numbers]
    kept = tuple(dim for number, dim in enumerate(sheet.dims) if number not in gone)
    left_off = [sheet.dims[number].text for number in sorted(gone)]
    return sheet.model_copy(update={"dims": kept}), left_off


def _gathered(sheet: Sheet) -> tuple[list[_Text], Floats, npt.NDArray[np.int64]]:
    """Return texts, all straight pieces, and whose each is: ≥ 0 a dimension, ≤ −2 a stroke."""
    texts = [
        _Text(label.text, label_box(label), -1, label.layer in ("frame", "title"))
        for label in sheet.labels
    ]
    parts, owners = [np.empty((0, 4))], [np.empty(0, dtype=np.int64)]
    for number, stroke in enumerate(sheet.strokes):
        parts.append(chords(stroke.shape))
        owners.append(np.full(len(parts[-1]), -2 - number))
    for number, dim in enumerate(sheet.dims):
        drawn = ink(dim)
        texts.append(_Text(dim.text, drawn.text, number))
        rows = np.array([[*piece.a, *piece.b] for piece in drawn.pieces]).reshape(-1, 4)
        parts.append(rows)
        owners.append(np.full(len(rows), number))
    for table in sheet.tables:
        texts += [_Text(name, box, -1) for name, box in table_boxes(table)]
    return texts, np.concatenate(parts), np.concatenate(owners)


def _text_text(texts: Sequence[_Text]) -> list[Collision]:
    if not texts:
        return []
    places = np.array([text.box.at for text in texts])
    reach = np.array([0.5 * math.hypot(text.box.width, text.box.height) for text in texts])
    found = []
    for i, a in enumerate(texts):
        away = np.hypot(*(places[i + 1 :] - places[i]).T)
        for j in np.flatnonzero(away < reach[i + 1 :] + reach[i]).tolist():
            b = texts[i + 1 + j]
            if boxes_meet(a.box, b.box):
                found.append(Collision("text-text", a.name, b.name, a.box.at, a.dims + b.dims))
    return found


def _outside(sheet: Sheet, texts: Iterable[_Text]) -> list[Collision]:
    from gaugeblock.ruler.drawing.frame import drawing_area, title_area

    low, high = drawing_area(sheet.format, sheet.landscape)
    title = title_area(sheet.format, sheet.landscape)
    found = []
    for text in texts:
        if text.free:
            continue
        corners = np.array(text.box.corners())
        if _beyond(corners, low, high):
            found.append(Collision("outside", text.name, "frame", text.box.at, text.dims))
        if boxes_meet(text.box, title):
            found.append(Collision("outside", text.name, "title block", text.box.at, text.dims))
    for stroke in sheet.strokes:
        if stroke.layer in ("frame", "title"):
            continue
        points = chords(stroke.shape).reshape(-1, 2)
        if _beyond(points, low, high):
            at = (float(points[0, 0]), float(points[0, 1]))
            found.append(Collision("outside", f"{stroke.layer} line", "frame", at))
        elif box_meets(title, chords(stroke.shape)).any():
            at = (float(points[0, 0]), float(points[0, 1]))
            found.append(Collision("outside", f"{stroke.layer} line", "title block", at))
    return found


def _beyond(points: Floats, low: Point, high: Point) -> bool:
    close = 1e-6
    return bool(
        (points.min(axis=0) < np.subtract(low, close)).any()
        or (points.max(axis=0) > np.add(high, close)).any()
    )


def _lines_on_lines(sheet: Sheet) -> list[Collision]:
    """Return dimension lines that run along each other."""
    lines = [
        (number, piece)
        for number, dim in enumerate(sheet.dims)
        if dim.kind == "linear"
        for piece in ink(dim).pieces
        if piece.role == "line"
    ]
    found = []
    for i, (one, a) in enumerate(lines):
        way = np.subtract(a.b, a.a)
        length = float(np.linalg.norm(way))
        if length == 0:
            continue
        way = way / length
        for two, b in lines[i + 1 :]:
            if _one_set(sheet.dims[one], sheet.dims[two], a, b):
                continue
            ends = np.array([b.a, b.b]) - a.a
            aside = ends @ np.array([-way[1], way[0]])
            along = np.sort(ends @ way)
            if np.abs(aside).max() < BESIDE and min(along[1], length) - max(along[0], 0.0) > 0.5:
                found.append(
                    Collision(
                        "line-line", sheet.dims[one].text, sheet.dims[two].text, a.a, (one, two)
                    )
                )
    return found


def _one_set(one: Dim, two: Dim, a: Piece, b: Piece) -> bool:
    """Whether two dimension lines run from one origin, as those of running dimensions do."""
    running = getattr(one, "running", False) and getattr(two, "running", False)
    return running and one.view == two.view and math.dist(a.a, b.a) < BESIDE


def _views_on_views(sheet: Sheet) -> list[Collision]:
    """Return views whose lines overlap, by their boxes."""
    boxes = []
    for view in sheet.views:
        if view.box is not None:
            (a, b), (c, d) = view.box
            boxes.append((view.id, Box((0.5 * (a + c), 0.5 * (b + d)), c - a, d - b)))
    return [
        Collision("view-view", one, two, a.at)
        for i, (one, a) in enumerate(boxes)
        for two, b in boxes[i + 1 :]
        if boxes_meet(a, b)
    ]
