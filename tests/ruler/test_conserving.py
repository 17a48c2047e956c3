"""What an edit changed outside its region: truths by formula, properties, what must be seen."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import overlap_shapes as pairs
import pytest
import ruler_shapes as shapes
from OCP.BRepPrimAPI import BRepPrimAPI_MakeTorus
from pydantic import ValidationError

from gaugeblock.records.conservation import Block, CellSums, Conservation, LineWord, Region, Rod
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.conserving.measuring import NEGLIGIBLE, _decide

THICK, RADIUS = 5.0, 4.0
HOLE = Region(rods=(Rod(axis="z", base=(30, 20, 0), radius=RADIUS, length=THICK),))


@pytest.fixture
def asked(ruler: Ruler, tmp_path: Path) -> Any:
    def ask(start: Any, delivery: Any, region: Region) -> Conservation:
        one = shapes.write_step(start, tmp_path / "start.step")
        other = shapes.write_step(delivery, tmp_path / "delivery.step")
        return ruler.conserved(one, other, region)

    return ask


def plate(*holes: tuple[float, float], radius: float = RADIUS) -> Any:
    """60 × 40 × 5 with a slot-like notch, so that no symmetry helps, and through holes."""
    drills = [shapes.cylinder(radius, 3 * THICK, (x, y, -THICK)) for x, y in holes]
    return shapes.cut(shapes.box(60, 40, THICK), shapes.box(7, 9, THICK), *drills)


def crescent(shift: float) -> float:
    """Area of a disc that lies outside the same disc moved by less than its diameter."""
    half = shift / 2
    lens = 2 * (RADIUS**2 * math.acos(half / RADIUS) - half * math.sqrt(RADIUS**2 - half**2))
    return math.pi * RADIUS**2 - lens


def test_a_hole_where_it_belongs(asked: Any) -> None:
    found = asked(plate((50, 30)), plate((50, 30), (30, 20)), HOLE)
    assert (found.verdict, found.method) == ("measured", "cells")
    assert found.outside.value == pytest.approx(0.0, abs=1e-9)
    assert found.lines is not None and found.lines.skin is not None
    assert found.lines.skin < 1e-9


@pytest.mark.parametrize("shift", [0.02, 0.5, 3.0])
def test_a_hole_beside_its_place(asked: Any, shift: float) -> None:
    found = asked(plate(), plate((30 + shift, 20)), HOLE)
    assert found.outside.value == pytest.approx(THICK * crescent(shift), rel=1e-8)
    assert found.gained == 0.0
    assert found.lines.zoomed == pytest.approx(THICK * crescent(shift), rel=0.1)


def test_the_same_hole_outside_the_region(asked: Any) -> None:
    elsewhere = Region(blocks=(Block(low=(0, 0, 0), high=(9, 9, 9)),))
    found = asked(plate((50, 30)), plate((50, 30), (30, 20)), elsewhere)
    assert found.outside.value == pytest.approx(math.pi * RADIUS**2 * THICK, rel=1e-9)
    assert found.lost == found.outside.value


def test_lost_and_gained_change_places(asked: Any) -> None:
    region = Region(blocks=(Block(low=(0, 0, 0), high=(1, 1, 1)),))
    there = asked(plate((20, 20)), plate((30, 20), radius=3), region)
    back = asked(plate((30, 20), radius=3), plate((20, 20)), region)
    assert there.lost == pytest.approx(math.pi * 9 * THICK, rel=1e-9)
    assert there.gained == pytest.approx(math.pi * 16 * THICK, rel=1e-9)
    assert (back.lost, back.gained) == pytest.approx((there.gained, there.lost), rel=1e-9)


def test_moving_everything_along_moves_nothing(asked: Any) -> None:
    """Part, delivery and region 100 mm away measure the same."""
    at = (100.0, -50.0, 25.0)
    region = Region(rods=(Rod(axis="z", base=(130, -30, 25), radius=RADIUS, length=THICK),))
    moved = [pairs.shifted(shape, *at) for shape in (plate(), plate((30.5, 20)))]
    found = asked(*moved, region)
    assert found.outside.value == pytest.approx(THICK * crescent(0.5), rel=1e-8)


def test_there_is_no_alignment(asked: Any) -> None:
    """The right part 1 mm along X is another part: one slice lost, one gained."""
    found = asked(shapes.box(60, 40, 5), pairs.shifted(shapes.box(60, 40, 5), x=1.0), HOLE)
    assert (found.lost, found.gained) == pytest.approx((200.0, 200.0), rel=1e-9)


def test_what_is_kept_inside_the_region(asked: Any) -> None:
    """A ring may go; the core that is kept may not."""
    ring = {"rods": HOLE.rods}
    core = Rod(axis="z", base=(30, 20, 0), radius=1.5, length=THICK)
    found = asked(plate(), plate((30, 20)), Region(**ring, kept_rods=(core,)))
    assert found.outside.value == pytest.approx(math.pi * 1.5**2 * THICK, rel=1e-9)
    inner = Block(low=(29, 19, 1), high=(31, 21, 3))
    found = asked(plate(), plate((30, 20)), Region(**ring, kept_blocks=(inner,)))
    assert found.outside.value == pytest.approx(8.0, rel=1e-9)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_rods_along_every_axis(asked: Any, axis: str) -> None:
    """A cube filled by a body that is not in the other: only what sticks out of the rod counts."""
    base = {"x": (0, 5, 5), "y": (5, 0, 5), "z": (5, 5, 0)}[axis]
    region = Region(rods=(Rod(axis=axis, base=base, radius=3, length=10),))
    whole = shapes.box(40, 40, 40)
    found = asked(whole, shapes.cut(whole, shapes.box(10, 10, 10)), region)
    assert found.outside.value == pytest.approx(1000 - math.pi * 9 * 10, rel=1e-9)


def bend() -> Any:
    """A quarter of a ring of pipe."""
    outer, inner = (BRepPrimAPI_MakeTorus(40, r, math.pi / 2).Shape() for r in (10, 8))
    return shapes.cut(outer, inner)


@pytest.mark.parametrize("tube", [pairs.tube, bend])
def test_equal_tubes(asked: Any, tube: Any) -> None:
    """The kernel takes equal tori for two; that nothing moved is seen all the same."""
    found = asked(tube(), pairs.shifted(tube()), HOLE)
    whole = found.volume.value
    assert found.verdict == "measured"
    assert found.outside.value <= 1e-9 * whole
    moved = asked(tube(), pairs.shifted(tube(), x=0.01), HOLE)
    assert moved.verdict == "measured"
    assert moved.outside.value - moved.outside.error_estimate > NEGLIGIBLE * whole


def test_the_same_bytes(ruler: Ruler, tmp_path: Path) -> None:
    path = shapes.write_step(plate(), tmp_path / "part.step")
    found = ruler.conserved(path, path, HOLE)
    assert (found.method, found.outside.value, found.lost, found.gained) == ("same-file", 0, 0, 0)


def test_files_that_cannot_be_read(ruler: Ruler, tmp_path: Path) -> None:
    whole = shapes.write_step(plate(), tmp_path / "whole.step")
    torn = tmp_path / "torn.step"
    torn.write_bytes(whole.read_bytes()[:2000])
    for one, other, word in ((torn, whole, "start"), (whole, torn, "delivery")):
        found = ruler.conserved(one, other, HOLE)
        assert (found.verdict, found.outside.value) == ("could-not-measure", None)
        assert found.reason is not None and found.reason.startswith(f"{word}: ")
    with pytest.raises(FileNotFoundError):
        ruler.conserved(whole, tmp_path / "none.step", HOLE)


def test_shapes_without_volume_are_no_region() -> None:
    with pytest.raises(ValidationError, match="no box"):
        Block(low=(0, 0, 0), high=(1, 0, 1))
    with pytest.raises(ValidationError, match="greater than 0"):
        Rod(axis="x", base=(0, 0, 0), radius=0, length=1)


# --- which word stands; the part has 1000 mm³, so 0.001 mm³ is negligible ---------------------

SILENT = CellSums(outside=None, residual=None, closes=False, reason="it failed")


def sums(outside: float, *, closes: bool = True) -> CellSums:
    return CellSums(outside=outside, residual=0.0 if closes else 0.5, closes=closes)


def lines(
    outside: float, error: float, skin: float, zoomed: float | None = None, doubt: float = 0.01
) -> LineWord:
    return LineWord(
        outside=outside,
        error=error,
        skin=skin,
        zoomed=zoomed,
        zoomed_error=None if zoomed is None else doubt,
        lines=1,
    )


def left(start: float, delivery: float) -> CellSums:
    """Booleans that failed on the pair, and what lies outside the region of either."""
    return SILENT.model_copy(
        update={"left_start": start, "left_delivery": delivery, "left_residual": 0.0}
    )


@pytest.mark.parametrize(
    ("cells", "seen", "method", "value"),
    [
        (sums(0.0), lines(0.0, 1.0, 0.0), "cells", 0.0),
        (sums(5.0), lines(5.5, 1.0, 20.0, 5.0), "cells", 5.0),
        (sums(0.0), lines(0.0, 1.0, 5.0), "none", None),  # a face moved, the booleans deny it
        (sums(0.0), lines(0.0, 1.0, 5.0, 0.5), "lines", 0.5),  # and how much, by lines there
        (sums(0.0), lines(9.0, 1.0, 20.0, 8.0), "lines", 8.0),
        (sums(1000.0), lines(0.0, 1.0, 0.0), "none", None),  # twins taken for two
        (sums(2.0), lines(5.0, 4.0, 20.0, 5.0), "lines", 5.0),  # less than lines there surely see
        (sums(0.0, closes=False), lines(0.0, 1.0, 0.0), "none", None),
        (SILENT, lines(0.0, 1.0, 0.0), "none", None),
        (SILENT, lines(50.0, 1.0, 90.0, 30.0), "lines", 50.0),
        (left(800.0, 800.0), lines(0.0, 1.0, 0.0), "matching", 0.0),
        (left(800.0, 800.1), lines(0.0, 1.0, 0.0), "none", None),
        (left(800.0, 800.0), lines(0.0, 1.0, 0.1), "none", None),
        (left(800.0, 800.0), lines(3.0, 1.0, 0.0), "none", None),
    ],
)
def test_which_word_stands(
    cells: CellSums, seen: LineWord, method: str, value: float | None
) -> None:
    found, how, reason = _decide(cells, {"error": 1e-9}, seen, 1000.0)
    assert (how, found.value) == (method, value)
    assert (reason is None) == (value is not None)


def test_booleans_without_a_witness_do_not_stand() -> None:
    mute = LineWord(outside=None, error=None, skin=None, lines=0, reason="the boundary is open")
    found, how, reason = _decide(sums(0.0), {"error": 1e-9}, mute, 1000.0)
    assert (found.value, how) == (None, "none")
    assert reason is not None and "the boundary is open" in reason
