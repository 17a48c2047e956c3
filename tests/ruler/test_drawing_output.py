"""SVG, PDF and PNG of a sheet: exact sizes, the right ink in the right place, harmless text."""

import base64
import math
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zlib
from io import BytesIO

import numpy as np
import pytest
from drawing_sheets import EVIL, everything, line, plate, sheet
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gaugeblock.ruler.drawing.ink import text_box
from gaugeblock.ruler.drawing.lettering import width as promised
from gaugeblock.ruler.drawing.output.curves import beziers, flat, length
from gaugeblock.ruler.drawing.output.expanding import Drawn, Lettered, expand, lettered
from gaugeblock.ruler.drawing.output.glyphs import FONT, glyph, set_line
from gaugeblock.ruler.drawing.output.glyphs import flat as flat_stroke
from gaugeblock.ruler.drawing.output.hatching import hatch_lines
from gaugeblock.ruler.drawing.output.pdf import POINTS, pdf_of
from gaugeblock.ruler.drawing.output.pens import PENS, fitted_pattern
from gaugeblock.ruler.drawing.output.png import dashes, png_of
from gaugeblock.ruler.drawing.output.svg import svg_of
from gaugeblock.ruler.drawing.sheet import Hatch, Label, Stroke
from gaugeblock.ruler.views.shapes import TURN, Arc, EllipseArc, Line

SVG = "{http://www.w3.org/2000/svg}"


def strings(drawn):
    """All texts of a sheet."""
    return sorted(
        [dim.text for dim in drawn.dims]
        + [label.text for label in drawn.labels]
        + [cell for table in drawn.tables for row in table.rows for cell in row]
    )


# Pens


@given(st.sampled_from(["hidden", "centre"]), st.floats(1.0, 400.0), st.booleans())
def test_dashes_end_with_the_line(layer, long, closed):
    pattern = fitted_pattern(PENS[layer], long, closed)
    if not pattern:
        assert layer == "centre" or long < 2.0
        return
    found = list(dashes(np.array([[0.0, 0.0], [long, 0.0]]), pattern))
    assert found[0][0, 0] == 0.0 and len(found) >= 2
    end = found[-1][-1, 0]
    if closed:
        assert end == pytest.approx(long - pattern[-1], abs=1e-6 * long)
    else:
        assert end == pytest.approx(long, abs=1e-6 * long)
        assert found[-1][-1, 0] - found[-1][0, 0] == pytest.approx(pattern[0], rel=1e-6)


def test_long_lines_keep_the_widths_of_the_standard():
    dash, gap = fitted_pattern(PENS["hidden"], 300.0, False)
    assert dash == pytest.approx(12 * 0.25, rel=0.02) and gap == pytest.approx(3 * 0.25, rel=0.02)
    chain = fitted_pattern(PENS["centre"], 300.0, False)
    assert chain == pytest.approx((6.0, 0.75, 0.125, 0.75), rel=0.03)
    assert fitted_pattern(PENS["visible"], 300.0, False) == ()


# Curves


@pytest.mark.parametrize("sweep", [0.3, -2.0, math.pi, TURN, -TURN])
def test_beziers_are_as_good_as_the_circle(sweep):
    arc = Arc(centre=(3.0, -2.0), radius=40.0, start=0.7, sweep=sweep)
    control = np.array(beziers(arc))
    assert len(control) % 3 == 1
    t = np.linspace(0, 1, 33)[:, None]
    for n in range(0, len(control) - 1, 3):
        a, b, c, d = control[n : n + 4]
        p = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
        assert np.abs(np.hypot(*(p - arc.centre).T) - 40.0).max() < 40.0 * 5e-6
    ends = arc.at(np.array([0.0, 1.0]))
    assert control[[0, -1]] == pytest.approx(ends, abs=1e-9)


