"""The threaded stretch of a part as plain numbers: what is drawn in place of a modelled helix.

ISO 6410-1 draws a thread as the body that it is cut into, a shaft at its major or a bore at its
minor diameter, with a thin line at the other diameter. That body is turned: a cylinder, with the
part's own coaxial chamfers or countersinks at its ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from gaugeblock.records.features import Feature, Hole, Thread
from gaugeblock.ruler.drawing.anatomy import CLOSE, Face, Floats, aside, parallel, same_axis

AXIS_SLANT = 1e-3
"""Sine within which a round face's axis is the thread's: as fitted, that is known to some 1e-4."""

AXIS_OFF = 0.02
"""Distance within which it is, in pitches; and radii this close are the thread's own."""

EDGE = 1e-3
"""In pitches: heights and radii closer than this are the same."""

RUN_OUT = 0.6
"""In pitches: a thread that ends this near to the end of its stretch goes on to there."""

SLOPE = 1e-6
"""Half angles of cones this close are the same, rad."""

REACH = 0.5
"""How far a tool reaches beyond the thread's own radius if nothing is in its way, in radii."""


@dataclass(frozen=True)
class Stretch:
    """One thread's stretch. Heights run along `axis` from `origin`; all in mm."""

    thread: Thread
    origin: Floats
    """(3,) on the axis, in the file's coordinates."""
    axis: Floats
    """(3,) unit."""
    profile: tuple[tuple[float, float], ...]
    """Height and radius of the plain body's outline, heights rising."""
    root: float
    """Radius of the thread's roots: a shaft's minor, a bore's major one. The thin line."""
    ends: tuple[float, float]
    """Heights between which the thread runs."""
    inner: float
    """Radius within which the plain body of a shaft is left as it is; 0: nothing is there."""
    reach: float
    """Radius that a tool around it may reach to and touch nothing else."""

    @property
    def body(self) -> float:
        """Radius of the plain body: a shaft's crest, a bore's."""
        return 0.5 * (self.thread.minor if self.thread.internal else self.thread.major)

    def exact(self, feature: Feature) -> Feature | None:
        """Return a feature on the plain body's axis, if it is fitted to nearly that one.

        A bore that is no more than the thread's own is None: the thread's designation tells it.
        """
        thread = self.thread
        axis = getattr(feature, "axis", None)
        if feature.solid != thread.solid or axis is None:
            return feature
        along, place = float(self.axis @ np.array(axis)), np.array(feature.position)
        slant = float(np.linalg.norm(np.cross(axis, self.axis)))
        if slant > AXIS_SLANT or aside(place, self.origin, self.axis) > AXIS_OFF * thread.pitch:
            return feature
        own = thread.internal and thread.designation and isinstance(feature, Hole)
        if own and set(feature.faces) <= set(thread.faces):
            return None
        straight = math.copysign(1.0, along) * self.axis
        foot = self.at(float((place - self.origin) @ self.axis))
        a, b = (tuple((v + 0.0).tolist()) for v in (straight, foot))
        return feature.model_copy(update={"axis": a, "position": b})

    @property
    def groove(self) -> float:
        """Volume between crests and roots, mm³: the grooves take a part of it."""
        return math.pi * abs(self.body**2 - self.root**2) * (self.high - self.low)

    @property
    def low(self) -> float:
        """Height of the lower end."""
        return self.profile[0][0]

    @property
    def high(self) -> float:
        """Height of the upper end."""
        return self.profile[-1][0]

    def radius(self, height: float) -> float:
        """Return the plain body's radius at a height."""
        heights, radii = zip(*self.profile, strict=True)
        return float(np.interp(height, heights, radii))

    def reaching(self, radius: float) -> tuple[float, float]:
        """Return the heights between which the plain body lies beyond a radius.

        A chamfer takes the thin line's ends off, a countersink swallows them.
        """
        beyond = [
            h
            for (a, p), (b, q) in pairwise(self.profile)
            for h in (a, b, a + (b - a) * (radius - p) / (q - p) if p != q else a)
            if a <= h <= b and self._keeps(self.radius(h), radius)
        ]
        return min(beyond), max(beyond)

    def _keeps(self, own: float, radius: float) -> bool:
        slack = 1e-9 * radius
        return own <= radius + slack if self.thread.internal else own >= radius - slack

    def holds(self, face: Face, close: float) -> bool:
        """Whether a face is the plain stretch's cylinder; a rod may have one at either end."""
        heights = (face.points - self.origin) @ self.axis
        return (
            face.kind == "Cylinder"
            and abs(face.radius - self.body) < close
            and aside(face.point, self.origin, self.axis) < close
            and float(heights.min()) < self.high - close
            and float(heights.max()) > self.low + close
        )

    def between(self, basis: Floats) -> tuple[Floats, Floats]:
        """Return (3,) both ends of the thread on its axis, in the drawing's directions."""
        a, b = self.ends
        return np.asarray(basis @ self.at(a)), np.asarray(basis @ self.at(b))

    def at(self, height: float) -> Floats:
        """Return (3,) on the axis at a height."""
        return np.asarray(self.origin + height * self.axis)


