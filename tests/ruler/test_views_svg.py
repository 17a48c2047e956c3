"""The SVG of a projection: mm, true circles, layers, names that cannot act."""

import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder, BRepPrimAPI_MakeSphere
from ruler_shapes import box, cut, cylinder
from views_shapes import projection

from gaugeblock.ruler.views.svg import PAPER, WIDE, _Pen, standard_scale, svg

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert('1')</script>\" onload=\"x\x07&\u202e"


def drawn(*solids, of="front", names=(), title="part"):
    sheet = svg(projection(*solids, of=of), title, list(names))
    return sheet, ET.fromstring(sheet.text)


def groups(root):
    return {group.get("id"): group for group in root.findall(f"{SVG}g")}


def test_size_and_view_box_are_mm():
    sheet, root = drawn(box(30, 20, 10))
    assert sheet.scale == 5.0
    x, y, width, height = map(float, root.get("viewBox").split())
    # 5 mm of paper around 30 × 10 mm at 5:1; y runs downwards.
    assert np.allclose((x, y, width, height), (-1, -11, 32, 12))
    assert root.get("width") == "160mm" and root.get("height") == "60mm"
    assert float(groups(root)["sharp"].get("stroke-width")) == WIDE / 5


def test_a_box_is_four_lines():
    _, root = drawn(box(30, 20, 10))
    assert list(groups(root)) == ["sharp"]
    (path,) = root.iter(f"{SVG}path")
    assert path.get("d").count("M") == path.get("d").count("L") == 4
    numbers = set(map(float, re.findall(r"-?\d+(?:\.\d+)?", path.get("d"))))
    assert numbers == {0.0, 30.0, -10.0}


def test_a_circle_is_a_circle():
    _, root = drawn(cylinder(5, 12, (3, 4, 0)), of="top")
    (circle,) = root.iter(f"{SVG}circle")
    assert [float(circle.get(key)) for key in ("cx", "cy", "r")] == [3, -4, 5]
    assert not list(root.iter(f"{SVG}path"))


def test_hidden_lines_are_a_dashed_layer_below():
    part = cut(box(60, 40, 8), cylinder(4, 10, (12, 10, -1)))
    _, root = drawn(part)
    layers = groups(root)
    assert list(layers) == ["hidden-outline", "sharp"]
    assert layers["hidden-outline"].get("stroke-dasharray")
    assert layers["sharp"].get("stroke-dasharray") is None
    wide, narrow = (float(layers[name].get("stroke-width")) for name in ("sharp", "hidden-outline"))
    assert math.isclose(wide, 2 * narrow)


def centre_and_middle(d):
    """Centre and middle of an SVG arc, by the specification's own formula (SVG 1.1, F.6.5)."""
    m = re.fullmatch(r"M(\S+) (\S+)A(\S+) (\S+) (\S+) (\d) (\d) (\S+) (\S+)", d)
    x1, y1, rx, ry, phi, large, sweep, x2, y2 = map(float, m.groups())
    c, s = math.cos(math.radians(phi)), math.sin(math.radians(phi))
    dx, dy = (x1 - x2) / 2, (y1 - y2) / 2
    xp, yp = c * dx + s * dy, -s * dx + c * dy
    root = max(0.0, rx**2 * ry**2 - rx**2 * yp**2 - ry**2 * xp**2)
    k = math.sqrt(root / (rx**2 * yp**2 + ry**2 * xp**2)) * (-1 if large == sweep else 1)
    cxp, cyp = k * rx * yp / ry, -k * ry * xp / rx
    centre = (c * cxp - s * cyp + (x1 + x2) / 2, s * cxp + c * cyp + (y1 + y2) / 2)
    a1 = math.atan2((yp - cyp) / ry, (xp - cxp) / rx)
    a2 = math.atan2((-yp - cyp) / ry, (-xp - cxp) / rx)
    turn = a2 - a1
    if sweep and turn < 0:
        turn += 2 * math.pi
    if not sweep and turn > 0:
        turn -= 2 * math.pi
    middle = a1 + turn / 2
    px, py = rx * math.cos(middle), ry * math.sin(middle)
    return centre, (c * px - s * py + centre[0], s * px + c * py + centre[1])


def test_arcs_run_the_right_way_round():
    # Three quarters of a cylinder: arcs of more and of less than half a turn, both ways round.
    part = BRepPrimAPI_MakeCylinder(5.0, 2.0, 1.5 * math.pi).Shape()
    checked = 0
    for of in ("top", "bottom", "iso"):
        for curve in projection(part, of=of).drawn():
            shape = curve.shape
            if shape.kind not in ("arc", "ellipse") or shape.whole:
                continue
            centre, middle = centre_and_middle(_Pen(9).path(shape))
            assert np.allclose(centre, (shape.centre[0], -shape.centre[1]), atol=1e-6)
            true = shape.at(np.array([0.5]))[0]
            assert np.allclose(middle, (true[0], -true[1]), atol=1e-5)
            checked += 1
    assert checked >= 4


def test_solids_keep_their_names_and_they_cannot_act():
    sheet, root = drawn(box(1, 1, 1), box(1, 1, 1, (3, 0, 0)), names=[EVIL, None], title=EVIL)
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[0].startswith("<script>alert('1')</script>\" onload=\"x&")
    assert titles[1:] == [titles[0], "solid 1"]
    assert "<script" not in sheet.text
    assert not re.search(r"[\x00-\x08\u202e]", sheet.text)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in ids)
    assert len(ids) == len(set(ids))


@given(st.text(max_size=60))
def test_any_name_gives_a_sound_file(name):
    _, root = drawn(BOX, names=[name], title=name)
    assert len(list(root.iter(f"{SVG}title"))) == 2


BOX = box(1, 2, 3)


@given(st.floats(1e-4, 1e6))
def test_scales_are_standard_and_fit(longest):
    scale = standard_scale(longest)
    assert longest * scale <= PAPER * 1.001
    assert longest * scale > PAPER / 2.51, "the next one up would not fit"
    digits = f"{scale:.12e}"[0]
    assert digits in "125"
    power = math.log10(scale / int(digits))
    assert math.isclose(power, round(power), abs_tol=1e-9)


@pytest.mark.parametrize("size", [0.01, 5000.0])
def test_lines_have_their_width_on_paper_at_any_size(size):
    sheet, root = drawn(BRepPrimAPI_MakeSphere(size).Shape())
    widths = [float(group.get("stroke-width")) for group in groups(root).values()]
    assert np.allclose(np.array(widths) * sheet.scale, WIDE, rtol=1e-3)
