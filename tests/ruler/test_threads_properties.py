"""What must not change a thread's figures, what must, and what is too far off a standard."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ruler_shapes as shapes
import thread_shapes as ts
from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert
from OCP.gp import gp_Dir, gp_Lin, gp_Pnt
from OCP.IntCurvesFace import IntCurvesFace_ShapeIntersector
from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from test_ruler_negative import solid_of

from gaugeblock.records.features import FeatureSet, Thread
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.outline import outline_of
from gaugeblock.ruler.threads.candidates import candidates
from gaugeblock.ruler.threads.form import Form
from gaugeblock.ruler.threads.measuring import threads_of_shape, threads_of_solid
from gaugeblock.ruler.threads.rays import Grid
from gaugeblock.ruler.threads.regions import boxes_of, regions
from gaugeblock.ruler.threads.standard import Size, nearest, sizes

M8 = ts.iso(8, 1.25)
LENGTHS = "pitch lead surface_lead major minor pitch_diameter length full_length residual".split()
SAME = "internal designation standard starts hand through findings".split()


def only(shape: Any) -> Thread:
    (thread,) = threads_of_shape(shape)
    return thread


def blind() -> Any:
    return ts.tapped(ts.iso(6, 1, starts=2), 5, 7, ts.square(16))


def alike(one: Thread, other: Thread, but: tuple[str, ...] = (), scale: float = 1.0) -> None:
    for name in SAME:
        if name not in but:
            assert getattr(one, name) == getattr(other, name), name
    for name in LENGTHS:
        expected = scale * getattr(one, name)
        assert getattr(other, name) == pytest.approx(expected, abs=2e-5 * scale), name
    assert one.volume is not None
    assert other.volume == pytest.approx(one.volume * scale**3, rel=1e-4)
    assert other.flank_angle == pytest.approx(one.flank_angle, abs=1e-3)
    if "volume_ratio" not in but:
        assert other.volume_ratio == pytest.approx(one.volume_ratio, abs=2e-5)


def test_rigid_motion_moves_place_and_axis_only() -> None:
    shape = blind()
    one = only(shape)
    axis, angle, shift = (2.0, -1.0, 0.7), 2.2, 83.0
    other = only(shapes.moved(shape, axis, angle, shift))
    alike(one, other)
    unit = np.array(axis) / np.linalg.norm(axis)
    cross = np.cross(np.eye(3), unit)
    turn = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    centre = np.array([1.0, 2.0, 3.0])
    place = turn @ (np.array(one.position) - centre) + centre
    place = place + np.array([shift, -2 * shift, 0.5 * shift])
    assert other.position == pytest.approx(tuple(place), abs=1e-4)
    assert other.axis == pytest.approx(tuple(turn @ np.array(one.axis)), abs=1e-6)


def test_mirror_flips_the_hand_only() -> None:
    shape = blind()
    one, other = only(shape), only(shapes.mirrored(shape))
    assert (one.hand, other.hand) == ("right", "left")
    alike(one, other, but=("hand",))


def test_scale_scales_lengths_and_leaves_the_standard() -> None:
    one, other = only(ts.rod(M8, 6)), only(shapes.scaled(ts.rod(M8, 6), 2.1))
    assert (one.designation, other.designation) == ("M8x1.25", None)
    but = ("designation", "standard", "findings", "volume_ratio")
    alike(one, other, but=but, scale=2.1)


def test_order_of_faces_changes_their_numbers_only() -> None:
    shape = blind()
    faces = explore(shape, TopAbs_FACE)
    one, other = only(shape), only(solid_of(faces[::-1]))
    alike(one, other)
    assert other.faces == sorted(len(faces) - 1 - face for face in one.faces)


@pytest.mark.parametrize("make", [blind, lambda: ts.bolt(M8, 5, 13, 5, 3)])
def test_faces_written_as_splines_change_nothing(make: Callable[[], Any]) -> None:
    shape = make()
    one, other = only(shape), only(BRepBuilderAPI_NurbsConvert(shape, True).Shape())
    alike(one, other)
    assert other.faces == one.faces
    assert other.position == pytest.approx(one.position, abs=1e-5)


def test_wrong_hand_shows() -> None:
    found = only(ts.rod(replace(M8, hand=-1), 5))
    assert (found.designation, found.hand) == ("M8x1.25", "left")


@pytest.mark.parametrize("off", [0.02, -0.02, 0.012])
def test_wrong_pitch_shows(off: float) -> None:
    """M8's own diameters and flanks at another pitch: no size, and the finding says why."""
    wrong = replace(M8, pitch=1.25 + off, crest=1.25 / 8 + off / 2)
    found = only(ts.rod(wrong, 6))
    assert found.pitch == pytest.approx(1.25 + off, abs=2e-5)
    assert found.designation is None
    assert found.volume_ratio is None
    assert found.findings == [f"nearest size M8x1.25: pitch {1.25 + off:.4f} mm, not 1.25"]


