"""Diameters, radii, cone angles and axes of round faces, and circles that stand for themselves."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.spectrum.arcs import Arc, Turn, turn_of
from gaugeblock.ruler.spectrum.directions import Frame, join
from gaugeblock.ruler.spectrum.edges import Edge, is_sharp
from gaugeblock.ruler.spectrum.forms import Form
from gaugeblock.ruler.spectrum.gaps import Gaps
from gaugeblock.ruler.spectrum.layout import Layout, Round
from gaugeblock.ruler.spectrum.quantities import Quantity, check_number

ON_EDGE = 0.5
"""Degrees by which a torus must reach beyond its outermost or innermost circle for the circle to
lie in the face; where it ends there, it runs smoothly into a cylinder that has the diameter."""


def rounds(layout: Layout) -> list[Quantity]:
    """Return diameters, radii and cone angles of the round faces of a solid."""
    found = []
    gaps = Gaps(layout.outline.faces, layout.reach)
    for item in layout.rounds:
        frame = layout.frame(item.direction)
        if item.kind == "Cylinder":
            for forms in _pieces(item, frame, gaps):
                turn = turn_of([_arc(form, frame) for form in forms])
                faces = sorted(form.face for form in forms)
                found.append(_size(item.size, turn, faces, item.convex))
        elif item.kind == "Sphere":
            part = min(360.0, sum(form.arc[1] for form in item.forms))
            turn = Turn(part, part >= 180.0 - ON_EDGE)
            found.append(_size(item.size, turn, item.faces, item.convex))
        elif item.kind == "Cone":
            value = math.degrees(abs(item.other))
            leg = max(form.along[1] - form.along[0] for form in item.forms)
            found.append(Quantity("cone-angle", value, item.faces, leg=leg))
        else:
            found += _torus(item, frame)
    return found


def _size(radius: float, turn: Turn, faces: list[int], convex: bool) -> Quantity:
    if turn.across:
        return Quantity("diameter", 2 * radius, faces, turn=turn.degrees)
    return Quantity("radius", radius, faces, turn=turn.degrees, external=convex)


def _torus(item: Round, frame: Frame) -> list[Quantity]:
    """Return the radii of a torus, and the diameters of circles that lie in it."""
    about = turn_of([_arc(form, frame) for form in item.forms])
    tube = turn_of([form.tube for form in item.forms])
    major, minor = item.size, item.other
    external = item.convex and not tube.across
    found = [
        Quantity("torus-radius", minor, item.faces, turn=tube.degrees, external=external),
    ]
    if tube.across:
        # A pipe's bend or a ring: its centre line has a radius. A fillet's has none on any sheet.
        found.append(Quantity("torus-radius", major, item.faces, turn=about.degrees))
    for angle, radius in ((0.0, major + minor), (180.0, major - minor)):
        if about.across and radius > 0 and any(_holds(form.tube, angle) for form in item.forms):
            found.append(Quantity("diameter", 2 * radius, item.faces, turn=about.degrees))
    return found


def _holds(arc: Arc, angle: float) -> bool:
    """Whether an angle lies inside an arc, not at its ends."""
    start, sweep = arc
    if sweep >= 360.0 - ON_EDGE:
        return True
    return ON_EDGE < (angle - start) % 360.0 < sweep - ON_EDGE


def _arc(form: Form, frame: Frame) -> Arc:
    """Return a form's arc about its axis, as seen in the frame of its direction."""
    assert form.x is not None
    x, y, _ = frame.turn(form.x)
    zero = math.degrees(math.atan2(y, x))
    start, sweep = form.arc
    if float(form.axis @ frame.axes[2]) > 0:
        return (zero + start, sweep)
    return (zero - start - sweep, sweep)


def _pieces(item: Round, frame: Frame, gaps: Gaps) -> list[list[Form]]:
    """Return the faces of one cylinder, apart where material stands between them."""
    if len(item.forms) == 1:
        return [item.forms]
    reaches = [reach_of(form, frame) for form in item.forms]
    order = sorted(range(len(reaches)), key=lambda i: (reaches[i], item.forms[i].face))
    pieces: list[list[Form]] = []
    top = -math.inf
    for number in order:
        low, high = reaches[number]
        if not pieces:
            pieces.append([])
        elif low > top + gaps.reach:
            arc = max((_arc(form, frame) for form in pieces[-1]), key=lambda arc: arc[1])
            if gaps.blocked(frame, item.centre, item.size, item.convex, arc, (top, low)):
                pieces.append([])
        pieces[-1].append(item.forms[number])
        top = max(top, high)
    return pieces


