"""The quick way (outline and polygons) against the mesh of the whole solid."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import ruler_shapes as shapes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from OCP.BRepAlgoAPI import BRepAlgoAPI_Fuse
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCone, BRepPrimAPI_MakeSphere, BRepPrimAPI_MakeTorus
from OCP.gp import gp_Pnt
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_SOLID
from OCP.TopoDS import TopoDS
from test_ruler_negative import solid_of

from gaugeblock.records.measurement import SolidFacts
from gaugeblock.ruler import facts_of_shape
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts import bounds
from gaugeblock.ruler.facts.bounds import bounds_of
from gaugeblock.ruler.facts.consistency import contradiction
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.facts.mesh import build_mesh
from gaugeblock.ruler.facts.outline import judge_outline, outline_of
from gaugeblock.ruler.facts.topology import judge
from gaugeblock.ruler.facts.volume import Measured, measure_outline, measure_volume
from gaugeblock.ruler.reading import read_step

FEW = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


def both_ways(solid: Any) -> tuple[Measured, Measured]:
    """Measure quickly and by the mesh of all faces; their topologies must be equal."""
    box = bounds_of(solid)
    assert box is not None
    outline = outline_of(solid)
    quick_boundary = judge_outline(outline)
    assert quick_boundary is not None
    quick = measure_outline(outline, box, Clock())
    assert quick is not None
    mesh = build_mesh(solid, math.dist(box.min, box.max))
    boundary = judge(mesh)
    assert boundary == quick_boundary
    return quick, measure_volume(solid, mesh, boundary.balanced, box, Clock())


def assert_agree(solid: Any) -> None:
    quick, full = both_ways(TopoDS.Solid(solid))
    assert quick.volume.method == full.volume.method
    assert quick.volume.value == full.volume.value
    assert quick.area == full.area
    assert quick.centroid == full.centroid
    one, two = quick.volume.cross_check, full.volume.cross_check
    assert one.agrees and two.agrees
    assert "polygon" in one.method and two.method == "mesh-richardson"
    assert one.value is not None and two.value is not None
    assert one.error_estimate is not None and two.error_estimate is not None
    assert quick.volume.value is not None
    room = one.error_estimate + two.error_estimate + 1e-6 * quick.volume.value
    assert abs(one.value - two.value) <= room
    # The estimate is honest: it covers the true difference, which the exact integral shows.
    assert abs(one.value - quick.volume.value) <= one.error_estimate + 1e-7 * quick.volume.value


def filleted() -> Any:
    """Planes, cylinders, spheres and tori: a drilled box with all edges rounded."""
    shape = shapes.cut(shapes.box(30, 20, 10), shapes.cylinder(4, 30, (15, 10, -5)))
    fillet = BRepFilletAPI_MakeFillet(shape)
    seen = []
    for edge in explore(shape, TopAbs_EDGE):
        if not any(edge.IsSame(other) for other in seen):
            seen.append(edge)
            fillet.Add(1.0, TopoDS.Edge(edge))
    return fillet.Shape()


def chamfered() -> Any:
    shape = shapes.cylinder(10, 20)
    chamfer = BRepFilletAPI_MakeChamfer(shape)
    chamfer.Add(1.5, TopoDS.Edge(explore(shape, TopAbs_EDGE)[0]))
    return chamfer.Shape()


def crossing() -> Any:
    """Two cylinders that cut each other in spline edges."""
    return BRepAlgoAPI_Fuse(
        shapes.cylinder(6, 40, (0, 0, -20)),
        shapes.moved(shapes.cylinder(4, 40, (0, 0, -20)), (1, 0, 0), 1.2, 0.0),
    ).Shape()


def cut_ball() -> Any:
    return shapes.cut(BRepPrimAPI_MakeSphere(10).Shape(), shapes.box(9, 30, 30, (3, -15, -15)),
                      shapes.cylinder(2, 40, (0, 1, -20)))  # fmt: skip


BODIES = {
    "box": lambda: shapes.box(1, 2, 3),
    "tray": lambda: shapes.tray()[0],
    "void": lambda: shapes.cut(shapes.box(20, 20, 20), shapes.box(4, 5, 6, (8, 8, 8))),
    "cylinder": lambda: shapes.cylinder(5, 20),
    "cone": lambda: BRepPrimAPI_MakeCone(5, 2, 20).Shape(),
    "cone with tip": lambda: BRepPrimAPI_MakeCone(5, 0, 20).Shape(),
    "sphere": lambda: BRepPrimAPI_MakeSphere(7).Shape(),
    "half turn": lambda: BRepPrimAPI_MakeCone(5, 0, 20, 2.0).Shape(),
    "orange slice": lambda: BRepPrimAPI_MakeSphere(gp_Pnt(3, 2, 1), 7, 1.1).Shape(),
    "torus bend": lambda: BRepPrimAPI_MakeTorus(20, 5, 1.3).Shape(),
    "filleted": filleted,
    "chamfered": chamfered,
    "crossing": crossing,
    "cut ball": cut_ball,
    "hill": lambda: shapes.hill()[0],
    "ring": lambda: shapes.ring()[0],
}


@pytest.mark.parametrize("name", sorted(BODIES))
def test_both_ways_agree(name: str) -> None:
    for solid in explore(BODIES[name](), TopAbs_SOLID):
        assert_agree(solid)


@pytest.mark.parametrize("name", sorted(BODIES))
def test_both_ways_agree_mirrored(name: str) -> None:
    for solid in explore(shapes.mirrored(BODIES[name]()), TopAbs_SOLID):
        assert_agree(solid)


@FEW
@given(
    holes=st.lists(
        st.tuples(st.floats(8, 72), st.floats(8, 42), st.floats(0.5, 6), st.booleans()),
        min_size=1,
        max_size=6,
    ),
    angle=st.floats(-3, 3),
    factor=st.floats(0.05, 30),
)
def test_drilled_plates(holes: Any, angle: float, factor: float) -> None:
    """Holes anywhere, overlapping ones too, blind or through; turned and scaled."""
    tools = [
        shapes.cylinder(radius, 40, (x, y, -5 if through else 3)) for x, y, radius, through in holes
    ]
    plate = shapes.cut(shapes.box(80, 50, 8), *tools)
    shape = shapes.scaled(shapes.moved(plate, (1, 2, 3), angle, 10.0), factor)
    for solid in explore(shape, TopAbs_SOLID):
        assert_agree(solid)


@pytest.mark.skipif(not shapes.REAL.is_dir(), reason=f"no data in {shapes.REAL}")
@pytest.mark.parametrize("name", ["nist_ctc_01_ap242.stp", "nist_ctc_04_ap242.stp"])
def test_real_solids(name: str) -> None:
    for read in read_step(str(shapes.REAL / name)).solids:
        assert_agree(read.shape)


def facts_of(faces: list[Any]) -> SolidFacts:
    (facts,) = facts_of_shape(solid_of(faces))
    return facts


def test_what_is_not_plain_goes_to_the_mesh() -> None:
    faces = explore(shapes.tray()[0], TopAbs_FACE)
    assert judge_outline(outline_of(solid_of(faces))) is not None
    for changed in (faces[:-1], [*faces, faces[0]], [*faces[:-1], faces[-1].Reversed()]):
        assert judge_outline(outline_of(solid_of(changed))) is None
        assert facts_of(changed).valid is not True


def test_a_hole_turned_with_its_wall_is_seen() -> None:
    """A plane's inner boundary turned: every edge still balances, the nesting does not."""
    drilled = shapes.cut(shapes.box(20, 20, 5), shapes.cylinder(3, 20, (10, 10, -5)))
    outline = outline_of(TopoDS.Solid(explore(drilled, TopAbs_SOLID)[0]))
    wall = next(i for i, s in enumerate(outline.surfaces) if s.kind == "Cylinder")
    edges = {e for e, f in zip(outline.use_edge, outline.use_face, strict=True) if f == wall}
    outline.turned[wall] = not outline.turned[wall]
    for use, edge in enumerate(outline.use_edge):
        if edge in edges and outline.use_face[use] != wall:
            outline.use_forward[use] = not outline.use_forward[use]
            outline.uses[use] = TopoDS.Edge(outline.uses[use].Reversed())
    assert measure_outline(outline, bounds_of(drilled), Clock()) is None


