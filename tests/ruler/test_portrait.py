"""One file's triangles by face, and the faces of features in their colours."""

from __future__ import annotations

import numpy as np
import pytest
import ruler_shapes as shapes
from made_features import hole

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.picture.portrait import Portrait, pack, scene_by_kind, unpack
from gaugeblock.ruler.picture.portraying import portrait_of


@pytest.fixture(scope="module")
def plate():
    """A plate with one hole; its wall is the only round face."""
    return shapes.cut(shapes.box(60, 40, 8), shapes.cylinder(5, 20, (30, 20, -2)))


@pytest.fixture(scope="module")
def portrait(plate) -> Portrait:
    return portrait_of([plate])


def areas(portrait: Portrait) -> np.ndarray:
    corners = portrait.points[portrait.triangles].astype(float)
    sides = corners[:, 1:] - corners[:, :1]
    return np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) / 2


def test_every_face_has_its_triangles(portrait):
    assert set(portrait.face.tolist()) == set(range(7))
    assert set(portrait.solid.tolist()) == {0}
    total = 2 * (60 * 40 + 60 * 8 + 40 * 8) - 2 * np.pi * 25 + np.pi * 10 * 8
    assert areas(portrait).sum() == pytest.approx(total, rel=2e-3)


def test_triangles_look_outwards(portrait):
    corners = portrait.points[portrait.triangles].astype(float)
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(60 * 40 * 8 - np.pi * 25 * 8, rel=2e-3)


def test_a_feature_has_the_triangles_of_its_faces(portrait):
    middle = portrait.points[portrait.triangles].mean(axis=1)
    near = np.hypot(middle[:, 0] - 30, middle[:, 1] - 20) < 5
    wall = np.unique(portrait.face[near & (middle[:, 2] > 0.1) & (middle[:, 2] < 7.9)])
    assert len(wall) == 1
    feature = hole((30, 20, 8), 10, 8, faces=wall.tolist())
    scene, styles = scene_by_kind(portrait, [feature])
    assert [style.layer for style in styles] == ["other", "hole"]
    drawn = scene.layers["hole"]
    assert np.hypot(drawn.points[:, 0] - 30, drawn.points[:, 1] - 20) == pytest.approx(5, abs=1e-3)
    count = sum(len(layer.triangles) for layer in scene.layers.values())
    assert count == len(portrait.triangles)


def test_faces_are_told_apart_by_solid(plate):
    both = portrait_of([plate, shapes.moved(plate, (0, 0, 1), 0.0, 100.0)])
    feature = hole(solid=1, faces=[0])
    drawn = scene_by_kind(both, [feature])[0].layers["hole"]
    assert drawn.points[:, 0].min() > 80


def test_the_way_between_processes(portrait):
    value, blobs = pack(portrait)
    same = unpack(value, tuple(blobs))
    assert (same.points == portrait.points).all()
    assert (same.face == portrait.face).all()
    short = [*blobs]
    short[3] = short[3][:-4]
    beyond = [*blobs]
    beyond[1] = np.full((1, 3), len(portrait.points), dtype="<u4").tobytes()
    wild = [*blobs]
    wild[0] = np.full((len(portrait.points), 3), np.nan, dtype="<f4").tobytes()
    for wrong in (blobs[:-1], short, beyond, wild):
        with pytest.raises(CouldNotMeasure, match="not a picture"):
            unpack(value, tuple(wrong))


def test_files_that_cannot_be_drawn(tmp_path):
    (tmp_path / "no.step").write_text("no STEP file")
    with Ruler() as ruler, pytest.raises(CouldNotMeasure, match="picture: not a STEP file"):
        ruler.portrait(tmp_path / "no.step")
