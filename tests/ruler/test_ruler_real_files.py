"""Public files that nobody here made; skipped where the data folder is absent."""

from __future__ import annotations

import pytest
import ruler_shapes as shapes
from test_ruler_negative import measure

from gaugeblock.ruler import facts_of_shape
from gaugeblock.ruler.reading import read_step

pytestmark = pytest.mark.skipif(not shapes.REAL.is_dir(), reason=f"no data in {shapes.REAL}")

VOLUMES = {
    "nist_ctc_01_ap203.stp": 14642817.65,
    "nist_ctc_01_ap242.stp": 14644822.63,
    "nist_ctc_02_ap242.stp": 47106806.1,
    "nist_ctc_03_ap242.stp": 332122.9076266,
    "nist_ctc_04_ap242.stp": 17519780.21,
    "nist_ctc_05_ap242.stp": 12694894.3,
    "partcad_aero_assembly.step": 383993.58,
    "partcad_m3_screw.step": 94.289020,
}
"""mm³, this ruler's figures; their independent confirmation is the cross-check in each solid."""


@pytest.mark.parametrize("name", sorted(VOLUMES))
def test_real_file(name: str) -> None:
    path = shapes.REAL / name
    if not path.exists():
        pytest.skip(f"{name} is absent")
    found = measure(path)
    assert found.verdict == "measured"
    assert found.totals is not None
    assert found.totals.valid is True
    assert found.totals.volume == pytest.approx(VOLUMES[name], rel=1e-6)
    for solid in found.solids:
        assert solid.volume.cross_check.agrees
        assert solid.volume.value is not None
        assert solid.volume.error_estimate is not None
        assert solid.volume.error_estimate < 1e-6 * solid.volume.value
        assert solid.volume.cross_check.value == pytest.approx(solid.volume.value, rel=2e-5)
        assert solid.topology.betti is not None


def test_stray_surfaces_of_ctc_02_do_not_condemn_it() -> None:
    found = measure(shapes.REAL / "nist_ctc_02_ap242.stp")
    assert found.stray is not None
    assert (found.stray.shells, found.stray.faces) == (2, 2)
    assert found.totals is not None
    assert found.totals.faces == 635
    assert found.totals.valid is True


def test_inch_file() -> None:
    assert measure(shapes.REAL / "nist_ctc_05_ap242.stp").file.length_units == ["INCH"]


def test_real_spline_solid_turned_and_mirrored() -> None:
    """The solid that the kernel's default integration has 4.5 % too small."""
    solid = read_step(str(shapes.REAL / "partcad_aero_assembly.step")).solids[2].shape
    for shape in (solid, shapes.moved(solid, (1, 2, 3), 0.7, 31.0), shapes.mirrored(solid)):
        (facts,) = facts_of_shape(shape)
        assert facts.volume.value == pytest.approx(85326.07, rel=1e-6)
