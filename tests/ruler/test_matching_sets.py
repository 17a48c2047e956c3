"""Whole sets of features: assignment, order, pose, score, and what cannot be said."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from made_features import (
    DIAGONAL,
    fates,
    feature_set,
    held,
    hole,
    motion_of,
    moved_rigidly,
    one_of_each,
)
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from scipy.spatial.transform import Rotation

from gaugeblock.ruler.matching import tolerances
from gaugeblock.ruler.matching.match import match
from gaugeblock.ruler.matching.tolerances import FINE, RIGHT


def test_a_pattern_that_moved_is_one_line():
    places = [(10 * i, 15 * j, 5) for i in range(4) for j in range(3)]
    old = [hole(at, 5.0) for at in places]
    new = [hole((x, y + 0.2, z), 5.0) for x, y, z in places]
    found = held(old, new)
    assert fates(found) == {"moved": 12}
    assert found.differences == [
        "12 holes ⌀5 through at (0, 0, 5), (0, 15, 5), (0, 30, 5) and 9 more: moved 0.2 mm along +y"
    ]


def test_a_pattern_that_moved_far_is_paired_in_order():
    old = [hole((0, 0, 5)), hole((10, 0, 5))]
    new = [hole((9, 0, 5)), hole((19, 0, 5))]
    found = held(old, new)
    assert [outcome.shift for outcome in found.outcomes] == [pytest.approx((9, 0, 0))] * 2


def test_what_stayed_in_place_is_paired_before_what_is_near():
    old = [hole((0, 0, 5)), hole((40, 0, 5))]
    new = [hole((0, 0, 5), diameter=9.0), hole((5, 0, 5)), hole((40, 0, 5))]
    found = held(old, new)
    assert fates(found) == {"changed": 1, "extra": 1, "matched": 1}
    assert found.semantic_match == pytest.approx(1 / 3)


def mixed(seed: int, count: int = 14) -> list:
    """Holes of two sizes on a coarse grid, some blind: many near each other, some twice."""
    random.seed(seed)
    out = []
    for number in range(count):
        at = (0.06 * random.randrange(6), 0.06 * random.randrange(6), 5.0)
        feature = hole(at, random.choice((2.0, 2.05)), through=random.random() < 0.7)
        out.append(feature.model_copy(update={"id": f"hole-{number}"}))
    return out


@pytest.mark.parametrize("seed", range(12))
def test_as_many_are_right_as_can_be(seed):
    old, new = mixed(seed), mixed(seed + 100)
    able = csr_matrix([[only_right(a, b) for b in new] for a in old])
    most = int((maximum_bipartite_matching(able) >= 0).sum())
    found = held(old, new)
    assert fates(found).get("matched", 0) == most
    assert found.semantic_match == pytest.approx(most / 14)
    used = [outcome.candidate for outcome in found.outcomes if outcome.candidate]
    assert len(used) == len(set(used)) == 14 - fates(found).get("missing", 0)


def only_right(a, b) -> bool:
    """The definition by hand, for `mixed`."""
    near = math.hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]) <= 0.1
    return a.through == b.through and near and abs(a.diameter - b.diameter) <= 0.1


@pytest.mark.parametrize("seed", range(6))
def test_neither_order_nor_names_matter(seed):
    old, new = mixed(seed), [*mixed(seed + 50, 9), *one_of_each()]
    first = held(old, new)
    random.seed(seed)
    shuffled = [random.sample(side, len(side)) for side in (old, new)]
    again = held(*shuffled)
    assert [o.text for o in again.outcomes] == [o.text for o in first.outcomes]
    assert again.semantic_match == first.semantic_match
    assert again.differences == first.differences


@pytest.mark.parametrize("seed", range(6))
def test_the_pose_of_the_candidate_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    turn, shift = Rotation.random(rng=rng).as_matrix(), rng.uniform(-500, 500, 3)
    old = one_of_each()
    new = [*one_of_each()[1:], hole((10.5, 20, 5)), hole((0, 0, 5), 3.0)]
    still = held(old, new)
    assert fates(still) == {"matched": 10, "moved": 1, "extra": 1}
    delivered = [moved_rigidly(feature, turn, shift) for feature in new]
    found = held(old, delivered, motion=motion_of(turn, shift))
    assert [o.outcome for o in found.outcomes] == [o.outcome for o in still.outcomes]
    assert found.semantic_match == still.semantic_match
    for one, other in zip(found.outcomes, still.outcomes, strict=True):
        assert one.position == pytest.approx(other.position, abs=1e-9)
        if other.shift is not None:
            assert one.shift == pytest.approx(other.shift, abs=1e-9)
    assert held(old, delivered).semantic_match < 0.2


def test_swapped_sides_give_the_same_score():
    old, new = one_of_each(), [*one_of_each()[2:], hole((0, 0, 5), 3.0)]
    one, other = held(old, new), held(new, old)
    assert one.semantic_match == other.semantic_match
    assert fates(one)["missing"] == fates(other)["extra"] == 2


def test_the_score_is_the_worse_of_precision_and_recall():
    holes = [hole((10 * i, 0, 5)) for i in range(10)]
    assert held(holes, holes[:9]).semantic_match == pytest.approx(0.9)
    assert held(holes[:9], holes).semantic_match == pytest.approx(0.9)
    assert held(holes, [*holes, *(hole((10 * i, 30, 5)) for i in range(10))]).semantic_match == 0.5


def test_nothing_to_match():
    found = held([], [])
    assert found.state == "no-features"
    assert found.semantic_match is None
    assert found.reason
    assert held([], [hole()]).semantic_match == 0.0
    assert held([hole()], []).semantic_match == 0.0


@pytest.mark.parametrize("side", [0, 1])
def test_refused_faces_leave_the_score_open(side):
    sets = [feature_set(hole()), feature_set(hole())]
    sets[side] = feature_set(hole(), refused=("face 7 may be a fillet",))
    found = match(*sets, None, diagonal=DIAGONAL)
    assert found.state == "could-not-measure"
    assert found.semantic_match is None
    assert found.recognised_match == 1.0
    assert "face 7 may be a fillet" in found.reason
    assert fates(found) == {"matched": 1}


@pytest.mark.parametrize("side", [0, 1])
def test_a_file_that_was_not_measured_gives_no_account(side):
    sets = [feature_set(hole()), feature_set(hole())]
    sets[side] = feature_set(reason="not a STEP file")
    found = match(*sets, None, diagonal=DIAGONAL)
    assert (found.state, found.semantic_match) == ("could-not-measure", None)
    assert ("the reference", "the candidate")[side] + ": not a STEP file" in found.reason
    assert found.outcomes == []


def test_other_poses_are_told_where_something_differs():
    still = motion_of(np.eye(3), np.zeros(3), ties=3)
    told = held([hole()], [hole((10.5, 20, 5))], motion=still)
    assert [finding.code for finding in told.findings] == ["ambiguous-pose"]
    assert held([hole()], [hole()], motion=still).findings == []


def test_too_many_is_told(monkeypatch):
    holes = [hole((i, 0, 5)) for i in range(5)]
    monkeypatch.setattr("gaugeblock.ruler.matching.assigning.MOST", 4)
    found = held(holes, holes)
    assert (found.state, found.semantic_match) == ("could-not-measure", None)
    assert "more than 4" in found.reason
    monkeypatch.setattr("gaugeblock.ruler.matching.assigning.MOST", 10)
    monkeypatch.setattr("gaugeblock.ruler.matching.assigning.RESIDUE", 4)
    assert held(holes, holes).semantic_match == 1.0
    assert held(holes, [hole((i, 3, 5)) for i in range(5)]).semantic_match is None


def test_a_thousand_holes_are_compared():
    holes = [hole((10.0 * i, 10.0 * j, 5)) for i in range(40) for j in range(25)]
    found = held(holes, holes[1:], diagonal=500)
    assert fates(found) == {"matched": 999, "missing": 1}


def test_fine_is_finer_than_right():
    for name in ("position", "axis", "size", "size_part", "angle", "pitch"):
        assert getattr(FINE, name) < getattr(RIGHT, name)
    assert 0 < tolerances.MOVED_PART < 1
