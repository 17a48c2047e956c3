"""Coordinates along the drawing's directions: which are one, and which are known by the sheet."""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.drawing.subject import Subject, aligned
from gaugeblock.ruler.drawing.told import Told


class Coordinates:
    """Coordinates of planes, axes and corners; alike ones are one, since they are drawn in line.

    Args:
        subject: The part.
        told: What its sheet says.
        corners: (n, 3) places where at least three faces meet.
    """

    def __init__(self, subject: Subject, told: Told, corners: Floats) -> None:
        self.close = 10 * subject.close
        values: list[list[float]] = [list(corners[:, k]) for k in range(3)]
        planes: list[list[float]] = [[], [], []]
        for k in range(3):
            values[k] += [float(subject.low[k]), float(subject.high[k])]
        for face in subject.faces:
            along = aligned(face.axis) if np.any(face.axis) else None
            if face.kind == "Plane" and along is not None:
                planes[along[0]].append(float(face.point[along[0]]))
            elif along is not None and face.round:
                for n in (n for n in range(3) if n != along[0]):
                    values[n].append(float(face.point[n]))
        if subject.turned is not None:
            for k in (1, 2):
                values[k].append(float(subject.turned[k]))
        for k, ends in told.ties:
            values[k] += ends
        self._planes = [np.sort(np.array(row)) for row in planes]
        self._at: list[Floats] = []
        self._parent: list[list[int]] = []
        for k in range(3):
            every = np.sort(np.array(values[k] + planes[k]))
            first = np.concatenate([[True], np.diff(every) > self.close])
            self._at.append(every[first])
            self._parent.append(list(range(len(self._at[k]))))
        for k, ends in told.ties:
            self._tie(k, [self._number(k, at) for at in ends])
        self._known: list[set[int]] = [set(), set(), set()]
        for k in range(3):
            if subject.turned is not None and k != 0:
                datum = self._root(k, self._number(k, float(subject.turned[k])))
            else:
                datum = self._datum(k, planes[k], float(subject.low[k]))
            self._known[k].add(datum)

    def _number(self, k: int, at: float) -> int:
        """Return the number of the nearest coordinate."""
        row = self._at[k]
        n = int(np.searchsorted(row, at))
        return min((i for i in (n - 1, n) if 0 <= i < len(row)), key=lambda i: abs(row[i] - at))

    def _root(self, k: int, number: int) -> int:
        parent = self._parent[k]
        while parent[number] != number:
            number = parent[number]
        return number

    def _tie(self, k: int, numbers: list[int]) -> None:
        first = self._root(k, numbers[0])
        for number in numbers[1:]:
            self._parent[k][self._root(k, number)] = first

    def _datum(self, k: int, planes: list[float], low: float) -> int:
        """Return what most planes hang together with; of equal ones, the low end."""
        counts: dict[int, int] = {self._root(k, self._number(k, low)): 1}
        for at in sorted(set(planes)):
            root = self._root(k, self._number(k, at))
            counts[root] = counts.get(root, 0) + 1
        return max(counts, key=lambda root: counts[root])

    def has(self, k: int, at: float) -> bool:
        """Whether a coordinate is known."""
        n = self._number(k, at)
        if abs(float(self._at[k][n]) - at) > self.close:
            return False
        return self._root(k, n) in self._known[k]

    def flat(self, k: int, at: float) -> bool:
        """Whether a plane lies at a coordinate."""
        row = self._planes[k]
        low, high = np.searchsorted(row, (at - self.close, at + self.close))
        return bool(high > low)

    def near(self, k: int, at: float, slack: float) -> bool:
        """Whether any coordinate within a distance is known."""
        row = self._at[k]
        low, high = np.searchsorted(row, (at - slack, at + slack))
        return any(self._root(k, n) in self._known[k] for n in range(int(low), int(high)))

    def add(self, k: int, at: float) -> None:
        """Note that a coordinate is known, and with it all that is tied to it."""
        n = self._number(k, at)
        if abs(float(self._at[k][n]) - at) <= self.close:
            self._known[k].add(self._root(k, n))
