"""Public files against a rigidly moved copy of themselves; skipped where the data is absent."""

from __future__ import annotations

from pathlib import Path

import pytest
import ruler_shapes as shapes

from gaugeblock.records.overlap import Overlap
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.reading import read_step

pytestmark = pytest.mark.skipif(not shapes.REAL.is_dir(), reason=f"no data in {shapes.REAL}")

ASSEMBLY = "partcad_aero_assembly.step"

Turn = tuple[tuple[float, float, float], float, float]
"""An axis, an angle in rad and a shift in mm."""

TURNS: list[Turn] = [((1.0, 0.3, 0.7), 1.1, 70.0), ((0.0, 0.0, 1.0), 0.5, 10.0)]


def against_copy(name: str, turn: Turn, folder: Path) -> Overlap:
    path = shapes.REAL / name
    solids = [solid.shape for solid in read_step(str(path)).solids]
    copy = shapes.write_step(shapes.moved(shapes.compound(*solids), *turn), folder / "copy.step")
    with Ruler() as ruler:
        return ruler.compare(path, copy)


@pytest.mark.parametrize("name", ["nist_ctc_03_ap242.stp", "partcad_m3_screw.step"])
def test_a_turned_copy(name: str, tmp_path: Path) -> None:
    found = against_copy(name, TURNS[0], tmp_path)
    assert found.aligned is not None
    assert found.aligned.iou == pytest.approx(1.0, abs=1e-6)
    assert not found.aligned.flagged


@pytest.mark.long
@pytest.mark.parametrize("turn", TURNS)
def test_a_turned_copy_of_the_assembly(turn: Turn, tmp_path: Path) -> None:
    """Eight solids, two pairs of which share space: 103.229 mm³ by booleans and meshes."""
    found = against_copy(ASSEMBLY, turn, tmp_path)
    assert found.verdict == "measured", found.reason
    assert found.aligned is not None
    assert found.aligned.iou == pytest.approx(1.0, abs=1e-6)
    assert found.volumes is not None
    assert found.volumes.a.value == pytest.approx(383_890.348, abs=0.01)
    assert found.volumes.b.value == pytest.approx(383_890.348, abs=0.01)
