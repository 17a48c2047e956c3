"""Fillets, chamfers and oblique faces: notes with an arrow, general notes, angles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gaugeblock.records.features import Chamfer, Fillet
from gaugeblock.ruler.drawing.anatomy import Face, Floats
from gaugeblock.ruler.drawing.callouts import chamfer_sizes, chamfer_text, counted
from gaugeblock.ruler.drawing.completeness import Account
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.levels import Levels
from gaugeblock.ruler.drawing.sizing import FACE, Sizing
from gaugeblock.ruler.drawing.subject import Subject, aligned
from gaugeblock.ruler.drawing.told import told_by
from gaugeblock.ruler.drawing.wishes import Angle, Note, Size, Spot, Wishes

MANY = 8
"""Alike fillets or chamfers from which on one general note stands for all of them."""

RIM_LEAST = 3
"""Fillets or chamfers that close a rim."""

EDGE_STEP = 3
"""Every which sample of an edge an arrow may point at."""

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
        if text == many and len(group) >= MANY:
            line = f"Unmarked {name} {text}"
            out.printed.append(line)
            aside = Wishes()
            _note(subject, aside, line, group)
            out.general += aside.notes
            continue
        rims, rest = closed_rims(subject, group)
        if rims:
            around = [f for rim in rims for f in rim]
            _note(subject, out, counted(len(rims), f"{text} all around"), around)
        runs, rest = _runs(subject, rest)
        if runs:
            along = [f for run in runs for f in run]
            _note(subject, out, counted(len(runs), f"{text} around corners"), along)
        if rest:
            _note(subject, out, counted(_places(subject, rest), text), rest)


def _note(subject: Subject, out: Wishes, text: str, group: Sequence[Fillet | Chamfer]) -> None:
    first = group[0]
    sizes = (Size("radius", first.radius),) if isinstance(first, Fillet) else chamfer_sizes(first)
    spots = [spot for f in group for spot in _spots(subject, f)]
    spots += [spot for f in group for spot in _edge_spots(subject, f)]
    names = tuple(f.id for f in group)
    out.notes.append(Note(text, tuple(spots), names, rank=2.0, sizes=sizes))


def _places(subject: Subject, group: Sequence[Fillet | Chamfer]) -> int:
    """Return how many of a group are seen apart; those one behind the other are seen as one.

    Corners where fillets meet are not counted: they follow.
    """
    loose, seen = 0, set[tuple[float, ...]]()
    for feature in group:
        axis = subject.axis(feature)
        own = subject.own(feature)
        if feature.form == "corner":
            continue
        if axis is None or not own or feature.form != "straight":
            loose += 1
            continue
        face = max(own, key=lambda f: f.area)
        middle = face.point if face.kind == "Cylinder" else _middle(face)
        step = 100 * subject.close
        seen.add((axis[0], *np.round(np.delete(middle, axis[0]) / step)))
    return max(loose + len(seen), 1)


def _edge_spots(subject: Subject, feature: Fillet | Chamfer) -> list[Spot]:
    """Return places on a feature's edges, for where no view shows its profile."""
    points = [p for face in subject.own(feature) for p in face.points[::EDGE_STEP]]
    return [Spot(p, 0.0, k, edge=True) for p in points for k in range(3)]


def _runs(
    subject: Subject, group: Sequence[Fillet | Chamfer]
) -> tuple[list[list[Fillet | Chamfer]], list[Fillet | Chamfer]]:
    """Return chamfers that run on around rounded corners, run by run, and all others."""
    runs, rest = list[list[Fillet | Chamfer]](), list[Fillet | Chamfer]()
    beside = _beside(subject, group)
    left = set(range(len(group)))
    while left:
        run = _joined(min(left), beside)
        left -= run
        members = [group[n] for n in sorted(run)]
        forms = {f.form for f in members if isinstance(f, Chamfer)}
        if forms == {"straight", "round"}:
            runs.append(members)
        else:
            rest += members
    return runs, rest


