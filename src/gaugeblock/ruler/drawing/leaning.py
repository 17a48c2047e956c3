"""Sizes of recesses and bosses whose walls lie along no direction: drafts, slots, polygons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gaugeblock.records.features import Boss, Recess
from gaugeblock.ruler.drawing.anatomy import Face
from gaugeblock.ruler.drawing.callouts import counted
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.sizing import POSITION, SIZE, Sizing
from gaugeblock.ruler.drawing.subject import Barrel, Subject, aligned
from gaugeblock.ruler.drawing.wishes import Note, Size, Spot

ACROSS_FLATS = "A/F"
"""Printed behind the width of a regular polygon: it says that all sides and angles are equal."""

POLYGONS = {6: "hexagon", 8: "octagon", 12: "dodecagon"}
"""Regular polygons that have a width across flats, by the number of their sides."""

LEAST_DRAFT = 0.01
"""Least draft that is told, degrees: what angles are printed to."""


def drafted(subject: Subject, owner: Recess | Boss) -> list[tuple[Face, int, float]]:
    """Return walls that lean towards a feature's axis and are seen from their edge.

    Returns:
        Each with the direction that it faces and its draft in degrees.
    """
    axis = subject.axis(owner)
    if axis is None:
        return []
    found = []
    for face in subject.own(owner):
        rise = abs(float(face.axis[axis[0]]))
        if face.kind != "Plane" or not math.sin(math.radians(LEAST_DRAFT)) < rise < math.sqrt(0.5):
            continue
        rest = [n for n in range(3) if n != axis[0] and abs(float(face.axis[n])) > 1e-6]
        if len(rest) == 1:
            found.append((face, rest[0], math.degrees(math.asin(rise))))
    return found


def opening(sizing: Sizing, owner: Recess | Boss, d: int) -> list[float]:
    """Return where drafted walls that face a direction meet the feature's opening."""
    axis = sizing.subject.axis(owner)
    assert axis is not None
    k = axis[0]
    level = float(sizing.subject.place(owner)[k])
    found = []
    for face, way, _ in drafted(sizing.subject, owner):
        near = np.abs(face.points[:, k] - level) < sizing.close
        if way == d and near.any():
            found.append(sizing.levels.exact(d, float(face.points[near, d].mean())))
    return found


def necks(walls: Sequence[float], width: float | None, close: float) -> list[tuple[float, float]]:
    """Return where a T-slot is narrow: two of its walls, its width apart, within its foot.

    Args:
        walls: Levels of the walls that face one direction, ascending.
        width: Of the slot at its opening.
        close: Lengths nearer than this are one, mm.
    """
    inner = combinations(walls[1:-1], 2)
    return [(a, b) for a, b in inner if width is not None and abs(b - a - width) < close]


def drafts(sizing: Sizing, owner: Recess | Boss, names: tuple[str, ...]) -> None:
    """Ask for the draft of walls, where it is the same on all of them; else each is an angle.

    So are the walls of a dovetail: they lean the other way, and nobody calls that a draft.
    """
    leaning = drafted(sizing.subject, owner)
    if not leaning or len({round(angle, 2) for _, _, angle in leaning}) > 1:
        return
    axis = sizing.subject.axis(owner)
    assert axis is not None
    if isinstance(owner, Recess) and all(
        face.axis[axis[0]] * axis[1] > 0 for face, _, _ in leaning
    ):
        return
    own = sizing.subject.own(owner)
    floors = [
        f for f in own if f.kind == "Plane" and aligned(f.axis) in ((axis[0], 1.0), (axis[0], -1.0))
    ]
    around = " all around" if len(leaning) == len(own) - len(floors) else ""
    angle = leaning[0][2]
    spots = []
    for face, d, _ in leaning:
        edge_on = next(n for n in range(3) if n not in (axis[0], d))
        middle = 0.5 * (face.points.min(axis=0) + face.points.max(axis=0))
        spots.append(Spot(middle, 0.0, edge_on))
        sizing.handled.add((face.solid, face.number))
    text = f"{number(angle, 2)}° draft{around}"
    sizes = (Size("angle", angle),)
    sizing.out.notes.append(Note(text, tuple(spots), names, rank=SIZE, sizes=sizes))


