"""Threads on sheets by ISO 6410: the plain body by formula, the thin lines where they belong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import thread_shapes as ts
from drawing_parts import drawn, read, turned
from OCP.BRepGProp import BRepGProp
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.GProp import GProp_GProps
from ruler_shapes import REAL, box, cut

from gaugeblock.records.features import Hole, Thread
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.drawing.anatomy import faces_of
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.recognised import features_of
from gaugeblock.ruler.drawing.sheet import Sheet
from gaugeblock.ruler.drawing.unthreading import Unthreaded, unthreaded
from gaugeblock.ruler.views.shapes import Arc, Line

SCREW = REAL / "partcad_m3_screw.step"

M8, M6, M10 = ts.iso(8, 1.25), ts.iso(6, 1), ts.iso(10, 1.5)


def plain(shape: Any) -> Unthreaded:
    solids = [read(shape)]
    return unthreaded(solids, faces_of([solids[0].shape]), features_of(solids)[0])


def sheet_of(shape: Any) -> Sheet:
    return drawn(shape, features_of([read(shape)])[0])


def volume(shape: Any) -> float:
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, properties)
    return properties.Mass()


def lines(sheet: Sheet, view: str, layer: str) -> list[list[float]]:
    """Straight lines in mm of the part: lowest x and y, highest x and y; sorted."""
    placed = next(v for v in sheet.views if v.id == view)
    low, high = placed.box
    found = []
    for stroke in sheet.strokes:
        shape = stroke.shape
        if stroke.layer != layer or not isinstance(shape, Line):
            continue
        ends = (shape.start, shape.end)
        if all(low[n] - 0.01 <= end[n] <= high[n] + 0.01 for end in ends for n in (0, 1)):
            rows = [[(end[n] - placed.origin[n]) / placed.scale for n in (0, 1)] for end in ends]
            found.append([*map(min, *rows), *map(max, *rows)])
    return sorted(found)


def arcs(sheet: Sheet, layer: str) -> list[tuple[float, float]]:
    """Radius in mm of the part (views at the sheet's scale) and sweep in degrees, sorted."""
    scale = sheet.scale[0] / sheet.scale[1]
    return sorted(
        (stroke.shape.radius / scale, abs(math.degrees(stroke.shape.sweep)))
        for stroke in sheet.strokes
        if stroke.layer == layer and isinstance(stroke.shape, Arc)
    )


@pytest.mark.parametrize(
    ("shape", "truth"),
    [
        (lambda: ts.rod(M8, 20), math.pi * 16 * 20),
        (lambda: ts.rod(ts.iso(20, 2.5, hand=-1), 30), math.pi * 100 * 30),
        (lambda: ts.bolt(M8, 20, 13, 8), math.pi * (16 * 20 + 6.5**2 * 8)),
        (
            lambda: ts.nut(M10, 8, ts.hexagon(17)),
            8 * (17**2 * math.sqrt(3) / 2 - math.pi * (M10.minor / 2) ** 2),
        ),
        (
            lambda: ts.tapped(M6, 10, 14, ts.square(30)),
            30 * 30 * 24 - math.pi * (10 * (M6.minor / 2) ** 2 + 4 * (M6.minor / 2 - 0.1) ** 2),
        ),
    ],
    ids=["rod", "left-hand rod", "screw", "nut", "tapped hole"],
)
def test_the_plain_body_has_the_volume_of_its_formula(shape: Any, truth: float) -> None:
    found = plain(shape())
    assert not found.told
    assert list(found.stretches) == ["thread-1"]
    assert volume(found.solids[0].shape) == pytest.approx(truth, rel=1e-5)


def test_faces_beside_the_thread_keep_their_numbers() -> None:
    shape = ts.bolt(M8, 20, 13, 8, 10)
    before = {
        face.number: (face.kind, face.area) for face in faces_of([shape]) if face.kind == "Cylinder"
    }
    after = {face.number: (face.kind, face.area) for face in plain(shape).faces}
    thread = next(f for f in features_of([read(shape)])[0] if isinstance(f, Thread))
    assert len(before) == 2
    for number, (kind, area) in before.items():
        assert after[number] == (kind, pytest.approx(area, rel=1e-9))
    assert after[thread.faces[0]][1] == pytest.approx(math.pi * 8 * 20, rel=1e-5)


def test_a_bore_that_its_thread_tells_is_no_hole_and_a_deeper_one_is() -> None:
    nut = plain(ts.nut(M10, 8, ts.hexagon(17))).features
    assert not [f for f in nut if isinstance(f, Hole)]
    tapped = plain(ts.tapped(M6, 10, 14, ts.square(30))).features
    (hole,) = [f for f in tapped if isinstance(f, Hole)]
    assert hole.depth == pytest.approx(14, abs=1e-4)
    assert hole.axis == (0, 0, -1)


def test_what_lies_within_a_thread_is_never_filled() -> None:
    """Negative control: a pin's hole across the thread; the sheet says that it is as modelled."""
    rod = ts.rod(ts.iso(20, 2.5), 30)
    (thread,) = features_of([read(rod)])[0]
    across = gp_Ax2(gp_Pnt(-30, 0, 15), gp_Dir(1, 0, 0))
    shape = cut(rod, BRepPrimAPI_MakeCylinder(across, 2, 60).Shape())
    solids = [read(shape)]
    faces = faces_of([solids[0].shape])
    wound = [face.number for face in faces if face.kind == "BSplineSurface"]
    found = unthreaded(solids, faces, [thread.model_copy(update={"faces": wound})])
    assert found.solids[0].shape.IsSame(solids[0].shape)
    assert found.faces == faces
    assert not found.stretches
    (told,) = found.told
    assert told.startswith("thread-1 drawn as modelled")


def test_a_shaft_from_the_side_and_from_its_end() -> None:
    sheet = sheet_of(ts.bolt(M8, 20, 13, 8, 10))
    thin = lines(sheet, "front", "thread")
    r, heights = M8.minor / 2, {round(row[2] - row[0], 4) for row in thin}
    assert heights == {20.0}
    assert sorted(row[1] for row in thin) == pytest.approx([-r, r], abs=2e-3)
    # The crests are the plain body's own outlines, and the shank is as it was.
    wide = lines(sheet, "front", "visible")
    for radius in (4.0, M8.minor / 2 - 0.1, 6.5):
        assert sum(abs(abs(row[1]) - radius) < 2e-3 and row[1] == row[3] for row in wide) == 2


def test_a_nut_has_its_roots_thin_in_the_section_and_as_three_quarters_from_its_end() -> None:
    sheet = sheet_of(ts.nut(M10, 8, ts.hexagon(17)))
    ((radius, sweep),) = arcs(sheet, "thread")
    assert radius == pytest.approx(5, abs=2e-3)
    assert 240 < sweep < 285
    thin = lines(sheet, "section-A", "thread")
    assert len(thin) == 2
    for row in thin:
        assert max(row[2] - row[0], row[3] - row[1]) == pytest.approx(8, abs=1e-3)
    # Hatched up to the crests: the section's outlines run at the minor diameter.
    inner = min(
        abs(y)
        for hatch in sheet.hatches
        for loop in hatch.loops
        for shape in loop
        for y in _aside(sheet, shape.at(np.array([0.0, 1.0])))
    )
    assert inner == pytest.approx(M10.minor / 2, abs=2e-3)


def _aside(sheet: Sheet, points: Any) -> list[float]:
    """How far points of the section lie from the nut's axis, mm."""
    view = next(v for v in sheet.views if v.id == "section-A")
    up = 1 if abs(view.camera.up[2]) < 0.5 else 0
    return [(float(p[up]) - view.origin[up]) / view.scale for p in points]


def test_a_tapped_hole_that_is_not_cut_is_dashed() -> None:
    sheet = sheet_of(ts.tapped(M6, 10, 14, ts.square(30)))
    hidden = lines(sheet, "front", "hidden")
    long = [row for row in hidden if abs(row[3] - row[1] - 10) < 1e-3]
    places = sorted(row[0] for row in long)
    assert places == pytest.approx([-3, -M6.minor / 2, M6.minor / 2, 3], abs=2e-3)
    # The end of the thread runs across to its roots.
    assert any(abs(row[2] - row[0] - 6) < 2e-3 for row in hidden)


def test_a_turned_part_gives_the_same_sheet() -> None:
    shape = ts.bolt(M8, 20, 13, 8)
    one, other = sheet_of(shape), sheet_of(turned(shape, (1, 2, 3), 40))
    assert [d.text for d in one.dims] == [d.text for d in other.dims]
    a, b = lines(one, "front", "thread"), lines(other, "front", "thread")
    assert len(a) == len(b) == 2
    for left, right in zip(a, b, strict=True):
        assert left[2] - left[0] == pytest.approx(right[2] - right[0], abs=1e-3)


@pytest.mark.skipif(not SCREW.is_file(), reason="the public files are not here")
def test_a_real_screw_is_drawn_exactly() -> None:
    """Its helix could be drawn from triangles only, and took half a minute."""
    with Ruler() as ruler:
        sheet = ruler.draw(SCREW, DrawOptions())
    assert {view.method for view in sheet.views} == {"exact"}
    assert not [note for note in sheet.notes if "triangles" in note or "modelled" in note]
    assert "M3x0.5 – 6g" in [dim.text for dim in sheet.dims]
    thin = lines(sheet, "front", "thread")
    # The roots as modelled, from the head to where the chamfer takes them off.
    assert [row[3] for row in thin] == pytest.approx([-1.17524, 1.17524], abs=1e-4)
    assert [row[2] - row[0] for row in thin] == pytest.approx([5.8222, 5.8222], abs=1e-3)


def test_slots_far_outside_of_a_thread_do_not_lie_within_it() -> None:
    """Their walls' planes pass near the axis, the walls themselves do not."""
    slots = [box(4, 5, 5, at=(x, -2.5, -1)) for x in (8, -12)]
    found = plain(cut(ts.nut(M10, 8, ts.square(20)), *slots))
    assert not found.told
    assert volume(found.solids[0].shape) == pytest.approx(
        8 * (400 - math.pi * (M10.minor / 2) ** 2) - 2 * 2 * 5 * 4, rel=1e-5
    )


def test_two_threads_of_one_size_keep_their_own_faces() -> None:
    found = plain(ts.stud(M8, 12, 15))
    assert not found.told
    wide = [f for f in found.faces if f.kind == "Cylinder" and abs(f.radius - 4) < 1e-3]
    assert len(wide) == len(found.stretches) == 2
    for stretch in found.stretches.values():
        (own,) = (f for f in wide if f.number in stretch.thread.faces)
        along = (own.points - stretch.origin) @ stretch.axis
        assert (along.min(), along.max()) == pytest.approx((stretch.low, stretch.high), abs=1e-6)
