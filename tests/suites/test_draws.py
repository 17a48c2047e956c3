"""Fresh draws as a function of their seed: the same for all, spread over their ranges, refused by
rule. Models of them are built in test_draw_models.py."""

import hashlib
import hmac
import json
import shutil
from collections import Counter

import pytest

from gaugeblock.records.draws import Draw, drawn_id, family_of, nonce_hash, seed_of
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites import DrawingSuite, load_suite
from gaugeblock.suites.growth.draws.chance import below
from gaugeblock.suites.growth.draws.families import Families, Range
from gaugeblock.suites.growth.program_texts import with_constants
from gaugeblock.suites.growth.suite import CASE_FILES, FOLDER
from gaugeblock.suites.truth import figures

SUITE = load_suite("growth")
FAMILIES = Families([FOLDER / "cases" / name for name in CASE_FILES])
NAMES = ("T1", "T2", "T4")
SEED = bytes(range(32))


def draw(name, number, seed=SEED):
    return FAMILIES.draw(seed, name, number)


def by_hand(n, seed, question):
    """The answer to a question as the documentation describes it, in other words than the code."""
    attempt = 0
    while True:
        message = f"{question}/{attempt}".encode()
        word = hmac.new(seed, message, hashlib.sha256).hexdigest()[:16]
        if int(word, 16) < 2**64 // n * n:
            return int(word, 16) % n
        attempt += 1


@pytest.mark.parametrize("n", [1, 2, 3, 121, 2**63 + 1])
def test_answers_are_those_of_the_description(n):
    for question in ("T1/1/0/cols", "T4/100/12/pinY", "a"):
        assert below(n, SEED, question) == by_hand(n, SEED, question) < n


def test_answers_are_evenly_spread():
    counts = Counter(below(7, SEED, f"question {i}") for i in range(7_000))
    assert set(counts) == set(range(7))
    # Chi-square of 6 degrees of freedom passes 22.5 once in a thousand; the seed is fixed.
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 22.5


def test_a_draw_by_hand():
    """T1/2 again from its seed, with nothing of the code but ranges and rules."""
    family, refused = FAMILIES["T1"], 0
    ranges = {**family.numbers, **family.bands[1]}
    while True:
        values = {
            name: given.first + given.step * by_hand(given.values, SEED, f"T1/2/{refused}/{name}")
            for name, given in ranges.items()
        }
        lastX, lastY = values["length"] - values["endX"], values["width"] - values["endY"]
        hole, wall = values["holeDiameter"], values["wall"]
        margins = min(values[name] for name in ("firstX", "endX", "firstY", "endY"))
        pitch = min(
            (lastX - values["firstX"]) / (values["cols"] - 1),
            (lastY - values["firstY"]) / (values["rows"] - 1),
        )
        thin = wall <= min(values["length"] / 2, values["width"] / 2, values["height"]) / 4
        if thin and margins >= hole / 2 + wall + 1 and pitch >= hole + 1:
            break
        refused += 1
    found = draw("T1", 2)
    assert found.case.rounds[0].parameters == {**values, "lastX": lastX, "lastY": lastY}
    assert sum(found.rejected.values()) == refused


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_same_cases_and_another_gives_others(name):
    again = Families([FOLDER / "cases" / file for file in CASE_FILES])
    one = [draw(name, number) for number in range(1, 7)]
    assert [again.draw(SEED, name, number) for number in range(1, 7)] == one
    other = [draw(name, number, bytes(32)) for number in range(1, 7)]
    digests = {item.case.content_sha256() for item in [*one, *other]}
    assert len(digests) == 12
    numbers = [item.case.rounds[0].parameters for item in [*one, *other]]
    assert len({json.dumps(item) for item in numbers}) == 12


@pytest.mark.parametrize("name", NAMES)
def test_draws_cover_their_ranges(name):
    """Of 150 draws each number takes values in the lower and in the upper third of its range, as
    far as a rule does not forbid it; and none outside."""
    drawn = [draw(name, number).case.rounds[0].parameters for number in range(1, 151)]
    for number, values in enumerate(drawn, 1):
        for what, given in FAMILIES[name].ranges(number).items():
            assert given.first <= values[what] <= given.last
            assert (values[what] - given.first) % given.step == 0
    for what, given in FAMILIES[name].numbers.items():
        found = [(item[what] - given.first) / (given.last - given.first) for item in drawn]
        assert min(found) < 1 / 3 and max(found) > 2 / 3, what


