"""The fixed cameras and where their views stand on a sheet."""

import math

import numpy as np
import pytest
from OCP.BRepAlgoAPI import BRepAlgoAPI_Fuse
from ruler_shapes import box, cylinder
from views_shapes import lines, turned

from gaugeblock.ruler.views.cameras import CAMERAS, FIRST_ANGLE, THIRD_ANGLE, USUAL, camera


@pytest.mark.parametrize("name", CAMERAS)
def test_a_camera_is_a_right_handed_frame(name):
    basis = CAMERAS[name].basis()
    assert np.allclose(basis @ basis.T, np.eye(3), atol=1e-15)
    assert math.isclose(np.linalg.det(basis), 1.0)


def test_the_usual_views_look_as_draughtsmen_expect():
    assert USUAL == ("front", "right", "top", "iso")
    axes = {name: CAMERAS[name].axes for name in USUAL}
    assert axes["front"] == {"right": "+X", "up": "+Z", "towards_viewer": "−Y"}
    assert axes["right"] == {"right": "+Y", "up": "+Z", "towards_viewer": "+X"}
    assert axes["top"] == {"right": "+X", "up": "+Y", "towards_viewer": "+Z"}
    assert axes["iso"] == {"right": None, "up": None, "towards_viewer": None}


def test_the_isometric_view_shortens_all_axes_alike():
    flat = CAMERAS["iso"].basis()[:2]
    assert np.allclose(np.linalg.norm(flat, axis=0), math.sqrt(2 / 3))
    # Z stands upright.
    assert np.allclose(flat[:, 2], (0, math.sqrt(2 / 3)))


@pytest.mark.parametrize("name", ["right", "left", "top", "bottom"])
def test_third_angle_puts_a_view_where_it_is_seen_from(name):
    front, (column, row) = CAMERAS["front"], THIRD_ANGLE[name]
    towards = column * np.array(front.right) + row * np.array(front.up)
    assert np.allclose(CAMERAS[name].direction, towards)
    assert FIRST_ANGLE[name] == (-column, -row)


@pytest.mark.parametrize("name", ["right", "left", "top", "bottom"])
def test_a_view_folds_out_of_the_front_view(name):
    # On a third-angle sheet the side that meets the front view is the part's front: going from
    # the front view into the other one goes on backwards, away from the front's viewer.
    column, row = THIRD_ANGLE[name]
    flat = CAMERAS[name].basis()[:2].T @ np.array([column, row])
    assert np.allclose(flat, -np.array(CAMERAS["front"].direction))


def test_any_direction_and_up_give_a_frame():
    basis = camera("odd", (3, -1, 2), (0.2, 0.1, 1)).basis()
    assert np.allclose(basis @ basis.T, np.eye(3), atol=1e-15)
    assert np.allclose(basis[2], np.array([3, -1, 2]) / math.sqrt(14))


def test_a_boss_on_the_right_is_seen_from_the_right_alone():
    boss = turned(cylinder(4, 30), (0, 1, 0), math.pi / 2)
    part = BRepAlgoAPI_Fuse(box(20, 30, 30, (0, -15, -15)), boss).Shape()
    rounds = {
        name: [c.visible for c in lines(part, of=name) if c.shape.kind == "arc"]
        for name in ("right", "left")
    }
    assert rounds == {"right": [True], "left": [False]}
    # In the front view it stands out on the right.
    high = max(x for c in lines(part) for x, _ in (c.shape.start, c.shape.end))
    assert math.isclose(high, 30.0)
