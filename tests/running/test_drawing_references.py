"""The reference programs of suite drawings in the host's own language, as agents write them."""

import pytest

from gaugeblock.host.worker.building import RESERVED
from gaugeblock.running.rehearsal import host_stage
from gaugeblock.suites import load_suite

SUITE = load_suite("drawings")
PARTS = {case.id.removesuffix(".vector"): case for case in SUITE.cases() if ".vector" in case.id}
QUICK = ("bearing-block", "hex-bolt", "clevis")

SAME = 1e-9
"""Relative difference of volume and area between two builds of one program."""


@pytest.fixture(scope="module")
def play():
    with host_stage() as stage:
        yield stage


@pytest.mark.parametrize("part", PARTS)
def test_no_parameter_has_a_name_of_the_language(part):
    (call,) = SUITE.script(PARTS[part], PARTS[part].rounds[0], "reference").calls[:1]
    assert call.tool == "propose"
    assert not RESERVED & set(call.arguments["parameters"])


@pytest.mark.parametrize(
    "part", [pytest.param(p, marks=[] if p in QUICK else [pytest.mark.long]) for p in PARTS]
)
def test_the_host_builds_the_frozen_part(part, play, ruler, tmp_path):
    delivery = play(SUITE, PARTS[part], "reference")
    assert delivery.undone == ""
    assert delivery.step is not None
    (tmp_path / "delivered.step").write_bytes(delivery.step)
    (tmp_path / "frozen.step").write_bytes(SUITE.reference(PARTS[part]))
    found, right = (ruler.measure(tmp_path / f"{name}.step") for name in ("delivered", "frozen"))
    assert found.totals is not None and right.totals is not None
    assert found.totals.volume == pytest.approx(right.totals.volume, rel=SAME)
    assert found.totals.faces == right.totals.faces
