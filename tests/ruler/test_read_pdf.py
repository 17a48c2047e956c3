"""Dimensions out of the text of a PDF: what stands at a dimension line, and what is none."""

import io

import made_drawings as made
import pytest
from PIL import Image

from gaugeblock.records.errors import CouldNotMeasure


@pytest.fixture
def read(ruler, tmp_path):
    def reading(content):
        path = tmp_path / "drawing.pdf"
        path.write_bytes(content)
        return ruler.read_pdf_text(path)

    return reading


def sizes(reading):
    assert reading.verdict == "measured", reading.reason
    found = [item.dimension for item in reading.dimensions]
    return [(d.type, d.value, d.count, d.lower, d.upper) for d in found]


@pytest.mark.parametrize("arrow", ["filled", "tick"])
def test_a_bare_number_counts_at_a_dimension_line(arrow, read):
    page = made.PdfSheet()
    page.dimension(50, 100, 60, "40", arrow=arrow)
    page.dimension(50, 120, 60, "20 H7", arrow=arrow)
    page.text(200, 50, "17")
    found = read(page.bytes())
    assert sizes(found) == [("length", 40, 1, None, None), ("length", 20, 1, 0.0, 0.021)]
    (left,) = found.left_out
    assert (left.text, left.at) == ("17", (200, 50))


def test_a_line_without_arrows_is_no_dimension_line(read):
    page = made.PdfSheet()
    page.dimension(50, 100, 60, "40", arrow="none")
    found = read(page.bytes())
    assert sizes(found) == []
    assert [left.text for left in found.left_out] == ["40"]


def test_signs_count_where_they_stand_free(read):
    page = made.PdfSheet()
    page.text(20, 20, "4x Ø8 x 16 DEEP")
    page.text(20, 40, "M8x1.25")
    page.text(20, 60, "2x45°")
    page.text(20, 80, "R5")
    assert sizes(read(page.bytes())) == [
        ("diameter", 8, 4, None, None),
        ("length", 16, 4, None, None),
        ("diameter", 8, 1, None, None),
        ("length", 2, 1, None, None),
        ("angle", 45, 1, None, None),
        ("radius", 5, 1, None, None),
    ]


def test_cells_of_the_title_block_are_left_out(read):
    page = made.PdfSheet()
    for y in (10, 16, 22):
        page.canvas.line(200, y, 280, y)
    for x in (200, 240, 280):
        page.canvas.line(x, 10, x, 22)
    for x, y, text in ((202, 12, "R5"), (242, 12, "1:2"), (202, 18, "2024-05-03"), (242, 18, "A3")):
        page.text(x, y, text, size=3.5)
    found = read(page.bytes())
    assert sizes(found) == []
    reasons = {left.text: left.reason for left in found.left_out}
    assert reasons["R5"] == "in a cell of a table or of the title block"
    assert set(reasons) == {"R5", "1:2", "2024-05-03", "A3"}


def test_text_written_letter_by_letter_is_joined(read):
    page = made.PdfSheet()
    page.canvas.setFont("Helvetica", 5.0)
    x = 20.0
    for sign in "R12.5":
        page.canvas.drawString(x, 20, sign)
        x += page.canvas.stringWidth(sign, "Helvetica", 5.0)
    assert sizes(read(page.bytes())) == [("radius", 12.5, 1, None, None)]


def test_stacked_deviations_belong_to_their_number(read):
    page = made.PdfSheet()
    page.text(20, 20, "Ø40", size=5.0)
    wide = page.canvas.stringWidth("Ø40", "Helvetica", 5.0)
    page.text(20.5 + wide, 22, "+0.2", size=3.0)
    page.text(20.5 + wide, 19, "-0.1", size=3.0)
    page.text(20, 60, "R5", size=5.0)
    assert sizes(read(page.bytes())) == [
        ("diameter", 40, 1, -0.1, 0.2),
        ("radius", 5, 1, None, None),
    ]


def test_upright_text_is_read(read):
    page = made.PdfSheet()
    page.canvas.saveState()
    page.canvas.translate(100, 50)
    page.canvas.rotate(90)
    page.dimension(0, 0, 60, "40")
    page.canvas.restoreState()
    assert sizes(read(page.bytes())) == [("length", 40, 1, None, None)]


def test_forms_within_a_page_are_read(read):
    page = made.PdfSheet()
    page.canvas.beginForm("view")
    page.dimension(0, 0, 60, "40")
    page.canvas.endForm()
    page.canvas.saveState()
    page.canvas.translate(100, 50)
    page.canvas.doForm("view")
    page.canvas.restoreState()
    assert sizes(read(page.bytes())) == [("length", 40, 1, None, None)]


def test_a_page_becomes_a_picture(ruler, tmp_path):
    page = made.PdfSheet()
    page.dimension(50, 100, 60, "40")
    (tmp_path / "d.pdf").write_bytes(page.bytes())
    with Image.open(io.BytesIO(ruler.pdf_picture(tmp_path / "d.pdf"))) as picture:
        assert picture.mode == "L"
        assert picture.size == (
            pytest.approx(297 / 25.4 * 200, abs=1.5),
            pytest.approx(1654, abs=1.5),
        )
        assert picture.getextrema()[0] < 64 and picture.getextrema()[1] == 255
    (tmp_path / "no.pdf").write_bytes(b"%PDF-1.4 nothing")
    with pytest.raises(CouldNotMeasure, match="no PDF"):
        ruler.pdf_picture(tmp_path / "no.pdf")