@pytest.mark.parametrize("off", [-0.01, 0.01, -0.005, 0.005])
def test_wrong_volume_shows(off: float) -> None:
    """A ridge narrower or wider by an even width has ΔA = δ/P·π (R² − r²) of its material."""
    ring = math.pi * (M8.major**2 - M8.minor**2) / 4
    ridge = M8.core() - math.pi * M8.minor**2 / 4
    narrow = replace(M8, crest=1.25 / 8 + off * ridge * M8.pitch / ring)
    found = only(ts.rod(narrow, 6))
    assert found.designation == "M8x1.25"
    assert found.volume_ratio == pytest.approx(1 + off, abs=1e-4)


def test_truncation_and_clearance_are_told_as_they_are() -> None:
    flat = replace(M8, major=7.85, crest=1.25 / 8 + 0.15 * math.tan(math.radians(30)))
    found = only(ts.rod(flat, 6))
    assert (found.designation, found.major) == ("M8x1.25", pytest.approx(7.85, abs=1e-4))
    core = math.pi * M8.minor**2 / 4
    assert found.volume_ratio == pytest.approx((flat.core() - core) / (M8.core() - core), abs=1e-4)
    loose = ts.Screw(7.6, 1.25, M8.minor - 0.4)  # a printer's clearance of 0.2 all round
    found = only(ts.rod(loose, 6))
    assert found.designation is None
    assert found.findings[0].startswith("nearest size M8x1.25: pitch diameter 6.7881 mm, not")


def test_an_eccentric_shank_does_not_move_the_axis() -> None:
    """The shank's axis is 0.05 mm off; measured about it, the major diameter would be 8.1."""
    made = ts.skin(M8, 0.0, 5.0)
    rim, top = (ts.circle(3.0, z, 0.05) for z in (5.0, 9.0))
    faces = [ts.disc(0.0, made.low), ts.disc(5.0, made.high, rim), ts.wall(3.0, 5.0, 9.0, 0.05)]
    found = only(ts.solid([*made.faces, *faces, ts.disc(9.0, top)]))
    assert found.major == pytest.approx(8, abs=1e-4)
    assert math.hypot(*found.position[:2]) < 1e-4


def form_of(size: Size, internal: bool) -> Form:
    """The form of a size's own basic profile."""
    return Form(
        pitch=size.pitch, starts=1.0, hand=1, residual=0.0, faithful=1.0, major=size.major,
        minor=size.minor, pitch_diameter=size.pitch_diameter, flank_angle=size.flank, crest=0.1,
        root=0.2, taper=0.0, complete=np.ones(1, dtype=bool), clean=np.ones(1, dtype=bool),
    )  # fmt: skip


def test_every_size_is_its_own_nearest() -> None:
    known = sizes()
    assert len({size.designation for size in known}) == len(known) > 350
    for size in known:
        for internal in (False, True):
            assert nearest(form_of(size, internal), internal) == (size, None)


@pytest.mark.parametrize("internal", [False, True])
def test_sizes_are_never_forced(internal: bool) -> None:
    m8 = next(size for size in sizes() if size.designation == "M8x1.25")
    form = form_of(m8, internal)
    grown = 1.0 if internal else -1.0  # towards the air
    for change, ok in (
        ({"pitch": 1.259}, True),
        ({"pitch": 1.261}, False),
        ({"flank_angle": 61.9}, True),
        ({"flank_angle": 55.0}, False),
        ({"flank_angle": None}, False),
        ({"pitch_diameter": m8.pitch_diameter + 0.1 * grown}, True),
        ({"pitch_diameter": m8.pitch_diameter + 0.25 * grown}, False),
        ({"pitch_diameter": m8.pitch_diameter - 0.05 * grown}, False),
        ({"major": 8.1 if internal else 7.8}, True),
        ({"major": 8.5 if internal else 7.6}, False),
        ({"minor": 6.8 if internal else 6.2}, True),
        ({"minor": 7.2 if internal else 5.9}, False),
    ):
        size, lacks = nearest(replace(form, **change), internal)
        assert (size == m8) is ok, change
        assert (lacks is None) is ok


