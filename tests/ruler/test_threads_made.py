"""Threads as CAD systems make them: real files; sweeps and booleans of the kernel (`long`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import ruler_shapes as shapes
import thread_lookalikes as lookalikes
import thread_shapes as ts
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt

from gaugeblock.records.features import FeatureSet, Thread
from gaugeblock.ruler.threads.measuring import threads_fd, threads_of_shape

M8 = ts.iso(8, 1.25)


def threads_of_file(name: str) -> FeatureSet:
    path = shapes.REAL / name
    if not path.exists():
        pytest.skip(f"{name} is absent")
    with path.open("rb") as file:
        return threads_fd(file.fileno(), name=name, sha256=None)


def test_real_screw() -> None:
    """Swept splines that wave by 3 µm; groove to a flat of P/8, 3/4·H deep."""
    found = threads_of_file("partcad_m3_screw.step")
    (thread,) = found.features
    assert isinstance(thread, Thread)
    assert (thread.designation, thread.standard) == ("M3x0.5", "ISO 261")
    assert (thread.internal, thread.hand, thread.starts) == (False, "right", 1)
    assert thread.pitch == pytest.approx(0.5, abs=4e-4)
    assert thread.major == pytest.approx(3.0, abs=1.3e-4)
    assert thread.minor == pytest.approx(3.0 - 1.5 * ts.H * 0.5, abs=2e-4)
    assert thread.pitch_diameter == pytest.approx(3.0 - 0.75 * ts.H * 0.5, abs=1e-3)
    assert thread.flank_angle == pytest.approx(60, abs=0.05)
    assert thread.volume_ratio == pytest.approx(1.0, abs=1e-3)
    assert thread.axis == pytest.approx((0, 0, -1), abs=1e-6)  # from the tip to the head


@pytest.mark.parametrize(
    "name",
    [
        "nist_ctc_01_ap203.stp",
        "nist_ctc_02_ap242.stp",
        "nist_ctc_03_ap242.stp",
        "nist_ctc_04_ap242.stp",
        "nist_ctc_05_ap242.stp",
        "partcad_aero_assembly.step",
    ],
)
def test_real_file_without_modelled_threads(name: str) -> None:
    found = threads_of_file(name)
    assert (found.verdict, found.features, found.refused) == ("measured", [], [])
    assert [f.code for f in found.findings if f.code == "no-modelled-thread"]


def only(shape: Any) -> Thread:
    (thread,) = threads_of_shape(shape)
    return thread


def chamfered() -> Any:
    outline = [(0, 0), (3, 0), (4.5, 1.5), (4.5, 8.5), (3, 10), (0, 10)]
    return BRepAlgoAPI_Common(ts.rod(M8, 10), lookalikes.turned(outline)).Shape()


def drilled_across() -> Any:
    axes = gp_Ax2(gp_Pnt(-10, 0, 5), gp_Dir(1, 0, 0))
    return shapes.cut(ts.rod(M8, 10), BRepPrimAPI_MakeCylinder(axes, 1.0, 20).Shape())


def countersunk() -> Any:
    cone = lookalikes.turned([(0, -1), (5.2, -1), (3.2, 1), (0, 1)])
    return shapes.cut(ts.nut(M8, 6.5, ts.hexagon(13)), cone)


@pytest.mark.long
@pytest.mark.parametrize("make", [chamfered, drilled_across, countersunk])
def test_edges_of_other_features_do_not_disturb(make: Callable[[], Any]) -> None:
    found = only(make())
    assert found.designation == "M8x1.25"
    assert found.pitch == pytest.approx(1.25, abs=2e-5)
    assert (found.major, found.minor) == pytest.approx((8, M8.minor), abs=2e-4)
    assert found.flank_angle == pytest.approx(60, abs=0.02)
    assert found.volume_ratio == pytest.approx(1, abs=1e-3)
    assert any("interrupted" in text for text in found.findings) is (make is drilled_across)


@pytest.mark.long
def test_a_keyway_takes_material() -> None:
    """2 mm wide of a circumference of about 24: 8 % of the ridge."""
    found = only(shapes.cut(ts.rod(M8, 10), shapes.box(2, 5, 40, (-1, 2.5, -5))))
    assert found.designation == "M8x1.25"
    middle = (found.major + found.minor) / 4
    assert found.volume_ratio == pytest.approx(1 - math.asin(1 / middle) / math.pi, abs=0.01)


@pytest.mark.long
def test_crossed_helices_are_no_thread() -> None:
    """As on a level-wind shaft or a diamond knurl: both hands through each other."""
    right, left = (ts.rod(ts.iso(20, 2.5, starts=2, hand=hand), 8) for hand in (1, -1))
    assert threads_of_shape(BRepAlgoAPI_Common(right, left).Shape()) == []


def swept(radius: float, z: float, length: float, corners: list[tuple[float, float]]) -> Any:
    """A profile of (outwards, along the axis) corners, swept along a helix of M8's pitch."""
    from build123d import Face, Helix, Plane, Polyline, Solid, Wire

    plane = Plane(origin=(radius, 0, z), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
    outline = plane.from_local_coords(Polyline(*corners, close=True))
    return Solid.sweep(
        Face(Wire(outline.edges())), Helix(1.25, length, radius, center=(0, 0, z)), is_frenet=True
    )


@pytest.mark.long
def test_kernel_sweep_into_a_plain_shank() -> None:
    """The groove ends abruptly, within a turn, in a shank of the major diameter."""
    from build123d import Align, Cylinder, Pos

    foot = (Align.CENTER, Align.CENTER, Align.MIN)
    blank = Cylinder(4, 25, align=foot) + Pos(0, 0, 25) * Cylinder(6.5, 5, align=foot)
    depth, over = (M8.major - M8.minor) / 2, 0.1
    low, high = 1.25 / 8, 1.25 / 8 + (depth + over) / math.sqrt(3)
    groove = [(over, -high), (over, high), (-depth, low), (-depth, -low)]
    found = only(blank - swept(4.0, -1.25, 14, groove))
    assert (found.designation, found.internal) == ("M8x1.25", False)
    assert found.pitch == pytest.approx(1.25, abs=1e-4)
    assert (found.major, found.minor) == pytest.approx((8, M8.minor), abs=2e-4)
    assert found.length == pytest.approx(14 - 1.25 + high, abs=0.2)
    assert found.volume_ratio == pytest.approx(1, abs=1e-3)
    assert found.axis == pytest.approx((0, 0, 1), abs=1e-6)


@pytest.mark.long
def test_a_very_long_thread_is_measured_in_its_middle() -> None:
    pieces = [ts.skin(ts.iso(6, 1), 10.0 * i, 10.0 * (i + 1)) for i in range(22)]
    ends = [ts.disc(0.0, pieces[0].low), ts.disc(220.0, pieces[-1].high)]
    found = only(ts.solid([*(face for piece in pieces for face in piece.faces), *ends]))
    assert found.designation == "M6x1"
    assert found.length == pytest.approx(220, abs=1e-3)
    assert (found.full_length, found.volume) == (None, None)
    assert "figures are of its middle" in found.findings[0]
