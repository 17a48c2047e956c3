"""Negative controls: what must not pass as a sound solid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import ruler_shapes as shapes
from OCP.BRep import BRep_Builder
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakePolygon
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism
from OCP.gp import gp_Pnt, gp_Vec
from OCP.TopAbs import TopAbs_FACE
from OCP.TopoDS import TopoDS, TopoDS_Shell, TopoDS_Solid

from gaugeblock.records.measurement import Measurement
from gaugeblock.ruler import facts_of_shape
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.measuring import measure_fd, totals_of


def solid_of(faces: list[Any]) -> Any:
    builder, shell, solid = BRep_Builder(), TopoDS_Shell(), TopoDS_Solid()
    builder.MakeShell(shell)
    for face in faces:
        builder.Add(shell, face)
    builder.MakeSolid(solid)
    builder.Add(solid, shell)
    return solid


def measure(path: Path) -> Measurement:
    with path.open("rb") as file:
        return measure_fd(file.fileno(), name=path.name, sha256=None)


def test_open_shell() -> None:
    faces = explore(shapes.box(10, 20, 30), TopAbs_FACE)
    (facts,) = facts_of_shape(solid_of(faces[:-1]))
    assert facts.valid is False
    assert facts.validity.shells_closed.ok is False
    assert facts.validity.mesh_closed_orientable.ok is False
    assert facts.volume.value is None
    assert facts.volume.verdict == "could-not-measure"
    assert facts.volume.reason is not None
    assert facts.topology.betti is None
    assert facts.topology.reason is not None
    assert totals_of([facts]).volume is None


def test_a_turned_face() -> None:
    faces = explore(shapes.box(10, 20, 30), TopAbs_FACE)
    (facts,) = facts_of_shape(solid_of([*faces[:-1], faces[-1].Reversed()]))
    assert facts.valid is False
    assert facts.validity.mesh_closed_orientable.ok is False
    assert facts.volume.value is None


def test_inside_out_in_memory() -> None:
    (facts,) = facts_of_shape(shapes.box(10, 20, 30).Reversed())
    assert facts.valid is False
    assert facts.validity.volume_positive.ok is False
    assert facts.validity.brepcheck.ok is True


def test_inside_out_through_step(tmp_path: Path) -> None:
    right = measure(shapes.write_step(shapes.box(10, 20, 30), tmp_path / "right.step"))
    wrong = measure(shapes.write_step(shapes.box(10, 20, 30).Reversed(), tmp_path / "wrong.step"))
    assert [f.code for f in right.findings] == []
    assert [f.code for f in wrong.findings] == ["inside-out-repaired"]
    assert wrong.findings[0].where == "solid 0"
    assert wrong.solids[0].volume.value == pytest.approx(6000)


def test_inside_out_part_of_many_faces(tmp_path: Path) -> None:
    wrong = measure(shapes.write_step(shapes.tray()[0].Reversed(), tmp_path / "wrong.step"))
    assert "inside-out-repaired" in [f.code for f in wrong.findings]


def test_self_crossing_prism() -> None:
    """A bow-tie extruded: its two lobes cancel, and its faces cross."""
    polygon = BRepBuilderAPI_MakePolygon()
    for x, y in ((0, 0), (10, 10), (10, 0), (0, 10)):
        polygon.Add(gp_Pnt(x, y, 0))
    polygon.Close()
    face = BRepBuilderAPI_MakeFace(polygon.Wire(), True).Face()
    (facts,) = facts_of_shape(TopoDS.Solid(BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, 5)).Shape()))
    assert facts.valid is not True
    assert facts.volume.value is None or facts.valid is False


def test_two_boxes_on_one_edge_are_not_manifold(tmp_path: Path) -> None:
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Fuse

    joined = BRepAlgoAPI_Fuse(shapes.box(10, 10, 10), shapes.box(10, 10, 10, (10, 10, 0))).Shape()
    for facts in facts_of_shape(joined):
        assert facts.topology.reason is None or "manifold" in facts.topology.reason
    faces = explore(joined, TopAbs_FACE)
    (facts,) = facts_of_shape(solid_of(faces))
    assert facts.topology.betti is None
    assert facts.topology.reason is not None
    assert "manifold" in facts.topology.reason


def test_nested_compound_and_two_solids() -> None:
    one, two = shapes.box(10, 10, 10), shapes.box(10, 10, 10, (50, 0, 0))
    nested = shapes.compound(shapes.compound(one), shapes.compound(shapes.compound(two)))
    facts = facts_of_shape(nested)
    totals = totals_of(facts)
    assert totals.solids == 2
    assert totals.volume == pytest.approx(2000)
    assert totals.occupied_volume == totals.volume
    assert totals.valid
    assert totals.bounds is not None
    assert totals.bounds.max == pytest.approx((60, 10, 10))


def test_overlapping_boxes_leave_occupied_volume_unknown() -> None:
    totals = totals_of(
        facts_of_shape(shapes.compound(shapes.box(10, 10, 10), shapes.box(10, 10, 10, (5, 5, 5))))
    )
    assert totals.volume == pytest.approx(2000)
    assert totals.occupied_volume is None
    assert totals.occupied_reason is not None


def test_touching_boxes_do_not_overlap() -> None:
    totals = totals_of(
        facts_of_shape(shapes.compound(shapes.box(10, 10, 10), shapes.box(10, 10, 10, (10, 0, 0))))
    )
    assert totals.occupied_volume == pytest.approx(2000)


def test_stray_face_beside_a_solid(tmp_path: Path) -> None:
    stray = explore(shapes.box(5, 5, 5, (100, 0, 0)), TopAbs_FACE)[0]
    shape = shapes.compound(shapes.box(10, 10, 10), stray)
    found = measure(shapes.write_step(shape, tmp_path / "stray.step"))
    assert found.totals is not None
    assert found.totals.valid is True
    assert found.totals.faces == 6
    assert found.totals.volume == pytest.approx(1000)
    assert found.totals.bounds is not None
    assert found.totals.bounds.max == pytest.approx((10, 10, 10), abs=1e-6)
    assert found.stray is not None
    assert found.stray.faces == 1
    assert "stray-surfaces" in [f.code for f in found.findings]


def test_only_a_surface_is_no_valid_part(tmp_path: Path) -> None:
    face = explore(shapes.box(5, 5, 5), TopAbs_FACE)[0]
    found = measure(shapes.write_step(face, tmp_path / "face.step"))
    assert found.verdict == "measured"
    assert found.totals is not None
    assert found.totals.solids == 0
    assert found.totals.valid is False
    assert found.totals.volume is None
    assert found.totals.volume_reason == "no solids"


def test_only_curves(tmp_path: Path) -> None:
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge

    edge = BRepBuilderAPI_MakeEdge(gp_Pnt(0, 0, 0), gp_Pnt(10, 0, 0)).Edge()
    found = measure(shapes.write_step(edge, tmp_path / "curve.step"))
    if found.verdict == "measured":
        assert found.totals is not None
        assert found.totals.valid is False
        assert found.stray is not None
        assert found.stray.edges == 1
    else:
        assert found.code == "no-shape"