def test_the_grids_of_t1_take_turns_from_few_holes_to_many():
    grown = [draw("T1", number).case.rounds[0].growth for number in range(1, 31)]
    for band, (low, high) in enumerate([(4, 20), (24, 80), (88, 300)]):
        assert all(low <= n <= high for n in grown[band::3])
    assert max(grown) > 20 * min(grown)


# A candidate that keeps every rule, and what to put in it so that exactly one rule refuses it.
GOOD = {name: dict(draw(name, 1).case.rounds[0].parameters) for name in NAMES}
T4 = GOOD["T4"]
BROKEN = {
    ("T1", "wall"): {"wall": 6, "height": 20},
    ("T1", "inner-floor"): {"firstX": GOOD["T1"]["wall"] + GOOD["T1"]["holeDiameter"] / 2 + 0.5},
    ("T1", "web"): {"cols": 200},
    ("T2", "tube-wall"): {"innerDiameter": GOOD["T2"]["outerDiameter"] - 1},
    ("T2", "bend"): {"bendRadius": GOOD["T2"]["outerDiameter"] / 2},
    ("T2", "flange"): {"flangeDiameter": GOOD["T2"]["outerDiameter"]},
    ("T2", "straight"): {"firstStraight": GOOD["T2"]["flangeThickness"]},
    ("T4", "hole-and-lugs"): {"centerOffset": T4["centerHoleDiameter"] / 2},
    ("T4", "drill-and-pin"): {"centerHoleDiameter": T4["pinDiameter"], "centerOffset": 15},
    ("T4", "hole-and-rows"): {"firstY": T4["pinY"]},
    ("T4", "plate-edge"): {"firstX": T4["holeDiameter"] / 2},
    ("T4", "row-pitch"): {"cols": 100},
    ("T4", "lugs-and-rows"): {"lugWidth": 2 * T4["pinY"]},
    ("T4", "lug-eye"): {"lugWidth": T4["pinDiameter"]},
    ("T4", "pin-end"): {"pinOverhang": T4["lugX"]},
    ("T4", "pipe-and-pin"): {"lugThickness": T4["length"]},
    ("T4", "pipe-foot"): {"pipeEdge": T4["pipeRadius"]},
    ("T4", "pipe-wall"): {"pipeBore": T4["pipeRadius"]},
    ("T4", "bend"): {"bendBefore": T4["pipeRadius"]},
}


def test_every_rule_has_its_negative_control():
    assert set(BROKEN) == {(name, rule.name) for name in NAMES for rule in FAMILIES[name].rules}


@pytest.mark.parametrize(("name", "rule"), BROKEN, ids="-".join)
def test_a_rule_refuses_what_breaks_it(name, rule):
    family = FAMILIES[name]
    numbers = {what: value for what, value in GOOD[name].items() if what not in family.derived}
    assert family.broken(family.completed(numbers)) is None
    broken = family.broken(family.completed({**numbers, **BROKEN[name, rule]}))
    assert broken is not None and broken.name == rule


def test_rules_that_contradict_their_ranges_are_told(monkeypatch):
    never = FAMILIES["T2"].model_copy(
        update={"rules": (FAMILIES["T2"].rules[0].model_copy(update={"needs": "0 - 1"}),)}
    )
    other = Families([FOLDER / "cases" / name for name in CASE_FILES])
    monkeypatch.setitem(other._families, "T2", never)
    monkeypatch.setattr("gaugeblock.suites.growth.draws.families.MOST_CANDIDATES", 20)
    with pytest.raises(WrongUse, match="none of 20 candidates"):
        other.draw(SEED, "T2", 1)


@pytest.mark.parametrize(
    "given", [{"step": 0.3}, {"last": 0.5}, {"step": 3}, {"step": 0}, {"first": 0.25}]
)
def test_a_range_that_is_not_exact_is_refused(given):
    with pytest.raises(ValueError, match=r"step|multiples|last"):
        Range.model_validate({"first": 1, "last": 9, "step": 1, "why": "x", **given})