def test_chords_stay_as_close_as_asked():
    for shape in (
        Arc(centre=(0, 0), radius=50.0, start=0.0, sweep=4.0),
        EllipseArc(centre=(0, 0), major=(30.0, 10.0), ratio=0.3, start=0.1, sweep=5.0),
    ):
        points = flat(shape, 0.01)
        fine = shape.at(np.linspace(0, 1, 200_000))
        middles = 0.5 * (points[:-1] + points[1:])
        off = [np.hypot(*(fine - middle).T).min() for middle in middles]
        assert max(off) <= 0.01 * 1.01
    assert length(Arc(centre=(0, 0), radius=2.0, start=0, sweep=-3.0)) == 6.0


# Letters


def test_every_sign_of_a_drawing_has_a_shape_of_its_own():
    signs = "⌀×°±↧⌴⌵∠µ–−…□0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,/()"
    box = glyph("\U00010348")
    shapes = [glyph(sign) for sign in signs]
    assert box not in shapes and all(shape.contours for shape in shapes)
    assert len({repr(shape) for shape in shapes}) == len(signs)
    for figure in "0123456789":
        points = np.concatenate([flat_stroke(contour) for contour in glyph(figure).contours])
        assert points[:, 1].min() == pytest.approx(0.0, abs=0.03)
        assert points[:, 1].max() == pytest.approx(1.0, abs=0.03)


def test_the_font_comes_with_its_licence():
    assert "SIL OPEN FONT LICENSE" in (FONT.parent / "OFL.txt").read_text(encoding="utf-8")


@given(st.text(max_size=30))
def test_text_is_never_wider_than_the_composer_was_promised(text):
    assert set_line(text).width <= promised(text, 1.0) * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("angle", [0.0, 0.5 * math.pi, 1.0])
@pytest.mark.parametrize("anchor", ["left", "middle", "right"])
@pytest.mark.parametrize("baseline", ["bottom", "middle", "top"])
def test_letters_stand_at_their_anchor(angle, anchor, baseline):
    item = lettered(
        Label(at=(50, 60), text="H8H", height=5, angle=angle, anchor=anchor, baseline=baseline)
    )
    x = {"left": 0.0, "middle": 0.5, "right": 1.0}[anchor] * item.width / 5 / item.set.squeeze
    y = {"bottom": 0.0, "middle": 0.5, "top": 1.0}[baseline]
    assert item.place(x, y) == pytest.approx((50, 60), abs=1e-9)


def test_a_dimension_is_written_in_the_box_that_was_kept_for_it():
    for dim in everything().dims:
        box = text_box(dim.text, dim.text_at, dim.height, dim.text_angle)
        found = expand(sheet([], [dim]))["dimension"]
        (text,) = [item for item in found if isinstance(item, Lettered)]
        middle = text.place(0.5 * text.width / text.height / text.set.squeeze, 0.5)
        assert middle == pytest.approx(box.at, abs=1e-9) and text.width <= box.width + 1e-9


# Hatches


def test_hatch_lines_cover_a_ring_and_nothing_else():
    loops = tuple((Arc(centre=(5.0, -3.0), radius=r, start=0.0, sweep=TURN),) for r in (20, 8))
    for angle, spacing in ((0.25 * math.pi, 0.2), (-0.3, 0.1), (0.5 * math.pi, 0.25)):
        found = hatch_lines(Hatch(loops=loops, angle=angle, spacing=spacing))
        area = sum(math.dist(piece.start, piece.end) for piece in found) * spacing
        assert area == pytest.approx(math.pi * (20**2 - 8**2), rel=0.005)
        ends = np.array([p for piece in found for p in (piece.start, piece.end)])
        radii = np.hypot(*(ends - (5.0, -3.0)).T)
        assert np.minimum(abs(radii - 20), abs(radii - 8)).max() < 0.011
        way = np.array([math.cos(angle), math.sin(angle)])
        for piece in found:
            step = np.subtract(piece.end, piece.start)
            assert step @ way == pytest.approx(np.hypot(*step), rel=1e-9)


