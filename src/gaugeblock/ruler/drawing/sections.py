"""Where a section tells more than a view of the outside, and how its plane is marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaugeblock.records.features import (
    Boss,
    Chamfer,
    Feature,
    Fillet,
    Hole,
    Recess,
    Thread,
)
from gaugeblock.ruler.drawing.anatomy import Face, Floats
from gaugeblock.ruler.drawing.callouts import hole_text, thread_text
from gaugeblock.ruler.drawing.seen import Cut, View
from gaugeblock.ruler.drawing.sheet import Label, Stroke
from gaugeblock.ruler.drawing.subject import Subject, aligned
from gaugeblock.ruler.drawing.view_choice import Plan, camera_of
from gaugeblock.ruler.views.shapes import Line, Point, Polyline

INNER, OPEN, PLAIN = 3.0, 3.0, 0.1
"""What a cut shows that is hidden else: a stepped or blind hole, a pocket or a closed void, a plain
hole."""

ENOUGH = 3.0
"""A section is drawn where it shows at least this much: one stepped hole or pocket."""

OUT = 5.0
"""How far the mark of a plane runs beyond the view, on the paper, mm."""

THICK = 6.0
"""Length of its thick ends, mm."""

POINTER = 8.0
"""Length of the arrows that show the line of sight, mm."""

HEAD = 3.5
"""Length of their heads, mm."""

LETTER = 5.0
"""Height of its letters (ISO 128-3: larger than the dimensions'), mm."""

MARK = OUT + LETTER + 3.0
"""Room that the mark takes beyond a view, mm."""


OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
"""From where the other half is seen."""


@dataclass(frozen=True)
class Chosen:
    """A section to be drawn."""

    place: str
    """The view that it stands for."""
    parent: str | None
    """The view that shows its plane from the edge."""
    cut: Cut


def section_of(subject: Subject, plan: Plan) -> Chosen | None:
    """Return the section that a part needs, or None.

    Args:
        subject: The part.
        plan: How it is drawn.
    """
    if subject.turned is not None:
        return _along_axis(subject, plan)
    best: tuple[float, float, str, float] | None = None
    for place in plan.views:
        direction = np.array(camera_of(np.eye(3), place).direction)
        k = int(np.argmax(np.abs(direction)))
        middle = 0.5 * (subject.low[k] + subject.high[k])
        for at in _candidates(subject, k):
            lost = taken_away(subject, k, at, float(np.sign(direction[k])))
            worth = _worth(subject, k, at) - INNER * len(lost)
            if worth < ENOUGH:
                continue
            off = abs(at - float(middle))
            if best is None or (worth, -round(off, 6)) > (best[0], -round(best[1], 6)):
                best = (worth, off, place, at)
    if best is None:
        return None
    _, _, place, at = best
    return Chosen(place, "front", _cut(plan.basis, place, at))


def completed(plan: Plan, subject: Subject, section: Chosen | None) -> tuple[Plan, Chosen | None]:
    """Return plan and section with one more view where the section hides something.

    What it takes away keeps its view, and the section looks the other way. A section shows no
    hidden lines: where it stands in place of the only view from the side, another one tells depths.

    Args:
        plan: How the part is drawn.
        subject: The part.
        section: What is cut.
    """
    if section is None or subject.turned is not None:
        return plan, section
    normal = plan.basis @ section.cut.normal
    k = int(np.argmax(np.abs(normal)))
    at = float(section.cut.distance * normal[k])
    if section.place in OPPOSITE and taken_away(subject, k, at, float(np.sign(normal[k]))):
        place = OPPOSITE[section.place]
        turned = Chosen(place, section.parent, _cut(plan.basis, place, at))
        return replace(plan, views=(*plan.views, place)), turned
    if plan.views != (section.place,):
        return plan, section
    wanted, shown = set(), set()
    for feature in subject.features:
        name = _deep(feature)
        axis = subject.axis(feature) if isinstance(feature, Hole | Recess | Thread) else None
        if name is None or axis is None or axis[0] == k:
            continue
        wanted.add(name)
        if _is_cut(subject, feature, k, at):
            shown.add(name)
    if wanted <= shown:
        return plan, section
    more = "top" if section.place in ("left", "right") else "left"
    return replace(plan, views=(*plan.views, more)), section


def taken_away(subject: Subject, k: int, at: float, sign: float) -> list[Feature]:
    """Return the features that only a view along k shows well, and a cut there takes away.

    Args:
        subject: The part.
        k: Direction that the section is seen along.
        at: The plane's coordinate along it.
        sign: +1 where the section is seen from the positive side.
    """

    def before(faces: Sequence[Face]) -> bool:
        low, high = _reach(faces, k)
        return (low > at - subject.close) if sign > 0 else (high < at + subject.close)

    found: list[Feature] = []
    for feature in subject.features:
        own = subject.own(feature)
        if not own:
            continue
        if isinstance(feature, Hole | Recess | Boss | Thread):
            axis = subject.axis(feature)
            if axis is None or axis[0] != k:
                continue
            stepped = isinstance(feature, Hole) and (feature.counterbore or feature.countersink)
            opens = stepped and axis[1] * sign < 0
            mouth = sign * float(subject.place(feature)[k]) > sign * at
            if before(own) or (opens and mouth):
                found.append(feature)
        elif isinstance(feature, Chamfer | Fillet) and before(own):
            profiled = any(
                (f.round and abs(f.axis[k]) > 1 - 1e-9)
                or (f.kind == "Plane" and abs(f.axis[k]) < 1e-9 and aligned(f.axis) is None)
                for f in own
            )
            if profiled:
                found.append(feature)
    return found


def _deep(feature: Feature) -> tuple[object, ...] | None:
    """Return what features of one call-out share, if it tells a depth; else None."""
    match feature:
        case Hole():
            deep = not feature.through or feature.counterbore or feature.countersink
            return ("hole", hole_text(feature)) if deep else None
        case Thread():
            return ("thread", thread_text(feature)) if not feature.through else None
        case Recess():
            size = (feature.kind, feature.length, feature.width, feature.depth)
            return None if feature.through else size
        case _:
            return None


def _is_cut(subject: Subject, feature: Feature, k: int, at: float) -> bool:
    """Whether a plane across k runs through a feature: of a hole, along its axis."""
    if isinstance(feature, Recess):
        span = _span(subject, feature, k)
        return span is not None and span[0] < at < span[1]
    return abs(float(subject.place(feature)[k]) - at) < 10 * subject.close


def _cut(basis: Floats, place: str, at: float) -> Cut:
    """Return the plane across a view's line of sight through a coordinate of the drawing."""
    own = np.array(camera_of(np.eye(3), place).direction)
    k = int(np.argmax(np.abs(own)))
    return Cut("A", np.array(camera_of(basis, place).direction), float(own[k] * at))


def _along_axis(subject: Subject, plan: Plan) -> Chosen | None:
    hollow = any(
        f.round
        and f.outward < 0
        and f.turn > math.pi
        and subject.coaxial(f.point)
        and (a := aligned(f.axis)) is not None
        and a[0] == 0
        for f in subject.faces
    )
    outside = [
        f
        for f in subject.features
        if isinstance(f, Recess)
        and (a := subject.axis(f)) is not None
        and a[0] != 0
        and not (hollow and _open_ended(subject, f))
    ]
    if outside and plan.views:
        # Across the shaft through the keyway, in place of the view of the end.
        span = _span(subject, outside[0], 0)
        if span is not None:
            at = 0.5 * (span[0] + span[1])
            return Chosen(plan.views[0], "front", _cut(plan.basis, plan.views[0], at))
    if not hollow or outside or subject.turned is None:
        return None
    parent = plan.views[0] if plan.views else None
    return Chosen("front", parent, _cut(plan.basis, "front", float(subject.turned[2])))


def _open_ended(subject: Subject, recess: Recess) -> bool:
    """Whether a keyway runs out at an end of a turned part, whose view shows its profile."""
    span = _span(subject, recess, 0)
    ends = (float(subject.low[0]), float(subject.high[0]))
    return span is not None and any(
        abs(a - b) < 10 * subject.close for a, b in zip(span, ends, strict=True)
    )


def _candidates(subject: Subject, k: int) -> list[float]:
    """Return coordinates along k through the middles of inner features, no face lying in them."""
    found = []
    for feature in subject.features:
        axis = subject.axis(feature) if isinstance(feature, Hole | Recess | Thread) else None
        if axis is None or axis[0] == k:
            continue
        at = float(subject.place(feature)[k])
        if isinstance(feature, Recess):
            span = _span(subject, feature, k)
            if span is not None:
                at = 0.5 * (span[0] + span[1])
        found.append(at)
    found += [0.5 * sum(_reach(own, k)) for own in subject.voids]
    flat = [
        float(f.point[k])
        for f in subject.faces
        if f.kind == "Plane" and (a := aligned(f.axis)) is not None and a[0] == k
    ]
    clear = 1e-3 * subject.size
    return [at for at in sorted(set(found)) if all(abs(at - f) > clear for f in flat)]


def _span(subject: Subject, recess: Recess, k: int) -> tuple[float, float] | None:
    own = subject.own(recess)
    return _reach(own, k) if own else None


def _reach(faces: Sequence[Face], k: int) -> tuple[float, float]:
    reach = [f.reach(np.eye(3)[k]) for f in faces]
    return min(r[0] for r in reach), max(r[1] for r in reach)


def _worth(subject: Subject, k: int, at: float) -> float:
    """Return how much a cut across k at a coordinate shows."""
    total = 0.0
    for feature in subject.features:
        axis = subject.axis(feature) if isinstance(feature, Hole | Recess | Thread) else None
        if axis is None or axis[0] == k:
            continue
        if isinstance(feature, Recess):
            span = _span(subject, feature, k)
            if span is not None and span[0] < at < span[1] and not feature.through:
                total += OPEN
        elif abs(float(subject.place(feature)[k]) - at) < 10 * subject.close:
            plain = isinstance(feature, Hole) and feature.through and len(feature.steps) < 2
            total += PLAIN if plain else INNER
    for own in subject.voids:
        low, high = _reach(own, k)
        total += OPEN if low < at < high else 0.0
    return total


def mark(
    parent: View, cut: Cut, scale: float, origin: Point
) -> tuple[list[Stroke], list[list[Label]]]:
    """Return the mark of a cutting plane in the view that shows it from the edge, mm of paper.

    For the letter at each end there are several places, the best first.

    Args:
        parent: That view.
        cut: The plane.
        scale: mm of paper for one of the part.
        origin: Where the view's zero stands on the paper.
    """
    sight = parent.camera.basis() @ -cut.normal
    n = int(np.argmax(np.abs(sight[:2])))
    sign = 1.0 if sight[n] > 0 else -1.0
    # In the view the normal is ∓ the axis n, so the plane is a line across it.
    at = origin[n] + scale * (-sign * cut.distance)
    low, high = parent.box
    ends = (
        origin[1 - n] + scale * low[1 - n] - OUT,
        origin[1 - n] + scale * high[1 - n] + OUT,
    )

    def place(across: float, along: float) -> Point:
        return (across, along) if n == 0 else (along, across)

    strokes = [Stroke(layer="centre", shape=Line(start=place(at, ends[0]), end=place(at, ends[1])))]
    labels: list[list[Label]] = []
    for end, way in zip(ends, (1.0, -1.0), strict=True):
        inner = end + way * THICK
        strokes.append(
            Stroke(layer="section", shape=Line(start=place(at, end), end=place(at, inner)))
        )
        tip = at + sign * 0.6
        tail = tip - sign * POINTER
        foot = end - way * 0.0
        strokes.append(
            Stroke(layer="title", shape=Line(start=place(tail, foot), end=place(tip, foot)))
        )
        for side in (-1.0, 1.0):
            back = tip - sign * HEAD
            strokes.append(
                Stroke(
                    layer="title",
                    shape=Polyline(
                        points=(place(tip, foot), place(back, foot + side * 0.17 * HEAD))
                    ),
                )
            )
        away = 0.5 * LETTER + 1.6
        labels.append(
            [
                Label(
                    at=place(at - sign * across, end - way * along),
                    text=cut.letter,
                    height=LETTER,
                    anchor="middle",
                    baseline="middle",
                )
                for across, along in (
                    (POINTER - 2.6, away),
                    (POINTER + 2.6, 0.0),
                    (0.0, away),
                    (POINTER - 2.0, -away),
                    (POINTER + 3.0, away + 2.0),
                    (POINTER + 5.0, 0.0),
                )
            ]
        )
    return strokes, labels