@pytest.mark.parametrize("name", NAMES)
def test_a_drawn_case_reads_like_an_open_one(name):
    case, opened = draw(name, 3).case, SUITE.case({"T1": "S1"}.get(name, name))
    (asked,) = case.rounds
    assert (case.id, case.visibility, asked.id) == (f"{name}.d3", "sealed", f"{name}.d3")
    assert case.axis == {"T1": "fresh-scale"}.get(name, "fresh-editing")
    assert case.axis not in {item.axis for item in SUITE.cases()}
    assert (case.limits, case.needs, case.typical) == (opened.limits, opened.needs, opened.typical)
    assert (case.start is None) == (opened.start is None)
    assert set(asked.instruction) == {"en", "zh"}
    for text in asked.instruction.values():
        assert "{" not in text
        for what in ("holeDiameter", "flangeDiameter", "centerHoleDiameter"):
            if f"`{what}`" in text:
                assert f"{asked.parameters[what]:g}" in text
    assert {item.name for item in asked.readings} == {
        item.name for item in opened.rounds[0].readings
    }
    volume = figures(asked).volume
    assert all(abs(value - volume) > 1e-5 * volume for value in figures(asked).readings.values())


def test_an_instruction_tells_every_number_that_is_new():
    """Of T1 nothing is there before; only the margins' other ends are not named."""
    (asked,) = draw("T1", 1).case.rounds
    for what in set(asked.parameters) - {"endX", "endY"}:
        assert f"{asked.parameters[what]:g}" in asked.instruction["en"], what
        assert f"{asked.parameters[what]:g}" in asked.instruction["zh"], what


def test_the_seed_by_hand():
    nonce, commitment = "ab" * 32, "cd" * 32
    told = b"\xcd" * 32 + b"\xab" * 32 + "börse 7".encode()
    assert seed_of(commitment, nonce, "börse 7") == hashlib.sha256(told).hexdigest()
    assert nonce_hash(nonce) == hashlib.sha256(b"\xab" * 32).hexdigest()
    seeds = {seed_of(commitment, nonce, ""), seed_of(nonce, commitment, "")}
    assert len({*seeds, seed_of(commitment, nonce, "x")}) == 3


def test_ids():
    assert family_of(drawn_id("T1", 12)) == "T1"
    opened = [case.id for case in SUITE.cases()]
    assert [family_of(item) for item in [*opened, "T1.d", "T1.d0", "d1"]] == [None] * (
        len(opened) + 3
    )
    said = {"suite": "growth", "count": 2, "families": ["T1", "T2"], "rules_sha256": "0" * 64}
    ids = [item for _, _, item in Draw.model_validate({**said, "seed": "0" * 64}).ids()]
    assert ids == ["T1.d1", "T1.d2", "T2.d1", "T2.d2"]
    for wrong in ({}, {"seed": "0" * 64, "nonce_sha256": "0" * 64}, {"seed": "0"}):
        with pytest.raises(ValueError, match=r"nonce|seed"):
            Draw.model_validate({**said, **wrong})


def test_what_draws_may_not_do():
    assert isinstance(SUITE, DrawingSuite) and SUITE.families() == NAMES
    with pytest.raises(WrongUse, match="draws no `T3`"):
        SUITE.draw(SEED, "T3", 1, "sealed")
    for seed, number in ((b"short", 1), (SEED, 0)):
        with pytest.raises(WrongUse, match="32 bytes"):
            SUITE.draw(seed, "T1", number, "sealed")
    case = draw("T2", 1).case
    with pytest.raises(WrongUse, match="has no script for case"):
        SUITE.script(case, case.rounds[0], "mutant:pin-drilled")


@pytest.mark.parametrize("file", ["draws.toml", "hinge.toml", "families.py", "chance.py"])
def test_the_hash_of_the_rules_sees_every_change(tmp_path, monkeypatch, file):
    opened = [FOLDER / "cases" / name for name in CASE_FILES]
    before = FAMILIES.rules_sha256()
    copy = shutil.copytree(FOLDER / "draws", tmp_path / "draws")
    monkeypatch.setattr("gaugeblock.suites.growth.draws.families.FOLDER", copy)
    assert Families(opened).rules_sha256() == before
    assert Families(opened, [FOLDER / "reference.toml"]).rules_sha256() != before
    with (copy / file).open("a") as changed:
        changed.write("\n# Another line.\n")
    assert Families(opened).rules_sha256() != before


def test_constants_are_put_in_and_nothing_else():
    text = "A, B = 1, (2, 3)\nc = 4\nd = A + c\n\ndef f():\n    A = 5\n"
    changed = with_constants(text, {"B": (7.5, 8), "c": 9})
    assert changed == "A, B = 1, (7.5, 8)\nc = 9\nd = A + c\n\ndef f():\n    A = 5\n"
    with pytest.raises(WrongUse, match="no constant E"):
        with_constants(text, {"E": 1})
