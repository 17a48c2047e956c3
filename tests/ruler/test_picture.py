"""What a difference picture shows: colours where something differs, none where nothing does."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest
import ruler_shapes as shapes
from PIL import Image, ImageDraw, ImageFont

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.overlap import Alignment
from gaugeblock.ruler.header import Refused
from gaugeblock.ruler.picture.client import _inverse
from gaugeblock.ruler.picture.raster import (
    FAR,
    draw_lines,
    draw_triangles,
    floors,
    open_floors,
)
from gaugeblock.ruler.picture.scene import Layer, Scene, corner_normals, pack, unpack
from gaugeblock.ruler.picture.taking import scene_of
from gaugeblock.ruler.picture.views import (
    ONLY_A,
    ONLY_B,
    PANELS,
    SIZE,
    VIEWS,
    Caption,
    draw,
    nice_length,
    png,
)

STILL = (np.eye(3), np.zeros(3))


def letters(text: str, height: int) -> Any:
    image = Image.new("L", (max(8, len(text) * height), height), 0)
    ImageDraw.Draw(image).text((0, 0), text, font=ImageFont.load_default(height), fill=255)
    return np.asarray(image)


def scene(a: Any, b: Any, motion: Any = STILL) -> Scene:
    return scene_of([a], [b], *motion)


def plate(holes: int) -> Any:
    return shapes.cut(
        shapes.box(60, 40, 8),
        *(shapes.cylinder(6, 10, (15 + 30 * i, 20, -1)) for i in range(holes)),
    )


def pixels(image: Any, colour: tuple[int, int, int], panel: str) -> int:
    """Pixels of one hue in one view: shading and the veil change strength, not hue."""
    left, top, width, height = PANELS[panel]
    part = image[top : top + height, left : left + width].astype(float)
    part = part - part.min(axis=2, keepdims=True)
    target = np.array(colour, dtype=float) - min(colour)
    strong = part.max(axis=2) > 60
    unit = part / np.maximum(np.linalg.norm(part, axis=2, keepdims=True), 1e-9)
    return int((strong & (unit @ (target / np.linalg.norm(target)) > 0.99)).sum())


@pytest.fixture(autouse=True)
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sample a pixel: a quarter of the time, and nothing here is about smoothness."""
    monkeypatch.setattr("gaugeblock.ruler.picture.views.SUPER", 1)


@pytest.fixture(scope="module")
def dropped() -> Scene:
    """A has a hole that B lacks: its plug is only in B."""
    return scene(plate(2), plate(1))


def test_a_dropped_hole_is_only_in_b(dropped: Scene) -> None:
    assert dropped.reason is None
    assert len(dropped.layers["only_a"].triangles) == 0
    assert dropped.volumes["only_b"] == pytest.approx(math.pi * 36 * 8, rel=2e-3)
    assert dropped.volumes["only_a"] == pytest.approx(0, abs=1e-6)
    assert len(dropped.edges["only_a"]) and not len(dropped.edges["only_b"])
    image = draw(dropped, Caption(""), letters)
    for view in VIEWS:
        assert pixels(image, ONLY_A, view) == 0
        assert pixels(image, ONLY_B, view) > 100, view


def test_the_other_way_round_it_is_only_in_a() -> None:
    image = draw(scene(plate(1), plate(2)), Caption(""), letters)
    for view in VIEWS:
        assert pixels(image, ONLY_A, view) > 100, view
        assert pixels(image, ONLY_B, view) == 0


def test_identical_parts_are_grey() -> None:
    found = scene(plate(2), plate(2))
    assert not found.differs
    assert not len(found.edges["only_a"]) and not len(found.edges["only_b"])
    image = draw(found, Caption(""), letters)
    assert all(pixels(image, colour, view) == 0 for colour in (ONLY_A, ONLY_B) for view in VIEWS)


