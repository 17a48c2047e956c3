"""Faces that a view shows from their edge: their lines are drawn, and arcs known as arcs.

The edge between two fillets that meet in a mitre is an ellipse or a spline; seen along one of them
it lies on that fillet's own circle, and a radius may be taken there. A wall between two fillets has
smooth edges only, which a drawing leaves out; seen from its edge it is a line nevertheless.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaugeblock.ruler.drawing.anatomy import Face, Floats
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.subject import aligned
from gaugeblock.ruler.views.projection import Curve
from gaugeblock.ruler.views.shapes import Arc, Bezier, Line, Point, Shape

STRAY = 2e-5
"""How far a curve may stray from the circle, as a part of the view's size: twice what Béziers of a
projection do."""

EDGEWISE = 1e-9
"""Sine of the angle to the line of sight within which a plane is seen from its edge."""

PLACES = np.linspace(0.0, 1.0, 17)
"""Where a curve is looked at."""


def with_profiles(view: View, faces: Sequence[Face]) -> View:
    """Return a view in which cylinders and planes seen from their edge have their lines.

    Args:
        view: An exact view; one of triangles stays as it is.
        faces: Of the part, in the drawing's directions.
    """
    if view.method != "exact":
        return view
    edgewise = [face for face in faces if _edgewise(face, view.depth)]
    circles = {(view.at(face.point), face.radius) for face in edgewise if face.kind == "Cylinder"}
    corners = [np.array([view.at(p) for p in face.points]) for face in edgewise]
    profile = _Profile(circles, corners, STRAY * view.size)
    return replace(view, curves=[profile.told(curve) for curve in view.curves])


def _edgewise(face: Face, depth: int) -> bool:
    """Whether a plane or a cylinder along one direction is seen from its edge."""
    if face.kind == "Plane":
        return abs(float(face.axis[depth])) < EDGEWISE
    along = aligned(face.axis) if face.kind == "Cylinder" else None
    return along is not None and along[0] == depth


class _Profile:
    """What is seen from its edge in one view.

    Args:
        circles: Middle and radius of cylinders.
        corners: (n, 2) for each face, samples of its edges as the view shows them.
        close: How far a curve may stray, mm.
    """

    def __init__(
        self, circles: set[tuple[Point, float]], corners: list[Floats], close: float
    ) -> None:
        self.circles, self.corners, self.close = circles, corners, close

    def told(self, curve: Curve) -> Curve:
        """Return a curve, as an arc if it lies on one, and as sharp if it is a face's profile."""
        shape: Shape = curve.shape
        if isinstance(shape, Bezier):
            shape = _as_arc(shape, self.circles, self.close)
        kind = curve.kind
        if kind == "smooth" and isinstance(shape, Line | Arc) and self._is_profile(shape):
            kind = "sharp"
        return curve.model_copy(update={"shape": shape, "kind": kind})

    def _is_profile(self, shape: Line | Arc) -> bool:
        """Whether all of a face lies on a curve, from end to end: then it is the face's profile."""
        ends = shape.at(np.array([0.0, 1.0]))
        for points in self.corners:
            off = np.hypot(*(points[:, None, :] - ends[None, :, :]).transpose(2, 0, 1))
            if (off.min(axis=0) < self.close).all() and self._on(shape, points):
                return True
        return False

    def _on(self, shape: Line | Arc, points: Floats) -> bool:
        if isinstance(shape, Line):
            way = np.subtract(shape.end, shape.start)
            long = max(float(np.linalg.norm(way)), 1e-300)
            arm = points - shape.start
            off = np.abs(arm[:, 0] * way[1] - arm[:, 1] * way[0]) / long
        else:
            off = np.abs(np.hypot(*(points - shape.centre).T) - shape.radius)
        return bool(off.max() < self.close)


def _as_arc(shape: Bezier, circles: set[tuple[Point, float]], close: float) -> Shape:
    """Return a curve as an arc of the circle that it lies on, if there is one."""
    points = shape.at(PLACES)
    for centre, radius in circles:
        arms = points - centre
        # A chord shorter than this is on any circle.
        if float(np.ptp(points, axis=0).max()) < 0.1 * radius:
            continue
        if np.abs(np.linalg.norm(arms, axis=1) - radius).max() > close:
            continue
        angles = np.unwrap(np.arctan2(arms[:, 1], arms[:, 0]))
        sweep = float(angles[-1] - angles[0])
        turns = np.diff(angles) * math.copysign(1.0, sweep)
        if 0.0 < abs(sweep) <= math.tau and (turns > 0).all():
            return Arc(centre=centre, radius=radius, start=float(angles[0]), sweep=sweep)
    return shape
