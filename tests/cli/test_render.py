"""``gaugeblock render`` as a user meets it: files, figures, exit codes."""

import functools
import io
import json
import xml.etree.ElementTree as ET

import command_line
import numpy as np
import pytest
import typer
from evil_names import EVIL, write
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from PIL import Image

from gaugeblock.cli import render as command
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.measurement import FileFacts
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.views.cameras import CAMERAS
from gaugeblock.ruler.views.client import FileViews
from gaugeblock.ruler.views.projection import Curve, Projection
from gaugeblock.ruler.views.shapes import Line

pytestmark = pytest.mark.usefixtures("one_ruler")
call = functools.partial(command_line.call, "render")


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("render")
    axes = gp_Ax2(gp_Pnt(15, 20, -1), gp_Dir(0, 0, 1))
    bore = BRepPrimAPI_MakeCylinder(axes, 5, 10).Shape()
    write(BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(60, 40, 8).Shape(), bore).Shape(), folder / "p.step")
    (folder / "broken.step").write_text("ISO-10303-21;\nHEADER;\n")
    return folder


@pytest.fixture(scope="module")
def rendered(parts):
    """Render a plate with a hole, all four views in both forms."""
    return call(parts / "p.step", "--out", parts / "out", "--size", 300, "--json")


def test_all_views_are_written(rendered, parts):
    assert rendered.returncode == 0 and rendered.stderr == ""
    names = {path.name for path in (parts / "out").iterdir()}
    views = ("front", "right", "top", "iso")
    forms = {f"p-{view}.{suffix}" for view in views for suffix in ("svg", "png")}
    assert names == forms | {"p-views.json"}
    answer = json.loads(rendered.stdout)
    assert {path.rsplit("/", 1)[1] for path in answer["written"]} == names


def test_the_answer_tells_cameras_scales_and_methods(rendered, parts):
    answer = json.loads(rendered.stdout)
    beside = json.loads((parts / "out" / "p-views.json").read_text(encoding="utf-8"))
    assert beside == {key: value for key, value in answer.items() if key != "written"}
    front = answer["views"][0]
    camera = front["camera"]
    assert camera["projection"] == "orthographic"
    assert camera["direction"] == [0.0, -1.0, 0.0] and camera["up"] == [0.0, 0.0, 1.0]
    assert camera["axes"] == {"right": "+X", "up": "+Z", "towards_viewer": "−Y"}
    # Before the middle of the part.
    assert camera["position"][0] == pytest.approx(30) and camera["position"][1] < -60
    right = answer["views"][1]["camera"]["place"]
    assert right == {"first-angle": [-1, 0], "third-angle": [1, 0]}
    assert front["lines"]["method"] == "exact" and front["lines"]["check"]["agrees"]
    assert (front["svg"]["visible"], front["svg"]["hidden"]) == (4, 2)
    assert front["svg"]["paper_mm_per_mm"] == 2.0
    # 60 mm fill nine tenths of 300 pixels.
    assert front["png"]["px_per_mm"] == pytest.approx(4.5, rel=1e-4)
    assert front["png"]["centre_mm"] == pytest.approx([30, 4], abs=1e-3)
    assert answer["solids"] == [EVIL] and front["failures"] == {}


def test_the_pictures_show_the_part(rendered, parts):
    image = np.asarray(Image.open(io.BytesIO((parts / "out" / "p-top.png").read_bytes())))
    assert image.shape == (300, 300, 3)
    paper = (image > 250).all(axis=2)
    # The hole: 5 mm at (15, 20) of 60 × 40, 4.5 pixels a mm, y upwards.
    x, y = 150 + (15 - 30) * 4.5, 150 - (20 - 20) * 4.5
    assert paper[int(y) - 15 : int(y) + 15, int(x) - 15 : int(x) + 15].all()
    assert not paper[int(y) + 40 : int(y) + 70, int(x) - 15 : int(x) + 15].any()


def test_names_in_drawings_cannot_act(rendered, parts):
    text = (parts / "out" / "p-front.svg").read_text(encoding="utf-8")
    assert "<script" not in text and "<img" not in text
    titles = [t.text for t in ET.fromstring(text).iter("{http://www.w3.org/2000/svg}title")]
    assert EVIL in titles


