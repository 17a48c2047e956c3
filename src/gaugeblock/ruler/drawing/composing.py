"""A part to a sheet: views chosen and projected, sizes chosen, sheet and scale tried.

`compose` runs where the kernel runs; what it returns is plain data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaugeblock.records.drawing import Toleranced
from gaugeblock.records.features import Feature
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.accounting import accounted
from gaugeblock.ruler.drawing.anatomy import faces_of
from gaugeblock.ruler.drawing.callouts import askew
from gaugeblock.ruler.drawing.canvas import Filled
from gaugeblock.ruler.drawing.collisions import collisions, thinned
from gaugeblock.ruler.drawing.dimensioning import printable, wishes_of
from gaugeblock.ruler.drawing.filling import filled
from gaugeblock.ruler.drawing.frame import Format, scales
from gaugeblock.ruler.drawing.profiles import with_profiles
from gaugeblock.ruler.drawing.projected import projected
from gaugeblock.ruler.drawing.rooms import Job, Size
from gaugeblock.ruler.drawing.sections import completed, section_of
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import Sheet, Title
from gaugeblock.ruler.drawing.subject import Subject
from gaugeblock.ruler.drawing.tolerancing import with_tolerances
from gaugeblock.ruler.drawing.unthreading import unthreaded
from gaugeblock.ruler.drawing.view_choice import plan_of
from gaugeblock.ruler.header import Refused
from gaugeblock.ruler.reading import ReadSolid
from gaugeblock.ruler.views.cameras import Convention

LARGEST = {"A4": 130.0, "A3": 230.0}
"""Longest side of a view on the paper, mm: larger says no more."""

ENLARGED = 120.0
"""The same for parts that are drawn larger than they are."""

HEIGHTS = (3.5, 2.5)
"""Heights of dimension text that are tried, mm (ISO 3098)."""

SCALES = 3
"""Scales that are tried on one format: from the largest down to a fifth of it."""

ATTEMPTS = 14
"""Sheets that are filled at most."""


SMALLER = 2.0
"""Dimensions that half the scale must save to be worth it."""

PICTURE_ATTEMPTS = 2
"""Further sheets that are filled only to find room for the isometric view."""

CROWDED = 40
"""Dimensions from which on only the smaller lettering is tried."""

SHOWN = 12
"""Dimensions left off that are named one by one."""


@dataclass(frozen=True)
class Options:
    """What the caller decides."""

    title: Title
    format: Format | None = None
    """None: chosen."""
    convention: Convention = "first-angle"
    scale: tuple[int, int] | None = None
    """None: chosen."""
    dimensions: tuple[SheetDimension, ...] | None = None
    """The sheet's own list; None: chosen."""
    toleranced: tuple[Toleranced, ...] = ()
    """Tolerances printed behind chosen sizes."""


def compose(
    solids: Sequence[ReadSolid],
    features: Sequence[Feature],
    options: Options,
    seconds: float = 60.0,
    remarks: Sequence[str] = (),
) -> Sheet:
    """Return the drawing of solids.

    Args:
        solids: What is drawn.
        features: What was recognised on them.
        options: What the caller decides.
        seconds: Ceiling of all projections in s.
        remarks: Told in the sheet's notes.

    Raises:
        Refused: there is nothing that can be drawn; the reason says why.
    """
    faces = faces_of([solid.shape for solid in solids])
    if not faces:
        raise Refused("no-shape", "no face with an edge to draw")
    plain = unthreaded(solids, faces, [f for f in features if not askew(f)])
    plan = plan_of(plain.faces, plain.features)
    turned = [face.turned_into(plan.basis) for face in plain.faces]
    points = np.concatenate([face.points for face in turned])
    middle = None if plan.turned is None else plan.basis @ plan.turned[0]
    subject = Subject(
        turned,
        plain.features,
        plan.basis,
        points.min(axis=0),
        points.max(axis=0),
        middle,
        {name: stretch.between(plan.basis) for name, stretch in plain.stretches.items()},
    )
    notes = list(remarks)
    section = section_of(subject, plan)
    plan, section = completed(plan, subject, section)
    seen = projected(plain, subject, plan, section, seconds)
    notes += seen.notes
    views = [with_profiles(view, subject.faces) for view in seen.views]
    subject = _bounded(subject, views)
    wishes = wishes_of(subject, seen.section is not None)
    if options.dimensions is not None:
        from gaugeblock.ruler.drawing.given import chosen

        wishes = chosen(options.dimensions, wishes, subject)
    else:
        wishes = with_tolerances(printable(wishes), options.toleranced)
    job = Job(
        subject,
        views,
        seen.picture,
        seen.section,
        wishes,
        options.convention,
        options.title,
        tuple(notes + wishes.told),
    )
    return _tried(job, options)


