"""Chamfers: bevels in place of an edge, straight (planes) and round (cones).

The edge that a chamfer replaces is where its two neighbours would meet; the set-backs from there
are its legs. A bevel that leaves too little of its neighbours is a face of its own.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import Literal

import numpy as np

from gaugeblock.records.features import Chamfer
from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.blends import Blend, bank_bend, banks_of
from gaugeblock.ruler.features.coaxial import PARALLEL
from gaugeblock.ruler.features.forms import about, across, cross
from gaugeblock.ruler.features.graph import Region, SolidGraph
from gaugeblock.ruler.features.limits import reaches, within
from gaugeblock.ruler.features.loops import angular_range
from gaugeblock.ruler.features.sheet import Sheet, triple

SLOPE = math.radians(5.0)
"""Least angle in rad between a bevel and each of its faces: a flatter one is draft or a taper. As
much is the least by which it must meet each of them more bluntly than at a right angle."""

SHARPEST = math.radians(30.0)
"""Least angle in rad of the edge that a chamfer replaces, as for a fillet (`fillets.MOST_TURN`).
The blunt end of a wedge is no chamfer."""

SHARE = 0.3
"""Largest leg of a straight chamfer as a part of the face it is cut from, on at least one of its
two faces. Sides of regular polygons have 0.5 (hexagon) down to 1/3 (many sides)."""

OTHER_SHARE = 0.5
"""Largest such part on the other face, which may be the edge of a plate bevelled from both sides.
What takes more is a slope."""

ROUND_SHARE = 0.25
"""Largest smaller leg of a round chamfer as a part of its larger diameter: 1 mm on a 4 mm pin. More
is a cone of its own, or a countersink (`holes.SINK` is the same limit at the smaller diameter)."""


def chamfer_of(graph: SolidGraph, region: Region) -> Blend | None:
    """Return the chamfer that a region is, or None."""
    if region.taken or not region.edges:
        return None
    if region.kind == "plane":
        return _straight(graph, region)
    return _conical(graph, region) if region.kind == "cone" else None


def _straight(graph: SolidGraph, region: Region) -> Blend | None:
    """Return the chamfer between the two plane faces along a plane's longest opposite edges."""
    sides: dict[int, list[tuple[int, int]]] = {}
    for edge, side in region.edges:
        other = graph.other(edge, side)
        bend = graph.bends[edge]
        if other.kind == "plane" and bend in ("convex", "concave") and graph.straight(edge):
            sides.setdefault(other.number, []).append((edge, side))
    found = []
    for a, b in combinations(sorted(sides), 2):
        blend = _bevel(graph, region, sides[a], sides[b])
        if blend is not None:
            found.append(blend)
    # A bevel across a corner may qualify both ways: the longer edge is the one it breaks.
    return max(found, key=lambda blend: blend.edge_length, default=None)


def _bevel(
    graph: SolidGraph, region: Region, one: list[tuple[int, int]], two: list[tuple[int, int]]
) -> Blend | None:
    bend = bank_bend(graph, one)
    if bend == "mixed" or bank_bend(graph, two) != bend:
        return None
    a, b = (graph.other(*bank[0]) for bank in (one, two))
    along = graph.tangents[one[0][0], 0]
    if np.linalg.norm(cross(along, graph.tangents[two[0][0], 0])) > PARALLEL:
        return None
    ways = [graph.away(*bank[0])[0] for bank in (one, two)]
    if float(ways[0] @ ways[1]) > -1 + 1e-4:
        return None
    feet = [graph.points[bank[0][0], 0] for bank in (one, two)]
    edge = _virtual_edge(a.form.axis, feet[0], b.form.axis, feet[1], along)
    if edge is None:
        return None
    arms = [foot - edge - ((foot - edge) @ along) * along for foot in feet]
    legs = [float(np.linalg.norm(arm)) for arm in arms]
    if min(legs) <= 2 * graph.tolerance:
        return None
    # The replaced edge lies on the far side of the bevel from the material (convex) or in it.
    outside = float((edge - feet[0]) @ region.form.axis)
    if (outside > 0) != (bend == "convex"):
        return None
    if not reaches(_corner(legs, arms), SHARPEST):
        return None
    shares = []
    for face, arm, leg in zip((a, b), arms, legs, strict=True):
        reach = ((graph.boundary(face) - edge) @ (arm / leg)).max()
        shares.append(leg / max(float(reach), leg))
    if not within(min(shares), SHARE) or not within(max(shares), OTHER_SHARE):
        return None
    if not _bevels(legs, arms):
        return None
    spans = [graph.points[[e for e, _ in bank]].reshape(-1, 3) @ along for bank in (one, two)]
    shared = min(span.max() for span in spans) - max(span.min() for span in spans)
    if shared <= 0.5 * min(float(np.ptp(span)) for span in spans):
        return None
    # Where mitred with its neighbours, a bevel is as long as the edge on its longer side.
    length = max(float(np.ptp(span)) for span in spans)
    halfway = 0.25 * float(sum(span.min() + span.max() for span in spans))
    if bend == "concave" and not reaches(length, max(legs)):
        return None
    side: Literal["convex", "concave"] = "convex" if bend == "convex" else "concave"
    return Blend(
        region,
        "chamfer",
        side,
        "straight",
        (one, two),
        legs=(legs[0], legs[1]),
        angle=_slopes(legs, arms)[int(np.argmax(legs))],
        edge_length=length,
        place=edge + 0.5 * (arms[0] + arms[1]) + (halfway - float(edge @ along)) * along,
    )