def test_same_bytes_for_the_same_input(dropped: Scene) -> None:
    caption = Caption("twice", [(ONLY_A, "a"), (None, "b")], ["c"])
    pixels_of = draw(dropped, caption, letters)
    first = png(pixels_of)
    again = png(draw(scene(plate(2), plate(1)), caption, letters))
    assert first == again
    image = Image.open(io.BytesIO(first))
    assert image.size == SIZE
    assert (np.asarray(image) == pixels_of).all()


def test_a_motion_lays_b_on_a() -> None:
    turned = shapes.moved(plate(2), (1, 2, 3), 0.7, 25.0)
    trsf = shapes.gp_Trsf()
    trsf.SetRotation(shapes.gp_Ax1(shapes.gp_Pnt(1, 2, 3), shapes.gp_Dir(1, 2, 3)), 0.7)
    push = shapes.gp_Trsf()
    push.SetTranslation(shapes.gp_Vec(25, -50, 12.5))
    whole = push.Multiplied(trsf)
    rows = [[whole.Value(i, j) for j in (1, 2, 3, 4)] for i in (1, 2, 3)]
    forth = Alignment(
        rotation=tuple(tuple(row[:3]) for row in rows),
        translation=tuple(row[3] for row in rows),
        angle_deg=math.degrees(0.7),
        shift_mm=1.0,
        candidates=1,
        ambiguous=False,
        ties=0,
        method="axes",
        residual=0.0,
    )
    rotation, translation = _inverse(forth)
    found = scene(plate(2), turned, (np.array(rotation), np.array(translation)))
    assert not found.differs
    assert scene(plate(2), turned).differs


def test_differing_triangles_of_one_cylinder_are_no_difference() -> None:
    turn = np.array([[math.cos(0.05), -math.sin(0.05), 0], [math.sin(0.05), math.cos(0.05), 0]])
    turn = np.vstack([turn, [0, 0, 1]])
    round_part = shapes.cylinder(20, 10)
    found = scene(round_part, round_part, (turn, np.zeros(3)))
    assert found.volumes["only_a"] > 0
    assert not found.differs


def test_thin_planar_differences_are_drawn() -> None:
    found = scene(shapes.box(50, 50, 5), shapes.box(50, 50, 5.1))
    assert len(found.layers["only_b"].triangles)


def test_packing_keeps_everything(dropped: Scene) -> None:
    value, blobs = pack(dropped)
    again = unpack(value, tuple(blobs))
    assert again.volumes == dropped.volumes
    for name, layer in dropped.layers.items():
        assert (again.layers[name].points == layer.points).all()
        assert (again.layers[name].triangles == layer.triangles).all()


@pytest.mark.parametrize("fault", ["few", "index", "nan", "volume", "cut", "huge", "none"])
def test_a_wrong_answer_is_refused(dropped: Scene, fault: str) -> None:
    value, blobs = pack(dropped)
    match fault:
        case "few":
            blobs.pop()
        case "index":
            blobs[1] = np.array([0, 1, 10**9], dtype="<u4").tobytes()
        case "nan":
            blobs[0] = np.full(3, np.nan, dtype="<f4").tobytes() + blobs[0][12:]
        case "volume":
            value["volumes"] = {"common": "inf"}
        case "cut":
            blobs[-1] = b"123"
        case "huge":
            blobs[1] = np.zeros((1_600_000, 3), dtype="<u4").tobytes()
        case "none":
            value = {}
    with pytest.raises(CouldNotMeasure, match="not a picture"):
        unpack(value, tuple(blobs))


def test_too_many_triangles_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaugeblock.ruler.picture.taking.TRIANGLES", 10)
    with pytest.raises(Refused, match="too large"):
        scene(plate(1), plate(2))


def test_bodies_without_volume_are_still_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(body: Any, name: str) -> Any:
        raise Refused("mesh", "not closed")

    monkeypatch.setattr("gaugeblock.ruler.picture.taking._union", refuse)
    found = scene(plate(1), plate(2))
    assert found.reason == "not closed"
    image = draw(found, Caption(""), letters)
    assert pixels(image, ONLY_A, "Top") + pixels(image, ONLY_B, "Top") > 1000


