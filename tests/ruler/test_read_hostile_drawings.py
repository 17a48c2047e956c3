"""Drawing files that mean ill or are broken: a verdict comes back, and the next file is read."""

import zlib

import made_drawings as made
import pytest

HEAD = "0\nSECTION\n2\nENTITIES\n"
TAIL = "0\nENDSEC\n0\nEOF\n"


def small():
    doc = made.new()
    made.linear(doc, 40.0)
    return made.dxf_bytes(doc)


def damaged():
    """One coordinate that is no number any more; a reader that mends would take 4 for 40."""
    content = small()
    at = content.index(b"AcDbRotatedDimension") - 200
    return content[:at] + content[at:].replace(b"40.0\n", b"4x.0\n", 1)


def bomb(levels=12, each=10):
    """Blocks within blocks: 10¹² dimensions if somebody explodes them."""
    doc = made.new()
    block = doc.blocks.new("B0")
    block.add_linear_dim(base=(0, 5), p1=(0, 0), p2=(25, 0), dimstyle="Standard").render()
    for level in range(1, levels + 1):
        block = doc.blocks.new(f"B{level}")
        for n in range(each):
            block.add_blockref(f"B{level - 1}", (n, 0))
    doc.modelspace().add_blockref(f"B{levels}", (0, 0))
    return made.dxf_bytes(doc)


def ring():
    """Two blocks that stand in each other."""
    doc = made.new()
    a, b = doc.blocks.new("A"), doc.blocks.new("B")
    a.add_blockref("B", (0, 0))
    b.add_blockref("A", (0, 0))
    a.add_linear_dim(base=(0, 5), p1=(0, 0), p2=(25, 0), dimstyle="Standard").render()
    doc.modelspace().add_blockref("A", (0, 0))
    return made.dxf_bytes(doc)


def million():
    line = "0\nLINE\n8\n0\n10\n0.0\n20\n0.0\n11\n1.0\n21\n1.0\n"
    return (HEAD + line * 1_000_000 + TAIL).encode()


REFUSED = {
    "truncated": (small()[:-500], "truncated", "cut off"),
    "no drawing": (b"hello, world\n" * 100, "not-dxf", "not a DXF"),
    "a damaged number": (damaged(), "damaged", "1 damaged numbers"),
    "a DWG": (b"AC1027" + bytes(200), "not-dxf", "DWG"),
    "binary": (b"AutoCAD Binary DXF\r\n\x1a\x00" + bytes(100), "binary", "ASCII"),
    "a million lines": (million(), "too-large", "at most"),
    "nonsense between head and end": ((HEAD + "x\ny\n" * 50 + TAIL).encode(), None, None),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_dxf(name, ruler, tmp_path):
    content, code, words = REFUSED[name]
    path = tmp_path / "bad.dxf"
    path.write_bytes(content)
    found = ruler.read_dxf(path, wall_s=60)
    assert found.dimensions == []
    if code is not None:
        assert (found.verdict, found.code) == ("could-not-measure", code)
        assert words in found.reason
    still_well(ruler, tmp_path)


def still_well(ruler, folder):
    path = folder / "good.dxf"
    path.write_bytes(small())
    assert [item.dimension.value for item in ruler.read_dxf(path).dimensions] == [40]


def test_blocks_within_blocks_do_not_multiply(ruler, tmp_path):
    path = tmp_path / "bomb.dxf"
    path.write_bytes(bomb())
    found = ruler.read_dxf(path, wall_s=60)
    assert [item.dimension.value for item in found.dimensions] == [25]
    assert "B0 stands 10 times" in found.remarks[0]


def test_blocks_in_a_ring_end(ruler, tmp_path):
    path = tmp_path / "ring.dxf"
    path.write_bytes(ring())
    found = ruler.read_dxf(path, wall_s=60)
    assert [item.dimension.value for item in found.dimensions] == [25]


def test_faulty_values_leave_the_others(ruler, tmp_path):
    doc = made.new()
    made.linear(doc, 40.0, "1" * 5000)
    made.linear(doc, 40.0, "\\S^;{\\H", at=20)
    made.linear(doc, 1e300, at=40)
    made.linear(doc, 30.0, at=60)
    path = tmp_path / "odd.dxf"
    path.write_bytes(made.dxf_bytes(doc))
    found = ruler.read_dxf(path)
    assert [item.dimension.value for item in found.dimensions] == [30]
    assert len(found.left_out) == 3


def looped_pdf():
    """A page tree whose page names the tree as its kid, and a form that paints itself."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 5 0 R"
        b"/Resources<</XObject<</F 4 0 R>>>>>>",
        b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>"
        b"/Length 5>>stream\n/F Do\nendstream",
        b"<</Length 5>>stream\n/F Do\nendstream",
    ]
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % p for p in places)
    return out + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start


def encrypted_pdf():
    from reportlab.lib.pdfencrypt import StandardEncryption

    page = made.PdfSheet(encrypt=StandardEncryption("secret", strength=128))
    page.text(20, 20, "R5")
    return page.bytes()


def spoilt_pdf():
    """One byte wrong within the packed page: a reader that bears it would see half of the sheet."""
    content = bytearray(pages(1))
    at = content.index(b"stream\n") + 40
    content[at] = ord("!") if content[at] != ord("!") else ord("#")
    return bytes(content)


def bomb_pdf():
    packed = zlib.compress(bytes(600 * 1024 * 1024), 9)
    head = b"\n99 0 obj<</Length %d/Filter/FlateDecode>>stream\n" % len(packed)
    return pages(1) + head + packed + b"\nendstream endobj\n"


def pages(count):
    page = made.PdfSheet()
    for _ in range(count):
        page.text(20, 20, "R5")
        page.canvas.showPage()
    page.text(20, 20, "R5")
    return page.bytes()


def crowded_pdf():
    page = made.PdfSheet()
    page.canvas._code += ["0 0 m 1 1 l S"] * 150_000
    page.text(20, 20, "R5")
    return page.bytes()


BAD_PDF = {
    "cut off": (lambda: pages(1)[:300], None, ""),
    "no PDF": (lambda: b"hello", "not-pdf", "not a PDF"),
    "a damaged stream": (spoilt_pdf, "damaged", "is damaged"),
    "a bomb": (bomb_pdf, "too-large", "unpack to more than"),
    "encrypted": (encrypted_pdf, "encrypted", "password"),
    "a loop": (looped_pdf, None, ""),
    "many pages": (lambda: pages(30), "too-large", "31 pages"),
    "no text": (lambda: made.PdfSheet().bytes(), "no-text", "no text"),
    "crowded": (crowded_pdf, "too-large", "more than"),
}


@pytest.mark.parametrize("name", BAD_PDF)
def test_bad_pdf(name, ruler, tmp_path):
    make, code, words = BAD_PDF[name]
    path = tmp_path / "bad.pdf"
    path.write_bytes(make())
    found = ruler.read_pdf_text(path, wall_s=60)
    assert found.verdict == "could-not-measure" and found.dimensions == []
    if code is not None:
        assert found.code == code
        assert words in found.reason
    good = tmp_path / "good.pdf"
    good.write_bytes(pages(1))
    assert [item.dimension.value for item in ruler.read_pdf_text(good).dimensions] == [5, 5]


def test_an_empty_file_and_none(ruler, tmp_path):
    (tmp_path / "e.dxf").write_bytes(b"")
    assert ruler.read_dxf(tmp_path / "e.dxf").code == "empty"
    assert ruler.read_pdf_text(tmp_path).code == "not-a-file"
    with pytest.raises(FileNotFoundError):
        ruler.read_dxf(tmp_path / "none.dxf")
