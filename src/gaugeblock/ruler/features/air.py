"""Whether there is air between two places: the one question that is put to the kernel again."""

from __future__ import annotations

import numpy as np
from OCP.gp import gp_Dir, gp_Lin, gp_Pnt
from OCP.IntCurvesFace import IntCurvesFace_ShapeIntersector

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.graph import SolidGraph


def air_between(graph: SolidGraph, start: Floats, end: Floats) -> bool:
    """Whether a straight line from `start` to `end` (3,) meets no face, its ends left out."""
    way = end - start
    length = float(np.linalg.norm(way))
    margin = 2 * graph.tolerance
    if length <= 2 * margin:
        return True
    line = gp_Lin(gp_Pnt(*start.tolist()), gp_Dir(*(way / length).tolist()))
    probe = IntCurvesFace_ShapeIntersector()
    probe.Load(graph.solid, 1e-7)
    probe.Perform(line, margin, length - margin)
    return bool(probe.IsDone()) and probe.NbPnt() == 0
