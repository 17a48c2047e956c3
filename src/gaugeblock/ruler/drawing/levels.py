"""Which coordinates are tied to each other by dimensions: nothing is dimensioned twice.

In each direction the faces and axes of a part are levels. A dimension ties two of them; one that
would tie what is tied already, through whatever chain, says nothing new and is left out. When all
levels of a direction are tied together, it is fully dimensioned.
"""

from __future__ import annotations

from collections.abc import Iterable


class Levels:
    """Levels in three directions.

    Args:
        close: Coordinates nearer than this are one, mm.
    """

    def __init__(self, close: float) -> None:
        self.close = close
        self.at: tuple[list[float], list[float], list[float]] = ([], [], [])
        self._parent: tuple[list[int], list[int], list[int]] = ([], [], [])

    def add(self, direction: int, at: float) -> int:
        """Return the number of a level, a new one where there is none."""
        for number, known in enumerate(self.at[direction]):
            if abs(known - at) < self.close:
                return number
        self.at[direction].append(at)
        self._parent[direction].append(len(self.at[direction]) - 1)
        return len(self.at[direction]) - 1

    def exact(self, direction: int, at: float) -> float:
        """Return the level itself, so that two dimensions to one face agree to the last digit."""
        return self.at[direction][self.add(direction, at)]

    def _root(self, direction: int, number: int) -> int:
        parent = self._parent[direction]
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    def tied(self, direction: int, a: float, b: float) -> bool:
        """Whether two levels are tied already."""
        return self._root(direction, self.add(direction, a)) == self._root(
            direction, self.add(direction, b)
        )

    def tie(self, direction: int, *ats: float) -> bool:
        """Tie levels together; return whether that said anything new."""
        numbers = [self.add(direction, at) for at in ats]
        roots = {self._root(direction, n) for n in numbers}
        first = min(roots)
        for root in roots:
            self._parent[direction][root] = first
        return len(roots) > 1

    def loose(self, direction: int, datum: float) -> Iterable[float]:
        """Return levels that are not tied to a datum, ascending."""
        return sorted(at for at in self.at[direction] if not self.tied(direction, at, datum))