def test_rough_boxes_first_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = shapes.moved(shapes.compound(filleted(), crossing(), cut_ball()), (3, 1, 2), 0.7, 9.0)
    right = bounds_of(shape)
    assert right is not None
    monkeypatch.setattr(bounds, "MANY", 0)
    monkeypatch.setattr(bounds, "DEAR", 0)
    assert bounds_of(shape) == right
    monkeypatch.setattr(bounds, "MANY", 10**9)
    assert bounds_of(shape) == right


@given(volume=st.floats(0.1, 1e6), area=st.floats(0.1, 1e6), at=st.floats(-50, 50))
def test_contradictions(volume: float, area: float, at: float) -> None:
    from gaugeblock.records.measurement import Bounds

    box = Bounds(min=(0, 0, 0), max=(10, 20, 30))
    found = contradiction(volume, area, (at, 5, 5), box)
    possible = (
        volume <= 6000.01 and -1e-5 < at < 10.001 and area**3 > 36 * math.pi * volume**2 * 0.9999
    )
    assert (found is None) <= possible
    if found is None:
        assert np.isfinite([volume, area]).all()


def test_contradictions_of_equalities() -> None:
    for shape in (shapes.box(10, 20, 30), BRepPrimAPI_MakeSphere(7).Shape()):
        (facts,) = facts_of_shape(shape)
        assert facts.volume.verdict == "measured"
    (facts,) = facts_of_shape(shapes.box(2e8, 10, 10))
    assert facts.volume.verdict == "could-not-measure"
    assert facts.valid is None
