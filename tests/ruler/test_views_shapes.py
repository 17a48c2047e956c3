"""Plane curves: places along them, boxes around them; and which of them are drawn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gaugeblock.ruler.views.precedence import drawn
from gaugeblock.ruler.views.projection import Curve
from gaugeblock.ruler.views.shapes import (
    MOST_POINTS,
    TURN,
    Arc,
    Bezier,
    EllipseArc,
    Line,
    Polyline,
    extent,
    sampled,
)

angles = st.floats(-10, 10)
sweeps = st.floats(-TURN, TURN).filter(lambda s: abs(s) > 1e-3)
sizes = st.floats(0.1, 100)
places = st.tuples(st.floats(-100, 100), st.floats(-100, 100))
shapes = st.one_of(
    st.builds(Line, start=places, end=places),
    st.builds(Arc, centre=places, radius=sizes, start=angles, sweep=sweeps),
    st.builds(
        EllipseArc,
        centre=places,
        major=places.filter(lambda p: math.hypot(*p) > 0.1),
        ratio=st.floats(0.05, 1),
        start=angles,
        sweep=sweeps,
    ),
    st.builds(Bezier, points=st.lists(places, min_size=7, max_size=7).map(tuple)),
    st.builds(Polyline, points=st.lists(places, min_size=2, max_size=6).map(tuple)),
)


@given(shapes)
def test_the_box_is_the_smallest_around_the_curve(shape):
    low, high = np.array(extent(shape))
    dense = shape.at(np.linspace(0, 1, 60 * 70 + 1))  # every corner of up to 6 points is met
    assert (dense >= low - 1e-7).all() and (dense <= high + 1e-7).all()
    # Near an extreme the curve is flat: 4200 places miss it by a millionth of its size.
    assert np.allclose([dense.min(axis=0), dense.max(axis=0)], [low, high], atol=1e-2)


@given(shapes, st.floats(0.05, 50))
def test_samples_lie_along_the_curve_from_end_to_end(shape, step):
    points = sampled(shape, step)
    assert np.allclose(points[[0, -1]], shape.at(np.array([0.0, 1.0])), atol=1e-9)
    assert len(points) <= MOST_POINTS
    if len(points) < MOST_POINTS / 2:  # beyond that there may be no points left to halve a gap by
        gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        assert gaps.max(initial=0) <= step * (1 + 1e-6)


def test_samples_follow_a_curve_that_dashes_off_and_back_within_one_rough_step():
    dash = Bezier(points=((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (32, 1), (4, 0)))
    gaps = np.linalg.norm(np.diff(sampled(dash, 0.0625), axis=0), axis=1)
    assert gaps.max() <= 0.0625 * (1 + 1e-6)


def test_a_quarter_of_a_circle():
    arc = Arc(centre=(1, 2), radius=3, start=0.5 * math.pi, sweep=-0.5 * math.pi)
    assert np.allclose(arc.at(np.array([0.0, 1.0])), [(1, 5), (4, 2)])
    assert np.allclose(extent(arc), [(1, 2), (4, 5)])
    assert not arc.whole


def test_the_minor_axis_is_the_major_turned_left():
    ellipse = EllipseArc(centre=(0, 0), major=(0, 4), ratio=0.5, start=0, sweep=TURN)
    assert ellipse.minor == (-2, 0)
    assert ellipse.whole
    assert np.allclose(extent(ellipse), [(-2, -4), (2, 4)])


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Line, {"start": (0, 0), "end": (math.nan, 1)}),
        (Arc, {"centre": (0, 0), "radius": -1, "start": 0, "sweep": 1}),
        (Arc, {"centre": (0, 0), "radius": 1, "start": 0, "sweep": 7}),
        (EllipseArc, {"centre": (0, 0), "major": (1, 0), "ratio": 2, "start": 0, "sweep": 1}),
        (Bezier, {"points": ((0, 0), (1, 1))}),
        (Polyline, {"points": ((0, 0),)}),
    ],
)
def test_what_is_no_curve_is_refused(kind, fields):
    with pytest.raises(ValidationError):
        kind(**fields)


def curve(shape, visible=True, kind="sharp"):
    return Curve(shape=shape, visible=visible, kind=kind, solid=0)


def line(a, b, **how):
    return curve(Line(start=a, end=b), **how)


def ends(curves):
    return sorted((c.visible, c.kind, tuple(sorted((c.shape.start, c.shape.end)))) for c in curves)


def test_a_hidden_line_under_a_visible_one_is_not_drawn():
    seen = line((0, 0), (10, 0))
    for other in (((2, 0), (8, 0)), ((10, 0), (0, 0)), ((0, 0), (10, 0))):
        assert drawn([line(*other, visible=False), seen], 1e-6) == (seen,)


def test_a_hidden_line_is_cut_where_a_visible_one_runs():
    curves = drawn([line((-5, 0), (15, 0), visible=False), line((0, 0), (10, 0))], 1e-6)
    assert ends(curves) == [
        (False, "sharp", ((-5, 0), (0, 0))),
        (False, "sharp", ((10, 0), (15, 0))),
        (True, "sharp", ((0, 0), (10, 0))),
    ]


def test_lines_beside_each_other_and_across_are_left_alone():
    # 0.01 of a view of 20: a hundredth of a line's width on paper is 1e-4 of it.
    for other in (((0, 0.01), (10, 0.01)), ((5, -5), (5, 5)), ((10, 0), (20, 0))):
        both = [line((0, 0), (10, 0)), line(*other, visible=False)]
        assert len(drawn(both, 1e-6)) == 2


def test_sharp_is_drawn_over_smooth_and_hidden_smooth_never():
    smooth = line((0, 0), (10, 0), kind="smooth")
    assert [c.kind for c in drawn([smooth, line((0, 0), (10, 0))], 1e-6)] == ["sharp"]
    assert drawn([line((0, 0), (1, 0), visible=False, kind="smooth")], 1e-6) == ()


def test_arcs_are_cut_by_angle_whichever_way_they_run():
    circle = curve(Arc(centre=(0, 0), radius=5, start=1.0, sweep=-TURN), visible=False)
    half = curve(Arc(centre=(0, 0), radius=5, start=0, sweep=math.pi))
    curves = drawn([circle, half], 1e-6)
    assert half in curves
    left = [c.shape for c in curves if not c.visible]
    assert math.isclose(sum(abs(s.sweep) for s in left), math.pi)
    for shape in left:
        assert (shape.at(np.linspace(0, 1, 50))[:, 1] <= 1e-9).all()


def test_ellipses_are_cut_whichever_end_they_count_from():
    def ellipse(major, start, sweep, **how):
        shape = EllipseArc(centre=(1, 1), major=major, ratio=0.5, start=start, sweep=sweep)
        return curve(shape, **how)

    upper = ellipse((4, 0), 0, math.pi)
    same = ellipse((-4, 0), math.pi, math.pi, visible=False)
    assert drawn([same, upper], 1e-6) == (upper,)
    lower = ellipse((-4, 0), 0, math.pi, visible=False)
    assert len(drawn([lower, upper], 1e-6)) == 2


def test_a_free_curve_is_drawn_once():
    points = ((0, 0), (1, 3), (4, 3), (5, 0))
    seen = curve(Bezier(points=points))
    under = curve(Bezier(points=points[::-1]), visible=False)
    assert drawn([under, seen], 1e-6) == (seen,)
    beside = curve(Bezier(points=tuple((x, y + 0.1) for x, y in points)), visible=False)
    assert len(drawn([beside, seen], 1e-6)) == 2
