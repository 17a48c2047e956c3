"""A server of other people, build123d-mcp, builds the ten required parts of the espresso machine.

Its exported STEP is measured by the ruler: names as the server keeps them, volumes by formulas over
the table of the reference, boxes from the table itself. Lengths in mm, volumes in mm³.
"""

from math import asin, pi, sqrt
from pathlib import Path

import anyio
import pytest
from scipy.integrate import quad

from gaugeblock.records.errors import WrongUse
from gaugeblock.ruler import Ruler
from gaugeblock.running.described_host import settings_of
from gaugeblock.running.known_hosts import find_host
from gaugeblock.running.translation import translated
from gaugeblock.suites import ToolCall, assembly
from gaugeblock.worlds import ExternalWorld

pytestmark = pytest.mark.long

PROGRAM = Path(assembly.__file__).parent / "programs" / "espresso-machine.py"

WITHIN = 1e-6
"""Relative difference of a volume: the accuracy that the ruler claims."""
WITHIN_MM = 1e-6
"""Of a box's corner: suite growth's criterion."""


def strip(radius, half_width):
    """Area of a circle from its diameter to its rim, as wide as a strip around its middle."""
    return half_width * sqrt(radius**2 - half_width**2) + radius**2 * asin(half_width / radius)


def bar_in_cylinder(bar, cylinder):
    """Volume that half a bar shares with an upright cylinder whose axis it meets."""
    depth = quad(lambda x: 2 * sqrt(bar**2 - x**2) * sqrt(cylinder**2 - x**2), -bar, bar)
    return depth[0]


VOLUMES = {
    "base": 280 * 350 * 20,
    "housing": 280 * 200 * 320,
    "drip tray": 220 * 150 * 30 - 190 * 130 * 27,
    "group head": pi * 35**2 * 50 + 40 * (60 * 75 - strip(35, 30)),
    "portafilter": pi * 32**2 * 35,
    "handle": pi * 13**2 * 140 - bar_in_cylinder(13, 32),
    "steam wand": pi * 5**2 * 160 + 16 * 20 * 20,
    "water tank": 220 * 50 * 260,
    "cup warmer": 260 * 180 * 15,
    "pressure gauge": pi * 28**2 * 12,
}
BOXES = {
    "base": ((-140, -150, 0), (140, 200, 20)),
    "housing": ((-140, 0, 20), (140, 200, 340)),
    "drip tray": ((-110, -150, 20), (110, 0, 50)),
    "group head": ((-35, -110, 220), (35, 0, 270)),
    "portafilter": ((-32, -107, 185), (32, -43, 220)),
    "handle": ((-13, -215, 189.5), (13, -75 - sqrt(32**2 - 13**2), 215.5)),
    "steam wand": ((112, -20, 90), (128, 0, 270)),
    "water tank": ((-110, 200, 40), (110, 250, 300)),
    "cup warmer": ((-130, 10, 340), (130, 190, 355)),
    "pressure gauge": ((-113, -12, 262), (-57, 0, 318)),
}
OTHERS = {f"grate bar {n}" for n in range(1, 6)} | {"brew control", "steam control"}


async def built(settings, program):
    """Return the server's answer to a program, its version, and the STEP that it exports."""
    call = translated(
        ToolCall(tool="propose", arguments={"program": program, "parameters": {}}),
        settings.description,
    )
    async with ExternalWorld.open(settings, None) as world:
        answer = await world.call(call.tool, call.arguments)
        return answer, world.rejected(answer), await world.deliver()


@pytest.fixture(scope="module")
def server():
    try:
        return settings_of(find_host("build123d-mcp", None))
    except WrongUse as error:
        pytest.skip(f"build123d-mcp cannot be had here: {error}")


@pytest.fixture(scope="module")
def solids(server, tmp_path_factory):
    answer, rejected, delivery = anyio.run(built, server, PROGRAM.read_text())
    assert not rejected, answer.text
    assert delivery.step is not None, delivery.reason
    file = tmp_path_factory.mktemp("espresso") / "machine.step"
    file.write_bytes(delivery.step)
    with Ruler() as ruler:
        found = ruler.measure(file, 120)
    assert found.verdict == "measured"
    return {solid.name: solid for solid in found.solids}


def test_names_are_kept_by_the_server(solids):
    assert set(solids) == set(VOLUMES) | OTHERS


@pytest.mark.parametrize("name", VOLUMES)
def test_a_required_part_has_the_volume_and_box_of_its_formula(solids, name):
    solid = solids[name]
    assert solid.valid
    assert solid.volume.value == pytest.approx(VOLUMES[name], rel=WITHIN)
    low, high = BOXES[name]
    assert solid.bounds.min == pytest.approx(low, abs=WITHIN_MM)
    assert solid.bounds.max == pytest.approx(high, abs=WITHIN_MM)


def test_a_part_of_another_size_is_seen(solids):
    """The control: the formulas tell a portafilter of Ø64 from one of Ø64.01."""
    assert solids["portafilter"].volume.value != pytest.approx(pi * 32.005**2 * 35, rel=WITHIN)


def test_colours_come_along(solids):
    assert solids["housing"].colour is not None


def test_a_program_that_fails_is_a_rejection_and_no_delivery(server):
    """The server answers it as a success whose text begins with `Error:`."""
    answer, rejected, delivery = anyio.run(built, server, "result = {'a': 1 / 0}")
    assert rejected and "ZeroDivisionError" in answer.text
    assert delivery.step is None
    assert "No shape in session" in delivery.reason or "export says" in delivery.reason
