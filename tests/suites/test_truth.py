"""Every printed figure of the suite, by the case files' formulas and by another computation."""

import math
from itertools import pairwise

import pytest
from scipy.integrate import quad

from gaugeblock.records.case import Round
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites import expected_figures, load_suite
from gaugeblock.suites.formulas import evaluate, evaluate_symbols
from gaugeblock.suites.truth import figures

SUITE = load_suite("growth")
ROUNDS = {asked.id: asked for case in SUITE.cases() for asked in case.rounds}

PRINTED = {
    # as growth.md prints them: volume mm³; faces derived in the suite's README
    "S1": (48_313.42, 23),
    "S2": (46_277.66, 59),
    "S3p": (43_054.39, 116),
    "S4": (40_226.02, 119),
    "k1": (47_634.83, 35),
    "k2": (47_433.77, 37),
    "k3": (47_848.46, 37),
    "k4": (70_152.69, 37),
    "k5": (70_067.87, 38),
    "k6": (69_596.63, 46),
}


@pytest.mark.parametrize("round_id", PRINTED)
def test_printed_figures(round_id):
    known = figures(ROUNDS[round_id])
    volume, faces = PRINTED[round_id]
    assert round(known.volume, 2) == volume
    assert known.faces == faces
    assert known.solids == 1
    assert list(known.bounds.values()) == [0, 0, 0, 120, 80, 40]


EDITED = {
    # the same of T2–T5: volume, solids, faces, names; bounds from the instruction
    "T2": (22_638.15, 1, None, ("tube",), [-4, -20, -20, 110, 80, 20]),
    "T3": (88_666.67, 1, 6, None, [-30, -20, 0, 30, 20, 70]),
    "T4": (137_760.10, 2, 42, ("bracket", "pin"), [0, 0, 0, 120, 100, 75.5]),
    "T5": (138_628.99, 2, 41, ("bracket", "pin"), [0, 0, 0, 120, 105, 75.5]),
}


@pytest.mark.parametrize("round_id", EDITED)
def test_printed_figures_of_edits(round_id):
    known = figures(ROUNDS[round_id])
    volume, solids, faces, names, bounds = EDITED[round_id]
    assert round(known.volume, 2) == volume
    assert (known.solids, known.faces, known.names) == (solids, faces, names)
    assert list(known.bounds.values()) == bounds


def test_the_hinge_is_the_sources():
    """Its volume in closed form, and how far the source's figures of edits lie from it."""
    start = 117_300 + 6_559.5 * math.pi + 48.75 * math.pi**2
    assert start == pytest.approx(138_388.42023, abs=5e-6)
    for name in ("T4", "T5"):
        assert figures(ROUNDS[name]).symbols["start"] == pytest.approx(start, rel=1e-14)
    t4, t5 = figures(ROUNDS["T4"]), figures(ROUNDS["T5"])
    assert t4.volume - start == pytest.approx(-200 * math.pi, abs=1e-9)
    assert t5.volume - start == pytest.approx(math.pi * 9.75 * math.pi / 2 * 5, abs=1e-9)
    assert t5.readings["ends-kept"] - start == pytest.approx(-65.73, abs=5e-3)
    assert t4.readings["pin-drilled"] - t4.volume == pytest.approx(-1_024.03, abs=5e-3)


def test_the_drilled_pin_by_integration():
    common, _ = quad(
        lambda x: 8 * math.sqrt(25 - x * x) * math.sqrt(49 - x * x), 0, 5, epsabs=1e-11
    )
    t4 = figures(ROUNDS["T4"])
    assert t4.volume - t4.readings["pin-drilled"] == pytest.approx(common, rel=1e-11)


def test_the_loft_is_the_prismatoid_and_nothing_else():
    """Straight edges from corner to corner of parallel rectangles leave one body: its slices."""
    slices, _ = quad(lambda z: (60 - 40 * z / 70) * (40 - 20 * z / 70), 0, 70)
    assert figures(ROUNDS["T3"]).volume == pytest.approx(slices, rel=1e-12)


