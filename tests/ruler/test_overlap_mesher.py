"""A mesher that never returns takes a child with it, not the comparison."""

from __future__ import annotations

import math
import signal
from pathlib import Path
from typing import Any

import overlap_shapes as pairs
import pytest
import ruler_shapes as shapes

from gaugeblock.records.overlap import Overlap
from gaugeblock.ruler.facts.mesh import ANGLE, build_mesh
from gaugeblock.ruler.overlap import body
from gaugeblock.ruler.overlap.body_forked import Building
from gaugeblock.ruler.overlap.comparing import compare_fds
from gaugeblock.ruler.reading import ReadSolid

WALL = 20.0
"""Ceiling of one comparison in s: a child that meshes then has 20 · 0.35 / 3 = 2.3 s."""

VOLUME = 30 * 20 * 10 - 800 - 120 - 180
HOLE = math.pi * 4 * 10
TRUTH = 1 - HOLE / VOLUME


def never(*_: Any) -> Any:
    signal.pause()


def never_finer(solid: Any, diagonal: float, angle: float, sag: float) -> Any:
    return build_mesh(solid, diagonal, angle, sag) if angle >= ANGLE else never()


def compared(folder: Path) -> Overlap:
    """A block, and the same with a hole of known volume."""
    drilled = shapes.cut(pairs.chiral(), shapes.cylinder(2, 10, (18, 10, 0)))
    paths = [
        shapes.write_step(pairs.chiral(), folder / "a.step"),
        shapes.write_step(drilled, folder / "b.step"),
    ]
    with paths[0].open("rb") as a, paths[1].open("rb") as b:
        return compare_fds((a.fileno(), b.fileno()), ("a", "b"), ("1", "2"), False, WALL)


def told(found: Overlap) -> list[tuple[str, str | None]]:
    return [
        (finding.message.split(":")[0], finding.where)
        for finding in found.findings
        if finding.code == "mesher-failed"
    ]


def test_the_slower_mesher_takes_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(body, "quick_mesh", never)
    found = compared(tmp_path)
    assert found.posed is not None and found.posed.method == "exact"
    assert found.posed.iou == pytest.approx(TRUTH, abs=1e-9)
    assert found.posed.cross_checks.mesh.iou == pytest.approx(TRUTH, abs=1e-3)
    assert told(found) == [
        ("the quicker mesher failed", "file a"),
        ("the quicker mesher failed", "file b"),
    ]


def test_without_a_finer_mesh_lines_confirm_the_booleans(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(body, "quick_mesh", never)
    monkeypatch.setattr(body, "build_mesh", never_finer)
    found = compared(tmp_path)
    assert found.posed is not None and found.posed.method == "exact"
    assert found.posed.iou == pytest.approx(TRUTH, abs=1e-9)
    checks = found.posed.cross_checks
    assert checks.agree and checks.casting.iou is not None
    assert (checks.mesh.iou, checks.mesh.reason) == (None, "there is no finer mesh")
    assert ("there is no finer mesh", "file a") in told(found)


def test_without_any_mesh_it_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(body, "quick_mesh", never)
    monkeypatch.setattr(body, "build_mesh", never)
    found = compared(tmp_path)
    assert (found.verdict, found.code) == ("could-not-measure", "not-comparable")
    assert found.reason is not None
    assert found.reason.startswith("file a: its solids could not be measured and meshed: not done")


def test_a_mesher_that_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "quick_mesh", lambda *_: signal.raise_signal(signal.SIGKILL))
    solid = shapes.box(10, 20, 30)
    found = Building([ReadSolid(solid, None, None, (), None)], 30.0).body()
    assert found.problem is None
    assert found.summed[0] == pytest.approx(6000)
    assert found.parts[0].fine is not None and found.parts[0].fine.closed
    assert "crashed (signal 9)" in found.findings[0].message
