"""What must hold of every overlap: order, rigid motion, scale; and what formulas give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import overlap_shapes as pairs
import pytest
import ruler_shapes as shapes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaugeblock.records.overlap import Iou
from gaugeblock.ruler import Ruler

Posed = Callable[[Any, Any], Iou]

FEW = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: sum(c * c for c in d) > 0.01)
motions = st.tuples(directions, st.floats(-3, 3), st.floats(-8, 8))
sides = st.floats(1.0, 20.0)


@pytest.fixture(scope="module")
def posed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Posed]:
    folder = tmp_path_factory.mktemp("properties")
    with Ruler() as ruler:

        def ask(a: Any, b: Any) -> Iou:
            one = shapes.write_step(a, folder / "a.step")
            other = shapes.write_step(b, folder / "b.step")
            found = ruler.compare(one, other, align=False)
            assert found.posed is not None and found.posed.iou is not None, found.reason
            return found.posed

        yield ask


def same(one: Iou, other: Iou) -> None:
    """Both values are one, within what they claim to be off."""
    assert one.iou is not None and other.iou is not None
    room = (one.error_estimate or 0.0) + (other.error_estimate or 0.0) + 1e-9
    assert abs(one.iou - other.iou) <= room
    assert room < 1e-2


@FEW
@given(motion=motions)
def test_order(posed: Posed, motion: Any) -> None:
    a, b = pairs.chiral(), shapes.moved(pairs.tube(), *motion)
    same(posed(a, b), posed(b, a))


@FEW
@given(apart=motions, both=motions)
def test_rigid_motion_of_both(posed: Posed, apart: Any, both: Any) -> None:
    a, b = pairs.chiral(), shapes.moved(pairs.tube(), *apart)
    same(posed(a, b), posed(shapes.moved(a, *both), shapes.moved(b, *both)))


@FEW
@given(apart=motions, factor=st.floats(0.1, 30))
def test_scale_of_both(posed: Posed, apart: Any, factor: float) -> None:
    a, b = pairs.chiral(), shapes.moved(pairs.tube(), *apart)
    same(posed(a, b), posed(shapes.scaled(a, factor), shapes.scaled(b, factor)))


@FEW
@given(motion=motions, gap=st.floats(0.01, 50))
def test_disjoint(posed: Posed, motion: Any, gap: float) -> None:
    """A pin loose in its tube: the boxes overlap, the bodies do not."""
    tube, pin = pairs.tube(), shapes.cylinder(8 - min(gap, 7), 30)
    found = posed(shapes.moved(tube, *motion), shapes.moved(pin, *motion))
    assert found.iou == pytest.approx(0.0, abs=1e-9)
    assert posed(tube, pairs.shifted(tube, x=20 + gap)).iou == 0.0


@FEW
@given(outer=st.tuples(sides, sides, sides), share=st.tuples(*[st.floats(0.1, 0.9)] * 6))
def test_nested_boxes(posed: Posed, outer: Any, share: Any) -> None:
    """The smaller one's volume over the larger one's, wherever it lies inside."""
    size = [side * part for side, part in zip(outer, share[:3], strict=True)]
    at = [(side - own) * part for side, own, part in zip(outer, size, share[3:], strict=True)]
    found = posed(shapes.box(*outer), shapes.box(*size, (at[0], at[1], at[2])))
    assert found.iou == pytest.approx(share[0] * share[1] * share[2], abs=1e-9)
