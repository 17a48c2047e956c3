"""Probes of the suite: one parameter set anew, the round's own formulas with it."""

import math

import pytest

from gaugeblock.records.case import Round
from gaugeblock.suites import load_suite, probed_round
from gaugeblock.suites.probes import IGNORED
from gaugeblock.suites.truth import figures

SUITE = load_suite("growth")
ROUNDS = {asked.id: asked for case in SUITE.cases() for asked in case.rounds}

SHELL = {
    wall: 384_000 - (120 - 2 * wall) * (80 - 2 * wall) * (40 - wall) for wall in (2, 2.5, 3, 4)
}
SIDE = 2 * math.pi * 16
HINGE = 117_300 + 6_559.5 * math.pi + 48.75 * math.pi**2
TUBE = 36 * math.pi * (100 + 20 * math.pi)

VOLUMES = {
    "S1": SHELL[2] - 6 * 3 * math.pi * 9 * 2,
    "S2": SHELL[2] - 8 * 7 * math.pi * 9 * 2,
    "S3p": SHELL[2] - 12 * 7 * math.pi * 9 * 2,
    "k1": SHELL[2] - 10 * 3 * math.pi * 9 * 2,
    "k2": SHELL[2.5] - (24 * math.pi * 9 + SIDE) * 2.5,
    "k3": SHELL[2] - (24 * math.pi * 3.5**2 + SIDE) * 2,
    "k4": SHELL[4] - (24 * math.pi * 2.5**2 + SIDE) * 4,
    "k5": SHELL[3] - (24 * math.pi * 2.5**2 + SIDE + math.pi * 3.5**2) * 3,
    "k6": SHELL[3] - (40 * math.pi * 2.5**2 + SIDE + math.pi * 3**2) * 3,
    "T2": TUBE + math.pi * 336 * 6,
    "T3": 70 / 6 * (2400 + 4 * 38 * 28 + 256),
    "T4": HINGE - math.pi * 36 * 8,
    "T5": HINGE + 9.75 * math.pi * math.pi / 2 * 10,
}
"""Volumes of the probed parts, mm³, reckoned here by hand."""


def test_every_round_has_a_probe_of_one_parameter():
    assert all(len(asked.probe) == 1 for asked in ROUNDS.values())
    assert set(VOLUMES) == set(ROUNDS) - {"S4"}


@pytest.mark.parametrize("name", VOLUMES)
def test_the_formulas_hold_with_the_new_value(name):
    known = figures(probed_round(ROUNDS[name]))
    assert known.volume == pytest.approx(VOLUMES[name], rel=1e-12)
    assert known.readings[IGNORED] == pytest.approx(figures(ROUNDS[name]).volume, rel=1e-15)


def test_s4_stays_where_its_formula_holds():
    probed = probed_round(ROUNDS["S4"])
    known = figures(probed)
    assert math.hypot(known.symbols["pitchX"], known.symbols["pitchY"]) < 6
    assert known.faces == 11 + 2 * (28 + 24) - 4


@pytest.mark.parametrize("name", ROUNDS)
def test_holes_that_stand_apart_stay_apart(name):
    probed = probed_round(ROUNDS[name])
    known = figures(probed).symbols
    if "holeFaces" not in known or name == "S4":
        return
    assert min(known["pitchX"], known["pitchY"]) > known["holeDiameter"]
    if "centerHole" in known:
        places = [
            math.hypot(15 + known["pitchX"] * i - 60, 20 + known["pitchY"] * j - 40)
            for i in range(int(known["cols"]))
            for j in range(int(known["rows"]))
        ]
        assert min(places) > (known["holeDiameter"] + known["centerHoleDiameter"]) / 2


def test_a_probed_round_conserves_by_its_own_region():
    for name, asked in ROUNDS.items():
        probed = probed_round(asked)
        assert (probed.edit is None) == (asked.edit is None), name
        assert probed.probe == {}
        assert probed_round(probed) is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"probe": {"colz": 5}}, "sets colz, which is no parameter"),
        ({"probe": {"cols": 4}}, "leaves cols as it is"),
        ({"probe": {}, "probe_edit": {"boxes": []}}, "`probe_edit` without a `probe`"),
    ],
)
def test_a_probe_that_cannot_be(change, says):
    with pytest.raises(ValueError, match=says):
        Round.model_validate({**ROUNDS["S1"].model_dump(), **change})


def test_scripted_agents_declare_what_they_miss():
    agents = {agent.name: agent for agent in SUITE.agents()}
    assert dict(agents["reference"].misses_probe) == {}
    assert set(agents["mutant:hard-coded"].misses_probe) == set(ROUNDS)
    case = SUITE.case("S1")
    (call,) = SUITE.script(case, case.rounds[0], "mutant:hard-coded").calls
    assert call.arguments["parameters"]["cols"] == 4
    assert "range(int(4))" in call.arguments["program"]
    (call,) = SUITE.script(case, case.rounds[0], "mutant:undeclared").calls
    assert call.arguments["parameters"] == {}
