"""Facts side by side and hints in words, from records made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from gaugeblock.records.measurement import (
    Bounds,
    Check,
    Counts,
    CrossCheck,
    FileFacts,
    Measurement,
    SolidFacts,
    Topology,
    Totals,
    Validity,
    Versions,
    Volume,
)
from gaugeblock.records.overlap import (
    Alignment,
    CrossChecks,
    InclusionExclusion,
    Iou,
    IouCheck,
    Mirrored,
    Overlap,
    Quantity,
    Scale,
    Volumes,
)
from gaugeblock.ruler.picture.facts import (
    fact_rows,
    figures,
    hints,
    same,
    verdict,
    volume_text,
)

FILE = FileFacts(name="part.step", sha256=None, bytes=1, length_units=["MILLIMETRE"])
VERSIONS = Versions(ocp=None, numpy=None)
EYE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def measured(
    volume: float = 1000.0, at: float = 0.0, name: str | None = "plate", **changes: Any
) -> Measurement:
    ok = Check(ok=True)
    check = CrossCheck(method="mesh", value=volume, error_estimate=1e-9, agrees=True)
    box = Bounds(min=(at, 0.0, 0.0), max=(at + 10.0, 10.0, 10.0))
    solid = SolidFacts(
        index=0,
        name=name,
        path=[],
        colour=None,
        valid=True,
        validity=Validity(
            brepcheck=ok, volume_positive=ok, shells_closed=ok, mesh_closed_orientable=ok
        ),
        volume=Volume(
            value=volume, method="gauss", error_estimate=1e-9, cross_check=check, verdict="measured"
        ),
        area=600.0,
        centroid=(at + 5.0, 5.0, 5.0),
        bounds=box,
        counts=Counts(shells=1, faces=6, edges=12, vertices=8),
        surfaces=changes.pop("surfaces", {"plane": 6}),
        topology=Topology(euler=2, genus=0, betti=(1, 0, 1)),
    )
    totals = Totals(
        solids=1, shells=1, faces=6, edges=12, volume=volume, occupied_volume=volume, bounds=box,
        valid=changes.pop("valid", True), names=[name],
    )  # fmt: skip
    return Measurement(
        verdict="measured", file=FILE, solids=[solid], totals=totals, versions=VERSIONS
    )


def iou(value: float | None, agree: bool | None = True) -> Iou:
    none = IouCheck(iou=None, error=None)
    sums = InclusionExclusion(
        fuse=None, cut_a=None, cut_b=None, residual=None, fuzzy=None, closes=None
    )
    return Iou(
        iou=value,
        error_estimate=None,
        verdict="could-not-measure" if value is None else "measured",
        reason="the methods contradict" if value is None else None,
        method="exact",
        flagged=False,
        cross_checks=CrossChecks(
            inclusion_exclusion=sums, exact=none, casting=none, mesh=none, agree=agree
        ),
    )


def compared(posed: float | None, aligned: float | None = None, **changes: Any) -> Overlap:
    known = Quantity(value=1000.0, error_estimate=0.0)
    part = Quantity(value=50.0, error_estimate=0.0)
    motion = Alignment(
        rotation=EYE, translation=(3.0, 4.0, 0.0), angle_deg=changes.pop("angle", 0.0),
        shift_mm=changes.pop("shift", 5.0), candidates=1, ambiguous=False, ties=0, method="axes",
        residual=0.0,
    )  # fmt: skip
    return Overlap(
        verdict="measured",
        a=FILE,
        b=FILE,
        posed=iou(posed),
        aligned=None if aligned is None else iou(aligned),
        alignment=None if aligned is None else motion,
        volumes=Volumes(a=known, b=known, common=known, only_a=part, only_b=part),
        versions=VERSIONS,
        **changes,
    )


def told(overlap: Overlap) -> str:
    return "; ".join(hints(measured(), measured(), overlap))


def test_only_what_differs_is_marked() -> None:
    rows = fact_rows(measured(), measured(volume=990.0, name="Plate", surfaces={"cone": 6}))
    marked = {row.name.strip() for row in rows if row.differs}
    assert marked == {"volume mm³", "names", "plane", "cone"}
    assert {"area mm²", "size mm", "centroid mm", "solids", "genus", "units", "valid"} <= {
        row.name for row in rows
    }
    volume = next(row for row in rows if row.name == "volume mm³")
    assert (volume.a, volume.b) == ("1,000", "990")
    assert not any(row.differs for row in fact_rows(measured(), measured(volume=1000.0 + 1e-7)))
    moved = fact_rows(measured(), measured(at=1.0))
    assert [row.name for row in moved if row.differs] == ["centroid mm"]


def test_identical() -> None:
    overlap = compared(1.0, 1.0, shift=0.0)
    assert same(overlap) is True
    assert "identical" in told(overlap)
    assert verdict(overlap) == "identical"


def test_moved() -> None:
    overlap = compared(0.3, 1.0, angle=30.0)
    assert same(overlap) is True
    assert told(overlap) == "B is A moved by 5 mm, turned by 30°"
    assert "another place" in verdict(overlap)
    assert same(compared(0.3)) is False


def test_mirrored() -> None:
    mirror = Mirrored(better=True, iou_mirrored=0.99995, how="fitted")
    assert told(compared(0.5, 0.6, mirrored=mirror)) == "B is the mirror image of A"
    half = Mirrored(better=True, iou_mirrored=0.9, how="fitted")
    assert "fits B better" in told(compared(0.5, 0.6, mirrored=half))


@pytest.mark.parametrize(
    ("factor", "text"),
    [
        (25.4, "B is 25.4 times A: an inch/mm mix-up"),
        (1 / 25.4, "A is 25.4 times B: an inch/mm mix-up"),
    ],
)
def test_inch(factor: float, text: str) -> None:
    scale = Scale(factor=factor, box_ratios=None, unit="inch↔mm 25.4", iou_rescaled=0.99999)
    assert told(compared(0.0, 0.0, scale=scale)) == text


def test_unmeasured_is_told() -> None:
    overlap = compared(None, None)
    assert same(overlap) is None
    assert verdict(overlap) == "could not measure: the methods contradict"
    assert dict(figures(overlap))["IoU as posed"].startswith("could not be measured")


def test_figures() -> None:
    shown = dict(figures(compared(0.9, 0.95)))
    assert shown["IoU as posed"] == "0.9000000 (exact, cross-checks agree)"
    assert shown["only in A"] == "50 mm³ (5 % of A)"
    assert shown["motion laying A on B"] == "5 mm"


def test_same_volume_and_invalid_parts_are_hinted() -> None:
    assert "something was moved" in told(compared(0.9, 0.95))
    doubtful = hints(measured(valid=False), measured(), compared(0.9, 0.95))
    assert "A is not valid: its volumes are doubtful" in doubtful


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.0, "0 mm³ (0 % of A)"),
        (1e-12, "0 mm³ (0 % of A)"),
        (5e-4, "0.0005 mm³ (less than 0.0001 % of A)"),
        (0.0349115, "0.0349115 mm³ (0.003491 % of A)"),
        (2500.0, "2,500 mm³ (250 % of A)"),
        (16_386_064.0, "16,386,064 mm³ (16,386 times A)"),
    ],
)
def test_volumes_in_words(value: float, told: str) -> None:
    assert volume_text(value, 1000.0) == told


def test_no_part_is_claimed_of_an_unknown_whole() -> None:
    assert volume_text(5.0, None) == "5 mm³"
    assert volume_text(None, 5.0) == "unknown"