def test_a_loop_may_run_in_any_sense_and_order_of_ends():
    corners = [(0, 0), (10, 0), (10, 10), (0, 10)]
    sides = [Line(start=a, end=b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    plain = hatch_lines(Hatch(loops=(tuple(sides),), spacing=1.0))
    sides[1] = Line(start=sides[1].end, end=sides[1].start)
    sides[0] = Line(start=sides[0].end, end=sides[0].start)
    assert hatch_lines(Hatch(loops=(tuple(sides),), spacing=1.0)) == plain != []


# SVG


def test_svg_is_in_mm_and_layered():
    drawn = everything()
    root = ET.fromstring(svg_of(drawn))
    assert (root.get("width"), root.get("height")) == ("297mm", "210mm")
    assert root.get("viewBox") == "0 0 297 210"
    layers = {g.get("id"): g for g in root.iter(f"{SVG}g") if g.get("class") == "layer"}
    assert set(layers) >= {"visible", "hidden", "centre", "hatch", "dimension", "tangent", "text"}
    assert layers["visible"].get("stroke-width") == "0.5"
    assert layers["hidden"].get("stroke-width") == "0.25"
    circles = layers["visible"].findall(f"{SVG}circle")
    assert [c.get("r") for c in circles] == ["3"] * 4
    assert all(e.get("stroke-dasharray") for e in layers["hidden"])
    assert not any(e.get("stroke-dasharray") for e in layers["visible"])
    assert len({e.get("id") for e in root.iter() if e.get("id")}) == sum(
        1 for e in root.iter() if e.get("id")
    )


def test_svg_holds_every_string_where_it_stands():
    drawn = everything()
    root = ET.fromstring(svg_of(drawn))
    texts = list(root.iter(f"{SVG}text"))
    assert sorted(text.text for text in texts) == strings(drawn)
    places = {
        item.text: item
        for items in expand(drawn).values()
        for item in items
        if isinstance(item, Lettered)
    }
    for text in texts:
        item = places[text.text]
        at = (float(text.get("x")), 210 - float(text.get("y")))
        assert at == pytest.approx(item.start, abs=1e-3)
        assert float(text.get("textLength")) == pytest.approx(item.width, abs=1e-3)
        turned = text.get("transform")
        assert (turned is not None) == (item.angle != 0)
        if turned:
            assert float(turned[7:].split()[0]) == pytest.approx(-math.degrees(item.angle))


def test_svg_uses_each_sign_that_it_defines():
    root = ET.fromstring(svg_of(everything()))
    shapes = {p.get("id") for d in root.iter(f"{SVG}defs") for p in d}
    used = {u.get("href")[1:] for u in root.iter(f"{SVG}use")}
    assert used == shapes and f"g{ord('⌀'):x}" in shapes


def test_hostile_text_stays_text():
    drawn = everything()
    told = drawn.model_copy(update={"title": drawn.title.model_copy(update={"name": EVIL})})
    root = ET.fromstring(svg_of(told))
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    harmless = "svg title desc rect g path line circle ellipse polygon text defs use"
    assert kinds <= set(harmless.split())
    assert EVIL in {text.text for text in root.iter(f"{SVG}text")}
    assert root.find(f"{SVG}title").text == EVIL


def test_an_arc_runs_the_right_way_round():
    arc = Arc(centre=(100, 100), radius=10.0, start=0.2, sweep=-1.5)
    root = ET.fromstring(svg_of(sheet([Stroke(layer="visible", shape=arc)])))
    data = root.find(f".//{SVG}g[@id='visible']/{SVG}path").get("d")
    x, y, rx, ry, _, large, sense, u, v = map(float, re.findall(r"-?[\d.]+", data))
    # From SVG's own rule: positive sense is clockwise on a page whose y runs downwards.
    start, end = arc.at(np.array([0.0, 1.0]))
    assert (x, 210 - y, u, 210 - v) == pytest.approx((*start, *end), abs=1e-3)
    assert (rx, ry, large, sense) == (10.0, 10.0, 0.0, 1.0)


# PDF


def pdf_streams(data: bytes) -> bytes:
    found = b""
    for body in re.findall(rb"stream\r?\n(.*?)endstream", data, re.S):
        text = body.strip()
        if text.endswith(b"~>"):
            text = base64.a85decode(text.removesuffix(b"~>"))
        try:
            found += zlib.decompress(text)
        except zlib.error:
            found += text
    return found


def test_pdf_is_vector_of_the_exact_size():
    data = pdf_of(everything())
    (box,) = re.findall(rb"/MediaBox \[ ([\d. ]+) \]", data)
    size = [float(n) for n in box.split()]
    assert size == pytest.approx([0, 0, 297 * POINTS, 210 * POINTS], abs=1e-3)
    assert b"/Subtype /Image" not in data
    content = pdf_streams(data)
    assert re.search(rb"[\d.] c\b", content) and re.search(rb"\b3 Tr\b", content)
    # ⌀ is no sign of the font, and still told to whoever copies it.
    assert re.search(rb"<2300>", content, re.I)


def test_pdf_text_can_be_searched():
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    run = subprocess.run(
        ["pdftotext", "-raw", "-", "-"], input=pdf_of(everything()), capture_output=True, check=True
    )
    told = " ".join(run.stdout.decode().split())
    for text in strings(everything()):
        assert text.replace(" ", "") in told.replace(" ", ""), text


# PNG


def pixels(drawn, dpi):
    image = Image.open(BytesIO(png_of(drawn, dpi)))
    assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.01)
    return 1.0 - np.asarray(image, dtype=float) / 255.0


@pytest.mark.parametrize("dpi", [100, 200, 400])
@pytest.mark.parametrize(("layer", "wide"), [("visible", 0.5), ("tangent", 0.25), ("frame", 0.7)])
def test_png_lines_are_as_wide_as_they_should_be(dpi, layer, wide):
    ink = pixels(sheet([line((50, 100.3), (150, 100.3), layer)]), dpi)
    assert ink.shape == (round(210 / 25.4 * dpi), round(297 / 25.4 * dpi))
    columns = ink[:, round(80 / 25.4 * dpi) : round(120 / 25.4 * dpi)]
    assert columns.sum(axis=0).mean() * 25.4 / dpi == pytest.approx(wide, rel=0.12)
    rows = np.arange(len(ink)) + 0.5
    centre = (columns.mean(axis=1) * rows).sum() / columns.mean(axis=1).sum()
    assert 210 - centre * 25.4 / dpi == pytest.approx(100.3, abs=0.1)


def test_png_dashes_cover_four_fifths():
    full = pixels(sheet([line((30, 100), (260, 100), "tangent")]), 200).sum()
    dashed = pixels(sheet([line((30, 100), (260, 100), "hidden")]), 200).sum()
    assert dashed / full == pytest.approx(12 / 15, abs=0.03)


def test_png_shows_all_that_is_expanded():
    drawn = everything()
    ink = pixels(drawn, 200)
    scale = 200 / 25.4
    for items in expand(drawn).values():
        for item in items:
            if isinstance(item, Drawn):
                x, y = flat(item.shape)[0]  # a dash starts every line
                column, row = int(x * scale), int((210 - y) * scale)
                around = ink[max(row - 2, 0) : row + 3, max(column - 2, 0) : column + 3]
                assert around.max() > 0.4, item


def test_png_refuses_what_no_memory_holds():
    for dpi in (10, 5000):
        with pytest.raises(ValueError, match="dpi"):
            png_of(plate(), dpi)


@pytest.mark.parametrize("write", [svg_of, pdf_of, png_of])
def test_the_same_sheet_gives_the_same_bytes(write):
    assert write(everything()) == write(everything())
