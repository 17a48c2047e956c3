"""``gaugeblock diff`` as a user meets it: words, figures, files, exit codes."""

import io
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from PIL import Image

from gaugeblock.cli.diff import letters
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.overlap import Overlap

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def call(*words, **options):
    command = [sys.executable, "-m", "gaugeblock", "diff", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, **options)


def plate(*holes):
    shape = BRepPrimAPI_MakeBox(60, 40, 8).Shape()
    for x in holes:
        axes = gp_Ax2(gp_Pnt(x, 20, -1), gp_Dir(0, 0, 1))
        shape = BRepAlgoAPI_Cut(shape, BRepPrimAPI_MakeCylinder(axes, 5, 10).Shape()).Shape()
    return shape


def write(shape, path):
    writer = STEPControl_Writer()
    writer.Transfer(shape, STEPControl_AsIs)
    writer.Write(str(path))
    text = path.read_text(encoding="latin-1")
    named = re.sub(r"PRODUCT\('[^']*',\s*'[^']*'", f"PRODUCT('{EVIL}','{EVIL}'", text)
    assert EVIL in named
    path.write_text(named, encoding="latin-1")


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("diff")
    write(plate(15, 42), folder / "two.step")
    write(plate(15), folder / "one<i>.step")
    push = gp_Trsf()
    push.SetTranslation(gp_Vec(3, 4, 0))
    moved = BRepBuilderAPI_Transform(plate(15, 42), push, True).Shape()
    write(moved, folder / "moved.step")
    (folder / "broken.step").write_text("ISO-10303-21;\nHEADER;\n")
    return folder


@pytest.fixture(scope="module")
def different(parts):
    """Compare a plate with one that lacks a hole, with all outputs."""
    words = (parts / "two.step", parts / "one<i>.step", "--png", parts / "d.png")
    return call(*words, "--html", parts / "d.html")


def test_a_difference_in_words(different):
    assert different.returncode == 1, different.stderr
    assert different.stderr == ""
    out = different.stdout
    marked = [line for line in out.splitlines() if line.rstrip().endswith("≠")]
    assert any(line.startswith("volume") for line in marked)
    assert any("cylinder" in line for line in marked)
    assert not any(line.startswith("size") for line in marked)
    assert re.search(r"IoU as posed: 0\.9\d+ \(exact, cross-checks agree\)", out)
    assert re.search(r"only in B: 628\.318\d* mm³", out)
    assert "verdict: different" in out
    assert "B is A with material added" in out


def test_the_picture_shows_it(different, parts):
    image = np.asarray(Image.open(io.BytesIO((parts / "d.png").read_bytes()))).astype(int)
    body = image[60:980]
    blue = (body[..., 2] - body[..., 0] > 60).sum()
    orange = (body[..., 0] - body[..., 2] > 60).sum()
    assert blue > 1000
    assert orange == 0


def test_the_page_stands_alone(different, parts):
    page = (parts / "d.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|//cdn", page)
    assert EVIL not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "one&lt;i&gt;.step" in page
    assert page.count("<script") == 3
    assert page.count("<img") == 1


def test_files_are_not_overwritten(different, parts):
    before = (parts / "d.png").read_bytes()
    done = call(parts / "two.step", parts / "two.step", "--png", parts / "d.png")
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert (parts / "d.png").read_bytes() == before
    one = parts / "two.step"
    assert call(one, one, "--png", one, "--force").returncode == 2
    assert call(one, one, "--png", parts / "no" / "d.png").returncode == 2
    assert call(one, one, "--png", "x", "--html", "x", cwd=parts).returncode == 2


def test_a_moved_part_is_the_same_unless_posed(parts):
    done = call(parts / "two.step", parts / "moved.step")
    assert done.returncode == 0, done.stderr
    assert "B is A moved by 5 mm" in done.stdout
    posed = call(parts / "two.step", parts / "moved.step", "--as-posed", "--json")
    assert posed.returncode == 1
    answer = json.loads(posed.stdout)
    assert answer["same"] is False
    assert Overlap.model_validate(answer["overlap"]).aligned is None
    assert Measurement.model_validate(answer["a"]).totals is not None


def test_what_cannot_be_measured(parts):
    done = call(parts / "two.step", parts / "broken.step", "--png", parts / "no.png", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["same"] is None
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("gaugeblock: B, broken.step")
    assert not (parts / "no.png").exists()


@pytest.mark.parametrize(
    ("words", "word"),
    [(["a"], "'B'"), (["missing.step", "x"], "no such file"), (["broken.step", "."], "folder")],
)
def test_wrong_use(parts, words, word):
    done = call(*words, cwd=parts)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1 and word in done.stderr


def test_help():
    done = call("--help")
    assert done.returncode == 0
    assert "Example: gaugeblock diff" in done.stdout


def test_letters_are_plain():
    plain = letters("5 mm^3, u?", 20)
    assert (letters("5 mm³, ü中", 20) == plain).all()
    assert plain.max() == 255
