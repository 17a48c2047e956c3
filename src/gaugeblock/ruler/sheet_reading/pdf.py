"""The job behind `Ruler.read_pdf_text`: a PDF in, the sizes that its text gives out, in the worker.

A text with a sign (⌀, R, M, ↧, °) is a dimension where it stands free. A bare number is one only
beside a dimension line: a straight line along it with an arrow head at one end.
"""

from __future__ import annotations

import math
import os
from io import BytesIO
from typing import Any

import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from gaugeblock.ruler.sheet_reading.call_outs import read
from gaugeblock.ruler.sheet_reading.judging import Gathered, of_bare_text
from gaugeblock.ruler.sheet_reading.pdf_content import POINT, Page, Words, read_page
from gaugeblock.ruler.sheet_reading.pdf_streams import check_streams
from gaugeblock.ruler.sheet_reading.refusing import Unreadable
from gaugeblock.ruler.sheet_reading.ruled import Rules

MAX_BYTES = 64 * 1024 * 1024
"""Largest PDF that is read, in bytes."""

MOST_PAGES = 20
"""Most pages: a drawing has one, a set of sheets some."""

DOTS = 200.0
"""Of a page's picture, per inch: letters of 2.5 mm are 20 dots tall."""

LARGEST_PAGE = 3400.0
"""Longest side of a page that is painted, in points: an A0 has 3370."""

AT_TIP = 0.3
"""How near an arrow's tip and its line are, mm: less than a line's width."""

ABOVE, THROUGH = (-1.3, 0.15), (0.15, 0.85)
"""Where a dimension line runs, from the base line in heights of the letters: below the text, or
through the middle of where it interrupts the line (both of ISO 129-1 and ASME Y14.5)."""

ASIDE = 2.5
"""How far beside its line a number may stand, in its heights."""


def read_pdf_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Read the PDF open as ``files[0]``.

    Args:
        value: Unused.
        blobs: Unused.
        files: One descriptor, open for reading.

    Returns:
        ``dimensions``, ``left_out``, ``remarks`` and ``unit`` as of a `SheetReading`, or ``code``
        and ``reason``; no blobs.
    """
    out = Gathered()
    try:
        document = opened_pdf(files[0])
        pages = len(document)
        if pages > MOST_PAGES:
            raise Unreadable("too-large", f"{pages} pages; at most {MOST_PAGES} are read")
        texts = sum(_read_sheet(read_page(document[n]), n + 1, out) for n in range(pages))
    except pdfium.PdfiumError as error:
        return {"code": "not-pdf", "reason": f"no PDF that can be read ({error})"}, []
    except Unreadable as refusal:
        return {"code": refusal.code, "reason": refusal.reason}, []
    if not texts:
        return {"code": "no-text", "reason": "no text in it: a scan, or letters drawn as lines"}, []
    return {**out.answer(), "unit": None}, []


def pdf_picture_job(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Paint the first page of the PDF open as ``files[0]``.

    Args:
        value: Unused.
        blobs: Unused.
        files: One descriptor, open for reading.

    Returns:
        Nothing and one PNG, or ``reason`` and no blobs.
    """
    try:
        page = opened_pdf(files[0])[0]
        if max(page.get_size()) > LARGEST_PAGE:
            raise Unreadable("too-large", f"a page of {max(page.get_size()) * POINT:.0f} mm")
        picture = page.render(scale=DOTS / 72.0, grayscale=True).to_pil()
    except pdfium.PdfiumError as error:
        return {"reason": f"no PDF that can be painted ({error})"}, []
    except Unreadable as refusal:
        return {"reason": refusal.reason}, []
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return {}, [out.getvalue()]


def opened_pdf(fd: int) -> pdfium.PdfDocument:
    """Return the document in a descriptor.

    Raises:
        Unreadable: it is no PDF, encrypted, damaged, or too large.
    """
    size = os.fstat(fd).st_size
    if size > MAX_BYTES:
        raise Unreadable("too-large", f"{size} bytes; a PDF of at most {MAX_BYTES} is read")
    content = os.pread(fd, size, 0)
    if b"%PDF-" not in content[:1024]:
        raise Unreadable("not-pdf", "no %PDF at its head: not a PDF file")
    try:
        document = pdfium.PdfDocument(content)
        len(document)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable("encrypted", "encrypted: save it without a password") from error
        raise Unreadable("not-pdf", f"no PDF that can be read ({error})") from error
    check_streams(content)
    return document


def _read_sheet(page: Page, number: int, out: Gathered) -> int:
    """Read one page and return how many texts stand on it."""
    rules = Rules(page.segments)
    for words in page.words:
        said = read(words.text)
        at = (round(words.start[0], 2), round(words.start[1], 2))
        where = f"page {number}"
        bare = bool(said.sizes) and not said.rest and not any(s.signed for s in said.sizes)
        if bare and _on_a_dimension_line(words, page):
            out.take(said, "text", where, at)
            continue
        of_bare_text(said, "text", where, at, _in_a_cell(words, rules), out)
    return len(page.words)


def _on_a_dimension_line(words: Words, page: Page) -> bool:
    """Whether a straight line with an arrow head runs along a text."""
    if not len(page.segments) or not len(page.tips):
        return False
    ends = [words.local(page.segments[:, k : k + 2]) for k in (0, 2)]
    low = np.minimum(ends[0][:, 0], ends[1][:, 0])
    high = np.maximum(ends[0][:, 0], ends[1][:, 0])
    level = np.abs(ends[0][:, 1] - ends[1][:, 1]) <= 0.02 * (high - low) + 1e-3
    off, h = 0.5 * (ends[0][:, 1] + ends[1][:, 1]) / words.height, words.height
    below = (off >= ABOVE[0]) & (off <= ABOVE[1])
    through = (off >= THROUGH[0]) & (off <= THROUGH[1])
    near = (high >= -ASIDE * h) & (low <= words.width + ASIDE * h) & (high - low >= 0.5 * h)
    return any(_points_on(line, page) for line in page.segments[level & near & (below | through)])


def _points_on(line: NDArray[np.float64], page: Page) -> bool:
    """Whether an arrow head points at a place of a line: at its end, or, from outside, within."""
    start, way = line[:2], line[2:] - line[:2]
    along = np.clip((page.tips - start) @ way / (way @ way), 0.0, 1.0)
    away = page.tips - (start + along[:, None] * way)
    return bool((np.hypot(*away.T) <= AT_TIP).any())


def _in_a_cell(words: Words, rules: Rules) -> bool:
    if abs(math.remainder(words.angle, math.tau)) > 0.02:
        return False
    x, y = words.start
    return rules.cell((x, y, x + words.width, y + words.height), words.height)
