"""Spectra of files, through the worker: refusals in words, assemblies, public files."""

from __future__ import annotations

from pathlib import Path

import pytest
import ruler_shapes as shapes
import spectrum_shapes as made

from gaugeblock.records.spectrum import Spectrum
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.reading import read_step
from gaugeblock.ruler.spectrum.matching import match_sheet


def counts(spectrum: Spectrum) -> made.Table:
    return {(d.kind, round(d.value, 6)): (d.count, d.serves) for d in spectrum.dimensions}


def test_a_file_has_the_spectrum_of_its_shape(ruler: Ruler, tmp_path: Path) -> None:
    path = shapes.write_step(made.bearing_block(), tmp_path / "block.step")
    found = ruler.spectrum(path)
    assert (found.verdict, found.reason) == ("measured", None)
    assert counts(found) == counts(made.take(made.bearing_block()))
    assert Spectrum.model_validate_json(found.model_dump_json()) == found
    assert found.file.name == "block.step"
    assert match_sheet(found, made.BEARING_BLOCK).recall == 14 / 17


def test_inches_are_measured_in_mm(ruler: Ruler, tmp_path: Path) -> None:
    path = shapes.write_step(shapes.box(25.4, 50.8, 76.2), tmp_path / "inch.step", unit="INCH")
    found = ruler.spectrum(path)
    assert found.file.length_units == ["INCH"]
    assert {v for kind, v in counts(found) if kind == "plane-distance"} == {25.4, 50.8, 76.2}


def test_solids_of_an_assembly_are_numbered(ruler: Ruler, tmp_path: Path) -> None:
    found = ruler.spectrum(shapes.write_assembly(tmp_path / "assembly.step"))
    (pin,) = [d for d in found.dimensions if d.kind == "diameter"]
    assert (pin.value, pin.count) == (pytest.approx(4), 2)
    assert len({item.solid for item in pin.instances}) == 2


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"hello, this is a text file\n", "not-step"),
        (b"ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('X'));\nENDSEC;\nDATA;\n", "truncated"),
    ],
)
def test_refusals(ruler: Ruler, tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "part.step"
    path.write_bytes(content)
    found = ruler.spectrum(path)
    assert (found.verdict, found.code) == ("could-not-measure", code)
    assert found.reason
    assert not found.dimensions
    assert match_sheet(found, [made.asked("length", 10)]).recall is None


def test_surfaces_alone_are_no_body(ruler: Ruler, tmp_path: Path) -> None:
    from OCP.TopAbs import TopAbs_FACE

    from gaugeblock.ruler.explore import explore

    face = explore(shapes.box(10, 20, 30), TopAbs_FACE)[0]
    found = ruler.spectrum(shapes.write_step(face, tmp_path / "face.step"))
    assert (found.verdict, found.code) == ("could-not-measure", "no-solid")


def test_lost_solids_are_no_spectrum(ruler: Ruler, tmp_path: Path) -> None:
    """A part with one of its two solids knocked out must not pass for the smaller part."""
    pair = shapes.compound(shapes.box(10, 10, 10), shapes.box(5, 5, 5, (35, 0, 0)))
    path = shapes.write_step(pair, tmp_path / "pair.step")
    lines = path.read_text().splitlines()
    shells = [i for i, line in enumerate(lines) if "CLOSED_SHELL" in line]
    path.write_text("\n".join(lines[: shells[-1]] + lines[shells[-1] + 1 :]))
    found = ruler.spectrum(path)
    assert found.verdict == "could-not-measure"


def test_time_ceiling_and_missing_file(tmp_path: Path, ruler: Ruler) -> None:
    path = shapes.write_step(shapes.box(1, 2, 3), tmp_path / "box.step")
    assert ruler.spectrum(path, wall_s=0.001).code == "timeout"
    with pytest.raises(FileNotFoundError):
        ruler.spectrum(tmp_path / "nothing.step")


REAL = ["nist_ctc_01_ap242.stp", "nist_ctc_03_ap242.stp", "nist_ctc_05_ap242.stp"]


@pytest.mark.skipif(not shapes.REAL.is_dir(), reason=f"no data in {shapes.REAL}")
@pytest.mark.parametrize("name", REAL)
def test_real_parts_turned_and_mirrored(name: str, ruler: Ruler) -> None:
    path = shapes.REAL / name
    if not path.exists():
        pytest.skip(f"{name} is absent")
    (solid,) = [item.shape for item in read_step(str(path)).solids]
    turned = shapes.moved(solid, (1, 2, 3), 0.7, 31.0)
    taken = [ruler.spectrum(path), *map(made.take, (turned, shapes.mirrored(solid)))]
    first = listed(taken[0])
    assert len(first) > 300
    for other in map(listed, taken[1:]):
        assert [kind for kind, _ in other] == [kind for kind, _ in first]
        for (_, value), (_, expected) in zip(other, first, strict=True):
            assert value == pytest.approx(expected, abs=1e-3)


def listed(spectrum: Spectrum) -> list[tuple[str, float]]:
    """Every place that serves by kind and value."""
    return sorted((d.kind, d.value) for d in spectrum.dimensions for _ in range(d.serves))
