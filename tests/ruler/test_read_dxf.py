"""Dimensions out of DXF files: our own sheets, and drawings of other offices, by known sizes."""

import math

import ezdxf
import made_drawings as made
import pytest

from gaugeblock.ruler.sheet_reading.dxf_texts import of_line, of_paragraph
from gaugeblock.ruler.sheet_reading.own_drawing import check_own_drawing, match_reading


@pytest.fixture
def read(ruler, tmp_path):
    def reading(doc, suffix=".dxf"):
        path = tmp_path / f"drawing{suffix}"
        path.write_bytes(doc if isinstance(doc, bytes) else made.dxf_bytes(doc))
        return ruler.read_dxf(path) if suffix == ".dxf" else ruler.read_pdf_text(path)

    return reading


def sizes(reading):
    assert reading.verdict == "measured", reading.reason
    found = [item.dimension for item in reading.dimensions]
    return [(d.type, d.value, d.count, d.lower, d.upper) for d in found]


def test_every_kind_of_dimension(read):
    doc = made.new()
    made.mechanical(doc)
    found = read(doc)
    assert sizes(found) == made.MECHANICAL
    assert found.unit == "mm" and found.remarks == []
    for item, (_, value, *_rest) in zip(found.dimensions, made.MECHANICAL, strict=True):
        assert item.source == "dimension"
        assert item.measured == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("factor", [0.1, 1.0, 2.5, 10.0])
def test_the_scale_of_a_view_is_taken_in(factor, read):
    doc = made.new()
    made.linear(doc, 10.0 / factor, dimlfac=factor, dimdec=3, dimzin=8)
    assert sizes(read(doc)) == [("length", 10.0, 1, None, None)]


def test_a_negative_factor_is_for_layouts_alone(read):
    doc = made.new()
    made.linear(doc, 10.0, dimlfac=-5.0)
    assert sizes(read(doc)) == [("length", 10.0, 1, None, None)]


def test_a_text_that_lies_is_told_and_the_geometry_kept(read):
    doc = made.new()
    made.linear(doc, 40.0, "50")
    made.linear(doc, 40.0, "40", at=50)
    found = read(doc)
    assert [(i.dimension.value, i.measured) for i in found.dimensions] == [(50, 40), (40, 40)]
    (remark,) = found.remarks
    assert "prints 50, measures 40; its text is written over" in remark


def test_call_outs_and_what_is_none(read):
    doc = made.new()
    made.notes(doc)
    found = read(doc)
    assert [
        (i.dimension.label, i.dimension.type, i.dimension.value, i.source) for i in found.dimensions
    ] == [
        ("4x ⌀8 ↧16", "diameter", 8, "leader"),
        ("4x ⌀8 ↧16", "length", 16, "leader"),
        ("M8x1.25", "diameter", 8, "leader"),
        ("2x45°", "length", 2, "text"),
        ("2x45°", "angle", 45, "text"),
    ]
    assert found.dimensions[0].dimension.count == 4
    reasons = {left.text: left.reason for left in found.left_out}
    assert reasons["17"] == "a bare number: nothing says what it measures"
    assert reasons["R5"] == reasons["⌀12"] == "in a cell of a table or of the title block"
    assert reasons["2024-05-03"] == "a date"
    assert set(reasons) == {"17", "R5", "1:2", "⌀12", "2024-05-03"}
    assert all(left.at is not None for left in found.left_out)


def test_left_out_dimensions_say_why(read):
    doc = made.new()
    made.linear(doc, 40.0, "(<>)")
    made.linear(doc, 40.0, " ", at=20)
    made.linear(doc, 40.0, "<> SEE NOTE", at=40)
    found = read(doc)
    assert sizes(found) == [("length", 40.0, 1, None, None)]
    reasons = [left.reason for left in found.left_out]
    assert "auxiliary" in reasons[0] and "suppressed" in reasons[1]
    assert "not understood" in found.remarks[0]


def test_layers_that_are_off_are_not_read_and_told(read):
    doc = made.new()
    doc.layers.add("OLD").off()
    made.linear(doc, 40.0).dxf.layer = "OLD"
    made.linear(doc, 30.0, at=20)
    found = read(doc)
    assert sizes(found) == [("length", 30.0, 1, None, None)]
    assert found.remarks == ["layer OLD is off: 1 texts and dimensions on it are not read"]


