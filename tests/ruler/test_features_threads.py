"""A tapped hole is still a hole, a threaded boss still a boss, and flanks are neither."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import thread_shapes as ts
from feature_shapes import of, only
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopoDS import TopoDS

from gaugeblock.records.features import Thread
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.features.building import build_graph
from gaugeblock.ruler.features.recognising import features_of_shape, recognise

M8 = ts.iso(8, 1.25)
NEAR = pytest.approx
CLOSE = 1e-4
"""Threads are interpolated to 1e-6 of their radius; forms fitted to them are less sharp."""


def test_nut() -> None:
    found = features_of_shape(ts.nut(M8, 10, ts.hexagon(13)))
    assert Counter(f.kind for f in found) == {"thread": 1, "hole": 1}
    hole = next(f for f in found if f.kind == "hole")
    assert hole.through and hole.depth == NEAR(10, abs=CLOSE)
    assert hole.findings == ["threaded"]
    assert hole.diameter == NEAR(M8.minor, abs=1e-3)


def test_tapped_blind_hole_is_one_hole_of_its_drill() -> None:
    found = features_of_shape(ts.tapped(M8, 12, 18, ts.square(30)))
    assert Counter(f.kind for f in found) == {"thread": 1, "hole": 1}
    hole = next(f for f in found if f.kind == "hole")
    assert not hole.through and hole.bottom == "flat"
    assert hole.depth == NEAR(18, abs=CLOSE)
    assert hole.diameter == NEAR(M8.minor - 0.2, abs=CLOSE)
    assert hole.counterbore is None and len(hole.steps) == 1


@pytest.mark.parametrize("body", [ts.rod(M8, 20), ts.bolt(M8, 20, 13, 5), ts.stud(M8, 12, 20)])
def test_outer_threads_make_no_other_feature(body: Any) -> None:
    assert {f.kind for f in features_of_shape(body)} == {"thread"}


def test_what_claims_a_face_keeps_it() -> None:
    """The hook itself, with a thread that is made up around a plain bore."""
    from build123d import Box, Cylinder

    part = (Box(30, 30, 12) - Cylinder(3.4, 12)).wrapped
    graph = build_graph(TopoDS.Solid(explore(part, TopAbs_SOLID)[0]))
    wall = next(r for r in graph.regions if r.kind == "cylinder")
    thread = Thread(
        id="",
        solid=0,
        faces=wall.faces,
        position=(0, 0, 0),
        internal=True,
        axis=(0, 0, 1),
        designation="M8x1.25",
        pitch=1.25,
        lead=1.25,
        starts=1,
        hand="right",
        major=8.0,
        minor=6.647,
        flank_angle=60.0,
        length=12.0,
    )
    found = recognise(graph, [thread]).features
    assert [f.kind for f in found] == ["thread", "hole"]
    hole = found[1]
    assert hole.kind == "hole" and hole.depth == NEAR(12) and hole.diameter == NEAR(6.647)
    assert [f.kind for f in recognise(graph, taken_faces=wall.faces).features] == []


def test_plain_bodies_have_no_threads() -> None:
    from build123d import Box, Cylinder

    part = Box(30, 30, 12) - Cylinder(3.4, 12)
    assert of(part, "thread") == [] and only(part, "hole").findings == []
