"""Whether material stands between two coaxial pieces of a cylinder.

A groove or a cross hole leaves one cylinder; a collar between two bearing seats of a shaft makes
them two. Told by lines along the axis, just off the surface on its empty side: what they cross
between the pieces is material.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib
from OCP.gp import gp_Dir, gp_Lin, gp_Pnt
from OCP.IntCurvesFace import IntCurvesFace_Intersector

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.spectrum.arcs import Arc
from gaugeblock.ruler.spectrum.directions import Frame

LINES = 5
"""Lines round the axis; an odd number has a majority, and no part of a handful of spokes has its
symmetry."""

OFF = 1e-3
"""How far off the surface the lines run, as a part of the radius (and at least ten times the
distance within which places are one): above the gaps of imported faces, below any collar."""


class Gaps:
    """The faces of one solid, made ready at the first question.

    Args:
        faces: TopoDS_Face in the file's frame.
        reach: Places within this many mm are one.
    """

    def __init__(self, faces: list[Any], reach: float) -> None:
        self.faces = faces
        self.reach = reach
        self._boxes: Floats | None = None
        self._ready: dict[int, Any] = {}

    def blocked(
        self,
        frame: Frame,
        axis: Floats,
        radius: float,
        convex: bool,
        arc: Arc,
        gap: tuple[float, float],
    ) -> bool:
        """Whether most of the lines through a gap meet material.

        Args:
            frame: Its third axis is the cylinder's direction.
            axis: (3,) a point of the cylinder's axis in the frame, third coordinate 0, mm.
            radius: Of the cylinder, mm.
            convex: Whether the material is inside the radius.
            arc: Where round the axis the lines run.
            gap: Between the pieces, along the axis from the frame's origin, mm.
        """
        off = max(OFF * radius, 10 * self.reach)
        at = radius + off if convex else radius - off
        start, sweep = arc
        met = 0
        for turn in (np.arange(LINES) + 0.5) / LINES:
            angle = math.radians(start + sweep * turn)
            x, y = axis[0] + at * math.cos(angle), axis[1] + at * math.sin(angle)
            ends = np.array([(x, y, gap[0] - off), (x, y, gap[1] + off)])
            met += self._meets(frame.centre + ends @ frame.axes)
        return met > LINES / 2

    def _meets(self, ends: Floats) -> bool:
        """Whether the segment between two points (2, 3) crosses a face."""
        if self._boxes is None:
            self._boxes = np.array([_box(face) for face in self.faces])
        low, high = ends.min(axis=0), ends.max(axis=0)
        near = (self._boxes[:, :3] <= high).all(axis=1) & (self._boxes[:, 3:] >= low).all(axis=1)
        apart = ends[1] - ends[0]
        line = gp_Lin(gp_Pnt(*ends[0].tolist()), gp_Dir(*apart.tolist()))
        length = float(np.linalg.norm(apart))
        for number in np.flatnonzero(near).tolist():
            if number not in self._ready:
                self._ready[number] = IntCurvesFace_Intersector(self.faces[number], 1e-7)
            cutter = self._ready[number]
            cutter.Perform(line, 0.0, length)
            if cutter.IsDone() and cutter.NbPnt() > 0:
                return True
        return False


def _box(face: Any) -> list[float]:
    """Return the lowest and the highest corner of a box that holds a face; all of space if open."""
    box = Bnd_Box()
    BRepBndLib.Add_s(face, box, False)
    if box.IsVoid() or box.IsOpen():
        return [-math.inf] * 3 + [math.inf] * 3
    return [*box.CornerMin().Coord(), *box.CornerMax().Coord()]
