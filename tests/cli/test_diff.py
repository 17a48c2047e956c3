"""``gaugeblock diff`` as a user meets it: words, figures, files, exit codes."""

import functools
import io
import json
import re
from types import SimpleNamespace

import command_line
import numpy as np
import pytest
from evil_names import EVIL, write
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace, BRepBuilderAPI_Transform
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pln, gp_Pnt, gp_Trsf, gp_Vec
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from PIL import Image

from gaugeblock.cli.lettering import letters
from gaugeblock.records.feature_match import FeatureMatch
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.overlap import Overlap

pytestmark = pytest.mark.usefixtures("one_ruler")
call = functools.partial(command_line.call, "diff")


def plate(*holes):
    shape = BRepPrimAPI_MakeBox(60, 40, 8).Shape()
    for x in holes:
        axes = gp_Ax2(gp_Pnt(x, 20, -1), gp_Dir(0, 0, 1))
        shape = BRepAlgoAPI_Cut(shape, BRepPrimAPI_MakeCylinder(axes, 5, 10).Shape()).Shape()
    return shape


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


def test_the_features_account_for_it(different):
    out = different.stdout
    assert re.search(r"^hole +│ 2 │ 1 │ +1 │ +│ +│ +1 │ *$", out, re.MULTILINE)
    assert re.search(r"hole ⌀10 through at \(42, 20, [08]\): only in A", out)
    assert "semanticMatch of B held against A: 0.5 (1 of 2 right, within 0.1 mm and 0.5°)" in out


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
    assert "<caption>Features</caption>" in page
    assert re.search(r"<li>hole ⌀10 through at \(42, 20, [08]\): only in A</li>", page)


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
    told = FeatureMatch.model_validate(answer["features"]["match"])
    assert [outcome.outcome for outcome in told.outcomes] == ["moved", "moved"]
    assert told.outcomes[0].shift == pytest.approx((3, 4, 0), abs=1e-6)
    assert answer["features"]["semantic_match"]["value"] == 0.0


def test_an_edit_of_a_turned_part_is_told_in_the_first_ones_coordinates(parts):
    turn, push = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(1, 2, 3), gp_Dir(1, 2, 2)), 1.0)
    push.SetTranslation(gp_Vec(30, -20, 5))
    edited = BRepBuilderAPI_Transform(plate(15, 42.4), push.Multiplied(turn), True).Shape()
    write(edited, parts / "edited.step")
    done = call(parts / "two.step", parts / "edited.step")
    assert done.returncode == 1, done.stderr
    assert re.search(
        r"hole ⌀10 through at \(42, 20, [08]\): moved 0\.4 mm along \+x", done.stdout
    ), done.stdout
    assert "0.5 (1 of 2 right" in done.stdout


def test_equal_parts_have_all_features_alike(parts):
    done = call(parts / "two.step", parts / "two.step")
    assert done.returncode == 0, done.stderr
    assert "features: all 2 alike" in done.stdout
    assert "semanticMatch of B held against A: 1 (2 of 2 right" in done.stdout


def test_what_is_no_step_file_is_refused_before_the_other_is_measured(parts):
    words = ("two.step", "broken.step", "--png", "no.png", "--json")
    done = call(*words, cwd=parts)
    assert done.returncode == 3
    answer = json.loads(done.stdout)
    assert answer["same"] is None
    assert answer["a"] is answer["overlap"] is answer["features"] is None  # never asked for
    assert answer["b"]["code"] == "truncated"
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("gaugeblock: B, broken.step: the file has no END-ISO")
    assert not (parts / "no.png").exists()


def test_both_files_are_named_where_neither_is_step(parts):
    (parts / "picture.step").write_bytes(b"\x89PNG\r\n")
    (parts / "none.step").write_bytes(b"")
    done = call("picture.step", "none.step", cwd=parts)
    assert (done.returncode, done.stdout) == (3, "")
    (line,) = done.stderr.strip().splitlines()
    assert "A, picture.step: not a STEP file: it looks like a picture" in line
    assert "B, none.step: the file holds no bytes" in line


def test_a_file_without_a_solid_is_named(parts):
    face = BRepBuilderAPI_MakeFace(gp_Pln(), 0, 5, 0, 5).Face()
    writer = STEPControl_Writer()
    writer.Transfer(face, STEPControl_AsIs)
    writer.Write(str(parts / "face.step"))
    done = call("two.step", "face.step", "--json", cwd=parts)
    assert done.returncode == 3
    answer = json.loads(done.stdout)
    assert answer["same"] is None and answer["a"]["verdict"] == "measured"
    (line,) = done.stderr.strip().splitlines()
    assert "face.step" in line


def test_the_legend_says_how_much_it_leaves_out(monkeypatch):
    from gaugeblock.cli import diff_picture
    from gaugeblock.ruler.picture import facts

    monkeypatch.setattr(facts, "verdict", lambda overlap: "different")
    monkeypatch.setattr(facts, "iou_text", lambda iou: "0.5")
    monkeypatch.setattr(facts, "meanings", lambda overlap: ["B is the mirror image of A"])
    overlap = SimpleNamespace(posed=object(), aligned=object())
    for count, last in ((2, "doubt 1"), (3, "and 2 remarks more")):
        told = [f"doubt {i}" for i in range(count)]
        monkeypatch.setattr(facts, "doubts", lambda a, b, c, told=told: told)
        lines = diff_picture._words(None, None, overlap)
        assert lines[0] == "different: B is the mirror image of A"
        assert len(lines) == 5
        assert lines[-1] == last


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
    plain = letters("5 mm, u?", 20)
    assert (letters("5 mm, ü中", 20) == plain).all()
    assert plain.max() == 255


def test_exponents_are_raised():
    """The sign is there, narrower than the figure, and leaves the lower half of the line free."""
    bare, cubed, figure = (letters(text, 20) for text in ("5 mm", "5 mm³", "5 mm3"))
    assert bare.shape[1] < cubed.shape[1] < figure.shape[1]
    sign = cubed[:, bare.shape[1] :]
    assert sign[:12].max() > 100
    assert sign[16:].max() == 0
