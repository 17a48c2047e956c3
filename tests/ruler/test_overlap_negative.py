"""What cannot be compared, interference, and the kernel's silent failures."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import overlap_shapes as pairs
import pytest
import ruler_shapes as shapes
from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from test_ruler_negative import solid_of

from gaugeblock.records.overlap import Quantity
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.overlap.alignment import rounded
from gaugeblock.ruler.overlap.body import Motion
from gaugeblock.ruler.overlap.booleans import combine, volume_of
from gaugeblock.ruler.overlap.casting import cast_iou
from gaugeblock.ruler.overlap.deciding import Pair, _with_booleans
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.overlap.meshing import mesh_iou


def test_open_shell(ruler: Ruler, tmp_path: Path) -> None:
    faces = explore(shapes.box(10, 20, 30), TopAbs_FACE)
    torn = shapes.write_step(solid_of(faces[:-1]), tmp_path / "open.step")
    whole = shapes.write_step(shapes.box(10, 20, 30), tmp_path / "box.step")
    for a, b, letter in ((torn, whole, "a"), (whole, torn, "b")):
        found = ruler.compare(a, b)
        assert found.verdict == "could-not-measure"
        assert found.reason is not None and f"file {letter}" in found.reason
        assert found.posed is None and found.aligned is None


def test_reversed_solid_is_repaired_and_told(ruler: Ruler, tmp_path: Path) -> None:
    whole = shapes.write_step(shapes.box(10, 20, 30), tmp_path / "box.step")
    turned = shapes.write_step(shapes.box(10, 20, 30).Reversed(), tmp_path / "turned.step")
    found = ruler.compare(turned, whole)
    assert found.verdict == "measured"
    assert found.posed is not None and found.posed.iou == pytest.approx(1.0)
    told = [f for f in found.findings if f.code == "inside-out-repaired"]
    assert told and told[0].where is not None and told[0].where.startswith("file a")


def test_no_solid(ruler: Ruler, tmp_path: Path) -> None:
    face = explore(shapes.box(10, 20, 30), TopAbs_FACE)[0]
    flat = shapes.write_step(face, tmp_path / "face.step")
    whole = shapes.write_step(shapes.box(10, 20, 30), tmp_path / "box.step")
    found = ruler.compare(whole, flat)
    assert found.verdict == "could-not-measure"
    assert found.reason == "file b: the file holds no solid"


def test_not_a_step_file(ruler: Ruler, tmp_path: Path) -> None:
    junk = tmp_path / "junk.step"
    junk.write_text("solid nothing\n")
    whole = shapes.write_step(shapes.box(1, 2, 3), tmp_path / "box.step")
    assert ruler.compare(junk, whole).code == "not-step"
    junk.write_text("")
    assert ruler.compare(whole, junk).code == "empty"
    with pytest.raises(FileNotFoundError):
        ruler.compare(whole, tmp_path / "absent.step")


def _booleans(a: Any, b: Any) -> Any:
    """Run the booleans in a child: they start threads that later forks would hang on."""
    volume_a, volume_b = volume_of(a)[0], volume_of(b)[0]

    def work() -> dict[str, Any]:
        ours, theirs = explore(a, TopAbs_SOLID), explore(b, TopAbs_SOLID)
        return combine(ours, theirs, volume_a, volume_b).plain()

    answer = Child(work, 60.0).result()
    assert isinstance(answer, dict), answer
    return answer


def test_a_silent_failure_that_only_the_fuse_shows() -> None:
    loft = pairs.loft()
    found = _booleans(loft, pairs.shifted(loft, x=0.3))
    assert found["common"] == 0.0
    assert found["residuals"]["fuse"] == pytest.approx(2.0)
    assert found["residuals"]["cut_a"] < 1e-9
    assert found["residuals"]["cut_b"] < 1e-9


def test_a_silent_failure_that_no_sum_shows() -> None:
    """A loft shifted by 0.3 mm in y: common and fuse are both the whole loft."""
    a = pairs.body_of(pairs.loft())
    b = pairs.body_of(pairs.shifted(pairs.loft(), y=0.3))
    found = _booleans(a.parts[0].shape, b.parts[0].shape)
    assert max(found["residuals"].values()) < 1e-6
    assert found["common"] == pytest.approx(a.summed[0], rel=1e-6)
    rest = Motion(np.eye(3), np.zeros(3))
    lines, mesh = cast_iou(a, b, rest), mesh_iou(a, b, rest)
    volumes = [Quantity(value=x.summed[0], error_estimate=x.summed[1]) for x in (a, b)]
    decision = _with_booleans(Pair(a, b, volumes[0], volumes[1]), found, lines, mesh)
    assert decision.iou.method == "mesh"
    assert decision.iou.flagged
    assert decision.iou.cross_checks.exact.iou == pytest.approx(1.0, abs=1e-6)
    assert decision.iou.iou == pytest.approx(mesh.iou)
    blind = _with_booleans(
        Pair(a, b, volumes[0], volumes[1]), found, lines.__class__(None, None, 0, "-"), mesh
    )
    assert blind.iou.verdict == "could-not-measure"


def test_lines_and_meshes_agree_with_the_formula() -> None:
    tube = pairs.body_of(pairs.tube())
    moved = Motion(np.eye(3), np.array([0.0, 0.0, 4.0]))
    lines, mesh = cast_iou(tube, tube, moved), mesh_iou(tube, tube, moved)
    assert lines.iou is not None and lines.error is not None
    assert lines.error < 0.02
    assert abs(lines.iou - 36 / 44) < lines.error
    assert mesh.iou == pytest.approx(36 / 44, abs=1e-9)


def test_a_child_that_hangs_or_crashes() -> None:
    start = time.monotonic()
    hung = Child(lambda: time.sleep(60) or {}, 0.2).result()
    assert hung == "not done within 0.2 s"
    assert time.monotonic() - start < 5
    crashed = Child(lambda: os.kill(os.getpid(), 9) or {}, 10.0).result()
    assert crashed == "the kernel crashed (signal 9)"
    assert re.match("ZeroDivisionError", str(Child(lambda: {"x": 1 / 0}, 10.0).result()))


def test_a_hung_boolean_leaves_the_mesh_value_flagged() -> None:
    tube = pairs.body_of(pairs.tube())
    moved = Motion(np.eye(3), np.array([0.0, 0.0, 4.0]))
    volume = Quantity(value=tube.summed[0], error_estimate=tube.summed[1])
    lines, mesh = cast_iou(tube, tube, moved), mesh_iou(tube, tube, moved)
    found = _with_booleans(Pair(tube, tube, volume, volume), "not done within 1 s", lines, mesh)
    assert found.iou.flagged and found.iou.method == "mesh"
    assert found.iou.iou == pytest.approx(36 / 44, abs=1e-6)
    assert found.iou.cross_checks.inclusion_exclusion.reason == "not done within 1 s"


def test_rounded_motions_are_exact() -> None:
    motion = rounded(Motion(np.eye(3) + 1e-12, np.array([1e-11, 5.0, 0.0])), 10.0)
    assert (motion.rotation == np.eye(3)).all()
    assert motion.translation.tolist() == [0.0, 5.0, 0.0]


def test_interference_of_three_boxes(ruler: Ruler, tmp_path: Path) -> None:
    three = shapes.compound(
        shapes.box(10, 10, 10),
        shapes.box(10, 10, 10, (8, 0, 0)),
        shapes.box(10, 10, 10, (18, 0, 0)),
    )
    path = shapes.write_step(three, tmp_path / "three.step")
    found = ruler.interference(path)
    assert found.verdict == "measured"
    assert [(pair.a, pair.b) for pair in found.pairs] == [(0, 1)]
    assert found.pairs[0].volume == pytest.approx(200)
    assert found.pairs[0].method == "exact"
    assert found.total == pytest.approx(200)
    assert found.occupied_volume == pytest.approx(2800)
    totals = ruler.measure(path).totals
    assert totals is not None
    assert totals.volume == pytest.approx(3000)
    assert totals.occupied_volume == pytest.approx(2800)


def test_space_shared_by_three_solids_counts_once(ruler: Ruler, tmp_path: Path) -> None:
    three = shapes.compound(
        shapes.box(10, 10, 10),
        shapes.box(10, 10, 10, (5, 0, 0)),
        shapes.box(10, 10, 10, (0, 5, 0)),
    )
    found = ruler.interference(shapes.write_step(three, tmp_path / "three.step"))
    assert found.total == pytest.approx(500 + 500 + 250)
    assert found.occupied_volume == pytest.approx(3000 - 1250 + 250)


def test_a_pin_that_touches_its_bore_all_round(ruler: Ruler, tmp_path: Path) -> None:
    block = shapes.cut(shapes.box(20, 20, 10), shapes.cylinder(4, 10, (10, 10, 0)))
    fit = shapes.compound(block, shapes.cylinder(4, 10, (10, 10, 0)))
    found = ruler.interference(shapes.write_step(fit, tmp_path / "fit.step"))
    assert found.pairs[0].volume == pytest.approx(0.0, abs=1e-6)
    assert found.occupied_volume == pytest.approx(4000)


def test_a_child_sends_arrays_as_they_are() -> None:
    sent: dict[str, Any] = {
        "n": np.arange(6).reshape(2, 3),
        "x": [np.array([0.1, np.nan])],
        "b": np.array([True]),
    }
    answer = Child(lambda: {**sent, "none": np.empty((0, 3))}, 60.0).result()
    assert isinstance(answer, dict)
    assert np.array_equal(answer["n"], sent["n"])
    assert np.array_equal(answer["x"][0], sent["x"][0], equal_nan=True)
    assert answer["b"].dtype == bool and answer["none"].shape == (0, 3)
