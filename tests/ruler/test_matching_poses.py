"""From two files to the account: the pose is the overlap's, also where many poses almost fit."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import ruler_shapes as shapes

from gaugeblock.records.feature_match import FeatureMatch
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.matching.match import match
from gaugeblock.ruler.matching.tolerances import FINE, RIGHT

SIDE, THICK = 80.0, 10.0
CORNERS = [(x, y) for x in (15, 65) for y in (15, 65)]


def square_plate(mark: tuple[float, float] | None, *, corners: int = 4, diameter: float = 8.0):
    """A plate with a hole in each corner, four times the same but for a mark of 2 mm."""
    tools = [shapes.cylinder(diameter / 2, 30, (x, y, -5)) for x, y in CORNERS[:corners]]
    if mark is not None:
        tools.append(shapes.cylinder(1, 30, (*mark, -5)))
    return shapes.cut(shapes.box(SIDE, SIDE, THICK), *tools)


def account(ruler: Ruler, folder: Path, one, other, limits=RIGHT) -> FeatureMatch:
    paths = [
        shapes.write_step(shape, folder / f"{name}.step")
        for name, shape in (("reference", one), ("candidate", other))
    ]
    overlap = ruler.compare(*paths)
    assert overlap.alignment is not None
    reference, candidate = (ruler.features(path) for path in paths)
    diagonal = math.hypot(SIDE, SIDE, THICK)
    return match(reference, candidate, overlap.alignment, limits, diagonal=diagonal)


@pytest.mark.parametrize("quarter", [1, 2, 3])
def test_a_mark_decides_how_a_symmetric_plate_lies(ruler, tmp_path, quarter):
    plate = square_plate((40, 60))
    turned = shapes.moved(plate, (0, 0, 1), quarter * math.pi / 2, 7.0)
    found = account(ruler, tmp_path, plate, turned, FINE)
    assert found.semantic_match == 1.0, found.differences
    assert found.findings == []


def test_a_plate_on_its_back_has_its_through_holes(ruler, tmp_path):
    plate = square_plate((40, 60))
    back = shapes.moved(plate, (1, 0, 0), math.pi, 3.0)
    assert account(ruler, tmp_path, plate, back, FINE).semantic_match == 1.0


def test_what_is_wrong_is_told_in_any_pose(ruler, tmp_path):
    reference = square_plate((40, 60))
    wrong = shapes.moved(square_plate((40, 60), corners=3), (1, 2, 3), 0.7, 20.0)
    found = account(ruler, tmp_path, reference, wrong)
    assert found.semantic_match == pytest.approx(4 / 5)
    assert len(found.differences) == 1
    assert found.differences[0].startswith("hole ⌀8 through at (65, 65, ")
    assert found.differences[0].endswith("only in the reference")


def test_a_mirror_image_has_its_features_in_the_wrong_places(ruler, tmp_path):
    # Two marks of different size off every plane of symmetry: no turn lays both where they belong.
    chiral = shapes.cut(square_plate((40, 60)), shapes.cylinder(2, 6, (22, 40, 6)))
    found = account(ruler, tmp_path, chiral, shapes.mirrored(chiral))
    assert found.semantic_match is not None
    assert found.semantic_match < 1.0
    assert found.differences


def test_without_the_mark_all_poses_are_as_good(ruler, tmp_path):
    plate = square_plate(None)
    turned = shapes.moved(plate, (0, 0, 1), math.pi / 2, 7.0)
    found = account(ruler, tmp_path, plate, turned, FINE)
    assert found.semantic_match == 1.0
    smaller = account(ruler, tmp_path, plate, square_plate(None, diameter=7.8))
    assert smaller.semantic_match == 0.0
    assert [outcome.outcome for outcome in smaller.outcomes] == ["changed"] * 4
    assert [finding.code for finding in smaller.findings] == ["ambiguous-pose"]
