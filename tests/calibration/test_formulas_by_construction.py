"""Formulas against an independent construction: what holds, what is ill-posed, and why."""

import math

import numpy as np
import pytest

from gaugeblock.calibration.construction import CONSTRUCTIONS
from gaugeblock.calibration.discs import Discs, union_of
from gaugeblock.calibration.formulas import against_construction, domain
from gaugeblock.calibration.proving import Options, Proof, verdict
from gaugeblock.calibration.proving_cases import domains, prove_cell
from gaugeblock.calibration.targets import find_targets
from gaugeblock.suites import load_suite

SUITE = load_suite("growth")
BOX = CONSTRUCTIONS["growth"]
ROUNDS = [asked for case in SUITE.cases() for asked in case.rounds]
CELLS = {cell.id: cell for cell in SUITE.ill_posed()}


def lens(distance, radius):
    """Area common to two equal discs."""
    half = distance / 2
    return 2 * (radius**2 * math.acos(half / radius) - half * math.sqrt(radius**2 - half**2))


@pytest.mark.parametrize("distance", [0.5, 2.0, 3.999, 4.0, 7.0])
def test_two_discs(distance):
    found = union_of(Discs(np.array([[50.0, 20.0], [50.0 + distance, 20.0]]), 2.0))
    common = lens(distance, 2.0) if distance < 4 else 0.0
    assert found.area == pytest.approx(2 * math.pi * 4 - common, rel=1e-12)
    assert (found.overlapping, found.touching) == (int(distance < 4), int(distance == 4))
    assert found.pieces == (1 if distance <= 4 else 2)
    assert found.islands == 0


def test_a_ring_of_discs_cuts_off_its_middle():
    turns = np.arange(12) * 2 * math.pi / 12
    found = union_of(Discs(10 * np.stack([np.cos(turns), np.sin(turns)], axis=1), 3.0))
    assert (found.pieces, found.islands) == (1, 1)


def test_random_discs_against_a_raster():
    dice = np.random.default_rng(3)
    centres = dice.uniform(0, 40, (30, 2))
    found = union_of(Discs(centres, 4.0))
    step = 0.02
    x = np.arange(-5, 45, step) + step / 2
    grid = np.zeros((len(x), len(x)), bool)
    for cx, cy in centres:
        grid |= (x[:, None] - cx) ** 2 + (x[None, :] - cy) ** 2 < 16
    assert found.area == pytest.approx(grid.sum() * step**2, rel=1e-4)


@pytest.mark.parametrize("asked", ROUNDS, ids=lambda asked: asked.id)
def test_the_suites_own_formulas_hold(asked):
    check = against_construction(asked.id, asked.truth, asked.parameters, BOX)
    assert check.holds, check.why
    assert abs(check.relative) < 1e-12


@pytest.mark.parametrize(
    ("cell", "volume", "words"),
    [
        ("S3-16x12", 40_907.45, ("touch along X", "overlap along Y", "166 solids")),
        ("S4-32x24", 40_226.02, ("overlap along X", "overlap along Y")),
    ],
)
def test_ill_posed_cells_are_found(cell, volume, words):
    kept = CELLS[cell]
    check = against_construction(cell, kept.truth, kept.parameters, BOX, claimed=kept.claimed)
    assert check.holds is False
    assert check.found == pytest.approx(volume, abs=0.005)
    assert all(word in check.why for word in words), check.why
    assert against_construction(cell, kept.truth, kept.parameters, BOX).holds


@pytest.mark.parametrize("cols, rows", [(16, 12), (32, 24)])
def test_s1_formula_fails_there_without_any_list(cols, rows):
    asked = SUITE.case("S1").rounds[0]
    parameters = {**asked.parameters, "cols": cols, "rows": rows}
    assert against_construction("S1", asked.truth, parameters, BOX).holds is False


def test_the_domain_is_found():
    asked = SUITE.case("S1").rounds[0]
    found = domain(asked.truth, asked.parameters, BOX)
    assert found["cols"][:2] == (2, 16)  # touching along X alone takes nothing out twice
    assert found["rows"][:2] == (2, 7)
    assert "rows = 8" in found["rows"][2]
    assert "overlap along Y" in found["rows"][2]
    assert len(domains(SUITE, SUITE.case("S1"))) == 2


def test_the_domain_of_s4_has_a_lower_end():
    asked = SUITE.case("S4").rounds[0]
    low, high, why = domain(asked.truth, asked.parameters, BOX)["cols"]
    # Covered while √(pitchX² + pitchY²) < 6: pitchX < 5.742, so from 90/5.742 + 1 = 16.67 columns.
    assert (low, high) == (17, 48)
    assert "cols = 16" in why


def test_a_wrong_formula_is_told():
    asked = SUITE.case("S1").rounds[0]
    truth = asked.truth.model_copy(update={"volume": "shell - opening*wall*0.999"})
    assert against_construction("S1", truth, asked.parameters, BOX).holds is False


def test_what_cannot_be_constructed_is_not_judged():
    """A centre hole that meets the grid: both sums would count the shared area twice, and agree."""
    asked = next(r for case in SUITE.cases() for r in case.rounds if r.id == "k5")
    wide = {**asked.parameters, "centerHoleDiameter": 30.0}
    check = against_construction("k5", asked.truth, wide, BOX)
    assert check.holds is None
    assert "centre hole meets the grid" in check.why
    state, reasons = verdict([], [check], [], [])
    assert state == "incomplete"
    assert "not judged" in reasons[0]


def test_a_cell_asked_for_is_not_calibrated_and_one_of_a_suite_is_a_control():
    options = Options("none", None, 60)
    (asked,) = find_targets(["growth/S3-16x12"])
    result = prove_cell(asked, options)
    assert result.state == "not calibrated"
    assert "ill-posed" in result.reasons[0]
    cells = [t for t in find_targets(["growth"]) if t.name.endswith("S4-32x24")]
    assert prove_cell(cells[0], options).state == "calibrated"


def test_a_negative_control_that_holds_is_no_calibration():
    asked = SUITE.case("S1").rounds[0]
    check = against_construction("kept", asked.truth, asked.parameters, BOX, expected=False)
    state, reasons = verdict([], [check], [], [])
    assert state == "not calibrated"
    assert "must not hold" in reasons[0]
    assert Proof().closed("x", "cell", Options("none", None, 1)).state == "incomplete"


def test_the_hinges_formula_ends_where_its_holes_meet():
    found = domain(*of("T4"), BOX)
    assert found["cols"][:2] == (2, 13)  # 100/12 = 8.33 apart; 100/13 = 7.69 is less than Ø8
    assert "holes of Ø8 meet" in found["cols"][2]


def of(round_id):
    (asked,) = (item for item in ROUNDS if item.id == round_id)
    return asked.truth, asked.parameters


def test_a_construction_knows_no_formula_of_the_case():
    """Another bend, another flange: the construction follows, by slices."""
    start = BOX({"cols": 6, "holeDiameter": 8, "pinDiameter": 14, "bendRadius": 10}, False)
    assert start.volume == pytest.approx(
        117_300 + 6_559.5 * math.pi + 48.75 * math.pi**2, rel=1e-13
    )
    assert (start.solids, start.why) == (2, "")
    met = {"cols": 6, "holeDiameter": 8, "pinDiameter": 14, "centerHoleDiameter": 80}
    assert BOX(met, False).volume is None
