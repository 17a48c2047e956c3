"""What the dimensions on a sheet say of a part's faces, whatever the sizing had in mind.

Nothing is taken from what was meant to be dimensioned: a size counts because a wish that stands on
the sheet prints it. What follows from it is `completeness`' affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gaugeblock.records.features import Chamfer, Feature, Fillet, Hole, Recess, Thread
from gaugeblock.ruler.drawing.anatomy import Face, Floats
from gaugeblock.ruler.drawing.callouts import chamfer_text
from gaugeblock.ruler.drawing.leaning import ACROSS_FLATS
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.meeting import Key
from gaugeblock.ruler.drawing.printed import Said, SizeType, said
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.subject import WHOLE, Subject, aligned
from gaugeblock.ruler.drawing.wishes import Angle, HoleTable, Linear, Note, Round, Wish

ROUNDED = 0.0051
"""A printed size says a size that differs by at most this, mm or degrees: angles are printed to a
hundredth, lengths to a thousandth; a caller's own list may round to a hundredth as well."""


@dataclass
class Told:
    """What dimensions say."""

    ties: list[tuple[int, tuple[float, ...]]] = field(default_factory=list)
    """Direction, and coordinates along it that a length ties, mm."""
    sizes: dict[str, list[Said]] = field(default_factory=dict)
    """What is printed for a feature, by its id."""
    called: set[str] = field(default_factory=set)
    """Ids of features that a note or a row of a table is about."""
    radii: set[Key] = field(default_factory=set)
    """Cylinders whose radius or diameter is told."""
    slopes: set[Key] = field(default_factory=set)
    """Planes whose angle to a direction of the drawing is told."""
    regular: set[str] = field(default_factory=set)
    """Ids of features that are said to be regular polygons."""
    diameters: list[float] = field(default_factory=list)
    """Told about the axis of a turned part, mm."""

    def says(self, feature: Feature, kind: SizeType, value: float) -> bool:
        """Whether a size of a feature is told."""
        return any(
            s.type == kind and abs(s.value - value) < ROUNDED
            for s in self.sizes.get(feature.id, ())
        )


def told_by(
    subject: Subject,
    views: Sequence[View],
    wishes: Iterable[Wish],
    tables: Sequence[HoleTable] = (),
    printed: Sequence[str] = (),
) -> Told:
    """Return what a sheet says.

    Args:
        subject: The part.
        views: Of the sheet: where a table of holes counts from.
        wishes: All dimensions that stand on the sheet.
        tables: Rows that stand on it.
        printed: General notes that stand on it.
    """
    told = Told()
    every = list(wishes)
    for wish in every:
        for name in wish.features:
            told.sizes.setdefault(name, []).extend(said(wish.text))
            if ACROSS_FLATS in wish.text:
                told.regular.add(name)
        match wish:
            case Linear():
                _length(subject, told, wish)
            case Round():
                if wish.pitch:
                    _ring(subject, told, wish, every)
                else:
                    told.radii |= _cylinders(subject, wish.centre, wish.radius, wish.axis, True)
            case Note():
                told.called |= set(wish.features)
                _noted(subject, told, wish)
            case Angle():
                for one in (wish, *wish.alike):
                    told.slopes |= _slopes(subject, one)
    for table in tables:
        _table(subject, views, told, table)
    for line in printed:
        for feature in subject.features:
            if (
                isinstance(feature, Fillet)
                and line == f"Unmarked fillets R{number(feature.radius)}"
            ):
                told.sizes.setdefault(feature.id, []).extend(said(line.split(" ")[-1]))
            if (
                isinstance(feature, Chamfer)
                and line == f"Unmarked chamfers {chamfer_text(feature)}"
            ):
                told.sizes.setdefault(feature.id, []).extend(said(line.split(" ")[-1]))
    return told


def _length(subject: Subject, told: Told, wish: Linear) -> None:
    sizes = said(wish.text)
    if not sizes:
        return
    if wish.diameter:
        middle = 0.5 * sum(wish.ends)
        told.ties.append((wish.direction, (wish.ends[0], middle, wish.ends[1])))
        told.diameters.append(wish.length)
        return
    if sizes[0].step:
        told.ties.append((wish.direction, tuple(np.linspace(*wish.ends, sizes[0].count + 1))))
        return
    for ends in (wish.ends, *wish.alike):
        told.ties.append((wish.direction, ends))
        _round_end(subject, told, wish.direction, ends)


