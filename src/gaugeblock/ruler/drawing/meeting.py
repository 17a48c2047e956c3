"""Where a part's faces meet: places on their edges, corners, and which faces are neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.drawing.anatomy import Face, Floats
from gaugeblock.ruler.drawing.subject import Subject

Key = tuple[int, int]
"""A face: solid and number."""

MET = 1e-4
"""Places on edges nearer than this part of the part's size are one: imported edges have gaps."""


class Meeting:
    """Places on the edges of a part's faces, each once.

    Args:
        subject: The part.
    """

    def __init__(self, subject: Subject) -> None:
        keys = [(face.solid, face.number) for face in subject.faces]
        points = np.concatenate([face.points for face in subject.faces])
        owners = np.repeat(np.arange(len(keys)), [len(face.points) for face in subject.faces])
        exact, number = np.unique(points.round(9), axis=0, return_inverse=True)
        place = _together(exact, MET * subject.size)[number.reshape(-1)]
        self.places: Floats = exact
        """(n, 3) mm in the drawing's directions; those of others they lie together with count."""
        self.at: dict[int, set[Key]] = {}
        """The faces that meet in a place."""
        self.on: dict[Key, set[int]] = {key: set() for key in keys}
        """The places on a face's edges."""
        for where, owner in zip(place.tolist(), owners.tolist(), strict=True):
            self.at.setdefault(where, set()).add(keys[owner])
            self.on[keys[owner]].add(where)
        self.corners = [n for n, faces in self.at.items() if len(faces) >= 3]
        """Places where at least three faces meet."""

    def beside(self, face: Face) -> set[Key]:
        """Return the faces that share at least two places with one."""
        key = (face.solid, face.number)
        counts: dict[Key, int] = {}
        for place in self.on[key]:
            for other in self.at[place]:
                counts[other] = counts.get(other, 0) + 1
        return {other for other, shared in counts.items() if shared >= 2 and other != key}


def _together(points: Floats, step: float) -> npt.NDArray[np.int64]:
    """Return for each point the number of the first one that lies in one cell of a grid with it.

    Two grids, shifted by half a cell: what one of them parts lies together in the other.
    """
    group = np.arange(len(points))
    for shift in (0.0, 0.5):
        cells = np.floor(points / step + shift).astype(np.int64)
        _, first, number = np.unique(cells, axis=0, return_index=True, return_inverse=True)
        group = np.minimum(group, group[first[number.reshape(-1)]])
    return group