def test_one_form_and_chosen_views(parts):
    done = call("p.step", "--svg", "--views", "iso, rear", "--out", "one", cwd=parts)
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (parts / "one").iterdir()}
    assert names == {"p-iso.svg", "p-rear.svg", "p-views.json"}
    assert "px/mm" in done.stdout and "exact" in done.stdout
    # Paths are told whole, so that they can be copied.
    assert "one/p-iso.svg" in done.stdout.splitlines()


def test_files_are_not_overwritten(rendered, parts):
    before = (parts / "out" / "p-top.png").read_bytes()
    words = ("p.step", "--out", "out", "--views", "top", "--png", "--size", "64")
    done = call(*words, cwd=parts)
    assert done.returncode == 2 and "--force" in done.stderr
    assert (parts / "out" / "p-top.png").read_bytes() == before
    done = call(*words, "--force", cwd=parts)
    assert done.returncode == 0, done.stderr
    assert (parts / "out" / "p-top.png").read_bytes() != before


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["missing.step"], "no such file"),
        (["."], "a folder"),
        (["p.step", "--views", "front,back"], "'back'"),
        (["p.step", "--views", ","], "at least one"),
        (["p.step", "--out", "p.step"], "not a folder"),
        (["p.step", "--size", "9000"], "2048"),
        ([], "FILE"),
    ],
)
def test_wrong_use(parts, words, word):
    done = call(*words, cwd=parts)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1 and word in done.stderr


def test_a_part_that_fails_gives_one_line_and_no_files(parts):
    done = call(parts / "broken.step", "--out", parts / "none", "--json")
    assert done.returncode == 3 and done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("gaugeblock: ") and "cut short" in line
    assert not (parts / "none").exists()


def test_help():
    done = call("--help")
    assert done.returncode == 0
    assert "Example: gaugeblock render" in done.stdout


def found(front, right):
    """Views of a file of which each may be missing; no triangles."""
    return FileViews(
        file=FileFacts(name="p.step", sha256=None, bytes=1),
        projections={"front": front, "right": right},
        body="the kernel crashed (signal 11)",
        solids=(None,),
        notes=(),
    )


def projection():
    line = Curve(shape=Line(start=(0, 0), end=(9, 0)), visible=True, kind="sharp", solid=0)
    return Projection(
        camera=CAMERAS["front"], curves=(line,), method="exact", tolerance=1e-3, check=None,
        check_reason="no triangles", seconds=0.1,
    )  # fmt: skip


def rendering(parts, out):
    command.render(
        parts / "p.step", parts / out, "front,right", False, False, 100, False, False, 60.0
    )


def test_a_view_that_fails_is_told_and_the_others_come(parts, monkeypatch, capsys):
    answer = found(projection(), "not done within 48 s")
    monkeypatch.setattr(Ruler, "views", lambda *_, **__: answer)
    rendering(parts, "some")
    told = capsys.readouterr()
    assert sorted(path.name for path in (parts / "some").iterdir()) == [
        "p-front.svg", "p-views.json",
    ]  # fmt: skip
    assert set(told.err.splitlines()) == {
        "gaugeblock: right.svg: not done within 48 s",
        "gaugeblock: front.png: the kernel crashed (signal 11)",
        "gaugeblock: right.png: the kernel crashed (signal 11)",
    }
    views = json.loads((parts / "some" / "p-views.json").read_text(encoding="utf-8"))["views"]
    assert views[1]["failures"]["svg"] == "not done within 48 s"


def test_no_view_at_all_is_an_error(parts, monkeypatch):
    monkeypatch.setattr(Ruler, "views", lambda *_, **__: found("x", "y"))
    with pytest.raises(CouldNotMeasure, match="no view could be had") as told:
        rendering(parts, "nothing")
    assert told.value.exit_code == 3
    assert not list((parts / "nothing").glob("*"))


def test_sizes_are_those_of_the_shading():
    from gaugeblock.ruler.views.shading import SIZE_LEAST, SIZE_MOST

    assert command.SIZES == (SIZE_LEAST, SIZE_MOST)


def test_register_adds_the_command():
    app = typer.Typer()
    command.register(app)
    assert [registered.name for registered in app.registered_commands] == ["render"]
