"""What the recognisers read: regions, bends, lengths, fitted surfaces, and faces left to others."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from build123d import Box, Cylinder, Plane, Pos
from feature_shapes import prism, turned
from OCP.ShapeUpgrade import ShapeUpgrade_ShapeDivideAngle
from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from OCP.TopoDS import TopoDS

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.features.building import build_graph
from gaugeblock.ruler.features.fitting import fit
from gaugeblock.ruler.features.forms import Form
from gaugeblock.ruler.features.graph import SolidGraph
from gaugeblock.ruler.features.recognising import recognise

RNG = np.random.default_rng(5)


def graph_of(part: Any) -> SolidGraph:
    shape = getattr(part, "wrapped", part)
    return build_graph(TopoDS.Solid(explore(shape, TopAbs_SOLID)[0]))


def test_bends_and_lengths_of_a_bracket() -> None:
    graph = graph_of(prism(Plane.XZ, 30, (0, 0), (50, 0), (50, 8), (8, 8), (8, 40), (0, 40)))
    assert Counter(graph.bends) == {"convex": 17, "concave": 1}
    inner = graph.bends.index("concave")
    assert graph.angles[inner] == pytest.approx(-90)
    assert graph.lengths[inner] == pytest.approx(30)
    assert np.delete(graph.angles, inner, axis=0) == pytest.approx(90)
    assert graph.lengths.sum() == pytest.approx(2 * (50 + 8 + 42 + 32 + 8 + 40) + 6 * 30)


def test_a_round_face_is_one_region_however_it_is_cut() -> None:
    tube = Cylinder(20, 50) - Cylinder(12, 50)
    tool = ShapeUpgrade_ShapeDivideAngle(math.pi / 2, tube.wrapped)
    tool.Perform()
    cut = tool.Result()
    assert len(explore(cut, TopAbs_FACE)) > 6
    whole, divided = graph_of(tube), graph_of(cut)
    assert Counter(r.kind for r in divided.regions) == Counter(r.kind for r in whole.regions)
    wall = next(r for r in divided.regions if r.outward < 0)
    assert len(wall.faces) == 4 and len(wall.loops) == 2


def test_side_of_the_material() -> None:
    graph = graph_of(Cylinder(20, 50) - Cylinder(12, 50))
    sides = {r.form.radius: r.outward for r in graph.regions if r.kind == "cylinder"}
    assert {round(radius): side for radius, side in sides.items()} == {20: 1, 12: -1}
    for region in graph.regions:
        if region.kind == "plane":
            middle = graph.boundary(region).mean(axis=0)
            assert float(region.form.axis @ middle) > 0, "a plane's axis points outwards"


def test_loops_close_and_keep_the_region_to_their_left() -> None:
    graph = graph_of(Box(40, 40, 10) - Pos(5, 5, 0) * Cylinder(4, 10))
    for region in graph.regions:
        for loop in region.loops:
            points = graph.loop_points(loop)
            steps = np.linalg.norm(np.diff(np.vstack([points, points[:1]]), axis=0), axis=1)
            assert steps.max() < 10, "no jump between edges"
        for edge, side in region.edges:
            inside = graph.points[edge, 8] - 1e-3 * graph.away(edge, side)[8]
            assert abs(region.form.distance(inside[None])[0]) < 1e-6


# Fitting


def cloud(form: Form, u: Any, v: Any) -> tuple[Any, Any]:
    """Samples of an upright form at angles u and heights or tube angles v, and their normals."""
    radial = np.stack([np.cos(u), np.sin(u), 0 * u], axis=-1)
    if form.kind == "torus":
        points = radial * (form.major + form.radius * np.cos(v))[..., None]
        points = points + form.axis * (form.radius * np.sin(v))[..., None]
    elif form.kind == "cone":
        points = radial * (v * math.tan(form.half_angle))[..., None] + form.axis * v[..., None]
    elif form.kind == "sphere":
        points = form.radius * (radial * np.cos(v)[..., None] + form.axis * np.sin(v)[..., None])
    else:
        points = radial * form.radius + form.axis * v[..., None]
    return points, form.gradient(points)


UP = np.array([0.0, 0.0, 1.0])
FORMS = [
    Form("cylinder", np.zeros(3), UP, radius=7.0),
    Form("cone", np.zeros(3), UP, half_angle=0.4),
    Form("sphere", np.zeros(3), UP, radius=7.0),
    Form("torus", np.zeros(3), UP, radius=2.0, major=9.0),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
@pytest.mark.parametrize("extent", [0.5, 2.0])
def test_fit_finds_the_surface_of_a_piece(form: Form, extent: float) -> None:
    u, v = (RNG.uniform(0.3, 0.3 + extent, 60) for _ in range(2))
    points, normals = cloud(form, u, v)
    turn = np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    shift = np.array([100.0, -50.0, 30.0])
    found = fit(points @ turn.T + shift, normals @ turn.T, 1e-6)
    assert found.kind == form.kind
    assert found.radius == pytest.approx(form.radius, abs=1e-6)
    assert found.major == pytest.approx(form.major, abs=1e-6)
    assert found.half_angle == pytest.approx(form.half_angle, abs=1e-8)


def test_fit_refuses_what_is_no_elementary_surface() -> None:
    cylinder = FORMS[0]
    u, v = RNG.uniform(0, 2, 60), RNG.uniform(0, 20, 60)
    points, normals = cloud(cylinder, u, v)
    wavy = points + 0.01 * np.sin(v)[:, None] * normals
    assert fit(wavy, normals, 1e-3).kind == "other", "off by more than the tolerance"
    tilted = normals + 0.05 * np.sin(3 * v)[:, None] * UP
    tilted /= np.linalg.norm(tilted, axis=1)[:, None]
    assert fit(points, tilted, 1e-3).kind == "other", "waves that small still show in the normals"
    oval = points * np.array([1.0, 1.02, 1.0])
    gradient = normals / np.array([1.0, 1.02, 1.0])
    gradient /= np.linalg.norm(gradient, axis=1)[:, None]
    assert fit(oval, gradient, 1e-3).kind == "other"


def test_flat_samples_are_a_plane_and_nothing_round() -> None:
    points = np.column_stack([RNG.uniform(-5, 5, (50, 2)), np.zeros(50)])
    assert fit(points, np.tile(UP, (50, 1)), 1e-6).kind == "plane"


def test_a_line_pierces_each_form_where_the_formula_says() -> None:
    start, way = np.array([0.0, 0.0, 20.0]), np.array([0.0, 0.0, -1.0])
    lying = Form("cylinder", np.zeros(3), np.array([1.0, 0.0, 0.0]), radius=7.0)
    assert lying.pierced(start, way, 0.0) == pytest.approx(13)
    assert lying.pierced(start, way, 30.0) == pytest.approx(27)
    assert FORMS[2].pierced(start + np.array([0, 3, 0]), way, 0.0) == pytest.approx(
        20 - math.sqrt(40)
    )
    cone = Form("cone", np.zeros(3), UP, half_angle=math.pi / 4)
    assert cone.pierced(start + np.array([5, 0, 0]), way, 0.0) == pytest.approx(15)
    assert lying.pierced(start + np.array([0, 8, 0]), way, 0.0) is None


# Faces that others claim


def test_taken_faces_become_no_feature() -> None:
    part = Box(40, 40, 10) - Pos(-10, 0, 0) * Cylinder(3, 10) - Pos(10, 0, 0) * Cylinder(4, 10)
    graph = graph_of(part)
    wall = next(r for r in graph.regions if r.kind == "cylinder" and r.form.radius < 3.5)
    found = recognise(graph, taken_faces=wall.faces).features
    assert [f.kind for f in found] == ["hole"]
    assert len(recognise(graph).features) == 2


def test_taken_faces_are_no_groove_or_fillet_either() -> None:
    part = turned((0, 0), (10, 0), (10, 20), (8, 20), (8, 23), (10, 23), (10, 40), (0, 40))
    graph = graph_of(part)
    floor = next(r for r in graph.regions if r.kind == "cylinder" and r.form.radius < 9)
    assert recognise(graph, taken_faces=floor.faces).features == []
