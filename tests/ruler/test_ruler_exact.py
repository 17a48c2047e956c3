"""Facts against closed formulas."""

from __future__ import annotations

import math
from typing import Any

import pytest
import ruler_shapes as shapes
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCone, BRepPrimAPI_MakeSphere, BRepPrimAPI_MakeTorus

from gaugeblock.ruler import facts_of_shape
from gaugeblock.ruler.facts.quadrature import kronrod

ROUNDING = 1e-11
"""Relative: closed formulas and Gauss nodes leave only rounding."""


def holed_box() -> tuple[Any, float]:
    through = shapes.cylinder(4, 60, (20, 20, -10))
    blind = shapes.cylinder(2.5, 60, (50, 20, 10))
    return (
        shapes.cut(shapes.box(80, 40, 20), through, blind),
        80 * 40 * 20 - math.pi * 16 * 20 - math.pi * 6.25 * 10,
    )


@pytest.mark.parametrize(
    ("make", "volume", "area", "betti"),
    [
        (lambda: shapes.box(120, 80, 40), 384000.0, 35200.0, (1, 0, 1)),
        (
            lambda: shapes.cylinder(5, 20),
            500 * math.pi,
            2 * math.pi * 5 * 25,
            (1, 0, 1),
        ),
        (
            lambda: BRepPrimAPI_MakeCone(5, 2, 20).Shape(),
            math.pi * 20 / 3 * 39,
            math.pi * (29 + 7 * math.hypot(3, 20)),
            (1, 0, 1),
        ),
        (
            lambda: BRepPrimAPI_MakeCone(5, 0, 20).Shape(),
            math.pi * 500 / 3,
            math.pi * (25 + 5 * math.hypot(5, 20)),
            (1, 0, 1),
        ),
        (
            lambda: BRepPrimAPI_MakeSphere(7).Shape(),
            4 / 3 * math.pi * 343,
            4 * math.pi * 49,
            (1, 0, 1),
        ),
        (
            lambda: BRepPrimAPI_MakeTorus(20, 5).Shape(),
            2 * math.pi**2 * 500,
            4 * math.pi**2 * 100,
            (1, 2, 1),
        ),
    ],
)
def test_elementary_bodies(
    make: Any, volume: float, area: float, betti: tuple[int, int, int]
) -> None:
    (facts,) = facts_of_shape(make())
    assert facts.volume.value == pytest.approx(volume, rel=ROUNDING)
    assert facts.volume.method == "gauss"
    assert facts.volume.error_estimate is not None
    assert facts.volume.error_estimate < 1e-9 * volume
    assert facts.volume.cross_check.agrees
    assert facts.volume.cross_check.value == pytest.approx(volume, rel=1e-3)
    assert facts.area == pytest.approx(area, rel=ROUNDING)
    assert facts.topology.betti == betti
    assert facts.valid


def test_box_with_holes() -> None:
    shape, volume = holed_box()
    (facts,) = facts_of_shape(shape)
    assert facts.volume.value == pytest.approx(volume, rel=ROUNDING)
    assert facts.topology.genus == 1
    assert facts.surfaces == {"cylinder": 2, "plane": 7}


def test_tray() -> None:
    shape, volume = shapes.tray()
    (facts,) = facts_of_shape(shape)
    assert volume == pytest.approx(48313.42, abs=5e-3)
    assert facts.volume.value == pytest.approx(volume, rel=ROUNDING)
    assert facts.counts.faces == 23
    assert facts.counts.shells == 1
    assert facts.topology.genus == 12
    assert facts.topology.euler == 2 - 2 * 12
    assert facts.bounds is not None
    assert facts.bounds.min == pytest.approx((0, 0, 0), abs=1e-6)
    assert facts.bounds.max == pytest.approx((120, 80, 40), abs=1e-6)
    assert facts.centroid is not None
    assert facts.centroid[2] < 20


def test_void_is_a_second_shell() -> None:
    (facts,) = facts_of_shape(shapes.cut(shapes.box(20, 20, 20), shapes.box(4, 5, 6, (8, 8, 8))))
    assert facts.volume.value == pytest.approx(8000 - 120, rel=ROUNDING)
    assert facts.counts.shells == 2
    assert facts.topology.betti == (2, 0, 2)
    assert facts.valid


