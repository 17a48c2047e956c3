"""What must not change: rigid motion, order, mirror; and what scales."""

from __future__ import annotations

from typing import Any

import pytest
import ruler_shapes as shapes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaugeblock.ruler import facts_of_shape
from gaugeblock.ruler.facts.measuring import totals_of

BODIES = [shapes.tray, shapes.hill, shapes.ring]
FEW = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: sum(c * c for c in d) > 0.01)


@pytest.mark.parametrize("body", BODIES)
@FEW
@given(axis=directions, angle=st.floats(-3, 3), shift=st.floats(-200, 200))
def test_rigid_motion(body: Any, axis: Any, angle: float, shift: float) -> None:
    shape, volume = body()
    (before,) = facts_of_shape(shape)
    (after,) = facts_of_shape(shapes.moved(shape, axis, angle, shift))
    assert after.volume.value == pytest.approx(volume, rel=1e-8)
    assert after.area == pytest.approx(before.area, rel=1e-8)
    assert after.counts == before.counts
    assert after.topology == before.topology
    assert after.valid


@pytest.mark.parametrize("body", BODIES)
@FEW
@given(factor=st.floats(0.05, 40))
def test_scale(body: Any, factor: float) -> None:
    shape, volume = body()
    (facts,) = facts_of_shape(shapes.scaled(shape, factor))
    assert facts.volume.value == pytest.approx(volume * factor**3, rel=1e-7)


@pytest.mark.parametrize("body", BODIES)
def test_mirror(body: Any) -> None:
    shape, volume = body()
    (facts,) = facts_of_shape(shapes.mirrored(shape))
    assert facts.volume.value == pytest.approx(volume, rel=1e-8)
    assert facts.valid


@FEW
@given(order=st.permutations(range(3)))
def test_order_of_solids(order: list[int]) -> None:
    parts = [shapes.box(10, 10, 10), shapes.cylinder(3, 9, (40, 0, 0)), shapes.ring()[0]]
    totals = totals_of(facts_of_shape(shapes.compound(*[parts[i] for i in order])))
    again = totals_of(facts_of_shape(shapes.compound(*parts)))
    assert totals.volume == pytest.approx(again.volume, rel=1e-12)
    assert totals.bounds == again.bounds
    assert (totals.faces, totals.edges, totals.valid) == (again.faces, again.edges, again.valid)


def test_halves_add_up() -> None:
    """Cutting a spline body in two by a plane neither makes nor loses volume."""
    shape, volume = shapes.hill()
    left = shapes.cut(shape, shapes.box(40, 80, 80, (4.37, -30, -30)))
    right = shapes.cut(shape, shapes.box(40, 80, 80, (4.37 - 40, -30, -30)))
    parts = [facts_of_shape(part)[0].volume.value or 0.0 for part in (left, right)]
    assert sum(parts) == pytest.approx(volume, rel=1e-7)
