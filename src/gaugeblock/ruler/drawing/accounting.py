"""The account of a finished sheet: its faces without a dimension, counted, named and told on it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from gaugeblock.records.features import Feature, Groove, Hole, Recess
from gaugeblock.ruler.drawing.anatomy import Face
from gaugeblock.ruler.drawing.canvas import Filled
from gaugeblock.ruler.drawing.completeness import Account
from gaugeblock.ruler.drawing.ink import label_box
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.rooms import Job
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import Label, Sheet, Undimensioned
from gaugeblock.ruler.drawing.sizing import engraved
from gaugeblock.ruler.drawing.subject import Subject, aligned
from gaugeblock.ruler.drawing.told import told_by
from gaugeblock.ruler.drawing.wishes import HoleTable, Wish

LETTERS, STEP = 3.0, 5.0
"""Height of the note on the sheet, and how far apart places for it are tried, mm."""

KINDS_SHOWN = 6
"""Kinds of faces that one note names."""

SURFACES = {
    "BSplineSurface": "free-form face",
    "BezierSurface": "free-form face",
    "SurfaceOfRevolution": "turned free-form face",
    "SurfaceOfExtrusion": "extruded free-form face",
    "OffsetSurface": "free-form face",
}
"""What surfaces are called."""


def undimensioned(
    subject: Subject,
    views: Sequence[View],
    wishes: Sequence[Wish],
    tables: Sequence[HoleTable] = (),
    printed: Sequence[str] = (),
) -> tuple[Undimensioned, ...]:
    """Return the faces of a part that a sheet's dimensions do not fix.

    Args:
        subject: The part.
        views: Of the sheet.
        wishes: The dimensions that stand on it.
        tables: Rows of holes that stand on it.
        printed: General notes that stand on it.
    """
    told = told_by(subject, views, wishes, tables, printed)
    letters = frozenset(
        f.id for f in subject.features if isinstance(f, Recess) and engraved(subject, f)
    )
    found = []
    for face in Account(subject, told, letters).loose():
        owner = subject.claimed.get((face.solid, face.number))
        x, y, z = (float(v) for v in subject.basis.T @ face.centre)
        found.append(
            Undimensioned(
                solid=face.solid,
                face=face.number,
                kind=face.kind,
                what=_named(subject, face, owner, letters),
                feature=None if owner is None else owner.id,
                place=(x, y, z),
            )
        )
    return tuple(found)


def _named(subject: Subject, face: Face, owner: Feature | None, letters: frozenset[str]) -> str:
    if face.kind in SURFACES:
        return SURFACES[face.kind]
    along = aligned(face.axis)
    lean = "" if along is not None or face.kind in ("Sphere", "Torus") else "oblique "
    if owner is None:
        size = f" ⌀{number(2 * face.radius)}" if face.kind in ("Cylinder", "Sphere") else ""
        return f"{lean}{face.kind.lower()}{size}"
    if owner.id in letters:
        return "engraving"
    if isinstance(owner, Hole):
        oblique = "" if subject.axis(owner) is not None else "oblique "
        return f"{oblique}hole ⌀{number(owner.diameter)}"
    if not isinstance(owner, Recess | Groove) and owner.kind != "boss":
        return owner.kind
    axis = getattr(owner, "axis", None)
    rise = 0.0 if axis is None else abs(float(face.axis @ subject.basis @ axis))
    if face.kind == "Plane" and 1e-6 < rise < 1.0 - 1e-6:
        return f"drafted {owner.kind} wall"
    if face.kind == "Plane" and rise >= 1.0 - 1e-6:
        return f"{owner.kind} floor" if owner.kind != "boss" else "boss top"
    return f"{lean}{owner.kind} wall"


def told_in_words(found: Sequence[Undimensioned]) -> str:
    """Return one line for the reader of the answer."""
    kinds = Counter(item.what for item in found).most_common()
    shown = ", ".join(f"{what} ×{n}" if n > 1 else what for what, n in kinds[:KINDS_SHOWN])
    more = f" and {len(kinds) - KINDS_SHOWN} kinds more" if len(kinds) > KINDS_SHOWN else ""
    return f"not dimensioned: {_faces(len(found))} ({shown}{more})"


def accounted(job: Job, found: Filled, sheet: Sheet, *, note: bool) -> Sheet:
    """Return a sheet with the account of its faces.

    Args:
        job: What it was drawn from.
        found: How it was filled.
        sheet: The same, perhaps with fewer dimensions.
        note: Whether the sheet itself says how many faces are not dimensioned.
    """
    kept = {id(dim) for dim in sheet.dims}
    wishes = [w for dim, w in zip(found.sheet.dims, found.wishes, strict=True) if id(dim) in kept]
    rows = {row[0] for table in sheet.tables for row in table.rows}
    tables = [
        HoleTable(t.axis, tuple(mark for mark in t.marks if mark.label in rows))
        for t in job.wishes.tables
    ]
    loose = undimensioned(job.subject, job.views, wishes, tables, job.wishes.printed)
    if not loose:
        return sheet
    notes = [told_in_words(loose), *sheet.notes]
    labels = sheet.labels
    if note:
        label = _placed(found, f"{_faces(len(loose))} not dimensioned: see model")
        if label is None:
            notes.append("no room to say so on the sheet")
        else:
            labels = (*labels, label)
    return sheet.model_copy(
        update={"undimensioned": loose, "notes": tuple(notes), "labels": labels}
    )


def _placed(found: Filled, text: str) -> Label | None:
    """Return the note where nothing stands: as low and as far to the right as can be."""
    (x0, y0), (x1, y1) = found.paper.low, found.paper.high
    for row in range(math.floor((y1 - y0) / STEP)):
        for column in range(math.floor((x1 - x0) / STEP)):
            at = (x1 - column * STEP, y0 + row * STEP)
            label = Label(at=at, text=text, height=LETTERS, anchor="right")
            if found.paper.free(label_box(label)):
                return label
    return None


def _faces(count: int) -> str:
    return "1 face" if count == 1 else f"{count} faces"