def test_dimensions_in_blocks_are_read_once(read):
    doc = made.new()
    block = doc.blocks.new("VIEW")
    block.add_linear_dim(base=(0, 5), p1=(0, 0), p2=(25, 0), dimstyle="Standard").render()
    for x in (0, 100):
        doc.modelspace().add_blockref("VIEW", (x, 0))
    doc.blocks.new("UNUSED").add_linear_dim(
        base=(0, 5), p1=(0, 0), p2=(77, 0), dimstyle="Standard"
    ).render()
    found = read(doc)
    assert sizes(found) == [("length", 25.0, 1, None, None)]
    assert found.remarks == ["block VIEW stands 2 times, its dimensions are read once"]


def test_a_radius_may_print_its_diameter_and_a_length_no_radius(read):
    doc = made.new()
    radius = doc.modelspace().add_radius_dim(
        center=(0, 0), radius=5, angle=0, text="%%c10", dimstyle="Standard"
    )
    radius.render()
    made.linear(doc, 5.0, "R5", at=50)
    found = read(doc)
    assert [(i.dimension.type, i.measured) for i in found.dimensions] == [
        ("diameter", 10.0),
        ("radius", None),
    ]
    assert "a linear dimension that prints a radius" in found.remarks[0]


def test_inches_are_told(read):
    doc = made.new(insunits=1)
    made.linear(doc, 4.0)
    assert read(doc).unit == "inch"


def test_texts_lose_their_commands():
    assert of_paragraph(r"\A1;40{\H0.7x;\S+0.2^-0.1;}") == "40 +0.2/-0.1"
    assert of_paragraph(r"{\fArial|b0;4x} %%c8\P\U+21A716") == "4x ⌀8 ↧16"
    assert of_line("90%%d %%p0.5") == "90° ±0.5"


def test_an_own_drawing_counts_by_its_geometry(ruler, read):
    doc = made.new()
    made.mechanical(doc)
    content = made.dxf_bytes(doc)
    wanted = [item.dimension for item in read(doc).dimensions]
    good = check_own_drawing(ruler, content, wanted)
    assert good.state == "scored" and good.match.match == 1.0 and good.match.uncounted == []
    for entity in doc.modelspace().query("DIMENSION"):
        if entity.dxf.text == "" and entity.dimtype == 0:
            entity.dxf.defpoint3 = entity.dxf.defpoint3 + ezdxf.math.Vec3(7, 0)
            entity.dxf.text = "100"
            break
    lying = check_own_drawing(ruler, made.dxf_bytes(doc), wanted)
    assert lying.match.found == len(wanted) - 1
    assert [u.reason for u in lying.match.uncounted] == ["prints 100, measures 114"]


def test_an_own_drawing_of_text_alone_finds_nothing(ruler, read):
    doc = made.new()
    made.notes(doc)
    wanted = [item.dimension for item in read(doc).dimensions]
    found = match_reading(read(doc), wanted)
    assert found.found == 0 and found.asked == len(wanted)
    assert all("text alone" in u.reason for u in found.uncounted[-len(wanted) :])


@pytest.mark.parametrize(("scales", "value"), [((2.0,), 16.0), ((2.0, 5.0), None)])
def test_a_note_measures_the_circle_at_its_arrow(scales, value, read):
    doc = made.new()
    space = doc.modelspace()
    for number, factor in enumerate(scales):
        made.linear(doc, 10.0, at=-20.0 * number, dimlfac=factor)
    for radius in (4.0, 7.0):
        space.add_circle((50, 50), radius)
    note = space.add_mtext("4x %%c16", dxfattribs={"insert": (70, 70), "char_height": 3})
    tip = (50 + 4 * math.cos(1), 50 + 4 * math.sin(1))
    arrow = {"annotation_type": 0, "annotation_handle": note.dxf.handle}
    space.add_leader([tip, (70, 70)], dxfattribs=arrow)
    found = read(doc)
    assert found.remarks == []
    (item,) = [item for item in found.dimensions if item.source == "leader"]
    assert (item.dimension.value, item.dimension.count, item.measured) == (16, 4, value)


def test_an_own_drawing_that_is_none_is_not_measured(ruler):
    found = check_own_drawing(ruler, b"no drawing", [])
    assert found.state == "could-not-measure" and "not a DXF" in found.reason


def test_a_turned_drawing_has_the_same_sizes(read):
    doc = made.new()
    turn = math.radians(33)
    doc.modelspace().add_linear_dim(
        base=(0, 10),
        p1=(0, 0),
        p2=(40 * math.cos(turn), 40 * math.sin(turn)),
        angle=33,
        dimstyle="Standard",
    ).render()
    assert sizes(read(doc)) == [("length", 40.0, 1, None, None)]
