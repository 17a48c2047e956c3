"""The second kernel agrees where it should, disagrees where it must, and is missed aloud."""

import os

import pytest

from gaugeblock.calibration import second_kernel
from gaugeblock.calibration.part_files import load_part
from gaugeblock.calibration.proving import verdict
from gaugeblock.calibration.second_kernel import Environment, Reference, agreement


@pytest.fixture(scope="module")
def environment():
    found = second_kernel.find()
    if found.python is None:
        pytest.skip(f"no second kernel: {found.reason}")
    return found


@pytest.fixture(scope="module")
def references(workshop, ruler, tmp_path_factory):
    found = []
    for name in ("cover", "cam", "ring", "fork"):
        part = load_part(name)
        data = workshop.build(part.program(), dict(part.parameters))
        path = tmp_path_factory.mktemp(name) / "part.step"
        path.write_bytes(data)
        found.append(Reference(data, ruler.measure(path), name))
    return found


def test_it_agrees(environment, references):
    assert environment.version.startswith("7.8")
    for answer in agreement(environment, references, wall_s=60):
        assert answer.state == "agrees", (answer.round, answer.reason)
        (volume,) = (f.deviation for f in answer.figures if f.figure == "volume")
        assert volume < 1e-9


def test_it_can_disagree(environment, references):
    """Two references exchanged: nothing agrees."""
    mixed = [Reference(references[0].data, references[1].first)]
    (answer,) = agreement(environment, mixed, wall_s=60)
    assert answer.state == "disagrees"
    assert verdict([], [], [answer], [])[0] == "not calibrated"


def test_an_unreadable_answer_is_no_agreement(environment, references):
    junk = [Reference(b"no step file", references[0].first)]
    (answer,) = agreement(environment, junk, wall_s=60)
    assert answer.state == "disagrees"


def test_absent_is_said(monkeypatch, references):
    monkeypatch.setenv(second_kernel.OVERRIDE, "off")
    found = second_kernel.find()
    assert found.python is None
    (answer,) = agreement(found, references[:1], wall_s=60)
    assert answer.state == "absent"
    state, reasons = verdict([], [], [answer], [])
    assert state == "incomplete"
    assert "second kernel absent" in reasons[0]


def test_a_named_python_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setenv(second_kernel.OVERRIDE, os.fspath(tmp_path / "none"))
    assert second_kernel.find() == Environment(
        None, None, "GAUGEBLOCK_SECOND_KERNEL: no Python at none"
    )


def test_no_uv_is_told(monkeypatch, tmp_path):
    monkeypatch.delenv(second_kernel.OVERRIDE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path))
    monkeypatch.setattr(second_kernel.pinned, "uv_program", lambda: None)
    assert "no uv" in second_kernel.find().reason


def test_the_pin_is_hashed_and_names_no_address():
    text = second_kernel.PINNED.read_text()
    assert "cadquery-ocp-novtk==7.8.1.1" in text
    assert "--hash=sha256:" in text
    assert "http" not in text
