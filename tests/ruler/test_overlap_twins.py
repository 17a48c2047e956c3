"""Twins: equal boundaries are found in every pose, and whatever differs is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import overlap_shapes as pairs
import pytest
import ruler_shapes as shapes
import thread_shapes as threads
from OCP.BRep import BRep_Tool
from OCP.gp import gp_Pnt
from OCP.TopAbs import TopAbs_FACE
from OCP.TopoDS import TopoDS

from gaugeblock.ruler import Ruler
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.bspline import Axis, Patch
from gaugeblock.ruler.facts.surfaces import KNOWN, Surface, SurfaceTable
from gaugeblock.ruler.overlap.body import REST, Motion
from gaugeblock.ruler.overlap.twins import EQUAL, find_twins, planes_apart, surfaces_apart

TURN = ((1.0, 0.3, 0.7), 1.1, 7.0)
"""An axis, an angle in rad and a shift in mm without any symmetry."""


def screw(hand: int = 1) -> Any:
    return threads.rod(threads.iso(6.0, 1.0, hand=hand), 4.0)


def plate(x: float = 8.0, radius: float = 2.0, swapped: bool = False) -> Any:
    """A plate with two bores; the second one's place and radius are given."""
    bores = [shapes.cylinder(3, 20, (25, 8, -5)), shapes.cylinder(radius, 20, (x, 12, -5))]
    return shapes.cut(shapes.box(40, 20, 6), *(reversed(bores) if swapped else bores))


def wheel() -> Any:
    """A pulley whose groove was cut from a hexagon: its edges are hyperbolas."""
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeCone

    cone = BRepPrimAPI_MakeCone(14.0, 6.0, 12.0).Shape()
    return BRepAlgoAPI_Common(cone, pairs.prism(6, 11.0, 12.0)).Shape()


def found(a: Any, b: Any) -> list[Any]:
    return find_twins(pairs.body_of(a), pairs.body_of(b))


ALIKE: dict[str, tuple[Callable[[], Any], int]] = {
    "notched block": (pairs.chiral, 1),
    "plate": (plate, 1),
    "box": (lambda: shapes.box(30, 20, 10), 4),
    "cube": (lambda: shapes.box(10, 10, 10), 24),
    "hexagonal prism": (lambda: pairs.prism(6, 10, 15), 12),
    "loft": (pairs.loft, 1),
    "thread": (screw, 1),
    "hyperbolas": (wheel, 1),
}
"""Parts and how many motions lay their drawn boundary on itself: the order of the group of turns,
where no seam singles one out."""


@pytest.mark.parametrize("name", ALIKE)
def test_a_turned_copy_is_a_twin(name: str) -> None:
    make, symmetries = ALIKE[name]
    part = make()
    twins = found(part, shapes.moved(part, *TURN))
    assert len(twins) == symmetries
    # The motion itself is among them: it takes the corners of a known box where they belong.
    box = shapes.box(1, 2, 3)
    gaps = []
    for twin in twins:
        here, there = pairs.body_of(box), pairs.body_of(shapes.moved(box, *TURN))
        gaps.append(np.abs(twin.motion(here.centroid[None]) - there.centroid).max())
        assert np.linalg.det(twin.motion.rotation) == pytest.approx(1.0)
    assert min(gaps) < 1e-7


def test_features_made_in_another_order() -> None:
    assert len(found(plate(), shapes.moved(plate(swapped=True), *TURN))) == 1


UNLIKE: dict[str, Callable[[], tuple[Any, Any]]] = {
    "hole moved": lambda: (plate(), plate(x=8.001)),
    "hole moved by a nanometre": lambda: (plate(), plate(x=8.0 + 1e-6)),
    "hole wider": lambda: (plate(), plate(radius=2.0 + 1e-6)),
    "mirrored": lambda: (pairs.chiral(), shapes.mirrored(pairs.chiral())),
    "left hand": lambda: (screw(), screw(-1)),
    "longer": lambda: (screw(), threads.rod(threads.iso(6.0, 1.0), 4.001)),
    "thicker": lambda: (screw(), threads.rod(threads.iso(6.001, 1.0), 4.0)),
    "larger": lambda: (pairs.chiral(), shapes.scaled(pairs.chiral(), 1.0001)),
    "one solid more": lambda: (plate(), shapes.compound(plate(), shapes.box(5, 5, 5, (50, 0, 0)))),
}


@pytest.mark.parametrize("name", UNLIKE)
def test_what_differs_is_no_twin(name: str) -> None:
    one, other = UNLIKE[name]()
    assert found(one, shapes.moved(other, *TURN)) == []
    assert found(shapes.moved(other, *TURN), one) == []


