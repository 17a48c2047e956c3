"""The recogniser on parts whose features are known: the level reached, every miss by name."""

from __future__ import annotations

import pytest

from gaugeblock.calibration.feature_parts import PARTS, drawn_by_lot
from gaugeblock.calibration.feature_parts.asking import ask
from gaugeblock.calibration.feature_parts.scoring import (
    Answer,
    Claim,
    claim_of,
    compared,
    fits,
    is_corner,
    proved,
    table,
)

KNOWN_MISSES: set[str] = set()
"""What the recogniser gets wrong on these parts, in the words of `Score.misses`. A line that is no
longer true must go."""


@pytest.fixture(scope="module")
def parts():
    return [make() for make in PARTS]


@pytest.fixture(scope="module")
def answers(parts):
    return [ask(part) for part in parts]


def test_there_are_enough_parts_of_every_kind(parts):
    assert len({part.name for part in parts}) == len(parts) >= 25
    kinds = [feature.kind for part in parts for feature in part.features]
    for kind in ("boss", "slot", "pocket", "breakthrough", "groove", "chamfer", "fillet", "thread"):
        assert kinds.count(kind) >= 3, kind
    assert kinds.count("hole") >= 25
    assert sum(not part.features for part in parts) >= 3


def test_every_body_is_sound(parts):
    for part in parts:
        assert part.body.is_valid, part.name
        assert part.body.volume > 0, part.name


def test_the_level_reached(answers):
    score = proved(answers)
    assert set(score.misses) == KNOWN_MISSES, "\n".join(score.misses)


@pytest.mark.parametrize("make", [drawn_by_lot.plate, drawn_by_lot.shaft])
@pytest.mark.parametrize("seed", range(5))
def test_parts_drawn_by_lot_are_read_without_a_miss(make, seed):
    part = make(seed)
    assert part.body.is_valid
    assert part.features
    score = proved([ask(part)])
    assert score.misses == []
    assert all(one.exact == one.expected == one.claimed for one in score.kinds.values())


def test_a_seed_gives_one_part():
    one, other, third = (drawn_by_lot.plate(seed) for seed in (3, 3, 4))
    assert one.features == other.features != third.features
    assert one.body.volume == pytest.approx(other.body.volume, rel=1e-12)


def test_what_allows_no_answer_must_be_refused(parts):
    unclear = [part for part in parts if part.unclear]
    assert len(unclear) >= 2
    for part in unclear:
        assert proved([Answer(part, ())]).misses == [
            f"{part.name}: not refused, though it is unclear"
        ]
        assert proved([Answer(part, (), ("face 6",))]).misses == []


def test_a_recogniser_that_says_nothing_scores_nothing(parts):
    score = proved(Answer(part, ()) for part in parts)
    assert all(one.right == 0 for one in score.kinds.values())
    assert all(one.recall == 0 for one in score.kinds.values())
    count = sum(len(part.features) for part in parts) + sum(part.unclear > 0 for part in parts)
    assert len(score.misses) == count


def test_a_wrong_parameter_is_seen_in_every_feature(parts):
    """A main size off by a little more than what is forgiven makes that feature wrong."""
    names = ("radius", "legs", "diameter", "width", "major")
    for part in parts:
        for feature in part.features:
            name = next(n for n in names if getattr(feature, n, None) is not None)
            value = getattr(feature, name)
            values = value if name == "legs" else (value,)
            larger = tuple(1.06 * old + 0.12 for old in values)
            wrong = feature.model_copy(update={name: larger if name == "legs" else larger[0]})
            others = [other for other in part.features if other is not feature]
            score = proved([Answer(part, (*others, wrong))])
            assert len(score.misses) == 1, (part.name, feature)
            assert sum(one.right for one in score.kinds.values()) == len(others)
            assert not fits(feature, claim_of(wrong))


def test_both_measures_agree_on_the_truth(parts):
    truth = [Answer(part, part.features, part.unclear * ("unclear",)) for part in parts]
    strict = proved(truth)
    loose = compared((a.part, [claim_of(f) for f in a.features]) for a in truth)
    assert strict.misses == loose.misses == []
    for kind, one in strict.kinds.items():
        assert one.expected == one.claimed == one.right == one.exact
        assert loose.kinds[kind].right == one.right
    assert table(strict)[-1].split()[:5] == ["all", *4 * [str(sum(len(p.features) for p in parts))]]


def test_another_recogniser_is_held_to_what_it_says(parts):
    part = next(part for part in parts if part.name == "counterbored hole")
    rough = Claim(frozenset({"hole"}), at=(20.02, 15.01, 8.5))
    assert compared([(part, [rough])]).kinds["hole"].right == 1
    for wrong in (
        Claim(frozenset({"boss"}), at=(20, 15, 15)),
        Claim(frozenset({"hole"}), at=(21, 15, 15)),
        Claim(frozenset({"hole"}), at=(20, 15, 15), sizes={"diameter": 7.0}),
        Claim(frozenset({"hole"}), at=(20, 15, 15), sizes={"counterbore diameter": 10.0}),
        Claim(frozenset({"hole"}), at=(20, 15, 15), labels={"end": "blind"}),
        Claim(frozenset({"hole"}), at=(20, 15, 15), axis=(0, 1, 0)),
    ):
        score = compared([(part, [wrong])])
        assert sum(one.right for one in score.kinds.values()) == 0
        assert sum(one.claimed for one in score.kinds.values()) == 1
    twice = compared([(part, [rough, rough])])
    assert (twice.kinds["hole"].claimed, twice.kinds["hole"].right) == (2, 1)


def test_a_corner_told_as_a_fillet_is_another_reading(parts):
    part = next(part for part in parts if part.name == "pocket")
    pocket = claim_of(part.features[0])
    corner = Claim(frozenset({"fillet"}), (41.0, 14.0, 17.0), {"radius": 4.0}, {"side": "concave"})
    assert is_corner(part.features[0], corner)
    score = compared([(part, [pocket, corner])])
    assert set(score.kinds) == {"pocket"}
    assert score.misses == []
