"""`threadMatch`: every way in which a thread is right, wrong or unknown, one by one."""

from __future__ import annotations

import pytest
from made_features import feature_set, hole, thread

from gaugeblock.ruler.matching.match import match
from gaugeblock.ruler.matching.threads import match_threads

VOLUME = 200.0
BOLT = thread(volume=VOLUME)


def held(reference, candidate, **more):
    one, two = feature_set(*reference), feature_set(*candidate, **more)
    return match_threads(one, two, match(one, two, None, diagonal=200.0))


def changed(**fields):
    return BOLT.model_copy(update=fields)


def test_the_same_thread_is_right():
    found = held([BOLT, hole()], [hole(), BOLT])
    assert (found.state, found.match, found.reason) == ("scored", 1.0, None)
    assert [outcome.right for outcome in found.outcomes] == [True]
    assert found.outcomes[0].finding == ""


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"designation": "M8x1", "standard": "ISO 261"}, "is M8x1"),
        ({"designation": None, "standard": None}, "is of no standard size"),
        ({"hand": "left"}, "is left-handed"),
        ({"starts": 2, "lead": 2.5}, "has 2 instead of 1 starts"),
        ({"pitch": 1.2601, "lead": 1.2601}, "pitch 1.26 instead of 1.25 mm"),
        ({"volume": VOLUME * 1.0051}, "volume off by +0.51%"),
        ({"volume": VOLUME * 0.9949}, "volume off by -0.51%"),
        ({"position": (0.11, 0, 60)}, "lies 0.11 mm off"),
        ({"axis": (0.0, 0.0105, 0.99994)}, "its axis is off by 0.60"),
    ],
)
def test_each_fault_is_found_and_named(fields, said):
    found = held([BOLT], [changed(**fields)])
    assert (found.state, found.match) == ("scored", 0.0)
    (outcome,) = found.outcomes
    assert outcome.right is False
    assert outcome.finding.startswith("M8x1.25: ")
    assert said in outcome.finding


@pytest.mark.parametrize(
    "fields",
    [
        {"pitch": 1.26, "lead": 1.26},  # a hundredth of a millimetre, on the limit
        {"pitch": 1.24, "lead": 1.24},
        {"volume": VOLUME * 1.005},  # half a per cent, on the limit
        {"volume": VOLUME * 0.995},
        {"position": (0.09, 0, 60)},
        {"axis": (0, 0, -1)},  # the sense of a thread's axis carries no meaning
    ],
)
def test_limits_themselves_are_right(fields):
    assert held([BOLT], [changed(**fields)]).match == 1.0


def test_inside_and_outside_are_two_things():
    found = held([BOLT], [changed(internal=True)])
    assert found.match == 0.0
    assert [(o.reference, o.candidate) for o in found.outcomes] == [
        (BOLT.id, None),
        (None, BOLT.id),
    ]


def test_one_missing_and_one_too_many_are_wrong():
    other = thread((30, 0, 60), volume=VOLUME)
    for reference, candidate in ([[BOLT, other], [BOLT]], [[BOLT], [BOLT, other]]):
        found = held(reference, candidate)
        assert (found.state, found.match) == ("scored", 0.0)
        assert sorted(outcome.right for outcome in found.outcomes) == [False, True]


def test_all_or_nothing():
    """Three right ones do not make up for the fourth."""
    four = [thread((x, 0, 60), volume=VOLUME) for x in (0, 30, 60, 90)]
    wrong = [*four[:3], four[3].model_copy(update={"hand": "left"})]
    assert held(four, four).match == 1.0
    assert held(four, wrong).match == 0.0


@pytest.mark.parametrize("side", ["reference", "candidate"])
def test_an_unknown_volume_stays_unknown(side):
    without = changed(volume=None)
    pair = ([without], [BOLT]) if side == "reference" else ([BOLT], [without])
    found = held(*pair)
    assert (found.state, found.match) == ("could-not-measure", None)
    assert found.outcomes[0].right is None
    assert "volume could not be measured" in str(found.reason)


def test_what_is_surely_wrong_is_wrong_beside_an_unknown():
    found = held([BOLT], [changed(volume=None, hand="left")])
    assert (found.state, found.match) == ("scored", 0.0)


def test_threads_of_no_standard_are_compared_by_their_diameters():
    trapezoid = changed(designation=None, standard=None)
    assert held([trapezoid], [trapezoid]).match == 1.0
    found = held([trapezoid], [trapezoid.model_copy(update={"major": 8.2})])
    assert found.match == 0.0
    assert "major diameter 8.2 instead of 8 mm" in found.outcomes[0].finding


def test_a_reference_without_threads_asks_for_none():
    found = held([hole()], [hole(), BOLT])
    assert (found.state, found.match) == ("no-threads", None)


def test_faces_that_allow_no_answer_may_be_the_missing_thread():
    found = held([BOLT], [], refused=("a helical face",))
    assert (found.state, found.match) == ("could-not-measure", None)
    assert "no certain answer" in str(found.reason)


def test_a_side_without_features_is_no_zero():
    right = feature_set(BOLT)
    wrecked = feature_set(reason="crashed")
    for one, two, name in ((right, wrecked, "candidate"), (wrecked, right, "reference")):
        found = match_threads(one, two, match(one, two, None, diagonal=200.0))
        assert (found.state, found.match) == ("could-not-measure", None)
        assert found.reason == f"the {name}: crashed"
