"""Lengths of cylinders and cones along their axis, from one end circle to the other.

The depth of a drilled hole to where its tip begins, the length of a seat between two chamfers, the
height of a chamfer on a shaft: no two parallel planes have them.
"""

from __future__ import annotations

from collections import defaultdict

from gaugeblock.ruler.spectrum.arcs import Arc, turn_of
from gaugeblock.ruler.spectrum.edges import Edge
from gaugeblock.ruler.spectrum.forms import Form
from gaugeblock.ruler.spectrum.layout import Layout, Round
from gaugeblock.ruler.spectrum.quantities import Quantity
from gaugeblock.ruler.spectrum.rounds import edge_arc, reach_of


def axial_lengths(layout: Layout) -> list[Quantity]:
    """Return the lengths of cylinders and cones that end in circles of half a turn or more.

    Faces that touch are one. A length repeats the distance of two planes where these lie at both
    of its ends.
    """
    edges: dict[int, list[Edge]] = defaultdict(list)
    for edge in layout.edges:
        if edge is not None and edge.kind == "circle":
            for face in set(edge.faces):
                edges[face].append(edge)
    found = []
    for item in layout.rounds:
        if item.kind in ("Cylinder", "Cone"):
            by_face = {form.face: form for form in item.forms}
            for faces in layout.together(list(by_face)):
                ends = _ends(layout, item, [by_face[face] for face in faces], edges)
                if ends is None:
                    continue
                repeats = layout.has_planes(item.direction, ends)
                value = ends[1] - ends[0]
                found.append(Quantity("axial-length", value, faces, repeats=repeats))
    return found


def _ends(
    layout: Layout, item: Round, forms: list[Form], edges: dict[int, list[Edge]]
) -> tuple[float, float] | None:
    """Return where faces begin and end along their axis, mm; None: not in circles."""
    frame = layout.frame(item.direction)
    reaches = [reach_of(form, frame) for form in forms]
    low, high = min(r[0] for r in reaches), max(r[1] for r in reaches)
    arcs: dict[float, list[Arc]] = {low: [], high: []}
    for edge in {edge.number: edge for form in forms for edge in edges[form.face]}.values():
        if layout.edge_direction[edge.number] != item.direction:
            continue
        assert edge.centre is not None
        station = float(frame.place(edge.centre)[2])
        for end, found in arcs.items():
            if abs(station - end) <= layout.reach:
                found.append(edge_arc(edge, frame))
    if high - low <= layout.reach or not all(turn_of(found).across for found in arcs.values()):
        return None
    return low, high
