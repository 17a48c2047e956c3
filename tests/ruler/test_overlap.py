"""Overlap of two files, through the real worker; truths are closed formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import overlap_shapes as pairs
import pytest
import ruler_shapes as shapes
from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere

from gaugeblock.records.overlap import Overlap
from gaugeblock.ruler import Ruler

Compare = Callable[..., Overlap]

TURN = ((1.0, 0.3, 0.7), 1.1, 7.0)
"""An axis, an angle in rad and a shift in mm without any symmetry."""


@pytest.fixture(scope="module")
def compare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compare]:
    folder = tmp_path_factory.mktemp("overlap")
    with Ruler() as ruler:

        def ask(a: Any, b: Any, **options: Any) -> Overlap:
            one = shapes.write_step(a, folder / "a.step")
            other = shapes.write_step(b, folder / "b.step")
            return ruler.compare(one, other, **options)

        yield ask


def posed(found: Overlap) -> float:
    assert found.verdict == "measured", found.reason
    assert found.posed is not None and found.posed.iou is not None
    return found.posed.iou


def aligned(found: Overlap) -> float:
    assert found.verdict == "measured", found.reason
    assert found.aligned is not None and found.aligned.iou is not None
    assert found.aligned.cross_checks.agree in (True, None)
    return found.aligned.iou


def test_tube_and_its_twin(compare: Compare) -> None:
    found = compare(pairs.tube(), shapes.moved(pairs.tube(), (0, 0, 1), 0.0, 0.0))
    assert posed(found) == aligned(found) == pytest.approx(1.0, abs=1e-9)


def test_tube_sliding_in_its_twin(compare: Compare) -> None:
    found = compare(pairs.tube(), pairs.shifted(pairs.tube(), z=4.0))
    assert posed(found) == pytest.approx(36 / 44, abs=1e-9)
    assert aligned(found) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("shift", [{"x": 0.3}, {"y": 0.3}, {"z": 0.3}])
def test_loft_shifted(compare: Compare, shift: dict[str, float]) -> None:
    """The kernel says 0 for x and 1 for y, and in y all its sums come out.

    Truths: lines (65,536 of them: 0.97487, 0.97323, 0.96121, each ± 5e-4), for z the booleans.
    """
    found = compare(pairs.loft(), pairs.shifted(pairs.loft(), **shift))
    truth = {"x": 0.974797, "y": 0.9732, "z": 0.961133}[next(iter(shift))]
    assert posed(found) == pytest.approx(truth, abs=3e-4)
    assert aligned(found) == pytest.approx(1.0, abs=1e-9)
    assert found.alignment is not None
    assert found.alignment.shift_mm == pytest.approx(0.3, abs=1e-3)


def test_touching(compare: Compare) -> None:
    found = compare(shapes.box(10, 10, 10), shapes.box(10, 10, 10, (10, 0, 0)))
    assert posed(found) == 0.0
    assert aligned(found) == pytest.approx(1.0, abs=1e-9)


def test_nested_boxes(compare: Compare) -> None:
    found = compare(shapes.box(10, 10, 10), shapes.box(5, 5, 5, (1, 1, 1)))
    assert posed(found) == pytest.approx(0.125, abs=1e-12)
    assert aligned(found) == pytest.approx(0.125, abs=1e-12)
    assert found.volumes is not None
    assert found.volumes.common.value == pytest.approx(125)
    assert found.volumes.only_a.value == pytest.approx(875)
    assert found.volumes.only_b.value == pytest.approx(0, abs=1e-9)


def test_without_alignment(compare: Compare) -> None:
    found = compare(shapes.box(10, 10, 10), shapes.box(10, 10, 10, (5, 0, 0)), align=False)
    assert posed(found) == pytest.approx(1 / 3, abs=1e-12)
    assert found.aligned is None
    assert found.alignment is None


def test_disjoint(compare: Compare) -> None:
    found = compare(pairs.chiral(), pairs.shifted(pairs.chiral(), x=100.0))
    assert posed(found) == 0.0
    assert found.posed is not None and found.posed.method == "apart"
    assert aligned(found) == pytest.approx(1.0, abs=1e-9)


SYMMETRIC = {
    "cube": lambda: shapes.box(20, 20, 20),
    "cylinder": lambda: shapes.cylinder(10, 20),
    "hexagonal prism": lambda: pairs.prism(6, 10, 12),
    "pentagonal prism": lambda: pairs.prism(5, 10, 40),
    "sphere": lambda: BRepPrimAPI_MakeSphere(10.0).Shape(),
    "bored sphere": pairs.ball,
    "cube with one notch": lambda: shapes.cut(shapes.box(20, 20, 20), shapes.box(1, 2, 3)),
    "cylinder with a keyway": lambda: shapes.cut(
        shapes.cylinder(10, 20), shapes.box(2, 2, 20, (9, -1, 0))
    ),
    "hill": lambda: shapes.hill()[0],
    "spline ring": lambda: shapes.ring()[0],
    "tray": lambda: shapes.tray()[0],
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_turned_parts_of_degenerate_inertia(compare: Compare, name: str) -> None:
    part = SYMMETRIC[name]()
    found = compare(part, shapes.moved(part, *TURN))
    assert aligned(found) == pytest.approx(1.0, abs=1e-6)
    assert posed(found) < 0.9
    assert found.mirrored is not None and found.mirrored.better is False
    assert found.alignment is not None
    if name in ("cube", "hexagonal prism", "cylinder", "sphere", "bored sphere"):
        assert found.alignment.ambiguous
    if name == "cube with one notch":
        assert not found.alignment.ambiguous


def test_mirror_image(compare: Compare) -> None:
    found = compare(pairs.chiral(), shapes.mirrored(pairs.chiral()))
    assert aligned(found) < 0.95
    assert found.mirrored is not None
    assert found.mirrored.better is True
    assert found.mirrored.iou_mirrored == pytest.approx(1.0, abs=1e-6)
    assert "mirrored" in {finding.code for finding in found.findings}


@pytest.mark.parametrize(
    ("factor", "unit"), [(25.4, "inch↔mm 25.4"), (1000.0, "m↔mm 1000"), (0.1, "cm↔mm 10")]
)
def test_wrong_unit(compare: Compare, factor: float, unit: str) -> None:
    found = compare(pairs.chiral(), shapes.scaled(pairs.chiral(), factor))
    assert found.scale is not None
    assert found.scale.unit == unit
    assert found.scale.factor == pytest.approx(factor, rel=1e-9)
    assert found.scale.iou_rescaled == pytest.approx(1.0, abs=1e-5)
    assert aligned(found) < 0.01


def test_no_unit_error_in_an_edited_part(compare: Compare) -> None:
    edited = shapes.cut(pairs.chiral(), shapes.cylinder(2, 10, (18, 10, 0)))
    found = compare(pairs.chiral(), shapes.moved(edited, *TURN))
    assert found.scale is not None and found.scale.unit is None
    volume = 30 * 20 * 10 - 800 - 120 - 3 * 20 * 3 + 3 * 5 * 0
    whole = found.volumes
    assert whole is not None and whole.a.value is not None
    assert whole.a.value == pytest.approx(volume, abs=1e-6)
    assert aligned(found) == pytest.approx(1 - math.pi * 4 * 10 / volume, abs=1e-6)
    assert found.aligned is not None and found.aligned.method == "exact"


def test_overlapping_solids_fill_their_space_once(compare: Compare) -> None:
    two = shapes.compound(shapes.box(10, 10, 10), shapes.box(10, 10, 10, (5, 0, 0)))
    found = compare(two, shapes.box(15, 10, 10))
    assert posed(found) == pytest.approx(1.0, abs=1e-9)
    assert found.volumes is not None
    assert found.volumes.a.value == pytest.approx(1500)
    assert "interference" in {finding.code for finding in found.findings}


def test_nested_compound(compare: Compare) -> None:
    nested = shapes.compound(shapes.compound(shapes.compound(shapes.box(10, 10, 10))))
    assert posed(compare(nested, shapes.box(10, 10, 10))) == pytest.approx(1.0, abs=1e-9)


def test_swapped_arguments(compare: Compare) -> None:
    a, b = pairs.chiral(), shapes.moved(shapes.box(25, 20, 10), (0, 0, 1), 0.2, 1.0)
    one, other = compare(a, b), compare(b, a)
    assert posed(one) == pytest.approx(posed(other), abs=1e-9)
    assert aligned(one) == pytest.approx(aligned(other), abs=2e-3)


def test_same_file(tmp_path: Path) -> None:
    path = shapes.write_step(pairs.chiral(), tmp_path / "a.step")
    with Ruler() as ruler:
        found = ruler.compare(path, path)
        assert Overlap.model_validate_json(found.model_dump_json()) == found
    assert posed(found) == aligned(found) == pytest.approx(1.0, abs=1e-9)
    assert found.posed is not None and found.posed.method == "identical"
