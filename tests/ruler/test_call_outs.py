"""What the text of a dimension says, in the notations of several offices, and fits of ISO 286."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.ruler.sheet_reading.call_outs import read
from gaugeblock.ruler.sheet_reading.fits import fit_deviations


def said(text):
    return [(s.type, s.value, s.count, s.lower, s.upper) for s in read(text).sizes]


def plain(kind, value, count=1):
    return (kind, value, count, None, None)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("40", [plain("length", 40)]),
        ("12,5", [plain("length", 12.5)]),
        (".75", [plain("length", 0.75)]),
        ("10 mm", [plain("length", 10)]),
        ("Ø8", [plain("diameter", 8)]),
        ("DIA 8", [plain("diameter", 8)]),
        ("SR10", [plain("radius", 10)]),
        ("4x ⌀8 ↧16", [plain("diameter", 8, 4), plain("length", 16, 4)]),
        ("4X Ø8,5 x 16 DEEP", [plain("diameter", 8.5, 4), plain("length", 16, 4)]),
        ("4-Ø6", [plain("diameter", 6, 4)]),
        ("2x45°", [plain("length", 2), plain("angle", 45)]),
        ("2 x 45°", [plain("length", 2), plain("angle", 45)]),
        ("2x 45°", [plain("angle", 45, 2)]),
        ("2× 4", [plain("length", 4, 2)]),
        ("3× 20 (= 60)", [plain("length", 20, 3), plain("length", 60)]),
        ("M8x1.25", [plain("diameter", 8)]),
        ("4x M8x1.25-6H ↧ 16", [plain("diameter", 8, 4), plain("length", 16, 4)]),
        ("M8x1.25 2 starts LH – 6H", [plain("diameter", 8)]),
        ("⌵ ⌀16 × 90°", [plain("diameter", 16), plain("angle", 90)]),
        (
            "Ø6.6 THRU C'BORE Ø11 x 6 DEEP",
            [plain("diameter", 6.6), plain("diameter", 11), plain("length", 6)],
        ),
        ("45°30'", [plain("angle", 45.5)]),
        ("20 H7", [("length", 20, 1, 0.0, 0.021)]),
        ("⌀20 g6", [("diameter", 20, 1, -0.020, -0.007)]),
        ("40 ±0,05", [("length", 40, 1, -0.05, 0.05)]),
        ("40 +0.2/-0.1", [("length", 40, 1, -0.1, 0.2)]),
        ("40 -0.1 +0.2", [("length", 40, 1, -0.1, 0.2)]),
        ("40 0/−0.1", [("length", 40, 1, -0.1, 0.0)]),
        ("⌀20 h6 (0/-0.013)", [("diameter", 20, 1, -0.013, 0.0)]),
        ("90° ±0.5°", [("angle", 90, 1, -0.5, 0.5)]),
        ("Unmarked fillets R2", [plain("radius", 2)]),
    ],
)
def test_sizes(text, sizes):
    assert said(text) == sizes
    assert read(text).rest == ""


@pytest.mark.parametrize(
    "text",
    [
        "A3",
        "1:2",
        "1/1",
        "ISO 2768-m",
        "GB-101",
        "SCALE 1:2",
        "2024-05-03",
        "03.05.2024",
        "t=3",
        "Tr20x4",
        "ALL FILLETS R3",
        "-5",
    ],
)
def test_what_is_no_size_leaves_a_rest(text):
    found = read(text)
    assert found.rest or not found.sizes


@pytest.mark.parametrize("text", ["1,250", "20 x 30", "2 x 45"])
def test_two_meanings_are_no_size(text):
    assert read(text).sizes == []
    assert read(text).rest


def test_unknown_fits_are_told_and_leave_no_limits():
    found = read("⌀20 z6")
    assert said("⌀20 z6") == [plain("diameter", 20)]
    assert found.remarks == ["the deviations of 20 z6 are not known here"]


@pytest.mark.parametrize(
    ("code", "size", "zone"),
    [  # as tables of ISO 286-2 have them, µm
        ("H7", 20, (0, 21)),
        ("H7", 18, (0, 18)),  # the upper end of a range belongs to it
        ("H11", 20, (0, 130)),
        ("H13", 1.3, (0, 140)),
        ("G7", 20, (7, 28)),
        ("F8", 20, (20, 53)),
        ("D10", 20, (65, 149)),
        ("JS9", 8, (-18, 18)),
        ("K7", 20, (-15, 6)),
        ("M7", 20, (-21, 0)),
        ("N7", 20, (-28, -7)),
        ("P7", 20, (-35, -14)),
        ("N9", 8, (-36, 0)),
        ("P9", 8, (-51, -15)),
        ("f7", 20, (-41, -20)),
        ("h6", 20, (-13, 0)),
        ("h13", 20, (-330, 0)),
        ("j6", 20, (-4, 9)),
        ("js6", 20, (-6.5, 6.5)),
        ("k6", 20, (2, 15)),
        ("p6", 20, (22, 35)),
        ("s6", 60, (53, 72)),
    ],
)
def test_fits(code, size, zone):
    assert fit_deviations(code, size) == pytest.approx([z / 1000 for z in zone], abs=1e-9)


@pytest.mark.parametrize(
    ("code", "size"), [("z6", 20), ("H7", 501), ("K7", 2), ("M6", 300), ("H", 20), ("H77", 20)]
)
def test_fits_that_are_not_known(code, size):
    assert fit_deviations(code, size) is None


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_fault(text):
    for size in read(text).sizes:
        assert 0 < size.value <= 1e6 and 1 <= size.count <= 10_000


@given(
    value=st.integers(1, 9999).map(lambda n: n / 10),
    count=st.integers(2, 99),
    sign=st.sampled_from(["⌀", "R"]),
)
def test_spelling_does_not_matter(value, count, sign):
    same = f"{count}× {sign}{value:g}"
    for other in (f"{count}x{sign}{value:g}", f"{count} X {sign} {value:g}"):
        assert said(other) == said(same)
    assert said(f"{sign}{value:.1f}".replace(".", ",")) == said(f"{sign}{value:g}")
