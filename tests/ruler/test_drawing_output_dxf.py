"""DXF of a sheet, opened again: dimensions measure what they print, layers say what lines are."""

import io
import math
import re
import subprocess
import sys

import ezdxf
import numpy as np
import pytest
from drawing_sheets import everything, height, line, lines, plate, sheet, view, width
from ezdxf import path
from test_drawing_output import strings

from gaugeblock.ruler.drawing.output.dxf import dxf_of
from gaugeblock.ruler.drawing.sheet import AngularDim, Leader, LinearDim
from gaugeblock.ruler.views.shapes import Arc


def opened(drawn):
    doc = ezdxf.read(io.StringIO(dxf_of(drawn)))
    audit = doc.audit()
    assert audit.errors == [] and audit.fixes == []
    return doc


def measured(entity):
    factor = entity.override().get("dimlfac") if entity.dimtype not in (2, 5) else 1.0
    return factor * entity.get_measurement()


@pytest.fixture(scope="module")
def doc():
    return opened(everything())


def test_dimensions_measure_the_part(doc):
    dims = [dim for dim in everything().dims if not isinstance(dim, Leader)]
    entities = list(doc.modelspace().query("DIMENSION"))
    assert len(entities) == len(dims) == 6
    for dim, entity in zip(dims, entities, strict=True):
        wanted = dim.measured if isinstance(dim, AngularDim) else dim.measured / 0.5
        assert measured(entity) == pytest.approx(wanted, abs=1e-9)
        assert entity.dxf.text == dim.text
    assert [round(measured(e), 6) for e in entities] == [160, 80, 120, 45, 20, 12]


@pytest.mark.parametrize("scale", [0.05, 0.5, 2.0, 10.0])
@pytest.mark.parametrize("angle", [0.0, 0.5 * math.pi, 0.7, -1.2])
def test_factor_and_direction(scale, angle):
    dim = LinearDim(
        view="front",
        text="",
        points=((60.3, 110.1), (140.7, 133.9)),
        line_at=(90, 80),
        angle=angle,
        text_at=(100, 82),
    )
    drawn = sheet(lines(), [dim], views=(view(scale=scale),))
    (entity,) = opened(drawn).modelspace().query("DIMENSION")
    assert measured(entity) == pytest.approx(dim.measured / scale, rel=1e-12, abs=1e-9)
    (a, b), (c, d) = dim.points
    way = (c - a) * math.cos(angle) + (d - b) * math.sin(angle)
    assert measured(entity) == pytest.approx(abs(way) / scale, rel=1e-9)


def test_a_dimension_shows_what_it_was_checked_to_show(doc):
    for entity in doc.modelspace().query("DIMENSION"):
        block = doc.blocks.get(entity.dxf.geometry)
        kinds = {e.dxftype() for e in block}
        assert {"TEXT", "SOLID"} <= kinds and kinds & {"LINE", "ARC"}
        assert [e.plain_text() for e in block.query("TEXT")] == [entity.dxf.text]


def test_notes_have_arrow_and_text(doc):
    (arrow,) = doc.modelspace().query("LEADER")
    (note,) = doc.modelspace().query("MTEXT")
    assert note.plain_text() == "4× ⌀12 H7"
    assert arrow.dxf.annotation_handle == note.dxf.handle
    (leader,) = [dim for dim in everything().dims if isinstance(dim, Leader)]
    assert [(v[0], v[1]) for v in arrow.vertices] == [pytest.approx(p) for p in leader.points]


def test_layers_have_the_widths_and_dashes_of_the_standard(doc):
    told = {
        name: (doc.layers.get(name).dxf.lineweight, doc.layers.get(name).dxf.linetype)
        for name in ("visible", "hidden", "centre", "hatch", "frame")
    }
    assert told == {
        "visible": (50, "Continuous"),
        "hidden": (25, "DASHED_ISO128"),
        "centre": (25, "CHAIN_ISO128"),
        "hatch": (25, "Continuous"),
        "frame": (70, "Continuous"),
    }
    dash, gap = doc.linetypes.get("DASHED_ISO128").simplified_line_pattern()
    assert (dash, gap) == pytest.approx((3.0, 0.75))


