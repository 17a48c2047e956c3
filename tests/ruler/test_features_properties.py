"""What must not change features: motion, mirror, order, representation; and what scales them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ruler_shapes as shapes
from build123d import (
    Axis,
    Box,
    BuildPart,
    BuildSketch,
    Circle,
    CounterBoreHole,
    CounterSinkHole,
    Cylinder,
    GeomType,
    Hole,
    Locations,
    Mode,
    Plane,
    Pos,
    Rectangle,
    Rot,
    SlotOverall,
    chamfer,
    extrude,
    fillet,
)
from feature_shapes import of, signature, signatures, turned
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from OCP.BRep import BRep_Builder
from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.ShapeUpgrade import ShapeUpgrade_ShapeDivideAngle
from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from OCP.TopoDS import TopoDS_Shell, TopoDS_Solid

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.features.recognising import features_of_shape
from gaugeblock.ruler.reading import read_step

FEW = settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: sum(c * c for c in d) > 0.01)


def plate() -> Any:
    with BuildPart() as part:
        Box(80, 50, 12)
        with Locations((-30, -10, 6)):
            Hole(3)
        with Locations((-30, 10, 6)):
            CounterBoreHole(2.5, 5, 3)
        with Locations((-15, 10, 6)):
            CounterSinkHole(2.5, 5.5, counter_sink_angle=90)
        with Locations((-15, -10, 6)):
            Hole(3, depth=6)
        with Locations((0, 0, 6)):
            CounterBoreHole(2.5, 5, 3, depth=8)
    body = part.part - Pos(20, 0, 6) * fillet(Box(24, 16, 8).edges().filter_by(Axis.Z), 3)
    body -= Pos(-15, 0, 6) * extrude(SlotOverall(12, 4), -3)
    return chamfer(body.faces().sort_by(Axis.X)[-1].edges(), 1)


def shaft() -> Any:
    body = turned(
        (0, 0), (10, 0), (10, 20), (8, 20), (8, 23), (10, 23), (10, 40), (15, 40), (15, 70), (0, 70)
    )
    key = Plane(origin=(0, 15, 55), x_dir=(0, 0, 1), z_dir=(0, 1, 0)) * SlotOverall(20, 5)
    end = body.edges().filter_by(GeomType.CIRCLE).group_by(Axis.Z)[0]
    return chamfer(end, 1) - extrude(key, -4)


def housing() -> Any:
    body = fillet(Box(60, 40, 20).edges().filter_by(Axis.Z), 5)
    body = fillet(body.faces().sort_by(Axis.Z)[-1].edges(), 2)
    body += Pos(0, 0, -12) * Cylinder(9, 8)
    body -= Pos(0, 0, -6) * Cylinder(4, 20)
    return body - Pos(20, 0, 0) * Box(8, 12, 20)


BODIES = [plate, shaft, housing]


def mapped(transform: gp_Trsf, point: Any) -> Any:
    return np.array(gp_Pnt(*point).Transformed(transform).Coord())


def ends_of(feature: Any) -> list[Any]:
    """Reference points that are as good: of what goes through, both ends."""
    place = np.array(feature.position)
    if getattr(feature, "through", False):
        return [place, place + feature.depth * np.array(feature.axis)]
    return [place]


def same_places(before: Any, after: Any, transform: gp_Trsf) -> None:
    left = features_of_shape(after)
    for feature in features_of_shape(before):
        goals = [mapped(transform, place) for place in ends_of(feature)]
        match = [
            other
            for other in left
            if signature(other) == signature(feature)
            and min(np.linalg.norm(np.array(other.position) - goal) for goal in goals) < 1e-4
        ]
        assert match, feature
        left.remove(match[0])
    assert not left


@pytest.mark.parametrize("body", BODIES)
@FEW
@given(axis=directions, angle=st.floats(-3, 3), shift=st.floats(-200, 200))
def test_rigid_motion(body: Any, axis: Any, angle: float, shift: float) -> None:
    turn, push = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(1, 2, 3), gp_Dir(*axis)), angle)
    push.SetTranslation(gp_Vec(shift, -2 * shift, 0.5 * shift))
    shape = body().wrapped
    same_places(shape, shapes.moved(shape, axis, angle, shift), push.Multiplied(turn))


@pytest.mark.parametrize("body", BODIES)
def test_mirror_image_has_the_same_features(body: Any) -> None:
    shape = body().wrapped
    assert signatures(shapes.mirrored(shape)) == signatures(shape)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("factor", [0.00625, 0.1, 65.0])
def test_all_lengths_scale(body: Any, factor: float) -> None:
    """From half a millimetre to five metres."""
    shape = body().wrapped
    assert signatures(shapes.scaled(shape, factor), factor) == signatures(shape)


def reordered(shape: Any) -> Any:
    """The same solid, its faces in reverse order."""
    builder, shell, solid = BRep_Builder(), TopoDS_Shell(), TopoDS_Solid()
    builder.MakeShell(shell)
    for face in reversed(explore(shape, TopAbs_FACE)):
        builder.Add(shell, face)
    builder.MakeSolid(solid)
    builder.Add(solid, shell)
    return solid


def divided(shape: Any) -> Any:
    """Every round face in quarters, as some systems write them."""
    tool = ShapeUpgrade_ShapeDivideAngle(np.pi / 2, shape)
    tool.Perform()
    return tool.Result()


def as_splines(shape: Any) -> Any:
    """All surfaces and curves as B-splines."""
    return BRepBuilderAPI_NurbsConvert(shape, True).Shape()


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("change", [reordered, divided, as_splines])
def test_order_and_representation_do_not_matter(body: Any, change: Any) -> None:
    shape = explore(body().wrapped, TopAbs_SOLID)[0]
    same_places(shape, change(shape), gp_Trsf())


@pytest.mark.parametrize("body", BODIES)
def test_written_and_read_again(body: Any, tmp_path: Path) -> None:
    shape = body().wrapped
    path = shapes.write_step(shape, tmp_path / "part.step", unit="INCH")
    (read,) = read_step(str(path)).solids
    same_places(shape, read.shape, gp_Trsf())


def test_same_answer_twice() -> None:
    first, second = features_of_shape(plate()), features_of_shape(plate())
    assert [f.model_dump() for f in first] == [f.model_dump() for f in second]


def test_order_of_solids_only_changes_their_numbers() -> None:
    parts = [plate().wrapped, shapes.moved(housing().wrapped, (0, 0, 1), 0.3, 200.0)]
    there = signatures(shapes.compound(*parts))
    assert there == signatures(shapes.compound(*parts[::-1]))
    assert there == signatures(parts[0]) + signatures(parts[1])
    assert {f.solid for f in features_of_shape(shapes.compound(*parts))} == {0, 1}


def test_two_ways_to_model_one_part() -> None:
    cut = Box(60, 40, 10) - Pos(10, 5, 0) * Cylinder(4, 10) - Pos(-12, 0, 5) * Box(14, 10, 8)
    with BuildPart() as drawn:
        with BuildSketch(Plane.XY.offset(-5)):
            Rectangle(60, 40)
            with Locations((10, 5)):
                Circle(4, mode=Mode.SUBTRACT)
        extrude(amount=6)
        with BuildSketch(Plane.XY.offset(1)):
            Rectangle(60, 40)
            with Locations((10, 5)):
                Circle(4, mode=Mode.SUBTRACT)
            with Locations((-12, 0)):
                Rectangle(14, 10, mode=Mode.SUBTRACT)
        extrude(amount=4)
    assert signatures(cut) == signatures(drawn.part)


@pytest.mark.parametrize("radius", [2.0, 2.0001])
def test_a_hole_moved_is_a_hole_moved(radius: float) -> None:
    """Small changes of a part show as small changes of its features."""
    before = of(Box(40, 40, 10) - Pos(3, 4, 0) * Cylinder(2, 10), "hole")[0]
    after = of(Box(40, 40, 10) - Pos(3.01, 4, 0) * Rot(0, 0, 0) * Cylinder(radius, 10), "hole")[0]
    assert after.position[0] - before.position[0] == pytest.approx(0.01)
    assert after.diameter == pytest.approx(2 * radius, rel=1e-9)


def test_counts_of_the_bodies_used_here() -> None:
    """So that the properties above are not those of empty answers."""
    found = {body.__name__: Counter(f.kind for f in features_of_shape(body())) for body in BODIES}
    assert found == {
        "plate": {"hole": 5, "pocket": 1, "slot": 1, "chamfer": 4},
        "shaft": {"groove": 1, "keyway": 1, "chamfer": 1},
        "housing": {"hole": 1, "boss": 1, "breakthrough": 1, "fillet": 12},
    }