@pytest.mark.parametrize("make", [shapes.hill, shapes.ring])
def test_spline_bodies(make: Any) -> None:
    shape, volume = make()
    (facts,) = facts_of_shape(shape)
    assert facts.volume.value == pytest.approx(volume, rel=1e-9)
    assert "knot-span" in facts.volume.method
    assert facts.volume.cross_check.agrees
    assert facts.valid


def test_helical_pipe_is_section_times_length() -> None:
    """A normal section whose centre runs along the path sweeps area × length (Pappus)."""
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge, BRepBuilderAPI_MakeWire
    from OCP.BRepLib import BRepLib
    from OCP.BRepOffsetAPI import BRepOffsetAPI_MakePipeShell
    from OCP.Geom import Geom_CylindricalSurface
    from OCP.Geom2d import Geom2d_Line
    from OCP.gp import gp_Ax2, gp_Ax3, gp_Circ, gp_Dir, gp_Dir2d, gp_Pnt, gp_Pnt2d
    from OCP.TopoDS import TopoDS

    radius, pitch, turns = 10.0, 5.0, 2.0
    length = turns * math.hypot(2 * math.pi * radius, pitch)
    slope = math.hypot(2 * math.pi, pitch)
    surface = Geom_CylindricalSurface(gp_Ax3(), radius)
    line = Geom2d_Line(gp_Pnt2d(0, 0), gp_Dir2d(2 * math.pi, pitch))
    edge = BRepBuilderAPI_MakeEdge(line, surface, 0.0, turns * slope).Edge()
    BRepLib.BuildCurves3d_s(edge)
    spine = BRepBuilderAPI_MakeWire(edge).Wire()
    along = gp_Dir(0, 2 * math.pi * radius, pitch)
    circle = gp_Circ(gp_Ax2(gp_Pnt(radius, 0, 0), along), 1.0)
    section = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(circle).Edge()).Wire()
    pipe = BRepOffsetAPI_MakePipeShell(spine)
    pipe.SetMode(True)
    pipe.Add(section)
    pipe.Build()
    pipe.MakeSolid()
    (facts,) = facts_of_shape(TopoDS.Solid(pipe.Shape()))
    assert facts.volume.value == pytest.approx(math.pi * length, rel=1e-6)
    assert facts.volume.cross_check.agrees
    assert facts.valid


@pytest.mark.parametrize(
    ("make", "low", "high"),
    [
        (lambda: shapes.cylinder(5, 20), (-5, -5, 0), (5, 5, 20)),
        (lambda: BRepPrimAPI_MakeSphere(7).Shape(), (-7, -7, -7), (7, 7, 7)),
        (lambda: BRepPrimAPI_MakeTorus(20, 5).Shape(), (-25, -25, -5), (25, 25, 5)),
    ],
)
def test_bounds_are_exact(make: Any, low: Any, high: Any) -> None:
    (facts,) = facts_of_shape(make())
    assert facts.bounds is not None
    assert facts.bounds.min == pytest.approx(low, abs=1e-6)
    assert facts.bounds.max == pytest.approx(high, abs=1e-6)


def test_bounds_of_a_turned_cylinder() -> None:
    """Half the extent along x of an axis at angle a is h/2·sin a + r·cos a."""
    angle = 0.6
    shape = shapes.moved(shapes.cylinder(5, 20), (0, 1, 0), angle, 0.0)
    (facts,) = facts_of_shape(shape)
    assert facts.bounds is not None
    extent = facts.bounds.max[0] - facts.bounds.min[0]
    assert extent == pytest.approx(20 * math.sin(angle) + 10 * math.cos(angle), abs=1e-6)
    assert facts.bounds.max[1] - facts.bounds.min[1] == pytest.approx(10, abs=1e-6)


@pytest.mark.parametrize("order", [4, 7])
def test_kronrod_pairs(order: int) -> None:
    rule = kronrod(order)
    for degree in range(3 * order + 2):
        assert rule.nodes**degree @ rule.weights == pytest.approx(1 / (degree + 1), rel=1e-13)
    coarse = rule.weights - rule.difference
    for degree in range(2 * order):
        assert rule.nodes**degree @ coarse == pytest.approx(1 / (degree + 1), rel=1e-13)
    if order == 7:  # Piessens et al., QUADPACK, routine QK15
        assert 2 * rule.nodes[-1] - 1 == pytest.approx(0.991455371120812639, abs=1e-14)