def test_the_sheet_is_in_mm(doc):
    assert doc.header["$INSUNITS"] == 4 and doc.header["$MEASUREMENT"] == 1
    assert tuple(doc.header["$LIMMAX"])[:2] == (297.0, 210.0)
    low, high = doc.paperspace().get_paper_limits()
    assert (high[0] - low[0], high[1] - low[1]) == pytest.approx((297.0, 210.0))


def test_curves_are_the_same_curves(doc):
    space = doc.modelspace()
    circles = space.query('CIRCLE[layer=="visible"]')
    assert sorted(c.dxf.radius for c in circles) == [3.0] * 4
    drawn = [s for s in everything().strokes if s.shape.kind in ("arc", "ellipse", "bezier")]
    entities = list(space.query("CIRCLE ARC ELLIPSE SPLINE"))
    assert len(entities) == len(drawn)
    for stroke, entity in zip(drawn, entities, strict=True):
        points = np.array([[v.x, v.y] for v in path.make_path(entity).flattening(1e-4)])
        own = stroke.shape.at(np.linspace(0.0, 1.0, 4001))
        for cloud, other in ((points, own), (own[::100], np.array(points))):
            gaps = [np.hypot(*(other - p).T).min() for p in cloud]
            assert max(gaps) < 0.2
        ends = own[[0, -1]]
        assert min(np.abs(points[way] - ends).max() for way in ([0, -1], [-1, 0])) < 1e-6


def test_a_clockwise_arc_stays_on_its_side():
    arc = Arc(centre=(100, 100), radius=10.0, start=0.3, sweep=-2.0)
    drawn = sheet([line((0, 0), (1, 1)).model_copy(update={"shape": arc})])
    (entity,) = opened(drawn).modelspace().query("ARC")
    assert entity.dxf.start_angle % 360 == pytest.approx(math.degrees(0.3 - 2.0) % 360)
    assert entity.dxf.end_angle % 360 == pytest.approx(math.degrees(0.3))


def test_hatches_keep_their_outlines(doc):
    ring, bow = doc.modelspace().query("HATCH")
    areas = []
    for loop in ring.paths:
        x, y = np.array([v[:2] for v in loop.vertices]).T
        areas.append(abs(0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)))
    assert areas == pytest.approx([math.pi * 20**2, math.pi * 12**2], rel=2e-3)
    assert ring.pattern.lines[0].angle == pytest.approx(45.0)
    assert bow.pattern.lines[0].angle == pytest.approx(-45.0)
    assert bow.pattern.lines[0].offset.magnitude == pytest.approx(1.5)


def test_hostile_text_comes_back_as_it_was(doc):
    space = doc.modelspace()
    texts = [e.plain_text() for e in space.query("TEXT MTEXT")]
    texts += [e.dxf.text for e in space.query("DIMENSION")]
    assert sorted(texts) == strings(everything())
    evil = "{\\C1;red} %%d ^J \\P 20"
    drawn = sheet(lines(), [width(text=evil), height(text=evil), *plate().dims[2:3]])
    again = opened(drawn)
    for entity in again.modelspace().query("DIMENSION"):
        (shown,) = again.blocks.get(entity.dxf.geometry).query("TEXT")
        assert shown.plain_text() == evil


def test_a_dimension_of_no_view_is_refused():
    with pytest.raises(ValueError, match="rear"):
        dxf_of(sheet(lines(), [width(view="rear")]))


def test_the_same_sheet_gives_the_same_bytes_in_any_process():
    program = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1]); import drawing_sheets as d\n"
        "from gaugeblock.ruler.drawing.output.dxf import dxf_of\n"
        "print(hashlib.sha256(dxf_of(d.everything()).encode()).hexdigest())"
    )
    folder = re.sub(r"[^/\\]+$", "", __file__)
    answers = {
        subprocess.run(
            [sys.executable, "-c", program, folder],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(answers) == 1
