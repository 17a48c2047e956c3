"""Our own sheets, read as if somebody else had made them: they say what they print."""

import drawing_proving
import pytest

from gaugeblock.ruler.drawing.output.dxf import dxf_of
from gaugeblock.ruler.drawing.output.pdf import pdf_of
from gaugeblock.ruler.drawing.reading_back import own_dimensions


def listed(dimensions):
    return sorted((d.label, d.type, d.value, d.count) for d in dimensions)


@pytest.mark.parametrize("make", drawing_proving.PROVING, ids=lambda make: make.__name__)
def test_our_own_sheets_say_what_they_print(make, ruler, tmp_path):
    sheet = drawing_proving.sheet_of(make())
    printed = listed(own_dimensions(sheet))
    assert printed
    dxf, pdf = tmp_path / "sheet.dxf", tmp_path / "sheet.pdf"
    dxf.write_text(dxf_of(sheet), encoding="utf-8")
    pdf.write_bytes(pdf_of(sheet))
    found = ruler.read_dxf(dxf)
    for reading in (found, ruler.read_pdf_text(pdf)):
        assert listed(item.dimension for item in reading.dimensions) == printed
        assert reading.remarks == []
    geometry = [item for item in found.dimensions if item.measured is not None]
    assert geometry
    for item in geometry:
        assert item.measured == pytest.approx(item.dimension.value, abs=0.006)
