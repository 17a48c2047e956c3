"""The ruler as its users see it: real worker, real files, every refusal in words."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import ruler_shapes as shapes

from gaugeblock.records.measurement import Measurement
from gaugeblock.ruler import MAX_BYTES, Ruler
from gaugeblock.ruler.transport import _explain


@pytest.fixture(scope="module")
def ruler() -> Iterator[Ruler]:
    with Ruler() as made:
        yield made


@pytest.fixture(scope="module")
def box_step(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shapes.write_step(shapes.box(10, 20, 30), tmp_path_factory.mktemp("r") / "box.step")


def test_import_is_cheap() -> None:
    code = "import sys, gaugeblock.ruler; sys.exit('OCP' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_measures_and_hashes(ruler: Ruler, box_step: Path) -> None:
    found = ruler.measure(box_step)
    assert found.verdict == "measured"
    assert found.solids[0].volume.value == pytest.approx(6000)
    assert found.file.sha256 == hashlib.sha256(box_step.read_bytes()).hexdigest()
    assert found.file.name == "box.step"
    assert Measurement.model_validate_json(found.model_dump_json()) == found


def test_many_threads(ruler: Ruler, box_step: Path) -> None:
    found: list[Measurement] = []
    threads = [
        threading.Thread(target=lambda: found.append(ruler.measure(box_step))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [m.verdict for m in found] == ["measured"] * 6


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b"  \n\t \n", "empty"),
        (b"hello, this is a text file\n", "not-step"),
        (os.urandom(5000), "not-step"),
        (b"ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('X'));\nENDSEC;\nDATA;\n", "truncated"),
    ],
)
def test_refusals(ruler: Ruler, tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "part.step"
    path.write_bytes(content)
    found = ruler.measure(path)
    assert (found.verdict, found.code) == ("could-not-measure", code)
    assert found.reason
    assert found.totals is None


@pytest.mark.parametrize(
    "content", [b"", b" \n", b"hello\n", b"\x89PNG\r\n", b"ISO-10303-21;\nHEADER;\n"]
)
def test_a_look_refuses_as_measuring_would(ruler: Ruler, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "part.step"
    path.write_bytes(content)
    assert ruler.inspect(path) == ruler.measure(path)


def test_a_look_at_a_step_file_says_nothing(ruler: Ruler, box_step: Path) -> None:
    assert ruler.inspect(box_step) is None


def test_a_name_that_is_no_utf_8(ruler: Ruler, box_step: Path, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"p\xff.step")
    path.write_bytes(box_step.read_bytes())
    assert ruler.measure(path).file.name == "p\ufffd.step"


def test_truncated_in_the_middle(ruler: Ruler, box_step: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.step"
    path.write_bytes(box_step.read_bytes()[:4000])
    assert ruler.measure(path).code == "truncated"


def test_broken_data_never_measures_silently(ruler: Ruler, box_step: Path, tmp_path: Path) -> None:
    """Entities knocked out one at a time: refused, failed, or invalid, but never a sound box."""
    lines = box_step.read_text().splitlines()
    faces = [i for i, line in enumerate(lines) if "ADVANCED_FACE" in line]
    solids = [i for i, line in enumerate(lines) if "MANIFOLD_SOLID_BREP" in line]
    for index in (faces[0], faces[-1], solids[0]):
        path = tmp_path / "broken.step"
        path.write_text("\n".join(lines[:index] + lines[index + 1 :]))
        found = ruler.measure(path)
        assert found.totals is None or found.totals.valid is not True
        assert found.totals is None or found.totals.volume is None


def test_whole_but_empty(ruler: Ruler, tmp_path: Path) -> None:
    path = tmp_path / "none.step"
    path.write_text(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n"
        "FILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\n"
        "DATA;\nENDSEC;\nEND-ISO-10303-21;\n"
    )
    assert ruler.measure(path).code in ("no-shape", "not-step")


def test_sparse_giant_is_refused_by_size(ruler: Ruler, tmp_path: Path) -> None:
    path = tmp_path / "giant.step"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    found = ruler.measure(path)
    assert found.code == "too-large"
    assert found.file.sha256 is None
    assert str(MAX_BYTES) in (found.reason or "")


def test_directory_fifo_and_missing(ruler: Ruler, tmp_path: Path) -> None:
    assert ruler.measure(tmp_path).code == "not-a-file"
    os.mkfifo(tmp_path / "pipe")
    assert ruler.measure(tmp_path / "pipe").code == "not-a-file"
    with pytest.raises(FileNotFoundError):
        ruler.measure(tmp_path / "nothing.step")


def test_time_ceiling(tmp_path: Path, box_step: Path) -> None:
    with Ruler(wall_s=0.001) as hasty:
        assert hasty.measure(box_step).code == "timeout"


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("timeout", "timeout"),
        ("crashed", "crashed"),
        ("limit", "limit"),
        ("lost", "crashed"),
        ("failed", "failed"),
    ],
)
def test_failures_become_words(status: str, code: str) -> None:
    hostile = "bad \x1b[31m\u202e" + "x" * 9000
    result = SimpleNamespace(status=status, error=hostile, error_type="ValueError")
    found, reason = _explain(result, 120.0)
    assert found == code
    assert reason.isprintable()
    assert len(reason) < 300