def test_every_round_is_here():
    assert {*PRINTED, *EDITED} == set(ROUNDS)


def discs(cols, rows, diameter, *more):
    """(x, y, radius) of the holes of a grid, mm."""
    grid = [
        (15 + 90 * column / (cols - 1), 20 + 40 * row / (rows - 1), diameter / 2)
        for column in range(cols)
        for row in range(rows)
    ]
    return [*grid, *more]


def union_area(holes):
    """Area covered by discs, mm², as the integral over X of the length covered along Y.

    The integrand is smooth between the abscissae where a disc begins or ends or two circles cross;
    each such piece is integrated by itself.
    """
    cuts = set()
    for i, (x, y, r) in enumerate(holes):
        cuts |= {x - r, x, x + r}
        for a, b, s in holes[:i]:
            distance = math.hypot(a - x, b - y)
            if 0 < distance < r + s:
                along = (distance**2 + r**2 - s**2) / (2 * distance)
                across = math.sqrt(max(r**2 - along**2, 0))
                for sign in (1, -1):
                    cuts.add(x + (along * (a - x) + sign * across * (b - y)) / distance)
    edges = sorted(cuts)
    edges = [edges[0]] + [b for a, b in pairwise(edges) if b - a > 1e-9]

    def covered(at):
        chords = sorted(
            (y - half, y + half)
            for x, y, r in holes
            if abs(at - x) < r
            for half in [math.sqrt(r**2 - (at - x) ** 2)]
        )
        total, reach = 0.0, -math.inf
        for low, high in chords:
            total += max(0.0, high - max(low, reach))
            reach = max(reach, high)
        return total

    return sum(quad(covered, a, b, epsabs=1e-9, epsrel=1e-10)[0] for a, b in pairwise(edges))


def column_union_area(cols, rows, diameter):
    """Area of a grid's union, mm², column by column; they must not overlap."""
    assert 90 / (cols - 1) >= diameter
    return cols * union_area([(0.0, y, r) for x, y, r in discs(2, rows, diameter) if x == 15])


def test_volume_of_the_scale_cells_by_integration():
    for round_id, cols, rows in (("S1", 4, 3), ("S2", 8, 6), ("S3p", 15, 7)):
        area = column_union_area(cols, rows, 6)
        truth = figures(ROUNDS[round_id]).volume
        assert 48_992 - 2 * area == pytest.approx(truth, rel=1e-8), round_id


def test_volume_of_s4_by_integration():
    # Along X the union repeats from column to column: a coarser grid of columns with the same
    # pitch has the same borders, so 4 columns give the whole by adding the repeated middle.
    pitch, ys = 90 / 31, [20 + 40 * row / 23 for row in range(24)]

    def strip(cols):
        return union_area([(pitch * column, y, 3.0) for column in range(cols) for y in ys])

    three, four = strip(3), strip(4)
    area = four + 28 * (four - three)
    assert 48_992 - 2 * area == pytest.approx(figures(ROUNDS["S4"]).volume, rel=1e-8)


def test_volume_of_the_depth_rounds_step_by_step():
    def open_box(wall):
        return 120 * 80 * 40 - (120 - 2 * wall) * (80 - 2 * wall) * (40 - wall)

    def floor(*arguments):
        return union_area(discs(*arguments))

    centre = (60.0, 40.0, 3.0)
    side = 2 * math.pi * 16
    volumes = {
        "k1": open_box(2) - 2 * floor(8, 3, 6),
        "k2": open_box(2) - 2 * floor(8, 3, 6) - 2 * side,
        "k3": open_box(2) - 2 * floor(8, 3, 5) - 2 * side,
        "k4": open_box(3) - 3 * floor(8, 3, 5) - 3 * side,
        "k5": open_box(3) - 3 * floor(8, 3, 5, centre) - 3 * side,
        "k6": open_box(3) - 3 * floor(8, 4, 5, centre) - 3 * side,
    }
    for round_id, volume in volumes.items():
        assert volume == pytest.approx(figures(ROUNDS[round_id]).volume, rel=1e-8), round_id


