"""Matching of features: every fate and every tolerance, feature by feature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from made_features import (
    boss,
    chamfer,
    fates,
    fillet,
    groove,
    held,
    hole,
    one_of_each,
    only,
    seen_from_the_other_end,
    slot,
    thread,
)
from scipy.spatial.transform import Rotation

from gaugeblock.ruler.matching.tolerances import FINE, RIGHT


@pytest.mark.parametrize("limits", [RIGHT, FINE])
def test_a_part_has_its_own_features(limits):
    found = held(one_of_each(), one_of_each(), limits)
    assert found.semantic_match == 1.0
    assert fates(found) == {"matched": len(one_of_each())}
    assert found.differences == []
    for outcome in found.outcomes:
        assert outcome.reference == outcome.candidate
        assert outcome.shift_mm == 0.0


@pytest.mark.parametrize("number", range(len(one_of_each())))
def test_each_feature_can_be_missing_or_extra(number):
    features = one_of_each()
    without = features[:number] + features[number + 1 :]
    count = len(features)
    gone = held(features, without)
    assert fates(gone) == {"missing": 1, "matched": count - 1}
    assert gone.semantic_match == pytest.approx((count - 1) / count)
    assert gone.outcomes[0].reference == features[number].id
    assert gone.outcomes[0].candidate is None
    added = held(without, features)
    assert fates(added) == {"extra": 1, "matched": count - 1}
    assert added.semantic_match == pytest.approx((count - 1) / count)
    assert added.kinds[features[number].kind].extra == 1


@pytest.mark.parametrize("number", range(len(one_of_each())))
@pytest.mark.parametrize(("by", "fate"), [(0.09, "matched"), (0.11, "moved"), (2.0, "moved")])
def test_each_feature_must_be_in_its_place(number, by, fate):
    features = one_of_each()
    old = features[number]
    # Across its line: y, but for those along x or along z, whose y is across as well.
    x, y, z = old.position
    features[number] = old.model_copy(update={"position": (x, y + by, z)})
    found = held(one_of_each(), features)
    if fate == "matched":
        assert found.semantic_match == 1.0
        return
    assert fates(found) == {"moved": 1, "matched": len(features) - 1}
    outcome = found.outcomes[0]
    assert outcome.reference == old.id
    assert outcome.shift == pytest.approx((0, by, 0))
    assert outcome.text.endswith(f"moved {by:g} mm along +y")


@pytest.mark.parametrize("number", range(len(one_of_each())))
@pytest.mark.parametrize(("angle", "fate"), [(0.4, "matched"), (0.6, "moved")])
def test_each_feature_must_point_the_right_way(number, angle, fate):
    features = one_of_each()
    old = features[number]
    turn = Rotation.from_euler("y" if abs(old.axis[2]) > 0.5 else "z", angle, degrees=True)
    new = old.model_copy(update={"axis": tuple(turn.apply(old.axis).tolist())})
    if getattr(old, "through", False) and old.kind == "hole":  # about its middle, not its entry
        middle = np.array(old.position) + old.depth / 2 * np.array(old.axis)
        entry = middle - old.depth / 2 * np.array(new.axis)
        new = new.model_copy(update={"position": tuple(entry.tolist())})
    features[number] = new
    found = held(one_of_each(), features)
    assert fates(found).get("moved", 0) == (fate == "moved")
    if fate == "moved":
        assert found.outcomes[0].turn_deg == pytest.approx(angle)
        assert found.outcomes[0].text.endswith("turned by 0.6°")


@pytest.mark.parametrize(
    ("old", "new", "parameter", "words"),
    [
        (hole(), hole(diameter=8.11), "diameter", "diameter 8 → 8.11 mm"),
        (hole(diameter=0.5), hole(diameter=0.53), "diameter", "diameter 0.5 → 0.53 mm"),
        (
            hole(through=False),
            hole(through=False, depth=5.2),
            "depth",
            "depth 5 → 5.2 mm",
        ),
        (
            hole(counterbore=(11, 2)),
            hole(counterbore=(11, 3)),
            "counterbore depth",
            "counterbore depth 2 → 3 mm",
        ),
        (
            hole(),
            hole(counterbore=(11, 2)),
            "counterbore diameter",
            "gained a counterbore ⌀11 × 2",
        ),
        (
            hole(countersink=(12, 90)),
            hole(),
            "countersink diameter",
            "lost a countersink ⌀12 × 90°",
        ),
        (
            hole(countersink=(12, 90)),
            hole(countersink=(12, 82)),
            "countersink angle",
            "countersink angle 90 → 82°",
        ),
        (hole(), hole(through=False), "end", "end through → blind, bottom open → flat"),
        (boss(), boss(diameter=22), "diameter", "diameter 20 → 22 mm"),
        (slot(), slot(ends="square"), "ends", "ends round → square"),
        (slot(), slot(kind="keyway"), "kind", "kind slot → keyway"),
        (
            slot(),
            slot(direction=(math.cos(0.1), math.sin(0.1), 0)),
            "direction of its length",
            "direction of its length as drawn → turned by 5.73°",
        ),
        (groove(), groove(width=2.2), "width", "width 2 → 2.2 mm"),
        (chamfer(), chamfer(leg=2.5), "smaller leg", "smaller leg 2 → 2.5 mm, larger leg 2"),
        (fillet(), fillet(radius=4), "radius", "radius 3 → 4 mm"),
        (fillet(), fillet(length=30), "length", "length 60 → 30 mm"),
        (thread(), thread(hand="left"), "hand", "hand right → left"),
        (thread(), thread(pitch=1.27, lead=1.27), "pitch", "pitch 1.25 → 1.27 mm"),
    ],
)
def test_what_changed_is_named(old, new, parameter, words):
    outcome = only(old, new)
    assert outcome.outcome == "changed"
    assert parameter in {change.parameter for change in outcome.changes}
    assert words in outcome.text
    back = only(new, old)
    assert {change.parameter for change in back.changes} == {c.parameter for c in outcome.changes}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (hole(), hole(diameter=8.09)),
        (hole(diameter=0.5), hole(diameter=0.52)),
        (slot(length=6, width=6), slot(length=6, width=6, direction=(0, 1, 0))),
        (slot(), slot(direction=(-1, 0, 0))),
        (groove(), groove(axis=(0, 0, -1))),
        (thread(), thread(pitch=1.255, lead=1.255)),
        (thread(), thread(pitch_diameter=None, flank_angle=None, volume_ratio=0.9)),
        (fillet(), fillet(length=57)),
    ],
)
def test_what_does_not_matter(old, new):
    assert only(old, new).outcome == "matched"
    assert only(new, old).outcome == "matched"


def test_either_end_of_a_through_hole_may_be_its_entry():
    for feature in (hole(), hole(counterbore=(11, 2)), hole(countersink=(12, 90))):
        assert only(feature, seen_from_the_other_end(feature)).outcome == "matched"
        assert only(feature, seen_from_the_other_end(feature), FINE).outcome == "matched"


def test_a_blind_hole_from_the_other_side_is_another():
    one = hole(through=False)
    other = hole((10, 20, 0), through=False, axis=(0, 0, 1))
    assert fates(held([one], [other])) == {"missing": 1, "extra": 1}


def test_a_counterbore_on_the_wrong_side_is_wrong():
    right = hole(counterbore=(11, 2))
    wrong = hole((10, 20, 0), axis=(0, 0, 1), counterbore=(11, 2))
    for candidate in (wrong, seen_from_the_other_end(wrong)):
        outcome = only(right, candidate)
        assert outcome.outcome == "changed"
        assert "gained a far counterbore" in outcome.text
        assert "lost a counterbore" in outcome.text


def test_a_thicker_plate_does_not_make_its_through_holes_wrong():
    thin, thick = hole(), hole((10, 20, 7), depth=7.0)
    assert only(thin, thick).outcome == "matched"
    told = only(thin, thick, FINE)
    assert told.text == "hole ⌀8 through at (10, 20, 5): depth 5 → 7 mm"
    blind = only(hole(through=False), hole((10, 20, 7), through=False))
    assert blind.outcome == "moved"


def test_the_other_wall_of_a_fork_is_another_place():
    near, far = hole((10, 20, 40), depth=10.0), hole((10, 20, 10), depth=10.0)
    assert fates(held([near], [far], diagonal=200)) == {"moved": 1}
    both = hole((10, 20, 40), depth=40.0)
    assert only(near, both).outcome == "changed"


def test_far_off_and_of_another_size_is_no_change():
    found = held([hole()], [hole((30, 20, 5), diameter=12)])
    assert fates(found) == {"missing": 1, "extra": 1}
    assert found.semantic_match == 0.0
    assert fates(held([hole()], [hole((14, 20, 5), diameter=12)])) == {"changed": 1}


def test_how_far_a_feature_may_have_moved_depends_on_the_part():
    pair = [hole()], [hole((50, 20, 5))]
    assert fates(held(*pair, diagonal=200)) == {"moved": 1}
    assert fates(held(*pair, diagonal=120)) == {"missing": 1, "extra": 1}


def test_other_kinds_never_answer_each_other():
    for old, new in (
        (hole(), boss((10, 20, 5))),
        (groove(), groove(where="internal")),
        (fillet(), fillet(side="concave")),
        (thread(), thread(internal=True)),
    ):
        assert fates(held([old], [new])) == {"missing": 1, "extra": 1}


def test_the_middle_of_an_edge_that_moves_with_its_radius_is_no_news():
    # The middle of a fillet's face lies R (√2 − 1) from the edge, at 45° in.
    old, new = (fillet((0, -30 + r * 0.2929, 10 - r * 0.2929), radius=r) for r in (3.0, 6.0))
    outcome = only(old, new)
    assert outcome.outcome == "changed"
    assert outcome.text.endswith("radius 3 → 6 mm")
    assert outcome.shift_mm == pytest.approx(3 * 0.2929 * math.sqrt(2))