def test_basic_dimensions() -> None:
    """ISO 724, ASME B1.1 and ISO 2904: pitch and minor diameters as their tables print them."""
    known = {size.designation: size for size in sizes()}
    for name, middle, minor in (
        ("M3x0.5", 2.675, 2.459),
        ("M8x1.25", 7.188, 6.647),
        ("M10x1", 9.350, 8.917),
        ("M20x2.5", 18.376, 17.294),
        ("M64x6", 60.103, 57.505),
        ("1/4-20 UNC", 0.2175 * 25.4, 0.1959 * 25.4),
        ("1/2-20 UNF", 0.4675 * 25.4, 0.4459 * 25.4),
        ("1-20 UNEF", 0.9675 * 25.4, 0.9459 * 25.4),
        ("Tr20x4", 18.0, 16.0),
    ):
        assert known[name].pitch_diameter == pytest.approx(middle, abs=1.5e-3), name
        assert known[name].minor == pytest.approx(minor, abs=1.5e-3), name


@pytest.mark.parametrize("screw", [ts.iso(8, 1.25), ts.trapezoidal(20, 4)])
def test_area_of_a_size_is_that_of_its_profile(screw: ts.Screw) -> None:
    size = next(s for s in sizes() if (s.major, s.pitch) == (screw.major, screw.pitch))
    ridge = screw.core() - math.pi * screw.minor**2 / 4
    ring = math.pi * (screw.major**2 - screw.minor**2) / 4
    assert size.area(internal=False) == pytest.approx(ridge, rel=1e-12)
    assert size.area(internal=True) == pytest.approx(ring - ridge, rel=1e-12)


def test_a_plain_hole_is_no_thread() -> None:
    """A tap drill's hole may be meant to be M8; it is none."""
    plate = shapes.cut(shapes.box(30, 30, 10), shapes.cylinder(3.4, 20, (15, 15, -5)))
    (solid,) = explore(plate, TopAbs_SOLID)
    found = threads_of_solid(solid)
    assert (found.threads, found.refused, found.faces) == ([], [], set())


def test_rays_end_where_the_kernel_says() -> None:
    """The kernel's own line intersection shares nothing with the mesh and Newton's steps."""
    (solid,) = explore(blind(), TopAbs_SOLID)
    outline = outline_of(solid)
    (candidate,) = candidates(outline)
    (region,) = regions(outline, boxes_of(outline), candidate)
    screw = candidate.screw
    grid = Grid(region.heights[0] + 0.3, 0.41, 11, 7)
    radii = region.wall.crossings(grid, 2.4, 3.1).inward
    cutter = IntCurvesFace_ShapeIntersector()
    cutter.Load(solid, 1e-7)
    x, y = screw.across()
    for ring, z in enumerate(grid.levels):
        for spoke, phi in enumerate(grid.phi):
            start = screw.origin + z * screw.axis
            along = math.cos(phi) * x + math.sin(phi) * y
            line = gp_Lin(gp_Pnt(*start.tolist()), gp_Dir(*along.tolist()))
            cutter.Perform(line, 0.0, 4.0)
            first = min(cutter.WParameter(i) for i in range(1, cutter.NbPnt() + 1))
            assert radii[ring, spoke] == pytest.approx(first, abs=1e-6)


def test_through_the_sandbox(tmp_path: Path) -> None:
    screw = shapes.write_step(ts.bolt(M8, 5, 13, 5, 3), tmp_path / "screw.step")
    plain = shapes.write_step(shapes.cylinder(4, 20), tmp_path / "pin.step")
    broken = tmp_path / "broken.step"
    broken.write_text("no step file")
    with Ruler() as ruler:
        found, none, refused = (ruler.threads(path) for path in (screw, plain, broken))
    assert found.verdict == "measured"
    assert [f.kind for f in found.features] == ["thread"]
    assert isinstance(found.features[0], Thread)
    assert found.features[0].id == "thread-1"
    assert found.features[0].designation == "M8x1.25"
    assert FeatureSet.model_validate_json(found.model_dump_json()) == found
    assert (none.verdict, none.features) == ("measured", [])
    assert [finding.code for finding in none.findings] == ["no-modelled-thread"]
    assert (refused.verdict, refused.code) == ("could-not-measure", "not-step")
