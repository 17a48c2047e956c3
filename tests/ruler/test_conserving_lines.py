"""What lines see of parts that are equal and meshed otherwise, and of parts that are not."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import overlap_shapes as pairs
import pytest
import ruler_shapes as shapes
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_NurbsConvert,
)
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeSphere,
)
from OCP.gp import gp_Ax1, gp_Ax2, gp_Circ, gp_Dir, gp_Pnt
from OCP.TopoDS import TopoDS

from gaugeblock.records.conservation import Region
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.conserving.lines import MOVED, seen, zoomed
from gaugeblock.ruler.conserving.measuring import NEGLIGIBLE
from gaugeblock.ruler.conserving.rims import near, rims_of
from gaugeblock.ruler.facts import lines as cutting
from gaugeblock.ruler.facts.facets import Facets
from gaugeblock.ruler.facts.lines import SETTLED, Hits, Lines, cut
from gaugeblock.ruler.overlap.body import Body, Part

NOWHERE = Region()
"""Nothing may change."""

FRAME = np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))[0].T
"""Directions along none of the parts' own."""


def axes(turn: float) -> gp_Ax2:
    """Upright axes whose X, where seams begin, is turned about Z (rad)."""
    return gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1), gp_Dir(math.cos(turn), math.sin(turn), 0))


def ball(turn: float) -> Any:
    return BRepPrimAPI_MakeSphere(axes(turn), 10).Shape()


def rod(turn: float) -> Any:
    return BRepPrimAPI_MakeCylinder(axes(turn), 10, 30).Shape()


def cone(turn: float) -> Any:
    return BRepPrimAPI_MakeCone(axes(turn), 10, 4, 30).Shape()


def bend(turn: float, outer: float = 10.0) -> Any:
    """A quarter of a ring of pipe, swept from a ring whose seams are turned about its own axis."""
    ahead, aside = gp_Dir(0, 1, 0), gp_Dir(math.cos(turn), 0, math.sin(turn))
    circles = []
    for radius in (outer, 8.0):
        circle = gp_Circ(gp_Ax2(gp_Pnt(40, 0, 0), ahead, aside), radius)
        circles.append(BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(circle).Edge()).Wire())
    face = BRepBuilderAPI_MakeFace(circles[0])
    face.Add(TopoDS.Wire(circles[1].Reversed()))
    about = gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))
    return BRepPrimAPI_MakeRevol(face.Face(), about, math.pi / 2).Shape()


def freeform(turn: float) -> Any:
    """A cone with every surface a rational B-spline."""
    return BRepBuilderAPI_NurbsConvert(cone(turn)).Shape()


PARTS = [ball, rod, cone, bend, freeform]


def cut_through(shape: Any) -> tuple[Part, Lines, Hits, Any]:
    """Cut random lines with a part; also which of them pass a rim too near."""
    (part,) = pairs.body_of(shape).parts
    flat = mesh_of(part).points @ FRAME[:2].T
    low, high = flat.min(axis=0), flat.max(axis=0)
    lines = Lines(low + np.random.default_rng(1).random((4000, 2)) * (high - low))
    hits = cut(mesh_of(part), part.table, FRAME, np.zeros(3), lines)
    return part, lines, hits, near(rims_of(mesh_of(part), part.table), mesh_of(part), FRAME, lines)


def mesh_of(part: Part) -> Facets:
    assert part.fine is not None
    return part.fine


@pytest.mark.parametrize("make", PARTS)
def test_hits_settle_on_the_true_surface(make: Any) -> None:
    """All do, but for the few whose line grazes a face, and those lines are known."""
    _, _, hits, unsure = cut_through(make(0.3))
    assert len(hits.settled) > 1000
    assert hits.settled.mean() > 0.99
    assert hits.settled[~unsure[hits.line]].all()


def test_hits_of_a_ball_by_formula() -> None:
    """A line at the distance d from the centre is inside for 2·√(R² − d²), to rounding."""
    _, lines, hits, unsure = cut_through(ball(0.3))
    far = np.linalg.norm(lines.at, axis=1)
    half = np.bincount(hits.line, np.abs(hits.at), minlength=len(far)) / 2
    met = np.bincount(hits.line, minlength=len(far))
    sure = ~unsure & (far < 10)
    assert (met[sure] == 2).all()
    assert np.abs(half[sure] - np.sqrt(100 - far[sure] ** 2)).max() < 1e3 * SETTLED
    assert (met[~unsure & (far >= 10)] == 0).all()
    assert 0.5 < sure[far < 10].mean() < 0.95  # lines near the outline say nothing


def test_what_did_not_settle_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "STEPS", 1)
    part, _, hits, _ = cut_through(bend(0.3))
    curved = ~part.table.plane[mesh_of(part).face[hits.triangle]]
    assert (~hits.settled[curved]).mean() > 0.9
    assert hits.settled[~curved].all()


def test_a_change_that_only_unsettled_hits_see_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a single step hits lie off by a thousandth of it: that is all within the error."""
    monkeypatch.setattr(cutting, "STEPS", 1)
    start, delivery = pairs.body_of(bend(0.0)), pairs.body_of(bend(1.0))
    value, error = zoomed(start, delivery, NOWHERE, False, _nodes(start))
    assert value > NEGLIGIBLE * start.summed[0]
    assert value - error <= 1e-9 * start.summed[0]


def _nodes(body: Body) -> Any:
    return np.concatenate([mesh_of(part).points for part in body.parts])


@pytest.mark.parametrize("make", PARTS)
@pytest.mark.parametrize("turn", [0.1, 1.0, 2.5])
def test_the_same_part_meshed_otherwise_has_not_changed(make: Any, turn: float) -> None:
    start, delivery = pairs.body_of(make(0.0)), pairs.body_of(make(turn))
    volume, _ = start.summed
    word, moved = seen(start, delivery, NOWHERE, False)
    assert word.skin < MOVED * volume
    assert not len(moved)
    # Cast everywhere, lines that may be misled see something; none that are sure do.
    value, error = zoomed(start, delivery, NOWHERE, False, _nodes(start))
    assert value - error <= 1e-10 * volume


@pytest.mark.parametrize("turn", [0.0, 1.0])
def test_a_hundred_thousandth_of_the_part_is_seen(
    ruler: Ruler, tmp_path: Path, turn: float
) -> None:
    """The bend's outer wall 1e-5 of the volume thicker: R² − r² is 36, so R grows by 1.8e-5."""
    share = 1e-5
    outer = math.sqrt(100 + 36 * share)
    start = shapes.write_step(bend(0.0), tmp_path / "start.step")
    found = {}
    for name, radius in (("same", 10.0), ("thicker", outer)):
        delivery = shapes.write_step(bend(turn, radius), tmp_path / f"{name}.step")
        found[name] = ruler.conserved(start, delivery, NOWHERE)
        assert found[name].verdict == "measured", found[name].reason
    volume = 36 * math.pi * 40 * math.pi / 2
    assert found["same"].outside.value <= 1e-9 * volume
    value, error = found["thicker"].outside.value, found["thicker"].outside.error_estimate
    assert value - error > NEGLIGIBLE * volume
    assert value == pytest.approx(share * volume, abs=error + 1e-9 * volume)
