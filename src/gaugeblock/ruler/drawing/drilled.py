"""Whether a hole's call-out, as it is printed, tells the size of each of its faces."""

from __future__ import annotations

import numpy as np

from gaugeblock.records.features import Hole
from gaugeblock.ruler.drawing.anatomy import Face
from gaugeblock.ruler.drawing.callouts import DRILL_POINTS, hole_text
from gaugeblock.ruler.drawing.printed import said
from gaugeblock.ruler.drawing.subject import Subject
from gaugeblock.ruler.drawing.told import ROUNDED, Told


def hole_told(subject: Subject, told: Told, hole: Hole, face: Face | None) -> bool:
    """Whether the printed call-out of a hole tells all of its sizes, and that of one face.

    Args:
        subject: The part.
        told: What the sheet says.
        hole: The hole.
        face: One of its faces; None: its call-out alone.
    """
    if not all(told.says(hole, size.type, size.value) for size in said(hole_text(hole))):
        return False
    if face is None:
        return True
    if face.kind == "Cylinder":
        return told.says(hole, "diameter", 2 * face.radius)
    if face.kind == "Cone":
        full = float(np.degrees(2.0 * abs(face.second)))
        drill = not hole.through and DRILL_POINTS[0] < full < DRILL_POINTS[1]
        return drill or told.says(hole, "angle", full)
    if face.kind == "Plane":
        way = subject.way(hole)
        assert way is not None
        deep = float((face.point - subject.place(hole)) @ way)
        lengths = [s.value for s in told.sizes[hole.id] if s.type == "length"]
        steps = np.cumsum([0.0, *(long for _, long in hole.steps)]).tolist()
        reach = [*lengths, *(hole.depth - long for long in lengths)]
        reach += [end for end in steps if len(hole.steps) > 1 and len(lengths) >= len(steps) - 2]
        return any(abs(deep - end) < ROUNDED for end in reach)
    return False