def square(z: float) -> tuple[Any, Any]:
    points = np.array([[10, 10, z], [10, 30, z], [30, 30, z], [30, 10, z]], dtype=float)
    return points, np.array([[0, 1, 2], [0, 2, 3]])


def test_a_square_covers_its_pixels() -> None:
    points, triangles = square(5.0)
    drawn = draw_triangles(points, triangles, np.ones((2, 3)), (40, 50))
    assert (drawn.depth > FAR).sum() == 400
    assert (drawn.depth[10:30, 10:30] == 5.0).all()
    behind = draw_triangles(points, triangles[:, ::-1], np.ones((2, 3)), (40, 50))
    assert not (behind.depth > FAR).any()


def test_slopes_and_the_nearest_win() -> None:
    points, triangles = square(0.0)
    points[:, 2] = points[:, 0]
    far, _ = square(12.0)
    both = np.concatenate([points, far])
    drawn = draw_triangles(
        both, np.concatenate([triangles, triangles + 4]), np.ones((4, 3)), (40, 50)
    )
    assert drawn.depth[20, 10] == 12.0
    assert drawn.depth[20, 25] == pytest.approx(25.5)


def test_lines_are_seen_veiled_or_gone() -> None:
    depth = np.full((20, 40), FAR)
    veil, solid = depth.copy(), depth.copy()
    veil[:, 10:], solid[:, 30:] = 50.0, 50.0
    line = np.array([[[1.0, 10.0, 0.0], [39.0, 10.0, 0.0]]])
    ink = draw_lines(line, floors(veil, solid), 2.0)
    assert ink.seen[10, 5] > 0.9 and ink.veiled[10, 5] == 0
    assert ink.veiled[10, 20] > 0.9 and ink.seen[10, 20] == 0
    assert ink.seen[10, 35] == 0 and ink.veiled[10, 35] == 0
    front = draw_lines(line + np.array([0, 0, 60]), floors(veil, solid), 2.0)
    assert (front.seen[10, 2:38] > 0.9).all()
    assert not draw_lines(line[:0], open_floors((20, 40)), 2.0).seen.any()


def test_normals_are_sharp_on_a_box_and_smooth_on_a_cylinder() -> None:
    found = scene(shapes.box(10, 10, 10), shapes.cylinder(5, 30))
    box = corner_normals(found.layers["a"]).reshape(-1, 3)
    assert np.allclose(np.abs(box).max(axis=1), 1.0)
    layer = found.layers["b"]
    side = corner_normals(layer).reshape(-1, 3)
    where = layer.points[layer.triangles.ravel()]
    round_ = np.abs(side[:, 2]) < 0.5
    radial = where[round_, :2] / np.linalg.norm(where[round_, :2], axis=1, keepdims=True)
    assert (np.sum(radial * side[round_, :2], axis=1) > 0.999).all()
    empty = Layer(np.empty((0, 3), np.float32), np.empty((0, 3), np.uint32))
    assert corner_normals(empty).shape == (0, 3, 3)


def test_scale_bars_are_round() -> None:
    assert [nice_length(x) for x in (1.0, 4.9, 99, 0.3, 20)] == [1, 2, 50, pytest.approx(0.2), 20]


def test_no_film_is_left_where_turned_faces_coincide() -> None:
    """Tops that coincide but for rounding: what both share must not be drawn as A's alone."""
    angle = 0.3
    turn = np.array(
        [[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]]
    )
    a = shapes.moved(shapes.box(40, 40, 10), (0, 1, 0), angle, 0.0)
    b = shapes.moved(shapes.box(40, 20, 10), (0, 1, 0), angle, 0.0)
    small = np.eye(3) + 1e-10 * (turn - np.eye(3))
    found = scene(a, b, (small, np.full(3, -1e-9)))
    layer = found.layers["only_a"]
    corner = layer.points.astype(float)[layer.triangles]
    area = np.linalg.norm(
        np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1
    )
    # A box of 40 × 20 × 10.
    assert area.sum() / 2 == pytest.approx(2 * (800 + 400 + 200), rel=0.01)
    assert not len(found.layers["only_b"].triangles)