def closed_rims(
    subject: Subject, group: Sequence[Fillet | Chamfer]
) -> tuple[list[list[Fillet | Chamfer]], list[Fillet | Chamfer]]:
    """Return features that meet end to end all around something, rim by rim, and the others.

    Args:
        subject: The part.
        group: Fillets or chamfers of one size.
    """
    beside = _beside(subject, group)
    rims: list[list[Fillet | Chamfer]] = []
    rest: list[Fillet | Chamfer] = []
    left = set(range(len(group)))
    while left:
        rim = _joined(min(left), beside)
        left -= rim
        members = [group[n] for n in sorted(rim)]
        if len(rim) >= RIM_LEAST and all(len(beside[n]) >= 2 for n in rim):
            rims.append(members)
        else:
            rest += members
    return rims, rest


def _beside(subject: Subject, group: Sequence[Fillet | Chamfer]) -> list[set[int]]:
    """Return for each feature of a group the numbers of those that it meets end to end."""
    step = 100 * subject.close
    ends = [
        {tuple(np.round(p / step).astype(int).tolist()) for f in subject.own(x) for p in f.points}
        for x in group
    ]
    return [
        {m for m in range(len(group)) if m != n and len(ends[n] & ends[m]) > 0}
        for n in range(len(group))
    ]


def _joined(first: int, beside: list[set[int]]) -> set[int]:
    """Return all numbers that hang together with one."""
    found, new = set[int](), {first}
    while new:
        found |= new
        new = {m for n in new for m in beside[n]} - found
    return found


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
    found: dict[tuple[int, float], dict[tuple[float, ...], Angle]] = {}
    partly = 0
    walls: list[Face] = []
    for face in subject.faces:
        if face.kind != "Plane" or not sizing.sloping(face) or aligned(face.axis) is not None:
            continue
        if not subject.free(face):
            walls.append(face)
            continue
        k = int(np.argmin(np.abs(face.axis)))
        if abs(face.axis[k]) > 1e-6:
            partly += not _cornered(subject, levels, tie, face)
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
        alike = found.setdefault((k, round(angle.degrees, 2)), {})
        alike.setdefault(_line(first, last, k, 100 * subject.close), angle)
    if partly:
        faces = "1 face" if partly == 1 else f"{partly} faces"
        out.told.append(f"only partly dimensioned: {faces} at compound angles")
    for alike in found.values():
        first_one, *others = alike.values()
        text = counted(len(alike), first_one.text)
        out.angles.append(replace(first_one, text=text, alike=tuple(others)))
    for wall in walls:
        _walled(sizing, wall)


def _walled(sizing: Sizing, wall: Face) -> None:
    """Ask for as much as an oblique wall of a recess or boss still needs.

    The walls beside it may fix it already: what is square or parallel is not told again.
    """
    subject = sizing.subject
    k = int(np.argmin(np.abs(wall.axis)))
    if abs(float(wall.axis[k])) > 1e-6:
        return

    def fixed() -> bool:
        return (wall.solid, wall.number) in Account(
            subject, told_by(subject, (), sizing.out.all)
        ).fixed

    first, last = _ends(wall, k)
    angle = _angle(first, last, k)
    level = abs(angle.degrees / ROUND - round(angle.degrees / ROUND)) < 1e-3
    for end in (first, last):
        for n in (n for n in range(3) if n != k):
            if fixed():
                return
            at = ((), (end,))
            sizing.tie(n, float(subject.low[n]), float(end[n]), rank=FACE, at=at, best=k)
        if level and not fixed():
            sizing.out.angles.append(angle)
            return


def _line(first: Floats, last: Floats, k: int, step: float) -> tuple[float, ...]:
    """Return what planes seen along k as one line share: its direction and distance."""
    a, way = np.delete(first, k), np.delete(last - first, k)
    way = way / max(float(np.linalg.norm(way)), 1e-300)
    way = way if way[int(np.argmax(np.abs(way)))] > 0 else -way
    off = float(a[0] * way[1] - a[1] * way[0])
    return (*np.round(way, 6).tolist(), round(off / step))


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