def slot_ends(sizing: Sizing, ends: list[Barrel], count: int, names: tuple[str, ...]) -> None:
    """Ask for the radius at the ends of a slot at an angle: its width; their middles are placed.

    Args:
        sizing: The part.
        ends: Of one slot.
        count: How many alike slots it stands for.
        names: Their ids.
    """
    spots = tuple(Spot(b.centre, b.radius, b.axis, convex=False) for b in ends)
    text = counted(len(ends) * count, f"R{number(ends[0].radius)}")
    sizes = (Size("radius", ends[0].radius),)
    sizing.out.notes.append(Note(text, spots, names, rank=SIZE, sizes=sizes))


def skirted(sizing: Sizing, owner: Recess | Boss, ends: list[Barrel]) -> None:
    """Note that the walls of a slot follow from its round ends."""
    for face in sizing.subject.own(owner):
        if face.kind != "Plane" or aligned(face.axis) is not None:
            continue
        off = [abs(float(face.axis @ (b.centre - face.point))) - b.radius for b in ends]
        if len(off) >= 2 and max(map(abs, off)) < 10 * sizing.close:
            sizing.handled.add((face.solid, face.number))


def polygon(sizing: Sizing, owner: Recess | Boss, count: int, names: tuple[str, ...]) -> bool:
    """Ask for a regular polygon's width across flats and its place; whether it is one.

    Args:
        sizing: The part.
        owner: A recess or a boss.
        count: How many alike ones it stands for; 0: another one of them tells the width.
        names: Ids of all of them.
    """
    subject = sizing.subject
    axis = subject.axis(owner)
    sides = regular(subject, owner)
    if axis is None or not sides:
        return False
    flats = {
        d: [f for f in sides if (a := aligned(f.axis)) is not None and a[0] == d] for d in range(3)
    }
    d = next((d for d in range(3) if len(flats[d]) == 2), None)
    if d is None:
        return False
    low, high = sorted(float(f.point[d]) for f in flats[d])
    text = counted(max(count, 1), f"{number(high - low)} {ACROSS_FLATS} {POLYGONS[len(sides)]}")
    if count or not sizing.tie_as(names[0], d, low, high):
        sizing.tie(d, low, high, rank=SIZE, text=text, features=names, best=axis[0])
    other = next(n for n in range(3) if n not in (axis[0], d))
    corner = min(
        (p for f in sides for p in f.points), key=lambda p: (round(p[other], 6), round(p[d], 6))
    )
    at = ((), (corner,))
    start = sizing.low(other)
    sizing.tie(
        other, start, float(corner[other]), rank=POSITION, features=(owner.id,), at=at, best=axis[0]
    )
    sizing.handled |= {(f.solid, f.number) for f in sides}
    return True


def regular(subject: Subject, owner: Recess | Boss) -> list[Face]:
    """Return the sides of a regular polygon along one of the directions; none if it is not one."""
    axis = subject.axis(owner)
    if axis is None:
        return []
    k = axis[0]
    own = subject.own(owner)
    sides = [f for f in own if f.kind == "Plane" and abs(float(f.axis[k])) < 1e-6]
    rest = [f for f in own if f.kind != "Plane" or 1e-6 < abs(float(f.axis[k])) < 1 - 1e-6]
    if len(sides) not in POLYGONS or rest:
        return []
    u, v = (n for n in range(3) if n != k)
    turns = np.sort([math.atan2(f.axis[v], f.axis[u]) for f in sides])
    steps = np.diff(np.concatenate([turns, turns[:1] + math.tau]))
    points = np.concatenate([f.points for f in sides])
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    off = [abs(float(f.axis @ (f.point - middle))) for f in sides]
    even = float(np.abs(steps - math.tau / len(sides)).max()) < 1e-5
    return sides if even and max(off) - min(off) < 100 * subject.close else []
