"""What becomes of a mutant: killed, tolerated, survivor, unmeasured.

`NAMED` says for each kind of mutation which figures must see it. A part without a case kills a
mutant only by one of these: a figure that fell by accident would not name the fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from gaugeblock.calibration.figures import told
from gaugeblock.calibration.records import Moved, MutantResult, Outcome, Source
from gaugeblock.calibration.workshop import Made
from gaugeblock.records.grade import Grade

_PLACE = ("bounds", "centroid", "iou")
_SIZE = ("volume", "area", "iou", "iou-aligned")

NAMED: dict[str, tuple[str, ...]] = {
    "hole-moved": ("centroid", "iou", "iou-aligned"),
    "hole-resized": _SIZE,
    "hole-dropped": (*_SIZE, "faces", "genus"),
    "hole-added": (*_SIZE, "faces", "genus"),
    "round-resized": (*_SIZE, "bounds"),
    "plane-moved": (*_SIZE, "bounds"),
    "fillet-added": (*_SIZE, "faces"),
    "chamfer-added": (*_SIZE, "faces"),
    "imprinted": ("faces",),
    "stretched": (*_SIZE, "bounds"),
    "mirrored": (*_PLACE, "iou-aligned", "mirrored"),
    "rotated": _PLACE,
    "shifted": _PLACE,
    "scaled": ("volume", "area", "bounds", "scale"),
    "unit-claimed": ("units", "volume", "bounds", "scale"),
    "unit-other": ("units",),
    "renamed": ("names",),
    "nameless": ("names",),
    "merged": ("solids", "faces"),
    "split": ("solids", "faces"),
    "duplicated": ("solids",),
    "stray-solid": ("solids", "bounds"),
    "face-removed": ("valid", "solids", "findings"),
    "inside-out": ("valid", "findings"),
    "boxed": (*_SIZE, "faces"),
    "null": ("valid", "solids"),
    "random": (*_PLACE, "area", "faces"),
    "parameter": (*_SIZE, *_PLACE, "faces"),
}


def of_part(
    made: Made,
    moved: Sequence[Moved],
    unknown: tuple[str, ...],
    source: Literal["body", "parameter"] = "body",
) -> MutantResult:
    """Judge a mutant of a part that has no case."""
    named = [move for move in moved if move.outside and move.figure in NAMED[made.kind]]
    outcome: Outcome
    if named:
        outcome, finding = "killed", "; ".join(told(move) for move in named)
    elif moved:
        outcome, finding = "tolerated", "; ".join(told(move) for move in moved)
    else:
        outcome, finding = _unmoved(unknown, "no figure moved")
    return _result(made, outcome, finding, moved, unknown, source=source)


def of_case(
    made: Made,
    moved: Sequence[Moved],
    unknown: tuple[str, ...],
    grade: Grade,
    source: Source = "body",
) -> MutantResult:
    """Judge a mutant by the grade of its case; figures tell what a pass let through."""
    failed = grade.failed()
    outcome: Outcome
    if grade.verdict == "failed":
        outcome = "killed"
        finding = "; ".join(
            f"{check.name}: {check.finding}" for check in grade.checks if check.verdict == "fail"
        )
    elif grade.verdict == "could-not-grade":
        outcome, finding = "unmeasured", "the case could not be graded"
    elif moved:
        outcome, finding = "tolerated", "; ".join(told(move) for move in moved)
    else:
        outcome, finding = _unmoved(unknown, "the case passes and no figure moved")
    return _result(made, outcome, finding, moved, unknown, failed, grade.round, source)


def _unmoved(unknown: tuple[str, ...], words: str) -> tuple[Outcome, str]:
    """No figure moved: a survivor, unless one that might have could not be taken."""
    if unknown:
        return "unmeasured", f"{words}, but {', '.join(unknown)} could not be taken"
    return "survivor", words


def absent(made: Made, round_id: str | None = None, source: Source = "body") -> MutantResult:
    """Return the result of a mutant that is none: not made, or equal to the reference."""
    reason = made.reason or "equal to the reference by the independent signature"
    return MutantResult(
        name=made.name,
        kind=made.kind,
        source=source,
        round=round_id,
        outcome="not-applicable",
        reason=reason,
    )


def _result(
    made: Made,
    outcome: Outcome,
    finding: str,
    moved: Sequence[Moved],
    unknown: tuple[str, ...],
    failed: tuple[str, ...] = (),
    round_id: str | None = None,
    source: Source = "body",
) -> MutantResult:
    return MutantResult(
        name=made.name,
        kind=made.kind,
        source=source,
        round=round_id,
        outcome=outcome,
        differs=made.differs,
        moved=tuple(moved),
        unknown=unknown,
        failed=failed,
        finding=finding,
    )
