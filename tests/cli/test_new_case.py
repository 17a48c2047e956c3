"""``gaugeblock case new``: a plate of known sizes becomes a case, and what is wrong is one line."""

import functools
import json
import re
import shutil
import tomllib

import command_line
import pytest
from OCP.BRep import BRep_Builder
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from OCP.TopAbs import TopAbs_FACE
from OCP.TopoDS import TopoDS_Compound

from gaugeblock.calibration.freezing import sheet_files
from gaugeblock.records.drawing_case import CANARY, DrawingCaseFile
from gaugeblock.records.drawing_task import Ceilings
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.sheet import Title
from gaugeblock.ruler.explore import explore

pytestmark = pytest.mark.usefixtures("one_ruler")
new = functools.partial(command_line.call, "case", "new")

SIZES = [
    ("length", 60),
    ("length", 40),
    ("length", 8),
    ("diameter", 10),
    ("length", 15),
    ("length", 20),
]
"""Of the plate: its sides, its bore, and where that is; the last two are distances of an axis."""


def plate(scale=1.0):
    axes = gp_Ax2(gp_Pnt(15 * scale, 20 * scale, -scale), gp_Dir(0, 0, 1))
    bore = BRepPrimAPI_MakeCylinder(axes, 5 * scale, 10 * scale).Shape()
    return BRepAlgoAPI_Cut(
        BRepPrimAPI_MakeBox(60 * scale, 40 * scale, 8 * scale).Shape(), bore
    ).Shape()


def write(path, shape):
    writer = STEPControl_Writer()
    writer.Transfer(shape, STEPControl_AsIs)
    writer.Write(str(path))


def together(*shapes):
    builder, whole = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(whole)
    for shape in shapes:
        builder.Add(whole, shape)
    return whole


@pytest.fixture(scope="module")
def material(ruler, tmp_path_factory):
    """A folder with everything: the plate, its sheet in four formats, its list."""
    folder = tmp_path_factory.mktemp("material")
    write(folder / "plate.step", plate())
    sheet = ruler.draw(folder / "plate.step", DrawOptions(title=Title(name="Plate")))
    for kind, content in sheet_files(sheet).items():
        (folder / f"plate.{kind}").write_bytes(content)
    listed = [{"label": f"{value}", "type": kind, "value": value} for kind, value in SIZES]
    (folder / "dimensions.json").write_text(json.dumps(listed))
    return folder


@pytest.fixture
def brought(material, tmp_path):
    """Return a maker of folders that hold some of the material's files."""

    def make(*names):
        folder = tmp_path / "brought"
        folder.mkdir()
        for name in names:
            shutil.copy(material / name, folder / name)
        return folder

    return make


def ceilings(folder):
    return Ceilings.load((folder / "ceilings.json").read_bytes(), "ceilings.json")


@pytest.mark.parametrize("kind", ["dxf", "pdf"])
def test_sizes_come_from_the_drawing(kind, brought, tmp_path):
    folder, out = brought("plate.step", f"plate.{kind}"), tmp_path / "my-plate"
    answer = new(folder, "--out", out, "--title", 'A "plate"', "--class", "plate", "--json")
    assert answer.returncode == 0, answer.stderr
    facts = json.loads(answer.stdout)
    assert facts["dimensions_from"] == f"plate.{kind}"
    listed = json.loads((out / "dimensions.json").read_text())
    assert sorted((d["type"], d["value"]) for d in listed) == sorted(SIZES)
    told = ceilings(out)
    assert (told.asked, told.measurable, told.drawn, told.semantic_match) == (6, 4, 6, 1.0)
    assert facts["tracks"] == (["vector", "raster"] if kind == "pdf" else ["vector"])
    assert (out / "sheet/drawing.png").exists() == (kind == "pdf")
    assert (out / f"sheet/drawing.{kind}").read_bytes() == (folder / f"plate.{kind}").read_bytes()


def test_a_case_is_what_the_suite_reads(brought, ruler, tmp_path):
    out = tmp_path / "my-plate"
    folder = brought("plate.step", "plate.svg", "plate.png", "dimensions.json")
    answer = new(folder, "--out", out, "--difficulty", 2)
    assert answer.returncode == 0, answer.stderr
    assert "4/6" in answer.stdout and "gaugeblock run" in answer.stdout
    case = DrawingCaseFile.build(tomllib.loads((out / "case.toml").read_text()), "case.toml")
    assert (case.id, case.group, case.difficulty, case.title) == ("my-plate", "own", 2, "My plate")
    assert re.fullmatch(CANARY, case.canary)
    step = (out / "reference.step").read_bytes()
    assert step.count(case.canary.encode()) == 1
    assert all(case.canary.encode() not in f.read_bytes() for f in (out / "sheet").iterdir())
    measured = ruler.measure(out / "reference.step")
    assert measured.totals.volume == pytest.approx(60 * 40 * 8 - 25 * 8 * 3.141592653589793)
    features = json.loads((out / "features.json").read_text())
    assert [f["kind"] for f in features["features"]] == ["hole"]


