"""``gaugeblock measure`` shows the dimensions of a part."""

import functools
import json

import command_line
import pytest
from build123d import Box, Cylinder, Pos, export_step

from gaugeblock.records.measurement import Measurement
from gaugeblock.records.spectrum import Spectrum

pytestmark = pytest.mark.usefixtures("one_ruler")
call = functools.partial(command_line.call, "measure")


@pytest.fixture(scope="module")
def plate(tmp_path_factory):
    """80 × 50 × 10 with forty holes of ten diameters, at places 7 and 11 apart."""
    path = tmp_path_factory.mktemp("parts") / "plate.step"
    holes = [
        Pos(7 * i - 31.5, 11 * j - 16.5) * Cylinder(1 + i / 8, 30)
        for i in range(10)
        for j in range(4)
    ]
    export_step(Box(80, 50, 10) - holes, str(path))
    return path


def test_the_table_says_what_a_sheet_would(plate):
    done = call(plate)
    assert done.returncode == 0, done.stderr
    rows = {line.split("│")[0].strip(): line for line in done.stdout.splitlines() if "│" in line}
    assert rows["faces apart, mm"].split("│")[2].strip() == "10, 50, 80"
    assert "4×⌀2, 4×⌀2.25, 4×⌀2.5" in rows["diameters, mm"]
    assert "other edges" not in done.stdout
    assert "52 edges and round faces whose length faces give are left out" in done.stdout
    assert "found by chance" in done.stdout


def test_long_lists_are_cut_and_whole_in_json(plate):
    shown = call(plate).stdout
    assert "more …" in shown
    assert "--json has all" in shown
    (told,) = json.loads(call(plate, "--json").stdout)["files"]
    spectrum = Spectrum.model_validate(told.pop("spectrum"))
    assert Measurement.model_validate(told).verdict == "measured"
    axes = sum(d.count for d in spectrum.dimensions if d.kind == "axis-distance")
    assert axes == 40 * 39 // 2


def test_the_spectrum_can_be_left_out(plate):
    done = call(plate, "--no-spectrum", "--json")
    (told,) = json.loads(done.stdout)["files"]
    assert "spectrum" not in told