class Unlike(ValueError):
    """Why a thread is drawn as it is modelled."""


def stretch_of(thread: Thread, faces: Sequence[Face]) -> Stretch:
    """Return what is drawn in place of a thread.

    Args:
        thread: As measured.
        faces: All faces of its solid, in the file's coordinates.

    Raises:
        Unlike: something else lies within the threaded stretch; the text says what.
    """
    own = [face for face in faces if face.number in set(thread.faces)]
    round_ = [face for face in faces if _coaxial(face, thread)]
    exact = next((face for face in round_ if face.kind == "Cylinder"), None) or next(
        iter(round_), None
    )
    axis, origin = np.array(thread.axis), np.array(thread.position)
    if exact is not None:
        axis = exact.axis
        origin = exact.point + axis * float((origin - exact.point) @ axis)
    else:
        # A fitted axis is known to some 1e-4: where the part ends square to it, its faces say more.
        square = (f.axis for f in faces if f.kind == "Plane")
        axis = next((a for a in square if np.linalg.norm(np.cross(a, axis)) < AXIS_SLANT), axis)
    places = {face.number: _Place.of(face, origin, axis) for face in faces}
    body = 0.5 * (thread.minor if thread.internal else thread.major)
    slack = EDGE * thread.pitch
    low = min(places[face.number].low for face in own)
    high = max(places[face.number].high for face in own)
    cones = [f for f in round_ if f.kind == "Cone" and _bevel(f, places, thread, body, low, high)]
    inside = {face.number for face in [*own, *cones]}
    span = (
        min([low, *(places[c.number].low for c in cones)]),
        max([high, *(places[c.number].high for c in cones)]),
    )
    root = 0.5 * (thread.major if thread.internal else thread.minor)
    inmost, outmost = 0.0, math.inf
    for face in faces:
        place = places[face.number]
        within = place.low < span[1] - slack and place.high > span[0] + slack
        if face.number in inside or not within or _continues(face, round_, body, thread):
            continue
        if not thread.internal and place.outer < root - slack:
            inmost = max(inmost, place.outer)
        elif place.inner > max(body, root) + slack:
            outmost = min(outmost, place.inner)
        else:
            raise Unlike(f"another face ({face.number}) lies within the thread")
    profile = _profile(span, body, cones, places, thread)
    widest = max([root, *(radius for _, radius in profile)])
    if outmost <= widest + slack:
        raise Unlike("a wall as thin as the thread is deep")
    middle = float((np.array(thread.position) - origin) @ axis)
    reach = (middle - 0.5 * thread.length, middle + 0.5 * thread.length)
    ends = [
        end if abs(end - edge) > RUN_OUT * thread.pitch else edge
        for end, edge in zip(reach, span, strict=True)
    ]
    return Stretch(
        thread=thread,
        origin=origin,
        axis=axis,
        profile=profile,
        root=root,
        ends=(ends[0], ends[1]),
        inner=0.5 * (inmost + root) if inmost else 0.0,
        reach=0.5 * (widest + min(outmost, (1.0 + 2.0 * REACH) * widest)),
    )


@dataclass(frozen=True)
class _Place:
    """How far a face lies along and from the axis, mm."""

    low: float
    high: float
    inner: float
    outer: float

    @classmethod
    def of(cls, face: Face, origin: Floats, axis: Floats) -> _Place:
        arm = face.points - origin
        along = arm @ axis
        off = np.linalg.norm(arm - np.outer(along, axis), axis=1)
        inner = float(off.min())
        if face.kind == "Plane" and abs(float(face.axis @ axis)) < AXIS_SLANT:
            beside = arm @ np.cross(axis, face.axis)
            if float(beside.min()) < 0.0 < float(beside.max()):
                # Nearest between its corners.
                inner = min(inner, abs(float((face.point - origin) @ face.axis)))
        return cls(float(along.min()), float(along.max()), inner, float(off.max()))