@pytest.mark.parametrize("by", [1e-2, 1e-4, 1e-6])
def test_a_pole_moved_amid_a_face(by: float) -> None:
    """Corners and edges stay as they are, and so does the face but for one bulge between them."""
    part, other = screw(), shapes.moved(screw(), *TURN)
    faces = explore(other, TopAbs_FACE)
    surfaces = [BRep_Tool.Surface_s(TopoDS.Face(face)) for face in faces]
    spline = next(s for s in surfaces if hasattr(s, "SetPole"))
    i, j = spline.NbUPoles() // 2, spline.NbVPoles() // 2
    assert len(found(part, other)) == 1
    pole = spline.Pole(i, j)
    spline.SetPole(i, j, gp_Pnt(pole.X() + by, pole.Y(), pole.Z()))
    assert find_twins(pairs.body_of(part), pairs.body_of(other)) == []


@pytest.mark.parametrize("kind", KNOWN)
def test_elementary_surfaces_lie_within_the_bound(kind: str) -> None:
    """No two points at equal parameters are farther apart, and the bound is not idle."""
    random = np.random.default_rng(5)
    for size in (1e-6, 1e-3, 1e-2):
        frame = np.vstack([random.normal(size=3) * 5, np.linalg.qr(random.normal(size=(3, 3)))[0]])
        off = frame.copy()
        turn = pairs.rotation(tuple(random.normal(size=3)), size * random.random())
        off[0] += size * random.normal(size=3)
        off[1:] = off[1:] @ turn.T
        a, b = (4.0, 0.5) if kind == "Cone" else (4.0, 1.5)
        one = Surface(kind, None, frame, a, b)
        other = Surface(kind, None, off, a + size * random.normal(), b + size * random.normal())
        u = random.uniform(-math.pi, math.pi, 400)
        uv = np.stack([u, random.uniform(-1.5, 1.5, 400)], axis=1)
        faces = np.zeros(400, dtype=np.int64)
        here, there = (SurfaceTable([s]).points(faces, uv) for s in (one, other))
        centre = here.mean(axis=0)
        radius = float(np.linalg.norm(here - centre, axis=1).max())
        bound = surfaces_apart(one, other, REST, centre, radius)
        assert bound is not None
        worst = np.linalg.norm(here - there, axis=1).max()
        assert worst <= bound <= 100 * worst


def test_a_plane_that_looks_the_other_way_is_far_off() -> None:
    random = np.random.default_rng(7)
    frame = np.vstack([random.normal(size=3), np.linalg.qr(random.normal(size=(3, 3)))[0]])
    # The same plane with other parameters: another origin in it, X and Y swapped and reversed.
    other = np.vstack([frame[0] + 3 * frame[1] - 2 * frame[2], frame[2], -frame[1], frame[3]])
    one, two = Surface("Plane", None, frame), Surface("Plane", None, other)
    assert planes_apart(one, two, False, REST, np.zeros(3), 10.0) < 1e-13
    assert planes_apart(one, two, True, REST, np.zeros(3), 10.0) > 10.0


def test_poles_bound_a_spline_everywhere() -> None:
    random = np.random.default_rng(6)
    axis = Axis(3, np.array([0, 0, 0, 0, 0.3, 0.7, 1, 1, 1, 1.0]), 0.0)
    weights = random.uniform(0.5, 2.0, (6, 6, 1))
    points = random.normal(size=(6, 6, 3))
    other = points.copy()
    other[2, 3] += 1e-3
    motion = Motion(pairs.rotation((1, 2, 3), 0.4), np.array([1.0, 2.0, 3.0]))
    one, two = (
        Surface("BSplineSurface", None, np.zeros((4, 3)),
                patch=Patch(axis, axis, np.concatenate([p * weights, weights], axis=2), True))
        for p in (points, motion(other.reshape(-1, 3)).reshape(6, 6, 3))
    )  # fmt: skip
    bound = surfaces_apart(one, two, motion, np.zeros(3), 1.0)
    assert bound == pytest.approx(1e-3 * math.sqrt(3), rel=1e-6)
    uv = random.random((2000, 2))
    assert one.patch is not None and two.patch is not None
    gap = np.linalg.norm(motion(one.patch.points(uv)) - two.patch.points(uv), axis=1)
    assert 0.1 * bound < gap.max() <= bound


def test_a_turned_thread_is_identical(tmp_path: Path) -> None:
    part = screw()
    one = shapes.write_step(part, tmp_path / "a.step")
    other = shapes.write_step(shapes.moved(part, *TURN), tmp_path / "b.step")
    with Ruler() as ruler:
        same = ruler.compare(one, other)
    assert same.aligned is not None and same.alignment is not None
    assert (same.aligned.method, same.aligned.iou) == ("identical", 1.0)
    assert same.alignment.method == "twins"
    assert same.alignment.residual is not None and same.alignment.residual < EQUAL * 10
    checks = same.aligned.cross_checks
    assert checks.agree and checks.casting.iou is not None
    assert checks.mesh.iou is None and checks.mesh.reason is not None
