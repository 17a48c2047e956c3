"""What a spectrum must not depend on: place, handedness, order, how faces are split or written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import overlap_shapes
import pytest
import ruler_shapes as shapes
import spectrum_shapes as made
from spectrum_shapes import Table, table

PARTS: dict[str, Callable[[], Any]] = {
    "chiral": overlap_shapes.chiral,
    "tray": lambda: shapes.tray()[0],
    "counterbored": made.counterbored,
    "slotted": made.slotted,
    "shaft": made.shaft,
    "frustum": lambda: made.frustum(20, 10, 15),
    "torus": lambda: made.torus(20, 5),
    "hexagon": lambda: overlap_shapes.prism(6, 10, 5),
    "rounded": lambda: made.rounded(shapes.box(30, 20, 10), 2),
    "bearing block": made.bearing_block,
}

ANGLES = ("plane-angle", "cone-angle")


def rounded(found: Table, places: int = 4) -> Table:
    return {(kind, round(value, places)): counts for (kind, value), counts in found.items()}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("angle", [0.7, 2.9])
def test_rigid_motion_changes_nothing(name: str, angle: float) -> None:
    shape = PARTS[name]()
    moved = shapes.moved(shape, (1.0, -2.0, 0.6), angle, 137.0)
    assert rounded(table(moved)) == rounded(table(shape))


@pytest.mark.parametrize("name", PARTS)
def test_mirror_changes_nothing(name: str) -> None:
    shape = PARTS[name]()
    assert rounded(table(shapes.mirrored(shape))) == rounded(table(shape))


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("factor", [0.5, 25.4])
def test_scale_scales_lengths_and_leaves_angles(name: str, factor: float) -> None:
    shape = PARTS[name]()
    expected = {
        (kind, value if kind in ANGLES else value * factor): counts
        for (kind, value), counts in table(shape).items()
    }
    assert rounded(table(shapes.scaled(shape, factor)), 3) == rounded(expected, 3)


@pytest.mark.parametrize("name", PARTS)
def test_order_of_faces_changes_nothing(name: str) -> None:
    shape = PARTS[name]()
    assert table(made.reordered(shape)) == table(shape)


def test_split_faces_count_once() -> None:
    split = made.split_plate()
    from OCP.TopAbs import TopAbs_FACE

    from gaugeblock.ruler.explore import explore

    assert len(explore(split, TopAbs_FACE)) > len(explore(made.whole_plate(), TopAbs_FACE))
    assert table(split) == table(made.whole_plate())


@pytest.mark.parametrize("name", ["tray", "counterbored", "slotted", "shaft", "frustum", "hexagon"])
def test_faces_written_as_splines_are_recognised(name: str) -> None:
    shape = PARTS[name]()
    splines = made.as_splines(shape)
    assert rounded(table(splines)) == rounded(table(shape))
    codes = [f.code for f in made.take(splines).findings]
    assert codes == ["recognised"]


def test_a_nearly_flat_patch_is_no_cylinder() -> None:
    """A parabola 14 wide follows R200 within 1e-5 mm, but as well another radius 0.01 mm away."""
    found = made.take(made.as_splines(made.bulged(7, 200)))
    assert not [d for d in found.dimensions if d.kind in ("radius", "diameter")]
    told = {finding.code: finding.message for finding in found.findings}
    assert told["free-form"].endswith(": 1")
