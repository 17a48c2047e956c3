"""The views of a part for its sheet: a section cut, everything projected side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gaugeblock.ruler.drawing.cutting import CutBody, cut_bodies
from gaugeblock.ruler.drawing.sections import Chosen
from gaugeblock.ruler.drawing.seen import Cut, View, view_of
from gaugeblock.ruler.drawing.stretches import Stretch
from gaugeblock.ruler.drawing.subject import Subject
from gaugeblock.ruler.drawing.thread_lines import drawable, threaded
from gaugeblock.ruler.drawing.unthreading import Unthreaded
from gaugeblock.ruler.drawing.view_choice import Plan, camera_of, iso_camera
from gaugeblock.ruler.header import Refused
from gaugeblock.ruler.reading import ReadSolid
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.checking import Screen
from gaugeblock.ruler.views.projecting import BEZIER, Started, Views, facets_of, views_of
from gaugeblock.ruler.views.projection import Projection


@dataclass
class Projected:
    """What the sheet shows of a part."""

    views: list[View]
    """The front view first, then in the plan's order."""
    picture: View | None
    """The isometric one."""
    section: Chosen | None
    """None: none was asked for, or it could not be had."""
    notes: list[str]
    """What could not be had, and why."""


def projected(
    plain: Unthreaded,
    subject: Subject,
    plan: Plan,
    section: Chosen | None,
    seconds: float,
) -> Projected:
    """Project everything that stands on a sheet; a section that fails gives way to a plain view.

    Args:
        plain: What is drawn, its threads plain.
        subject: Its faces and features.
        plan: How it is drawn.
        section: Which view is cut.
        seconds: Ceiling of each round of projections, s.

    Raises:
        Refused: there is no front view; the reason says why.
    """
    notes = list(plain.told)
    iso = iso_camera(plan.basis, "left" if "left" in plan.views else "right")
    places = ["front", *plan.views]
    cameras = {place: camera_of(plan.basis, place) for place in places}
    size, stretches = subject.size, list(plain.stretches.values())
    uncut = [c for place, c in cameras.items() if section is None or place != section.place]
    started = Started(plain.solids, [*uncut, iso], size, seconds)
    out = Projected([], None, section, notes)
    if section is not None:
        found = _section(plain.solids, stretches, subject, plan, section, seconds)
        if isinstance(found, str):
            notes.append(f"section {section.cut.letter}–{section.cut.letter} is not drawn: {found}")
            out.section = None
        else:
            out.views.append(found)
    seen = [started.views()]
    if section is not None and out.section is None:
        uncut.append(cameras[section.place])
        seen.append(views_of(plain.solids, uncut[-1:], size, seconds))
    for camera in uncut:
        views = next(v for v in seen if camera.name in v.projections)
        projection = _with_threads(views, camera, stretches, None)
        if isinstance(projection, str):
            if camera.name == "front":
                raise Refused("failed", f"the front view could not be projected: {projection}")
            notes.append(f"the {camera.name} view is left off: {projection}")
            continue
        out.views.append(view_of(camera.name, camera.name, projection, plan.basis))
        if projection.reason is not None:
            notes.append(f"the {camera.name} view is drawn from triangles: {projection.reason}")
    out.views.sort(key=lambda view: places.index(view.place))
    answer = seen[0].projections["iso"]
    if isinstance(answer, Projection):
        out.picture = view_of("iso", "iso", answer, plan.basis)
    else:
        notes.append(f"the isometric view is left off: {answer}")
    oblique = [
        stretch.thread.id
        for stretch in stretches
        if not any(drawable(stretch, view.camera) for view in out.views)
    ]
    if oblique:
        notes.append(f"{', '.join(oblique)} oblique to all views: drawn without thin lines")
    return out


def _section(
    solids: Sequence[ReadSolid],
    stretches: Sequence[Stretch],
    subject: Subject,
    plan: Plan,
    section: Chosen,
    seconds: float,
) -> View | str:
    """Return the section, or a line that says why there is none."""
    camera, size = camera_of(plan.basis, section.place), subject.size
    middle = plan.basis.T @ (0.5 * (subject.low + subject.high))
    shapes = [solid.shape for solid in solids]
    body = cut_bodies(shapes, [(section.cut, camera)], middle, size, BEZIER * size)[0]
    if not isinstance(body, CutBody):
        return body
    cut_solids = [replace(solids[0], shape=shape, face_colours=()) for shape in body.solids]
    views = views_of(cut_solids, [camera], size, seconds)
    projection = _with_threads(views, camera, stretches, section.cut)
    if isinstance(projection, str):
        return projection
    name = f"section-{section.cut.letter}"
    return view_of(name, section.place, projection, plan.basis, cut=section.cut, loops=body.loops)


def _with_threads(
    views: Views, camera: Camera, stretches: Sequence[Stretch], cut: Cut | None
) -> Any:
    projection = views.projections[camera.name]
    if isinstance(projection, str) or isinstance(views.body, str) or not stretches:
        return projection
    return threaded(projection, Screen(facets_of(views.body), camera), stretches, cut)
