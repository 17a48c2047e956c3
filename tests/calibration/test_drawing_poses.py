"""Right deliveries of the drawings' cases: turned, mirrored, or off within their tolerances."""

from collections import Counter
from pathlib import Path

import pytest
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec

from gaugeblock.calibration.deliveries import played
from gaugeblock.calibration.proving_drawings import ASKEW
from gaugeblock.calibration.targets import find_targets
from gaugeblock.ruler.features.recognising import features_of_shape
from gaugeblock.ruler.reading import read_step
from gaugeblock.ruler.scoring import drawn, score
from gaugeblock.ruler.spectrum.tolerances import deviations
from gaugeblock.suites.drawings import rulebook

CASES = rulebook.FOLDER / "cases"
NAMES = sorted(path.parent.name for path in CASES.glob("*/reference.step"))
OBLIQUE = (
    ((1, 2, 3), 0.65, (40, -80, 20)),
    ((-3, 1, 2), 1.9, (-25, 50, 10)),
    ((0.2, -1, 0.7), 2.6, (60, 0, -30)),
    ((5, 4, -1), 0.31, (7, -14, 300)),
)
"""Axis, angle in rad, shift in mm."""
PLACES = {"id", "position", "axis", "direction"}
FACES = {"faces", "entry_faces", "exit_faces", "base_faces"}
"""A mirror image counts its faces otherwise; of a through hole either end is the entry."""
FITTED = {"residual"}
"""How well a thread's helix fits says something of the fit, in its last digits."""
HANDS = {"left": "right", "right": "left"}


def some(names, quick):
    """All names; those that are not `quick` only in long runs."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.long) for name in names]


def described(feature, *, mirrored=False):
    """What of a feature depends on no pose, lengths to five digits."""

    def plain(value):
        if isinstance(value, float):
            return float(f"{value:.5g}")
        if isinstance(value, dict):
            return tuple((key, plain(item)) for key, item in sorted(value.items()))
        if isinstance(value, list | tuple):
            return tuple(plain(item) for item in value)
        return HANDS.get(value, value) if mirrored and isinstance(value, str) else value

    data = feature.model_dump(exclude=PLACES | FACES | FITTED | {"findings"})
    return plain(data)


def described_all(shape, **how):
    return Counter(described(feature, **how) for feature in features_of_shape(shape))


@pytest.mark.parametrize(
    "name", some(NAMES, {"stepped-shaft", "hollow-shaft", "channel-bracket", "v-pulley"})
)
def test_features_of_a_reference_in_any_pose(name):
    (solid,) = read_step(str(CASES / name / "reference.step")).solids
    right = described_all(solid.shape)
    assert right
    for axis, angle, shift in OBLIQUE:
        turn, push = gp_Trsf(), gp_Trsf()
        turn.SetRotation(gp_Ax1(gp_Pnt(1, 2, 3), gp_Dir(*axis)), angle)
        push.SetTranslation(gp_Vec(*shift))
        there = BRepBuilderAPI_Transform(solid.shape, push.Multiplied(turn), True).Shape()
        assert described_all(there) == right
    mirror = gp_Trsf()
    mirror.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0)))
    image = BRepBuilderAPI_Transform(solid.shape, mirror, True).Shape()
    assert described_all(image, mirrored=True) == right


def test_a_longer_step_is_another_feature(workshop, tmp_path):
    """The descriptions above tell parts apart."""
    (target,) = find_targets(["drawings/stepped-shaft"])
    document = program(target).with_parameter("keyLength", 30)
    path = tmp_path / "shorter.step"
    path.write_bytes(workshop.build(document.program, document.parameters))
    (solid,) = read_step(str(path)).solids
    (right,) = read_step(str(CASES / "stepped-shaft" / "reference.step")).solids
    assert described_all(solid.shape) != described_all(right.shape)


def program(target):
    *_, (_, document) = played(target.suite, target.case, "reference")
    return document


def placed(folder: Path, name: str, data: bytes) -> Path:
    path = folder / f"{name}.step"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", some(NAMES, {"pillow-block", "dovetail-slide"}))
def test_a_turned_copy_is_drawn_to_the_ceiling(name, ruler, workshop, tmp_path):
    (target,) = find_targets([f"drawings/{name}"])
    task = target.case.drawing
    right = placed(tmp_path, "right", target.reference())
    turned = placed(tmp_path, "turned", workshop.turn(target.reference(), *ASKEW))
    overlap = ruler.compare(right, turned, wall_s=120)
    found = drawn(ruler, turned, overlap, task.dimensions, wall_s=120)
    assert found.match is not None, found.reason
    assert found.match.found == task.ceilings.drawn


PLAIN = ["bearing-block", "clamp", "clevis", "counterbored-cover", "hole-plate"]
SHARE = 0.4
"""Of the tolerance that every size is off by."""


def put_off(target, share):
    """Return the program with every printed parameter off by a share of its narrowest tolerance."""
    document, moved = program(target), 0
    for name, old in document.parameters.items():
        same = [d for d in target.case.drawing.dimensions if abs(d.value - old) < 1e-9]
        if not same:
            continue
        limits = [deviations(d, external=None, leg=None) for d in same]
        low, high = max(low for low, _ in limits), min(high for _, high in limits)
        new = old + 0.5 * (low + high) + share * 0.5 * (high - low)
        document, moved = document.with_parameter(name, new), moved + 1
    assert moved >= 8
    return document


@pytest.mark.parametrize("sign", [1, pytest.param(-1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", some(PLAIN, {"clamp", "hole-plate"}))
def test_a_part_within_its_tolerances_keeps_sizes_and_drawing(
    name, sign, ruler, workshop, tmp_path
):
    (target,) = find_targets([f"drawings/{name}"])
    task, document = target.case.drawing, put_off(target, sign * SHARE)
    right = placed(tmp_path, "right", target.reference())
    made = placed(tmp_path, "made", workshop.build(document.program, document.parameters))
    found = score(ruler, right, made, task.dimensions, wall_s=120)
    assert found.dimensions.found >= task.ceilings.measurable
    assert found.drawing.match is not None, found.drawing.reason
    assert found.drawing.match.found >= task.ceilings.drawn
    assert found.overlap.aligned.iou < 1 - 1e-4
    wrong = put_off(target, sign * 1.5)
    worse = placed(tmp_path, "wrong", workshop.build(wrong.program, wrong.parameters))
    off = score(ruler, right, worse, task.dimensions, wall_s=120)
    assert off.dimensions.found < task.ceilings.measurable
    assert off.drawing.match is None or off.drawing.match.found < task.ceilings.drawn