def _coaxial(face: Face, thread: Thread) -> bool:
    """Whether a cylinder or cone of the thread's own side turns about its axis."""
    if face.kind not in ("Cylinder", "Cone") or face.outward != (-1 if thread.internal else 1):
        return False
    axis = np.array(thread.axis)
    arm = face.point - np.array(thread.position)
    off = float(np.linalg.norm(arm - axis * (arm @ axis)))
    slant = float(np.linalg.norm(np.cross(face.axis, axis)))
    return slant < AXIS_SLANT and off < AXIS_OFF * thread.pitch


def _bevel(
    face: Face, places: dict[int, _Place], thread: Thread, body: float, low: float, high: float
) -> bool:
    """Whether a cone is a chamfer of the threaded shaft, or a countersink of the bore."""
    place, slack = places[face.number], AXIS_OFF * thread.pitch
    if place.high < low - slack or place.low > high + slack:
        return False
    if thread.internal:
        return place.inner > body - slack
    return place.outer < body + slack


def _continues(face: Face, round_: Sequence[Face], body: float, thread: Thread) -> bool:
    """Whether a face is the plain body itself: an unthreaded rest of the shaft or bore."""
    close = abs(face.radius - body) < AXIS_OFF * thread.pitch
    return face.kind == "Cylinder" and close and any(face is own for own in round_)


def _profile(
    span: tuple[float, float],
    body: float,
    cones: Sequence[Face],
    places: dict[int, _Place],
    thread: Thread,
) -> tuple[tuple[float, float], ...]:
    """Return the plain body's outline: the cylinder, with a cone at either end or none."""
    points: list[tuple[float, float]] = []
    for n, end in enumerate(span):
        close = EDGE * thread.pitch
        at = [
            c for c in cones if abs((places[c.number].low, places[c.number].high)[n] - end) < close
        ]
        if not at:
            points.append((end, body))
            continue
        place = places[at[0].number]
        rim = place.outer if thread.internal else min(places[c.number].inner for c in at)
        length = abs(body - rim) / math.tan(abs(at[0].second))
        inward = end + length * (1.0 if n == 0 else -1.0)
        points += [(end, rim), (inward, body)] if n == 0 else [(inward, body), (end, rim)]
    heights = [height for height, _ in points]
    if heights != sorted(heights):
        raise Unlike("its chamfers meet")
    return tuple(points)


def numbered(
    plain: Sequence[Face], faces: Sequence[Face], stretches: Sequence[Stretch]
) -> list[Face]:
    """Return the faces of a plain body with the numbers of the solid's own faces.

    Those that are as before keep theirs; the plain stretch takes one of its thread's; what is left
    takes that of a face on the same surface, or one that no face has.

    Raises:
        Unlike: a face of the solid that is no thread's has nothing left of it.
    """
    points = np.concatenate([face.points for face in faces])
    close = CLOSE * float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
    owned = {number for stretch in stretches for number in stretch.thread.faces}
    rest = [face for face in faces if face.number not in owned]
    found, fresh = [], 1 + max(face.number for face in faces)
    for face in plain:
        alike = [old for old in rest if _one_surface(old, face, close)]
        same = next((f for f in alike if np.linalg.norm(f.centre - face.centre) < close), None)
        number = next((s.thread.faces[0] for s in stretches if s.holds(face, close)), None)
        if same is not None:
            number = same.number
        elif number is None and alike:
            number = alike[0].number
        elif number is None:
            number, fresh = fresh, fresh + 1
        found.append(replace(face, number=number))
    for old in rest:
        if not any(_one_surface(old, face, close) for face in plain):
            raise Unlike("the body without it lacks a face")
    return found


def _one_surface(a: Face, b: Face, close: float) -> bool:
    """Whether two faces may lie on one surface."""
    if a.kind != b.kind or a.outward != b.outward:
        return False
    if a.kind == "Plane":
        return parallel(a.axis, b.axis) and abs(float((a.point - b.point) @ a.axis)) < close
    if a.kind == "Cylinder":
        return same_axis(a, b, close) and abs(a.radius - b.radius) < close
    if a.kind == "Cone":
        return same_axis(a, b, close) and abs(abs(a.second) - abs(b.second)) < SLOPE
    # Others are not part of a stretch: they are as they were.
    return float(np.linalg.norm(a.centre - b.centre)) < 1e3 * close
