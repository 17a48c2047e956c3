"""Which faces of a part no dimension on the sheet fixes: the honest account.

A face is fixed where its size and its place follow from what is told (`told`) and from what every
drawing means without saying it: what is drawn level, upright, in line, coaxial or going over
smoothly is so. From the datum of each direction (the part's low end; the axis of a turned part)
the account follows lengths to further coordinates, and from these to faces: for each face its few
free numbers are put against the equations that known points, sizes and tangents give, and it is
fixed if no number stays free. What a fixed face meets is known in turn, until nothing new follows.

The account asks for too much rather than for too little: faces that only a system of several
unknown ones would fix are named. Free-form faces are never fixed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaugeblock.records.features import Boss, Chamfer, Feature, Fillet, Hole, Recess, Thread
from gaugeblock.ruler.drawing.anatomy import Face, Floats, parallel
from gaugeblock.ruler.drawing.callouts import chamfer_text
from gaugeblock.ruler.drawing.coordinates import Coordinates
from gaugeblock.ruler.drawing.drilled import hole_told
from gaugeblock.ruler.drawing.meeting import Key, Meeting
from gaugeblock.ruler.drawing.printed import said
from gaugeblock.ruler.drawing.subject import Subject, aligned
from gaugeblock.ruler.drawing.told import Told

RANK = 1e-7
"""Singular values below this part of the largest are none: angles of 1e-6 are one direction."""

ROUNDS = 50
"""Rounds in which further faces may follow; parts of 500 faces take about 6."""


class Account:
    """What is known of a part by its sheet.

    Args:
        subject: The part.
        told: What the sheet says.
        engraved: Ids of recesses that are lettering: never fixed.
    """

    def __init__(
        self, subject: Subject, told: Told, engraved: frozenset[str] = frozenset()
    ) -> None:
        self.subject, self.told, self.engraved = subject, told, engraved
        self.faces = {(f.solid, f.number): f for f in subject.faces}
        self.fixed: set[Key] = set()
        self.met = Meeting(subject)
        # Coordinates of corners that follow from the fixed faces that meet there.
        self.reached = {corner: [False] * 3 for corner in self.met.corners}
        self.known = Coordinates(subject, told, self.met.places[self.met.corners])
        self._follow()

    def loose(self) -> list[Face]:
        """Return the faces that nothing fixes, in the part's order."""
        return [face for key, face in self.faces.items() if key not in self.fixed]

    def seen(self, place: int, k: int) -> bool:
        """Whether a corner's coordinate is known."""
        return self.reached[place][k] or self.known.has(k, float(self.met.places[place][k]))

    # What follows

    def _follow(self) -> None:
        waiting = dict(self.faces)
        for _ in range(ROUNDS):
            new = [key for key, face in waiting.items() if self._is_fixed(face)]
            for key in new:
                self.fixed.add(key)
                self._spread(waiting.pop(key))
            if not (new or self._corners()) or not waiting:
                return
            self._corners()

    def _spread(self, face: Face) -> None:
        """Note the coordinates that a fixed face makes known."""
        owner = self.subject.claimed.get((face.solid, face.number))
        along = aligned(face.axis) if face.kind in ("Plane", "Cylinder", "Cone") else None
        if along is None or isinstance(owner, Fillet | Chamfer | Thread):
            return
        if isinstance(owner, Hole) and not self._turned(owner):
            return
        k = along[0]
        if face.kind == "Plane":
            self.known.add(k, float(face.point[k]))
            return
        for n in (n for n in range(3) if n != k):
            self.known.add(n, float(face.point[n]))
            for sign in (-1.0, 1.0) if face.kind == "Cylinder" else ():
                end = float(face.point[n]) + sign * face.radius
                if self._reaches(face, n, end) and not self.known.flat(n, end):
                    self.known.add(n, end)
        if face.kind == "Cone":
            for z, radius in self._ends(face):
                if self._wide(face, radius):
                    self.known.add(k, z)

    def _reaches(self, face: Face, n: int, end: float) -> bool:
        """Whether a cylinder runs up to where its outline is furthest in a direction."""
        return float(np.abs(face.points[:, n] - end).min()) < 1e-6 * self.subject.size

    def _corners(self) -> bool:
        """Find corners that follow from fixed faces that meet in them; whether there are any."""
        new = False
        for place in self.met.corners:
            have = [self.seen(place, k) for k in range(3)]
            if all(have):
                continue
            rows = [np.eye(3)[k] for k in range(3) if have[k]]
            for key in self.met.at[place] & self.fixed:
                if isinstance(self.subject.claimed.get(key), Fillet | Chamfer):
                    continue  # these lie where their neighbours do, not the other way round
                normal = _normal(self.faces[key], self.met.places[place])
                if normal is not None:
                    rows.append(normal)
            for k in (k for k in range(3) if not have[k]):
                if _spans(rows, np.eye(3)[k]):
                    self.reached[place][k] = new = True
                    self.known.add(k, float(self.met.places[place][k]))
        return new

    def _is_fixed(self, face: Face) -> bool:
        owner = self.subject.claimed.get((face.solid, face.number))
        match owner:
            case Fillet():
                return self.told.says(owner, "radius", owner.radius)
            case Chamfer():
                return all(
                    self.told.says(owner, s.type, s.value) for s in said(chamfer_text(owner))
                )
            case Thread():
                return self._thread(owner)
            case Hole() if not self._turned(owner):
                return self._axis_known(owner) and hole_told(self.subject, self.told, owner, face)
            case Recess() if owner.id in self.engraved:
                return False
        match face.kind:
            case "Plane":
                return self._plane(face, owner)
            case "Cylinder":
                return self._cylinder(face, owner)
            case "Cone":
                return self._cone(face, owner)
        return False

    def _turned(self, hole: Hole) -> bool:
        """Whether a hole's sizes stand in the section of a turned part, and not in its call-out."""
        coaxial = self.subject.coaxial(self.subject.place(hole))
        return coaxial and hole.id not in self.told.called

    def _axis_known(self, feature: Hole | Thread) -> bool:
        axis = self.subject.axis(feature)
        if axis is None:
            return False
        place = self.subject.place(feature)
        return all(self.known.has(n, float(place[n])) for n in range(3) if n != axis[0])

    def _thread(self, thread: Thread) -> bool:
        if not self._axis_known(thread):
            return False
        if not self.told.says(thread, "diameter", thread.major) and not (
            thread.designation and thread.id in self.told.sizes
        ):
            return False
        if thread.through:
            return True
        if self.told.says(thread, "length", thread.length):
            return True
        ends = self.subject.threaded.get(thread.id)
        axis = self.subject.axis(thread)
        if axis is None or ends is None:
            return any(s.type == "length" for s in self.told.sizes[thread.id])
        slack = 0.6 * thread.pitch
        return all(self.known.near(axis[0], float(end[axis[0]]), slack) for end in ends)

    # Faces

    def _plane(self, face: Face, owner: Feature | None) -> bool:
        along = aligned(face.axis)
        if along is not None:
            at_known = self.known.has(along[0], float(face.point[along[0]]))
            return at_known or bool(self._smooth(face))
        if isinstance(owner, Recess | Boss) and owner.id in self.told.regular:
            return self._centred(owner)
        # Free numbers: tilt about both directions in the plane, and the offset.
        k = int(np.argmin(np.abs(face.axis)))
        edge_on = abs(float(face.axis[k])) < 1e-6
        first = np.eye(3)[k] - face.axis * face.axis[k]
        first = first / np.linalg.norm(first)
        second = np.cross(face.axis, first)
        size = self.subject.size
        rows = [np.array([1.0, 0.0, 0.0])] if edge_on else []
        if (
            (face.solid, face.number) in self.told.slopes
            or self._drafted(face, owner)
            or (edge_on and self._squared(face, owner))
        ):
            rows.append(np.array([0.0, 1.0, 0.0]))
        for place in self.met.on[(face.solid, face.number)]:
            if place not in self.reached:
                continue
            if all(self.seen(place, n) for n in range(3) if abs(float(face.axis[n])) > 1e-6):
                arm = (self.met.places[place] - face.centre) / size
                rows.append(np.array([arm @ first, arm @ second, -1.0]))
        for other in self._smooth(face):
            arm = (other.point - face.centre) / size
            rows.append(np.array([arm @ first, arm @ second, -1.0]))
        return _rank(rows) == 3

    def _centred(self, owner: Recess | Boss) -> bool:
        """Whether a regular polygon of a told width has its place in both directions."""
        axis = self.subject.axis(owner)
        return axis is not None and all(
            any(self.known.has(n, float(p[n])) for f in self.subject.own(owner) for p in f.points)
            for n in range(3)
            if n != axis[0]
        )

    def _drafted(self, face: Face, owner: Feature | None) -> bool:
        """Whether a feature's note tells by how much its wall leans."""
        way = None if owner is None else getattr(owner, "axis", None)
        if owner is None or way is None:
            return False
        lean = abs(
            float(np.degrees(np.arcsin(np.clip(face.axis @ self.subject.basis @ way, -1, 1))))
        )
        return lean > 1e-3 and self.told.says(owner, "angle", lean)

    def _squared(self, face: Face, owner: Feature | None) -> bool:
        """Whether a wall is drawn parallel or square to a fixed one of its feature."""
        if owner is None:
            return False
        for key in self.fixed:
            other = self.faces[key]
            if other.kind == "Plane" and self.subject.claimed.get(key) is owner:
                along = abs(float(face.axis @ other.axis))
                level = aligned(other.axis) is None
                if level and (along < 1e-6 or along > 1.0 - 1e-9):
                    return True
        return False

    def _smooth(self, face: Face) -> list[Face]:
        """Return the fixed cylinders that a plane goes over into, or a cylinder's other ones."""
        found = []
        for key in self.met.beside(face):
            other = self.faces[key]
            if key not in self.fixed or isinstance(self.subject.claimed.get(key), Fillet):
                continue
            if other.kind == "Cylinder" and self._tangent(face, other):
                found.append(other)
        return found

    def _tangent(self, face: Face, barrel: Face) -> bool:
        close = 100 * self.subject.close
        if face.kind == "Plane":
            across = abs(float(face.axis @ barrel.axis)) < 1e-6
            off = abs(float(face.axis @ (barrel.point - face.point)))
            return across and abs(off - barrel.radius) < close
        if not parallel(face.axis, barrel.axis):
            return False
        arm = barrel.point - face.point
        off = float(np.linalg.norm(arm - face.axis * (arm @ face.axis)))
        apart = (face.radius + barrel.radius, abs(face.radius - barrel.radius))
        return off > close and min(abs(off - d) for d in apart) < close

    def _radius_told(self, face: Face, owner: Feature | None) -> bool:
        if (face.solid, face.number) in self.told.radii:
            return True
        if owner is not None and (
            self.told.says(owner, "diameter", 2 * face.radius)
            or self.told.says(owner, "radius", face.radius)
        ):
            return True
        along = aligned(face.axis)
        about = along is not None and along[0] == 0 and self.subject.coaxial(face.point)
        return about and self._diameter(face.radius)

    def _diameter(self, radius: float) -> bool:
        return any(abs(d - 2 * radius) < 10 * self.subject.close for d in self.told.diameters)

    def _cylinder(self, face: Face, owner: Feature | None) -> bool:
        along = aligned(face.axis)
        if along is None:
            return False
        key = (face.solid, face.number)
        rest = [n for n in range(3) if n != along[0]]
        centre = face.point[rest]
        rows = [np.array([0.0, 0.0, 1.0])] if self._radius_told(face, owner) else []
        for row, n in zip(np.eye(3)[:2], rest, strict=True):
            if self.known.has(n, float(face.point[n])):
                rows.append(row)
            for sign in (-1.0, 1.0):
                end = float(face.point[n]) + sign * face.radius
                bound = min(abs(end - float(b[n])) for b in (self.subject.low, self.subject.high))
                outline = bound < self.known.close and self._reaches(face, n, end)
                if outline and not self.known.flat(n, end) and self.known.has(n, end):
                    rows.append(row + np.array([0.0, 0.0, sign]))
        for place in self.met.on[key]:
            if place in self.reached and all(self.seen(place, n) for n in rest):
                out = (self.met.places[place][rest] - centre) / face.radius
                rows.append(np.array([*out, 1.0]))
        for other_key in self.met.beside(face) & self.fixed:
            other = self.faces[other_key]
            if isinstance(self.subject.claimed.get(other_key), Fillet | Chamfer):
                continue
            if other.kind == "Plane" and self._tangent(other, face):
                side = float(other.axis @ (other.point - face.point)) / face.radius
                rows.append(np.array([*other.axis[rest], side]))
            elif other.kind == "Cylinder" and self._tangent(face, other):
                arm = other.point[rest] - centre
                off = float(np.linalg.norm(arm))
                inside = off < max(other.radius, face.radius)
                grow = 1.0 if inside and face.radius < other.radius else -1.0
                rows.append(np.array([*(-arm / off), grow]))
        return _rank(rows) == 3

    def _ends(self, cone: Face) -> list[tuple[float, float]]:
        """Return both ends of a cone about one of the directions: where along it, and radius."""
        along = aligned(cone.axis)
        assert along is not None
        k = along[0]
        off = np.linalg.norm(np.delete(cone.points - cone.point, k, axis=1), axis=1)
        low, high = int(np.argmin(cone.points[:, k])), int(np.argmax(cone.points[:, k]))
        return [(float(cone.points[n, k]), float(off[n])) for n in (low, high)]

    def _wide(self, cone: Face, radius: float) -> bool:
        """Whether the radius of a circle about a cone's axis is known."""
        if radius < 10 * self.subject.close:
            return True
        owner = self.subject.claimed.get((cone.solid, cone.number))
        if owner is not None and self.told.says(owner, "diameter", 2 * radius):
            return True
        if self.subject.coaxial(cone.point) and self._diameter(radius):
            return True
        return any(
            other.kind == "Cylinder"
            and key in self.fixed
            and abs(other.radius - radius) < 10 * self.subject.close
            and parallel(other.axis, cone.axis)
            for key in self.met.beside(cone)
            for other in (self.faces[key],)
        )

    def _cone(self, face: Face, owner: Feature | None) -> bool:
        along = aligned(face.axis)
        if along is None:
            return False
        k = along[0]
        if not all(self.known.has(n, float(face.point[n])) for n in range(3) if n != k):
            return False
        # Free numbers: radius at one end, and slope.
        rows = [
            np.array([1.0, (z - float(face.centre[k])) / self.subject.size])
            for z, radius in self._ends(face)
            if self.known.has(k, z) and self._wide(face, radius)
        ]
        full = float(np.degrees(2.0 * abs(face.second)))
        if owner is not None and any(
            self.told.says(owner, "angle", angle) for angle in (full, 0.5 * full)
        ):
            rows.append(np.array([0.0, 1.0]))
        return _rank(rows) == 2


def _rank(rows: Sequence[Floats]) -> int:
    return int(np.linalg.matrix_rank(np.array(rows), rtol=RANK)) if rows else 0


def _spans(rows: Sequence[Floats], way: Floats) -> bool:
    """Whether a direction is a combination of rows."""
    return bool(rows) and _rank(rows) == _rank([*rows, way])


def _normal(face: Face, place: Floats) -> Floats | None:
    """Return a face's unit normal at a place on it, either way; None: a kind without one here."""
    if face.kind == "Plane":
        return face.axis
    if face.kind != "Cylinder":
        return None
    arm = place - face.point
    arm = arm - face.axis * (arm @ face.axis)
    return np.asarray(arm / max(float(np.linalg.norm(arm)), 1e-300))
