"""A part to a sheet: views chosen and projected, sizes chosen, sheet and scale tried.

`compose` runs where the kernel runs; what it returns is plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaugeblock.records.features import Feature
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.anatomy import faces_of
from gaugeblock.ruler.drawing.canvas import Filled
from gaugeblock.ruler.drawing.collisions import collisions, thinned
from gaugeblock.ruler.drawing.cutting import CutBody, cut_bodies
from gaugeblock.ruler.drawing.dimensioning import wishes_of
from gaugeblock.ruler.drawing.filling import filled
from gaugeblock.ruler.drawing.frame import Format, scales
from gaugeblock.ruler.drawing.rooms import Job, Size
from gaugeblock.ruler.drawing.sections import Chosen, section_of
from gaugeblock.ruler.drawing.seen import View, view_of
from gaugeblock.ruler.drawing.sheet import Sheet, Title
from gaugeblock.ruler.drawing.subject import Subject
from gaugeblock.ruler.drawing.view_choice import Plan, camera_of, iso_camera, plan_of
from gaugeblock.ruler.header import Refused
from gaugeblock.ruler.reading import ReadSolid
from gaugeblock.ruler.views.cameras import Convention
from gaugeblock.ruler.views.projecting import BEZIER, views_of
from gaugeblock.ruler.views.projection import Projection

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
    plan = plan_of(faces, features)
    turned = [face.turned_into(plan.basis) for face in faces]
    points = np.concatenate([face.points for face in turned])
    middle = None if plan.turned is None else plan.basis @ plan.turned[0]
    subject = Subject(
        turned, list(features), plan.basis, points.min(axis=0), points.max(axis=0), middle
    )
    notes = list(remarks)
    section = section_of(subject, plan)
    views, picture, section = _views(solids, subject, plan, section, seconds, notes)
    subject = _bounded(subject, views)
    wishes = wishes_of(subject, section is not None)
    if options.dimensions is not None:
        from gaugeblock.ruler.drawing.given import chosen

        wishes = chosen(options.dimensions, wishes, subject)
    job = Job(
        subject,
        views,
        picture,
        section,
        wishes,
        options.convention,
        options.title,
        tuple(notes + wishes.told),
    )
    return _tried(job, options)


def _views(
    solids: Sequence[ReadSolid],
    subject: Subject,
    plan: Plan,
    section: Chosen | None,
    seconds: float,
    notes: list[str],
) -> tuple[list[View], View | None, Chosen | None]:
    """Project everything; a section that fails gives way to the plain view."""
    size = subject.size
    iso = iso_camera(plan.basis, "left" if "left" in plan.views else "right")
    cut_body: CutBody | str | None = None
    if section is not None:
        camera = camera_of(plan.basis, section.place)
        middle = plan.basis.T @ (0.5 * (subject.low + subject.high))
        shapes = [solid.shape for solid in solids]
        job = [(section.cut, camera)]
        cut_body = cut_bodies(shapes, job, middle, size, BEZIER * size)[0]
        if isinstance(cut_body, str):
            notes.append(f"section A–A is not drawn: {cut_body}")
            section = None
    places = ["front", *plan.views]
    plain = [p for p in places if section is None or p != section.place]
    cameras = [camera_of(plan.basis, place) for place in plain]
    found = views_of(solids, [*cameras, iso], size, seconds)
    views: list[View] = []
    for place in plain:
        projection = found.projections[place]
        if isinstance(projection, str):
            if place == "front":
                raise Refused("failed", f"the front view could not be projected: {projection}")
            notes.append(f"the {place} view is left off: {projection}")
            continue
        views.append(view_of(place, place, projection, plan.basis))
        if projection.reason is not None:
            notes.append(f"the {place} view is drawn from triangles: {projection.reason}")
    if section is not None and isinstance(cut_body, CutBody):
        own = _projected(cut_body, solids[0], section, plan, size, seconds)
        if isinstance(own, str):
            notes.append(f"section A–A is not drawn: {own}")
            if section.place == "front":
                raise Refused("failed", f"the section could not be projected: {own}")
            section = None
        else:
            views.append(
                view_of(
                    "section-A",
                    section.place,
                    own,
                    plan.basis,
                    cut=section.cut,
                    loops=cut_body.loops,
                )
            )
    views.sort(key=lambda view: places.index(view.place))
    picture = None
    answer = found.projections["iso"]
    if isinstance(answer, Projection):
        picture = view_of("iso", "iso", answer, plan.basis)
    else:
        notes.append(f"the isometric view is left off: {answer}")
    return views, picture, section


def _projected(
    body: CutBody, like: ReadSolid, section: Chosen, plan: Plan, size: float, seconds: float
) -> Projection | str:
    solids = [replace(like, shape=solid, face_colours=()) for solid in body.solids]
    camera = camera_of(plan.basis, section.place)
    return views_of(solids, [camera], size, seconds).projections[section.place]


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
    for size in _sizes(job, options):
        found = filled(job, size)
        if found is None:
            continue
        attempts += 1
        hits = collisions(found.sheet)
        # The picture is worth a smaller scale once, not more.
        key = (len(hits) + len(found.left_off), not found.pictured, attempts)
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
                found.append(Size(format_, True, scale, height))
    return found
