"""What a ruler would say of a delivery from a drawing, made by hand; and a case's folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gaugeblock.records.drawing import DrawingMatch, DrawnValue
from gaugeblock.records.drawing_task import Ceilings, ChanceRates, DrawingTask, ThreadAsked
from gaugeblock.records.feature_match import FeatureMatch, KindCount, MatchTolerances
from gaugeblock.records.measurement import FileFacts, Measurement, Stray, Totals, Versions
from gaugeblock.records.overlap import CrossChecks, InclusionExclusion, Iou, IouCheck, Overlap
from gaugeblock.records.scoring import DrawingCheck, Scoring, ThreadMatch, ThreadOutcome
from gaugeblock.records.spectrum import SheetDimension, SheetMatch, SheetValue
from gaugeblock.suites import Delivered

ARTIFACT, REFERENCE = "a" * 64, "b" * 64
VERSIONS = Versions(ocp=None, numpy=None)
CHANCE = ChanceRates(length=0.1, diameter=0.1, radius=0.1, angle=0.1)
CANARY = "gaugeblock-canary-00000000-0000-4000-8000-000000000000"
M8 = ThreadAsked(designation="M8x1.25", internal=True)


def sheet(count: int) -> tuple[SheetDimension, ...]:
    """A sheet of so many lengths: 1, 2, 3 … mm."""
    return tuple(
        SheetDimension(label=str(n), type="length", value=float(n)) for n in range(1, count + 1)
    )


def task(
    asked: int = 20,
    *,
    measurable: int | None = None,
    extended: int | None = None,
    drawn: int | None = None,
    semantic: float = 1.0,
    threads: tuple[ThreadAsked, ...] = (),
) -> DrawingTask:
    most = asked if measurable is None else measurable
    return DrawingTask(
        track="vector",
        group="anchoring",
        part_class="plate",
        difficulty=1,
        shown={"drawing.svg": "c" * 64},
        rulebook_sha256=None,
        reference_sha256=REFERENCE,
        dimensions=sheet(asked),
        threads=threads,
        ceilings=Ceilings(
            asked=asked,
            measurable=most,
            measurable_extended=most if extended is None else extended,
            drawn=asked if drawn is None else drawn,
            semantic_match=semantic,
            chance=CHANCE,
        ),
        canary=CANARY,
    )


def _kind(name: str, sha256: str) -> FileFacts:
    return FileFacts(name=name, sha256=sha256, bytes=1)


def measured(
    solids: int = 1, valid: bool | None = True, *, faces: int = 0, edges: int = 0
) -> Measurement:
    totals = Totals(
        solids=solids, shells=1, faces=6, edges=12, volume=1.0, occupied_volume=1.0, bounds=None,
        valid=valid, names=[None] * solids,
    )  # fmt: skip
    return Measurement(
        verdict="measured",
        file=_kind("part.step", ARTIFACT),
        totals=totals,
        solids=[],
        stray=Stray(shells=min(faces, 1), faces=faces, edges=edges),
        versions=VERSIONS,
    )


def iou(value: float | None, error: float | None = None) -> Iou:
    check = IouCheck(iou=None, error=None, reason="made by hand")
    sums = InclusionExclusion(
        fuse=None, cut_a=None, cut_b=None, residual=None, fuzzy=None, closes=None
    )
    return Iou(
        iou=value,
        error_estimate=error,
        verdict="could-not-measure" if value is None else "measured",
        reason="the methods contradict" if value is None else None,
        method="exact",
        flagged=False,
        cross_checks=CrossChecks(
            inclusion_exclusion=sums, exact=check, casting=check, mesh=check, agree=None
        ),
    )


def scoring(
    asked: int = 20,
    *,
    found: int | None = 20,
    extended: int | None = None,
    features: tuple[int, int] | None = (10, 10),
    shape: Iou | None = None,
    threads: float | str | None = "none",
    drawn: int | None = 20,
) -> Scoring:
    """Say what was found; None: it could not be measured."""
    dims = sheet(asked)
    reference, candidate = _kind("reference.step", REFERENCE), _kind("part.step", ARTIFACT)
    return Scoring(
        reference=reference,
        candidate=candidate,
        dimensions=_recall(dims, found, extended),
        features=_features(features, reference, candidate),
        overlap=Overlap(
            verdict="measured",
            a=reference,
            b=candidate,
            aligned=shape or iou(1.0, 0.0),
            versions=VERSIONS,
        ),
        threads=_threads(threads),
        drawing=_drawing(dims, drawn),
    )


def _recall(
    dims: tuple[SheetDimension, ...], found: int | None, extended: int | None
) -> SheetMatch:
    if found is None:
        return SheetMatch(
            verdict="could-not-measure", code="failed", reason="no spectrum", asked=len(dims)
        )
    wide = found if extended is None else extended
    values = [
        SheetValue(
            dimension=dimension,
            tolerance="ISO 2768-m",
            found=n < found,
            found_extended=n < wide,
            hits=[],
            reason=None if n < found else "nothing measures so",
        )
        for n, dimension in enumerate(dims)
    ]
    return SheetMatch(
        verdict="measured",
        values=values,
        found=found,
        found_extended=wide,
        asked=len(dims),
        recall=found / len(dims),
        extended_recall=wide / len(dims),
    )


LIMITS = MatchTolerances(
    position=0.1, axis=0.5, size=0.1, size_part=0.05, angle=0.5, pitch=0.01, shared=None
)


def _features(
    share: tuple[int, int] | None, reference: FileFacts, candidate: FileFacts
) -> FeatureMatch:
    files: dict[str, Any] = {"reference": reference, "candidate": candidate, "tolerances": LIMITS}
    if share is None:
        return FeatureMatch(
            state="could-not-measure", reason="a face is refused", semantic_match=None, **files
        )
    right, most = share
    if most == 0:
        return FeatureMatch(
            state="no-features", reason="neither has one", semantic_match=None, **files
        )
    hole = KindCount(
        reference=most, candidate=most, matched=right, moved=most - right, changed=0, missing=0,
        extra=0,
    )  # fmt: skip
    return FeatureMatch(
        state="scored",
        semantic_match=right / most,
        kinds={"hole": hole},
        differences=["a hole moved"] * (most - right),
        **files,
    )


def _threads(match: float | str | None) -> ThreadMatch:
    if match == "none":
        return ThreadMatch(state="no-threads", reason="the reference has no thread", match=None)
    if match is None:
        return ThreadMatch(state="could-not-measure", reason="no volume", match=None)
    wrong = ThreadOutcome(reference="thread-1", candidate=None, right=False, finding="M8: missing")
    outcomes = () if match == 1.0 else (wrong,)
    return ThreadMatch(state="scored", match=match, outcomes=outcomes)


def _drawing(dims: tuple[SheetDimension, ...], found: int | None) -> DrawingCheck:
    if found is None:
        return DrawingCheck(state="could-not-measure", reason="not drawn within 90 s")
    values = [
        DrawnValue(
            dimension=dimension,
            found=n < found,
            reason=None if n < found else "nothing measures so",
        )
        for n, dimension in enumerate(dims)
    ]
    match = DrawingMatch(values=values, found=found, asked=len(dims), match=found / len(dims))
    return DrawingCheck(state="scored", match=match)


def delivered(what: DrawingTask, said: Scoring | None, **more: Any) -> Delivered:
    fields: dict[str, Any] = {"measurement": measured(), "artifact_sha256": ARTIFACT}
    return Delivered(**{**fields, "task": what, "scoring": said, **more})


def case_folder(place: Path, name: str = "my-plate", group: str = "own", **files: Any) -> Path:
    """Write a case's folder: a sheet of three lengths and a reference that nobody reads.

    Args:
        place: where the folder goes.
        name: id of the case.
        group: of the case.
        files: content by file name with `_` for `.`; None leaves the file out.
    """
    folder = place / name
    (folder / "sheet").mkdir(parents=True)
    ceilings = task(3).ceilings
    listed = [dimension.model_dump(mode="json") for dimension in sheet(3)]
    contents: dict[str, str | None] = {
        "case.toml": f'''id = "{name}"
title = "Plate"
group = "{group}"
class = "plate"
difficulty = 2
canary = "{CANARY}"
[parameters]
length = 30
[sheet]
number = "GB-900"
material = "S235"
''',
        "program.py": f"# {CANARY}\n\nresult = {{'plate': Box(length, 20, 10)}}\n",
        "reference.step": "ISO-10303-21;",
        "dimensions.json": json.dumps(listed),
        "ceilings.json": ceilings.model_dump_json(),
        "sheet/drawing.svg": "<svg/>",
        "sheet/drawing.png": "png",
    }
    contents |= {key.replace("_", "."): value for key, value in files.items()}
    for path, content in contents.items():
        if content is not None:
            (folder / path).write_text(content, encoding="utf-8")
    return folder
