"""Where holes are: rows, bolt circles, distances from the datum edges; and their call-outs.

The datum of a view is its lower left corner; that of a turned part is its axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from gaugeblock.records.features import Hole, Thread
from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.drawing.callouts import (
    counted,
    hole_sizes,
    hole_text,
    thread_sizes,
    thread_text,
)
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.levels import Levels
from gaugeblock.ruler.drawing.sizing import POSITION, Sizing
from gaugeblock.ruler.drawing.subject import Subject
from gaugeblock.ruler.drawing.turned_sizes import THREAD_SLACK
from gaugeblock.ruler.drawing.wishes import (
    Angle,
    HoleTable,
    Mark,
    Note,
    Places,
    Round,
    Size,
    Spot,
    Wishes,
)

RING_LEAST = 3
"""Holes that make a bolt circle."""

RING_ALONE = 5
"""Holes on a circle whose middle is marked by nothing else: four may as well be a rectangle."""

TABLE_HOLES, TABLE_ROWS = 11, 11
"""Holes along one direction, and different coordinates of theirs, from which on a table tells
more than dimensions."""

COORDINATES = "X, Y of holes: from the lower left corner of the view"
"""Printed beside a table."""

Tie = Callable[..., bool]
Drilled = Hole | Thread


def holes(sizing: Sizing) -> None:
    """Ask for call-outs and positions of all holes and internal threads.

    Args:
        sizing: The part and what is tied already.
    """
    subject, levels, out, tie = sizing.subject, sizing.levels, sizing.out, sizing.tie
    groups = _groups(subject, out, sizing.sectioned)
    rings = []
    for axis, group in groups:
        places = [subject.place(f) for f in group]
        ring = _ring(subject, places, axis)
        if ring is not None:
            rings.append((axis, group, places, ring))
            _ring_wishes(subject, levels, out, places, axis, ring, group)
    on_rings = {f.id for _, group, _, _ in rings for f in group}
    tabled = _tabled(subject, levels, out, groups, on_rings)
    for axis, group in groups:
        rest = [f for f in group if f.id not in on_rings | tabled]
        beside = [subject.place(f) for n, other in groups if n == axis for f in other]
        _positions(subject, levels, tie, rest, axis, beside)
    for axis, group, _, (centre, _) in rings:
        if not subject.coaxial(centre):
            names = tuple(f.id for f in group)
            for d in (n for n in range(3) if n != axis):
                tie(
                    d,
                    float(subject.low[d]),
                    float(centre[d]),
                    rank=POSITION,
                    features=names,
                    at=((), (centre,)),
                    best=axis,
                )


def _tabled(
    subject: Subject,
    levels: Levels,
    out: Wishes,
    groups: Sequence[tuple[int, list[Drilled]]],
    on_rings: set[str],
) -> set[str]:
    """Ask for a table where holes along one direction are many; return the ids in it.

    The holes' notes go: the table tells their sizes.
    """
    found: set[str] = set()
    used = 0
    for axis in range(3):
        own = [[f for f in g if f.id not in on_rings] for n, g in groups if n == axis]
        # An even grid is told by its steps, however many holes it has.
        own = [group for group in own if group and not _grid(subject, group, axis)]
        holes_ = [f for group in own for f in group]
        rows = {
            (d, round(float(subject.place(f)[d]) / (100 * subject.close)))
            for f in holes_
            for d in range(3)
            if d != axis
        }
        if len(holes_) < TABLE_HOLES or len(rows) < TABLE_ROWS:
            continue
        marks = []
        letters = _letters(used + len(own))[used:]
        used += len(own)
        for letter, group in zip(letters, own, strict=True):
            order = sorted(group, key=lambda f: subject.place(f).round(6).tolist())
            for place, feature in enumerate(order, 1):
                text = hole_text(feature) if isinstance(feature, Hole) else thread_text(feature)
                at = subject.place(feature)
                marks.append(Mark(f"{letter}{place}", at, _radius(feature), text))
                for d in (n for n in range(3) if n != axis):
                    levels.tie(d, float(subject.low[d]), float(at[d]))
        found |= {f.id for f in holes_}
        out.tables.append(HoleTable(axis, tuple(marks)))
        if COORDINATES not in out.printed:
            out.printed.append(COORDINATES)
    out.notes[:] = [n for n in out.notes if not n.features or not set(n.features) <= found]
    return found


def _grid(subject: Subject, group: Sequence[Drilled], axis: int) -> bool:
    """Whether alike holes fill a grid of even steps in both directions."""
    filled = 1
    for d in (n for n in range(3) if n != axis):
        rows = np.sort([float(subject.place(f)[d]) for f in group])
        rows = rows[np.concatenate([[True], np.diff(rows) > 10 * subject.close])]
        if len(rows) > 2 and float(np.ptp(np.diff(rows))) > 100 * subject.close:
            return False
        filled *= len(rows)
    return filled == len(group)


def _letters(count: int) -> list[str]:
    """Return letters for groups of holes; after Z comes AA."""
    alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    return [
        ("" if i < len(alphabet) else alphabet[i // len(alphabet) - 1])
        + alphabet[i % len(alphabet)]
        for i in range(count)
    ]


def _groups(subject: Subject, out: Wishes, sectioned: bool) -> list[tuple[int, list[Drilled]]]:
    """Return holes that share one call-out, and ask for it."""
    found: dict[tuple[int, float, str], list[Drilled]] = {}
    oblique: dict[tuple[str, tuple[float, ...]], list[Drilled]] = {}
    for feature in subject.features:
        if not isinstance(feature, Hole | Thread):
            continue
        if isinstance(feature, Thread) and not feature.internal:
            if not subject.coaxial(subject.place(feature), THREAD_SLACK):
                _note(subject, out, feature, thread_text(feature))
            continue
        text = hole_text(feature) if isinstance(feature, Hole) else thread_text(feature)
        axis = subject.axis(feature)
        if axis is None:
            way = subject.way(feature)
            assert way is not None
            # One way and its opposite are one.
            way = way if way[int(np.argmax(np.abs(way)))] > 0 else -way
            oblique.setdefault((text, tuple(way.round(6).tolist())), []).append(feature)
            continue
        coaxial = axis[0] == 0 and subject.coaxial(subject.place(feature))
        if isinstance(feature, Hole) and coaxial and sectioned:
            continue
        plain = feature.through and not (
            isinstance(feature, Hole) and (feature.counterbore or feature.countersink)
        )
        key = (axis[0], 0.0 if plain else -axis[1], text)
        found.setdefault(key, []).append(feature)
    askew = [f.id for group in oblique.values() for f in group]
    if askew:
        out.told.append(f"oblique, so their positions are not dimensioned: {', '.join(askew)}")
    for (text, same), group in oblique.items():
        askew_spots = tuple(
            Spot(subject.place(f), radius, way=np.array(same), loose=isinstance(f, Thread))
            for f in group
            for radius in dict.fromkeys((_radius(f), *_radii(f)))
        )
        names = tuple(f.id for f in group)
        sizes = _sizes(group[0])
        out.notes.append(Note(counted(len(group), text), askew_spots, names, sizes=sizes))
    groups = []
    told: set[tuple[int, float, str]] = set()
    for key, group in found.items():
        axis_number, entry, text = key
        groups.append((axis_number, group))
        if key in told:
            continue
        spots = _spots(subject, group, axis_number, entry)
        named, shown = list(group), text
        behind = (axis_number, -entry, text)
        if entry and _places(subject, group, axis_number) == _places(
            subject, found.get(behind, []), axis_number
        ):
            # The same again from the other side, seen at the same places.
            told.add(behind)
            named += found[behind]
            spots += _spots(subject, found[behind], axis_number, -entry)
            shown = f"{text} from both sides"
        names = tuple(f.id for f in named)
        sizes = _sizes(group[0])
        sided = shown is text and any(
            _places(subject, group, axis_number) & _places(subject, others, axis_number)
            for (k, way, _), others in found.items()
            if entry and (k, way) == (axis_number, -entry)
        )
        # What lies one behind the other is one place.
        count = len(_places(subject, group, axis_number))
        out.notes.append(Note(counted(count, shown), tuple(spots), names, sizes=sizes, sided=sided))
    return groups


def _spots(subject: Subject, group: Sequence[Drilled], axis: int, entry: float) -> list[Spot]:
    """Return the circles that a call-out may point at."""
    return [
        Spot(subject.place(f), radius, axis, entry, loose=isinstance(f, Thread))
        for f in group
        for radius in dict.fromkeys((_radius(f), *_radii(f)))
    ]


def _places(subject: Subject, group: Sequence[Drilled], axis: int) -> set[tuple[int, ...]]:
    """Return where holes are seen along a direction, in steps of what is one place."""
    step = 100 * subject.close
    flat = [np.delete(subject.place(f), axis) for f in group]
    return {tuple(np.round(p / step).astype(int).tolist()) for p in flat}


def _note(subject: Subject, out: Wishes, feature: Drilled, text: str) -> None:
    spots = (Spot(subject.place(feature)),)
    out.notes.append(Note(text, spots, (feature.id,), sizes=_sizes(feature)))


def _sizes(feature: Drilled) -> tuple[Size, ...]:
    return hole_sizes(feature) if isinstance(feature, Hole) else thread_sizes(feature)


def _radius(feature: Drilled) -> float:
    """Return the radius of the circle that is seen at the entry."""
    if isinstance(feature, Thread):
        return 0.5 * feature.minor
    if feature.counterbore is not None:
        return 0.5 * feature.counterbore.diameter
    if feature.countersink is not None:
        return 0.5 * feature.countersink.diameter
    return 0.5 * (feature.steps[0][0] if feature.steps else feature.diameter)


def _radii(feature: Drilled) -> list[float]:
    """Return the radii of other circles about its axis that its call-out may point at."""
    if isinstance(feature, Thread):
        return [0.5 * feature.major]
    return [0.5 * feature.diameter, *(0.5 * wide for wide, _ in feature.steps)]


def _ring(subject: Subject, places: Sequence[Floats], axis: int) -> tuple[Floats, float] | None:
    """Return middle and radius of the circle that holes lie on at equal steps, or None."""
    if len(places) < RING_LEAST:
        return None
    flat = np.array([np.delete(p, axis) for p in places])
    middle = flat.mean(axis=0)
    off = flat - middle
    radius = np.hypot(*off.T)
    close = 1e-5 * subject.size
    if radius.max() - radius.min() > close or radius.min() < close:
        return None
    angles = np.sort(np.arctan2(off[:, 1], off[:, 0]))
    steps = np.diff(np.concatenate([angles, angles[:1] + math.tau]))
    if np.abs(steps - math.tau / len(places)).max() > 1e-4:
        return None
    centre = np.insert(middle, axis, float(places[0][axis]))
    if not (axis == 0 and subject.coaxial(centre)) and len(places) < RING_ALONE:
        rectangle = len(places) == 4
        if rectangle or not _marked(subject, centre, axis):
            return None
    return centre, float(radius.mean())


def _marked(subject: Subject, centre: Floats, axis: int) -> bool:
    """Whether a hole or a boss stands in the middle."""
    for face in subject.faces:
        off = float(np.linalg.norm(np.delete(face.point - centre, axis)))
        along = face.kind == "Cylinder" and abs(face.axis[axis]) > 1 - 1e-9
        if along and off < 1e-5 * subject.size:
            return True
    return False


def _ring_wishes(
    subject: Subject,
    levels: Levels,
    out: Wishes,
    places: Sequence[Floats],
    axis: int,
    ring: tuple[Floats, float],
    group: Sequence[Drilled],
) -> None:
    centre, radius = ring
    names = tuple(f.id for f in group)
    out.round.append(
        Round("diameter", centre, radius, axis, f"⌀{number(2 * radius)}", names, pitch=True)
    )
    rest = [n for n in range(3) if n != axis]
    for place in places:
        for d in rest:
            levels.tie(d, float(place[d]), float(centre[d]))
    off = np.array([np.delete(p - centre, axis) for p in places])
    if np.abs(off).min() > 1e-5 * subject.size:
        # No hole lies straight above or beside the middle: the first one needs its angle.
        angles = np.degrees(np.arctan2(off[:, 1], off[:, 0])) % 360
        first = int(np.argmin(angles))
        leg = centre.copy()
        leg[rest[0]] += radius
        value = float(angles[first])
        out.angles.append(
            Angle(centre, (leg, places[first]), axis, value, f"{number(value, 2)}°", names)
        )


def _positions(
    subject: Subject,
    levels: Levels,
    tie: Tie,
    group: Sequence[Drilled],
    axis: int,
    beside: Sequence[Floats],
) -> None:
    """Ask for the distances of holes from the datum edges and from each other.

    Args:
        subject: The part.
        levels: What is tied already.
        tie: Asks for a distance of two levels.
        group: Alike holes.
        axis: Direction that they run along.
        beside: (3,) middles of all holes along it: a distance may be taken from any in a row.
    """
    if not group:
        return
    places = [subject.place(f) for f in group]
    names = tuple(f.id for f in group)
    for d in (n for n in range(3) if n != axis):
        rows: list[tuple[float, Places]] = []
        for at in sorted(float(p[d]) for p in places):
            if not rows or abs(rows[-1][0] - at) > levels.close:
                row = tuple(p for p in beside if abs(float(p[d]) - at) <= levels.close)
                rows.append((at, row))
        if subject.turned is not None and d != 0 and all(subject.coaxial(p) for p in places):
            continue
        datum = float(subject.low[d])
        steps = np.diff([at for at, _ in rows])
        even = len(rows) > 2 and float(np.ptp(steps)) < 10 * levels.close
        first, last = rows[0], rows[-1]
        if even:
            pitch = number(float(steps.mean()))
            text = f"{len(steps)}× {pitch} (= {number(last[0] - first[0])})"
            told = tie(
                d,
                first[0],
                last[0],
                rank=POSITION,
                features=names,
                text=text,
                at=(first[1], last[1]),
                best=axis,
            )
            # Where others tie both ends already no steps are printed: each row needs its own.
            if told:
                levels.tie(d, *[at for at, _ in rows])
        elif len(rows) == 2:
            tie(
                d,
                first[0],
                last[0],
                rank=POSITION,
                features=names,
                at=(first[1], last[1]),
                best=axis,
            )
        for at, place in rows:
            tie(d, datum, at, rank=POSITION, features=names, at=((), place), best=axis)
