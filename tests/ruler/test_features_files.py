"""Features through the sandboxed worker, and of files that nobody here made."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import ruler_shapes as shapes
from feature_shapes import signatures

from gaugeblock.ruler import Ruler
from gaugeblock.ruler.features.recognising import features_of_shape
from gaugeblock.ruler.reading import read_step

real = pytest.mark.skipif(not shapes.REAL.is_dir(), reason=f"no data in {shapes.REAL}")


def test_features_of_a_file(tmp_path: Path) -> None:
    tray, _ = shapes.tray()
    path = shapes.write_step(tray, tmp_path / "tray.step")
    with Ruler() as ruler:
        found = ruler.features(path)
    assert found.verdict == "measured" and found.reason is None
    assert found.file.name == "tray.step" and found.file.sha256
    assert Counter(f.kind for f in found.features) == {"hole": 12, "pocket": 1}
    assert [f.id for f in found.features[:2]] == ["hole-1", "hole-2"]
    assert found.refused == [] and set(found.timings) == {"read", "graph", "threads", "recognise"}


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    text = tmp_path / "note.step"
    text.write_text("not a part")
    surface = tmp_path / "empty.step"
    surface.write_text("")
    with Ruler() as ruler:
        for path, code in ((text, "not-step"), (surface, "empty")):
            found = ruler.features(path)
            assert (found.verdict, found.code) == ("could-not-measure", code)
            assert found.features == [] and found.reason
        with pytest.raises(FileNotFoundError):
            ruler.features(tmp_path / "absent.step")
        assert (
            ruler.features(shapes.write_step(shapes.box(1, 2, 3), tmp_path / "b.step")).features
            == []
        )


HOLES = {
    "nist_ctc_01_ap203.stp": {(35.0, 0.0): 4, (25.0, 0.0): 4, (20.0, 0.0): 2},
    "nist_ctc_05_ap242.stp": {
        (19.05, 38.1): 10,
        (10.7163, 0.0): 6,
        (7.9375, 0.0): 4,
        (254.0, 0.0): 1,
    },
}
"""Holes by (bore, counterbore) diameter in mm, counted by eye; the ten of ctc_05 stand every 30°
on one circle, where two slots take the places that are left."""


@real
@pytest.mark.parametrize("name", sorted(HOLES))
def test_holes_of_public_parts(name: str) -> None:
    (solid,) = read_step(str(shapes.REAL / name)).solids
    found = Counter(
        (round(f.diameter, 4), round(f.counterbore.diameter, 4) if f.counterbore else 0.0)
        for f in features_of_shape(solid.shape)
        if f.kind == "hole"
    )
    assert {key: found[key] for key in HOLES[name]} == HOLES[name]


@real
@pytest.mark.parametrize("name", ["nist_ctc_01_ap203.stp", "nist_ctc_05_ap242.stp"])
def test_public_parts_turned_and_mirrored(name: str) -> None:
    (solid,) = read_step(str(shapes.REAL / name)).solids
    before = signatures(solid.shape)
    assert sum(before.values()) > 40
    for shape in (shapes.moved(solid.shape, (1, 2, 3), 0.7, 31.0), shapes.mirrored(solid.shape)):
        assert signatures(shape) == before


@real
def test_every_public_file_has_an_answer() -> None:
    with Ruler() as ruler:
        for path in sorted(shapes.REAL.iterdir()):
            found = ruler.features(path, wall_s=60)
            assert found.verdict == "measured", path.name
            for finding in found.refused:
                assert finding.message and finding.where
