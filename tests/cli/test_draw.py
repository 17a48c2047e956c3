"""``gaugeblock draw`` as a user meets it: files, figures, exit codes."""

import functools
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import command_line
import ezdxf
import pytest
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from PIL import Image

from gaugeblock.cli.draw import _facts, _show
from gaugeblock.ruler.drawing.reading_back import match
from gaugeblock.ruler.drawing.sheet import Sheet, Table, Title

EVIL = "<script>alert(1)</script>"

pytestmark = pytest.mark.usefixtures("one_ruler")
call = functools.partial(command_line.call, "draw")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("draw")
    axes = gp_Ax2(gp_Pnt(15, 20, -1), gp_Dir(0, 0, 1))
    bore = BRepPrimAPI_MakeCylinder(axes, 5, 10).Shape()
    shape = BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(60, 40, 8).Shape(), bore).Shape()
    writer = STEPControl_Writer()
    writer.Transfer(shape, STEPControl_AsIs)
    writer.Write(str(folder / "p.step"))
    text = (folder / "p.step").read_text(encoding="latin-1")
    named = re.sub(r"PRODUCT\('[^']*',\s*'[^']*'", f"PRODUCT('{EVIL}','{EVIL}'", text)
    assert EVIL in named
    (folder / "p.step").write_text(named, encoding="latin-1")
    (folder / "broken.step").write_text("ISO-10303-21;\nHEADER;\n")
    return folder


@pytest.fixture(scope="module")
def drawn(folder):
    words = ("--format", "A4", "--projection", "third", "--scale", "1:1", "--material", "S235")
    return call(folder / "p.step", "--out", folder / "out", *words, "--json")


def test_all_formats_are_written(drawn, folder):
    assert drawn.returncode == 0 and drawn.stderr == ""
    out = folder / "out"
    assert {path.name for path in out.iterdir()} == {f"p.{s}" for s in ("svg", "pdf", "png", "dxf")}
    assert Image.open(out / "p.png").size == (2339, 1654)
    root = ET.parse(out / "p.svg").getroot()
    texts = {element.text for element in root.iter() if element.tag.endswith("}text")}
    assert {EVIL, "S235", "1:1", "60", "40", "Third angle"} <= texts
    assert not any(element.tag.endswith("script") for element in root.iter())
    assert (out / "p.pdf").read_bytes().startswith(b"%PDF-")
    found = ezdxf.readfile(out / "p.dxf").modelspace().query("DIMENSION")
    values = {round(e.get_measurement() * e.override().get("dimlfac"), 6) for e in found}
    assert {60.0, 40.0, 8.0} <= values


def test_the_answer_tells_views_and_the_self_test(drawn):
    answer = json.loads(drawn.stdout)
    assert answer["format"] == "A4" and answer["scale"] == [1, 1]
    assert answer["convention"] == "third-angle" and answer["against"] == "itself"
    assert {"front", "iso"} <= {view["id"] for view in answer["views"]}
    assert answer["match"]["match"] == 1.0 and answer["match"]["asked"] >= 4
    assert set(answer["written"]) == {"svg", "pdf", "png", "dxf"}


def test_a_list_is_drawn_and_measured(folder):
    listed = [
        {"label": "60", "type": "length", "value": 60},
        {"label": "⌀10", "type": "diameter", "value": 10},
    ]
    (folder / "good.json").write_text(json.dumps(listed), encoding="utf-8")
    words = ("--out", folder / "list", "--formats", "svg", "--dimensions")
    good = call(folder / "p.step", *words, folder / "good.json", "--json")
    assert good.returncode == 0, good.stderr
    assert json.loads(good.stdout)["match"]["match"] == 1.0
    listed.append({"label": "61.5", "type": "length", "value": 61.5})
    (folder / "short.json").write_text(json.dumps(listed), encoding="utf-8")
    short = call(folder / "p.step", *words, folder / "short.json", "--force")
    assert short.returncode == 1 and short.stderr == ""
    assert "2 of 3 listed dimensions" in short.stdout and "61.5: length 61.5:" in short.stdout


def test_a_label_sends_a_terminal_no_codes_and_has_its_bounds(folder):
    label = "\x1b[31m\x1b]0;pwn\x07\u202e60\nFAKE: 1 of 1 found" + 3000 * "A"
    listed = [{"label": label, "type": "length", "value": 61.5}]
    (folder / "esc.json").write_text(json.dumps(listed), encoding="utf-8")
    words = ("--out", folder / "esc", "--formats", "svg", "--dimensions", folder / "esc.json")
    told = call(folder / "p.step", *words).stdout
    assert all(sign.isprintable() for sign in told.replace("\n", ""))
    assert not [line for line in told.splitlines() if line.startswith("FAKE")]
    assert ": length 61.5: " in told and 40 < told.count("A") < 400


def test_rows_of_a_table_are_told_beside_the_share(capsys):
    rows = (("Hole", "X", "Y", "Size"), *((f"A{n}", "1", "2", "⌀6") for n in range(48)))
    sheet = Sheet(
        format="A4",
        landscape=True,
        convention="first-angle",
        scale=(1, 1),
        title=Title(name="Plate"),
        views=(),
        strokes=(),
        tables=(Table(at=(20, 190), columns=(12, 10, 10, 10), rows=rows),),
    )
    found = match(sheet, []).model_copy(update={"found": 3, "asked": 3, "match": 1.0})
    _show(sheet, found, False, [])
    told = " ".join(capsys.readouterr().out.split())
    assert "(1.000), 48 table rows are not read back" in told
    assert _facts(Path("p.step"), sheet, found, False, {})["match"]["unread_rows"] == 48


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("missing.step",), "no such file"),
        ((".",), "a folder"),
        (("p.step", "--formats", "svg,bmp"), "no format 'bmp'"),
        (("p.step", "--formats", ","), "at least one"),
        (("p.step", "--format", "A9"), "A4 or A3"),
        (("p.step", "--projection", "second"), "first or third"),
        (("p.step", "--scale", "1:0"), "whole numbers"),
        (("p.step", "--scale", "half"), "whole numbers"),
        (("p.step", "--dpi", "5"), "equal to 50"),
        (("p.step", "--dimensions", "none.json"), "No such file"),
        (("p.step", "--dimensions", "broken.step"), "broken.step"),
        (("p.step", "--dimensions", "tiny.json"), "ISO 2768-m covers"),
        (("p.step", "--out", "p.step"), "not a folder"),
    ],
)
def test_wrong_use_is_one_line(folder, words, told):
    tiny = [{"label": "0.2", "type": "length", "value": 0.2}]
    (folder / "tiny.json").write_text(json.dumps(tiny))
    before = {path.name for path in folder.rglob("*")}
    answer = call(*words, cwd=folder)
    assert answer.returncode == 2 and answer.stdout == ""
    assert told in answer.stderr and answer.stderr.count("\n") == 1
    assert {path.name for path in folder.rglob("*")} == before


def test_nothing_is_overwritten_unasked(folder):
    out = folder / "kept"
    out.mkdir()
    (out / "p.dxf").write_text("mine")
    answer = call(folder / "p.step", "--out", out)
    assert answer.returncode == 2 and "--force" in answer.stderr
    assert (out / "p.dxf").read_text() == "mine" and len(list(out.iterdir())) == 1


def test_a_broken_file_could_not_be_measured(folder):
    answer = call(folder / "broken.step", "--out", folder / "nothing")
    assert answer.returncode == 3 and answer.stderr.count("\n") == 1
    assert not (folder / "nothing").exists()
