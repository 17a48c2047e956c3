"""Views of files through the sandbox: fallbacks, refusals, answers that are not to be believed."""

import copy
import math

import numpy as np
import pytest
from OCP.BRepPrimAPI import BRepPrimAPI_MakeTorus
from ruler_shapes import REAL, box, compound, cut, cylinder, write_assembly, write_step

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.measurement import FileFacts
from gaugeblock.ruler.views.cameras import CAMERAS
from gaugeblock.ruler.views.client import views_of_answer

FILE = FileFacts(name="part.step", sha256=None, bytes=1)


def plate():
    return cut(box(60, 40, 8), cylinder(4, 10, (12, 10, -1)))


def test_a_file_gives_confirmed_exact_views(ruler, tmp_path):
    views = ruler.views(write_step(plate(), tmp_path / "plate.step"))
    assert list(views.projections) == ["front", "right", "top", "iso"]
    for projection in views.projections.values():
        assert projection.method == "exact" and projection.reason is None
        assert projection.check.agrees
    (circle,) = [c for c in views.projections["top"].drawn() if c.shape.kind == "arc"]
    assert circle.visible and circle.shape.whole
    assert math.isclose(circle.shape.radius, 4, abs_tol=1e-9)
    assert views.file.name == "plate.step" and len(views.file.sha256) == 64
    assert np.allclose(views.body.centre, (30, 20, 4), atol=1e-4)


def test_an_assembly_keeps_names_colours_and_all_solids(ruler, tmp_path):
    views = ruler.views(write_assembly(tmp_path / "a.step"), [CAMERAS["iso"]])
    solids = {curve.solid for curve in views.projections["iso"].curves}
    assert solids == set(range(len(views.solids))) and len(solids) > 1
    assert any(name for name in views.solids)
    assert any(colour for colour in views.body.palette)


def test_what_exact_removal_gets_wrong_is_drawn_from_triangles(ruler, tmp_path):
    # The kernel hides the seam of a torus where it is the silhouette.
    torus = write_step(BRepPrimAPI_MakeTorus(20.0, 6.0).Shape(), tmp_path / "torus.step")
    views = ruler.views(torus, [CAMERAS["front"], CAMERAS["top"]])
    front, top = views.projections["front"], views.projections["top"]
    assert front.method == "polygonal" and "not confirmed" in front.reason
    assert front.check.agrees
    assert np.allclose(front.box(), [(-26, -6), (26, 6)], atol=front.tolerance)
    assert top.method == "exact"


def test_solids_that_run_into_each_other_are_drawn_from_triangles(ruler, tmp_path):
    # The kernel looks for what covers an edge, not for where it enters another solid.
    both = compound(box(20, 20, 20), cylinder(6, 40, (20, 0, -10)))
    views = ruler.views(write_step(both, tmp_path / "both.step"), [CAMERAS["front"]])
    assert views.projections["front"].method == "polygonal"


def test_curves_and_surfaces_beside_the_solids_are_told(ruler):
    path = REAL / "nist_ctc_03_ap242.stp"
    if not path.exists():
        pytest.skip("real files are not here")
    views = ruler.views(path, [CAMERAS["front"]])
    assert views.notes == ("not drawn: 86 curves beside the solids",)


def test_no_time_no_views(ruler, tmp_path):
    path = REAL / "partcad_m3_screw.step"
    if not path.exists():
        pytest.skip("real files are not here")
    with pytest.raises(CouldNotMeasure, match=r"not drawn within 0\.05 s"):
        ruler.views(path, wall_s=0.05)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "no bytes"),
        (b"solid x\n", "STL"),
        (b"ISO-10303-21;\nHEADER;\n", "cut short"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(ruler, tmp_path, content, word):
    path = tmp_path / "bad.step"
    path.write_bytes(content)
    with pytest.raises(CouldNotMeasure, match=word) as told:
        ruler.views(path)
    assert "\n" not in str(told.value)


class Answer:
    """A worker's answer, as the sandbox hands it on."""

    def __init__(self, value, blobs=(), status="done", error=None):
        self.value, self.blobs, self.status, self.error = value, blobs, status, error


def taken(value, blobs=(), **how):
    return views_of_answer(Answer(value, blobs, **how), FILE, ["front"], 5.0)


def sound():
    """An honest answer of one view without a body."""
    line = {"kind": "line", "start": [0, 0], "end": [1, 0]}
    curve = {"shape": line, "visible": True, "kind": "sharp", "solid": 0}
    view = {
        "camera": CAMERAS["front"].model_dump(mode="json"),
        "curves": [curve],
        "method": "exact",
        "tolerance": 1e-3,
        "check": None,
        "check_reason": "none",
        "seconds": 0.1,
    }
    return {"views": {"front": view}, "body": "no triangles", "solids": ["x\x1b[31m"], "notes": []}


def test_an_honest_answer_is_taken_and_its_text_cleaned():
    views = taken(sound())
    assert len(views.projections["front"].curves) == 1
    assert views.body == "no triangles"
    assert views.solids == ("x[31m",)


def test_a_view_that_failed_is_told_and_the_rest_is_taken():
    answer = sound()
    answer["views"]["front"] = "the kernel crashed\n\x1b[2J"
    assert taken(answer).projections["front"] == "the kernel crashed [2J"


def spoiled(*path, by):
    answer = copy.deepcopy(sound())
    place = answer
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = by
    return answer


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"views": {}},
        spoiled("views", "front", by=None),
        spoiled("views", "front", "curves", 0, "shape", "start", by=[math.nan, 0]),
        spoiled("views", "front", "curves", 0, "shape", "kind", by="spiral"),
        spoiled("views", "front", "curves", 0, "solid", by=-1),
        spoiled("views", "front", "camera", "direction", by=[0.0, 1.0, 0.0]),
        spoiled("views", "front", "method", by="guess"),
        spoiled("views", "front", "extra", by=1),
        spoiled("solids", by=None),
        spoiled("notes", by=3),
        spoiled("body", by={"palette": ["#ffffff"]}),
    ],
)
def test_a_false_answer_is_no_views(answer):
    with pytest.raises(CouldNotMeasure, match="not a set of views"):
        taken(answer)


@pytest.mark.parametrize(
    ("status", "word"), [("timeout", "within 5 s"), ("crashed", "crashed"), ("limit", "limit")]
)
def test_a_worker_that_did_not_finish_is_told(status, word):
    with pytest.raises(CouldNotMeasure, match=word):
        taken(None, status=status, error="signal 11")
