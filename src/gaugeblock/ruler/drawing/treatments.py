"""Fillets, chamfers and oblique faces: notes with an arrow, general notes, angles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gaugeblock.records.features import Chamfer, Fillet
from gaugeblock.ruler.drawing.anatomy import Face, Floats
from gaugeblock.ruler.drawing.callouts import chamfer_sizes, chamfer_text, counted
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.levels import Levels
from gaugeblock.ruler.drawing.sizing import FACE, Sizing
from gaugeblock.ruler.drawing.subject import Subject, aligned
from gaugeblock.ruler.drawing.wishes import Angle, Note, Size, Spot, Wishes

MANY = 8
"""Alike fillets or chamfers from which on one general note stands for all of them."""

ROUND = 0.5
"""Angles that are no multiple of this, in degrees, follow from lengths."""


def fillets(subject: Subject, out: Wishes) -> None:
    """Ask for the radii of all fillets, alike ones once."""
    groups: dict[str, list[Fillet]] = {}
    for feature in subject.features:
        if isinstance(feature, Fillet):
            groups.setdefault(f"R{number(feature.radius)}", []).append(feature)
    _noted(subject, out, groups, "fillets")


def chamfers(subject: Subject, out: Wishes) -> None:
    """Ask for the sizes of all chamfers, alike ones once."""
    groups: dict[str, list[Chamfer]] = {}
    for feature in subject.features:
        if isinstance(feature, Chamfer):
            groups.setdefault(chamfer_text(feature), []).append(feature)
    _noted(subject, out, groups, "chamfers")


def _noted(
    subject: Subject,
    out: Wishes,
    groups: dict[str, list[Fillet]] | dict[str, list[Chamfer]],
    name: str,
) -> None:
    many = max(groups, key=lambda text: len(groups[text]), default=None)
    for text, group in groups.items():
        names = tuple(f.id for f in group)
        spots = tuple(spot for f in group for spot in _spots(subject, f))
        if (text == many and len(group) >= MANY) or not spots:
            out.printed.append(f"Unmarked {name} {text}")
            continue
        # Corners where fillets meet are not counted: they follow.
        count = sum(1 for f in group if not (isinstance(f, Fillet) and f.form == "corner"))
        first = group[0]
        sizes = (
            (Size("radius", first.radius),) if isinstance(first, Fillet) else chamfer_sizes(first)
        )
        shown = counted(max(count, 1), text)
        out.notes.append(Note(shown, spots, names, rank=2.0, sizes=sizes))


def _spots(subject: Subject, feature: Fillet | Chamfer) -> list[Spot]:
    """Return where a fillet or chamfer is seen in profile."""
    axis = subject.axis(feature)
    own = subject.own(feature)
    if axis is None or not own or feature.form not in ("straight", "round"):
        return []
    face = max(own, key=lambda f: f.area)
    k = axis[0]
    if feature.form == "straight":
        if isinstance(feature, Fillet):
            convex = feature.side == "convex"
            round_ = face.kind == "Cylinder"
            return [Spot(face.point, face.radius, k, convex=convex)] if round_ else []
        return [Spot(_middle(face), 0.0, k)]
    return [
        Spot(_profile(subject, face, k, d), 0.0, next(n for n in range(3) if n not in (k, d)))
        for d in range(3)
        if d != k
    ]


def _middle(face: Face) -> Floats:
    return np.asarray(0.5 * (face.points.min(axis=0) + face.points.max(axis=0)))


def _profile(subject: Subject, face: Face, k: int, d: int) -> Floats:
    """Return a point of a turned face's profile, on the side of +d of its axis k."""
    arm = face.points - face.point
    rho = np.linalg.norm(np.delete(arm, k, axis=1), axis=1)
    low, high = face.reach(np.eye(3)[k])
    x, r = 0.5 * (low + high), 0.5 * (float(rho.min()) + float(rho.max()))
    if face.kind == "Torus":
        # On the circle of the profile, towards the middle of its ends.
        middle = float(face.point[k])
        way = np.array([x - middle, r - face.radius])
        way = way / max(float(np.linalg.norm(way)), 1e-300) * face.second
        x, r = middle + float(way[0]), face.radius + float(way[1])
    found = face.point.copy()
    found[k] = x
    found[d] += r
    return found


def angles(sizing: Sizing) -> None:
    """Ask for the angle of each oblique plane that is seen from its edge, and where it begins."""
    subject, levels, out, tie = sizing.subject, sizing.levels, sizing.out, sizing.tie
    found: dict[tuple[int, float], list[Angle]] = {}
    for face in subject.faces:
        if face.kind != "Plane" or not subject.free(face) or aligned(face.axis) is not None:
            continue
        k = int(np.argmin(np.abs(face.axis)))
        if abs(face.axis[k]) > 1e-6:
            if not _cornered(subject, levels, tie, face):
                out.told.append("a face at a compound angle is only partly dimensioned")
            continue
        first, last = _ends(face, k)
        rest = [n for n in range(3) if n != k]
        known = [
            sum(any(abs(at - p[n]) < levels.close for at in levels.at[n]) for n in rest)
            for p in (first, last)
        ]
        if known[1] > known[0]:
            first, last = last, first
        for n in rest:
            tie(n, float(subject.low[n]), float(first[n]), rank=FACE, at=((), (first,)), best=k)
        angle = _angle(first, last, k)
        if abs(angle.degrees / ROUND - round(angle.degrees / ROUND)) > 1e-3:
            # Nobody meant such an angle: it follows from where the face ends.
            for n in rest:
                at = ((), (last,))
                tie(n, float(subject.low[n]), float(last[n]), rank=FACE, at=at, best=k)
            continue
        found.setdefault((k, round(angle.degrees, 2)), []).append(angle)
    for alike in found.values():
        text = counted(len(alike), alike[0].text)
        out.angles.append(replace(alike[0], text=text))


def _ends(face: Face, k: int) -> tuple[Floats, Floats]:
    """Return both ends of a plane that is seen from its edge along k."""
    along = np.cross(face.axis, np.eye(3)[k])
    order = np.argsort(face.points @ along)
    return face.points[order[0]], face.points[order[-1]]


def _angle(first: Floats, last: Floats, k: int) -> Angle:
    """Return the angle below 90° at `first` between a plane and the nearer of both directions."""
    a, b = (k + 1) % 3, (k + 2) % 3
    way = last - first
    # From the direction that makes the smaller angle.
    n = a if abs(way[a]) >= abs(way[b]) else b
    leg = first.copy()
    leg[n] += math.copysign(float(np.hypot(way[a], way[b])), way[n])
    other = b if n == a else a
    degrees = math.degrees(math.atan2(abs(float(way[other])), abs(float(way[n]))))
    turn = (leg - first)[a] * way[b] - (leg - first)[b] * way[a]
    ends = (leg, last) if turn > 0 else (last, leg)
    return Angle(first, ends, k, degrees, f"{number(degrees, 2)}°")


def _cornered(subject: Subject, levels: Levels, tie: Callable[..., bool], face: Face) -> bool:
    """Ask for where a plane at a compound angle meets edges; whether three places fix it."""
    fixed = 0
    for point in np.unique(np.round(face.points, 9), axis=0):
        loose = [
            n for n in range(3) if all(abs(at - point[n]) > levels.close for at in levels.at[n])
        ]
        if len(loose) <= 1:
            fixed += 1
        if len(loose) == 1:
            n = loose[0]
            low, high = float(subject.low[n]), float(subject.high[n])
            datum = low if point[n] - low <= high - point[n] else high
            tie(n, datum, float(point[n]), rank=FACE, at=((), (point,)))
    return fixed >= 3
