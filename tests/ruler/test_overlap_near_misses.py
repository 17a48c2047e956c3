"""Parts whose best pose or mirror image is nearly missed: thin, slender, almost symmetric."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import overlap_shapes as pairs
import pytest
import ruler_shapes as shapes
from OCP.BRepAlgoAPI import BRepAlgoAPI_Fuse

from gaugeblock.records.overlap import Overlap
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.overlap.body import REST, Motion
from gaugeblock.ruler.overlap.casting import CLOSELY, cast_iou
from gaugeblock.ruler.overlap.cues import look
from gaugeblock.ruler.overlap.searching import scores

Compare = Callable[[Any, Any], Overlap]

TURN = ((1.0, 0.3, 0.7), 1.1, 7.0)
"""An axis, an angle in rad and a shift in mm without any symmetry."""


@pytest.fixture(scope="module")
def compare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compare]:
    folder = tmp_path_factory.mktemp("near")
    with Ruler() as ruler:

        def ask(a: Any, b: Any) -> Overlap:
            one = shapes.write_step(a, folder / "a.step")
            return ruler.compare(one, shapes.write_step(b, folder / "b.step"))

        yield ask


def aligned(found: Overlap) -> float:
    assert found.verdict == "measured", found.reason
    assert found.aligned is not None and found.aligned.iou is not None
    return found.aligned.iou


def sheet(x: float, y: float, step: float, radius: float) -> Any:
    """100 × 100 × 0.5 mm, its right half thinner by `step`, with one hole."""
    return shapes.cut(
        shapes.box(100, 100, 0.5, (-50, -50, 0)),
        shapes.box(60, 120, 1, (0, -60, 0.5 - step)),
        shapes.cylinder(radius, 5, (x, y, -2)),
    )


@pytest.mark.parametrize(("step", "radius"), [(0.01, 7.0), (0.02, 10.0)])
@pytest.mark.parametrize("turned", [False, True])
def test_little_distance_but_much_volume(
    compare: Compare, step: float, radius: float, turned: bool
) -> None:
    """As posed only the hole is elsewhere; turned by 180° only a shallow step is on the other side.

    Skin from skin the first pose is ten times nearer: a hole in a thin plate has little wall. By
    volume the second is better: thickness 0.5 − step over thickness 0.5, whatever the hole.
    """
    b = sheet(25, 20, step, radius)
    found = compare(sheet(-25, -20, step, radius), shapes.moved(b, *TURN) if turned else b)
    assert aligned(found) == pytest.approx((0.5 - step) / 0.5, abs=2e-4)
    # The sheet's mirror image across its length fits as well, and no better.
    assert found.mirrored is not None and found.mirrored.better is not True


def bent(shift: float = 0.0) -> Any:
    """Sheet metal of 1 mm with three unlike flanges and three holes; it has a hand."""
    shape = shapes.box(100, 80, 1)
    flanges = (
        shapes.box(1, 80, 60),
        shapes.box(100, 1, 35, (0, 79, 0)),
        shapes.box(1, 50, 25, (99, 0, -25)),
    )
    for flange in flanges:
        shape = BRepAlgoAPI_Fuse(shape, flange).Shape()
    return shapes.cut(
        shape,
        shapes.cylinder(4, 20, (30 + shift, 20, -5)),
        shapes.cylinder(3, 20, (70, 55, -5)),
        shapes.box(6, 6, 20, (50, 30, -5)),
    )


def rod() -> Any:
    """Slender, with three shallow flats at 0°, 90° and 180° along it; it has a hand."""
    return shapes.cut(
        shapes.cylinder(1, 200),
        shapes.box(4, 4, 3, (0.7, -2, 10)),
        shapes.box(4, 4, 5, (-2, 0.7, 60)),
        shapes.box(4, 1.2, 2, (-4.85, -0.2, 120)),
    )


def notched() -> Any:
    """A cube with one corner notched by 1 × 2 × 3 mm: the notch alone has a hand."""
    return shapes.cut(shapes.box(20, 20, 20), shapes.box(1, 2, 3))


HANDED = {"bent sheet": bent, "rod": rod, "notched cube": notched}


@pytest.mark.parametrize("name", HANDED)
def test_equal_and_turned(compare: Compare, name: str) -> None:
    part = HANDED[name]()
    found = compare(part, shapes.moved(part, *TURN))
    assert aligned(found) == pytest.approx(1.0, abs=1e-9)
    assert found.mirrored is not None and found.mirrored.better is False
    assert found.alignment is not None and not found.alignment.ambiguous


@pytest.mark.parametrize("name", HANDED)
def test_the_mirror_image_is_told(compare: Compare, name: str) -> None:
    part = HANDED[name]()
    found = compare(part, shapes.moved(shapes.mirrored(part), *TURN))
    assert aligned(found) < 1 - 1e-5
    assert found.mirrored is not None
    assert found.mirrored.better is True
    assert found.mirrored.iou_mirrored == pytest.approx(1.0, abs=1e-6)


def test_a_hole_moved_in_sheet_metal(compare: Compare) -> None:
    """Of 4096 lines hardly one meets the two slivers: that must not count against the booleans."""
    found = compare(bent(), shapes.moved(bent(3.0), *TURN))
    volume = found.volumes
    assert volume is not None and volume.a.value is not None
    # Two circles of radius 4 mm at 3 mm: each less their lens (2 r² acos(d/2r) − d/2 √(4r² − d²)).
    lens = 32 * np.arccos(3 / 8) - 1.5 * np.sqrt(64 - 9)
    sliver = np.pi * 16 - lens
    common = volume.a.value - sliver
    assert aligned(found) == pytest.approx(common / (common + 2 * sliver), abs=1e-5)
    assert found.aligned is not None and found.aligned.method == "exact"


def test_more_lines_also_count_what_they_may_miss() -> None:
    """The true IoU lies within the error of the closer look, and that error is no accident's."""
    a = pairs.body_of(shapes.cut(shapes.box(100, 100, 1), shapes.cylinder(2, 5, (30, 30, -1))))
    b = pairs.body_of(shapes.cut(shapes.box(100, 100, 1), shapes.cylinder(2, 5, (60, 70, -1))))
    hole = np.pi * 4
    truth = (1e4 - 2 * hole) / 1e4
    closely = cast_iou(a, b, REST, CLOSELY)
    assert closely.iou is not None and closely.error is not None
    assert abs(closely.iou - truth) < closely.error < 0.01


@pytest.mark.parametrize("thickness", [2.0, 0.5])
def test_scores_of_equal_thin_parts(thickness: float) -> None:
    """Cells are wider than the wall: where they lie must not matter."""
    inner = (100 - 2 * thickness, 80 - 2 * thickness, 60.0)
    part = shapes.cut(
        shapes.box(100, 80, 60),
        shapes.box(*inner, (thickness, thickness, thickness)),
        shapes.cylinder(5, 20, (20, 20, -5)),
    )
    cues = look(pairs.body_of(part))
    pushed = look(pairs.body_of(pairs.shifted(part, 0.37, 0.21, 0.43)))
    push = Motion(np.eye(3), np.array([0.37, 0.21, 0.43]))
    away = Motion(np.eye(3), np.array([0.37 + 2 * thickness, 0.21, 0.43]))
    same, other = scores(cues, pushed, [push, away])
    assert same == pytest.approx(1.0, abs=0.03)
    assert other < same - 0.1
