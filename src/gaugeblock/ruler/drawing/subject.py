"""The part in the drawing's directions: faces and features, and which faces belong to which."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from gaugeblock.records.features import (
    Boss,
    Chamfer,
    Feature,
    Fillet,
    Groove,
    Hole,
    Recess,
    Thread,
)
from gaugeblock.ruler.drawing.anatomy import Face, Floats

ALIGNED = 1e-6
"""Sine of the angle within which a direction is one of the drawing's."""

WHOLE = 6.28
"""Angle in rad from which on a round face runs all around."""

Axial = Hole | Boss | Recess | Groove | Thread | Chamfer | Fillet


@dataclass(frozen=True)
class Subject:
    """One part, ready to be dimensioned."""

    faces: list[Face]
    """In the drawing's directions."""
    features: list[Feature]
    """In the file's; `place` and `way` turn them."""
    basis: Floats
    low: Floats
    """(3,) lowest corner of the part in the drawing's directions, mm."""
    high: Floats
    turned: Floats | None
    """(3,) point on the axis of a turned part, which runs along direction 0."""
    threaded: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    """By a thread's id: (3,) both its ends, if it is drawn by ISO 6410."""

    @cached_property
    def size(self) -> float:
        """Diagonal in mm."""
        return float(np.linalg.norm(self.high - self.low))

    @cached_property
    def close(self) -> float:
        """Coordinates nearer than this are one, mm."""
        return 1e-6 * self.size

    def place(self, feature: Feature) -> Floats:
        """Return (3,) where a feature is."""
        return np.asarray(self.basis @ np.array(feature.position))

    def way(self, feature: Axial) -> Floats | None:
        """Return (3,) a feature's axis, or None where it has none."""
        axis = feature.axis
        return None if axis is None else np.asarray(self.basis @ np.array(axis))

    def axis(self, feature: Axial) -> tuple[int, float] | None:
        """Return number and sign of the direction that a feature's axis runs along, or None."""
        way = self.way(feature)
        return None if way is None else aligned(way)

    def own(self, feature: Feature) -> list[Face]:
        """Return a feature's faces."""
        numbers = set(feature.faces)
        return [f for f in self.faces if f.solid == feature.solid and f.number in numbers]

    def coaxial(self, point: Floats, slack: float = 10.0) -> bool:
        """Whether a point lies on the axis of a turned part.

        Args:
            point: (3,)
            slack: How many times `close` it may be off; a thread's fitted axis needs more.
        """
        return self.turned is not None and bool(
            np.hypot(*(point - self.turned)[1:]) < slack * self.close
        )

    @cached_property
    def claimed(self) -> dict[tuple[int, int], Feature]:
        """Which feature owns each face (solid, number)."""
        return {(f.solid, n): f for f in self.features for n in f.faces}

    @cached_property
    def barrels(self) -> list[Barrel]:
        """All cylinders along the drawing's directions."""
        return barrels(self.faces, 10 * self.close)

    @cached_property
    def voids(self) -> list[list[Face]]:
        """The faces of each closed void: of a shell within another one of its solid."""
        groups: dict[tuple[int, int], list[Face]] = {}
        for face in self.faces:
            groups.setdefault((face.solid, face.shell), []).append(face)
        reach = {
            key: float(np.ptp(np.concatenate([f.points for f in own]), axis=0).max())
            for key, own in groups.items()
        }
        outer = {
            solid: max((key for key in groups if key[0] == solid), key=lambda key: reach[key])
            for solid, _ in groups
        }
        return [own for key, own in groups.items() if key != outer[key[0]]]

    def free(self, face: Face) -> bool:
        """Whether no feature owns a face."""
        return (face.solid, face.number) not in self.claimed


def aligned(way: Floats) -> tuple[int, float] | None:
    """Return number and sign of the direction that a vector runs along, or None."""
    k = int(np.argmax(np.abs(way)))
    rest = np.delete(way, k)
    if float(np.linalg.norm(rest)) > ALIGNED:
        return None
    return k, 1.0 if way[k] > 0 else -1.0


@dataclass(frozen=True)
class Barrel:
    """Faces on one cylinder: those that lie on it one beside the other."""

    axis: int
    centre: Floats
    """(3,) on the axis, in the middle of its length."""
    radius: float
    outward: int
    turn: float
    """Angle that all of them run through together, rad."""
    low: float
    """Along the axis."""
    high: float
    faces: tuple[Face, ...]

    @property
    def whole(self) -> bool:
        """Whether it runs all around."""
        return self.turn >= WHOLE


def barrels(faces: Iterable[Face], close: float) -> list[Barrel]:
    """Return cylinders along the drawing's directions, halves of one joined."""
    groups: list[tuple[int, Face, list[Face]]] = []
    # Radius, both ends along the axis and the axis' place aside, of each group.
    marks: list[tuple[float, ...]] = []
    for face in faces:
        along = aligned(face.axis) if face.kind == "Cylinder" else None
        if along is None:
            continue
        k = along[0]
        u, v = (float(c) for n, c in enumerate(face.point) if n != k)
        mark = (face.radius, float(face.points[:, k].min()), float(face.points[:, k].max()), u, v)
        for (number, first, group), other in zip(groups, marks, strict=True):
            if (
                number == k
                and first.outward == face.outward
                and abs(other[0] - mark[0]) < close
                and math.hypot(other[3] - u, other[4] - v) < close
                and max(abs(other[1] - mark[1]), abs(other[2] - mark[2])) < close
            ):
                group.append(face)
                break
        else:
            groups.append((k, face, [face]))
            marks.append(mark)
    found = []
    for k, first, group in groups:
        low, high = first.reach(np.eye(3)[k])
        centre = first.point.copy()
        centre[k] = 0.5 * (low + high)
        found.append(
            Barrel(
                axis=k,
                centre=centre,
                radius=first.radius,
                outward=first.outward,
                turn=sum(face.turn for face in group),
                low=low,
                high=high,
                faces=tuple(group),
            )
        )
    return found


def joined_by_size(found: Sequence[Barrel], close: float) -> list[list[Barrel]]:
    """Return cylinders in groups of one axis direction, side and radius, smallest first."""
    groups: list[list[Barrel]] = []
    for barrel in sorted(found, key=lambda b: (b.axis, b.outward, b.radius)):
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and (last.axis, last.outward) == (barrel.axis, barrel.outward)
            and abs(last.radius - barrel.radius) < close
        ):
            groups[-1].append(barrel)
        else:
            groups.append([barrel])
    return groups