def reach_of(form: Form, frame: Frame) -> tuple[float, float]:
    """Return the ends of a cylinder or cone along the direction of the frame, mm."""
    at = float(frame.place(form.origin)[2])
    slope = math.cos(form.other) if form.kind == "Cone" else 1.0
    sense = slope * float(form.axis @ frame.axes[2])
    low, high = sorted((at + sense * form.along[0], at + sense * form.along[1]))
    return low, high


def circles(layout: Layout) -> list[Quantity]:
    """Return the diameters and radii of sharp circles that no round face has already.

    Such as the wide end of a countersink, or a shaft's end inside its chamfer.
    """
    by_direction: dict[int, list[Edge]] = defaultdict(list)
    for edge in layout.edges:
        if edge is not None and edge.kind == "circle" and _stands_alone(layout, edge):
            by_direction[layout.edge_direction[edge.number]].append(edge)
    found = []
    for direction, edges in by_direction.items():
        frame = layout.frame(direction)
        keys = np.array([[*frame.place(_centre(edge)), edge.radius] for edge in edges])
        group = join(keys, layout.reach)
        for number in range(int(group.max()) + 1):
            chosen = [edges[i] for i in np.flatnonzero(group == number)]
            turn = turn_of([edge_arc(edge, frame) for edge in chosen])
            faces = sorted({face for edge in chosen for face in edge.faces})
            radius = float(np.median([edge.radius for edge in chosen]))
            size = _size(radius, turn, faces, False)
            found.append(size._replace(edge=chosen[0].number - 1))
    return found


def _centre(edge: Edge) -> Floats:
    assert edge.centre is not None
    return edge.centre


def edge_arc(edge: Edge, frame: Frame) -> Arc:
    """Return a round edge's arc about its axis, as seen in the frame of its direction."""
    assert edge.direction is not None
    x, y, _ = frame.place(edge.ends[0]) - frame.place(_centre(edge))
    start = math.degrees(math.atan2(y, x))
    forward = float(edge.direction @ frame.axes[2]) > 0
    return (start, edge.sweep) if forward else (start - edge.sweep, edge.sweep)


def _stands_alone(layout: Layout, edge: Edge) -> bool:
    """Whether a circle is sharp and neither round a cylinder nor the equator of a sphere."""
    faces = set(layout.whole[edge.faces].tolist())
    if len(edge.faces) > 1 and len(faces) == 1:
        return False
    centre, axis = _centre(edge), edge.direction
    for face in edge.faces:
        form = layout.forms[face]
        if form is None or form.kind not in ("Cylinder", "Sphere"):
            continue
        apart = centre - form.origin
        if form.kind == "Cylinder":
            apart = apart - form.axis * float(apart @ form.axis)
        same = abs(form.size - edge.radius) <= layout.reach
        if same and float(np.linalg.norm(apart)) <= layout.reach:
            return False
    assert axis is not None
    return is_sharp(layout.outline, edge)


def axis_distances(layout: Layout) -> list[Quantity]:
    """Return the distances of parallel axes of cylinders, cones and tori of half a turn or more.

    Raises:
        TooMany: there are too many.
    """
    axes: dict[int, list[Round]] = defaultdict(list)
    for item in layout.rounds:
        if item.kind != "Sphere":
            frame = layout.frame(item.direction)
            if turn_of([_arc(form, frame) for form in item.forms]).across:
                axes[item.direction].append(item)
    found = []
    for items in axes.values():
        feet = np.array([item.centre[:2] for item in items])
        group = join(feet, layout.reach)
        number = int(group.max()) + 1
        check_number(number * (number - 1) // 2)
        lines = []
        for line in range(number):
            chosen = np.flatnonzero(group == line)
            faces = sorted({face for i in chosen for face in items[i].faces})
            lines.append((np.median(feet[chosen], axis=0), faces))
        for i, (foot, faces) in enumerate(lines):
            for other, others in lines[i + 1 :]:
                value = float(np.linalg.norm(other - foot))
                found.append(Quantity("axis-distance", value, sorted(faces + others)))
    return found
