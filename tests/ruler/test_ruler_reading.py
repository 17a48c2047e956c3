"""Names, paths, colours, units and headers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import ruler_shapes as shapes
from test_ruler_negative import measure

from gaugeblock.ruler.header import inspect
from gaugeblock.ruler.text import clean_text, is_auto_name, repair_mojibake


def named_step(tmp_path: Path, name: str) -> Path:
    """A box whose product carries `name`, as raw STEP string content."""
    path = shapes.write_step(shapes.box(1, 2, 3), tmp_path / "named.step")
    text = path.read_text()
    old = next(line for line in text.splitlines() if "=PRODUCT(" in line.replace(" ", ""))
    quoted = old.split("'")[1]
    path.write_text(text.replace(f"'{quoted}'", f"'{name}'"))
    return path


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ("bracket", "bracket"),
        ("lower arm (left) v.2", "lower arm (left) v.2"),
        ("Tr\\X2\\00E4\\X0\\ger", "Träger"),
        ("Tr\\X\\C3\\X\\A4ger", "Träger"),
        ("SOLID", None),
        ("Open CASCADE STEP translator 8.0 1", None),
        ("", None),
    ],
)
def test_names(tmp_path: Path, stored: str, read: str | None) -> None:
    found = measure(named_step(tmp_path, stored))
    assert found.solids[0].name == read


def test_mojibake_is_reported(tmp_path: Path) -> None:
    found = measure(named_step(tmp_path, "Tr\\X\\C3\\X\\A4ger"))
    assert "name-repaired" in [f.code for f in found.findings]


def test_hostile_name_is_cleaned(tmp_path: Path) -> None:
    found = measure(named_step(tmp_path, "a\\X\\1B[31m\\X2\\202E\\X0\\" + "b" * 5000))
    name = found.solids[0].name
    assert name is not None
    assert len(name) <= 200
    assert name.isprintable()


def test_text_helpers() -> None:
    assert repair_mojibake("plain") == "plain"
    assert repair_mojibake("Träger") == "Träger"
    assert repair_mojibake("MÃ¼ller") == "Müller"
    assert clean_text("a\x00b\n c") == "ab c"
    assert len(clean_text("x" * 10_000)) == 200
    assert is_auto_name("SOLID")
    assert is_auto_name("=>[0:1:1:2]")
    assert not is_auto_name("SOLID bracket")


def test_inch_file_is_measured_in_mm(tmp_path: Path) -> None:
    found = measure(shapes.write_step(shapes.box(25.4, 50.8, 76.2), tmp_path / "in.step", "INCH"))
    assert found.file.length_units == ["INCH"]
    assert found.solids[0].volume.value == pytest.approx(25.4 * 50.8 * 76.2)
    assert found.totals is not None
    assert found.totals.bounds is not None
    assert found.totals.bounds.max == pytest.approx((25.4, 50.8, 76.2), abs=1e-6)


@pytest.mark.parametrize("between", ["=", " = ", "\n =\n "])
@pytest.mark.parametrize("opening", ["((", "( (", "\n(\n ("])
def test_units_however_the_file_is_laid_out(tmp_path: Path, between: str, opening: str) -> None:
    path = shapes.write_step(shapes.box(1, 2, 3), tmp_path / "laid.step", "INCH")
    text = re.sub(r"(#\d+) = (\( CONVERSION_BASED_UNIT)", rf"\g<1>{between}\g<2>", path.read_text())
    text = re.sub(r"(GLOBAL_UNIT_ASSIGNED_CONTEXT)\s*\(\(", rf"\g<1>{opening}", text)
    path.write_text(text)
    with path.open("rb") as file:
        assert inspect(file.fileno()).length_units == ("INCH",)


def test_metre_file(tmp_path: Path) -> None:
    found = measure(shapes.write_step(shapes.box(1000, 10, 10), tmp_path / "m.step", "M"))
    assert found.file.length_units == ["METRE"]
    assert found.solids[0].volume.value == pytest.approx(1e5)


def test_header(tmp_path: Path) -> None:
    found = measure(shapes.write_step(shapes.box(1, 1, 1), tmp_path / "h.step"))
    assert found.file.length_units == ["MILLIMETRE"]
    assert found.file.file_schema is not None
    assert found.file.file_schema.startswith("AUTOMOTIVE_DESIGN")
    assert found.file.originating_system is not None
    assert found.file.originating_system.startswith("Open CASCADE")
    assert found.versions.ocp
    assert found.timings["read"] > 0


def test_nested_assembly_names_paths_and_places(tmp_path: Path) -> None:
    found = measure(shapes.write_assembly(tmp_path / "assembly.step"))
    by_place = sorted(found.solids, key=lambda s: s.bounds.min[0] if s.bounds else 0.0)
    assert [s.name for s in by_place] == ["base plate", "pin", "pin"]
    assert by_place[0].path == ["fixture", "base plate"]
    assert by_place[1].path == ["fixture", "pins", "pin"]
    assert [s.bounds.min[0] for s in by_place if s.bounds] == pytest.approx(
        [200, 998, 1098], abs=1e-6
    )
    assert by_place[1].colour == "#ff0000"
    assert by_place[0].colour is None
    assert found.totals is not None
    assert found.totals.solids == 3
    assert "solids-lost" not in [f.code for f in found.findings]