def test_a_header_with_brackets_and_quotes_is_marked_whole(brought, ruler, tmp_path):
    folder = brought("plate.step", "plate.png", "dimensions.json")
    path = folder / "plate.step"
    odd = b"FILE_DESCRIPTION( ('it''s (a) part','two'),'2;1')"
    text = re.sub(
        rb"FILE_DESCRIPTION\(.*?'2;1'\)", odd, path.read_bytes(), count=1, flags=re.DOTALL
    )
    assert odd in text
    path.write_bytes(text)
    assert new(folder, "--out", tmp_path / "odd").returncode == 0
    step = (tmp_path / "odd/reference.step").read_bytes()
    assert re.search(rb"FILE_DESCRIPTION\(\('gaugeblock-canary-[\w-]+'\),'2;1'\)", step)
    assert ruler.measure(tmp_path / "odd/reference.step").verdict == "measured"


def test_a_size_that_the_part_has_not_lowers_the_ceiling(brought, tmp_path):
    folder = brought("plate.step", "plate.png", "dimensions.json")
    listed = json.loads((folder / "dimensions.json").read_text())
    listed.append({"label": "⌀11 H7", "type": "diameter", "value": 11, "upper": 0.018, "lower": 0})
    (folder / "dimensions.json").write_text(json.dumps(listed))
    answer = new(folder, "--out", tmp_path / "less")
    assert answer.returncode == 0, answer.stderr
    (line,) = [line for line in answer.stdout.splitlines() if "⌀11 H7: diameter" in line]
    assert "not measurable" in line and "10 (diameter)" in line
    assert (ceilings(tmp_path / "less").measurable, ceilings(tmp_path / "less").asked) == (4, 7)


def test_the_list_can_be_had_and_given_back(brought, tmp_path):
    folder = brought("plate.step", "plate.dxf")
    answer = new(folder, "--list")
    assert answer.returncode == 0
    assert "left out: `ISO 2768-m`" in answer.stderr
    (folder / "dimensions.json").write_text(answer.stdout)
    assert new(folder, "--out", tmp_path / "given").returncode == 0
    assert ceilings(tmp_path / "given").asked == len(SIZES)


def two_references(folder):
    shutil.copy(folder / "plate.step", folder / "other.stp")


def two_drawings(folder):
    shutil.copy(folder / "plate.dxf", folder / "other.DXF")


def shell(folder):
    write(folder / "plate.step", explore(plate(), TopAbs_FACE)[0])


def two_solids(folder):
    write(
        folder / "plate.step",
        together(plate(), BRepPrimAPI_MakeBox(gp_Pnt(99, 0, 0), 5, 5, 5).Shape()),
    )


def no_step(folder):
    (folder / "plate.step").write_text("hello")


def listing(*entries):
    def change(folder):
        (folder / "dimensions.json").write_text(json.dumps(entries))

    return change


def cut_off(folder):
    path = folder / "plate.dxf"
    path.write_bytes(path.read_bytes()[:-300])


def spoilt(folder):
    (folder / "plate.svg").write_text("hello")


def scaled(factor):
    return lambda folder: write(folder / "plate.step", plate(factor))


def only(*names):
    def change(folder):
        for path in list(folder.iterdir()):
            if path.name not in names:
                path.unlink()

    return change


FAULTS = {
    "no drawing": (only("plate.step"), 2, "no drawing"),
    "no reference": (only("plate.dxf"), 2, "no reference"),
    "two references": (two_references, 2, "two references, other.stp and plate.step"),
    "two drawings": (two_drawings, 2, "two DXF drawings, other.DXF and plate.dxf"),
    "a shell": (shell, 2, "no solid, only surfaces"),
    "two solids": (two_solids, 2, "2 solids"),
    "no STEP": (no_step, 3, "plate.step"),
    "inches": (
        scaled(1 / 25.4),
        2,
        "wrong unit: the sheet's sizes are found on it divided by 25.4",
    ),
    "drawing in inches": (scaled(25.4), 2, "found on it times 25.4"),
    "metres": (scaled(1000.0), 2, "found on it times 1000"),
    "no tolerance": (
        listing({"label": "0.3", "type": "length", "value": 0.3}),
        2,
        "0.3: ISO 2768-m covers 0.5 to 4000 mm",
    ),
    "a faulty list": (listing({"label": "x", "type": "size", "value": 3}), 2, "0.type"),
    "an empty list": (listing(), 2, "empty"),
    "another part": (
        listing({"label": "77", "type": "length", "value": 77}),
        2,
        "none of the 1 sizes in dimensions.json is found",
    ),
    "nothing to read": (only("plate.step", "plate.svg"), 2, "no sizes can be read from SVG"),
    "a picture that is none": (spoilt, 2, "plate.svg: this is no SVG"),
    "a cut drawing": (cut_off, 3, "cut off"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_one_line(name, brought, tmp_path):
    change, code, words = FAULTS[name]
    folder = brought("plate.step", "plate.dxf", "plate.svg")
    change(folder)
    answer = new(folder, "--out", tmp_path / "case")
    assert (answer.returncode, answer.stdout) == (code, "")
    assert words in answer.stderr and answer.stderr.count("\n") == 1
    assert not (tmp_path / "case").exists()


def test_the_place_must_be_new_and_named_well(brought, tmp_path):
    folder = brought("plate.step", "plate.dxf")
    assert "--out" in new(folder).stderr
    assert "already there" in new(folder, "--out", folder).stderr
    assert "lower case" in new(folder, "--out", tmp_path / "My Case").stderr
    assert new(tmp_path / "none", "--out", tmp_path / "x").returncode == 2
