"""Five dimensions of one candidate: a right part reaches the same figures in any pose."""

from __future__ import annotations

from pathlib import Path

import pytest
from build123d import Align, Axis, Box, Cylinder, Part, Plane, Pos, export_step

from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.scoring import score

BOTTOM = (Align.CENTER, Align.CENTER, Align.MIN)


def block() -> Part:
    """A chiral part: a plate 80 × 50 × 12, a block 20 × 30 × 25 on it, holes ⌀8 and ⌀14."""
    body = Box(80, 50, 12, align=BOTTOM) + Pos(10, 5, 12) * Box(20, 30, 25, align=BOTTOM)
    body -= Pos(-30, -15, 0) * Cylinder(4, 12, align=BOTTOM)
    return body - Pos(-20, 12, 4) * Cylinder(7, 8, align=BOTTOM)


def listed(label: str, value: float, kind: str = "length", count: int = 1) -> SheetDimension:
    return SheetDimension(label=label, type=kind, value=value, count=count)


SHEET = (
    listed("80", 80),
    listed("50", 50),
    listed("12", 12),
    listed("37", 37),
    listed("20", 20),
    listed("30", 30),
    listed("⌀8", 8, "diameter"),
    listed("⌀14", 14, "diameter"),
)
"""Each of these is a distance of two faces or a diameter of the part, by its construction."""


def written(part: Part, folder: Path, name: str) -> Path:
    path = folder / f"{name}.step"
    assert export_step(part, str(path))
    return path


@pytest.fixture(scope="module")
def reference(tmp_path_factory) -> Path:
    return written(block(), tmp_path_factory.mktemp("scoring"), "reference")


def figures(found):
    threads, drawn = found.threads, found.drawing.match
    return (
        found.dimensions.found,
        found.features.semantic_match,
        found.overlap.aligned.iou,
        (threads.state, threads.match),
        drawn.found if drawn else found.drawing.reason,
    )


RIGHT = (8, 1.0, pytest.approx(1.0, abs=1e-9), ("no-threads", None), 8)


def test_the_reference_reaches_everything(ruler, reference):
    found = score(ruler, reference, reference, SHEET)
    assert figures(found) == RIGHT
    assert (found.dimensions.asked, found.drawing.match.asked) == (8, 8)
    assert found.reference.sha256 == found.candidate.sha256 == found.overlap.a.sha256
    assert found.own_drawing is None


POSES = {
    "a quarter turn": lambda part: part.rotate(Axis.Z, 90),
    "upside down": lambda part: Pos(100, -40, 7) * part.rotate(Axis.X, 180),
    "askew": lambda part: (
        Pos(13.7, -21.3, 40.9) * part.rotate(Axis((1, 2, 3), (1, 2, -0.5)), 118.8)
    ),
    "askew otherwise": lambda part: Pos(0, 0, 1e3) * part.rotate(Axis((0, 0, 0), (3, 1, 7)), 201.3),
}


@pytest.mark.parametrize("pose", POSES)
def test_a_right_part_is_right_in_any_pose(ruler, reference, tmp_path, pose):
    candidate = written(POSES[pose](block()), tmp_path, "turned")
    assert figures(score(ruler, reference, candidate, SHEET)) == RIGHT


def test_a_mirrored_part_has_the_sizes_and_not_the_shape(ruler, reference, tmp_path):
    candidate = written(block().mirror(Plane.YZ), tmp_path, "mirrored")
    found = score(ruler, reference, candidate, SHEET)
    assert found.dimensions.found == 8
    assert found.drawing.match.found == 8
    assert found.features.semantic_match < 1.0
    assert found.overlap.aligned.iou < 1.0
    assert found.overlap.mirrored.better is True


def test_a_wrong_size_is_lost_where_it_stands(ruler, reference, tmp_path):
    wider = Box(80, 50, 12, align=BOTTOM) + Pos(10, 5, 12) * Box(20, 30, 25, align=BOTTOM)
    wider -= Pos(-30, -15, 0) * Cylinder(4.5, 12, align=BOTTOM)  # ⌀9: beyond 8 ± 0.2
    wider -= Pos(-20, 12, 4) * Cylinder(7, 8, align=BOTTOM)
    found = score(ruler, reference, written(wider, tmp_path, "wider"), SHEET)
    assert [v.dimension.label for v in found.dimensions.values if not v.found] == ["⌀8"]
    assert [v.dimension.label for v in found.drawing.match.values if not v.found] == ["⌀8"]
    # V(plate ∪ block) = 48,000 + 15,000; the reference lacks π 4² 12 + π 7² 8 of it.
    right = 63_000 - 3.141592653589793 * (16 * 12 + 49 * 8)
    lost = 3.141592653589793 * (4.5**2 - 4**2) * 12
    assert found.overlap.aligned.iou == pytest.approx((right - lost) / right, abs=1e-6)


def test_what_is_no_part_has_reasons_and_no_figure(ruler, reference, tmp_path):
    broken = tmp_path / "broken.step"
    broken.write_text("ISO-10303-21;\nHEADER;\n")
    found = score(ruler, reference, broken, SHEET)
    assert found.dimensions.recall is None
    assert found.features.semantic_match is None
    assert found.overlap.aligned is None
    assert (found.drawing.state, found.drawing.match) == ("could-not-measure", None)
    assert "pose" in found.drawing.reason
    for reason in (found.dimensions.reason, found.features.reason, found.overlap.reason):
        assert reason


def test_a_delivered_drawing_never_counts_as_the_generated_one(ruler, reference):
    found = score(ruler, reference, reference, SHEET, own_drawing=b"0\nEOF\n")
    assert found.drawing.match.found == 8
    assert found.own_drawing is not None
    assert found.own_drawing.match is None or found.own_drawing.match.found == 0