def _virtual_edge(
    normal_a: Floats, point_a: Floats, normal_b: Floats, point_b: Floats, along: Floats
) -> Floats | None:
    """Return the point of the line where two planes meet that lies beside `point_a`."""
    if abs(float(cross(normal_a, normal_b) @ along)) < math.sin(SLOPE):
        return None
    matrix = np.stack([normal_a, normal_b, along])
    right = np.array([normal_a @ point_a, normal_b @ point_b, along @ point_a])
    return np.asarray(np.linalg.solve(matrix, right))


def _slopes(legs: list[float], arms: list[Floats]) -> list[float]:
    """Return the angles in rad between the bevel and its two faces."""
    bevel = arms[1] - arms[0]
    width = float(np.linalg.norm(bevel))
    first = math.acos(max(-1.0, min(1.0, -float(bevel @ arms[0]) / (width * legs[0]))))
    second = math.acos(max(-1.0, min(1.0, float(bevel @ arms[1]) / (width * legs[1]))))
    return [first, second]


def _bevels(legs: list[float], arms: list[Floats]) -> bool:
    """Whether a bevel is neither too flat on nor too steep against one of its faces."""
    slopes = _slopes(legs, arms)
    return reaches(min(slopes), SLOPE) and within(max(slopes), 0.5 * math.pi - SLOPE)


def _corner(legs: list[float], arms: list[Floats]) -> float:
    """Return the angle in rad of the edge that a bevel replaces."""
    return math.acos(max(-1.0, min(1.0, float(arms[0] @ arms[1]) / (legs[0] * legs[1]))))


def _conical(graph: SolidGraph, region: Region) -> Blend | None:
    """Return the chamfer between two coaxial faces that a cone joins."""
    banks = banks_of(graph, region)
    bends = [bank_bend(graph, bank) for bank in banks]
    if bends[0] != bends[1] or bends[0] not in ("convex", "concave"):
        return None
    form = region.form
    rings = []
    for bank in banks:
        points = graph.points[[edge for edge, _ in bank]].reshape(-1, 3)
        rho, z = about(form.origin, form.axis, points)
        off = max(graph.off(edge) for edge, _ in bank)
        if np.ptp(rho) > 2 * off or np.ptp(z) > 2 * off:
            return None
        rings.append(np.array([rho.mean(), z.mean()]))
    faces = [graph.other(*bank[0]) for bank in banks]
    lines = [_profile(region, face) for face in faces]
    if lines[0] is None or lines[1] is None:
        return None
    (r0, z0), (r1, z1) = lines[0], lines[1]
    if abs(float(r0 * z1 - z0 * r1)) < math.sin(SLOPE):
        return None
    matrix = np.stack([lines[0], -lines[1]], axis=1)
    step = np.linalg.solve(matrix, rings[1] - rings[0])
    edge = rings[0] + step[0] * lines[0]
    arms = [ring - edge for ring in rings]
    legs = [float(np.linalg.norm(arm)) for arm in arms]
    if min(legs) <= 2 * graph.tolerance or not _bevels(legs, arms):
        return None
    if not reaches(_corner(legs, arms), SHARPEST):
        return None
    # Outwards across the bevel in the half-plane of the profile, times the side of the material.
    normal = region.outward * np.array([math.cos(form.half_angle), -math.sin(form.half_angle)])
    if (float((edge - rings[0]) @ normal) > 0) != (bends[0] == "convex"):
        return None
    if not within(min(legs), ROUND_SHARE * 2 * max(float(ring[0]) for ring in rings)):
        return None
    side: Literal["convex", "concave"] = "convex" if bends[0] == "convex" else "concave"
    start, extent = angular_range(graph, region)
    rho, z = 0.5 * (rings[0] + rings[1])
    place = form.origin + z * form.axis
    if extent < 2 * math.pi - 1e-6:
        x = across(form.axis)
        angle = start + 0.5 * extent
        place = place + rho * (math.cos(angle) * x + math.sin(angle) * cross(form.axis, x))
    return Blend(
        region,
        "chamfer",
        side,
        "round",
        banks,
        legs=(legs[0], legs[1]),
        angle=_slopes(legs, arms)[int(np.argmax(legs))],
        edge_length=float(edge[0]) * extent,
        place=place,
    )


def _profile(region: Region, face: Region) -> Floats | None:
    """Return the direction (radial, axial) of a face's profile about a cone's axis."""
    slope = float(face.form.axis @ region.form.axis) if face.kind != "other" else 0.0
    if abs(slope) < math.cos(PARALLEL) or face.kind not in ("plane", "cylinder", "cone"):
        return None
    if face.kind == "plane":
        return np.array([1.0, 0.0])
    if face.kind == "cylinder":
        return np.array([0.0, 1.0])
    half = face.form.half_angle
    return np.array([math.sin(half), math.copysign(math.cos(half), slope)])


def add_chamfers(sheet: Sheet) -> None:
    """Add the chamfers that no other feature has claimed."""
    for blend in sheet.blends.values():
        if blend.treatment == "chamfer" and not sheet.claimed([blend.region.number]):
            _add(sheet, blend)


def _add(sheet: Sheet, blend: Blend) -> None:
    graph, region = sheet.graph, blend.region
    diameter, axis = None, graph.tangents[blend.banks[0][0][0], 0]
    if blend.form == "round":
        points, axis = graph.boundary(region), region.form.axis
        diameter = 2 * float(about(region.form.origin, axis, points)[0].max())
    assert blend.place is not None
    sheet.add(
        Chamfer(
            id="",
            solid=graph.index,
            faces=sorted(region.faces),
            position=triple(blend.place),
            form="straight" if blend.form == "straight" else "round",
            side=blend.side,
            legs=(min(blend.legs), max(blend.legs)),
            angle=math.degrees(blend.angle),
            axis=triple(axis),
            diameter=diameter,
            length=blend.edge_length,
        ),
        [region.number],
    )
