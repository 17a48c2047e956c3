"""Edit regions: formulas laid out in numbers, and what is no region."""

import math

import pytest

from gaugeblock.records.case import Case, Round
from gaugeblock.records.conservation import Block, Rod
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites import edit_region, load_suite

SUITE = load_suite("growth")
ROUNDS = {asked.id: asked for case in SUITE.cases() for asked in case.rounds}


def asked(edit, **parameters):
    return Round.build(
        {
            "id": "r",
            "growth": 1,
            "instruction": {},
            "parameters": {"n": 3, "d": 4, **parameters},
            "truth": {},
            "edit": edit,
        },
        "r",
    )


def cylinder(**changes):
    return {"along": "z", "diameter": "d", "x": "0", "y": "0", "z": ["0", "5"], **changes}


def volume(rods):
    return sum(math.pi * rod.radius**2 * rod.length for rod in rods)


def test_scale_cells_conserve_nothing():
    for name in ("S1", "S2", "S3p", "S4"):
        assert edit_region(ROUNDS[name]) is None


def test_a_spread_is_laid_out():
    spread = {"first": "10", "last": "20", "count": "n"}
    region = edit_region(asked({"cylinders": [cylinder(x=spread)]}))
    assert [rod.base for rod in region.rods] == [(10, 0, 0), (15, 0, 0), (20, 0, 0)]
    assert {(rod.radius, rod.length, rod.axis) for rod in region.rods} == {(2.0, 5.0, "z")}
    assert (region.blocks, region.kept_blocks, region.kept_rods) == ((), (), ())


def test_cylinders_of_two_grids_are_built_once():
    one, other = cylinder(x={"first": "0", "last": "9", "count": "n"}), cylinder(x="9")
    assert len(edit_region(asked({"cylinders": [one, other]})).rods) == 3


def test_boxes_and_what_is_kept():
    edit = {
        "boxes": [{"x": ["-d", "d"], "y": ["0", "1"], "z": ["0", "d/2"]}],
        "kept": {"cylinders": [cylinder(along="x", x=["0", "1"], z="0")]},
    }
    region = edit_region(asked(edit))
    assert region.blocks == (Block(low=(-4, 0, 0), high=(4, 1, 2)),)
    assert region.kept_rods == (Rod(axis="x", base=(0, 0, 0), radius=2, length=1),)


def test_the_rounds_of_the_depth_axis():
    """Counted by hand: holes that stay where they were are no second time in the region."""
    count = {
        name: (len(region.blocks), len(region.rods), len(region.kept_blocks), len(region.kept_rods))
        for name in ("k1", "k2", "k3", "k4", "k5", "k6")
        for region in [edit_region(ROUNDS[name])]
    }
    assert count == {
        "k1": (0, 12 + 24 - 6, 0, 0),
        "k2": (0, 2, 0, 0),
        "k3": (0, 24, 0, 24),
        "k4": (1, 0, 1, 24 + 2),
        "k5": (0, 1, 0, 0),
        "k6": (0, 24 + 32 - 16, 0, 0),
    }


@pytest.mark.parametrize(("name", "before"), [("k5", "k4"), ("T4", None)])
def test_a_region_of_one_hole_is_the_hole(name, before):
    from gaugeblock.suites.truth import figures

    known = figures(ROUNDS[name])
    start = figures(ROUNDS[before]).volume if before else known.symbols["start"]
    region = edit_region(ROUNDS[name])
    assert volume(region.rods) == pytest.approx(start - known.volume, rel=1e-9)


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ({}, "no box and no cylinder"),
        ({"boxes": [{"x": ["1", "0"], "y": ["0", "1"], "z": ["0", "1"]}]}, "no box from"),
        ({"cylinders": [cylinder(diameter="0")]}, "greater than 0"),
        ({"cylinders": [cylinder(z=["5", "0"])]}, "greater than 0"),
        ({"cylinders": [cylinder(x={"first": "0", "last": "1", "count": "1"})]}, "no count"),
        ({"cylinders": [cylinder(x={"first": "0", "last": "1", "count": "2.5"})]}, "no count"),
        ({"cylinders": [cylinder(x="nowhere")]}, "`nowhere` is not defined"),
    ],
)
def test_no_region(edit, says):
    with pytest.raises(WrongUse, match=says) as told:
        edit_region(asked(edit))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("changes", [{"z": "0"}, {"x": ["0", "1"]}, {"along": "x"}])
def test_a_pair_stands_along_the_cylinder_alone(changes):
    with pytest.raises(WrongUse, match="a pair"):
        asked({"cylinders": [cylinder(**changes)]})


def test_an_edit_needs_a_start():
    value = SUITE.case("T2").model_dump(mode="json")
    with pytest.raises(WrongUse, match="edits a part, and the case has no start"):
        Case.build({**value, "start": None, "start_sha256": None}, "T2")