def _round_end(subject: Subject, told: Told, k: int, ends: tuple[float, float]) -> None:
    """Tell the radius of cylinders that go over into both walls of a width, and their middle."""
    middle, half = 0.5 * (ends[0] + ends[1]), 0.5 * abs(ends[1] - ends[0])
    for face in subject.faces:
        along = aligned(face.axis) if face.kind == "Cylinder" else None
        if along is None or along[0] == k:
            continue
        off = max(abs(float(face.point[k]) - middle), abs(face.radius - half))
        if off < 10 * subject.close and face.turn < WHOLE:
            told.radii.add((face.solid, face.number))
            told.ties.append((k, (ends[0], middle, ends[1])))


def _noted(subject: Subject, told: Told, wish: Note) -> None:
    for size in said(wish.text):
        twice = {"diameter": 0.5, "radius": 1.0}.get(size.type)
        if twice is not None and not wish.features:
            for spot in wish.spots:
                if spot.axis is not None and abs(spot.radius - twice * size.value) < ROUNDED:
                    told.radii |= _cylinders(subject, spot.centre, spot.radius, spot.axis, False)
    for feature in subject.features:
        if feature.id in wish.features and isinstance(feature, Recess) and not feature.through:
            axis = subject.axis(feature)
            if axis is not None and told.says(feature, "length", feature.depth):
                k, sign = axis
                floors = floor_levels(subject, feature)
                if floors:
                    floor = max(floors) if sign > 0 else min(floors)
                    told.ties.append((k, (floor - sign * feature.depth, floor)))


def floor_levels(subject: Subject, recess: Recess) -> list[float]:
    """Return where the floors of a recess lie along its axis, mm."""
    axis = subject.axis(recess)
    assert axis is not None
    k, sign = axis
    return [
        float(f.point[k])
        for f in subject.own(recess)
        if f.kind == "Plane" and aligned(f.axis) == (k, -sign)
    ]


def _cylinders(
    subject: Subject, centre: Floats, radius: float, axis: int, all_alike: bool
) -> set[Key]:
    """Return the faces on a cylinder; or on all of its size and side that run the same way."""

    def on(face: Face) -> bool:
        off = np.delete(face.point - centre, axis)
        return float(np.linalg.norm(off)) < 10 * subject.close

    alike = [
        f
        for f in subject.faces
        if f.kind == "Cylinder"
        and (a := aligned(f.axis)) is not None
        and a[0] == axis
        and abs(f.radius - radius) < 10 * subject.close
        and not isinstance(subject.claimed.get((f.solid, f.number)), Hole | Thread)
    ]
    sides = {f.outward for f in alike if on(f)}
    return {(f.solid, f.number) for f in alike if (f.outward in sides if all_alike else on(f))}


def _ring(subject: Subject, told: Told, ring: Round, every: Sequence[Wish]) -> None:
    """Tie holes to the middle of their circle; where none is beside it, one angle must be told."""
    own = [f for f in subject.features if f.id in ring.features]
    places = [subject.place(f) for f in own]
    rest = [n for n in range(3) if n != ring.axis]
    straight = any(
        abs(float(p[n] - ring.centre[n])) < 1e-5 * subject.size for p in places for n in rest
    )
    turned = any(isinstance(w, Angle) and set(w.features) == set(ring.features) for w in every)
    if straight or turned:
        for place in places:
            for n in rest:
                told.ties.append((n, (float(place[n]), float(ring.centre[n]))))


def _slopes(subject: Subject, angle: Angle) -> set[Key]:
    """Return the planes that an angle is told of: both its apex and one of its ends lie on them."""
    found = set()
    for face in subject.faces:
        if face.kind != "Plane" or abs(float(face.axis[angle.axis])) > 1e-6:
            continue
        if aligned(face.axis) is not None:
            continue
        flat = np.delete(np.array([angle.apex, *angle.ends]) - face.point, angle.axis, axis=1)
        off = np.abs(flat @ np.delete(face.axis, angle.axis))
        if off[0] < 100 * subject.close and off[1:].min() < 100 * subject.close:
            found.add((face.solid, face.number))
    return found


def _table(subject: Subject, views: Sequence[View], told: Told, table: HoleTable) -> None:
    """Tie the holes of a table to the lower left corner of their view."""
    shown = next((view for view in views if view.depth == table.axis), None)
    if shown is None:
        return
    corner = {k: (subject.low if sign > 0 else subject.high)[k] for k, sign in shown.axes[:2]}
    places = {f.id: subject.place(f) for f in subject.features if isinstance(f, Hole | Thread)}
    for mark in table.marks:
        for k, at in corner.items():
            told.ties.append((k, (float(at), float(mark.centre[k]))))
        for name, place in places.items():
            if float(np.abs(place - mark.centre).max()) < 10 * subject.close:
                told.called.add(name)
                told.sizes.setdefault(name, []).extend(said(mark.text))
