"""What stands on a page of a PDF: lines of text with their place, straight lines, arrow heads.

mm of paper, x to the right and y upwards from the lower left corner of the page.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from gaugeblock.ruler.sheet_reading.refusing import Unreadable

POINT = 25.4 / 72.0
"""A point in mm."""

MOST_OBJECTS = 100_000
"""Most texts and paths of a page: drawings of parts have below 30,000."""

MOST_SEGMENTS = 2_000_000
"""Most pieces of all paths of a page: what half a minute reads."""

MARK = 8.0
"""Largest size of an arrow head, mm (ISO 129-1: as tall as the letters, 2.5 to 7)."""

GAP = 0.7
"""Widest gap within a line of text, in its heights: a space and what kerning adds."""

SPACE = 0.36
"""A wider gap, in heights, is a space: beside a 1 letters alone leave 0.31."""

SMALL = (0.35, 0.85)
"""Heights of stacked deviations, in those of the number before (ISO 129-1: 0.7)."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Words:
    """One line of text."""

    text: str
    start: Point
    """Left end of its base line."""
    angle: float
    """Direction of the base line, rad."""
    width: float
    height: float
    """Of its letters."""

    def local(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points along and above the base line, from its left end; shape (n, 2)."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        away = points - np.array(self.start)
        return np.column_stack([away @ np.array([c, s]), away @ np.array([-s, c])])


@dataclass(frozen=True)
class Page:
    """One page."""

    words: list[Words]
    segments: NDArray[np.float64]
    """Ends of straight lines, shape (n, 4)."""
    tips: NDArray[np.float64]
    """Where arrow heads may point, shape (n, 2): corners of small filled shapes and of open
    arrows, middles of oblique strokes."""


def read_page(page: Any) -> Page:
    """Read one page.

    Raises:
        Unreadable: more stands on it than on a drawing.
    """
    text_page = page.get_textpage()
    words: list[Words] = []
    segments: list[tuple[float, float, float, float]] = []
    tips: list[Point] = []
    for count, item in enumerate(page.get_objects(textpage=text_page)):
        if count > MOST_OBJECTS or len(segments) > MOST_SEGMENTS:
            raise Unreadable("too-large", f"a page of more than {MOST_OBJECTS} texts and lines")
        if item.type == raw.FPDF_PAGEOBJ_TEXT:
            found = _words(item)
            if found is not None:
                words.append(found)
        elif item.type == raw.FPDF_PAGEOBJ_PATH:
            filled = _filled(item)
            for outline in _outlines(item):
                segments += [(*p, *q) for p, q in pairwise(outline) if p != q]
                tips += _tips(outline, filled)
    return Page(
        words=_stacked(_joined(words)),
        segments=np.array(segments, dtype=np.float64).reshape(-1, 4),
        tips=np.array(tips, dtype=np.float64).reshape(-1, 2),
    )


def _matrix(item: Any) -> Any:
    """Return an object's matrix on the page, those of the forms around it taken in."""
    matrix = item.get_matrix()
    while item.container is not None:
        item = item.container
        matrix = matrix.multiply(item.get_matrix())
    return matrix


def _words(item: Any) -> Words | None:
    """Return one text object; None: nothing stands there, or its letters have no size."""
    try:
        text = item.extract().replace("\x00", "").strip("\r\n")
    except pdfium.PdfiumError:
        return None
    if not text.strip():
        return None
    a, b, c, d, e, f = _matrix(item).get()
    size = item.get_font_size() * math.hypot(c, d) * POINT
    # The box is told of the object's own place; its corners along the base line give the width.
    corners = np.array(item.get_quad_points())
    if item.container is not None:
        corners = np.array([_matrix(item.container).on_point(x, y) for x, y in corners])
    way = np.array([a, b]) / (math.hypot(a, b) or 1.0)
    along = corners @ way
    start = np.array([e, f])
    wide = float(along.max() - start @ way) * POINT
    tall = 0.72 * size
    if not (math.isfinite(wide) and math.isfinite(tall)) or tall <= 0:
        return None
    at = (float(e) * POINT, float(f) * POINT)
    return Words(text, at, math.atan2(b, a), max(wide, 0.0), tall)


def _filled(item: Any) -> bool:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(item, mode, stroke)
    return bool(mode.value)


def _outlines(item: Any) -> Iterator[list[Point]]:
    """Yield the pieces of a path as points; curves only by their ends."""
    matrix = _matrix(item)
    x, y = ctypes.c_float(), ctypes.c_float()
    outline: list[Point] = []
    for number in range(raw.FPDFPath_CountSegments(item)):
        segment = raw.FPDFPath_GetPathSegment(item, number)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        px, py = matrix.on_point(x.value, y.value)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind != raw.FPDF_SEGMENT_LINETO:
            if len(outline) > 1:
                yield outline
            outline = []
        outline.append((px * POINT, py * POINT))
        if raw.FPDFPathSegment_GetClose(segment) and len(outline) > 1:
            outline.append(outline[0])
    if len(outline) > 1:
        yield outline


def _tips(outline: list[Point], filled: bool) -> list[Point]:
    """Return where an outline may point as an arrow head."""
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    if math.hypot(max(xs) - min(xs), max(ys) - min(ys)) > MARK:
        return []
    if filled:
        return outline
    if len(outline) == 3:
        return [outline[1]]
    if len(outline) == 2:
        (a, b), (c, d) = outline
        if min(abs(c - a), abs(d - b)) > 0.2 * max(abs(c - a), abs(d - b)):
            return [(0.5 * (a + c), 0.5 * (b + d))]
    return []


def _joined(words: list[Words]) -> list[Words]:
    """Return lines of text whose pieces were written apart, such as letter by letter."""
    found: list[Words] = []
    for word in words:
        last = found[-1] if found else None
        if last is not None and abs(math.remainder(word.angle - last.angle, math.tau)) < 0.02:
            (along, above), *_ = last.local(np.array([word.start]))
            gap = along - last.width
            alike = 0.9 < word.height / last.height < 1.1
            if alike and abs(above) < 0.1 * last.height and -0.3 < gap / last.height < GAP:
                wide = " " if gap > SPACE * last.height else ""
                found[-1] = replace(
                    last, text=last.text + wide + word.text, width=along + word.width
                )
                continue
        found.append(word)
    return found


def _stacked(words: list[Words]) -> list[Words]:
    """Return lines with small deviations above each other behind them written as +0.2/−0.1."""
    found: list[Words] = []
    behind: list[list[str]] = []
    for word in words:
        if found and _deviation(found[-1], word):
            behind[-1].append(word.text.strip())
        else:
            found.append(word)
            behind.append([])
    return [
        replace(word, text=f"{word.text} {'/'.join(small)}") if small else word
        for word, small in zip(found, behind, strict=True)
    ]


def _deviation(number: Words, word: Words) -> bool:
    """Whether a small text right behind a number is one of its deviations."""
    text = word.text.strip()
    if not text or (text[0] not in "+-−–±" and text != "0"):
        return False
    if abs(math.remainder(word.angle - number.angle, math.tau)) > 0.02:
        return False
    (along, above), *_ = number.local(np.array([word.start]))
    behind = -0.3 < (along - number.width) / number.height < 1.0
    return (
        behind
        and abs(above) < 1.2 * number.height
        and (SMALL[0] < word.height / number.height < SMALL[1])
    )
