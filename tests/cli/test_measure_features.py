"""``gaugeblock measure --features --png`` as a user meets it."""

import functools
import io
import json

import command_line
import numpy as np
import pytest
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from PIL import Image

from gaugeblock.records.features import FeatureSet
from gaugeblock.ruler.picture.portrait import KIND_COLOURS

pytestmark = pytest.mark.usefixtures("one_ruler")
call = functools.partial(command_line.call, "measure")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    shape = BRepPrimAPI_MakeBox(60, 40, 8).Shape()
    for x in (15, 30, 45):
        axes = gp_Ax2(gp_Pnt(x, 20, -1), gp_Dir(0, 0, 1))
        shape = BRepAlgoAPI_Cut(shape, BRepPrimAPI_MakeCylinder(axes, 5, 10).Shape()).Shape()
    place = tmp_path_factory.mktemp("measure")
    writer = STEPControl_Writer()
    writer.Transfer(shape, STEPControl_AsIs)
    writer.Write(str(place / "plate.step"))
    (place / "broken.step").write_text("ISO-10303-21;\nHEADER;\n")
    return place


@pytest.fixture(scope="module")
def listed(folder):
    return call(folder / "plate.step", "--features", "--png", folder / "p.png")


def test_features_are_listed_like_with_like(listed):
    assert listed.returncode == 0, listed.stderr
    assert "features: 3" in listed.stdout
    line = next(line for line in listed.stdout.splitlines() if "holes" in line)
    assert line.startswith("  3 holes ⌀10 through at (15, 20, ")


def test_the_picture_has_the_colour_of_holes(listed, folder):
    image = np.asarray(Image.open(io.BytesIO((folder / "p.png").read_bytes()))).astype(int)
    body = image[60:980]
    red, green, blue = KIND_COLOURS["hole"]
    assert (blue > red) and (blue > green)
    assert (body[..., 2] - body[..., 0] > 60).sum() > 500
    # Nothing else is coloured: all other pixels are grey, paper or ink.
    assert (body[..., 0] - body[..., 2] > 30).sum() == 0


def test_features_as_json(folder):
    done = call(folder / "plate.step", "--features", "--json")
    found = FeatureSet.model_validate(json.loads(done.stdout)["files"][0]["features"])
    assert [feature.kind for feature in found.features] == ["hole"] * 3
    plain = json.loads(call(folder / "plate.step", "--json").stdout)["files"][0]
    assert "features" not in plain


def test_what_cannot_be_read_has_no_picture(folder):
    done = call(folder / "broken.step", "--png", folder / "no.png")
    assert done.returncode == 3
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (folder / "no.png").exists()


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["plate.step", "plate.step", "--png", "two.png"], "one FILE"),
        (["plate.step", "--png", "plate.step"], "used otherwise"),
        (["plate.step", "--png", "no/p.png"], "no such folder"),
        (["plate.step", "--png", "p.png"], "--force"),
    ],
)
def test_wrong_use(listed, folder, words, word):
    before = (folder / "p.png").read_bytes()
    done = call(*words, cwd=folder)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1 and word in done.stderr
    assert (folder / "p.png").read_bytes() == before