def _bounded(subject: Subject, views: Sequence[View]) -> Subject:
    """Return the subject with the bounds that its views show: outlines reach beyond edges."""
    low, high = subject.low.copy(), subject.high.copy()
    for view in views:
        for n in (0, 1):
            k, sign = view.axes[n]
            ends = sorted((sign * view.box[0][n], sign * view.box[1][n]))
            # Where faces end flat their own coordinate is exact.
            if ends[0] < low[k] - subject.close:
                low[k] = ends[0]
            if ends[1] > high[k] + subject.close:
                high[k] = ends[1]
    return replace(subject, low=low, high=high)


def _tried(job: Job, options: Options) -> Sheet:
    """Return the first sheet that holds everything without collisions, or the best."""
    best: tuple[tuple[float, ...], Filled, int] | None = None
    attempts = 0
    sizes = _sizes(job, options)
    plain: Size | None = None
    """The last one without any loss: it needs no running dimensions."""
    largest = sizes[0].factor if sizes else 1.0
    # Where no sheet holds everything around its views, the least important lengths go.
    for size in [*sizes, *(replace(size, forced=True) for size in sizes if size.running)]:
        if size.forced and best is not None:
            break
        if size.running and plain == replace(size, running=False):
            continue
        found = filled(job, size)
        if found is None:
            continue
        attempts += 1
        hits = collisions(found.sheet)
        lost = len(hits) + len(found.left_off)
        # The picture is worth a smaller scale once, not more.
        plain = size if not lost else plain
        smaller = SMALLER * math.log2(largest / size.factor) if lost else 0.0
        key = (lost + smaller, not found.pictured, attempts)
        if best is None or key < best[0]:
            best = (key, found, len(hits))
        if key[:2] == (0, False) or attempts >= ATTEMPTS:
            break
        if best[0][0] == 0 and attempts >= best[0][2] + PICTURE_ATTEMPTS:
            break
    if best is None:
        raise Refused("failed", "the part fits on no sheet at any standard scale")
    _, found, hits_left = best
    sheet = found.sheet
    if hits_left:
        sheet, dropped = thinned(sheet)
        found.left_off += dropped
        hits_left = len(collisions(sheet))
    # What stands on the caller's own list is the caller's affair; the answer tells it all the same.
    sheet = accounted(job, found, sheet, note=options.dimensions is None)
    notes = list(sheet.notes)
    for texts, why in ((found.left_off, "no room"), (found.unseen, "no view")):
        if texts:
            more = f" and {len(texts) - SHOWN} more" if len(texts) > SHOWN else ""
            shown = ", ".join(texts[:SHOWN])
            notes.append(f"{why} for {len(texts)} dimensions: {shown}{more}")
    if hits_left:
        notes.append(f"{hits_left} collisions remain on the sheet")
    if not found.pictured:
        notes.append("no room for the isometric view")
    return sheet.model_copy(update={"notes": tuple(notes)})


def _sizes(job: Job, options: Options) -> list[Size]:
    """Return sheets and scales in the order in which they are tried."""
    front = next(view for view in job.views if view.place == "front")
    longest = max(
        front.box[1][0] - front.box[0][0],
        *(max(v.box[1][n] - v.box[0][n] for n in (0, 1)) for v in job.views),
    )
    dims = len(job.wishes.linear) + len(job.wishes.notes) + len(job.wishes.round)
    dims += sum(len(table.marks) for table in job.wishes.tables)
    formats: tuple[Format, ...] = (options.format,) if options.format else ("A4", "A3")
    found = []
    for format_ in formats:
        if options.format is None and format_ == "A4" and dims > 14:
            continue
        fitting = [
            s
            for s in scales()
            if longest * s[0] / s[1]
            <= (min(ENLARGED, LARGEST[format_]) if s[0] > s[1] else LARGEST[format_])
        ]
        wanted = [options.scale] if options.scale else fitting[:SCALES]
        if options.scale is None and format_ == "A4" and len(formats) > 1:
            wanted = wanted[:1]
        for scale in wanted:
            for height in HEIGHTS if dims < CROWDED else HEIGHTS[1:]:
                for running in (False, True):
                    found.append(Size(format_, True, scale, height, running))
    return found
