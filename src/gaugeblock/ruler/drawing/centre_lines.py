"""Centre lines of everything round, centre marks, bolt circles (ISO 128-2, line type 04.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gaugeblock.ruler.drawing.anatomy import Floats
from gaugeblock.ruler.drawing.seen import View
from gaugeblock.ruler.drawing.sheet import Stroke
from gaugeblock.ruler.drawing.subject import Subject
from gaugeblock.ruler.drawing.wishes import Round
from gaugeblock.ruler.views.shapes import TURN, Arc, Line, Point

BEYOND = 3.0
"""How far a centre line runs beyond the outline, on the paper, mm."""

HALF_TURN = 3.1
"""Angle in rad from which on a round face gets a centre line: fillets get none."""


def centre_lines(
    subject: Subject, view: View, scale: float, rings: Sequence[Round]
) -> list[Stroke]:
    """Return the centre lines of a view, in mm of the view.

    Args:
        subject: The part.
        view: The view; not an isometric one.
        scale: mm of paper for one of the part: how far a line runs beyond depends on it.
        rings: Bolt circles.
    """
    beyond = BEYOND / scale
    crosses: dict[tuple[int, int], tuple[Point, float]] = {}
    lines: list[tuple[int, float, float, float]] = []
    grid = 10 * subject.close
    for centre, axis, radius, low, high in _round_places(subject):
        if not _met(view, centre, axis, radius):
            continue
        at = view.at(centre)
        if axis == view.depth:
            key = (round(at[0] / grid), round(at[1] / grid))
            if key not in crosses or crosses[key][1] < radius:
                crosses[key] = (at, radius)
        else:
            n = view.across(axis)
            assert n is not None
            ends = sorted((view.axes[n][1] * low, view.axes[n][1] * high))
            lines.append((n, at[1 - n], ends[0], ends[1]))
    strokes = [_axis_line(*line, beyond) for line in _merged(lines, grid)]
    ringed = set()
    for ring in (r for r in rings if r.axis == view.depth):
        middle = view.at(ring.centre)
        strokes.append(
            Stroke(
                layer="centre",
                shape=Arc(centre=middle, radius=ring.radius, start=0.0, sweep=TURN),
            )
        )
        for key, (at, radius) in crosses.items():
            if abs(math.dist(at, middle) - ring.radius) < 1e-4 * subject.size:
                ringed.add(key)
                strokes.append(_spoke(middle, at, radius + beyond))
    for key, (at, radius) in crosses.items():
        if key not in ringed:
            strokes += _cross(at, radius + beyond)
    return strokes


def _round_places(subject: Subject) -> list[tuple[Floats, int, float, float, float]]:
    """Return centre, axis, radius, and both ends along the axis of everything round."""
    found = [
        (b.centre, b.axis, b.radius, b.low, b.high) for b in subject.barrels if b.turn > HALF_TURN
    ]
    for face in subject.faces:
        if face.kind in ("Cone", "Torus") and face.turn > HALF_TURN:
            k = int(np.argmax(np.abs(face.axis)))
            if abs(face.axis[k]) > 1 - 1e-9:
                low, high = face.reach(np.eye(3)[k])
                centre = face.point.copy()
                centre[k] = 0.5 * (low + high)
                rho = np.linalg.norm(np.delete(face.points - face.point, k, axis=1), axis=1)
                found.append((centre, k, float(rho.max()), low, high))
    return found


def _met(view: View, centre: Floats, axis: int, radius: float) -> bool:
    """Whether a section shows a round thing: what is cut off or lies behind has no centre line."""
    if view.cut is None:
        return True
    k, sign = view.axes[2]
    if axis == k:
        return view.method == "polygonal" or bool(view.circles(view.at(centre), radius))
    return abs(sign * float(centre[k]) - view.cut.distance) < radius


def _merged(
    lines: list[tuple[int, float, float, float]], grid: float
) -> list[tuple[int, float, float, float]]:
    """Return axis lines with those on one axis joined where they meet."""
    out: list[tuple[int, float, float, float]] = []
    for n, at, low, high in sorted(lines, key=lambda i: (i[0], round(i[1] / grid), i[2])):
        if out and out[-1][0] == n and abs(out[-1][1] - at) < grid and low <= out[-1][3] + grid:
            out[-1] = (n, at, out[-1][2], max(out[-1][3], high))
        else:
            out.append((n, at, low, high))
    return out


def _axis_line(n: int, at: float, low: float, high: float, beyond: float) -> Stroke:
    a, b = low - beyond, high + beyond
    start, end = ((a, at), (b, at)) if n == 0 else ((at, a), (at, b))
    return Stroke(layer="centre", shape=Line(start=start, end=end))


def _cross(at: Point, half: float) -> list[Stroke]:
    x, y = at
    ends = [((x - half, y), (x + half, y)), ((x, y - half), (x, y + half))]
    return [Stroke(layer="centre", shape=Line(start=a, end=b)) for a, b in ends]


def _spoke(middle: Point, at: Point, half: float) -> Stroke:
    """Return the radial mark of a hole on a bolt circle."""
    long = math.dist(middle, at)
    u = ((at[0] - middle[0]) / long, (at[1] - middle[1]) / long)
    return Stroke(
        layer="centre",
        shape=Line(
            start=(at[0] - half * u[0], at[1] - half * u[1]),
            end=(at[0] + half * u[0], at[1] + half * u[1]),
        ),
    )
