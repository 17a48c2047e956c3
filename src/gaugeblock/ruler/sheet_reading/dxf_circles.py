"""What a note at an arrow measures: the circle that its tip stands on, and those around it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ezdxf.entities import Arc, Circle, DXFEntity, Leader
from numpy.typing import NDArray

from gaugeblock.ruler.sheet_reading.call_outs import CallOut

ON = 0.05
"""How far an arrow's tip may be from its circle, in the drawing's units: less than a line's
width, if these are mm of paper."""


class Circles:
    """Circles and arcs of one layout or block, with the scale that its dimensions share.

    Args:
        entities: All that stands there.
        factors: DIMLFAC of its linear and round dimensions.
    """

    def __init__(self, entities: Sequence[DXFEntity], factors: Sequence[float]) -> None:
        found = [
            (e.dxf.center.x, e.dxf.center.y, e.dxf.radius)
            for e in entities
            if isinstance(e, Circle | Arc)
        ]
        self._rings: NDArray[np.float64] = np.array(found, dtype=np.float64).reshape(-1, 3)
        alike = {round(factor, 9) for factor in factors}
        self._factor = alike.pop() if len(alike) == 1 else None

    def measured(self, said: CallOut, leader: Leader | None) -> dict[int, float]:
        """Return what the drawing measures of a note's diameters and radii, by the size's number.

        Nothing, where the arrow stands on no circle, or dimensions of several scales leave open
        which of them holds there.

        Args:
            said: What the note says.
            leader: Its arrow.
        """
        if leader is None or self._factor is None or not len(self._rings) or not leader.vertices:
            return {}
        tip = np.array(leader.vertices[0][:2], dtype=np.float64)
        away = np.hypot(*(self._rings[:, :2] - tip).T)
        on = self._rings[np.abs(away - self._rings[:, 2]) <= ON]
        around = self._rings[
            [bool((np.hypot(*(on[:, :2] - r[:2]).T) <= ON).any()) for r in self._rings]
        ]
        if not len(around):
            return {}
        found: dict[int, float] = {}
        for number, size in enumerate(said.sizes):
            if size.type in ("diameter", "radius"):
                twice = 2.0 if size.type == "diameter" else 1.0
                values = twice * self._factor * around[:, 2]
                found[number] = float(values[np.abs(values - size.value).argmin()])
        return found
