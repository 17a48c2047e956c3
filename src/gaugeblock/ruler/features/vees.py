"""Recesses without a flat floor that still have one reading: V-slots and Woodruff keyseats."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from gaugeblock.records.features import Recess
from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.blends import links
from gaugeblock.ruler.features.coaxial import PARALLEL
from gaugeblock.ruler.features.forms import cross
from gaugeblock.ruler.features.graph import Region
from gaugeblock.ruler.features.plans import UPRIGHT
from gaugeblock.ruler.features.sheet import Sheet, triple

WIDEST = math.radians(150.0)
"""Largest angle in rad between the flanks of a V-slot; a flatter one is a valley between faces."""


def find_vees(sheet: Sheet) -> None:
    """Add the V-slots and Woodruff keyseats of a solid to its sheet."""
    graph = sheet.graph
    for edge, (one, two) in enumerate(graph.ends.tolist()):
        a, b = graph.regions[one], graph.regions[two]
        plain = a.kind == b.kind == "plane" and a.number != b.number
        if plain and graph.bends[edge] == "concave" and graph.straight(edge):
            _vee(sheet, edge, a, b)
    for region in graph.regions:
        if region.kind == "cylinder" and region.outward < 0:
            _woodruff(sheet, region)


def _vee(sheet: Sheet, root: int, a: Region, b: Region) -> None:
    """Add the slot of two flanks that meet in an edge and end in faces that look one way."""
    graph = sheet.graph
    if sheet.claimed([a.number, b.number]) or {a.number, b.number} & set(sheet.blends):
        return
    if graph.neighbours(a, "concave") != {b.number} or graph.neighbours(b, "concave") != {a.number}:
        return
    angle = math.pi - math.acos(max(-1.0, min(1.0, float(a.form.axis @ b.form.axis))))
    if angle > WIDEST:
        return
    along = graph.tangents[root, 0]
    tops = [_top(sheet, flank, along) for flank in (a, b)]
    if tops[0] is None or tops[1] is None:
        return
    (face, far_a), (other, far_b) = tops[0], tops[1]
    up = face.form.axis
    if float(up @ other.form.axis) < math.cos(PARALLEL):
        return
    if min(float(up @ flank.form.axis) for flank in (a, b)) < math.sin(UPRIGHT):
        return
    across = cross(up, along)
    ground = float(graph.points[root, 0] @ up)
    levels = [float(top.form.origin @ up) for top in (face, other)]
    spots = [float(far.mean(axis=0) @ across) for far in (far_a, far_b)]
    span = np.concatenate([graph.boundary(a), graph.boundary(b)]) @ along
    depth = min(levels) - ground
    if depth <= graph.tolerance:
        return
    findings = [f"V-shaped: {math.degrees(angle):.4g}° between its flanks"]
    if abs(levels[0] - levels[1]) > 4 * graph.tolerance:
        findings.append("its walls are not equally high")
    place = 0.5 * (span.min() + span.max()) * along + 0.5 * sum(spots) * across + min(levels) * up
    width, length = abs(spots[0] - spots[1]), float(np.ptp(span))
    _add(
        sheet,
        "slot",
        [a.number, b.number],
        place,
        -up,
        (length, width, depth),
        along,
        "open",
        findings,
    )


def _top(sheet: Sheet, flank: Region, along: Floats) -> tuple[Region, Floats] | None:
    """Return the face over a flank and the points of the edge there."""
    graph = sheet.graph
    for link in links(graph, sheet.blends, flank):
        other = graph.regions[link.other]
        lengthwise = np.linalg.norm(cross(graph.tangents[link.edge, 0], along)) <= PARALLEL
        if link.bend == "convex" and lengthwise and other.kind == "plane":
            return other, graph.points[link.edge]
    return None


def _woodruff(sheet: Sheet, floor: Region) -> None:
    """Add the keyway whose floor is a piece of a disc cut across a shaft."""
    graph = sheet.graph
    if sheet.claimed([floor.number]) or floor.number in sheet.blends:
        return
    cheeks, shafts = set(), set()
    for edge, side in floor.edges:
        other = graph.other(edge, side)
        if graph.bends[edge] == "concave" and other.kind == "plane":
            cheeks.add(other.number)
        elif graph.bends[edge] == "convex" and other.kind == "cylinder" and other.outward > 0:
            shafts.add(other.number)
        else:
            return
    if len(cheeks) != 2 or len(shafts) != 1:
        return
    shaft = graph.regions[shafts.pop()].form
    disc = floor.form
    if abs(float(shaft.axis @ disc.axis)) > math.sin(UPRIGHT):
        return
    points = graph.boundary(floor)
    lean = [float(graph.regions[n].form.axis @ disc.axis) for n in cheeks]
    if min(abs(value) for value in lean) < math.cos(UPRIGHT):
        return
    middle = points.mean(axis=0)
    foot = shaft.origin + ((middle - shaft.origin) @ shaft.axis) * shaft.axis
    up = cross(disc.axis, shaft.axis)
    up = up if float((middle - foot) @ up) > 0 else -up
    ground = float(disc.origin @ up) - disc.radius
    crest = float(shaft.origin @ up) + shaft.radius
    width = float(np.ptp(points @ disc.axis))
    centre = 0.5 * (points @ disc.axis).min() + 0.5 * (points @ disc.axis).max()
    # The disc's chord in the shaft's crest line.
    rise = crest - float(disc.origin @ up)
    if abs(rise) >= disc.radius:
        return
    length = 2 * math.sqrt(disc.radius**2 - rise**2)
    place = crest * up + centre * disc.axis + float(disc.origin @ shaft.axis) * shaft.axis
    findings = [f"Woodruff: cut by a disc of ⌀{2 * disc.radius:.6g} mm"]
    regions = [floor.number, *sorted(cheeks)]
    size = (length, width, crest - ground)
    _add(sheet, "keyway", regions, place, -up, size, shaft.axis, "round", findings)


def _add(
    sheet: Sheet,
    kind: Literal["slot", "keyway"],
    regions: list[int],
    place: Floats,
    axis: Floats,
    size: tuple[float, float, float],
    direction: Floats,
    ends: Literal["open", "round"],
    findings: list[str],
) -> None:
    length, width, depth = size
    sheet.add(
        Recess(
            id="",
            solid=sheet.graph.index,
            faces=sheet.graph.faces_of(regions),
            position=triple(place),
            findings=findings,
            kind=kind,
            axis=triple(axis),
            length=length,
            width=width,
            depth=depth,
            direction=triple(direction),
            ends=ends,
        ),
        regions,
    )
