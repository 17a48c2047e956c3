"""Boundaries that run through themselves: never a volume, and sound ones never refused for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import crossing_shapes as crossing
import pytest
import ruler_shapes as shapes
from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopoDS import TopoDS
from test_ruler_negative import measure

from gaugeblock.ruler import Ruler, facts_of_shape
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.folding import CROSSING, is_folded, may_fold
from gaugeblock.ruler.facts.outline import outline_of
from gaugeblock.ruler.facts.surfaces import SurfaceTable
from gaugeblock.ruler.reading import read_step

CASES = {
    "bow-tie": crossing.bow_tie,
    "uneven bow-tie": crossing.uneven_bow_tie,
    "star": crossing.star,
    "looped pipe": crossing.looped_pipe,
    "folded pipe": crossing.folded_pipe,
}


@pytest.mark.parametrize("name", CASES)
def test_no_volume_and_not_valid(name: str, tmp_path: Path) -> None:
    found = measure(shapes.write_step(CASES[name](), tmp_path / "crossing.step"))
    assert found.verdict == "measured"
    (solid,) = found.solids
    assert solid.volume.value is None
    assert solid.volume.reason
    assert solid.valid is not True
    assert found.totals is not None
    assert found.totals.volume is None and found.totals.valid is not True


@pytest.mark.parametrize("name", ["uneven bow-tie", "looped pipe", "folded pipe"])
def test_what_every_other_check_lets_pass(name: str, tmp_path: Path) -> None:
    """The kernel finds no fault, the shell is closed, and both volumes agree."""
    found = measure(shapes.write_step(CASES[name](), tmp_path / "crossing.step"))
    (solid,) = found.solids
    assert solid.validity.brepcheck.ok and solid.validity.shells_closed.ok
    assert solid.volume.cross_check.agrees
    assert solid.volume.reason == CROSSING
    assert [f.where for f in found.findings if f.code == "self-crossing"] == ["solid 0"]


@pytest.mark.parametrize("name", CASES)
def test_not_compared(name: str, ruler: Ruler, tmp_path: Path) -> None:
    bad = shapes.write_step(CASES[name](), tmp_path / "crossing.step")
    good = shapes.write_step(shapes.box(10, 10, 10), tmp_path / "box.step")
    for a, b, letter in ((bad, good, "a"), (good, bad, "b")):
        found = ruler.compare(a, b)
        assert (found.verdict, found.code) == ("could-not-measure", "not-comparable")
        assert found.reason is not None
        assert found.reason.startswith(f"file {letter}: solid 0: its ")
        assert found.posed is None


def test_shells_that_overlap_fill_their_space_once(ruler: Ruler, tmp_path: Path) -> None:
    """The kernel reads one solid of two shells as two solids."""
    path = shapes.write_step(crossing.overlapping_shells(), tmp_path / "shells.step")
    totals = ruler.measure(path).totals
    assert totals is not None
    assert totals.volume == pytest.approx(2000)
    assert totals.occupied_volume == pytest.approx(1500)
    found = ruler.compare(path, shapes.write_step(shapes.box(15, 10, 10), tmp_path / "box.step"))
    assert found.posed is not None and found.posed.iou == pytest.approx(1.0, abs=1e-9)
    assert found.volumes is not None and found.volumes.a.value == pytest.approx(1500)
    assert "interference" in {finding.code for finding in found.findings}


def test_shells_that_overlap_in_memory() -> None:
    (facts,) = facts_of_shape(crossing.overlapping_shells())
    assert facts.volume.value is None
    assert facts.valid is not True


def hollow(outer: Any, inner: Any) -> Any:
    return explore(shapes.cut(outer, inner), TopAbs_SOLID)[0]


SOUND: dict[str, Callable[[], Any]] = {
    "tube": lambda: hollow(shapes.cylinder(10, 40), shapes.cylinder(8, 50, (0, 0, -5))),
    "thin tube": lambda: hollow(shapes.cylinder(10, 40), shapes.cylinder(9.99, 50, (0, 0, -5))),
    "thin ball": lambda: hollow(
        BRepPrimAPI_MakeSphere(10.0).Shape(), BRepPrimAPI_MakeSphere(9.99).Shape()
    ),
    "void": lambda: hollow(shapes.box(20, 20, 20), shapes.box(4, 5, 6, (8, 8, 8))),
    "spline hill": lambda: shapes.hill()[0],
    "spline ring": lambda: shapes.ring()[0],
    "tilted boss": lambda: shapes.moved(shapes.tray()[0], (1, 2, 3), 0.7, 5.0),
    "wide bend": lambda: crossing.pipe([(0, 0), (30, 60), (60, 0)], 3.0),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_solids_are_not_refused(name: str) -> None:
    (solid,) = (TopoDS.Solid(s) for s in explore(SOUND[name](), TopAbs_SOLID))
    assert not is_folded(solid, None, SurfaceTable(outline_of(solid).surfaces), 50.0)
    (facts,) = facts_of_shape(solid)
    assert facts.volume.verdict == "measured"
    assert facts.valid


def test_only_where_it_could_be_are_lines_cast() -> None:
    """A drilled plate cannot cross itself; a tube's walls, one box in the other, could."""
    plate = shapes.tray()[0]
    assert not may_fold(outline_of(explore(plate, TopAbs_SOLID)[0]), 150.0)
    assert may_fold(outline_of(SOUND["tilted boss"]()), 150.0)
    tube = SOUND["tube"]()
    assert may_fold(outline_of(tube), 50.0)
    (facts,) = facts_of_shape(tube)
    assert facts.volume.value == pytest.approx(math.pi * 36 * 40, rel=1e-12)


@pytest.mark.skipif(not shapes.REAL.is_dir(), reason=f"no data in {shapes.REAL}")
def test_a_real_thread_is_not_refused() -> None:
    (read,) = read_step(str(shapes.REAL / "partcad_m3_screw.step")).solids
    table = SurfaceTable(outline_of(read.shape).surfaces)
    assert not is_folded(read.shape, None, table, 15.0)