def test_the_floor_kept_reading():
    k4 = figures(ROUNDS["k4"])
    assert round(k4.readings["floor-kept"], 2) == 62_187.93
    by_hand = 384_000 - 114 * 74 * 38 - 24 * math.pi * 6.25 * 2 - 2 * math.pi * 16 * 3
    assert k4.readings["floor-kept"] == pytest.approx(by_hand, rel=1e-14)


def test_ill_posed_grids():
    table = {
        cell.id: (
            evaluate(cell.claimed, known, cell.id),
            evaluate(cell.truth.volume, known, cell.id),
            evaluate(cell.truth.solids, known, cell.id),
            evaluate(cell.truth.faces, known, cell.id),
        )
        for cell in SUITE.ill_posed()
        for known in [evaluate_symbols(cell.parameters, cell.truth.symbols, cell.id)]
    }
    claimed, volume, solids, faces = table["S3-16x12"]
    # as the source claims and as it measured
    assert (round(claimed, 2), round(volume, 2), solids, faces) == (38_134.66, 40_907.45, 166, 1053)
    assert volume == pytest.approx(48_992 - 2 * column_union_area(16, 12, 6), rel=1e-8)
    claimed, volume, solids, faces = table["S4-32x24"]
    assert round(claimed, 2) == 5_562.62
    assert (volume, solids, faces) == (figures(ROUNDS["S4"]).volume, 1, 119)
    assert not {cell.id for cell in SUITE.ill_posed()} & {case.id for case in SUITE.cases()}


@pytest.mark.parametrize(
    "case", [case for case in SUITE.cases() if case.axis != "editing"], ids=lambda case: case.id
)
def test_each_formula_is_used_where_it_holds(case):
    for asked in case.rounds:
        known = figures(asked).symbols
        if "stripX" in known:
            assert math.hypot(known["pitchX"], known["pitchY"]) < known["holeDiameter"]
        else:
            assert min(known["pitchX"], known["pitchY"]) > known["holeDiameter"]
        if "centerHole" in known:
            holes = discs(int(known["cols"]), int(known["rows"]), known["holeDiameter"])
            nearest = min(math.hypot(x - 60, y - 40) for x, y, _ in holes)
            assert nearest > (known["holeDiameter"] + known["centerHoleDiameter"]) / 2


def test_the_table_of_expected_figures():
    table = expected_figures(ROUNDS["k4"])
    assert list(table) == [
        *("volume", "solids", "faces", "xmin", "ymin", "zmin", "xmax", "ymax", "zmax"),
        "reading floor-kept",
    ]
    assert table["faces"]["value"] == 37
    assert table["xmax"] == {"formula": "length; with length = 120", "value": 120.0}
    assert table["volume"]["formula"].startswith("shell - opening*wall - sideHoles; with length")


@pytest.mark.parametrize(
    ("truth", "says"),
    [
        ({"volume": "N - 12"}, "x, round r, volume: 0 mm³ is no volume of a solid"),
        ({"solids": "N/5"}, "x, round r, solids: 2.4 is no count"),
        ({"faces": "-N"}, "x, round r, faces: -12 is no count"),
        ({"bounds": {"xmin": "width"}}, "x, round r, xmin: `width` is not defined in `width`"),
        ({"symbols": {"a": "b"}}, "x, round r, symbol `a`: `b` is not defined"),
    ],
)
def test_a_wrong_truth_is_told(truth, says):
    asked = Round.build(
        {"id": "r", "growth": 1, "instruction": {}, "parameters": {"N": 12}, "truth": truth}, "r"
    )
    with pytest.raises(WrongUse, match=says):
        figures(asked, "x, round r")
